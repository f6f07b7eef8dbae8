//! Programs in JavaScript, run under one schedule after another.

use super::javascript::{Surroundings, options};
use crate::args::{Given, JavaScript, ScheduleFlags, TestPath};
use crate::input::reason;
use crate::report::Failure;
use hemiola_explore::races::{Outside, Probe};
use hemiola_explore::schedules::{
    Deviation, Job, Known, Outcome, Plan, Reduction, Report, Watch, Watching,
};
use hemiola_gate::{Disk, Kind, Member, Reason, Stop};
use hemiola_js::debug::Debug;
use hemiola_js::{
    Ending, Entry, Instrument, Instrumentation, Nursery, Options, TestCase, TestList, Tests,
};
use hemiola_live::{SystemTree, whole_input};
use hemiola_machine::{Event, Schedule, Sink, Stream};
use hemiola_world::Secure;
use hemiola_world::{Access, Effect, Frozen, Location, Open, Overlay};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The flags that say how schedules are searched, and not what becomes of a program under one of them.
pub(crate) const OF_SEARCH: &[&str] = &[
    "deviations",
    "max-schedules",
    "time",
    "jobs",
    "fail-fast",
    "reduction",
    "format",
    "resume",
    "spec",
    "starve-window",
    "max-states",
    "max-traces",
    "skip",
];

/// The flags that every command has in its own way.
const OF_COMMAND: [&str; 6] = ["eval", "print", "color", "schedule", "test-case", "deadlocks"];

/// A program, and everything that decides its runs but the schedule.
pub(crate) struct Explored {
    options: Options,
    /// All runs see the disk as the first of them does.
    tree: Arc<Frozen>,
    input: Arc<OnceLock<Vec<u8>>>,
    flags: ScheduleFlags,
    judge: Box<Judge>,
    /// Those that no run uses at the moment.
    nurseries: Mutex<Vec<Nursery>>,
}

