//! The process that a program runs in, as far as the program can ask about it or change it.

use crate::bridge;
use crate::engine;
use crate::gate::{Answer, Datum, Fault, Request};
use crate::host::{State, state};
use crate::os::{Computer, User};
use crate::permissions::Names;
use crate::workers::MAIN;
use hemiola_machine::Stream;
use rquickjs::{Ctx, Function, Object, Result, TypedArray, Value};
use std::io;
use std::path::Path;

/// The process and its surroundings.
pub trait System: Send + Sync {
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

/// A process that is always the same: what programs see in a simulated world.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedSystem;

/// No such process.
const ESRCH: i32 = 3;
/// An error of the system that has no number.
const EIO: i32 = 5;
/// Not a terminal.
const ENOTTY: i32 = 25;

impl System for FixedSystem {
    fn facts(&self) -> Facts {
        Facts {
            pid: 1,
            users: (1000, 1000),
            groups: (1000, 1000),
            more_groups: vec![1000],
            streams: [StreamKind::Pipe; 3],
            ..Facts::default()
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
        if pid == 1 && signal == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(ESRCH)) }
    }

    fn computer(&self) -> Computer {
        Computer::fixed()
    }

    fn user(&self) -> Option<User> {
        Some(User { name: "user".into(), home: "/home/user".into(), shell: "/bin/sh".into() })
    }

    fn priority(&self, pid: i32) -> io::Result<i32> {
        if pid <= 1 { Ok(0) } else { Err(io::Error::from_raw_os_error(ESRCH)) }
    }

    fn set_priority(&self, pid: i32, _: i32) -> io::Result<()> {
        self.priority(pid).map(|_| ())
    }
}

/// Answers what a program asks about its process and its computer, the same way for every world.
pub fn perform(system: &dyn System, request: &Request) -> Answer {
    let number =
        |at: usize| request.arguments.get(at).and_then(Datum::as_number).unwrap_or_default() as i32;
    let numbers =
        |figures: &[f64]| Datum::List(figures.iter().copied().map(Datum::Number).collect());
    let done = |result: io::Result<()>| Datum::Number(errno(result).into());
    Ok(match request.kind.as_str() {
        "system.facts" => system.facts().into_datum(),
        "system.window" => match system.window(number(0) as usize) {
            Some((columns, rows)) => numbers(&[columns.into(), rows.into()]),
            None => Datum::Undefined,
        },
        "system.usage" => numbers(&system.usage().figures()),
        // Only the program knows; it says so, to hear it again when it is run again.
        "system.heap" => Datum::List(request.arguments.clone()),
        "system.setRaw" => done(system.set_raw(request.arguments == [Datum::Bool(true)])),
        "system.kill" => done(system.kill(number(0), number(1))),
        "system.computer" => system.computer().into_datum(),
        "system.user" => match system.user() {
            Some(User { name, home, shell }) => {
                Datum::List([name, home, shell].map(Datum::Text).to_vec())
            }
            None => Datum::Undefined,
        },
        "system.priority" => match system.priority(number(0)) {
            Ok(priority) => numbers(&[0.0, priority.into()]),
            Err(error) => numbers(&[errno(Err(error)).into()]),
        },
        "system.setPriority" => done(system.set_priority(number(0), number(1))),
        kind => return Err(Fault::new("ENOSYS", format!("no world knows {kind}"))),
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

/// Asks the world about the process.
pub(crate) fn ask(kind: &str, arguments: Vec<Datum>) -> Datum {
    let request = Request { kind: format!("system.{kind}"), arguments };
    bridge::with(|context| context.perform(request)).unwrap_or(Datum::Undefined)
}

/// Puts on `binding` what the program was called with.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let options = &state(ctx).options;
    binding.set("argv", options.argv.clone())?;
    binding.set("argv0", options.argv0.as_str())?;
    binding.set("execArgv", options.exec_argv.clone())?;
    let is_known = |wanted: &str| options.env.iter().any(|(name, _)| name == wanted);
    if is_known("NODE_UNIQUE_ID") && is_known("NODE_CHANNEL_FD") && options.member.machine == MAIN {
        binding.set("clusterWorker", true)?;
    }
    binding.set("cwd", options.cwd.as_str())
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "writeStdout" => {
            Function::new(ctx.clone(), |ctx, text| write_text(&ctx, Stream::Out, &text))
        }
        "writeStderr" => {
            Function::new(ctx.clone(), |ctx, text| write_text(&ctx, Stream::Err, &text))
        }
        "writeBytes" => Function::new(ctx.clone(), write_bytes),
        "environment" => Function::new(ctx.clone(), environment),
        "isTerminal" => Function::new(ctx.clone(), is_terminal),
        "windowSize" => Function::new(ctx.clone(), window_size),
        _ => return None,
    })
}

/// Puts the functions on `binding` that few programs need.
pub(crate) fn install_facts<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("facts", Function::new(ctx.clone(), facts)?)?;
    function("usage", Function::new(ctx.clone(), usage)?)?;
    function("heapSizes", Function::new(ctx.clone(), heap_sizes)?)?;
    function("sendSignal", Function::new(ctx.clone(), send_signal)?)?;
    function("streamKind", Function::new(ctx.clone(), stream_kind)?)?;
    function("setRaw", Function::new(ctx.clone(), set_raw)?)?;
    function("realDirectory", Function::new(ctx.clone(), real_directory)?)
}

