//! Keeps what a run is told: on disk while it runs, or in memory until it fails.

use super::secrets::Reads;
use super::{INPUTS, MANIFEST, Manifest, Runs, private};
use crate::Echo;
use crate::random::Random;
use hemiola_world::recording::{self, Entry, Sums, Tape};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};
use zstd::stream::write::Encoder;

/// How much is kept in memory of a run that has not failed, beside its sources. A run that is told more is not
/// kept: the beginning is needed to run it again.
const IN_MEMORY: usize = 2 * 1024 * 1024;
/// How much its sources may be: those of a large application.
const SOURCES: usize = 64 * 1024 * 1024;

/// How many parts may wait to be written before the program waits for them.
const WAITING: usize = 16;

/// How long something waits to be written at most: so much may be missing of a run that is killed.
const SOON: Duration = Duration::from_millis(200);

/// The fastest level: a run should not wait for its recording.
const LEVEL: i32 = 1;

/// When a run is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Whatever becomes of it; on disk from its beginning.
    Always,
    /// If it fails.
    OnFailure,
}

/// A run that is being recorded.
pub struct Recording {
    runs: Runs,
    manifest: Manifest,
    tape: Tape,
    kept: Kept,
    began: std::time::Instant,
}

/// Where the inputs are.
enum Kept {
    /// With a thread that writes them to the disk.
    OnDisk(JoinHandle<io::Result<Sums>>, Arc<Mutex<Option<SyncSender<Vec<Entry>>>>>),
    /// Here; nothing if they are too many.
    InMemory(Arc<Mutex<Option<Vec<Entry>>>>),
}

/// What became of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is kept, by that id.
    Kept(String),
    /// It was not to be kept.
    Unwanted,
    /// It is not kept because it would have been too long.
    TooLong,
}

impl Recording {
    /// Starts to record. With [`When::Always`] the recording is on disk from now on.
    pub fn begin(runs: Runs, when: When, manifest: Manifest) -> io::Result<Self> {
        let manifest = Manifest { id: new_id(), started_us: now_us(), ..manifest };
        let (kept, tape) = match when {
            When::Always => {
                let directory = runs.root().join(&manifest.id);
                private::directory(&directory)?;
                write_manifest(&directory, &manifest)?;
                let file = private::file(&directory.join(INPUTS))?;
                // Whoever lists recordings sees by the lock that it goes on. Not every file system has locks.
                let _ = file.try_lock();
                on_disk(file)
            }
            When::OnFailure => in_memory(),
        };
        Ok(Self { runs, manifest, tape, kept, began: std::time::Instant::now() })
    }

    /// What notes the variables of that environment when the program reads them. Those that look like secrets are
    /// kept as digests, unless secrets are wanted, too.
    pub fn reads(&self, env: Vec<(String, String)>, with_secrets: bool) -> Reads {
        Reads::new(self.tape(), env, with_secrets)
    }

    /// Where inputs are noted.
    pub fn tape(&self) -> Tape {
        self.tape.clone()
    }

    /// Where it is noted what others write to the program's streams. What children write is noted if somebody
    /// asked for a recording: they notice.
    pub fn echo(&self) -> Echo {
        Echo { tape: self.tape(), of_children: matches!(self.kept, Kept::OnDisk(..)) }
    }

    /// Ends the recording of a run with that exit code. What is on disk is kept in any case.
    pub fn finish(self, code: i32, keep: bool) -> io::Result<Outcome> {
        self.end(Some(code), keep)
    }

    /// Ends the recording of a run that was killed, and keeps it.
    pub fn killed(self) -> io::Result<Outcome> {
        self.end(None, true)
    }

