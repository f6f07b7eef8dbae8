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
pub mod debug;
mod engine;
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
mod sites;
mod system;
mod task;
mod tasks;
mod testing;
mod timers;
mod values;
mod websocket;
mod workers;
mod zlib;
mod zone;

pub use host::{Callback, Entry, InputType, Js, Options, StartError, TimerMeaning};
pub use instrument::{Instrument, Instrumentation};
pub use nursery::Nursery;
pub use program::{Ending, run};
pub use testing::{TestCase, TestList, Tests};
