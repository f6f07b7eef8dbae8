//! `hemiola explore --crashes`: a program with a scheduler crashes wherever it can, and starts again.
//!
//! Each crash is a run of its own in a simulated world: the program runs up to the point, from which on
//! nothing it does has an effect; then it starts again with the store and the files that are left. What its
//! scheduler did in both processes is one trace, held to the theory.

use super::check::quoted;
use super::explore::{Clock, FAILED, must_exist};
use super::javascript::{Surroundings, options, world, written};
use super::schedules::OF_SEARCH;
use super::verify::{blame, violation_line};
use super::{Done, STOPPED};
use crate::args::{CrashPoint, Crashes, ExploreArgs, Format, Given, Loss};
use crate::render::count;
use crate::report::Failure;
use hemiola_explore::schedules::Stage;
use hemiola_gate::{Answer, Fault, Member, Reason, Request, Stop};
use hemiola_js::{JavaScript, Nursery, Options};
use hemiola_live::{SystemTree, whole_input};
use hemiola_machine::{
    Class, Completion, Delay, Draw, Event, First, Gap, Instant, Move, Operation, Sink, Stream,
    TaskFact, World,
};
use hemiola_monitor::theory::Theory;
use hemiola_scheduler::{Contract, PARAMS};
use hemiola_world::Secure;
use hemiola_world::{Frozen, Overlay, Stores, Virtual};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::fmt::Write;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How long a program that was started again runs at least: what it owes comes at once.
const AFTERWARDS: Delay = Delay::from_millis(150_000);

pub(super) fn run(args: &ExploreArgs, crashes: Crashes, given: &Given) -> Result<Done, Failure> {
    must_exist(&args.program)?;
    let mut tried = Tried::new(args, given)?;
    let whole = tried.attempt(None, &mut |_, _| Ok(()))?;
    if whole.writes == 0 {
        return Err(Failure::new("the program writes no store of tasks")
            .fact(format!("it ran for {} of virtual time", shown(args.crashes.until)))
            .help("give initialize() a store, or the program more time: --until 1d"));
    }
    if let Crashes::At(point) = crashes {
        return again(args, &mut tried, point, &whole);
    }
    let writes = (1..=whole.writes).flat_map(|number| {
        [Loss::Before, Loss::Lost, Loss::After].map(|loss| CrashPoint::Write(number, loss))
    });
    let points: Vec<CrashPoint> =
        writes.chain((1..=whole.callbacks).map(CrashPoint::Callback)).collect();
    let limit = args.search.limits.time.map(|time| Duration::from_micros(time.as_micros()));
    let clock = Clock::new(limit);
    let most = args.search.max_schedules as usize;
    let mut made = 0;
    let mut failed: Option<(Option<CrashPoint>, Ran)> =
        whole.failure().is_some().then(|| (None, whole.clone()));
    let mut failures = usize::from(failed.is_some());
    for &point in points.iter().take(most) {
        if clock.is_up(Stage::Random) || failed.is_some() && args.search.fail_fast {
            break;
        }
        let ran = tried.attempt(Some(point), &mut |_, _| Ok(()))?;
        made += 1;
        // Whatever the program does without a crash is its own business.
        if ran.failure().is_some() || ran.code != whole.code {
            failures += 1;
            failed.get_or_insert((Some(point), ran));
        }
    }
    let facts = Facts { whole: &whole, made, of: points.len(), failures };
    let failed = failed.map(|(point, ran)| {
        let command = command(args, point, given);
        (point, ran, command)
    });
    let output = match args.format {
        Format::Text => text(&facts, failed.as_ref()),
        Format::Json => as_json(&facts, failed.as_ref()),
    };
    let code = match failed {
        Some(_) => FAILED,
        None if made < points.len() => STOPPED,
        None => 0,
    };
    Ok(Done { output, notes: String::new(), code })
}

/// Makes one crash, and shows what the program prints.
fn again(
    args: &ExploreArgs,
    tried: &mut Tried,
    point: CrashPoint,
    whole: &Ran,
) -> Result<Done, Failure> {
    let is_there = match point {
        CrashPoint::Write(number, _) => number <= whole.writes,
        CrashPoint::Callback(number) => number <= whole.callbacks,
    };
    if !is_there {
        let (writes, callbacks) = (whole.writes, whole.callbacks);
        return Err(Failure::new(format!("the program does not come to the point {point}"))
            .fact(format!("it has the points w1 to w{writes} and c1 to c{callbacks}"))
            .help("use the program and the flags that the point was found with"));
    }
    let (_, mut live) = world(&args.program)?;
    let ran = tried.attempt(Some(point), &mut |stream, bytes| live.write(stream, bytes))?;
    let code = if ran.failure().is_some() || ran.code != whole.code { FAILED } else { 0 };
    let notes = ran.failure().unwrap_or_default();
    written(live.flush(), Done { output: String::new(), notes, code })
}

