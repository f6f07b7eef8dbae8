//! TLS over the streams of any world (rule GATE-4): the program sees what was said, the world beneath
//! only what goes over the wire.
//!
//! [`Secure`] is a world around another. It answers requests of kind `tls.…`, and those for streams that
//! TLS protects; all others are none of its business. What it needs from the world beneath it asks for
//! under numbers of its own, so that the machine never hears of it.

mod options;
mod stream;

use hemiola_gate::{
    Answer, Checked, Datum, Fault, Gated, Pieces, Record, Request, StreamCall, TlsCall,
};
use hemiola_machine::{
    Answered, Completion, Draw, Gap, Instant, Keep, Kept, Limit, Move, Operation, World,
};
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
        self.ready.push_back(Completion::new(operation, stamp, answer));
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

/// A request that is for us.
enum Ours {
    Tls(TlsCall),
    /// For a stream that TLS protects.
    Stream(StreamCall),
}

impl<'a, L: Gated, W: World<L>> Secure<'a, L, W> {
    /// That world, with TLS.
    pub fn new(world: &'a mut W) -> Self {
        Self { world, language: PhantomData, state: None }
    }

    fn state(&mut self) -> &mut State {
        self.state.get_or_insert_default()
    }

    /// The request if it is for us, or else as it was.
    fn sort(&self, request: Checked) -> Result<Ours, Checked> {
        let is_protected =
            |stream| self.state.as_ref().is_some_and(|state| state.streams.contains_key(&stream));
        let is_ours = match request.request() {
            Request::Tls(_) => true,
            Request::Stream(call) => is_protected(call.stream()),
            _ => false,
        };
        if !is_ours {
            return Err(request);
        }
        match request.into_request() {
            Request::Tls(call) => Ok(Ours::Tls(call)),
            Request::Stream(call) => Ok(Ours::Stream(call)),
            other => unreachable!("{} is none of ours", other.name()),
        }
    }

    fn begin(&mut self, operation: Operation, request: Ours) -> Result<(), Fault> {
        match request {
            Ours::Tls(TlsCall::Hello { stream, options }) => {
                self.start(operation, true, stream, &options)
            }
            Ours::Tls(TlsCall::Start { stream, options }) => {
                self.start(operation, false, stream, &options)
            }
            Ours::Tls(TlsCall::Session { stream }) => {
                self.with(stream, |stream| stream.session = Some(operation))
            }
            Ours::Tls(TlsCall::Drain { stream }) => self.with(stream, |stream| {
                if let Beneath::Program { waiting, busy } = &mut stream.beneath {
                    *waiting = Some(operation);
                    *busy = false;
                }
            }),
            Ours::Stream(StreamCall::Read { stream }) => {
                self.with(stream, |stream| stream.read = Some(operation))
            }
            Ours::Stream(StreamCall::Write { stream, bytes }) => self.with(stream, |stream| {
                let bytes = bytes.whole();
                stream.writes.push_back(Outgoing::Bytes { bytes, sent: 0, operation });
            }),
            Ours::Stream(StreamCall::Shutdown { stream }) => self
                .with(stream, |stream| stream.writes.push_back(Outgoing::Shutdown { operation })),
            Ours::Tls(
                call @ (TlsCall::Context { .. }
                | TlsCall::Forget { .. }
                | TlsCall::Certificate { .. }
                | TlsCall::Attach
                | TlsCall::Feed { .. }
                | TlsCall::Believe { .. }
                | TlsCall::Export { .. }),
            ) => Err(no_operation(call.name())),
            Ours::Stream(
                call @ (StreamCall::TryWrite { .. }
                | StreamCall::TryShutdown { .. }
                | StreamCall::Recall { .. }
                | StreamCall::Set { .. }
                | StreamCall::Close { .. }),
            ) => Err(no_operation(call.name())),
        }
    }