/// The number that the system gave an error; 0 for none.
pub(crate) fn errno(result: io::Result<()>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) => error.raw_os_error().unwrap_or(EIO),
    }
}

/// `writeStdout(text)`, `writeStderr(text)`: 0, or the number of the error.
fn write_text(ctx: &Ctx<'_>, stream: Stream, text: &Value<'_>) -> Result<i32> {
    write(ctx, &state(ctx), stream, engine::utf8(text)?)
}

/// Writes to a standard stream: 0, or the number of the error.
pub(crate) fn write(ctx: &Ctx<'_>, state: &State, stream: Stream, bytes: Vec<u8>) -> Result<i32> {
    // Some of the engine's functions swallow the end of a program; this is how far it gets.
    if state.exit.get().is_some() {
        return Err(engine::throw_uncatchable(ctx));
    }
    Ok(errno(bridge::with(|context| match String::from_utf8(bytes) {
        Ok(text) => context.write(stream, &text),
        Err(error) => context.write_bytes(stream, error.as_bytes()),
    })))
}

/// `writeBytes(fd, bytes)`: 0, or the number of the error.
fn write_bytes(fd: i32, bytes: TypedArray<'_, u8>) -> i32 {
    let bytes = crate::bytes::copy(&bytes, 0, usize::MAX);
    let stream = if fd == 2 { Stream::Err } else { Stream::Out };
    errno(bridge::with(|context| context.write_bytes(stream, &bytes)))
}

/// `facts()`: an object with numbers of the process, its user and its groups.
fn facts<'js>(ctx: Ctx<'js>) -> Result<Value<'js>> {
    state(&ctx).facts().clone().into_js(&ctx)
}

/// `environment()`: a new object with all variables that the program may read. How its parent reaches it
/// is for the library.
fn environment<'js>(ctx: Ctx<'js>) -> Result<Object<'js>> {
    let env = Object::new(ctx.clone())?;
    let options = &state(&ctx).options;
    for (name, value) in &options.env {
        let is_allowed = match &options.permissions.env {
            Names::All => true,
            Names::Only(names) => {
                let is_ours = name.starts_with("NODE_CHANNEL_") || name == "NODE_UNIQUE_ID";
                is_ours || names.contains(name)
            }
        };
        if is_allowed {
            env.set(name.as_str(), value.as_str())?;
        }
    }
    Ok(env)
}

fn is_terminal(ctx: Ctx<'_>, fd: usize) -> bool {
    state(&ctx).stream_kind(fd) == Some("tty")
}

/// `streamKind(fd)`: what a standard stream is, by Node's name for it.
fn stream_kind(ctx: Ctx<'_>, fd: usize) -> String {
    state(&ctx).stream_kind(fd).unwrap_or("fs").to_owned()
}

/// `setRaw(raw)`: 0, or the number of the error.
fn set_raw(ctx: Ctx<'_>, raw: bool) -> Result<Value<'_>> {
    ask("setRaw", vec![Datum::Bool(raw)]).into_js(&ctx)
}

/// `windowSize(fd)`: `[columns, rows]`, or undefined.
fn window_size(ctx: Ctx<'_>, fd: f64) -> Result<Value<'_>> {
    ask("window", vec![Datum::Number(fd)]).into_js(&ctx)
}

/// `usage()`: the figures of [`Usage`] in its order.
fn usage(ctx: Ctx<'_>) -> Result<Value<'_>> {
    ask("usage", Vec::new()).into_js(&ctx)
}

/// `heapSizes()`: what the engine has taken, what of it is in use, and the size of loaded bytecode.
fn heap_sizes(ctx: Ctx<'_>) -> Result<Value<'_>> {
    let sizes = engine::heap_sizes(&ctx).map(|size| Datum::Number(size as f64));
    ask("heap", sizes.to_vec()).into_js(&ctx)
}

/// `sendSignal(pid, signal)`: 0, or the number of the error.
fn send_signal(ctx: Ctx<'_>, pid: f64, signal: f64) -> Result<Value<'_>> {
    ask("kill", vec![Datum::Number(pid), Datum::Number(signal)]).into_js(&ctx)
}

/// `realDirectory(path)`: the directory's path without links, or the number of the error.
fn real_directory<'js>(ctx: Ctx<'js>, path: String) -> Result<Value<'js>> {
    const ENOTDIR: i32 = 20;
    let disk = &state(&ctx).options.disk;
    let found = disk.canonicalize(Path::new(&path)).and_then(|path| {
        let is_directory = disk.kind(&path)? == crate::modules::Kind::Directory;
        if is_directory { Ok(path) } else { Err(io::Error::from_raw_os_error(ENOTDIR)) }
    });
    match found {
        Ok(path) => Ok(rquickjs::String::from_str(ctx, &path.to_string_lossy())?.into_value()),
        Err(error) => Ok(Value::new_int(ctx, errno(Err(error)))),
    }
}
