//! What is settled for a label holds until it is forgotten; and what keeps a program alive.

use crate::common::{clock, ms, observed, say, say_at, show, us};
use hemiola_machine::closures::{Task, Turn};
use hemiola_machine::{Input, Policy, Unit, WatchId};
use std::cell::Cell;
use std::rc::Rc;

fn tell(name: &'static str) -> Task {
    Task::with_input(move |turn, input| {
        let Input::Lag(lag) = input else { return Err("called without a lag".into()) };
        show(turn, format!("{name} {}", lag.as_millis()));
        Ok(())
    })
}

/// Lets a clock fall behind: an action at 1 that takes 30 ms, with another due at 2.
fn fall_behind(turn: &mut Turn<'_>) {
    turn.set_timeout("A", ms(1), |turn| turn.spend(ms(30)));
    turn.set_timeout("A", ms(2), say_at("late action", "A"));
}

#[test]
fn time_11_time_14_handlers_outlive_the_domain_and_start_anew_with_the_next() {
    let shown = observed(|turn| {
        turn.on_late("A", ms(5), tell("late"));
        turn.on_lag("A", ms(5), tell("lag"));
        fall_behind(turn);
        turn.release(None, ms(1_000), {
            Task::new(|turn| {
                let clock = clock(turn, "A");
                show(turn, format!("A is {clock}"));
                fall_behind(turn);
            })
        });
    });
    let once = ["late 29", "lag 29"];
    assert_eq!(shown[..2], once);
    assert_eq!(shown[2], "late action@2");
    assert_eq!(shown[3], "A is -");
    assert_eq!(shown[4..6], once);
    assert_eq!(shown[6], "late action@1002");
}

#[test]
fn time_11_time_14_a_policy_and_its_count_outlive_the_domain() {
    // An interval that misses three periods; after its second call the clock is idle.
    fn ticks(turn: &mut Turn<'_>) {
        let handle = Rc::new(Cell::new(None));
        let own = handle.clone();
        let mut first = true;
        handle.set(Some(turn.set_interval("A", ms(10), move |turn| {
            if std::mem::take(&mut first) {
                turn.spend(ms(35));
            } else {
                turn.clear(own.get().expect("it was released"));
            }
        })));
    }
    let shown = observed(|turn| {
        turn.set_policy("A", Policy::Skip);
        ticks(turn);
        turn.release(None, ms(1_000), {
            Task::new(|turn| {
                let skipped = turn.skipped("A");
                show(turn, skipped);
                ticks(turn);
            })
        });
        turn.release(None, ms(2_000), {
            Task::new(|turn| {
                let skipped = turn.skipped("A");
                show(turn, skipped);
                turn.forget_policy("A");
                let skipped = turn.skipped("A");
                show(turn, skipped);
            })
        });
    });
    assert_eq!(shown, ["3", "6", "0"]);
}

#[test]
fn settling_something_does_not_put_a_label_in_use() {
    let shown = observed(|turn| {
        turn.set_policy("A", Policy::Latest);
        turn.on_late("A", ms(1), tell("never"));
        assert!(turn.set_unit("A", Some(Unit::Microsecond)));
        let before = clock(turn, "A");
        show(turn, before);
        turn.release(None, ms(7), {
            Task::new(|turn| {
                // Opened only now, so this is its origin.
                turn.set_timeout("A", us(1), |turn| {
                    let time = turn.clock("A").expect("A is in use").as_micros();
                    show(turn, time);
                });
            })
        });
    });
    assert_eq!(shown, ["-", "7001"]);
}

#[test]
fn time_12_a_unit_is_settled_for_the_domains_to_come() {
    let shown = observed(|turn| {
        turn.set_timeout("A", ms(1), |_| {});
        show(turn, turn.unit("A") == Unit::Millisecond);
        assert!(!turn.set_unit("A", Some(Unit::Microsecond)), "A is in use, in milliseconds");
        assert!(turn.set_unit("A", Some(Unit::Millisecond)));
        assert!(turn.set_unit("B", Some(Unit::Microsecond)));
        show(turn, turn.unit("B") == Unit::Microsecond);
        turn.set_timeout("B", us(3), |turn| {
            assert!(turn.set_unit("B", None), "it may be left open while B is in use");
            show(turn, turn.unit("B") == Unit::Microsecond);
        });
        turn.release(None, ms(9), {
            Task::new(|turn| show(turn, turn.unit("B") == Unit::Millisecond))
        });
    });
    assert_eq!(shown, ["true"; 4]);
}

#[test]
fn time_14_handlers_come_and_go_while_they_are_called() {
    let shown = observed(|turn| {
        let second: Rc<Cell<Option<WatchId>>> = Rc::default();
        let other = second.clone();
        turn.on_late("A", ms(5), {
            Task::new(move |turn| {
                show(turn, "first");
                if let Some(second) = other.take() {
                    turn.remove_watch("A", second);
                    turn.on_late("A", ms(5), tell("new"));
                }
            })
        });
        second.set(Some(turn.on_late("A", ms(5), tell("second"))));
        turn.on_late("A", ms(5), tell("third"));
        for at in [1, 2, 3] {
            turn.set_timeout("A", ms(at), move |turn| {
                show(turn, at);
                if at == 1 {
                    turn.spend(ms(30));
                }
            });
        }
    });
    assert_eq!(shown, ["1", "first", "third 29", "2", "first", "third 28", "new 28", "3"]);
}

#[test]
fn time_14_a_handler_may_remove_itself() {
    let shown = observed(|turn| {
        let own: Rc<Cell<Option<WatchId>>> = Rc::default();
        let id = own.clone();
        let handler = Task::new(move |turn| {
            show(turn, "told");
            turn.remove_watch("A", id.get().expect("it was attached"));
        });
        own.set(Some(turn.on_late("A", ms(5), handler)));
        for at in [1, 2, 3] {
            turn.set_timeout("A", ms(at), |turn| turn.spend(ms(30)));
        }
    });
    assert_eq!(shown, ["told"]);
}

#[test]
fn what_keeps_nothing_alive_does_not_run_at_the_end() {
    let shown = observed(|turn| {
        turn.set_immediate(say("must not run"));
        turn.set_ready_referenced(false);
    });
    assert!(shown.is_empty());
    let shown = observed(|turn| {
        let handle = turn.release(None, ms(1), Task::new(say("must not run")));
        turn.set_referenced(handle, false);
        turn.spend(ms(5));
    });
    assert!(shown.is_empty(), "not even when it is due");
}

#[test]
fn what_keeps_nothing_alive_runs_while_something_else_does() {
    let shown = observed(|turn| {
        turn.set_immediate(|turn| {
            turn.set_ready_referenced(true);
            show(turn, "runs");
        });
        turn.set_ready_referenced(false);
        turn.release(None, ms(1), Task::new(say("timer")));
        turn.next_tick(say("tick"));
    });
    assert_eq!(shown, ["tick", "runs", "timer"]);
}

#[test]
fn a_program_lives_while_it_is_kept_alive() {
    let program = |kept: bool| {
        move |turn: &mut Turn<'_>| {
            let handle = turn.release(None, ms(1), {
                Task::new(move |turn| {
                    show(turn, "message");
                    turn.let_end();
                })
            });
            turn.set_referenced(handle, false);
            if kept {
                turn.keep_alive();
            }
        }
    };
    assert_eq!(observed(program(true)), ["message"]);
    assert!(observed(program(false)).is_empty());
}
