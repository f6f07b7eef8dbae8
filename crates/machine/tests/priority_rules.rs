//! The rules of levels and deadlines, each by a small program in virtual time.

use crate::common::{Handles, ms, say, show};
use hemiola_lineage::{Quantity, Tally};
use hemiola_machine::closures::{Closures, Latency, Task, Turn, run_with};
use hemiola_machine::{
    Awaited, Chooser, Class, Delay, Event, First, Group, Instant, Level, Machine, Medium, Named,
    Seeded, Silent, Simulated, Site, Step, Urgency,
};
use std::cell::RefCell;
use std::rc::Rc;

/// What a program shows under the strategy `priority`.
fn ranked(program: impl FnOnce(&mut Turn<'_>) + 'static) -> Vec<String> {
    let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
    let mut events = Vec::new();
    run_with(program, &Named::Priority, &mut world, &mut First, &mut events);
    let observed = events.iter().filter_map(|event| match event {
        Event::Observed(value) => Some(value.to_string()),
        _ => None,
    });
    observed.collect()
}

fn by(turn: &mut Turn<'_>, level: Level, delay: Delay) -> Urgency {
    Urgency { deadline: Some(turn.logical_now() + delay), ..level.into() }
}

#[test]
fn loop_10_the_most_urgent_runs_first() {
    let shown = ranked(|turn| {
        turn.queue_task(Level::Background.into(), Task::new(say("background")));
        turn.queue_task(Level::Low.into(), Task::new(say("low")));
        turn.set_immediate(say("immediate"));
        turn.queue_task(Level::High.into(), Task::new(say("high")));
        turn.next_tick(say("tick"));
    });
    assert_eq!(shown, ["tick", "high", "low", "immediate", "background"]);
}

#[test]
fn prio_1_deadlines_order_a_level_and_promote() {
    let shown = ranked(|turn| {
        let (late, soon) = (by(turn, Level::High, ms(9)), by(turn, Level::High, ms(5)));
        let background = by(turn, Level::Background, ms(3));
        turn.queue_task(Level::High.into(), Task::new(say("whenever")));
        turn.queue_task(late, Task::new(say("by 9")));
        turn.queue_task(
            soon,
            Task::new(|turn| {
                show(turn, "by 5");
                turn.spend(ms(4));
            }),
        );
        turn.queue_task(background, Task::new(say("promoted at 3")));
    });
    // While the first ran, the deadline of the background task passed: it is the earliest.
    assert_eq!(shown, ["by 5", "promoted at 3", "by 9", "whenever"]);
}

#[test]
fn prio_2_a_level_is_inherited_from_the_link() {
    let shown = ranked(|turn| {
        turn.queue_task(
            Level::Background.into(),
            Task::new(|turn| {
                assert_eq!(turn.level(), Level::Background);
                turn.after_io(ms(1), say("io of the background"));
                turn.set_immediate(say("immediate of the background"));
                turn.set_timeout("A", ms(1), say("timer of the background"));
            }),
        );
        turn.queue_task(
            Level::High.into(),
            Task::new(|turn| {
                turn.next_tick(|turn| assert_eq!(turn.level(), Level::High));
                turn.after_io(ms(1), say("io of the high"));
                // Everything is ready when the choice is made.
                turn.set_immediate(|turn| turn.set_immediate(|turn| turn.spend(ms(0))));
            }),
        );
        turn.after_io(ms(1), say("io of main"));
        turn.set_timeout("B", ms(0), |turn| {
            turn.queue_task(Level::Background.into(), Task::new(|turn| turn.spend(ms(3))));
        });
    });
    // A timed action that is due waits for nobody, whatever it hands on.
    let order = ["timer of the background", "io of the high", "io of main", "io of the background"];
    let at = |name: &str| shown.iter().position(|one| one == name).expect("it was shown");
    assert!(order.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{shown:?}");
}

#[test]
fn prio_3_the_time_of_a_site_is_learned_with_the_tail() {
    let mut machine = Machine::new(Task::new(|turn| {
        for cost in [2, 4] {
            let work = move |turn: &mut Turn<'_>| {
                turn.spend(ms(cost));
                turn.next_tick(move |turn| turn.spend(ms(cost)));
            };
            turn.queue_task(Level::Low.into(), Task::new(work).at(Site(1)));
        }
    }));
    let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
    let strategy = Named::Priority;
    while machine.step(&mut Closures, &strategy, &mut world, &mut First, &mut Silent) == Step::Moved
    {
    }
    let learned = machine.estimate(Site(1)).expect("it has run");
    assert_eq!((learned.count(), learned.mean(), learned.deviation()), (2, ms(6), ms(2)));
    assert_eq!(machine.estimate(Site(2)), None);
}

/// The machine after a program has run under the strategy `priority`.
fn ran(program: impl FnMut(&mut Turn<'_>) + 'static) -> Machine<Closures> {
    let mut machine = Machine::new(Task::new(program));
    let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
    let strategy = Named::Priority;
    while machine.step(&mut Closures, &strategy, &mut world, &mut First, &mut Silent) == Step::Moved
    {
    }
    machine
}

#[test]
fn prio_3_network_disk_and_what_a_site_causes_are_learned() {
    let machine = ran(|turn| {
        for cost in [1, 2] {
            let task = Task::new(move |turn: &mut Turn<'_>| {
                turn.spend(ms(cost));
                turn.transferred(Medium::Network, 10, 0);
                turn.next_tick(|turn| {
                    let answered = Task::new(|turn: &mut Turn<'_>| {
                        turn.spend(ms(3));
                        turn.transferred(Medium::Disk, 0, 100);
                    });
                    let latency = Latency { delay: ms(50), answer: 0 };
                    turn.request(Class::Io, Group::default(), latency, answered.at(Site(2)));
                });
            });
            turn.queue_task(Level::Low.into(), task.at(Site(1)));
        }
    });
    let first = machine.account(Site(1)).expect("it has run");
    let second = machine.account(Site(2)).expect("it has run");
    let amounts = |tally: &Tally| {
        let wanted = [Quantity::Time, Quantity::NetworkRead, Quantity::DiskWritten];
        (tally.count(), wanted.map(|quantity| tally.total().get(quantity)))
    };
    assert_eq!(amounts(&first.exclusive), (2, [3_000_000, 20, 0]));
    assert_eq!(amounts(&first.inclusive), (2, [9_000_000, 20, 200]));
    assert_eq!(first.inclusive.mean(Quantity::Time), 4_500_000.0);
    assert_eq!(first.inclusive.deviation(Quantity::Time), 500_000.0);
    assert_eq!(amounts(&second.exclusive), (2, [6_000_000, 0, 200]));
    assert_eq!(second.exclusive, second.inclusive);
}

