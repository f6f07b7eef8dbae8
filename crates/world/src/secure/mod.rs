//! TLS over the streams of any world (rule GATE-4): the program sees what was said, the world beneath
//! only what goes over the wire.
//!
//! [`Secure`] is a world around another. It answers requests of kind `tls.…`, and those for streams that
//! TLS protects; all others are none of its business. What it needs from the world beneath it asks for
//! under numbers of its own, so that the machine never hears of it.

mod options;
mod stream;

use hemiola_gate::{Answer, Datum, Fault, Gated, Request};
use hemiola_machine::{Completion, Draw, Gap, Instant, Move, Operation, World};
use hemiola_tls::{Clock, Connection, Context, Progress, Session};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;
use stream::{Beneath, Outgoing, Stream};

/// Operations from here on are our own.
const OWN: u64 = 1 << 62;

/// Streams from here on have the program beneath them.
const ATTACHED: u64 = 1 << 48;

/// How many sessions are kept for clients to go on with.
const SESSIONS: usize = 512;

/// A world whose streams may speak TLS.
pub struct Secure<'a, L, W> {
    world: &'a mut W,
    language: PhantomData<fn() -> L>,
    /// Nothing until a program asks for TLS.
    state: Option<Box<State>>,
}

#[derive(Default)]
struct State {
    clock: Arc<Clock>,
    contexts: BTreeMap<u64, Arc<Context>>,
    streams: BTreeMap<u64, Stream>,
    /// What was asked of the world beneath, and for which stream.
    asked: BTreeMap<Operation, (u64, Own)>,
    sessions: BTreeMap<u64, Session>,
    ready: VecDeque<Completion<Answer>>,
    /// The last number that was given to anything.
    last: u64,
}

/// What we ask for ourselves.
#[derive(Clone, Copy)]
enum Own {
    Read,
    Write,
    /// The end of the stream, for an operation of the program.
    Shutdown(Operation),
}

impl State {
    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn answer(&mut self, operation: Operation, stamp: Instant, answer: Answer) {
        self.ready.push_back(Completion { operation, stamp, answer });
    }

    fn context(&self, options: &Datum) -> Result<Arc<Context>, Fault> {
        let number = options.field("context").and_then(Datum::as_number).unwrap_or_default();
        let context = self.contexts.get(&(number as u64)).cloned();
        context.ok_or_else(|| Fault::new("EINVAL", "there is no such TLS context"))
    }

    /// Keeps a session, and gives what the program knows it by.
    fn keep(&mut self, session: Session) -> Datum {
        let number = self.number();
        self.sessions.insert(number, session);
        if self.sessions.len() > SESSIONS {
            self.sessions.pop_first();
        }
        Datum::Bytes(format!("hemiola session {number}").into_bytes())
    }

    /// The session that the program knows by those bytes.
    fn session(&mut self, options: &Datum) -> Option<Session> {
        let Datum::Bytes(name) = options.field("session")? else { return None };
        let number = std::str::from_utf8(name).ok()?.strip_prefix("hemiola session ")?;
        self.sessions.remove(&number.parse().ok()?)
    }
}

fn id(arguments: &[Datum]) -> u64 {
    arguments.first().and_then(Datum::as_number).unwrap_or_default() as u64
}

fn argument(arguments: &[Datum], at: usize) -> &Datum {
    arguments.get(at).unwrap_or(&Datum::Undefined)
}

fn stream_request(kind: &str, id: u64, more: Option<Datum>) -> Request {
    let arguments = std::iter::once(Datum::Number(id as f64)).chain(more).collect();
    Request { kind: kind.into(), arguments }
}

impl<'a, L: Gated, W: World<L>> Secure<'a, L, W> {
    /// That world, with TLS.
    pub fn new(world: &'a mut W) -> Self {
        Self { world, language: PhantomData, state: None }
    }

    fn state(&mut self) -> &mut State {
        self.state.get_or_insert_default()
    }

    /// Whether a request is for us.
    fn is_ours(&self, request: &Request) -> bool {
        if request.kind.starts_with("tls.") {
            return true;
        }
        let Some(state) = &self.state else { return false };
        request.kind.starts_with("stream.") && state.streams.contains_key(&id(&request.arguments))
    }

