//! What is to be in an engine before the program of a run.

use hemiola_engine::instrument::Instrument;
use hemiola_node::{Entry, InputType, Options};
use std::rc::Rc;
use std::sync::Arc;

/// Whether engines for two runs are the same before their programs begin.
pub(crate) fn are_alike(one: &Options, other: &Options) -> bool {
    one.argv == other.argv
        && one.argv0 == other.argv0
        && one.exec_argv == other.exec_argv
        && one.flags == other.flags
        && one.cwd == other.cwd
        && one.env == other.env
        && one.zone == other.zone
        && one.memory_limit == other.memory_limit
        && one.stack_limit == other.stack_limit
        && one.strategy == other.strategy
        && one.before_trips == other.before_trips
        && one.born == other.born
        && one.timers == other.timers
        && one.contexts == other.contexts
        && one.promises == other.promises
        && one.permissions == other.permissions
}

/// What runs are wanted to find there.
#[derive(Clone, Default)]
pub(crate) struct Wanted {
    /// Files of the library.
    pub(crate) names: Vec<String>,
    /// Texts of programs.
    pub(crate) functions: Vec<Rc<(String, String)>>,
    /// Functions of `binding`.
    pub(crate) natives: Vec<String>,
    /// The program, up to its first line.
    pub(crate) program: Option<Program>,
}

/// How many files, texts and functions there are, and whether the program is.
pub(crate) type Size = (usize, usize, usize, bool);

impl Wanted {
    pub(crate) fn size(&self) -> Size {
        let Self { names, functions, natives, program } = self;
        (names.len(), functions.len(), natives.len(), program.is_some())
    }
}

/// A program that is a file, and all that decides what its text becomes.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Program {
    file: String,
    input_type: InputType,
    /// Of the disk that it is on.
    origin: u64,
    /// Where the work on instrumented texts is kept: nobody else is there as long as an engine knows of it.
    instrumentation: Option<usize>,
}

impl Program {
    /// Nothing if it has to be looked for anew each time.
    pub(crate) fn of(options: &Options) -> Option<Self> {
        let Entry::File(file) = &options.entry else { return None };
        // These change what becomes of a text, or keep more of it.
        if options.sites || options.debug.is_some() {
            return None;
        }
        let instrumentation = match &options.instrument {
            Instrument::Off => None,
            Instrument::Accesses(shared) => Some(Arc::as_ptr(shared).addr()),
            // Counters are those of one run.
            Instrument::Coverage(_) => return None,
        };
        let (file, input_type) = (file.clone(), options.input_type);
        Some(Self { file, input_type, origin: options.disk.origin()?, instrumentation })
    }
}
