//! The process that Hemiola is.

use crate::{computer, terminal};
use hemiola_gate::{Account, Accounts, Computer, Facts, Identity, StreamKind, System, Usage, User};
use nix::unistd::{self, Gid, Uid};
use rustix::fs::FileType;
use rustix::process::{self, Pid, Signal};
use std::fs::OpenOptions;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;

/// How many columns the terminal has that standard error is, if it is one.
pub fn columns() -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(io::stderr()).ok()?;
    Some(size.ws_col).filter(|&columns| columns > 0)
}

/// The process with that number, or this one for 0. No process has a number below.
fn one(pid: i32) -> rustix::io::Result<Option<Pid>> {
    if pid < 0 { Err(rustix::io::Errno::SRCH) } else { Ok(Pid::from_raw(pid)) }
}

/// This process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Process;

impl System for Process {
    fn facts(&self) -> Facts {
        let groups = process::getgroups().unwrap_or_default();
        Facts {
            pid: std::process::id(),
            ppid: std::os::unix::process::parent_id(),
            users: (process::getuid().as_raw(), process::geteuid().as_raw()),
            groups: (process::getgid().as_raw(), process::getegid().as_raw()),
            more_groups: groups.into_iter().map(|group| group.as_raw()).collect(),
            streams: [kind(io::stdin()), kind(io::stdout()), kind(io::stderr())],
        }
    }

    fn window(&self, fd: usize) -> Option<(u16, u16)> {
        let size = match fd {
            0 => rustix::termios::tcgetwinsize(io::stdin()),
            1 => rustix::termios::tcgetwinsize(io::stdout()),
            _ => rustix::termios::tcgetwinsize(io::stderr()),
        };
        let size = size.ok()?;
        Some((size.ws_col, size.ws_row))
    }

    fn set_raw(&self, raw: bool) -> io::Result<()> {
        terminal::set_raw(raw)
    }

    fn usage(&self) -> Usage {
        let status = read("/proc/self/status");
        let stat = read("/proc/self/stat");
        // The name of the process may hold spaces; the numbers come after its parenthesis.
        let numbers: Vec<u64> = stat.rsplit(')').next().map_or_else(Vec::new, |rest| {
            rest.split_whitespace().map(|word| word.parse().unwrap_or(0)).collect()
        });
        let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
        // The kernel counts in hundredths of a second, whatever its own clock does.
        const TICK_US: u64 = 10_000;
        Usage {
            resident_bytes: resident_bytes(&status),
            peak_resident_bytes: kib(&status, "VmHWM:"),
            available_bytes: kib(&read("/proc/meminfo"), "MemAvailable:"),
            user_us: number(11) * TICK_US,
            system_us: number(12) * TICK_US,
            faults: (number(7), number(9)),
            switches: (
                field(&status, "voluntary_ctxt_switches:"),
                field(&status, "nonvoluntary_ctxt_switches:"),
            ),
        }
    }

    fn kill(&self, pid: i32, signal: i32) -> io::Result<()> {
        let group = Pid::from_raw(pid.saturating_abs());
        let sent = if signal == 0 {
            match group {
                None => process::test_kill_current_process_group(),
                Some(group) if pid < 0 => process::test_kill_process_group(group),
                Some(process) => process::test_kill_process(process),
            }
        } else {
            let signal = Signal::from_named_raw(signal).ok_or(rustix::io::Errno::INVAL)?;
            match group {
                None => process::kill_current_process_group(signal),
                Some(group) if pid < 0 => process::kill_process_group(group, signal),
                Some(process) => process::kill_process(process, signal),
            }
        };
        Ok(sent?)
    }

    fn computer(&self) -> Computer {
        computer::computer()
    }

    fn user(&self) -> Option<User> {
        computer::user(process::geteuid().as_raw())
    }

    fn priority(&self, pid: i32) -> io::Result<i32> {
        Ok(process::getpriority_process(one(pid)?)?)
    }

    fn set_priority(&self, pid: i32, priority: i32) -> io::Result<()> {
        Ok(process::setpriority_process(one(pid)?, priority)?)
    }

    fn set_title(&self, title: &str) {
        // A system without these files shows the command line.
        let _ = write_title(title);
    }
}

impl Accounts for Process {
    fn account(&self, account: Account, name: &str) -> Option<u32> {
        computer::account(account, name)
    }

    fn user_name(&self, id: u32) -> Option<String> {
        computer::user(id).map(|user| user.name)
    }

    fn take_identity(&self, identity: &Identity) -> io::Result<()> {
        // The C library changes all threads; the kernel would change this one alone.
        let groups = |ids: &[u32]| {
            unistd::setgroups(&ids.iter().copied().map(Gid::from_raw).collect::<Vec<_>>())
        };
        Ok(match identity {
            &Identity::User(id) => unistd::setuid(Uid::from_raw(id)),
            &Identity::EffectiveUser(id) => unistd::seteuid(Uid::from_raw(id)),
            &Identity::Group(id) => unistd::setgid(Gid::from_raw(id)),
            &Identity::EffectiveGroup(id) => unistd::setegid(Gid::from_raw(id)),
            Identity::Groups(ids) => groups(ids),
            Identity::GroupsOf(user, more) => groups(&computer::groups_of(user, *more)),
        }?)
    }
}

/// Writes a title over the command line, where the kernel looks for it, and names the process so.
fn write_title(title: &str) -> io::Result<()> {
    // Where the arguments begin and end, counted from what follows the name.
    const ARGUMENTS: (usize, usize) = (45, 46);
    let stat = read("/proc/self/stat");
    let numbers: Vec<&str> =
        stat.rsplit(')').next().map_or_else(Vec::new, |rest| rest.split_whitespace().collect());
    let number = |at: usize| numbers.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    let (start, end) = (number(ARGUMENTS.0), number(ARGUMENTS.1));
    let mut room = vec![0; usize::try_from(end.saturating_sub(start)).unwrap_or(0)];
    // The last byte stays zero, or the kernel would go on with the environment.
    let length = title.len().min(room.len().saturating_sub(1));
    room[..length].copy_from_slice(&title.as_bytes()[..length]);
    if start > 0 {
        OpenOptions::new().write(true).open("/proc/self/mem")?.write_all_at(&room, start)?;
    }
    std::fs::write("/proc/self/comm", title)
}

/// A file of the Linux kernel; on a system without it, what it says is unknown.
fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// A field that counts in units of 1024 bytes.
fn kib(text: &str, name: &str) -> u64 {
    1024 * field(text, name)
}

fn resident_bytes(status: &str) -> u64 {
    kib(status, "VmRSS:")
}

/// How much memory this process holds in megabytes; nothing, where the system does not tell.
pub(crate) fn resident_megabytes() -> u32 {
    let bytes = resident_bytes(&read("/proc/self/status"));
    u32::try_from(bytes >> 20).unwrap_or(u32::MAX)
}

/// What is behind a standard stream.
fn kind(stream: impl AsFd + IsTerminal) -> StreamKind {
    if stream.is_terminal() {
        return StreamKind::Terminal;
    }
    let file_type = rustix::fs::fstat(stream).map(|stat| FileType::from_raw_mode(stat.st_mode));
    match file_type {
        Ok(FileType::Fifo | FileType::Socket) => StreamKind::Pipe,
        _ => StreamKind::File,
    }
}

/// The number after a name at the start of a line.
pub(crate) fn field(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
