//! Labelled clocks: who they are, what time it is on them, how long they live.

use crate::settings::{AllSettings, Settings, WatchId};
use hemiola_time::{Delay, Instant, Label, Microstep, Ordinal, Tag, Unit};
use hemiola_trace::Invocation;
use rustc_hash::FxHashMap;

/// An index into the table of labelled domains, or [`ANONYMOUS`].
pub(crate) type DomainIndex = u32;

/// The index that stands for every domain without a label.
pub(crate) const ANONYMOUS: DomainIndex = u32::MAX;

/// The creation ordinal of domains, *o* of rule TIME-1.
///
/// Labelled domains have even orders. All anonymous domains made between two labelled ones share the
/// odd order between theirs: among themselves the order of release is the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Order(pub(crate) u64);

/// Which labelled domain: it goes stale when the domain is collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DomainId {
    pub(crate) index: DomainIndex,
    pub(crate) order: Order,
}

impl DomainId {
    /// The creation ordinal.
    pub fn ordinal(self) -> Ordinal {
        Ordinal(self.order.0)
    }
}

/// One labelled clock.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    pub(crate) label: Label,
    pub(crate) order: Order,
    pub(crate) unit: Unit,
    pub(crate) clock: Instant,
    /// The microstep that a release without delay belongs to (rule TIME-6).
    pub(crate) microstep: Microstep,
    /// Timed callbacks on it, and operations and continuations linked from its actions.
    pub(crate) outstanding: usize,
    /// The latest action that handlers of lateness were asked about.
    pub(crate) told: Option<Tag>,
    /// Whether anything is settled for its label.
    settled: bool,
    alive: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Domains<C> {
    table: Vec<Domain>,
    free: Vec<DomainIndex>,
    by_label: FxHashMap<Label, DomainIndex>,
    /// Labelled domains made so far.
    created: u64,
    /// Domains that may have nothing outstanding any more.
    idle: Vec<DomainIndex>,
    settings: AllSettings<C>,
}

impl<C> Default for Domains<C> {
    fn default() -> Self {
        Self {
            table: Vec::new(),
            free: Vec::new(),
            by_label: FxHashMap::default(),
            created: 0,
            idle: Vec::new(),
            settings: AllSettings::default(),
        }
    }
}

impl<C> Domains<C> {
    /// The same clocks and settings, but for who is told of lateness.
    pub(crate) fn unwatched(&self) -> Self {
        let Self { table, free, by_label, created, idle, settings } = self;
        Self {
            table: table.clone(),
            free: free.clone(),
            by_label: by_label.clone(),
            created: *created,
            idle: idle.clone(),
            settings: settings.unwatched(),
        }
    }

    /// The order of an anonymous domain made now.
    pub(crate) fn anonymous_order(&self) -> Order {
        Order(2 * self.created + 1)
    }

    pub(crate) fn find(&self, label: &str) -> Option<DomainIndex> {
        self.by_label.get(label).copied()
    }

