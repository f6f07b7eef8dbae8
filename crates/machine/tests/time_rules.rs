//! Rules TIME-1 to TIME-14, one golden trace for each, and the examples of the paper by Jerad and
//! Lee that the rules come from.
//!
//! `UPDATE=1 cargo test` rewrites the golden files; every line of them follows from a rule.

use crate::common::{Handles, clock, events, golden, ms, observed, say, say_at, show, us};
use hemiola_machine::closures::{Task, Turn};
use hemiola_machine::{Class, Delay, Event, Group, Input, Policy, Unit};
use std::cell::Cell;
use std::rc::Rc;

/// The order of keys: time, then domain, then microstep, then release.
#[test]
fn time_1_tag() {
    golden("time_1_tag", |turn| {
        turn.set_timeout("A", ms(20), say("time comes first"));
        turn.set_timeout("B", ms(10), say("B, the younger domain"));
        turn.release(None, ms(10), Task::new(say("anonymous, younger still")));
        turn.set_timeout("C", ms(10), say("C, the youngest"));
        turn.set_timeout("B", ms(10), say("B, the later release"));
        turn.set_timeout("A", ms(10), |turn| {
            show(turn, "A, the older domain");
            turn.set_timeout("A", ms(0), say("A, a microstep later"));
        });
        turn.set_timeout("A", ms(10), say("A, the later release"));
    });
}

/// The first use of a label takes the origin; an action with its tail samples it once.
#[test]
fn time_2_origin() {
    golden("time_2_origin", |turn| {
        turn.spend(us(7_500));
        turn.set_timeout("A", ms(3), |turn| {
            turn.set_timeout("C", ms(1), say_at("C", "C"));
            turn.spend(ms(3));
            turn.set_timeout("D", ms(1), say_at("D", "D"));
            turn.next_tick(|turn| {
                turn.spend(ms(3));
                turn.set_timeout("E", ms(1), say_at("E", "E"));
            });
        });
        turn.spend(ms(5));
        turn.set_timeout("B", ms(3), |turn| {
            let now = turn.now();
            show(turn, format!("physical {now}"));
            turn.set_timeout("F", ms(1), say_at("F", "F"));
        });
        let clocks = format!("A={} B={}", clock(turn, "A"), clock(turn, "B"));
        show(turn, clocks);
    });
}

/// A release is relative to the clock, not to physical time; a period keeps its release's ordinal.
#[test]
fn time_3_release() {
    golden("time_3_release", |turn| {
        let handles = Handles::default();
        let (all, runs) = (handles.clone(), Cell::new(0));
        handles.keep(turn.set_interval("A", ms(100), move |turn| {
            show(turn, format!("every 100 @{}", clock(turn, "A")));
            runs.set(runs.get() + 1);
            if runs.get() == 1 {
                turn.spend(ms(30));
                turn.set_timeout("A", ms(50), say_at("50 after 100", "A"));
                turn.set_timeout("A", ms(100), say_at("100 after 100", "A"));
            } else {
                all.clear_all(turn);
            }
        }));
        turn.spend(ms(40));
        turn.set_timeout("A", ms(200), say_at("200 after 0", "A"));
    });
}

/// One domain, one instant: one action in release order, and nothing else in between.
#[test]
fn time_4_action() {
    golden("time_4_action", |turn| {
        fn clocks(turn: &mut Turn<'_>, who: &str) {
            let clocks = format!("{who} A={} B={}", clock(turn, "A"), clock(turn, "B"));
            show(turn, clocks);
        }
        turn.set_timeout("A", ms(10), |turn| {
            clocks(turn, "first of A");
            turn.set_immediate(say("immediate"));
            turn.after_io(ms(0), say("completion"));
            turn.next_tick(say("tick"));
        });
        turn.set_timeout("B", ms(10), |turn| clocks(turn, "only of B"));
        turn.release(None, ms(10), Task::new(|turn| clocks(turn, "anonymous")));
        turn.set_timeout("A", ms(10), |turn| clocks(turn, "second of A"));
    });
}