#[test]
fn prio_3_a_site_that_causes_itself_has_one_inclusive_cost() {
    fn again(turn: &mut Turn<'_>, left: u32) {
        turn.spend(ms(1));
        if left > 0 {
            let next = Task::new(move |turn: &mut Turn<'_>| again(turn, left - 1));
            turn.release(None, ms(1), next.at(Site(3)));
        }
    }
    let machine = ran(|turn| again(turn, 1_000));
    let account = machine.account(Site(3)).expect("it has run");
    assert_eq!((account.exclusive.count(), account.inclusive.count()), (1_000, 1));
    assert_eq!(account.exclusive.total(), account.inclusive.total());
    assert_eq!(account.inclusive.total().get(Quantity::Time), 1_000_000_000);
}

#[test]
fn prio_4_what_would_make_a_timed_action_late_is_held_back() {
    let shown = ranked(|turn| {
        let long = Site(1);
        let work = |name: &'static str, cost: u64| {
            move |turn: &mut Turn<'_>| {
                show(turn, name);
                turn.spend(ms(cost));
            }
        };
        // It is learned that this takes 8 ms.
        turn.queue_task(Level::High.into(), Task::new(work("long 1", 8)).at(long));
        turn.set_timeout("A", ms(10), say("tick at 10"));
        turn.queue_task(Level::Background.into(), Task::new(work("long 2", 8)).at(long));
        turn.queue_task(Level::Background.into(), Task::new(work("short", 1)).at(Site(2)));
    });
    assert_eq!(shown, ["long 1", "short", "tick at 10", "long 2"]);
}

