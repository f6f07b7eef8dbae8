//! Several computers in one virtual world (rule FLEET-1): programs on hosts, what is between them, and what goes wrong.
//!
//! A conductor has a place among the machines like everybody else. It starts programs, ends them where a fault
//! says so, and ends the world; whatever else happens is between the programs.

mod description;
mod faults;
mod file;

pub use crate::processes::Life;
pub use crate::wires::Ended;
pub use description::{Description, Expected, HostPlan, ProgramPlan, Troubles, Wrong};
pub use faults::{Fault, Kind, Rates, Trouble, Unreadable, hourly, length};
pub use file::Look;

use crate::baton::{Baton, Seat};
use crate::databases::Troubles as Databases;
use crate::order::{Arrivals, Order};
use crate::processes::{Commands, Launcher, Processes, Standard};
use crate::roads::{Computer, Cut, LATENCY, Link, Roads, process_of};
use crate::team::{Output, Place, Places, Team};
use crate::{ClockSteps, Faults, Network, News, Overlay, Pace, Party, Stores, Tap};
use hemiola_gate::{Fault as Refusal, Hub, MAIN, Reason, Room, Start, Stop};
use hemiola_machine::{Delay, Instant};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// When a program that has ended is started again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// Never, unless its host starts again.
    Never,
    /// When it was killed, or ended with another exit code than 0.
    #[default]
    OnFailure,
    /// Whenever it has ended.
    Always,
}

impl Restart {
    /// Whether a program is started again that has ended with that exit code.
    pub fn is_due(self, code: i32) -> bool {
        match self {
            Self::Never => false,
            Self::OnFailure => code != 0,
            Self::Always => true,
        }
    }

    /// How long a program is down that is started again by itself, which was started so often already.
    pub fn pause(starts: u32) -> Delay {
        let times = starts.saturating_sub(1).min(16);
        Delay::from_millis((AGAIN_MS << times).min(LONGEST_AGAIN_MS))
    }
}

/// A program of a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// When it is started again.
    pub restart: Restart,
    /// Whether it may end with another exit code than 0; else the fleet has failed, and ends.
    pub may_fail: bool,
}

/// A computer and what runs on it.
pub struct Host {
    /// Its name, by which the others reach it.
    pub name: String,
    /// How its clocks go.
    pub pace: Pace,
    /// When its clock on the wall is set.
    pub steps: Vec<(Instant, i64)>,
    /// Its files.
    pub files: Arc<Overlay>,
    /// What commands mean there.
    pub commands: Commands,
    /// Its programs.
    pub programs: Vec<Program>,
}

/// A fleet, ready to run once.
pub struct Fleet {
    /// What all that is not given follows from.
    pub seed: u64,
    /// When the world ends.
    pub until: Delay,
    /// The computers, in the order of their numbers from 1 on.
    pub hosts: Vec<Host>,
    /// What is between two computers if nothing else is said.
    pub link: Link,
    /// What else is said.
    pub links: BTreeMap<(Computer, Computer), Link>,
    /// What goes wrong.
    pub faults: Vec<Fault>,
    /// Who is told what goes over the wires, and which processes end.
    pub tap: Option<Tap>,
}

/// How long a program is down at first before it is started again by itself, and at most; each time twice as long.
const AGAIN_MS: u64 = 100;
const LONGEST_AGAIN_MS: u64 = 10_000;

/// A process that is to be run.
pub struct Launch {
    /// Which host it is on, from 0 on.
    pub host: usize,
    /// Which of the host's programs it is.
    pub program: usize,
    /// How often that was started before.
    pub before: u32,
    /// Whether it is still alive.
    pub life: Life,
    /// Stops it.
    pub stop: Stop,
    /// When it begins, at the earliest.
    pub begins: Instant,
    /// Its number among all processes.
    pub number: u32,
    team: Team,
    baton: Arc<Baton>,
    ends: Ends,
}

/// Which processes have ended by themselves, and how.
type Ends = Arc<Mutex<Vec<(u32, i32)>>>;

impl Launch {
    /// The place of the process; what it writes goes to `output`, `launcher` runs programs that it starts, and `start`
    /// a worker that it starts, with a place of its own.
    pub fn place(
        &self,
        output: Output,
        launcher: Launcher,
        room: Room,
        start: impl Fn(&Arc<Hub>, Start, &Places) -> Result<(), Refusal> + Send + Sync + 'static,
    ) -> Place {
        let team = Team { output, launcher: Some(launcher), ..self.team.clone() };
        team.join(Arc::clone(&self.baton), self.begins, room, start)
    }

    /// When it begins, by the clock of its host.
    pub fn born(&self) -> Instant {
        self.team.pace.inside(self.begins)
    }