/// The tail runs at the end of the action, with every clock frozen; for unlabelled timers, which
/// are actions of their own, it comes between them, as in Node.
#[test]
fn time_5_tail() {
    golden("time_5_tail", |turn| {
        turn.set_timeout("A", ms(10), |turn| {
            show(turn, "f");
            let then = Task::new(say_at("promise of f", "A"));
            turn.queue(Class::Promise, Group::default(), then);
            turn.next_tick(|turn| {
                turn.spend(ms(50));
                say_at("tick of f", "A")(turn);
                turn.next_tick(say_at("tick of the tick", "A"));
            });
        });
        turn.set_timeout("A", ms(10), |turn| {
            show(turn, "g");
            turn.next_tick(say_at("tick of g", "A"));
        });
        turn.set_timeout("B", ms(10), say("h"));
        for _ in 0..2 {
            let anonymous = Task::new(|turn| {
                show(turn, "unlabelled");
                turn.next_tick(say("its tick"));
            });
            turn.release(None, ms(20), anonymous);
        }
    });
}

/// Without delay on the running domain: the next microstep, after the tail, before younger domains.
#[test]
fn time_6_zero_delay() {
    golden("time_6_zero_delay", |turn| {
        turn.set_timeout("A", ms(1_000), |turn| {
            show(turn, "f1");
            turn.next_tick(say("tick"));
            turn.set_timeout("A", ms(0), |turn| {
                show(turn, "z1");
                turn.set_timeout("A", ms(0), say_at("z3", "A"));
            });
        });
        turn.set_timeout("B", ms(1_000), say("younger"));
        turn.set_timeout("A", ms(1_000), |turn| {
            show(turn, "f2");
            turn.set_timeout("A", ms(0), say("z2"));
        });
        turn.set_timeout("A", ms(1_001), say_at("next instant", "A"));
    });
}

/// An asynchronous callback moves no clock, and joins a domain at its last logical time.
#[test]
fn time_7_async() {
    golden("time_7_async", |turn| {
        turn.set_timeout("A", ms(10), say_at("A", "A"));
        turn.set_timeout("A", ms(20), say_at("A", "A"));
        turn.set_timeout("B", ms(100), say_at("B", "B"));
        turn.after_io(ms(15), |turn| {
            let clocks = format!("handler A={} B={}", clock(turn, "A"), clock(turn, "B"));
            show(turn, clocks);
            turn.set_timeout("A", ms(10), say_at("joined", "A"));
            turn.set_timeout("A", ms(0), say_at("joined without delay", "A"));
            turn.set_timeout("B", ms(5), say_at("joined", "B"));
        });
    });
}

/// A program that is always behind keeps its order, one labelled action a turn, and serves its I/O.
#[test]
fn time_8_lateness() {
    golden("time_8_lateness", |turn| {
        let handles = Handles::default();
        let all = handles.clone();
        handles.keep(turn.set_interval("A", ms(10), move |turn| {
            let (now, at) = (turn.now(), clock(turn, "A"));
            show(turn, format!("A@{at} at {now}"));
            turn.spend(ms(25));
            if at == "40" {
                all.clear_all(turn);
            }
        }));
        handles.keep(turn.set_interval("B", ms(20), say_at("B", "B")));
        turn.after_io(ms(15), |turn| {
            show(turn, "answer of 15");
            turn.after_io(ms(0), say("a second answer"));
        });
        turn.after_io(ms(70), say("answer of 70"));
    });
}

/// Clearing is tested at invocation.
#[test]
fn time_9_clear() {
    golden("time_9_clear", |turn| {
        let handles = Handles::default();
        let others = handles.clone();
        handles.keep(turn.set_interval("A", ms(10), move |turn| {
            say_at("clears", "A")(turn);
            let later = turn.clear(others.get(1));
            let own = turn.clear(others.get(0));
            let again = turn.clear(others.get(0));
            let periodic = turn.clear(others.get(3));
            show(turn, format!("later {later}, own {own}, again {again}, periodic {periodic}"));
        }));
        handles.keep(turn.set_timeout("A", ms(10), say("must not run: cleared in its action")));
        turn.set_timeout("A", ms(10), say_at("stays", "A"));
        handles.keep(turn.set_interval("A", ms(5), say_at("every 5", "A")));
        handles.keep(turn.set_interval("B", ms(10), say("must not run: cleared before")));
        let fired = handles.clone();
        turn.set_timeout("A", ms(30), move |turn| {
            let fifth = turn.set_timeout("A", ms(1), say_at("a new handle", "A"));
            let stale = turn.clear(fired.get(1));
            let pending = turn.machine().is_pending(fifth);
            show(turn, format!("stale {stale}, new one pending {pending}"));
            let third = turn.clear(fired.get(2));
            show(turn, format!("every 5 {third}"));
        });
    });
}

