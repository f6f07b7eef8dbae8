//! Recordings on disk: one directory each, with a manifest and the compressed lines of its inputs.

mod contents;
mod keeper;
mod manifest;
pub mod private;
mod redact;
mod secrets;

pub use contents::Contents;
pub use keeper::{Outcome, Recording, When};
pub use manifest::{Manifest, VERSION};
pub use secrets::{Reads, Variables, is_secret};

use hemiola_world::recording::{self, Digest, Entry, Sums};
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;

/// The file with the inputs.
const INPUTS: &str = "inputs.jsonl.zst";
/// The file that says what the recording is of.
const MANIFEST: &str = "manifest.json";

/// How many bytes a recording may be when it is unpacked, unless somebody says otherwise: a small file can be made
/// to unpack to more than any memory holds.
const LARGEST: u64 = 1024 * MIB;
/// How many a manifest may be; it can hold a program.
const LARGEST_MANIFEST: u64 = 256 * MIB;
const MIB: u64 = 1024 * 1024;

/// The directory of all recordings.
#[derive(Clone, Debug)]
pub struct Runs {
    root: PathBuf,
    largest: u64,
    retention: Retention,
}

/// How many recordings are kept, and for how long; nothing is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// How many.
    pub count: Option<usize>,
    /// For how long.
    pub age: Option<Duration>,
}

impl Default for Retention {
    fn default() -> Self {
        Self { count: Some(50), age: Some(Duration::from_secs(30 * 24 * 60 * 60)) }
    }
}

/// Why a recording could not be found or read.
#[derive(Debug)]
pub enum RunError {
    /// There is none of that name.
    Unknown(String),
    /// Several begin with it.
    Ambiguous(String, Vec<String>),
    /// That is something else.
    Foreign(PathBuf),
    /// A file of it failed.
    Io(PathBuf, io::Error),
    /// It was written by a newer build, in that version of the format.
    Newer(PathBuf, u64),
    /// It was made by that newer version of Hemiola.
    NewerRuntime(PathBuf, String),
    /// It is damaged: the file, and what is wrong with it.
    Damaged(PathBuf, String),
    /// It unpacks to more than that many bytes.
    TooLarge(PathBuf, u64),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) if name == "latest" => write!(f, "nothing has been recorded yet"),
            Self::Unknown(name) => write!(f, "there is no recording `{name}`"),
            Self::Ambiguous(name, ids) => {
                write!(f, "`{name}` may be any of {}", ids.join(", "))
            }
            Self::Foreign(path) => write!(f, "{} is no recording", path.display()),
            Self::Io(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Newer(path, version) => write!(
                f,
                "cannot read {}: written by format {version}, this build reads 1 to {VERSION}",
                path.display()
            ),
            Self::NewerRuntime(path, version) => write!(
                f,
                "cannot read {}: recorded by Hemiola {version}, this is {}",
                path.display(),
                env!("CARGO_PKG_VERSION")
            ),
            Self::Damaged(path, reason) => write!(f, "cannot read {}: {reason}", path.display()),
            Self::TooLarge(path, largest) => write!(
                f,
                "cannot read {}: it unpacks to more than {} MiB",
                path.display(),
                largest / MIB
            ),
        }
    }
}

impl std::error::Error for RunError {}

/// One recording on disk.
#[derive(Debug)]
pub struct Run {
    /// Where it is.
    pub path: PathBuf,
    /// What it is of.
    pub manifest: Manifest,
    /// How many bytes it may be when it is unpacked.
    largest: u64,
}

impl Runs {
    /// The recordings in that directory; it is made when there is one to keep.
    pub fn at(root: PathBuf) -> Self {
        Self { root, largest: LARGEST, retention: Retention::default() }
    }

    /// Keeps so many, for so long.
    #[must_use]
    pub fn keeping(self, retention: Retention) -> Self {
        Self { retention, ..self }
    }

    /// Reads no recording that unpacks to more than so many MiB.
    #[must_use]
    pub fn unpacking_at_most(self, mib: u64) -> Self {
        Self { largest: mib.saturating_mul(MIB), ..self }
    }

    fn open(&self, path: PathBuf) -> Result<Run, RunError> {
        Ok(Run { largest: self.largest, ..Run::open(path)? })
    }

    /// Where they are.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All that can be read, newest first.
    pub fn list(&self) -> Result<Vec<Run>, RunError> {
        let entries = match fs::read_dir(&self.root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            result => result.map_err(|error| RunError::Io(self.root.clone(), error))?,
        };
        let mut runs: Vec<Run> =
            entries.filter_map(|entry| self.open(entry.ok()?.path()).ok()).collect();
        runs.sort_by(|a, b| {
            let key = |run: &Run| (run.manifest.started_us, run.manifest.id.clone());
            key(b).cmp(&key(a))
        });
        Ok(runs)
    }

