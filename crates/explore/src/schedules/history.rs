//! What has happened in a run, as far as its future depends on it.

use super::decide::Kind;
use super::digest::Digest;
use super::identity::{Id, Identities};
use super::plan::State;
use super::timers::Timers;
use hemiola_machine::{
    Alternative, Alternatives, Batch, Group, Instant, Move, Operation, Pick, Tag,
};
use hemiola_time::Ordinal;
use hemiola_trace::{Access, Class, Event, Invocation, Location, Origin};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// From so many turns on in which nothing came from outside their number counts: a world does not let
/// a program that never waits go round for ever.
const SPINNING: u32 = 16;

/// How states are told from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reduction {
    /// Not at all: every schedule is run.
    None,
    /// Two runs are in the same state when the same callbacks have run in the same order and the same
    /// wait.
    #[default]
    Order,
    /// The order of callbacks counts only as far as one read what the other wrote (rule EXPL-4). The
    /// program and the world must tell of every access.
    Accesses,
}

/// Something that callbacks and operations read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shared {
    /// What the program has.
    Inside(Location),
    /// What the world has, by a digest of its name.
    Outside(Digest),
    /// All that the world has, where it does not say more.
    World,
    /// What the program showed.
    Shown,
    /// The random numbers.
    Random,
    /// The labelled clocks.
    Clocks,
}

/// A callback with its tail (rule EXPL-1).
#[derive(Clone, Copy, Debug)]
struct Transition {
    id: Id,
    /// Who it is, and all that it has read so far.
    digest: Digest,
    /// How many registrations it has made.
    registered: u32,
}

/// A callback that waits.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    id: Id,
    /// What its operation did.
    effect: Digest,
    /// Which one, if it waited for one.
    operation: Option<Operation>,
    /// Its number among all that were queued; an answer has none.
    number: Option<Ordinal>,
    /// How many transitions had begun when it came.
    since: u64,
}

/// In which transition each invocation ran; copies have in common what was shared.
#[derive(Clone, Debug, Default)]
struct Ran {
    shared: Arc<FxHashMap<Invocation, u64>>,
    own: FxHashMap<Invocation, u64>,
}

impl Ran {
    fn get(&self, invocation: Invocation) -> Option<u64> {
        self.own.get(&invocation).or_else(|| self.shared.get(&invocation)).copied()
    }

    fn share(&mut self) {
        Arc::make_mut(&mut self.shared).extend(std::mem::take(&mut self.own));
    }
}

/// How many callbacks in a row another waits before it starves.
const STARVES: u64 = 4;

/// The history of one run.
///
/// An event's digest follows from who it is and from what it read: for each thing, the digest of who
/// wrote it. Two runs that have done the same, as far as anybody can tell, have the same digests,
/// whatever the order was; their sum and what waits is the state.
#[derive(Clone)]
pub(crate) struct History {
    reduction: Reduction,
    ids: Identities,
    /// The transitions that are over, in any order.
    past: Digest,
    /// The transitions and effects that are over, in order.
    order: Digest,
    current: Transition,
    transitions: u64,
    /// In which transition an invocation ran.
    invocations: Ran,
    /// Who last made a promise job able to run that somebody had attached in an earlier transition, and
    /// in which.
    resumed: Option<(Invocation, u64)>,
    /// Whether there is more to depend on than accesses tell.
    coarse: bool,
    /// How much has happened that an answer cannot change places with.
    barriers: u64,
    /// The labelled action that runs: more callbacks may belong to it.
    action: Option<(u64, Tag)>,
    operations: BTreeMap<Operation, Id>,
    /// How often the loop has yet to see an operation that was answered, wholly or in part, before its
    /// callback runs or it goes on.
    on_the_way: BTreeMap<Operation, u32>,
    /// The operations that the loop has seen and whose callbacks have not run: an answer may come before theirs.
    seen: BTreeSet<Operation>,
    /// What operations did that were answered, until their callbacks wait.
    effects: BTreeMap<Operation, Digest>,
    /// Who does what the world is told to do.
    acting: Option<Operation>,
    queues: [VecDeque<Waiting>; 6],
    timers: Timers,
    now: Instant,
    reads_clock: bool,
    turns: u32,
    writers: FxHashMap<Shared, Digest>,
    /// Where the run stood at the last choice between two callbacks, and what was chosen since.
    base: Digest,
    since: Digest,
    /// What was registered last, until its place in the program is told.
    last: Option<Id>,
    /// Whether something was attached to a promise just now.
    attaches: bool,
    /// What things are, in words, if somebody wants to know.
    words: Option<FxHashMap<Id, String>>,
    /// The same for ticks, by their number.
    ticks: Option<BTreeMap<Ordinal, String>>,
}

