//! How far a program is to run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What becomes of a program that stands still.
#[derive(Clone, Debug)]
pub enum Goal {
    /// It ends at once, and nothing of it runs any more: not its `finally` blocks, not its `exit` events.
    Quit,
    /// It goes on until something of this happens; if nothing does, to its end.
    Run(Until),
}

/// Where a program stands still next: wherever one of these says so first.
#[derive(Clone, Debug, Default)]
pub struct Until {
    /// Before the statement of that position: when so many have run. One that is past is no goal.
    pub step: Option<u64>,
    /// Before statements on these lines.
    pub breakpoints: Breakpoints,
    /// Relative to where it stands now.
    pub stepping: Option<Stepping>,
    /// Before the first statement of that invocation.
    pub invocation: Option<u64>,
    /// Before `debugger` statements.
    pub statements: bool,
    /// Where something is thrown.
    pub throws: Throws,
    /// After a statement that changed one of these.
    pub watches: Vec<Watch>,
    /// Whether it is remembered which statement each frame came from: see [`Stopped::previous`]. It
    /// makes every statement as dear as a breakpoint does.
    ///
    /// [`Stopped::previous`]: super::Stopped::previous
    pub remember: bool,
}

/// Lines at which a program stands still, by file.
///
/// A line means the first statement that begins on it or, if none does, the next one after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakpoints(pub Arc<BTreeMap<String, BTreeSet<u32>>>);

/// The next statement relative to where a program stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepping {
    /// Of the same function, after what it waits for if it waits, or of one that called it.
    Over,
    /// Of one that called it.
    Out,
    /// What was asked for before and is not done yet: the program stood still in between for another
    /// reason, perhaps in another function.
    Still,
}

/// What counts as a reason to stand still when something is thrown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Throws {
    /// Nothing.
    #[default]
    None,
    /// What nobody caught; it stands still when that is known. Where it was thrown is
    /// [`Reason::Uncaught`]'s to say.
    ///
    /// [`Reason::Uncaught`]: super::Reason::Uncaught
    Uncaught,
    /// Everything that the program or the engine throws, and what nobody caught.
    All,
}

/// A variable, or a property of what it holds, whose change is waited for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Watch {
    /// The file that declares the variable.
    pub file: String,
    /// Line and column of its declaration, both from 1.
    pub declared: (u32, u32),
    /// Its name.
    pub name: String,
    /// The properties that lead from its value to what is watched.
    pub path: Vec<String>,
}
