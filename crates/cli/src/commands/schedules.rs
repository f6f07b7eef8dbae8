//! Programs in JavaScript, run under one schedule after another.

use super::javascript::{Surroundings, flags, options};
use crate::args::{Given, JavaScript, ScheduleFlags};
use crate::report::Failure;
use hemiola_explore::schedules::{
    Deviation, Job, Known, Outcome, Plan, Reduction, Report, Watch, Watching,
};
use hemiola_js::{Member, Nursery, Options, Reason, Secure, Stop};
use hemiola_live::{SystemTree, whole_input};
use hemiola_machine::Stream;
use hemiola_world::{Open, Overlay};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A program, and everything that decides its runs but the schedule.
pub(crate) struct Explored {
    options: Options,
    tree: Arc<SystemTree>,
    input: Arc<OnceLock<Vec<u8>>>,
    flags: ScheduleFlags,
    /// Those that no run uses at the moment.
    nurseries: Mutex<Vec<Nursery>>,
}

/// How runs are watched, beside what the program itself decides.
#[derive(Clone)]
pub(crate) struct Watchers {
    pub(crate) reduction: Reduction,
    pub(crate) known: Arc<Known>,
    pub(crate) clock: bool,
}

impl Watchers {
    /// Nothing is known, so that a run goes on to its end.
    pub(crate) fn alone() -> Self {
        Self { reduction: Reduction::None, known: Arc::default(), clock: false }
    }
}

impl Explored {
    /// The program that the words name.
    pub(crate) fn new(
        program: &JavaScript,
        schedules: &ScheduleFlags,
        given: &Given,
    ) -> Result<Self, Failure> {
        // As in a simulation, neither the process nor the zone is the machine's.
        let surroundings =
            Surroundings { zone: "UTC".into(), ..Surroundings::of_process(program)? };
        let tree = Arc::new(SystemTree::default());
        let disk = Arc::new(Overlay::new(Arc::clone(&tree) as _));
        let mut options = options(program, surroundings, disk, Stop::default())?;
        options.exec_argv = flags(given);
        let (input, flags) = (Arc::default(), schedules.clone());
        Ok(Self { options, tree, input, flags, nurseries: Mutex::default() })
    }

    /// How much of its thread's stack the program may use.
    fn stack(&self) -> usize {
        self.options.stack_limit
    }

    /// Runs it once; `write` takes what it prints. In words comes what differs from the default order,
    /// if that is wanted.
    pub(crate) fn run(
        &self,
        plan: &Plan,
        watchers: &Watchers,
        explain: bool,
        write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
    ) -> Result<(Report, Vec<Deviation>), Failure> {
        let stop = Stop::default();
        let Watchers { reduction, known, clock } = watchers.clone();
        let steps = self.flags.max_steps;
        let watching = Watching { reduction, known, clock, effects: false, steps, explain };
        let ask = stop.clone();
        let watch = Watch::new(plan, watching, move || ask.ask(Reason::Ended));
        let files = Arc::new(Overlay::new(Arc::clone(&self.tree) as _));
        let input = Arc::clone(&self.input);
        let read = move || match input.get() {
            Some(bytes) => Ok(bytes.clone()),
            None => whole_input().map(|bytes| input.get_or_init(|| bytes).clone()),
        };
        let mut options = self.options.clone();
        options.stop = stop;
        options.member = Member::alone();
        options.disk = Arc::clone(&files) as _;
        let mut world =
            Open::new(self.flags.seed, files, self.flags.faults, write).input(Box::new(read));
        let mut world = watch.world(Secure::new(&mut world));
        let free = || self.nurseries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut nursery = free().pop().unwrap_or_default();
        let code = nursery.run(options, &mut world, &mut watch.chooser(), &mut watch.sink());
        free().push(nursery);
        let code =
            code.map_err(|error| Failure::new(error.to_string()).help("give it more memory"))?;
        // The system keeps the low byte of an exit code.
        let report = watch.report(code & 0xff, failure);
        Ok((report, watch.deviations()))
    }

    /// Runs a wave of jobs, so many at a time, and gives their reports in order.
    pub(crate) fn run_all(
        &self,
        jobs: &[Job],
        watchers: &Watchers,
        threads: usize,
    ) -> Result<Vec<Report>, Failure> {
        let silent = |_: Stream, _: &[u8]| Ok(());
        let run = |job: &Job| self.run(&job.plan, watchers, false, silent).map(|ran| ran.0);
        let threads = threads.min(jobs.len());
        if threads < 2 {
            return jobs.iter().map(run).collect();
        }
        let next = AtomicUsize::new(0);
        let reports: Vec<Mutex<Option<Result<Report, Failure>>>> =
            jobs.iter().map(|_| Mutex::default()).collect();
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(at) else { break };
                let report = run(job);
                *reports[at].lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let thread = std::thread::Builder::new().stack_size(self.stack() + SPARE);
                // Whoever cannot be started leaves its work to the others.
                let _ = thread.spawn_scoped(scope, work);
            }
        });
        let reports = reports.into_iter().zip(jobs).map(|(report, job)| {
            let report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
            report.unwrap_or_else(|| run(job))
        });
        reports.collect()
    }
}

/// How much of its stack a thread keeps for what the engine calls.
const SPARE: usize = 1024 * 1024;

/// What is wrong with the end of a program, in a line.
fn failure(outcome: &Outcome, thrown: Option<&str>) -> Option<String> {
    if outcome.code == 0 {
        return None;
    }
    let text = String::from_utf8_lossy(&outcome.err);
    let is_error = |line: &&str| {
        let name = line.split([':', ' ']).next().unwrap_or_default();
        name.ends_with("Error") || name.ends_with("Exception")
    };
    let line = text.lines().find(is_error).or_else(|| thrown?.lines().next());
    let line = line.or_else(|| text.lines().find(|line| !line.trim().is_empty()));
    Some(line.map_or_else(|| format!("exit code {}", outcome.code), str::to_owned))
}