impl History {
    pub(crate) fn new(reduction: Reduction, explain: bool, drifting: bool) -> Self {
        let ids = Identities::default();
        let digest = ids.digest(Id::MAIN);
        Self {
            reduction,
            ids,
            past: Digest::default(),
            order: Digest::default(),
            current: Transition { id: Id::MAIN, digest, registered: 0 },
            transitions: 0,
            invocations: Ran::default(),
            resumed: None,
            coarse: false,
            barriers: 0,
            action: None,
            operations: BTreeMap::new(),
            on_the_way: BTreeMap::new(),
            seen: BTreeSet::new(),
            effects: BTreeMap::new(),
            acting: None,
            queues: Default::default(),
            timers: Timers::new(drifting),
            now: Instant::ZERO,
            reads_clock: false,
            turns: 0,
            writers: FxHashMap::default(),
            base: Digest::default(),
            since: Digest::default(),
            last: None,
            attaches: false,
            words: explain.then(FxHashMap::default),
            ticks: explain.then(BTreeMap::new),
        }
    }

    /// Lets copies have in common what there is by now.
    pub(crate) fn share(&mut self) {
        self.ids.share();
        self.invocations.share();
    }

    /// Whether it is told of the same things, and tells of as much.
    pub(crate) fn is_made_like(&self, other: &Self) -> bool {
        self.reduction == other.reduction
            && self.words.is_some() == other.words.is_some()
            && self.timers.is_made_like(&other.timers)
    }

    /// How many transitions have begun.
    pub(crate) fn transitions(&self) -> u64 {
        self.transitions
    }

