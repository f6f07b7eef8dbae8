//! The status line of what takes long: a search, a simulation, a replay, the reading of a run.

use hemiola_explore::Progress;
use hemiola_explore::schedules::Search;
use hemiola_machine::Stream;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
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
    /// The status of something that starts now. Nothing is shown unless standard error is a terminal that can take
    /// a line back.
    pub(crate) fn new() -> Self {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            is_terminal: std::io::stderr().is_terminal() && !is_dumb,
            started: now(),
            pace: Pace::default(),
        }
    }

    /// Shows how far the search is, if it is time to; it ends after `most` configurations at the latest.
    pub(crate) fn update(&mut self, progress: Progress, most: usize) {
        self.show(|elapsed| {
            let left = left(progress.states as u64, most as u64, elapsed);
            line(progress, elapsed, left)
        });
    }

    /// The same for a search over schedules, which ends after `most` of them, or when its time is over.
    pub(crate) fn schedules(&mut self, search: &Search, most: u64, time_left: Option<Duration>) {
        let (runs, pruned) = (search.counts().runs(), search.counts().pruned);
        let (depth, waiting) = search.frontier();
        self.show(|elapsed| {
            let rate = rate(runs, elapsed);
            let left = left(runs, most, elapsed).into_iter().chain(time_left).min();
            // What somebody wants to know who waits comes first: the rest may not fit.
            let left = at_most(left);
            format!(
                "schedules {runs}{left}, {rate} per second, deviations {depth}, waiting {waiting}, pruned {pruned}"
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

    /// Takes the line back for something else; it comes again at once.
    pub(crate) fn make_room(&mut self) {
        if let Some(shown) = &mut self.pace.shown {
            *shown = Duration::ZERO;
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    /// Takes the line back; what is shown next has to wait as long as the first line.
    pub(crate) fn hide(&mut self) {
        if self.pace.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        self.pace.since = now().duration_since(self.started);
    }

    /// Whether it is time to show a line.
    fn is_late(&self) -> bool {
        self.pace.clone().is_due(now().duration_since(self.started))
    }

    fn show(&mut self, line: impl FnOnce(Duration) -> String) {
        let elapsed = now().duration_since(self.started);
        if self.is_terminal && self.pace.is_due(elapsed) {
            let line = fitting(line(elapsed), columns());
            let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.hide();
    }
}

/// How far something is.
pub(crate) struct Look {
    /// How much of it is done.
    pub(crate) done: u64,
    /// How much there is, if that is known.
    pub(crate) total: Option<u64>,
    /// What is shown.
    pub(crate) line: String,
}

/// A status line of something that has no time to show one: a thread looks how far it is. It goes away with this value.
pub(crate) struct Ticking {
    shared: Arc<Ticker>,
    thread: Option<JoinHandle<()>>,
}

struct Ticker {
    told: Mutex<Told>,
    over: Condvar,
}

struct Told {
    status: Status,
    is_over: bool,
    /// Whether the last line that the program printed has no end yet: it would be lost.
    is_within: bool,
}

impl Ticking {
    /// Looks until it is dropped. Before the line is shown, `ready` makes sure that nothing is printed later that is to
    /// be above it.
    pub(crate) fn new(
        mut look: impl FnMut() -> Look + Send + 'static,
        mut ready: impl FnMut() + Send + 'static,
    ) -> Self {
        let told = Told { status: Status::new(), is_over: false, is_within: false };
        let is_terminal = told.status.is_terminal;
        let shared = Arc::new(Ticker { told: Mutex::new(told), over: Condvar::new() });
        let ticker = Arc::clone(&shared);
        let tick = move || {
            let mut told = ticker.told();
            while !told.is_over {
                if told.status.is_late() && !told.is_within {
                    // Whoever prints may wait for us.
                    drop(told);
                    ready();
                    told = ticker.told();
                    if !told.is_over && !told.is_within {
                        let Look { done, total, line } = look();
                        match total {
                            Some(total) => told.status.share(done, total, || line),
                            None => told.status.line(|| line),
                        }
                    }
                }
                let waited = ticker.over.wait_timeout(told, REFRESH);
                told = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        };
        // Without a thread there is no line.
        let thread =
            is_terminal.then(|| std::thread::Builder::new().name("status".into()).spawn(tick));
        Self { shared, thread: thread.and_then(Result::ok) }
    }

    /// The same for something that does not know how far it is.
    pub(crate) fn words(line: impl Into<String>) -> Self {
        let line = line.into();
        Self::new(move || Look { done: 0, total: None, line: line.clone() }, || {})
    }

    /// Takes the line away, because whole lines are about to be printed.
    pub(crate) fn hide(&self) {
        if self.thread.is_some() {
            let mut told = self.shared.told();
            told.is_within = false;
            told.status.hide();
        }
    }

    /// What is to be told of everything that a program prints, before it is printed.
    pub(crate) fn printing(&self) -> impl Fn(Stream, &[u8]) + Send + Sync + use<> {
        let ticker = self.thread.is_some().then(|| Arc::clone(&self.shared));
        let is_shown = std::io::stdout().is_terminal();
        move |stream, bytes| {
            if let (Some(ticker), Some(last)) = (&ticker, bytes.last())
                && (is_shown || stream == Stream::Err)
            {
                let mut told = ticker.told();
                told.is_within = *last != b'\n';
                told.status.hide();
            }
        }
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.shared.told().is_over = true;
        self.shared.over.notify_all();
        if let Some(thread) = self.thread.take() {
            // What it was about is over, also if it was not.
            let _ = thread.join();
        }
        self.shared.told().status.hide();
    }
}

impl Ticker {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How wide the terminal is.
fn columns() -> usize {
    hemiola_live::columns().map_or(80, usize::from)
}

/// What of a line fits into a row: it could not be taken back from two.
fn fitting(line: String, columns: usize) -> String {
    match line.chars().count() < columns {
        true => line,
        false => line.chars().take(columns.saturating_sub(2)).chain(['…']).collect(),
    }
}

#[expect(clippy::disallowed_methods, reason = "the status line tells the user how fast we are")]
fn now() -> Instant {
    Instant::now()
}

/// When the line was last shown, if it was.
#[derive(Clone, Debug, Default)]
struct Pace {
    shown: Option<Duration>,
    /// Since when there was nothing else to see.
    since: Duration,
}

impl Pace {
    /// Whether to show the line now; if so, it takes note of that.
    fn is_due(&mut self, elapsed: Duration) -> bool {
        let due = elapsed >= self.shown.map_or(self.since + PATIENCE, |shown| shown + REFRESH);
        if due {
            self.shown = Some(elapsed);
        }
        due
    }
}

fn line(progress: Progress, elapsed: Duration, left: Option<Duration>) -> String {
    let Progress { states, frontier } = progress;
    let (left, rate) = (at_most(left), rate(states as u64, elapsed));
    format!("configurations {states}{left}, {rate} per second, waiting {frontier}")
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

/// A length of virtual time, in microseconds, for somebody who waits.
pub(crate) fn length(micros: u64) -> String {
    let seconds = micros as f64 / 1e6;
    match seconds {
        ..60.0 => format!("{seconds:.1} s"),
        ..7_200.0 => format!("{:.1} min", seconds / 60.0),
        ..172_800.0 => format!("{:.1} h", seconds / 3_600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
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
        let mut pace = Pace::default();
        let times = [0, 499, 500, 599, 600, 650, 700, 900];
        let shown = times.map(|ms| pace.is_due(Duration::from_millis(ms)));
        assert_eq!(shown, [false, false, true, false, true, false, true, true]);
    }

    #[test]
    fn a_line_that_was_taken_back_comes_as_late_as_the_first() {
        let mut pace = Pace { shown: None, since: Duration::from_millis(700) };
        let shown =
            [1_100, 1_199, 1_200, 1_250, 1_300].map(|ms| pace.is_due(Duration::from_millis(ms)));
        assert_eq!(shown, [false, false, true, false, true]);
    }

    #[test]
    fn a_line_fits_into_a_row() {
        let line = |columns| fitting("schedules 17, pruned 3".into(), columns);
        assert_eq!(
            [line(23), line(22), line(12)],
            ["schedules 17, pruned 3", "schedules 17, pruned…", "schedules …"]
        );
    }

    #[test]
    fn what_is_left_follows_from_what_is_done() {
        let elapsed = Duration::from_secs(10);
        assert_eq!(left(25, 100, elapsed), Some(Duration::from_secs(30)));
        assert_eq!([left(0, 100, elapsed), left(101, 100, elapsed)], [None, None]);
        assert_eq!(at_most(left(25, 100, elapsed)), ", at most about 30 s left");
        let spans = [0, 1, 99_001, 150_000, 7_200_000].map(Duration::from_millis).map(span);
        assert_eq!(spans, ["0 s", "1 s", "2 min", "3 min", "2 h"]);
        let lengths = [0, 1_500_000, 90_000_000, 86_400_000_000, 864_000_000_000].map(length);
        assert_eq!(lengths, ["0.0 s", "1.5 s", "1.5 min", "24.0 h", "10.0 days"]);
    }

    #[test]
    fn the_line_tells_how_far_and_how_fast() {
        let progress = Progress { states: 131_072, frontier: 17 };
        assert_eq!(
            line(progress, Duration::from_millis(500), Some(Duration::from_secs(30))),
            "configurations 131072, at most about 30 s left, 262144 per second, waiting 17"
        );
        assert_eq!(
            line(progress, Duration::ZERO, None),
            "configurations 131072, 0 per second, waiting 17"
        );
    }
}
