//! A world that says again what was recorded.

use super::entry::{Entry, Long, Look, Question, inherited, shared_variable};
use hemiola_gate::{Answer, Checked, Datum, Fault, Gated, PortCall, Reason, Request, Stop};
use hemiola_machine::{
    Answered, Completion, Delay, Draw, Gap, Instant, Limit, Move, Operation, Stream, World,
};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a replay left its recording (rule GATE-2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Which entry would have been next, the first being 1.
    pub input: u64,
    /// What was recorded there; nothing at the end.
    pub recorded: Option<String>,
    /// What was asked instead.
    pub asked: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let recorded = self.recorded.as_deref().unwrap_or("nothing more");
        write!(f, "at input {}: recorded {recorded}, asked for {}", self.input, self.asked)
    }
}

/// What is left of a recording; its copies are one.
#[derive(Clone)]
pub(super) struct Rest(Arc<Mutex<Inner>>);

struct Inner {
    entries: VecDeque<Entry>,
    taken: u64,
    /// The same, for whoever looks how far it is.
    counter: Arc<AtomicU64>,
    divergence: Option<Divergence>,
    shares_memory: bool,
    /// What others wrote to the program's streams, and is to be shown.
    shown: Vec<(Stream, Vec<u8>)>,
    /// Whether a child wrote there unseen.
    has_unseen: bool,
    /// The texts of modules that were read, as they were last.
    texts: BTreeMap<PathBuf, Vec<u8>>,
    stop: Stop,
}

impl Inner {
    fn count(&mut self) {
        self.taken += 1;
        self.counter.store(self.taken, Ordering::Relaxed);
    }

    /// Passes what nobody asks for: texts that were read before, too, unless it is the one that is `wanted`.
    fn pass(&mut self, wanted: Option<&Path>) {
        while let Some(entry) = self.entries.front() {
            if !is_shown(entry) && self.read_again(entry).is_none_or(|path| Some(path) == wanted) {
                return;
            }
            self.count();
            let Some(Entry::Long(long)) = self.entries.pop_front() else { return };
            match *long {
                Long::Shown(stream, bytes) => self.shown.push((stream, bytes)),
                Long::Unseen => self.has_unseen = true,
                Long::Module(path, Look::Read(Ok(text))) => drop(self.texts.insert(path, text)),
                // They were looked at before the program began.
                _ => {}
            }
        }
    }

    /// A text that was read before, unless it is read anew next.
    fn known(&mut self, path: &Path) -> Option<Vec<u8>> {
        self.pass(Some(path));
        let is_next = self.entries.front().and_then(read_of) == Some(path);
        self.texts.get(path).filter(|_| !is_next && self.divergence.is_none()).cloned()
    }

    /// The file of a text that was read before: whether and when somebody looks at it once more, to show the place of
    /// an error, is no part of what the program does.
    fn read_again<'a>(&self, entry: &'a Entry) -> Option<&'a Path> {
        let Entry::Long(long) = entry else { return None };
        match &**long {
            Long::Module(path, Look::Read(Ok(_))) if self.texts.contains_key(path) => Some(path),
            _ => None,
        }
    }
}

/// The file whose text was read.
fn read_of(entry: &Entry) -> Option<&Path> {
    let Entry::Long(long) = entry else { return None };
    match &**long {
        Long::Module(path, Look::Read(_)) => Some(path),
        _ => None,
    }
}

/// Whether that is something that nobody asks for: what others wrote, and the environment.
fn is_shown(entry: &Entry) -> bool {
    let Entry::Long(long) = entry else { return false };
    matches!(**long, Long::Shown(..) | Long::Unseen | Long::Variable(_))
}

impl Rest {
    /// Takes the next entry if it is one that `fits`, else notes that the replay has left the
    /// recording and asks the program to stop.
    pub(super) fn take<T>(
        &self,
        asked: impl FnOnce() -> String,
        fits: impl FnOnce(Entry) -> Result<T, Entry>,
    ) -> Option<T> {
        self.take_wanted(None, asked, fits)
    }

