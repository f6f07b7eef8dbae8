//! The rules of the loop, of contexts and of schedules, each by a small program.

use crate::common::{events, ms, observed, say, show};
use hemiola_machine::closures::{Latency, Task, Turn, run_with};
use hemiola_machine::{
    Chooser, Class, Event, First, Given, Group, Invocation, Named, Schedule, Simulated,
};

/// What a program shows under a strategy, with a chooser.
fn shown(
    strategy: Named,
    chooser: &mut impl Chooser,
    program: impl FnOnce(&mut Turn<'_>) + 'static,
) -> Vec<String> {
    let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
    let mut events = Vec::new();
    run_with(program, &strategy, &mut world, chooser, &mut events);
    let observed = events.iter().filter_map(|event| match event {
        Event::Observed(value) => Some(value.to_string()),
        _ => None,
    });
    observed.collect()
}

/// Two ticks, two jobs, an immediate and a completion that is ready at once.
fn one_of_each(turn: &mut Turn<'_>) {
    turn.after_io(ms(0), say("io"));
    turn.set_immediate(say("immediate"));
    for name in ["job 1", "job 2"] {
        turn.queue(Class::Promise, Group::default(), Task::new(say(name)));
    }
    for name in ["tick 1", "tick 2"] {
        turn.next_tick(say(name));
    }
}

#[test]
fn loop_1_a_callback_runs_to_completion() {
    let program = |turn: &mut Turn<'_>| {
        turn.set_immediate(|turn| {
            show(turn, "begins");
            turn.next_tick(say("tick"));
            turn.set_immediate(say("next turn"));
            turn.spend(ms(5));
            show(turn, "ends");
        });
        turn.set_timeout("A", ms(1), say("due meanwhile"));
    };
    let shown = observed(program);
    assert_eq!(shown, ["begins", "ends", "tick", "due meanwhile", "next turn"]);
}

#[test]
fn loop_2_a_strategy_leaves_open_what_a_chooser_picks() {
    struct Last;
    impl Chooser for Last {
        fn choose(&mut self, count: usize) -> usize {
            count - 1
        }
    }
    let first = shown(Named::Node, &mut First, one_of_each);
    let last = shown(Named::Node, &mut Last, one_of_each);
    assert_eq!(first, ["tick 1", "tick 2", "job 1", "job 2", "immediate", "io"]);
    assert_eq!(last, ["job 1", "job 2", "tick 1", "tick 2", "io", "immediate"]);
}

#[test]
fn loop_8_machine_runs_ticks_then_polls_then_moves_immediates() {
    let shown = shown(Named::Machine, &mut First, |turn| {
        turn.set_immediate(|turn| {
            show(turn, "immediate 1");
            turn.set_immediate(say("immediate 3"));
            turn.after_io(ms(0), say("io 2"));
        });
        turn.set_immediate(say("immediate 2"));
        turn.after_io(ms(0), say("io 1"));
        turn.next_tick(say("tick"));
    });
    // Both immediates moved to the poll queue at once: what the first asks for comes behind.
    assert_eq!(shown, ["tick", "io 1", "immediate 1", "immediate 2", "io 2", "immediate 3"]);
}

#[test]
fn loop_9_jobs_are_first_in_first_out_unless_the_host_says_otherwise() {
    let program = |turn: &mut Turn<'_>| {
        for (group, name) in ["a", "b", "c"].into_iter().enumerate() {
            turn.queue(Class::Promise, Group(group as u32), Task::new(say(name)));
        }
    };
    for strategy in [Named::All, Named::Micro, Named::Edge, Named::NodePhases] {
        assert_eq!(shown(strategy, &mut First, program), ["a", "b", "c"], "{strategy}");
    }
}

#[test]
fn ctx_1_ctx_2_ctx_3_every_invocation_has_a_number_a_link_and_a_cause() {
    let began: Vec<_> = events(|turn| {
        turn.set_timeout("A", ms(1), |turn| {
            turn.after_io(ms(1), |turn| turn.next_tick(|_| {}));
        });
        turn.set_immediate(|_| {});
    })
    .into_iter()
    .filter_map(|event| match event {
        Event::Began { invocation, link, cause, .. } => Some((invocation.0, link.0, cause.0)),
        _ => None,
    })
    .collect();
    // Main, the immediate, the timer, the completion asked for by the timer, the tick in it.
    assert_eq!(began, [(1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 3, 3), (5, 4, 4)]);
    assert_eq!(Invocation::MAIN, Invocation(1));
}

#[test]
fn expl_3_a_schedule_repeats_the_run_it_names() {
    /// Takes random alternatives and remembers them.
    struct Noting(hemiola_machine::Seeded, Vec<usize>);
    impl Chooser for Noting {
        fn choose(&mut self, count: usize) -> usize {
            self.1.push(self.0.choose(count));
            self.1[self.1.len() - 1]
        }
    }
    for seed in 0..50 {
        let mut noting = Noting(hemiola_machine::Seeded::new(seed), Vec::new());
        let before = shown(Named::Node, &mut noting, one_of_each);
        let text = Schedule::from_choices(noting.1).to_string();
        let mut given = Given::new(text.parse().unwrap());
        assert_eq!(shown(Named::Node, &mut given, one_of_each), before, "{text}");
        assert_eq!(given.missed(), None);
    }
}