    /// The recording that a user names: `latest`, the beginning of an id, or a path.
    pub fn find(&self, name: &str) -> Result<Run, RunError> {
        if name.contains('/') || Path::new(name).exists() {
            return self.open(PathBuf::from(name));
        }
        if name == "latest" {
            return match self.last_failure()? {
                Some((run, _)) => Ok(run),
                // The only one may be damaged: then that is worth saying.
                None => match fs::read_dir(&self.root).ok().and_then(|mut all| all.next()) {
                    Some(Ok(entry)) => self.open(entry.path()),
                    _ => Err(RunError::Unknown(name.into())),
                },
            };
        }
        // A damaged recording is still to be found by its whole name.
        let exact = self.root.join(name);
        if !name.is_empty() && exact.is_dir() {
            return self.open(exact);
        }
        let is_meant = |run: &Run| !name.is_empty() && run.manifest.id.starts_with(name);
        let mut found: Vec<Run> = self.list()?.into_iter().filter(is_meant).collect();
        match found.len() {
            0 => Err(RunError::Unknown(name.into())),
            1 => Ok(found.remove(0)),
            _ => {
                let ids = found.into_iter().map(|run| run.manifest.id).collect();
                Err(RunError::Ambiguous(name.into(), ids))
            }
        }
    }

    /// Removes what is too old or too much, and gives the ids. What goes on is kept.
    pub fn prune(&self, retention: Retention) -> Result<Vec<String>, RunError> {
        let Retention { count, age } = retention;
        let is_kept = |at: usize, run: &Run| {
            count.is_none_or(|count| at < count) && age.is_none_or(|age| run.age() <= age)
        };
        let mut removed = Vec::new();
        for (at, run) in self.list()?.into_iter().enumerate() {
            if is_kept(at, &run) || run.is_running() {
                continue;
            }
            fs::remove_dir_all(&run.path).map_err(|error| RunError::Io(run.path.clone(), error))?;
            removed.push(run.manifest.id);
        }
        Ok(removed)
    }

    /// The same as far as these recordings are to be kept.
    pub fn tidy(&self) -> Result<Vec<String>, RunError> {
        self.prune(self.retention)
    }

    /// The newest recording that has failed, unless one was made since because somebody asked for it; and
    /// whether it is the newest of all. What still goes on does not count.
    pub fn last_failure(&self) -> Result<Option<(Run, bool)>, RunError> {
        let ended = self.list()?.into_iter().filter(|run| !run.is_running());
        let mut is_first = true;
        let mut newest = None;
        for run in ended {
            if run.has_failed() || run.was_asked_for() {
                return Ok(Some((run, is_first)));
            }
            newest.get_or_insert(run);
            is_first = false;
        }
        Ok(newest.map(|run| (run, true)))
    }
}

/// Whether that is there and can be no recording: neither a directory nor a file that begins as a packed one.
fn is_foreign(path: &Path) -> bool {
    /// How everything begins that is compressed as recordings are.
    const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    if !path.is_file() {
        return path.exists() && !path.is_dir();
    }
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut first));
    read.is_ok() && first != MAGIC
}

