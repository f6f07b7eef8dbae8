//! The world of the operating system.
//!
//! The one crate that may ask the system for anything: physical time, files, the streams of the
//! process, signals. [`Live`] is a world for the machine, [`Files`] is what modules are read from.

mod changes;
mod children;
mod computer;
mod datagrams;
mod descriptors;
mod exact;
mod hub;
mod inbox;
mod input;
mod modules;
mod names;
mod net;
mod page;
mod pool;
pub mod post;
mod processor;
mod random;
mod reactor;
pub mod runs;
mod signals;
mod stack;
mod store;
mod system;
mod terminal;
mod tree;

pub use hub::spawn;
pub use input::whole_input;
pub use modules::Files;
pub use page::{PageServer, open_browser};
pub use processor::processor_time;
pub use signals::{end_by, interrupt, interrupts, signal_of};
pub use stack::stack_room;
pub use tree::SystemTree;

use changes::Waiter;
use children::Children;
use datagrams::Datagrams;
use hemiola_gate::files;
use hemiola_gate::{
    Answer, Checked, Datum, Fault, FsCall, Gated, Hub, MAIN, Member, Reason, Request, Stop,
    Trailing, Wire,
};
use hemiola_machine::{Completion, Delay, Draw, Gap, Instant, Move, Operation, Stream, World};
use inbox::Inbox;
use input::Input;
use net::Net;
use pool::Pool;
use random::Random;
use reactor::{Reactor, failed};
use signals::Signals;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::Stores;
use system::Process;

/// What was written may wait so long before it is handed to the system, while the program computes.
const FLUSH_AFTER: Duration = Duration::from_millis(5);

/// Real time, real streams.
pub struct Live {
    start: std::time::Instant,
    out: BufWriter<io::Stdout>,
    flushed: std::time::Instant,
    /// The number of the error with which the system last refused output.
    refused: Option<i32>,
    random: Random,
    inbox: Inbox,
    signals: Signals,
    input: Option<Input>,
    files: Arc<SystemTree>,
    pool: Option<Pool>,
    /// How many turns have begun.
    turns: u32,
    net: Option<Net>,
    children: Option<Children>,
    datagrams: Option<Datagrams>,
    stores: Stores,
    waiter: Option<Waiter>,
    stop: Stop,
    /// What this is among the machines of its run, if there can be others.
    member: Option<Member>,
}

impl Live {
    /// A world whose time starts now, and in which signals ask for that stop.
    pub fn new(stop: Stop) -> io::Result<Self> {
        Self::with_signals(stop, Signals::new)
    }

    /// The world of a worker: as the one of its process, but signals are not for it.
    pub fn worker(stop: Stop, member: Member) -> io::Result<Self> {
        Ok(Self::with_signals(stop, |stop, _| Ok(Signals::none(stop)))?.member(member))
    }

    /// Lets it have workers, or be one.
    #[must_use]
    pub fn member(mut self, member: Member) -> Self {
        hub::join(&member, self.inbox.sender());
        self.member = Some(member);
        self
    }

    fn with_signals(
        stop: Stop,
        signals: impl FnOnce(Stop, &Inbox) -> io::Result<Signals>,
    ) -> io::Result<Self> {
        let start = std::time::Instant::now();
        let inbox = Inbox::new(start)?;
        Ok(Self {
            start,
            out: BufWriter::new(io::stdout()),
            flushed: start,
            refused: None,
            random: Random::default(),
            signals: signals(stop.clone(), &inbox)?,
            inbox,
            input: None,
            files: Arc::default(),
            pool: None,
            turns: 0,
            net: None,
            children: None,
            datagrams: None,
            stores: Stores::default(),
            waiter: None,
            stop,
            member: None,
        })
    }

