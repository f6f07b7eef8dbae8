//! Every schedule of a program that cannot be copied: it is run again from its start for each one.
//!
//! A run is made by a [`Plan`] and gives a [`Report`]: which choices it met, and how it ended. A
//! [`Search`] says which plans come next, in waves, and takes the reports: first all schedules by the
//! number of their deviations from the default order (rule EXPL-5), then, when the budget is spent,
//! random priorities and random choices (rule EXPL-6). It starts no program itself and has no thread
//! and no clock; whoever drives it may run the plans of a wave side by side, as a [`Pool`] does, and finds
//! the same. [`Notes`] let a search go on that was broken off, [`Made`] one that several have shared.

mod coverage;
mod decide;
mod digest;
mod failure;
mod grown;
mod history;
mod identity;
mod journal;
mod made;
mod picker;
mod plan;
mod pool;
mod resume;
mod search;
mod shrink;
mod timers;
mod watch;

pub use coverage::{Counts, Covered};
pub use failure::{Awaited, Blame, Unsettled, failure, tells};
pub use history::Reduction;
pub use journal::JournalError;
pub use made::{Made, MadeError};
pub use picker::Picker;
pub use plan::{Choice, Ended, Known, Misfit, Outcome, Plan, Report, State};
pub use pool::{Pool, Run, Watchers, with_pool};
pub use resume::{Notes, short_name};
pub use search::{Failing, Found, Job, Part, Search, Settings, Stage};
pub use shrink::{shrink, shrink_failure};
pub use watch::{Choosing, Deviation, Listening, TimeLimit, Watch, Watched, Watching};
