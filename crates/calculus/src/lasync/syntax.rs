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
    /// What it calls the value that it is given, if it takes one.
    pub param: Option<Symbol>,
    /// How many parameters of the bodies around it it sees: none, for a `def`.
    pub outer: u32,
}

/// Something that is shown, or given on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A text.
    Text(Symbol),
    /// The value of a parameter; those of outer bodies come first.
    Param(u32),
}

/// The promise that is resolved when a callback has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// The name of the promise.
    pub promise: Symbol,
    /// The value that it is resolved to; without one it is `undefined`. It sees what the callback's
    /// body sees.
    pub value: Option<Term>,
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
    /// `log x`: shows a text, or the value of a parameter.
    Log(Term),
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
    /// `promise p N`: makes a pending promise.
    Promise {
        /// Its name.
        name: Symbol,
        /// Its priority, from 0 to 3.
        priority: u8,
    },
    /// `register EVENT N -> p`: makes a promise that an event resolves.
    Register {
        /// The name of the event.
        event: Symbol,
        /// The promise's priority, from 0 to 3.
        priority: u8,
        /// The promise's name.
        promise: Symbol,
    },
    /// `then p f { … } -> q`: runs a callback once a promise is resolved.
    Then {
        /// The name of the promise waited for.
        promise: Symbol,
        /// The callback.
        callback: Callback,
        /// The promise resolved when the callback has run, if one is named.
        resolves: Option<Resolution>,
    },
    /// `resolve p v`: resolves a promise.
    Resolve {
        /// The name of the promise.
        promise: Symbol,
        /// The value it is resolved to; without one it is `undefined`.
        value: Option<Term>,
    },
    /// `io NAME f { … }`: runs a callback when an event occurs: `register NAME 3`, and `then`.
    Io {
        /// The name of the event.
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
    /// `call f v`: runs the body of a `def` now.
    Call {
        /// The body.
        body: BodyId,
        /// What it is given; without one it is `undefined`.
        value: Option<Term>,
    },
    /// `set FLAG`: raises a flag.
    Set(Symbol),
    /// `iflog FLAG a b`: shows one text if a flag is raised, another if not.
    IfLog {
        /// The name of the flag.
        flag: Symbol,
        /// What is shown if it is raised.
        yes: Term,
        /// What is shown if it is not.
        no: Term,
    },
}

impl Statement {
    /// Whether it logs something.
    pub(crate) fn shows(&self) -> bool {
        matches!(self, Self::Log(_) | Self::IfLog { .. })
    }

    /// What it lets run later, if it does.
    pub(crate) fn callback(&self) -> Option<&Callback> {
        match self {
            Self::NextTick(callback)
            | Self::Immediate(callback)
            | Self::Micro(callback)
            | Self::Timeout { callback, .. }
            | Self::Then { callback, .. }
            | Self::Io { callback, .. }
            | Self::ReadFile { callback, .. } => Some(callback),
            Self::Log(_)
            | Self::Promise { .. }
            | Self::Resolve { .. }
            | Self::Register { .. }
            | Self::Call { .. }
            | Self::Set(_)
            | Self::IfLog { .. } => None,
        }
    }
}
