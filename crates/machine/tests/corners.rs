//! Corners of the rules of time: programs whose outcome is easy to get wrong.

use crate::common::{Handles, clock, events, ms, observed, say, say_at, show, us};
use hemiola_machine::closures::{Closures, Latency, Task, Turn, run_with};
use hemiola_machine::{
    Class, Delay, Event, First, Group, Input, Invocation, Machine, Named, Outcome, Period, Policy,
    Silent, Simulated, Step, Unit,
};
use std::cell::Cell;
use std::rc::Rc;

/// The labels that the trace opens and the ordinals that it collects, in order.
fn lives(events: &[Event]) -> Vec<String> {
    let mut opened = std::collections::BTreeMap::new();
    let mut lives = Vec::new();
    for event in events {
        match event {
            Event::Opened { domain, label, origin } => {
                assert!(opened.insert(*domain, label.clone()).is_none(), "an ordinal is new");
                lives.push(format!("+{label}@{}", origin.as_millis()));
            }
            Event::Collected { domain } => lives.push(format!("-{}", opened[domain])),
            _ => {}
        }
    }
    lives
}

mod clearing {
    use super::*;

    #[test]
    fn a_periodic_member_is_cleared_by_an_earlier_one_of_its_action() {
        let shown = observed(|turn| {
            let handles = Handles::default();
            let other = handles.clone();
            turn.set_timeout("A", ms(20), move |turn| {
                show(turn, "clears");
                other.clear_all(turn);
            });
            handles.keep(turn.set_interval("A", ms(10), say_at("every 10", "A")));
            turn.set_timeout("A", ms(40), say_at("end", "A"));
        });
        assert_eq!(shown, ["every 10@10", "clears", "end@40"]);
    }

    #[test]
    fn a_later_member_clears_an_earlier_one_only_for_the_next_time() {
        let shown = observed(|turn| {
            let handles = Handles::default();
            let other = handles.clone();
            handles.keep(turn.set_interval("A", ms(10), say_at("every 10", "A")));
            turn.set_timeout("A", ms(20), move |turn| other.clear_all(turn));
            turn.set_timeout("A", ms(50), say_at("end", "A"));
        });
        assert_eq!(shown, ["every 10@10", "every 10@20", "end@50"]);
    }

    #[test]
    fn what_clears_itself_finishes_and_does_not_come_again() {
        let shown = observed(|turn| {
            let own = Handles::default();
            let handles = own.clone();
            own.keep(turn.set_interval("A", ms(10), move |turn| {
                show(turn, "before");
                handles.clear_all(turn);
                // The domain is empty, but its action is not over: this joins it (rule TIME-11).
                turn.set_timeout("A", ms(5), say_at("joined", "A"));
                show(turn, "after");
            }));
        });
        assert_eq!(shown, ["before", "after", "joined@15"]);
    }

    #[test]
    fn a_one_shot_may_clear_itself_while_it_runs() {
        let program = |turn: &mut Turn<'_>| {
            let own = Handles::default();
            let handles = own.clone();
            own.keep(turn.set_timeout("A", ms(10), move |turn| {
                handles.clear_all(turn);
                show(turn, turn.machine().pending_timers());
            }));
        };
        assert_eq!(observed(program), ["0"]);
        assert_eq!(lives(&events(program)), ["+A@0", "-A"]);
    }

    #[test]
    fn a_tick_in_the_tail_clears_a_periodic_one_of_the_same_action() {
        for label in [Some("A"), None] {
            let shown = observed(move |turn| {
                let own = Handles::default();
                let handles = own.clone();
                let task = Task::new(move |turn| {
                    show(turn, "runs");
                    let handles = handles.clone();
                    turn.next_tick(move |turn| handles.clear_all(turn));
                });
                let period = Period::at_least_one(ms(10), Unit::Millisecond);
                own.keep(turn.release_every(label, period, task));
                turn.release(label, ms(50), Task::new(say("end")));
            });
            assert_eq!(shown, ["runs", "end"], "label {label:?}");
        }
    }

    #[test]
    fn unlabelled_timers_of_one_instant_can_clear_each_other() {
        let shown = observed(|turn| {
            let handles = Handles::default();
            let other = handles.clone();
            turn.release(None, ms(10), Task::new(move |turn| other.clear_all(turn)));
            let period = Period::at_least_one(ms(10), Unit::Millisecond);
            handles.keep(turn.release(None, ms(10), Task::new(say("must not run"))));
            handles.keep(turn.release_every(None, period, Task::new(say("must not run"))));
            turn.release(None, ms(10), Task::new(say("runs")));
        });
        assert_eq!(shown, ["runs"]);
    }

    #[test]
    fn a_handle_of_something_that_ran_clears_nothing_else() {
        let shown = observed(|turn| {
            let handles = Handles::default();
            handles.keep(turn.set_timeout("A", ms(1), say("ran")));
            turn.set_timeout("A", ms(2), move |turn| {
                // Takes the place in memory of the one that ran.
                turn.set_timeout("A", ms(1), say("runs too"));
                let cleared = turn.clear(handles.get(0));
                show(turn, cleared);
            });
        });
        assert_eq!(shown, ["ran", "false", "runs too"]);
    }

    #[test]
    fn an_asynchronous_callback_clears_what_is_late() {
        let shown = observed(|turn| {
            let handles = Handles::default();
            turn.set_immediate(|turn| turn.spend(ms(30)));
            handles.keep(turn.set_timeout("A", ms(20), say("must not run")));
            turn.after_io(ms(10), move |turn| handles.clear_all(turn));
        });
        assert!(shown.is_empty(), "{shown:?}");
    }
}

