//! The status line of a long search.

use hemiola_explore::Progress;
use hemiola_explore::schedules::Search;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// What is done sooner needs no status line.
const PATIENCE: Duration = Duration::from_millis(500);
/// The line changes at most so often.
const REFRESH: Duration = Duration::from_millis(100);

/// A line on the terminal that says how far a search is; it goes away with this value.
#[derive(Debug)]
pub(crate) struct Status {
    is_terminal: bool,
    started: Instant,
    pace: Pace,
}

impl Status {
    /// The status of a search that starts now. Nothing is shown unless standard error is a terminal.
    pub(crate) fn new() -> Self {
        Self {
            is_terminal: std::io::stderr().is_terminal(),
            started: now(),
            pace: Pace { shown: None },
        }
    }

    /// Shows how far the search is, if it is time to; it ends after `most` configurations at the latest.
    pub(crate) fn update(&mut self, progress: Progress, most: usize) {
        self.show(|elapsed| {
            let left = left(progress.states as u64, most as u64, elapsed);
            line(progress, elapsed) + &at_most(left)
        });
    }

    /// The same for a search over schedules, which ends after `most` of them, or when its time is over.
    pub(crate) fn schedules(&mut self, search: &Search, most: u64, time_left: Option<Duration>) {
        let (runs, pruned) = (search.counts().runs(), search.counts().pruned);
        let (depth, waiting) = search.frontier();
        self.show(|elapsed| {
            let rate = rate(runs, elapsed);
            let left = left(runs, most, elapsed).into_iter().chain(time_left).min();
            format!(
                "schedules {runs}, pruned {pruned}, deviations {depth}, waiting {waiting}, {rate} per second{}",
                at_most(left)
            )
        });
    }

    /// Shows a line about work of which so much is done, with how long the rest will take.
    pub(crate) fn share(&mut self, done: u64, total: u64, line: impl FnOnce() -> String) {
        self.show(|elapsed| {
            let left =
                left(done, total, elapsed).map(|left| format!(", about {} left", span(left)));
            line() + &left.unwrap_or_default()
        });
    }

    /// Shows a line, if it is time to.
    pub(crate) fn line(&mut self, line: impl FnOnce() -> String) {
        self.show(|_| line());
    }

    /// What time it is for whoever waits.
    pub(crate) fn now(&self) -> Instant {
        now()
    }

    fn show(&mut self, line: impl FnOnce(Duration) -> String) {
        let elapsed = now().duration_since(self.started);
        if self.is_terminal && self.pace.is_due(elapsed) {
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", line(elapsed));
        }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        if self.pace.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the status line tells the user how fast we are")]
fn now() -> Instant {
    Instant::now()
}

/// When the line was last shown, if it was.
#[derive(Debug)]
struct Pace {
    shown: Option<Duration>,
}

impl Pace {
    /// Whether to show the line now; if so, it takes note of that.
    fn is_due(&mut self, elapsed: Duration) -> bool {
        let due = elapsed >= self.shown.map_or(PATIENCE, |shown| shown + REFRESH);
        if due {
            self.shown = Some(elapsed);
        }
        due
    }
}

fn line(Progress { states, frontier }: Progress, elapsed: Duration) -> String {
    let rate = rate(states as u64, elapsed);
    format!("configurations {states}, waiting {frontier}, {rate} per second")
}

/// How long the rest takes if it goes on as it did.
fn left(done: u64, total: u64, elapsed: Duration) -> Option<Duration> {
    let rest = u128::from(total.checked_sub(done)?);
    let millis = (elapsed.as_millis() * rest).checked_div(u128::from(done))?;
    Some(Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX)))
}

fn at_most(left: Option<Duration>) -> String {
    left.map_or(String::new(), |left| format!(", at most about {} left", span(left)))
}

/// A length of time for somebody who waits.
fn span(length: Duration) -> String {
    let seconds = length.as_millis().div_ceil(1_000);
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6_000 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3_600)),
    }
}

fn rate(done: u64, elapsed: Duration) -> u128 {
    (u128::from(done) * 1_000).checked_div(elapsed.as_millis()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_comes_late_and_seldom() {
        let mut pace = Pace { shown: None };
        let times = [0, 499, 500, 599, 600, 650, 700, 900];
        let shown = times.map(|ms| pace.is_due(Duration::from_millis(ms)));
        assert_eq!(shown, [false, false, true, false, true, false, true, true]);
    }

    #[test]
    fn what_is_left_follows_from_what_is_done() {
        let elapsed = Duration::from_secs(10);
        assert_eq!(left(25, 100, elapsed), Some(Duration::from_secs(30)));
        assert_eq!([left(0, 100, elapsed), left(101, 100, elapsed)], [None, None]);
        assert_eq!(at_most(left(25, 100, elapsed)), ", at most about 30 s left");
        let spans = [0, 1, 99_001, 150_000, 7_200_000].map(Duration::from_millis).map(span);
        assert_eq!(spans, ["0 s", "1 s", "2 min", "3 min", "2 h"]);
    }

    #[test]
    fn the_line_tells_how_far_and_how_fast() {
        let progress = Progress { states: 131_072, frontier: 17 };
        assert_eq!(
            line(progress, Duration::from_millis(500)),
            "configurations 131072, waiting 17, 262144 per second"
        );
        assert_eq!(
            line(progress, Duration::ZERO),
            "configurations 131072, waiting 17, 0 per second"
        );
    }
}
