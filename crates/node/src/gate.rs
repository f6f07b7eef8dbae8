//! The gate as the library reaches it: its values as values of the engine, and the functions that ask.

use crate::process::permissions;
use crate::state;
use hemiola_engine::Callback;
use hemiola_engine::beyond;
use hemiola_engine::bridge;
use hemiola_engine::bytes;
use hemiola_engine::contexts;
use hemiola_engine::raw::OwnedObject;
use hemiola_engine::shapes;
use hemiola_engine::task;
use hemiola_gate::files::Errno;
use hemiola_gate::{Answer, Checked, Datum, Fault, FileRef, FsCall, NamesCall, Request, Resource};
use hemiola_machine::{Awaited, Class, Group, Operation, Site, Stream};
use rquickjs::object::Property;
use rquickjs::prelude::Opt;
use rquickjs::{
    Array, Ctx, Exception, Function, IntoAtom, IntoJs, Object, Persistent, Result, TypedArray,
    Value,
};

/// Values of the gate, for the engine.
pub(crate) trait IntoValue {
    fn into_js<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>>;
}

impl IntoValue for Fault {
    fn into_js<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let fault = Object::new(ctx.clone())?;
        put(&fault, "code", &*self.code)?;
        put(&fault, "message", &*self.message)?;
        put(&fault, "errno", -self.errno)?;
        put(&fault, "syscall", &*self.syscall)?;
        for (name, path) in [("path", self.path), ("dest", self.dest)] {
            if let Some(path) = path {
                put(&fault, name, String::from_utf8_lossy(&path).into_owned())?;
            }
        }
        Ok(fault.into_value())
    }
}

impl IntoValue for Datum {
    fn into_js<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        match self {
            Self::Undefined => Ok(Value::new_undefined(ctx.clone())),
            Self::Null => Ok(Value::new_null(ctx.clone())),
            Self::Bool(flag) => Ok(Value::new_bool(ctx.clone(), flag)),
            Self::Number(number) => Ok(Value::new_number(ctx.clone(), number)),
            Self::Text(text) => text.into_js(ctx),
            Self::Bytes(bytes) => bytes::buffer(ctx, bytes),
            Self::Held(held) => bytes::buffer(ctx, held.release()),
            Self::List(items) => {
                let list = Array::new(ctx.clone())?;
                for (at, item) in items.into_iter().enumerate() {
                    put(&list, at as u32, item.into_js(ctx)?)?;
                }
                Ok(list.into_value())
            }
            Self::Record(fields) => {
                let record = Object::new(ctx.clone())?;
                for (name, value) in fields {
                    put(&record, name, value.into_js(ctx)?)?;
                }
                Ok(record.into_value())
            }
        }
    }
}

/// Gives an object that was just made a property. To set it would call a setter that the program gave to
/// all objects, and what was answered would be what the program says.
fn put<'js>(object: &Object<'js>, key: impl IntoAtom<'js>, value: impl IntoJs<'js>) -> Result<()> {
    object.prop(key, Property::from(value).configurable().enumerable().writable())
}

/// A value of the engine, for the gate.
fn datum(ctx: &Ctx<'_>, value: &Value<'_>) -> Result<Datum> {
    if value.is_undefined() {
        return Ok(Datum::Undefined);
    }
    if value.is_null() {
        return Ok(Datum::Null);
    }
    if let Some(flag) = value.as_bool() {
        return Ok(Datum::Bool(flag));
    }
    if let Some(number) = value.as_number() {
        return Ok(Datum::Number(number));
    }
    if let Some(text) = value.as_string() {
        // A lone surrogate, which no text of ours can hold, becomes the character that stands for it.
        let text = String::from_utf8(beyond::utf8(text.as_value())?);
        return Ok(Datum::Text(text.expect("the engine's texts are made whole")));
    }
    if let Some(list) = value.as_array() {
        let items = list.iter::<Value<'_>>().map(|item| datum(ctx, &item?));
        return items.collect::<Result<_>>().map(Datum::List);
    }
    let Some(object) = value.as_object() else {
        return Err(Exception::throw_type(ctx, "this value cannot leave the program"));
    };
    if let Ok(array) = TypedArray::<u8>::from_object(object.clone()) {
        return Ok(Datum::Bytes(bytes::copy(&array, 0, usize::MAX)));
    }
    let fields = object.props::<String, Value<'_>>();
    let fields = fields.map(|field| {
        let (name, value) = field?;
        Ok((name, datum(ctx, &value)?))
    });
    fields.collect::<Result<_>>().map(Datum::Record)
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "request" => Function::new(ctx.clone(), request),
        "perform" => Function::new(ctx.clone(), perform),
        "referOperation" => Function::new(ctx.clone(), refer),
        "giveUpOperation" => Function::new(ctx.clone(), give_up),
        "activeRequests" => Function::new(ctx.clone(), active_requests),
        "activeTimers" => Function::new(ctx.clone(), active_timers),
        "setBufferPrototype" => Function::new(ctx.clone(), set_buffer_prototype),
        "queueClose" => Function::new(ctx.clone(), queue_close),
        _ => return None,
    })
}