    fn begin(&mut self, operation: Operation, request: Request) -> Result<(), Fault> {
        let Request { kind, mut arguments } = request;
        let id = id(&arguments);
        if matches!(kind.as_str(), "tls.start" | "tls.hello") {
            return self.start(operation, kind == "tls.hello", id, &arguments);
        }
        let stream = self.state().streams.get_mut(&id);
        let stream = stream.ok_or_else(|| Fault::new("EBADF", "this stream has no TLS"))?;
        match kind.as_str() {
            "stream.read" => stream.read = Some(operation),
            "stream.write" => {
                let bytes = hemiola_gate::sockets::bytes(std::mem::replace(
                    arguments.get_mut(1).unwrap_or(&mut Datum::Undefined),
                    Datum::Undefined,
                ));
                stream.writes.push_back(Outgoing::Bytes { bytes, sent: 0, operation });
            }
            "stream.shutdown" => stream.writes.push_back(Outgoing::Shutdown { operation }),
            "tls.session" => stream.session = Some(operation),
            "tls.drain" => {
                if let Beneath::Program { waiting, busy } = &mut stream.beneath {
                    *waiting = Some(operation);
                    *busy = false;
                }
            }
            _ => return Err(Fault::new("ENOSYS", format!("TLS knows no operation {kind}"))),
        }
        let stamp = self.world.now();
        self.pump(id, stamp);
        Ok(())
    }

    /// Begins the talk of a stream: `tls.hello [id, {head}]` hears what a client says first, `tls.start
    /// [id, {server, context, …, head}]` is all of it. `head` is what was read from the stream before.
    fn start(
        &mut self,
        operation: Operation,
        is_hello: bool,
        id: u64,
        arguments: &[Datum],
    ) -> Result<(), Fault> {
        let stamp = self.world.now();
        let seconds = self.world.wall_clock() / 1_000_000;
        let given = argument(arguments, 1);
        let state = self.state();
        state.clock.set(seconds);
        let is_server = is_hello || given.field("server") == Some(&Datum::Bool(true));
        let is_new = !state.streams.contains_key(&id);
        // The program's own stream was made by `tls.attach`, as a server's.
        if is_new || !is_server {
            let beneath = match state.streams.remove(&id) {
                Some(Stream { beneath, .. }) => beneath,
                None => Beneath::World { reading: false, writing: false },
            };
            let connection = if is_server {
                Connection::server()
            } else {
                let mut client = options::client(given);
                client.session = state.session(given);
                let context = state.context(given)?;
                Connection::client(&context, client).map_err(options::failed)?
            };
            let mut stream = Stream::new(connection, beneath);
            stream.held = !is_server;
            state.streams.insert(id, stream);
        }
        let context = if is_server && !is_hello { Some(state.context(given)?) } else { None };
        let stream = state.streams.get_mut(&id).expect("it was made just now");
        if is_hello {
            stream.hello = Some(operation);
        } else {
            stream.start = Some(operation);
        }
        if let Some(context) = context
            && let Err(failure) = stream.connection.answer(&context, &options::server(given))
        {
            stream.end = Some(Err(options::failed(failure)));
        }
        if let Some(Datum::Bytes(head)) = given.field("head")
            && !head.is_empty()
        {
            stream.arrived(Ok(Datum::Bytes(head.clone())));
        }
        self.pump(id, stamp);
        Ok(())
    }

    /// Does what can be done for a stream now, and asks for what is missing.
    fn pump(&mut self, id: u64, stamp: Instant) {
        let Some(mut stream) = self.state().streams.remove(&id) else { return };
        stream.gather();
        self.flush(id, &mut stream, stamp);
        self.tell(&mut stream, stamp);
        self.send(id, &mut stream, stamp);
        if stream.wants_more()
            && let Beneath::World { reading, .. } = &mut stream.beneath
            && !*reading
        {
            *reading = true;
            self.ask(id, Own::Read, stream_request("stream.read", id, None));
        }
        self.state().streams.insert(id, stream);
    }

    /// Asks the world beneath.
    fn ask(&mut self, id: u64, own: Own, request: Request) {
        let state = self.state();
        let operation = Operation(OWN + state.number());
        state.asked.insert(operation, (id, own));
        self.world.submit(operation, request);
    }

