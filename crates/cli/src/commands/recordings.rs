//! Where runs are kept, when, and what is to be said of them.

use super::options::Surroundings;
use crate::args::{self, Record, RunArgs};
use crate::done::Done;
use crate::exit::{LEFT, UNREADABLE};
use crate::input::{is_javascript, reason};
use crate::report::{self, Failure};
use crate::shell;
use hemiola_gate::Disk;
use hemiola_live::runs::{Manifest, Outcome, Recording, Retention, Run, RunError, Runs, When};
use hemiola_live::{Files, words_of_starter};
use hemiola_machine::Delay;
use hemiola_world::recording::{Divergence, Entry};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where recordings are, unless HEMIOLA_RUNS says it, and how large they may be.
pub(super) fn all() -> Runs {
    let root = variable("HEMIOLA_RUNS").map(PathBuf::from);
    let runs = Runs::at(root.unwrap_or_else(|| state_directory().join("runs")));
    // What cannot be read is said where recordings are removed on purpose.
    let runs = match retention(None, None) {
        Ok(retention) => runs.keeping(retention),
        Err(_) => runs,
    };
    let most = variable("HEMIOLA_UNPACK_LIMIT").and_then(|mib| mib.to_str()?.parse().ok());
    match most {
        Some(mib) => runs.unpacking_at_most(mib),
        None => runs,
    }
}

/// How many recordings are kept and for how long: what is given, or else what the environment says.
pub(super) fn retention(count: Option<usize>, age: Option<Duration>) -> Result<Retention, Failure> {
    let set = |name: &str| variable(name).map(|value| value.to_string_lossy().into_owned());
    let wrong = |name: &str, value: &str| {
        Failure::new(format!("{name} is `{value}`")).help(format!(
            "set it to {}, or to `all`",
            if name == KEEP { "a number" } else { "a time: 30d, 12h" }
        ))
    };
    let of_environment = Retention {
        count: match set(KEEP) {
            None => Retention::default().count,
            Some(text) if text == "all" => None,
            Some(text) => Some(text.parse().map_err(|_| wrong(KEEP, &text))?),
        },
        age: match set(KEEP_AGE) {
            None => Retention::default().age,
            Some(text) if text == "all" => None,
            Some(text) => Some(args::age(&text).map_err(|_| wrong(KEEP_AGE, &text))?),
        },
    };
    Ok(Retention { count: count.or(of_environment.count), age: age.or(of_environment.age) })
}

/// The variables that say how many recordings are kept, and for how long.
const KEEP: &str = "HEMIOLA_KEEP";
const KEEP_AGE: &str = "HEMIOLA_KEEP_AGE";

/// The recording that is meant where none is named, and what to say of it: a person is told which one it is, and
/// everybody if it is not the newest.
pub(super) fn last() -> Result<Option<(Run, String)>, RunError> {
    let Some((run, is_newest)) = all().last_failure()? else { return Ok(None) };
    if is_newest && !std::io::stderr().is_terminal() {
        return Ok(Some((run, String::new())));
    }
    let Manifest { id, words, code, .. } = &run.manifest;
    let how = code.map_or("killed".into(), |code| format!("exit {code}"));
    let what = if is_newest { "this is" } else { "this is the last that failed," };
    let old = crate::render::words::age(run.age());
    let note = report::note(&format!("{what} {id}, {old}: hemiola {} ({how})", words.join(" ")));
    Ok(Some((run, note)))
}

/// What tells another process of ours where recordings are kept, and when.
pub(super) fn variables() -> Vec<(String, OsString)> {
    let root = std::path::absolute(all().root()).unwrap_or_else(|_| all().root().to_owned());
    let wish = variable("HEMIOLA_RECORD").map(|wish| ("HEMIOLA_RECORD".into(), wish));
    [("HEMIOLA_RUNS".into(), root.into_os_string())].into_iter().chain(wish).collect()
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
pub(super) fn wish(args: &RunArgs) -> Result<Record, Failure> {
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
        // Nobody asked for it.
        _ if args.record.is_none() && !args.program.permissions.may_write_anywhere() => Record::Off,
        // To be compared it must be there, however long it is.
        _ if args.program.paranoid => Record::Always,
        record => record,
    };
    if record != Record::Off {
        args.program.permissions.refuse_to_write("--record")?;
    }
    let when = match record {
        Record::Off => return Ok(None),
        Record::Always => When::Always,
        Record::OnFailure => When::OnFailure,
    };
    let words = args::words()?.into_iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    begin_with(when, words.collect(), surroundings, args.program.strategy.name()).map(Some)
}

