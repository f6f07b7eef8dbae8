//! The tests of properties and theories, as one binary: linking takes longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests have files, processes and an environment")]

mod errors;
mod examples;
mod golden;
mod naive;
mod oracle;
mod random_traces;
