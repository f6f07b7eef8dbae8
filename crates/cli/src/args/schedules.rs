//! What commands share that run a program under many schedules.

use super::values::{TestPath, duration, faults, states, test_path};
use clap::{Args, ValueEnum};
use hemiola_machine::Delay;
use hemiola_world::Faults;
use std::path::PathBuf;

/// What bounds a search of schedules.
#[derive(Debug, Args)]
pub(crate) struct SearchLimits {
    /// Try only schedules with up to so many deviations from the default order
    #[arg(long, value_name = "K")]
    pub(crate) deviations: Option<u32>,
    /// Search for so long at most: 500ms, 60s, 5m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Delay>,
    /// Run so many schedules at a time; by default as many as there are processors
    ///
    /// What is found does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// How far the schedules of a program are searched.
#[derive(Debug, Args)]
pub(crate) struct ScheduleSearch {
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
    /// Run at most so many schedules
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = states, allow_negative_numbers = true)]
    pub(crate) max_schedules: u32,
    /// Stop at the first failure
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Go on with a search of the same program and flags that was broken off
    ///
    /// A search that takes longer notes what it has done where recordings are kept, in `explore`, or in
    /// the file that is given here, and forgets it when it is complete.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) resume: Option<Option<PathBuf>>,
    /// Which schedules are taken for the same: none, order or accesses
    ///
    /// With `order` those in which the same callbacks run in the same order; with `accesses` also those
    /// in which callbacks change places that read and write nothing in common, as far as that can be
    /// known. With `none` every schedule is run.
    #[arg(long, value_name = "HOW", default_value = "order", hide_possible_values = true)]
    pub(crate) reduction: Reduction,
}

/// Which schedules are taken for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reduction {
    None,
    Order,
    Accesses,
}

/// What decides the runs of a program beside their schedules.
#[derive(Clone, Debug, Args)]
pub(crate) struct ScheduleFlags {
    /// Seed of random numbers, and of the schedules that are drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// What may go wrong: fs, net, or both with a comma
    ///
    /// Operations may fail as they can outside; whether they do is part of the schedule.
    #[arg(long, value_name = "WHAT", value_parser = faults, default_value = "", hide_default_value = true)]
    pub(crate) faults: Faults,
    /// Cut a run after so many callbacks with their tails
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_steps: u64,
    /// A run that ends while somebody waits for a promise has failed, too
    #[arg(long)]
    pub(crate) deadlocks: bool,
    /// Run one test of `node:test` only: its number among those around it, after theirs, as in 2.1
    #[arg(long, value_name = "PATH", value_parser = test_path)]
    pub(crate) test_case: Option<TestPath>,
}