mod zero_delay {
    use super::*;

    #[test]
    fn a_chain_takes_a_microstep_for_each_link() {
        fn link(turn: &mut Turn<'_>, left: u32) {
            show(turn, format!("{left}@{}", clock(turn, "A")));
            if left > 0 {
                turn.set_timeout("A", ms(0), move |turn| link(turn, left - 1));
            }
        }
        let program = |turn: &mut Turn<'_>| {
            turn.set_timeout("A", ms(7), |turn| link(turn, 3));
            turn.set_timeout("B", ms(7), say("younger"));
        };
        assert_eq!(observed(program), ["3@7", "2@7", "1@7", "0@7", "younger"]);
        let microsteps = |event: &Event| match event {
            Event::Began { tag: Some(tag), .. } => Some(tag.microstep.0),
            _ => None,
        };
        let microsteps: Vec<_> = events(program).iter().filter_map(microsteps).collect();
        assert_eq!(microsteps, [0, 1, 2, 3, 0]);
    }

    #[test]
    fn the_main_program_may_release_for_the_origin_itself() {
        let shown = observed(|turn| {
            turn.set_timeout("A", ms(0), |turn| {
                show(turn, "first");
                turn.set_timeout("A", ms(0), say("third"));
            });
            turn.set_timeout("A", ms(0), say("second"));
        });
        assert_eq!(shown, ["first", "second", "third"]);
    }

    #[test]
    fn on_an_older_domain_it_comes_straight_after_the_running_action() {
        let shown = observed(|turn| {
            turn.set_timeout("A", ms(10), say_at("A", "A"));
            turn.set_timeout("A", ms(99), say_at("A", "A"));
            turn.set_timeout("B", ms(10), |turn| {
                show(turn, "B");
                turn.set_timeout("A", ms(0), say_at("A again", "A"));
            });
            turn.set_timeout("C", ms(10), say("C"));
        });
        assert_eq!(shown, ["A@10", "B", "A again@10", "C", "A@99"]);
    }

    #[test]
    fn on_a_younger_domain_it_comes_before_what_that_domain_has_pending() {
        let shown = observed(|turn| {
            turn.set_timeout("A", ms(10), |turn| {
                show(turn, "A");
                // C stands at 0, so this is before everything else that is pending.
                turn.set_timeout("C", ms(0), say_at("C", "C"));
            });
            turn.set_timeout("B", ms(10), say("B"));
            turn.set_timeout("C", ms(10), say_at("C", "C"));
        });
        assert_eq!(shown, ["A", "C@0", "B", "C@10"]);
    }

    #[test]
    fn a_delay_goes_back_to_microstep_zero() {
        let program = |turn: &mut Turn<'_>| {
            turn.set_timeout("A", ms(5), |turn| {
                turn.set_timeout("A", ms(0), |turn| {
                    turn.set_timeout("A", ms(5), say("both"));
                });
                turn.set_timeout("A", ms(5), say("both"));
            });
        };
        let tags = |event: &Event| match event {
            Event::Began { tag: Some(tag), .. } => Some(tag.to_string()),
            _ => None,
        };
        let tags: Vec<_> = events(program).iter().filter_map(tags).collect();
        assert_eq!(tags, ["0.005+0", "0.005+1", "0.010+0", "0.010+0"]);
    }
}

mod domains {
    use super::*;

