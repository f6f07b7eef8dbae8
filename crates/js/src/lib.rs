//! JavaScript as a host of the machine.
//!
//! [`Js`] runs callbacks in QuickJS-NG. What a program does to its outside goes through functions that
//! reach the machine's context (`bridge`); what Node's library adds on top is JavaScript in `lib/`,
//! compiled when Hemiola is built and loaded when a program first asks for it.

mod accounts;
mod arena;
mod binding;
mod bridge;
mod bytes;
mod certificates;
pub mod checkpoint;
mod ciphers;
mod clocks;
mod compiled;
mod console;
mod contexts;
mod crypto;
pub mod datagrams;
pub mod debug;
mod engine;
pub mod files;
mod foreign;
mod gate;
mod host;
mod http;
mod image;
mod instrument;
mod keys;
mod lazy;
mod library;
mod memory;
mod modules;
mod nursery;
mod observe;
mod os;
mod pages;
mod permissions;
mod program;
mod raw;
mod scheduler;
mod secure;
mod sites;
pub mod sockets;
mod stop;
pub mod system;
mod task;
mod tasks;
mod testing;
mod timers;
mod values;
mod websocket;
mod workers;
mod zlib;
mod zone;

pub use gate::{Answer, Datum, Fault, Request};
pub use host::{Callback, Entry, InputType, Js, Options, StartError, TimerMeaning};
pub use instrument::{Instrument, Instrumentation};
pub use modules::{Disk, Kind};
pub use nursery::Nursery;
pub use os::{Computer, Processor, User};
pub use permissions::{Grant, Names, Permissions};
pub use program::{Ending, run};
pub use secure::Secure;
pub use stop::{Reason, Stop};
pub use system::{Facts, FixedSystem, StreamKind, System, Usage};
pub use testing::{TestCase, TestList, Tests};
pub use workers::{Hub, MAIN, Member, Post, Start, Starter};