    /// Says with what exit code it has ended, before it leaves its place.
    pub fn ended(&self, code: i32) {
        let code = self.team.processes.code(process_of(self.team.first), code);
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.push((self.number, code));
        self.baton.call(MAIN);
    }
}

/// A process that has run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Which host it was on.
    pub host: usize,
    /// Which of its programs it was.
    pub program: usize,
    /// Its number among all processes.
    pub number: u32,
    /// How it ended.
    pub ended: Ended,
}

/// What became of a fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its processes, in the order in which they were started.
    pub processes: Vec<Ran>,
    /// Since when nothing could happen any more, if that was before the end.
    pub rests_since: Option<Instant>,
    /// When it ended.
    pub end: Instant,
    /// Whether a message was under way for longer than messages usually are, where the order is left open.
    pub is_slow: bool,
}

/// What the conductor is to do.
#[derive(Clone, Debug)]
enum Act {
    /// Starts a program of a host.
    Start(usize, usize),
    /// Kills what runs on a host: one program or all, which start again after a while.
    Crash(usize, Option<usize>, Delay),
    /// Takes the power from a host for a while.
    PowerOff(usize, Delay),
    /// Ends the world.
    End,
}

/// A process, as the conductor knows it.
struct Running {
    ran: Ran,
    first: u64,
    life: Life,
    stop: Stop,
}

struct Conductor<'f> {
    fleet: &'f Fleet,
    baton: Arc<Baton>,
    network: Network,
    stores: Vec<Stores>,
    processes: Processes,
    commands: Vec<Arc<Commands>>,
    agenda: BTreeMap<(Instant, u64), Act>,
    planned: u64,
    running: Vec<Running>,
    ended: Vec<Running>,
    ends: Ends,
    starts: BTreeMap<(usize, usize), u32>,
    /// Which hosts have no power.
    dark: Vec<bool>,
    stop: Stop,
}

impl Fleet {
    /// Runs it to its end; `launch` runs a process on a thread of its own, at its place. With `arrivals` nothing is drawn
    /// that happens between computers, and somebody decides in which order messages arrive.
    ///
    /// # Errors
    ///
    /// When a process cannot be run at all.
    pub fn run(
        &self,
        stop: Stop,
        arrivals: Option<Arrivals>,
        mut launch: impl FnMut(Launch) -> Result<(), Refusal>,
    ) -> Result<Outcome, Refusal> {
        let names: Vec<String> = self.hosts.iter().map(|host| host.name.clone()).collect();
        let (mut link, mut links) = (self.link, self.links.clone());
        if arrivals.is_some() {
            link = link.even();
            links.values_mut().for_each(|link| *link = link.even());
        }
        let roads = Roads::new(names.clone(), link, links, self.cuts());
        let mut network = Network::tapped(roads, self.seed, self.tap.clone());
        let baton = Baton::new(self.seed, stop.clone());
        let seat = baton.seat(MAIN);
        network.databases.suffer(self.troubles());
        let is_slow = arrivals.map(|arrivals| {
            network = network.clone().taking((LATENCY.0, LATENCY.0));
            let (links, end) = ((self.link, self.links.clone()), Instant::ZERO + self.until);
            let (order, is_slow) = Order::new(arrivals, network.clone(), names, links, end);
            baton.leave_open(order);
            is_slow
        });
        let mut conductor = Conductor {
            fleet: self,
            network,
            stores: self.hosts.iter().map(|_| Stores::default()).collect(),
            processes: Processes::tapped(self.tap.clone()),
            commands: self.hosts.iter().map(|host| Arc::new(host.commands.clone())).collect(),
            baton,
            agenda: BTreeMap::new(),
            planned: 0,
            running: Vec::new(),
            ended: Vec::new(),
            ends: Ends::default(),
            starts: BTreeMap::new(),
            dark: vec![false; self.hosts.len()],
            stop,
        };
        conductor.plan_all();
        let result = conductor.conduct(&seat, &mut launch);
        let rests_since = conductor.baton.rests_since();
        // What is closed because the world is over is not what happened in it.
        conductor.network.untap();
        for one in &conductor.running {
            one.life.end();
            one.stop.ask(Reason::Ended);
        }
        conductor.processes.end_all();
        let end = seat.now();
        seat.finish();
        result?;
        let mut all = conductor.ended;
        all.extend(conductor.running);
        all.sort_by_key(|one| one.ran.number);
        let processes = all.into_iter().map(|one| one.ran).collect();
        let is_slow = is_slow.is_some_and(|is_slow| is_slow.load(Ordering::Relaxed));
        Ok(Outcome { processes, rests_since, end, is_slow })
    }

