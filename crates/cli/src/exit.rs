//! The exit codes that are not a program's own.

/// The command line or the input is wrong.
pub(crate) const WRONG: u8 = 2;
/// A program ends while somebody waits for a promise; Node's code for it.
pub(crate) const UNSETTLED: u8 = 13;
/// A bug of ours.
pub(crate) const BUG: u8 = 70;
/// Something was found: a schedule fails, a race does harm, a property or an axiom is violated, two runs
/// differ.
pub(crate) const FOUND: u8 = 100;
/// A replay left its recording, or two runs that should have been the same were not.
pub(crate) const LEFT: u8 = 101;
/// Nothing was found, but the search stopped early.
pub(crate) const STOPPED: u8 = 102;
/// The recording or the trace cannot be read by this build.
pub(crate) const UNREADABLE: u8 = 103;
