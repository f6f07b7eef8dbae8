//! Programs that a simulated program starts: each is another process of its computer (rule FLEET-7).

use super::options::{self, Surroundings};
use super::workers;
use crate::args;
use crate::report::Failure;
use anstream::adapter::strip_str;
use hemiola_gate::{Fault, Room};
use hemiola_js::{JavaScript, Options};
use hemiola_live::spawn;
use hemiola_machine::{Sink, Stream, World};
use hemiola_world::Overlay;
use hemiola_world::processes::{Begin, Launcher};
use std::sync::Arc;

/// The exit code of a program whose command line is wrong, as Node has it.
const WRONG_WORDS: i32 = 9;

/// The stack of a thread that only says what is wrong.
const SMALL: usize = 64 * 1024;

/// Runs programs that others start, with those files; they tell what `ask` asks for, and `sink` takes the events of
/// each.
pub(super) fn launcher<S: Sink + Send + 'static>(
    executable: String,
    files: Arc<Overlay>,
    ask: fn(&mut Options),
    sink: impl Fn(&Begin) -> S + Send + Sync + 'static,
) -> Launcher {
    Arc::new(move |begin| {
        let sink = sink(&begin);
        match options(&begin, &executable, &files) {
            Ok(mut options) => {
                ask(&mut options);
                start(&begin, options, sink)
            }
            Err(failure) => refuse(&begin, &failure),
        }
    })
}

fn options(begin: &Begin, executable: &str, files: &Arc<Overlay>) -> Result<Options, Failure> {
    let Begin { words, is_node, argv0, env, cwd, permissions, stop, .. } = begin;
    let (program, given) = args::started(words, *is_node, permissions.as_deref(), env)?;
    let called = (executable.to_owned(), argv0.clone());
    let surroundings = Surroundings::of_child(cwd.clone(), called, env.clone()).born(begin.born());
    let disk = Arc::clone(files);
    let mut options = options::options(&program, surroundings, disk, stop.clone())?;
    options::tell(&mut options, &given);
    Ok(options)
}

/// Runs it on a thread of its own.
fn start(
    begin: &Begin,
    options: Options,
    mut sink: impl Sink + Send + 'static,
) -> Result<(), Fault> {
    let room = Room::new(options.memory_limit);
    let template = options.clone();
    let place = begin
        .place(room, move |hub, start, places| workers::joining(&template, hub, &start, places));
    let options = Options { member: place.member(), ..options };
    spawn(options.stack_limit, move || {
        place.run(|world| workers::code(options, world, &mut sink));
    })
}

/// Says on its standard error why it cannot run.
fn refuse(begin: &Begin, failure: &Failure) -> Result<(), Fault> {
    let place =
        begin.place(Room::default(), |_, _, _| Err(Fault::new("ENOSYS", "it does not run")));
    let said = strip_str(&failure.to_string()).to_string();
    spawn(SMALL, move || {
        place.run(|world| {
            // If nobody can be told, the exit code still says it.
            let _ = World::<JavaScript>::write(world, Stream::Err, said.as_bytes());
            WRONG_WORDS
        });
    })
}