/// Says in a line what is wrong with an outcome, given what was thrown and not caught, and whether the
/// run was cut.
pub(crate) type Judge = dyn Fn(&Outcome, Option<&str>, bool) -> Option<String> + Send + Sync;

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
        must_exist(program)?;
        // As in a simulation, neither the process nor the zone is the machine's.
        let surroundings =
            Surroundings { zone: "UTC".into(), ..Surroundings::of_process(program)? };
        let tree = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
        let disk = Arc::new(Overlay::over(&tree));
        let mut options = options(program, surroundings, disk, Stop::default())?;
        // The program is not to see whether it is explored or followed.
        options.promises = schedules.deadlocks;
        options.exec_argv = given.whole_words(&[OF_SEARCH, &OF_COMMAND].concat());
        if let Some(TestPath(path)) = &schedules.test_case {
            options.tests = Tests::Only(path.clone());
        }
        Ok(Self {
            options,
            tree,
            input: Arc::default(),
            flags: schedules.clone(),
            judge: Box::new(failure),
            nurseries: Mutex::default(),
        })
    }

    /// The tests that the program declares, which do not run.
    pub(crate) fn tests(&mut self) -> Result<Vec<TestCase>, Failure> {
        let list = TestList::default();
        let before = std::mem::replace(&mut self.options.tests, Tests::List(list.clone()));
        let plan = Plan::Follow(Schedule::default());
        let listed = self.run(&plan, &Watchers::alone(), false, |_, _| Ok(()));
        self.options.tests = before;
        listed?;
        Ok(list.take())
    }

    /// The same program, which fails when somebody says so.
    pub(crate) fn judged_by(self, judge: Box<Judge>) -> Self {
        Self { judge, ..self }
    }

    /// The same program, which tells of its accesses but for files that such a pattern means, and what
    /// and where they are, if that is wanted.
    pub(crate) fn instrumented(self, skip: &[String], describe: bool) -> Self {
        let instrumentation = Instrumentation::new(skip.to_vec(), describe);
        let instrument = Instrument::Accesses(Arc::new(instrumentation));
        Self { options: Options { instrument, ..self.options }, ..self }
    }

    /// Lets the program find nothing on its standard input, which is somebody else's.
    pub(crate) fn without_input(self) -> Self {
        // It has not been read.
        let _ = self.input.set(Vec::new());
        self
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

    /// Runs it once, in an engine that has run it before if there is one; `write` takes what it prints.
    /// In words comes what differs from the default order, if that is wanted.
    pub(crate) fn run(
        &self,
        plan: &Plan,
        watchers: &Watchers,
        explain: bool,
        write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
    ) -> Result<(Report, Vec<Deviation>), Failure> {
        self.run_heard(plan, watchers, explain, write, Ears::default())
    }

    /// The same while somebody hears everything.
    pub(crate) fn run_heard(
        &self,
        plan: &Plan,
        watchers: &Watchers,
        explain: bool,
        write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
        ears: Ears,
    ) -> Result<(Report, Vec<Deviation>), Failure> {
        let Ears { probe, modules, debug, trace } = ears;
        let stop = Stop::default();
        let Watchers { reduction, known, clock } = watchers.clone();
        let steps = self.flags.max_steps;
        let watching = Watching { reduction, known, clock, effects: true, steps, explain };
        let ask = stop.clone();
        let watch = Watch::new(plan, watching, move || ask.ask(Reason::Ended));
        let files = Arc::new(Overlay::over(&self.tree));
        let input = Arc::clone(&self.input);
        let read = move || match input.get() {
            Some(bytes) => Ok(bytes.clone()),
            None => whole_input().map(|bytes| input.get_or_init(|| bytes).clone()),
        };
        let mut options = self.options.clone();
        options.stop = stop;
        options.member = Member::alone();
        options.disk = match modules {
            Some(modules) => Arc::new(Noted { disk: Arc::clone(&files) as _, modules }),
            None => Arc::clone(&files) as _,
        };
        let (debug, listener) =
            debug.map_or((None, trace), |(debug, ear)| (Some(debug), Some(ear)));
        let is_debugged = debug.is_some();
        options.promises |= is_debugged;
        options.sites |= is_debugged;
        options.debug = debug;
        let touched = watch.touched();
        let hears = probe.clone();
        let tell = move |effect: Effect| {
            let touches = effect.touches.iter();
            let names = touches.map(|(place, access)| (place.to_string(), access_of(*access)));
            touched(effect.operation, &names.collect::<Vec<_>>(), effect.fault.clone());
            if let Some(probe) = &hears {
                heard(&mut probe.borrow_mut(), effect);
            }
        };
        let world = Open::new(self.flags.seed, files, self.flags.faults, write);
        let mut world = world.input(Box::new(read)).member(options.member.clone()).effects(tell);
        let mut world = watch.world(Secure::new(&mut world));
        let free = || self.nurseries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sink = Hearing { watch: watch.sink(), probe, awaited: BTreeSet::new(), listener };
        let chooser = &mut watch.chooser();
        let code = if is_debugged {
            // There is one run, and its process ends with it.
            hemiola_js::run(options, Ending::WithProcess, &mut world, chooser, &mut sink)
        } else {
            let mut nursery = free().pop().unwrap_or_default();
            let code = nursery.run(options, &mut world, chooser, &mut sink);
            free().push(nursery);
            code
        };
        let code =
            code.map_err(|error| Failure::new(error.to_string()).help("give it more memory"))?;
        // The system keeps the low byte of an exit code.
        let awaited = if self.flags.deadlocks { sink.awaited.len() } else { 0 };
        let report = watch.report(code & 0xff, |outcome, thrown, cut| {
            (self.judge)(outcome, thrown, cut).or_else(|| deadlock(awaited, cut))
        });
        Ok((report, watch.deviations()))
    }

    /// Lets somebody have runs made, so many at a time, each of them by `run`.
    pub(crate) fn with_pool<T: Send, R>(
        &self,
        threads: usize,
        run: &Run<'_, T>,
        body: impl FnOnce(&mut Pool<'_, T>) -> R,
    ) -> R {
        let (orders, taken) = channel::<Order>();
        let (done, results) = channel();
        let taken = Mutex::new(taken);
        std::thread::scope(|scope| {
            let mut pool = Pool {
                run,
                // Gone when the work is over, so that the threads end.
                orders: Some(orders),
                results,
                threads: 0,
            };
            for _ in 0..if threads > 1 { threads } else { 0 } {
                let (done, taken) = (done.clone(), &taken);
                let thread = std::thread::Builder::new().stack_size(self.stack() + SPARE);
                // Whoever cannot be started leaves the work to the others.
                let started = thread.spawn_scoped(scope, move || work(run, taken, &done));
                pool.threads += usize::from(started.is_ok());
            }
            body(&mut pool)
        })
    }

    /// Makes a run of which only the report is wanted.
    pub(crate) fn report(&self, plan: &Plan, watchers: &Watchers) -> Result<Report, Failure> {
        self.run(plan, watchers, false, |_, _| Ok(())).map(|ran| ran.0)
    }
}

/// Makes a run, and gives what is wanted of it.
pub(crate) type Run<'a, T> = dyn Fn(&Plan, &Watchers) -> Result<T, Failure> + Sync + 'a;

/// What became of a run: what is wanted of it, or what went wrong with us.
type Made<T> = std::thread::Result<Result<T, Failure>>;

/// Makes runs that were ordered, until there are no more orders.
fn work<T>(run: &Run<'_, T>, taken: &Mutex<Receiver<Order>>, done: &Sender<(usize, Made<T>)>) {
    loop {
        let order = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Order { at, plan, watchers }) = order else { break };
        // A bug of ours is one of whoever ordered the run.
        let made = catch_unwind(AssertUnwindSafe(|| run(&plan, &watchers)));
        let is_broken = made.is_err();
        if done.send((at, made)).is_err() || is_broken {
            break;
        }
    }
}

