//! The tree of a program in λasync.
//!
//! Bodies live in a table of the [`Program`] and are referred to by number; a `def` and everything
//! that names it share one body.

use crate::names::{Names, Symbol};
use hemiola_trace::source::Span;

/// The number of a body in [`Program::bodies`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BodyId(pub u32);

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Every name and every logged text that occurs in it.
    pub names: Names,
    /// Every body.
    pub bodies: Vec<Body>,
    /// The body a run starts with.
    pub main: BodyId,
}

/// A sequence of statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// What it runs, in order.
    pub statements: Vec<Statement>,
    /// Where each statement stands; as many as there are statements.
    pub spans: Vec<Span>,
}

/// Something to run later, under the name by which a trace calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callback {
    /// Its name, or that of the `def` it refers to.
    pub name: Symbol,
    /// What it runs.
    pub body: BodyId,
}

/// One step of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `log x`: shows a text.
    Log(Symbol),
    /// `nextTick f { … }`: runs a callback before anything else that waits.
    NextTick(Callback),
    /// `immediate f { … }`: runs a callback in the check phase.
    Immediate(Callback),
    /// `timeout MS f { … }`: runs a callback after a delay.
    Timeout {
        /// The delay in milliseconds.
        ms: u64,
        /// The callback.
        callback: Callback,
    },
    /// `micro f { … }`: runs a callback as a microtask.
    Micro(Callback),
    /// `promise p`: makes a pending promise.
    Promise(Symbol),
    /// `then p f { … } -> q`: runs a callback once a promise is resolved.
    Then {
        /// The name of the promise waited for.
        promise: Symbol,
        /// The callback.
        callback: Callback,
        /// The name of the promise resolved when the callback has run, if it is named.
        resolves: Option<Symbol>,
    },
    /// `resolve p`: resolves a promise.
    Resolve(Symbol),
    /// `io NAME f { … }`: starts an operation that ends with the callback.
    Io {
        /// The name of the operation.
        name: Symbol,
        /// The callback.
        callback: Callback,
    },
    /// `readFile NAME f { … }`: reads a file in several operations, then runs the callback.
    ReadFile {
        /// The name of the file.
        name: Symbol,
        /// The callback.
        callback: Callback,
    },
    /// `call f`: runs the body of a `def` now.
    Call(BodyId),
    /// `set FLAG`: raises a flag.
    Set(Symbol),
    /// `iflog FLAG a b`: shows one text if a flag is raised, another if not.
    IfLog {
        /// The name of the flag.
        flag: Symbol,
        /// The text shown if it is raised.
        yes: Symbol,
        /// The text shown if it is not.
        no: Symbol,
    },
}