#[test]
fn prio_4_nothing_is_held_back_past_its_deadline_or_for_a_second_action() {
    let shown = ranked(|turn| {
        let cost = |name: &'static str| {
            move |turn: &mut Turn<'_>| {
                show(turn, name);
                turn.spend(ms(20));
            }
        };
        let site = Site(1);
        turn.queue_task(Level::High.into(), Task::new(cost("first")).at(site));
        let deadline = by(turn, Level::Background, ms(27));
        let mut count = 0;
        let ticks = Handles::default();
        let own = ticks.clone();
        ticks.keep(turn.set_interval("A", ms(10), move |turn| {
            count += 1;
            show(turn, "tick");
            if count == 6 {
                own.clear_all(turn);
            }
        }));
        turn.queue_task(deadline, Task::new(cost("by 27")).at(site));
        turn.queue_task(Level::Background.into(), Task::new(cost("whenever")).at(site));
    });
    // At 20 two ticks are late; the next is at 30, so both wait. One is promoted at 27, the other
    // has let the late tick of 30 go first and waits for no other.
    assert_eq!(
        shown,
        ["first", "tick", "tick", "by 27", "tick", "tick", "whenever", "tick", "tick"]
    );
}

#[test]
fn prio_4_a_timed_action_is_not_held_past_its_instant() {
    let shown = ranked(|turn| {
        let on_time = |turn: &mut Turn<'_>| {
            let now = turn.now().as_millis();
            show(turn, format!("timer of the background at {now}"));
            assert_eq!(turn.level(), Level::Background);
        };
        turn.set_level(Level::Background);
        turn.set_timeout("A", ms(5), on_time);
        turn.set_level(Level::Low);
        // There is always something urgent to do, and it is never known how long it takes.
        urgent(turn, 0);
    });
    assert_eq!(shown, ["timer of the background at 6"]);

    fn urgent(turn: &mut Turn<'_>, number: u64) {
        turn.spend(ms(2));
        if number == 0 {
            turn.set_immediate(|turn| urgent(turn, 1));
        } else if number < 20 {
            let next = Task::new(move |turn: &mut Turn<'_>| urgent(turn, number + 1));
            turn.queue_task(Level::High.into(), next.at(Site(number)));
        }
    }
}

#[test]
fn prio_4_a_low_callback_waits_even_for_a_timed_action_of_the_background() {
    let shown = ranked(|turn| {
        let work = |turn: &mut Turn<'_>| {
            show(turn, "work");
            turn.spend(ms(8));
        };
        turn.queue_task(Level::High.into(), Task::new(work).at(Site(1)));
        let release = move |turn: &mut Turn<'_>| {
            turn.set_timeout("A", ms(5), say("timer of the background"));
            turn.queue_task(Level::Low.into(), Task::new(work).at(Site(1)));
        };
        turn.queue_task(Level::Background.into(), Task::new(release));
    });
    assert_eq!(shown, ["work", "timer of the background", "work"]);
}

/// A task that moves so many bytes through a medium.
fn mover(name: &'static str, medium: Medium, bytes: u64) -> Task {
    Task::new(move |turn: &mut Turn<'_>| {
        show(turn, name);
        turn.transferred(medium, 0, bytes);
    })
}

#[test]
fn prio_4_what_burdens_a_medium_lets_others_go_first_while_it_is_in_urgent_use() {
    for (medium, bytes, held) in [
        (Medium::Disk, 1 << 20, true),
        (Medium::Disk, 1 << 10, false),
        (Medium::Network, 1 << 20, false),
    ] {
        let shown = ranked(move |turn| {
            // It is learned how much this one moves.
            turn.queue_task(Level::High.into(), mover("first", medium, bytes).at(Site(1)));
            let ask = move |turn: &mut Turn<'_>| {
                let latency = Latency { delay: ms(50), answer: 0 };
                let answered = Task::new(say("answer"));
                let group = Group::default();
                turn.request_on(Some(Medium::Disk), Class::Io, group, latency, answered);
                turn.queue_task(Level::Low.into(), mover("mover", medium, bytes).at(Site(1)));
                turn.queue_task(Level::Background.into(), Task::new(say("other")));
            };
            turn.queue_task(Level::High.into(), Task::new(ask));
        });
        let expected = match held {
            true => ["first", "other", "mover", "answer"],
            false => ["first", "mover", "other", "answer"],
        };
        assert_eq!(shown, expected, "{bytes} bytes to the {medium:?}");
    }
}

#[test]
fn prio_4_what_a_callback_causes_counts_for_the_medium_too() {
    let shown = ranked(|turn| {
        let causes = |name: &'static str| {
            Task::new(move |turn: &mut Turn<'_>| {
                show(turn, name);
                let moved = mover("moved", Medium::Network, 1 << 20);
                turn.queue(Class::Immediate, Group::default(), moved);
            })
        };
        turn.queue_task(Level::High.into(), causes("first").at(Site(1)));
        let ask = move |turn: &mut Turn<'_>| {
            let (latency, group) = (Latency { delay: ms(50), answer: 0 }, Group::default());
            let answered = Task::new(say("answer"));
            turn.request_on(Some(Medium::Network), Class::Io, group, latency, answered);
            turn.queue_task(Level::Low.into(), causes("second").at(Site(1)));
            turn.queue_task(Level::Background.into(), Task::new(say("other")));
        };
        turn.after_io(ms(1), move |turn| {
            turn.queue_task(Level::High.into(), Task::new(ask));
        });
    });
    assert_eq!(shown, ["first", "moved", "other", "second", "moved", "answer"]);
}

