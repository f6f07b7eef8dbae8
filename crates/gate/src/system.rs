//! The process that a program runs in, as far as the program can ask about it or change it.

use crate::computer::{Computer, User};
use crate::identity::{self, Account, Accounts, Identity, Refusal};
use crate::request::SystemCall;
use crate::value::{Answer, Datum};
use hemiola_machine::Instant;
use std::io;
use std::net::Ipv4Addr;

/// The process and its surroundings.
pub trait System: Accounts + Send + Sync {
    /// What does not change while the program runs; asked at most once.
    fn facts(&self) -> Facts;
    /// Columns and rows of the terminal behind a standard stream, if it is one that has them.
    fn window(&self, fd: usize) -> Option<(u16, u16)>;
    /// What the process has used so far.
    fn usage(&self) -> Usage;
    /// Lets the terminal behind standard input give every key as it is pressed, or lines again.
    fn set_raw(&self, raw: bool) -> io::Result<()>;
    /// Sends a signal to a process, or to a group of them by a number that is not positive; signal 0
    /// only asks whether it is there.
    fn kill(&self, pid: i32, signal: i32) -> io::Result<()>;
    /// The computer it runs on.
    fn computer(&self) -> Computer;
    /// Who runs it, if there is an entry about them.
    fn user(&self) -> Option<User>;
    /// How urgent a process is, from -20 to 19 for the most patient; 0 is this process.
    fn priority(&self, pid: i32) -> io::Result<i32>;
    /// Makes a process more or less urgent.
    fn set_priority(&self, pid: i32, priority: i32) -> io::Result<()>;
    /// What lists of processes show in place of its command line, as far as there is room.
    fn set_title(&self, title: &str);
}

/// What a program can know about its process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The number of the process.
    pub pid: u32,
    /// The number of its parent.
    pub ppid: u32,
    /// User, real and effective.
    pub users: (u32, u32),
    /// Group, real and effective.
    pub groups: (u32, u32),
    /// Further groups.
    pub more_groups: Vec<u32>,
    /// What standard input, output and error are.
    pub streams: [StreamKind; 3],
}

/// What is behind a standard stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StreamKind {
    /// A file, or a device that is no terminal.
    #[default]
    File,
    /// A pipe or a socket: somebody is at its other end.
    Pipe,
    /// A terminal.
    Terminal,
}

/// What a process has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Memory in use now.
    pub resident_bytes: u64,
    /// The most memory that was in use.
    pub peak_resident_bytes: u64,
    /// Memory that is free for it.
    pub available_bytes: u64,
    /// Time of a processor in the program.
    pub user_us: u64,
    /// Time of a processor in the system, for the program.
    pub system_us: u64,
    /// Page faults without and with reading from a disk.
    pub faults: (u64, u64),
    /// Switches to another process: while it waited, and while it ran.
    pub switches: (u64, u64),
}

/// What a world notes of the loop that runs in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turning {
    /// When the loop began to turn, or to wait: the main program was over then.
    began: Option<Instant>,
    /// How long it has waited since.
    idle_us: u64,
    /// When it began to wait, if it does.
    waits: Option<Instant>,
}

impl Turning {
    /// A turn or a wait begins.
    #[inline]
    pub fn begin(&mut self, now: impl FnOnce() -> Instant) {
        if self.began.is_none() {
            self.began = Some(now());
        }
    }

    /// The loop begins to wait.
    pub fn wait(&mut self, now: Instant) {
        self.begin(|| now);
        self.waits = Some(now);
    }

    /// It has waited.
    pub fn waited(&mut self, until: Instant) {
        if let Some(from) = self.waits.take() {
            self.idle_us = self.idle_us.saturating_add(until.since(from).as_micros());
        }
    }

    /// In milliseconds, when it began, how long it has waited, and since when it does; -1 if it has not begun, or does
    /// not wait.
    pub(crate) fn figures(self) -> [f64; 3] {
        let ms = |micros: u64| micros as f64 / 1_000.0;
        let at = |instant: Option<Instant>| instant.map_or(-1.0, |at| ms(at.as_micros()));
        [at(self.began), ms(self.idle_us), at(self.waits)]
    }
}