    #[test]
    fn a_domain_joined_late_catches_up_before_anything_else_runs() {
        let shown = observed(|turn| {
            turn.set_timeout("A", ms(100), say_at("A", "A"));
            turn.set_timeout("B", ms(50), |turn| {
                show(turn, "B");
                // A is older and still at 0: all of these are in the past, and keep their order.
                turn.set_timeout("A", ms(40), say_at("A", "A"));
                turn.set_timeout("A", ms(10), say_at("A", "A"));
                turn.set_timeout("A", ms(60), say_at("A", "A"));
            });
            turn.set_timeout("C", ms(50), say("C"));
        });
        assert_eq!(shown, ["B", "A@10", "A@40", "C", "A@60", "A@100"]);
    }

    #[test]
    fn an_unlabelled_timer_is_ordered_by_its_creation_among_labelled_domains() {
        let shown = observed(|turn| {
            turn.release(None, ms(10), Task::new(say("first")));
            turn.set_timeout("A", ms(10), say("A"));
            turn.release(None, ms(10), Task::new(say("second")));
            turn.set_timeout("B", ms(10), say("B"));
            turn.release(None, ms(10), Task::new(say("third")));
            turn.set_timeout("A", ms(10), say("A"));
        });
        assert_eq!(shown, ["first", "A", "A", "second", "B", "third"]);
    }

    #[test]
    fn a_label_starts_anew_after_collection() {
        let events = events(|turn| {
            turn.set_timeout("A", ms(10), |_| {});
            turn.set_timeout("B", ms(30), |turn| {
                turn.set_timeout("A", ms(10), |_| {});
            });
            // The second A is younger than B now, the first was older.
            turn.set_timeout("B", ms(40), |_| {});
        });
        assert_eq!(lives(&events), ["+A@0", "+B@0", "-A", "+A@30", "-B", "-A"]);
    }

    #[test]
    fn a_label_used_again_within_the_tail_is_the_same_domain() {
        let events = events(|turn| {
            turn.set_timeout("A", ms(10), |turn| {
                turn.spend(ms(500));
                turn.next_tick(|turn| {
                    turn.set_timeout("A", ms(10), say_at("still", "A"));
                });
            });
        });
        assert_eq!(lives(&events), ["+A@0", "-A"]);
        assert!(events.contains(&Event::Observed("still@20".into())));
    }

