//! Results, for people and for programs.

pub(crate) mod crashes;
pub(crate) mod executions;
pub(crate) mod misfit;
pub(crate) mod outcomes;
pub(crate) mod races;
pub(crate) mod tasks;
pub(crate) mod words;
