//! The tests of what is done to a program's text, as one binary: linking takes longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests have files, processes and an environment")]

mod context;
mod cover;
mod exports;
mod golden;
mod hoist;
mod instrument;
mod maps;
mod positions;
mod random;
mod robust;
mod steps;
mod support;
mod types;
