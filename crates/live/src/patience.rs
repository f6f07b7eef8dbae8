//! How long is waited for a thread that should look up soon.
//!
//! Wall time alone does not do: on a busy computer a thread that would look up at once may not get a processor for
//! longer than that. So the time for which it waited for a processor does not count, unless it was this process that
//! kept all processors busy; and some wall time is the end of it.

use crate::system::resident_megabytes;
use rustix::thread::{Pid, gettid};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::time::{Duration, Instant};

/// How long the thread may take while it runs, or waits for anything but a processor, in a process that holds little memory.
const OWN: Duration = Duration::from_millis(100);

/// How long it has in a process that holds much: enough to look up between two steps.
const LEAST: Duration = Duration::from_millis(10);

/// How long the system takes to have a megabyte back when the process ends.
const MEGABYTE_BACK: Duration = Duration::from_micros(150);

/// How long it may take on the busiest computer.
const WALL: Duration = Duration::from_secs(1);

/// What has passed.
#[derive(Clone, Copy)]
struct Passed {
    /// What the thread has of its own.
    own: Duration,
    wall: Duration,
    /// For how long the thread waited for a processor.
    queued: Duration,
    /// For how long all threads of the process ran, together.
    ran: Duration,
}

impl Passed {
    /// How much longer is waited at least; nothing, if it was long enough.
    fn left(self, processors: u32) -> Duration {
        let own = (self.own + self.queued).saturating_sub(self.wall);
        let all = (self.own * processors).saturating_sub(self.ran) / processors;
        own.min(all).min(WALL.saturating_sub(self.wall))
    }
}

/// Waits for a thread from now on.
pub(crate) struct Patience {
    thread: Pid,
    processors: u32,
    own: Duration,
    begun: Instant,
    queued: Duration,
    ran: Duration,
}

impl Patience {
    pub(crate) fn with(thread: Pid) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            thread,
            processors: u32::try_from(processors).unwrap_or(1),
            own: own(resident_megabytes()),
            begun: Instant::now(),
            queued: queued(thread),
            ran: ran(),
        }
    }

    /// How much longer is waited at least; nothing, if it was long enough.
    pub(crate) fn left(&self) -> Duration {
        let passed = Passed {
            own: self.own,
            wall: self.begun.elapsed(),
            queued: queued(self.thread).saturating_sub(self.queued),
            ran: ran().saturating_sub(self.ran),
        };
        passed.left(self.processors)
    }
}

/// How long is waited, so that the process is over in the same time whatever it holds.
fn own(megabytes: u32) -> Duration {
    OWN.saturating_sub(MEGABYTE_BACK * megabytes).max(LEAST)
}

/// The thread that asks.
pub(crate) fn this_thread() -> Pid {
    gettid()
}

/// For how long a thread of this process has waited for a processor; nothing, where the system does not count that.
fn queued(thread: Pid) -> Duration {
    let path = format!("/proc/self/task/{}/schedstat", thread.as_raw_nonzero());
    let text = fs::read_to_string(path).unwrap_or_default();
    let nanos = text.split(' ').nth(1).and_then(|word| word.parse().ok());
    Duration::from_nanos(nanos.unwrap_or_default())
}

/// For how long this process has computed.
fn ran() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(wall: u64, queued: u64, ran: u64) -> Duration {
        let [wall, queued, ran] = [wall, queued, ran].map(Duration::from_millis);
        Passed { own: OWN, wall, queued, ran }.left(2)
    }

    #[test]
    fn a_thread_that_waits_for_a_processor_has_longer() {
        assert_eq!(left(0, 0, 0), OWN);
        assert_eq!(left(100, 0, 20), Duration::ZERO, "it waits for something else");
        assert_eq!(left(100, 0, 100), Duration::ZERO, "it computes");
        assert_eq!(left(100, 90, 10), Duration::from_millis(90), "others have the processors");
        assert_eq!(left(100, 90, 190), Duration::from_millis(5), "its own process has them");
        assert_eq!(left(100, 90, 200), Duration::ZERO);
        assert_eq!(left(1000, 990, 10), Duration::ZERO, "no computer is that busy");
    }

    #[test]
    fn who_holds_much_memory_is_waited_for_less() {
        assert_eq!(own(0), OWN);
        assert_eq!(own(200), Duration::from_millis(70));
        assert_eq!(own(600), LEAST);
        assert_eq!(own(u32::MAX), LEAST);
    }

    #[test]
    fn the_system_tells_what_is_held() {
        let before = resident_megabytes();
        let held = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(resident_megabytes() >= before + 40, "{before}");
        drop(held);
    }

    #[test]
    fn the_system_counts_the_wait_for_a_processor() {
        let before = queued(this_thread());
        let patience = Patience::with(this_thread());
        assert!(patience.left() <= OWN + queued(this_thread()));
        assert!(queued(this_thread()) >= before);
    }
}
