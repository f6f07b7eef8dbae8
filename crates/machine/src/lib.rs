//! The event loop as a formal machine.
//!
//! A [`Machine`] holds the state of one loop: labelled clock domains with their pending releases,
//! ready queues by class, outstanding operations. [`Machine::step`] takes one step. Four traits
//! stand around it: a [`Host`] runs callbacks, a [`Strategy`] says which batches may run next, a
//! [`World`] answers operations and tells the time, a [`Chooser`] picks where more than one thing may
//! happen. Nothing in here sleeps, prints, spawns or reads a clock.
//!
//! With [`closures`] as host it is a library for programs in Rust: the example `fig3` schedules
//! closures on labelled clocks in virtual time.
//!
//! ```
//! use hemiola_machine::{Delay, Silent, closures::simulate};
//! use std::{cell::RefCell, rc::Rc};
//!
//! let seen = Rc::new(RefCell::new(Vec::new()));
//! let log = seen.clone();
//! simulate(
//!     move |turn| {
//!         let (first, second) = (log.clone(), log);
//!         turn.set_timeout("B", Delay::from_millis(5), move |_| second.borrow_mut().push("later"));
//!         turn.set_timeout("A", Delay::from_millis(1), move |_| first.borrow_mut().push("sooner"));
//!     },
//!     &mut Silent,
//! );
//! assert_eq!(*seen.borrow(), ["sooner", "later"]);
//! ```
#![forbid(unsafe_code)]

mod chooser;
pub mod closures;
mod compute;
mod context;
mod current;
mod domains;
mod heap;
mod host;
mod keep;
mod language;
mod learned;
mod machine;
mod priority;
mod queues;
mod settings;
mod simulated;
mod strategy;
mod table;
mod through;
mod timers;
mod world;

pub use chooser::{
    Alternative, Alternatives, Chooser, First, Given, Missed, Schedule, ScheduleError, Seeded,
};
pub use context::Context;
pub use domains::DomainId;
pub use hemiola_lineage::{Quantity, Row};
pub use hemiola_time::{Delay, Instant, Label, Ordinal, Period, Tag, Unit};
pub use hemiola_trace::{
    Access, Cargo, Class, Event, Invocation, Location, Medium, Observation, Operation, Origin,
    Outcome, Place, Silent, Sink, Stream, TaskEntry, TaskFact,
};
pub use host::{Eagerness, Host, Input, Progress};
pub use keep::{Keep, Kept};
pub use language::{Language, Signal};
pub use machine::{Machine, Step};
pub use priority::{Awaited, Estimate, Level, Rank, Site, Standing, TaskId, UnknownLevel, Urgency};
pub use queues::{Group, Ready};
pub use settings::{Policy, WatchId};
pub use simulated::Simulated;
pub use strategy::{
    Batch, Candidate, Fit, Named, Phase, Pick, ReadySet, Strategy, UnknownStrategy,
};
pub use timers::Handle;
pub use world::{Answered, Completion, Draw, Gap, Limit, Move, World};
