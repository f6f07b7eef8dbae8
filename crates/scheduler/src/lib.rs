//! Declared tasks: when they are due, and which of them has to start.
//!
//! [`Cron`] is an expression of five fields, [`Zone`] a time zone of the bundled database, and
//! [`Dues`] puts the two together: the instants at which a task is due, forwards and backwards.
//! A [`Roster`] holds declared tasks and says which is to start, through restarts and crashes. A
//! [`Contract`] holds what a scheduler does to the theory of declarative schedulers. A [`cluster`] is a scheduler of
//! several nodes. A [`Meter`] counts what a scheduler does.
//!
//! ```
//! use hemiola_scheduler::{Cron, Dst, Dues, Zone};
//!
//! let nightly = Dues::new(Cron::parse("30 2 * * *")?, Zone::named("America/New_York").unwrap(), Dst::Theory);
//! // On the tenth of March 2024 clocks there went from 2:00 to 3:00.
//! let ninth = 1_709_967_600; // 2024-03-09T02:00-05:00
//! assert_eq!(nightly.at_or_after(ninth), Some(ninth + 30 * 60));
//! assert_eq!(nightly.at_or_after(ninth + 3_600), Some(ninth + 30 * 60 + 47 * 3_600));
//! # Ok::<(), hemiola_trace::source::SourceError>(())
//! ```
#![forbid(unsafe_code)]

pub mod cluster;
mod contract;
mod cron;
mod meter;
mod roster;

pub use contract::{Contract, PARAMS};
pub use cron::{Cron, Dst, Dues, LAST_SECOND, Zone, utc};
pub use meter::{Counts, LATENESS_BOUNDS, Lateness, Measured, Meter, Origin};
pub use roster::{
    Dead, Declaration, Differences, Ended, Job, Kind, LastRun, List, Millis, Pending, Reason,
    Rejection, Roster, Start, State, TaskIndex,
};