    #[test]
    fn an_io_loop_keeps_its_domain_and_does_not_drift() {
        fn again(turn: &mut Turn<'_>, left: u32) {
            show(turn, clock(turn, "A"));
            if left > 0 {
                turn.after_io(ms(37), move |turn| again(turn, left - 1));
            } else {
                turn.set_timeout("A", ms(5), say_at("timed", "A"));
            }
        }
        let program = |turn: &mut Turn<'_>| {
            turn.set_timeout("A", ms(10), |turn| again(turn, 3));
        };
        assert_eq!(observed(program), ["10", "10", "10", "10", "timed@15"]);
        assert_eq!(lives(&events(program)), ["+A@0", "-A"]);
    }

    #[test]
    fn a_continuation_that_a_host_holds_keeps_the_domain() {
        let events = events(|turn| {
            turn.set_timeout("A", ms(10), |turn| {
                let held = turn.hold();
                let resolve = Task::new(move |turn: &mut Turn<'_>| {
                    show(turn, clock(turn, "A"));
                    turn.drop_hold(held);
                    turn.drop_hold(None);
                });
                turn.release(None, ms(90), resolve);
            });
        });
        assert!(events.contains(&Event::Observed("10".into())));
        assert_eq!(lives(&events), ["+A@0", "-A"]);
    }

    #[test]
    fn a_domain_that_nobody_used_goes_after_the_action_that_opened_it() {
        let events = events(|turn| {
            turn.open("A", Unit::Microsecond);
            turn.next_tick(|turn| show(turn, clock(turn, "A")));
            turn.set_immediate(|turn| show(turn, clock(turn, "A")));
        });
        assert_eq!(lives(&events), ["+A@0", "-A"]);
        let shown: Vec<_> = events.iter().filter(|e| matches!(e, Event::Observed(_))).collect();
        assert_eq!(shown, [&Event::Observed("0".into()), &Event::Observed("-".into())]);
    }

    #[test]
    fn any_text_is_a_label() {
        let shown = observed(|turn| {
            for label in ["", "__proto__", "naïve λ", "A B"] {
                turn.set_timeout(label, ms(1), move |turn| {
                    let text = format!("{label:?}@{}", clock(turn, label));
                    show(turn, text);
                });
            }
        });
        assert_eq!(shown, [r#"""@1"#, r#""__proto__"@1"#, r#""naïve λ"@1"#, r#""A B"@1"#]);
    }

    #[test]
    fn a_microsecond_domain_has_microsecond_periods() {
        let shown = observed(|turn| {
            turn.open("U", Unit::Microsecond);
            let handles = Handles::default();
            let own = handles.clone();
            let times = Cell::new(0);
            handles.keep(turn.set_interval("U", us(250), move |turn| {
                show(turn, turn.clock("U").expect("U is in use"));
                times.set(times.get() + 1);
                if times.get() == 3 {
                    own.clear_all(turn);
                }
            }));
            let shortest = Handles::default();
            let own = shortest.clone();
            shortest.keep(turn.set_interval("U", us(0), move |turn| {
                show(turn, turn.clock("U").expect("U is in use"));
                own.clear_all(turn);
            }));
        });
        assert_eq!(shown, ["0.000001", "0.000250", "0.000500", "0.000750"]);
    }

    #[test]
    fn a_millisecond_domain_knows_whole_milliseconds_only() {
        let events = events(|turn| {
            turn.spend(us(1_300));
            for label in [Some("A"), None] {
                turn.release(label, us(2_999), Task::new(|_| {}));
                let period = Period::at_least_one(us(1_999), Unit::Microsecond);
                let handle = turn.release_every(label, period, Task::new(|_| {}));
                turn.clear(handle);
            }
        });
        let released = |event: &Event| match event {
            Event::Released { tag, period, .. } => {
                Some((tag.time.as_micros(), period.map(|period| period.delay())))
            }
            _ => None,
        };
        let released: Vec<_> = events.iter().filter_map(released).collect();
        assert_eq!(released, [(3_000, None), (2_000, Some(ms(1)))].repeat(2));
    }
}

mod lateness {
    use super::*;

    #[test]
    fn one_labelled_action_for_each_turn_of_the_loop() {
        let shown = observed(|turn| {
            turn.set_timeout("A", ms(10), |turn| {
                show(turn, "A@10");
                turn.set_immediate(say("immediate"));
            });
            turn.set_timeout("A", ms(20), say("A@20"));
            turn.set_timeout("B", ms(20), say("B@20"));
            turn.spend(ms(100));
            turn.set_immediate(say("immediate of main"));
        });
        assert_eq!(shown, ["A@10", "immediate of main", "immediate", "A@20", "B@20"]);
    }

    #[test]
    fn a_completion_from_before_the_due_instant_goes_first() {
        let program = |answer: u64| {
            move |turn: &mut Turn<'_>| {
                turn.set_immediate(|turn| turn.spend(ms(30)));
                turn.set_timeout("A", ms(20), say("A"));
                turn.after_io(ms(answer), say("io"));
            }
        };
        assert_eq!(observed(program(19)), ["io", "A"]);
        assert_eq!(observed(program(20)), ["A", "io"], "not before: at the same instant");
        assert_eq!(observed(program(21)), ["A", "io"]);
    }

    #[test]
    fn an_interval_that_is_always_late_lets_io_run() {
        fn ask(turn: &mut Turn<'_>, answers: Rc<Cell<u32>>) {
            turn.after_io(ms(1), move |turn| {
                answers.set(answers.get() + 1);
                ask(turn, answers.clone());
            });
        }
        let rounds = 500;
        let run = |label: Option<&'static str>| {
            let answers = Rc::new(Cell::new(0));
            let (counted, late) = (answers.clone(), Cell::new(0));
            let mut machine = Machine::new(Task::new(move |turn| {
                ask(turn, counted.clone());
                let late = late.clone();
                let period = Period::at_least_one(ms(1), Unit::Millisecond);
                let work = Task::new(move |turn| {
                    turn.spend(ms(10));
                    late.set(late.get() + 1);
                    if late.get() == rounds {
                        turn.observe("done".into());
                    }
                });
                turn.release_every(label, period, work);
            }));
            let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
            let mut events = Vec::new();
            while !events.contains(&Event::Observed("done".into())) {
                events.clear();
                let (strategy, host) = (&Named::NodePhases, &mut Closures);
                machine.step(host, strategy, &mut world, &mut First, &mut events);
            }
            answers.get()
        };
        // Each turn runs one late action, which lets the next answer become ready.
        assert!(run(Some("A")) >= rounds - 1);
        assert!(run(None) >= rounds - 1, "an unlabelled interval comes once a turn as well");
    }

    #[test]
    fn nothing_is_dropped_or_merged_when_the_program_falls_behind() {
        let shown = observed(|turn| {
            let handles = Handles::default();
            let all = handles.clone();
            handles.keep(turn.set_interval("A", ms(20), |turn| {
                say_at("p", "A")(turn);
                turn.spend(ms(30));
            }));
            let seen = Cell::new(0);
            handles.keep(turn.set_interval("A", ms(40), move |turn| {
                say_at("q", "A")(turn);
                seen.set(seen.get() + 1);
                if seen.get() == 2 {
                    all.clear_all(turn);
                }
            }));
        });
        assert_eq!(shown, ["p@20", "p@40", "q@40", "p@60", "p@80", "q@80"]);
    }

    /// Rule TIME-14: a handler is told of an action once, whatever it releases before it.
    #[test]
    fn a_late_handler_that_releases_on_its_own_clock_does_not_livelock() {
        let shown = observed(|turn| {
            let handler = Task::new(|turn| {
                show(turn, "late");
                turn.set_timeout("A", ms(0), say_at("made up for", "A"));
            });
            turn.on_late("A", ms(5), handler);
            turn.set_timeout("A", ms(10), |turn| turn.spend(ms(30)));
            turn.set_timeout("A", ms(20), say_at("action", "A"));
            turn.set_timeout("A", ms(100), say_at("in time", "A"));
        });
        assert_eq!(shown, ["late", "made up for@10", "action@20", "in time@100"]);
    }

    /// Rule TIME-8: zero delays without end let answers and immediates in.
    #[test]
    fn endless_microsteps_let_others_have_a_turn() {
        fn again(turn: &mut Turn<'_>, goes_on: Rc<Cell<bool>>, steps: Rc<Cell<u32>>) {
            steps.set(steps.get() + 1);
            if goes_on.get() {
                let (goes_on, steps) = (goes_on.clone(), steps.clone());
                turn.set_timeout("A", ms(0), move |turn| {
                    again(turn, goes_on.clone(), steps.clone());
                });
            }
        }
        let shown = observed(|turn| {
            let (goes_on, steps) = (Rc::new(Cell::new(true)), Rc::new(Cell::new(0)));
            again(turn, goes_on.clone(), steps.clone());
            turn.set_immediate(say("immediate"));
            turn.after_io(ms(3), move |turn| {
                show(turn, format!("io {}", steps.get() < 6_000));
                goes_on.set(false);
            });
        });
        assert_eq!(shown, ["immediate", "io true"]);
    }

    #[test]
    fn which_comes_first_after_a_wait_does_not_depend_on_the_phase() {
        // At 20 and 40 an action and an answer tie. Before 20 the loop has waited with its timers
        // phase behind it, before 40 at the end of a turn.
        let shown = observed(|turn| {
            for at in [10, 20, 40] {
                turn.set_timeout("A", ms(at), say("A"));
            }
            for at in [20, 30, 40] {
                turn.after_io(ms(at), say("io"));
            }
        });
        assert_eq!(shown, ["A", "A", "io", "io", "A", "io"]);
    }
}

