//! `hemiola run` and `hemiola simulate`: programs in JavaScript.

use super::Done;
use crate::args::{JavaScript, RunArgs, SimulateArgs};
use crate::input::Source;
use crate::report::Failure;
use hemiola_js::{Entry, Js, Options};
use hemiola_live::{Files, Live, environment, time_zone};
use hemiola_machine::{First, Named, Silent, Stream, World};
use hemiola_world::Virtual;
use std::path::Path;
use std::sync::Arc;

pub(super) fn run(args: &RunArgs) -> Result<Done, Failure> {
    let mut world = Live::new();
    let done = finish(options(&args.program, time_zone())?, &mut world);
    world.flush();
    done
}

pub(super) fn simulate(args: &SimulateArgs) -> Result<Done, Failure> {
    let mut live = Live::new();
    let write = |stream: Stream, text: &str| World::<Js>::write(&mut live, stream, text);
    let mut world = Virtual::new(args.seed, write);
    if let Some(until) = args.until {
        world = world.until(until);
    }
    // Not the machine's: a simulation shows the same everywhere.
    let done = finish(options(&args.program, "UTC".into())?, &mut world);
    live.flush();
    done
}

/// Runs a program to its end in a world.
fn finish(options: Options, world: &mut impl World<Js>) -> Result<Done, Failure> {
    let code = hemiola_js::run(options, &Named::NodePhases, world, &mut First, &mut Silent)
        .map_err(|error| Failure::new(error.to_string()).help("give it more memory"))?;
    // The system keeps the low byte of an exit code.
    Ok(Done { output: String::new(), notes: String::new(), code: code as u8 })
}

fn options(program: &JavaScript, zone: String) -> Result<Options, Failure> {
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
    let memory_limit = program.memory_limit.map_or(0, |mib| mib as usize * 1024 * 1024);
    Ok(Options { argv, cwd, env: environment(), zone, memory_limit, entry, disk: Arc::new(Files) })
}
