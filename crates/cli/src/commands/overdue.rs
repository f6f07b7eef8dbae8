//! The last resort of a search whose time is up while one of its runs does what cannot be interrupted.
//!
//! Runs look at the time between the steps of their programs, and end by themselves. Within one step, such as the joining
//! of a thousand million strings, nothing looks. There is one search at a time in a process, so what it does is
//! known to all of its threads.

use crate::exit::STOPPED;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long after its time a run may go without a look at it: what a run has made goes, too, in that time.
const GRACE: Duration = Duration::from_secs(5);

/// How often somebody sees to that.
const OFTEN: Duration = Duration::from_millis(100);

/// What is known of the search.
struct Seen {
    /// When its time is up.
    until: Option<Instant>,
    /// When a run last looked, or began.
    looked: Option<Instant>,
    /// How many runs are being made.
    running: usize,
    is_watched: bool,
}

static SEEN: Mutex<Seen> =
    Mutex::new(Seen { until: None, looked: None, running: 0, is_watched: false });

fn seen() -> MutexGuard<'static, Seen> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[expect(clippy::disallowed_methods, reason = "the user limits real time")]
fn now() -> Instant {
    Instant::now()
}

impl Seen {
    fn is_overdue(&self, now: Instant) -> bool {
        let since = self.until.max(self.looked);
        let is_late = since.is_some_and(|since| now.saturating_duration_since(since) > GRACE);
        self.running > 0 && self.until.is_some() && is_late
    }
}

/// Says when the time of the search is up; from then on somebody sees to it that it ends.
pub(super) fn limit(until: Instant) {
    let mut seen = seen();
    seen.until = Some(until);
    if !std::mem::replace(&mut seen.is_watched, true) {
        let thread = std::thread::Builder::new().name("overdue".into());
        // Without it the search ends when the step does.
        let _ = thread.spawn(watch);
    }
}

/// A run looks at the time.
pub(super) fn looked() {
    seen().looked = Some(now());
}

/// A run that is being made.
pub(super) struct Running(());

impl Running {
    pub(super) fn begin() -> Self {
        let mut seen = seen();
        seen.running += 1;
        seen.looked = Some(now());
        Self(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        seen().running -= 1;
    }
}

#[expect(clippy::disallowed_methods, reason = "the thread of the run does not come back to main")]
fn watch() {
    loop {
        std::thread::sleep(OFTEN);
        if seen().is_overdue(now()) {
            let text = "error: the time is up (--time), while a run does something that cannot be interrupted\n\
                        help: see where it is: hemiola simulate --timeout 10s FILE\n";
            // If nobody can be told, the exit status still says it.
            let _ = std::io::stderr().write_all(text.as_bytes());
            std::process::exit(STOPPED.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_run_that_does_not_look_is_overdue() {
        let start = now();
        let at = |ms| start + Duration::from_millis(ms);
        let seen = |until, looked, running| Seen { until, looked, running, is_watched: true };
        let looking = seen(Some(at(1000)), Some(at(5000)), 1);
        assert!(!looking.is_overdue(at(6000)), "it has just looked");
        assert!(looking.is_overdue(at(10_100)), "it looks no more");
        assert!(!seen(Some(at(1000)), Some(at(0)), 1).is_overdue(at(2000)), "the time is just up");
        assert!(!seen(Some(at(9000)), Some(at(0)), 1).is_overdue(at(8000)), "there is time left");
        assert!(!seen(Some(at(1000)), Some(at(0)), 0).is_overdue(at(9000)), "nothing runs");
        assert!(!seen(None, Some(at(0)), 1).is_overdue(at(9000)), "there is no limit");
    }
}
