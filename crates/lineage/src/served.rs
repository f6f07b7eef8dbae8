//! Requests, one by one: when each came in and was answered, what it took, what it wrote and what went wrong.
//!
//! A request begins with the invocation that is named, at the instant at which what came in was ready. All that
//! this invocation causes belongs to it, up to where another one begins (as in [`Books`]). So its chain begins
//! with its own arrival, although those that come in on one connection cause each other. It is answered when
//! one of its invocations writes to the network for the last time; where that is not known, when its last
//! invocation begins.
//!
//! [`Books`]: crate::Books

use crate::cost::{Cost, Quantity};
use hemiola_time::Instant;
use hemiola_trace::{Event, Invocation, Operation, Origin, Outcome, Sink, Stream};
use rustc_hash::FxHashMap;

/// One request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// Its number, from 1 on, in the order of their beginnings.
    pub number: u64,
    /// Its name.
    pub name: String,
    /// Its invocations in their order, the named one first.
    pub invocations: Vec<Invocation>,
    /// The one that answered it: the last that wrote to the network.
    pub last: Invocation,
    /// When it came in, in nanoseconds.
    pub arrived: u64,
    /// When it was answered, in nanoseconds.
    pub answered: u64,
    /// What its invocations took.
    pub cost: Cost,
    /// What they took until it was answered, in nanoseconds.
    pub busy: u64,
    /// What they wrote to the standard streams.
    pub log: Vec<(Stream, String)>,
    /// What they threw.
    pub errors: Vec<String>,
    /// Whether it has written to the network.
    writes: bool,
}

impl Served {
    /// How long it took from its arrival to its answer, in nanoseconds.
    pub fn wall(&self) -> u64 {
        self.answered.saturating_sub(self.arrived)
    }

    /// How much of that it waited, for the outside or for other callbacks, in nanoseconds.
    pub fn waited(&self) -> u64 {
        self.wall().saturating_sub(self.busy)
    }

    /// Its route.
    pub fn route(&self) -> String {
        route(&self.name)
    }

    /// What it took of something.
    pub fn took(&self, quantity: Quantity) -> u64 {
        self.cost.get(quantity)
    }
}

