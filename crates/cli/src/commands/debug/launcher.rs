//! Finds the run that is to be debugged, and starts the process that replays it.

use super::super::explored::Modules;
use super::super::{recordings, traced};
use crate::args::DebugFlags;
use crate::done::Done;
use crate::input::is_javascript;
use crate::report::{Failure, plain};
use hemiola_debug::{Launcher, Listener, Opened, Process, Sources, Target, Way, Wish};
use hemiola_gate::Disk;
use hemiola_live::Files;
use hemiola_live::runs::Run;
use hemiola_transform::{Goal, Language};
use hemiola_world::recording::Entry;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::PoisonError;
use std::time::Duration;

/// How often a program that is recorded is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// What the command line says is to be debugged.
pub(super) enum What {
    /// Nothing: whoever talks with the debugger says it.
    Open,
    /// A recording.
    Run(String),
    /// A program, with its arguments.
    Program(Vec<String>),
    /// A program under a schedule, with the texts that it loads, and which of them it is; the words of the
    /// command say the rest.
    Schedule(Modules, Option<String>),
}

impl What {
    /// What the words mean: a program if there is one of that name.
    pub(super) fn of(words: Vec<String>) -> Result<Self, Failure> {
        match words.as_slice() {
            [] => Ok(Self::Open),
            [first, ..] if is_program(first) => Ok(Self::Program(words)),
            [run] => Ok(Self::Run(run.clone())),
            [first, ..] => Err(Failure::new(format!("there is no program `{first}`"))
                .help("name a recording alone, or a program with its arguments")),
        }
    }
}

fn is_program(name: &str) -> bool {
    let path = Path::new(name);
    is_javascript(path) && path.is_file()
}

/// Starts sessions.
pub(super) struct Launch {
    what: What,
    skip: Vec<String>,
    /// Here somebody can name no recording but the latest one.
    is_terminal: bool,
    /// Whether the session is about a run that was there before: then it starts no program.
    is_recording: bool,
    /// What the command says if there is no session.
    pub(super) refusal: Option<Result<Done, Failure>>,
}

impl Launch {
    pub(super) fn new(what: What, flags: &DebugFlags) -> Self {
        let is_terminal = flags.tty || !flags.log.is_empty();
        let is_recording = matches!(what, What::Run(_) | What::Schedule(..));
        Self { what, skip: flags.skip.clone(), is_terminal, is_recording, refusal: None }
    }

    /// Remembers what is wrong, as a command says it, and gives it in words.
    fn refused(&mut self, refusal: Result<Done, Failure>) -> String {
        let text = match &refusal {
            Ok(done) => done.notes.clone(),
            Err(failure) => failure.to_string(),
        };
        self.refusal = Some(refusal);
        plain(&text)
    }

    fn recording(&mut self, run: &Run, notes: String) -> Result<Opened<Process>, String> {
        let entries =
            run.inputs().map_err(|error| self.refused(Ok(recordings::unreadable(&error))))?;
        let texts = traced::sources(run, &entries).map_err(|failure| self.refused(Err(failure)))?;
        let notes = notes
            + &plain(&recordings::changed(&entries))
            + &plain(&recordings::interrupted(&entries));
        // A program is read before what it imports; what is no program is about packages.
        let mut modules = entries.iter().filter_map(Entry::module).map(|(path, _)| path);
        let program = modules.find(|path| path.extension().is_none_or(|end| end != "json"));
        let program = program.map(|path| path.display().to_string());
        let inputs = entries.len() as u64;
        drop(entries);
        let path = std::path::absolute(&run.path).unwrap_or_else(|_| run.path.clone());
        let words = ["debug".into(), "--replaying".into(), path.into_os_string()];
        let opened = self.start(words.into(), texts, program, notes)?;
        Ok(Opened { inputs, ..opened })
    }

    fn start(
        &mut self,
        mut words: Vec<OsString>,
        texts: BTreeMap<String, String>,
        program: Option<String>,
        notes: String,
    ) -> Result<Opened<Process>, String> {
        for glob in &self.skip {
            words.insert(2, format!("--skip={glob}").into());
        }
        let mut command = hemiola()?;
        command.args(words);
        let replica = Process::start(command)
            .map_err(|error| format!("cannot start a process that replays the run: {error}"))?;
        let differs = |path: &str, text: &str| match Files.read(&Path::new(path).into()) {
            Ok(now) => now != text.as_bytes(),
            Err(_) => true,
        };
        let sources = Sources::new(texts, differs, statements);
        let program = program.and_then(|name| Some(sources.meant(&name)?.path.clone()));
        Ok(Opened { replica, sources, program, notes, inputs: 0 })
    }

