//! The machines of one simulated run: a program and its workers, which take turns.

use crate::processes::{Commands, Launcher, Life, Processes, Standard};
use crate::roads::process_of;
use crate::{
    Baton, ClockSteps, Environment, Faults, Network, Overlay, Pace, Seat, Stores, Virtual,
};
use hemiola_gate::{Fault, Hub, MAIN, Member, Room, Start, Stop};
use hemiola_machine::{Delay, Instant, Stream};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Takes what a machine writes.
pub type Write = Box<dyn FnMut(Stream, &[u8]) -> io::Result<()> + Send>;

/// Where all machines of a run write.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Write>>);

impl Output {
    /// Lets all of them write there.
    pub fn new(write: Write) -> Self {
        Self(Arc::new(Mutex::new(write)))
    }

    /// Lets one of them write there.
    pub fn writer(&self) -> impl FnMut(Stream, &[u8]) -> io::Result<()> + Send + use<> {
        let output = Arc::clone(&self.0);
        move |stream, bytes| output.lock().unwrap_or_else(PoisonError::into_inner)(stream, bytes)
    }
}

/// What the worlds of all machines of a run have in common.
#[derive(Clone)]
pub struct Team {
    /// What random numbers, latencies and turns follow from; every machine draws numbers of its own.
    pub seed: u64,
    /// When the world ends, if it does.
    pub until: Option<Delay>,
    /// Asks the program to stop when a worker still computes then.
    pub stop: Stop,
    /// What may go wrong.
    pub faults: Faults,
    /// When somebody sets the clock on the wall.
    pub steps: ClockSteps,
    /// When the computer lets programs run, if not always.
    pub environment: Option<Environment>,
    /// How the clocks of the computer go.
    pub pace: Pace,
    /// When the program is stopped for a while.
    pub pauses: Vec<(Instant, Instant)>,
    /// When the disk of the computer fails.
    pub bad_disk: Vec<(Instant, Instant)>,
    /// The files of the computer.
    pub files: Arc<Overlay>,
    /// Its stores of schedulers.
    pub stores: Stores,
    /// The network that all of them are on.
    pub network: Network,
    /// Where all of them write.
    pub output: Output,
    /// The number of the main program among all machines; workers have those after it.
    pub first: u64,
    /// Whether the program was killed.
    pub life: Life,
    /// All processes of the world.
    pub processes: Processes,
    /// Where the program reads and writes.
    pub standard: Standard,
    /// What commands mean on its computer.
    pub commands: Arc<Commands>,
    /// Runs programs that it starts; nothing if it cannot start any.
    pub launcher: Option<Launcher>,
}

impl Team {
    /// The place of the main program, and its part in what the machines share. `start` runs a worker that
    /// the program starts, on a thread of its own, with a place that [`Places::take`] gives it.
    pub fn assemble(
        self,
        stop: Stop,
        room: Room,
        start: impl Fn(&Arc<Hub>, Start, &Places) -> Result<(), Fault> + Send + Sync + 'static,
    ) -> (Seat, Member) {
        let baton = Baton::new(self.seed, stop);
        let main = baton.seat(self.first);
        (main, self.member(baton, room, start))
    }

    /// The place of a program that takes turns with others from an instant on.
    pub(crate) fn join(
        self,
        baton: Arc<Baton>,
        begins: Instant,
        room: Room,
        start: impl Fn(&Arc<Hub>, Start, &Places) -> Result<(), Fault> + Send + Sync + 'static,
    ) -> Place {
        let seat = baton.seat_at(self.first, begins);
        let team = self.clone();
        Place { seat, member: self.member(baton, room, start), team }
    }

    /// The main program, as one of the machines that share something.
    fn member(
        self,
        baton: Arc<Baton>,
        room: Room,
        start: impl Fn(&Arc<Hub>, Start, &Places) -> Result<(), Fault> + Send + Sync + 'static,
    ) -> Member {
        let places = Places { baton, team: self };
        let starter = move |hub: &Arc<Hub>, begun: Start| start(hub, begun, &places);
        Member { hub: Hub::new(Box::new(starter), room), machine: MAIN, port: 0 }
    }
}

/// The places of a team, for whoever joins it.
pub struct Places {
    baton: Arc<Baton>,
    team: Team,
}

impl Places {
    /// The place of a worker, which takes its turns from now on.
    pub fn take(&self, member: Member) -> Place {
        let seat = self.baton.seat(self.team.first + member.machine);
        Place { seat, member, team: self.team.clone() }
    }
}

/// The place of a worker.
pub struct Place {
    seat: Seat,
    member: Member,
    team: Team,
}

impl Place {
    /// What its machine is among those of its program.
    pub fn member(&self) -> Member {
        self.member.clone()
    }

    /// Waits for its turn and runs the machine to its end in a world; `run` gives its exit code.
    pub fn run(self, run: impl FnOnce(&mut Virtual<Write>) -> i32) {
        let Self { seat, member, team } = self;
        let Member { hub, machine, .. } = member.clone();
        let number = seat.machine();
        let (code, seat) = if seat.begin() {
            let seed = team.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let write: Write = Box::new(team.output.writer());
            let world = Virtual::new(seed, Arc::clone(&team.files), write).faults(team.faults);
            let world = world.steps(team.steps.clone()).environment(team.environment);
            let world = world.paced(team.pace).paused(team.pauses.clone());
            let world = world.bad_disk(team.bad_disk.clone()).with_stores(team.stores.clone());
            let mut world =
                world.on(team.network.clone()).stopping(team.stop.clone()).of(team.clone());
            if let Some(until) = team.until {
                world = world.until(until);
            }
            let mut world = world.seated(seat, member);
            // It may begin while the computer is frozen.
            let code = if world.thaw() { run(&mut world) } else { 1 };
            (code, world.stand_up())
        } else {
            (1, Some(seat))
        };
        hub.ended(machine, code);
        if let Some(seat) = seat {
            if machine == MAIN {
                team.standard.close_files(&team.files);
                team.processes.ended(process_of(number), code, seat.now());
            }
            seat.leave();
        }
    }
}
