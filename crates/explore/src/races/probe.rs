//! What is heard of a run: its parts, and what they read and write.

use super::order::{Draft, Firing, Identity, Kind, Order, PartId, Registration};
use hemiola_time::Ordinal;
use hemiola_trace::{Access, Class, Event, Invocation, Location, Operation, Origin, Place, Sink};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A place outside of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outside {
    /// A file or directory, by its path.
    File(String),
    /// The names in a directory. Two changes of different names do not disturb each other.
    Entries(String),
    /// A port, or the path of a socket: who listens there.
    Port(String),
    /// A way for data: whoever receives comes after whoever sent.
    Channel(String),
    /// An open file, by its number: whoever uses it comes after whoever opened it.
    Descriptor(i32),
}

/// What a race is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A variable, a property, a collection or a list of listeners.
    Memory(Location),
    /// Something outside.
    Outside(Outside),
    /// A timer: it runs, or it is cleared before.
    Timer(Ordinal),
}

/// One of the two accesses of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The part of the run that did it.
    pub part: PartId,
    /// What it did.
    pub access: Access,
    /// Where in the program, if that is known.
    pub place: Option<Place>,
}

/// Two accesses to one location, of which one writes, that no rule orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The location.
    pub subject: Subject,
    /// The location in words.
    pub what: String,
    /// The access that came first. For a timer that was cleared, the clearing.
    pub first: Side,
    /// The other one; for a timer that was cleared there is none.
    pub second: Option<Side>,
    /// The identity of the second, whether it came or not.
    pub other: Identity,
    /// Where the second was registered.
    pub other_place: Option<Place>,
    /// Whether both do the same: the same piece of the program reads and writes the location at once,
    /// as `count++` does, and they touch it nowhere else.
    pub commutes: bool,
    /// Whether they are ordered by nothing but the order in which they were registered.
    pub potential: bool,
    /// Whether the location is a temporary file: the run made it, and took it away or gave it another name.
    pub temporary: bool,
}

/// How many different accesses to one location are looked at: more of them are the same again.
const MOST_ACCESSES: usize = 600;

/// The site of what the runtime does by itself.
const NOWHERE: u32 = u32::MAX;

/// How many parts of a run are looked at. What a program does again and again it did before that.
const MOST_PARTS: usize = 2_000;

/// Hears everything that happens in a run.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    order: Order,
    invocations: BTreeMap<Invocation, PartId>,
    /// The running part.
    current: Option<PartId>,
    registrations: u64,
    /// How many things each part has registered.
    children: BTreeMap<PartId, u64>,
    releases: BTreeMap<Ordinal, Release>,
    queued: BTreeMap<Class, VecDeque<Waiting>>,
    operations: BTreeMap<Operation, Asked>,
    completed: BTreeSet<Operation>,
    /// Which release each timed callback is of.
    fired: BTreeMap<PartId, Ordinal>,
    /// The actions that opened the clocks.
    opened: BTreeMap<Ordinal, PartId>,
    last: Option<Registered>,
    places: BTreeMap<u32, Place>,
    words: BTreeMap<Location, String>,
    accesses: BTreeMap<Subject, Vec<Touch>>,
    seen: BTreeSet<(Subject, PartId, Access, Option<u32>)>,
    channels: BTreeMap<String, Vec<PartId>>,
    /// Who opened the files that are open.
    openers: BTreeMap<i32, PartId>,
    /// Files that were made and taken away.
    temporary: BTreeSet<String>,
    /// How many jobs were attached and caused by the same two.
    jobs: BTreeMap<(PartId, PartId), u64>,
    is_full: bool,
    cleared: Vec<Race>,
    shown: Vec<(PartId, String)>,
}

#[derive(Clone, Debug)]
struct Release {
    firing: Firing,
    period: Option<u64>,
    link: Invocation,
    identity: Identity,
    place: Option<Place>,
    last: Option<PartId>,
    pending: bool,
}

#[derive(Clone, Debug)]
struct Waiting {
    number: Ordinal,
    registered: Registration,
    link: Invocation,
    identity: Identity,
    place: Option<Place>,
}