    /// Makes the domain of a label that is not in use (rule TIME-2).
    pub(crate) fn open(&mut self, label: Label, unit: Unit, now: Instant) -> DomainIndex {
        debug_assert!(self.find(label.as_str()).is_none(), "a label names one living domain");
        self.created += 1;
        let settings = self.settings.get_mut(label.as_str());
        let settled = settings.is_some();
        if let Some(settings) = settings {
            settings.begin_anew();
        }
        let domain = Domain {
            label: label.clone(),
            order: Order(2 * self.created),
            unit,
            clock: now.floor(unit),
            microstep: Microstep::default(),
            outstanding: 0,
            told: None,
            settled,
            alive: true,
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.table[index as usize] = domain;
                index
            }
            None => {
                self.table.push(domain);
                (self.table.len() - 1) as DomainIndex
            }
        };
        self.by_label.insert(label, index);
        self.idle.push(index);
        index
    }

    pub(crate) fn get(&self, index: DomainIndex) -> &Domain {
        &self.table[index as usize]
    }

    pub(crate) fn get_mut(&mut self, index: DomainIndex) -> &mut Domain {
        &mut self.table[index as usize]
    }

    pub(crate) fn id(&self, index: DomainIndex) -> DomainId {
        DomainId { index, order: self.get(index).order }
    }

    /// The living domain of that identity.
    fn resolve(&self, id: DomainId) -> Option<DomainIndex> {
        let domain = self.table.get(id.index as usize)?;
        (domain.alive && domain.order == id.order).then_some(id.index)
    }

    /// One more thing is outstanding in the domain.
    pub(crate) fn hold(&mut self, id: Option<DomainId>) {
        if let Some(index) = id.and_then(|id| self.resolve(id)) {
            self.get_mut(index).outstanding += 1;
        }
    }

    /// One thing fewer is outstanding in the domain.
    pub(crate) fn drop_hold(&mut self, id: Option<DomainId>) {
        if let Some(index) = id.and_then(|id| self.resolve(id)) {
            self.drop_hold_of(index);
        }
    }

    /// One thing fewer is outstanding in a living domain.
    pub(crate) fn drop_hold_of(&mut self, index: DomainIndex) {
        let domain = self.get_mut(index);
        domain.outstanding -= 1;
        if domain.outstanding == 0 {
            self.idle.push(index);
        }
    }

    /// Sets a clock to the tag of the action that begins (rule TIME-4).
    pub(crate) fn advance(&mut self, index: DomainIndex, tag: Tag) {
        let domain = self.get_mut(index);
        domain.clock = tag.time;
        domain.microstep = tag.microstep.next();
    }

    /// Forgets every domain with nothing outstanding (rule TIME-11). To be called after a tail.
    pub(crate) fn collect(&mut self, mut report: impl FnMut(Ordinal)) {
        for index in self.idle.drain(..) {
            let domain = &mut self.table[index as usize];
            if !domain.alive || domain.outstanding > 0 {
                continue;
            }
            domain.alive = false;
            report(Ordinal(domain.order.0));
            self.by_label.remove(domain.label.as_str());
            self.free.push(index);
        }
    }

    /// What is settled for a label, in use or not.
    pub(crate) fn settings(&self, label: &str) -> Option<&Settings<C>> {
        self.settings.get(label)
    }

    /// What is settled for the label of a domain.
    pub(crate) fn settings_of(&mut self, index: DomainIndex) -> Option<&mut Settings<C>> {
        let Domain { label, settled, .. } = &self.table[index as usize];
        if *settled { self.settings.get_mut(label.as_str()) } else { None }
    }

    /// Changes what is settled for a label.
    pub(crate) fn settle(&mut self, label: &str, change: impl FnOnce(&mut Settings<C>)) {
        let settled = self.settings.change(label, change);
        self.note_settled(label, settled);
    }

    /// Attaches a handler of lateness to a label.
    pub(crate) fn attach(
        &mut self,
        label: &str,
        threshold: Delay,
        every: bool,
        link: Invocation,
        callback: C,
    ) -> WatchId {
        let id = self.settings.attach(label, threshold, every, link, callback);
        self.note_settled(label, true);
        id
    }

    /// Removes a handler of lateness from a label.
    pub(crate) fn detach(&mut self, label: &str, id: WatchId) {
        let settled = self.settings.detach(label, id);
        self.note_settled(label, settled);
    }

    /// Sets how long a callback of a label's actions may run, or that it may run for ever.
    pub(crate) fn set_watchdog(&mut self, label: &str, limit: Option<Delay>) {
        let settled = self.settings.set_watchdog(label, limit);
        self.note_settled(label, settled);
    }

    /// Whether any label has a watchdog.
    pub(crate) fn has_watchdogs(&self) -> bool {
        self.settings.watchdogs > 0
    }

    /// The label of a domain that has a watchdog, and how long a callback of its actions may run.
    pub(crate) fn watchdog(&self, id: DomainId) -> Option<(&Label, Delay)> {
        let label = &self.get(self.resolve(id)?).label;
        Some((label, self.settings.get(label.as_str())?.watchdog?))
    }

    fn note_settled(&mut self, label: &str, settled: bool) {
        if let Some(index) = self.find(label) {
            self.get_mut(index).settled = settled;
        }
    }

    /// Whether [`Domains::collect`] has anything to look at.
    pub(crate) fn may_collect(&self) -> bool {
        !self.idle.is_empty()
    }
}
