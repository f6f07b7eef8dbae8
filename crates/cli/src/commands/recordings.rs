//! `hemiola replay` and `hemiola runs`: runs that were kept.

use super::Done;
use super::javascript::{self, Again, Surroundings};
use super::watch::{self, Watch};
use crate::args::{Format, Record, ReplayArgs, RunArgs, RunsArgs, RunsCommand};
use crate::report::{self, Failure};
use hemiola_gate::{Disk, Stop};
use hemiola_live::Files;
use hemiola_live::runs::{Manifest, Outcome, Recording, Run, RunError, Runs, When};
use hemiola_world::recording::{Divergence, Entry};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The program asked for something else than was recorded.
pub(super) const LEFT: u8 = 101;
/// The recording cannot be read by this build.
const UNREADABLE: u8 = 103;

/// Where recordings are, unless HEMIOLA_RUNS says it.
pub(super) fn all() -> Runs {
    let root = variable("HEMIOLA_RUNS").map(PathBuf::from);
    Runs::at(root.unwrap_or_else(|| state_directory().join("runs")))
}

/// Where Hemiola keeps what it wants to find again.
pub(super) fn state_directory() -> PathBuf {
    let state = variable("XDG_STATE_HOME").map(PathBuf::from);
    let home = || variable("HOME").map(|home| Path::new(&home).join(".local/state"));
    state.or_else(home).unwrap_or_else(std::env::temp_dir).join("hemiola")
}

/// A variable of the environment that is set to something.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// When a run is to be kept.
fn wish(args: &RunArgs) -> Result<Record, Failure> {
    let wish = variable("HEMIOLA_RECORD").unwrap_or_default();
    match (args.record, wish.to_str()) {
        (Some(record), _) => Ok(record),
        (None, Some("always")) => Ok(Record::Always),
        (None, Some("off")) => Ok(Record::Off),
        // Who started it hears what becomes of it, and does not expect to read notes about it.
        (None, Some("")) if variable("NODE_CHANNEL_FD").is_some() => Ok(Record::Off),
        (None, Some("on-failure" | "")) => Ok(Record::OnFailure),
        (None, _) => Err(Failure::new(format!("HEMIOLA_RECORD is `{}`", wish.display()))
            .help("set it to always, on-failure or off")),
    }
}

/// Starts to record a run, if it is to be.
pub(super) fn begin(
    args: &RunArgs,
    surroundings: &Surroundings,
) -> Result<Option<Recording>, Failure> {
    let record = match wish(args)? {
        // To be compared it must be there, however long it is.
        _ if args.program.paranoid => Record::Always,
        record => record,
    };
    let when = match record {
        Record::Off => return Ok(None),
        Record::Always => When::Always,
        Record::OnFailure => When::OnFailure,
    };
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let manifest = Manifest {
        runtime: env!("CARGO_PKG_VERSION").into(),
        words: words.collect(),
        text: surroundings.text.clone(),
        strategy: args.program.strategy.name().into(),
        cwd: surroundings.cwd.clone(),
        executable: (surroundings.executable.clone(), surroundings.argv0.clone()),
        env: surroundings.env.clone(),
        zone: surroundings.zone.clone(),
        stack_limit: surroundings.stack_limit as u64,
        ..Manifest::default()
    };
    let runs = all();
    let root = runs.root().display().to_string();
    Recording::begin(runs, when, manifest).map(Some).map_err(|error| {
        let reason = crate::input::reason(&error);
        Failure::new(format!("cannot record in {root}: {reason}"))
            .help("set HEMIOLA_RUNS to a directory that can be written, or use --record=off")
    })
}

/// Ends a recording with what became of the run, and says where it is. Unless it is kept always, it is
/// kept if the program failed, and `may_fail` says that it could have.
pub(super) fn end(recording: Recording, done: Done, may_fail: bool) -> Done {
    let code = i32::from(done.code);
    let note = match recording.finish(code, may_fail && code != 0) {
        Ok(Outcome::Unwanted) => return done,
        Ok(Outcome::Kept(id)) => kept(&id),
        Ok(Outcome::TooLong) => {
            "note: too long to be recorded in memory; to be able to replay it, use --record\n"
                .into()
        }
        // The program's own result is what matters.
        Err(error) => {
            format!("warning: the recording is lost: {}\n", crate::input::reason(&error))
        }
    };
    Done { notes: done.notes + &note, ..done }
}

