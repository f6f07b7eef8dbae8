//! `hemiola simulate`: a program in JavaScript, in virtual time.

use super::held::Held;
use super::options::{self, Surroundings};
use super::profile::Profile;
use super::running::{finish, guarded, world, written};
use super::standard_input::StandardInput;
use super::watch::{self, Watch};
use super::workers;
use crate::args::{Given, Mishaps, SimulateArgs};
use crate::done::Done;
use crate::report::Failure;
use hemiola_gate::{MAIN, Room, Stop};
use hemiola_live::{Live, SystemTree};
use hemiola_machine::Stream;
use hemiola_world::team::{Output, Team, Write};
use hemiola_world::{ClockSteps, Overlay, Pace, Secure, Stores, Virtual};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(super) fn run(args: &SimulateArgs, given: &Given) -> Result<Done, Failure> {
    options::refuse_to_write(&args.program, &args.profile)?;
    let mut watch = Watch::new(args.program.trace.as_deref(), args.program.paranoid)?;
    watch.set_environment(args.environment);
    let profile = Profile::begin(&args.profile, &mut watch);
    let held = Held::begin(args.verify, &mut watch);
    let (stop, mut live) = world(args.program.timeout)?;
    let guard = guarded(&mut live, &watch, |_| String::new())?;
    let live = Arc::new(Mutex::new(live));
    let simulation = Simulation { args, given, stop, input: StandardInput::default() };
    let noted = args.program.paranoid.then(Noted::default);
    let write = printing(Arc::clone(&live), noted.clone());
    let (done, rest) = simulation.run(write, &mut watch)?;
    let done = written(lock(&live).flush(), done)?;
    guard.over();
    let done = watch.close(done)?;
    if let Some(profile) = profile {
        profile.show(&args.profile)?;
    }
    let done = match held {
        None => done,
        Some(held) => {
            rest.into_iter().for_each(|at| held.rest(at));
            held.end(done)
        }
    };
    match noted {
        None => Ok(done),
        Some(noted) => simulation.compare(done, &noted, watch.second()),
    }
}

/// What a run has printed so far.
type Noted = Arc<Mutex<watch::Output>>;

/// Takes what a program prints to where it should go, and notes it if that is wanted.
fn printing(live: Arc<Mutex<Live>>, noted: Option<Noted>) -> Write {
    Box::new(move |stream: Stream, bytes: &[u8]| {
        if let Some(noted) = &noted {
            lock(noted).note(stream, bytes);
        }
        lock(&live).write(stream, bytes)
    })
}

/// A program and its world, to be run once or twice.
struct Simulation<'a> {
    args: &'a SimulateArgs,
    given: &'a Given,
    stop: Stop,
    input: StandardInput,
}

impl Simulation<'_> {
    /// Runs it once more, silently, and says so if it was not the same.
    fn compare(&self, done: Done, printed: &Noted, mut second: Watch) -> Result<Done, Failure> {
        if self.stop.asked().is_some() {
            return Ok(watch::not_compared(done));
        }
        let noted = Noted::default();
        let notes = Arc::clone(&noted);
        let write = move |stream: Stream, bytes: &[u8]| {
            lock(&notes).note(stream, bytes);
            Ok(())
        };
        let (again, _) = self.run(Box::new(write), &mut second)?;
        if self.stop.asked().is_some() {
            return Ok(watch::not_compared(done));
        }
        let outputs = [printed, &noted].map(|output| lock(output).clone());
        let help = "this is a bug in hemiola: please report it, with the program";
        Ok(second.verdict([done.code, again.code], &outputs, help).unwrap_or(done))
    }

    /// Runs it once; says also when it came to rest, in milliseconds since 1970, if it did.
    fn run(&self, write: Write, watch: &mut Watch) -> Result<(Done, Option<i64>), Failure> {
        let args = self.args;
        let output = Output::new(write);
        let room = Room::new(options::memory_limit(&args.program));
        let disk = Arc::new(SystemTree::within(room.clone()));
        let mut files = Overlay::new(Arc::clone(&disk) as _);
        if args.write_through {
            files = files.write_through(disk);
        }
        let files = Arc::new(files);
        let Mishaps { faults, steps, steps_by_seed } = args.faults.clone();
        let steps = ClockSteps { given: steps, seed: steps_by_seed.then_some(args.seed) };
        let world = Virtual::new(args.seed, Arc::clone(&files), output.writer()).faults(faults);
        let world = world.steps(steps.clone());
        let world = world.environment(args.environment);
        let mut world = world.input(self.input.source());
        if let Some(until) = args.until {
            world = world.until(until).stopping(self.stop.clone());
        }
        let surroundings = Surroundings::of_simulation(&args.program)?;
        let disk = Arc::clone(&files);
        let mut options = options::options(&args.program, surroundings, disk, self.stop.clone())?;
        options::tell(&mut options, self.given);
        let team = Team {
            seed: args.seed,
            until: args.until,
            stop: self.stop.clone(),
            faults,
            steps,
            environment: args.environment,
            pace: Pace::default(),
            pauses: Vec::new(),
            bad_disk: Vec::new(),
            files,
            stores: Stores::default(),
            network: world.network(),
            output,
            first: MAIN,
        };
        let (seat, member) = workers::simulated(options.clone(), team, room);
        options.member = member.clone();
        let mut world = world.seated(seat, member.clone());
        Profile::facts(&args.profile).ask(&mut options);
        let done = finish(options, &mut Secure::new(&mut world), watch)?;
        // A computer that is frozen at the end could not have done anything.
        let rest = world.rests_at().filter(|_| args.environment.is_none());
        let rest = rest.map(|micros| (micros / 1000) as i64);
        member.hub.ended(MAIN, 0);
        if let Some(seat) = world.stand_up() {
            seat.finish();
        }
        Ok((done, rest))
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
