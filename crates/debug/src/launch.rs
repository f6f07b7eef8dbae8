//! How a session gets the run that it is about.

use crate::replica::{Listener, Replica};
use crate::sources::Sources;

/// What is to be debugged, as a client says it; what it leaves open is as the command line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// A recording: `latest`, the beginning of its id, or its path.
    pub run: Option<String>,
    /// A program that is run and recorded first.
    pub program: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory it runs in.
    pub cwd: Option<String>,
    /// A schedule that the program follows, as `explore` prints it.
    pub schedule: Option<String>,
}

/// A run that can be debugged.
pub struct Opened<R> {
    /// An execution of it that has not begun.
    pub replica: R,
    /// Its texts.
    pub sources: Sources,
    /// The file that the program is: a session begins at its first statement, after those of what it
    /// imports.
    pub program: Option<String>,
    /// What is worth knowing about it, a line each.
    pub notes: String,
    /// How many inputs its recording has; 0 if it has none.
    pub inputs: u64,
}

/// Finds runs.
pub trait Launcher {
    /// What replays them.
    type Replica: Replica;

    /// Whether the command line says what is to be debugged.
    fn knows_target(&self) -> bool;

    /// The run that is meant; why not, if it cannot be had. While a program is recorded the listener
    /// hears what it prints, and ends it by its wish for a pause.
    fn open(
        &mut self,
        target: &Target,
        listener: &mut dyn Listener,
    ) -> Result<Opened<Self::Replica>, String>;
}
