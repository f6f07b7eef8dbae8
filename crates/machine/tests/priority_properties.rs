//! Random programs with levels, held to what the rules say of them.

use crate::common::ms;
use hemiola_machine::closures::{Latency, Task, Turn, run_with};
use hemiola_machine::{
    Chooser, Class, Delay, First, Group, Instant, Level, Named, Seeded, Silent, Simulated, Site,
    Strategy, Urgency,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Random numbers that all callbacks of a program share.
#[derive(Clone)]
struct Luck(Rc<RefCell<Seeded>>);

impl Luck {
    fn new(seed: u64) -> Self {
        Self(Rc::new(RefCell::new(Seeded::new(seed))))
    }

    fn below(&self, count: usize) -> usize {
        self.0.borrow_mut().choose(count)
    }

    fn ms(&self, below: usize) -> Delay {
        ms(self.below(below) as u64)
    }

    fn level(&self) -> Level {
        Level::ALL[self.below(3)]
    }
}

fn run(strategy: &impl Strategy, program: impl FnOnce(&mut Turn<'_>) + 'static) {
    let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
    run_with(program, strategy, &mut world, &mut First, &mut Silent);
}

/// What a callback should be handed, kept by hand.
#[derive(Clone, Copy)]
struct Expected {
    level: Level,
    promoted: bool,
    /// When the task that it is part of is promoted.
    deadline: Option<Instant>,
}

impl Expected {
    /// When it runs: what it has, and so hands on.
    fn now(mut self, now: Instant) -> Self {
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.promoted = true;
        }
        if self.promoted {
            self.level = Level::High;
        }
        self
    }
}

#[test]
fn prio_2_a_promotion_covers_the_causal_subtree() {
    let counts = Rc::new(RefCell::new((0, 0)));
    for seed in 0..200 {
        let (luck, counts) = (Luck::new(seed), counts.clone());
        run(&Named::Priority, move |turn| {
            let expected = Expected { level: Level::Low, promoted: false, deadline: None };
            for _ in 0..3 {
                grow(turn, &luck, expected, 5, &counts);
            }
        });
    }
    let (promoted, usual) = *counts.borrow();
    assert!(promoted > 100 && usual > 1_000, "{promoted} were promoted, {usual} not");
}

/// Starts something at random, which has what is expected and goes on like this.
fn grow(
    turn: &mut Turn<'_>,
    luck: &Luck,
    mut expected: Expected,
    depth: usize,
    counts: &Rc<RefCell<(u32, u32)>>,
) {
    let kind = luck.below(6);
    let mut urgency = Urgency::from(luck.level());
    if kind == 5 {
        if luck.below(3) == 0 {
            urgency.deadline = Some(turn.logical_now() + luck.ms(12));
        }
        let own = urgency.deadline.filter(|_| urgency.level != Level::High);
        expected.level = urgency.level;
        expected.deadline = expected.deadline.into_iter().chain(own).min();
    }
    let (own_luck, own_counts) = (luck.clone(), counts.clone());
    let task = Task::new(move |turn| {
        let expected = expected.now(turn.now());
        assert_eq!(turn.level(), expected.level);
        if expected.promoted {
            own_counts.borrow_mut().0 += 1;
        } else {
            own_counts.borrow_mut().1 += 1;
        }
        turn.spend(own_luck.ms(4));
        for _ in 0..own_luck.below(3).min(depth) {
            grow(turn, &own_luck, expected, depth - 1, &own_counts);
        }
    });
    let label = ["A", "B", "C"][luck.below(3)];
    match kind {
        0 => {
            turn.queue(Class::Tick, Group::default(), task);
        }
        1 => {
            turn.queue(Class::Immediate, Group::default(), task);
        }
        2 => {
            let latency = Latency { delay: luck.ms(8), answer: 0 };
            turn.request(Class::Io, Group::default(), latency, task);
        }
        3 => {
            turn.release(Some(label), luck.ms(8), task);
        }
        4 => {
            turn.release(None, luck.ms(8), task);
        }
        _ => {
            turn.queue_task(urgency, task);
        }
    }
}

/// Whatever the levels, and whatever else runs, each domain does the same at the same times.
#[test]
fn prio_5_levels_never_change_the_order_inside_a_domain() {
    type Log = BTreeMap<&'static str, Vec<(u64, u64)>>;
    fn domains(strategy: Named, seed: u64, levels: u64) -> Log {
        let log: Rc<RefCell<Log>> = Rc::default();
        let shown = log.clone();
        let (luck, levels) = (Luck::new(seed), Luck::new(levels));
        run(&strategy, move |turn| {
            for _ in 0..8 {
                let urgency = Urgency::from(levels.level());
                let (cost, site) = (levels.ms(6), Site(levels.below(3) as u64));
                turn.queue_task(urgency, Task::new(move |turn| turn.spend(cost)).at(site));
            }
            for number in 0..8 {
                release(turn, &luck, &levels, &shown, number);
            }
        });
        log.take()
    }
    fn release(turn: &mut Turn<'_>, luck: &Luck, levels: &Luck, log: &Rc<RefCell<Log>>, id: u64) {
        // What the domains do is drawn here, and must not depend on when it happens.
        let own = Luck::new(luck.below(1_000_000) as u64);
        let label = ["A", "B", "C"][own.below(3)];
        let before = turn.level();
        turn.set_level(levels.level());
        let (levels, log) = (levels.clone(), log.clone());
        let delay = own.ms(9);
        turn.set_timeout(label, delay, move |turn| {
            let time = turn.clock(label).expect("it runs on the clock").as_millis();
            log.borrow_mut().entry(label).or_default().push((time, id));
            let urgency = Urgency::from(levels.level());
            let cost = levels.ms(5);
            turn.queue_task(urgency, Task::new(move |turn| turn.spend(cost)).at(Site(7)));
            if id < 1_000 && own.below(2) == 0 {
                let again = Luck::new(own.below(1_000_000) as u64);
                on_own_clock(turn, label, &again, &levels, &log, id + 100);
            }
        });
        turn.set_level(before);
    }
    /// A domain that goes on by itself depends on no other.
    fn on_own_clock(
        turn: &mut Turn<'_>,
        label: &'static str,
        luck: &Luck,
        levels: &Luck,
        log: &Rc<RefCell<Log>>,
        id: u64,
    ) {
        turn.set_level(levels.level());
        let (luck, levels, log) = (luck.clone(), levels.clone(), log.clone());
        let delay = luck.ms(6);
        turn.set_timeout(label, delay, move |turn| {
            let time = turn.clock(label).expect("it runs on the clock").as_millis();
            log.borrow_mut().entry(label).or_default().push((time, id));
            if id < 1_000 {
                on_own_clock(turn, label, &luck, &levels, &log, id + 100);
            }
        });
    }
    for seed in 0..200 {
        let plain = domains(Named::NodePhases, seed, 1);
        assert!(!plain.is_empty());
        for levels in 0..3 {
            let ranked = domains(Named::Priority, seed, 1_000 * seed + levels);
            assert_eq!(ranked, plain, "seed {seed}, levels {levels}");
        }
    }
}

/// Endless work on every level, `high` too: no timed action waits longer than for what runs already.
#[test]
fn prio_4_no_timed_action_starves() {
    for seed in 0..40 {
        let luck = Luck::new(seed);
        let longest = 1 + luck.below(10) as u64;
        let late: Rc<RefCell<Vec<Delay>>> = Rc::default();
        let seen = late.clone();
        run(&Named::Priority, move |turn| {
            for level in Level::ALL {
                for site in 0..1 + luck.below(3) as u64 {
                    let cost = ms(1 + luck.below(longest as usize) as u64);
                    endless(turn, level, cost, Site(10 * site + level as u64));
                }
            }
            let mut at = ms(0);
            for number in 0..30 {
                // So far apart that each has its time.
                at = ms(at.as_millis() + longest + 1 + luck.below(20) as u64);
                let (seen, level) = (seen.clone(), luck.level());
                let label = ["A", "B"][number % 2];
                turn.set_level(level);
                let due = turn.logical_now() + at;
                turn.set_timeout(label, at, move |turn| {
                    assert_eq!(turn.level(), level);
                    seen.borrow_mut().push(turn.now().since(due));
                });
                turn.set_level(Level::Low);
            }
        });
        let late = late.borrow();
        assert_eq!(late.len(), 30, "seed {seed}");
        assert!(late.iter().all(|&late| late < ms(longest)), "seed {seed}: {late:?}");
    }
}

fn endless(turn: &mut Turn<'_>, level: Level, cost: Delay, site: Site) {
    let work = move |turn: &mut Turn<'_>| {
        turn.spend(cost);
        if turn.now() < Instant::ZERO + ms(1_500) {
            endless(turn, level, cost, site);
        }
    };
    turn.queue_task(level.into(), Task::new(work).at(site));
}

