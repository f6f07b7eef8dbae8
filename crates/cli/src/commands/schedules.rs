//! Programs in JavaScript, run under one schedule after another.

use super::javascript::{Surroundings, options};
use crate::args::{Given, JavaScript, ScheduleFlags};
use crate::report::Failure;
use hemiola_explore::races::{Outside, Probe};
use hemiola_explore::schedules::{
    Deviation, Job, Known, Outcome, Plan, Reduction, Report, Watch, Watching,
};
use hemiola_js::{
    Ending, Entry, Instrument, Instrumentation, Member, Options, Reason, Secure, Stop,
};
use hemiola_live::{SystemTree, whole_input};
use hemiola_machine::{Event, Sink, Stream};
use hemiola_trace::Access;
use hemiola_world::{Effect, Location, Open, Overlay};
use std::cell::RefCell;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The flags that say how schedules are searched, and not what becomes of a program under one of them.
pub(crate) const OF_SEARCH: [&str; 8] =
    ["deviations", "max-schedules", "time", "jobs", "fail-fast", "reduction", "format", "resume"];

/// The flags that every command has in its own way.
const OF_COMMAND: [&str; 4] = ["eval", "print", "color", "schedule"];

/// A program, and everything that decides its runs but the schedule.
pub(crate) struct Explored {
    options: Options,
    tree: Arc<SystemTree>,
    input: Arc<OnceLock<Vec<u8>>>,
    flags: ScheduleFlags,
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
        // The program is not to see whether it is explored or followed.
        options.exec_argv = given.whole_words(&[&OF_SEARCH[..], &OF_COMMAND].concat());
        Ok(Self { options, tree, input: Arc::default(), flags: schedules.clone() })
    }

    /// The same program, which tells of its accesses but for files that such a pattern means.
    pub(crate) fn instrumented(self, skip: &[String]) -> Self {
        let instrumentation = Instrumentation::new(skip.to_vec(), true);
        let instrument = Instrument::Accesses(Arc::new(instrumentation));
        Self { options: Options { instrument, ..self.options }, ..self }
    }

    /// The current directory.
    pub(crate) fn directory(&self) -> &str {
        &self.options.cwd
    }

    /// What is explored, in a text: the program, its arguments and all flags that change its runs.
    pub(crate) fn subject(&self) -> String {
        let Options { argv, exec_argv, cwd, entry, strategy, .. } = &self.options;
        let text = match entry {
            Entry::File(file) => {
                // A file that cannot be read here is one that the program finds in another way.
                let bytes = std::fs::File::open(Path::new(cwd).join(file)).and_then(|mut file| {
                    let mut bytes = Vec::new();
                    file.read_to_end(&mut bytes).map(|_| bytes)
                });
                String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
            }
            Entry::Text { source, .. } => source.clone(),
        };
        let flags = &self.flags;
        format!("{:?} {exec_argv:?} {cwd:?} {strategy} {flags:?} {text}", &argv[1..])
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
        self.run_heard(plan, watchers, explain, write, None)
    }

    /// The same while a probe hears everything.
    pub(crate) fn run_heard(
        &self,
        plan: &Plan,
        watchers: &Watchers,
        explain: bool,
        write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
        probe: Option<Rc<RefCell<Probe>>>,
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
        if let Some(probe) = &probe {
            let probe = Rc::clone(probe);
            world = world.effects(move |effect| heard(&mut probe.borrow_mut(), effect));
        }
        let mut world = watch.world(Secure::new(&mut world));
        let code = hemiola_js::run(
            options,
            Ending::Freed,
            &mut world,
            &mut watch.chooser(),
            &mut Hearing { watch: watch.sink(), probe },
        )
        .map_err(|error| Failure::new(error.to_string()).help("give it more memory"))?;
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
        self.side_by_side(jobs, threads, run)
    }

    /// Does something with each job, with so many at a time, and gives the results in order.
    pub(crate) fn side_by_side<T: Send>(
        &self,
        jobs: &[Job],
        threads: usize,
        run: impl Fn(&Job) -> Result<T, Failure> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let threads = threads.min(jobs.len());
        if threads < 2 {
            return jobs.iter().map(&run).collect();
        }
        let next = AtomicUsize::new(0);
        let reports: Vec<Mutex<Option<Result<T, Failure>>>> =
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

/// What follows the plan hears everything first, then the probe.
struct Hearing<S> {
    watch: S,
    probe: Option<Rc<RefCell<Probe>>>,
}

impl<S: Sink> Sink for Hearing<S> {
    fn event(&mut self, event: Event) {
        if let Some(probe) = &self.probe {
            probe.borrow_mut().event(event.clone());
        }
        self.watch.event(event);
    }
}

/// Tells a probe what an operation did outside.
fn heard(probe: &mut Probe, effect: Effect) {
    let touches = effect.touches.into_iter().filter_map(|(location, access)| {
        let outside = match location {
            Location::File(path) => Outside::File(path.display().to_string()),
            Location::Entries(path) => Outside::Entries(path.display().to_string()),
            Location::Pipe(_) | Location::Listener(_) | Location::Socket(_) => {
                Outside::Channel(location.to_string())
            }
            Location::Descriptor(_) | Location::Input | Location::Changes => return None,
        };
        let access = match access {
            hemiola_world::Access::Read => Access::Read,
            hemiola_world::Access::Write => Access::Write,
        };
        Some((outside, access))
    });
    probe.effect(effect.operation, touches.collect());
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
