//! The tests of the machine, as one binary: linking takes longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests have files, processes and an environment")]

mod agreement;
mod common;
mod corners;
mod fig3;
mod loop_rules;
mod priority_properties;
mod priority_rules;
mod reference;
mod settings;
mod time_rules;
