//! A recorded run, once more.

use super::options::{self, Surroundings};
use super::running::{finish, guarded, world, written};
use super::watch::Watch;
use super::{recordings, workers};
use crate::args::{Chains, recorded_run};
use crate::done::Done;
use crate::progress::{Look, Ticking};
use crate::report::{self, Failure};
use hemiola_gate::{Reason, Stop};
use hemiola_js::Options;
use hemiola_live::environment;
use hemiola_live::runs::{Run, RunError, Variables};
use hemiola_machine::Stream;
use hemiola_world::recording::{Entry, Recorded, RecordedModules};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs a program again as it was recorded, and writes its trace if that is wanted. `stacks` says what
/// stands below stacks now, if that is to be something else than then.
pub(super) fn run_again(
    run: &Run,
    trace: Option<&Path>,
    stacks: Option<Chains>,
) -> Result<Done, Failure> {
    let mut watch = Watch::new(trace, false)?;
    let (mut args, _) = recorded_run(&run.manifest.words)?;
    // A run that was within its limit is replayed however long that takes here.
    if !recordings::was_stopped(&run.manifest) {
        args.program.timeout = None;
    }
    let (stop, mut live) = world(args.program.timeout)?;
    let manifest = run.manifest.clone();
    let guard = guarded(&mut live, &watch, move |reason| match reason {
        Reason::Ended => recordings::computes(&manifest).notes,
        _ => String::new(),
    })?;
    if let Some(limit) = recordings::patience(run) {
        live.stop_after(limit, Reason::Ended);
    }
    let asked = stop.clone();
    let streams = live.streams();
    let status = Ticking::words("reading the recording");
    let inputs = run.inputs();
    drop(status);
    let again = match inputs {
        Ok(entries) => {
            let (taken, flushed) = (Arc::default(), streams.clone());
            let look = how_far(&taken, entries.len());
            let status = Ticking::new(look, move || drop(flushed.flush()));
            let says = status.printing();
            let write = |stream, bytes: &[u8]| {
                says(stream, bytes);
                streams.write(stream, bytes)
            };
            let ask = |options: &mut Options| {
                if let Some(stacks) = stacks {
                    for words in [&mut options.exec_argv, &mut options.flags] {
                        words.retain(|word| !word.starts_with("--stacks="));
                        words.push(stacks.flag().to_owned());
                    }
                }
            };
            follow_entries(run, entries, &taken, ask, stop, write, &mut watch)?
        }
        Err(error) => Again::Refused(recordings::unreadable(&error)),
    };
    let done = match again {
        Again::Ended(_) | Again::Cut(_) if asked.asked() == Some(Reason::Ended) => {
            recordings::computes(&run.manifest)
        }
        Again::Ended(done) | Again::Cut(done) | Again::Shares(done) | Again::Refused(done) => done,
    };
    let done = written(streams.flush(), done)?;
    guard.over();
    watch.close(done)
}

/// What became of a recorded run.
pub(super) enum Again {
    /// It ended as the program did.
    Ended(Done),
    /// It was stopped from outside, and followed as far as it was recorded.
    Cut(Done),
    /// It shares memory with workers, and was followed up to there.
    Shares(Done),
    /// It could not be followed, or not to its end.
    Refused(Done),
}

/// Runs a program as it was recorded: with the words and the surroundings of then.
pub(super) fn follow(
    run: &Run,
    stop: Stop,
    write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
    watch: &mut Watch,
) -> Result<Again, Failure> {
    match run.inputs() {
        Ok(entries) => follow_entries(run, entries, &Arc::default(), |_| {}, stop, write, watch),
        Err(error) => Ok(Again::Refused(recordings::unreadable(&error))),
    }
}

/// How far a replay is that counts the inputs that it has taken.
pub(super) fn how_far(taken: &Arc<AtomicU64>, entries: usize) -> impl Fn() -> Look + Send + use<> {
    let (taken, total) = (Arc::clone(taken), entries as u64);
    move || {
        let done = taken.load(Ordering::Relaxed);
        Look { done, total: Some(total), line: format!("replaying, input {done} of {total}") }
    }
}

/// The same for a recording whose inputs have been read, with facts in the trace that cost something. `taken` says
/// meanwhile how many of them were asked for.
pub(super) fn follow_entries(
    run: &Run,
    entries: Vec<Entry>,
    taken: &Arc<AtomicU64>,
    ask: impl FnOnce(&mut Options),
    stop: Stop,
    write: impl FnMut(Stream, &[u8]) -> io::Result<()>,
    watch: &mut Watch,
) -> Result<Again, Failure> {
    let manifest = &run.manifest;
    let (args, given) = recorded_run(&manifest.words)?;
    if args.program.strategy.name() != manifest.strategy {
        let strategy = &manifest.strategy;
        let reason = format!("its words do not ask for the strategy `{strategy}`");
        let error = RunError::Damaged(run.path.clone(), reason);
        return Ok(Again::Refused(recordings::unreadable(&error)));
    }
    let changed = recordings::changed(&entries);
    let variables = Variables::of(entries.iter().filter_map(Entry::variable), &environment());
    let missing = variables.missing.clone();
    let own = variables.all.clone();
    let world = Recorded::new(entries, stop.clone(), write).with_variables(own);
    let mut world = world.counted_by(Arc::clone(taken));
    let disk = Arc::new(RecordedModules::of(&world));
    let surroundings = Surroundings::of_recording(manifest, variables);
    let redacted = match manifest.redacted {
        true => report::note("this recording was redacted: the program is told less than it was"),
        false => String::new(),
    };
    let smaller = match (surroundings.stack_limit as u64) < manifest.stack_limit {
        true => report::note(
            "the stack is smaller than when this was recorded, and may overflow earlier; raise it: ulimit -Hs",
        ),
        false => String::new(),
    };
    let mut options = options::options(&args.program, surroundings, disk, stop)?;
    options::tell(&mut options, &given);
    ask(&mut options);
    options.member = workers::live(options.clone(), None);
    let asked = options.stop.clone();
    let done = finish(options, &mut world, watch)?;
    // Who is stopped has not asked for everything.
    let divergence = match asked.asked() {
        Some(_) => world.divergence(),
        None => world.divergence_at_end(),
    };
    let unseen = match world.has_unseen() {
        true => report::note(
            "children wrote to the program's own streams, which was not recorded: that takes `run --record` and no terminal",
        ),
        false => String::new(),
    };
    Ok(match divergence {
        None => Again::Ended(Done {
            notes: changed
                + &redacted
                + &smaller
                + &unseen
                + &recordings::missing(&missing)
                + &done.notes,
            ..done
        }),
        Some(_) if world.shares_memory() => Again::Shares(recordings::shares_memory(manifest)),
        Some(divergence) => {
            let done = recordings::left(manifest, &divergence, &missing);
            let done = Done { notes: redacted + &smaller + &done.notes, ..done };
            match recordings::was_cut(manifest, &divergence) {
                true => Again::Cut(done),
                false => Again::Refused(done),
            }
        }
    })
}
