//! JavaScript as a host of the machine.
//!
//! [`Js`] runs callbacks in QuickJS-NG. What a program does to its outside goes through functions that
//! reach the machine's context (`bridge`); what Node's library adds on top is JavaScript in `lib/`,
//! compiled when Hemiola is built and loaded when a program first asks for it.

mod binding;
mod bridge;
mod bytes;
mod engine;
mod host;
mod library;
mod modules;
mod program;
mod raw;
mod task;
mod timers;

pub use host::{Callback, Entry, Js, Options, StartError};
pub use modules::{Disk, Kind};
pub use program::run;
