//! The trace: everything that happened in a run, in order.
//!
//! A machine hands [`Event`]s to a [`Sink`] while it runs. Every tool reads the same events:
//! [`text`] shows them to people, [`wire`] writes and reads them, [`diff`] finds where two runs
//! part. [`joined`] makes one run of those of a fleet. [`source`] holds places in program text, which errors point at.
#![forbid(unsafe_code)]

pub mod cluster;
pub mod diff;
mod entry;
mod event;
mod fields;
mod fleet;
pub mod joined;
mod line;
mod numbers;
mod object;
mod observation;
pub mod source;
mod tasks;
pub mod text;
pub mod wire;
mod written;

pub use entry::TaskEntry;
pub use event::{
    Access, Class, Event, Location, Medium, Origin, Outcome, Place, Silent, Sink, Stream,
};
pub use fleet::{Cargo, FleetFact};
pub use numbers::{Invocation, Operation};
pub use observation::Observation;
pub use tasks::TaskFact;
