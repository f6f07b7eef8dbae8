//! In which order messages between computers arrive, where that is left open (rule EXPL-2 for fleets).
//!
//! By default a message takes as long as its link takes at least. When it would arrive, it may be held up instead, until
//! right after anything else that is going to happen: another message, or what a program does by itself. A message
//! that another was held up for is not held up any more, so there is an end to it.

use crate::net::Network;
use crate::roads::{Computer, Link};
use hemiola_gate::MAIN;
use hemiola_machine::{Delay, Instant};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Who decides.
pub trait Dispatcher: Send {
    /// Takes one of so many alternatives, of which the first is the default; nothing if the world is to end. Equal
    /// states have the same future. `words` tells what an alternative is.
    fn pick(&mut self, count: usize, state: u128, words: &dyn Fn(usize) -> String)
    -> Option<usize>;

    /// Lets it look whether the world is to end, whoever runs.
    fn look(&mut self);
}

/// That the order is left open, and to whom.
pub struct Arrivals {
    /// Who decides.
    pub dispatcher: Box<dyn Dispatcher>,
    /// How long a message is under way at most that is not slow; over a link that takes longer, as long as that.
    pub slow: Delay,
}

/// Which message, of those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Number {
    Stream(u64),
    Datagram(u64),
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cargo {
    Request,
    Welcome,
    Bytes(usize),
    End,
    Reset,
    Datagram(usize),
}

/// A message on its way from one computer to another.
#[derive(Clone, Debug)]
pub(crate) struct UnderWay {
    /// At which machine it arrives, or who hears what becomes of it.
    pub(crate) machine: u64,
    pub(crate) at: Instant,
    pub(crate) number: Number,
    pub(crate) from: Computer,
    pub(crate) to: Computer,
    pub(crate) cargo: Cargo,
    /// The end of a connection that it must reach in order.
    pub(crate) channel: Option<u64>,
}

/// A machine that waits, and when it goes on if no message comes.
pub(crate) type Own = (u64, Instant);

/// What is known of a message besides.
struct Noted {
    /// What it is, whatever has happened elsewhere.
    id: u128,
    /// When it was to arrive at first.
    first: Instant,
    /// Whether it arrives when it is to.
    is_settled: bool,
}

/// The order of a run.
pub(crate) struct Order {
    network: Network,
    /// Not there while it is asked.
    dispatcher: Option<Box<dyn Dispatcher>>,
    names: Vec<String>,
    link: Link,
    links: BTreeMap<(Computer, Computer), Link>,
    until: Instant,
    slow: Delay,
    is_slow: Arc<AtomicBool>,
    /// All that has happened on a computer.
    pasts: BTreeMap<Computer, u128>,
    /// All that was asked of databases, which all computers reach.
    asked: (u64, u128),
    noted: BTreeMap<Number, Noted>,
    /// Who had the last turn.
    ran: u64,
}

/// What an alternative leads to.
enum Way {
    Arrives,
    /// It is held up until after that.
    Behind(Instant, String),
    Lost,
    Twice,
}

impl Order {
    pub(crate) fn new(
        arrivals: Arrivals,
        network: Network,
        names: Vec<String>,
        (link, links): (Link, BTreeMap<(Computer, Computer), Link>),
        until: Instant,
    ) -> (Self, Arc<AtomicBool>) {
        let is_slow = Arc::new(AtomicBool::new(false));
        let order = Self {
            network,
            dispatcher: Some(arrivals.dispatcher),
            names,
            link,
            links,
            until,
            slow: arrivals.slow,
            is_slow: Arc::clone(&is_slow),
            pasts: BTreeMap::new(),
            asked: (0, 0),
            noted: BTreeMap::new(),
            ran: MAIN,
        };
        (order, is_slow)
    }

    /// A machine has had its turn: notes what it has sent, and what it has asked that others can see.
    pub(crate) fn look(&mut self) {
        if let Some(dispatcher) = &mut self.dispatcher {
            dispatcher.look();
        }
        let here = Computer::of(self.ran);
        let asked = self.network.databases.asked();
        if asked != self.asked.0 {
            let past = self.pasts.entry(here).or_default();
            *past = mixed(&(*past, self.asked.1));
            self.asked = (asked, mixed(&(self.asked.1, *past)));
        }
        let past = self.pasts.get(&here).copied().unwrap_or_default();
        let all = self.under_way();
        let numbers: Vec<Number> = all.iter().map(|one| one.number).collect();
        self.noted.retain(|number, _| numbers.contains(number));
        let mut new: Vec<&UnderWay> =
            all.iter().filter(|one| !self.noted.contains_key(&one.number)).collect();
        new.sort_by_key(|one| one.number);
        for (count, one) in new.into_iter().enumerate() {
            let id = mixed(&(past, count, one.from.0, one.to.0, one.cargo));
            let noted = Noted { id, first: one.at, is_settled: false };
            self.noted.insert(one.number, noted);
        }
    }

