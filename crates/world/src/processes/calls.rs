//! What a program asks of its children, its parent and its own standard streams.

use super::standard::{Inlet, Outlet};
use super::{Begin, Life, Processes, Standard, no_such_process};
use crate::baton::Seat;
use crate::net::{Net, errno};
use crate::roads::{first_machine_of, process_of};
use crate::team::Team;
use crate::{Overlay, Virtual, alone, unknown};
use hemiola_gate::files::{Errno, Tree};
use hemiola_gate::{
    Answer, Aside, ChannelCall, ChildCall, Datum, Disk, Fault, FsCall, Kind, Pieces, Position,
    Program, Reason, Request, Stop, StreamCall,
};
use hemiola_machine::{Completion, Instant, Operation, Stream};
use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError};

/// Where the numbers of sockets begin that came over a channel.
const FIRST_ARRIVED: u64 = 1_000;

/// A child that was started.
pub(super) struct Started {
    pub(super) process: u64,
    pub(super) pid: u32,
    /// The ends of its pipes that are here.
    pub(super) ends: Vec<Option<u64>>,
}

/// The items in a field of a record.
pub(super) fn list<'a>(record: &'a Datum, name: &str) -> &'a [Datum] {
    match record.field(name) {
        Some(Datum::List(items)) => items,
        _ => &[],
    }
}

/// The texts in a field of a record.
fn texts<'a>(record: &'a Datum, name: &str) -> impl Iterator<Item = &'a str> {
    list(record, name).iter().filter_map(Datum::as_text)
}

impl<F: FnMut(Stream, &[u8]) -> io::Result<()>> Virtual<F> {
    /// Lets it be a machine of a process that can start others.
    pub fn of(self, team: Team) -> Self {
        Self { team: Some(Arc::new(team)), ..self }
    }

    /// Whether its process was killed: then it does nothing more.
    pub(crate) fn is_killed(&self) -> bool {
        self.team.as_ref().is_some_and(|team| team.life.is_over())
    }

    /// The process that it is a machine of.
    fn process(&self) -> u64 {
        process_of(self.machine())
    }

    /// What it needs to have to do with other processes.
    pub(super) fn home(&self) -> Result<(Arc<Team>, &Seat), Fault> {
        match (&self.team, &self.seat) {
            (Some(team), Some((seat, _))) if team.launcher.is_some() => {
                Ok((Arc::clone(team), seat))
            }
            _ => Err(alone()),
        }
    }

    /// Does at once what is about children.
    pub(crate) fn perform_on_child(&mut self, call: ChildCall) -> Answer {
        let now = self.world_now();
        let (team, seat) = self.home()?;
        seat.tell(now);
        match call {
            ChildCall::Spawn { program } => {
                let Started { process, pid, ends } = self.start(&program)?;
                let id = |end: Option<u64>| end.map_or(Datum::Null, |id| Datum::Number(id as f64));
                Ok(Datum::Record(vec![
                    ("pid".into(), Datum::Number(pid.into())),
                    ("id".into(), Datum::Number(process as f64)),
                    ("stdio".into(), Datum::List(ends.into_iter().map(id).collect())),
                ]))
            }
            ChildCall::Run { program } => self.run_to_end(&program),
            ChildCall::Kill { child, signal } => self.send_signal(child, signal),
            ChildCall::Forget { child } => {
                team.processes.forget(child);
                Ok(Datum::Undefined)
            }
            ChildCall::Raise { signal } => match team.processes.raise(self.process(), signal) {
                true => Ok(Datum::Undefined),
                false => Err(alone()),
            },
            ChildCall::Wait { .. } | ChildCall::Settle => Err(unknown(call.name())),
        }
    }

    /// Begins to wait for children.
    pub(crate) fn begin_with_child(&mut self, operation: Operation, call: &ChildCall) {
        let Ok((team, seat)) = self.home() else { return };
        match call {
            ChildCall::Wait { child } => {
                seat.tell(self.world_now());
                team.processes.wait(*child, seat.post(), operation);
            }
            ChildCall::Settle => {
                let last = self.net(|net| net.last()).map(|at| self.pace.inside(at));
                let at = last.unwrap_or(self.now).max(self.now);
                self.next.take();
                self.pending.insert((at, operation), Request::Child(ChildCall::Settle));
            }
            ChildCall::Spawn { .. }
            | ChildCall::Run { .. }
            | ChildCall::Kill { .. }
            | ChildCall::Forget { .. }
            | ChildCall::Raise { .. } => {}
        }
    }