/// The kind of a request: a part of its path that is a number or an id stands for all others.
pub fn route(name: &str) -> String {
    let parts = name.split('/').map(|part| if is_id(part) { ":id" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Whether a part of a path names one thing among many: a number, or a long number with hexadecimal digits.
fn is_id(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let is_hex = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    let is_number = digits == part.len();
    digits > 0 && (is_number || part.len() >= 8 && digits >= 2 && part.bytes().all(is_hex))
}

/// Takes the events of a run, and keeps its requests.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    all: Vec<Served>,
    /// The request of each invocation that belongs to one: an index.
    members: FxHashMap<Invocation, usize>,
    /// The invocations that run, the innermost last.
    running: Vec<Running>,
    /// When answers were ready whose callbacks have not run.
    ready: FxHashMap<Operation, Instant>,
    /// Requests that were answered since the loop last read the clock, and when the callbacks began that
    /// did it.
    fresh: Vec<(usize, u64)>,
    /// Whether it was told what invocations cost.
    pub told: bool,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    invocation: Invocation,
    /// When what it is about was ready, and when it began, in nanoseconds.
    ready: u64,
    began: u64,
    own: Cost,
    request: Option<usize>,
}

impl Requests {
    /// All requests, in the order of their beginnings.
    pub fn all(&self) -> &[Served] {
        &self.all
    }

    /// The same, when there are no more events.
    pub fn into_all(self) -> Vec<Served> {
        self.all
    }

    /// The request that an invocation belongs to.
    pub fn of(&self, invocation: Invocation) -> Option<&Served> {
        self.members.get(&invocation).map(|&index| &self.all[index])
    }

    /// The requests that somebody means: one by its number, or all of a name or a route.
    pub fn meant(&self, words: &str) -> Vec<&Served> {
        let number: Option<u64> = words.parse().ok();
        let is_it = |one: &&Served| match number {
            Some(number) => one.number == number,
            None => one.name == words || one.route() == words,
        };
        self.all.iter().filter(is_it).collect()
    }

    fn began(&mut self, invocation: Invocation, cause: Invocation, ready: u64, began: u64) {
        let request = self.members.get(&cause).copied();
        if let Some(request) = request {
            self.members.insert(invocation, request);
        }
        self.running.push(Running { invocation, ready, began, own: Cost::ONE, request });
    }

    /// The clock shows that: whatever was answered before was answered by then. In a simulation no time
    /// passes while a callback runs, however long it takes.
    fn clock(&mut self, now: u64) {
        let Self { all, fresh, .. } = self;
        fresh.retain(|&(index, began)| {
            if began < now {
                all[index].answered = all[index].answered.min(now);
            }
            began >= now
        });
    }

    fn labelled(&mut self, name: String) {
        let Some(running) = self.running.last_mut() else { return };
        let &mut Running { invocation, ready, began, request, .. } = running;
        // What is named twice has its last name.
        if let Some(known) = request
            && self.all[known].invocations.first() == Some(&invocation)
        {
            self.all[known].name = name;
            return;
        }
        running.request = Some(self.all.len());
        self.members.insert(invocation, self.all.len());
        self.all.push(Served {
            number: self.all.len() as u64 + 1,
            name,
            invocations: vec![invocation],
            last: invocation,
            arrived: ready,
            answered: began,
            ..Served::default()
        });
    }

    fn ended(&mut self, outcome: &Outcome) {
        let Some(Running { invocation, began, own, request: Some(index), .. }) = self.running.pop()
        else {
            return;
        };
        let request = &mut self.all[index];
        if request.invocations.first() != Some(&invocation) {
            request.invocations.push(invocation);
        }
        request.cost += own;
        let writes = own.get(Quantity::NetworkWritten) > 0;
        if writes || !request.writes {
            let time = own.get(Quantity::Time);
            request.answered = request.answered.max(began.saturating_add(time));
            request.busy = request.cost.get(Quantity::Time);
            request.writes |= writes;
            request.last = invocation;
            self.fresh.push((index, began));
        }
        if let Outcome::Threw(error) = outcome {
            request.errors.push(error.clone());
        }
    }

    fn charge(&mut self, cost: Cost) {
        self.told = true;
        if let Some(running) = self.running.last_mut() {
            running.own += cost;
        }
    }

    fn log(&mut self, stream: Stream, text: String) {
        if let Some(index) = self.running.last().and_then(|running| running.request) {
            self.all[index].log.push((stream, text));
        }
    }
}

fn nanos(at: Instant) -> u64 {
    at.as_micros().saturating_mul(1000)
}

impl Sink for Requests {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        self.take(&event);
    }
}

impl Requests {
    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        match *event {
            Event::Completed { operation, at } => {
                self.ready.insert(operation, at);
            }
            Event::Dropped { what: Origin::Operation(operation) } => {
                self.ready.remove(&operation);
            }
            Event::Began { invocation, cause, origin, at, .. } => {
                let ready = match origin {
                    Some(Origin::Operation(operation)) => self.ready.remove(&operation),
                    _ => None,
                };
                self.running.clear();
                self.clock(nanos(at));
                self.began(invocation, cause, nanos(ready.unwrap_or(at).min(at)), nanos(at));
            }
            Event::Entered { invocation, cause, .. } => {
                let at = self.running.last().map_or(0, |running| running.began);
                self.began(invocation, cause, at, at);
            }
            Event::Ended { ref outcome, .. } => self.ended(outcome),
            Event::Left { .. } => self.ended(&Outcome::Returned),
            Event::Spent { nanos } => self.charge(Cost::of(Quantity::Time, nanos)),
            Event::Transferred { medium, read, written } => {
                self.charge(Cost::moved(medium, read, written));
            }
            Event::Labelled { ref name } => self.labelled(name.clone()),
            Event::Wrote { stream, ref text } => self.log(stream, text.clone()),
            Event::WroteBytes { stream, ref bytes } => {
                self.log(stream, format!("({} bytes)", bytes.len()));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_not_later_than_the_clock() {
        let mut requests = Requests::default();
        let began = |number: u64, at: u64| Event::Began {
            invocation: Invocation(number),
            class: None,
            domain: None,
            tag: None,
            origin: None,
            link: Invocation::MAIN,
            cause: Invocation::MAIN,
            at: Instant::from_micros(at),
        };
        let ended = |number: u64| Event::Ended {
            invocation: Invocation(number),
            outcome: Outcome::Returned,
        };
        for event in [
            began(2, 1000),
            Event::Labelled { name: "GET /".into() },
            Event::Spent { nanos: 5_000_000 },
            ended(2),
            began(3, 1000),
            ended(3),
        ] {
            requests.take(&event);
        }
        assert_eq!(requests.all()[0].wall(), 5_000_000, "nobody has read the clock since");
        requests.take(&began(4, 1200));
        assert_eq!(requests.all()[0].wall(), 200_000);
        requests.take(&began(5, 1300));
        assert_eq!(requests.all()[0].wall(), 200_000);
    }

    #[test]
    fn numbers_and_ids_in_paths_stand_for_all() {
        for (name, wanted) in [
            ("GET /items/17", "GET /items/:id"),
            ("GET /items/17/parts/3", "GET /items/:id/parts/:id"),
            ("PUT /u/550e8400-e29b-41d4-a716-446655440000", "PUT /u/:id"),
            ("GET /c/9f86d081884c7d65", "GET /c/:id"),
            ("GET /v2/decade", "GET /v2/decade"),
            ("GET /", "GET /"),
            ("nightly backup 3", "nightly backup 3"),
        ] {
            assert_eq!(route(name), wanted);
        }
    }
}
