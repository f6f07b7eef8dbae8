//! `hemiola explore --crashes`: a program with a scheduler crashes wherever it can, and starts again.
//!
//! Each crash is a run of its own on a simulated computer. What the program's scheduler did in both processes
//! is one trace, held to the theory.

use super::explored::{OF_SEARCH, must_exist};
use super::options::{Surroundings, options};
use super::running::{world, written};
use super::searching::Clock;
use super::standard_input::StandardInput;
use super::verify::{blame, violation_line};
use crate::args::{Crashes, ExploreArgs, Format, Given};
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::render::crashes::{self, Failed, Ran, Tried};
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

pub(super) fn run(args: &ExploreArgs, crashes: Crashes, given: &Given) -> Result<Done, Failure> {
    must_exist(&args.program)?;
    let mut program = Program::new(args, given)?;
    let whole = program.attempt(None, &mut |_, _| Ok(()))?;
    if whole.points.writes == 0 {
        let seconds = args.crashes.until.as_micros() / 1_000_000;
        return Err(Failure::new("the program writes no store of tasks")
            .fact(format!("it ran for {seconds} s of virtual time"))
            .help("give initialize() a store, or the program more time: --until 1d"));
    }
    if let Crashes::At(point) = crashes {
        return again(&mut program, point, &whole);
    }
    let tried = try_all(&mut program, &whole, given)?;
    let output = match args.format {
        Format::Text => crashes::text(&tried),
        Format::Json => crashes::json(&tried),
    };
    let code = match tried.first {
        Some(_) => FOUND,
        None if tried.made < tried.of => STOPPED,
        None => 0,
    };
    Ok(Done::with(output, code))
}

/// Makes one crash after another, as long as there is time.
fn try_all<'r>(
    program: &mut Program<'_>,
    whole: &'r Ran,
    given: &Given,
) -> Result<Tried<'r>, Failure> {
    let args = program.args;
    let clock = Clock::new(args.search.limits.time);
    let points: Vec<CrashPoint> = whole.points.all().collect();
    let mut first = whole.failure().is_some().then(|| (None, whole.clone()));
    let (mut made, mut failures) = (0, usize::from(first.is_some()));
    for &point in points.iter().take(args.search.max_schedules as usize) {
        if clock.is_up(Stage::Random) || first.is_some() && args.search.fail_fast {
            break;
        }
        let ran = program.attempt(Some(point), &mut |_, _| Ok(()))?;
        made += 1;
        if ran.fails_beside(whole) {
            failures += 1;
            first.get_or_insert((Some(point), ran));
        }
    }
    let first =
        first.map(|(point, ran)| Failed { point, ran, command: command(args, point, given) });
    Ok(Tried { whole, made, of: points.len(), failures, first })
}

/// Makes one crash, and shows what the program prints.
fn again(program: &mut Program<'_>, point: CrashPoint, whole: &Ran) -> Result<Done, Failure> {
    if !whole.points.contain(point) {
        let Points { writes, callbacks } = whole.points;
        return Err(Failure::new(format!("the program does not come to the point {point}"))
            .fact(format!("it has the points w1 to w{writes} and c1 to c{callbacks}"))
            .help("use the program and the flags that the point was found with"));
    }
    let (_, mut live) = world(&program.args.program)?;
    let ran = program.attempt(Some(point), &mut |stream, bytes| live.write(stream, bytes))?;
    let code = if ran.fails_beside(whole) { FOUND } else { 0 };
    written(live.flush(), Done::noted(ran.failure().unwrap_or_default(), code))
}

/// A program, and everything that decides its runs but where it crashes.
struct Program<'a> {
    args: &'a ExploreArgs,
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
        options.exec_argv = given.whole_words(&[OF_SEARCH, &OF_CRASHES].concat());
        let (input, nursery) = (StandardInput::default(), Nursery::new());
        Ok(Self { args, options, tree, input, nursery })
    }

    /// Runs the program, and once more after a crash.
    fn attempt(
        &mut self,
        point: Option<CrashPoint>,
        write: &mut Output<'_>,
    ) -> Result<Ran, Failure> {
        let Self { args, options, tree, input, nursery } = self;
        let files = Arc::new(Overlay::new(Arc::clone(tree) as _));
        let test = CrashTest {
            seed: args.schedules.seed,
            files: Arc::clone(&files),
            input: &|| input.source(),
            until: args.crashes.until,
            down: args.crashes.down,
        };
        let mut contract = Contract::new(Theory::of_schedulers(), PARAMS);
        let lived = test.run(point, write, |world, fate| {
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

/// The command that makes the same crash.
fn command(args: &ExploreArgs, point: Option<CrashPoint>, given: &Given) -> String {
    let mut words: Vec<OsString> = match point {
        Some(point) => {
            vec!["hemiola".into(), "explore".into(), format!("--crashes={point}").into()]
        }
        None => vec!["hemiola".into(), "simulate".into(), "--verify".into()],
    };
    if point.is_none() && !given.has("until") {
        let millis = args.crashes.until.as_micros() / 1000;
        words.push(format!("--until={millis}ms").into());
    }
    let without = [OF_SEARCH, &["crashes", if point.is_none() { "down" } else { "" }]].concat();
    words.extend(given.whole_words(&without).into_iter().map(OsString::from));
    shell::line(words.into_iter().chain(shell::apart(&args.program.words)))
}