/// What became of a program that crashed and started again.
#[derive(Clone)]
struct Ran {
    /// The points that there were up to the crash.
    writes: u64,
    callbacks: u64,
    /// The exit code in the end.
    code: i32,
    /// The violations in words, each with its axiom.
    violations: Vec<(String, String)>,
    blame: &'static str,
}

impl Ran {
    fn failure(&self) -> Option<String> {
        (!self.violations.is_empty())
            .then(|| self.violations.iter().map(|(_, text)| text.as_str()).collect())
    }
}

/// A program, and everything that decides its runs but where it crashes.
struct Tried {
    options: Options,
    tree: Arc<Frozen>,
    input: Arc<OnceLock<Vec<u8>>>,
    seed: u64,
    until: Delay,
    down: Delay,
    nursery: Nursery,
}

type Output<'o> = dyn FnMut(Stream, &[u8]) -> io::Result<()> + 'o;

impl Tried {
    fn new(args: &ExploreArgs, given: &Given) -> Result<Self, Failure> {
        let surroundings =
            Surroundings { zone: "UTC".into(), ..Surroundings::of_process(&args.program)? };
        let tree = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
        let disk = Arc::new(Overlay::new(Arc::clone(&tree) as _));
        let mut options = options(&args.program, surroundings, disk, Stop::default())?;
        options.exec_argv = given.whole_words(&[OF_SEARCH, &OF_CRASHES].concat());
        Ok(Self {
            options,
            tree,
            input: Arc::default(),
            seed: args.schedules.seed,
            until: args.crashes.until,
            down: args.crashes.down,
            nursery: Nursery::new(),
        })
    }

    /// Runs the program, and once more after a crash.
    fn attempt(
        &mut self,
        point: Option<CrashPoint>,
        write: &mut Output<'_>,
    ) -> Result<Ran, Failure> {
        let mut contract = Contract::new(Theory::of_schedulers(), PARAMS);
        let files = Arc::new(Overlay::new(Arc::clone(&self.tree) as _));
        let stores = Stores::default();
        let mut life = Life { begin: Instant::ZERO, end: Instant::ZERO + self.until, point };
        let mut ran = self.live(&life, &files, stores, &mut contract, write)?;
        let (writes, callbacks) = (ran.writes, ran.callbacks);
        if let Some(stores) = ran.left.take() {
            contract.end_process();
            stores.let_go();
            let begin = ran.now + self.down;
            let end = life.end.max(begin + AFTERWARDS);
            life = Life { begin, end, point: None };
            ran = self.live(&life, &files, stores, &mut contract, write)?;
        }
        if let Some(at) = ran.rests_at {
            contract.rest(at);
        }
        let report = contract.report();
        let violations = contract.violations().into_iter();
        let violations = violations.map(|(axiom, violation)| {
            (axiom.name.clone(), violation_line(axiom, &violation, &contract))
        });
        let violations = violations.collect();
        Ok(Ran { writes, callbacks, code: ran.code, violations, blame: blame(report.blame) })
    }

    /// Runs the program once, to its end or its crash.
    fn live(
        &mut self,
        life: &Life,
        files: &Arc<Overlay>,
        stores: Stores,
        contract: &mut Contract<'static>,
        write: &mut Output<'_>,
    ) -> Result<Lived, Failure> {
        let stop = Stop::default();
        let mut options = self.options.clone();
        options.stop = stop.clone();
        options.member = Member::alone();
        options.disk = Arc::clone(files) as _;
        let fate = Fate {
            point: life.point,
            writes: Cell::new(0),
            callbacks: Cell::new(0),
            is_dead: Cell::new(false),
            stop,
            left: RefCell::new(None),
        };
        let input = Arc::clone(&self.input);
        let read = move || match input.get() {
            Some(bytes) => Ok(bytes.clone()),
            None => whole_input().map(|bytes| input.get_or_init(|| bytes).clone()),
        };
        let world = Virtual::new(self.seed, Arc::clone(files), write)
            .input(Box::new(read))
            .with_stores(stores.clone())
            .begin_at(life.begin)
            .until(life.end.since(Instant::ZERO));
        let mut world = Mortal { world, fate: &fate, stores, last: None };
        let mut sink = Listener { contract, fate: &fate };
        let code = self.nursery.run(options, &mut Secure::new(&mut world), &mut First, &mut sink);
        let code =
            code.map_err(|error| Failure::new(error.to_string()).help("give it more memory"))?;
        let now = world.world.now();
        let rests_at = world.world.rests_at().map(|micros| (micros / 1000) as i64);
        let (writes, callbacks) = (fate.writes.get(), fate.callbacks.get());
        // Whoever does nothing more has not asked the world any more.
        let left = fate.left.take().or_else(|| fate.is_dead.get().then_some(world.stores));
        Ok(Lived { writes, callbacks, code: code & 0xff, now, rests_at, left })
    }
}