/// A process that is always the same: what programs see in a simulated world.
#[derive(Clone, Debug)]
pub struct FixedSystem {
    /// What its computer is called, if that has a name.
    pub name: Option<String>,
    /// Its address among other computers, if there are any.
    pub address: Option<Ipv4Addr>,
    /// Its number, and that of its parent.
    pub pids: (u32, u32),
    /// What its standard streams are.
    pub streams: [StreamKind; 3],
}

impl Default for FixedSystem {
    fn default() -> Self {
        Self { name: None, address: None, pids: (1, 0), streams: [StreamKind::Pipe; 3] }
    }
}

/// The user of a simulated process, and the group.
pub const USER: u32 = 1000;
/// Not allowed.
const EPERM: i32 = 1;
/// No such process.
const ESRCH: i32 = 3;
/// An error of the system that has no number.
const EIO: i32 = 5;
/// Not a terminal.
const ENOTTY: i32 = 25;

impl System for FixedSystem {
    fn facts(&self) -> Facts {
        Facts {
            pid: self.pids.0,
            ppid: self.pids.1,
            users: (USER, USER),
            groups: (USER, USER),
            more_groups: vec![USER],
            streams: self.streams,
        }
    }

    fn window(&self, _: usize) -> Option<(u16, u16)> {
        None
    }

    fn usage(&self) -> Usage {
        const MIB: u64 = 1024 * 1024;
        Usage {
            resident_bytes: 32 * MIB,
            peak_resident_bytes: 32 * MIB,
            available_bytes: 1024 * MIB,
            ..Usage::default()
        }
    }

    fn set_raw(&self, _: bool) -> io::Result<()> {
        Err(io::Error::from_raw_os_error(ENOTTY))
    }

    fn kill(&self, pid: i32, signal: i32) -> io::Result<()> {
        // Signals to itself are the library's; there is nobody else.
        if i64::from(pid) == i64::from(self.pids.0) && signal == 0 {
            Ok(())
        } else {
            Err(io::Error::from_raw_os_error(ESRCH))
        }
    }

    fn computer(&self) -> Computer {
        Computer::fixed(self.name.clone(), self.address)
    }

    fn user(&self) -> Option<User> {
        Some(User { name: "user".into(), home: "/home/user".into(), shell: "/bin/sh".into() })
    }

    fn priority(&self, pid: i32) -> io::Result<i32> {
        if pid == 0 || i64::from(pid) == i64::from(self.pids.0) {
            Ok(0)
        } else {
            Err(io::Error::from_raw_os_error(ESRCH))
        }
    }

    fn set_priority(&self, pid: i32, _: i32) -> io::Result<()> {
        self.priority(pid).map(|_| ())
    }

    fn set_title(&self, _: &str) {
        // Nobody lists simulated processes.
    }
}

impl Accounts for FixedSystem {
    fn account(&self, account: Account, name: &str) -> Option<u32> {
        let nobody = match account {
            Account::User => "nobody",
            Account::Group => "nogroup",
        };
        let accounts = [("root", 0), ("user", USER), (nobody, 65_534)];
        accounts.iter().find(|(one, _)| *one == name).map(|&(_, id)| id)
    }

    fn user_name(&self, id: u32) -> Option<String> {
        let name = match id {
            0 => "root",
            USER => "user",
            65_534 => "nobody",
            _ => return None,
        };
        Some(name.into())
    }

    fn take_identity(&self, identity: &Identity) -> io::Result<()> {
        // It is an ordinary user's: it is what it can become.
        match identity {
            &(Identity::User(id)
            | Identity::EffectiveUser(id)
            | Identity::Group(id)
            | Identity::EffectiveGroup(id))
                if id == USER =>
            {
                Ok(())
            }
            Identity::User(_)
            | Identity::EffectiveUser(_)
            | Identity::Group(_)
            | Identity::EffectiveGroup(_)
            | Identity::Groups(_)
            | Identity::GroupsOf(..) => Err(io::Error::from_raw_os_error(EPERM)),
        }
    }
}

