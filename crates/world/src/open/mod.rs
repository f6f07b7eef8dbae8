//! A world that leaves everything open (rule EXPL-2): what it may do next is listed, and a chooser picks.
//!
//! Nothing arrives by itself. Every operation that has something to deliver may be answered next, in
//! any order, and takes effect when it is; what is sent over the network is there at once and waits to be
//! read; time passes when it is let pass. By default the program goes on as long as it can, then the
//! oldest answer comes, and time passes when there is none.

mod effects;
mod kept;
mod mail;
mod missed;
mod tapped;

pub use effects::{Access, Effect, Location};

use crate::databases::{Asking, Databases};
use crate::datagrams::Datagrams;
use crate::faults::{self, Broken, Faults, Faulty};
use crate::input::{Input, Source};
use crate::net::{self, Net, NetworkCall};
use crate::overlay::Overlay;
use crate::roads::{Computer, Roads};
use crate::store::Stores;
use crate::wall::WALL_ORIGIN;
use crate::wires::Wires;
use crate::{Looks, names, no_databases, unknown};
use hemiola_gate::files::{self, Tree};
use hemiola_gate::system::{self, Turning};
use hemiola_gate::{
    Answer, Checked, ClusterCall, ComputeCall, Datum, Fault, FixedSystem, FsCall, Gated, HubCall,
    InputCall, Member, Mishaps, NamesCall, Request, Sleep, StoreCall, Touches,
};
use hemiola_machine::{
    Answered, Completion, Delay, Draw, Gap, Instant, Limit, Move, Operation, Phase, Seeded, Stream,
    World,
};
use mail::Mail;
use missed::Missed;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;
use tapped::{Notes, Tapped};

/// After so many turns in which nothing came from outside something does, chosen or not: a program
/// that looks again and again whether it has come would never end.
const PATIENCE: u32 = 100;

/// So many times in a row time passes because nothing else can happen: then nothing will.
const GUARDS: u32 = 24;

/// When a program starts. Time may stand still for long: to programs that ask what time it is, zero might
/// mean that they have not asked yet.
const START: Instant = Instant::from_millis(1);

/// The world for exploration.
pub struct Open<F> {
    now: Instant,
    turning: Turning,
    looks: Looks,
    /// When the running callback began, if it has a limit.
    began: Instant,
    random: Seeded,
    files: Arc<Overlay>,
    net: Net,
    datagrams: Datagrams,
    mail: Option<Mail>,
    stores: Stores,
    databases: Databases,
    faults: Faults,
    /// What was asked for and not answered, by its number.
    pending: BTreeMap<Operation, Asked>,
    /// What is going to be answered, where that is known already.
    known: BTreeMap<Operation, Answer>,
    /// Files that are open because something is half done.
    half_done: BTreeMap<Operation, i32>,
    /// How often the loop has seen what is half done, and has yet to see it before it may go on.
    trips: BTreeMap<Operation, Trips>,
    write: F,
    input: Input,
    effects: Option<Box<dyn FnMut(Effect)>>,
    notes: RefCell<Notes>,
    /// How often time has passed since something last came that the program asked for.
    waits: u32,
    /// How many turns have begun since something last came from outside.
    turns: u32,
    /// When time would pass to, if it passed.
    next_due: Option<Instant>,
    /// What came although nobody chose it.
    forced: VecDeque<Completion<Answer>>,
    /// How long those have waited that could have been answered.
    late: BTreeMap<Operation, Delay>,
    /// The longest that any of them did.
    latest: Delay,
    /// What was answered since a callback last began: the program has not heard of it.
    unheard: Vec<Operation>,
    missed: Missed,
    /// Whether anything of what cannot be copied was used: the network, the hub, stores, standard input.
    is_reached: bool,
}

/// The trips of an operation of which only a part is done.
#[derive(Clone, Copy, Debug, Default)]
struct Trips {
    seen: u32,
    unseen: u32,
}

