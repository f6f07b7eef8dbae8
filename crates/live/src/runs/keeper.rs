//! Keeps what a run is told: on disk while it runs, or in memory until it fails.

use super::{INPUTS, MANIFEST, Manifest, Runs};
use crate::random::Random;
use hemiola_world::recording::{self, Entry, Tape};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::SystemTime;
use zstd::stream::write::Encoder;

/// How much is kept in memory, compressed, of a run that has not failed: some millions of inputs.
const IN_MEMORY: usize = 4 * 1024 * 1024;

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
    /// The thread that writes, once there was something to write.
    writer: Arc<Mutex<Option<Writer>>>,
    began: std::time::Instant,
}

struct Writer {
    parts: mpsc::Sender<Vec<Entry>>,
    done: JoinHandle<io::Result<Kept>>,
}

/// What became of the inputs.
struct Kept {
    count: u64,
    /// What was not written to a file; nothing if it was too much.
    bytes: Option<Vec<u8>>,
}

impl Recording {
    /// Starts to record. With [`When::Always`] the recording is on disk from now on.
    pub fn begin(runs: Runs, when: When, manifest: Manifest) -> io::Result<Self> {
        let manifest = Manifest { id: new_id(), started_us: now_us(), ..manifest };
        let directory = runs.root().join(&manifest.id);
        let file = match when {
            When::Always => {
                fs::create_dir_all(&directory)?;
                write_manifest(&directory, &manifest)?;
                Some(File::create(directory.join(INPUTS))?)
            }
            When::OnFailure => None,
        };
        let writer = Arc::new(Mutex::new(None::<Writer>));
        let mut file = Some(file);
        let shared = Arc::clone(&writer);
        let tape = Tape::new(Box::new(move |part| {
            let mut writer = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let writer = writer.get_or_insert_with(|| Writer::start(file.take().flatten()));
            // A writer that has failed says so at the end.
            let _ = writer.parts.send(part);
        }));
        Ok(Self { runs, manifest, tape, writer, began: std::time::Instant::now() })
    }

    /// Where inputs are noted.
    pub fn tape(&self) -> Tape {
        self.tape.clone()
    }

    /// Ends the recording of a run with that exit code, and gives its id; nothing if it was not to be
    /// kept, or was too long for that.
    pub fn finish(mut self, code: i32, keep: bool) -> io::Result<Option<String>> {
        let directory = self.directory();
        let is_on_disk = directory.is_dir();
        if !keep && !is_on_disk {
            return Ok(None);
        }
        self.tape.flush();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let kept = match writer {
            Some(writer) => writer.finish()?,
            None => Kept { count: 0, bytes: Some(Vec::new()) },
        };
        if !is_on_disk {
            let Some(bytes) = kept.bytes else { return Ok(None) };
            fs::create_dir_all(&directory)?;
            fs::write(directory.join(INPUTS), bytes)?;
        }
        self.manifest.code = Some(code);
        self.manifest.inputs = Some(kept.count);
        self.manifest.took_us = u64::try_from(self.began.elapsed().as_micros()).ok();
        write_manifest(&directory, &self.manifest)?;
        Ok(Some(self.manifest.id))
    }

    fn directory(&self) -> PathBuf {
        self.runs.root().join(&self.manifest.id)
    }
}

impl Writer {
    fn start(file: Option<File>) -> Self {
        let (parts, inbox) = mpsc::channel();
        let done = std::thread::spawn(move || match file {
            Some(file) => write_file(&inbox, file),
            None => write_memory(&inbox),
        });
        Self { parts, done }
    }

    fn finish(self) -> io::Result<Kept> {
        drop(self.parts);
        self.done.join().unwrap_or_else(|_| Err(io::Error::other("the writer has failed")))
    }
}

fn write_file(inbox: &mpsc::Receiver<Vec<Entry>>, file: File) -> io::Result<Kept> {
    let mut encoder = Encoder::new(file, LEVEL)?;
    let mut count = 0;
    while let Ok(part) = inbox.recv() {
        recording::write(&mut encoder, &part)?;
        // What a run was told is there even if it is killed.
        encoder.flush()?;
        count += part.len() as u64;
    }
    encoder.finish()?.sync_data()?;
    Ok(Kept { count, bytes: None })
}

fn write_memory(inbox: &mpsc::Receiver<Vec<Entry>>) -> io::Result<Kept> {
    let mut encoder = Encoder::new(Vec::new(), LEVEL)?;
    let mut count = 0;
    while let Ok(part) = inbox.recv() {
        recording::write(&mut encoder, &part)?;
        count += part.len() as u64;
        if encoder.get_ref().len() > IN_MEMORY {
            drop(encoder);
            // Whatever else comes is dropped, too.
            while inbox.recv().is_ok() {}
            return Ok(Kept { count, bytes: None });
        }
    }
    Ok(Kept { count, bytes: Some(encoder.finish()?) })
}

/// Writes the manifest so that there is always a whole one.
fn write_manifest(directory: &Path, manifest: &Manifest) -> io::Result<()> {
    let new = directory.join("manifest.new");
    fs::write(&new, format!("{:#}\n", manifest.to_json()))?;
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
