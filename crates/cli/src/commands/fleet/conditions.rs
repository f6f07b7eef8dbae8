//! What a run of a fleet depends on.

use hemiola_machine::Delay;
use hemiola_world::fleet::Fault;

/// What decides a run besides the description.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Conditions {
    pub(in crate::commands) seed: u64,
    pub(in crate::commands) faults: Vec<Fault>,
    pub(in crate::commands) until: Delay,
    /// Which hosts are there.
    pub(in crate::commands) hosts: Vec<usize>,
}
