//! Who listens to a run: the file of `--trace`, the comparison of `--paranoid`, and tools that read
//! events as they happen.

use crate::done::Done;
use crate::exit::LEFT;
use crate::report::{self, Failure};
use hemiola_machine::{Event, Sink, Stream, TaskFact};
use hemiola_trace::diff::{Comparison, Difference, Kept};
use hemiola_trace::wire;
use hemiola_world::Environment;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Takes the events of a run.
#[derive(Default)]
pub(super) struct Watch {
    file: Option<Trace>,
    memory: Memory,
    listeners: Vec<Listener>,
    /// When the simulated computer runs, if not always.
    environment: Option<Environment>,
    /// By how many milliseconds somebody has set its clock on the wall, as far as a scheduler has noticed.
    set_by: i64,
    /// The event as it is written.
    line: Vec<u8>,
}

/// A tool that takes every event.
pub(super) type Listener = Box<dyn FnMut(Event)>;

/// The file of `--trace`, until it fails.
struct Trace {
    path: PathBuf,
    out: Shared,
}

/// The file, which somebody else writes to its end if the program does not stop.
type Shared = Arc<Mutex<io::Result<BufWriter<File>>>>;

/// What `--paranoid` does with events.
#[derive(Default)]
enum Memory {
    /// Nothing: it was not asked for.
    #[default]
    None,
    /// They are kept, to be compared with.
    Keeps(Kept),
    /// They are compared with those of the run before.
    Compares(Comparison),
}

impl Watch {
    /// Writes the events to that file, if one is given; `paranoid` lets another run be compared.
    pub(super) fn new(trace: Option<&Path>, paranoid: bool) -> Result<Self, Failure> {
        let memory = if paranoid { Memory::Keeps(Kept::default()) } else { Memory::None };
        let file = trace.map(Trace::create).transpose()?;
        Ok(Self { file, memory, ..Self::default() })
    }

    /// Hands the events to a tool, and to nobody else.
    pub(super) fn told(listener: Listener) -> Self {
        Self { listeners: vec![listener], ..Self::default() }
    }

    /// Hands the events to a tool, too.
    pub(super) fn tell(&mut self, listener: Listener) {
        self.listeners.push(listener);
    }

    /// What a scheduler is granted is only what this environment grants.
    pub(super) fn set_environment(&mut self, environment: Option<Environment>) {
        self.environment = environment;
    }

    /// Whether nobody listens.
    pub(super) fn is_idle(&self) -> bool {
        !self.writes() && self.listeners.is_empty()
    }

    /// Whether somebody wants events as they are written.
    fn writes(&self) -> bool {
        self.file.is_some() || !matches!(self.memory, Memory::None)
    }

    /// Who compares another run with this one.
    pub(super) fn second(&mut self) -> Self {
        let kept = match std::mem::take(&mut self.memory) {
            Memory::Keeps(kept) => kept,
            Memory::None | Memory::Compares(_) => Kept::default(),
        };
        let environment = self.environment;
        Self { memory: Memory::Compares(kept.compare()), environment, ..Self::default() }
    }

    /// What writes the file up to where it is, from any thread.
    pub(super) fn flusher(&self) -> impl FnOnce() + Send + 'static {
        let out = self.file.as_ref().map(|file| Arc::clone(&file.out));
        // A file that fails is one of a program that was stopped anyhow.
        move || drop(out.map(|out| flush(&out)))
    }

    /// Ends the file. What could not be written is an error, unless the program has a code of its own.
    pub(super) fn close(&mut self, done: Done) -> Result<Done, Failure> {
        let Some(Trace { path, out }) = self.file.take() else { return Ok(done) };
        match flush(&out) {
            Ok(()) => Ok(done),
            Err(error) => {
                let failure = cannot_write(&path, &error);
                if done.code == 0 {
                    return Err(failure);
                }
                Ok(Done { notes: done.notes + &failure.to_string(), ..done })
            }
        }
    }

    /// What is to be said of a run that was compared: nothing if it was the same.
    pub(super) fn verdict(self, codes: [u8; 2], outputs: &[Output; 2], help: &str) -> Option<Done> {
        let Memory::Compares(comparison) = self.memory else { return None };
        let nothing = || "nothing more".to_owned();
        let (place, first, second) = match comparison.finish() {
            Some(Difference { event, first, second }) => (
                format!("at event {event}"),
                first.unwrap_or_else(nothing),
                second.unwrap_or_else(nothing),
            ),
            None if codes[0] != codes[1] => {
                ("in their exit status".into(), codes[0].to_string(), codes[1].to_string())
            }
            None if outputs[0].bytes != outputs[1].bytes => (
                "in what they printed".into(),
                format!("{} bytes", outputs[0].bytes),
                format!("{} bytes", outputs[1].bytes),
            ),
            None if outputs[0].digest() != outputs[1].digest() => {
                let bytes = format!("{} bytes", outputs[0].bytes);
                ("in what they printed".into(), bytes.clone(), bytes + ", others")
            }
            None => return None,
        };
        let message = Failure::new(format!("two runs with the same inputs differ {place}"))
            .fact(format!("first:  {first}"))
            .fact(format!("second: {second}"))
            .help(help);
        Some(Done::noted(message.to_string(), LEFT))
    }
}