#[derive(Clone, Debug)]
struct Asked {
    registered: Registration,
    identity: Identity,
    place: Option<Place>,
    what: String,
    /// The last step of what it did, and how many there were.
    effect: Option<PartId>,
    steps: u64,
    /// How often the poll phase had seen it by then.
    trips: u32,
}

#[derive(Clone, Copy, Debug)]
enum Registered {
    Release(Ordinal),
    Queued(Class),
    Operation(Operation),
}

#[derive(Clone, Debug)]
struct Touch {
    part: PartId,
    access: Access,
    site: Option<u32>,
    /// Where the callback did it, for what it did outside.
    place: Option<Place>,
}

impl Probe {
    /// One for runs in which immediates, ticks and timers may come in another order than they were registered in: it
    /// tells what nothing else orders, too.
    pub fn potential() -> Self {
        Self { order: Order::scattered(), ..Self::default() }
    }

    /// The parts of the run, and what orders them.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The invocation that a part is; what an operation did is none.
    pub fn invocation(&self, part: PartId) -> Option<Invocation> {
        let mut all = self.invocations.iter();
        all.find(|(_, other)| **other == part).map(|(invocation, _)| *invocation)
    }

    /// What the program showed, in lines, and which part showed it.
    pub fn shown(&self) -> &[(PartId, String)] {
        &self.shown
    }

    /// Hears that an operation took effect: when it was answered, or, during a callback, at once, and then where in
    /// the program, if that is known. `trips` says how often the poll phase had seen it before.
    pub fn effect(
        &mut self,
        operation: Option<Operation>,
        touches: Vec<(Outside, Access)>,
        trips: u32,
        place: Option<Place>,
    ) {
        if self.is_full {
            return;
        }
        if let Some(asked) = operation.and_then(|one| self.operations.get_mut(&one)) {
            asked.trips = trips;
            // Its last trip may do nothing but tell the program.
            if touches.is_empty() && asked.effect.is_some() {
                return;
            }
        }
        let part = match (self.current, operation) {
            (Some(part), _) => part,
            (None, Some(operation)) => {
                // What names a file opens it itself, and under a number that may have been another's.
                let asked = self.operations.get(&operation);
                let is_given = asked.is_some_and(|asked| !asked.what.contains('"'));
                let after = touches.iter().flat_map(|(outside, _)| match outside {
                    Outside::Channel(name) => self.channels.get(name).cloned().unwrap_or_default(),
                    Outside::Descriptor(number) if is_given => {
                        self.openers.get(number).copied().into_iter().collect()
                    }
                    _ => Vec::new(),
                });
                let after = after.collect();
                let Some(part) = self.take_effect(operation, after) else { return };
                part
            }
            (None, None) => return,
        };
        self.note_temporary(part, &touches);
        let opens = self.order.part(part).what.starts_with("fs.open ");
        for (outside, access) in touches {
            let subject = match outside {
                Outside::Channel(name) => {
                    self.channels.entry(name).or_default().push(part);
                    continue;
                }
                Outside::Descriptor(number) => {
                    if operation.is_some() && opens {
                        self.openers.insert(number, part);
                    } else if operation.is_none() {
                        self.openers.entry(number).or_insert(part);
                    }
                    continue;
                }
                outside => Subject::Outside(outside),
            };
            self.touch(subject, part, access, None, place.clone());
        }
    }

    /// Notes a file that the run has made before, if this takes it away: its name goes first from its directory.
    fn note_temporary(&mut self, part: PartId, touches: &[(Outside, Access)]) {
        let what = first_word(&self.order.part(part).what);
        if !["fs.rename", "fs.unlink", "fs.rm"].contains(&what) {
            return;
        }
        let taken = touches.windows(2).find_map(|pair| match pair {
            [(Outside::File(path), Access::Write), (Outside::Entries(_), Access::Write)] => {
                Some(path)
            }
            _ => None,
        });
        let Some(path) = taken else { return };
        let subject = Subject::Outside(Outside::File(path.clone()));
        let mut touched = self.accesses.get(&subject).into_iter().flatten();
        if touched.any(|touch| touch.access == Access::Write) {
            self.temporary.insert(path.clone());
        }
    }

