//! Outcomes of random small systems, compared with following every single run.

use hemiola_explore::{End, Limits, Next, Outcomes, Script, System, explore};
use hemiola_machine::{Chooser, Given};
use hemiola_monitor::Spec;
use hemiola_trace::Observation;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::rc::Rc;

/// One alternative of a state: what it shows, and the state or end that it leads to.
#[derive(Clone, Debug)]
struct Alternative {
    shows: Vec<u8>,
    to: Result<usize, End>,
}

/// A table of states; every alternative leads to a later state, so runs end.
#[derive(Clone, Debug)]
struct Table {
    states: Rc<Vec<Vec<Alternative>>>,
    at: usize,
}

impl Table {
    fn take(&mut self, chooser: &mut impl Chooser, observed: &mut Vec<Observation>) -> Next {
        let alternatives = &self.states[self.at];
        let taken = if alternatives.len() > 1 { chooser.choose(alternatives.len()) } else { 0 };
        let Alternative { shows, to } = &alternatives[taken];
        observed
            .extend(shows.iter().map(|&shown| Observation::from(["a", "b", "c"][shown as usize])));
        match to {
            Ok(to) => {
                self.at = *to;
                Next::Configuration
            }
            Err(end) => Next::End(end.clone()),
        }
    }
}

impl System for Table {
    fn step(&mut self, script: &mut Script, observed: &mut Vec<Observation>) -> Next {
        self.take(script, observed)
    }

    fn configuration(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.at as u8);
    }
}

/// Every run, one by one.
fn enumerate(
    table: &Table,
    shown: &[Observation],
    runs: &mut BTreeSet<(usize, Vec<Observation>, End)>,
) {
    for alternative in 0..table.states[table.at].len() {
        struct Take(usize);
        impl Chooser for Take {
            fn choose(&mut self, _: usize) -> usize {
                self.0
            }
        }
        let (mut next, mut shown) = (table.clone(), shown.to_vec());
        match next.take(&mut Take(alternative), &mut shown) {
            Next::Configuration => enumerate(&next, &shown, runs),
            Next::Endless { .. } => unreachable!("every step of it ends"),
            Next::End(end) => {
                runs.insert((shown.len(), shown, end));
            }
        }
    }
}

fn table() -> impl Strategy<Value = Table> {
    let end = prop_oneof![
        4 => Just(End::Final),
        2 => Just(End::Cut("calls")),
        1 => Just(End::Stuck("why".into())),
    ];
    let alternative = (prop::collection::vec(0u8..3, 0..3), any::<prop::sample::Index>(), end);
    prop::collection::vec(prop::collection::vec(alternative, 1..4), 1..9).prop_map(|states| {
        let count = states.len();
        let states = states
            .into_iter()
            .enumerate()
            .map(|(at, alternatives)| {
                let resolve = |(shows, to, end): (Vec<u8>, prop::sample::Index, End)| {
                    let to = at + 1 + to.index(count - at);
                    Alternative { shows, to: if to < count { Ok(to) } else { Err(end) } }
                };
                alternatives.into_iter().map(resolve).collect()
            })
            .collect();
        Table { states: Rc::new(states), at: 0 }
    })
}

fn spec() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "a",
        ".*",
        "a .*",
        "(a | b)*",
        "^x x*",
        "(^x x)* $",
        ".* $",
        "a? b? c? $",
        ". . $",
        "^x ^y x .*",
    ])
}

proptest! {
    #[test]
    fn sequences_are_those_of_all_runs(table in table()) {
        let mut runs = BTreeSet::new();
        enumerate(&table, &[], &mut runs);
        let graph = explore(table, Limits { states: 1_000 }, &mut |_| {});
        let found = Outcomes::of(&graph).sequences(10_000);
        let of = |wanted: &dyn Fn(&End) -> bool| -> Vec<Vec<Observation>> {
            let mut words: Vec<_> =
                runs.iter().filter(|(_, _, end)| wanted(end)).map(|(_, word, _)| word.clone()).collect();
            words.dedup();
            words
        };
        prop_assert_eq!(&found.traces, &of(&|end| *end == End::Final));
        prop_assert_eq!(&found.cut, &of(&|end| matches!(end, End::Cut(_))));
        let stuck: Vec<_> = found.stuck.iter().map(|(word, _)| word.clone()).collect();
        prop_assert_eq!(stuck, of(&|end| matches!(end, End::Stuck(_))));
        prop_assert!(!found.more);
    }

    #[test]
    fn a_counterexample_is_the_first_violating_run_and_can_be_repeated(table in table(), text in spec()) {
        let spec = Spec::parse(text).unwrap();
        let mut runs = BTreeSet::new();
        enumerate(&table, &[], &mut runs);
        let conforms = |word: &[Observation], end: &End| {
            let mut monitor = spec.monitor();
            word.iter().for_each(|seen| monitor.observe(seen));
            let end = match end {
                End::Cut(_) => hemiola_monitor::End::Cut,
                _ => hemiola_monitor::End::Complete,
            };
            monitor.verdict(end)
        };
        let expected = runs.iter().find(|(_, word, end)| !conforms(word, end));
        let graph = explore(table.clone(), Limits { states: 1_000 }, &mut |_| {});
        let found = Outcomes::of(&graph).violation(&spec);
        prop_assert_eq!(found.as_ref().map(|one| &one.trace), expected.map(|(_, word, _)| word));
        if let Some(found) = found {
            let mut given = Given::new(found.schedule.clone());
            let (mut again, mut shown) = (table, Vec::new());
            let end = loop {
                if let Next::End(end) = again.take(&mut given, &mut shown) {
                    break end;
                }
            };
            prop_assert_eq!(given.missed(), None);
            prop_assert_eq!((shown, end), (found.trace, found.end));
        }
    }
}

#[test]
fn the_state_budget_cuts_what_is_left() {
    let to = |to| vec![Alternative { shows: vec![0], to: Ok(to) }];
    let last = vec![Alternative { shows: Vec::new(), to: Err(End::Final) }];
    let table = Table { states: Rc::new(vec![to(1), to(2), last]), at: 0 };
    let graph = explore(table, Limits { states: 2 }, &mut |_| {});
    let outcomes = Outcomes::of(&graph);
    let found = outcomes.sequences(10);
    assert_eq!(outcomes.bounds().into_iter().collect::<Vec<_>>(), ["states"]);
    assert_eq!((found.traces.len(), found.cut), (0, vec![vec!["a".into(), "a".into()]]));
}

#[test]
fn a_configuration_with_too_many_successors_is_cut() {
    #[derive(Clone)]
    struct Wide;
    impl System for Wide {
        fn step(&mut self, script: &mut Script, _: &mut Vec<Observation>) -> Next {
            for _ in 0..40 {
                script.choose(2);
            }
            Next::End(End::Final)
        }

        fn configuration(&self, _: &mut Vec<u8>) {}
    }
    let graph = explore(Wide, Limits { states: 1_000 }, &mut |_| {});
    assert_eq!(graph.ends(), [End::Final, End::Cut("states")]);
}