    /// The program that is to be run first, with its arguments, if that is what is to be debugged.
    fn program(&self, target: &Target) -> Option<Vec<String>> {
        match (&target.run, &target.program, &self.what) {
            (None, Some(program), _) => {
                let words = std::iter::once(program).chain(&target.args);
                Some(words.cloned().collect())
            }
            (None, None, What::Program(words)) => Some(words.clone()),
            _ => None,
        }
    }

    /// Runs a program and records it.
    fn record(
        &mut self,
        words: &[String],
        cwd: Option<&str>,
        listener: &mut dyn Listener,
    ) -> Result<Run, String> {
        let mut command = hemiola()?;
        command.args(["run", "--record"]).args(words);
        if let Some(cwd) = cwd {
            command.current_dir(cwd);
        }
        // What it prints is printed again when it is replayed; what it reads would be our commands.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child =
            command.spawn().map_err(|error| format!("cannot run the program: {error}"))?;
        let errors = child.stderr.take();
        let gather = move || {
            let mut text = Vec::new();
            // What cannot be read is not told.
            let _ = errors.map(|mut errors| errors.read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        };
        let gathered = std::thread::Builder::new().spawn(gather);
        self.wait(&mut child, listener)?;
        let said = gathered.ok().and_then(|thread| thread.join().ok()).unwrap_or_default();
        let recorded: Vec<&str> =
            ["run", "--record"].into_iter().chain(words.iter().map(String::as_str)).collect();
        let runs = recordings::all().list().map_err(|error| error.to_string())?;
        let run = runs.into_iter().find(|run| run.manifest.words == recorded);
        run.ok_or_else(|| plain(&format!("the program was not recorded\n{said}")))
    }

    /// Waits until a program has ended; a wish for a pause interrupts it.
    fn wait(&self, child: &mut Child, listener: &mut dyn Listener) -> Result<(), String> {
        loop {
            match child.try_wait() {
                Ok(Some(_)) => return Ok(()),
                Ok(None) => {}
                Err(error) => return Err(format!("cannot wait for the program: {error}")),
            }
            match listener.wish(&Way::default()) {
                Wish::GoOn => std::thread::sleep(LOOK),
                Wish::Pause => hemiola_live::interrupt(child.id()),
                Wish::Leave => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err("the session is over".into());
                }
            }
        }
    }
}

impl Launcher for Launch {
    type Replica = Process;

    fn knows_target(&self) -> bool {
        !matches!(self.what, What::Open)
    }

    fn open(
        &mut self,
        target: &Target,
        listener: &mut dyn Listener,
    ) -> Result<Opened<Process>, String> {
        if let Some(schedule) = &target.schedule {
            return Err(format!(
                "start it with the schedule: hemiola debug --schedule {schedule} FILE"
            ));
        }
        if let (Some(program), true) = (&target.program, self.is_recording) {
            return Err(format!(
                "this session is about a recorded run, and does not start {program}: leave out \"program\""
            ));
        }
        if let Some(words) = self.program(target) {
            let run = self.record(&words, target.cwd.as_deref(), listener)?;
            let note = format!("recorded as {}\n", run.manifest.id);
            return self.recording(&run, note);
        }
        let name = match (&target.run, &self.what) {
            (Some(run), _) => run.clone(),
            (None, What::Run(run)) => run.clone(),
            (None, What::Schedule(modules, program)) => {
                let texts = modules.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let program = program.clone();
                let mut words: Vec<OsString> = std::env::args_os().skip(1).collect();
                words.insert(1, "--replaying".into());
                return self.start(words, texts, program, String::new());
            }
            (None, _) if self.is_terminal => "latest".into(),
            (None, _) => {
                return Err(
                    "say what is to be debugged: \"run\": \"latest\", or \"program\": a file"
                        .into(),
                );
            }
        };
        self.is_recording = true;
        match recordings::all().find(&name) {
            Ok(run) => self.recording(&run, String::new()),
            Err(error) => Err(self.refused(recordings::refused(&error))),
        }
    }
}

/// This program.
fn hemiola() -> Result<Command, String> {
    let file = std::env::current_exe()
        .map_err(|error| format!("cannot find out what program this is: {error}"))?;
    Ok(Command::new(file))
}

/// Where the statements of a text are.
fn statements(path: &str, text: &str) -> Vec<(u32, u32)> {
    let end = Path::new(path).extension().and_then(|end| end.to_str()).unwrap_or_default();
    let language = Language::of_name(path);
    let goal = match end {
        "mjs" | "mts" => Goal::Module,
        "cjs" | "cts" => Goal::CommonJs,
        _ => Goal::Detect,
    };
    let ready = hemiola_transform::step(text, language, goal, &[], 0).ok();
    let steps = ready.and_then(|ready| ready.steps);
    steps.map_or_else(Vec::new, |steps| {
        steps.statements.iter().map(|statement| (statement.line, statement.column)).collect()
    })
}
