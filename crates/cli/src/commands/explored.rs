//! Programs in JavaScript, run under one schedule after another.

use super::facts::Facts;
use super::options::{Surroundings, options, tell_without};
use super::overdue::Running;
use super::standard_input::StandardInput;
use crate::args::{Given, JavaScript, SLOW, ScheduleFlags, TestPath};
use crate::input::reason;
use crate::render::misfit::misfit;
use crate::report::Failure;
use hemiola_explore::races::{Outside, Probe};
use hemiola_explore::schedules::{
    Awaited, Deviation, Misfit, Outcome, Plan, Pool, Reduction, Report, Run, TimeLimit, Watch,
    Watchers, Watching, failure, with_pool,
};
use hemiola_gate::{Disk, FilePath, Kind, Member, Reason, Stop};
use hemiola_js::debug::Debug;
use hemiola_js::{
    Ending, Entry, Instrument, Instrumentation, Likeness, Nursery, Options, Suite, TestCase,
    TestList, Tests, TimerMeaning, Unseen,
};
use hemiola_live::{SystemTree, stack_room};
use hemiola_machine::{
    Chooser, Delay, Event, Keep, Kept, Language, Missed, Place, Schedule, Sink, Stream, World,
};
use hemiola_world::{Effect, Frozen, Location, Open, Overlay, Secure};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The flags that say how schedules are searched, and not what becomes of a program under one of them.
pub(super) const OF_SEARCH: &[&str] = &[
    "deviations",
    "max-schedules",
    "time",
    "jobs",
    "slow",
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

/// The flags of a page that shows a run.
pub(super) const OF_PAGE: [&str; 4] = ["out", "port", "no-open", "races"];

/// The flags that every command has in its own way.
const OF_COMMAND: [&str; 6] = ["eval", "print", "color", "schedule", "test-case", "deadlocks"];

/// How much of its stack a thread keeps for what the engine calls.
const SPARE: usize = 1024 * 1024;

/// How much stack a thread needs that makes runs itself.
pub(super) fn stack_of_runs() -> usize {
    stack_room() + SPARE
}

/// A program, and everything that decides its runs but the schedule.
pub(super) struct Explored {
    options: Options,
    /// All runs see the disk as the first of them does.
    tree: Arc<Frozen>,
    input: StandardInput,
    flags: ScheduleFlags,
    judge: Box<Judge>,
    /// Who judges instead, if it is a test file as one of many.
    suite: Option<Arc<SuiteJudge>>,
    /// How long an answer takes at most that is not slow.
    slow: Delay,
    /// Those that no run uses at the moment; programs that are run alike share them.
    nurseries: Arc<Mutex<Vec<Nursery>>>,
    sharing: Sharing,
    /// What its runs have in common, which differ by their schedules.
    likeness: Likeness,
}

/// How much of a run is not made again where another has come to the same. A test says otherwise than is done for
/// everybody, by a variable: what is found is the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    /// What pays.
    Plain,
    /// All that can be.
    All,
    /// Nothing.
    Nothing,
}

impl Sharing {
    fn wanted() -> Self {
        match std::env::var_os("HEMIOLA_TEST_SHARING") {
            Some(wanted) if wanted == "all" => Self::All,
            Some(wanted) if wanted == "nothing" => Self::Nothing,
            _ => Self::Plain,
        }
    }

    fn likeness(self) -> Likeness {
        match self {
            Self::All => Likeness::keeping_all(),
            Self::Plain | Self::Nothing => Likeness::default(),
        }
    }
}

/// Says in a line what is wrong with an outcome, given what was thrown and not caught, and whether the
/// run was cut.
pub(super) type Judge = dyn Fn(&Outcome, Option<&str>, bool) -> Option<String> + Send + Sync;

/// The same, given what the run told of its tests, and whether it was cut.
pub(super) type SuiteJudge = dyn Fn(&[String], &Outcome, bool) -> Option<String> + Send + Sync;

