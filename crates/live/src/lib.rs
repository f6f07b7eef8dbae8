//! The world of the operating system.
//!
//! The one crate that may ask the system for anything: physical time, files, the streams of the
//! process, signals. [`Live`] is a world for the machine, [`Files`] is what modules are read from.

mod addresses;
mod changes;
mod children;
mod clock;
mod cluster;
mod computer;
mod datagrams;
mod deliveries;
mod descriptors;
mod ending;
mod exact;
pub mod fleet;
mod guard;
mod hub;
mod inbox;
mod input;
mod modules;
mod names;
mod net;
mod output;
mod page;
mod patience;
mod pool;
pub mod post;
mod processor;
mod quick;
mod random;
mod reactor;
pub mod runs;
mod signals;
mod sql;
mod stack;
mod store;
mod system;
pub mod tasks;
mod terminal;
mod tree;
mod zones;

pub use children::Echo;
pub use ending::{end_at_once, end_by, signal_of};
pub use guard::{Guard, LastAct};
pub use hub::spawn;
pub use input::whole_input;
pub use modules::Files;
pub use page::{Body, PageServer, Pages, open_browser};
pub use processor::processor_time;
pub use random::token;
pub use signals::{asked_to_end, first_interrupt, interrupt};
pub use stack::{open_files, stack_room};
pub use tree::SystemTree;

use changes::Waiter;
use children::{Children, Sockets, not_at_once};
use clock::Moment;
use cluster::Clusters;
use datagrams::Datagrams;
use hemiola_gate::files::{Errno, Tree};
use hemiola_gate::system::Turning;
use hemiola_gate::{
    Answer, Checked, ChildCall, ComputeCall, Datum, Fault, FsCall, Gated, HubCall, InputCall, MAIN,
    Member, Reason, Request, Room, SignalCall, Stop, Trailing,
};
use hemiola_machine::{
    Answered, Completion, Delay, Draw, Gap, Instant, Limit, Move, Operation, Stream, World,
};
use inbox::{Inbox, Unopened};
use input::Input;
use net::Net;
pub use output::Streams;
use pool::Pool;
use quick::{Begun, Quick};
use random::Random;
use reactor::failed;
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::ClockId;
use signals::Signals;
use sql::Databases;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::Stores;
use system::Process;
pub use system::columns;

const MADE: &str = "it was made just now";

/// When the time of this process began, for all machines in it.
static FIRST: OnceLock<Moment> = OnceLock::new();

/// The world of a worker before its thread has it: what waits at the system stays on one thread.
pub struct Worker {
    start: Moment,
    stop: Stop,
    inbox: Unopened,
    member: Member,
    leaves_open: bool,
}

impl Worker {
    /// Lets the files that it does not close stay open when it is over.
    #[must_use]
    pub fn leaving_open(self, leaves_open: bool) -> Self {
        Self { leaves_open, ..self }
    }

    /// The world, on the thread of the worker. Its loop turns from the beginning.
    pub fn enter(self) -> Live {
        let out = Streams::new();
        let signals = Signals::none(self.stop.clone());
        let mut live = Live::with(self.start, self.stop, out, self.inbox.open(), signals);
        live.join(self.member, self.leaves_open);
        live.turning.begin(|| Moment::now().in_run(live.start));
        live.tell();
        live
    }
}

/// Real time, real streams.
pub struct Live {
    start: Moment,
    out: Streams,
    /// Who ends the process if the program does not stop, and its bell until then; workers have none.
    guard: Option<(Guard, Option<UnixStream>)>,
    random: Random,
    inbox: Inbox,
    signals: Signals,
    input: Option<Input>,
    files: Arc<SystemTree>,
    quick: Quick,
    pool: Option<Pool>,
    /// How many turns have begun.
    turns: u32,
    turning: Turning,
    /// When the running callback began, if it has a limit.
    began: Instant,
    net: Option<Net>,
    children: Option<Children>,
    datagrams: Option<Datagrams>,
    stores: Stores,
    clusters: Clusters,
    databases: Databases,
    waiter: Option<Waiter>,
    stop: Stop,
    /// What this is among the machines of its run, if there can be others.
    member: Option<Member>,
    /// Where it is noted what others than the main program write to its streams, if the run is recorded.
    echo: Option<Echo>,
}