/// Starts to record a program that those words run, whatever becomes of it.
pub(super) fn always(
    words: Vec<String>,
    surroundings: &Surroundings,
    strategy: &str,
) -> Result<Recording, Failure> {
    begin_with(When::Always, words, surroundings, strategy)
}

fn begin_with(
    when: When,
    words: Vec<String>,
    surroundings: &Surroundings,
    strategy: &str,
) -> Result<Recording, Failure> {
    let manifest = Manifest {
        runtime: env!("CARGO_PKG_VERSION").into(),
        words,
        text: surroundings.text.clone(),
        strategy: strategy.into(),
        cwd: surroundings.cwd.clone(),
        executable: (surroundings.executable.clone(), surroundings.argv0.clone()),
        zone: surroundings.zone.clone(),
        stack_limit: surroundings.stack_limit as u64,
        born_us: surroundings.born.as_micros(),
        ..Manifest::default()
    };
    let runs = all();
    let root = runs.root().display().to_string();
    Recording::begin(runs, when, manifest).map_err(|error| {
        Failure::new(format!("cannot record in {root}: {}", reason(&error)))
            .help("set HEMIOLA_RUNS to a directory that can be written, or use --record=off")
    })
}

/// Ends a recording with what became of the run, and says where it is. Unless it is kept always, it is
/// kept if the program failed, and `may_fail` says that it could have.
pub(super) fn end(recording: Recording, done: Done, may_fail: bool) -> Done {
    let code = i32::from(done.code);
    let note = match recording.finish(code, may_fail && code != 0) {
        Ok(Outcome::Unwanted) => return done,
        Ok(Outcome::Kept(id)) => {
            // What cannot be removed now is removed another time.
            let _ = all().tidy();
            // A program that started this one reads what it writes, and expects no notes in it.
            if is_read_by_kin() { String::new() } else { kept(&id) }
        }
        Ok(Outcome::TooLong) => {
            "note: too long to be recorded in memory; to be able to replay it, use --record\n"
                .into()
        }
        // The program's own result is what matters.
        Err(error) => {
            format!("warning: the recording is lost: {}\n", reason(&error))
        }
    };
    Done { notes: done.notes + &note, ..done }
}

/// Whether what this process says is read by a program that we run, and that has started it. A fleet shows all that its
/// programs say to whoever has started the fleet.
fn is_read_by_kin() -> bool {
    let is_fleet = |words: Vec<String>| words.get(1).is_some_and(|word| word == "fleet");
    !std::io::stderr().is_terminal() && words_of_starter().is_some_and(|words| !is_fleet(words))
}

/// How to run a recording again.
pub(super) fn kept(id: &str) -> String {
    format!("note: recorded; run it again: hemiola replay {id}\n")
}

/// Whether a run was stopped from outside, or killed.
pub(super) fn was_stopped(manifest: &Manifest) -> bool {
    const STOPPED: [i32; 4] = [124, 130, 134, 143];
    manifest.code.is_none_or(|code| STOPPED.contains(&code))
}

/// How long the replay of a run may take that was stopped while it computed, perhaps: by itself it might never end.
/// A replay does not wait, so it takes hardly longer than the run did.
pub(super) fn patience(run: &Run) -> Option<Delay> {
    const GRACE: Delay = Delay::from_millis(1000);
    /// Nobody knows how long a run took that was killed, and then packed.
    const LONG_US: u64 = 15_000_000;
    if !was_stopped(&run.manifest) {
        return None;
    }
    let took = run.took_us().unwrap_or(LONG_US).saturating_mul(4);
    Some(Delay::from_micros(GRACE.as_micros().saturating_add(took)))
}

/// A replay that computed for longer than the run did, which was stopped.
pub(super) fn computes(manifest: &Manifest) -> Done {
    let message = Failure::new("the recording ends while the program computes")
        .fact(format!("the run was {}", ended(manifest)))
        .help(format!("see where it computes: hemiola debug --tty {}", manifest.id));
    Done::noted(message.to_string(), LEFT)
}

