//! The tests of exported traces, as one binary: linking takes longer than running them.

mod any_events;
mod page;
