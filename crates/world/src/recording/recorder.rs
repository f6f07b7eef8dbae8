//! A world that notes what another one says.

use super::entry::{Entry, Long, Question, Variable, inherited, shared_variable};
use hemiola_gate::{Answer, Checked, Datum, Gated};
use hemiola_machine::{
    Answered, Completion, Draw, Gap, Instant, Limit, Move, Operation, Stream, World,
};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// About how many bytes of entries are handed on together.
const PART_BYTES: usize = 64 * 1024;

/// Takes some entries, of so many bytes; false when it wants no more.
pub type Keep = Box<dyn FnMut(Vec<Entry>, usize) -> bool + Send>;

/// Where entries go; its copies are one.
#[derive(Clone)]
pub struct Tape(Arc<Shared>);

struct Shared {
    /// Whether anything is still kept: who records more than is wanted should cost nothing.
    on: AtomicBool,
    part: Mutex<Part>,
}

struct Part {
    entries: Vec<Entry>,
    bytes: usize,
    keep: Keep,
}

impl Tape {
    /// A tape whose entries are kept like that.
    pub fn new(keep: Keep) -> Self {
        let part = Mutex::new(Part { entries: Vec::new(), bytes: 0, keep });
        Self(Arc::new(Shared { on: AtomicBool::new(true), part }))
    }

    /// Whether entries are still wanted.
    pub fn is_on(&self) -> bool {
        self.0.on.load(Ordering::Relaxed)
    }

    /// Notes an entry.
    pub(super) fn note(&self, entry: Entry) {
        if !self.is_on() {
            return;
        }
        let mut part = self.part();
        part.bytes += entry.weight();
        part.entries.push(entry);
        if part.bytes >= PART_BYTES {
            self.hand_on(&mut part);
        }
    }

    /// Notes what a worker, or a child that has the program's own streams, wrote to one of them.
    pub fn show(&self, stream: Stream, bytes: &[u8]) {
        if self.is_on() {
            self.note(Entry::long(Long::Shown(stream, bytes.to_vec())));
        }
    }

    /// Notes a variable that the program read.
    pub fn read(&self, variable: Variable) {
        self.note(Entry::long(Long::Variable(variable)));
    }

    /// Notes that a child writes to one of them unseen.
    pub fn miss(&self) {
        self.note(Entry::long(Long::Unseen));
    }

    /// Hands on what has been noted.
    pub fn flush(&self) {
        self.hand_on(&mut self.part());
    }

    /// Hands on what has been noted, and notes nothing more.
    pub fn cut(&self) {
        if self.is_on() {
            self.flush();
            self.0.on.store(false, Ordering::Relaxed);
        }
    }

    /// What `handed` still gives of what was handed on, and what waits to be, in this order; nothing while
    /// something is being handed on.
    pub fn take_all(&self, handed: impl FnMut() -> Option<Vec<Entry>>) -> Vec<Entry> {
        let Ok(mut part) = self.0.part.try_lock() else { return Vec::new() };
        let mut all: Vec<Entry> = std::iter::from_fn(handed).flatten().collect();
        part.bytes = 0;
        all.append(&mut part.entries);
        all
    }

    fn hand_on(&self, part: &mut Part) {
        if part.entries.is_empty() {
            return;
        }
        let entries = std::mem::take(&mut part.entries);
        let wanted = (part.keep)(entries, std::mem::take(&mut part.bytes));
        self.0.on.store(wanted, Ordering::Relaxed);
    }

    fn part(&self) -> MutexGuard<'_, Part> {
        self.0.part.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Passes everything on to a world, and notes what it says.
pub struct Recorder<W> {
    world: W,
    tape: Tape,
    now: Instant,
    quiet: u64,
    is_inherited: Option<IsInherited>,
    is_over: Option<IsOver>,
}

/// Whether a program was killed while it waited: what it does then is nobody's business.
pub type IsOver = Box<dyn Fn() -> bool + Send>;

/// Whether a variable has the value that the program's own environment has; then it is noted as read.
pub type IsInherited = Box<dyn Fn(&str, &str) -> bool + Send>;

impl<W> Recorder<W> {
    /// Records that world.
    pub fn new(world: W, tape: Tape) -> Self {
        Self { world, tape, now: Instant::ZERO, quiet: 0, is_inherited: None, is_over: None }
    }