    /// When the next thing arrives at a machine.
    pub(crate) fn next(&self, machine: u64) -> Option<Instant> {
        let stream = self.network.lock().next(machine);
        let datagram = self.network.datagrams().next(machine);
        [stream, datagram].into_iter().flatten().min()
    }

    /// What is under way, in the order of arrival.
    fn under_way(&self) -> Vec<UnderWay> {
        let mut all = Vec::new();
        self.network.lock().under_way(&mut all);
        self.network.datagrams().under_way(&mut all);
        all.sort_by_key(|one| (one.at, one.number));
        all
    }

    /// Decides about a message that a machine is to get by now; true if one was held up, or the like. `own` tells when
    /// machines go on by themselves.
    pub(crate) fn settle(&mut self, now: Instant, machine: u64, own: &[Own]) -> bool {
        let all = self.under_way();
        let is_open = |one: &&UnderWay| {
            let is_settled = self.noted.get(&one.number).is_none_or(|noted| noted.is_settled);
            one.machine == machine && one.at <= now && !is_settled
        };
        let Some(message) = all.iter().find(is_open) else { return false };
        let ways = self.ways(message, &all, own);
        let state = self.state(now, message, &all);
        let mut dispatcher = self.dispatcher.take();
        let taken = match (&mut dispatcher, ways.len()) {
            (_, 1) | (None, _) => Some(0),
            (Some(dispatcher), count) => {
                dispatcher.pick(count, state, &|at| self.words(message, &ways[at]))
            }
        };
        self.dispatcher = dispatcher;
        let Some(taken) = taken else { return false };
        self.take(message, &ways[taken], &all);
        true
    }

    fn take(&mut self, message: &UnderWay, way: &Way, all: &[UnderWay]) {
        let settled = |noted: &mut BTreeMap<Number, Noted>, number: Number| {
            if let Some(noted) = noted.get_mut(&number) {
                noted.is_settled = true;
            }
        };
        match way {
            Way::Arrives => settled(&mut self.noted, message.number),
            Way::Lost => self.network.datagrams().drop_one(message),
            Way::Twice => {
                settled(&mut self.noted, message.number);
                self.network.datagrams().double(message);
            }
            Way::Behind(instant, _) => {
                for other in all.iter().filter(|one| one.at == *instant) {
                    if other.number != message.number {
                        settled(&mut self.noted, other.number);
                    }
                }
                let until = *instant + Delay::from_micros(1);
                self.note_lateness(message, until);
                match message.number {
                    Number::Stream(_) => self.network.lock().hold_up(message, until),
                    Number::Datagram(_) => self.network.datagrams().hold_up(message, until),
                }
            }
        }
    }

    fn note_lateness(&self, message: &UnderWay, until: Instant) {
        let link = self.link_of(message);
        let first = self.noted.get(&message.number).map_or(until, |noted| noted.first);
        let takes = until.since(first).as_micros() + link.latency.0.as_micros();
        if takes > link.latency.1.max(self.slow).as_micros() {
            self.is_slow.store(true, Ordering::Relaxed);
        }
    }

    fn link_of(&self, message: &UnderWay) -> Link {
        self.links.get(&(message.from, message.to)).copied().unwrap_or(self.link)
    }

