//! What commands share that run a program in JavaScript once, to its end.

use super::watch::Watch;
use crate::done::Done;
use crate::input;
use crate::report::Failure;
use hemiola_gate::{Reason, Stop};
use hemiola_js::{Ending, Options};
use hemiola_live::{Guard, Live};
use hemiola_machine::{Delay, First, Silent, World};
use std::io;

/// The end of a program, unless it was well and its output could not be written. A reader that wants
/// no more of it, as `head` does, is no failure.
pub(super) fn written(result: io::Result<()>, done: Done) -> Result<Done, Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe && done.code == 0 => {
            let reason = input::reason(&error);
            Err(Failure::new(format!("cannot write what the program printed: {reason}"))
                .help("make room where standard output goes, or send it elsewhere"))
        }
        _ => Ok(done),
    }
}

/// The world of the system, and what its signals and its clock ask for.
pub(super) fn world(limit: Option<Delay>) -> Result<(Stop, Live), Failure> {
    let stop = Stop::default();
    let live = Live::new(stop.clone()).map_err(|error| {
        Failure::new(format!("cannot listen to the system: {error}"))
            .help("raise the number of files that may be open: ulimit -n")
    })?;
    if let Some(limit) = limit {
        live.stop_after(limit, Reason::TimedOut);
    }
    Ok((stop, live))
}

/// Makes sure that a program stops soon after it is asked to, until the guard hears that it is over: its
/// trace is written before the process ends, and what else is `last`.
pub(super) fn guarded(
    live: &mut Live,
    watch: &Watch,
    last: impl FnOnce(Reason) -> String + Send + 'static,
) -> Result<Guard, Failure> {
    let flush = watch.flusher();
    let act = Box::new(move |reason| {
        let notes = last(reason);
        flush();
        notes
    });
    let guard = live.watch_over(act).map_err(|error| {
        Failure::new(format!("cannot watch over the program: {error}"))
            .help("raise the number of threads that may run: ulimit -u")
    })?;
    Ok(guard.expect("the world of a command has a guard"))
}

/// Runs a program to its end in a world.
pub(super) fn finish(
    options: Options,
    world: &mut impl World<hemiola_js::JavaScript>,
    watch: &mut Watch,
) -> Result<Done, Failure> {
    let stop = options.stop.clone();
    let options = Options { names_requests: !watch.is_idle(), ..options };
    let ran = if watch.is_idle() {
        hemiola_js::run(options, Ending::WithProcess, world, &mut First, &mut Silent)
    } else {
        hemiola_js::run(options, Ending::WithProcess, world, &mut First, watch)
    };
    // Who is stopped before the first line has nothing to say.
    let code = ran.or_else(|error| match stop.asked() {
        Some(reason) => Ok(reason.exit_code()),
        None => Err(Failure::new(error.to_string()).help("give it more memory")),
    })?;
    // The system keeps the low byte of an exit code.
    Ok(Done::silent(code as u8))
}