/// A callback that throws cuts neither its action nor its own periods.
#[test]
fn time_10_error() {
    golden("time_10_error", |turn| {
        let handles = Handles::default();
        turn.set_timeout("A", ms(10), say("before"));
        let task = Task::fallible(|turn| {
            turn.next_tick(say("tick of the one that throws"));
            Err(format!("broken at {}", clock(turn, "A")))
        });
        let period = hemiola_machine::Period::at_least_one(ms(10), Unit::Millisecond);
        handles.keep(turn.release_every(Some("A"), period, task));
        turn.set_timeout("A", ms(10), say("after"));
        turn.set_timeout("A", ms(20), move |turn| {
            show(turn, "the end");
            handles.clear_all(turn);
        });
    });
}

/// A domain lives while anything of it is outstanding; then its label starts anew.
#[test]
fn time_11_life() {
    golden("time_11_life", |turn| {
        turn.set_timeout("A", ms(1_000), say_at("first life", "A"));
        turn.set_timeout("B", ms(1_000), |turn| {
            say_at("B asks", "B")(turn);
            turn.after_io(ms(2_300), |turn| {
                say_at("B is answered", "B")(turn);
                turn.set_timeout("B", ms(1_000), say_at("no drift", "B"));
            });
        });
        let late = Task::new(|turn| {
            let clocks = format!("A={} B={}", clock(turn, "A"), clock(turn, "B"));
            show(turn, clocks);
            turn.set_timeout("A", ms(1_000), say_at("second life", "A"));
        });
        turn.release(None, ms(5_500), late);
        turn.release(None, ms(6_000), Task::new(say("mid")));
    });
}

/// Whole units, truncated; a period of at least one; nothing wraps; no infinity.
#[test]
fn time_12_numbers() {
    golden("time_12_numbers", |turn| {
        fn delay(number: f64) -> Delay {
            Delay::from_number(number, Unit::Millisecond).expect("the number is finite")
        }
        turn.set_timeout("A", delay(2.9), say_at("2.9", "A"));
        turn.set_timeout("A", delay(f64::NAN), say_at("NaN", "A"));
        turn.set_timeout("A", delay(-7.0), say_at("-7", "A"));
        turn.set_timeout("A", us(1_999), say_at("1999 microseconds", "A"));
        turn.set_timeout("A", delay(2_147_483_648.0), say_at("2^31", "A"));
        if let Err(error) = Delay::from_number(f64::INFINITY, Unit::Millisecond) {
            show(turn, error);
        }
        let handles = Handles::default();
        let own = handles.clone();
        handles.keep(turn.set_interval("B", ms(0), move |turn| {
            say_at("period 0", "B")(turn);
            if clock(turn, "B") == "2" {
                own.clear_all(turn);
            }
        }));
        turn.open("U", Unit::Microsecond);
        let micro = Delay::from_number(1.9, Unit::Microsecond).expect("the number is finite");
        turn.set_timeout("U", micro, say("1.9 microseconds"));
        turn.set_timeout("U", us(1_001), say("1001 microseconds"));
    });
}

/// A clock stands still during an action; a label not in use has none; physical time is live.
#[test]
fn time_13_now() {
    golden("time_13_now", |turn| {
        fn times(turn: &mut Turn<'_>) {
            let (a, b, now) = (clock(turn, "A"), clock(turn, "B"), turn.now());
            show(turn, format!("A={a} B={b} physical {now}"));
        }
        times(turn);
        turn.set_timeout("A", ms(10), |turn| {
            times(turn);
            turn.spend(us(2_500));
            times(turn);
            turn.next_tick(times);
            turn.set_timeout("B", ms(10), times);
        });
        turn.release(None, ms(30), Task::new(times));
        times(turn);
    });
}

/// Lag is physical time less the clock; handlers are told, and a policy drops what was missed.
#[test]
fn time_14_lag() {
    golden("time_14_lag", |turn| {
        fn lag(name: &'static str) -> Task {
            Task::with_input(move |turn, input| {
                let Input::Lag(lag) = input else { return Err("called without a lag".into()) };
                show(turn, format!("{name}: {} us behind", lag.as_micros()));
                Ok(())
            })
        }
        turn.set_policy("A", Policy::Skip);
        turn.on_late("A", ms(4), lag("late"));
        turn.on_lag("A", ms(4), lag("lag"));
        let handles = Handles::default();
        let all = handles.clone();
        handles.keep(turn.set_interval("A", ms(10), move |turn| {
            let lag = turn.lag("A").expect("A is in use").as_micros();
            show(turn, format!("A@{} lag {lag}", clock(turn, "A")));
            match clock(turn, "A").as_str() {
                "10" => turn.spend(ms(35)),
                "50" => turn.spend(ms(16)),
                "60" => turn.spend(ms(9)),
                "80" => {
                    let skipped = turn.skipped("A");
                    show(turn, format!("skipped {skipped}"));
                    all.clear_all(turn);
                }
                _ => {}
            }
        }));
    });
}