    fn take_wanted<T>(
        &self,
        wanted: Option<&Path>,
        asked: impl FnOnce() -> String,
        fits: impl FnOnce(Entry) -> Result<T, Entry>,
    ) -> Option<T> {
        let mut inner = self.inner();
        if inner.divergence.is_some() {
            return None;
        }
        inner.pass(wanted);
        let recorded = match inner.entries.pop_front().map(fits) {
            Some(Ok(found)) => {
                inner.count();
                return Some(found);
            }
            Some(Err(other)) => Some(other.to_string()),
            None => None,
        };
        let input = inner.taken + 1;
        let mut asked = asked();
        if recorded.as_ref() == Some(&asked) {
            asked.push_str(", with other arguments");
        }
        inner.divergence = Some(Divergence { input, recorded, asked });
        // The reason matters to nobody: who replays looks at the divergence first.
        inner.stop.ask(Reason::Terminated);
        None
    }

    /// The text of a module: as it was read now, or else as it was read before.
    pub(super) fn text(&self, path: &Path) -> Option<Result<Vec<u8>, i32>> {
        if let Some(text) = self.inner().known(path) {
            return Some(Ok(text));
        }
        let fits = |entry: Entry| match entry {
            Entry::Long(long) => match *long {
                Long::Module(read, Look::Read(result)) if read == path => Ok(result),
                other => Err(Entry::long(other)),
            },
            other => Err(other),
        };
        let result =
            self.take_wanted(Some(path), || format!("reading {}", path.display()), fits)?;
        if let Ok(text) = &result {
            self.inner().texts.insert(path.to_owned(), text.clone());
        }
        Some(result)
    }

    /// Takes the next entry if it is one that `fits`, and leaves it if not.
    fn take_if(&self, fits: impl FnOnce(&Entry) -> bool) -> Option<Entry> {
        let mut inner = self.inner();
        inner.pass(None);
        if !inner.entries.front().is_some_and(fits) {
            return None;
        }
        inner.count();
        inner.entries.pop_front()
    }