impl Live {
    /// A world whose time starts now, and in which signals ask for that stop.
    pub fn new(stop: Stop) -> io::Result<Self> {
        fleet::end_with_parent();
        let out = Streams::new();
        let (guard, bell) = Guard::new(stop.clone(), out.clone())?;
        let start = Moment::now();
        FIRST.get_or_init(|| start);
        let inbox = Unopened::new(start)?.open();
        let signals = Signals::new(stop.clone(), &inbox, guard.clone())?;
        let mut live = Self::with(start, stop, out, inbox, signals);
        live.guard = Some((guard, Some(bell)));
        Ok(live)
    }

    /// Lets Ctrl-C give up a line of a prompt, if one is computed.
    pub fn give_up_lines(&mut self) -> io::Result<()> {
        self.signals.give_up_lines(&self.inbox)
    }

    /// Ends the process from now on if its program does not stop soon after it is asked to, until the guard
    /// hears that it is over. `last` is what is done before that, and gives what is said of it.
    pub fn watch_over(&mut self, last: LastAct) -> io::Result<Option<Guard>> {
        let Some((guard, bell)) = &mut self.guard else { return Ok(None) };
        if let Some(bell) = bell.take() {
            guard.watch(bell, last)?;
        }
        Ok(Some(guard.clone()))
    }

    /// The world of a worker: as the one of its process, whose time it has, but signals are not for it. The others
    /// reach it from now on.
    pub fn worker(stop: Stop, member: Member) -> io::Result<Worker> {
        let start = *FIRST.get_or_init(Moment::now);
        let inbox = Unopened::new(start)?;
        hub::join(&member, inbox.sender());
        Ok(Worker { start, stop, inbox, member, leaves_open: false })
    }

    /// Lets it have workers, or be one.
    #[must_use]
    pub fn member(mut self, member: Member) -> Self {
        hub::join(&member, self.inbox.sender());
        self.join(member, false);
        self
    }

    fn join(&mut self, member: Member, leaves_open: bool) {
        let files = SystemTree::within(member.hub.room().clone());
        self.files = Arc::new(files.leaving_open(leaves_open));
        self.member = Some(member);
    }

    /// Notes there what workers and children write to the program's own streams.
    #[must_use]
    pub fn echoing(mut self, echo: Option<Echo>) -> Self {
        self.echo = echo;
        self
    }

    /// Tells other machines how the loop turns.
    fn tell(&self) {
        if let Some(member) = &self.member {
            member.tell(self.turning);
        }
    }

    fn with(start: Moment, stop: Stop, out: Streams, inbox: Inbox, signals: Signals) -> Self {
        Self {
            start,
            out,
            guard: None,
            random: Random::default(),
            signals,
            inbox,
            input: None,
            files: Arc::default(),
            quick: Quick::default(),
            pool: None,
            turns: 0,
            turning: Turning::default(),
            began: Instant::ZERO,
            net: None,
            children: None,
            datagrams: None,
            stores: Stores::default(),
            clusters: Clusters::default(),
            databases: Databases::default(),
            waiter: None,
            stop,
            member: None,
            echo: None,
        }
    }

    /// Asks for a stop after that much real time, for that reason.
    pub fn stop_after(&self, limit: Delay, reason: Reason) {
        let (stop, sender) = (self.stop.clone(), self.inbox.sender());
        let guard = self.guard.as_ref().map(|(guard, _)| guard.clone());
        let end = Moment::now().after(Duration::from_micros(limit.as_micros()));
        std::thread::spawn(move || {
            let end = end.timespec();
            // A signal ends a sleep early.
            while clock_nanosleep_absolute(ClockId::Boottime, &end).is_err() {}
            stop.ask(reason);
            sender.ring();
            if let Some(guard) = guard {
                guard.ring();
            }
        });
    }