    /// Who is cut off when.
    fn cuts(&self) -> Vec<Cut> {
        let cut = |fault: &Fault| {
            let (side, length) = match &fault.kind {
                Kind::Cut { side, length } => (side.clone(), *length),
                Kind::Power { host, down } => (vec![*host], *down),
                _ => return None,
            };
            let side = side.into_iter().map(number_of).collect();
            Some(Cut { side, from: fault.at, until: fault.at + length })
        };
        self.faults.iter().filter_map(cut).collect()
    }

    /// What is the matter with the databases when. They are no host: whoever is cut off is cut off from them, too.
    fn troubles(&self) -> Databases {
        let times = |trouble: Trouble| {
            self.times(|kind| match kind {
                Kind::Database { trouble: one, length } if *one == trouble => Some(*length),
                _ => None,
            })
        };
        let steps = self.faults.iter().filter_map(|fault| match fault.kind {
            Kind::DatabaseClock { by } => Some((fault.at, by)),
            _ => None,
        });
        Databases {
            down: times(Trouble::Restart),
            drops: times(Trouble::Drop),
            slow: times(Trouble::Slow),
            deaf: times(Trouble::Deaf),
            steps: steps.collect(),
            cuts: self.cuts(),
            luck: self.seed ^ 0x6461_7461_6261_7365,
        }
    }

    /// When something is the case with a host, by the faults that say so.
    fn times(&self, of: impl Fn(&Kind) -> Option<Delay>) -> Vec<(Instant, Instant)> {
        let time = |fault: &Fault| Some((fault.at, fault.at + of(&fault.kind)?));
        self.faults.iter().filter_map(time).collect()
    }
}

/// The number of a host on the network.
fn number_of(host: usize) -> Computer {
    Computer(u16::try_from(host + 1).expect("a fleet has fewer than 65,536 hosts"))
}

