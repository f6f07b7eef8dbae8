//! JavaScript as a host of the machine.
//!
//! [`Js`] runs callbacks in QuickJS-NG, which `hemiola_engine` knows, with Node's library, which is
//! `hemiola_node`. [`run`] runs a program to its end, and a [`Nursery`] one after the other in the same
//! engine.

#![forbid(unsafe_code)]

mod ahead;
mod around;
mod calls;
mod further;
mod host;
mod moment;
mod noted;
mod nursery;
mod program;
mod start;
mod wanted;

pub use hemiola_engine::coverage::{Counting, Script};
pub use hemiola_engine::instrument::{Instrument, Instrumentation, Unseen};
pub use hemiola_engine::sampling::{Clocks, Function, Node, Sampled, Sampling};
pub use hemiola_engine::{Callback, JavaScript, checkpoint, debug};
pub use hemiola_node::flags;
pub use hemiola_node::{
    Entry, InputType, Options, Suite, TestCase, TestList, Tests, TimerMeaning, VERSIONS,
};
pub use host::{Js, StartError};
pub use nursery::Nursery;
pub use program::{Ending, run};
pub use start::Likeness;
