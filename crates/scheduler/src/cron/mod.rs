//! Cron expressions by rule SCHED-8, and the instants at which they are due.
//!
//! Nothing here looks at one minute after the other. An expression finds its next minute on an
//! endless calendar by its bits ([`Cron::minute_from`]); a zone is a row of segments within which
//! local time runs evenly; [`Dues`] asks for the next minute once in each segment.

mod calendar;
mod dues;
mod explain;
mod fields;
mod parse;
mod zone;

pub use dues::{Dst, Dues};
pub use fields::Cron;
pub use zone::{LAST_SECOND, Zone, utc};
