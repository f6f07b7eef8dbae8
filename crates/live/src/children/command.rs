//! What is started: a request of the program as the system's command, and the ends of its pipes that stay
//! here.

use super::echo::{Echo, Tee};
use command_fds::{CommandFdExt, FdMapping};
use hemiola_gate::{Datum, Fault, INHERITED, Program};
use hemiola_machine::Stream;
use process_wrap::std::{CommandWrap, CommandWrapper, ProcessSession};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// What becomes of one descriptor of the child.
pub(crate) enum End {
    /// There is nothing, or what is there is not ours.
    None,
    /// Our end of its pipe.
    Pipe(UnixStream),
}

/// A field of a record, or undefined.
pub(crate) fn field<'a>(record: &'a Datum, name: &str) -> &'a Datum {
    let Datum::Record(fields) = record else { return &Datum::Undefined };
    fields.iter().find(|(key, _)| key == name).map_or(&Datum::Undefined, |(_, value)| value)
}

/// The text in a field.
pub(crate) fn text<'a>(record: &'a Datum, name: &str) -> Option<&'a str> {
    match field(record, name) {
        Datum::Text(text) => Some(text),
        _ => None,
    }
}

/// The number in a field.
pub(crate) fn number(record: &Datum, name: &str) -> Option<f64> {
    field(record, name).as_number()
}

/// The items in a field.
pub(crate) fn list<'a>(record: &'a Datum, name: &str) -> &'a [Datum] {
    match field(record, name) {
        Datum::List(items) => items,
        _ => &[],
    }
}

/// A child that was started.
pub(super) struct Started {
    /// The child.
    pub(super) child: Child,
    /// Our end for each of its descriptors.
    pub(super) ends: Vec<End>,
    /// Who passes on what it writes to the program's own streams.
    pub(super) tees: Vec<Arc<Tee>>,
}

/// Starts what the record says. `open` gives a copy of a descriptor of the program, by its number or by the
/// stream that it is.
pub(super) fn start(
    spec: &Program,
    echo: Option<&Echo>,
    open: &dyn Fn(&Datum) -> io::Result<OwnedFd>,
) -> Result<Started, Fault> {
    let refused = |error: io::Error| {
        Fault::system(error.raw_os_error().unwrap_or(Errno::INVAL.raw_os_error()), "spawn")
    };
    let started = |by| {
        let (mut command, Connected { ends, tees, .. }, held) = prepare(spec, by, echo, open)?;
        let child = command.spawn()?;
        drop(held);
        Ok::<_, io::Error>(Started { child, ends, tees })
    };
    match started(By::Itself) {
        Err(error) if error.raw_os_error() == Some(Errno::NOEXEC.raw_os_error()) => {
            started(By::Shell).map_err(refused)
        }
        started => started.map_err(refused),
    }
}

/// Who runs a file.
#[derive(Clone, Copy)]
enum By {
    Itself,
    /// A file that is not a program of the system is one of the shell, as `execvp` has it.
    Shell,
}

type Prepared = (Command, Connected, Vec<OwnedFd>);

/// What a child's descriptors are connected with.
struct Connected {
    ends: Vec<End>,
    tees: Vec<Arc<Tee>>,
    mappings: Vec<FdMapping>,
}

