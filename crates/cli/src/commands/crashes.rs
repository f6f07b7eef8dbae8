//! `hemiola explore --crashes`: a program with a scheduler crashes wherever it can, and starts again.
//!
//! Each crash, or each pair of them, is a run of its own on a simulated computer. What the program's scheduler did
//! in all processes is one trace, held to the theory.

use super::explored::{OF_SEARCH, must_exist};
use super::options::{Surroundings, options, tell_without};
use super::running::{world, written};
use super::searching::Clock;
use super::standard_input::StandardInput;
use super::verify::{blame, violation_line};
use crate::args::{Crashes, Depth, ExploreArgs, Format, Given};
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::progress::Status;
use crate::render::crashes::{self, Failed, Level, Ran, Tried};
use crate::report::Failure;
use crate::shell;
use hemiola_explore::schedules::Stage;
use hemiola_gate::{Member, Stop};
use hemiola_js::{Nursery, Options};
use hemiola_live::SystemTree;
use hemiola_machine::{Event, First, Sink};
use hemiola_monitor::theory::Theory;
use hemiola_scheduler::{Contract, PARAMS};
use hemiola_world::crash::{CrashPoint, CrashTest, Output, Points};
use hemiola_world::{Frozen, Overlay, Secure};
use std::ffi::OsString;
use std::sync::Arc;

/// The flags that are about crashes.
const OF_CRASHES: [&str; 6] = ["eval", "print", "color", "crashes", "until", "down"];

pub(super) fn run(args: &ExploreArgs, crashes: &Crashes, given: &Given) -> Result<Done, Failure> {
    must_exist(&args.program)?;
    let mut program = Program::new(args, given)?;
    let whole = program.attempt(&[], &mut |_, _| Ok(()))?;
    if whole.interrupted {
        return Ok(out_of_time(&whole, args));
    }
    if whole.first().writes == 0 {
        let seconds = args.crashes.until.as_micros() / 1_000_000;
        return Err(Failure::new("the program writes no store of tasks")
            .fact(format!("it ran for {seconds} s of virtual time"))
            .help("give initialize() a store, or the program more time: --until 1d"));
    }
    let depth = match crashes {
        Crashes::At(points) => return again(&mut program, points, &whole),
        Crashes::All(depth) => *depth,
    };
    let tried = try_all(&mut program, &whole, depth, given)?;
    let output = match args.format {
        Format::Text => crashes::text(&tried),
        Format::Json => crashes::json(&tried),
    };
    let code = match tried.first {
        Some(_) => FOUND,
        None if !tried.is_complete() => STOPPED,
        None => 0,
    };
    Ok(Done::with(output, code))
}

/// Makes one crash after another, as long as there is time: first single ones, then those of the processes that
/// followed.
fn try_all<'r>(
    program: &mut Program<'_>,
    whole: &'r Ran,
    depth: Depth,
    given: &Given,
) -> Result<Tried<'r>, Failure> {
    let args = program.args;
    let mut left = args.search.max_schedules as usize;
    let mut first = whole.failure().is_some().then(|| (Vec::new(), whole.clone()));
    let mut failures = usize::from(first.is_some());
    let mut levels = Vec::new();
    let mut interrupted = false;
    let mut crashes: Vec<Vec<CrashPoint>> = whole.first().all().map(|point| vec![point]).collect();
    let count = match depth {
        Depth::Once => 1,
        Depth::Twice => 2,
    };
    let mut status = Status::new();
    for _ in 0..count {
        let mut level = Level { made: 0, of: crashes.len() };
        let mut next = Vec::new();
        for points in &crashes {
            let is_enough = first.is_some() && args.search.fail_fast;
            if left == 0 || program.clock.is_up(Stage::Random) || is_enough {
                break;
            }
            let ran = program.attempt(points, &mut |_, _| Ok(()))?;
            if ran.interrupted {
                interrupted = true;
                break;
            }
            (left, level.made) = (left - 1, level.made + 1);
            let Level { made, of } = level;
            status.share(made as u64, of as u64, || format!("crashes {made} of {of}"));
            if ran.fails_beside(whole) {
                failures += 1;
                first.get_or_insert((points.clone(), ran));
            } else if let Some(after) = ran.points.get(points.len()) {
                next.extend(after.all().map(|point| [&points[..], &[point]].concat()));
            }
        }
        let is_over = level.made < level.of;
        levels.push(level);
        if is_over {
            break;
        }
        crashes = next;
    }
    let is_cut = levels.len() < count;
    let first =
        first.map(|(points, ran)| Failed { command: command(args, &points, given), points, ran });
    Ok(Tried { whole, levels, is_cut, interrupted, failures, first })
}

/// What is said where not even the run without a crash came to its end.
fn out_of_time(whole: &Ran, args: &ExploreArgs) -> Done {
    let (levels, first) = (Vec::new(), None);
    let tried = Tried { whole, levels, is_cut: true, interrupted: true, failures: 0, first };
    let output = match args.format {
        Format::Text => crashes::text(&tried),
        Format::Json => crashes::json(&tried),
    };
    Done::with(output, STOPPED)
}

