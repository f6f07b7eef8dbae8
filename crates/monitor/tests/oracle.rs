//! Verdicts agree with a matcher written straight from the definition.
//!
//! The oracle knows no automata. It computes, for an expression and a place in the word, every
//! place and binding that it can lead to, and whether the word can run out on the way.

use hemiola_monitor::{End, Spec};
use hemiola_trace::Observation;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

#[derive(Clone, Debug)]
enum Expr {
    Empty,
    Any,
    Number(i64),
    Quoted(&'static str),
    Name(&'static str),
    Bind(&'static str),
    Sequence(Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>),
    Star(Box<Expr>),
    Plus(Box<Expr>),
    Optional(Box<Expr>),
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "()"),
            Self::Any => write!(f, "."),
            Self::Number(number) => write!(f, "{number}"),
            Self::Quoted(name) => write!(f, "\"{name}\""),
            Self::Name(name) => write!(f, "{name}"),
            Self::Bind(name) => write!(f, "^{name}"),
            // A sequence in a sequence, or a choice in a choice, needs no parentheses.
            Self::Sequence(left, right) => {
                left.within_sequence(f)?;
                write!(f, " ")?;
                right.within_sequence(f)
            }
            Self::Choice(left, right) => write!(f, "{left} | {right}"),
            Self::Star(inner) => inner.repeated(f, "*"),
            Self::Plus(inner) => inner.repeated(f, "+"),
            Self::Optional(inner) => inner.repeated(f, "?"),
        }
    }
}

impl Expr {
    fn within_sequence(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice(..) => write!(f, "({self})"),
            _ => write!(f, "{self}"),
        }
    }

    fn repeated(&self, f: &mut fmt::Formatter<'_>, sign: &str) -> fmt::Result {
        match self {
            Self::Sequence(..) | Self::Choice(..) => write!(f, "({self}){sign}"),
            _ => write!(f, "{self}{sign}"),
        }
    }
}

type Bindings = BTreeMap<&'static str, Observation>;
type Places = BTreeSet<(usize, Bindings)>;

struct Oracle<'w> {
    word: &'w [Observation],
    /// Did some way through the expression want an observation where the word had no more?
    ran_out: bool,
}

impl Oracle<'_> {
    /// Answers whether the word is a prefix of one in the language, and whether it is in it.
    fn judge(word: &[Observation], expr: &Expr) -> (bool, bool) {
        let mut oracle = Oracle { word, ran_out: false };
        let ends = oracle.after(expr, (0, Bindings::new()));
        let member = ends.iter().any(|(at, _)| *at == word.len());
        (member || oracle.ran_out, member)
    }

    fn after(&mut self, expr: &Expr, from: (usize, Bindings)) -> Places {
        match expr {
            Expr::Empty => Places::from([from]),
            Expr::Any => self.one(from, |_, _| true),
            Expr::Number(number) => self.one(from, |shown, _| *shown == (*number).into()),
            Expr::Quoted(name) => self.one(from, |shown, _| *shown == (*name).into()),
            Expr::Name(name) => self.one(from, |shown, bindings| match bindings.get(name) {
                Some(value) => shown == value,
                None => *shown == (*name).into(),
            }),
            Expr::Bind(name) => self.one(from, |shown, bindings| {
                bindings.insert(name, shown.clone());
                true
            }),
            Expr::Sequence(left, right) => {
                let middle = self.after(left, from);
                middle.into_iter().flat_map(|place| self.after(right, place)).collect()
            }
            Expr::Choice(left, right) => {
                let mut places = self.after(left, from.clone());
                places.extend(self.after(right, from));
                places
            }
            Expr::Optional(inner) => {
                let mut places = self.after(inner, from.clone());
                places.insert(from);
                places
            }
            Expr::Star(inner) => {
                let (mut places, mut new) = (Places::new(), vec![from]);
                while let Some(place) = new.pop() {
                    if places.insert(place.clone()) {
                        new.extend(self.after(inner, place));
                    }
                }
                places
            }
            Expr::Plus(inner) => self
                .after(&Expr::Sequence(inner.clone(), Box::new(Expr::Star(inner.clone()))), from),
        }
    }

    fn one(
        &mut self,
        (at, mut bindings): (usize, Bindings),
        matches: impl Fn(&Observation, &mut Bindings) -> bool,
    ) -> Places {
        match self.word.get(at) {
            None => self.ran_out = true,
            Some(shown) if matches(shown, &mut bindings) => {
                return Places::from([(at + 1, bindings)]);
            }
            Some(_) => {}
        }
        Places::new()
    }
}

/// A spec without and with `$`.
struct Pair(Spec, Spec);

