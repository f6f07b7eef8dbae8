//! A world that leaves everything open (rule EXPL-2): what it may do next is listed, and a chooser picks.
//!
//! Nothing arrives by itself. Every operation that has something to deliver may be answered next, in
//! any order, and takes effect when it is; what is sent over the network is there at once and waits to be
//! read; time passes when it is let pass. By default the program goes on as long as it can, then the
//! oldest answer comes, and time passes when there is none.

mod effects;
mod mail;
mod tapped;

pub use effects::{Access, Effect, Location};

use crate::datagrams::Datagrams;
use crate::faults::{self, Broken, Faults, Faulty};
use crate::input::{Input, Source};
use crate::net::Net;
use crate::overlay::Overlay;
use crate::store::Stores;
use crate::{WALL_ORIGIN, names, unknown};
use hemiola_gate::files::{self, Tree};
use hemiola_gate::{
    Answer, Checked, Datum, Fault, FileRef, FixedSystem, FsCall, Gated, Hub, Member, Request, Wire,
};
use hemiola_machine::{
    Completion, Delay, Draw, Gap, Instant, Move, Operation, Phase, Seeded, Stream, World,
};
use mail::Mail;
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

/// Picks one of so many.
/// The world for exploration.
pub struct Open<F> {
    now: Instant,
    random: Seeded,
    files: Arc<Overlay>,
    net: Net,
    datagrams: Datagrams,
    mail: Option<Mail>,
    stores: Stores,
    faults: Faults,
    /// What was asked for and not answered, by its number; of what the network does, only the number
    /// of the connection or the socket.
    pending: BTreeMap<Operation, Asked>,
    /// What is going to be answered, where that is known already.
    known: BTreeMap<Operation, Answer>,
    /// Files that are open because something is half done.
    half_done: BTreeMap<Operation, i32>,
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
}

