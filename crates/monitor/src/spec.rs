//! Compiled specs, and where in them a run stands.

use crate::automaton::{Automaton, Label, Names, TooLarge};
use crate::syntax::{self, Often};
use hemiola_trace::Observation;
use hemiola_trace::source::{SourceError, Span};
use std::sync::Arc;

/// A property of runs, compiled.
#[derive(Clone, Debug)]
pub struct Spec {
    automaton: Automaton,
    complete: bool,
    often: Vec<Often>,
}

/// Where a run stands: every way to read its observations so far that has not failed.
///
/// It means something only together with the spec that made it. Paths are sorted and different
/// from each other, and each keeps the values of exactly the names that are live in its state.
///
/// Forgetting the others is sound. A name is dead in a state when every path from there binds it
/// again before it compares with it, or never compares with it. So two paths that stand in the
/// same state and agree in its live names match the same observations from then on, and what was
/// forgotten could never have been asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Standing {
    paths: Arc<[Path]>,
}

/// One way to read the observations so far.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Path {
    state: u32,
    /// The value of each live name, in the order of the names.
    values: Box<[Observation]>,
}

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program is done.
    Complete,
    /// It was not followed any further, so a `$` demands nothing.
    Cut,
}

impl Spec {
    /// Compiles a spec.
    ///
    /// Any text has an answer. Refused are, besides texts that are no specs, those longer than
    /// 64 KiB, nested deeper than 200 levels, with more than 64 different names under `^`, or with
    /// more than a million pairs of observations that may follow one another.
    pub fn parse(text: &str) -> Result<Spec, SourceError> {
        let parsed = syntax::parse(text)?;
        let automaton = Automaton::new(&parsed).map_err(|TooLarge| SourceError {
            message: "this spec is too large to be compiled".into(),
            span: Span::new(0, text.len()),
            label: "too many pairs of observations can follow one another".into(),
            help: "hold the run to several smaller specs, or write `.` for long choices".into(),
        })?;
        Ok(Spec { automaton, complete: parsed.complete, often: parsed.often })
    }

    /// Does the spec end with `$`, so that a run may not end within a word?
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// What every infinite run is to show again and again.
    pub fn often(&self) -> &[Often] {
        &self.often
    }

    /// A monitor of a run that has shown nothing yet.
    pub fn monitor(&self) -> Monitor<'_> {
        Monitor { spec: self, standing: self.start() }
    }

    /// The standing of a run that has shown nothing yet.
    pub fn start(&self) -> Standing {
        let state = self.automaton.start;
        let live = self.automaton.states[state as usize].live;
        let values = each(live).map(|name| self.automaton.initial[name].clone()).collect();
        Standing { paths: Arc::new([Path { state, values }]) }
    }

    /// The standing after one more observation.
    ///
    /// It takes time in the number of paths. There are at most as many as states, times the
    /// values each live name can have: few, unless a choice leaves open which names were bound, as
    /// in `(^x | ^y | ^z)* x y z`.
    pub fn advance(&self, standing: &Standing, observation: &Observation) -> Standing {
        let mut paths = Vec::new();
        for path in standing.paths.iter() {
            let state = &self.automaton.states[path.state as usize];
            let value = |name| &path.values[slot(state.live, name)];
            for &position in &state.next {
                let position = &self.automaton.positions[position as usize];
                let (matches, binds) = match &position.label {
                    Label::Any => (true, None),
                    Label::Bind(name) => (true, Some(*name)),
                    Label::Literal(literal) => (literal == observation, None),
                    Label::Same(name) => (value(*name) == observation, None),
                };
                if matches {
                    let live = self.automaton.states[position.target as usize].live;
                    let values = each(live)
                        .map(|name| if binds == Some(name) { observation } else { value(name) })
                        .cloned()
                        .collect();
                    paths.push(Path { state: position.target, values });
                }
            }
        }
        paths.sort_unstable();
        paths.dedup();
        Standing { paths: paths.into() }
    }

    /// Has every path failed?
    ///
    /// One that has not can always go on to a whole word: every state reaches an accepting one,
    /// and every transition on the way matches some observation, whatever is bound.
    pub fn failed(&self, standing: &Standing) -> bool {
        standing.paths.is_empty()
    }

    /// Would a run that ends here conform? What ends shows nothing without end.
    pub fn conforms(&self, standing: &Standing, end: End) -> bool {
        if !self.often.is_empty() && end == End::Complete {
            return false;
        }
        if self.complete && end == End::Complete {
            let accepting = |path: &Path| self.automaton.states[path.state as usize].accepting;
            standing.paths.iter().any(accepting)
        } else {
            !self.failed(standing)
        }
    }
}

/// Follows one run.
#[derive(Clone, Debug)]
pub struct Monitor<'s> {
    spec: &'s Spec,
    standing: Standing,
}

impl Monitor<'_> {
    /// Takes note of the next observation.
    pub fn observe(&mut self, observation: &Observation) {
        self.standing = self.spec.advance(&self.standing, observation);
    }

    /// Does a run that ends here conform?
    pub fn verdict(&self, end: End) -> bool {
        self.spec.conforms(&self.standing, end)
    }
}