/// `request(kind, arguments, callback)`: asks the world; `callback(fault, value)` runs when it has
/// answered, `fault` being null or an object with the fields of [`Fault`]. Gives the number of the
/// operation, or throws such an object if the program may not ask that. A fourth argument says that the
/// program waits for it with a promise, a fifth is the function of the program's that will be called: what
/// that costs is learned for where it was written.
fn request<'js>(
    ctx: Ctx<'js>,
    kind: String,
    arguments: Value<'js>,
    callback: Function<'js>,
    by_promise: Opt<bool>,
    site: Opt<Function<'js>>,
) -> Result<f64> {
    let (mut request, weight) = allowed(&ctx, &kind, &arguments)?;
    if let Some(Ok(written)) = write_to_stream(request.request()) {
        let taken = Checked::free(FsCall::Written { count: written as f64 });
        request = taken.or_else(|fault| permissions::throw(&ctx, fault))?;
    }
    let callback = match request.request() {
        Request::Names(NamesCall::Lookup { name, .. }) => {
            permissions::remember_names(&ctx, name, callback)?
        }
        _ => callback,
    };
    let engine = &state::state(&ctx).engine;
    let resource = match request.request().resource() {
        Resource::File if by_promise.0 == Some(true) => Resource::FilePromise,
        resource => resource,
    };
    let callback = Callback::Answered(OwnedObject::of(&callback), resource);
    let site = site.0.filter(|_| engine.ranks()).map(|function| task::site_of(&function));
    let operation = ask(&ctx, request, resource, callback, site, weight)?;
    Ok(operation.0 as f64)
}

/// Asks the world for what the program may ask, and of which so many bytes are: the callback gets the answer.
/// `site` is where the function of the program's was written that it calls, if callbacks are ranked.
pub(crate) fn ask(
    ctx: &Ctx<'_>,
    request: Checked,
    resource: Resource,
    mut callback: Callback,
    site: Option<Site>,
    weight: usize,
) -> Result<Operation> {
    let engine = &state::state(ctx).engine;
    if let Some(site) = site {
        callback = Callback::For(site, Box::new(callback));
    }
    if weight >= HEAVY {
        callback = Callback::Holding(bytes::held(ctx, weight)?, Box::new(callback));
    }
    let callback = engine.count_request(request.request(), callback);
    let medium = engine.medium_of(request.request());
    let callback = contexts::bind(ctx.into(), resource.name(), callback);
    let operation = bridge::with(|context| {
        context.request_on(medium, Class::Io, Group::default(), request, callback)
    });
    contexts::started(ctx.into(), || Awaited::Operation(operation));
    Ok(operation)
}

/// `perform(kind, arguments)`: asks the world and waits for its answer. Throws an object with the
/// fields of [`Fault`] when it fails.
fn perform<'js>(ctx: Ctx<'js>, kind: String, arguments: Value<'js>) -> Result<Value<'js>> {
    let (request, _) = allowed(&ctx, &kind, &arguments)?;
    let answer = match write_to_stream(request.request()) {
        Some(written) => written.map(|count| Datum::Number(count as f64)),
        None => permissions::remember_children(&ctx, request, |request| {
            state::state(&ctx).engine.perform_counted(request)
        }),
    };
    match answer {
        Ok(value) => value.into_js(&ctx),
        Err(fault) => {
            let fault = fault.into_js(&ctx)?;
            Err(ctx.throw(fault))
        }
    }
}

