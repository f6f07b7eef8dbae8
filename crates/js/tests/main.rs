//! Programs in simulated worlds, as one binary: linking takes longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests have files, processes and an environment")]

mod accesses;
mod alike;
mod common;
mod engines;
mod firsts;
mod labels;
mod links;
mod nursery;
mod open;
mod open_suites;
mod replays;
mod steps;
