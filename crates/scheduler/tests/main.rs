//! The tests of declared tasks, as one binary: linking takes longer than running them.

mod cluster;
mod cluster_seeds;
mod cluster_theory;
mod contract;
mod cron;
mod roster;
mod set_clock;
mod simulated;