    /// Asks for a stop after that much real time.
    pub fn stop_after(&self, limit: Delay) {
        let (stop, sender) = (self.stop.clone(), self.inbox.sender());
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(limit.as_micros()));
            stop.ask(Reason::TimedOut);
            sender.ring();
        });
    }

    /// Writes to a standard stream of the process; what it says on standard output may wait a little.
    pub fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            Stream::Out => {
                if let Some(number) = self.refused.take() {
                    return Err(io::Error::from_raw_os_error(number));
                }
                self.out.write_all(bytes)?;
                self.flush_if_late()
            }
            Stream::Err => {
                // What was written first is seen first.
                let _ = self.flush();
                io::stderr().write_all(bytes)
            }
        }
    }

    /// Hands what was written to the system. When it refuses, the next write hears of it, too.
    pub fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.refused = result.as_ref().err().and_then(io::Error::raw_os_error);
        result
    }

    /// Hands on what was written some time ago: somebody may be looking, and nothing is lost should the
    /// program be killed.
    fn flush_if_late(&mut self) -> io::Result<()> {
        if self.out.buffer().is_empty() || self.flushed.elapsed() < FLUSH_AFTER {
            return Ok(());
        }
        self.flushed = std::time::Instant::now();
        self.flush()
    }

    /// The sockets, whose thread starts when they are first asked for.
    fn net(&mut self) -> Result<&mut Net, Fault> {
        if self.net.is_none() {
            let reactor = Reactor::start(self.inbox.sender());
            let (reactor, running) = reactor.map_err(|error| failed(&error, "epoll_create"))?;
            self.net = Some(Net::new(reactor, running));
        }
        Ok(self.net.as_mut().expect("it was made just now"))
    }

    /// The datagram sockets, which wait on the same thread.
    fn datagrams(&mut self) -> Result<&mut Datagrams, Fault> {
        if self.datagrams.is_none() {
            let reactor = self.net()?.reactor().clone();
            self.datagrams = Some(Datagrams::new(reactor));
        }
        Ok(self.datagrams.as_mut().expect("it was made just now"))
    }

    fn begin_files(&mut self, operation: Operation, call: FsCall) {
        match call {
            // There are changes: all that is wanted is a turn of its own.
            FsCall::AwaitChanges { at_once: Trailing(Some(true)) } => {
                self.inbox.put(operation, std::time::Instant::now(), Ok(Datum::Undefined));
            }
            FsCall::AwaitChanges { .. } => {
                let files = Arc::clone(&self.files);
                let waiter =
                    self.waiter.get_or_insert_with(|| Waiter::new(self.inbox.sender(), files));
                waiter.wait(operation);
            }
            call => {
                let files = Arc::clone(&self.files);
                let pool = self.pool.get_or_insert_with(|| Pool::new(self.inbox.sender()));
                pool.run(operation, Box::new(move || files::perform(&*files, &call)));
            }
        }
    }

    fn begin(&mut self, operation: Operation, request: Wire) -> Result<(), Fault> {
        match request.kind.as_str() {
            "signal" => {
                let number = request.arguments.first().and_then(Datum::as_number);
                let number = number.unwrap_or_default() as i32;
                self.signals.listen(operation, number, &self.inbox)
            }
            "input.read" => {
                let input = self.input.get_or_insert_with(|| Input::new(self.inbox.sender()));
                input.read(operation);
                Ok(())
            }
            // The computation is done: all that is wanted is a turn of its own.
            "compute" => {
                self.inbox.put(operation, std::time::Instant::now(), Ok(Datum::Undefined));
                Ok(())
            }
            kind if Hub::knows(kind)
                && let Some(member) = &self.member =>
            {
                member.hub.submit(member.machine, operation, &request);
                Ok(())
            }
            kind if Children::knows(kind) => {
                self.net()?;
                let net = self.net.as_mut().expect("it was made just now");
                let children = self.children.get_or_insert_with(Children::new);
                children.begin(operation, request, net)
            }
            kind if Net::knows(kind) => {
                self.net()?;
                let net = self.net.as_mut().expect("it was made just now");
                net.begin(operation, request, &self.inbox)
            }
            kind if Datagrams::knows(kind) => {
                self.datagrams()?;
                let datagrams = self.datagrams.as_mut().expect("it was made just now");
                datagrams.begin(operation, request, &self.inbox)
            }
            kind if Stores::knows(kind) => {
                let stores = self.stores.clone();
                let pool = self.pool.get_or_insert_with(|| Pool::new(self.inbox.sender()));
                pool.run(operation, Box::new(move || stores.perform(&request)));
                Ok(())
            }
            kind if kind.starts_with("dns.") => {
                let pool = self.pool.get_or_insert_with(|| Pool::new(self.inbox.sender()));
                pool.run(operation, Box::new(move || names::perform(&request)));
                Ok(())
            }
            kind => Err(Fault::new("ENOSYS", format!("this world knows no operation {kind}"))),
        }
    }

    /// Does at once what is about children.
    fn perform_on_children(&mut self, request: &Wire) -> Answer {
        // What was written first is seen first, also when a child writes next.
        let _ = self.flush();
        let children = self.children.get_or_insert_with(Children::new);
        if request.kind == "process.raise" {
            let signal = request.arguments.first().and_then(Datum::as_number).unwrap_or_default();
            end_by(signal as i32);
            return Ok(Datum::Undefined);
        }
        // Whom the program waits for needs no thread.
        if request.kind == "process.run" {
            return children.run(request, &self.files, self.net.as_ref(), &self.stop);
        }
        self.net()?;
        let net = self.net.as_mut().expect("it was made just now");
        let children = self.children.get_or_insert_with(Children::new);
        children.perform(request, &self.files, net)
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
        Instant::from_micros(u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX))
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

    fn breathe(&mut self) {
        if let Some(pool) = &mut self.pool {
            pool.hurry();
        }
        // What is refused comes again with the next write, and is told then.
        let _ = self.flush_if_late();
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        let request = match request.into_request() {
            Request::Fs(call) => return self.begin_files(operation, call),
            other => other.into_wire(),
        };
        if let Err(fault) = self.begin(operation, request) {
            self.inbox.sender().deliver(operation, Err(fault));
        }
    }

    fn perform(&mut self, request: Checked, _: Option<Draw<'_>>) -> Answer {
        let request = match request.into_request() {
            Request::Fs(call) => return files::perform(&*self.files, &call),
            other => other.into_wire(),
        };
        if request.kind.starts_with("system.") {
            return hemiola_gate::system::perform(&Process, &request);
        }
        if Hub::knows(&request.kind)
            && let Some(member) = &self.member
        {
            return hub::perform(member, &request);
        }
        if Children::knows(&request.kind) {
            return self.perform_on_children(&request);
        }
        if Net::knows(&request.kind) {
            return self.net()?.perform(request);
        }
        if Datagrams::knows(&request.kind) {
            return self.datagrams()?.perform(request);
        }
        if request.kind.starts_with("dns.") {
            return names::perform(&request);
        }
        Err(Fault::new("ENOSYS", format!("this world cannot do {} at once", request.kind)))
    }

    fn cancel(&mut self, operation: Operation) {
        self.signals.cancel(operation);
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

    /// A program that always has something to do never waits; its files are not to wait for each other.
    fn go_round(&mut self, _due: bool) -> bool {
        const TURNS: u32 = 64;
        self.turns = self.turns.wrapping_add(1);
        if self.turns.is_multiple_of(TURNS)
            && let Some(pool) = &mut self.pool
        {
            pool.hurry();
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
            self.inbox.sleep(until);
        }
        true
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, _: &mut Vec<Move>) {
        // It is settled when answers come: there is nothing to choose.
    }

    fn answer(&mut self, _: Operation, _: Draw<'_>) -> Completion<Answer> {
        unreachable!("only a world that offers moves is asked to make one")
    }

    /// Real time passes by itself.
    fn moved(&mut self, _: Move) {}
}

/// The environment variables of the process that are text.
pub fn environment() -> Vec<(String, String)> {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    std::env::vars_os().filter_map(text).collect()
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