/// Ends a recording, replays it at once and says whether that was the same. It is kept if it was not, or
/// if it would have been kept anyhow.
pub(super) fn end_compared(
    recording: Recording,
    done: Done,
    args: &RunArgs,
    stop: &Stop,
    mut watch: Watch,
) -> Result<Done, Failure> {
    let lost = |reason: String| {
        Failure::new(format!("cannot compare the run with its recording: {reason}"))
            .help("set HEMIOLA_RUNS to a directory that can be written")
    };
    let id = match recording.finish(done.code.into(), true) {
        Ok(Outcome::Kept(id)) => id,
        Ok(_) => unreachable!("a recording on disk is kept"),
        Err(error) => return Err(lost(crate::input::reason(&error))),
    };
    let run = all().find(&id).map_err(|error| lost(error.to_string()))?;
    let is_kept = match wish(args)? {
        Record::Always => true,
        Record::OnFailure => done.code != 0 && stop.asked().is_none(),
        Record::Off => false,
    };
    let done = if stop.asked().is_some() {
        watch::not_compared(done)
    } else {
        // All that it prints is in the trace, too.
        let again = javascript::follow(&run, stop.clone(), |_, _| Ok(()), &mut watch)?;
        let help = format!(
            "this is a bug in hemiola; see the second run: hemiola replay {id} --trace FILE"
        );
        let verdict = match again {
            Again::Refused(verdict) | Again::Cut(verdict) => Some(verdict),
            Again::Ended(_) if stop.asked().is_some() => Some(watch::not_compared(done.clone())),
            Again::Ended(again) => {
                watch.verdict([done.code, again.code], &Default::default(), &help)
            }
        };
        if let Some(verdict) = verdict {
            return Ok(verdict);
        }
        done
    };
    if !is_kept {
        // If it stays, it is a recording like any other.
        let _ = std::fs::remove_dir_all(&run.path);
        return Ok(done);
    }
    Ok(Done { notes: done.notes + &kept(&id), ..done })
}

/// How to run a recording again.
fn kept(id: &str) -> String {
    format!("note: recorded; run it again: hemiola replay {id}\n")
}

pub(super) fn replay(args: &ReplayArgs) -> Result<Done, Failure> {
    match all().find(&args.run) {
        Ok(run) => javascript::run_again(&run, args.trace.as_deref(), args.stacks),
        Err(error) => refused(&error),
    }
}

/// Whether a run was stopped from outside, or killed.
pub(super) fn was_stopped(manifest: &Manifest) -> bool {
    const STOPPED: [i32; 4] = [124, 130, 134, 143];
    manifest.code.is_none_or(|code| STOPPED.contains(&code))
}

/// Whether a replay came to the end of a run that was stopped from outside.
pub(super) fn was_cut(manifest: &Manifest, divergence: &Divergence) -> bool {
    divergence.recorded.is_none() && was_stopped(manifest)
}

/// A replay that has left its recording.
pub(super) fn left(manifest: &Manifest, divergence: &Divergence, shares_memory: bool) -> Done {
    let was_cut = was_cut(manifest, divergence);
    let Divergence { input, recorded, asked } = divergence;
    let help = format!("see what it is of: hemiola runs show {}", manifest.id);
    let mut message = match recorded {
        None if was_cut => {
            let end = manifest.code.map_or("killed".into(), |code| format!("stopped, exit {code}"));
            Failure::new(format!("the recording ends before input {input}"))
                .fact(format!("the run was {end}"))
        }
        _ => Failure::new(format!("replay left the recording at input {input}"))
            .fact(format!("recorded: {}", recorded.as_deref().unwrap_or("nothing more")))
            .fact(format!("asked:    {asked}")),
    };
    if shares_memory {
        message = message.fact("the program shares memory with workers, which is not recorded");
    }
    Done { output: String::new(), notes: message.help(help).to_string(), code: LEFT }
}

/// Says that a module of a recorded program is another one by now: what is replayed is what was recorded.
pub(super) fn changed(entries: &[Entry]) -> String {
    let modules = entries.iter().filter_map(Entry::module);
    let changed =
        modules.filter(|(path, text)| Files.read(path).is_ok_and(|now| now.as_slice() != *text));
    let paths: BTreeSet<&Path> = changed.map(|(path, _)| path).collect();
    match (paths.first(), paths.len()) {
        (None, _) => String::new(),
        (Some(path), 1) => {
            report::note(&format!("{} has changed since; it ran as recorded", path.display()))
        }
        (Some(path), more) => report::note(&format!(
            "{} and {} more files have changed since; they ran as recorded",
            path.display(),
            more - 1
        )),
    }
}

