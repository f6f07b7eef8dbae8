//! What reads the inputs. A reader may refuse an input; it must not panic, hang, abort, or answer wrongly. What a
//! wrong answer is, is said beside each: `Err` from here is a failure of the reader.

pub mod calculus;
pub mod certificates;
pub mod dap;
pub mod fleets;
pub mod monitor;
pub mod programs;
pub mod recordings;
pub mod scheduler;
pub mod traces;
pub mod traps;

/// Whether a reader did what it should with an input; what was wrong, if not.
pub type Verdict = Result<(), String>;

/// Reads one input.
type Read = Box<dyn FnMut(&[u8]) -> Verdict>;

/// How inputs are read.
pub enum Reader {
    /// One by one.
    Each(Read),
    /// Many by one program in one engine: a file in `fuzz/programs`.
    Engine(&'static str),
}

impl Reader {
    /// One by one.
    pub fn each(read: impl FnMut(&[u8]) -> Verdict + 'static) -> Self {
        Self::Each(Box::new(read))
    }
}

/// Text, as files are read that must be text: what is none is refused there.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// A wrong answer, unless it is right.
fn hold(is_right: bool, otherwise: impl FnOnce() -> String) -> Verdict {
    if is_right { Ok(()) } else { Err(otherwise()) }
}