    /// Sends a signal to a process.
    pub(super) fn send_signal(&mut self, process: u64, signal: i32) -> Answer {
        let (team, seat) = self.home()?;
        let own = self.process();
        if process == own && signal != 0 && team.processes.raise(own, signal) {
            team.stop.ask(Reason::Ended);
            return Ok(Datum::Undefined);
        }
        let sent = team.processes.signal(process, signal, seat.baton());
        // Who was killed has left something behind that may come here.
        self.next.take();
        sent.map(|()| Datum::Undefined)
    }

    /// Sends a signal to the process with that number on this computer: gives the number of the error, if any.
    pub(crate) fn signal_by_pid(&mut self, pid: i32, signal: i32) -> i32 {
        const NOSYS: i32 = 38;
        let now = self.world_now();
        let sent = self.home().and_then(|(team, seat)| {
            seat.tell(now);
            team.processes.by_pid(self.computer(), pid).ok_or_else(no_such_process)
        });
        let sent = sent.and_then(|process| self.send_signal(process, signal));
        sent.map_or_else(|fault| if fault.errno == 0 { NOSYS } else { fault.errno }, |_| 0)
    }

    /// Lets an operation wait for a signal.
    pub(crate) fn listen_to(&mut self, operation: Operation, signal: i32) {
        if let Ok((team, seat)) = self.home() {
            team.processes.listen(self.process(), signal, seat.post(), operation);
        }
    }

    /// Does at once what is about channels.
    pub(crate) fn perform_on_channel(&mut self, call: ChannelCall) -> Answer {
        let now = self.world_now();
        match call {
            ChannelCall::Open => {
                let team = self.team.as_ref().ok_or_else(|| unknown(call.name()))?;
                let channel = &team.standard.channel;
                let channel = channel.lock().unwrap_or_else(PoisonError::into_inner).take();
                let none = || Fault::system(errno::BADF, "open");
                channel.map(|id| Datum::Number(id as f64)).ok_or_else(none)
            }
            ChannelCall::TryWrite { of_datagrams: Aside(true), .. }
            | ChannelCall::Write { of_datagrams: Aside(true), .. } => {
                Err(Fault::system(errno::NOTSUP, "write"))
            }
            ChannelCall::TryWrite { channel, bytes, socket, .. } => {
                self.net(|net| net.send_with(now, channel, &bytes, socket.0))
            }
            ChannelCall::Take { channel } => {
                let Some(id) = self.net(|net| net.unpack(channel)) else { return Ok(Datum::Null) };
                let fd = (id + FIRST_ARRIVED) as i32;
                self.arrived.insert(fd, id);
                Ok(Datum::Number(fd.into()))
            }
            ChannelCall::Taken { fd } => {
                if let Some(id) = self.arrived.remove(&fd) {
                    self.net(|net| net.refuse(now, id));
                }
                Ok(Datum::Undefined)
            }
            ChannelCall::Close { channel } => {
                self.close_pipe(channel);
                Ok(Datum::Undefined)
            }
            ChannelCall::Read { .. } | ChannelCall::Write { .. } => Err(unknown(call.name())),
        }
    }

    /// Begins what is about channels.
    pub(crate) fn begin_on_channel(&mut self, operation: Operation, call: ChannelCall) {
        let now = self.world_now();
        match call {
            ChannelCall::Read { channel } => self.net(|net| {
                net.begin_on_stream(now, operation, StreamCall::Read { stream: channel });
            }),
            ChannelCall::Write { channel, bytes, socket, .. } => self.net(|net| {
                let write = StreamCall::Write { stream: channel, bytes: Pieces::One(bytes) };
                net.begin_on_stream(now, operation, write);
                // It is there when the message is, whose bytes wait.
                let _ = net.attach(now, channel, socket.0);
            }),
            ChannelCall::Open
            | ChannelCall::TryWrite { .. }
            | ChannelCall::Take { .. }
            | ChannelCall::Taken { .. }
            | ChannelCall::Close { .. } => {}
        }
    }

    /// What is open under a number that the process was given, if anything is.
    pub(crate) fn given(&self, fd: i32) -> Option<u64> {
        let of_start = |team: &Arc<Team>| team.standard.more.get(&fd).copied();
        self.arrived.get(&fd).copied().or_else(|| self.team.as_ref().and_then(of_start))
    }

    /// Begins to read from standard input.
    pub(crate) fn begin_to_read(&mut self, operation: Operation) {
        let answer = match self.team.as_ref().map(|team| &team.standard.input) {
            None => self.input.read(),
            Some(Inlet::World(input)) => {
                input.lock().unwrap_or_else(PoisonError::into_inner).read()
            }
            Some(Inlet::Nothing) => Ok(Datum::Bytes(Vec::new())),
            Some(&Inlet::File(held)) => self.read_from_file(held),
            Some(&Inlet::Pipe(stream)) => {
                let now = self.world_now();
                return self.net(|net| {
                    net.take_over(stream);
                    net.begin_on_stream(now, operation, StreamCall::Read { stream });
                });
            }
        };
        self.ready.push_back(Completion::new(operation, self.now, answer));
    }

