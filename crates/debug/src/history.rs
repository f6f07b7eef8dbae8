//! Who attached each invocation of a run, and at which statement.
//!
//! The trace says who; where in that invocation is known from the position at which the event came.
//! What the library attaches by itself is the doing of whoever called the library, or attached that.

use crate::model::{Attached, Doing, Place, Step};
use hemiola_machine::{Event, Origin as Registered, Sink};
use std::collections::BTreeMap;

/// Where the program is at the moment.
pub trait Now: Send {
    /// How many statements have begun.
    fn position(&self) -> Step;

    /// How many functions run, from the innermost of the program's own to the outermost; 0 if none does.
    fn functions(&self) -> u32;
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
    /// Whether a request begins with it: those that came in before on the same connection are none of its
    /// chain.
    is_request: bool,
}

/// Something that a statement did, and the number of the place in it, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    doing: Doing,
    place: Option<u32>,
}

/// A reaction to a promise.
#[derive(Clone, Copy, Debug)]
struct Reaction {
    linked: Option<Moment>,
    caused: Option<Moment>,
}

/// Takes the events of a run and remembers where invocations come from.
pub struct History<N> {
    now: N,
    origins: Vec<Vec<Origin>>,
    /// The invocations that run: those of the program's own queues within others.
    running: Vec<u64>,
    /// What was registered and has not run yet, and whether it runs more than once.
    registered: BTreeMap<Registered, (Option<Moment>, bool)>,
    reactions: BTreeMap<u64, Reaction>,
    /// Reactions to a promise that is not settled.
    pending: BTreeMap<u64, Vec<u64>>,
    /// What was registered last.
    last: Option<Registered>,
    /// Where the running promise job was attached.
    site: Option<u32>,
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
            registered: BTreeMap::new(),
            reactions: BTreeMap::new(),
            pending: BTreeMap::new(),
            last: None,
            site: None,
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

    /// When a statement attached an invocation, or what attached it, and so on.
    pub fn linked_at(&self, number: u64) -> Option<Doing> {
        self.first_moment(number, |origin| (origin.linked, origin.link))
    }

    /// When a statement made an invocation able to run, likewise.
    pub fn caused_at(&self, number: u64) -> Option<Doing> {
        self.first_moment(number, |origin| (origin.caused, origin.cause))
    }

    fn first_moment(
        &self,
        number: u64,
        look: impl Fn(&Origin) -> (Option<Moment>, u64),
    ) -> Option<Doing> {
        let mut number = number;
        for _ in 0..FAR {
            if number <= 1 {
                return None;
            }
            let (moment, before) = look(&self.origin(number));
            if let Some(moment) = moment {
                return Some(moment.doing);
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
            if origin.is_request {
                break;
            }
            if let Some(Moment { doing, place }) = origin.linked {
                chain.push(Attached {
                    invocation: origin.link,
                    step: Some(doing.step),
                    place: place.and_then(|place| self.places.get(place as usize).cloned()),
                });
            }
            number = origin.link;
        }
        chain
    }

    /// The position of the statement that has settled the promise of a reaction which has not run.
    pub fn settled_at(&self, reaction: u64) -> Option<Step> {
        Some(self.reactions.get(&reaction)?.caused?.doing.step)
    }

    /// An invocation, and those that attached it one after the other, in order.
    pub fn links(&self, number: u64) -> Vec<u64> {
        let before = |&number: &u64| {
            let Origin { link, is_request, .. } = self.origin(number);
            Some(link).filter(|&link| link < number && !is_request)
        };
        let links = std::iter::successors(Some(number), before);
        let mut links: Vec<u64> = links.take(FAR).take_while(|&link| link > 0).collect();
        links.reverse();
        links
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
    fn moment(&self) -> Option<Moment> {
        let running = *self.running.last()?;
        let position = self.now.position();
        let from = self.origin(running).began;
        if position <= from {
            return None;
        }
        let functions = self.now.functions();
        let doing = Doing { step: position - 1, from, functions, reaction: None };
        Some(Moment { doing, place: None })
    }

    fn began(&mut self, number: u64, link: u64, cause: u64, moment: Option<Moment>) {
        let began = self.now.position();
        let (linked, caused, is_request) = (moment, moment, false);
        *self.origin_mut(number) = Origin { link, cause, began, linked, caused, is_request };
        self.running.push(number);
    }

    /// Puts the place of its attachment to the running promise job: the two are told in any order.
    fn place_reaction(&mut self) {
        if let (Some(site), Some(&running)) = (self.site, self.running.last())
            && let Some(moment) = &mut self.origin_mut(running).linked
        {
            moment.place = Some(site);
            self.site = None;
        }
    }

    /// The number of a place.
    fn number(&mut self, place: Place) -> u32 {
        if let Some(&number) = self.numbers.get(&place) {
            return number;
        }
        let number = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        self.places.push(place.clone());
        self.numbers.insert(place, number);
        number
    }

    fn register(&mut self, what: Registered, repeats: bool) {
        let moment = self.moment();
        self.last = Some(what);
        self.registered.insert(what, (moment, repeats));
    }

    /// The statement that registered the callback that begins.
    fn take(&mut self, what: Registered) -> Option<Moment> {
        let &(moment, repeats) = self.registered.get(&what)?;
        if !repeats {
            self.registered.remove(&what);
        }
        moment
    }
}

impl<N: Now> Sink for History<N> {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        match event {
            Event::Began { invocation, origin, link, cause, .. } => {
                let moment = origin.and_then(|origin| self.take(origin));
                self.running.clear();
                self.last = None;
                self.site = None;
                self.began(invocation.0, link.0, cause.0, moment);
            }
            Event::Entered { invocation, link, cause, .. } => {
                self.began(invocation.0, link.0, cause.0, None);
            }
            Event::Left { .. } => {
                self.running.pop();
            }
            Event::Ended { .. } => self.running.clear(),
            Event::Released { release, period, .. } => {
                self.register(Registered::Release(release), period.is_some());
            }
            Event::Queued { number, .. } => self.register(Registered::Queued(number), false),
            Event::Requested { operation, .. } => {
                self.register(Registered::Operation(operation), false);
            }
            Event::Cleared { release } => {
                self.registered.remove(&Registered::Release(release));
            }
            Event::Dropped { what } => {
                self.registered.remove(&what);
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
                    origin.caused = found.caused.map(|Moment { doing, place }| {
                        let doing = Doing { reaction: Some(reaction), ..doing };
                        Moment { doing, place }
                    });
                    self.place_reaction();
                }
            }
            Event::Labelled { .. } => {
                if let Some(&running) = self.running.last() {
                    self.origin_mut(running).is_request = true;
                }
            }
            // Of what was registered last, or, when a promise job has begun, of its attachment.
            Event::Site(place) => {
                let place =
                    Place { file: place.file.to_string(), line: place.line, column: place.column };
                let number = self.number(place);
                match self.last.take() {
                    Some(what) => {
                        if let Some((Some(moment), _)) = self.registered.get_mut(&what) {
                            moment.place = Some(number);
                        }
                    }
                    None => self.site = Some(number),
                }
                self.place_reaction();
            }
            _ => {}
        }
    }
}