    /// Answers whoever waits for something that is known by now.
    fn tell(&mut self, stream: &mut Stream, stamp: Instant) {
        let progress = stream.connection.progress();
        for session in stream.connection.new_sessions() {
            let name = self.state().keep(session);
            stream.sessions.push(name);
        }
        let state = self.state();
        if let Some(operation) = stream.hello
            && let Some(hello) = stream.connection.hello()
        {
            stream.hello = None;
            state.answer(operation, stamp, Ok(options::hello(hello)));
        }
        if progress == Progress::Established {
            if let Some(operation) = stream.start.take() {
                let agreement = stream.connection.agreement();
                let agreement = agreement.expect("whoever is connected has agreed");
                state.answer(operation, stamp, Ok(options::agreement(agreement)));
            }
            if let Some(operation) = stream.session
                && !stream.sessions.is_empty()
            {
                stream.session = None;
                let sessions = std::mem::take(&mut stream.sessions);
                state.answer(operation, stamp, Ok(Datum::List(sessions)));
            }
        } else if let Some(end) = &stream.end {
            let fault = match end {
                Ok(()) => Fault::new("EOF", "the peer went away before TLS was set up"),
                Err(fault) => fault.clone(),
            };
            let waiting = [stream.hello.take(), stream.start.take(), stream.read.take()];
            for operation in waiting.into_iter().flatten() {
                state.answer(operation, stamp, Err(fault.clone()));
            }
        }
        if let Some(operation) = stream.read
            && progress == Progress::Established
            && let Some(answer) = stream.take_plain()
        {
            stream.read = None;
            state.answer(operation, stamp, answer);
        }
    }

    /// Says to the peer what waits, as fast as the wire takes it.
    fn send(&mut self, id: u64, stream: &mut Stream, stamp: Instant) {
        while let Some(next) = stream.writes.pop_front() {
            let (Outgoing::Bytes { operation, .. } | Outgoing::Shutdown { operation }) = next;
            if let Some(fault) = stream.broken.clone() {
                self.state().answer(operation, stamp, Err(fault));
                continue;
            }
            // A talk that came to nothing can still be ended.
            let is_end = matches!(next, Outgoing::Shutdown { .. });
            let may_speak = stream.is_established() || is_end && stream.end.is_some();
            if !may_speak || !stream.is_wire_free() {
                stream.writes.push_front(next);
                return;
            }
            match next {
                Outgoing::Bytes { bytes, sent, .. } if sent == bytes.len() => {
                    let answer = Ok(Datum::Number(sent as f64));
                    self.state().answer(operation, stamp, answer);
                }
                Outgoing::Bytes { bytes, sent, .. } => {
                    let sent = sent + stream.say(&bytes[sent..]);
                    self.flush(id, stream, stamp);
                    stream.writes.push_front(Outgoing::Bytes { bytes, sent, operation });
                }
                Outgoing::Shutdown { .. } if stream.say_end() => {
                    self.flush(id, stream, stamp);
                    stream.writes.push_front(next);
                }
                Outgoing::Shutdown { .. } => self.shut_down(id, stream, operation, stamp),
            }
        }
    }

    /// Ends what is beneath, for an operation of the program.
    fn shut_down(&mut self, id: u64, stream: &mut Stream, operation: Operation, stamp: Instant) {
        if let Beneath::Program { waiting, .. } = &mut stream.beneath {
            let waiting = waiting.take();
            let state = self.state();
            if let Some(waiting) = waiting {
                // No bytes tell the program that this is the end.
                state.answer(waiting, stamp, Ok(Datum::Bytes(Vec::new())));
            }
            state.answer(operation, stamp, Ok(Datum::Undefined));
        } else {
            let request = stream_request("stream.shutdown", id, None);
            self.ask(id, Own::Shutdown(operation), request);
        }
    }