    fn end(mut self, code: Option<i32>, keep: bool) -> io::Result<Outcome> {
        let directory = self.runs.root().join(&self.manifest.id);
        let sums = match self.kept {
            Kept::InMemory(_) if !keep => return Ok(Outcome::Unwanted),
            Kept::InMemory(entries) => {
                self.tape.flush();
                let entries = entries.lock().unwrap_or_else(PoisonError::into_inner).take();
                let Some(entries) = entries else { return Ok(Outcome::TooLong) };
                private::directory(&directory)?;
                let mut encoder = Encoder::new(private::file(&directory.join(INPUTS))?, LEVEL)?;
                let mut sums = Sums::default();
                recording::write(&mut encoder, &entries, &mut sums)?;
                encoder.finish()?;
                sums
            }
            Kept::OnDisk(writer, sender) => {
                self.tape.flush();
                drop(sender.lock().unwrap_or_else(PoisonError::into_inner).take());
                writer.join().unwrap_or_else(|_| Err(io::Error::other("the writer has failed")))?
            }
        };
        self.manifest.code = code;
        self.manifest.inputs = Some(sums.count);
        self.manifest.digest = Some(sums.lines.hex());
        self.manifest.program = Some(sums.modules.hex());
        self.manifest.took_us = u64::try_from(self.began.elapsed().as_micros()).ok();
        write_manifest(&directory, &self.manifest)?;
        Ok(Outcome::Kept(self.manifest.id))
    }
}

fn in_memory() -> (Kept, Tape) {
    let entries = Arc::new(Mutex::new(Some(Vec::new())));
    let (shared, mut told, mut sources) = (Arc::clone(&entries), 0, 0);
    let tape = Tape::new(Box::new(move |part, bytes| {
        let mut entries = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let read: usize = part.iter().map(Entry::weight_of_source).sum();
        sources += read;
        told += bytes.saturating_sub(read);
        if told > IN_MEMORY || sources > SOURCES {
            *entries = None;
        }
        entries.as_mut().map(|entries| entries.extend(part)).is_some()
    }));
    (Kept::InMemory(entries), tape)
}

fn on_disk(file: File) -> (Kept, Tape) {
    let (sender, inbox) = mpsc::sync_channel(WAITING);
    let sender = Arc::new(Mutex::new(Some(sender)));
    let shared = Arc::clone(&sender);
    let tape = Tape::new(Box::new(move |part, _| {
        let sender = shared.lock().unwrap_or_else(PoisonError::into_inner);
        // A writer that has failed wants no more, and says why at the end.
        sender.as_ref().is_some_and(|sender| sender.send(part).is_ok())
    }));
    let noted = tape.clone();
    let writer = std::thread::spawn(move || write_all(&inbox, file, &noted));
    (Kept::OnDisk(writer, sender), tape)
}

/// Writes what comes, and sums it up.
fn write_all(inbox: &Receiver<Vec<Entry>>, file: File, tape: &Tape) -> io::Result<Sums> {
    let mut encoder = Encoder::new(file, LEVEL)?;
    let mut sums = Sums::default();
    loop {
        let part = match inbox.recv_timeout(SOON) {
            Ok(part) => part,
            Err(RecvTimeoutError::Timeout) => tape.take_all(|| inbox.try_recv().ok()),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if part.is_empty() {
            continue;
        }
        recording::write(&mut encoder, &part, &mut sums)?;
        // What a run was told is there even if it is killed.
        encoder.flush()?;
    }
    encoder.finish()?.sync_data()?;
    Ok(sums)
}

/// Writes the manifest so that there is always a whole one.
fn write_manifest(directory: &Path, manifest: &Manifest) -> io::Result<()> {
    let new = directory.join("manifest.new");
    private::file(&new)?.write_all(format!("{:#}\n", manifest.to_json()).as_bytes())?;
    fs::rename(new, directory.join(MANIFEST))
}

fn new_id() -> String {
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    const LENGTH: u32 = 8;
    let number = Random::default().next();
    (0..LENGTH).map(|at| char::from(LETTERS[(number >> (5 * at)) as usize % 32])).collect()
}

fn now_us() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}
