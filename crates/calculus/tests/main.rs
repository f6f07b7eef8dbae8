//! The tests of the calculi, as one binary: linking takes longer than running them.

mod examples;
mod oracle_l;
mod oracle_lasync;
mod parsers;
mod support;
