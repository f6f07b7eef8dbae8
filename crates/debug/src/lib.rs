//! A debugger that goes back.
//!
//! A [`Session`] is a position in a run. It goes forward by letting a [`Replica`] run on and back by
//! letting an earlier one, a checkpoint, run until there. [`Process`] is a replica that is a process;
//! what happens in it is in [`replay`]. A session is driven by the Debug Adapter Protocol, [`dap`], or
//! from a terminal, [`terminal`].
#![forbid(unsafe_code)]

mod breakpoints;
mod checkpoints;
pub mod dap;
mod history;
mod launch;
mod log;
pub mod model;
mod path;
mod processes;
pub mod replay;
mod replica;
mod session;
mod sources;
pub mod terminal;

pub use breakpoints::{Breakpoints, HitRule, Wanted};
pub use checkpoints::MOST as MOST_CHECKPOINTS;
pub use launch::{Launcher, Opened, Target};
pub use processes::{Line, Process};
pub use replica::{End, Halt, Listener, Replica, Trouble, Way, Wish};
pub use session::{Session, Verb};
pub use sources::{Source, Sources, Statements};