/// What is to be done when an operation is answered.
#[derive(Clone)]
enum Asked {
    Files(FsCall),
    Names(NamesCall),
    Store(StoreCall),
    Cluster(ClusterCall),
    Input(InputCall),
    Compute(ComputeCall),
    /// The network has it.
    Network {
        /// What may go wrong with the answer.
        mishaps: Mishaps,
        /// From which end of a connection it sends, if it does.
        sends_from: Option<u64>,
    },
    /// Somebody else has it, or nobody.
    Elsewhere,
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Open<F> {
    /// A world with those files, in which time has hardly begun; `write` takes what the program writes.
    pub fn new(seed: u64, files: Arc<Overlay>, faults: Faults, write: F) -> Self {
        let mut net = Net::new(Roads::default(), seed, Wires::default());
        let mut datagrams = Datagrams::new(Roads::default(), seed, Wires::default());
        net.leave_open();
        datagrams.leave_open();
        Self {
            now: START,
            looks: Looks::default(),
            began: START,
            random: Seeded::new(seed),
            files,
            net,
            datagrams,
            mail: None,
            stores: Stores::default(),
            databases: Databases::default(),
            faults,
            pending: BTreeMap::new(),
            known: BTreeMap::new(),
            half_done: BTreeMap::new(),
            trips: BTreeMap::new(),
            write,
            input: Input::default(),
            effects: None,
            notes: RefCell::default(),
            waits: 0,
            turns: 0,
            turning: Turning::default(),
            next_due: None,
            forced: VecDeque::new(),
            late: BTreeMap::new(),
            latest: Delay::default(),
            unheard: Vec::new(),
            missed: Missed::default(),
            is_reached: false,
        }
    }

    /// For how long at most time was let pass while an operation could have been answered and was not.
    pub fn latest_answer(&self) -> Delay {
        self.latest
    }

    /// What the program reached for that is not in this world, in words and each once: other processes, names and
    /// places that nobody in it has.
    pub fn missed(&self) -> &[String] {
        self.missed.words()
    }

    /// Time passes until then, before the answers that could have come.
    fn pass_by(&mut self, until: Instant) {
        let passes = until.since(self.now);
        for operation in self.able().into_iter().chain(self.unheard.iter().copied()) {
            let late = self.late.entry(operation).or_default();
            *late = Delay::from_micros(late.as_micros() + passes.as_micros());
            self.latest = self.latest.max(*late);
        }
        self.let_pass(until);
    }

    /// Lets the program read from there, once it asks for standard input; else that is empty.
    pub fn input(self, source: Source) -> Self {
        Self { input: Input::new(source), ..self }
    }

    /// Lets the program post messages within itself by that hub, which must be its own.
    pub fn member(self, member: Member) -> Self {
        Self { mail: Some(Mail::new(member)), ..self }
    }

    /// Lets somebody hear of all that is done outside, when it is done: what is done by an operation is
    /// done when it is answered, and what a callback does itself, while it runs.
    pub fn effects(self, tap: impl FnMut(Effect) + 'static) -> Self {
        Self { effects: Some(Box::new(tap)), ..self }
    }

    /// The operations that could be answered now, oldest first.
    fn able(&self) -> Vec<Operation> {
        let known =
            self.known.iter().filter(|(operation, answer)| !self.is_late(**operation, answer));
        let mut able: Vec<Operation> = known.map(|(&operation, _)| operation).collect();
        self.net.able(&mut able);
        self.datagrams.able(&mut able);
        let waits = |(operation, asked): &(&Operation, &Asked)| match asked {
            _ if self.trips.get(operation).is_some_and(|trips| trips.unseen > 0) => false,
            Asked::Files(FsCall::AwaitChanges { at_once }) => {
                at_once.0 == Some(true) || self.files.has_changes()
            }
            Asked::Files(_)
            | Asked::Names(_)
            | Asked::Store(_)
            | Asked::Cluster(_)
            | Asked::Input(_)
            | Asked::Compute(_) => true,
            Asked::Network { .. } | Asked::Elsewhere => false,
        };
        able.extend(self.pending.iter().filter(waits).map(|(&operation, _)| operation));
        able.sort_unstable();
        able.dedup();
        able
    }

    /// Whether somebody is to hear something else first: who reads from a connection that was cut hears
    /// of it before who writes, as from libuv.
    fn is_late(&self, operation: Operation, answer: &Answer) -> bool {
        match self.pending.get(&operation) {
            Some(Asked::Network { sends_from: Some(stream), .. }) => {
                answer.is_err() && self.net.is_cut_for_reader(*stream)
            }
            _ => false,
        }
    }

    fn tell(
        &mut self,
        operation: Option<Operation>,
        touches: Vec<(Location, Access)>,
        fault: Option<String>,
    ) {
        if let Some(tap) = &mut self.effects
            && (!touches.is_empty() || fault.is_some())
        {
            let trips = operation.and_then(|operation| self.trips.get(&operation));
            let trips = trips.map_or(0, |trips| trips.seen);
            tap(Effect { operation, touches, fault, trips });
        }
    }

    /// Takes what the network and the hub have answered.
    fn gather(&mut self) {
        for (operation, answer) in self.mail.iter().flat_map(Mail::take) {
            if self.pending.contains_key(&operation) {
                self.known.insert(operation, answer);
            }
        }
        self.net.settle();
        self.datagrams.settle();
        for Completion { operation, answer, .. } in self.net.done().chain(self.datagrams.done()) {
            if self.pending.contains_key(&operation) {
                self.known.insert(operation, answer);
            }
        }
    }

    /// Does what a request for files asks for, and tells of it; with how often the loop sees it.
    fn with_files(
        &mut self,
        operation: Option<Operation>,
        call: &FsCall,
        draw: Option<Draw<'_>>,
        act: impl FnOnce(&dyn Tree) -> (Answer, u32),
    ) -> (Answer, u32) {
        self.files.set_time(WALL_ORIGIN + self.now.as_micros());
        let tapped = Tapped { files: &self.files, notes: &self.notes };
        let is_tapped = self.effects.is_some() && call.touches() == Touches::Files;
        let tree: &dyn Tree = if is_tapped { &tapped } else { &*self.files };
        let (answer, fault) = match draw.filter(|_| self.faults.fs) {
            Some(draw) => {
                let faulty = Faulty::new(tree, call, draw);
                (act(&faulty), faulty.fault())
            }
            None => (act(tree), None),
        };
        let touches = std::mem::take(&mut self.notes.get_mut().touches);
        self.tell(operation, touches, fault);
        answer
    }

    /// Asks the scheduler's stores.
    fn keep(&mut self, operation: Option<Operation>, call: &StoreCall) -> Answer {
        self.is_reached = true;
        self.tell(operation, self.places(&call.touches()), None);
        self.stores.perform(call)
    }

    /// Asks a database.
    fn decide(&mut self, operation: Option<Operation>, call: &ClusterCall) -> Answer {
        self.is_reached = true;
        self.tell(operation, self.places(&call.touches()), None);
        self.databases.perform(call, Asking { computer: Computer::ONLY, now: self.now })
    }

    fn complete(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<Answer> {
        (self.turns, self.waits) = (0, 0);
        let asked = self.pending.get(&operation).cloned();
        let mut trips = 1;
        self.late.remove(&operation);
        self.unheard.push(operation);
        let answer = match asked.expect("an answer is for what was asked") {
            Asked::Files(call) => match self.complete_files(operation, &call, draw) {
                Some((answer, several)) => {
                    trips = several;
                    answer
                }
                None => {
                    self.trips.entry(operation).or_default().unseen = 1;
                    return Answered::Part { trips: 1 };
                }
            },
            Asked::Names(call) => {
                let answer = names::perform(&call, &Roads::default(), Computer::ONLY);
                self.missed.name(&call, &answer);
                self.broken(operation, call.mishaps(), answer, draw)
            }
            Asked::Store(call) => self.keep(Some(operation), &call),
            Asked::Cluster(call) => self.decide(Some(operation), &call),
            Asked::Input(call @ InputCall::Read) => {
                self.is_reached = true;
                self.tell(Some(operation), self.places(&call.touches()), None);
                self.input.read()
            }
            Asked::Compute(ComputeCall::Turn) => Ok(Datum::Undefined),
            Asked::Network { mishaps, .. } => self.deliver(operation, mishaps, draw),
            Asked::Elsewhere => self.deliver(operation, Mishaps::None, draw),
        };
        self.pending.remove(&operation);
        let seen = self.trips.remove(&operation).unwrap_or_default().seen;
        if let Some(tap) = self.effects.as_mut().filter(|_| trips > 1) {
            // Its callback comes after so many trips, whatever it did before the last of them.
            let (touches, fault, trips) = (Vec::new(), None, seen + trips - 1);
            tap(Effect { operation: Some(operation), touches, fault, trips });
        }
        Answered::Whole(Completion { operation, stamp: self.now, answer, trips })
    }

    /// Does what a call asks for, and says how often the loop sees that. What opens a file first and then
    /// reads or fills it does so in two parts: what happens between them makes a difference to it, or is
    /// made one by it. Nothing is the answer after the first.
    fn complete_files(
        &mut self,
        operation: Operation,
        call: &FsCall,
        draw: Draw<'_>,
    ) -> Option<(Answer, u32)> {
        let opened = self.half_done.remove(&operation);
        let steps = files::Steps::of(call);
        let is_first = steps.is_some() && opened.is_none();
        let act = |tree: &dyn Tree| match (&steps, opened) {
            (Some(steps), None) => (files::perform(tree, &steps.open), 1),
            (Some(steps), Some(fd)) => steps.go_on(tree, fd),
            (None, _) => files::carry_out(tree, call),
        };
        match self.with_files(Some(operation), call, Some(draw), act) {
            (Ok(Datum::Number(fd)), _) if is_first => {
                self.half_done.insert(operation, fd as i32);
                None
            }
            answered => Some(answered),
        }
    }

    /// Notes that the loop has seen an operation of which a part is done.
    fn seen_by_loop(&mut self, operation: Operation, times: u32) {
        if let Some(Trips { seen, unseen }) = self.trips.get_mut(&operation) {
            *seen += times;
            *unseen = unseen.saturating_sub(times);
        }
    }

    /// Answers what the network or the hub has.
    fn deliver(&mut self, operation: Operation, mishaps: Mishaps, draw: Draw<'_>) -> Answer {
        if !self.known.contains_key(&operation) {
            let socket = self.datagrams.asks(operation);
            let socket = socket.map(|id| (Location::Socket(id), Access::Write));
            let touches = socket.or(self.net.touches_of(operation)).into_iter().collect();
            self.tell(Some(operation), touches, None);
            self.net.deliver(self.now, operation);
            self.datagrams.deliver(self.now, operation);
            self.gather();
        }
        let answer = self.known.remove(&operation).expect("only what can be answered is");
        self.missed.place(operation, &answer);
        self.broken(operation, mishaps, answer, draw)
    }

    /// An answer, or what becomes of it if something goes wrong.
    fn broken(
        &mut self,
        operation: Operation,
        mishaps: Mishaps,
        answer: Answer,
        draw: Draw<'_>,
    ) -> Answer {
        let broken = self.faults.net.then(|| faults::at_answer(mishaps, &answer, draw));
        let Some(broken) = broken.flatten() else { return answer };
        let touches = match &broken {
            Broken::Cut { stream, .. } => self.places(&Touches::BothEnds(*stream)),
            _ => Vec::new(),
        };
        self.tell(Some(operation), touches, Some(broken.words()));
        let answer = self.net.break_off(self.now, answer, broken);
        self.gather();
        answer
    }

    /// The places that a call touches when it is made. Files tell of every call on them, and datagrams
    /// afterwards of who has got one.
    fn places(&self, touches: &Touches) -> Vec<(Location, Access)> {
        match touches {
            Touches::Nothing
            | Touches::Files
            | Touches::ReceiversRead
            | Touches::ReceiversWritten => Vec::new(),
            Touches::Pipe(stream) => self.net.pipe(*stream),
            Touches::BothEnds(stream) => self.net.connection(*stream),
            Touches::Door(place) => place.iter().map(|place| net::door(place).opens()).collect(),
            Touches::Knock(place) => {
                place.iter().flat_map(|place| net::door(place).knocks()).collect()
            }
            Touches::OwnDoor(listener) => {
                let door = self.net.door_of(*listener);
                door.iter().flat_map(|door| door.closes()).collect()
            }
            Touches::Stores => vec![(Location::Stores, Access::Write)],
            Touches::Input => vec![(Location::Input, Access::Write)],
        }
    }

    fn begin_on_network(&mut self, operation: Operation, call: NetworkCall) {
        let touches = call.touches();
        let sends_from = if let Touches::Pipe(stream) = touches { Some(stream) } else { None };
        self.pending.insert(operation, Asked::Network { mishaps: call.mishaps(), sends_from });
        self.missed.begin(operation, &call);
        let port = self.port(&call);
        self.on_network(touches, port, None, |open| match call {
            NetworkCall::Net(call) => open.net.begin(open.now, operation, call, &*open.files),
            NetworkCall::Stream(call) => open.net.begin_on_stream(open.now, operation, call),
            NetworkCall::Udp(call) => open.datagrams.begin(open.now, operation, call),
        });
    }

    fn perform_on_network(&mut self, mut call: NetworkCall, draw: Option<Draw<'_>>) -> Answer {
        let broken = draw.filter(|_| self.faults.net);
        let broken = broken.and_then(|draw| faults::at_once(call.mishaps(), draw));
        let words = broken.as_ref().map(Broken::words);
        let port = self.port(&call);
        self.on_network(call.touches(), port, words, |open| {
            if let Some(broken) = broken
                && let Some(answer) = open.net.spoil(open.now, &mut call, broken)
            {
                return answer;
            }
            match call {
                NetworkCall::Net(call) => open.net.perform(open.now, call, &*open.files),
                NetworkCall::Stream(call) => open.net.perform_on_stream(open.now, call),
                NetworkCall::Udp(call) => open.datagrams.perform(open.now, call),
            }
        })
    }

    /// The port for datagrams that a call is about.
    fn port(&self, call: &NetworkCall) -> Option<(Location, Access)> {
        match call {
            NetworkCall::Udp(call) => self.datagrams.port(call),
            NetworkCall::Net(_) | NetworkCall::Stream(_) => None,
        }
    }

    /// Lets a callback do something to the network, and tells of it.
    fn on_network<T>(
        &mut self,
        touches: Touches,
        port: Option<(Location, Access)>,
        fault: Option<String>,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.is_reached = true;
        let mut places = self.places(&touches);
        places.extend(port);
        let before = self.effects.is_some().then(|| self.datagrams.waiting());
        let result = act(self);
        self.gather();
        let receivers = match touches {
            Touches::ReceiversRead => Some(Access::Read),
            Touches::ReceiversWritten => Some(Access::Write),
            _ => None,
        };
        if let (Some(access), Some(before)) = (receivers, before) {
            places.extend(self.datagrams.touched(access, &before));
        }
        self.tell(None, places, fault);
        result
    }

    fn begin_with_hub(&mut self, operation: Operation, call: HubCall) {
        self.is_reached = true;
        self.pending.insert(operation, Asked::Elsewhere);
        if let Some(mail) = &self.mail {
            mail.submit(operation, call);
            self.gather();
        }
    }

    fn perform_with_hub(&mut self, call: HubCall) -> Answer {
        self.is_reached = true;
        let Some(mail) = &self.mail else { return Err(unknown(call.name())) };
        if let Some(Sleep { limit_ms: Some(limit), .. }) = call.sleep() {
            self.now = self.now + Delay::from_micros((limit * 1000.0) as u64);
        }
        let answer = mail.perform(call);
        self.gather();
        answer
    }

    /// The loop waits until then.
    fn let_pass(&mut self, until: Instant) {
        self.turning.wait(self.now);
        self.now = self.now.max(until);
        self.turning.waited(self.now);
    }
}

impl<L: Gated, F: FnMut(Stream, &[u8]) -> io::Result<()>> World<L> for Open<F> {
    const ORACLE: bool = true;
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        self.now
    }

    fn look(&mut self) -> Instant {
        self.now = self.looks.count(self.now);
        self.now
    }

    fn wall_clock(&mut self) -> u64 {
        self.now = self.looks.count(self.now);
        WALL_ORIGIN + self.now.as_micros()
    }

    fn random(&mut self) -> u64 {
        self.random.number()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        (self.write)(stream, bytes)
    }

    fn began(&mut self) {
        self.unheard.clear();
        self.began = self.now;
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        limit.is_some_and(|limit| limit.is_reached(self.began, self.now))
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        let asked = match request.into_request() {
            Request::Fs(call) => Asked::Files(call),
            Request::Names(call) => Asked::Names(call),
            Request::Store(call) => Asked::Store(call),
            Request::Cluster(ClusterCall::Listen { .. }) => Asked::Elsewhere,
            Request::Cluster(call) => Asked::Cluster(call),
            Request::Input(call) => Asked::Input(call),
            Request::Compute(call) => Asked::Compute(call),
            Request::Net(call) => {
                return self.begin_on_network(operation, NetworkCall::Net(call));
            }
            Request::Stream(call) => {
                return self.begin_on_network(operation, NetworkCall::Stream(call));
            }
            Request::Udp(call) => {
                return self.begin_on_network(operation, NetworkCall::Udp(call));
            }
            Request::Port(call) => return self.begin_with_hub(operation, HubCall::Port(call)),
            Request::Worker(call) => return self.begin_with_hub(operation, HubCall::Worker(call)),
            Request::Memory(call) => return self.begin_with_hub(operation, HubCall::Memory(call)),
            Request::Env(call) => return self.begin_with_hub(operation, HubCall::Env(call)),
            Request::Child(call) => {
                self.missed.process(&call);
                Asked::Elsewhere
            }
            // Nothing of this ever comes.
            Request::Signal(_)
            | Request::Channel(_)
            | Request::System(_)
            | Request::Sql(_)
            | Request::Tls(_) => Asked::Elsewhere,
        };
        self.pending.insert(operation, asked);
    }

    fn perform(&mut self, request: Checked, draw: Option<Draw<'_>>) -> Answer {
        match request.into_request() {
            Request::Fs(call) => {
                self.with_files(None, &call, draw, |tree| (files::perform(tree, &call), 1)).0
            }
            Request::System(call) => system::perform(&FixedSystem::default(), self.turning, call),
            Request::Store(call) => self.keep(None, &call),
            Request::Cluster(call) => self.decide(None, &call),
            Request::Names(call) => {
                let answer = names::perform(&call, &Roads::default(), Computer::ONLY);
                self.missed.name(&call, &answer);
                answer
            }
            Request::Net(call) => self.perform_on_network(NetworkCall::Net(call), draw),
            Request::Stream(call) => self.perform_on_network(NetworkCall::Stream(call), draw),
            Request::Udp(call) => self.perform_on_network(NetworkCall::Udp(call), draw),
            Request::Port(call) => self.perform_with_hub(HubCall::Port(call)),
            Request::Worker(call) => {
                self.missed.worker(&call);
                self.perform_with_hub(HubCall::Worker(call))
            }
            Request::Memory(call) => self.perform_with_hub(HubCall::Memory(call)),
            Request::Env(call) => self.perform_with_hub(HubCall::Env(call)),
            Request::Child(call) => {
                self.missed.process(&call);
                let message = "children cannot be explored: run this program with hemiola simulate";
                Err(Fault::new("ENOSYS", message))
            }
            Request::Sql(_) => Err(no_databases()),
            request @ (Request::Channel(_)
            | Request::Input(_)
            | Request::Signal(_)
            | Request::Compute(_)
            | Request::Tls(_)) => Err(unknown(request.name())),
        }
    }

    /// What nobody waits for is not done, as far as it was not yet.
    fn cancel(&mut self, operation: Operation) {
        self.pending.remove(&operation);
        self.late.remove(&operation);
        self.trips.remove(&operation);
        if let Some(fd) = self.half_done.remove(&operation) {
            // Whether it can be closed is nobody's business any more.
            let _ = self.files.close(fd);
        }
        if let Some(mail) = &self.mail {
            mail.cancel(operation);
        }
        self.net.forget(operation);
        self.datagrams.forget(operation);
        if let Some(unheard) = self.known.remove(&operation) {
            self.net.abandon(self.now, &unheard);
        }
        self.gather();
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.looks = Looks::default();
        self.forced.pop_front()
    }

    /// Whatever could come is offered instead. What is left guards something that did not come.
    fn wait(&mut self, until: Option<Instant>) -> bool {
        let Some(until) = until.filter(|_| self.waits < GUARDS) else { return false };
        self.waits += 1;
        self.let_pass(until);
        true
    }

    /// A program that never waits is served all the same, after a while.
    fn go_round(&mut self, due: bool) -> bool {
        self.turning.begin(|| self.now);
        self.turns += 1;
        if self.turns >= PATIENCE && !due {
            self.turns = 0;
            match (self.able().first(), self.next_due) {
                (Some(&operation), _) => {
                    let mut seen = 0;
                    let completion = loop {
                        match self.complete(operation, &mut |_| 0) {
                            Answered::Whole(completion) => break completion,
                            Answered::Part { trips } => {
                                self.seen_by_loop(operation, trips);
                                seen += trips;
                            }
                        }
                    };
                    let trips = completion.trips + seen;
                    self.forced.push_back(Completion { trips, ..completion });
                }
                (None, Some(next)) => self.let_pass(next),
                (None, None) => {}
            }
        }
        true
    }

    /// Completions matter when the poll phase looks for them, time when the timers phase does; to the
    /// other strategies both do when a turn begins.
    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        self.next_due = next_due;
        let answers = matches!(gap, Gap::Turn | Gap::Phase(Phase::Poll));
        if answers {
            moves.extend(self.able().into_iter().map(Move::Answer));
        }
        if matches!(gap, Gap::Turn | Gap::Phase(Phase::Timers)) {
            moves.extend(next_due.map(Move::Pass));
        }
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<Answer> {
        self.complete(operation, draw)
    }

    fn moved(&mut self, taken: Move) {
        match taken {
            Move::Pass(until) => {
                (self.turns, self.waits) = (0, 0);
                self.pass_by(until);
            }
            Move::Answer(_) | Move::Signal(_) => {}
        }
    }

    fn seen(&mut self, operation: Operation, trips: u32) {
        self.seen_by_loop(operation, trips);
    }
}
