//! A process that becomes two, so that one of them can be kept as it is.
//!
//! The engine, the machine and what is left of a recording are memory of one process, and nothing else:
//! a replay has no threads, no files that it reads on, and asks nothing of the outside. So a copy of the
//! process is a copy of the run, and the system makes one without copying memory that stays the same.
#![expect(unsafe_code, reason = "to become two is a call of the system's")]

use std::io;

/// Which of the two this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that was there before, and the number of the other process.
    Same(u32),
    /// The other one.
    Other,
}

/// Makes another process that stands where this one does.
///
/// Refused in a process with more than one thread: the others would be missing in the copy, with what they
/// had locked.
pub fn fork() -> io::Result<Side> {
    if threads()? != 1 {
        return Err(io::Error::other("a process with threads cannot be copied"));
    }
    // SAFETY: this is the only thread, so that nobody holds a lock that the copy would wait for, and
    // everything that this thread was doing can go on in both. What is shared are open files; the
    // caller sees to them.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Side::Other),
        number => Ok(Side::Same(number.cast_unsigned())),
    }
}

/// Lets the system forget about other processes that this one has made, once they are over, and leaves
/// Ctrl-C to whoever gives this one its orders.
pub fn follow_orders() {
    // SAFETY: no handler is installed. The system is only told that nobody is going to ask how others
    // ended, and that a signal of the terminal is for somebody else.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_IGN);
        libc::signal(libc::SIGINT, libc::SIG_IGN);
    }
}

/// How many threads this process has.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "a process with threads cannot be copied")]
fn threads() -> io::Result<usize> {
    Ok(std::fs::read_dir("/proc/self/task")?.count())
}

/// Elsewhere it has one, as far as is known: a replay starts none.
#[cfg(not(target_os = "linux"))]
fn threads() -> io::Result<usize> {
    Ok(1)
}