    /// The races of the run.
    pub fn races(&self) -> Vec<Race> {
        let mut races = self.cleared.clone();
        for (subject, touches) in &self.accesses {
            for (at, second) in touches.iter().enumerate() {
                for first in &touches[..at] {
                    if self.is_race(subject, first, second) {
                        races.push(self.race(subject, first, second));
                    }
                }
            }
        }
        races
    }

    fn is_race(&self, subject: &Subject, first: &Touch, second: &Touch) -> bool {
        let writes = [first, second].into_iter().filter(|touch| touch.access == Access::Write);
        let conflict = match (subject, writes.count()) {
            (Subject::Outside(Outside::Entries(_)), writes) => writes == 1,
            (_, writes) => writes > 0,
        };
        // What the library does by itself, it means to do.
        let by_library = [first, second].iter().all(|touch| touch.site == Some(NOWHERE));
        conflict
            && !by_library
            && first.part != second.part
            && !self.order.is_before(first.part, second.part)
    }

    fn race(&self, subject: &Subject, first: &Touch, second: &Touch) -> Race {
        let side = |touch: &Touch| Side {
            part: touch.part,
            access: touch.access,
            place: match touch.site {
                Some(site) => self.places.get(&site).cloned(),
                None => touch.place.clone().or_else(|| self.order.nearest_place(touch.part)),
            },
        };
        let what = match subject {
            Subject::Memory(location) => self
                .words
                .get(location)
                .cloned()
                .unwrap_or_else(|| format!("location {}", location.0)),
            Subject::Outside(Outside::File(path)) => format!("file {path}"),
            Subject::Outside(Outside::Entries(path)) => format!("entries of {path}"),
            Subject::Outside(Outside::Port(at)) => at.clone(),
            Subject::Outside(Outside::Channel(name)) => name.clone(),
            Subject::Outside(Outside::Descriptor(number)) => format!("open file {number}"),
            Subject::Timer(_) => "timer".into(),
        };
        let part = self.order.part(second.part);
        let update = |touch: &Touch| {
            let touches = &self.accesses[subject];
            let mut own = touches.iter().filter(|other| other.part == touch.part);
            let is_update = touches.iter().any(|other| {
                other.part == touch.part && other.site == touch.site && other.access != touch.access
            });
            is_update && own.all(|other| other.site == touch.site)
        };
        let commutes =
            first.site.is_some() && first.site == second.site && update(first) && update(second);
        let temporary = match subject {
            Subject::Outside(Outside::File(path)) => self.temporary.contains(path),
            Subject::Outside(_) | Subject::Memory(_) | Subject::Timer(_) => false,
        };
        Race {
            commutes,
            temporary,
            potential: self.order.are_in_turn(first.part, second.part),
            subject: subject.clone(),
            what,
            first: side(first),
            second: Some(side(second)),
            other: part.identity,
            other_place: part.place.clone(),
        }
    }

    fn touch(
        &mut self,
        subject: Subject,
        part: PartId,
        access: Access,
        site: Option<u32>,
        place: Option<Place>,
    ) {
        if !self.seen.insert((subject.clone(), part, access, site)) {
            return;
        }
        let touches = self.accesses.entry(subject).or_default();
        if touches.len() < MOST_ACCESSES {
            touches.push(Touch { part, access, site, place });
        }
    }

    fn register(&mut self) -> (Registration, Identity) {
        let by = self.current.unwrap_or(PartId::MAIN);
        self.registrations += 1;
        let children = self.children.entry(by).or_default();
        *children += 1;
        let parent = match self.order.count() {
            0 => Identity::default(),
            _ => self.order.part(by).identity,
        };
        (Registration { by, at: self.registrations }, parent.child(*children))
    }

    /// The identity of a promise job.
    fn job(&mut self, link: Option<PartId>, cause: Option<PartId>) -> Identity {
        let (link, cause) = (link.unwrap_or(PartId::MAIN), cause.unwrap_or(PartId::MAIN));
        let count = self.jobs.entry((link, cause)).or_default();
        *count += 1;
        self.order.part(link).identity.beside(self.order.part(cause).identity).child(*count)
    }

