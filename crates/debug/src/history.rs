//! Who attached each invocation of a run, and at which statement.
//!
//! The trace says who; where in that invocation is known from the position at which the event came.
//! What the library attaches by itself is the doing of whoever called the library, or attached that.

use crate::model::{Attached, Place, Step};
use hemiola_machine::{Class, Event, Instant, Sink, Tag};
use std::collections::{BTreeMap, VecDeque};

/// Where the program is at the moment.
pub trait Now: Send {
    /// How many statements have begun.
    fn position(&self) -> Step;

    /// The statement that began last.
    fn place(&self) -> Option<Place>;
}

/// How many invocations a piece of the table holds. Pieces never move, so that checkpoints share them.
const PIECE: usize = 4096;
/// How many invocations are looked at for one that a statement attached.
const FAR: usize = 100_000;
/// How many who attached are told.
const CHAIN: usize = 50;

/// One invocation.
#[derive(Clone, Copy, Debug, Default)]
struct Origin {
    link: u64,
    cause: u64,
    /// How many statements had begun when it did.
    began: Step,
    linked: Option<Moment>,
    caused: Option<Moment>,
}

/// A statement that did something, by its position and the number of its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    step: Step,
    place: u32,
}

/// Something that waits to be run, and what attached it.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    by: u64,
    moment: Option<Moment>,
}

/// A reaction to a promise.
#[derive(Clone, Copy, Debug)]
struct Reaction {
    linked: Option<Moment>,
    caused: Option<Moment>,
}

/// A timer that repeats.
#[derive(Clone, Copy, Debug)]
struct Repeating {
    domain: Option<u64>,
    first: Instant,
    waiting: Waiting,
}

/// Takes the events of a run and remembers where invocations come from.
pub struct History<N> {
    now: N,
    origins: Vec<Vec<Origin>>,
    /// The invocations that run: those of the program's own queues within others.
    running: Vec<u64>,
    timers: BTreeMap<(Option<u64>, Tag), VecDeque<(u64, Waiting)>>,
    tags: BTreeMap<u64, (Option<u64>, Tag)>,
    repeating: BTreeMap<u64, Repeating>,
    queued: BTreeMap<Class, VecDeque<Waiting>>,
    operations: BTreeMap<u64, Waiting>,
    completed: VecDeque<Waiting>,
    reactions: BTreeMap<u64, Reaction>,
    /// Reactions to a promise that is not settled.
    pending: BTreeMap<u64, Vec<u64>>,
    places: Vec<Place>,
    numbers: BTreeMap<Place, u32>,
}