    /// Writes to a standard stream of the process; what it says on standard output may wait a little.
    pub fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let result = self.out.write(stream, bytes);
        // What the main program writes, it writes again when it is replayed; workers do not run then.
        if let (Ok(()), Some(echo), Some(member)) = (&result, &self.echo, &self.member)
            && member.machine != MAIN
        {
            echo.tape.show(stream, bytes);
        }
        result
    }

    /// The streams of the process, for whoever else writes to them.
    pub fn streams(&self) -> Streams {
        self.out.clone()
    }

    /// Hands what was written to the system. When it refuses, the next write hears of it, too.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// How much memory there is for what comes from outside.
    fn room(&self) -> Room {
        self.member.as_ref().map_or_else(Room::default, |member| member.hub.room().clone())
    }

    /// The sockets.
    fn net(&mut self) -> &mut Net {
        self.net.get_or_insert_with(|| Net::new(self.inbox.reactor().clone()))
    }

    /// The datagram sockets.
    fn datagrams(&mut self) -> &mut Datagrams {
        self.datagrams.get_or_insert_with(|| Datagrams::new(self.inbox.reactor().clone()))
    }

    fn begin_files(&mut self, operation: Operation, call: FsCall) {
        match call {
            // There are changes: all that is wanted is a turn of its own.
            FsCall::AwaitChanges { at_once: Trailing(Some(true)) } => {
                self.inbox.put(operation, Moment::now(), Ok(Datum::Undefined));
            }
            FsCall::AwaitChanges { .. } => {
                let files = Arc::clone(&self.files);
                let waiter =
                    self.waiter.get_or_insert_with(|| Waiter::new(self.inbox.sender(), files));
                waiter.wait(operation);
            }
            call => {
                let room = self.room();
                let counted = move |answer: Answer| answer?.held(&room).ok_or_else(no_memory);
                let opened = match self.quick.begin(&call, &self.files.room()) {
                    Begun::Done(answer, since, trips) => {
                        self.inbox.put_in(operation, since, counted(answer), trips);
                        return;
                    }
                    Begun::Left(opened) => opened,
                };
                let files = Arc::clone(&self.files);
                let pool = self.pool.get_or_insert_with(|| Pool::new(self.inbox.sender()));
                pool.run(
                    operation,
                    Box::new(move || {
                        let (answer, trips) = quick::carry_out(&files, &call, opened);
                        (counted(answer), trips)
                    }),
                );
            }
        }
    }

    fn begin(&mut self, operation: Operation, request: Request) -> Result<(), Fault> {
        match request {
            Request::Fs(call) => self.begin_files(operation, call),
            Request::Signal(SignalCall::Listen { signal }) => {
                self.signals.listen(operation, signal, &self.inbox)?;
            }
            Request::Signal(SignalCall::ClockSet) => self
                .inbox
                .await_setting(operation)
                .map_err(|error| failed(&error, "timerfd_create"))?,
            Request::Input(InputCall::Read) => {
                let input = self.input.get_or_insert_with(|| Input::new(self.inbox.sender()));
                input.read(operation);
            }
            // The computation is done: all that is wanted is a turn of its own.
            Request::Compute(ComputeCall::Turn) => {
                self.inbox.put(operation, Moment::now(), Ok(Datum::Undefined));
            }
            Request::Port(call) => self.begin_with_hub(operation, HubCall::Port(call))?,
            Request::Worker(call) => self.begin_with_hub(operation, HubCall::Worker(call))?,
            Request::Memory(call) => self.begin_with_hub(operation, HubCall::Memory(call))?,
            Request::Env(call) => self.begin_with_hub(operation, HubCall::Env(call))?,
            Request::Child(call) => {
                let (children, net) = self.children_and_net();
                children.begin(operation, call, net)?;
            }
            Request::Channel(call) => {
                let (children, open) = self.children_and_sockets();
                children.begin_on_channel(operation, call, open)?;
            }
            Request::Net(call) => {
                self.net();
                let net = self.net.as_mut().expect(MADE);
                net.begin(operation, call, &self.inbox)?;
            }
            Request::Stream(call) => {
                self.net();
                let net = self.net.as_mut().expect(MADE);
                net.begin_on_stream(operation, call, &self.inbox)?;
            }
            Request::Udp(call) => {
                self.datagrams();
                let datagrams = self.datagrams.as_mut().expect(MADE);
                datagrams.begin(operation, call, &self.inbox)?;
            }
            Request::Store(call) => {
                let stores = self.stores.clone();
                let pool = self.pool.get_or_insert_with(|| Pool::new(self.inbox.sender()));
                pool.run(operation, Box::new(move || (stores.perform(&call), 1)));
            }
            Request::Cluster(call) => {
                self.clusters.begin(operation, call, &self.inbox.sender())?;
            }
            Request::Names(call) => {
                let pool = self.pool.get_or_insert_with(|| Pool::new(self.inbox.sender()));
                pool.run(operation, Box::new(move || (names::perform(&call), 1)));
            }
            Request::System(_) | Request::Sql(_) | Request::Tls(_) => {
                return Err(no_operation(request.name()));
            }
        }
        Ok(())
    }

    fn begin_with_hub(&self, operation: Operation, call: HubCall) -> Result<(), Fault> {
        let member = self.member.as_ref().ok_or_else(|| no_operation(call.name()))?;
        member.hub.submit(member.machine, operation, call);
        Ok(())
    }

    fn perform_with_hub(&mut self, call: HubCall) -> Answer {
        let is_worker = self.member.as_ref().is_some_and(|member| member.machine != MAIN);
        // What was written by now comes before what others write when they are told, or while this one sleeps.
        // What is refused comes again with the next write.
        if call.sleep().is_some() || is_worker {
            let _ = self.flush();
        }
        let member = self.member.as_ref().ok_or_else(|| not_at_once(call.name()))?;
        hub::perform(member, call)
    }

    fn children_and_net(&mut self) -> (&mut Children, &mut Net) {
        let Self { net, children, echo, inbox, .. } = self;
        (
            children.get_or_insert_with(|| Children::new(echo.clone())),
            net.get_or_insert_with(|| Net::new(inbox.reactor().clone())),
        )
    }

    fn children_and_sockets(&mut self) -> (&mut Children, Sockets<'_>) {
        self.children_and_net();
        let Self { net, children, datagrams, .. } = self;
        let (children, net) = (children.as_mut(), net.as_ref());
        let sockets = Sockets { net: net.expect(MADE), datagrams: datagrams.as_ref() };
        (children.expect(MADE), sockets)
    }

    /// Does at once what is about children.
    fn perform_on_children(&mut self, call: ChildCall) -> Answer {
        // What was written first is seen first, also when a child writes next.
        let _ = self.flush();
        match call {
            ChildCall::Raise { signal } => end_by(signal),
            ChildCall::Run { program } => {
                let room = self.room();
                let echo = &self.echo;
                let children = self.children.get_or_insert_with(|| Children::new(echo.clone()));
                return children.run(&program, &self.files, self.net.as_ref(), &self.stop, room);
            }
            ChildCall::Spawn { program } => {
                let files = Arc::clone(&self.files);
                let (children, net) = self.children_and_net();
                return children.spawn(&program, &files, net);
            }
            ChildCall::Kill { child, signal } => {
                return self.children_and_net().0.kill(child, signal);
            }
            ChildCall::Forget { child } => self.children_and_net().0.forget(child),
            ChildCall::Wait { .. } | ChildCall::Settle => {
                return Err(not_at_once(call.name()));
            }
        }
        Ok(Datum::Undefined)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // A shell should not find the terminal as a program left it. If it cannot be told, so be it. The
        // end of a worker is none of the terminal's business.
        if self.member.as_ref().is_none_or(|member| member.machine == MAIN) {
            let _ = terminal::restore();
        }
    }
}