/// When a process lives, and where it crashes.
struct Life {
    begin: Instant,
    end: Instant,
    point: Option<CrashPoint>,
}

/// What became of a process.
struct Lived {
    writes: u64,
    callbacks: u64,
    code: i32,
    now: Instant,
    rests_at: Option<i64>,
    /// What a crash left of the stores.
    left: Option<Stores>,
}

/// Where a process is on its way to its crash.
struct Fate {
    point: Option<CrashPoint>,
    writes: Cell<u64>,
    callbacks: Cell<u64>,
    is_dead: Cell<bool>,
    stop: Stop,
    left: RefCell<Option<Stores>>,
}

impl Fate {
    /// From now on nothing that the program does has an effect; it is stopped as soon as it can be.
    fn die(&self, left: Stores) {
        self.is_dead.set(true);
        self.stop.ask(Reason::Ended);
        *self.left.borrow_mut() = Some(left);
    }

    /// Whether the process dies where something begins or has become known.
    fn comes_to_callback(&self) -> bool {
        let number = self.callbacks.get() + 1;
        self.callbacks.set(number);
        self.point == Some(CrashPoint::Callback(number))
    }
}

/// Hears what happens as long as the process lives.
struct Listener<'a> {
    contract: &'a mut Contract<'static>,
    fate: &'a Fate,
}

impl Sink for Listener<'_> {
    fn event(&mut self, event: Event) {
        if self.fate.is_dead.get() {
            return;
        }
        let is_boundary = match &event {
            // Ticks and promise jobs belong to the callback before.
            Event::Began { class, .. } => {
                !matches!(class, None | Some(Class::Tick | Class::Promise))
            }
            Event::Task { at, what } => {
                self.contract.tell(*at, what);
                !matches!(what, TaskFact::InitStart { .. } | TaskFact::Stored { .. })
            }
            _ => false,
        };
        if is_boundary && self.fate.comes_to_callback() {
            // The stores are known to the world only, which asks next.
            self.fate.is_dead.set(true);
            self.fate.stop.ask(Reason::Ended);
        }
    }
}

/// A world that a process may die in.
struct Mortal<'a, F> {
    world: Virtual<F>,
    fate: &'a Fate,
    stores: Stores,
    /// The write with which the process dies, and the stores before it.
    last: Option<(Operation, Stores)>,
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Mortal<'_, F> {
    /// The world as the program's.
    fn world(&mut self) -> &mut impl World<JavaScript> {
        &mut self.world
    }

    fn is_dead(&self) -> bool {
        let is_dead = self.fate.is_dead.get();
        if is_dead && self.fate.left.borrow().is_none() {
            self.fate.die(self.stores.clone());
        }
        is_dead
    }
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> World<JavaScript> for Mortal<'_, F> {
    const ORACLE: bool = <Virtual<F> as World<JavaScript>>::ORACLE;
    const STILL: bool = <Virtual<F> as World<JavaScript>>::STILL;

    fn now(&mut self) -> Instant {
        self.world().now()
    }

    fn look(&mut self) -> Instant {
        self.world().look()
    }

    fn wall_clock(&mut self) -> u64 {
        self.world().wall_clock()
    }

    fn random(&mut self) -> u64 {
        self.world().random()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        if self.is_dead() { Ok(()) } else { self.world().write(stream, bytes) }
    }

    fn breathe(&mut self) {
        self.world().breathe();
    }

    fn submit(&mut self, operation: Operation, request: Request) {
        if self.is_dead() {
            return;
        }
        if request.kind == "store.commit" {
            let number = self.fate.writes.get() + 1;
            self.fate.writes.set(number);
            match self.fate.point {
                Some(CrashPoint::Write(at, Loss::Before)) if at == number => {
                    return self.fate.die(self.stores.clone());
                }
                Some(CrashPoint::Write(at, _)) if at == number => {
                    self.last = Some((operation, self.stores.copy()));
                }
                _ => {}
            }
        }
        self.world().submit(operation, request);
    }

    fn perform(&mut self, request: Request, draw: Option<Draw<'_>>) -> Answer {
        if self.is_dead() {
            return Err(Fault::new("EIO", "the process has crashed"));
        }
        self.world().perform(request, draw)
    }

    fn cancel(&mut self, operation: Operation) {
        if !self.is_dead() {
            self.world().cancel(operation);
        }
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        if self.is_dead() {
            return None;
        }
        let completion = self.world().receive()?;
        if let Some((_, before)) = self.last.take_if(|(last, _)| *last == completion.operation) {
            let is_lost = matches!(self.fate.point, Some(CrashPoint::Write(_, Loss::Lost)));
            self.fate.die(if is_lost { before } else { self.stores.clone() });
            return None;
        }
        Some(completion)
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        !self.is_dead() && self.world().wait(until)
    }

    fn go_round(&mut self, due: bool) -> bool {
        !self.is_dead() && self.world().go_round(due)
    }

    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        self.world().moves(gap, next_due, moves);
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Completion<Answer> {
        self.world().answer(operation, draw)
    }

    fn moved(&mut self, taken: Move) {
        self.world().moved(taken);
    }
}

