//! How far a run is on its way, for a client that shows it.

use crate::replica::Way;
use serde_json::{Value, json};

/// A way is worth a word when it was looked at so often; that is about half a second.
const PATIENCE: u32 = 25;

/// What a client is told of ways, one after the other.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Whether the client shows it.
    pub(super) is_wanted: bool,
    /// How many inputs the recording has.
    pub(super) inputs: u64,
    /// How many ways were told of, which tells one from another.
    count: u64,
    /// Where the way was first looked at, and how often it was since.
    from: Option<(Way, u32)>,
    /// How many parts of a hundred the client was told.
    told: Option<u64>,
}

/// The name of an event, and its body.
pub(super) type Event = (&'static str, Value);

impl Progress {
    /// What to tell of a run that is there: that it is on its way, and each part of a hundred once.
    pub(super) fn at(&mut self, way: &Way) -> Option<Event> {
        let (from, looked) = self.from.get_or_insert((*way, 0));
        *looked += 1;
        if !self.is_wanted || *looked < PATIENCE {
            return None;
        }
        let share = match way.until {
            Some(until) => part(from.step, way.step, until),
            None => part(from.inputs, way.inputs, self.inputs),
        };
        let message = format!("step {}", way.step);
        let name = match self.told {
            None => {
                self.count += 1;
                "progressStart"
            }
            Some(told) if share > told => "progressUpdate",
            Some(_) => return None,
        };
        self.told = Some(share);
        let id = self.count.to_string();
        let title = (name == "progressStart").then_some("Running");
        let mut body = json!({ "progressId": id, "message": message, "percentage": share });
        if let Some(title) = title {
            (body["title"], body["cancellable"]) = (title.into(), false.into());
        }
        Some((name, body))
    }

    /// The way is over, and so is what was told of it.
    pub(super) fn over(&mut self) -> Option<Event> {
        self.from = None;
        self.told.take()?;
        Some(("progressEnd", json!({ "progressId": self.count.to_string() })))
    }
}

/// How many parts of a hundred lie behind; a way whose length nobody knows has none.
fn part(from: u64, at: u64, until: u64) -> u64 {
    let [done, all] = [at, until].map(|there| there.saturating_sub(from));
    (done.saturating_mul(100) / all.max(1)).min(99)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(step: u64, until: Option<u64>, inputs: u64) -> Way {
        Way { step, until, inputs }
    }

    /// The names and shares of what is told of a way.
    fn told(progress: &mut Progress, ways: impl Iterator<Item = Way>) -> Vec<(&'static str, u64)> {
        let events: Vec<Event> = ways.filter_map(|way| progress.at(&way)).collect();
        let share = |body: &Value| body["percentage"].as_u64().expect("a number");
        events.iter().map(|(name, body)| (*name, share(body))).collect()
    }

    #[test]
    fn a_long_way_is_told_part_by_part_and_ends() {
        let mut progress = Progress { is_wanted: true, inputs: 100, ..Progress::default() };
        let ways = (100..=150).map(|step| way(step, Some(200), 0));
        let all = told(&mut progress, ways);
        assert_eq!(all[0], ("progressStart", 24));
        let updates: Vec<_> = (25..=50).map(|share| ("progressUpdate", share)).collect();
        assert_eq!(all[1..], updates);
        assert_eq!(progress.over(), Some(("progressEnd", json!({ "progressId": "1" }))));
        assert_eq!(progress.over(), None);
        // Where it ends is not known: then the inputs say how far it is. Nothing is told twice.
        let ways = (0..200).map(|step| way(step, None, step / 4));
        let all = told(&mut progress, ways);
        assert_eq!((all[0], all.len()), (("progressStart", 6), 1 + 49 - 6));
        assert_eq!(progress.over(), Some(("progressEnd", json!({ "progressId": "2" }))));
    }

    #[test]
    fn a_short_way_and_a_client_that_shows_nothing_are_told_nothing() {
        let mut progress = Progress { is_wanted: true, ..Progress::default() };
        assert_eq!(told(&mut progress, (0..24).map(|step| way(step, Some(24), 0))), []);
        assert_eq!(progress.over(), None);
        let mut progress = Progress::default();
        assert_eq!(told(&mut progress, (0..500).map(|step| way(step, Some(500), 0))), []);
        assert_eq!(progress.over(), None);
    }
}
