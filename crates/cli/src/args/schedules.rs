//! What commands share that run a program under many schedules.

use super::values::{TestPath, duration, faults, states, test_path};
use clap::{Args, ValueEnum};
use hemiola_machine::Delay;
use hemiola_world::Faults;
use std::path::PathBuf;

/// How long an answer takes at most that is not slow, if nobody says otherwise.
pub(crate) const SLOW: Delay = Delay::from_millis(100);

/// What bounds a search of schedules.
#[derive(Debug, Args)]
pub(crate) struct SearchLimits {
    /// Try only schedules with at most K deviations from the default order
    #[arg(long, value_name = "K")]
    pub(crate) deviations: Option<u32>,
    /// Search at most this long: 500ms, 60s, 5m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Delay>,
    /// How long an answer takes at most that is not slow
    ///
    /// A failure that needs a slower one, because an answer must outlast a timer, is listed after the others.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "100ms")]
    pub(crate) slow: Delay,
    /// Number of runs in parallel; by default one for each processor
    ///
    /// The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

/// How far the schedules of a program are searched.
#[derive(Debug, Args)]
pub(crate) struct ScheduleSearch {
    #[command(flatten)]
    pub(crate) limits: SearchLimits,
    /// Run at most N schedules
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = states, allow_negative_numbers = true)]
    pub(crate) max_schedules: u32,
    /// Stop at the first failure
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Continue an interrupted search of the same program with the same flags
    ///
    /// A longer search saves its progress beside the recordings, in `explore`, or in the file named
    /// here. The progress is removed when the search is complete.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) resume: Option<Option<PathBuf>>,
    /// Which schedules count as equal: none, order or accesses
    ///
    /// `order`: those in which the same callbacks run in the same order. `accesses`: also those that only
    /// swap callbacks which read and write nothing in common, as far as that can be known. `none`: every
    /// schedule is run.
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

impl From<Reduction> for hemiola_explore::schedules::Reduction {
    fn from(wanted: Reduction) -> Self {
        match wanted {
            Reduction::None => Self::None,
            Reduction::Order => Self::Order,
            Reduction::Accesses => Self::Accesses,
        }
    }
}

/// What decides the runs of a program beside their schedules.
#[derive(Clone, Debug, Args)]
pub(crate) struct ScheduleFlags {
    /// Seed of random numbers and of drawn schedules
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Calls that may fail: fs, net, or fs,net
    ///
    /// They fail as they would on a real system; whether one fails is part of the schedule.
    #[arg(long, value_name = "WHAT", value_parser = faults, default_value = "", hide_default_value = true)]
    pub(crate) faults: Faults,
    /// Cut a run after N callbacks with their tails
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_steps: u64,
    /// A run that ends while a promise is awaited also fails
    #[arg(long)]
    pub(crate) deadlocks: bool,
    /// Let callbacks run in another order than they were registered in
    ///
    /// Immediates and ticks of the program that wait at the same time, and timers that are due at the same
    /// instant of one clock. Node never does so. It shows where only the order of two registrations keeps a program from
    /// failing.
    #[arg(long)]
    pub(crate) potential: bool,
    /// Run only one test of `node:test`: 2.1 is the first test of the second suite
    #[arg(long, value_name = "PATH", value_parser = test_path)]
    pub(crate) test_case: Option<TestPath>,
}
