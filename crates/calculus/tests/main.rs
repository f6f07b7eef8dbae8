//! The tests of the calculi, as one binary: linking takes longer than running them.
#![allow(clippy::disallowed_methods, reason = "tests have files, processes and an environment")]

mod endless;
mod examples;
mod oracle_l;
mod oracle_lasync;
mod parsers;
mod support;