impl Run {
    /// The recording in that directory, or packed in that file.
    pub fn open(path: PathBuf) -> Result<Self, RunError> {
        if is_foreign(&path) {
            return Err(RunError::Foreign(path));
        }
        let file = if path.is_file() { path.clone() } else { path.join(MANIFEST) };
        let read = || -> io::Result<String> {
            let mut text = String::new();
            let opened = File::open(&file)?;
            let read = if path.is_file() {
                let unpacked = Decoder::new(opened)?.take(LARGEST_MANIFEST + 1);
                BufReader::new(unpacked).read_line(&mut text)?
            } else {
                opened.take(LARGEST_MANIFEST + 1).read_to_string(&mut text)?
            };
            match read as u64 > LARGEST_MANIFEST {
                true => {
                    Err(io::Error::new(io::ErrorKind::InvalidData, "its manifest is too large"))
                }
                false => Ok(text),
            }
        };
        let text = read().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => RunError::Unknown(path.display().to_string()),
            io::ErrorKind::UnexpectedEof => {
                RunError::Damaged(file.clone(), "it ends too early".into())
            }
            _ => RunError::Io(file.clone(), error),
        })?;
        let manifest = Manifest::read(&text).map_err(|problem| match problem {
            manifest::Problem::Newer(version) => RunError::Newer(file.clone(), version),
            manifest::Problem::NewerRuntime(version) => {
                RunError::NewerRuntime(file.clone(), version)
            }
            manifest::Problem::Damaged(reason) => RunError::Damaged(file.clone(), reason),
        })?;
        Ok(Self { path, manifest, largest: LARGEST })
    }

    /// How many bytes it takes on disk.
    pub fn size(&self) -> u64 {
        let parts = [self.path.join(INPUTS), self.path.join(MANIFEST), self.path.clone()];
        let files = parts.iter().filter_map(|path| fs::metadata(path).ok());
        files.filter(fs::Metadata::is_file).map(|file| file.len()).sum()
    }

    /// Whether the run still goes on.
    pub fn is_running(&self) -> bool {
        let is_open = self.manifest.inputs.is_none();
        let file = is_open.then(|| File::open(self.path.join(INPUTS)).ok()).flatten();
        file.is_some_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Whether it ended in failure: with another exit status than 0, or killed.
    pub fn has_failed(&self) -> bool {
        self.manifest.code != Some(0)
    }

    /// Whether it was recorded because the command line said so.
    fn was_asked_for(&self) -> bool {
        let mut words = self.manifest.words.iter();
        words.any(|word| word == "--record" || word == "--record=always")
    }

    /// How long ago it began.
    pub fn age(&self) -> Duration {
        let began = SystemTime::UNIX_EPOCH + Duration::from_micros(self.manifest.started_us);
        SystemTime::now().duration_since(began).unwrap_or_default()
    }

    /// How long the run took, in microseconds. Of one that was killed it is known how long it was told something.
    pub fn took_us(&self) -> Option<u64> {
        self.manifest.took_us.or_else(|| {
            let written = fs::metadata(self.path.join(INPUTS)).ok()?.modified().ok()?;
            let since = written.duration_since(SystemTime::UNIX_EPOCH).ok()?;
            Some(u64::try_from(since.as_micros()).ok()?.saturating_sub(self.manifest.started_us))
        })
    }

    /// Everything that the outside decided.
    pub fn inputs(&self) -> Result<Vec<Entry>, RunError> {
        let mut entries = Vec::new();
        self.lines(|_, found| {
            entries.extend(found);
            Ok(())
        })?;
        Ok(entries)
    }

    /// Every line of the inputs, with what it says. What is damaged is an error, in the end at the latest.
    fn lines(
        &self,
        mut take: impl FnMut(&str, Vec<Entry>) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let is_packed = self.path.is_file();
        let path = if is_packed { self.path.clone() } else { self.path.join(INPUTS) };
        let io = |error| RunError::Io(path.clone(), error);
        let damaged = |reason: String| RunError::Damaged(path.clone(), reason);
        let file = File::open(&path).map_err(io)?;
        let unpacked = Decoder::new(file).map_err(io)?.take(self.largest.saturating_add(1));
        let mut text = BufReader::new(unpacked);
        let mut left = self.largest;
        let mut sums = Sums::default();
        let mut line = String::new();
        for number in 1_u64.. {
            line.clear();
            let read = text.read_line(&mut line);
            match left.checked_sub(line.len() as u64) {
                Some(rest) => left = rest,
                None => return Err(RunError::TooLarge(path, self.largest)),
            }
            match read {
                Ok(0) => break,
                Ok(_) if is_packed && number == 1 => continue,
                Ok(_) => {}
                // A run that was killed left its last block unfinished.
                Err(_) if self.manifest.inputs.is_none() => break,
                Err(error) => {
                    return Err(damaged(format!("line {number} cannot be unpacked: {error}")));
                }
            }
            let line = line.trim_end_matches('\n');
            let found = recording::read(line)
                .map_err(|reason| damaged(format!("line {number}: {reason}")))?;
            sums.add(line.as_bytes(), &found);
            take(line, found)?;
        }
        let Manifest { inputs, digest, program, .. } = &self.manifest;
        if let Some(count) = inputs
            && *count != sums.count
        {
            let found = sums.count;
            return Err(damaged(format!("it holds {found} inputs and should hold {count}")));
        }
        let differs = |sum: &Digest, written: &Option<String>| {
            written.as_ref().is_some_and(|written| *written != sum.hex())
        };
        if differs(&sums.modules, program) {
            return Err(damaged("its modules are not those of the manifest".into()));
        }
        if differs(&sums.lines, digest) {
            return Err(damaged("its inputs are not those of the manifest".into()));
        }
        Ok(())
    }

    /// Writes the recording as one file that can be sent: the manifest in a line, then the inputs.
    pub fn pack(&self, out: impl Write) -> Result<(), RunError> {
        let io = |error| RunError::Io(self.path.clone(), error);
        let mut encoder = Encoder::new(out, 0).map_err(io)?;
        writeln!(encoder, "{}", self.manifest.to_json()).map_err(io)?;
        self.lines(|line, _| writeln!(encoder, "{line}").map_err(io))?;
        encoder.finish().map_err(io)?;
        Ok(())
    }
}
