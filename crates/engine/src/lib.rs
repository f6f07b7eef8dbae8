//! QuickJS-NG as Hemiola uses it.
//!
//! [`JavaScript`] is the language that programs, machine and world have in common, and [`Callback`] what
//! a machine can run of it. Natives reach the machine by [`bridge`] and what a run has by [`state`]. What
//! is as frequent as a timer is made of the pieces in [`raw`] and [`call`]; [`contexts`] knows which
//! invocation attached a promise job, [`instrument`] what a program reads and writes, [`debug`] where it
//! stands. All `unsafe` next to the engine is in here, and nothing in here knows Node.

pub mod accounts;
pub mod arena;
pub mod around;
pub mod beyond;
pub mod binding;
pub mod bridge;
pub mod bytecode;
pub mod bytes;
pub mod call;
pub mod checkpoint;
pub mod class;
pub mod compiled;
pub mod contexts;
pub mod coverage;
pub mod debug;
pub mod evals;
mod executing;
pub mod exporting;
pub mod failing;
pub mod familiar;
pub mod foreign;
pub mod image;
pub mod instrument;
pub mod interrupts;
pub mod json;
pub mod keeping;
mod language;
pub mod look;
pub mod memory;
pub mod methods;
pub mod microtask;
mod mirror;
mod opaque;
pub mod overflow;
mod pages;
pub mod part;
pub mod plain;
pub mod proxies;
pub mod raw;
pub mod sampling;
mod settled;
pub mod shapes;
pub mod shared;
pub mod sites;
pub mod state;
pub mod task;
pub mod texts;
pub mod values;
mod zeros;
pub mod zstream;

pub use language::{Callback, Consume, Content, JavaScript, Reader, Reading, copy};
pub use rquickjs::qjs;