/// Makes crashes one after the other, and shows what the program prints.
fn again(program: &mut Program<'_>, points: &[CrashPoint], whole: &Ran) -> Result<Done, Failure> {
    let refuse = |point: CrashPoint, Points { writes, callbacks }: Points| {
        Failure::new(format!("the program does not come to the point {point}"))
            .fact(format!("it has the points w1 to w{writes} and c1 to c{callbacks}"))
            .help("use the program and the flags that the point was found with")
    };
    if let Some(&point) = points.first().filter(|point| !whole.first().contain(**point)) {
        return Err(refuse(point, whole.first()));
    }
    let (_, mut live) = world(program.args.program.timeout)?;
    let ran = program.attempt(points, &mut |stream, bytes| live.write(stream, bytes))?;
    if ran.interrupted {
        return written(live.flush(), out_of_time(&ran, program.args));
    }
    if let Some((&point, &met)) = points.get(ran.points.len() - 1).zip(ran.points.last()) {
        return Err(refuse(point, met));
    }
    let code = if ran.fails_beside(whole) { FOUND } else { 0 };
    written(live.flush(), Done::noted(ran.failure().unwrap_or_default(), code))
}

/// A program, and everything that decides its runs but where it crashes.
struct Program<'a> {
    args: &'a ExploreArgs,
    /// How long everything may take.
    clock: Clock,
    options: Options,
    /// All runs see the disk as the first of them does.
    tree: Arc<Frozen>,
    input: StandardInput,
    nursery: Nursery,
}

impl<'a> Program<'a> {
    fn new(args: &'a ExploreArgs, given: &Given) -> Result<Self, Failure> {
        let surroundings = Surroundings::of_simulation(&args.program)?;
        let tree = Arc::new(Frozen::new(Arc::new(SystemTree::default())));
        let disk = Arc::new(Overlay::new(Arc::clone(&tree) as _));
        let mut options = options(&args.program, surroundings, disk, Stop::default())?;
        tell_without(&mut options, given, &[OF_SEARCH, &OF_CRASHES].concat());
        let (input, nursery) = (StandardInput::default(), Nursery::new());
        let clock = Clock::new(args.search.limits.time);
        Ok(Self { args, clock, options, tree, input, nursery })
    }

    /// Runs the program, and once more after each crash.
    fn attempt(&mut self, crashes: &[CrashPoint], write: &mut Output<'_>) -> Result<Ran, Failure> {
        let Self { args, clock, options, tree, input, nursery } = self;
        let files = Arc::new(Overlay::new(Arc::clone(tree) as _));
        let test = CrashTest {
            seed: args.schedules.seed,
            files: Arc::clone(&files),
            input: &|| input.source(),
            until: args.crashes.until,
            down: args.crashes.down,
            is_up: &|| clock.is_up(Stage::Random),
        };
        let mut contract = Contract::new(Theory::of_schedulers(), PARAMS);
        let lived = test.run(crashes, write, |world, fate| {
            if fate.is_second() {
                contract.end_process();
            }
            let options = Options {
                stop: fate.stop(),
                member: Member::alone(),
                disk: Arc::clone(&files) as _,
                ..options.clone()
            };
            let mut sink = fate.witness(Told(&mut contract));
            let code = nursery.run(options, &mut Secure::new(world), &mut First, &mut sink);
            code.map_err(|error| Failure::new(error.to_string()).help("give it more memory"))
        })?;
        if let Some(micros) = lived.rests_at {
            contract.rest((micros / 1000) as i64);
        }
        let report = contract.report();
        let violations = contract.violations().into_iter().map(|(axiom, violation)| {
            (axiom.name.clone(), violation_line(axiom, &violation, &contract))
        });
        Ok(Ran {
            points: lived.points,
            // The system keeps the low byte of an exit code.
            code: lived.code & 0xff,
            violations: violations.collect(),
            blame: blame(report.blame),
            interrupted: lived.interrupted,
        })
    }
}

/// A contract that is told what a scheduler does.
struct Told<'c>(&'c mut Contract<'static>);

impl Sink for Told<'_> {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        if let Event::Task { at, what } = event {
            self.0.tell(at, &what);
        }
    }
}

/// The command that makes the same crashes.
fn command(args: &ExploreArgs, points: &[CrashPoint], given: &Given) -> String {
    let mut words: Vec<OsString> = match points {
        [_, ..] => {
            let points = crashes::written(points);
            vec!["hemiola".into(), "explore".into(), format!("--crashes={points}").into()]
        }
        [] => vec!["hemiola".into(), "simulate".into(), "--verify".into()],
    };
    if points.is_empty() && !given.has("until") {
        let millis = args.crashes.until.as_micros() / 1000;
        words.push(format!("--until={millis}ms").into());
    }
    let without = [OF_SEARCH, &["crashes", if points.is_empty() { "down" } else { "" }]].concat();
    words.extend(given.whole_words(&without).into_iter().map(OsString::from));
    shell::line(words.into_iter().chain(shell::apart(&args.program.words)))
}