    /// Asks something of a stream, and does what can be done for it now.
    fn with(&mut self, id: u64, ask: impl FnOnce(&mut Stream)) -> Result<(), Fault> {
        let stream = self.state().streams.get_mut(&id);
        ask(stream.ok_or_else(|| Fault::new("EBADF", "this stream has no TLS"))?);
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
        given: &Record,
    ) -> Result<(), Fault> {
        let stamp = self.world.now();
        let seconds = self.world.wall_clock() / 1_000_000;
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
            self.ask(id, Own::Read, StreamCall::Read { stream: id });
        }
        self.state().streams.insert(id, stream);
    }

    /// Asks the world beneath.
    fn ask(&mut self, id: u64, own: Own, call: StreamCall) {
        let state = self.state();
        let operation = Operation(OWN + state.number());
        state.asked.insert(operation, (id, own));
        self.world.submit(operation, Checked::on_stream(call));
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
            self.ask(id, Own::Shutdown(operation), StreamCall::Shutdown { stream: id });
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
                let bytes = Pieces::One(wire.clone());
                let piece = Checked::on_stream(StreamCall::TryWrite { stream: id, bytes });
                match self.world.perform(piece, None) {
                    Ok(taken) => {
                        let taken = taken.as_number().unwrap_or_default() as usize;
                        if taken < wire.len() {
                            wire.drain(..taken);
                            *writing = true;
                            let bytes = Pieces::One(wire);
                            self.ask(id, Own::Write, StreamCall::Write { stream: id, bytes });
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
        let Completion { operation, stamp, answer, trips: _ } = completion;
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

    fn at_once(&mut self, request: Ours) -> Answer {
        match request {
            Ours::Tls(call) => self.tls_at_once(call),
            Ours::Stream(call) => self.stream_at_once(call),
        }
    }

    fn tls_at_once(&mut self, call: TlsCall) -> Answer {
        match call {
            TlsCall::Context { options } => {
                let options = options::context(&options);
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
            TlsCall::Forget { context } => {
                self.state().contexts.remove(&context);
                Ok(Datum::Undefined)
            }
            TlsCall::Certificate { context } => {
                let certificate = self
                    .state()
                    .contexts
                    .get(&context)
                    .and_then(|context| context.own_certificate().map(<[u8]>::to_vec));
                Ok(certificate.map_or(Datum::Undefined, Datum::Bytes))
            }
            TlsCall::Attach => {
                let state = self.state();
                let id = ATTACHED + state.number();
                let beneath = Beneath::Program { waiting: None, busy: false };
                state.streams.insert(id, Stream::new(Connection::server(), beneath));
                Ok(Datum::Number(id as f64))
            }
            TlsCall::Feed { stream: id, bytes } => {
                let (stamp, seconds) = (self.world.now(), self.world.wall_clock() / 1_000_000);
                let state = self.state();
                state.clock.set(seconds);
                if let Some(stream) = state.streams.get_mut(&id) {
                    stream.arrived(Ok(Datum::Bytes(bytes)));
                }
                self.pump(id, stamp);
                Ok(Datum::Undefined)
            }
            TlsCall::Believe { stream: id } => {
                let stamp = self.world.now();
                if let Some(stream) = self.state().streams.get_mut(&id) {
                    stream.held = false;
                }
                self.pump(id, stamp);
                Ok(Datum::Undefined)
            }
            TlsCall::Export { stream, length, label, context } => {
                let stream = self.state().streams.get(&stream);
                let secret = stream.and_then(|stream| {
                    let context = context.as_deref();
                    stream.connection.export(length as usize, label.as_bytes(), context)
                });
                secret
                    .map(Datum::Bytes)
                    .ok_or_else(|| Fault::new("EINVAL", "there is no such secret"))
            }
            TlsCall::Drain { .. }
            | TlsCall::Hello { .. }
            | TlsCall::Start { .. }
            | TlsCall::Session { .. } => {
                Err(Fault::new("ENOSYS", format!("TLS cannot do {} at once", call.name())))
            }
        }
    }

    fn stream_at_once(&mut self, call: StreamCall) -> Answer {
        match call {
            StreamCall::TryWrite { stream, bytes } => self.try_write(stream, bytes),
            // The end is to be said first, and that may take a while.
            StreamCall::TryShutdown { .. } => Ok(Datum::Bool(false)),
            StreamCall::Recall { stream } => {
                let stream = self.state().streams.get_mut(&stream);
                let read = stream.and_then(|stream| stream.read.take());
                Ok(Datum::Bool(read.is_some()))
            }
            StreamCall::Close { stream, .. } => {
                self.state().streams.remove(&stream);
                self.beneath(call)
            }
            StreamCall::Set { .. }
            | StreamCall::Read { .. }
            | StreamCall::Write { .. }
            | StreamCall::Shutdown { .. } => self.beneath(call),
        }
    }

    /// Leaves a call to the world beneath, unless the program is there.
    fn beneath(&mut self, call: StreamCall) -> Answer {
        if call.stream() > ATTACHED {
            return Ok(Datum::Undefined);
        }
        self.world.perform(Checked::on_stream(call), None)
    }

    /// Says as much at once as the wire takes; what it does not take is kept, and then nothing more is
    /// taken before it has gone.
    fn try_write(&mut self, id: u64, bytes: Pieces) -> Answer {
        let stamp = self.world.now();
        let Some(mut stream) = self.state().streams.remove(&id) else {
            return Ok(Datum::Number(0.0));
        };
        let mut sent = 0;
        if stream.is_established() && stream.writes.is_empty() {
            let bytes = bytes.whole();
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

/// It has nothing of its own until a program asks for TLS, and cannot be kept from then on.
impl<L, W: Keep> Keep for Secure<'_, L, W> {
    fn keep(&self) -> Option<Kept> {
        if self.state.is_none() { self.world.keep() } else { None }
    }

    fn fits(&self, kept: &Kept) -> bool {
        self.state.is_none() && self.world.fits(kept)
    }

    fn go_on(&mut self, kept: &Kept) {
        self.world.go_on(kept);
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

    fn began(&mut self) {
        self.world.began();
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        self.world.breathe(limit)
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        match self.sort(request) {
            Ok(ours) => {
                if let Err(fault) = self.begin(operation, ours) {
                    let stamp = self.world.now();
                    self.state().answer(operation, stamp, Err(fault));
                }
            }
            Err(theirs) => self.world.submit(operation, theirs),
        }
    }

    fn perform(&mut self, request: Checked, draw: Option<Draw<'_>>) -> Answer {
        match self.sort(request) {
            Ok(ours) => self.at_once(ours),
            Err(theirs) => self.world.perform(theirs, draw),
        }
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

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<Answer> {
        let mut answered = self.world.answer(operation, draw);
        if operation.0 >= OWN
            && let Answered::Whole(completion) = &mut answered
        {
            // The machine never asked for this: it hears of what follows from it.
            let answer = std::mem::replace(&mut completion.answer, Ok(Datum::Undefined));
            let completion = Completion { answer, ..*completion };
            self.heard(completion);
        }
        answered
    }

    fn moved(&mut self, taken: Move) {
        self.world.moved(taken);
    }

    fn seen(&mut self, operation: Operation, trips: u32) {
        self.world.seen(operation, trips);
    }
}

fn no_operation(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("TLS knows no operation {name}"))
}