impl Explored {
    /// The program that the words name.
    pub(super) fn new(
        program: &JavaScript,
        schedules: &ScheduleFlags,
        given: &Given,
    ) -> Result<Self, Failure> {
        let mut explored = Self::plain(program, schedules)?;
        tell_without(&mut explored.options, given, &[OF_SEARCH, &OF_PAGE, &OF_COMMAND].concat());
        if let Some(TestPath(path)) = &schedules.test_case {
            explored.options.tests = Tests::Only(path.clone());
        }
        Ok(explored)
    }

    /// The same with no flags that it is told of.
    pub(super) fn plain(program: &JavaScript, schedules: &ScheduleFlags) -> Result<Self, Failure> {
        must_exist(program)?;
        let surroundings = Surroundings::of_simulation(program)?;
        let tree = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
        let disk = Arc::new(Overlay::over(&tree));
        let mut options = options(program, surroundings, disk, Stop::default())?;
        // The program is not to see whether it is explored or followed.
        options.promises = schedules.deadlocks;
        options.scattered = schedules.potential;
        Ok(Self {
            options,
            tree,
            input: StandardInput::default(),
            flags: schedules.clone(),
            judge: Box::new(failure),
            suite: None,
            slow: SLOW,
            nurseries: Arc::default(),
            sharing: Sharing::wanted(),
            likeness: Sharing::wanted().likeness(),
        })
    }

    /// The same file as one of many test files, with these settings. It fails when somebody says so.
    pub(super) fn as_suite(&self, settings: &str, judge: &Arc<SuiteJudge>) -> Self {
        let nobody = Suite { settings: settings.into(), tell: Arc::new(|_| {}) };
        Self {
            options: Options { tests: Tests::Suite(nobody), ..self.options.clone() },
            tree: Arc::clone(&self.tree),
            input: self.input.clone(),
            flags: self.flags.clone(),
            judge: Box::new(failure),
            suite: Some(Arc::clone(judge)),
            slow: self.slow,
            nurseries: Arc::clone(&self.nurseries),
            sharing: self.sharing,
            likeness: self.sharing.likeness(),
        }
    }

    /// The tests that the program declares, which do not run; those of which it told before the time was up.
    pub(super) fn tests(&mut self, limit: TimeLimit) -> Result<Vec<TestCase>, Failure> {
        let list = TestList::default();
        let before = std::mem::replace(&mut self.options.tests, Tests::List(list.clone()));
        let plan = Plan::Follow(Schedule::default());
        let listed = self.run(&plan, &Watchers::alone().within(limit), false, |_, _| Ok(()));
        self.options.tests = before;
        listed?;
        Ok(list.take())
    }

    /// The same program, which fails when somebody says so.
    pub(super) fn judged_by(self, judge: Box<Judge>) -> Self {
        Self { judge, ..self }
    }

    /// The same program, whose answers are slow when they take longer than that.
    pub(super) fn slow_after(self, slow: Delay) -> Self {
        Self { slow, ..self }
    }

    /// The same program, which tells more.
    pub(super) fn telling(mut self, facts: Facts) -> Self {
        facts.ask(&mut self.options);
        // Engines know the texts as they were.
        self.nurseries = Arc::default();
        self.likeness = self.sharing.likeness();
        self
    }

    /// The same program, which tells of its accesses but for files that such a pattern means, and what
    /// and where they are, if that is wanted.
    pub(super) fn instrumented(self, skip: &[String], describe: bool) -> Self {
        let instrumentation = Instrumentation::new(skip.to_vec(), describe);
        let instrument = Instrument::Accesses(Arc::new(instrumentation));
        // Engines know the texts as they were.
        Self { options: Options { instrument, ..self.options }, ..self }.in_new_engines()
    }

    /// The same program, in engines that others do not use, and that go with it.
    pub(super) fn in_new_engines(self) -> Self {
        Self { nurseries: Arc::default(), likeness: self.sharing.likeness(), ..self }
    }

    /// Where the program does what it does not tell of, and why it does not.
    pub(super) fn unseen(&self) -> Vec<(Place, Unseen)> {
        match &self.options.instrument {
            Instrument::Off | Instrument::Coverage(_) => Vec::new(),
            Instrument::Accesses(instrumentation) => instrumentation.unseen(),
        }
    }

    /// Lets the program find nothing on its standard input, which is somebody else's.
    pub(super) fn without_input(self) -> Self {
        Self { input: StandardInput::empty(), likeness: self.sharing.likeness(), ..self }
    }

