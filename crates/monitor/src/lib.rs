//! Properties: what a run must show, and the monitor that holds a run to it.
//!
//! A property is written as a [`Spec`], a regular expression over observations:
//!
//! | form | matches |
//! | --- | --- |
//! | `a`, `done`, `x'` | the observation of that name, or what the name was last bound to |
//! | `"any text"` | the observation of exactly that name, never a variable; escapes are `\"`, `\\` |
//! | `12`, `-3` | the observation of that number |
//! | `.` | any one observation |
//! | `^x` | any one observation, and binds `x` to it from here on |
//! | `e f`, `e \| f` | `e` then `f`; `e` or `f` |
//! | `e*`, `e+`, `e?` | `e` any number of times; at least once; at most once |
//! | `(e)`, `()` | `e`; no observation at all |
//! | `e infinitely often a` | `e`, and a run never ends and shows `a` again and again; also `(a \| b)`, and several |
//!
//! A name that was not bound on the way stands for itself. The empty spec allows only runs that
//! show nothing.
//!
//! Languages are prefix-closed: a run conforms as long as it can still become a word of the
//! language. A `$` at the very end asks for more, namely that a run which is done is a whole word.
//! `infinitely often a` asks for more of runs that are not: none may end, and each has to show `a`
//! without end. Without anything before it, everything else may be shown in between. The observations
//! `infinitely` and `often` themselves are written in quotes there.
//!
//! [`Spec`] is the compiled automaton and [`Standing`] says where in it a run stands. Standings are
//! plain values in canonical form, so that an explorer can keep one per state and tell equal ones
//! apart from different ones; [`Monitor`] is for following a single run.
//!
//! ```
//! use hemiola_monitor::{End, Spec};
//!
//! // Whatever was opened is what gets closed, again and again.
//! let spec = Spec::parse("(open ^file close file)* $")?;
//! let mut monitor = spec.monitor();
//! for shown in ["open", "log", "close"] {
//!     monitor.observe(&shown.into());
//! }
//! assert!(monitor.verdict(End::Cut), "so far, so good");
//! assert!(!monitor.verdict(End::Complete), "but it may not end here");
//! monitor.observe(&"index".into());
//! assert!(!monitor.verdict(End::Cut), "that was not the file it opened");
//! # Ok::<(), hemiola_trace::source::SourceError>(())
//! ```
#![forbid(unsafe_code)]

mod automaton;
mod spec;
mod syntax;
pub mod theory;
mod token;

pub use spec::{End, Monitor, Spec, Standing};
pub use syntax::Often;
