//! What an exploration gives when it is asked for less than everything.

use hemiola_explore::{End, Limits, Next, Outcomes, Script, System, explore, find};
use hemiola_machine::{Chooser, Given, Observation};

const ANY: Limits = Limits { states: 100_000 };

/// Shows letters, and may end after some words.
#[derive(Clone)]
struct Letters(String);

impl System for Letters {
    fn step(&mut self, script: &mut Script, observed: &mut Vec<Observation>) -> Next {
        let is_end = ["", "b", "ab", "ba"].contains(&&*self.0) || self.0.len() == 4;
        if is_end && (self.0.len() == 4 || script.choose(2) == 1) {
            return Next::End(if self.0.contains("bb") { End::Cut("x") } else { End::Final });
        }
        let letter = ["b", "a"][script.choose(2)];
        self.0.push_str(letter);
        observed.push(letter.into());
        Next::Configuration
    }

    fn configuration(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.0.bytes());
    }
}

#[test]
fn with_a_limit_the_first_sequences_are_given() {
    let graph = explore(Letters(String::new()), ANY, &mut |_| {});
    let outcomes = Outcomes::of(&graph);
    let all = outcomes.sequences(usize::MAX);
    assert!(!all.more);
    let mut sorted: Vec<_> = all.traces.iter().chain(&all.cut).cloned().collect();
    sorted.sort_by_key(|word| (word.len(), word.clone()));
    assert_eq!(sorted.len(), 20);
    for limit in 1..25 {
        let some = outcomes.sequences(limit);
        let mut given: Vec<_> = some.traces.iter().chain(&some.cut).cloned().collect();
        given.sort_by_key(|word| (word.len(), word.clone()));
        assert_eq!(given, sorted[..limit.min(20)], "the first {limit}");
        assert_eq!(some.more, limit < 20, "more than {limit}");
        assert!(some.traces.is_sorted_by_key(|word| (word.len(), word.clone())));
    }
}

/// Puts two things on a pile in either order and takes them off in either order. Which way round the
/// pile is decides the order of the alternatives, but makes no other configuration.
#[derive(Clone, Default)]
struct Pile {
    put: usize,
    pile: Vec<&'static str>,
}

impl Pile {
    fn next(&mut self, chooser: &mut impl Chooser, observed: &mut Vec<Observation>) -> Next {
        if self.put < 2 {
            let left: Vec<_> = ["a", "b"].into_iter().filter(|x| !self.pile.contains(x)).collect();
            let at = if left.len() > 1 { chooser.choose(left.len()) } else { 0 };
            self.pile.push(left[at]);
            observed.push(left[at].into());
            self.put += 1;
        } else if self.pile.is_empty() {
            return Next::End(End::Final);
        } else {
            let at = if self.pile.len() > 1 { chooser.choose(self.pile.len()) } else { 0 };
            observed.push(self.pile.remove(at).into());
        }
        Next::Configuration
    }
}

impl System for Pile {
    fn step(&mut self, script: &mut Script, observed: &mut Vec<Observation>) -> Next {
        self.next(script, observed)
    }

    fn configuration(&self, bytes: &mut Vec<u8>) {
        let mut pile = self.pile.clone();
        pile.sort_unstable();
        bytes.push(self.put as u8);
        bytes.extend(pile.concat().bytes());
    }
}

#[test]
fn a_found_schedule_shows_its_trace_whatever_the_order_of_alternatives() {
    let graph = explore(Pile::default(), ANY, &mut |_| {});
    let traces = Outcomes::of(&graph).sequences(100).traces;
    assert_eq!(traces.len(), 4);
    for trace in traces {
        let schedule = find(Pile::default(), &trace, Some(&End::Final)).expect("it can be shown");
        let (mut pile, mut given) = (Pile::default(), Given::new(schedule));
        let mut shown = Vec::new();
        while pile.next(&mut given, &mut shown) == Next::Configuration {}
        assert_eq!((shown, given.missed()), (trace, None));
    }
    let other = End::Cut("x");
    assert_eq!(find(Pile::default(), &["a".into(), "a".into()], None), None);
    assert_eq!(find(Pile::default(), &["a".into(), "b".into()], Some(&other)), None);
    assert!(find(Pile::default(), &["b".into()], None).is_some(), "the run may go on");
}