/// From how many bytes on what goes with an operation is counted until it is over.
const HEAVY: usize = 16 * 1024;

/// The request, if there is such a one and the program may make it, and how many bytes go with it; throws the
/// fault if not.
fn allowed<'js>(ctx: &Ctx<'js>, kind: &str, arguments: &Value<'js>) -> Result<(Checked, usize)> {
    let arguments = match datum(ctx, arguments)? {
        Datum::List(arguments) => arguments,
        one => vec![one],
    };
    let weight = arguments.iter().map(Datum::weight).sum();
    match Request::from_wire(kind, arguments) {
        Ok(request) => Ok((permissions::checked(ctx, request)?, weight)),
        Err(fault) => permissions::throw(ctx, fault),
    }
}

/// Writes what is meant for standard output or error the way everything else gets there, so that it
/// keeps its place and is in the trace: how much was. Nothing, if the request is for something else.
fn write_to_stream(request: &Request) -> Option<std::result::Result<usize, Fault>> {
    let (fd, bytes) = match request {
        Request::Fs(FsCall::Write { fd, bytes, .. }) => (*fd, bytes),
        Request::Fs(FsCall::WriteFile { file: FileRef::Descriptor(fd), bytes, .. }) => (*fd, bytes),
        _ => return None,
    };
    let stream = match fd {
        1 => Stream::Out,
        2 => Stream::Err,
        _ => return None,
    };
    let written = bridge::with(|context| context.write_bytes(stream, bytes));
    Some(match written {
        Ok(()) => Ok(bytes.len()),
        Err(error) => Err(Fault::system(Errno::from(error).0, "write")),
    })
}

/// `referOperation(number, referenced)`: whether it keeps the program alive.
fn refer(number: f64, referenced: bool) {
    bridge::with(|context| context.refer(Operation(number as u64), referenced));
}

/// `giveUpOperation(number)`: its callback will not run.
fn give_up(number: f64) {
    bridge::with(|context| context.give_up(Operation(number as u64)));
}

/// `activeRequests()`: what operations under way are that keep the program alive, by Node's names.
fn active_requests() -> Vec<&'static str> {
    bridge::with(|context| {
        let names = context.machine().referenced().filter_map(Callback::active);
        names.collect()
    })
}

/// `activeTimers()`: how many timers and how many immediates keep the program alive. A timer counts as long as
/// its callback runs.
fn active_timers() -> Vec<f64> {
    bridge::with(|context| {
        let machine = context.machine();
        let immediates = machine.ready(Class::Immediate).iter();
        let immediates = immediates.filter_map(|ready| ready.callback.active());
        vec![machine.referenced_timers() as f64, immediates.count() as f64]
    })
}

/// `queueClose(callback)`: runs it where the ends of resources are told.
fn queue_close<'js>(ctx: Ctx<'js>, callback: Function<'js>) {
    let callback = Callback::Message(OwnedObject::of(&callback), true);
    let callback = contexts::bind((&ctx).into(), c"CLOSE", callback);
    bridge::with(|context| context.queue(Class::Close, Group::default(), callback));
}

/// `setBufferPrototype(prototype)`: what bytes that come in through the gate inherit from.
fn set_buffer_prototype<'js>(ctx: Ctx<'js>, prototype: Object<'js>) -> Result<()> {
    let engine = &state::state(&ctx).engine;
    engine.keep_shape(&shapes::like(prototype.as_value())?);
    *engine.registered.buffer_prototype.borrow_mut() = Some(Persistent::save(&ctx, prototype));
    Ok(())
}

/// Calls back with an answer.
pub fn answer<'js>(ctx: &Ctx<'js>, callback: &Function<'js>, answer: Answer) -> Result<()> {
    match answer {
        Ok(value) => callback.call((rquickjs::Null, value.into_js(ctx)?)),
        Err(fault) => callback.call((fault.into_js(ctx)?,)),
    }
}
