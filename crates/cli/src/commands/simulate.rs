//! `hemiola simulate`: a program in JavaScript, in virtual time.

use super::fleet::{self, Conditions, Study, Subject, Tried, Verdict};
use super::held::Held;
use super::options::{self, Surroundings};
use super::profile::Profile;
use super::running::{finish, guarded, world, written};
use super::searching::threads;
use super::standard_input::StandardInput;
use super::watch::{self, Watch};
use super::{children, closed, sampling, workers};
use crate::args::{Given, Mishaps, Seeds, SimulateArgs};
use crate::done::Done;
use crate::progress::{Look, Ticking, length};
use crate::report::Failure;
use crate::shell;
use hemiola_gate::{MAIN, Room, Stop};
use hemiola_js::Options;
use hemiola_live::{Streams, SystemTree};
use hemiola_machine::{Delay, Event, Instant, Silent, Sink, Stream};
use hemiola_world::fleet::{Fault, Kind};
use hemiola_world::processes::{Commands, Life, Processes, Standard};
use hemiola_world::team::{Output, Team, Write};
use hemiola_world::{ClockSteps, Network, Overlay, Pace, Secure, Stores, Virtual, WALL_ORIGIN};
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Flags of the simulation, which its program does not know of.
const OURS: [&str; 12] = [
    "until",
    "seed",
    "seeds",
    "jobs",
    "shrink",
    "format",
    "date",
    "latency",
    "faults",
    "environment",
    "write-through",
    "stand-in",
];

pub(super) fn run(args: &SimulateArgs, given: &Given) -> Result<Done, Failure> {
    if let Some(seeds) = args.seeds {
        sampling::refuse(&given.node.normal, "--seeds")?;
        return many(args, given, seeds);
    }
    options::refuse_to_write(&args.program, &args.profile)?;
    let mut watch = Watch::new(args.program.trace.as_deref(), args.program.paranoid)?;
    watch.set_environment(args.environment);
    let profile = Profile::begin(&args.profile, &mut watch);
    let held = Held::begin(args.verify, &mut watch);
    let (stop, mut live) = world(args.program.timeout)?;
    let guard = guarded(&mut live, &watch, |_| String::new())?;
    let streams = live.streams();
    let input = StandardInput::default();
    let clock = Some(Arc::default());
    let simulation = Simulation { args, given, stop, input, clock };
    let noted = args.program.paranoid.then(Noted::default);
    let refused = Arc::new(AtomicBool::new(false));
    let flushed = streams.clone();
    let ready = move || drop(flushed.flush());
    let status = simulation.status(ready);
    let says = status.printing();
    let mut write = printing(streams.clone(), noted.clone(), Arc::clone(&refused));
    let write = Box::new(move |stream: Stream, bytes: &[u8]| {
        says(stream, bytes);
        write(stream, bytes)
    });
    let (done, rest) = simulation.watched(write, &mut watch)?;
    drop(status);
    let done = written(streams.flush(), done)?;
    let done = match done.code != 0 && refused.load(Ordering::Relaxed) {
        true => Done { notes: done.notes + &closed::note(), ..done },
        false => done,
    };
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
fn printing(streams: Streams, noted: Option<Noted>, refused: Arc<AtomicBool>) -> Write {
    Box::new(move |stream: Stream, bytes: &[u8]| {
        if stream == Stream::Err && closed::says_refused(bytes) {
            refused.store(true, Ordering::Relaxed);
        }
        if let Some(noted) = &noted {
            lock(noted).note(stream, bytes);
        }
        streams.write(stream, bytes)
    })
}

/// A program and its world, to be run once or twice.
struct Simulation<'a> {
    args: &'a SimulateArgs,
    given: &'a Given,
    stop: Stop,
    input: StandardInput,
    /// What time it is in the world, if somebody looks how far it is.
    clock: Option<Arc<AtomicU64>>,
}

