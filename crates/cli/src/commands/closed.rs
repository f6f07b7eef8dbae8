//! What is said to the author of a program that found nobody in a simulated network.

use crate::exit::FOUND;
use crate::report;
use hemiola_explore::schedules::Search;

/// Whether a message says that nobody was found in the network.
pub(super) fn says_refused(bytes: &[u8]) -> bool {
    ["ECONNREFUSED", "ENOTFOUND"]
        .iter()
        .any(|code| bytes.windows(code.len()).any(|part| part == code.as_bytes()))
}

/// Why there is nobody, and what can be done.
pub(super) fn note() -> String {
    report::note(
        "the network of a simulation is closed: only what the program itself listens on is there. Start the other side \
         in the program, give it a host of a fleet (hemiola fleet simulate), or use the real network: hemiola run",
    )
}

/// The same for a search, if what it found tells of that, or what a failing program wrote: the cause of an error is not in
/// its first line.
pub(super) fn note_of(search: &Search, result: &str, code: u8) -> String {
    let failed = search.found().iter().filter(|found| found.outcome.failure.is_some());
    match code == FOUND && failed.into_iter().any(|found| says_refused(&found.outcome.err)) {
        true => note(),
        false => note_for(result, code),
    }
}

/// The same for the result of a search, if what it found tells of that.
pub(super) fn note_for(result: &str, code: u8) -> String {
    let is_told = code == FOUND && says_refused(result.as_bytes());
    if is_told { note() } else { String::new() }
}