    fn find(&self, invocation: Invocation) -> Option<PartId> {
        self.invocations.get(&invocation).copied()
    }

    /// Adds what an operation does, or the next step of that, as a part of the run.
    fn take_effect(&mut self, operation: Operation, mut after: Vec<PartId>) -> Option<PartId> {
        if self.order.count() == 0 {
            return None;
        }
        let asked = self.operations.get_mut(&operation)?;
        after.extend(asked.effect);
        asked.steps += 1;
        let draft = Draft {
            identity: asked.identity.child(asked.steps),
            link: Some(asked.registered.by),
            cause: None,
            place: asked.place.clone(),
            what: asked.what.clone(),
            after,
        };
        let part = self.order.add_effect(asked.registered, asked.trips, draft);
        asked.effect = Some(part);
        Some(part)
    }

    fn began(&mut self, event: &Event) {
        let Event::Began { invocation, class, domain, tag, link, cause, origin, .. } = *event
        else {
            return;
        };
        // Every run begins with the main program. The file of a trace may say otherwise, and tell of answers that
        // nobody asked for.
        if self.order.count() == 0 && class.is_some() {
            return;
        }
        let (link_part, cause_part) = (self.find(link), self.find(cause));
        let relations = Draft { link: link_part, cause: cause_part, ..Draft::default() };
        let part = match (class, tag) {
            (None, _) => {
                let identity = Identity::default().child(self.order.count() as u64);
                self.order.add_main(identity)
            }
            (Some(class), _) if class.priority() == 0 => {
                // Jobs are attached and settled, not queued one by one.
                let waiting = match class {
                    Class::Tick => self.take_queued(class, link, origin),
                    _ => None,
                };
                let identity = match &waiting {
                    Some(waiting) => waiting.identity,
                    None => self.job(link_part, cause_part),
                };
                let place = waiting.and_then(|waiting| waiting.place);
                let draft = Draft { identity, place, ..relations };
                self.order.add_tail(class, draft)
            }
            (Some(Class::Timer), Some(tag)) => {
                let key = (tag.time.as_micros(), tag.microstep.0 as u64);
                // Timers that are due at once may change places.
                let told = match origin {
                    Some(Origin::Release(release)) if self.releases.contains_key(&release) => {
                        Some(release)
                    }
                    _ => None,
                };
                match told.or_else(|| self.due(domain, key, link)) {
                    Some(release) => self.fire(release, key),
                    None => self.order.add_queued(Class::Timer, None, relations),
                }
            }
            (Some(class), _) => match self.take_answer(origin) {
                Some(asked) => {
                    let effect = asked.effect;
                    let identity = asked.identity.child(0);
                    let (place, what) = (asked.place.clone(), asked.what.clone());
                    let (registered, trips) = (asked.registered, asked.trips);
                    let after = effect.into_iter().collect();
                    let draft = Draft { identity, place, what, after, ..relations };
                    self.order.add_answered(class, registered, trips, draft)
                }
                None => match self.take_queued(class, link, origin) {
                    Some(Waiting { registered, identity, place, .. }) => {
                        let draft = Draft { identity, place, ..relations };
                        self.order.add_queued(class, Some(registered), draft)
                    }
                    None => self.order.add_queued(class, None, relations),
                },
            },
        };
        self.invocations.insert(invocation, part);
        self.current = Some(part);
    }

    /// The release that runs: it is the oldest of those who may be meant. An unlabelled period counts
    /// from whenever its callback ran, so it may be later than expected.
    fn due(&self, domain: Option<Ordinal>, key: (u64, u64), link: Invocation) -> Option<Ordinal> {
        let candidates = self.releases.iter().filter(|(_, release)| {
            release.pending && release.firing.domain == domain && release.link == link
        });
        let exact = candidates.clone().find(|(_, release)| {
            let (time, _, microstep, _) = release.firing.key;
            (time, microstep) == key || release.period.is_some() && time == key.0
        });
        let late = || {
            let late = candidates
                .clone()
                .filter(|(_, release)| release.period.is_some() && release.firing.key.0 <= key.0);
            late.max_by_key(|(_, release)| release.firing.key.0)
        };
        exact.or_else(late).map(|(&release, _)| release)
    }