#[test]
fn prio_2_what_is_awaited_is_raised_with_all_that_it_causes() {
    let shown = ranked(|turn| {
        let levels = |name: &'static str| {
            move |turn: &mut Turn<'_>| {
                let text = format!("{name} {}", turn.level());
                show(turn, text);
                turn.set_immediate(move |turn| {
                    let text = format!("{name}, then {}", turn.level());
                    show(turn, text);
                    // A level of its own is not below the promotion.
                    let task = move |turn: &mut Turn<'_>| {
                        let text = format!("{name}, at last {}", turn.level());
                        show(turn, text);
                    };
                    turn.queue_task(Level::Background.into(), Task::new(task));
                });
            }
        };
        turn.set_level(Level::Background);
        let (latency, group) = (Latency { delay: ms(1), answer: 0 }, Group::default());
        let operation = turn.request(Class::Io, group, latency, Task::new(levels("operation")));
        let timer = turn.set_timeout("A", ms(1), levels("timer"));
        let task = turn.queue_task(Level::Background.into(), Task::new(levels("task")));
        turn.queue_task(Level::Background.into(), Task::new(levels("another")));
        turn.set_level(Level::Low);
        assert!(turn.raise(Awaited::Queued(task), Level::High));
        assert!(turn.raise(Awaited::Operation(operation), Level::High));
        assert!(turn.raise(Awaited::Timer(timer), Level::Low));
        turn.after_io(ms(9), move |turn| {
            assert!(!turn.raise(Awaited::Queued(task), Level::High));
            assert!(!turn.raise(Awaited::Operation(operation), Level::High));
            assert!(!turn.raise(Awaited::Timer(timer), Level::High));
        });
    });
    let levels = |name: &str, level: &str| {
        [" ", ", then ", ", at last "].map(|when| format!("{name}{when}{level}"))
    };
    for (name, level) in
        [("operation", "high"), ("timer", "low"), ("task", "high"), ("another", "background")]
    {
        let of_name: Vec<&String> = shown.iter().filter(|one| one.starts_with(name)).collect();
        assert_eq!(of_name, levels(name, level).iter().collect::<Vec<_>>(), "{shown:?}");
    }
    assert_eq!(shown[0], "task high", "the raised task overtakes nobody but those below it");
}

#[test]
fn prio_2_a_promotion_by_deadline_reaches_what_the_task_has_begun() {
    let shown = ranked(|turn| {
        let deadline = by(turn, Level::Background, ms(10));
        let begun = |turn: &mut Turn<'_>| {
            assert_eq!(turn.level(), Level::Background);
            turn.after_io(ms(1), |turn| {
                let text = format!("went on {} at {}", turn.level(), turn.now().as_millis());
                show(turn, text);
            });
        };
        turn.queue_task(deadline, Task::new(begun));
        turn.after_io(ms(2), |turn| busy(turn, 0));
    });
    // Endless urgent work would starve the second half of the task.
    assert_eq!(shown, ["went on background at 1"]);

    let shown = ranked(|turn| {
        let deadline = by(turn, Level::Background, ms(10));
        turn.queue_task(
            deadline,
            Task::new(|turn| {
                turn.after_io(ms(3), |turn| {
                    let text = format!("went on {} at {}", turn.level(), turn.now().as_millis());
                    show(turn, text);
                });
            }),
        );
        turn.after_io(ms(2), |turn| busy(turn, 0));
    });
    assert_eq!(shown, ["went on high at 11"]);

    /// Three milliseconds of urgent work, again and again.
    fn busy(turn: &mut Turn<'_>, times: u64) {
        turn.spend(ms(3));
        if times < 20 {
            let next = Task::new(move |turn: &mut Turn<'_>| busy(turn, times + 1));
            turn.queue_task(Level::High.into(), next);
        }
    }
}

