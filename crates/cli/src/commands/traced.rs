//! From what a user names, a recording or a file with a trace, to the events of that run.

use super::again::{self, Again};
use super::facts::Facts;
use super::recordings;
use super::watch::Watch;
use crate::args;
use crate::done::Done;
use crate::exit::UNREADABLE;
use crate::progress::{Look, Ticking};
use crate::report::{self, Failure};
use hemiola_gate::{Reason, Stop};
use hemiola_js::Options;
use hemiola_live::Live;
use hemiola_live::runs::{Manifest, Run};
use hemiola_machine::Event;
use hemiola_trace::joined::Header;
use hemiola_trace::wire::{self, WireError};
use hemiola_world::recording::Entry;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A run to be looked at.
#[derive(Debug)]
pub(super) struct Traced {
    /// All that happened.
    pub(super) events: Vec<Event>,
    /// The texts of the program by the names that places have, as they were recorded.
    pub(super) sources: BTreeMap<String, String>,
    /// What the user may want to know: that files have changed since, or that the run was stopped.
    pub(super) notes: String,
}

/// A run whose events can be had, once.
pub(super) struct Opened {
    /// What the recording is of; nothing for the file of a trace.
    pub(super) manifest: Option<Manifest>,
    /// As in [`Traced`].
    pub(super) sources: BTreeMap<String, String>,
    input: Input,
    /// Whether a line says how far it is: whoever takes the events prints nothing meanwhile.
    has_status: bool,
}

enum Input {
    /// The file of a trace, by its name, and how long it is, if that is known.
    Trace(String, Box<dyn BufRead>, Option<u64>),
    Recording(Box<Run>, Vec<Entry>),
}

/// Why there are no events.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The command line or the input is wrong.
    Failed(Failure),
    /// The recording or the trace is; this has the exit code.
    Refused(Done),
}

impl Refusal {
    /// What the command says then.
    pub(super) fn answer(self) -> Result<Done, Failure> {
        match self {
            Self::Failed(failure) => Err(failure),
            Self::Refused(done) => Ok(done),
        }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The run that a user names: a recording, which is replayed silently and must be followed to its end,
/// or the file of a trace.
pub(super) fn traced(name: &str, facts: Facts) -> Result<Traced, Refusal> {
    let mut opened = open(name)?.with_status();
    let sources = std::mem::take(&mut opened.sources);
    let events = Rc::new(RefCell::new(Vec::new()));
    let all = Rc::clone(&events);
    let notes = opened.each(facts, move |event| {
        all.borrow_mut().push(event);
        ControlFlow::Continue(())
    })?;
    Ok(Traced { events: events.take(), sources, notes })
}

/// The run that a user names, without its events.
pub(super) fn open(name: &str) -> Result<Opened, Refusal> {
    let trace = |name: &str, input, length| Opened {
        manifest: None,
        sources: BTreeMap::new(),
        input: Input::Trace(name.to_owned(), input, length),
        has_status: false,
    };
    if name == "-" {
        return Ok(trace("<stdin>", Box::new(BufReader::new(io::stdin())), None));
    }
    if let Some(file) = trace_file(name) {
        let file = file?;
        let length = file.get_ref().metadata().ok().map(|about| about.len());
        return Ok(trace(name, Box::new(file), length));
    }
    let run = recordings::all().find(name).map_err(|error| match recordings::refused(&error) {
        Err(failure) => Refusal::Failed(failure),
        Ok(done) => Refusal::Refused(done),
    })?;
    let status = Ticking::words("reading the recording");
    let entries = run.inputs().map_err(|error| Refusal::Refused(recordings::unreadable(&error)))?;
    drop(status);
    Ok(Opened {
        manifest: Some(run.manifest.clone()),
        sources: sources(&run, &entries)?,
        input: Input::Recording(Box::new(run), entries),
        has_status: false,
    })
}

impl Opened {
    /// Shows how far it is, for a command that prints nothing before the end.
    pub(super) fn with_status(self) -> Self {
        Self { has_status: true, ..self }
    }

    /// Hands on each event as it happens, and keeps none. `take` may want no more of them. What comes
    /// back are notes for the user.
    pub(super) fn each(
        self,
        facts: Facts,
        take: impl FnMut(Event) -> ControlFlow<()> + 'static,
    ) -> Result<String, Refusal> {
        match self.input {
            Input::Trace(name, input, length) => {
                let read: Arc<AtomicU64> = Arc::default();
                let look = how_far(&read, length);
                let _status = self.has_status.then(|| Ticking::new(look, || {}));
                each_of(Counted { input, read }, &name, facts, take)
            }
            Input::Recording(run, entries) => {
                let taken = Arc::default();
                let look = again::how_far(&taken, entries.len());
                let _status = self.has_status.then(|| Ticking::new(look, || {}));
                each_again(&run, entries, &taken, facts, take)
            }
        }
    }
}

/// How far the file of a trace has been read.
fn how_far(read: &Arc<AtomicU64>, total: Option<u64>) -> impl Fn() -> Look + Send + use<> {
    let read = Arc::clone(read);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    move || {
        let done = read.load(Ordering::Relaxed);
        let of = total.map_or(String::new(), |total| format!(" of {:.1}", megabytes(total)));
        Look { done, total, line: format!("reading the trace, {:.1}{of} MB", megabytes(done)) }
    }
}

/// Says how many bytes have been read.
struct Counted<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        self.input.consume(count);
    }
}

