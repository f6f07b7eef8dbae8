//! Every execution of a small program.
//!
//! A [`System`] is a program that can be copied and takes one step at a time, asking a chooser
//! wherever more than one thing may happen. [`explore`] tries every answer and expands every
//! configuration once; the [`Graph`] it gives holds all executions. [`Outcomes`] reads the observation
//! sequences off it, and finds the shortest run that breaks a property, with the schedule that
//! repeats it.
#![forbid(unsafe_code)]

mod endless;
mod find;
mod fingerprint;
mod graph;
mod outcomes;
pub mod races;
pub mod schedules;
mod script;

pub use endless::{Broken, Endless, Finish, Lasso, Lassos, Waiting};
pub use find::find;
pub use graph::{End, Graph, Limits, Next, Progress, System, explore};
pub use outcomes::{Counterexample, Outcomes, Sequences};
pub use script::Script;
