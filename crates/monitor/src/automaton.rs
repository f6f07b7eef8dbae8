//! From an expression to its extended automaton: one that binds names while it runs.
//!
//! This is the Glushkov construction. Every atom of the expression becomes a position, and the
//! positions that may come next are known for each, so there are no empty steps to close over.
//! A state is what may come next and whether the run may end here; positions that agree in both
//! share one, which leaves fewer standings to tell apart.

use crate::syntax::{Expr, Parsed};
use hemiola_trace::Observation;
use rustc_hash::FxHashMap;

/// The most pairs of adjacent positions that are looked at. Their number can grow with the square
/// of the spec, as in `a? b? c? ...`, and memory with it.
const MOST_PAIRS: usize = 1 << 20;

/// A set of bound names, one bit for each.
pub(crate) type Names = u64;

/// An extended automaton. Every state in it can be reached and can reach an accepting one.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    /// What each bound name stands for at the start: itself.
    pub(crate) initial: Vec<Observation>,
    pub(crate) states: Vec<State>,
    pub(crate) positions: Vec<Position>,
    pub(crate) start: u32,
}

/// Where a path stands between two observations.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) accepting: bool,
    /// Indices of the positions that may match the next observation, ascending.
    pub(crate) next: Vec<u32>,
    /// The bound names that some path from here compares with before it binds them again.
    pub(crate) live: Names,
}

/// A transition: what it matches, and the state it leads to.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) label: Label,
    pub(crate) target: u32,
}

/// What a transition matches. Numbers are indices into `Automaton::initial`.
#[derive(Clone, Debug)]
pub(crate) enum Label {
    Any,
    Literal(Observation),
    Same(usize),
    Bind(usize),
}

/// The expression has more than [`MOST_PAIRS`] pairs of adjacent positions.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Automaton {
    pub(crate) fn new(parsed: &Parsed<'_>) -> Result<Self, TooLarge> {
        let bound = parsed.bound.iter().copied().enumerate().map(|(at, name)| (name, at)).collect();
        let mut builder = Builder { bound, labels: Vec::new(), follow: Vec::new(), pairs: 0 };
        let whole = builder.fragment(&parsed.expr)?;
        let initial = parsed.bound.iter().map(|&name| name.into()).collect();
        let mut automaton = builder.finish(whole, initial);
        automaton.find_live();
        Ok(automaton)
    }

    /// Finds the least solution of: a name is live in a state when a position that may come next
    /// compares with it, or does not bind it and leads to a state where it is live.
    fn find_live(&mut self) {
        loop {
            let mut changed = false;
            for at in (0..self.states.len()).rev() {
                let live = self.states[at].next.iter().fold(0, |live, &position| {
                    let Position { label, target } = &self.positions[position as usize];
                    let after = self.states[*target as usize].live;
                    live | match label {
                        Label::Any | Label::Literal(_) => after,
                        Label::Same(name) => after | 1 << name,
                        Label::Bind(name) => after & !(1 << name),
                    }
                });
                changed |= live != self.states[at].live;
                self.states[at].live = live;
            }
            if !changed {
                return;
            }
        }
    }
}

/// A part of the expression: the positions it may begin and end with, and whether it may be
/// passed without an observation.
#[derive(Default)]
struct Fragment {
    nullable: bool,
    first: Vec<u32>,
    last: Vec<u32>,
}

struct Builder<'t> {
    bound: FxHashMap<&'t str, usize>,
    labels: Vec<Label>,
    /// For each position, those that may come next; not sorted, perhaps with repetitions.
    follow: Vec<Vec<u32>>,
    pairs: usize,
}

impl Builder<'_> {
    fn fragment(&mut self, expr: &Expr<'_>) -> Result<Fragment, TooLarge> {
        Ok(match expr {
            Expr::Empty => Fragment { nullable: true, ..Fragment::default() },
            Expr::Any => self.position(Label::Any),
            Expr::Literal(observation) => self.position(Label::Literal(observation.clone())),
            Expr::Name(name) => self.position(match self.bound.get(name) {
                Some(&at) => Label::Same(at),
                None => Label::Literal(Observation::name(*name)),
            }),
            Expr::Bind(name) => self.position(Label::Bind(self.bound[name])),
            Expr::Sequence(items) => {
                let mut whole = Fragment { nullable: true, ..Fragment::default() };
                for item in items {
                    let item = self.fragment(item)?;
                    self.connect(&whole.last, &item.first)?;
                    if whole.nullable {
                        whole.first.extend(&item.first);
                    }
                    if !item.nullable {
                        whole.last.clear();
                    }
                    whole.last.extend(item.last);
                    whole.nullable &= item.nullable;
                }
                whole
            }
            Expr::Choice(choices) => {
                let mut whole = Fragment::default();
                for choice in choices {
                    let choice = self.fragment(choice)?;
                    whole.nullable |= choice.nullable;
                    whole.first.extend(choice.first);
                    whole.last.extend(choice.last);
                }
                whole
            }
            Expr::Repeat { inner, optional, repeated } => {
                let mut whole = self.fragment(inner)?;
                if *repeated {
                    self.connect(&whole.last, &whole.first)?;
                }
                whole.nullable |= optional;
                whole
            }
        })
    }

    fn position(&mut self, label: Label) -> Fragment {
        let position = index(self.labels.len());
        self.labels.push(label);
        self.follow.push(Vec::new());
        Fragment { nullable: false, first: vec![position], last: vec![position] }
    }

    fn connect(&mut self, from: &[u32], to: &[u32]) -> Result<(), TooLarge> {
        self.pairs = self.pairs.saturating_add(from.len().saturating_mul(to.len()));
        if self.pairs > MOST_PAIRS {
            return Err(TooLarge);
        }
        for &position in from {
            self.follow[position as usize].extend(to);
        }
        Ok(())
    }

    fn finish(self, whole: Fragment, initial: Vec<Observation>) -> Automaton {
        let mut accepting = vec![false; self.labels.len()];
        for &position in &whole.last {
            accepting[position as usize] = true;
        }
        let mut states = States::default();
        let start = states.of(whole.nullable, whole.first);
        let positions = self
            .labels
            .into_iter()
            .zip(self.follow.into_iter().zip(accepting))
            .map(|(label, (next, accepting))| Position {
                label,
                target: states.of(accepting, next),
            })
            .collect();
        Automaton { initial, states: states.all, positions, start }
    }
}

/// The states so far, each different from the others.
#[derive(Default)]
struct States {
    all: Vec<State>,
    known: FxHashMap<(bool, Vec<u32>), u32>,
}

impl States {
    fn of(&mut self, accepting: bool, mut next: Vec<u32>) -> u32 {
        next.sort_unstable();
        next.dedup();
        *self.known.entry((accepting, next)).or_insert_with_key(|(accepting, next)| {
            self.all.push(State { accepting: *accepting, next: next.clone(), live: 0 });
            index(self.all.len() - 1)
        })
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).expect("a spec has fewer positions than bytes")
}