    /// What has waited for long, in words, as far as somebody wanted them: callbacks that have seen
    /// others run, and, in a tail without an end, all that waits for it to end.
    pub(crate) fn starving(&self, tail: bool) -> Vec<String> {
        let ready = self.queues.iter().flatten();
        let ready = ready.filter(|waiting| tail || self.transitions - waiting.since >= STARVES);
        let waiting = tail.then(|| self.operations.values().copied().chain(self.timers.ids()));
        let starving = ready.map(|waiting| waiting.id).chain(waiting.into_iter().flatten());
        let words = self.words.as_ref();
        let mut words: Vec<String> = starving.filter_map(|id| words?.get(&id)).cloned().collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Whether the program has looked at a clock.
    pub(crate) fn reads_clock(&self) -> bool {
        self.reads_clock
    }

    /// Whether accesses do not tell all on which the program depends: then only the order of callbacks
    /// does.
    pub(crate) fn is_coarse(&self) -> bool {
        self.coarse
    }

    /// Takes an event of the run.
    pub(crate) fn event(&mut self, event: Event) {
        self.attaches &= matches!(event, Event::Site(_));
        match event {
            Event::Opened { domain, .. } => {
                self.timers.opened(domain);
                // Its origin is the time of now, which the program can ask for.
                self.read_clock(self.now.as_micros());
                self.access(Shared::Clocks, Access::Write);
            }
            Event::Collected { .. } => self.access(Shared::Clocks, Access::Write),
            Event::Released { release, domain, tag, period, .. } => {
                let id = self.register(|| "the timer".into());
                self.timers.insert(release, id, domain, tag, period);
            }
            Event::Cleared { release } => self.timers.clear(release),
            Event::Skipped { domain, until, .. } => self.timers.skip(domain, until),
            Event::Queued { class, number, .. } if class.priority() > 0 => {
                // Messages and the like: who may get them is known to the library alone.
                self.coarse |= class != Class::Immediate;
                let id = self.register(|| format!("the {}", class.name()));
                let (effect, number, since) = (Digest::default(), Some(number), self.transitions);
                let waiting = Waiting { id, effect, operation: None, number, since };
                self.queues[class as usize].push_back(waiting);
            }
            Event::Requested { operation, what, .. } => {
                // What the library keeps for streams of bytes, it tells nobody.
                self.coarse |= !what.starts_with("fs.");
                let id =
                    self.register(|| if what.is_empty() { "an operation".into() } else { what });
                self.operations.insert(operation, id);
            }
            Event::Completed { operation, .. } => self.completed(operation),
            Event::Began { class, domain, tag, origin, invocation, link, cause, at } => {
                self.began(class, domain, tag, origin, at);
                self.invocations.own.insert(invocation, self.transitions);
                if class == Some(Class::Promise) {
                    self.resumes(link, cause);
                }
            }
            Event::Observed(_) | Event::Wrote { .. } | Event::WroteBytes { .. } => {
                self.access(Shared::Shown, Access::Write);
            }
            // What callbacks do follows from their order; where that tells states apart, who tells of accesses and
            // who does not come to the same states.
            Event::Accessed { location, access, .. } => {
                if self.reduction == Reduction::Accesses {
                    self.access(Shared::Inside(location), access);
                }
            }
            Event::Lagged { .. } => self.read_clock(self.now.as_micros()),
            // Where a promise is awaited.
            Event::Site(_) if std::mem::take(&mut self.attaches) => {}
            Event::Site(place) => {
                let known = match (&mut self.words, &mut self.ticks, self.last.take()) {
                    (Some(words), _, Some(last)) => Some(words.entry(last).or_default()),
                    (_, Some(ticks), None) => {
                        ticks.values_mut().next_back().filter(|known| *known == "the tick")
                    }
                    _ => None,
                };
                if let Some(known) = known {
                    *known = format!("{known} ({place})");
                }
            }
            Event::Attached { .. } => self.attaches = true,
            // The place of a tick or a promise job is nothing else's.
            Event::Queued { class, number, .. } => {
                self.last = None;
                if let (Some(ticks), Class::Tick) = (&mut self.ticks, class) {
                    ticks.insert(number, "the tick".into());
                }
            }
            Event::Ended { .. }
            | Event::Located { .. }
            | Event::Placed { .. }
            | Event::Settled { .. }
            | Event::Reacted { .. }
            | Event::Entered { .. }
            | Event::Left { .. }
            | Event::Chose { .. }
            | Event::Task { .. }
            | Event::Fleet(_)
            | Event::Dropped { .. }
            | Event::Spent { .. }
            | Event::Transferred { .. }
            | Event::Labelled { .. } => {}
        }
    }

    fn began(
        &mut self,
        class: Option<Class>,
        domain: Option<Ordinal>,
        tag: Option<Tag>,
        origin: Option<Origin>,
        at: Instant,
    ) {
        let was_seen = match origin {
            Some(Origin::Operation(operation)) => self.seen.remove(&operation),
            _ => false,
        };
        let can_wait = matches!(class, Some(Class::Io | Class::Tick | Class::Promise));
        self.barriers += u64::from(!can_wait || was_seen);
        let action = domain.zip(tag).map(|(domain, tag)| (domain.0, tag));
        let before = std::mem::replace(&mut self.action, action);
        match class {
            // The tail of what ran before.
            Some(Class::Tick | Class::Promise) => {}
            None => {
                let again = u32::MAX - self.transitions as u32;
                let first = self.transitions == 0;
                let id = if first { Id::MAIN } else { self.ids.register(Id::MAIN, again) };
                self.begin(id, Digest::default());
            }
            Some(Class::Timer) => {
                let fired = match origin {
                    Some(Origin::Release(release)) => self.timers.fire(release, at),
                    _ => None,
                };
                let id = fired.unwrap_or_else(|| self.nameless());
                if action.is_some() && action == before {
                    // One of several callbacks of an atomic action (rule TIME-4).
                    self.current.digest = self.current.digest.then(self.ids.digest(id));
                    return;
                }
                self.begin(id, Digest::default());
                if action.is_some() {
                    self.access(Shared::Clocks, Access::Write);
                }
            }
            Some(class @ (Class::Immediate | Class::Io | Class::Close)) => {
                // Of two answers the earlier may have the longer way.
                let operation = match origin {
                    Some(Origin::Operation(operation)) => Some(operation),
                    _ => None,
                };
                // The strategy `machine` runs immediates among the completions.
                let queues = [class, Class::Immediate];
                let ready = queues.into_iter().find_map(|class| {
                    let queue = &mut self.queues[class as usize];
                    // Mostly the first; where registrations may change places, whichever it is.
                    let numbered = |waiting: &Waiting| {
                        waiting.number.is_some_and(|one| origin == Some(Origin::Queued(one)))
                    };
                    let at = queue.iter().position(numbered);
                    let first = || queue.iter().position(|waiting| waiting.operation == operation);
                    let at = at.or_else(first)?;
                    queue.remove(at)
                });
                let (id, effect) = match ready {
                    Some(Waiting { id, effect, .. }) => (id, effect),
                    None => (self.nameless(), Digest::default()),
                };
                self.begin(id, effect);
            }
        }
    }

    /// Notes a promise job. Where one invocation lets go on what two earlier transitions attached, they
    /// may have attached to one promise, and in which order they did is told by no access.
    fn resumes(&mut self, link: Invocation, cause: Invocation) {
        let attached = self.invocations.get(link).unwrap_or(self.transitions);
        if attached == self.transitions {
            return;
        }
        self.coarse |= self.resumed.is_some_and(|(by, at)| by == cause && at != attached);
        self.resumed = Some((cause, attached));
    }

    /// Somebody whom nobody has registered, as far as is known: never the same in two histories.
    fn nameless(&mut self) -> Id {
        let ordinal = self.order.then(self.current.digest).number() as u32;
        self.ids.register(self.current.id, ordinal | 1 << 31)
    }

    fn register(&mut self, words: impl FnOnce() -> String) -> Id {
        let Transition { id, registered, .. } = self.current;
        self.current.registered += 1;
        let id = self.ids.register(id, registered);
        if let Some(known) = &mut self.words {
            known.insert(id, words());
        }
        self.last = Some(id);
        id
    }

    fn begin(&mut self, id: Id, effect: Digest) {
        if self.transitions > 0 {
            self.past = self.past.with(self.current.digest);
            self.order = self.order.then(self.current.digest);
        }
        self.transitions += 1;
        let mut digest = self.ids.digest(id).then(effect);
        if self.reduction == Reduction::Order {
            digest = digest.then(self.order);
        }
        self.since = self.since.then(self.ids.digest(id));
        self.current = Transition { id, digest, registered: 0 };
        // A callback can look at labelled clocks without our being told.
        self.access(Shared::Clocks, Access::Read);
    }

    /// Notes that the running callback, or the operation that takes effect, reads or writes something.
    fn access(&mut self, what: Shared, access: Access) {
        let writer = self.writers.get(&what).copied().unwrap_or_default();
        let actor = match self.acting {
            Some(operation) => self.effects.entry(operation).or_default(),
            None => &mut self.current.digest,
        };
        *actor = actor.then(writer);
        if access == Access::Write {
            let wrote = *actor;
            self.writers.insert(what, wrote);
        }
    }

    /// Notes what an operation read and wrote outside when it took effect, or the running callback
    /// without one.
    pub(crate) fn touched(
        &mut self,
        operation: Option<Operation>,
        touches: impl Iterator<Item = (Digest, Access)>,
    ) {
        let acting = std::mem::replace(&mut self.acting, operation);
        match operation {
            Some(operation) => self.begin_effect(operation),
            None => self.barriers += 1,
        }
        for (place, access) in touches {
            self.access(Shared::Outside(place), access);
        }
        self.acting = acting;
    }

    fn begin_effect(&mut self, operation: Operation) {
        let id = self.operations.get(&operation);
        let digest =
            id.map_or_else(|| Digest::of(&[u128::from(operation.0)]), |&id| self.ids.digest(id));
        self.effects.entry(operation).or_insert(digest);
    }

    /// Notes that the world answers an operation.
    pub(crate) fn answers(&mut self, operation: Operation, tells_effects: bool) {
        self.turns = 0;
        self.begin_effect(operation);
        self.acting = Some(operation);
        if !tells_effects {
            self.access(Shared::World, Access::Write);
        }
    }

    /// Notes that it has.
    pub(crate) fn answered(&mut self) {
        self.acting = None;
    }

    /// Notes that the running callback asked the world for something at once.
    pub(crate) fn performed(&mut self) {
        self.barriers += 1;
        self.access(Shared::World, Access::Write);
    }

    fn completed(&mut self, operation: Operation) {
        self.begin_effect(operation);
        let effect = self.effects.remove(&operation).unwrap_or_default();
        let id = self.operations.remove(&operation).unwrap_or_else(|| self.nameless());
        let (operation, number, since) = (Some(operation), None, self.transitions);
        let waiting = Waiting { id, effect, operation, number, since };
        self.queues[Class::Io as usize].push_back(waiting);
    }

    /// Notes that the loop has yet to see an operation so often.
    pub(crate) fn sets_out(&mut self, operation: Operation, trips: u32) {
        if trips > 0 {
            self.on_the_way.insert(operation, trips);
            if let Some(effect) = self.effects.get_mut(&operation) {
                // A part of it is done, whatever it did.
                *effect = effect.and(1);
            }
        }
    }

    /// Notes that it has seen it, so often. What is answered before or after that may come to run before
    /// others, or behind them.
    pub(crate) fn seen(&mut self, operation: Operation, trips: u32) {
        self.barriers += 1;
        self.seen.insert(operation);
        if let Some(left) = self.on_the_way.get_mut(&operation) {
            *left = left.saturating_sub(trips);
            if *left == 0 {
                self.on_the_way.remove(&operation);
            }
        }
    }

    /// Notes that the program looked at a clock.
    pub(crate) fn read_clock(&mut self, value: u64) {
        self.reads_clock = true;
        self.current.digest = self.current.digest.and(u128::from(value));
    }

    /// Notes that the program drew a random number.
    pub(crate) fn drew(&mut self) {
        self.access(Shared::Random, Access::Write);
    }

    /// How much has happened that an answer from outside cannot change places with: callbacks of other
    /// kinds, what callbacks did outside, time.
    pub(crate) fn barriers(&self) -> u64 {
        self.barriers
    }

    /// Notes that something came from outside that nobody chose.
    pub(crate) fn came(&mut self) {
        self.barriers += 1;
    }

    /// Whether a choice is one of the running callback, which may let time pass or not.
    pub(crate) fn is_within(&self, open: Option<&Alternatives<'_>>) -> bool {
        let first = open.and_then(|open| open.moves.first());
        self.acting.is_some()
            || open.is_none()
            || matches!(first, Some(&Move::Pass(until)) if until <= self.now)
    }

    /// Notes what time it is.
    pub(crate) fn passed(&mut self, now: Instant) {
        if now > self.now {
            self.barriers += 1;
            self.now = now;
            self.turns = 0;
        }
    }

    /// Notes that a turn begins.
    pub(crate) fn went_round(&mut self) {
        self.turns += 1;
    }

    /// Notes what was chosen, and whether it was among things that may happen; else it is a value, or which tick of
    /// a tail comes first, of which no state tells otherwise.
    pub(crate) fn chosen(&mut self, taken: usize, happens: bool) {
        self.since = self.since.and(taken as u128 + 1);
        if let Some(operation) = self.acting {
            // What becomes of an operation, as of a fault.
            let effect = self.effects.entry(operation).or_default();
            *effect = effect.and(taken as u128 + 1);
        } else if !happens {
            self.current.digest = self.current.digest.and(taken as u128 + 1);
        }
    }

    /// The alternatives in the order in which they are counted: answers by who waits for them, which
    /// does not depend on the order of events, and everything else as it is.
    pub(crate) fn order(&self, open: &Alternatives<'_>) -> Vec<usize> {
        let id = |at: usize| match open.get(at) {
            Some(Alternative::Move(Move::Answer(operation))) => {
                self.operations.get(&operation).copied()
            }
            _ => None,
        };
        let mut order: Vec<usize> = (0..open.count()).collect();
        let places: Vec<usize> = order.iter().copied().filter(|&at| id(at).is_some()).collect();
        let mut sorted = places.clone();
        sorted.sort_by(|&one, &other| match (id(one), id(other)) {
            (Some(one), Some(other)) => self.ids.order(one, other),
            _ => std::cmp::Ordering::Equal,
        });
        for (place, at) in places.into_iter().zip(sorted) {
            order[place] = at;
        }
        order
    }

    /// Where the run stands at a choice, of all runs. `knows_clock` says that time itself matters, not
    /// only how timers lie to it.
    pub(crate) fn state(
        &mut self,
        count: usize,
        open: Option<(&Alternatives<'_>, &[usize])>,
        knows_clock: bool,
    ) -> State {
        let within = self.is_within(open.map(|(open, _)| open));
        let mut digest = match open {
            Some((open, order)) if !within => {
                let digest = self.stand(knows_clock);
                let digest = order.iter().fold(digest, |digest, &at| self.offer(open, at, digest));
                (self.base, self.since) = (digest, Digest::default());
                digest
            }
            // In the middle of a callback, or of an answer, all that was since the last choice counts,
            // in order: that decides where the loop stands, too.
            _ => {
                let effect = self.acting.and_then(|one| self.effects.get(&one)).copied();
                let so_far = self.current.digest.then(effect.unwrap_or_default());
                self.base.then(self.since).then(so_far)
            }
        };
        digest = digest.and(count as u128 * 2 + u128::from(within));
        digest.state()
    }

    /// What has happened and what waits, between two callbacks.
    fn stand(&self, knows_clock: bool) -> Digest {
        let mut digest = self.past.with(self.current.digest);
        for effect in self.effects.values() {
            digest = digest.with(*effect);
        }
        for queue in &self.queues {
            digest = digest.and(queue.len() as u128);
            for &Waiting { id, effect, operation, .. } in queue {
                digest = digest.then(self.ids.digest(id)).then(effect);
                if let Some(left) = operation.and_then(|one| self.on_the_way.get(&one)) {
                    digest = digest.and(u128::from(*left));
                }
            }
        }
        for (operation, left) in &self.on_the_way {
            if let Some(&id) = self.operations.get(operation) {
                digest = digest.with(self.ids.digest(id).and(u128::from(*left)));
            }
        }
        digest = self.timers.digest(self.now, &self.ids, digest);
        if knows_clock {
            digest = digest.and(u128::from(self.now.as_micros()));
        }
        if self.turns >= SPINNING {
            digest = digest.and(u128::from(self.turns));
        }
        digest
    }

    /// With what an alternative is.
    fn offer(&self, open: &Alternatives<'_>, at: usize, digest: Digest) -> Digest {
        match open.get(at) {
            None | Some(Alternative::End) => digest.and(1),
            Some(Alternative::Pick(pick)) => {
                let (kind, which) = match pick {
                    Pick::Callback(class, group) => (2, class as u128 + 8 * u128::from(group.0)),
                    Pick::Timed => (3, 0),
                    Pick::Turn(Batch::Everything) => (4, 0),
                    Pick::Turn(Batch::Urgent) => (4, 1),
                    Pick::Turn(Batch::Timed) => (4, 2),
                    Pick::Turn(Batch::Group(class, group) | Batch::Callback(class, group)) => {
                        (5, class as u128 + 8 * u128::from(group.0))
                    }
                    Pick::Turn(Batch::Nth(class, at)) => (12, class as u128 + 8 * at as u128),
                    Pick::Enter(phase) => (6, phase as u128),
                    Pick::Promote => (7, 0),
                };
                digest.and(kind).and(which)
            }
            Some(Alternative::Move(Move::Answer(operation))) => {
                match self.operations.get(&operation) {
                    Some(&id) => digest.and(8).then(self.ids.digest(id)),
                    None => digest.and(9).and(u128::from(operation.0)),
                }
            }
            Some(Alternative::Move(Move::Pass(until))) => {
                digest.and(10).and(u128::from(until.since(self.now).as_micros()))
            }
            Some(Alternative::Move(Move::Signal(signal))) => {
                digest.and(11).and(u128::from(signal.0))
            }
        }
    }

    /// What an alternative belongs to: answers to the first registration of the main program that led
    /// to them.
    pub(crate) fn kind(&self, open: &Alternatives<'_>, at: usize) -> Kind {
        match open.get(at) {
            Some(Alternative::Move(Move::Answer(operation))) => {
                let id = self.operations.get(&operation);
                id.map(|&id| self.ids.digest(self.ids.eldest(id))).unwrap_or_default()
            }
            Some(Alternative::Move(_)) => Digest::of(&[1]),
            _ => Digest::of(&[2]),
        }
    }

    /// Two alternatives in words that differ: of two calls alike it is said whose they are.
    pub(crate) fn words_apart(&self, open: &Alternatives<'_>, both: [usize; 2]) -> [String; 2] {
        let words = both.map(|at| self.words(open, at));
        if words[0] != words[1] {
            return words;
        }
        let id = |at: usize| match open.get(at) {
            Some(Alternative::Move(Move::Answer(operation))) => self.operations.get(&operation),
            _ => None,
        };
        match both.map(id) {
            [Some(&one), Some(&other)] => [(one, other), (other, one)]
                .map(|(this, that)| format!("{} is answered", self.told_from(this, that))),
            _ => both.map(|at| format!("{}, as alternative {at}", words[0])),
        }
    }

    /// What somebody registered, in words that tell it from another that goes by the same: by the first of those
    /// that led to it that differs from the other's, or by how many came before it.
    fn told_from(&self, this: Id, that: Id) -> String {
        let known = |id: Id| self.words.as_ref().and_then(|words| words.get(&id));
        let word = |id: Id| match id {
            Id::MAIN => "the main program",
            id => known(id).map_or("an operation", String::as_str),
        };
        let own = word(this).to_owned();
        let lead = |own: String, by: String, at: Id| {
            if at == this { by } else { format!("{own}, after {by},") }
        };
        let (mut at, mut other) = (this, that);
        while word(at) == word(other) {
            let parents = [at, other].map(|id| self.ids.parent(id));
            if parents[0] == parents[1] || [at, other].contains(&Id::MAIN) {
                let twins = self.ids.children(parents[0]).filter(|&id| word(id) == word(at));
                let before = twins.take_while(|&id| id != at).count();
                let name = word(at).trim_start_matches("the ");
                return lead(own, format!("the {} {name}", ordinal(before + 1)), at);
            }
            [at, other] = parents;
        }
        lead(own, word(at).to_owned(), at)
    }

    /// An alternative in words.
    fn words(&self, open: &Alternatives<'_>, at: usize) -> String {
        let words = self.words.as_ref();
        let of = |operation: &Operation| {
            let known = self.operations.get(operation).and_then(|id| words?.get(id));
            known.map_or("an operation", String::as_str)
        };
        match open.get(at) {
            None => format!("alternative {at}"),
            Some(Alternative::End) => "the run ends".into(),
            Some(Alternative::Pick(Pick::Callback(class, group))) if group != Group::default() => {
                let mut queue = self.queues[class as usize].iter();
                let number = Ordinal(u64::from(group.0));
                let ready = queue.find(|waiting| waiting.number == Some(number));
                let known = match ready {
                    Some(waiting) => words.and_then(|words| words.get(&waiting.id)),
                    None => self.ticks.as_ref().and_then(|ticks| ticks.get(&number)),
                };
                format!("{} comes first", known.map_or(class.name(), String::as_str))
            }
            Some(Alternative::Pick(_)) => "the program goes on".into(),
            Some(Alternative::Move(taken)) => match taken {
                Move::Answer(operation) => format!("{} is answered", of(&operation)),
                Move::Pass(until) if until <= self.now => "no time passes".into(),
                Move::Pass(until) => {
                    format!("time passes by {} ms", until.since(self.now).as_micros() / 1_000)
                }
                Move::Signal(_) => "something comes from outside".into(),
            },
        }
    }
}

/// `1st`, `2nd`, `3rd`, `11th`.
fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (1, two) if two != 11 => "st",
        (2, two) if two != 12 => "nd",
        (3, two) if two != 13 => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}