    /// Hands over to the wire what it takes.
    fn flush(&mut self, id: u64, stream: &mut Stream, stamp: Instant) {
        let is_held = stream.held && stream.is_established();
        if stream.wire.is_empty() || is_held || stream.broken.is_some() {
            return;
        }
        match &mut stream.beneath {
            Beneath::World { writing, .. } => {
                if *writing {
                    return;
                }
                let mut wire = std::mem::take(&mut stream.wire);
                let piece = Datum::Bytes(wire.clone());
                match self.world.perform(stream_request("stream.tryWrite", id, Some(piece)), None) {
                    Ok(taken) => {
                        let taken = taken.as_number().unwrap_or_default() as usize;
                        if taken < wire.len() {
                            wire.drain(..taken);
                            *writing = true;
                            let rest = Some(Datum::Bytes(wire));
                            self.ask(id, Own::Write, stream_request("stream.write", id, rest));
                        }
                    }
                    Err(fault) => stream.broken = Some(fault),
                }
            }
            Beneath::Program { waiting, busy } => {
                if let Some(operation) = waiting.take() {
                    *busy = true;
                    let wire = std::mem::take(&mut stream.wire);
                    self.state().answer(operation, stamp, Ok(Datum::Bytes(wire)));
                }
            }
        }
    }

    /// Takes an answer of the world beneath to something that we asked.
    fn heard(&mut self, completion: Completion<Answer>) {
        let Completion { operation, stamp, answer } = completion;
        let seconds = self.world.wall_clock() / 1_000_000;
        let state = self.state();
        state.clock.set(seconds);
        let Some((id, own)) = state.asked.remove(&operation) else { return };
        if let Own::Shutdown(operation) = own {
            state.answer(operation, stamp, answer);
            return;
        }
        let Some(stream) = state.streams.get_mut(&id) else { return };
        if let Beneath::World { reading, writing } = &mut stream.beneath {
            match own {
                Own::Read => *reading = false,
                Own::Write | Own::Shutdown(_) => *writing = false,
            }
        }
        match (own, answer) {
            (Own::Read, answer) => stream.arrived(answer),
            (_, Err(fault)) => stream.broken = Some(fault),
            (_, Ok(_)) => {}
        }
        self.pump(id, stamp);
    }

    fn at_once(&mut self, request: Request) -> Answer {
        let Request { kind, arguments } = request;
        let id = id(&arguments);
        match kind.as_str() {
            "tls.context" => {
                let options = options::context(argument(&arguments, 0));
                let state = self.state();
                match Context::new(&options, &state.clock) {
                    Ok(context) => {
                        let number = state.number();
                        state.contexts.insert(number, Arc::new(context));
                        Ok(Datum::Number(number as f64))
                    }
                    Err(refusal) => options::refused(refusal),
                }
            }
            "tls.forget" => {
                self.state().contexts.remove(&id);
                Ok(Datum::Undefined)
            }
            "tls.certificate" => {
                let certificate = self
                    .state()
                    .contexts
                    .get(&id)
                    .and_then(|context| context.own_certificate().map(<[u8]>::to_vec));
                Ok(certificate.map_or(Datum::Undefined, Datum::Bytes))
            }
            "tls.attach" => {
                let state = self.state();
                let id = ATTACHED + state.number();
                let beneath = Beneath::Program { waiting: None, busy: false };
                state.streams.insert(id, Stream::new(Connection::server(), beneath));
                Ok(Datum::Number(id as f64))
            }
            "tls.feed" => {
                let (stamp, seconds) = (self.world.now(), self.world.wall_clock() / 1_000_000);
                let state = self.state();
                state.clock.set(seconds);
                if let Some(stream) = state.streams.get_mut(&id) {
                    stream.arrived(Ok(argument(&arguments, 1).clone()));
                }
                self.pump(id, stamp);
                Ok(Datum::Undefined)
            }
            "tls.believe" => {
                let stamp = self.world.now();
                if let Some(stream) = self.state().streams.get_mut(&id) {
                    stream.held = false;
                }
                self.pump(id, stamp);
                Ok(Datum::Undefined)
            }
            "tls.export" => {
                let length = argument(&arguments, 1).as_number().unwrap_or_default() as usize;
                let label = argument(&arguments, 2).as_text().unwrap_or_default().as_bytes();
                let with = match argument(&arguments, 3) {
                    Datum::Bytes(bytes) => Some(bytes.as_slice()),
                    _ => None,
                };
                let stream = self.state().streams.get(&id);
                let secret =
                    stream.and_then(|stream| stream.connection.export(length, label, with));
                secret
                    .map(Datum::Bytes)
                    .ok_or_else(|| Fault::new("EINVAL", "there is no such secret"))
            }
            "stream.tryWrite" => self.try_write(id, arguments),
            // The end is to be said first, and that may take a while.
            "stream.tryShutdown" => Ok(Datum::Bool(false)),
            "stream.recall" => {
                let stream = self.state().streams.get_mut(&id);
                let read = stream.and_then(|stream| stream.read.take());
                Ok(Datum::Bool(read.is_some()))
            }
            "stream.close" => {
                self.state().streams.remove(&id);
                if id > ATTACHED {
                    return Ok(Datum::Undefined);
                }
                self.world.perform(Request { kind, arguments }, None)
            }
            kind if kind.starts_with("stream.") && id < ATTACHED => {
                self.world.perform(Request { kind: kind.into(), arguments }, None)
            }
            kind if kind.starts_with("stream.") => Ok(Datum::Undefined),
            _ => Err(Fault::new("ENOSYS", format!("TLS cannot do {kind} at once"))),
        }
    }