    /// Writes to standard output or error.
    pub(crate) fn print(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let Some(team) = &self.team else { return (self.write)(stream, bytes) };
        if team.life.is_over() {
            return Ok(());
        }
        match team.standard.outlet(stream) {
            Outlet::World(stream) => (self.write)(stream, bytes),
            Outlet::Nothing => Ok(()),
            Outlet::Pipe(id) => self.write_to_pipe(id, bytes),
            Outlet::File(held) => self.write_to_file(held, bytes),
        }
    }

    /// What comes next in a file that is standard input.
    fn read_from_file(&mut self, held: i32) -> Answer {
        /// As much as comes of a pipe at once.
        const LENGTH: u32 = 65_536;
        let read = FsCall::Read { fd: held, length: LENGTH.into(), position: Position(None) };
        self.with_files(self.now, &read).0
    }

    /// Writes to a file that is standard output or error.
    fn write_to_file(&mut self, held: i32, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let write = FsCall::Write { fd: held, bytes: bytes.to_vec(), position: Position(None) };
            match self.with_files(self.now, &write).0 {
                Ok(Datum::Number(count)) if count > 0.0 => bytes = &bytes[count as usize..],
                Ok(_) => return Err(io::Error::from_raw_os_error(errno::IO)),
                Err(fault) => return Err(io::Error::from_raw_os_error(fault.errno)),
            }
        }
        Ok(())
    }

    /// Writes to a pipe, and waits where there is no room: who prints expects that it is printed.
    fn write_to_pipe(&mut self, id: u64, bytes: &[u8]) -> io::Result<()> {
        // Others may have written there before.
        let first = first_machine_of(self.process());
        self.net(|net| net.assign(id, first));
        self.catch_up();
        let mut rest = bytes;
        let written = loop {
            let now = self.world_now();
            match self.net(|net| net.try_write(now, id, rest)) {
                Ok(count) => rest = &rest[count..],
                // Whoever is no more does not read.
                Err(_) => break Err(io::Error::from_raw_os_error(errno::PIPE)),
            }
            if rest.is_empty() {
                break Ok(());
            }
            // Who waits for room must hear of it, also a worker.
            self.net(|net| net.take_over(id));
            if !self.let_time_pass(None) {
                break Ok(());
            }
        };
        self.net(|net| net.assign(id, first));
        written
    }

    /// Lets others run until something happens, or until then: false if nothing will.
    pub(super) fn let_time_pass(&mut self, until: Option<Instant>) -> bool {
        let next = self.next().into_iter().chain(until).min().map(|next| self.thawed(next));
        let is_wanted = |next: &Instant| !self.is_past_the_end(*next);
        let own = self.own_next().into_iter().chain(until).min().filter(is_wanted);
        let goes_on = self.pass(next.filter(is_wanted), own);
        self.catch_up();
        goes_on
    }

    /// Starts a child.
    pub(super) fn start(&mut self, program: &Program) -> Result<Started, Fault> {
        let (team, seat) = self.home()?;
        let baton = Arc::clone(seat.baton());
        let own_cwd = program.field("cwd").and_then(Datum::as_text).unwrap_or("/");
        let cwd = Path::new(own_cwd);
        let mut env: Vec<(String, String)> = texts(program, "env")
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let path = env.iter().rev().find(|(name, _)| name == "PATH");
        let path = path.map(|(_, value)| value.clone()).unwrap_or_default();
        let args: Vec<String> = texts(program, "args").map(str::to_owned).collect();
        let file = program.file().to_string_lossy();
        let called = team.commands.meaning(&file, &args, (cwd, &path), &self.files)?;
        if self.files.kind(&cwd.into()).ok() != Some(Kind::Directory) {
            return Err(Fault::system(errno::NOENT, "spawn"));
        }
        env.retain(|(name, _)| !called.env.iter().any(|(set, _)| set == name));
        env.extend(called.env);
        check_given(list(program, "stdio"), &team.standard, &self.files)?;

        let (life, stop) = (Life::default(), Stop::default());
        let (computer, parent) = (self.computer(), Some(self.process()));
        let entered = team.processes.enter(computer, parent, life.clone(), stop.clone());
        let stdio = list(program, "stdio");
        let files = Arc::clone(&self.files);
        let (standard, ends) =
            self.net(|net| connect(net, &files, stdio, &team.standard, entered.first))?;
        let process = process_of(entered.first);
        let begin = Begin {
            words: called.words,
            is_node: called.is_node,
            argv0: args.first().cloned().unwrap_or_default(),
            env,
            cwd: own_cwd.to_owned(),
            permissions: program.permissions().map(str::to_owned),
            number: entered.number,
            life: life.clone(),
            stop: stop.clone(),
            team: Team { first: entered.first, life, stop, standard, ..Team::clone(&team) },
            baton,
            begins: self.world_now(),
        };
        let launcher = team.launcher.as_ref().ok_or_else(alone)?;
        let given = begin.team.standard.clone();
        launcher(begin).inspect_err(|_| {
            given.close_files(&files);
            self.undo(&team.processes, process, &ends);
        })?;
        Ok(Started { process, pid: entered.pid, ends })
    }

    /// A child could not be started after all.
    fn undo(&mut self, processes: &Processes, process: u64, ends: &[Option<u64>]) {
        processes.ended(process, 1, self.world_now());
        processes.forget(process);
        ends.iter().flatten().for_each(|&end| self.close_pipe(end));
    }
}

