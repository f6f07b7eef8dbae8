//! Everything that can happen in a run.

use crate::numbers::{Invocation, Operation};
use crate::{FleetFact, Observation, TaskFact};
use hemiola_time::{Delay, Instant, Label, Ordinal, Period, Tag};
use std::fmt;
use std::sync::Arc;

/// What an invocation is a run of: what was registered, by the number that it got then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A timed callback, by its release.
    Release(Ordinal),
    /// A callback that was queued.
    Queued(Ordinal),
    /// What waited for an operation.
    Operation(Operation),
}

/// What bytes go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Medium {
    /// Connections and datagrams.
    Network,
    /// Files.
    Disk,
}

impl Medium {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Disk => "disk",
        }
    }
}

/// Something that a program reads and writes: a variable, a property, a collection, a list of
/// listeners. The numbers hold within one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location(pub u64);

/// What is done to a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Its value is taken.
    Read,
    /// It gets a value.
    Write,
}

impl Access {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// A place in a program's text, as Node writes it: lines and columns count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, or the name of a text without one.
    pub file: Arc<str>,
    /// The line.
    pub line: u32,
    /// The column, in UTF-16 units.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What kind of callback it is; the order is the order of priorities of section B of the semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// `nextTick`.
    Tick,
    /// A reaction of a promise.
    Promise,
    /// `setImmediate`.
    Immediate,
    /// A timed callback.
    Timer,
    /// The completion of an operation.
    Io,
    /// The end of a resource.
    Close,
}

impl Class {
    /// All classes, in order.
    pub const ALL: [Self; 6] =
        [Self::Tick, Self::Promise, Self::Immediate, Self::Timer, Self::Io, Self::Close];

    /// The priority level: 0 for ticks and promises, then one level for each class.
    pub const fn priority(self) -> u8 {
        match self {
            Self::Tick | Self::Promise => 0,
            Self::Immediate => 1,
            Self::Timer => 2,
            Self::Io => 3,
            Self::Close => 4,
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tick => "tick",
            Self::Promise => "promise",
            Self::Immediate => "immediate",
            Self::Timer => "timer",
            Self::Io => "io",
            Self::Close => "close",
        }
    }
}

/// A stream that a program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl Stream {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::Err => "err",
        }
    }
}