/// What the joined trace of a fleet is of; nothing if the name means something else.
pub(super) fn header(name: &str) -> Option<Header> {
    if name == "-" {
        return None;
    }
    let mut line = String::new();
    trace_file(name)?.ok()?.read_line(&mut line).ok()?;
    Header::read(&line)
}

/// The file of a trace, if the name means one and not a recording.
fn trace_file(name: &str) -> Option<Result<BufReader<File>, Failure>> {
    let path = Path::new(name);
    let is_named_so = path.extension().is_some_and(|end| end == "jsonl");
    if !is_named_so && !path.is_file() {
        return None;
    }
    let open = || -> io::Result<(BufReader<File>, bool)> {
        let mut file = BufReader::new(File::open(path)?);
        // A recording that was packed is compressed.
        let is_text = file.fill_buf()?.starts_with(b"{");
        Ok((file, is_text))
    };
    match open() {
        Ok((_, false)) if !is_named_so => None,
        Ok((file, _)) => Some(Ok(file)),
        Err(error) => Some(Err(Failure::new(format!(
            "cannot read {name}: {}",
            crate::input::reason(&error)
        ))
        .help(
            "write a trace: hemiola run --trace FILE; or see the recordings: hemiola runs list",
        ))),
    }
}

fn each_of(
    input: impl BufRead,
    name: &str,
    facts: Facts,
    mut take: impl FnMut(Event) -> ControlFlow<()>,
) -> Result<String, Refusal> {
    let read = || -> Result<(), WireError> {
        for event in wire::events(input)? {
            let event = event?;
            if facts.wants(&event) && take(event).is_break() {
                break;
            }
        }
        Ok(())
    };
    match read() {
        Ok(()) => Ok(String::new()),
        Err(error @ (WireError::NotATrace | WireError::Io(_))) => {
            Err(Refusal::Failed(Failure::new(format!("{name}: {error}")).help(
                "give a recording (hemiola runs list) or what `hemiola run --trace FILE` wrote",
            )))
        }
        Err(error @ (WireError::Newer(_) | WireError::Line { .. })) => {
            let help = match error {
                WireError::Newer(_) => "use the version of Hemiola that wrote it",
                _ => "write it again: hemiola replay RUN --trace FILE",
            };
            let notes = Failure::new(format!("{name}: {error}")).help(help).to_string();
            Err(Refusal::Refused(Done::noted(notes, UNREADABLE)))
        }
    }
}

fn each_again(
    run: &Run,
    entries: Vec<Entry>,
    taken: &Arc<AtomicU64>,
    facts: Facts,
    mut take: impl FnMut(Event) -> ControlFlow<()> + 'static,
) -> Result<String, Refusal> {
    let stop = Stop::default();
    let enough = stop.clone();
    let mut is_over = false;
    let mut watch = Watch::told(Box::new(move |event| {
        if !is_over && facts.wants(&event) && take(event).is_break() {
            is_over = true;
            enough.ask(Reason::Ended);
        }
    }));
    let silent = |_, _: &[u8]| Ok(());
    let ask = |options: &mut Options| facts.ask(options);
    let _stopper = stopper(run, &stop)?;
    let asked = stop.clone();
    let again = again::follow_entries(run, entries, taken, ask, stop, silent, &mut watch)?;
    match again {
        Again::Ended(done) if asked.asked() != Some(Reason::TimedOut) => Ok(done.notes),
        Again::Ended(_) | Again::Cut(_) => {
            Ok(report::note("the run was stopped from outside; this is what was recorded"))
        }
        Again::Shares(done) | Again::Refused(done) => Err(Refusal::Refused(done)),
    }
}

/// Who stops a run that was stopped while it computed.
fn stopper(run: &Run, stop: &Stop) -> Result<Option<Live>, Failure> {
    let Some(limit) = recordings::patience(run) else { return Ok(None) };
    let live = Live::new(stop.clone()).map_err(|error| {
        Failure::new(format!("cannot listen to the system: {error}"))
            .help("raise the number of files that may be open: ulimit -n")
    })?;
    live.stop_after(limit, Reason::TimedOut);
    Ok(Some(live))
}

/// The texts that were recorded, by the names that places in them have.
pub(super) fn sources(run: &Run, entries: &[Entry]) -> Result<BTreeMap<String, String>, Failure> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let modules = entries.iter().filter_map(Entry::module);
    let mut sources: BTreeMap<String, String> =
        modules.map(|(path, bytes)| (path.display().to_string(), text(bytes))).collect();
    let (args, _) = args::recorded_run(&run.manifest.words)?;
    let program = &args.program;
    if let Some(code) = program.code() {
        sources.insert("[eval]".into(), code.clone());
    } else if let Some(code) = &run.manifest.text {
        sources.insert("[stdin]".into(), code.clone());
    }
    Ok(sources)
}