impl Simulation<'_> {
    /// A line that says how far the world is.
    fn status(&self, ready: impl FnMut() + Send + 'static) -> Ticking {
        let clock = self.clock.clone().unwrap_or_default();
        let total = self.args.until.map(Delay::as_micros);
        let look = move || {
            let done = clock.load(Ordering::Relaxed);
            let of = total.map_or(String::new(), |total| format!(" of {}", length(total)));
            Look { done, total, line: format!("virtual time {}{of}", length(done)) }
        };
        Ticking::new(look, ready)
    }

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
        let status = self.status(|| {});
        let (again, _) = self.watched(Box::new(write), &mut second)?;
        drop(status);
        if self.stop.asked().is_some() {
            return Ok(watch::not_compared(done));
        }
        let outputs = [printed, &noted].map(|output| lock(output).clone());
        let help = "this is a bug in hemiola: please report it, with the program";
        Ok(second.verdict([done.code, again.code], &outputs, help).unwrap_or(done))
    }

    /// Runs it once; says also when it came to rest, in milliseconds since 1970, if it did.
    fn watched(&self, write: Write, watch: &mut Watch) -> Result<(Done, Option<i64>), Failure> {
        let conditions = self.course(self.args.seed, self.args.until);
        let (done, world) = self.run(&conditions, self.stop.clone(), write, |options, world| {
            finish(options, &mut Secure::new(world), watch)
        })?;
        // A computer that is frozen at the end could not have done anything.
        let rest = world.rests_at.filter(|_| self.args.environment.is_none());
        Ok((done, rest.map(|micros| (micros / 1000) as i64)))
    }

    /// What decides the run of a seed.
    fn course(&self, seed: u64, until: Option<Delay>) -> Conditions {
        let Mishaps { given, rates, .. } = &self.args.faults;
        let faults = rates.beside(given, seed, 1, until.unwrap_or(HOUR));
        Conditions { seed, faults, until: until.unwrap_or(FOREVER), hosts: vec![0] }
    }

    /// Runs it once under conditions.
    fn run<T>(
        &self,
        conditions: &Conditions,
        stop: Stop,
        write: Write,
        act: impl FnOnce(Options, &mut Virtual<Write>) -> Result<T, Failure>,
    ) -> Result<(T, End), Failure> {
        let args = self.args;
        let seed = conditions.seed;
        let until = (conditions.until != FOREVER).then_some(conditions.until);
        let output = Output::new(write);
        let room = Room::new(options::memory_limit(&args.program));
        let disk = Arc::new(SystemTree::within(room.clone()));
        let mut files = Overlay::new(Arc::clone(&disk) as _);
        if args.write_through {
            files = files.write_through(disk);
        }
        let files = Arc::new(files);
        let Mishaps { faults, steps_by_seed, .. } = args.faults;
        let Mishap { steps, pauses, bad_disk } = Mishap::of(&conditions.faults);
        let steps = ClockSteps { given: steps, seed: steps_by_seed.then_some(seed) };
        let since = |micros: u64| micros as i64 - WALL_ORIGIN as i64;
        let pace = Pace { offset: args.date.map_or(0, since), drift: 0 };
        let mut network = Network::new(seed);
        if let Some(latency) = args.latency {
            network = network.taking(latency);
        }
        let writer: Write = Box::new(output.writer());
        let world = Virtual::new(seed, Arc::clone(&files), writer).faults(faults);
        let world = world.steps(steps.clone()).paced(pace).on(network.clone());
        let world = world.paused(pauses.clone()).bad_disk(bad_disk.clone());
        let mut world = world.environment(args.environment).telling(self.clock.clone());
        if let Some(until) = until {
            world = world.until(until).stopping(stop.clone());
        }
        let surroundings = Surroundings::of_simulation(&args.program)?;
        let executable = surroundings.executable.clone();
        let disk = Arc::clone(&files);
        let mut options = options::options(&args.program, surroundings, disk, stop.clone())?;
        options::tell_simulated(&mut options, self.given, &OURS);
        if args.seeds.is_none() {
            sampling::ask(&mut options, args.program.permissions.may_write_anywhere())?;
        }
        let processes = Processes::default();
        processes.enter_first(stop.clone());
        let stand_ins = args.stand_in.iter().cloned().collect();
        let commands = Commands { runtime: executable.clone(), stand_ins };
        let launcher = children::launcher(executable, Arc::clone(&files), |_| {}, |_| Silent);
        let team = Team {
            seed,
            until,
            stop: stop.clone(),
            faults,
            steps,
            environment: args.environment,
            pace,
            pauses,
            bad_disk,
            files,
            stores: Stores::default(),
            network,
            output,
            first: MAIN,
            life: Life::default(),
            processes: processes.clone(),
            standard: Standard::reading(self.input.source()),
            commands: Arc::new(commands),
            launcher: Some(launcher),
        };
        let (seat, member) = workers::simulated(options.clone(), team.clone(), room);
        options.member = member.clone();
        let mut world = world.seated(seat, member.clone()).of(team);
        Profile::facts(&args.profile).ask(&mut options);
        let done = act(options, &mut world)?;
        let end = End { at: world.now(), rests_at: world.rests_at() };
        member.hub.ended(MAIN, 0);
        if let Some(seat) = world.stand_up() {
            // What it has started goes on without it.
            if stop.asked().is_none() && processes.has_others() {
                seat.outlast();
            }
            processes.end_all();
            seat.finish();
        }
        Ok((done, end))
    }
}

