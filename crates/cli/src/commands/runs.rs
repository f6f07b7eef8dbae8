//! `hemiola runs`: the runs that were kept.

use super::recordings::{self, all, refused, unreadable};
use crate::args::{Format, RunsArgs, RunsCommand};
use crate::done::Done;
use crate::input::reason;
use crate::render::words::age;
use crate::report::Failure;
use hemiola_live::environment;
use hemiola_live::runs::{Contents, Manifest, Run, private};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

pub(super) fn run(args: &RunsArgs) -> Result<Done, Failure> {
    let result = match &args.what {
        RunsCommand::List { format } => all().list().map(|runs| list(&runs, *format)),
        RunsCommand::Show { run, format } => all().find(run).map(|run| show(&run, *format)),
        RunsCommand::Prune { keep, age } => {
            let retention = recordings::retention(*keep, *age)?;
            all().prune(retention).map(|removed| {
                removed.iter().fold(String::new(), |text, id| text + "removed " + id + "\n")
            })
        }
        RunsCommand::Pack { run, out, redact } => return pack(run, out.as_deref(), *redact),
    };
    match result {
        Ok(output) => Ok(Done::with(output, 0)),
        Err(error) => refused(&error),
    }
}

fn pack(name: &str, out: Option<&Path>, redact: bool) -> Result<Done, Failure> {
    let run = match all().find(name) {
        Ok(run) => run,
        Err(error) => return refused(&error),
    };
    let path = out.map_or_else(|| format!("{}.hemiola", run.manifest.id).into(), Path::to_owned);
    let cannot = |error: &std::io::Error| {
        Failure::new(format!("cannot write {}: {}", path.display(), reason(error)))
            .help("choose another file: --out FILE")
    };
    let file = private::file(&path).map_err(|error| cannot(&error))?;
    let packed = match redact {
        true => run.pack_redacted(file, &environment()),
        false => run.pack(file),
    };
    match packed {
        Ok(()) => Ok(Done::with(format!("{}\n", path.display()), 0)),
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
        let (ended, old, size) = (code(run), age(run.age()), size(run.size()));
        writeln!(text, "{id}  {ended}  {old:>14}  {size:>9}  {}", words.join(" "))
            .expect("a text takes any text");
    }
    text
}

fn show(run: &Run, format: Format) -> String {
    let contents = run.contents();
    if format == Format::Json {
        let mut value = to_json(run);
        match &contents {
            Ok(contents) => value["holds"] = holds(contents),
            Err(error) => value["unreadable"] = error.to_string().into(),
        }
        return format!("{value}\n");
    }
    let Manifest { id, runtime, words, cwd, strategy, inputs, redacted, .. } = &run.manifest;
    let inputs = match inputs {
        Some(count) => count.to_string(),
        None if run.is_running() => "it still runs".into(),
        None => "it was killed".into(),
    };
    let redacted = if *redacted { "redacted  yes\n" } else { "" };
    let holds = match &contents {
        Ok(contents) => described(contents),
        Err(error) => format!("holds     {error}\n"),
    };
    format!(
        "id        {id}\ncommand   hemiola {}\ndirectory {cwd}\nended     {}\nage       {}\ninputs    {inputs}\n\
         size      {}\nstrategy  {strategy}\nruntime   {runtime}\npath      {}\n{redacted}{holds}",
        words.join(" "),
        code(run).trim(),
        age(run.age()),
        size(run.size()),
        run.path.display()
    )
}

/// What a recording holds, a line for each kind.
fn described(contents: &Contents) -> String {
    let Contents { variables, secrets, sources, files, hosts, programs, bytes } = contents;
    let with = |is_kept: bool| variables.iter().filter(move |(_, kept)| **kept == is_kept);
    let rows = [
        ("variables", some(with(true).map(|(name, _)| name))),
        ("digests", some(with(false).map(|(name, _)| name))),
        ("secrets", some(secrets)),
        ("sources", some(sources)),
        ("files", some(files)),
        ("hosts", some(hosts)),
        ("programs", some(programs)),
        ("answers", size(*bytes)),
    ];
    rows.iter().fold(String::new(), |text, (name, value)| text + &format!("{name:<10}{value}\n"))
}

/// How many there are, and the first of them.
fn some<'a>(all: impl IntoIterator<Item = &'a String>) -> String {
    const SHOWN: usize = 8;
    let all: Vec<&str> = all.into_iter().map(String::as_str).collect();
    let more = if all.len() > SHOWN { ", …" } else { "" };
    let shown = all.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    match all.len() {
        0 => "none".into(),
        count => format!("{count}: {shown}{more}"),
    }
}

fn holds(contents: &Contents) -> Value {
    let Contents { variables, secrets, sources, files, hosts, programs, bytes } = contents;
    let variable = |(name, is_kept): (&String, &bool)| json!({ "name": name, "kept": if *is_kept { "value" } else { "digest" } });
    json!({
        "variables": variables.iter().map(variable).collect::<Vec<_>>(),
        "secrets": secrets,
        "sources": sources,
        "files": files,
        "hosts": hosts,
        "programs": programs,
        "answerBytes": bytes,
    })
}

fn to_json(run: &Run) -> Value {
    let manifest = &run.manifest;
    json!({
        "id": manifest.id,
        "words": manifest.words,
        "cwd": manifest.cwd,
        "code": manifest.code,
        "running": run.is_running(),
        "inputs": manifest.inputs,
        "strategy": manifest.strategy,
        "runtime": manifest.runtime,
        "startedUs": manifest.started_us,
        "tookUs": manifest.took_us,
        "bytes": run.size(),
        "redacted": manifest.redacted,
        "path": run.path.display().to_string(),
    })
}

fn code(run: &Run) -> String {
    match run.manifest.code {
        Some(code) => format!("exit {code:<3}"),
        None if run.is_running() => "running ".into(),
        None => "killed  ".into(),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