/// What an operation is to do.
#[derive(Clone)]
enum Asked {
    Files(FsCall),
    Other(Wire),
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Open<F> {
    /// A world with those files, in which time has hardly begun; `write` takes what the program writes.
    pub fn new(seed: u64, files: Arc<Overlay>, faults: Faults, write: F) -> Self {
        let (mut net, mut datagrams) = (Net::new(seed), Datagrams::new(seed));
        net.leave_open();
        datagrams.leave_open();
        Self {
            now: START,
            random: Seeded::new(seed),
            files,
            net,
            datagrams,
            mail: None,
            stores: Stores::default(),
            faults,
            pending: BTreeMap::new(),
            known: BTreeMap::new(),
            half_done: BTreeMap::new(),
            write,
            input: Input::default(),
            effects: None,
            notes: RefCell::default(),
            waits: 0,
            turns: 0,
            next_due: None,
            forced: VecDeque::new(),
        }
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
        let waits = |(_, asked): &(&Operation, &Asked)| match asked {
            Asked::Files(FsCall::AwaitChanges { at_once }) => {
                at_once.0 == Some(true) || self.files.has_changes()
            }
            Asked::Files(_) => true,
            Asked::Other(request) => matches!(
                request.kind.split('.').next(),
                Some("dns" | "compute" | "input" | "store")
            ),
        };
        able.extend(self.pending.iter().filter(waits).map(|(&operation, _)| operation));
        able.sort_unstable();
        able.dedup();
        able
    }

    /// Whether somebody is to hear something else first: who reads from a connection that was cut hears
    /// of it before who writes, as from libuv.
    fn is_late(&self, operation: Operation, answer: &Answer) -> bool {
        let Some(Asked::Other(request)) = self.pending.get(&operation) else { return false };
        let writes = matches!(request.kind.as_str(), "stream.write" | "stream.shutdown");
        answer.is_err() && writes && self.net.is_cut_for_reader(number(request))
    }

    /// The operations of which a part could be done now: a file is emptied before it is written.
    fn in_parts(&self) -> impl Iterator<Item = Operation> + '_ {
        let is_whole = |(operation, asked): &(&Operation, &Asked)| match asked {
            Asked::Files(FsCall::WriteFile { file: FileRef::Path(_), flags, .. }) => {
                flags & files::open::TRUNCATE != 0 && !self.known.contains_key(operation)
            }
            Asked::Files(_) | Asked::Other(_) => false,
        };
        self.pending.iter().filter(is_whole).map(|(&operation, _)| operation)
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
            tap(Effect { operation, touches, fault });
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

    /// Does what a request for files asks for, and tells of it.
    fn with_files(
        &mut self,
        operation: Option<Operation>,
        call: &FsCall,
        draw: Option<Draw<'_>>,
        act: impl FnOnce(&dyn Tree) -> Answer,
    ) -> Answer {
        self.files.set_time(WALL_ORIGIN + self.now.as_micros());
        let tapped = Tapped { files: &self.files, notes: &self.notes };
        let tree: &dyn Tree = if self.effects.is_some() { &tapped } else { &*self.files };
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
    fn keep(&mut self, operation: Option<Operation>, request: &Wire) -> Answer {
        self.tell(operation, vec![(Location::Stores, Access::Write)], None);
        self.stores.perform(request)
    }

    /// Does a part of what an operation is to do: opens, and empties, the file that it writes.
    fn advance(&mut self, operation: Operation) {
        let Some(Asked::Files(FsCall::WriteFile {
            file: FileRef::Path(path), flags, mode, ..
        })) = self.pending.get(&operation)
        else {
            return;
        };
        let open = FsCall::Open { path: path.clone(), flags: *flags, mode: *mode };
        match self.with_files(Some(operation), &open, None, |tree| files::perform(tree, &open)) {
            Ok(Datum::Number(fd)) => {
                let fd = fd as i32;
                self.half_done.insert(operation, fd);
                if let Some(Asked::Files(FsCall::WriteFile { file, .. })) =
                    self.pending.get_mut(&operation)
                {
                    *file = FileRef::Descriptor(fd);
                }
            }
            Ok(_) => {}
            Err(fault) => {
                self.known.insert(operation, Err(fault));
            }
        }
    }

    fn complete(&mut self, operation: Operation, draw: Draw<'_>) -> Completion<Answer> {
        (self.turns, self.waits) = (0, 0);
        let asked = self.pending.get(&operation).cloned();
        let answer = match asked.expect("an answer is for what was asked") {
            Asked::Files(call) => self.complete_files(operation, &call, draw),
            Asked::Other(request) => self.complete_other(operation, &request, draw),
        };
        self.pending.remove(&operation);
        Completion { operation, stamp: self.now, answer }
    }

    fn complete_files(&mut self, operation: Operation, call: &FsCall, draw: Draw<'_>) -> Answer {
        if let Some(known) = self.known.remove(&operation) {
            return known;
        }
        let opened = self.half_done.remove(&operation);
        self.with_files(Some(operation), call, Some(draw), |tree| {
            let written = files::perform(tree, call);
            let close = |fd| tree.close(fd).map_err(|error| Fault::system(error.0, "close"));
            let closed = opened.map_or(Ok(()), close);
            written.and_then(|done| closed.map(|()| done))
        })
    }

    fn complete_other(&mut self, operation: Operation, request: &Wire, draw: Draw<'_>) -> Answer {
        match request.kind.split('.').next() {
            _ if self.known.contains_key(&operation) => self.deliver(operation, request, draw),
            Some("net" | "stream" | "udp") => self.deliver(operation, request, draw),
            Some("input") => {
                self.tell(Some(operation), vec![(Location::Input, Access::Write)], None);
                self.input.read()
            }
            Some("store") => self.keep(Some(operation), request),
            Some("dns") => self.broken(operation, request, names::perform(request), draw),
            _ => Ok(Datum::Undefined),
        }
    }

    /// Answers from the network.
    fn deliver(&mut self, operation: Operation, request: &Wire, draw: Draw<'_>) -> Answer {
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
        self.broken(operation, request, answer, draw)
    }

    /// An answer, or what becomes of it if something goes wrong.
    fn broken(
        &mut self,
        operation: Operation,
        request: &Wire,
        answer: Answer,
        draw: Draw<'_>,
    ) -> Answer {
        let broken = self.faults.net.then(|| faults::at_answer(&request.kind, &answer, draw));
        let Some(broken) = broken.flatten() else { return answer };
        let id = number(request);
        let touches = match &broken {
            Broken::Cut(_) => {
                let closes = Wire { kind: "stream.close".into(), ..request.clone() };
                self.net.touches(&closes)
            }
            _ => Vec::new(),
        };
        self.tell(Some(operation), touches, Some(broken.words()));
        let answer = self.net.break_off(self.now, id, &request.kind, answer, broken);
        self.gather();
        answer
    }

    fn at_once(&mut self, mut request: Wire, draw: Option<Draw<'_>>) -> Answer {
        match request.kind.split('.').next() {
            Some("system") => hemiola_gate::system::perform(&FixedSystem, &request),
            Some("store") => self.keep(None, &request),
            Some("dns") => names::perform(&request),
            Some("net" | "stream" | "udp") => {
                let broken = draw.filter(|_| self.faults.net);
                let broken = broken.and_then(|draw| faults::at_once(&request, draw));
                let words = broken.as_ref().map(Broken::words);
                let touches = self.net.touches(&request);
                let before = self.effects.is_some().then(|| self.datagrams.waiting());
                let kind = request.kind.clone();
                let answer =
                    match broken.map(|broken| self.net.spoil(self.now, &mut request, broken)) {
                        Some(Some(answer)) => answer,
                        _ if Datagrams::knows(&kind) => self.datagrams.perform(self.now, request),
                        _ => self.net.perform(self.now, request, &*self.files),
                    };
                self.gather();
                self.tell_network(&kind, touches, before, words);
                answer
            }
            _ => match &self.mail {
                Some(mail) if Hub::knows(&request.kind) => {
                    if let ("memory.wait", Some(limit)) =
                        (request.kind.as_str(), request.arguments.get(4).and_then(Datum::as_number))
                    {
                        self.now = self.now + Delay::from_micros((limit * 1000.0) as u64);
                    }
                    let answer = mail.perform(&request);
                    self.gather();
                    answer
                }
                _ => Err(unknown(&request)),
            },
        }
    }

    /// Tells what a callback did to the network.
    fn tell_network(
        &mut self,
        kind: &str,
        mut touches: Vec<(Location, Access)>,
        before: Option<BTreeMap<u64, usize>>,
        fault: Option<String>,
    ) {
        if let Some(before) = before.filter(|_| Datagrams::knows(kind)) {
            touches.extend(self.datagrams.touches(kind, &before));
        }
        self.tell(None, touches, fault);
    }
}

/// The number of what a request is about.
fn number(request: &Wire) -> u64 {
    request.arguments.first().and_then(Datum::as_number).unwrap_or(0.0) as u64
}

impl<L: Gated, F: FnMut(Stream, &[u8]) -> io::Result<()>> World<L> for Open<F> {
    const ORACLE: bool = true;
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        self.now
    }

    fn look(&mut self) -> Instant {
        self.now
    }

    fn wall_clock(&mut self) -> u64 {
        WALL_ORIGIN + self.now.as_micros()
    }

    fn random(&mut self) -> u64 {
        self.random.number()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        (self.write)(stream, bytes)
    }

    fn breathe(&mut self) {}

    fn submit(&mut self, operation: Operation, request: Checked) {
        let request = match request.into_request() {
            Request::Fs(call) => {
                self.pending.insert(operation, Asked::Files(call));
                return;
            }
            other => other.into_wire(),
        };
        let Wire { kind, arguments } = &request;
        let (is_net, is_datagram) = (Net::knows(kind), Datagrams::knows(kind));
        if !is_net && !is_datagram {
            let for_hub = Hub::knows(kind).then(|| request.clone());
            self.pending.insert(operation, Asked::Other(request));
            if let (Some(mail), Some(request)) = (&self.mail, for_hub) {
                mail.submit(operation, &request);
                self.gather();
            }
            return;
        }
        let kind = kind.clone();
        let arguments = arguments.iter().take(1).cloned().collect();
        self.pending.insert(operation, Asked::Other(Wire { kind: kind.clone(), arguments }));
        let touches = self.net.touches(&request);
        let before = self.effects.is_some().then(|| self.datagrams.waiting());
        if is_net {
            self.net.begin(self.now, operation, request, &*self.files);
        } else {
            self.datagrams.begin(self.now, operation, request);
        }
        self.gather();
        self.tell_network(&kind, touches, before, None);
    }

    fn perform(&mut self, request: Checked, draw: Option<Draw<'_>>) -> Answer {
        match request.into_request() {
            Request::Fs(call) => {
                self.with_files(None, &call, draw, |tree| files::perform(tree, &call))
            }
            other => self.at_once(other.into_wire(), draw),
        }
    }

    /// What nobody waits for is not done, as far as it was not yet.
    fn cancel(&mut self, operation: Operation) {
        self.pending.remove(&operation);
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
        self.forced.pop_front()
    }

    /// Whatever could come is offered instead. What is left guards something that did not come.
    fn wait(&mut self, until: Option<Instant>) -> bool {
        let Some(until) = until.filter(|_| self.waits < GUARDS) else { return false };
        self.waits += 1;
        self.now = self.now.max(until);
        true
    }

    /// A program that never waits is served all the same, after a while.
    fn go_round(&mut self, due: bool) -> bool {
        self.turns += 1;
        if self.turns >= PATIENCE && !due {
            self.turns = 0;
            match (self.able().first(), self.next_due) {
                (Some(&operation), _) => {
                    let completion = self.complete(operation, &mut |_| 0);
                    self.forced.push_back(completion);
                }
                (None, Some(next)) => self.now = self.now.max(next),
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
        if answers {
            moves.extend(self.in_parts().map(Move::Advance));
        }
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Completion<Answer> {
        self.complete(operation, draw)
    }

    fn moved(&mut self, taken: Move) {
        match taken {
            Move::Pass(until) => {
                (self.turns, self.waits) = (0, 0);
                self.now = self.now.max(until);
            }
            Move::Advance(operation) => self.advance(operation),
            Move::Answer(_) | Move::Signal(_) => {}
        }
    }
}