/// Takes events.
pub(crate) type Listener = Box<dyn FnMut(Event)>;

/// Who hears a run, beside those who follow its plan.
#[derive(Default)]
pub(crate) struct Ears {
    /// Who looks for races.
    pub(crate) probe: Option<Rc<RefCell<Probe>>>,
    /// The texts that are loaded, by their paths.
    pub(crate) modules: Option<Modules>,
    /// Who debugs it.
    pub(crate) debug: Option<(Debug, Listener)>,
    /// Who writes down what happens, if nobody debugs it.
    pub(crate) trace: Option<Listener>,
}

/// Texts by their paths.
pub(crate) type Modules = Arc<Mutex<BTreeMap<String, String>>>;

/// A disk, and what modules were read from it.
struct Noted {
    disk: Arc<dyn Disk>,
    modules: Modules,
}

impl Disk for Noted {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = self.disk.read(path)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        modules.insert(path.display().to_string(), text);
        Ok(bytes)
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.disk.kind(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk.canonicalize(path)
    }
}

/// What follows the plan hears everything first, then the probe.
struct Hearing<S> {
    watch: S,
    probe: Option<Rc<RefCell<Probe>>>,
    /// Promises that somebody waits for; told only where deadlocks are looked for.
    awaited: BTreeSet<u64>,
    listener: Option<Listener>,
}

impl<S: Sink> Sink for Hearing<S> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Attached { promise: Some(promise), .. } => {
                self.awaited.insert(promise);
            }
            Event::Settled { promise } => {
                self.awaited.remove(&promise);
            }
            _ => {}
        }
        if let Some(probe) = &self.probe {
            probe.borrow_mut().event(event.clone());
        }
        if let Some(listener) = &mut self.listener {
            listener(event.clone());
        }
        self.watch.event(event);
    }
}

