//! The clock that the time of a run is read from, and alarms at its instants.
//!
//! The clock counts on while the computer is suspended, and an alarm is set to a moment, not to a time from
//! now. So a process that was stopped, or slept with its computer, finds every wait over that has ended
//! meanwhile, and none goes on for what was left of it (rule TIME-8).

use hemiola_machine::Instant;
use rustix::io::{Errno, read};
use rustix::time::{
    ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, clock_gettime,
    timerfd_create, timerfd_settime,
};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// A reading of the clock: the time since the computer was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(Duration);

impl Moment {
    /// The present one.
    pub(crate) fn now() -> Self {
        let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::Boottime);
        Self(Duration::new(tv_sec.unsigned_abs(), tv_nsec as u32))
    }

    /// The moment so much later; the last one there is, if it would be after that.
    pub(crate) fn after(self, delay: Duration) -> Self {
        Self(self.0.saturating_add(delay))
    }

    /// How long ago it was.
    pub(crate) fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }

    /// This moment in a run that began at `start`.
    pub(crate) fn in_run(self, start: Self) -> Instant {
        let since = self.0.saturating_sub(start.0).as_micros();
        Instant::from_micros(u64::try_from(since).unwrap_or(u64::MAX))
    }

    /// As the system writes it. More seconds than it can count are for ever enough.
    pub(crate) fn timespec(self) -> Timespec {
        let tv_sec = i64::try_from(self.0.as_secs()).unwrap_or(i64::MAX);
        Timespec { tv_sec, tv_nsec: self.0.subsec_nanos().into() }
    }
}

/// Something to wait for beside other descriptors: readable from a moment on.
pub(crate) struct Alarm {
    timer: OwnedFd,
    set: Option<Moment>,
}

impl Alarm {
    /// An alarm that is not set.
    pub(crate) fn new() -> io::Result<Self> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        Ok(Self { timer: timerfd_create(TimerfdClockId::Boottime, flags)?, set: None })
    }

    /// Sets it to a moment, which may be past, or to none.
    pub(crate) fn set(&mut self, at: Option<Moment>) {
        if self.set == at {
            return;
        }
        self.set = at;
        let never = Timespec { tv_sec: 0, tv_nsec: 0 };
        let it_value = at.map_or(never, Moment::timespec);
        let time = Itimerspec { it_interval: never, it_value };
        timerfd_settime(&self.timer, TimerfdTimerFlags::ABSTIME, &time)
            .expect("an alarm can be set to any moment");
    }
}

impl AsFd for Alarm {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.timer.as_fd()
    }
}

/// Something to wait for beside other descriptors: readable once somebody has set the clock on the wall.
pub(crate) struct WallWatch {
    timer: OwnedFd,
}

impl WallWatch {
    /// Watches from now on.
    pub(crate) fn new() -> io::Result<Self> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        let watch = Self { timer: timerfd_create(TimerfdClockId::Realtime, flags)? };
        watch.arm()?;
        Ok(watch)
    }

    /// Sets a timer that never comes. It is cancelled when the clock is set, and that is what it is for.
    fn arm(&self) -> io::Result<()> {
        let it_interval = Timespec { tv_sec: 0, tv_nsec: 0 };
        let it_value = Timespec { tv_sec: i64::MAX, tv_nsec: 0 };
        let flags = TimerfdTimerFlags::ABSTIME | TimerfdTimerFlags::CANCEL_ON_SET;
        timerfd_settime(&self.timer, flags, &Itimerspec { it_interval, it_value })?;
        Ok(())
    }

    /// Whether the clock was set since the last time.
    pub(crate) fn was_set(&self) -> bool {
        if read(&self.timer, &mut [0; 8]) == Err(Errno::AGAIN) {
            return false;
        }
        // It was armed before, so it can be again.
        let _ = self.arm();
        true
    }
}

impl AsFd for WallWatch {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.timer.as_fd()
    }
}
