//! A trace in the forms of other tools, and as a page.
//!
//! [`timeline`] makes slices on lanes of events; [`chrome`], [`perfetto`] and [`otlp`] write them. [`metrics`] are what a scheduler of tasks did, in numbers. [`page`] is
//! what `hemiola view` shows.
#![forbid(unsafe_code)]

pub mod chrome;
mod json;
pub mod metrics;
mod names;
pub mod otlp;
pub mod page;
pub mod perfetto;
mod proto;
pub mod timeline;

pub use names::{Name, Names};

/// What a run is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The name of the program.
    pub name: String,
    /// The id of its recording, if there is one.
    pub run: Option<String>,
    /// When it began, in microseconds since 1970.
    pub started_us: Option<u64>,
}