    fn fire(&mut self, ordinal: Ordinal, key: (u64, u64)) -> PartId {
        let draft = self.firing_draft(ordinal);
        let release = self.releases.get_mut(&ordinal).expect("a release that was found");
        release.firing.key = (key.0, release.firing.key.1, key.1, ordinal.0);
        let firing = release.firing;
        let part = self.order.add_timed(firing, draft);
        self.fired.insert(part, ordinal);
        match release.period {
            None => release.pending = false,
            Some(period) => {
                release.firing.key =
                    (key.0.saturating_add(period), release.firing.key.1, 0, ordinal.0);
                release.identity = release.identity.child(0);
                release.last = Some(part);
                if release.firing.domain.is_some() {
                    release.firing.delay = release.firing.delay.saturating_add(period);
                } else {
                    // The next time counts as registered by this one, when that is over.
                    release.firing.delay = period;
                    release.firing.registered = Registration { by: part, at: u64::MAX };
                }
            }
        }
        part
    }

    fn firing_draft(&self, ordinal: Ordinal) -> Draft {
        let release = &self.releases[&ordinal];
        Draft {
            identity: release.identity,
            link: self.find(release.link),
            cause: None,
            place: release.place.clone(),
            what: String::new(),
            after: release.last.into_iter().chain([release.firing.registered.by]).collect(),
        }
    }

    fn cleared(&mut self, ordinal: Ordinal) {
        let Some(current) = self.current else { return };
        let draft = self.firing_draft(ordinal);
        let release = self.releases.get_mut(&ordinal).expect("a release that was found");
        if !std::mem::replace(&mut release.pending, false) {
            return;
        }
        let action = self.order.part(current).action;
        let firing = release.firing;
        // Whoever sets and clears it in one go races with nobody.
        let armed_here = self.order.part(firing.registered.by).action == action
            && self.order.part(action).kind != Kind::Callback(Class::Timer);
        if armed_here || self.order.is_before_firing(current, &firing, &draft) {
            return;
        }
        let place = self.order.part(current).place.clone();
        self.cleared.push(Race {
            subject: Subject::Timer(ordinal),
            what: "timer".into(),
            first: Side { part: current, access: Access::Write, place },
            second: None,
            other: draft.identity,
            other_place: draft.place,
            commutes: false,
            potential: false,
            temporary: false,
        });
    }

    /// What was queued and runs now: under that number, else the oldest that the invocation attached.
    fn take_queued(
        &mut self,
        class: Class,
        link: Invocation,
        origin: Option<Origin>,
    ) -> Option<Waiting> {
        let queue = self.queued.get_mut(&class)?;
        let numbered = |waiting: &Waiting| origin == Some(Origin::Queued(waiting.number));
        let at = queue.iter().position(numbered);
        let at = at.or_else(|| queue.iter().position(|waiting| waiting.link == link))?;
        queue.remove(at)
    }

    /// The operation that was answered, and whose callback runs. Of two answers the earlier may have the
    /// longer way.
    fn take_answer(&mut self, origin: Option<Origin>) -> Option<&Asked> {
        let Some(Origin::Operation(operation)) = origin else { return None };
        let operation = self.completed.take(&operation)?;
        self.operations.get(&operation)
    }

    fn released(&mut self, event: &Event) {
        let Event::Released { release, domain, tag, delay, period, by } = *event else { return };
        let (registered, identity) = self.register();
        let epoch = domain.and_then(|domain| self.epoch(domain, registered.by));
        let firing = Firing {
            release,
            registered,
            delay: delay.as_micros(),
            domain,
            key: (
                tag.time.as_micros(),
                domain.map_or(u64::MAX, |domain| domain.0),
                tag.microstep.0 as u64,
                release.0,
            ),
            epoch,
        };
        let period = period.map(|period| period.delay().as_micros());
        let release_of =
            Release { firing, period, link: by, identity, place: None, last: None, pending: true };
        self.releases.insert(release, release_of);
        self.last = Some(Registered::Release(release));
    }