/// A recording that cannot be read.
pub(super) fn unreadable(error: &RunError) -> Done {
    let help = match error {
        RunError::Newer(..) | RunError::NewerRuntime(..) => {
            "use the version of Hemiola that wrote it"
        }
        _ => "record it again: hemiola run --record FILE",
    };
    let message = Failure::new(error.to_string()).help(help);
    Done { output: String::new(), notes: message.to_string(), code: UNREADABLE }
}

pub(super) fn refused(error: &RunError) -> Result<Done, Failure> {
    match error {
        RunError::Unknown(_) | RunError::Ambiguous(..) => {
            Err(Failure::new(error.to_string()).help("see what there is: hemiola runs list"))
        }
        _ => Ok(unreadable(error)),
    }
}

pub(super) fn runs(args: &RunsArgs) -> Result<Done, Failure> {
    let result = match &args.what {
        RunsCommand::List { format } => all().list().map(|runs| list(&runs, *format)),
        RunsCommand::Show { run, format } => all().find(run).map(|run| show(&run, *format)),
        RunsCommand::Prune { keep } => all().prune(*keep).map(|removed| {
            removed.iter().fold(String::new(), |text, id| text + "removed " + id + "\n")
        }),
        RunsCommand::Pack { run, out } => return pack(run, out.as_deref()),
    };
    match result {
        Ok(output) => Ok(Done { output, notes: String::new(), code: 0 }),
        Err(error) => refused(&error),
    }
}

fn pack(name: &str, out: Option<&Path>) -> Result<Done, Failure> {
    let run = match all().find(name) {
        Ok(run) => run,
        Err(error) => return refused(&error),
    };
    let path = out.map_or_else(|| format!("{}.hemiola", run.manifest.id).into(), Path::to_owned);
    let cannot = |error: &std::io::Error| {
        let reason = crate::input::reason(error);
        Failure::new(format!("cannot write {}: {reason}", path.display()))
            .help("choose another file: --out FILE")
    };
    let file = std::fs::File::create(&path).map_err(|error| cannot(&error))?;
    match run.pack(file) {
        Ok(()) => {
            let output = format!("{}\n", path.display());
            Ok(Done { output, notes: String::new(), code: 0 })
        }
        Err(error) => Ok(unreadable(&error)),
    }
}

fn list(runs: &[Run], format: Format) -> String {
    if format == Format::Json {
        let runs: Vec<Value> = runs.iter().map(to_json).collect();
        return format!("{}\n", json!({ "version": 1, "runs": runs }));
    }
    let mut text = String::new();
    for run in runs {
        let Manifest { id, words, .. } = &run.manifest;
        writeln!(text, "{id}  {}  {:>9}  {}", code(run), size(run.size()), words.join(" "))
            .expect("a text takes any text");
    }
    text
}

fn show(run: &Run, format: Format) -> String {
    if format == Format::Json {
        return format!("{}\n", to_json(run));
    }
    let Manifest { id, runtime, words, cwd, strategy, inputs, .. } = &run.manifest;
    let inputs = inputs.map_or("it was killed".into(), |count| count.to_string());
    format!(
        "id        {id}\ncommand   hemiola {}\ndirectory {cwd}\nended     {}\ninputs    {inputs}\n\
         size      {}\nstrategy  {strategy}\nruntime   {runtime}\npath      {}\n",
        words.join(" "),
        code(run).trim(),
        size(run.size()),
        run.path.display()
    )
}

fn to_json(run: &Run) -> Value {
    let manifest = &run.manifest;
    json!({
        "id": manifest.id,
        "words": manifest.words,
        "cwd": manifest.cwd,
        "code": manifest.code,
        "inputs": manifest.inputs,
        "strategy": manifest.strategy,
        "runtime": manifest.runtime,
        "startedUs": manifest.started_us,
        "tookUs": manifest.took_us,
        "bytes": run.size(),
        "path": run.path.display().to_string(),
    })
}

fn code(run: &Run) -> String {
    run.manifest.code.map_or("killed  ".into(), |code| format!("exit {code:<3}"))
}

fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
