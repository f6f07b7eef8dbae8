//! `hemiola run` and `hemiola simulate`: programs in JavaScript.

use super::Done;
use crate::args::{JavaScript, RunArgs, SimulateArgs, Timers};
use crate::input::Source;
use crate::report::Failure;
use hemiola_js::{Entry, Js, Options, Stop, TimerMeaning};
use hemiola_live::{Files, Live, environment};
use hemiola_machine::{First, Silent, Stream, World};
use hemiola_world::Virtual;
use std::path::Path;
use std::sync::Arc;

pub(super) fn run(args: &RunArgs) -> Result<Done, Failure> {
    let (stop, mut world) = world(&args.program)?;
    let done = finish(&args.program, stop, &mut world);
    world.flush();
    done
}

pub(super) fn simulate(args: &SimulateArgs) -> Result<Done, Failure> {
    let (stop, mut live) = world(&args.program)?;
    let write = |stream: Stream, text: &str| live.write(stream, text);
    let mut world = Virtual::new(args.seed, write);
    if let Some(until) = args.until {
        world = world.until(until);
    }
    let done = finish(&args.program, stop, &mut world);
    live.flush();
    done
}

/// The world of the system, and what its signals and its clock ask for.
fn world(program: &JavaScript) -> Result<(Stop, Live), Failure> {
    let stop = Stop::default();
    let live = Live::new(stop.clone()).map_err(|error| {
        Failure::new(format!("cannot listen to the system: {error}"))
            .help("raise the number of files that may be open: ulimit -n")
    })?;
    if let Some(limit) = program.timeout {
        live.stop_after(limit);
    }
    Ok((stop, live))
}

/// Runs a program to its end in a world.
fn finish(program: &JavaScript, stop: Stop, world: &mut impl World<Js>) -> Result<Done, Failure> {
    let options = options(program, stop)?;
    let code = hemiola_js::run(options, world, &mut First, &mut Silent)
        .map_err(|error| Failure::new(error.to_string()).help("give it more memory"))?;
    // The system keeps the low byte of an exit code.
    Ok(Done { output: String::new(), notes: String::new(), code: code as u8 })
}

fn options(program: &JavaScript, stop: Stop) -> Result<Options, Failure> {
    let words: Vec<String> =
        program.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let text = |source: String, name: &str| Entry::Text { source, name: name.into() };
    let (entry, arguments) = match (&program.eval, words.as_slice()) {
        (Some(code), arguments) => (text(code.clone(), "[eval]"), arguments),
        (None, [file, arguments @ ..]) if file == "-" => {
            (text(Source::read(Path::new(file))?.text, "[stdin]"), arguments)
        }
        (None, [file, arguments @ ..]) => (Entry::File(file.clone()), arguments),
        (None, []) => unreachable!("the arguments ask for a file or a text"),
    };
    let cwd = std::env::current_dir().unwrap_or_default().display().to_string();
    let executable = std::env::current_exe().unwrap_or_default().display().to_string();
    let mut argv = vec![executable];
    if let Entry::File(file) = &entry {
        argv.push(Path::new(&cwd).join(file).display().to_string());
    }
    argv.extend_from_slice(arguments);
    Ok(Options {
        argv,
        cwd,
        env: environment(),
        memory_limit: program.memory_limit as usize * 1024 * 1024,
        strategy: program.strategy,
        timers: match program.timers {
            Timers::Hemiola => TimerMeaning::Labelled,
            Timers::Node => TimerMeaning::Node,
        },
        stop,
        entry,
        disk: Arc::new(Files),
    })
}