    /// The current directory.
    pub(super) fn directory(&self) -> &str {
        &self.options.cwd
    }

    /// What is explored, in a text: the program, its arguments and all flags that change its runs.
    pub(super) fn subject(&self) -> String {
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
            Entry::Text { source, .. } | Entry::Printed { source, .. } => source.clone(),
        };
        let flags = &self.flags;
        format!("{:?} {exec_argv:?} {cwd:?} {strategy} {flags:?} {text}", &argv[1..])
    }

    /// Runs it once, in an engine that has run it before if there is one; `write` takes what it prints.
    /// In words comes what differs from the default order, if that is wanted.
    pub(super) fn run(
        &self,
        plan: &Plan,
        watchers: &Watchers,
        explain: bool,
        write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
    ) -> Result<(Report, Vec<Deviation>), Failure> {
        self.run_heard(plan, watchers, explain, write, Ears::default())
    }

    /// The same while somebody hears everything.
    pub(super) fn run_heard(
        &self,
        plan: &Plan,
        watchers: &Watchers,
        explain: bool,
        write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
        ears: Ears,
    ) -> Result<(Report, Vec<Deviation>), Failure> {
        let Ears { probe, modules, debug, trace, heard } = ears;
        let (debug, listener) =
            debug.map_or((None, trace), |(debug, ear)| (Some(debug), Some(ear)));
        let stop = Stop::default();
        let watch = self.watch(plan, watchers, explain, &stop);
        let files = Arc::new(Overlay::over(&self.tree));
        let mut options = self.prepared(stop, &files, modules, debug);
        let heard = heard.unwrap_or_default();
        if let Tests::Suite(suite) = &mut options.tests {
            suite.tell = heard.teller();
        }
        let open = Open::new(self.flags.seed, files, self.flags.faults, write)
            .input(self.input.source())
            .member(options.member.clone());
        let mut open = open.effects(tell(&watch, probe.clone()));
        let mut world = watch.world(Secure::new(&mut open));
        let mut sink =
            Hearing { watch: watch.sink(), probe, awaited: Awaited::default(), listener };
        let running = Running::begin();
        let code = self.make(options, &mut world, &mut watch.chooser(), &mut sink)?;
        drop(running);
        drop(world);
        heard.missed(open.missed());
        let slow = open.latest_answer() > slowest(self.slow);
        let awaited = if self.flags.deadlocks { sink.awaited } else { Awaited::default() };
        // The system keeps the low byte of an exit code.
        let mut report = watch.report(code & 0xff, |outcome, thrown, cut| {
            let failure = match &self.suite {
                Some(judge) => heard.with(|events| judge(events, outcome, cut)),
                None => (self.judge)(outcome, thrown, cut),
            };
            failure.or_else(|| awaited.deadlock(cut))
        });
        report.slow = slow;
        // What nobody is told of may be shared.
        report.coarse |= watchers.reduction == Reduction::Accesses && !self.unseen().is_empty();
        Ok((report, watch.deviations()))
    }

    /// Who follows the plan, and stops the program where the run need not go on.
    fn watch(&self, plan: &Plan, watchers: &Watchers, explain: bool, stop: &Stop) -> Watch {
        let Watchers { reduction, known, clock, limit } = watchers.clone();
        let steps = self.flags.max_steps;
        let drifting = self.options.timers == TimerMeaning::Node;
        let watching =
            Watching { reduction, known, clock, effects: true, steps, explain, drifting, limit };
        let stop = stop.clone();
        Watch::new(plan, watching, move || stop.ask(Reason::Ended))
    }

    /// How the program is started for one run.
    fn prepared(
        &self,
        stop: Stop,
        files: &Arc<Overlay>,
        modules: Option<Modules>,
        debug: Option<Debug>,
    ) -> Options {
        let mut options = self.options.clone();
        options.stop = stop;
        options.member = Member::alone();
        options.disk = match modules {
            Some(modules) => Arc::new(Noted { disk: Arc::clone(files) as _, modules }),
            None => Arc::clone(files) as _,
        };
        options.promises |= debug.is_some();
        options.sites |= debug.is_some();
        options.debug = debug;
        options
    }

    /// Runs the program to its end, in an engine that has run it before if there is one.
    fn make(
        &self,
        options: Options,
        world: &mut (impl World<hemiola_js::JavaScript> + Keep),
        chooser: &mut impl Chooser,
        sink: &mut (impl Sink + Keep),
    ) -> Result<i32, Failure> {
        let code = if options.debug.is_some() {
            // There is one run, and its process ends with it.
            hemiola_js::run(options, Ending::WithProcess, world, chooser, sink)
        } else {
            let free = || self.nurseries.lock().unwrap_or_else(PoisonError::into_inner);
            let mut nursery = free().pop().unwrap_or_default();
            let code = match self.sharing {
                Sharing::Nothing => nursery.run(options, world, chooser, sink),
                _ => nursery.run_alike(&self.likeness, options, world, chooser, sink),
            };
            free().push(nursery);
            code
        };
        code.map_err(|error| Failure::new(error.to_string()).help("give it more memory"))
    }

    /// Lets somebody have runs made, so many at a time, each of them by `run`.
    pub(super) fn with_pool<T: Send, R>(
        &self,
        threads: usize,
        run: &Run<'_, T, Failure>,
        body: impl FnOnce(&mut Pool<'_, T, Failure>) -> R,
    ) -> R {
        with_pool(threads, self.options.stack_limit + SPARE, run, body)
    }

    /// Makes a run in which somebody looks for races, also for those that only the order of registrations prevents
    /// if they are wanted.
    pub(super) fn probed(
        &self,
        plan: &Plan,
        watchers: &Watchers,
        potential: bool,
    ) -> Result<(Report, Probe), Failure> {
        let probe = if potential { Probe::potential() } else { Probe::default() };
        let probe = Rc::new(RefCell::new(probe));
        let silent = |_: Stream, _: &[u8]| Ok(());
        let ears = Ears { probe: Some(Rc::clone(&probe)), ..Ears::default() };
        let (report, _) = self.run_heard(plan, watchers, false, silent, ears)?;
        Ok((report, probe.take()))
    }

    /// Makes a run of which only the report is wanted.
    pub(super) fn report(&self, plan: &Plan, watchers: &Watchers) -> Result<Report, Failure> {
        self.run(plan, watchers, false, |_, _| Ok(())).map(|ran| ran.0)
    }
}

