//! The processes that replay for a debugger.

use super::super::again::{self, Again};
use super::super::explored::{Ears, Modules, does_not_fit};
use super::super::watch::Watch;
use super::super::{recordings, test};
use crate::args::{DebugFlags, DebugScheduleArgs, FollowArgs, Given};
use crate::done::Done;
use crate::exit::LEFT;
use crate::report::{Failure, plain};
use hemiola_debug::Line;
use hemiola_debug::replay::Stage;
use hemiola_explore::schedules::{Ended, Plan, Watchers};
use hemiola_gate::Stop;
use hemiola_machine::{Sink, Stream};
use hemiola_world::WALL_ORIGIN;
use std::path::Path;
use std::sync::Arc;

/// Replays a recording as it is told.
pub(super) fn recording(name: &str, flags: &DebugFlags) -> Result<Done, Failure> {
    let stage = stage()?;
    let run = match recordings::all().find(name) {
        Ok(run) => run,
        Err(error) => return Ok(told(&stage, &recordings::unreadable(&error))),
    };
    let entries = match run.inputs() {
        Ok(entries) => entries,
        Err(error) => return Ok(told(&stage, &recordings::unreadable(&error))),
    };
    let debug = stage.debug(flags.skip.clone(), run.manifest.started_us);
    let mut sink = stage.sink();
    let mut watch = Watch::told(Box::new(move |event| sink.event(event)));
    let ask = |options: &mut hemiola_js::Options| {
        options.promises = true;
        options.sites = true;
        options.debug = Some(debug);
    };
    let write = stage.write();
    let stop = Stop::default();
    let again = again::follow_entries(&run, entries, stage.inputs(), ask, stop, write, &mut watch)?;
    match again {
        Again::Ended(done) => stage.ended(done.code, None),
        // It was stopped there.
        Again::Cut(_) => match run.manifest.code {
            Some(code) => stage.ended(u8::try_from(code & 0xff).unwrap_or(0), None),
            None => stage.killed(),
        },
        Again::Shares(done) | Again::Refused(done) => return Ok(told(&stage, &done)),
    }
    Ok(Done::silent(0))
}

/// Runs a program under a schedule as it is told.
pub(super) fn schedule(args: &DebugScheduleArgs, given: &Given) -> Result<Done, Failure> {
    let stage = stage()?;
    let schedule = &args.follow.schedule;
    let (explored, test) = test::followed(&args.follow, given)?;
    let explored = explored.without_input();
    let mut sink = stage.sink();
    let listener = Box::new(move |event| sink.event(event));
    let debug = stage.debug(args.flags.skip.clone(), WALL_ORIGIN);
    let ears = Ears { debug: Some((debug, listener)), ..Ears::default() };
    let plan = Plan::Follow(schedule.clone());
    let (report, _) = explored.run_heard(&plan, &Watchers::alone(), false, stage.write(), ears)?;
    match report.ended {
        Ended::Outcome(outcome) => {
            // A test of a suite does not print by itself how it fails.
            if let (Some(test), Some(failure)) = (test, outcome.failure) {
                let told = test.told(&failure, Path::new(explored.directory()));
                // Whoever does not listen any more needs no words.
                let _ = stage.write()(Stream::Err, told.as_bytes());
            }
            stage.ended(outcome.code as u8, None)
        }
        Ended::Known(_) | Ended::Cut | Ended::Interrupted => stage.ended(0, None),
        Ended::Misfit(misfit) => {
            let message = does_not_fit(schedule, misfit, report.choices.len());
            stage.ended(LEFT, Some(plain(&message.to_string())));
        }
    }
    Ok(Done::silent(0))
}

/// The texts that a program loads under a schedule.
pub(super) fn modules(args: &FollowArgs, given: &Given) -> Result<Modules, Failure> {
    let (explored, _) = test::followed(args, given)?;
    let modules = Modules::default();
    let ears = Ears { modules: Some(Arc::clone(&modules)), ..Ears::default() };
    let plan = Plan::Follow(args.schedule.clone());
    explored.run_heard(&plan, &Watchers::alone(), false, |_, _| Ok(()), ears)?;
    Ok(modules)
}

fn stage() -> Result<Stage, Failure> {
    let line = Line::from_input().map_err(|error| {
        Failure::new(format!("there is no process to take orders from: {error}"))
            .help("this is for `hemiola debug` to start")
    })?;
    Ok(Stage::new(line))
}

/// Says why there is nothing to replay.
fn told(stage: &Stage, done: &Done) -> Done {
    stage.ended(done.code, Some(plain(&done.notes)));
    Done::silent(0)
}
