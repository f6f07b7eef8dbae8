//! What a program has settled for a label: unit, policy, and who is told of lateness.

use hemiola_time::{Delay, Label, Unit};
use hemiola_trace::Invocation;
use rustc_hash::FxHashMap;

/// What becomes of the periods that a domain missed (rule TIME-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Policy {
    /// Every missed invocation runs, late and in order.
    #[default]
    All,
    /// A callback that is a period or more behind goes on at its next instant that is not past.
    Skip,
    /// A callback that is a period or more behind runs once, for the latest instant it missed.
    Latest,
}

/// Which handler of lateness, for whoever wants to remove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WatchId(pub u64);

/// Somebody who wants to know when a domain is late.
#[derive(Clone, Debug)]
pub(crate) struct Watch<C> {
    id: WatchId,
    pub(crate) threshold: Delay,
    /// Call for every late action, or only when the threshold is crossed.
    pub(crate) every: bool,
    pub(crate) crossed: bool,
    /// Who attached it (rule CTX-2).
    pub(crate) link: Invocation,
    /// Out while it runs.
    pub(crate) callback: Option<C>,
}

/// What was settled for one label.
#[derive(Clone, Debug)]
pub(crate) struct Settings<C> {
    pub(crate) unit: Option<Unit>,
    pub(crate) policy: Policy,
    pub(crate) skipped: u64,
    /// How long a callback of its actions may run.
    pub(crate) watchdog: Option<Delay>,
    /// In the order of their identities.
    watches: Vec<Watch<C>>,
}

impl<C> Default for Settings<C> {
    fn default() -> Self {
        Self {
            unit: None,
            policy: Policy::default(),
            skipped: 0,
            watchdog: None,
            watches: Vec::new(),
        }
    }
}

impl<C> Settings<C> {
    fn is_default(&self) -> bool {
        let Self { unit, policy, skipped, watchdog, watches } = self;
        unit.is_none()
            && *policy == Policy::default()
            && *skipped == 0
            && watchdog.is_none()
            && watches.is_empty()
    }

    /// The youngest handler.
    pub(crate) fn last_watch(&self) -> Option<WatchId> {
        self.watches.last().map(|watch| watch.id)
    }

    /// The oldest handler that is younger than `id`. Handlers may come and go between two calls.
    pub(crate) fn watch_after(&mut self, id: Option<WatchId>) -> Option<(WatchId, &mut Watch<C>)> {
        let at = self.watches.partition_point(|watch| Some(watch.id) <= id);
        self.watches.get_mut(at).map(|watch| (watch.id, watch))
    }

    /// The handler of that identity, unless it was removed.
    pub(crate) fn watch(&mut self, id: WatchId) -> Option<&mut Watch<C>> {
        let at = self.watches.binary_search_by_key(&id, |watch| watch.id).ok()?;
        Some(&mut self.watches[at])
    }

    /// A new domain has the label: it is not late yet.
    pub(crate) fn begin_anew(&mut self) {
        self.watches.iter_mut().for_each(|watch| watch.crossed = false);
    }
}

/// The settings of all labels. They belong to the label, in use or not, and so outlive its domains
/// (rule TIME-11).
#[derive(Clone, Debug)]
pub(crate) struct AllSettings<C> {
    by_label: FxHashMap<Label, Settings<C>>,
    /// Handlers attached so far.
    watches: u64,
    /// How many labels have a watchdog.
    pub(crate) watchdogs: usize,
}

impl<C> Default for AllSettings<C> {
    fn default() -> Self {
        Self { by_label: FxHashMap::default(), watches: 0, watchdogs: 0 }
    }
}

impl<C> AllSettings<C> {
    /// The same without handlers.
    pub(crate) fn unwatched(&self) -> Self {
        let by_label = self.by_label.iter().map(|(label, settings)| {
            let Settings { unit, policy, skipped, watchdog, watches: _ } = *settings;
            (label.clone(), Settings { unit, policy, skipped, watchdog, watches: Vec::new() })
        });
        Self { by_label: by_label.collect(), watches: self.watches, watchdogs: self.watchdogs }
    }

    pub(crate) fn get(&self, label: &str) -> Option<&Settings<C>> {
        self.by_label.get(label)
    }

    pub(crate) fn get_mut(&mut self, label: &str) -> Option<&mut Settings<C>> {
        self.by_label.get_mut(label)
    }

    /// Changes the settings of a label; says whether any are left.
    pub(crate) fn change(&mut self, label: &str, change: impl FnOnce(&mut Settings<C>)) -> bool {
        let settings = self.by_label.entry(Label::new(label)).or_default();
        change(settings);
        let left = !settings.is_default();
        if !left {
            self.by_label.remove(label);
        }
        left
    }

    /// Sets how long a callback of a label's actions may run; says whether any settings are left.
    pub(crate) fn set_watchdog(&mut self, label: &str, limit: Option<Delay>) -> bool {
        let before = self.get(label).and_then(|settings| settings.watchdog);
        self.watchdogs += usize::from(limit.is_some());
        self.watchdogs -= usize::from(before.is_some());
        self.change(label, |settings| settings.watchdog = limit)
    }

    /// Attaches a handler to a label.
    pub(crate) fn attach(
        &mut self,
        label: &str,
        threshold: Delay,
        every: bool,
        link: Invocation,
        callback: C,
    ) -> WatchId {
        self.watches += 1;
        let id = WatchId(self.watches);
        let watch = Watch { id, threshold, every, crossed: false, link, callback: Some(callback) };
        self.by_label.entry(Label::new(label)).or_default().watches.push(watch);
        id
    }

    /// Removes a handler from a label; says whether any settings are left.
    pub(crate) fn detach(&mut self, label: &str, id: WatchId) -> bool {
        self.change(label, |settings| settings.watches.retain(|watch| watch.id != id))
    }
}