/// How long a run lasts that has no end: nothing is shortened.
const FOREVER: Delay = Delay::from_micros(u64::MAX);

/// How long each run of a search lasts in virtual time, and for how long things go wrong, if nobody says.
const HOUR: Delay = Delay::from_millis(3_600_000);

/// Where a world came to its end.
struct End {
    at: Instant,
    rests_at: Option<u64>,
}

/// What goes wrong with a program, by kinds.
#[derive(Default)]
struct Mishap {
    steps: Vec<(Instant, i64)>,
    pauses: Vec<(Instant, Instant)>,
    bad_disk: Vec<(Instant, Instant)>,
}

impl Mishap {
    fn of(faults: &[Fault]) -> Self {
        let mut mishap = Self::default();
        for Fault { at, kind } in faults {
            match kind {
                Kind::Clock { by, .. } => mishap.steps.push((*at, *by)),
                Kind::Pause { length, .. } => mishap.pauses.push((*at, *at + *length)),
                Kind::Disk { length, .. } => mishap.bad_disk.push((*at, *at + *length)),
                Kind::Crash { .. }
                | Kind::Power { .. }
                | Kind::Cut { .. }
                | Kind::Database { .. }
                | Kind::DatabaseClock { .. } => {
                    unreachable!("what needs a fleet is refused before")
                }
            }
        }
        mishap
    }
}

/// Runs a program once for each seed.
fn many(args: &SimulateArgs, given: &Given, seeds: Seeds) -> Result<Done, Failure> {
    let (stop, _live) = world(args.program.timeout)?;
    let input = StandardInput::default();
    let simulation = Simulation { args, given, stop: stop.clone(), input, clock: None };
    let study =
        Study { subject: &simulation, stop: &stop, format: args.format, shrink: args.shrink };
    let done = study.many(seeds.first, seeds.last, threads(args.jobs))?;
    Ok(Done { notes: done.notes + &closed::note_for(&done.output, done.code), ..done })
}

/// How much of what a program says on standard error is kept.
const SAID: usize = 16 * 1024;

impl Subject for Simulation<'_> {
    fn conditions(&self, seed: u64) -> Conditions {
        self.course(seed, Some(self.args.until.unwrap_or(HOUR)))
    }

    fn attempt(&self, conditions: Conditions) -> Result<Tried, Failure> {
        let said = Arc::new(Mutex::new(Vec::new()));
        let ear = Arc::clone(&said);
        let write = Box::new(move |stream: Stream, bytes: &[u8]| {
            let mut said = lock(&ear);
            if stream == Stream::Err && said.len() < SAID {
                said.extend_from_slice(bytes);
            }
            Ok(())
        });
        // The end of one run is not that of the others.
        let own = Stop::default();
        let mut events = Count { count: 0, all: self.stop.clone(), own: own.clone() };
        let (code, end) = self.run(&conditions, own, write, |options, world| {
            Ok(workers::code(options, world, &mut events))
        })?;
        let verdict = (code != 0 && self.stop.asked().is_none()).then(|| Verdict {
            kind: fleet::Kind::Uncaught,
            why: fleet::reason(code, &String::from_utf8_lossy(&lock(&said))),
            host: None,
            at: end.at,
        });
        Ok(Tried { conditions, verdict, end: end.at, events: events.count })
    }

    fn written(&self, conditions: &Conditions) -> Vec<String> {
        conditions.faults.iter().map(Mishaps::written).collect()
    }

    fn repeat(&self, conditions: &Conditions) -> String {
        let Mishaps { faults, steps_by_seed, .. } = self.args.faults;
        let kinds = [("fs", faults.fs), ("net", faults.net), ("clock", steps_by_seed)];
        let kinds = kinds.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| (*name).to_owned());
        let all: Vec<String> = kinds.chain(self.written(conditions)).collect();
        let mut words: Vec<OsString> = ["hemiola", "simulate"].map(OsString::from).to_vec();
        words.extend(["--seed".into(), conditions.seed.to_string().into()]);
        if !all.is_empty() {
            words.extend(["--faults".into(), all.join("; ").into()]);
        }
        words.extend(["--until".into(), format!("{}ms", conditions.until.as_millis()).into()]);
        let own = ["seeds", "seed", "faults", "until", "jobs", "shrink", "format"];
        words.extend(self.given.words(&own));
        words.extend(self.args.program.words.iter().cloned());
        shell::line(words)
    }
}

/// Counts events, and stops a run when all are to stop.
struct Count {
    count: u64,
    all: Stop,
    own: Stop,
}

impl Sink for Count {
    const LISTENS: bool = true;

    fn event(&mut self, _: Event) {
        self.count += 1;
        if let Some(reason) = self.all.asked() {
            self.own.ask(reason);
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
