//! What happens before what, in every schedule (rule RACE-1).

use super::bits::Bits;
use hemiola_time::Ordinal;
use hemiola_trace::{Class, Place};

/// The number of a part of a run, in the order in which they happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub(super) usize);

impl PartId {
    /// The main program.
    pub const MAIN: Self = Self(0);
}

/// The same for the same part of different runs: it says who registered it, and as the how-manieth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(u64);

impl Identity {
    /// An identity for what follows from this one and another.
    pub(super) fn beside(self, other: Self) -> Self {
        self.child(other.0)
    }

    /// The identity of the `ordinal`th thing that this one registered.
    pub(super) fn child(self, ordinal: u64) -> Self {
        let mut mixed = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(ordinal | 1);
        mixed ^= ordinal.wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(23);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self(mixed ^ (mixed >> 31))
    }
}

/// What a part of a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The main program.
    Main,
    /// What runs when everything else is over.
    End,
    /// A callback.
    Callback(Class),
    /// What an operation does outside, when its answer is made.
    Effect,
}

impl Kind {
    /// Whether it belongs to the tail of a callback (rule TIME-5).
    pub(super) fn is_tail(self) -> bool {
        matches!(self, Self::Callback(class) if class.priority() == 0)
    }
}

/// A callback that ran, or what an operation did.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// The same in other runs.
    pub identity: Identity,
    /// Who attached it (rule CTX-2).
    pub link: PartId,
    /// Who made it able to run (rule CTX-3).
    pub cause: PartId,
    /// The callback that it is the tail of; for all others, itself.
    pub action: PartId,
    /// Where in the program it was registered, if that is known.
    pub place: Option<Place>,
    /// What it is about, in words; may be empty.
    pub what: String,
    /// Whether its place in the tail is the same in every schedule.
    settled: bool,
    /// Whether it may change places with others like it in the tail.
    changes_places: bool,
}

/// A part that is about to be added.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) identity: Identity,
    pub(super) link: Option<PartId>,
    pub(super) cause: Option<PartId>,
    pub(super) place: Option<Place>,
    pub(super) what: String,
    /// What else it comes after.
    pub(super) after: Vec<PartId>,
}

/// Where something was registered: by whom, and after how many other things of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Registration {
    pub(super) by: PartId,
    pub(super) at: u64,
}

/// A timed callback that ran, or that would have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Firing {
    pub(super) release: Ordinal,
    pub(super) registered: Registration,
    pub(super) delay: u64,
    pub(super) domain: Option<Ordinal>,
    /// Its place among timed callbacks: instant, order of the domain, microstep, release (rule TIME-1).
    pub(super) key: (u64, u64, u64, u64),
    /// If its key is the same in every schedule but for the origin of its clock: the action that made
    /// that clock.
    pub(super) epoch: Option<PartId>,
}

impl Firing {
    /// Whether both are due at the same instant and microstep of one clock; the physical one is that of all
    /// timers without a label.
    fn is_due_with(&self, other: &Self) -> bool {
        let due = |firing: &Self| (firing.domain, firing.key.0, firing.key.2);
        due(self) == due(other)
    }
}

/// Where in a turn of the loop something runs (rule LOOP-7). The main program is at the beginning of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Main,
    Timers,
    Poll,
    Check,
    Close,
}

impl Phase {
    fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Main => Some(Self::Main),
            Kind::Callback(Class::Timer) => Some(Self::Timers),
            Kind::Callback(Class::Io) => Some(Self::Poll),
            Kind::Callback(Class::Immediate) => Some(Self::Check),
            Kind::Callback(Class::Close) => Some(Self::Close),
            Kind::Callback(Class::Tick | Class::Promise) | Kind::End | Kind::Effect => None,
        }
    }

    /// How many turns later the next phase of that kind is, at least.
    fn until(self, next: Self) -> u32 {
        u32::from(self >= next)
    }
}

/// How far back the immediates are followed that set an immediate. No operation has more trips, but for those on
/// large files and whole trees.
const MOST_TURNS: usize = 64;

/// An immediate that ran: the actions that led to it, each with how many turns later it ran. Immediates are never
/// late, so that is the same in every schedule.
#[derive(Clone, Debug)]
struct Immediate {
    id: PartId,
    since: Vec<(PartId, u32)>,
}