impl Conductor<'_> {
    fn plan(&mut self, at: Instant, act: Act) {
        self.planned += 1;
        self.agenda.insert((at, self.planned), act);
    }

    fn plan_all(&mut self) {
        let fleet = self.fleet;
        for (host, one) in fleet.hosts.iter().enumerate() {
            for program in 0..one.programs.len() {
                self.plan(Instant::ZERO, Act::Start(host, program));
            }
        }
        for fault in &fleet.faults {
            match &fault.kind {
                Kind::Crash { host, program, down } => {
                    self.plan(fault.at, Act::Crash(*host, *program, *down));
                }
                Kind::Power { host, down } => self.plan(fault.at, Act::PowerOff(*host, *down)),
                // These are known to the network and to the worlds of the programs.
                Kind::Cut { .. }
                | Kind::Pause { .. }
                | Kind::Clock { .. }
                | Kind::Disk { .. }
                | Kind::Database { .. }
                | Kind::DatabaseClock { .. } => {}
            }
        }
        self.plan(Instant::ZERO + fleet.until, Act::End);
    }

    fn conduct(
        &mut self,
        seat: &Seat,
        launch: &mut impl FnMut(Launch) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut now = Instant::ZERO;
        loop {
            if self.hear(now) {
                return Ok(());
            }
            while let Some((&key, _)) = self.agenda.first_key_value()
                && key.0 <= now
                && let Some(act) = self.agenda.remove(&key)
            {
                match act {
                    Act::End => return Ok(()),
                    Act::Start(host, program) => self.start(now, host, program, launch)?,
                    Act::Crash(host, program, down) => self.crash(now, host, program, down),
                    Act::PowerOff(host, down) => self.power_off(now, host, down),
                }
            }
            let next = self.agenda.first_key_value().map(|(&(at, _), _)| at);
            let Some(then) = seat.pass(next, next) else { return Ok(()) };
            if self.stop.asked().is_some() {
                return Ok(());
            }
            now = then;
        }
    }

    /// Tells that a process is no more.
    fn tell(&self, one: &Running) {
        if let Some(tap) = &self.fleet.tap {
            tap(News::Stopped { who: Party::of(one.first), ended: one.ran.ended });
        }
    }

    /// Notes which processes have ended by themselves, and starts them again if they should be; whether one should not
    /// have ended like that.
    fn hear(&mut self, now: Instant) -> bool {
        let mut has_failed = false;
        let ends = std::mem::take(&mut *self.ends.lock().unwrap_or_else(PoisonError::into_inner));
        for (number, code) in ends {
            let Some(at) = self.running.iter().position(|one| one.ran.number == number) else {
                continue;
            };
            let mut one = self.running.remove(at);
            one.ran.ended = Ended::With(now, code);
            self.tell(&one);
            let (host, program) = (one.ran.host, one.ran.program);
            self.ended.push(one);
            let Program { restart, may_fail } = self.fleet.hosts[host].programs[program];
            has_failed |= code != 0 && !may_fail;
            if restart.is_due(code) {
                let starts = self.starts.get(&(host, program)).copied().unwrap_or(0);
                self.plan(now + Restart::pause(starts), Act::Start(host, program));
            }
        }
        has_failed
    }

    fn start(
        &mut self,
        now: Instant,
        host: usize,
        program: usize,
        launch: &mut impl FnMut(Launch) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let runs = |one: &Running| (one.ran.host, one.ran.program) == (host, program);
        if self.dark[host] || self.running.iter().any(runs) {
            return Ok(());
        }
        let before = self.starts.entry((host, program)).or_default();
        let count = *before;
        *before += 1;
        let fleet = self.fleet;
        let one = &fleet.hosts[host];
        let computer = number_of(host);
        let (life, stop) = (Life::default(), Stop::default());
        let mut steps = one.steps.clone();
        steps.extend(fleet.faults.iter().filter_map(|fault| match fault.kind {
            Kind::Clock { host: of, by } if of == host => Some((one.pace.inside(fault.at), by)),
            _ => None,
        }));
        let pauses = fleet.times(|kind| match kind {
            Kind::Pause { host: of, program: which, length }
                if *of == host && which.is_none_or(|which| which == program) =>
            {
                Some(*length)
            }
            _ => None,
        });
        let bad_disk = fleet.times(|kind| match kind {
            Kind::Disk { host: of, length } if *of == host => Some(*length),
            _ => None,
        });
        let entered = self.processes.enter(computer, None, life.clone(), stop.clone());
        let (number, first) = (entered.number, entered.first);
        let team = Team {
            seed: fleet.seed,
            until: None,
            stop: stop.clone(),
            faults: Faults::NONE,
            steps: ClockSteps { given: steps, seed: None },
            environment: None,
            pace: one.pace,
            pauses,
            bad_disk,
            files: Arc::clone(&one.files),
            stores: self.stores[host].clone(),
            network: self.network.clone(),
            output: Output::new(Box::new(|_, _| Ok(()))),
            first,
            life: life.clone(),
            processes: self.processes.clone(),
            standard: Standard::default(),
            commands: Arc::clone(&self.commands[host]),
            launcher: None,
        };
        let ran = Ran { host, program, number, ended: Ended::No };
        self.running.push(Running { ran, first, life: life.clone(), stop: stop.clone() });
        launch(Launch {
            host,
            program,
            before: count,
            life,
            stop,
            team,
            baton: Arc::clone(&self.baton),
            begins: now,
            ends: Arc::clone(&self.ends),
            number,
        })
    }

    /// Kills what runs on a host; its sockets are closed by the host (rule FLEET-5).
    fn crash(&mut self, now: Instant, host: usize, program: Option<usize>, down: Delay) {
        for program in self.kill(now, host, program, false) {
            if self.fleet.hosts[host].programs[program].restart != Restart::Never {
                self.plan(now + down, Act::Start(host, program));
            }
        }
    }

    /// Takes the power from a host: it is silent from now on, and starts all of its programs afterwards.
    fn power_off(&mut self, now: Instant, host: usize, down: Delay) {
        self.kill(now, host, None, true);
        let seed = self.fleet.seed ^ now.as_micros().rotate_left(17) ^ ((host as u64) << 48);
        self.fleet.hosts[host].files.lose_power(seed);
        self.agenda.retain(|_, act| !matches!(act, Act::Start(of, _) if *of == host));
        for program in 0..self.fleet.hosts[host].programs.len() {
            self.plan(now + down, Act::Start(host, program));
        }
    }

    /// Ends processes at once, with their memory; gives the programs that they were.
    fn kill(
        &mut self,
        now: Instant,
        host: usize,
        program: Option<usize>,
        silent: bool,
    ) -> Vec<usize> {
        let is_meant = |one: &Running| {
            one.ran.host == host && program.is_none_or(|program| program == one.ran.program)
        };
        let mut killed = Vec::new();
        while let Some(at) = self.running.iter().position(is_meant) {
            let mut one = self.running.remove(at);
            one.life.end();
            one.stop.ask(Reason::Ended);
            let machines = self.baton.machines_of(process_of(one.first));
            if silent {
                self.network.lose(&machines);
            }
            // One after the other, so that what each leaves behind comes in one order.
            machines.into_iter().rev().for_each(|machine| self.baton.end(machine));
            one.ran.ended = Ended::Killed(now);
            self.tell(&one);
            killed.push(one.ran.program);
            self.ended.push(one);
        }
        if program.is_none() {
            self.kill_children(host, silent);
        }
        self.stores[host].let_go();
        killed
    }

    /// Ends what the programs of a host have started, and whatever these have.
    fn kill_children(&self, host: usize, silent: bool) {
        for process in self.processes.running_on(number_of(host)) {
            if silent {
                self.network.lose(&self.baton.machines_of(process));
            }
            self.processes.end(process, &self.baton);
        }
    }
}
