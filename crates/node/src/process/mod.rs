//! The process that a program runs in, as far as the program can ask about it or change it.

mod about;
pub(crate) mod os;
pub(crate) mod permissions;

pub use about::VERSIONS;
pub(crate) use about::about;

use crate::Options;
use crate::gate::IntoValue;
use crate::state::{State, state};
use hemiola_engine::beyond;
use hemiola_engine::bridge;
use hemiola_gate::files::Stat;
use hemiola_gate::system::errno;
use hemiola_gate::{
    Checked, ChildCall, Datum, FsCall, Grant, Kind, MAIN, Names, Request, Rest, SystemCall,
};
use hemiola_machine::Stream;
use rquickjs::{Ctx, Function, Object, Result, TypedArray, Value};
use std::io;
use std::path::Path;

/// Asks the world about the process, for the library: it sees to what the program may ask.
pub(crate) fn ask(call: SystemCall) -> Datum {
    Checked::free(call).and_then(permissions::ask).unwrap_or(Datum::Undefined)
}

/// Puts on `binding` what the program was called with.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let options = &state(ctx).options;
    binding.set("argv", options.argv.clone())?;
    binding.set("argv0", options.argv0.as_str())?;
    binding.set("execArgv", options.exec_argv.clone())?;
    binding.set("flags", options.flags.clone())?;
    let is_known = |wanted: &str| options.env.iter().any(|(name, _)| name == wanted);
    // These say how its parent reaches it, whether it asks or not.
    OF_PARENT.iter().for_each(|name| note(options, name));
    if is_known("NODE_CHANNEL_FD") && options.member.machine == MAIN {
        binding.set("isForked", true)?;
        if is_known("NODE_UNIQUE_ID") {
            binding.set("clusterWorker", true)?;
        }
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
        "variable" => Function::new(ctx.clone(), variable),
        "noteVariable" => Function::new(ctx.clone(), note_variable),
        "isTerminal" => Function::new(ctx.clone(), is_terminal),
        "windowSize" => Function::new(ctx.clone(), window_size),
        "facts" => Function::new(ctx.clone(), facts),
        "usage" => Function::new(ctx.clone(), usage),
        "heapSizes" => Function::new(ctx.clone(), heap_sizes),
        "heapLimit" => {
            Function::new(ctx.clone(), |ctx: Ctx<'_>| state(&ctx).options.memory_limit as f64)
        }
        "sendSignal" => Function::new(ctx.clone(), send_signal),
        "streamKind" => Function::new(ctx.clone(), stream_kind),
        "setRaw" => Function::new(ctx.clone(), set_raw),
        "realDirectory" => Function::new(ctx.clone(), real_directory),
        _ => return None,
    })
}

/// `writeStdout(text)`, `writeStderr(text)`: 0, or the number of the error.
fn write_text(ctx: &Ctx<'_>, stream: Stream, text: &Value<'_>) -> Result<i32> {
    write(ctx, &state(ctx), stream, beyond::utf8(text)?)
}

/// Writes to a standard stream: 0, or the number of the error.
pub(crate) fn write(ctx: &Ctx<'_>, state: &State, stream: Stream, bytes: Vec<u8>) -> Result<i32> {
    // Some of the engine's functions swallow the end of a program; this is how far it gets.
    if state.engine.run.exit.get().is_some() {
        return Err(beyond::throw_uncatchable(ctx));
    }
    Ok(errno(bridge::with(|context| match String::from_utf8(bytes) {
        Ok(text) => context.write(stream, &text),
        Err(error) => context.write_bytes(stream, error.as_bytes()),
    })))
}

/// `writeBytes(fd, bytes)`: 0, or the number of the error.
fn write_bytes(fd: i32, bytes: TypedArray<'_, u8>) -> i32 {
    let bytes = hemiola_engine::bytes::copy(&bytes, 0, usize::MAX);
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
    for (name, value) in readable(&state(&ctx).options) {
        env.set(name, value)?;
    }
    Ok(env)
}

/// `variable(name)`: the value of a variable, if the program may read it and there is one.
fn variable(ctx: Ctx<'_>, wanted: String) -> Option<String> {
    let state = state(&ctx);
    let mut variables = readable(&state.options);
    variables.rfind(|(name, _)| *name == wanted).map(|(_, value)| value.to_owned())
}

/// The variables that the program may read, with their values.
fn readable(options: &Options) -> impl DoubleEndedIterator<Item = (&str, &str)> {
    let all = options.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    all.filter(|(name, _)| match &options.permissions.env {
        Names::All => true,
        Names::Only(names) => OF_PARENT.contains(name) || names.iter().any(|one| one == name),
    })
}

