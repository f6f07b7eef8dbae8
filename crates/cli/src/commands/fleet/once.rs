//! A fleet, run once to its end.

use super::conditions::Conditions;
use super::file::{Description, HostPlan};
use super::joint::Joint;
use super::voice::Voice;
use crate::commands::facts::Facts;
use crate::commands::options::{self, OF_HOST, Surroundings};
use crate::commands::workers::{self, Taping};
use crate::commands::{children, recordings};
use crate::progress::{Look, Ticking, length};
use crate::report::Failure;
use hemiola_gate::{Room, Stop};
use hemiola_js::Options;
use hemiola_live::runs::Recording;
use hemiola_live::spawn;
use hemiola_machine::{Delay, Event, Instant, Observation, Sink, Stream};
use hemiola_trace::FleetFact;
use hemiola_trace::joined::Header;
use hemiola_world::fleet::{Ended, Fault, Fleet, Host, Kind, Launch, Life, Outcome};
use hemiola_world::processes::{Commands, Launcher};
use hemiola_world::recording::RecordingModules;
use hemiola_world::team::Output;
use hemiola_world::{Arrivals, Frozen, Overlay, Pace, Tap};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How much of what a process says on standard error is kept.
const SAID: usize = 16 * 1024;

/// What is wanted of a run besides its outcome.
#[derive(Clone, Debug, Default)]
pub(super) struct Wishes {
    /// What programs print is printed.
    pub(super) print: bool,
    /// All events are kept, as they are written below that.
    pub(super) trace: Option<Header>,
    /// Some of the processes are recorded.
    pub(super) record: Option<Which>,
}

/// Which processes are recorded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Which {
    All,
    /// The one of that number.
    One(u32),
}

/// A process that was recorded.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    /// What its program is called.
    pub(super) name: String,
    /// The id of the recording.
    pub(super) id: String,
}

/// An observation of a program.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) host: String,
    pub(super) program: usize,
    pub(super) at: Instant,
    pub(super) value: Observation,
}

/// What a run has shown.
pub(super) struct Shown {
    pub(super) outcome: Outcome,
    pub(super) seen: Vec<Seen>,
    pub(super) events: u64,
    /// The trace, if it was wanted.
    pub(super) trace: Vec<u8>,
    /// What each process said on standard error, by its number.
    pub(super) said: BTreeMap<u32, String>,
    /// The processes that were recorded.
    pub(super) recorded: Vec<Recorded>,
}

#[derive(Default)]
struct Heard {
    seen: Vec<Seen>,
    events: u64,
    trace: Option<Joint>,
    said: BTreeMap<u32, String>,
    /// How far it is by the clock of the world.
    now: Instant,
    /// What is told of everything that is printed, before it is.
    says: Option<Says>,
}

/// Is told what is printed.
type Says = Arc<dyn Fn(Stream, &[u8]) + Send + Sync>;

type Shared = Arc<Mutex<Heard>>;