mod errors {
    use super::*;

    #[test]
    fn every_member_of_an_action_may_throw() {
        let events = events(|turn| {
            for name in ["one", "two", "three"] {
                let task = Task::fallible(move |_| Err(name.to_owned()));
                turn.release(Some("A"), ms(10), task);
            }
            turn.set_timeout("A", ms(10), say("four"));
            turn.next_tick(say("tick"));
        });
        let ends = |event: &Event| match event {
            Event::Ended { outcome: Outcome::Threw(error), .. } => Some(error.clone()),
            Event::Observed(value) => Some(value.to_string()),
            _ => None,
        };
        let ends: Vec<_> = events.iter().filter_map(ends).collect();
        assert_eq!(ends, ["tick", "one", "two", "three", "four"]);
        assert_eq!(lives(&events), ["+A@0", "-A"], "a one-shot that throws is gone all the same");
    }

    #[test]
    fn one_that_clears_itself_and_throws_does_not_come_again() {
        let shown = observed(|turn| {
            let own = Handles::default();
            let handles = own.clone();
            let task = Task::fallible(move |turn| {
                show(turn, "once");
                handles.clear_all(turn);
                Err("broken".into())
            });
            let period = Period::at_least_one(ms(10), Unit::Millisecond);
            own.keep(turn.release_every(Some("A"), period, task));
            turn.set_timeout("A", ms(40), say("end"));
        });
        assert_eq!(shown, ["once", "end"]);
    }
}

mod policies {
    use super::*;