/// The flags that are about crashes.
const OF_CRASHES: [&str; 6] = ["eval", "print", "color", "crashes", "until", "down"];

/// The command that makes the same crash.
fn command(args: &ExploreArgs, point: Option<CrashPoint>, given: &Given) -> String {
    let mut words: Vec<OsString> = match point {
        Some(point) => {
            vec!["hemiola".into(), "explore".into(), format!("--crashes={point}").into()]
        }
        None => vec!["hemiola".into(), "simulate".into(), "--verify".into()],
    };
    let until = format!("--until={}us", args.crashes.until.as_micros());
    if point.is_none() && !given.has("until") {
        words.push(until.into());
    }
    let without = [OF_SEARCH, &["crashes", if point.is_none() { "down" } else { "" }]].concat();
    words.extend(given.whole_words(&without).into_iter().map(OsString::from));
    let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-") && word != "-";
    if args.program.words.iter().any(is_flag) {
        words.push("--".into());
    }
    words.extend(args.program.words.iter().cloned());
    words.iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// What was tried.
struct Facts<'r> {
    whole: &'r Ran,
    made: usize,
    of: usize,
    failures: usize,
}

type Failed = (Option<CrashPoint>, Ran, String);

fn text(facts: &Facts<'_>, failed: Option<&Failed>) -> String {
    let Facts { whole, made, of, failures } = facts;
    let writes = count(whole.writes as usize, "write");
    let callbacks = count(whole.callbacks as usize, "callback");
    let mut out =
        format!("{}: {made} of {of} crashes tried\n", format_args!("{writes}, {callbacks}"));
    let Some((point, ran, command)) = failed else {
        let _ = writeln!(out, "after every one of them the theory holds");
        return out;
    };
    let _ = match failures {
        0 | 1 => writeln!(out, "one fails:"),
        failures => writeln!(out, "{failures} fail; the first:"),
    };
    let _ = match point {
        Some(point) => writeln!(out, "\ncrash at {point}, {}", place(*point)),
        None => writeln!(out, "\nwithout any crash"),
    };
    out += &ran.failure().unwrap_or_else(|| {
        format!("exit status {} after the restart, {} without a crash\n", ran.code, whole.code)
    });
    let _ = writeln!(out, "\nto see it again:\n  {command}");
    out
}

fn place(point: CrashPoint) -> String {
    match point {
        CrashPoint::Write(number, Loss::Before) => format!("just before write {number}"),
        CrashPoint::Write(number, Loss::Lost) => {
            format!("while write {number} was under way, which is lost")
        }
        CrashPoint::Write(number, Loss::After) => {
            format!("when write {number} was durable, before the program knew")
        }
        CrashPoint::Callback(number) => {
            format!("where callback {number} begins or a fact is known")
        }
    }
}

fn as_json(facts: &Facts<'_>, failed: Option<&Failed>) -> String {
    let Facts { whole, made, of, failures } = facts;
    let failed = failed.map(|(point, ran, command)| {
        let violated: Vec<&str> = ran.violations.iter().map(|(axiom, _)| axiom.as_str()).collect();
        json!({
            "point": point.map(|point| point.to_string()),
            "violated": violated,
            "blame": ran.blame,
            "code": ran.code,
            "command": command,
        })
    });
    let object = json!({
        "version": 1,
        "writes": whole.writes,
        "callbacks": whole.callbacks,
        "points": of,
        "crashes": made,
        "failures": failures,
        "first": failed,
    });
    format!("{object}\n")
}

fn shown(time: Delay) -> String {
    format!("{} s", time.as_micros() / 1_000_000)
}
