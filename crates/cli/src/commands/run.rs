//! `hemiola run`: a program in JavaScript, in the world of the operating system.

use super::again::{self, Again};
use super::explored::must_exist;
use super::held::Held;
use super::keeping::Keeping;
use super::options::{self, Surroundings};
use super::profile::Profile;
use super::running::{self, finish, world, written};
use super::shown::Shown;
use super::watch::{self, Listener, Watch};
use super::{coverage, recordings, sampling, workers};
use crate::args::{Given, Record, RunArgs};
use crate::console::complain;
use crate::done::Done;
use crate::input::reason;
use crate::report::Failure;
use hemiola_gate::{Disk, Stop};
use hemiola_js::{JavaScript, Options};
use hemiola_live::runs::{Outcome, Reads, Recording};
use hemiola_live::{Echo, Files, Guard, Live, end_by, fleet, signal_of};
use hemiola_machine::{Event, Observation, World};
use hemiola_world::recording::{Recorder, RecordingModules};
use hemiola_world::{Kept, Order, Secure};
use serde_json::json;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};

pub(super) fn run(args: &RunArgs, given: &Given) -> Result<Done, Failure> {
    options::refuse_to_write(&args.program, &args.profile)?;
    let mut watch = Watch::new(args.program.trace.as_deref(), args.program.paranoid)?;
    let profile = Profile::begin(&args.profile, &mut watch);
    let held = Held::begin(args.verify, &mut watch);
    let keeping = Keeping::begin(args, given, &mut watch)?;
    let shown = Shown::begin(args, &mut watch)?;
    if let Some(observer) = fleet::observer() {
        watch.tell(observing(observer));
    }
    // A program may come from standard input: a signal ends whoever still waits for it, as nobody listens yet.
    let surroundings = Surroundings::of_process(&args.program)?;
    let (stop, mut world) = world(args.program.timeout)?;
    let recording = recordings::begin(args, &surroundings)?;
    let taping = recording.as_ref().map(|recording| Taping {
        echo: recording.echo(),
        reads: Arc::new(recording.reads(surroundings.env.clone(), args.record_secrets)),
    });
    let options = options(args, given, surroundings, taping.as_ref(), stop.clone())?;
    let order = keeping.as_ref().map(Keeping::order);
    let recording = Arc::new(Mutex::new(recording));
    let guard = guarded(&mut world, &watch, Arc::clone(&recording))?;
    let done = live(options, world, taping, order, &mut watch)?;
    guard.over();
    let recording = recording.lock().unwrap_or_else(PoisonError::into_inner).take();
    let done = watch.close(done)?;
    let done = match keeping {
        None => done,
        Some(keeping) => keeping.end(done),
    };
    if let Some(profile) = profile {
        profile.show(&args.profile)?;
    }
    let done = match held {
        None => done,
        Some(held) => held.end(done),
    };
    let signal = stop.asked().and_then(signal_of);
    let done = match recording {
        Some(recording) if args.program.paranoid => {
            end_compared(recording, done, args, &stop, watch.second())?
        }
        // A program that somebody ended has not failed.
        // Nor has one that is not there: the last failure stays the one that `replay` takes.
        Some(recording) => {
            let may_fail = signal.is_none() && must_exist(&args.program).is_ok();
            recordings::end(recording, done, may_fail)
        }
        None => done,
    };
    let done = match shown {
        Some(shown) if signal.is_none() => shown.end(done)?,
        Some(_) | None => done,
    };
    // Who started us sees that it was a signal; a shell makes the exit code of it that we would give.
    if let Some(signal) = signal {
        complain(&done.notes);
        end_by(signal);
    }
    Ok(done)
}

/// Tells the fleet that the program belongs to what it observes.
fn observing(mut observer: UnixStream) -> Listener {
    Box::new(move |event| {
        if let Event::Observed(value) = event {
            let value = match &value {
                Observation::Number(number) => json!(number),
                Observation::Name(name) => json!(&**name),
            };
            // Nobody listens any more: then nobody wants to know.
            let _ = observer.write_all(format!("{value}\n").as_bytes());
        }
    })
}

/// What notes what a run is told.
struct Taping {
    /// What workers and children write; its tape is that of the whole run.
    echo: Echo,
    /// The variables that the program reads.
    reads: Arc<Reads>,
}

/// Makes sure that the program stops when it is asked to, and that its recording is kept as that of any
/// program that was stopped.
fn guarded(
    world: &mut Live,
    watch: &Watch,
    recording: Arc<Mutex<Option<Recording>>>,
) -> Result<Guard, Failure> {
    running::guarded(world, watch, move |reason| {
        let recording = recording.lock().unwrap_or_else(PoisonError::into_inner).take();
        let done = Done::silent(reason.exit_code() as u8);
        recording.map_or_else(String::new, |recording| {
            recordings::end(recording, done, signal_of(reason).is_none()).notes
        })
    })
}