impl<N: Now> History<N> {
    /// Nothing has happened yet.
    pub fn new(now: N) -> Self {
        Self {
            now,
            origins: Vec::new(),
            running: Vec::new(),
            timers: BTreeMap::new(),
            tags: BTreeMap::new(),
            repeating: BTreeMap::new(),
            queued: BTreeMap::new(),
            operations: BTreeMap::new(),
            completed: VecDeque::new(),
            reactions: BTreeMap::new(),
            pending: BTreeMap::new(),
            places: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }

    /// How many statements have begun.
    pub fn position(&self) -> Step {
        self.now.position()
    }

    /// Link and cause of an invocation, and the position of its first statement.
    pub fn invocation(&self, number: u64) -> (u64, u64, Step) {
        let origin = self.origin(number);
        (origin.link, origin.cause, origin.began)
    }

    /// The position of the statement that attached an invocation, or what attached it, and so on.
    pub fn linked_at(&self, number: u64) -> Option<Step> {
        self.first_moment(number, |origin| (origin.linked, origin.link))
    }

    /// The position of the statement that made an invocation able to run, likewise.
    pub fn caused_at(&self, number: u64) -> Option<Step> {
        self.first_moment(number, |origin| (origin.caused, origin.cause))
    }

    fn first_moment(
        &self,
        number: u64,
        look: impl Fn(&Origin) -> (Option<Moment>, u64),
    ) -> Option<Step> {
        let mut number = number;
        for _ in 0..FAR {
            if number <= 1 {
                return None;
            }
            let (moment, before) = look(&self.origin(number));
            if let Some(moment) = moment {
                return Some(moment.step);
            }
            number = before;
        }
        None
    }

    /// Those who attached an invocation, and what attached that, up to the main program. Those in which no
    /// statement of the program did it are left out.
    pub fn chain(&self, number: u64) -> Vec<Attached> {
        let mut chain = Vec::new();
        let mut number = number;
        for _ in 0..FAR {
            if number <= 1 || chain.len() == CHAIN {
                break;
            }
            let origin = self.origin(number);
            if let Some(Moment { step, place }) = origin.linked {
                chain.push(Attached {
                    invocation: origin.link,
                    step: Some(step),
                    function: String::new(),
                    place: self.places.get(place as usize).cloned(),
                });
            }
            number = origin.link;
        }
        chain
    }

    fn origin(&self, number: u64) -> Origin {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let piece = self.origins.get(index / PIECE);
        piece.and_then(|piece| piece.get(index % PIECE)).copied().unwrap_or_default()
    }

    fn origin_mut(&mut self, number: u64) -> &mut Origin {
        let index = usize::try_from(number).unwrap_or(0);
        while self.origins.len() <= index / PIECE {
            self.origins.push(Vec::with_capacity(PIECE));
        }
        let piece = &mut self.origins[index / PIECE];
        if piece.len() <= index % PIECE {
            piece.resize(index % PIECE + 1, Origin::default());
        }
        &mut piece[index % PIECE]
    }

    /// The statement that runs; none if the running invocation has not come to one.
    fn moment(&mut self) -> Option<Moment> {
        let running = *self.running.last()?;
        let position = self.now.position();
        if position <= self.origin(running).began {
            return None;
        }
        let place = match self.now.place() {
            None => u32::MAX,
            Some(place) => match self.numbers.get(&place) {
                Some(&number) => number,
                None => {
                    let number = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
                    self.places.push(place.clone());
                    self.numbers.insert(place, number);
                    number
                }
            },
        };
        Some(Moment { step: position - 1, place })
    }

    fn began(&mut self, number: u64, link: u64, cause: u64, moment: Option<Moment>) {
        let began = self.now.position();
        *self.origin_mut(number) = Origin { link, cause, began, linked: moment, caused: moment };
        self.running.push(number);
    }

    /// What attached the callback that begins.
    fn attached(
        &mut self,
        class: Option<Class>,
        domain: Option<u64>,
        tag: Option<Tag>,
        link: u64,
    ) -> Option<Moment> {
        match (class?, tag) {
            (Class::Timer, Some(tag)) => self.timer(domain, tag, link),
            (Class::Promise, _) => None,
            (class, _) => {
                let is_linked = |waiting: &Waiting| waiting.by == link;
                let of_queue = |queue: &mut VecDeque<Waiting>| {
                    let at = queue.iter().position(is_linked)?;
                    queue.remove(at)
                };
                let mut found = None;
                if !matches!(class, Class::Io | Class::Close) {
                    found = self.queued.get_mut(&class).and_then(of_queue);
                }
                if found.is_none() {
                    found = of_queue(&mut self.completed);
                }
                if found.is_none() {
                    found = self.queued.get_mut(&class).and_then(of_queue);
                }
                found?.moment
            }
        }
    }

    fn timer(&mut self, domain: Option<u64>, tag: Tag, link: u64) -> Option<Moment> {
        let key = (domain, tag);
        if let Some(waiting) = self.timers.get_mut(&key)
            && let Some(at) = waiting.iter().position(|(_, waiting)| waiting.by == link)
        {
            let (release, waiting) = waiting.remove(at)?;
            if self.timers.get(&key).is_some_and(VecDeque::is_empty) {
                self.timers.remove(&key);
            }
            self.tags.remove(&release);
            return waiting.moment;
        }
        let mut all = self.repeating.values().filter(|repeating| {
            repeating.domain == domain
                && repeating.waiting.by == link
                && repeating.first <= tag.time
        });
        all.next()?.waiting.moment
    }
}

impl<N: Now> Sink for History<N> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Began { invocation, class, domain, tag, link, cause, .. } => {
                let moment = self.attached(class, domain.map(|domain| domain.0), tag, link.0);
                self.running.clear();
                self.began(invocation.0, link.0, cause.0, moment);
            }
            Event::Entered { invocation, link, cause, .. } => {
                self.began(invocation.0, link.0, cause.0, None);
            }
            Event::Left { .. } => {
                self.running.pop();
            }
            Event::Ended { .. } => self.running.clear(),
            Event::Released { release, domain, tag, period, by, .. } => {
                let waiting = Waiting { by: by.0, moment: self.moment() };
                let domain = domain.map(|domain| domain.0);
                if period.is_some() {
                    let repeating = Repeating { domain, first: tag.time, waiting };
                    self.repeating.insert(release.0, repeating);
                } else {
                    self.timers.entry((domain, tag)).or_default().push_back((release.0, waiting));
                    self.tags.insert(release.0, (domain, tag));
                }
            }
            Event::Cleared { release } => {
                self.repeating.remove(&release.0);
                if let Some(key) = self.tags.remove(&release.0)
                    && let Some(waiting) = self.timers.get_mut(&key)
                {
                    waiting.retain(|(other, _)| *other != release.0);
                    if waiting.is_empty() {
                        self.timers.remove(&key);
                    }
                }
            }
            Event::Queued { class, link } => {
                let waiting = Waiting { by: link.0, moment: self.moment() };
                self.queued.entry(class).or_default().push_back(waiting);
            }
            Event::Requested { operation, by, .. } => {
                let waiting = Waiting { by: by.0, moment: self.moment() };
                self.operations.insert(operation.0, waiting);
            }
            Event::Completed { operation, .. } => {
                if let Some(waiting) = self.operations.remove(&operation.0) {
                    self.completed.push_back(waiting);
                }
            }
            Event::Attached { reaction, promise } => {
                let linked = self.moment();
                let caused = if promise.is_none() { linked } else { None };
                self.reactions.insert(reaction, Reaction { linked, caused });
                if let Some(promise) = promise {
                    self.pending.entry(promise).or_default().push(reaction);
                }
            }
            Event::Settled { promise } => {
                let moment = self.moment();
                for reaction in self.pending.remove(&promise).unwrap_or_default() {
                    if let Some(reaction) = self.reactions.get_mut(&reaction) {
                        reaction.caused = moment;
                    }
                }
            }
            Event::Reacted { reaction } => {
                let running = self.running.last().copied();
                if let (Some(found), Some(running)) = (self.reactions.remove(&reaction), running) {
                    let origin = self.origin_mut(running);
                    origin.linked = found.linked;
                    origin.caused = found.caused;
                }
            }
            _ => {}
        }
    }
}