    /// The action that opened a clock, if the instants at which this part releases on it are the same
    /// in every schedule but for the clock's origin: it is that action, or one that follows from it on
    /// clocks of the same origin alone (rule TIME-2).
    fn epoch(&self, domain: Ordinal, by: PartId) -> Option<PartId> {
        if self.order.count() == 0 {
            return None;
        }
        let opened = *self.opened.get(&domain)?;
        let action = self.order.part(by).action;
        let release = self.fired.get(&action).and_then(|ordinal| self.releases.get(ordinal));
        let follows = release.is_some_and(|release| release.firing.epoch == Some(opened));
        (action == opened || follows).then_some(opened)
    }

    fn sited(&mut self, place: &Place) {
        let slot = match self.last.take() {
            Some(Registered::Release(release)) => {
                self.releases.get_mut(&release).map(|release| &mut release.place)
            }
            Some(Registered::Queued(class)) => {
                let queue = self.queued.get_mut(&class);
                queue.and_then(VecDeque::back_mut).map(|waiting| &mut waiting.place)
            }
            Some(Registered::Operation(operation)) => {
                self.operations.get_mut(&operation).map(|asked| &mut asked.place)
            }
            None => None,
        };
        if let Some(slot) = slot {
            *slot = Some(place.clone());
        }
    }

    fn show(&mut self, text: &str) {
        let part = self.current.unwrap_or(PartId::MAIN);
        self.shown.extend(text.lines().map(|line| (part, line.to_owned())));
    }
}

/// The name of a call, before what it was given.
pub(super) fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

impl Sink for Probe {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        if self.is_full {
            return;
        }
        match &event {
            Event::Opened { domain, .. } => {
                let action = self.current.map_or(PartId::MAIN, |part| self.order.part(part).action);
                self.opened.insert(*domain, action);
            }
            Event::Released { .. } => self.released(&event),
            Event::Cleared { release } if self.releases.contains_key(release) => {
                self.cleared(*release);
            }
            Event::Queued { number, class, link } => {
                let (registered, identity) = self.register();
                let (number, link) = (*number, *link);
                let waiting = Waiting { number, registered, link, identity, place: None };
                self.queued.entry(*class).or_default().push_back(waiting);
                self.last = Some(Registered::Queued(*class));
            }
            Event::Requested { operation, what, .. } => {
                let (registered, identity) = self.register();
                let what = what.clone();
                let (place, effect) = (None, None);
                let asked = Asked { registered, identity, place, what, effect, steps: 0, trips: 0 };
                self.operations.insert(*operation, asked);
                self.last = Some(Registered::Operation(*operation));
            }
            Event::Completed { operation, .. } => {
                if self.operations.get(operation).is_some_and(|asked| asked.effect.is_none()) {
                    self.take_effect(*operation, Vec::new());
                }
                self.completed.insert(*operation);
            }
            Event::Began { .. } => {
                self.began(&event);
                self.is_full = self.order.count() >= MOST_PARTS;
            }
            // A callback out of a queue of the program's own is a part of the one that takes it out.
            Event::Entered { invocation, .. } => {
                if let Some(part) = self.current {
                    self.invocations.insert(*invocation, part);
                }
            }
            Event::Ended { .. } => self.current = None,
            Event::Site(place) => self.sited(place),
            Event::Accessed { location, access, site } => {
                if let Some(part) = self.current {
                    self.touch(Subject::Memory(*location), part, *access, Some(*site), None);
                }
            }
            Event::Located { location, what } => {
                self.words.insert(*location, what.clone());
            }
            Event::Placed { site, place } => {
                self.places.insert(*site, place.clone());
            }
            Event::Wrote { text, .. } => self.show(text),
            Event::WroteBytes { bytes, .. } => self.show(&String::from_utf8_lossy(bytes)),
            Event::Observed(value) => self.show(&value.to_string()),
            _ => {}
        }
    }
}