    /// Whether the next entry that somebody asks for `fits`. What others wrote before it stays: it may have come
    /// after what the program writes now.
    fn next_is(&self, fits: impl FnOnce(&Entry) -> bool) -> bool {
        let inner = self.inner();
        let is_asked = |entry: &&Entry| !is_shown(entry) && inner.read_again(entry).is_none();
        inner.entries.iter().find(is_asked).is_some_and(fits)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A world that says again what was recorded. What the program writes goes to `write`.
pub struct Recorded<F> {
    rest: Rest,
    now: Instant,
    quiet: u64,
    write: F,
    /// The environment that the program has.
    variables: Vec<(String, String)>,
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Recorded<F> {
    /// A world with those answers; a program that asks for others is told to stop.
    pub fn new(entries: impl IntoIterator<Item = Entry>, stop: Stop, write: F) -> Self {
        let entries = entries.into_iter().collect();
        let inner = Inner {
            entries,
            taken: 0,
            counter: Arc::default(),
            divergence: None,
            shares_memory: false,
            shown: Vec::new(),
            has_unseen: false,
            texts: BTreeMap::new(),
            stop,
        };
        let rest = Rest(Arc::new(Mutex::new(inner)));
        Self { rest, now: Instant::ZERO, quiet: 0, write, variables: Vec::new() }
    }

    /// Says there how many entries were taken.
    #[must_use]
    pub fn counted_by(self, counter: Arc<AtomicU64>) -> Self {
        self.rest.inner().counter = counter;
        self
    }

    /// Says what the program's own environment is.
    #[must_use]
    pub fn with_variables(mut self, variables: Vec<(String, String)>) -> Self {
        self.variables = variables;
        self
    }

    /// An answer as it was given: the value of a variable that is inherited is in the environment.
    fn given(&self, request: &Request, answer: Answer) -> Answer {
        let Some(name) = shared_variable(request) else { return answer };
        if answer.as_ref().ok() != Some(&inherited(name)) {
            return answer;
        }
        let value = self.variables.iter().find(|(other, _)| other == name);
        Ok(value.map_or(Datum::Undefined, |(_, value)| Datum::Text(value.clone())))
    }

    pub(super) fn rest(&self) -> Rest {
        self.rest.clone()
    }

    /// Where the program asked for something else than was recorded.
    pub fn divergence(&self) -> Option<Divergence> {
        self.rest.inner().divergence.clone()
    }

    /// The same, for a program that has ended: it should have asked for everything by then.
    pub fn divergence_at_end(&mut self) -> Option<Divergence> {
        let mut inner = self.rest.inner();
        inner.pass(None);
        drop(inner);
        self.show();
        let inner = self.rest.inner();
        inner.divergence.clone().or_else(|| {
            let recorded = Some(inner.entries.front()?.to_string());
            let asked = "nothing more: the program ended".into();
            Some(Divergence { input: inner.taken + 1, recorded, asked })
        })
    }

    /// Whether the program came to share memory with a worker. What others do there is not recorded, so the
    /// replay ends at that point.
    pub fn shares_memory(&self) -> bool {
        self.rest.inner().shares_memory
    }

    /// Whether a child wrote to the program's own streams, and nobody knows what.
    pub fn has_unseen(&self) -> bool {
        self.rest.inner().has_unseen
    }

    /// Shows what others wrote by now.
    fn show(&mut self) {
        let shown = std::mem::take(&mut self.rest.inner().shown);
        for (stream, bytes) in shown {
            // Who wrote it then heard what became of it; now there is nobody to tell.
            let _ = (self.write)(stream, &bytes);
        }
    }

    /// Ends the replay where memory is shared with another machine: from there on it would not be exact.
    fn end_at_shared_memory(&self, request: &Request, answer: &Answer) {
        let is_shared = match request {
            Request::Port(PortCall::Post { memory, .. } | PortCall::Return { memory, .. }) => {
                !memory.is_empty()
            }
            // A message: its bytes, the ports and the memory that came with it.
            Request::Port(PortCall::Take { .. }) => match answer {
                Ok(Datum::List(parts)) => {
                    matches!(parts.get(2), Some(Datum::List(memory)) if !memory.is_empty())
                }
                _ => false,
            },
            _ => false,
        };
        if is_shared {
            let mut inner = self.rest.inner();
            inner.shares_memory = true;
            let (input, asked) = (inner.taken, "memory that is shared with a worker".to_owned());
            inner.divergence.get_or_insert(Divergence { input, recorded: None, asked });
            inner.stop.ask(Reason::Terminated);
        }
    }

    /// Whether that question is the recorded one.
    fn agree(recorded: &Question, asked: &Question, request: &Checked) -> bool {
        let is_same = |asked: &Question| recorded.digest == asked.digest;
        let is_older = || Question::with_environment(request).is_some_and(|asked| is_same(&asked));
        recorded.kind == asked.kind && (is_same(asked) || is_older())
    }

    /// The next number, which must be of the kind that `pick` knows.
    fn number(&mut self, asked: &str, pick: impl FnOnce(&Entry) -> Option<u64>) -> u64 {
        let fits = |entry: Entry| pick(&entry).ok_or(entry);
        let number = self.rest.take(|| asked.to_owned(), fits).unwrap_or_default();
        self.show();
        number
    }

    fn is_over(&mut self) -> bool {
        let is_over = self.rest.take_if(|entry| *entry == Entry::Over).is_some();
        self.show();
        is_over
    }
}

impl<L: Gated, F: FnMut(Stream, &[u8]) -> io::Result<()>> World<L> for Recorded<F> {
    const ORACLE: bool = false;
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        let later = self.number("a reading of the clock", |entry| match entry {
            Entry::Now(later) => Some(*later),
            _ => None,
        });
        self.now = self.now + Delay::from_micros(later);
        self.now
    }

    fn look(&mut self) -> Instant {
        World::<L>::now(self)
    }

    fn wall_clock(&mut self) -> u64 {
        self.number("a reading of the clock on the wall", |entry| match entry {
            Entry::Wall(time) => Some(*time),
            _ => None,
        })
    }

    fn random(&mut self) -> u64 {
        self.number("a random number", |entry| match entry {
            Entry::Random(number) => Some(*number),
            _ => None,
        })
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        if self.rest.inner().divergence.is_some() {
            // A program that has left the recording computes with answers that nobody gave, until it stops.
            return Ok(());
        }
        let refused = |entry: &Entry| match entry {
            Entry::Long(long) => matches!(**long, Long::Refused(refused, _) if refused == stream),
            _ => false,
        };
        if self.rest.next_is(refused)
            && let Some(Entry::Long(long)) = self.rest.take_if(refused)
            && let Long::Refused(_, number) = *long
        {
            self.show();
            return Err(io::Error::from_raw_os_error(number));
        }
        (self.write)(stream, bytes)
    }

    fn began(&mut self) {}

    /// The engine asks after as many steps as it did then (rule GATE-2).
    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        let Some(Limit { question, .. }) = limit else { return false };
        let is_now = |entry: &Entry| match entry {
            Entry::Long(long) => **long == Long::Interrupted { question },
            _ => false,
        };
        self.rest.take_if(is_now).is_some()
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        let asked = Question::of(&request);
        self.rest.take(
            || format!("the operation {asked}"),
            |entry| match &entry {
                Entry::Long(long) => match &**long {
                    Long::Asked(number, recorded)
                        if *number == operation && Self::agree(recorded, &asked, &request) =>
                    {
                        Ok(())
                    }
                    _ => Err(entry),
                },
                _ => Err(entry),
            },
        );
        self.show();
    }

    fn perform(&mut self, request: Checked, _: Option<Draw<'_>>) -> Answer {
        let asked = Question::of(&request);
        let answer = self.rest.take(
            || format!("the operation {asked}, at once"),
            |entry| match entry {
                Entry::Long(long) => match *long {
                    Long::Performed(recorded, answer)
                        if Self::agree(&recorded, &asked, &request) =>
                    {
                        Ok(answer)
                    }
                    other => Err(Entry::long(other)),
                },
                other => Err(other),
            },
        );
        self.show();
        let answer =
            answer.unwrap_or_else(|| Err(Fault::new("EIO", "the replay has left its recording")));
        self.end_at_shared_memory(request.request(), &answer);
        self.given(request.request(), answer)
    }

    /// An answer that came all the same is recorded, and comes again.
    fn cancel(&mut self, _: Operation) {}

    fn receive(&mut self) -> Option<Completion<Answer>> {
        let quiet = self.quiet;
        let is_now = |entry: &Entry| match entry {
            Entry::Long(long) => {
                matches!(**long, Long::Received { quiet: recorded, .. } if recorded == quiet)
            }
            _ => false,
        };
        let now = self.rest.take_if(is_now);
        self.show();
        let Some(Entry::Long(long)) = now else {
            self.quiet += 1;
            return None;
        };
        let Long::Received { operation, stamp, answer, trips, .. } = *long else {
            unreachable!("it was looked at before it was taken")
        };
        self.quiet = 0;
        Some(Completion { operation, stamp, answer, trips })
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        !self.is_over()
    }

    fn go_round(&mut self, _: bool) -> bool {
        !self.is_over()
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, _: &mut Vec<Move>) {
        // It is settled when answers come: there is nothing to choose.
    }

    fn answer(&mut self, _: Operation, _: Draw<'_>) -> Answered<Answer> {
        unreachable!("only a world that offers moves is asked to make one")
    }

    /// The readings of the clock that follow know of it.
    fn moved(&mut self, _: Move) {}

    fn seen(&mut self, _: Operation, _: u32) {}
}
