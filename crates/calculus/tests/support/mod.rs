//! What the tests against independent interpreters share.

pub mod examples;

use hemiola_trace::Observation;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

/// A stream of small decisions from which a program is grown. Where it ends, every further decision
/// is the first and simplest, so that a shorter stream is a simpler program.
pub struct Choices {
    stream: Vec<u16>,
    at: usize,
}

impl Choices {
    /// One of the first `count` numbers.
    pub fn below(&mut self, count: usize) -> usize {
        let drawn = self.stream.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(drawn) % count
    }

    /// One of several things.
    pub fn pick<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }

    /// Whether something happens that does so once in `odds` times.
    pub fn once_in(&mut self, odds: usize) -> bool {
        self.below(odds) == odds - 1
    }
}

/// Holds many grown cases to a property, and prints the smallest that fails.
///
/// The cases are the same in every run; `HEMIOLA_CASES` makes them more and `HEMIOLA_SEED` others.
pub fn check<T: fmt::Display>(
    cases: u32,
    length: usize,
    grow: impl Fn(&mut Choices) -> T,
    property: impl Fn(&T) -> Result<(), String>,
) {
    let cases = setting("HEMIOLA_CASES").map_or(cases, |cases| cases as u32);
    let seed = setting("HEMIOLA_SEED").unwrap_or(1);
    let mut seed_bytes = [0; 32];
    seed_bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config =
        Config { cases, failure_persistence: None, max_shrink_iters: 3_000, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed_bytes);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let streams = vec(any::<u16>(), 0..length);
    let result = runner.run(&streams, |stream| {
        let grown = grow(&mut Choices { stream, at: 0 });
        property(&grown).map_err(TestCaseError::fail)
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(why, stream)) => {
            let grown = grow(&mut Choices { stream, at: 0 });
            panic!("seed {seed}: {why}\n--- in\n{grown}\n---");
        }
        Err(TestError::Abort(why)) => panic!("seed {seed}: {why}"),
    }
}

#[expect(clippy::disallowed_methods, reason = "how much to test is the tester's to say")]
fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")))
}

/// What the grown programs were like.
#[derive(Default)]
pub struct Counts(RefCell<BTreeMap<&'static str, usize>>);

impl Counts {
    /// Counts a program if it is like that.
    pub fn add(&self, what: &'static str, is: bool) {
        *self.0.borrow_mut().entry(what).or_default() += usize::from(is);
    }

    /// How many were like that.
    pub fn get(&self, what: &str) -> usize {
        self.0.borrow().get(what).copied().unwrap_or(0)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.0.borrow();
        let shown: Vec<String> =
            counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        f.write_str(&shown.join(", "))
    }
}

/// Observations in one line.
pub fn line(observations: &[Observation]) -> String {
    let shown: Vec<String> = observations.iter().map(ToString::to_string).collect();
    format!("[{}]", shown.join(" "))
}
