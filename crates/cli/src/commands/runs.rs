//! `hemiola runs`: the runs that were kept.

use super::recordings::{all, refused, unreadable};
use crate::args::{Format, RunsArgs, RunsCommand};
use crate::done::Done;
use crate::input::reason;
use crate::report::Failure;
use hemiola_live::runs::{Manifest, Run, private};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

pub(super) fn run(args: &RunsArgs) -> Result<Done, Failure> {
    let result = match &args.what {
        RunsCommand::List { format } => all().list().map(|runs| list(&runs, *format)),
        RunsCommand::Show { run, format } => all().find(run).map(|run| show(&run, *format)),
        RunsCommand::Prune { keep } => all().prune(*keep).map(|removed| {
            removed.iter().fold(String::new(), |text, id| text + "removed " + id + "\n")
        }),
        RunsCommand::Pack { run, out } => return pack(run, out.as_deref()),
    };
    match result {
        Ok(output) => Ok(Done::with(output, 0)),
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
        Failure::new(format!("cannot write {}: {}", path.display(), reason(error)))
            .help("choose another file: --out FILE")
    };
    let file = private::file(&path).map_err(|error| cannot(&error))?;
    match run.pack(file) {
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