    /// What may become of a message: first what does by default.
    fn ways(&self, message: &UnderWay, all: &[UnderWay], own: &[Own]) -> Vec<Way> {
        let mut later: BTreeMap<Instant, String> = BTreeMap::new();
        let goes = |at: Instant| at >= message.at && at < self.until;
        for other in all {
            let is_other = other.number != message.number
                && (other.channel.is_none() || other.channel != message.channel);
            // What has been let through comes first anyway.
            let is_through = other.at <= message.at
                && other.machine == message.machine
                && self.noted.get(&other.number).is_some_and(|noted| noted.is_settled);
            if is_other && !is_through && goes(other.at) {
                later.entry(other.at).or_insert_with(|| self.named(other));
            }
        }
        for &(machine, at) in own.iter().filter(|&&(_, at)| goes(at)) {
            later.entry(at).or_insert_with(|| self.own_named(machine));
        }
        let mut ways = vec![Way::Arrives];
        ways.extend(later.into_iter().map(|(at, what)| Way::Behind(at, what)));
        if let Cargo::Datagram(_) = message.cargo {
            let link = self.link_of(message);
            ways.extend((link.loss > 0.0).then_some(Way::Lost));
            ways.extend((link.doubled > 0.0).then_some(Way::Twice));
        }
        ways
    }

    /// All that decides what happens from here on.
    fn state(&self, now: Instant, message: &UnderWay, all: &[UnderWay]) -> u128 {
        let pasts: Vec<(u16, u128)> =
            self.pasts.iter().map(|(computer, &past)| (computer.0, past)).collect();
        let pending = |one: &UnderWay| {
            let noted = self.noted.get(&one.number)?;
            Some((noted.id, one.at.as_micros(), noted.is_settled, one.number == message.number))
        };
        let pending: Vec<_> = all.iter().map(pending).collect();
        mixed(&(
            now.as_micros(),
            pasts,
            pending,
            self.asked.1,
            self.is_slow.load(Ordering::Relaxed),
        ))
    }

    /// A machine has its turn now.
    pub(crate) fn hands_on(&mut self, now: Instant, machine: u64) {
        let all = self.under_way();
        let comes = |one: &&UnderWay| one.machine == machine && one.at <= now;
        let mut came: Vec<(u128, u128)> = Vec::new();
        for one in all.iter().filter(comes) {
            let id = self.noted.get(&one.number).map_or(0, |noted| noted.id);
            // Whether somebody listens there is what the other computer has done.
            let there = match one.cargo {
                Cargo::Request => self.pasts.get(&one.to).copied().unwrap_or_default(),
                Cargo::Welcome
                | Cargo::Bytes(_)
                | Cargo::End
                | Cargo::Reset
                | Cargo::Datagram(_) => 0,
            };
            came.push((id, there));
        }
        let past = self.pasts.entry(Computer::of(machine)).or_default();
        *past = mixed(&(*past, machine, now.as_micros(), came));
        self.ran = machine;
    }

    fn named(&self, message: &UnderWay) -> String {
        let name = |computer: Computer| {
            let at = usize::from(computer.0).checked_sub(1);
            at.and_then(|at| self.names.get(at)).map_or("?", String::as_str)
        };
        let (from, to) = (name(message.from), name(message.to));
        match message.cargo {
            Cargo::Request => format!("the request of {from} for a connection to {to}"),
            Cargo::Welcome => format!("the connection to {from} that {to} asked for"),
            Cargo::Bytes(1) => format!("a byte from {from} to {to}"),
            Cargo::Bytes(count) => format!("{count} bytes from {from} to {to}"),
            Cargo::End => format!("the end of a connection from {from} to {to}"),
            Cargo::Reset => format!("the reset of a connection from {from} to {to}"),
            Cargo::Datagram(count) => format!("a datagram of {count} bytes from {from} to {to}"),
        }
    }

    /// What may become of a message, in words.
    fn words(&self, message: &UnderWay, way: &Way) -> String {
        let what = self.named(message);
        match way {
            Way::Arrives => format!("{what} at {}", Moment(message.at)),
            Way::Behind(at, other) => format!("{what} only after {}: {other}", Moment(*at)),
            Way::Lost => format!("{what} never: it is lost"),
            Way::Twice => format!("{what} twice"),
        }
    }

    fn own_named(&self, machine: u64) -> String {
        let at = usize::from(Computer::of(machine).0).checked_sub(1);
        match at.and_then(|at| self.names.get(at)) {
            Some(name) => format!("what {name} does then by itself"),
            None => "what befalls a host then".to_owned(),
        }
    }
}

/// An instant, as people write it.
struct Moment(Instant);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.as_micros();
        write!(f, "{}.{:03} ms", micros / 1000, micros % 1000)
    }
}

/// A number that stands for something; different things have different ones, as good as always.
fn mixed(what: &impl Hash) -> u128 {
    let lane = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        what.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    lane(0x6f72_6465_7221) << 64 | lane(0x6172_7269_7665)
}