/// The names of a set, in order.
fn each(mut names: Names) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let name = names.trailing_zeros() as usize;
        let found = names != 0;
        names &= names.wrapping_sub(1);
        found.then_some(name)
    })
}

/// Where the value of `name` is kept among those of the live names, of which it is one.
fn slot(live: Names, name: usize) -> usize {
    debug_assert!(live & 1 << name != 0, "only live names are asked for");
    (live & ((1 << name) - 1)).count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(spec: &Spec, shown: &str) -> Standing {
        shown.split_whitespace().fold(spec.start(), |at, name| spec.advance(&at, &name.into()))
    }

    #[test]
    fn what_is_never_compared_again_is_forgotten() {
        let spec = Spec::parse("(^x x ^y)*").expect("a spec");
        assert_eq!(after(&spec, "a a b"), spec.start());
        assert_eq!(after(&spec, "a a b c"), after(&spec, "c"));
        assert_ne!(after(&spec, "a"), after(&spec, "c"), "x is about to be compared");
        assert!(after(&spec, "a").paths[0].values.len() == 1, "y is not kept");
    }

    #[test]
    fn a_value_is_kept_across_a_loop_that_may_come_back_to_it() {
        let spec = Spec::parse("^x (^y (x | y))*").expect("a spec");
        assert_ne!(after(&spec, "a b"), after(&spec, "c b"));
        assert_ne!(after(&spec, "a b b"), after(&spec, "c b b"));
        assert_eq!(after(&spec, "a b b"), after(&spec, "a d a"));
    }

    #[test]
    fn a_name_bound_to_itself_is_as_if_never_bound() {
        let spec = Spec::parse("(^x | a) (b x)*").expect("a spec");
        assert_eq!(after(&spec, "x b x"), after(&spec, "x"));
        assert_eq!(after(&spec, "a").paths.len(), 2);
        assert_eq!(after(&spec, "x").paths.len(), 1);
    }

    #[test]
    fn states_with_the_same_future_are_one() {
        let spec = Spec::parse("(a | b c | .)*").expect("a spec");
        assert_eq!(after(&spec, "a"), spec.start());
        assert_eq!(after(&spec, "b c"), after(&spec, "a z"));
        assert_eq!(spec.start().paths.len(), 1);
    }

    #[test]
    fn what_is_to_be_shown_infinitely_often_is_told_apart() {
        let spec = Spec::parse("a* infinitely often a infinitely often (b | 3)").expect("a spec");
        let matches = |at: usize, shown: &str| spec.often()[at].matches(&shown.into());
        assert_eq!(spec.often().len(), 2);
        assert!(matches(0, "a") && !matches(0, "b") && matches(1, "b"));
        assert!(spec.often()[1].matches(&Observation::Number(3)));
        assert!(spec.failed(&after(&spec, "a b")), "what stands before it holds as ever");
        assert!(!spec.conforms(&after(&spec, "a"), End::Complete), "it may not end");
        assert!(spec.conforms(&after(&spec, "a"), End::Cut));
        let free = Spec::parse("infinitely often .").expect("a spec");
        assert!(!free.failed(&after(&free, "x y z")) && free.often()[0].matches(&"z".into()));
        let names = Spec::parse("(infinitely often)").expect("two observations");
        assert!(names.often().is_empty());
        assert!(!names.failed(&after(&names, "infinitely often")));
    }

    #[test]
    fn mistakes_in_infinitely_often_are_told() {
        for (text, message, slice) in [
            ("infinitely often", "expected observations after `infinitely often`", "often"),
            ("infinitely often ^x", "expected observations after `infinitely often`", "^x"),
            ("^x infinitely often x", "expected observations after `infinitely often`", "x"),
            ("infinitely often (a b)", "expected observations after `infinitely often`", "("),
            ("infinitely often a b", "the spec goes on after `infinitely often`", "b"),
            ("infinitely often a | b", "the spec goes on after `infinitely often`", "|"),
            ("infinitely often a $", "`$` after `infinitely often`", "$"),
        ] {
            let error = Spec::parse(text).expect_err(text);
            let span = error.span.start as usize..error.span.end as usize;
            assert_eq!((&*error.message, &text[span]), (message, slice), "{text}");
        }
    }

    #[test]
    fn all_64_names_can_be_live_at_once() {
        let names: Vec<String> = (0..64).map(|at| format!("n{at}")).collect();
        let bind: String = names.iter().map(|name| format!("^{name} ")).collect();
        let spec = Spec::parse(&format!("{bind} {}", names.join(" "))).expect("a spec");
        let shown: Vec<String> = (0..64).map(|at| format!("v{at}")).collect();
        let standing = after(&spec, &shown.join(" "));
        assert_eq!(standing.paths[0].values.len(), 64);
        let word = format!("{0} {0}", shown.join(" "));
        assert!(!spec.failed(&after(&spec, &word)));
        let standing = after(&spec, &(word + " v0"));
        assert!(spec.failed(&standing));
    }
}