/// How a callback's run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It returned.
    #[default]
    Returned,
    /// It threw, with that message; the program's uncaught-exception path takes it (rule TIME-10).
    Threw(String),
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A labelled domain came into being (rule TIME-2).
    Opened {
        /// Its creation ordinal.
        domain: Ordinal,
        /// Its label.
        label: Label,
        /// Its first logical time.
        origin: Instant,
    },
    /// A labelled domain was collected (rule TIME-11).
    Collected {
        /// Its creation ordinal.
        domain: Ordinal,
    },
    /// A callback was put on a domain (rule TIME-3).
    Released {
        /// Its release ordinal.
        release: Ordinal,
        /// The labelled domain, or none for an anonymous one.
        domain: Option<Ordinal>,
        /// When it is due.
        tag: Tag,
        /// How long after its release that is, by the clock of the domain; without one, by the clock
        /// of the world.
        delay: Delay,
        /// What it repeats by.
        period: Option<Period>,
        /// Who released it.
        by: Invocation,
    },
    /// A release was cleared before it ran (again).
    Cleared {
        /// Its release ordinal.
        release: Ordinal,
    },
    /// Missed periods were dropped by the domain's policy (rule TIME-14).
    Skipped {
        /// The domain.
        domain: Ordinal,
        /// How many invocations were dropped.
        count: u64,
        /// The instant at which the rest goes on.
        until: Instant,
    },
    /// A callback other than a timed one became able to run.
    Queued {
        /// Its number among all that were queued.
        number: Ordinal,
        /// Its class.
        class: Class,
        /// Who attached it.
        link: Invocation,
    },
    /// An operation was asked of the world.
    Requested {
        /// Its number.
        operation: Operation,
        /// Who asked.
        by: Invocation,
        /// What for, in words; empty where the host has none.
        what: String,
    },
    /// The world answered an operation.
    Completed {
        /// Its number.
        operation: Operation,
        /// When the answer became ready.
        at: Instant,
    },
    /// An operation was given up, or a callback was taken out of its queue: it will not run.
    Dropped {
        /// Which.
        what: Origin,
    },
    /// A callback began to run.
    Began {
        /// Its number.
        invocation: Invocation,
        /// Its class; none for the main program.
        class: Option<Class>,
        /// Its labelled domain and tag, for a timed callback; the tag alone when it is anonymous.
        domain: Option<Ordinal>,
        /// When it was due, for a timed callback.
        tag: Option<Tag>,
        /// What was registered and runs now; none for the main program and for promise jobs.
        origin: Option<Origin>,
        /// The invocation that attached it (rule CTX-2).
        link: Invocation,
        /// The invocation that made it able to run (rule CTX-3).
        cause: Invocation,
        /// Physical time, as the loop last knew it.
        at: Instant,
    },
    /// The processor time that the running invocation took, without those within it; just before its
    /// end. Told only on request.
    Spent {
        /// In nanoseconds.
        nanos: u64,
    },
    /// Bytes that the running invocation wrote, or got when it began. Told only on request.
    Transferred {
        /// Through what.
        medium: Medium,
        /// How many it got.
        read: u64,
        /// How many it wrote.
        written: u64,
    },
    /// The running invocation serves a request of that name: the program said so, or, told only on
    /// request, it is one of HTTP.
    Labelled {
        /// The name.
        name: String,
    },
    /// The running callback ended.
    Ended {
        /// Its number.
        invocation: Invocation,
        /// How.
        outcome: Outcome,
    },
    /// A reaction was attached to a promise. Told only on request.
    Attached {
        /// Its number.
        reaction: u64,
        /// The promise, if it was not settled by then.
        promise: Option<u64>,
    },
    /// A promise to which something is attached was settled in the running invocation. Told only on
    /// request.
    Settled {
        /// Which.
        promise: u64,
    },
    /// The running invocation is a reaction. Told only on request.
    Reacted {
        /// Its number.
        reaction: u64,
    },
    /// A callback out of a queue of the program's own began, within the running callback (rule CTX-5).
    Entered {
        /// Its number.
        invocation: Invocation,
        /// The invocation that attached it.
        link: Invocation,
        /// The invocation that made it able to run.
        cause: Invocation,
    },
    /// It ended, and the callback around it goes on.
    Left {
        /// Its number.
        invocation: Invocation,
    },
    /// The program observed a value.
    Observed(Observation),
    /// The program wrote to one of its standard streams.
    Wrote {
        /// Which.
        stream: Stream,
        /// What, as text.
        text: String,
    },
    /// The program wrote bytes that are no text to one of its standard streams.
    WroteBytes {
        /// Which.
        stream: Stream,
        /// What.
        bytes: Vec<u8>,
    },
    /// A domain's clock is behind physical time by more than someone allowed (rule TIME-14).
    Lagged {
        /// The domain.
        domain: Ordinal,
        /// By how much.
        lag: Delay,
    },
    /// What was released, queued or requested last was so at this place of the program; after the
    /// beginning of a promise job, where that was attached; after [`Event::Attached`], if that is asked for, where
    /// it is, and after that where the promise was made. Only told when asked for.
    Site(Place),
    /// The running callback read or wrote something that others can reach (rule EXPL-4). An access that
    /// repeats an earlier one of the same callback or promise job may be left out.
    Accessed {
        /// What.
        location: Location,
        /// How.
        access: Access,
        /// The number of the place in the program where this was; the largest there is for what the
        /// runtime does by itself.
        site: u32,
    },
    /// What a location is, in words, before its first access. Only told when asked for.
    Located {
        /// Its number.
        location: Location,
        /// The words: `variable x`, `property a of object 3`.
        what: String,
    },
    /// Which place a number of a site stands for, before the first access there. Only told when asked
    /// for.
    Placed {
        /// The number.
        site: u32,
        /// The place.
        place: Place,
    },
    /// A scheduler of declared tasks did something.
    Task {
        /// When, by the clock on the wall: milliseconds since 1970.
        at: i64,
        /// What.
        what: TaskFact,
    },
    /// Something happened between the programs of a fleet.
    Fleet(FleetFact),
    /// A choice with more than one candidate was made.
    Chose {
        /// Which candidate.
        taken: u32,
        /// How many there were.
        of: u32,
    },
}

/// Takes the events of a run as they happen.
pub trait Sink {
    /// Whether anybody listens. A constant, so that building an event for nobody costs nothing.
    const LISTENS: bool;

    /// Takes one event.
    fn event(&mut self, event: Event);
}

/// The sink of runs that nobody watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Silent;

impl Sink for Silent {
    const LISTENS: bool = false;

    fn event(&mut self, _: Event) {}
}

impl Sink for Vec<Event> {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        self.push(event);
    }
}