    /// Notes values of the program's own environment as variables, where machines share one.
    #[must_use]
    pub fn knowing(mut self, is_inherited: Option<IsInherited>) -> Self {
        self.is_inherited = is_inherited;
        self
    }

    /// Notes nothing more of a program that was killed.
    #[must_use]
    pub fn until(mut self, is_over: IsOver) -> Self {
        self.is_over = Some(is_over);
        self
    }

    /// Whether the program goes on, now that it has waited.
    fn has_waited(&self, goes_on: bool) -> bool {
        if self.is_over.as_ref().is_some_and(|is_over| is_over()) {
            self.tape.cut();
        }
        if !goes_on {
            self.tape.note(Entry::Over);
        }
        goes_on
    }

    /// What is noted of the value of a shared variable: that it is the inherited one, if it is.
    fn noted(&self, name: Option<&str>, answer: &Answer) -> Answer {
        match (name, answer, &self.is_inherited) {
            (Some(name), Ok(Datum::Text(value)), Some(is_inherited))
                if is_inherited(name, value) =>
            {
                Ok(inherited(name))
            }
            _ => answer.clone(),
        }
    }

    /// The world that is recorded.
    pub fn world(&mut self) -> &mut W {
        &mut self.world
    }

    fn note_now(&mut self, now: Instant) -> Instant {
        self.tape.note(Entry::Now(now.since(self.now).as_micros()));
        self.now = now;
        now
    }
}

impl<L: Gated, W: World<L>> World<L> for Recorder<W> {
    const ORACLE: bool = {
        assert!(!W::ORACLE, "what an oracle leaves open is no answer that could be recorded");
        false
    };

    /// A replay asks what was asked, and its world is not still.
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        let now = self.world.now();
        self.note_now(now)
    }

    fn look(&mut self) -> Instant {
        let now = self.world.look();
        self.note_now(now)
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

    fn began(&mut self) {
        self.world.began();
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        let is_over = self.world.breathe(limit);
        if self.is_over.as_ref().is_some_and(|is_over| is_over()) {
            self.tape.cut();
        }
        if let Some(Limit { question, .. }) = limit.filter(|_| is_over) {
            self.tape.note(Entry::long(Long::Interrupted { question }));
        }
        is_over
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        if self.tape.is_on() {
            self.tape.note(Entry::long(Long::Asked(operation, Question::of(&request))));
        }
        self.world.submit(operation, request);
    }

    fn perform(&mut self, request: Checked, draw: Option<Draw<'_>>) -> Answer {
        if !self.tape.is_on() {
            return self.world.perform(request, draw);
        }
        let question = Question::of(&request);
        let variable = shared_variable(request.request()).map(str::to_owned);
        let answer = self.world.perform(request, draw);
        let noted = self.noted(variable.as_deref(), &answer);
        self.tape.note(Entry::long(Long::Performed(question, noted)));
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
        if !self.tape.is_on() {
            return Some(completion);
        }
        let Completion { operation, stamp, answer, trips } = completion.clone();
        self.tape.note(Entry::long(Long::Received { quiet, operation, stamp, answer, trips }));
        Some(completion)
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let goes_on = self.world.wait(until);
        self.has_waited(goes_on)
    }

    fn go_round(&mut self, due: bool) -> bool {
        let goes_on = self.world.go_round(due);
        self.has_waited(goes_on)
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, _: &mut Vec<Move>) {
        // The world offers none.
    }

    fn answer(&mut self, _: Operation, _: Draw<'_>) -> Answered<Answer> {
        unreachable!("only a world that offers moves is asked to make one")
    }

    fn moved(&mut self, taken: Move) {
        self.world.moved(taken);
    }

    fn seen(&mut self, operation: Operation, trips: u32) {
        self.world.seen(operation, trips);
    }
}
