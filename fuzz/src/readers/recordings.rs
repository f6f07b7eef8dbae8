//! Recordings, in a directory and packed. One that is read is replayed: it may differ from what the program does, and
//! the replay says so then.

use super::Verdict;
use crate::engine;
use crate::rng::Rng;
use crate::scratch::Scratch;
use hemiola_gate::{Reason, Stop};
use hemiola_js::{Entry, Nursery, Options};
use hemiola_live::runs::Run;
use hemiola_machine::{First, Silent};
use hemiola_world::recording::{Recorded, RecordedModules};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// A recording in a directory: its manifest is the first line of the input, the compressed inputs are the rest.
pub fn directory() -> impl FnMut(&[u8]) -> Verdict {
    let scratch = Scratch::new();
    let mut replayer = Replayer::new();
    move |bytes| {
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let (manifest, inputs) = bytes.split_at(end);
        scratch.file("manifest.json", manifest);
        scratch.file("inputs.jsonl.zst", inputs.get(1..).unwrap_or_default());
        replayer.read(scratch.path().to_owned())
    }
}

/// A recording in one file.
pub fn packed() -> impl FnMut(&[u8]) -> Verdict {
    let scratch = Scratch::new();
    let mut replayer = Replayer::new();
    move |bytes| replayer.read(scratch.file("packed.hemiola", bytes))
}

/// Lines as a directory has them.
pub fn as_directory(lines: &[u8], rng: &mut Rng) -> Vec<u8> {
    let end = lines.iter().position(|&byte| byte == b'\n').unwrap_or(lines.len());
    let (manifest, inputs) = lines.split_at(end);
    let mut all = unchecked(manifest, rng);
    all.push(b'\n');
    all.extend(compressed(inputs.get(1..).unwrap_or_default()));
    all
}

/// Lines as they are packed.
pub fn as_packed(lines: &[u8], rng: &mut Rng) -> Vec<u8> {
    let end = lines.iter().position(|&byte| byte == b'\n').unwrap_or(lines.len());
    let (manifest, inputs) = lines.split_at(end);
    let mut all = unchecked(manifest, rng);
    all.extend_from_slice(inputs);
    compressed(&all)
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).expect("memory can be compressed")
}

/// A manifest of the first version most of the time, which had no checksums: damage is looked at then.
fn unchecked(manifest: &[u8], rng: &mut Rng) -> Vec<u8> {
    let value = serde_json::from_slice::<Value>(manifest).ok().filter(Value::is_object);
    match value {
        Some(mut value) if !rng.once_in(8) => {
            value["version"] = 1.into();
            for name in ["check", "digest", "program", "inputs"] {
                value.as_object_mut().and_then(|fields| fields.remove(name));
            }
            value.to_string().into_bytes()
        }
        _ => manifest.to_vec(),
    }
}

/// Replays recordings, many in one engine.
struct Replayer {
    nursery: Nursery,
    limits: Limits,
    options: Options,
}

impl Replayer {
    fn new() -> Self {
        let options = engine::options(Entry::File(String::new()));
        Self { nursery: Nursery::new(), limits: Limits::new(), options }
    }

    /// Reads a recording, and replays some of those that can be read: that takes a hundred times as long.
    fn read(&mut self, path: PathBuf) -> Verdict {
        let Ok(run) = Run::open(path) else { return Ok(()) };
        run.size();
        let Ok(entries) = run.inputs() else { return Ok(()) };
        let mut packed = Vec::new();
        run.pack(&mut packed)
            .map_err(|error| format!("what can be read cannot be packed: {error}"))?;
        let redacted = run.pack_redacted(&mut Vec::new(), &[("TOKEN".into(), "secret".into())]);
        redacted.map_err(|error| format!("what can be read cannot be redacted: {error}"))?;
        run.contents().map_err(|error| format!("it cannot be said what it holds: {error}"))?;
        let file = run.manifest.words.last().cloned();
        let Some(file) = file.filter(|_| packed.len() % REPLAYED == 0) else { return Ok(()) };
        let stop = Stop::default();
        let mut world = Recorded::new(entries, stop.clone(), |_, _| Ok(()));
        let disk = Arc::new(RecordedModules::of(&world));
        let options = Options {
            entry: Entry::File(file),
            cwd: run.manifest.cwd.clone(),
            stop: stop.clone(),
            disk,
            ..self.options.clone()
        };
        let running = self.limits.begin(stop);
        let ran = self.nursery.run(options, &mut world, &mut First, &mut Silent);
        drop(running);
        world.divergence_at_end();
        // Where a program cannot begin, that is told.
        drop(ran);
        Ok(())
    }
}

/// Which recordings are replayed: those of which the number of bytes can be divided by this.
const REPLAYED: usize = 8;

/// How long a damaged program may run: it may never end.
const LONGEST: Duration = Duration::from_millis(500);

/// A thread that asks programs to stop when they ran for long.
struct Limits(Sender<(Stop, std::sync::mpsc::Receiver<()>)>);

impl Limits {
    fn new() -> Self {
        let (sender, programs) = channel::<(Stop, std::sync::mpsc::Receiver<()>)>();
        std::thread::spawn(move || {
            for (stop, over) in programs {
                if over.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
                    stop.ask(Reason::TimedOut);
                }
            }
        });
        Self(sender)
    }

    /// A program begins; it is over when what this gives is dropped.
    fn begin(&self, stop: Stop) -> Sender<()> {
        let (over, end) = channel();
        self.0.send((stop, end)).expect("the thread lives as long as this");
        over
    }
}