/// How long an answer takes at most that is not slow: a timer is due at a whole millisecond, and so up to one later than
/// its delay says.
fn slowest(slow: Delay) -> Delay {
    Delay::from_micros(slow.as_micros().saturating_add(1_000))
}

/// Takes events.
pub(super) type Listener = Box<dyn FnMut(Event)>;

/// Who hears a run, beside those who follow its plan.
#[derive(Default)]
pub(super) struct Ears {
    /// Who looks for races.
    pub(super) probe: Option<Rc<RefCell<Probe>>>,
    /// The texts that are loaded, by their paths.
    pub(super) modules: Option<Modules>,
    /// Who debugs it.
    pub(super) debug: Option<(Debug, Listener)>,
    /// Who writes down what happens, if nobody debugs it.
    pub(super) trace: Option<Listener>,
    /// Who hears what becomes of tests.
    pub(super) heard: Option<Heard>,
}

/// What a run of a test file told.
#[derive(Clone, Default)]
pub(super) struct Heard(Arc<Mutex<Told>>);

#[derive(Default)]
struct Told {
    events: Vec<String>,
    missed: Vec<String>,
}

impl Heard {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn teller(&self) -> Arc<dyn Fn(&str) + Send + Sync> {
        let heard = self.clone();
        Arc::new(move |event| heard.told().events.push(event.to_owned()))
    }

    fn missed(&self, words: &[String]) {
        self.told().missed = words.to_vec();
    }

    fn with<T>(&self, read: impl FnOnce(&[String]) -> T) -> T {
        read(&self.told().events)
    }

    /// What became of its tests, an object in JSON each, and what it reached for that is not in its world.
    pub(super) fn take(&self) -> (Vec<String>, Vec<String>) {
        let Told { events, missed } = std::mem::take(&mut *self.told());
        (events, missed)
    }
}

