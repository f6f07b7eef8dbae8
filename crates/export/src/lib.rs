//! A trace in the forms of other tools, and as a page.
//!
//! [`page`] is what `hemiola view` shows.
#![forbid(unsafe_code)]

pub mod page;
