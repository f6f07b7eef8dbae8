//! QuickJS-NG as Hemiola uses it.
//!
//! Values, memory, and calling in and out, next to the engine's own representation where the bindings
//! would cost too much. Nothing in here knows Node.

pub mod arena;
pub mod beyond;
pub mod image;
pub mod memory;
pub mod pages;
pub mod raw;
pub mod values;