/// What is known to take too long never delays the next timed action while something else could run.
#[test]
fn prio_4_what_is_held_back_delays_nothing_while_something_else_can_run() {
    /// Tasks that wait, by number: what each takes.
    type Waiting = Rc<RefCell<BTreeMap<u64, Delay>>>;
    let mut held = 0;
    for seed in 0..100 {
        let luck = Luck::new(seed);
        let waiting: Waiting = Rc::default();
        let delayed: Rc<RefCell<u32>> = Rc::default();
        let (queue, count) = (waiting.clone(), delayed.clone());
        run(&Named::Priority, move |turn| {
            let period = 3 + luck.below(10) as u64;
            // Every cost is a site of its own, and is learned at once.
            for cost in 1..8 {
                let task = Task::new(move |turn: &mut Turn<'_>| turn.spend(ms(cost)));
                turn.queue_task(Level::High.into(), task.at(Site(cost)));
            }
            let begin = turn.logical_now();
            let mut ticks = 0;
            let next_tick = Rc::new(RefCell::new(begin + ms(period)));
            let next = next_tick.clone();
            let handles = crate::common::Handles::default();
            let own = handles.clone();
            handles.keep(turn.set_interval("A", ms(period), move |turn| {
                ticks += 1;
                *next.borrow_mut() = begin + ms(period * (ticks + 1));
                if ticks == 60 {
                    own.clear_all(turn);
                    *next.borrow_mut() = Instant::MAX;
                }
            }));
            turn.after_io(ms(40), move |turn| {
                for number in 0..20 {
                    let cost = 1 + luck.below(7) as u64;
                    let level = [Level::Low, Level::Background][luck.below(2)];
                    queue.borrow_mut().insert(number, ms(cost));
                    let (queue, count, next) = (queue.clone(), count.clone(), next_tick.clone());
                    let work = move |turn: &mut Turn<'_>| {
                        queue.borrow_mut().remove(&number);
                        let (now, next) = (turn.now(), *next.borrow());
                        if now < next && now + ms(cost) > next {
                            *count.borrow_mut() += 1;
                            let fits = queue.borrow().values().any(|&cost| now + cost <= next);
                            assert!(!fits, "number {number} at {now:?} delays what is at {next:?}");
                        }
                        turn.spend(ms(cost));
                    };
                    turn.queue_task(level.into(), Task::new(work).at(Site(cost)));
                }
            });
        });
        assert!(waiting.borrow().is_empty(), "all have run, seed {seed}");
        held += *delayed.borrow();
    }
    assert!(held > 50, "it was put to the test {held} times");
}