/// Texts by their paths.
pub(super) type Modules = Arc<Mutex<BTreeMap<String, String>>>;

/// A disk, and what modules were read from it.
struct Noted {
    disk: Arc<dyn Disk>,
    modules: Modules,
}

impl Disk for Noted {
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        let bytes = self.disk.read(file)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        modules.insert(file.as_path().display().to_string(), text);
        Ok(bytes)
    }

    fn kind(&self, file: &FilePath) -> io::Result<Kind> {
        self.disk.kind(file)
    }

    fn link(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk.link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk.canonicalize(path)
    }
}

/// What follows the plan hears everything first, then the probe.
struct Hearing<S> {
    watch: S,
    probe: Option<Rc<RefCell<Probe>>>,
    /// Told only where deadlocks are looked for.
    awaited: Awaited,
    listener: Option<Listener>,
}

impl<S: Sink> Sink for Hearing<S> {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        self.awaited.hear(&event);
        if let Some(probe) = &self.probe {
            probe.borrow_mut().event(event.clone());
        }
        if let Some(listener) = &mut self.listener {
            listener(event.clone());
        }
        self.watch.event(event);
    }
}

/// What follows the plan keeps what it knows with the world. Who else hears a run is to hear all of it.
impl<S> Keep for Hearing<S> {
    fn keep(&self) -> Option<Kept> {
        (self.probe.is_none() && self.listener.is_none()).then(|| Kept::new(self.awaited.clone()))
    }

    fn fits(&self, kept: &Kept) -> bool {
        self.probe.is_none() && self.listener.is_none() && kept.get::<Awaited>().is_some()
    }

    fn go_on(&mut self, kept: &Kept) {
        self.awaited.clone_from(kept.of());
    }
}

/// Takes what operations do outside to whoever follows the plan, and to a probe if there is one.
fn tell(watch: &Watch, probe: Option<Rc<RefCell<Probe>>>) -> impl FnMut(Effect) + 'static {
    let touched = watch.touched();
    move |effect: Effect| {
        let touches = effect.touches.iter();
        let names = touches.map(|(place, access)| (place.to_string(), *access));
        touched(effect.operation, &names.collect::<Vec<_>>(), effect.fault.clone());
        if let Some(probe) = &probe {
            heard(&mut probe.borrow_mut(), effect);
        }
    }
}

/// Tells a probe what an operation did outside.
fn heard(probe: &mut Probe, effect: Effect) {
    let touches = effect.touches.into_iter().filter_map(|(location, access)| {
        let outside = match location {
            Location::File(path) => Outside::File(path.display().to_string()),
            Location::Entries(path) => Outside::Entries(path.display().to_string()),
            Location::Listener(at) => Outside::Port(at),
            Location::Receiver(port) => Outside::Port(format!("udp port {port}")),
            Location::Pipe(_) | Location::Waiting(_) | Location::Socket(_) => {
                Outside::Channel(location.to_string())
            }
            Location::Descriptor(number) => Outside::Descriptor(number),
            // Whoever asks for any free port gets one of his own.
            Location::FreePorts => return None,
            // Of each port it is told who is there.
            Location::Receivers => return None,
            Location::Stores | Location::Input | Location::Changes => return None,
        };
        Some((outside, access))
    });
    // What an operation does later has the place where it was asked for.
    let place = match effect.operation {
        Some(_) => None,
        None => <hemiola_js::JavaScript as Language>::place(),
    };
    probe.effect(effect.operation, touches.collect(), effect.trips, place);
}

/// Says that a schedule asks a program for what it does not offer.
pub(super) fn does_not_fit(schedule: &Schedule, found: Misfit, choices: usize) -> Failure {
    let Misfit { choice, wanted, count } = found;
    let missed = Missed { choice, wanted, count: count as usize };
    misfit(schedule, "this program", missed, choices)
        .help("use the program and the flags that the schedule was found with")
}

/// Refuses a file that is not there, before every schedule says so.
pub(super) fn must_exist(program: &JavaScript) -> Result<(), Failure> {
    let (None, Some(file)) = (program.code(), program.words.first()) else {
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