    /// An interval of 10 ms that is held up for `busy` at its first action, until it has come
    /// `count` times; and a one-shot of the same domain at 30, which no policy may drop.
    fn held_up(policy: Policy, busy: Delay, count: u32) -> (Vec<String>, Vec<String>) {
        let program = move |turn: &mut Turn<'_>| {
            turn.set_policy("A", policy);
            let handles = Handles::default();
            let all = handles.clone();
            let seen = Cell::new(0);
            handles.keep(turn.set_interval("A", ms(10), move |turn| {
                let now = turn.now();
                show(turn, format!("{} at {now}", clock(turn, "A")));
                seen.set(seen.get() + 1);
                if seen.get() == 1 {
                    turn.spend(busy);
                }
                if seen.get() == count {
                    all.clear_all(turn);
                }
            }));
            turn.set_timeout("A", ms(30), say_at("once", "A"));
        };
        let skips = |event: &Event| match event {
            Event::Skipped { count, until, .. } => Some(format!("{count} until {until}")),
            _ => None,
        };
        (observed(program), events(program).iter().filter_map(skips).collect())
    }

    #[test]
    fn all_runs_every_missed_instant() {
        let (shown, skips) = held_up(Policy::All, ms(35), 5);
        let expected =
            ["10 at 0.010", "20 at 0.045", "30 at 0.045", "once@30", "40 at 0.045", "50 at 0.050"];
        assert_eq!(shown, expected);
        assert!(skips.is_empty());
    }

    #[test]
    fn skip_goes_on_at_the_next_instant_that_is_ahead() {
        let (shown, skips) = held_up(Policy::Skip, ms(35), 3);
        assert_eq!(shown, ["10 at 0.010", "once@30", "50 at 0.050", "60 at 0.060"]);
        assert_eq!(skips, ["3 until 0.050"]);
    }

    #[test]
    fn latest_runs_once_for_the_latest_missed_instant() {
        let (shown, skips) = held_up(Policy::Latest, ms(35), 3);
        assert_eq!(shown, ["10 at 0.010", "once@30", "40 at 0.045", "50 at 0.050"]);
        assert_eq!(skips, ["2 until 0.040"]);
    }

    #[test]
    fn less_than_a_period_behind_is_not_missed() {
        for policy in [Policy::Skip, Policy::Latest] {
            let (shown, skips) = held_up(policy, us(19_999), 3);
            let expected = ["10 at 0.010", "20 at 0.029999", "30 at 0.030", "once@30"];
            assert_eq!(shown, expected, "{policy:?}");
            assert!(skips.is_empty());
        }
    }

    #[test]
    fn intervals_that_meet_again_keep_their_release_order() {
        let shown = observed(|turn| {
            turn.set_policy("A", Policy::Skip);
            let handles = Handles::default();
            let all = handles.clone();
            handles.keep(turn.set_interval("A", ms(10), |turn| {
                say_at("first", "A")(turn);
                if clock(turn, "A") == "10" {
                    turn.spend(ms(35));
                }
            }));
            // By now the first waits for 50, while A still stands at 10: the second would be due at
            // 20, is skipped in its turn, and meets the first at 50.
            turn.after_io(ms(46), move |turn| {
                all.keep(turn.set_interval("A", ms(10), say_at("second", "A")));
                let all = all.clone();
                turn.set_timeout("A", ms(50), move |turn| all.clear_all(turn));
            });
        });
        assert_eq!(shown, ["first@10", "first@50", "second@50", "first@60", "second@60"]);
    }

    #[test]
    fn intervals_with_another_phase_are_skipped_on_their_own() {
        let shown = observed(|turn| {
            turn.set_policy("A", Policy::Skip);
            let handles = Handles::default();
            let all = handles.clone();
            handles.keep(turn.set_interval("A", ms(10), say_at("ten", "A")));
            handles.keep(turn.set_interval("A", ms(40), say_at("forty", "A")));
            turn.set_timeout("A", ms(5), move |turn| {
                turn.spend(ms(38));
                let all = all.clone();
                turn.set_timeout("A", ms(60), move |turn| all.clear_all(turn));
            });
        });
        // At 43 the instants 10 to 40 of the one are gone; the other is only 3 behind.
        assert_eq!(shown, ["forty@40", "ten@50", "ten@60"]);
    }

    #[test]
    fn cleared_ones_are_not_counted_as_dropped() {
        let events = events(|turn| {
            turn.set_policy("A", Policy::Skip);
            let handles = Handles::default();
            handles.keep(turn.set_interval("A", ms(10), |_| {}));
            let all = handles.clone();
            turn.set_timeout("A", ms(5), move |turn| {
                turn.spend(ms(100));
                all.clear_all(turn);
            });
            turn.set_timeout("A", ms(10), |turn| {
                let skipped = turn.skipped("A");
                show(turn, skipped);
            });
        });
        assert!(events.contains(&Event::Observed("0".into())));
        assert!(!events.iter().any(|event| matches!(event, Event::Skipped { .. })));
    }
}