impl<L: Gated> World<L> for Live {
    const ORACLE: bool = false;
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        Moment::now().in_run(self.start)
    }

    fn look(&mut self) -> Instant {
        World::<L>::now(self)
    }

    fn wall_clock(&mut self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
    }

    fn random(&mut self) -> u64 {
        self.random.next()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.write(stream, bytes)
    }

    fn began(&mut self) {
        self.began = World::<L>::now(self);
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        if let Some(pool) = &mut self.pool {
            pool.hurry();
        }
        // What is refused comes again with the next write, and is told then.
        let _ = self.out.out().flush_if_late();
        limit.is_some_and(|limit| limit.is_past(self.began, World::<L>::now(self)))
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        if let Err(fault) = self.begin(operation, request.into_request()) {
            self.inbox.sender().deliver(operation, Err(fault));
        }
    }

    fn perform(&mut self, request: Checked, _: Option<Draw<'_>>) -> Answer {
        match request.into_request() {
            Request::Fs(call) => self.quick.perform(&self.files, &call),
            Request::System(call) => hemiola_gate::system::perform(&Process, self.turning, call),
            Request::Port(call) => self.perform_with_hub(HubCall::Port(call)),
            Request::Worker(call) => self.perform_with_hub(HubCall::Worker(call)),
            Request::Memory(call) => self.perform_with_hub(HubCall::Memory(call)),
            Request::Env(call) => self.perform_with_hub(HubCall::Env(call)),
            Request::Child(call) => self.perform_on_children(call),
            Request::Channel(call) => {
                // As with children.
                let _ = self.flush();
                let (children, open) = self.children_and_sockets();
                children.perform_on_channel(call, open)
            }
            Request::Net(call) => self.net().perform(call),
            Request::Stream(call) => self.net().perform_on_stream(call),
            Request::Udp(call) => self.datagrams().perform(call),
            Request::Names(call) => names::perform(&call),
            Request::Sql(call) => self.databases.perform(call),
            request @ (Request::Store(_)
            | Request::Cluster(_)
            | Request::Input(_)
            | Request::Signal(_)
            | Request::Compute(_)
            | Request::Tls(_)) => Err(not_at_once(request.name())),
        }
    }

    fn cancel(&mut self, operation: Operation) {
        self.signals.cancel(operation);
        self.inbox.cancel(operation);
        self.clusters.cancel(operation);
        if let Some(member) = &self.member {
            member.hub.cancel(member.machine, operation);
        }
        if let Some(net) = &mut self.net {
            net.cancel(operation);
        }
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.signals.deliver(&self.inbox);
        let completion = self.inbox.take()?;
        if let (Some(net), Ok(Datum::Record(_)) | Err(_)) = (&mut self.net, &completion.answer) {
            net.heard(completion.operation);
        }
        Some(completion)
    }

    /// A program that always has something to do never waits; it hears of its sockets all the same, its files
    /// are not to wait for each other, and it hears that somebody has set the clock.
    fn go_round(&mut self, _due: bool) -> bool {
        const TURNS: u32 = 64;
        self.turning.begin(|| Moment::now().in_run(self.start));
        self.quick.turn();
        self.inbox.look();
        self.turns = self.turns.wrapping_add(1);
        if self.turns.is_multiple_of(TURNS) {
            self.inbox.look_at_wall();
            if let Some(pool) = &mut self.pool {
                pool.hurry();
            }
        }
        true
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        self.signals.settle(&self.inbox);
        let _ = self.flush();
        if let Some(pool) = &mut self.pool {
            pool.hurry();
        }
        if self.stop.asked().is_none() {
            let before = Moment::now().in_run(self.start);
            self.turning.wait(before);
            self.tell();
            self.inbox.sleep(until);
            self.turning.waited(Moment::now().in_run(self.start));
            self.tell();
        }
        true
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, _: &mut Vec<Move>) {
        // It is settled when answers come: there is nothing to choose.
    }

    fn answer(&mut self, _: Operation, _: Draw<'_>) -> Answered<Answer> {
        unreachable!("only a world that offers moves is asked to make one")
    }

    /// Real time passes by itself.
    fn moved(&mut self, _: Move) {}

    /// It was all done at once.
    fn seen(&mut self, _: Operation, _: u32) {}
}