/// What is wrong with a run after which promises are waited for that nobody can settle any more.
fn deadlock(awaited: usize, cut: bool) -> Option<String> {
    (awaited > 0 && !cut).then(|| {
        let promises = if awaited == 1 { "a promise is" } else { "promises are" };
        format!("deadlock: {promises} awaited that nothing settles")
    })
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
            Location::Descriptor(number) => Outside::Descriptor(number),
            Location::Stores | Location::Input | Location::Changes => return None,
        };
        Some((outside, access_of(access)))
    });
    probe.effect(effect.operation, touches.collect());
}

/// A run that somebody is to make.
struct Order {
    at: usize,
    plan: Plan,
    watchers: Watchers,
}

/// Makes runs of one program, on threads of their own if there are any.
pub(crate) struct Pool<'a, T> {
    run: &'a Run<'a, T>,
    orders: Option<Sender<Order>>,
    results: Receiver<(usize, Made<T>)>,
    threads: usize,
}

impl<T> Pool<'_, T> {
    /// Makes the runs of some jobs and gives what is wanted of them, in order.
    pub(crate) fn run_all(&mut self, jobs: &[Job], watchers: &Watchers) -> Result<Vec<T>, Failure> {
        let Some(orders) = self.orders.as_ref().filter(|_| self.threads > 0 && jobs.len() > 1)
        else {
            return jobs.iter().map(|job| (self.run)(&job.plan, watchers)).collect();
        };
        for (at, job) in jobs.iter().enumerate() {
            let order = Order { at, plan: job.plan.clone(), watchers: watchers.clone() };
            orders.send(order).expect("the orders are read as long as there is a pool");
        }
        let mut all: Vec<Option<T>> = jobs.iter().map(|_| None).collect();
        for _ in jobs {
            let (at, made) = self.results.recv().expect("every order has a result");
            all[at] = Some(made.unwrap_or_else(|bug| resume_unwind(bug))?);
        }
        Ok(all.into_iter().flatten().collect())
    }
}

impl<T> Drop for Pool<'_, T> {
    fn drop(&mut self) {
        self.orders = None;
    }
}

/// Refuses a file that is not there, before every schedule says so.
pub(crate) fn must_exist(program: &JavaScript) -> Result<(), Failure> {
    let (None, None, Some(file)) = (&program.eval, &program.print, program.words.first()) else {
        return Ok(());
    };
    let path = Path::new(file);
    let ends = ["", "js", "mjs", "cjs", "json", "ts"];
    let is_there = |end: &&str| path.with_added_extension(end).exists();
    if file == "-" || file.as_encoded_bytes().starts_with(b"-") || ends.iter().any(is_there) {
        return Ok(());
    }
    let why = path.metadata().err().map_or_else(String::new, |error| reason(&error));
    Err(Failure::new(format!("cannot read `{}`: {why}", path.display()))
        .help("give the path of a program, or `-` to read it from standard input"))
}

/// How much of its stack a thread keeps for what the engine calls.
const SPARE: usize = 1024 * 1024;

fn access_of(access: hemiola_world::Access) -> Access {
    match access {
        hemiola_world::Access::Read => Access::Read,
        hemiola_world::Access::Write => Access::Write,
    }
}

/// What is wrong with the end of a program, in a line.
pub(crate) fn failure(outcome: &Outcome, thrown: Option<&str>, cut: bool) -> Option<String> {
    if outcome.code == 0 || cut {
        return None;
    }
    let text = String::from_utf8_lossy(&outcome.err);
    let is_error = |line: &&str| {
        let name = line.split([':', ' ']).next().unwrap_or_default();
        name.ends_with("Error") || name.ends_with("Exception")
    };
    let line = text.lines().find(is_error).or_else(|| thrown?.lines().next());
    let line = line.or_else(|| text.lines().find(|line| !line.trim().is_empty()));
    Some(line.map_or_else(|| format!("exit status {}", outcome.code), str::to_owned))
}
