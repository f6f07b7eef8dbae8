//! Standard input for programs that run more than once: every run finds the same.

use hemiola_live::whole_input;
use hemiola_world::Source;
use std::sync::{Arc, OnceLock};

/// Standard input, which is read when a run asks for it the first time.
#[derive(Clone, Default)]
pub(super) struct StandardInput(Arc<OnceLock<Vec<u8>>>);

impl StandardInput {
    /// Nothing, because the real one is somebody else's.
    pub(super) fn empty() -> Self {
        Self(Arc::new(OnceLock::from(Vec::new())))
    }

    /// Where a world reads it.
    pub(super) fn source(&self) -> Source {
        let input = Arc::clone(&self.0);
        Box::new(move || match input.get() {
            Some(bytes) => Ok(bytes.clone()),
            None => whole_input().map(|bytes| input.get_or_init(|| bytes).clone()),
        })
    }
}
