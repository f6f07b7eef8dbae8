//! The tests of declared tasks, as one binary: linking takes longer than running them.

mod cluster;
mod contract;
mod cron;
mod roster;
mod set_clock;
mod simulated;
