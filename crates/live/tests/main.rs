//! The tests of the world of the system, as one binary: linking takes longer than running them.

#[path = "../../gate/tests/support/closures.rs"]
mod closures;
mod damaged;
mod programs;