/// The variables by which a program is reached by whoever started it.
const OF_PARENT: [&str; 3] =
    ["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE", "NODE_UNIQUE_ID"];

/// `noteVariable(name)`: the program reads that variable. The library says it once.
fn note_variable(ctx: Ctx<'_>, name: String) {
    note(&state(&ctx).options, &name);
}

fn note(options: &Options, wanted: &str) {
    let Some(on_variable) = &options.on_variable else { return };
    if let Some(at) = options.env.iter().position(|(name, _)| name == wanted) {
        on_variable(at);
    }
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
    ask(SystemCall::SetRaw { raw }).into_js(&ctx)
}

/// `windowSize(fd)`: `[columns, rows]`, or undefined.
fn window_size(ctx: Ctx<'_>, fd: f64) -> Result<Value<'_>> {
    ask(SystemCall::Window { fd: fd as u64 }).into_js(&ctx)
}

/// `usage()`: the figures of [`Usage`] in its order.
fn usage(ctx: Ctx<'_>) -> Result<Value<'_>> {
    ask(SystemCall::Usage).into_js(&ctx)
}

/// `heapSizes()`: what the engine has taken, what of it is in use, and the size of loaded bytecode.
fn heap_sizes(ctx: Ctx<'_>) -> Result<Value<'_>> {
    let sizes = beyond::heap_sizes(&ctx).map(|size| Datum::Number(size as f64));
    ask(SystemCall::Heap { sizes: Rest(sizes.to_vec()) }).into_js(&ctx)
}

/// `sendSignal(pid, signal)`: 0, or the number of the error.
fn send_signal(ctx: Ctx<'_>, pid: f64, signal: f64) -> Result<Value<'_>> {
    let (pid, signal) = (pid as i32, signal as i32);
    // A child is meant, not its pid, which may be another process's by the time that it is used.
    let child = state(&ctx).run.children.borrow().get(&pid).copied();
    let request = match child {
        Some(child) => ChildCall::Kill { child, signal }.into(),
        None => SystemCall::Kill { pid, signal }.into(),
    };
    let request = permissions::checked(&ctx, request)?;
    match permissions::ask(request) {
        Ok(Datum::Undefined) => Datum::Number(0.0),
        Ok(errno) => errno,
        Err(fault) => Datum::Number(fault.errno.into()),
    }
    .into_js(&ctx)
}

/// Something else than a directory.
const ENOTDIR: i32 = 20;

/// `realDirectory(path)`: the directory's path without links, or the number of the error.
fn real_directory<'js>(ctx: Ctx<'js>, path: String) -> Result<Value<'js>> {
    let state = state(&ctx);
    if state.options.permissions.read != Grant::All {
        return readable_directory(ctx, &path);
    }
    let disk = &state.options.disk;
    let found = disk.canonicalize(Path::new(&path)).and_then(|path| {
        let is_directory = disk.kind(&path.as_path().into())? == Kind::Directory;
        if is_directory { Ok(path) } else { Err(io::Error::from_raw_os_error(ENOTDIR)) }
    });
    match found {
        Ok(path) => Ok(rquickjs::String::from_str(ctx, &path.to_string_lossy())?.into_value()),
        Err(error) => Ok(Value::new_int(ctx, errno(Err(error)))),
    }
}

/// The same for a program that may not read everything: what is looked at is what it may read.
fn readable_directory<'js>(ctx: Ctx<'js>, path: &str) -> Result<Value<'js>> {
    let look = FsCall::Stat { path: Path::new(path).into() };
    let request = permissions::checked(&ctx, look.into())?;
    let place = match request.request() {
        Request::Fs(FsCall::Stat { path }) => resolved(path.at().path),
        other => unreachable!("{} was not asked for", other.name()),
    };
    match permissions::ask(request) {
        Ok(found) if is_directory(&found) => {
            Ok(rquickjs::String::from_str(ctx, &place)?.into_value())
        }
        Ok(_) => Ok(Value::new_int(ctx, ENOTDIR)),
        Err(fault) if &*fault.code == "ERR_ACCESS_DENIED" => permissions::throw(&ctx, fault),
        Err(fault) => Ok(Value::new_int(ctx, fault.errno)),
    }
}

/// Whether that is what is known of a directory.
fn is_directory(found: &Datum) -> bool {
    let Datum::List(numbers) = found else { return false };
    let mode = numbers.get(1).and_then(Datum::as_number).unwrap_or_default();
    mode as u32 & Stat::KIND == Stat::DIRECTORY
}

/// A path without what says that it leads to a directory.
fn resolved(path: &Path) -> String {
    path.components().collect::<std::path::PathBuf>().to_string_lossy().into_owned()
}
