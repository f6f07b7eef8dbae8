//! How a process ends by a signal.

use hemiola_gate::Reason;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Ends the process by a signal, as if nobody had ever listened to it: whoever started the process sees
/// by which it ended. Comes back from signals that end nothing.
pub fn end_by(signal: i32) {
    let _ = crate::terminal::restore();
    let _ = low_level::emulate_default_handler(signal);
}

/// Lets Ctrl-C and a polite request end the process at once, now that its program has ended.
pub fn end_at_once() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_default(signal, Arc::new(AtomicBool::new(true)))?;
    }
    Ok(())
}

/// The signal that asked for a stop.
pub fn signal_of(reason: Reason) -> Option<i32> {
    match reason {
        Reason::Interrupted => Some(SIGINT),
        Reason::Terminated => Some(SIGTERM),
        Reason::TimedOut | Reason::PastTheEnd | Reason::OutOfMemory | Reason::Ended => None,
    }
}
