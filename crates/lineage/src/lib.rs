//! Who attached and who caused an invocation, and what that cost.
//!
//! [`Accounts`] is a sink: it takes the events of a run as they happen and keeps, for every place where
//! callbacks are registered and for every kind of request, what their invocations cost. It is made of
//! [`Books`], which know nothing of events and are kept by the strategy `priority`, too (rule PRIO-3).
//! [`Requests`] keeps requests one by one.
//! [`Trees`] keeps every invocation, and shows the trees of links and of causes (rule CTX-4).
//! [`tables`] puts accounts in words.
#![forbid(unsafe_code)]

mod accounts;
mod books;
mod cost;
mod requests;
mod served;
mod site;
pub mod tables;
mod trees;

pub use accounts::{Accounts, Report};
pub use books::{Books, Closed, Row};
pub use cost::{Cost, Quantity, Tally};
pub use served::{Requests, Served, route};
pub use site::Site;
pub use trees::{Relation, Trees};