/// The number of one of the program's own descriptors that a child is to have at a place.
fn inherited(item: &Datum, at: usize) -> Option<i32> {
    match item.field("type").and_then(Datum::as_text)? {
        "inherit" => Some(at as i32),
        "fd" => item.field("fd").and_then(Datum::as_number).map(|fd| fd as i32),
        _ => None,
    }
}

/// The number of one of the program's own files that a child is to have at a place.
fn file_given(item: &Datum, at: usize, own: &Standard) -> Option<i32> {
    inherited(item, at).filter(|&fd| fd > 2 && own.pipe_at(fd).is_none())
}

/// Refuses files that are not open, and those that are not to be standard streams: the processes of a computer have
/// the numbers of their own files in common.
fn check_given(stdio: &[Datum], own: &Standard, files: &Overlay) -> Result<(), Fault> {
    for (at, item) in stdio.iter().enumerate() {
        let Some(fd) = file_given(item, at, own) else { continue };
        if at > 2 {
            let message = format!(
                "a child in a simulated world cannot be given a file under number {at}: use one of the standard \
                 streams, or a pipe"
            );
            return Err(Fault::new("ENOSYS", message));
        }
        files.give(fd).map_err(|Errno(errno)| Fault::system(errno, "spawn"))?;
    }
    Ok(())
}

/// What a child reads and writes, and the ends of its pipes that are here.
fn connect(
    net: &mut Net,
    files: &Overlay,
    stdio: &[Datum],
    own: &Standard,
    child: u64,
) -> Result<(Standard, Vec<Option<u64>>), Fault> {
    let mut standard = Standard {
        input: Inlet::Nothing,
        output: [Outlet::Nothing; 2],
        more: Default::default(),
        channel: Arc::default(),
    };
    let mut ends = Vec::new();
    for at in 0..stdio.len().max(3) {
        let item = stdio.get(at).unwrap_or(&Datum::Undefined);
        let (mut near, mut theirs) = (None, None);
        match item.field("type").and_then(Datum::as_text) {
            Some("pipe") => {
                let (ours, far) = net.make_pipe(child, false);
                (near, theirs) = (Some(ours), Some(far));
            }
            Some("ipc") => {
                let (ours, far) = net.make_pipe(child, true);
                near = Some(ours);
                standard.channel = Arc::new(Some(far).into());
            }
            Some("stream") => {
                let id = item.field("id").and_then(Datum::as_number).unwrap_or_default() as u64;
                net.share(id, process_of(child))?;
                theirs = Some(id);
            }
            _ => {}
        }
        if let Some(fd) = inherited(item, at) {
            theirs = own.pipe_at(fd);
            if let Some(id) = theirs {
                net.share(id, process_of(child))?;
            }
            let refused = |Errno(errno)| Fault::system(errno, "spawn");
            let hold = |fd| files.hold(fd).map_err(refused);
            match (at, fd) {
                (0, 0) => standard.input = own.input.inherit(files).map_err(refused)?,
                (1 | 2, 1 | 2) => {
                    let outlet = own.output[(fd - 1) as usize];
                    standard.output[at - 1] = outlet.inherit(files).map_err(refused)?;
                }
                (0, 3..) if theirs.is_none() => standard.input = Inlet::File(hold(fd)?),
                (1 | 2, 3..) if theirs.is_none() => {
                    standard.output[at - 1] = Outlet::File(hold(fd)?)
                }
                _ => {}
            }
        }
        ends.push(near);
        match (at, theirs) {
            (_, None) => {}
            (0, Some(id)) => standard.input = Inlet::Pipe(id),
            (1 | 2, Some(id)) => standard.output[at - 1] = Outlet::Pipe(id),
            (at, Some(id)) => drop(standard.more.insert(at as i32, id)),
        }
    }
    Ok((standard, ends))
}
