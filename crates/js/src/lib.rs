//! JavaScript as a host of the machine.
//!
//! [`Js`] runs callbacks in QuickJS-NG. What a program does to its outside goes through functions that
//! reach the machine's context (`bridge`); what Node's library adds on top is JavaScript in `lib/`,
//! compiled when Hemiola is built and loaded when a program first asks for it.

mod accounts;
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
mod foreign;
mod gate;
mod host;
mod http;
mod instrument;
mod keys;
mod lazy;
mod library;
mod modules;
mod nursery;
mod observe;
mod os;
mod overflow;
mod permissions;
mod program;
mod scheduler;
mod sites;
mod system;
mod task;
mod tasks;
mod testing;
mod timers;
mod websocket;
mod workers;
mod zlib;
mod zone;

use hemiola_engine::{arena, beyond, image, memory, pages, raw, values};

pub use host::{Callback, Entry, InputType, Js, Options, StartError, TimerMeaning};
pub use instrument::{Instrument, Instrumentation};
pub use nursery::Nursery;
pub use program::{Ending, run};
pub use testing::{TestCase, TestList, Tests};