fn lock(heard: &Shared) -> MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a fleet; with `arrivals` somebody decides in which order messages arrive.
pub(super) fn run(
    description: &Description,
    conditions: &Conditions,
    disk: &Arc<Frozen>,
    wishes: &Wishes,
    stop: &Stop,
    arrivals: Option<Arrivals>,
) -> Result<Shown, Failure> {
    let plans: Vec<_> = conditions.hosts.iter().map(|&at| &description.hosts[at]).collect();
    let power = |fault: &Fault| matches!(fault.kind, Kind::Power { .. });
    let loses_power = conditions.faults.iter().any(power);
    let host = |&at: &usize| {
        let plan = &description.hosts[at];
        Host {
            name: plan.name.clone(),
            pace: plan.pace,
            steps: plan.steps.clone(),
            files: Arc::new(files(disk, loses_power)),
            commands: Commands { runtime: OF_HOST.into(), stand_ins: plan.stand_ins.clone() },
            programs: plan.programs.iter().map(|program| program.runs).collect(),
        }
    };
    let heard = Shared::default();
    lock(&heard).trace = wishes.trace.as_ref().map(|header| Joint::new(header, &conditions.faults));
    let status = wishes.print.then(|| status(&heard, conditions.until));
    lock(&heard).says = status.as_ref().map(|status| Arc::new(status.printing()) as Says);
    let fleet = Fleet {
        seed: conditions.seed,
        until: conditions.until,
        hosts: conditions.hosts.iter().map(host).collect(),
        link: description.link,
        links: description.links_between(&conditions.hosts),
        faults: conditions.faults.clone(),
        tap: wishes.trace.is_some().then(|| tap(&heard)),
    };
    let mut failure = None;
    let mut tapes = Vec::new();
    let outcome = fleet.run(stop.clone(), arrivals, |launch: Launch| {
        let plan = plans[launch.host];
        let program = &plan.programs[launch.program];
        let surroundings =
            Surroundings::of_host(&plan.cwd, program.env.clone()).born(launch.born());
        let files = Arc::clone(&fleet.hosts[launch.host].files);
        let options = options::options(&program.program, surroundings, files, launch.stop.clone());
        let mut options = match options {
            Ok(mut options) => {
                facts(wishes)(&mut options);
                options
            }
            Err(error) => {
                failure.get_or_insert(error);
                stop.ask(hemiola_gate::Reason::Ended);
                return Ok(());
            }
        };
        let ear = Ear {
            life: launch.life.clone(),
            host: plan.name.clone(),
            program: launch.program,
            process: launch.number,
            pace: plan.pace,
            began: Instant::ZERO,
            heard: Arc::clone(&heard),
        };
        ear.begun(program.name.clone(), launch.begins);
        let is_recorded = match wishes.record {
            None => false,
            Some(Which::All) => true,
            Some(Which::One(wanted)) => wanted == launch.number,
        };
        let taping = match is_recorded.then(|| tape(plan, &launch, &mut options)).transpose() {
            Ok(None) => None,
            Ok(Some((recording, taping))) => {
                tapes.push((launch.number, recording));
                Some(taping)
            }
            Err(error) => {
                failure.get_or_insert(error);
                stop.ask(hemiola_gate::Reason::Ended);
                return Ok(());
            }
        };
        let mouth = Mouth::of(&ear, launch.host, wishes.print);
        let output = Output::new(Box::new(mouth.writer()));
        let files = Arc::clone(&fleet.hosts[launch.host].files);
        let of_program = ear.clone();
        let launcher = children::launcher(OF_HOST.into(), files, facts(wishes), move |begin| {
            let ear = Ear { life: begin.life.clone(), process: begin.number, ..of_program.clone() };
            ear.begun(begin.words.join(" "), begin.begins);
            ear
        });
        begin(options, launch, output, (launcher, ear), taping)
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    let outcome = outcome.map_err(|fault| {
        Failure::new(format!("cannot run the fleet: {fault:?}"))
            .help("raise the number of threads that may run: ulimit -u")
    })?;
    let heard = std::mem::take(&mut *lock(&heard));
    let Heard { seen, events, trace, said, now: _, says: _ } = heard;
    let recorded = kept(tapes, &outcome, &plans)?;
    let trace = trace.map_or(Vec::new(), |trace| trace.finish(outcome.end));
    Ok(Shown { outcome, seen, events, trace, said, recorded })
}

/// Starts to record a process.
fn tape(
    plan: &HostPlan,
    launch: &Launch,
    options: &mut Options,
) -> Result<(Recording, Taping), Failure> {
    let program = &plan.programs[launch.program];
    let surroundings = Surroundings::of_host(&plan.cwd, program.env.clone()).born(launch.born());
    let words = std::iter::once("run".to_owned()).chain(program.words.iter().cloned()).collect();
    let recording = recordings::always(words, &surroundings, program.program.strategy.name())?;
    let reads = Arc::new(recording.reads(program.env.clone(), true));
    let noted = Arc::clone(&reads);
    options.on_variable = Some(Arc::new(move |at| noted.note(at)));
    options.disk = Arc::new(RecordingModules::new(Arc::clone(&options.disk), recording.tape()));
    let tape = recording.tape();
    Ok((recording, Taping { tape, reads }))
}

/// Ends recordings as their processes ended.
fn kept(
    tapes: Vec<(u32, Recording)>,
    outcome: &Outcome,
    plans: &[&HostPlan],
) -> Result<Vec<Recorded>, Failure> {
    let mut all = Vec::new();
    for (number, recording) in tapes {
        let ran = outcome.processes.iter().find(|ran| ran.number == number);
        let Some(ran) = ran else { continue };
        let plan = plans[ran.host];
        let name = match plan.programs.len() {
            1 => plan.name.clone(),
            _ => format!("{}/{}", plan.name, ran.program + 1),
        };
        let kept = match ran.ended {
            Ended::With(_, code) => recording.finish(code, true),
            Ended::Killed(_) | Ended::No => recording.killed(),
        };
        match kept {
            Ok(hemiola_live::runs::Outcome::Kept(id)) => all.push(Recorded { name, id }),
            Ok(_) => {}
            Err(error) => {
                let reason = crate::input::reason(&error);
                return Err(Failure::new(format!("the recording of {name} is lost: {reason}"))
                    .help("set HEMIOLA_RUNS to a directory that can be written"));
            }
        }
    }
    Ok(all)
}

/// The files of a host, which know what is durable if that may matter.
fn files(disk: &Arc<Frozen>, loses_power: bool) -> Overlay {
    let files = Overlay::over(disk);
    if loses_power { files.mortal() } else { files }
}

/// Lets a process tell what its trace is to say, if there is one.
fn facts(wishes: &Wishes) -> fn(&mut Options) {
    match wishes.trace {
        None => |_| {},
        Some(_) => |options| {
            Facts { sites: true, transfers: true, ..Facts::default() }.ask(options);
            options.names_requests = true;
        },
    }
}

/// Starts a process on a thread of its own.
fn begin(
    options: Options,
    launch: Launch,
    output: Output,
    (launcher, ear): (Launcher, Ear),
    taping: Option<Taping>,
) -> Result<(), hemiola_gate::Fault> {
    let room = Room::new(options.memory_limit);
    let template = options.clone();
    let place = launch.place(output, launcher, room, move |hub, start, places| {
        workers::joining(&template, hub, &start, places)
    });
    let options = Options { member: place.member(), ..options };
    spawn(options.stack_limit, move || {
        place.run(|world| {
            let code = match taping {
                None => workers::code(options, world, &mut { ear }),
                Some(taping) => {
                    let life = ear.life.clone();
                    let until = Box::new(move || life.is_over());
                    workers::recorded(options, world, taping, until, &mut { ear })
                }
            };
            launch.ended(code);
            code
        });
    })
}

/// Takes the events of a process, as long as it lives.
#[derive(Clone)]
struct Ear {
    life: Life,
    host: String,
    program: usize,
    /// Its number among all processes.
    process: u32,
    pace: Pace,
    /// When the running callback began.
    began: Instant,
    heard: Shared,
}

/// A line that says how far a fleet is.
fn status(heard: &Shared, until: Delay) -> Ticking {
    let heard = Arc::clone(heard);
    let total = until.as_micros();
    let look = move || {
        let done = lock(&heard).now.as_micros();
        let line = format!("virtual time {} of {}", length(done), length(total));
        Look { done, total: Some(total), line }
    };
    Ticking::new(look, || {})
}

/// Takes what happens between processes.
fn tap(heard: &Shared) -> Tap {
    let heard = Arc::clone(heard);
    Arc::new(move |news| {
        if let Some(trace) = &mut lock(&heard).trace {
            trace.news(news);
        }
    })
}

impl Ear {
    /// Its process begins then, with that program.
    fn begun(&self, file: String, at: Instant) {
        if let Some(trace) = &mut lock(&self.heard).trace {
            let begun = FleetFact::Started { program: self.program as u32 + 1, file, at };
            trace.event((&self.host, self.process), Some(at), &Event::Fleet(begun));
        }
    }
}

impl Sink for Ear {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        if self.life.is_over() {
            return;
        }
        let at = match &event {
            Event::Began { at, .. } | Event::Completed { at, .. } => Some(self.pace.outside(*at)),
            _ => None,
        };
        if let (Event::Began { .. }, Some(at)) = (&event, at) {
            self.began = at;
        }
        let mut heard = lock(&self.heard);
        heard.events += 1;
        heard.now = heard.now.max(self.began);
        if let Some(trace) = &mut heard.trace {
            trace.event((&self.host, self.process), at, &event);
        }
        if let Event::Observed(value) = event {
            let (host, program) = (self.host.clone(), self.program);
            heard.seen.push(Seen { host, program, at: self.began, value });
        }
    }
}

/// What a process prints.
struct Mouth {
    process: u32,
    /// Standard output and standard error, if they are printed.
    voices: Option<[Voice; 2]>,
    heard: Shared,
}

impl Mouth {
    fn of(ear: &Ear, host: usize, prints: bool) -> Self {
        let voice = |stream| Voice::new(&ear.host, host, stream);
        Self {
            process: ear.process,
            voices: prints.then(|| [Stream::Out, Stream::Err].map(voice)),
            heard: Arc::clone(&ear.heard),
        }
    }

    fn writer(mut self) -> impl FnMut(Stream, &[u8]) -> std::io::Result<()> + Send {
        move |stream, bytes| {
            self.say(stream, bytes);
            Ok(())
        }
    }

    fn say(&mut self, stream: Stream, bytes: &[u8]) {
        if stream == Stream::Err {
            let mut heard = lock(&self.heard);
            let said = heard.said.entry(self.process).or_default();
            if said.len() < SAID {
                said.push_str(&String::from_utf8_lossy(bytes));
            }
        }
        if let Some([out, err]) = &mut self.voices {
            if let Some(says) = lock(&self.heard).says.clone()
                && bytes.contains(&b'\n')
            {
                says(stream, b"\n");
            }
            match stream {
                Stream::Out => out.hear(bytes),
                Stream::Err => err.hear(bytes),
            }
        }
    }
}

impl Shown {
    /// The first process that ended by itself with another exit code than 0 though it should not: which host it was
    /// on, when, and what it said.
    pub(super) fn failed(
        &self,
        may_fail: impl Fn(usize, usize) -> bool,
    ) -> Option<(usize, Instant, String)> {
        let failed = self.outcome.processes.iter().filter_map(|ran| {
            let Ended::With(at, code) = ran.ended else { return None };
            let is_wrong = code != 0 && !may_fail(ran.host, ran.program);
            let said = self.said.get(&ran.number).map_or("", String::as_str);
            is_wrong.then(|| (ran.host, at, reason(code, said)))
        });
        failed.min_by_key(|&(_, at, _)| at)
    }
}

/// Why a process ended with an exit code, in one line.
pub(in crate::commands) fn reason(code: i32, said: &str) -> String {
    let is_error = |line: &&str| {
        let head = line.split([':', ' ', '[']).next().unwrap_or_default();
        head.ends_with("Error") || line.starts_with("Uncaught")
    };
    let lines = || said.lines().map(str::trim_end).filter(|line| !line.is_empty());
    match lines().find(is_error).or_else(|| lines().next_back()) {
        Some(line) => format!("exit status {code}: {line}"),
        None => format!("exit status {code}"),
    }
}
