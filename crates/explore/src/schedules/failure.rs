//! What is wrong with a run that has ended, in a line.

use super::plan::Outcome;
use hemiola_trace::Event;
use std::collections::BTreeSet;

/// What is wrong with the end of a program: another exit code than 0, and why, as far as it said so.
pub fn failure(outcome: &Outcome, thrown: Option<&str>, cut: bool) -> Option<String> {
    if outcome.code == 0 || cut {
        return None;
    }
    let text = String::from_utf8_lossy(&outcome.err);
    let is_error = |line: &&str| {
        let name = line.split([':', ' ']).next().unwrap_or_default();
        name.ends_with("Error") || name.ends_with("Exception")
    };
    let line = text.lines().find(is_error).or_else(|| thrown?.lines().next());
    let line = line.or_else(|| text.lines().find(|line| !line.trim().is_empty()));
    Some(line.map_or_else(|| format!("exit status {}", outcome.code), str::to_owned))
}

/// The promises that somebody waits for, as far as the program tells.
#[derive(Debug, Default)]
pub struct Awaited(BTreeSet<u64>);

impl Awaited {
    /// Hears what happens to promises.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Attached { promise: Some(promise), .. } => {
                self.0.insert(*promise);
            }
            Event::Settled { promise } => {
                self.0.remove(promise);
            }
            _ => {}
        }
    }

    /// What is wrong with a run after which promises are waited for that nobody can settle any more.
    pub fn deadlock(&self, cut: bool) -> Option<String> {
        (!self.0.is_empty() && !cut).then(|| {
            let promises = if self.0.len() == 1 { "a promise is" } else { "promises are" };
            format!("deadlock: {promises} awaited that nothing settles")
        })
    }
}