mod lag {
    use super::*;

    fn tell(name: &'static str) -> Task {
        Task::with_input(move |turn, input| {
            let Input::Lag(lag) = input else { return Err("called without a lag".into()) };
            show(turn, format!("{name} {}", lag.as_millis()));
            Ok(())
        })
    }

    #[test]
    fn on_late_comes_each_time_and_on_lag_once_until_recovered() {
        let shown = observed(|turn| {
            turn.on_late("A", ms(5), tell("late"));
            turn.on_lag("A", ms(5), tell("lag"));
            for (at, busy) in [(10, 17), (20, 10), (30, 0), (50, 16), (60, 0)] {
                turn.set_timeout("A", ms(at), move |turn| {
                    show(turn, at);
                    turn.spend(ms(busy));
                });
            }
        });
        let expected =
            ["10", "late 7", "lag 7", "20", "late 7", "30", "50", "late 6", "lag 6", "60"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn the_threshold_itself_is_not_late() {
        let shown = observed(|turn| {
            turn.on_late("A", ms(5), tell("late"));
            turn.set_timeout("A", ms(10), |turn| turn.spend(ms(15)));
            turn.set_timeout("A", ms(20), say("in time"));
        });
        assert_eq!(shown, ["in time"]);
    }

    #[test]
    fn a_handler_is_linked_to_who_attached_it_and_runs_before_the_action() {
        let events = events(|turn| {
            turn.set_timeout("A", ms(10), |turn| {
                turn.on_late("A", ms(1), tell("late"));
                turn.spend(ms(20));
            });
            turn.set_timeout("A", ms(20), say("action"));
        });
        let links = |event: &Event| match event {
            Event::Began { invocation, link, .. } => Some((*invocation, *link)),
            _ => None,
        };
        let links: Vec<_> = events.iter().filter_map(links).collect();
        let numbers = [(1, 1), (2, 1), (3, 2), (4, 1)];
        assert_eq!(links, numbers.map(|(own, link)| (Invocation(own), Invocation(link))));
    }

    #[test]
    fn a_handler_may_clear_what_is_late() {
        let shown = observed(|turn| {
            let handles = Handles::default();
            let late = handles.clone();
            let handler = Task::new(move |turn| {
                show(turn, "gives up");
                late.clear_all(turn);
            });
            turn.on_late("A", ms(1), handler);
            handles.keep(turn.set_timeout("A", ms(10), say("must not run")));
            turn.spend(ms(20));
        });
        assert_eq!(shown, ["gives up"]);
    }

    #[test]
    fn a_handler_that_throws_is_still_there_the_next_time() {
        let shown = observed(|turn| {
            let handler = Task::fallible(|turn| {
                show(turn, "told");
                Err("broken".into())
            });
            turn.on_late("A", ms(1), handler);
            turn.set_timeout("A", ms(10), say("one"));
            turn.set_timeout("A", ms(11), say("two"));
            turn.spend(ms(20));
        });
        assert_eq!(shown, ["told", "one", "told", "two"]);
    }
}

mod end_of_time {
    use super::*;

    #[test]
    fn what_is_due_at_the_end_of_time_never_comes_and_keeps_nobody_waiting() {
        let forever = Delay::from_number(1e300, Unit::Millisecond).expect("the number is finite");
        let shown = observed(move |turn| {
            turn.set_timeout("A", forever, say("must not run"));
            turn.set_interval("A", forever, say("must not run"));
            turn.set_interval("B", forever, say("must not run"));
            turn.release(None, forever, Task::new(say("must not run")));
            let period = Period::at_least_one(forever, Unit::Millisecond);
            turn.release_every(None, period, Task::new(say("must not run")));
            turn.after_io(forever, say("must not run"));
            turn.set_timeout("A", ms(5), say_at("runs", "A"));
        });
        assert_eq!(shown, ["runs@5"]);
    }

    #[test]
    fn an_interval_may_run_into_the_end_of_time() {
        let half = Delay::from_micros(u64::MAX / 2);
        let shown = observed(move |turn| {
            turn.open("U", Unit::Microsecond);
            turn.set_interval("U", half, say("runs"));
            turn.set_timeout("U", ms(1), move |turn| {
                turn.set_interval("U", half, say("runs too"));
            });
        });
        // The first comes at a half and just before the end; the other's second time would be past.
        assert_eq!(shown, ["runs", "runs too", "runs"]);
    }

    #[test]
    fn a_computation_without_end_leaves_what_was_due_before_it() {
        let shown = observed(|turn| {
            turn.set_timeout("A", ms(5), say("runs"));
            turn.set_timeout("A", us(u64::MAX), say("must not run"));
            turn.spend(us(u64::MAX));
        });
        assert_eq!(shown, ["runs"]);
    }
}

mod loop_order {
    use super::*;

    #[test]
    fn ticks_go_before_promises_and_both_before_anything_else() {
        let shown = observed(|turn| {
            let promise = |name| Task::new(say(name));
            turn.set_immediate(say("immediate"));
            turn.queue(Class::Promise, Group::default(), promise("promise 1"));
            turn.next_tick(say("tick"));
            let nested = Task::new(|turn: &mut Turn<'_>| {
                show(turn, "promise 2");
                turn.next_tick(say("tick of promise 2"));
                turn.queue(Class::Promise, Group::default(), Task::new(say("promise 3")));
            });
            turn.queue(Class::Promise, Group::default(), nested);
        });
        let expected =
            ["tick", "promise 1", "promise 2", "promise 3", "tick of promise 2", "immediate"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn immediates_of_immediates_wait_for_the_next_turn() {
        let shown = observed(|turn| {
            turn.set_immediate(|turn| {
                show(turn, "one");
                turn.after_io(ms(0), say("io"));
                turn.set_immediate(say("three"));
            });
            turn.set_immediate(say("two"));
        });
        assert_eq!(shown, ["one", "two", "io", "three"]);
    }

    #[test]
    fn a_silent_run_does_the_same() {
        let total = Rc::new(Cell::new(0));
        let counted = total.clone();
        let program = move |turn: &mut Turn<'_>| {
            for delay in 0..100 {
                let counted = counted.clone();
                let task = Task::new(move |_| counted.set(counted.get() + 1));
                turn.release(["A", "B"].get(delay % 3).copied(), ms(delay as u64), task);
            }
        };
        let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
        run_with(program, &Named::NodePhases, &mut world, &mut First, &mut Silent);
        assert_eq!(total.get(), 100);
    }

    #[test]
    fn a_finished_machine_stays_finished() {
        let mut machine = Machine::new(Task::new(|_| {}));
        let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
        let mut step =
            || machine.step(&mut Closures, &Named::NodePhases, &mut world, &mut First, &mut Silent);
        assert_eq!([step(), step(), step()], [Step::Moved, Step::Finished, Step::Finished]);
    }
}

mod precedence {
    use super::*;

    #[test]
    fn time_9_an_action_that_clears_all_of_itself_may_release_anew() {
        let shown = observed(|turn| {
            let handles = Handles::default();
            let other = handles.clone();
            handles.keep(turn.set_timeout("A", ms(10), move |turn| {
                show(turn, "clears");
                other.clear_all(turn);
                // Nothing is pending now, although the rest of the action is still to be looked at.
                turn.set_timeout("A", ms(5), say_at("new", "A"));
            }));
            for _ in 0..3 {
                handles.keep(turn.set_timeout("A", ms(10), say("never")));
            }
        });
        assert_eq!(shown, ["clears", "new@15"]);
    }

    #[test]
    fn time_6_the_next_microstep_comes_before_immediates_and_completions() {
        let shown = observed(|turn| {
            turn.set_timeout("A", ms(10), |turn| {
                show(turn, "action");
                turn.set_immediate(say("immediate"));
                turn.after_io(ms(0), say("completion"));
                turn.next_tick(say("tail"));
                turn.set_timeout("A", ms(0), |turn| {
                    show(turn, "microstep 1");
                    turn.set_timeout("A", ms(0), say("microstep 2"));
                });
            });
            turn.set_timeout("B", ms(10), say("younger domain"));
        });
        let first = ["action", "tail", "microstep 1", "microstep 2"];
        assert_eq!(shown[..4], first);
        // Then the turn goes on: poll, check, and the timers of the next turn.
        assert_eq!(shown[4..], ["completion", "immediate", "younger domain"]);
    }

    #[test]
    fn time_14_skip_keeps_an_instant_that_is_now() {
        let shown = observed(|turn| {
            turn.set_policy("A", Policy::Skip);
            let handles = Handles::default();
            handles.keep(turn.set_interval("A", ms(10), say_at("every 10", "A")));
            turn.set_timeout("A", ms(60), move |turn| handles.clear_all(turn));
            // The first instant is missed by exactly a period and more: 20 and 30 are past at 30.
            turn.next_tick(|turn| turn.spend(ms(30)));
        });
        assert_eq!(shown, ["every 10@30", "every 10@40", "every 10@50", "every 10@60"]);
    }
}
