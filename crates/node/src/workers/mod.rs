//! Workers: machines of their own that exchange messages with the one that began the run.
//!
//! [`Hub`] is what they share; a world gives the requests for it to it. What programs see is in
//! `lib/worker_threads.js`.

use crate::flags;
use crate::options::{Entry, InputType, Options};
use crate::state::state;
use hemiola_engine::{bytes, plain, shared};
use hemiola_gate::{Datum, Hub, Member, Start};
use rquickjs::{Ctx, Exception, Function, Object, Result, TypedArray, Value};
use std::sync::Arc;

/// The exit code by which a worker tells its parent that it ran out of memory.
pub const OUT_OF_MEMORY: i32 = i32::MIN;

/// How much stack a worker has, in bytes, if its parent does not say: as in Node.
const STACK: usize = 4 * 1024 * 1024;

/// With less than this an engine does not start.
const LEAST_STACK: usize = 256 * 1024;

impl Options {
    /// What a worker runs with: as its parent, except where the start says otherwise.
    #[must_use]
    pub fn worker(&self, start: &Start, hub: Arc<Hub>) -> Self {
        let field = |name: &str| match &start.record {
            Datum::Record(fields) => fields.iter().find(|(one, _)| one == name).map(|(_, it)| it),
            _ => None,
        };
        let text = |name: &str| match field(name) {
            Some(Datum::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let texts = |name: &str| match field(name) {
            Some(Datum::List(items)) => {
                Some(items.iter().filter_map(Datum::as_text).map(str::to_owned).collect())
            }
            _ => None,
        };
        // An environment of the worker's own may have flags, and so may its parent have given it some.
        let (inherited, own) = self.flags.split_at(self.flags_of_variable.min(self.flags.len()));
        let normal = |words: Vec<String>| flags::normal(&words);
        let mut flags = texts("nodeOptions").map_or_else(|| inherited.to_vec(), normal);
        let flags_of_variable = flags.len();
        flags.extend(texts("execArgv").map_or_else(|| own.to_vec(), normal));
        let size = |name: &str| field(name).and_then(Datum::as_number).map(|size| size as usize);
        let entry = match (text("file"), text("text")) {
            (Some(file), _) => Entry::File(file),
            (None, source) => {
                let source = source.unwrap_or_default();
                Entry::Text { source, name: "[worker eval]".into() }
            }
        };
        let env = match field("env") {
            Some(Datum::Record(fields)) => {
                let pair = |(name, value): &(String, Datum)| {
                    Some((name.clone(), value.as_text()?.to_owned()))
                };
                Arc::new(fields.iter().filter_map(pair).collect())
            }
            _ => Arc::clone(&self.env),
        };
        Self {
            argv: texts("argv").unwrap_or_else(|| self.argv.clone()),
            flags,
            flags_of_variable,
            exec_argv: texts("execArgv").unwrap_or_else(|| self.exec_argv.clone()),
            cwd: text("cwd").unwrap_or_else(|| self.cwd.clone()),
            env,
            // What a worker reads it does not read again when the run is replayed.
            on_variable: None,
            desk: None,
            memory_limit: size("memory").unwrap_or(self.memory_limit),
            stack_limit: size("stack").unwrap_or(STACK).max(LEAST_STACK),
            stop: start.stop.clone(),
            entry,
            input_type: if field("module").is_some() {
                InputType::Module
            } else {
                InputType::Detect
            },
            member: Member { hub, machine: start.machine, port: start.port },
            ..self.clone()
        }
    }
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "workerInfo" => Function::new(ctx.clone(), info),
        "shareMemory" => Function::new(ctx.clone(), share),
        "sharedMemory" => Function::new(ctx.clone(), shared),
        "writePlain" => Function::new(ctx.clone(), write_plain),
        "readPlain" => Function::new(ctx.clone(), read_plain),
        _ => return None,
    })
}

/// `workerInfo()`: `{ thread, port }` of this machine.
fn info(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let state = state(&ctx);
    let info = Object::new(ctx.clone())?;
    info.set("thread", state.options.member.machine as f64)?;
    info.set("port", state.options.member.port as f64)?;
    Ok(info)
}

/// `writePlain(value)`: the bytes of a value as `internal/wire` writes it; undefined if it is not plain.
fn write_plain<'js>(ctx: Ctx<'js>, value: Value<'js>) -> Result<Option<TypedArray<'js, u8>>> {
    plain::write(&value)?.map(|written| bytes::array(&ctx, written)).transpose()
}

/// `readPlain(bytes, none)`: the value of such bytes; `none` if there is more in them.
fn read_plain<'js>(
    ctx: Ctx<'js>,
    written: TypedArray<'js, u8>,
    none: Value<'js>,
) -> Result<Value<'js>> {
    let written = bytes::copy(&written, 0, usize::MAX);
    Ok(plain::read(&ctx, &written)?.unwrap_or(none))
}

/// `shareMemory(buffer)`: the number by which other machines find the memory of a shared buffer.
fn share(ctx: Ctx<'_>, buffer: Value<'_>) -> Result<f64> {
    let memory = shared::behind(&buffer)
        .ok_or_else(|| Exception::throw_type(&ctx, "this is no SharedArrayBuffer"))?;
    let member = &state(&ctx).options.member;
    Ok(member.hub.share(member.machine, memory) as f64)
}

/// `sharedMemory(number, length, most)`: a shared buffer over memory that came with a message.
fn shared<'js>(ctx: Ctx<'js>, number: f64, length: f64, most: f64) -> Result<Value<'js>> {
    let state = state(&ctx);
    let member = &state.options.member;
    let memory = member.hub.claim(member.machine, number as u64);
    let memory = memory.and_then(shared::of_engines);
    let memory = memory.ok_or_else(|| Exception::throw_type(&ctx, "this memory is gone"))?;
    shared::buffer(&ctx, &memory, length as usize, most as usize)
}
