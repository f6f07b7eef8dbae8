//! Two small languages in which a program is little but order: L and λasync.
//!
//! Both come from papers that give an event loop a formal meaning. Their programs are short, their
//! outcomes can be listed in full, and so they are what the machine is held to before JavaScript is.
//!
//! - [`l`]: functions, globals, asynchronous operations and events; see [`l::parse`].
//! - [`lasync`]: callbacks, promises, timers and I/O; see [`lasync::parse`].
//!
//! A program keeps its names in [`Names`] and mentions them as [`Symbol`]s.

#![forbid(unsafe_code)]

mod hunt;
pub mod l;
pub mod lasync;
mod lexer;
mod names;
mod observed;
mod study;

pub use names::{Names, Symbol};
pub use study::{Execution, Following, Study};
