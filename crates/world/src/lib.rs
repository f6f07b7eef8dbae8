//! Simulated worlds for programs.
//!
//! [`Virtual`] has a clock that jumps, a wall clock that starts at a fixed date, and random numbers
//! that follow from a seed; what a program writes goes wherever its maker wants. Its files are an
//! [`Overlay`] over those of the disk.
#![forbid(unsafe_code)]

mod baton;
mod by_hand;
pub mod crash;
mod databases;
mod datagrams;
mod environment;
mod faults;
pub mod fleet;
mod input;
mod kept;
mod names;
mod net;
mod open;
mod order;
mod overlay;
pub mod processes;
pub mod recording;
mod roads;
mod secure;
mod store;
pub mod team;
mod wall;
mod wires;

pub use baton::{Baton, Seat};
pub use by_hand::ByHand;
pub use environment::{Environment, UnknownEnvironment};
pub use faults::{Faults, UnknownFaults};
pub use input::Source;
pub use kept::{Kept, Left, Order};
pub use open::{Access, Effect, Location, Open};
pub use order::{Arrivals, Dispatcher};
pub use overlay::{Frozen, Overlay};
pub use roads::{Computer, Cut, Link, Roads};
pub use secure::Secure;
pub use store::Stores;
pub use wall::{ClockSteps, Pace, WALL_ORIGIN};
pub use wires::{News, Party, Tap};

use databases::Asking;
use datagrams::Datagrams;
use faults::{Broken, Faulty, Luck};
use hemiola_gate::system::{self, Turning};
use hemiola_gate::{
    Answer, Checked, ChildCall, ClusterCall, ComputeCall, Datum, Fault, FixedSystem, FsCall, Gated,
    HubCall, InputCall, MAIN, Member, Mishaps, NetCall, Reason, Request, SignalCall, Sleep, Stop,
    SystemCall, Trailing, files,
};
use hemiola_machine::{
    Answered, Chooser, Completion, Delay, Draw, Gap, Instant, Limit, Move, Operation, Seeded,
    Stream, World,
};
use input::Input;
pub use net::Network;
use net::{Net, NetworkCall};
use roads::process_of;
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use team::Team;
use wall::WallClock;

/// How many turns without a wait take one millisecond together.
const TURNS_PER_MILLISECOND: u32 = 1000;

/// How many looks at a clock in one callback take one millisecond together: who waits for time to pass by looking
/// at it would wait for ever.
const LOOKS_PER_MILLISECOND: u32 = 1000;

/// How often the running callback has looked at a clock since time last passed by that.
#[derive(Clone, Copy, Debug, Default)]
struct Looks(u32);

impl Looks {
    /// One more: the time by then.
    fn count(&mut self, now: Instant) -> Instant {
        self.0 += 1;
        if self.0 < LOOKS_PER_MILLISECOND {
            return now;
        }
        self.0 = 0;
        now + Delay::from_millis(1)
    }
}

/// How long a program may compute without letting virtual time pass, even if less of that is left. A breath counts as
/// a millisecond: the engine breathes after some ten thousand loops and calls. So do so many callbacks in a row,
/// such as ticks that queue ticks.
const BREATHS_AT_LEAST: u64 = 1_000;
const CALLBACKS_PER_BREATH: u32 = 250;

/// How long an operation takes at most, in microseconds.
const LATENCY_US: usize = 2_000;

/// Keeps the stream of latencies apart from the numbers that the program draws.
const LATENCY_SEED: u64 = 0x6c61_7465_6e63_7921;

