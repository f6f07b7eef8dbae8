//! A world that notes what another one says.

use super::entry::{Entry, Long, Question};
use hemiola_js::{Answer, Js, Request};
use hemiola_machine::{Completion, Instant, Operation, Stream, World};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// How many entries, and how many bytes in them, are handed on together.
const PART_ENTRIES: usize = 4096;
const PART_BYTES: usize = 256 * 1024;

/// Takes the entries, some thousands at a time.
pub type Keep = Box<dyn FnMut(Vec<Entry>) + Send>;

/// Where entries go; its copies are one.
#[derive(Clone)]
pub struct Tape(Arc<Mutex<Part>>);

struct Part {
    entries: Vec<Entry>,
    bytes: usize,
    keep: Keep,
}

impl Tape {
    /// A tape whose entries are kept like that.
    pub fn new(keep: Keep) -> Self {
        Self(Arc::new(Mutex::new(Part { entries: Vec::new(), bytes: 0, keep })))
    }

    /// Notes an entry.
    pub(super) fn note(&self, entry: Entry) {
        let mut part = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        part.bytes += entry.weight();
        part.entries.push(entry);
        if part.entries.len() >= PART_ENTRIES || part.bytes >= PART_BYTES {
            part.hand_on();
        }
    }

    /// Hands on what has been noted.
    pub fn flush(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).hand_on();
    }
}

impl Part {
    fn hand_on(&mut self) {
        if !self.entries.is_empty() {
            self.bytes = 0;
            (self.keep)(std::mem::take(&mut self.entries));
        }
    }
}

/// Passes everything on to a world, and notes what it says.
pub struct Recorder<W> {
    world: W,
    tape: Tape,
    now: Instant,
    quiet: u64,
}

impl<W> Recorder<W> {
    /// Records that world.
    pub fn new(world: W, tape: Tape) -> Self {
        Self { world, tape, now: Instant::ZERO, quiet: 0 }
    }

    /// The world that is recorded.
    pub fn world(&mut self) -> &mut W {
        &mut self.world
    }
}

impl<W: World<Js>> World<Js> for Recorder<W> {
    fn now(&mut self) -> Instant {
        let now = self.world.now();
        self.tape.note(Entry::Now(now.since(self.now).as_micros()));
        self.now = now;
        now
    }

    fn wall_clock(&mut self) -> u64 {
        let time = self.world.wall_clock();
        self.tape.note(Entry::Wall(time));
        time
    }

    fn random(&mut self) -> u64 {
        let number = self.world.random();
        self.tape.note(Entry::Random(number));
        number
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let result = self.world.write(stream, bytes);
        if let Err(error) = &result {
            let number = error.raw_os_error().unwrap_or_default();
            self.tape.note(Entry::long(Long::Refused(stream, number)));
        }
        result
    }

    fn breathe(&mut self) {
        self.world.breathe();
    }

    fn submit(&mut self, operation: Operation, request: Request) {
        self.tape.note(Entry::long(Long::Asked(operation, Question::of(&request))));
        self.world.submit(operation, request);
    }

    fn perform(&mut self, request: Request) -> Answer {
        let question = Question::of(&request);
        let answer = self.world.perform(request);
        self.tape.note(Entry::long(Long::Performed(question, answer.clone())));
        answer
    }

    fn cancel(&mut self, operation: Operation) {
        self.world.cancel(operation);
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        let Some(completion) = self.world.receive() else {
            self.quiet += 1;
            return None;
        };
        let quiet = std::mem::take(&mut self.quiet);
        let Completion { operation, stamp, answer } = completion.clone();
        self.tape.note(Entry::long(Long::Received { quiet, operation, stamp, answer }));
        Some(completion)
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let goes_on = self.world.wait(until);
        if !goes_on {
            self.tape.note(Entry::Over);
        }
        goes_on
    }

    fn go_round(&mut self, due: bool) -> bool {
        let goes_on = self.world.go_round(due);
        if !goes_on {
            self.tape.note(Entry::Over);
        }
        goes_on
    }
}