fn prepare(
    spec: &Program,
    by: By,
    echo: Option<&Echo>,
    open: &dyn Fn(&Datum) -> io::Result<OwnedFd>,
) -> io::Result<Prepared> {
    let mut command = match by {
        By::Itself => Command::new(spec.file()),
        By::Shell => Command::new("/bin/sh"),
    };
    let mut words = list(spec, "args").iter().filter_map(|word| match word {
        Datum::Text(word) => Some(word),
        _ => None,
    });
    let name = words.next();
    match by {
        By::Itself => {
            name.map(|name| command.arg0(name));
        }
        By::Shell => {
            command.arg(spec.file());
        }
    }
    command.args(words);
    // Also the way to the file is looked for along the child's own PATH.
    command.env_clear();
    for pair in list(spec, "env") {
        if let Datum::Text(pair) = pair
            && let Some((name, value)) = pair.split_once('=')
        {
            command.env(name, value);
        }
    }
    if let Some(permissions) = spec.permissions() {
        command.env(INHERITED, permissions);
    }
    if let Some(cwd) = text(spec, "cwd") {
        command.current_dir(cwd);
    }
    // The ids are signed 32-bit numbers. A negative one must not become 0, which is root's: the system refuses it as the
    // large number that has its bits.
    if let Some(gid) = number(spec, "gid") {
        command.gid(gid as i32 as u32);
    }
    if let Some(uid) = number(spec, "uid") {
        command.uid(uid as i32 as u32);
    }
    let detached = *field(spec, "detached") == Datum::Bool(true);
    if detached {
        ProcessSession.pre_spawn(&mut command, &CommandWrap::from(Command::new("")))?;
    }
    let tee = |item: &Datum, at: usize| match (echo, own_stream(item, at)) {
        (Some(echo), Some(stream)) => echo.tee(stream, detached),
        _ => Ok(None),
    };
    let mut connected = connect(&mut command, list(spec, "stdio"), &tee, open)?;
    let mappings = std::mem::take(&mut connected.mappings);
    let held = keep_free(&mappings)?;
    if !mappings.is_empty() {
        command.fd_mappings(mappings).map_err(|_| io::Error::from(Errno::INVAL))?;
    }
    Ok((command, connected, held))
}

/// The end of a pipe that a child writes to, and who passes it on.
type Echoed = (OwnedFd, Arc<Tee>);

/// Gives the child its descriptors; those after the first three need to be mapped.
fn connect(
    command: &mut Command,
    stdio: &[Datum],
    tee: &dyn Fn(&Datum, usize) -> io::Result<Option<Echoed>>,
    open: &dyn Fn(&Datum) -> io::Result<OwnedFd>,
) -> io::Result<Connected> {
    let mut ends = Vec::new();
    let mut tees = Vec::new();
    let mut mappings = Vec::new();
    for at in 0..stdio.len().max(3) {
        let item = stdio.get(at).unwrap_or(&Datum::Undefined);
        let (end, theirs) = match (tee(item, at)?, text(item, "type")) {
            (Some((theirs, tee)), _) => {
                tees.push(tee);
                (End::None, Some(theirs))
            }
            (None, Some("pipe" | "ipc")) => {
                let (ours, theirs) = UnixStream::pair()?;
                (End::Pipe(ours), Some(OwnedFd::from(theirs)))
            }
            (None, Some("fd" | "stream")) => (End::None, Some(open(item)?)),
            (None, _) => (End::None, None),
        };
        ends.push(end);
        if at > 2 {
            let child_fd = at as i32;
            mappings.extend(theirs.map(|parent_fd| FdMapping { parent_fd, child_fd }));
            continue;
        }
        let given = match theirs {
            Some(theirs) => Stdio::from(theirs),
            None if text(item, "type") == Some("inherit") => Stdio::inherit(),
            None => Stdio::null(),
        };
        match at {
            0 => command.stdin(given),
            1 => command.stdout(given),
            _ => command.stderr(given),
        };
    }
    Ok(Connected { ends, tees, mappings })
}

/// Which of the program's own streams a child would write to there.
fn own_stream(item: &Datum, at: usize) -> Option<Stream> {
    let number = match text(item, "type")? {
        "inherit" => at as f64,
        "fd" => number(item, "fd")?,
        _ => return None,
    };
    match number {
        1.0 => Some(Stream::Out),
        2.0 => Some(Stream::Err),
        _ => None,
    }
}

/// Holds the numbers that the child's further descriptors will have. The standard library tells of a
/// failed start through a descriptor of its own, which must not have one of them.
fn keep_free(mappings: &[FdMapping]) -> io::Result<Vec<OwnedFd>> {
    let mut held = Vec::new();
    for mapping in mappings {
        let copy = rustix::io::fcntl_dupfd_cloexec(&mapping.parent_fd, mapping.child_fd)?;
        if copy.as_raw_fd() == mapping.child_fd {
            held.push(copy);
        }
    }
    Ok(held)
}