/// Answers what a program asks about its process, its loop and its computer, the same way for every world.
pub fn perform(system: &dyn System, turning: Turning, call: SystemCall) -> Answer {
    let numbers =
        |figures: &[f64]| Datum::List(figures.iter().copied().map(Datum::Number).collect());
    let done = |result: io::Result<()>| Datum::Number(errno(result).into());
    Ok(match call {
        SystemCall::Facts => system.facts().into_datum(),
        SystemCall::Window { fd } => match system.window(fd as usize) {
            Some((columns, rows)) => numbers(&[columns.into(), rows.into()]),
            None => Datum::Undefined,
        },
        SystemCall::Usage => numbers(&system.usage().figures()),
        // Who asks for its own does not wait.
        SystemCall::Loop => numbers(&turning.figures()[..2]),
        // Only the program knows; it says so, to hear it again when it is run again.
        SystemCall::Heap { sizes } => Datum::List(sizes.0),
        SystemCall::SetRaw { raw } => done(system.set_raw(raw)),
        SystemCall::Kill { pid, signal } => done(system.kill(pid, signal)),
        SystemCall::Computer => system.computer().into_datum(),
        SystemCall::User => match system.user() {
            Some(User { name, home, shell }) => {
                Datum::List([name, home, shell].map(Datum::Text).to_vec())
            }
            None => Datum::Undefined,
        },
        SystemCall::Priority { pid } => match system.priority(pid) {
            Ok(priority) => numbers(&[0.0, priority.into()]),
            Err(error) => numbers(&[errno(Err(error)).into()]),
        },
        SystemCall::SetPriority { pid, priority } => done(system.set_priority(pid, priority)),
        SystemCall::Identity { what, ids } => match identity::change(system, &what, &ids) {
            Ok(()) => system.facts().into_datum(),
            Err(Refusal::System(error)) => done(Err(error)),
            // Whether it is a user or a group that nobody knows, and the name.
            Err(Refusal::Unknown(account, name)) => {
                Datum::List(vec![Datum::Text(account.name().into()), Datum::Text(name)])
            }
        },
        SystemCall::Title { title } => {
            system.set_title(&title);
            Datum::Undefined
        }
    })
}

impl Facts {
    fn into_datum(self) -> Datum {
        let number = |number: u32| Datum::Number(number.into());
        let numbers = |list: &[u32]| Datum::List(list.iter().copied().map(number).collect());
        let stream = |kind: StreamKind| Datum::Text(kind.name().into());
        let field = |name: &str, value: Datum| (name.to_owned(), value);
        Datum::Record(vec![
            field("pid", number(self.pid)),
            field("ppid", number(self.ppid)),
            field("uid", number(self.users.0)),
            field("euid", number(self.users.1)),
            field("gid", number(self.groups.0)),
            field("egid", number(self.groups.1)),
            field("groups", numbers(&self.more_groups)),
            field("streams", Datum::List(self.streams.map(stream).to_vec())),
        ])
    }
}

impl StreamKind {
    /// Node's name for it.
    fn name(self) -> &'static str {
        match self {
            Self::File => "fs",
            Self::Pipe => "pipe",
            Self::Terminal => "tty",
        }
    }
}

impl Usage {
    /// The figures in their order.
    fn figures(self) -> [f64; 9] {
        [
            self.resident_bytes,
            self.peak_resident_bytes,
            self.available_bytes,
            self.user_us,
            self.system_us,
            self.faults.0,
            self.faults.1,
            self.switches.0,
            self.switches.1,
        ]
        .map(|figure| figure as f64)
    }
}

/// The number that the system gave an error; 0 for none.
pub fn errno(result: io::Result<()>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) => error.raw_os_error().unwrap_or(EIO),
    }
}
