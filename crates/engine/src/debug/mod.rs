//! A program that stands still where it is told to, and is looked at.
//!
//! Texts get a hook before every statement (`transform::step`), which counts down and calls back when
//! the count is over: so a statement that nobody waits for costs a decrement. The number of statements
//! that have run is a *position*: a replay does the same every time, so the number names one moment.
//! What stands on the stack is read out of the engine's own frames, and nothing is kept for
//! that while the program runs. `docs/design/debugging.md` says why.

mod aside;
mod engine;
mod goal;
mod hooks;
mod look;
mod memory;
mod now;
mod places;
mod readers;
mod reading;
mod session;
mod stepping;
mod values;
mod watch;

pub(crate) use engine::{Activation, Layout, Standpoint, text_of};
pub use goal::{Breakpoints, Goal, Stepping, Throws, Until, Watch};
pub use hooks::{begin, made, native};
pub use look::{Frame, Reason, Scope, ScopeKind, Stopped, Variable};
pub use now::{functions, position};
pub use reading::Condition;
pub use session::Session;
pub(crate) use values::function_name;

use std::fmt;
use std::sync::{Arc, Mutex};

/// Says how far a program runs, and looks at it where it stands still.
pub trait Debugger {
    /// The first goal. Nothing of the program has run yet.
    fn begin(&mut self) -> Goal;

    /// A goal is reached; the program stands still until this returns the next one.
    fn stopped(&mut self, at: &mut Stopped<'_>) -> Goal;

    /// A text of the program is going to be run, with the places at which it can stand still. They are
    /// in the order of the text.
    fn loaded(&mut self, _file: &str, _places: &[(u32, u32)]) {}
}

/// A debugger as the options of a program hold it.
#[derive(Clone)]
pub struct Debug {
    /// Who is asked.
    pub debugger: Arc<Mutex<dyn Debugger + Send>>,
    /// Files that are run through without stopping: patterns with `*`, `**` and `?`.
    pub skip: Vec<String>,
    /// When the run began, in microseconds since the start of 1970: what the clock on the wall is counted
    /// from where the program has not read it yet.
    pub began_us: u64,
}

impl Debug {
    /// Lets a program be run by this debugger.
    pub fn new(debugger: Arc<Mutex<dyn Debugger + Send>>) -> Self {
        Self { debugger, skip: Vec::new(), began_us: 0 }
    }
}

impl fmt::Debug for Debug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Debug").field("skip", &self.skip).finish_non_exhaustive()
    }
}