/// The three functions of Fig. 1; stops after `observations` of them.
fn figure_1(turn: &mut Turn<'_>, decrement_on: &'static str, observations: u32) {
    let x = Rc::new(Cell::new(0i64));
    let handles = Handles::default();
    let (inc, dec, all) = (x.clone(), x.clone(), handles.clone());
    handles.keep(turn.set_interval("A", ms(1_000), move |_| inc.set(inc.get() + 1)));
    handles.keep(turn.set_interval(decrement_on, ms(2_000), move |_| dec.set(dec.get() - 2)));
    let seen = Cell::new(0);
    handles.keep(turn.set_interval("A", ms(4_000), move |turn| {
        turn.observe(x.get().into());
        seen.set(seen.get() + 1);
        if seen.get() == observations {
            all.clear_all(turn);
        }
    }));
}

/// Section I.D: all three on `A`, the observer sees 0.
#[test]
fn paper_all_on_a() {
    golden("paper_all_on_a", |turn| figure_1(turn, "A", 2));
    assert_eq!(observed(|turn| figure_1(turn, "A", 100)), ["0"; 100]);
}

/// Section I.D: `decrement` on `B`, which is younger: the observer sees 2.
#[test]
fn paper_a_b_a() {
    golden("paper_a_b_a", |turn| figure_1(turn, "B", 2));
    assert_eq!(observed(|turn| figure_1(turn, "B", 100)), ["2"; 100]);
}

/// Fig. 2: the observer joins `A` when a request arrives; it stops after `observations`.
fn figure_2(turn: &mut Turn<'_>, arrival: Delay, observations: u32) {
    let x = Rc::new(Cell::new(0i64));
    let handles = Handles::default();
    let (inc, dec) = (x.clone(), x.clone());
    handles.keep(turn.set_interval("A", ms(1_000), move |_| inc.set(inc.get() + 1)));
    handles.keep(turn.set_interval("A", ms(2_000), move |_| dec.set(dec.get() - 2)));
    turn.after_io(arrival, move |turn| {
        let (x, all, seen) = (x.clone(), handles.clone(), Cell::new(0));
        show(turn, format!("handler sees A={}", clock(turn, "A")));
        handles.keep(turn.set_interval("A", ms(1_000), move |turn| {
            show(turn, format!("{}@{}", x.get(), clock(turn, "A")));
            seen.set(seen.get() + 1);
            if seen.get() == observations {
                all.clear_all(turn);
            }
        }));
    });
}

/// Fig. 3: a request at 1.5 s joins at logical 1000, and sees 0 and 1 in turn from 2000 on.
#[test]
fn paper_fig_3() {
    golden("paper_fig_3", |turn| figure_2(turn, ms(1_500), 4));
}

/// Whenever the request comes, the observer sees 0 and 1 in turn, and which first is the clock's.
#[test]
fn paper_fig_3_for_every_arrival() {
    for arrival in (0..5_000).step_by(10) {
        let joined = arrival / 1_000 * 1_000;
        let mut expected = vec![format!("handler sees A={joined}")];
        expected.extend((1..=6).map(|nth| {
            let at = joined + nth * 1_000;
            format!("{}@{at}", at / 1_000 % 2)
        }));
        let shown = observed(move |turn| figure_2(turn, ms(arrival), 6));
        assert_eq!(shown, expected, "request at {arrival} ms");
    }
}

/// In each action of Fig. 3 what runs is what was released, in that order, and without a gap.
#[test]
fn paper_fig_3_actions_are_atomic() {
    let mut inside = false;
    for event in events(|turn| figure_2(turn, ms(1_500), 4)) {
        match event {
            Event::Began { .. } => assert!(!std::mem::replace(&mut inside, true)),
            Event::Ended { .. } => assert!(std::mem::replace(&mut inside, false)),
            Event::Completed { .. } => assert!(!inside, "nothing comes in while a callback runs"),
            _ => {}
        }
    }
}
