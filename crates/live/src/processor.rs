//! How much of the processor a thread took.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds of processor time that the calling thread has taken.
pub fn processor_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanos = u64::try_from(time.tv_nsec).unwrap_or_default();
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}
