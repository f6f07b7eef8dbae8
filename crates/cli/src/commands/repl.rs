//! `hemiola repl`: lines of JavaScript at a prompt, in the world of the operating system, whose time may be held.

use super::options::{self, Surroundings};
use super::recordings::state_directory;
use super::running::{finish, guarded, world, written};
use super::watch::Watch;
use super::workers;
use crate::args::{Given, ReplArgs, javascript_words};
use crate::done::Done;
use crate::report::Failure;
use hemiola_gate::{Desk, Stop};
use hemiola_js::Options;
use hemiola_live::{Files, end_by, signal_of};
use hemiola_machine::Instant;
use hemiola_world::{ByHand, Secure};
use std::sync::Arc;

/// The variable that names the file of lines that were typed in; if it is empty, none are kept.
const HISTORY: &str = "HEMIOLA_REPL_HISTORY";

pub(super) fn run(args: &ReplArgs, given: &Given) -> Result<Done, Failure> {
    let desk = Arc::new(Desk::new(history(args)));
    if args.virtual_time {
        desk.hold(true, Instant::ZERO);
    }
    let mut watch = Watch::told({
        let desk = Arc::clone(&desk);
        Box::new(move |event| desk.hear(&event))
    });
    let (stop, mut live) = world(None)?;
    live.give_up_lines().map_err(|error| {
        Failure::new(format!("cannot listen to the system: {error}"))
            .help("raise the number of files that may be open: ulimit -n")
    })?;
    let options = started(args, given, &desk, stop.clone())?;
    let guard = guarded(&mut live, &watch, |_| String::new())?;
    let mut live = live.member(options.member.clone());
    let done = {
        let mut world = ByHand::new(Secure::new(&mut live), desk);
        finish(options, &mut world, &mut watch)?
    };
    guard.over();
    let done = written(live.flush(), done)?;
    if let Some(signal) = stop.asked().and_then(signal_of) {
        end_by(signal);
    }
    Ok(done)
}

/// How the prompt is started.
fn started(
    args: &ReplArgs,
    given: &Given,
    desk: &Arc<Desk>,
    stop: Stop,
) -> Result<Options, Failure> {
    let mut program = javascript_words(vec!["--eval=".into()])?;
    program.timers = args.timers;
    program.permissions = args.permissions.clone();
    program.memory_limit = given.node.memory_limit().unwrap_or(program.memory_limit);
    let surroundings = Surroundings::of_process(&program)?;
    let mut options = options::options(&program, surroundings, Arc::new(Files), stop)?;
    options::tell_without(&mut options, given, &["virtual", "no-history"]);
    let member = workers::live(options.clone(), None);
    Ok(Options { member, sites: true, desk: Some(Arc::clone(desk)), ..options })
}

/// Where lines that were typed in are kept.
fn history(args: &ReplArgs) -> Option<String> {
    if args.no_history {
        return None;
    }
    match std::env::var_os(HISTORY) {
        Some(file) if file.is_empty() => None,
        Some(file) => Some(file.to_string_lossy().into_owned()),
        None => Some(state_directory().join("repl-history").to_string_lossy().into_owned()),
    }
}