/// How the program is started: with modules from the disk, which are recorded if the run is.
fn options(
    args: &RunArgs,
    given: &Given,
    surroundings: Surroundings,
    taping: Option<&Taping>,
    stop: Stop,
) -> Result<Options, Failure> {
    let echo = taping.map(|taping| taping.echo.clone());
    let disk: Arc<dyn Disk> = match &echo {
        Some(echo) => Arc::new(RecordingModules::new(Arc::new(Files), echo.tape.clone())),
        None => Arc::new(Files),
    };
    let mut options = options::options(&args.program, surroundings, disk, stop)?;
    options::tell(&mut options, given);
    let may_write = args.program.permissions.may_write_anywhere();
    coverage::ask(&mut options, may_write);
    sampling::ask(&mut options, may_write)?;
    // What a worker says is recorded, not what it is told; so its modules are its own business.
    let template = Options { disk: Arc::new(Files), ..options.clone() };
    options.member = workers::live(template, echo);
    if let Some(reads) = taping.map(|taping| Arc::clone(&taping.reads)) {
        options.on_variable = Some(Arc::new(move |at| reads.note(at)));
    }
    Profile::facts(&args.profile).ask(&mut options);
    Shown::facts(args.view).ask(&mut options);
    Ok(options)
}

/// Runs the program to its end, in an order if one is given.
fn live(
    options: Options,
    world: Live,
    taping: Option<Taping>,
    order: Option<Order>,
    watch: &mut Watch,
) -> Result<Done, Failure> {
    let echo = taping.as_ref().map(|taping| taping.echo.clone());
    let mut world = world.member(options.member.clone()).echoing(echo);
    let secure = Secure::new(&mut world);
    let done = match order {
        None => recorded(options, secure, taping, watch)?,
        Some(order) => recorded(options, Kept::new(secure, order), taping, watch)?,
    };
    written(world.flush(), done)
}

/// Runs the program in a world, through a recorder if the run is recorded.
fn recorded(
    options: Options,
    mut world: impl World<JavaScript>,
    taping: Option<Taping>,
    watch: &mut Watch,
) -> Result<Done, Failure> {
    match taping {
        None => finish(options, &mut world, watch),
        // What was said is recorded, not what went over the wire: that never is the same again.
        Some(Taping { echo, reads }) => {
            let is_inherited =
                Box::new(move |name: &str, value: &str| reads.is_inherited(name, value));
            let recorder = Recorder::new(world, echo.tape);
            finish(options, &mut recorder.knowing(Some(is_inherited)), watch)
        }
    }
}

/// Ends a recording, replays it at once and says whether that was the same. It is kept if it was not, or
/// if it would have been kept anyhow.
fn end_compared(
    recording: Recording,
    done: Done,
    args: &RunArgs,
    stop: &Stop,
    mut watch: Watch,
) -> Result<Done, Failure> {
    let lost = |reason: String| {
        Failure::new(format!("cannot compare the run with its recording: {reason}"))
            .help("set HEMIOLA_RUNS to a directory that can be written")
    };
    let id = match recording.finish(done.code.into(), true) {
        Ok(Outcome::Kept(id)) => id,
        Ok(_) => unreachable!("a recording on disk is kept"),
        Err(error) => return Err(lost(reason(&error))),
    };
    let run = recordings::all().find(&id).map_err(|error| lost(error.to_string()))?;
    let is_kept = match recordings::wish(args)? {
        Record::Always => true,
        Record::OnFailure => done.code != 0 && stop.asked().is_none(),
        Record::Off => false,
    };
    let done = if stop.asked().is_some() {
        watch::not_compared(done)
    } else {
        // All that it prints is in the trace, too.
        let again = again::follow(&run, stop.clone(), |_, _| Ok(()), &mut watch)?;
        let help = format!(
            "this is a bug in hemiola; see the second run: hemiola replay {id} --trace FILE"
        );
        let verdict = match again {
            Again::Refused(verdict) | Again::Cut(verdict) => Some(verdict),
            // It cannot be compared.
            Again::Shares(told) => {
                return Ok(Done { notes: done.notes + &told.notes, code: done.code, ..done });
            }
            Again::Ended(_) if stop.asked().is_some() => Some(watch::not_compared(done.clone())),
            Again::Ended(again) => {
                watch.verdict([done.code, again.code], &Default::default(), &help)
            }
        };
        if let Some(verdict) = verdict {
            return Ok(verdict);
        }
        done
    };
    if !is_kept {
        // If it stays, it is a recording like any other.
        let _ = std::fs::remove_dir_all(&run.path);
        return Ok(done);
    }
    Ok(Done { notes: done.notes + &recordings::kept(&id), ..done })
}
