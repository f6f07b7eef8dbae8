//! How deep a program may call.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What a program gets when the system lets it: about as many calls as in Node.
const WANTED: u64 = 10 * 1024 * 1024;

/// What is kept for the functions that the engine calls, and for telling of an overflow.
const SPARE: u64 = 1024 * 1024;

/// How many files and sockets may be open at once, and how many at most could be asked for; nothing where there is no
/// limit.
pub fn open_files() -> (Option<u64>, Option<u64>) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    (current, maximum)
}

/// How many bytes of the main thread's stack a program may use. Asks the system for enough of it: a
/// main thread's stack grows up to a limit that may be raised while it runs.
pub fn stack_room() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Stack);
    let wanted = maximum.unwrap_or(u64::MAX).min(WANTED + SPARE);
    let granted = match current {
        Some(current) if current < wanted => {
            let raised = setrlimit(Resource::Stack, Rlimit { current: Some(wanted), maximum });
            if raised.is_ok() { wanted } else { current }
        }
        _ => wanted,
    };
    // On a stack of a megabyte or two, half of it is better than nothing.
    granted.saturating_sub(SPARE).max(granted / 2) as usize
}