/// How a run ended that was stopped.
fn ended(manifest: &Manifest) -> String {
    manifest.code.map_or("killed".into(), |code| format!("stopped, exit {code}"))
}

/// Whether a replay came to the end of a run that was stopped from outside.
pub(super) fn was_cut(manifest: &Manifest, divergence: &Divergence) -> bool {
    divergence.recorded.is_none() && was_stopped(manifest)
}

/// A replay that has left its recording.
pub(super) fn left(manifest: &Manifest, divergence: &Divergence, missing: &[String]) -> Done {
    let was_cut = was_cut(manifest, divergence);
    let Divergence { input, recorded, asked } = divergence;
    let help = format!("see what it is of: hemiola runs show {}", manifest.id);
    let message = match recorded {
        None if was_cut => Failure::new(format!("the recording ends before input {input}"))
            .fact(format!("the run was {}", ended(manifest))),
        _ => Failure::new(format!("replay left the recording at input {input}"))
            .fact(format!("recorded: {}", recorded.as_deref().unwrap_or("nothing more")))
            .fact(format!("asked:    {asked}")),
    };
    let message = match missing {
        [] => message,
        _ => message.fact(format!("not recorded: {}", missing.join(", "))),
    };
    Done::noted(message.help(help).to_string(), LEFT)
}

/// Says which secrets a replay had to do without.
pub(super) fn missing(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    report::note(&format!(
        "not recorded, and not set to the same value here: {}; the program got something else instead. Set them, or \
         record with --record-secrets",
        names.join(", ")
    ))
}

/// A replay that ends where memory is shared with a worker.
pub(super) fn shares_memory(manifest: &Manifest) -> Done {
    let message = Failure::new(format!(
        "{} cannot be replayed any further: the program shares memory with a worker",
        manifest.id
    ))
    .fact("what others do in shared memory is not recorded; up to here the replay was exact")
    .help("send messages instead, or run it where workers take turns: hemiola simulate");
    Done::noted(message.to_string(), LEFT)
}

/// Says that a module of a recorded program is another one by now: what is replayed is what was recorded.
pub(super) fn changed(entries: &[Entry]) -> String {
    let modules = entries.iter().filter_map(Entry::module);
    let changed = modules.filter(|(path, text)| {
        Files.read(&(*path).into()).is_ok_and(|now| now.as_slice() != *text)
    });
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

/// Says that callbacks of a recorded program were interrupted. A debugger gives back the steps of its hooks, but
/// with them the engine also makes other jumps of some statements.
pub(super) fn interrupted(entries: &[Entry]) -> String {
    match entries.iter().filter(|entry| entry.is_interruption()).count() {
        0 => String::new(),
        count => report::note(&format!(
            "callbacks were interrupted for running too long ({count}). With the debugger's hooks that may be \
             earlier or later than in the run, and values may differ from there on; `hemiola replay` interrupts \
             at the same step"
        )),
    }
}

/// A recording that cannot be read.
pub(super) fn unreadable(error: &RunError) -> Done {
    let help = match error {
        RunError::Foreign(path) if is_javascript(path) => {
            let words = ["hemiola", "run", "--record"].map(OsString::from);
            let line = shell::line(words.into_iter().chain([path.into()]));
            &format!("record the program first: {line}")
        }
        RunError::Foreign(_) => "see what there is: hemiola runs list",
        RunError::Newer(..) | RunError::NewerRuntime(..) => {
            "use the version of Hemiola that wrote it"
        }
        RunError::TooLarge(..) => {
            "if you trust it, allow more: HEMIOLA_UNPACK_LIMIT=MIB in the environment"
        }
        _ => "record it again: hemiola run --record FILE",
    };
    let message = Failure::new(error.to_string()).help(help);
    Done::noted(message.to_string(), UNREADABLE)
}

pub(super) fn refused(error: &RunError) -> Result<Done, Failure> {
    match error {
        RunError::Unknown(_) | RunError::Ambiguous(..) => {
            Err(Failure::new(error.to_string()).help("see what there is: hemiola runs list"))
        }
        _ => Ok(unreadable(error)),
    }
}