impl Trace {
    fn create(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Err(Failure::new(
                "`--trace` needs a file: the program prints to standard output",
            )
            .help("name one, or something like /dev/fd/3: --trace trace.jsonl"));
        }
        let begin = || -> io::Result<BufWriter<File>> {
            let mut out = BufWriter::new(File::create(path)?);
            wire::write(&mut out, [])?;
            Ok(out)
        };
        match begin() {
            Ok(out) => Ok(Self { path: path.to_owned(), out: Arc::new(Mutex::new(Ok(out))) }),
            Err(error) => Err(cannot_write(path, &error)),
        }
    }
}

fn lock(out: &Shared) -> MutexGuard<'_, io::Result<BufWriter<File>>> {
    out.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands what was written to the system; an error that the file had before counts, too.
fn flush(out: &Shared) -> io::Result<()> {
    match &mut *lock(out) {
        Ok(out) => out.flush(),
        Err(error) => Err(std::mem::replace(error, io::ErrorKind::Other.into())),
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let reason = crate::input::reason(error);
    Failure::new(format!("cannot write the trace to {}: {reason}", path.display()))
        .help("choose another file: --trace FILE")
}

impl Sink for Watch {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        if let Some(environment) = self.environment
            && let Event::Task { at, what } = &event
        {
            match what {
                // The loop cannot tell a wait from a freeze within it.
                TaskFact::Compute { since } => {
                    let by = self.set_by;
                    for (since, at) in environment.granted(since - by, at - by) {
                        let what = TaskFact::Compute { since: since + by };
                        self.hear(Event::Task { at: at + by, what });
                    }
                    return;
                }
                TaskFact::ClockSet { from } => self.set_by += at - from,
                _ => {}
            }
        }
        self.hear(event);
    }
}

impl Watch {
    fn hear(&mut self, event: Event) {
        if self.writes() {
            self.write(&event);
        }
        if let Some((last, others)) = self.listeners.split_last_mut() {
            others.iter_mut().for_each(|listener| listener(event.clone()));
            last(event);
        }
    }

    fn write(&mut self, event: &Event) {
        self.line.clear();
        wire::push(&mut self.line, event);
        if let Some(file) = &self.file
            && let mut shared = lock(&file.out)
            && let Ok(out) = &mut *shared
            && let Err(error) = out.write_all(&self.line).and_then(|()| match event {
                // Before anything comes of it, so that the trace of a process that is killed has it.
                Event::Task { what: TaskFact::Compute { .. }, .. } => Ok(()),
                Event::Task { .. } => out.flush(),
                _ => Ok(()),
            })
        {
            *shared = Err(error);
        }
        match &mut self.memory {
            Memory::None => {}
            Memory::Keeps(kept) => kept.push(&self.line),
            Memory::Compares(comparison) => comparison.push(&self.line),
        }
    }
}

/// A run that somebody stopped from outside: another one would not stop at the same place.
pub(super) fn not_compared(done: Done) -> Done {
    let note = report::note("stopped from outside, so there is nothing to compare it with");
    Done { notes: done.notes + &note, ..done }
}

/// What a run printed, as far as it takes to see that another printed something else.
#[derive(Clone, Default)]
pub(super) struct Output {
    streams: [DefaultHasher; 2],
    bytes: u64,
}

impl Output {
    pub(super) fn note(&mut self, stream: Stream, bytes: &[u8]) {
        self.streams[usize::from(stream == Stream::Err)].write(bytes);
        self.bytes += bytes.len() as u64;
    }

    fn digest(&self) -> [u64; 2] {
        [self.streams[0].finish(), self.streams[1].finish()]
    }
}
