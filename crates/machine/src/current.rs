//! The running callback, as far as what it starts inherits from it.

use crate::domains::DomainId;
use crate::priority::Standing;
use hemiola_trace::Invocation;

/// Who runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Current {
    pub(crate) invocation: Invocation,
    /// The domain that what it starts keeps alive (rule TIME-11).
    pub(crate) domain: Option<DomainId>,
    /// What it starts inherits this (rule PRIO-2).
    pub(crate) standing: Standing,
}
