//! What a trace tells only when it is asked to.

use hemiola_js::{Instrument, Instrumentation, Options};
use hemiola_live::processor_time;
use hemiola_machine::Event;
use std::sync::Arc;

/// What a trace tells only when it is asked to. A file has what it has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// Where callbacks were registered.
    pub(super) sites: bool,
    /// What callbacks read and wrote.
    pub(super) accesses: bool,
    /// What happened to promises.
    pub(super) promises: bool,
    /// That, and where they are awaited.
    pub(super) awaits: bool,
    /// What invocations cost.
    pub(super) accounts: bool,
    /// What they read and write.
    pub(super) transfers: bool,
}

impl Facts {
    /// Lets a program tell them.
    pub(super) fn ask(self, options: &mut Options) {
        options.promises |= self.promises || self.awaits;
        options.awaits |= self.awaits;
        options.sites |= self.sites;
        options.transfers |= self.transfers;
        if self.accounts {
            options.accounts = Some(processor_time);
        }
        if self.accesses && matches!(options.instrument, Instrument::Off) {
            let instrumentation = Instrumentation::new(Vec::new(), true);
            options.instrument = Instrument::Accesses(Arc::new(instrumentation));
        }
    }

    /// Whether an event was asked for.
    pub(super) fn wants(self, event: &Event) -> bool {
        let is_access =
            matches!(event, Event::Accessed { .. } | Event::Located { .. } | Event::Placed { .. });
        self.accesses || !is_access
    }
}
