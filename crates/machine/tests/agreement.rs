//! Random programs that live by labelled clocks do the same under every strategy: the strategies differ in
//! what they do with ticks of the main program, immediates, completions and unlabelled timers, and in
//! nothing else (rules TIME-4, TIME-5, TIME-6).

use hemiola_machine::closures::{Latency, Task, Turn, run_with};
use hemiola_machine::{Class, Delay, First, Group, Named, Period, Simulated, Unit};
use hemiola_trace::Silent;
use proptest::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// After so many invocations callbacks do nothing any more, and intervals end.
const LIMIT: u32 = 120;
const LABELS: [&str; 3] = ["A", "B", "C"];

/// The strategies of a program that is not a calculus.
const STRATEGIES: [Named; 7] = [
    Named::NodePhases,
    Named::All,
    Named::Micro,
    Named::Edge,
    Named::Node,
    Named::Machine,
    Named::Priority,
];

/// What a callback does. Callbacks are numbers; number 0 is the main program.
#[derive(Clone, Copy, Debug)]
enum Action {
    Release { label: usize, delay_ms: u64, callback: usize },
    Every { label: usize, period_ms: u64, callback: usize },
    Tick(usize),
    Job(usize),
    Spend { micros: u64 },
}

type Program = Vec<Vec<Action>>;

struct Shared {
    program: Program,
    log: RefCell<Vec<String>>,
    ran: Cell<u32>,
}

fn interpret(shared: &Rc<Shared>, callback: usize, turn: &mut Turn<'_>) {
    let clocks = LABELS.map(|label| turn.clock(label).map(|time| time.as_millis()));
    shared.log.borrow_mut().push(format!("{callback} at {clocks:?}"));
    shared.ran.set(shared.ran.get() + 1);
    if shared.ran.get() > LIMIT {
        return;
    }
    for &action in &shared.program[callback] {
        let next = |callback: usize| {
            let shared = Rc::clone(shared);
            Task::new(move |turn: &mut Turn<'_>| interpret(&shared, callback, turn))
        };
        match action {
            Action::Release { label, delay_ms, callback } => {
                let delay = Delay::from_millis(delay_ms);
                turn.release(Some(LABELS[label]), delay, next(callback));
            }
            Action::Every { label, period_ms, callback } => {
                let period = Period::at_least_one(Delay::from_millis(period_ms), Unit::Millisecond);
                let handle = Rc::new(Cell::new(None));
                let (shared, own) = (Rc::clone(shared), Rc::clone(&handle));
                let mut times = 0;
                let every = Task::new(move |turn: &mut Turn<'_>| {
                    times += 1;
                    if let (3, Some(handle)) = (times, own.get()) {
                        turn.clear(handle);
                    }
                    interpret(&shared, callback, turn);
                });
                handle.set(Some(turn.release_every(Some(LABELS[label]), period, every)));
            }
            Action::Tick(callback) => {
                turn.queue(Class::Tick, Group::default(), next(callback));
            }
            Action::Job(callback) => {
                turn.queue(Class::Promise, Group::default(), next(callback));
            }
            Action::Spend { micros } => turn.spend(Delay::from_micros(micros)),
        }
    }
}

/// What the program does under a strategy.
fn log(program: &Program, strategy: Named) -> Vec<String> {
    let shared =
        Rc::new(Shared { program: program.clone(), log: RefCell::default(), ran: Cell::new(0) });
    let main = Rc::clone(&shared);
    let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
    run_with(move |turn| interpret(&main, 0, turn), &strategy, &mut world, &mut First, &mut Silent);
    shared.log.take()
}

fn timed(callbacks: usize) -> impl Strategy<Value = Action> + Clone {
    let label = 0..LABELS.len();
    prop_oneof![
        4 => (label.clone(), 0..4_u64, 0..callbacks)
            .prop_map(|(label, delay_ms, callback)| Action::Release { label, delay_ms, callback }),
        1 => (label, 1..4_u64, 0..callbacks)
            .prop_map(|(label, period_ms, callback)| Action::Every { label, period_ms, callback }),
    ]
}

fn program() -> impl Strategy<Value = Program> {
    (2..7_usize).prop_flat_map(|callbacks| {
        let any = prop_oneof![
            3 => timed(callbacks),
            2 => (0..callbacks).prop_map(Action::Tick),
            2 => (0..callbacks).prop_map(Action::Job),
            1 => (0..3_000_u64).prop_map(|micros| Action::Spend { micros }),
        ];
        let main = prop::collection::vec(timed(callbacks), 1..4);
        let others = prop::collection::vec(prop::collection::vec(any, 0..4), callbacks - 1);
        (main, others).prop_map(|(main, others)| {
            let mut program = vec![main];
            program.extend(others);
            program
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn clock_programs_agree_under_all_strategies(program in program()) {
        let [first, rest @ ..] = STRATEGIES;
        let expected = log(&program, first);
        for strategy in rest {
            prop_assert_eq!(&log(&program, strategy), &expected, "{} and {}", strategy, first);
        }
    }
}

/// A labelled action, what it causes, and its next microstep, in the order of the rules.
#[test]
fn a_zero_delay_comes_after_ticks_and_promises_under_every_strategy() {
    for strategy in STRATEGIES {
        let log = Rc::new(RefCell::new(Vec::new()));
        let say = |text: &'static str| {
            let log = Rc::clone(&log);
            move |_: &mut Turn<'_>| log.borrow_mut().push(text)
        };
        let (zero, tick, job, inner, other) =
            (say("zero delay"), say("tick"), say("job"), say("tick of a job"), say("other clock"));
        let first = say("action");
        let main = move |turn: &mut Turn<'_>| {
            let action = {
                let (first, zero, tick) = (first.clone(), zero.clone(), tick.clone());
                let (job, inner) = (job.clone(), inner.clone());
                move |turn: &mut Turn<'_>| {
                    first(turn);
                    turn.set_timeout("A", Delay::ZERO, zero.clone());
                    let (job, inner) = (job.clone(), inner.clone());
                    let job = Task::new(move |turn: &mut Turn<'_>| {
                        job(turn);
                        turn.next_tick(inner.clone());
                    });
                    turn.queue(Class::Promise, Group::default(), job);
                    turn.next_tick(tick.clone());
                }
            };
            turn.set_timeout("A", Delay::ZERO, action);
            turn.set_timeout("B", Delay::ZERO, other.clone());
        };
        let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
        run_with(main, &strategy, &mut world, &mut First, &mut Silent);
        let expected = ["action", "tick", "job", "tick of a job", "zero delay", "other clock"];
        assert_eq!(*log.borrow(), expected, "{strategy}");
    }
}
