//! One test file, run by a process of its own.
//!
//! The process tells what becomes of its tests on a socket, which is its standard input; to the tests that
//! is at its end. So whatever a test does to its process, what was told before is known.

use super::outcome::{Failed, FileResult};
use super::told::Told;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// What is wanted of a file.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) file: PathBuf,
    pub(super) settings: String,
    /// How long a test may take.
    pub(super) limit: Option<Duration>,
    /// What its environment has that ours has not.
    pub(super) variable: Option<(&'static str, PathBuf)>,
}

/// How long a file may take until its first test.
const LOADING: Duration = Duration::from_secs(60);
/// A test that does not let its own limit end it has at least so long.
const LEAST: Duration = Duration::from_secs(2);
/// How long the process may take when its tests are over.
const ENDING: Duration = Duration::from_secs(5);
/// How long what it has written may take to come.
const DRAINING: Duration = Duration::from_millis(500);

/// Runs a file to its end.
pub(super) fn run(wish: &Wish) -> FileResult {
    let started = now();
    let mut running = match Running::start(wish) {
        Ok(running) => running,
        Err(reason) => {
            let mut result = FileResult::new(&wish.file);
            result
                .broken
                .push(Failed::new(format!("cannot start a process for the file: {reason}")));
            return result;
        }
    };
    running.listen_only();
    running.follow(wish, |_| false);
    let status = running.end();
    let mut result = running.result;
    result.output = running.output.take();
    running.told.judge(&mut result, status);
    result.ms = now().duration_since(started).as_secs_f64() * 1000.0;
    result
}

/// What the project in a directory says about its tests, or why that is not known.
pub(super) fn configuration(root: &Path) -> Result<Value, String> {
    let settings = json!({ "configuration": true, "root": root.to_string_lossy() }).to_string();
    let wish = Wish { file: root.join("configuration"), settings, limit: None, variable: None };
    let mut running = Running::start(&wish).map_err(|error| error.to_string())?;
    running.listen_only();
    running.follow(&wish, |_| false);
    let _ = running.end();
    match (running.told.configuration, running.result.broken.first()) {
        (Some(found), _) => Ok(found),
        (None, Some(failed)) => Err(failed.message.clone()),
        (None, None) => Err(running.output.take().trim_end().to_owned()),
    }
}

/// What a project does before all test files and after them (`globalSetup`, `globalTeardown`), in a process of its
/// own that lives as long as they run.
pub(super) struct Around {
    running: Running,
    wish: Wish,
}

impl Around {
    /// Does what comes before; with what files are told because of it. The error says why it failed.
    pub(super) fn begin(root: &Path, settings: &Value) -> Result<(Self, Value), String> {
        let wish = Wish {
            file: root.join("globalSetup"),
            settings: settings.to_string(),
            limit: None,
            variable: None,
        };
        let mut running = Running::start(&wish).map_err(|error| error.to_string())?;
        running.follow(&wish, |told| told.ready.is_some());
        let Some(more) = running.told.ready.take() else {
            running.listen_only();
            let _ = running.end();
            return Err(running.why());
        };
        Ok((Self { running, wish }, more))
    }

    /// Does what comes after. Gives what was printed; the error says why it failed.
    pub(super) fn end(mut self) -> Result<String, String> {
        self.running.listen_only();
        self.running.follow(&self.wish, |_| false);
        let _ = self.running.end();
        let is_well = self.running.told.is_done && self.running.result.broken.is_empty();
        if is_well { Ok(self.running.output.take()) } else { Err(self.running.why()) }
    }
}

struct Running {
    child: Child,
    events: BufReader<UnixStream>,
    output: Output,
    result: FileResult,
    told: Told,
}

impl Running {
    fn start(wish: &Wish) -> Result<Self, std::io::Error> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("test-file").arg("--settings").arg(&wish.settings).arg(&wish.file);
        if let Some((name, value)) = &wish.variable {
            command.env(name, value);
        }
        command.stdin(Stdio::from(OwnedFd::from(theirs)));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // It holds the other end of the socket.
        drop(command);
        let output = Output::of(&mut child);
        let events = BufReader::new(ours);
        Ok(Self {
            child,
            events,
            output,
            result: FileResult::new(&wish.file),
            told: Told::default(),
        })
    }

    /// Ends the standard input of the process.
    fn listen_only(&self) {
        // If the process is gone already, there is nobody to tell.
        let _ = self.events.get_ref().shutdown(Shutdown::Write);
    }

    /// Takes what the process tells, until that is enough, it has nothing more to tell or takes too long.
    fn follow(&mut self, wish: &Wish, is_enough: impl Fn(&Told) -> bool) {
        let mut line = Vec::new();
        let mut since = now();
        loop {
            let allowed = self.allowed(wish);
            let left = allowed.map(|allowed| allowed.saturating_sub(now().duration_since(since)));
            if left == Some(Duration::ZERO) {
                self.told.overdue = allowed;
                return;
            }
            if self.events.get_ref().set_read_timeout(left).is_err() {
                return;
            }
            match self.events.read_until(b'\n', &mut line) {
                Ok(0) => return,
                Ok(_) if line.ends_with(b"\n") => {
                    if let Ok(event) = serde_json::from_slice(&line) {
                        self.told.take(&event, &mut self.result);
                    }
                    line.clear();
                    since = now();
                    if is_enough(&self.told) {
                        return;
                    }
                }
                Ok(_) => return,
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => return,
            }
        }
    }

    /// Why it failed: what it told, or what it printed.
    fn why(&self) -> String {
        let told = self.result.broken.first().map(|failed| match failed.places.first() {
            Some(place) => {
                format!("{}\n  at {}:{}", failed.message, place.file.display(), place.line)
            }
            None => failed.message.clone(),
        });
        told.unwrap_or_else(|| match self.output.take().trim_end() {
            "" => "its process ended".to_owned(),
            printed => format!("its process ended. It printed:\n\n{printed}"),
        })
    }

    /// How long the process may be silent.
    fn allowed(&self, wish: &Wish) -> Option<Duration> {
        if self.told.is_done {
            return Some(ENDING);
        }
        // A file that is a test itself has no limit but the one that was given.
        match &self.told.current {
            Some((_, limit)) => limit.map(|limit| (limit * 4).max(LEAST)),
            None if self.told.is_plain => wish.limit.map(|limit| (limit * 4).max(LOADING)),
            None => Some(LOADING),
        }
    }

    /// Waits for the end of the process, or makes it.
    fn end(&mut self) -> Option<ExitStatus> {
        if self.told.overdue.is_some() {
            let _ = self.child.kill();
        }
        self.child.wait().ok()
    }
}

/// What a process writes, of both streams as it comes.
struct Output {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<()>,
}

impl Output {
    fn of(child: &mut Child) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (sender, ended) = mpsc::channel();
        let streams: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
            child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
        ];
        for stream in streams.into_iter().flatten() {
            let (bytes, sender) = (Arc::clone(&bytes), sender.clone());
            std::thread::spawn(move || {
                copy(stream, &bytes);
                let _ = sender.send(());
            });
        }
        Self { bytes, ended }
    }

    /// What was written. A process that its tests have started may have the streams still; nobody waits for it.
    fn take(&self) -> String {
        let end = now() + DRAINING;
        for _ in 0..2 {
            let _ = self.ended.recv_timeout(end.saturating_duration_since(now()));
        }
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn copy(mut stream: Box<dyn Read + Send>, bytes: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        bytes.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..count]);
    }
}

#[expect(clippy::disallowed_methods, reason = "people are told how long their tests take")]
fn now() -> Instant {
    Instant::now()
}