    /// Says as much at once as the wire takes; what it does not take is kept, and then nothing more is
    /// taken before it has gone.
    fn try_write(&mut self, id: u64, mut arguments: Vec<Datum>) -> Answer {
        let stamp = self.world.now();
        let Some(mut stream) = self.state().streams.remove(&id) else {
            return Ok(Datum::Number(0.0));
        };
        let mut sent = 0;
        if stream.is_established() && stream.writes.is_empty() && arguments.len() > 1 {
            let bytes = hemiola_gate::sockets::bytes(arguments.swap_remove(1));
            while sent < bytes.len() && stream.is_wire_free() && stream.broken.is_none() {
                sent += stream.say(&bytes[sent..]);
                self.flush(id, &mut stream, stamp);
            }
        }
        let broken = stream.broken.clone();
        self.state().streams.insert(id, stream);
        match broken {
            Some(fault) => Err(fault),
            None => Ok(Datum::Number(sent as f64)),
        }
    }
}

impl<L: Gated, W: World<L>> World<L> for Secure<'_, L, W> {
    const ORACLE: bool = W::ORACLE;
    const STILL: bool = W::STILL;

    fn now(&mut self) -> Instant {
        self.world.now()
    }

    fn look(&mut self) -> Instant {
        self.world.look()
    }

    fn wall_clock(&mut self) -> u64 {
        self.world.wall_clock()
    }

    fn random(&mut self) -> u64 {
        self.world.random()
    }

    fn write(&mut self, stream: hemiola_machine::Stream, bytes: &[u8]) -> io::Result<()> {
        self.world.write(stream, bytes)
    }

    fn breathe(&mut self) {
        self.world.breathe();
    }

    fn submit(&mut self, operation: Operation, request: Request) {
        if !self.is_ours(&request) {
            self.world.submit(operation, request);
            return;
        }
        if let Err(fault) = self.begin(operation, request) {
            let stamp = self.world.now();
            self.state().answer(operation, stamp, Err(fault));
        }
    }

    fn perform(&mut self, request: Request, draw: Option<Draw<'_>>) -> Answer {
        if self.is_ours(&request) {
            return self.at_once(request);
        }
        self.world.perform(request, draw)
    }

    fn cancel(&mut self, operation: Operation) {
        if let Some(state) = &mut self.state {
            for stream in state.streams.values_mut() {
                stream.forget(operation);
            }
        }
        self.world.cancel(operation);
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        loop {
            if let Some(state) = &mut self.state
                && let Some(ready) = state.ready.pop_front()
            {
                return Some(ready);
            }
            let completion = self.world.receive()?;
            if completion.operation.0 < OWN {
                return Some(completion);
            }
            self.heard(completion);
        }
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let has_ready = self.state.as_ref().is_some_and(|state| !state.ready.is_empty());
        has_ready || self.world.wait(until)
    }

    fn go_round(&mut self, due: bool) -> bool {
        self.world.go_round(due)
    }

    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        self.world.moves(gap, next_due, moves);
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Completion<Answer> {
        let mut completion = self.world.answer(operation, draw);
        if operation.0 >= OWN {
            // The machine never asked for this: it hears of what follows from it.
            let answer = std::mem::replace(&mut completion.answer, Ok(Datum::Undefined));
            self.heard(Completion { answer, ..completion });
        }
        completion
    }

    fn moved(&mut self, taken: Move) {
        self.world.moved(taken);
    }
}
