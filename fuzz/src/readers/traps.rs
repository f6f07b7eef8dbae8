//! What fails on purpose, so that a test sees whether failures are found.

use super::Verdict;

/// Does what the input says.
pub fn spring(bytes: &[u8]) -> Verdict {
    let says = |word: &str| bytes.windows(word.len()).any(|window| window == word.as_bytes());
    assert!(!says("panic"), "there is a trap in it");
    if says("abort") {
        #[expect(clippy::disallowed_methods, reason = "the process is to end without a word")]
        std::process::abort();
    }
    if says("overflow") {
        deeper(0);
    }
    while says("for ever") {
        std::thread::yield_now();
    }
    if says("wrong") { Err("it says that it is wrong".into()) } else { Ok(()) }
}

/// Needs more stack than there is.
fn deeper(depth: u64) -> u64 {
    let below = std::hint::black_box(depth);
    if below == u64::MAX { 0 } else { deeper(below + 1) + below }
}