/// A world in virtual time.
pub struct Virtual<F> {
    now: Instant,
    turning: Turning,
    wall: WallClock,
    /// How the clocks of its computer go; `now` and all that is not the network's is by these.
    pace: Pace,
    /// When the program is stopped for a while, by the clock of the world.
    pauses: Vec<(Instant, Instant)>,
    /// When its disk fails, by the same clock.
    bad_disk: Vec<(Instant, Instant)>,
    /// Who waits until somebody sets that clock.
    awaits_setting: Vec<Operation>,
    until: Option<Instant>,
    /// Where it says what time it is, for whoever looks how far it is.
    told: Option<Arc<AtomicU64>>,
    /// Asks a program to stop that still computes when the world has ended.
    stop: Stop,
    /// How often it has breathed since a turn of the loop last began, and how many callbacks have run since then
    /// or since it last breathed.
    breaths: u64,
    callbacks: u32,
    /// How many turns have begun since time last passed.
    turns: u32,
    /// How often the running callback has looked at a clock since time last passed.
    looks: Looks,
    /// When the running callback began, if it has a limit.
    began: Instant,
    /// When it lets the program run, if not always.
    environment: Option<Environment>,
    random: Seeded,
    latencies: Seeded,
    files: Arc<Overlay>,
    network: Network,
    stores: Stores,
    /// What was asked for and takes until then; at one instant, in the order of asking.
    pending: BTreeMap<(Instant, Operation), Request>,
    /// What [`Virtual::next`] has found, as long as nothing has changed since.
    next: Cell<Option<Option<Instant>>>,
    /// What became of operations whose time has come.
    ready: VecDeque<Completion<Answer>>,
    /// What waits until a watched file changes.
    waiting: Option<Operation>,
    faults: Faults,
    luck: Luck,
    /// What may go wrong with what was asked of the network.
    asked: BTreeMap<Operation, Mishaps>,
    write: F,
    input: Input,
    /// Whether it came to its end while nothing was under way.
    rests: bool,
    /// Its place among the machines of the run, if there can be others.
    seat: Option<(Seat, Member)>,
    /// What its process is, if there can be others.
    team: Option<Arc<Team>>,
    /// What came over channels from other processes and was not opened yet, by the number that it has.
    arrived: BTreeMap<i32, u64>,
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Virtual<F> {
    /// A world at the origin of time with those files; `write` takes what the program writes.
    pub fn new(seed: u64, files: Arc<Overlay>, write: F) -> Self {
        Self {
            now: Instant::ZERO,
            turning: Turning::default(),
            began: Instant::ZERO,
            wall: WallClock::new(ClockSteps::default()),
            pace: Pace::default(),
            pauses: Vec::new(),
            bad_disk: Vec::new(),
            awaits_setting: Vec::new(),
            until: None,
            told: None,
            stop: Stop::default(),
            breaths: 0,
            callbacks: 0,
            turns: 0,
            looks: Looks::default(),
            environment: None,
            random: Seeded::new(seed),
            latencies: Seeded::new(seed ^ LATENCY_SEED),
            files,
            network: Network::new(seed),
            stores: Stores::default(),
            pending: BTreeMap::new(),
            next: Cell::new(None),
            ready: VecDeque::new(),
            waiting: None,
            faults: Faults::NONE,
            luck: Luck::new(seed),
            asked: BTreeMap::new(),
            write,
            input: Input::default(),
            rests: false,
            seat: None,
            team: None,
            arrived: BTreeMap::new(),
        }
    }

    /// Lets the program read from there, once it asks for standard input; else that is empty.
    pub fn input(self, source: Source) -> Self {
        Self { input: Input::new(source), ..self }
    }

    /// Lets the world end after that time: nothing later happens.
    pub fn until(self, end: Delay) -> Self {
        Self { until: Some(Instant::ZERO + end), ..self }
    }

    /// Lets it ask a program to stop that would compute past the world's end. Computing takes no virtual time, so
    /// it is counted instead: every run comes to the same.
    pub fn stopping(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// Lets things go wrong now and then, as the seed decides.
    pub fn faults(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }

    /// Lets somebody set the clock on the wall.
    pub fn steps(self, steps: ClockSteps) -> Self {
        Self { wall: WallClock::new(steps), ..self }
    }

    /// Lets the clocks of its computer go like that.
    pub fn paced(self, pace: Pace) -> Self {
        Self { wall: self.wall.ahead_by(pace.offset), pace, ..self }
    }

    /// Lets the program be stopped from one instant of the world's clock to another.
    pub fn paused(self, pauses: Vec<(Instant, Instant)>) -> Self {
        Self { pauses, ..self }
    }

    /// Lets every call for files that can fail do so from one instant of the world's clock to another.
    pub fn bad_disk(self, bad_disk: Vec<(Instant, Instant)>) -> Self {
        Self { bad_disk, ..self }
    }

    /// Lets the program run only when that environment does.
    pub fn environment(self, environment: Option<Environment>) -> Self {
        Self { environment, ..self }
    }

    /// Lets it have workers, or be one: there it sits.
    pub fn seated(self, seat: Seat, member: Member) -> Self {
        member.hub.reach(member.machine, seat.post());
        let (now, mut turning) = (self.pace.inside(seat.now()), self.turning);
        // The loop of a worker turns from the beginning.
        if member.machine != MAIN {
            turning.begin(|| now);
            member.tell(turning);
        }
        Self { now, turning, seat: Some((seat, member)), ..self }
    }

    /// Tells other machines how the loop turns.
    fn tell(&self) {
        if let Some((_, member)) = &self.seat {
            member.tell(self.turning);
        }
    }

    /// Puts it on a network with others.
    pub fn on(self, network: Network) -> Self {
        Self { network, next: Cell::new(None), ..self }
    }

    /// Says there what time it is, in microseconds, whenever it has waited.
    pub fn telling(self, told: Option<Arc<AtomicU64>>) -> Self {
        Self { told, ..self }
    }

    /// What time it is.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Lets it begin later than at the origin of time.
    pub fn begin_at(self, now: Instant) -> Self {
        Self { now, ..self }
    }

    /// When it came to its end with nothing under way, in microseconds since 1970; nothing if it was left
    /// before, or if something was.
    pub fn rests_at(&self) -> Option<u64> {
        self.rests.then(|| self.wall.read(self.now))
    }

    /// Gives it stores that were there before.
    pub fn with_stores(self, stores: Stores) -> Self {
        Self { stores, ..self }
    }

    /// The network that it is on.
    pub fn network(&self) -> Network {
        self.network.clone()
    }

    /// Gives the place back, which the caller leaves.
    pub fn stand_up(mut self) -> Option<Seat> {
        let now = self.world_now();
        self.net(|net| net.leave(now));
        self.datagrams(Datagrams::leave);
        self.seat.map(|(seat, _)| seat)
    }

    /// Does something on the network, and tells the machines that hear of it.
    fn net<T>(&mut self, act: impl FnOnce(&mut Net) -> T) -> T {
        self.next.take();
        let machine = self.machine();
        let mut net = self.network.lock();
        let result = act(net.for_machine(machine));
        while let Some(mut completion) = net.first_done() {
            let mut draw = |count| self.luck.draw(count);
            if let Some(mishaps) = self.asked.remove(&completion.operation)
                && let Some(broken) = faults::at_answer(mishaps, &completion.answer, &mut draw)
            {
                completion.answer = net.break_off(completion.stamp, completion.answer, broken);
            }
            completion.stamp = self.pace.inside(completion.stamp);
            self.ready.push_back(completion);
        }
        let calls = net.calls();
        drop(net);
        if let Some((seat, _)) = &self.seat {
            for (machine, at) in calls {
                seat.call(machine, at);
            }
        }
        result
    }

    /// The same with datagrams.
    fn datagrams<T>(&mut self, act: impl FnOnce(&mut Datagrams) -> T) -> T {
        self.next.take();
        let machine = self.machine();
        let mut datagrams = self.network.datagrams();
        let result = act(datagrams.for_machine(machine));
        let pace = self.pace;
        let inside = |one: Completion<Answer>| Completion { stamp: pace.inside(one.stamp), ..one };
        self.ready.extend(datagrams.done().map(inside));
        let calls = datagrams.calls();
        drop(datagrams);
        if let Some((seat, _)) = &self.seat {
            for (machine, at) in calls {
                seat.call(machine, at);
            }
        }
        result
    }

    fn machine(&self) -> u64 {
        self.seat.as_ref().map_or(MAIN, |(seat, _)| seat.machine())
    }

    /// Where it is.
    fn computer(&self) -> Computer {
        Computer::of(self.machine())
    }

    /// What time it is by the clock of the world.
    fn world_now(&self) -> Instant {
        self.pace.outside(self.now)
    }

    /// Lets others run until it is time; false if nothing will happen any more.
    /// `own` is when it goes on if nothing comes over the network.
    fn pass(&mut self, next: Option<Instant>, own: Option<Instant>) -> bool {
        let [outside, own] = [next, own].map(|next| next.map(|next| self.pace.outside(next)));
        let now = match &self.seat {
            Some((seat, _)) => match seat.pass_alone(outside) {
                Some(now) => Some(now),
                None => {
                    self.next.take();
                    seat.pass(outside, own)
                }
            },
            None => outside,
        };
        let Some(now) = now else { return false };
        self.now = self.now.max(self.pace.inside(now));
        if let Some(told) = &self.told {
            told.store(self.now.as_micros(), Ordering::Relaxed);
        }
        self.turns = 0;
        self.thaw()
    }

    /// Waits until the computer runs: what has come meanwhile waits, too. False if nothing will happen any more.
    fn thaw(&mut self) -> bool {
        loop {
            let thawed = self.thawed(self.now);
            if thawed == self.now {
                return true;
            }
            let until = Some(thawed).filter(|&thawed| !self.is_past_the_end(thawed));
            let until = until.map(|until| self.pace.outside(until));
            let woken = match &self.seat {
                Some((seat, _)) => seat.sleep(until),
                None => until,
            };
            self.next.take();
            let Some(now) = woken else { return false };
            self.now = self.now.max(self.pace.inside(now));
        }
    }

    /// Sleeps on shared memory or at a port: the others go on meanwhile.
    fn sleep(&mut self, member: &Member, asked: Sleep) -> Answer {
        let Some(sleep) = member.hub.fall_asleep(member.machine, asked) else {
            return Ok(Datum::Text("not-equal".into()));
        };
        let end = asked.limit_ms.map(|ms| self.now + Delay::from_micros((ms * 1000.0) as u64));
        let answer = loop {
            if member.hub.is_awake(sleep) {
                break Ok(Datum::Text("ok".into()));
            }
            if end.is_some_and(|end| end <= self.now) {
                break Ok(Datum::Text("timed-out".into()));
            }
            let until = end.filter(|&end| !self.is_past_the_end(end));
            let until = until.map(|until| self.pace.outside(until));
            self.next.take();
            let woken = self.seat.as_ref().and_then(|(seat, _)| seat.sleep(until));
            if let Some(now) = woken {
                self.now = self.now.max(self.pace.inside(now));
            } else {
                break Err(asked.endless());
            }
        };
        member.hub.wake_up(sleep);
        answer
    }

    /// The first instant from that one on at which the program may run.
    fn thawed(&self, instant: Instant) -> Instant {
        let mut instant = self.environment.map_or(instant, |environment| environment.thaw(instant));
        for &(from, until) in &self.pauses {
            if (from..until).contains(&self.pace.outside(instant)) {
                instant = instant.max(self.pace.inside(until));
            }
        }
        instant
    }

    /// Somebody looks at a clock.
    fn look_at_clock(&mut self) -> Instant {
        self.now = self.looks.count(self.now);
        self.now
    }

    fn is_past_the_end(&self, instant: Instant) -> bool {
        self.until.is_some_and(|end| instant > end)
    }

    /// Notes that the program computes, and asks it to stop when the world has ended meanwhile.
    fn count_breath(&mut self) {
        self.breaths += 1;
        self.callbacks = 0;
        if let Some(end) = self.until {
            let left = end.since(self.now).as_micros() / 1_000;
            if self.breaths > left.max(BREATHS_AT_LEAST) {
                self.stop.ask(Reason::PastTheEnd);
            }
        }
    }

    /// Answers what takes a while, or is to be done at once all the same, and says how often the poll phase
    /// sees it.
    fn answer_at(&mut self, instant: Instant, request: Request) -> (Answer, u32) {
        match request {
            Request::Fs(call) => self.with_files(instant, &call),
            other => (self.answer_in_one(other), 1),
        }
    }

    /// Answers what is no call for files.
    fn answer_in_one(&mut self, request: Request) -> Answer {
        let computer = self.computer();
        let mut draw = |count| self.luck.draw(count);
        match request {
            Request::Compute(ComputeCall::Turn) => Ok(Datum::Undefined),
            Request::Names(call) => {
                let answer = names::perform(&call, &self.network.roads(), computer);
                let broken = self.faults.net;
                let broken =
                    broken.then(|| faults::at_answer(call.mishaps(), &answer, &mut draw)).flatten();
                match broken {
                    Some(Broken::Refused(fault)) => Err(fault),
                    _ => answer,
                }
            }
            Request::Store(call) => {
                let may_fail = self.faults.fs && call.mishaps() == Mishaps::Commit;
                match may_fail.then(|| draw(3)) {
                    Some(1) => Err(Fault::new("ENOSPC", "the disk is full: make room")),
                    Some(2) => Err(Fault::new("EIO", "the system cannot write it")),
                    _ => self.stores.perform(&call),
                }
            }
            Request::Cluster(call) => {
                let asking = Asking { computer, now: self.world_now() };
                self.network.databases.perform(&call, asking)
            }
            Request::Child(ChildCall::Settle) => Ok(Datum::Undefined),
            Request::Child(_) => Err(alone()),
            Request::Sql(_) => Err(no_databases()),
            Request::Fs(_)
            | Request::Net(_)
            | Request::Stream(_)
            | Request::Udp(_)
            | Request::Channel(_)
            | Request::Port(_)
            | Request::Worker(_)
            | Request::Memory(_)
            | Request::Env(_)
            | Request::System(_)
            | Request::Input(_)
            | Request::Signal(_)
            | Request::Tls(_) => Err(unknown(request.name())),
        }
    }

    /// Does what a call for files asks for.
    pub(crate) fn with_files(&mut self, instant: Instant, call: &FsCall) -> (Answer, u32) {
        self.set_wall_clock();
        self.files.set_time(self.wall.read(instant));
        let now = self.world_now();
        let is_bad = self.bad_disk.iter().any(|(from, until)| (*from..*until).contains(&now));
        if self.faults.fs || is_bad {
            let mut draw = |count| match is_bad {
                true => self.luck.draw_fault(count),
                false => self.luck.draw(count),
            };
            return files::carry_out(&Faulty::new(&*self.files, call, &mut draw), call);
        }
        files::carry_out(&*self.files, call)
    }

    fn begin_on_network(&mut self, operation: Operation, call: NetworkCall) {
        let now = self.world_now();
        match call {
            NetworkCall::Net(call) => {
                self.may_go_wrong(operation, call.mishaps());
                let files = Arc::clone(&self.files);
                self.net(|net| net.begin(now, operation, call, &*files));
            }
            NetworkCall::Stream(call) => {
                self.may_go_wrong(operation, call.mishaps());
                self.net(|net| net.begin_on_stream(now, operation, call));
            }
            NetworkCall::Udp(call) => {
                self.datagrams(|datagrams| datagrams.begin(now, operation, call));
            }
        }
    }

    /// Lets an answer of the network go wrong, when it comes.
    fn may_go_wrong(&mut self, operation: Operation, mishaps: Mishaps) {
        if self.faults.net && !self.is_safe(mishaps) {
            self.asked.insert(operation, mishaps);
        }
    }

    /// Whether nothing goes wrong with that: pipes within a computer are no network.
    fn is_safe(&self, mishaps: Mishaps) -> bool {
        match mishaps {
            Mishaps::Read(id) | Mishaps::Write(id) | Mishaps::WriteAtOnce(id, _) => {
                self.network.lock().is_pipe(id)
            }
            Mishaps::None
            | Mishaps::Files
            | Mishaps::WholeFile
            | Mishaps::PartOfFile
            | Mishaps::Connect
            | Mishaps::Lookup
            | Mishaps::Datagram(_)
            | Mishaps::Commit => false,
        }
    }

    fn perform_on_network(&mut self, mut call: NetworkCall) -> Answer {
        let now = self.world_now();
        if let NetworkCall::Net(NetCall::Open { fd }) = call
            && let Some(id) = self.given(fd)
        {
            return self.net(|net| net.opened(id));
        }
        if self.faults.net
            && !self.is_safe(call.mishaps())
            && let Some(broken) =
                faults::at_once(call.mishaps(), &mut |count| self.luck.draw(count))
            && let Some(answer) = self.net(|net| net.spoil(now, &mut call, broken))
        {
            return answer;
        }
        match call {
            NetworkCall::Net(call) => {
                let files = Arc::clone(&self.files);
                self.net(|net| net.perform(now, call, &*files))
            }
            NetworkCall::Stream(call) => self.net(|net| net.perform_on_stream(now, call)),
            NetworkCall::Udp(call) => self.datagrams(|datagrams| datagrams.perform(now, call)),
        }
    }

    fn begin_with_hub(&self, operation: Operation, call: HubCall) {
        if let Some((_, member)) = &self.seat {
            member.hub.submit(member.machine, operation, call);
        }
    }

    fn perform_with_hub(&mut self, call: HubCall) -> Answer {
        let Some((seat, member)) = &self.seat else { return Err(unknown(call.name())) };
        if let Some(sleep) = call.sleep() {
            let member = member.clone();
            return self.sleep(&member, sleep);
        }
        seat.tell(self.world_now());
        member.hub.perform(member.machine, call)
    }

    fn next_on_net(&self) -> Option<Instant> {
        self.network.lock().next(self.machine()).map(|at| self.pace.inside(at))
    }

    fn next_datagram(&self) -> Option<Instant> {
        self.network.datagrams().next(self.machine()).map(|at| self.pace.inside(at))
    }

    /// When the next thing happens that nobody has to ask for. It is looked for again when this machine has
    /// done something that takes time, or when others may have.
    fn next(&self) -> Option<Instant> {
        if let Some(known) = self.next.get() {
            return known;
        }
        let (net, datagram) = (self.next_on_net(), self.next_datagram());
        let next = [self.own_next(), net, datagram].into_iter().flatten().min();
        self.next.set(Some(next));
        next
    }

    /// The same without what comes over the network.
    fn own_next(&self) -> Option<Instant> {
        let answer = self.pending.keys().next().map(|&(instant, _)| instant);
        let step = self.wall.next().filter(|_| !self.awaits_setting.is_empty());
        [answer, step].into_iter().flatten().min()
    }

    /// Lets happen what should have by now, in the order of its instants.
    fn catch_up(&mut self) {
        let has_mail = self.seat.as_ref().is_some_and(|(seat, _)| seat.has_mail());
        if !has_mail && self.next().is_none_or(|next| next > self.now) {
            return;
        }
        self.set_wall_clock();
        let mut arrived = Vec::new();
        if let Some((seat, _)) = &self.seat {
            seat.take(self.world_now(), &mut arrived);
            arrived.iter_mut().for_each(|one| one.stamp = self.pace.inside(one.stamp));
        }
        while let Some(next) = self.next()
            && next <= self.now
        {
            if self.next_on_net() == Some(next) {
                let before = self.ready.len();
                self.net(Net::happen);
                arrived.extend(self.ready.drain(before..));
            } else if self.next_datagram() == Some(next) {
                let before = self.ready.len();
                self.datagrams(Datagrams::happen);
                arrived.extend(self.ready.drain(before..));
            } else if let Some(((stamp, operation), request)) = self.pending.pop_first() {
                self.next.take();
                let (answer, trips) = self.answer_at(stamp, request);
                arrived.push(Completion { operation, stamp, answer, trips });
                self.notice_changes(stamp);
            }
        }
        arrived.sort_by_key(|one| one.stamp);
        self.ready.extend(arrived);
    }

    /// Lets the clock on the wall be set as it should have been by now, and whoever waits for that hear of it.
    fn set_wall_clock(&mut self) {
        if self.wall.next().is_none_or(|next| next > self.now) {
            return;
        }
        self.next.take();
        self.wall.set(self.now);
        for operation in std::mem::take(&mut self.awaits_setting) {
            let answer = Ok(Datum::Undefined);
            self.ready.push_back(Completion::new(operation, self.now, answer));
        }
    }

    /// Lets whoever waits for changes of files hear of those that there are by now, after a while.
    fn notice_changes(&mut self, now: Instant) {
        if let Some(operation) = self.waiting
            && self.files.has_changes()
        {
            self.waiting = None;
            self.later(now, operation, FsCall::AwaitChanges { at_once: Trailing(None) }.into());
        }
    }

    /// Answers an operation after a while that the seed decides.
    fn later(&mut self, now: Instant, operation: Operation, request: Request) {
        let latency = Delay::from_micros(self.latencies.choose(LATENCY_US) as u64);
        self.next.take();
        self.pending.insert((now + latency, operation), request);
    }
}

impl<L: Gated, F: FnMut(Stream, &[u8]) -> io::Result<()>> World<L> for Virtual<F> {
    const ORACLE: bool = false;
    const STILL: bool = true;

    fn now(&mut self) -> Instant {
        self.now
    }

    fn look(&mut self) -> Instant {
        self.look_at_clock()
    }

    fn wall_clock(&mut self) -> u64 {
        self.look_at_clock();
        self.set_wall_clock();
        self.wall.read(self.now)
    }

    fn random(&mut self) -> u64 {
        self.random.number()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.print(stream, bytes)
    }

    /// Files, names and computations answer after a while that the seed decides, the world's standard input at
    /// once; signals come from other processes alone.
    fn submit(&mut self, operation: Operation, request: Checked) {
        if self.is_killed() {
            return;
        }
        match request.into_request() {
            Request::Fs(FsCall::AwaitChanges { at_once: Trailing(Some(true)) }) => {
                let answer = Ok(Datum::Undefined);
                self.ready.push_back(Completion::new(operation, self.now, answer));
            }
            Request::Fs(FsCall::AwaitChanges { .. }) => {
                self.waiting = Some(operation);
                self.notice_changes(self.now);
            }
            request @ (Request::Fs(_)
            | Request::Names(_)
            | Request::Compute(_)
            | Request::Store(_)) => self.later(self.now, operation, request),
            Request::Cluster(ClusterCall::Listen { cluster }) => {
                if let Some((seat, _)) = &self.seat {
                    let (machine, post) = (seat.machine(), seat.post());
                    self.network.databases.listen(cluster, machine, operation, post);
                }
            }
            request @ Request::Cluster(
                ClusterCall::Open { .. } | ClusterCall::Ask { .. } | ClusterCall::Close { .. },
            ) => {
                let delay = self.network.databases.delay(self.world_now());
                self.later(self.now + delay, operation, request);
            }
            Request::Input(InputCall::Read) => self.begin_to_read(operation),
            Request::Net(call) => self.begin_on_network(operation, NetworkCall::Net(call)),
            Request::Stream(call) => self.begin_on_network(operation, NetworkCall::Stream(call)),
            Request::Udp(call) => self.begin_on_network(operation, NetworkCall::Udp(call)),
            Request::Port(call) => self.begin_with_hub(operation, HubCall::Port(call)),
            Request::Worker(call) => self.begin_with_hub(operation, HubCall::Worker(call)),
            Request::Memory(call) => self.begin_with_hub(operation, HubCall::Memory(call)),
            Request::Env(call) => self.begin_with_hub(operation, HubCall::Env(call)),
            Request::Signal(SignalCall::ClockSet) => {
                self.next.take();
                self.awaits_setting.push(operation);
            }
            Request::Signal(SignalCall::Listen { signal }) => self.listen_to(operation, signal),
            Request::Child(call) => self.begin_with_child(operation, &call),
            Request::Channel(call) => self.begin_on_channel(operation, call),
            // Nothing of this ever comes.
            Request::System(_) | Request::Sql(_) | Request::Tls(_) => {}
        }
    }

    fn perform(&mut self, request: Checked, _: Option<Draw<'_>>) -> Answer {
        self.catch_up();
        if self.is_killed() {
            return Err(Fault::new("ESRCH", "this process was killed"));
        }
        match request.into_request() {
            Request::Net(call) => self.perform_on_network(NetworkCall::Net(call)),
            Request::Stream(call) => self.perform_on_network(NetworkCall::Stream(call)),
            Request::Udp(call) => self.perform_on_network(NetworkCall::Udp(call)),
            Request::System(SystemCall::Kill { pid, signal }) if self.team.is_some() => {
                Ok(Datum::Number(self.signal_by_pid(pid, signal).into()))
            }
            Request::System(call) => {
                let name = self.network.roads().name(self.computer()).map(str::to_owned);
                let address = self.computer().address();
                let fixed = FixedSystem { name, address, ..FixedSystem::default() };
                let system = self.team.as_ref().map_or(fixed.clone(), |team| {
                    let pids = team.processes.pids(process_of(team.first));
                    FixedSystem { pids, streams: team.standard.kinds(), ..fixed }
                });
                system::perform(&system, self.turning, call)
            }
            Request::Child(call) => self.perform_on_child(call),
            Request::Channel(call) => self.perform_on_channel(call),
            Request::Port(call) => self.perform_with_hub(HubCall::Port(call)),
            Request::Worker(call) => self.perform_with_hub(HubCall::Worker(call)),
            Request::Memory(call) => self.perform_with_hub(HubCall::Memory(call)),
            Request::Env(call) => self.perform_with_hub(HubCall::Env(call)),
            request @ (Request::Fs(_)
            | Request::Names(_)
            | Request::Compute(_)
            | Request::Store(_)
            | Request::Cluster(_)
            | Request::Sql(_)
            | Request::Input(_)
            | Request::Signal(_)
            | Request::Tls(_)) => {
                let (answer, _) = self.answer_at(self.now, request);
                self.notice_changes(self.now);
                answer
            }
        }
    }

    fn cancel(&mut self, operation: Operation) {
        self.asked.remove(&operation);
        self.awaits_setting.retain(|&one| one != operation);
        self.network.databases.forget(self.machine(), operation);
        if self.waiting == Some(operation) {
            self.waiting = None;
        }
        if let Some((_, member)) = &self.seat {
            member.hub.cancel(member.machine, operation);
        }
        if let Some(team) = &self.team {
            team.processes.cancel(process_of(team.first), operation);
        }
        let now = self.world_now();
        self.net(|net| net.cancel(now, operation));
        if let Some(at) = self.ready.iter().position(|one| one.operation == operation)
            && let Some(unheard) = self.ready.remove(at)
        {
            self.net(|net| net.abandon(now, &unheard.answer));
        }
    }

    fn began(&mut self) {
        self.began = self.now;
    }

    /// Whoever computes for long does not keep other machines waiting for ever.
    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        let now = self.world_now();
        if let Some(now) = self.seat.as_ref().and_then(|(seat, _)| seat.breathe(now)) {
            self.next.take();
            self.now = self.now.max(self.pace.inside(now));
        }
        self.count_breath();
        limit.is_some_and(|limit| limit.is_reached(self.began, self.now))
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.looks = Looks::default();
        self.callbacks += 1;
        if self.callbacks == CALLBACKS_PER_BREATH {
            self.count_breath();
        }
        self.catch_up();
        self.ready.pop_front()
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        (self.breaths, self.callbacks) = (0, 0);
        if !self.ready.is_empty() {
            return true;
        }
        let next = until.into_iter().chain(self.next()).min().map(|next| self.thawed(next));
        let is_over = next.is_some_and(|next| self.is_past_the_end(next));
        // Who has met with faults may wait for them to pass.
        self.rests = is_over && self.pending.is_empty() && !self.faults.fs;
        let before = self.now;
        self.turning.wait(before);
        self.tell();
        let is_wanted = |next: &Instant| !self.is_past_the_end(*next) && *next != Instant::MAX;
        let own = until.into_iter().chain(self.own_next()).min().filter(is_wanted);
        let goes_on = self.pass(next.filter(is_wanted), own);
        self.turning.waited(self.now);
        self.tell();
        goes_on
    }

    /// A program that never waits gets on in time all the same (rule LOOP-7), and one that is always
    /// late meets the end of the world.
    fn go_round(&mut self, due: bool) -> bool {
        (self.breaths, self.callbacks) = (0, 0);
        self.turning.begin(|| self.now);
        let is_over = |now: Instant| self.until.is_some_and(|end| now > end);
        if due {
            return !is_over(self.now);
        }
        self.turns += 1;
        if self.turns < TURNS_PER_MILLISECOND {
            return !is_over(self.now);
        }
        let next = self.thawed(self.now + Delay::from_millis(1));
        if is_over(next) {
            return false;
        }
        self.pass(Some(next), Some(next))
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, _: &mut Vec<Move>) {
        // It is settled when answers come: there is nothing to choose.
    }

    fn answer(&mut self, _: Operation, _: Draw<'_>) -> Answered<Answer> {
        unreachable!("only a world that offers moves is asked to make one")
    }

    fn moved(&mut self, taken: Move) {
        if let Move::Pass(until) = taken {
            self.now = self.now.max(until);
        }
    }

    /// It was all done when it was answered.
    fn seen(&mut self, _: Operation, _: u32) {}
}

fn unknown(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("this world knows no {name}"))
}

/// What who opens a database hears.
fn no_databases() -> Fault {
    let message = "databases of node:sqlite are not simulated: use them with hemiola run";
    Fault::new("ENOSYS", message)
}

/// What who starts a process hears.
fn alone() -> Fault {
    let message =
        "this run has no other processes: start them with hemiola simulate or hemiola run";
    Fault::new("ENOSYS", message)
}