/// There is no memory for what was read.
fn no_memory() -> Fault {
    failed(&Errno::NOMEM.into(), "read")
}

fn no_operation(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("this world knows no operation {name}"))
}

/// The environment variables of the process that are text.
pub fn environment() -> Vec<(String, String)> {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    std::env::vars_os().filter_map(text).collect()
}

/// Whether standard input is something that was made to be read: a file, a pipe or a socket, and no terminal or
/// `/dev/null`.
pub fn is_input_piped() -> bool {
    use rustix::fs::FileType;
    let status = rustix::fs::fstat(std::io::stdin());
    let kind = status.map(|status| FileType::from_raw_mode(status.st_mode));
    matches!(kind, Ok(FileType::Fifo | FileType::RegularFile | FileType::Socket))
}

/// Whether a process that runs the same executable has started this one, perhaps through a shell.
pub fn is_started_by_us() -> bool {
    words_of_starter().is_some()
}

/// The command line of the process that runs the same executable and has started this one, perhaps through a shell.
pub fn words_of_starter() -> Option<Vec<String>> {
    /// How many are asked who started them.
    const FAR: usize = 8;
    let own = std::fs::read_link("/proc/self/exe").ok()?;
    let above = |process: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name of a process may hold anything; behind its parenthesis are its state and its parent.
        stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
    };
    let parent = std::os::unix::process::parent_id();
    let mut ancestors = std::iter::successors(Some(parent), above).take(FAR);
    let starter = ancestors.find(|process| {
        std::fs::read_link(format!("/proc/{process}/exe")).is_ok_and(|other| other == own)
    })?;
    let words = std::fs::read(format!("/proc/{starter}/cmdline")).unwrap_or_default();
    Some(words.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into()).collect())
}

/// The name of the system's time zone: what `/etc/localtime` links to, or else `/etc/timezone` says,
/// or else UTC.
pub fn time_zone() -> String {
    let linked = std::fs::read_link("/etc/localtime").ok();
    let linked = linked.as_deref().and_then(Path::to_str);
    if let Some((_, name)) = linked.and_then(|path| path.split_once("/zoneinfo/")) {
        return name.to_owned();
    }
    let written = std::fs::read_to_string("/etc/timezone").unwrap_or_default();
    let name = written.trim();
    if name.is_empty() { "UTC".to_owned() } else { name.to_owned() }
}