/// The parts of a run, and which of them are ordered whatever the schedule.
#[derive(Clone, Debug, Default)]
pub struct Order {
    parts: Vec<Part>,
    /// For each part, all that happens before it.
    before: Vec<Bits>,
    firings: Vec<(PartId, Firing)>,
    queued: Vec<(PartId, Class, Registration)>,
    immediates: Vec<Immediate>,
    /// The last part of the running action whose place in it is settled.
    last: Option<PartId>,
    /// Whether immediates, the program's ticks and timers that are due at once need not come in the order in
    /// which they were registered.
    scattered: bool,
}

impl Order {
    /// One in which what waits at the same time need not come in the order in which it was registered.
    pub(super) fn scattered() -> Self {
        Self { scattered: true, ..Self::default() }
    }

    /// A part.
    pub fn part(&self, id: PartId) -> &Part {
        &self.parts[id.0]
    }

    /// All parts, in the order in which they happened.
    pub fn parts(&self) -> impl Iterator<Item = (PartId, &Part)> + '_ {
        self.parts.iter().enumerate().map(|(at, part)| (PartId(at), part))
    }

    /// How many parts there are.
    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// Where a part was registered, or the nearest of those who led to it of which that is known: what a stream of
    /// the library does later has the place where the stream was made.
    pub(super) fn nearest_place(&self, id: PartId) -> Option<Place> {
        let mut at = id;
        loop {
            let part = &self.parts[at.0];
            if part.place.is_some() || at == PartId::MAIN {
                return part.place.clone();
            }
            at = part.link;
        }
    }

    /// Whether one part happens before another in every schedule in which both happen.
    pub fn is_before(&self, one: PartId, other: PartId) -> bool {
        self.before[other.0].contains(one.0)
    }

    /// Whether two parts are of immediates, of ticks or of timers that nothing but the order in which they were
    /// registered keeps in order, where that need not be kept.
    pub(super) fn are_in_turn(&self, one: PartId, other: PartId) -> bool {
        let changes_places = |part: PartId| self.parts[part.0].changes_places;
        if changes_places(one) && changes_places(other) {
            return true;
        }
        let firing = |part: PartId| {
            let head = self.parts[part.0].action;
            self.firings.iter().find(|(id, _)| *id == head).map(|(_, firing)| firing)
        };
        if let (Some(one), Some(other)) = (firing(one), firing(other)) {
            return self.scattered && one.is_due_with(other);
        }
        let registered = |part: PartId| {
            let head = self.parts[part.0].action;
            let mut queued = self.queued.iter();
            let found = queued.find(|(id, class, _)| *id == head && *class == Class::Immediate);
            found.map(|&(_, _, registered)| registered)
        };
        match (registered(one), registered(other)) {
            (Some(one), Some(other)) if self.scattered => {
                self.is_earlier(one, other) || self.is_earlier(other, one)
            }
            _ => false,
        }
    }

    /// Adds the main program, or what runs when all is over.
    pub(super) fn add_main(&mut self, identity: Identity) -> PartId {
        let kind = if self.parts.is_empty() { Kind::Main } else { Kind::End };
        let draft = Draft { identity, ..Draft::default() };
        let id = self.push(kind, draft, Bits::below(self.parts.len()));
        self.last = Some(id);
        id
    }

    /// Adds a callback of the tail.
    ///
    /// It comes after whoever attached it and whoever made it able to run. If both are known to be over
    /// whenever the running callback comes to this point, it is glued to that: it also comes after all
    /// others of which this is true. Else it might as well run in the tail of another callback.
    pub(super) fn add_tail(&mut self, class: Class, draft: Draft) -> PartId {
        let mut before = self.after(&draft);
        let head = self.last.map(|last| self.parts[last.0].action);
        let is_settled = |id: Option<PartId>| {
            let (Some(id), Some(head)) = (id, head) else { return true };
            let part = &self.parts[id.0];
            if part.action == head { part.settled } else { self.is_before(id, head) }
        };
        let settled = is_settled(draft.link) && is_settled(draft.cause);
        if settled
            && !self.scattered
            && let Some(last) = self.last
        {
            self.join(&mut before, last);
        }
        let changes_places = self.scattered && self.may_change_places(class, &draft);
        // Queues are first in, first out: what follows from ordered registrars is ordered.
        for (at, other) in self.parts.iter().enumerate().rev() {
            if Some(other.action) != head {
                break;
            }
            let is_alike = other.kind == Kind::Callback(class);
            let change_places = is_alike && changes_places && other.changes_places;
            if change_places && class == Class::Tick {
                continue;
            }
            let in_order = is_alike
                && Some(PartId(at)) != draft.cause
                && self.not_after(Some(other.link), draft.link)
                && self.not_after(Some(other.cause), draft.cause);
            if in_order || settled && self.scattered && other.settled && !change_places {
                before.insert(at);
                before.insert_all(&self.before[at]);
            }
        }
        let id = self.push(Kind::Callback(class), draft, before);
        let part = &mut self.parts[id.0];
        part.settled = settled;
        part.changes_places = changes_places;
        part.action = head.unwrap_or(id);
        if settled {
            self.last = Some(id);
        }
        id
    }

    /// Whether a callback of the tail need not come before others like it that wait with it: a tick of the
    /// program, and a reaction to a promise that such a tick, or such a reaction, settled.
    fn may_change_places(&self, class: Class, draft: &Draft) -> bool {
        match class {
            // Those of the library stay where they are.
            Class::Tick => draft.place.is_some(),
            Class::Promise => draft.cause.is_some_and(|cause| self.parts[cause.0].changes_places),
            Class::Immediate | Class::Timer | Class::Io | Class::Close => false,
        }
    }

    /// Adds a callback that is neither timed nor in a tail.
    pub(super) fn add_queued(
        &mut self,
        class: Class,
        registered: Option<Registration>,
        draft: Draft,
    ) -> PartId {
        let mut before = self.after(&draft);
        if let Some(registered) = registered {
            for &(other, other_class, earlier) in &self.queued {
                let in_turn = class != Class::Immediate || !self.scattered;
                // Messages that were posted by the same callback wait for the same phase, in which the order of
                // their ports counts (rule LOOP-7).
                let in_phase = class == Class::Io && earlier.by == registered.by;
                let in_order = in_phase || self.is_earlier(earlier, registered);
                if in_turn && other_class == class && in_order {
                    self.join(&mut before, other);
                }
            }
        }
        self.close(&mut before);
        let id = self.push(Kind::Callback(class), draft, before);
        if let Some(registered) = registered {
            self.queued.push((id, class, registered));
            if class == Class::Immediate {
                let since = self.turns_since(registered.by);
                self.immediates.push(Immediate { id, since });
            }
        }
        self.last = Some(id);
        id
    }

    /// Adds the callback of an operation, which the poll phase has seen so often before.
    pub(super) fn add_answered(
        &mut self,
        class: Class,
        registered: Registration,
        trips: u32,
        draft: Draft,
    ) -> PartId {
        let mut before = self.after(&draft);
        self.immediates_before_trip(&mut before, registered.by, trips);
        self.close(&mut before);
        let id = self.push(Kind::Callback(class), draft, before);
        self.last = Some(id);
        id
    }

    /// Adds a timed callback.
    pub(super) fn add_timed(&mut self, firing: Firing, draft: Draft) -> PartId {
        let before = self.before_firing(&firing, &draft);
        let id = self.push(Kind::Callback(Class::Timer), draft, before);
        self.firings.push((id, firing));
        self.last = Some(id);
        id
    }

    /// Adds what an operation did when the poll phase had seen it so often.
    pub(super) fn add_effect(
        &mut self,
        registered: Registration,
        trips: u32,
        draft: Draft,
    ) -> PartId {
        let mut before = self.after(&draft);
        self.immediates_before_trip(&mut before, registered.by, trips);
        self.close(&mut before);
        self.push(Kind::Effect, draft, before)
    }

    /// Whether a part happens before a timed callback that was cleared and never ran.
    pub(super) fn is_before_firing(&self, one: PartId, firing: &Firing, draft: &Draft) -> bool {
        self.before_firing(firing, draft).contains(one.0)
    }

    /// What a timed callback comes after.
    fn before_firing(&self, firing: &Firing, draft: &Draft) -> Bits {
        let mut before = self.after(draft);
        let Firing { registered, delay, domain, key, .. } = *firing;
        let turns = match self.phase(registered.by) {
            // An action at the next microstep of a clock comes at once (rule TIME-6).
            Some(Phase::Timers) if domain.is_some() => 0,
            Some(phase) => phase.until(Phase::Timers),
            None => 0,
        };
        self.immediates_before(&mut before, registered.by, turns);
        for &(id, ref earlier) in &self.firings {
            let sooner = earlier.delay <= delay && self.is_earlier(earlier.registered, registered);
            // A clock is never ahead of physical time, so a release on it is not later than an
            // unlabelled one after it.
            let comparable = earlier.domain == domain || domain.is_none();
            let same_epoch = firing.epoch.is_some() && earlier.epoch == firing.epoch;
            let released = before.contains(earlier.registered.by.0);
            let in_turn = self.scattered && earlier.is_due_with(firing);
            let in_order = sooner && comparable || same_epoch && released && earlier.key < key;
            if earlier.release == firing.release || in_order && !in_turn {
                self.join(&mut before, id);
            }
        }
        self.close(&mut before);
        before
    }

    /// The phase in which a part ran, or the callback that it is the tail of.
    fn phase(&self, part: PartId) -> Option<Phase> {
        Phase::of(self.parts[self.parts[part.0].action.0].kind)
    }

    /// The actions that led to an immediate which that part set, with how many turns later it runs.
    fn turns_since(&self, by: PartId) -> Vec<(PartId, u32)> {
        let head = self.parts[by.0].action;
        let Some(phase) = self.phase(by) else { return Vec::new() };
        let turns = phase.until(Phase::Check);
        let before = self.immediates.iter().rev().find(|one| one.id == head);
        let before = before.into_iter().flat_map(|one| &one.since);
        let before = before.map(|&(action, earlier)| (action, earlier + turns));
        [(head, turns)].into_iter().chain(before).take(MOST_TURNS).collect()
    }

    /// An operation passes the poll phase once in a turn: the immediates of the turns before come first.
    fn immediates_before_trip(&self, before: &mut Bits, by: PartId, trips: u32) {
        if let Some(phase) = self.phase(by) {
            self.immediates_before(before, by, phase.until(Phase::Poll) + trips);
        }
    }

    /// What runs at least so many turns later than the part that sets it, and not behind the check phase, comes
    /// after all immediates of the turns before.
    fn immediates_before(&self, before: &mut Bits, by: PartId, turns: u32) {
        let head = self.parts[by.0].action;
        let is_earlier = |&(action, since): &(PartId, u32)| {
            // From a phase to an earlier one it is a turn at least.
            let between = match (self.phase(action), self.phase(by)) {
                _ if action == head => Some(0),
                (Some(from), Some(to)) if self.is_before(action, by) => Some(u32::from(from > to)),
                _ => None,
            };
            between.is_some_and(|between| since < turns + between)
        };
        for Immediate { id, since } in &self.immediates {
            if since.iter().any(is_earlier) {
                self.join(before, *id);
            }
        }
    }

    /// Whether one thing is registered before another in every schedule.
    fn is_earlier(&self, one: Registration, other: Registration) -> bool {
        if one.by == other.by { one.at < other.at } else { self.is_before(one.by, other.by) }
    }

    fn not_after(&self, one: Option<PartId>, other: Option<PartId>) -> bool {
        match (one, other) {
            (Some(one), Some(other)) => one == other || self.is_before(one, other),
            (one, other) => one == other,
        }
    }

    fn after(&self, draft: &Draft) -> Bits {
        let mut before = Bits::default();
        for &id in draft.link.iter().chain(&draft.cause).chain(&draft.after) {
            self.join(&mut before, id);
        }
        before
    }

    fn join(&self, before: &mut Bits, id: PartId) {
        before.insert(id.0);
        before.insert_all(&self.before[id.0]);
    }

    /// A tail is over before anything else begins: a part of a tail comes before whatever comes after
    /// those who attached it and made it able to run.
    fn close(&self, before: &mut Bits) {
        for (at, part) in self.parts.iter().enumerate() {
            if part.kind.is_tail()
                && !before.contains(at)
                && before.contains(part.link.0)
                && before.contains(part.cause.0)
            {
                self.join(before, PartId(at));
            }
        }
    }

    fn push(&mut self, kind: Kind, draft: Draft, before: Bits) -> PartId {
        let id = PartId(self.parts.len());
        let Draft { identity, link, cause, place, what, after: _ } = draft;
        let link = link.unwrap_or(PartId::MAIN);
        let cause = cause.unwrap_or(link);
        let (action, settled, changes_places) = (id, true, false);
        let part =
            Part { kind, identity, link, cause, action, place, what, settled, changes_places };
        self.parts.push(part);
        self.before.push(before);
        id
    }
}