impl Pair {
    fn new(text: &str) -> Self {
        let parse = |text: &str| Spec::parse(text).unwrap_or_else(|e| panic!("`{text}`: {e}"));
        Self(parse(text), parse(&format!("{text} $")))
    }

    /// What the monitor says of a run that was cut, and of a complete one with `$`.
    fn judge(&self, word: &[Observation]) -> (bool, bool) {
        let (mut plain, mut complete) = (self.0.monitor(), self.1.monitor());
        for observation in word {
            plain.observe(observation);
            complete.observe(observation);
        }
        assert_eq!(plain.verdict(End::Cut), plain.verdict(End::Complete));
        assert_eq!(plain.verdict(End::Cut), complete.verdict(End::Cut));
        (plain.verdict(End::Cut), complete.verdict(End::Complete))
    }
}

/// All expressions whose operators nest at most `depth` deep.
fn expressions(depth: usize) -> Vec<Expr> {
    let mut all = vec![Expr::Name("a"), Expr::Name("x"), Expr::Bind("x"), Expr::Any];
    if depth > 0 {
        let smaller = expressions(depth - 1);
        for left in &smaller {
            let left = || Box::new(left.clone());
            all.extend([Expr::Star(left()), Expr::Plus(left()), Expr::Optional(left())]);
            for right in &smaller {
                let right = || Box::new(right.clone());
                all.extend([Expr::Sequence(left(), right()), Expr::Choice(left(), right())]);
            }
        }
    }
    all
}

/// All words over three names up to a length.
fn words(longest: usize) -> Vec<Vec<Observation>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..longest {
        for at in std::mem::replace(&mut from, all.len())..all.len() {
            for name in ["a", "b", "x"] {
                let mut longer = all[at].clone();
                longer.push(name.into());
                all.push(longer);
            }
        }
    }
    all
}

#[test]
fn every_small_spec_agrees_on_every_short_word() {
    let (mut whole, mut prefixes, mut neither) = (0, 0, 0);
    let words = words(3);
    for expr in expressions(2) {
        let text = expr.to_string();
        let specs = Pair::new(&text);
        for word in &words {
            let expected = Oracle::judge(word, &expr);
            assert_eq!(specs.judge(word), expected, "`{text}` on {word:?}");
            match expected {
                (_, true) => whole += 1,
                (true, _) => prefixes += 1,
                _ => neither += 1,
            }
        }
    }
    assert!(whole > 10_000 && prefixes > 10_000 && neither > 10_000, "the scope is not trivial");
}

/// The oracle calls a word a prefix when it runs out inside the expression. Here prefixes are
/// what the word says: something can be added so that the whole is in the language.
#[test]
fn a_prefix_is_what_can_be_completed() {
    let (words, rests) = (words(2), words(2));
    for expr in expressions(1) {
        let text = expr.to_string();
        let specs = Pair::new(&text);
        for word in &words {
            let completed = rests.iter().any(|rest| {
                let (_, member) = Oracle::judge(&[&word[..], rest].concat(), &expr);
                member
            });
            assert_eq!(specs.judge(word).0, completed, "`{text}` on {word:?}");
        }
    }
}

fn any_expr() -> impl Strategy<Value = Expr> {
    let name = || prop::sample::select(vec!["a", "b", "x"]);
    let atom = prop_oneof![
        1 => Just(Expr::Empty),
        2 => Just(Expr::Any),
        1 => Just(Expr::Number(1)),
        1 => name().prop_map(Expr::Quoted),
        6 => name().prop_map(Expr::Name),
        4 => name().prop_map(Expr::Bind),
    ];
    atom.prop_recursive(4, 24, 2, |inner| {
        let two = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            4 => two().prop_map(|(left, right)| Expr::Sequence(left, right)),
            2 => two().prop_map(|(left, right)| Expr::Choice(left, right)),
            1 => one().prop_map(Expr::Star),
            1 => one().prop_map(Expr::Plus),
            1 => one().prop_map(Expr::Optional),
        ]
    })
}

fn any_word() -> impl Strategy<Value = Vec<Observation>> {
    let names = ["a", "b", "x", "1"].map(Observation::from);
    let shown = names.into_iter().chain([Observation::Number(1)]).collect::<Vec<_>>();
    // Mostly two different observations: equal ones are what specs are about.
    let few = prop::sample::select(vec![Observation::from("a"), Observation::from("b")]);
    prop::collection::vec(prop_oneof![few, prop::sample::select(shown)], 0..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_specs_agree_on_random_words(
        expr in any_expr(),
        words in prop::collection::vec(any_word(), 16),
    ) {
        let text = expr.to_string();
        let specs = Pair::new(&text);
        for word in &words {
            prop_assert_eq!(specs.judge(word), Oracle::judge(word, &expr), "{} on {:?}", &text, word);
        }
    }
}