#[test]
fn prio_5_the_order_inside_a_domain_stays() {
    let shown = ranked(|turn| {
        turn.queue_task(
            Level::Background.into(),
            Task::new(|turn| {
                turn.set_timeout("A", ms(1), |turn| {
                    show(turn, "first of A");
                    turn.set_timeout("A", ms(0), say("microstep of A"));
                });
                turn.set_immediate(|turn| turn.spend(ms(2)));
            }),
        );
        turn.queue_task(
            Level::Background.into(),
            Task::new(|turn| {
                turn.queue_task(
                    Level::High.into(),
                    Task::new(|turn| {
                        turn.set_timeout("A", ms(1), say("second of A"));
                    }),
                );
            }),
        );
    });
    assert_eq!(shown, ["first of A", "second of A", "microstep of A"]);
}

#[test]
fn a_task_can_be_moved_and_withdrawn() {
    for strategy in [Named::Priority, Named::NodePhases] {
        let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
        let mut events = Vec::new();
        let program = |turn: &mut Turn<'_>| {
            let slow = turn.queue_task(Level::Background.into(), Task::new(say("slow")));
            let gone = turn.queue_task(Level::High.into(), Task::new(say("gone")));
            turn.queue_task(Level::Low.into(), Task::new(say("low")));
            assert!(turn.set_urgency(slow, Level::High.into()));
            assert!(turn.withdraw(gone).is_some());
            assert!(turn.withdraw(gone).is_none());
            assert!(!turn.set_urgency(gone, Level::Low.into()));
        };
        run_with(program, &strategy, &mut world, &mut First, &mut events);
        let shown: Vec<String> = events
            .iter()
            .filter_map(|event| match event {
                Event::Observed(value) => Some(value.to_string()),
                _ => None,
            })
            .collect();
        assert_eq!(shown, ["slow", "low"], "{strategy}");
    }
}

/// Under any mix, a task with a deadline starts no later than its deadline plus the longest single
/// callback, as far as no more than one deadline falls into that time.
#[test]
fn prio_1_deadlines_are_met_under_any_load() {
    for seed in 0..300 {
        let mut draw = Seeded::new(seed);
        let longest = 1 + draw.choose(20) as u64;
        let late: Rc<RefCell<Vec<(Instant, Instant)>>> = Rc::default();
        let starts = late.clone();
        let main = move |turn: &mut Turn<'_>| {
            // Endless work on every level, of many lengths and sites; it stops after a while.
            for level in Level::ALL {
                for site in 0..1 + draw.choose(3) as u64 {
                    let cost = ms(1 + draw.choose(longest as usize) as u64);
                    let urgency = Urgency::from(level);
                    again(turn, urgency, cost, Site(site * 3 + level as u64));
                }
            }
            let period = ms(1 + draw.choose(15) as u64);
            let handles = Handles::default();
            let own = handles.clone();
            handles.keep(turn.set_interval("A", period, move |turn| {
                if turn.now() > Instant::ZERO + ms(2_000) {
                    own.clear_all(turn);
                }
            }));
            let mut at = Delay::ZERO;
            for number in 0..20 {
                // Far enough apart that each has its own time.
                at = Delay::from_micros(
                    at.as_micros() + 1_000 * (2 * longest + 1 + draw.choose(60) as u64),
                );
                let level = Level::ALL[draw.choose(3)];
                let urgency = by(turn, level, at);
                let starts = starts.clone();
                let deadline = turn.logical_now() + at;
                let site = Site(100 + number % 3);
                let cost = ms(draw.choose(longest as usize + 1) as u64);
                turn.queue_task(
                    urgency,
                    Task::new(move |turn| {
                        starts.borrow_mut().push((deadline, turn.now()));
                        turn.spend(cost);
                    })
                    .at(site),
                );
            }
        };
        let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
        run_with(main, &Named::Priority, &mut world, &mut First, &mut Silent);
        let late = late.borrow();
        assert_eq!(late.len(), 20, "all have started, seed {seed}");
        for &(deadline, started) in late.iter() {
            let lateness = started.since(deadline);
            assert!(lateness <= ms(longest), "seed {seed}: {lateness:?} after {deadline:?}");
        }
    }
}

fn again(turn: &mut Turn<'_>, urgency: Urgency, cost: Delay, site: Site) {
    let work = move |turn: &mut Turn<'_>| {
        turn.spend(cost);
        if turn.now() < Instant::ZERO + ms(2_000) {
            again(turn, urgency, cost, site);
        }
    };
    turn.queue_task(urgency, Task::new(work).at(site));
}
