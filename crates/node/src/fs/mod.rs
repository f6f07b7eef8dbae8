//! Calls about a path from the root: whole files, read as bytes or as UTF-8, and what else programs ask for most often.
//! They do without a list of arguments or a function of the library for each.

use crate::gate::{self, IntoValue};
use crate::process::permissions;
use crate::state::state;
use hemiola_engine::beyond;
use hemiola_engine::bytes;
use hemiola_engine::call::{Arg, Call, Fresh};
use hemiola_engine::raw::{self, OwnedObject};
use hemiola_engine::task;
use hemiola_engine::{Callback, Content, Reader, Reading, native};
use hemiola_gate::{Answer, Checked, Datum, FileRef, FsCall, Request, Trailing};
use rquickjs::{Ctx, Function, IntoJs, Result, Value};
use std::ffi::CStr;

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    let (name, native): (&CStr, raw::Native) = match name {
        "readFileForCallback" => (c"readFileForCallback", native!(read)),
        "readFileForPromise" => (c"readFileForPromise", native!(read_for_promise)),
        "readFileSync" => (c"readFileSync", native!(read_at_once)),
        "requestOnPath" => (c"requestOnPath", native!(request_on_path)),
        _ => return None,
    };
    let function = raw::function(ctx, name, 4, 0, native);
    Some(function.and_then(Function::from_value))
}

/// `readFileForCallback(path, isText, callback, given)`: reads a file for a callback, which is called with the error, or with
/// null and what was read. False if the path does not begin at the root, or is none; `given` is what the program
/// has called it, if it was something else. Throws the fault if the program may not read it.
fn read<'js>(call: &Call<'js>) -> Result<Fresh> {
    let (ctx, callback) = (call.ctx(), call.function(2));
    let (Some((request, weight)), Some(callback)) = (request(&ctx, call)?, callback) else {
        return Ok(false.into());
    };
    ask(&ctx, request, weight, callback, |then| reader(call, then))
}

/// `requestOnPath(kind, make, callback, path, more...)`: asks for something about a path, with the numbers, truth values and
/// texts that go with it, up to one that is undefined; of texts the bytes are sent. `make` makes of the answer what the callback is called with, if it is
/// to be told more than that there was no error. False if the path does not begin at the root, or is none. Throws the fault if
/// the program may not ask that.
fn request_on_path<'js>(call: &Call<'js>) -> Result<Fresh> {
    let (ctx, callback) = (call.ctx(), call.function(2));
    let kind = call.at(0).ascii().and_then(|kind| std::str::from_utf8(kind).ok());
    let (Some(kind), Some(callback), Some(path)) = (kind, callback, path(call, 3)?) else {
        return Ok(false.into());
    };
    let mut arguments = vec![Datum::Text(path)];
    for at in 4..4 + call.rest(4).len() {
        let more = call.at(at);
        arguments.push(match (more.number(), more.truth()) {
            (Some(number), _) => Datum::Number(number),
            (None, Some(truth)) => Datum::Bool(truth),
            (None, None) if more.is_string() => Datum::Bytes(text(call, at)?),
            (None, None) => break,
        });
    }
    let weight = arguments.iter().map(Datum::weight).sum();
    let request = match Request::from_wire(kind, arguments) {
        Ok(request) => permissions::checked(&ctx, request)?,
        Err(fault) => return permissions::throw(&ctx, fault),
    };
    let content = call.function(1).map_or(Content::Nothing, Content::Made);
    ask(&ctx, request, weight, callback, |then| Reader { then, content, given: None })
}

/// Asks the world for something that a callback gets the answer to.
fn ask(
    ctx: &Ctx<'_>,
    request: Checked,
    weight: usize,
    callback: OwnedObject,
    reader: impl FnOnce(Reading) -> Reader,
) -> Result<Fresh> {
    let site = state(ctx).engine.ranks().then(|| callback.to_function(ctx)).transpose()?;
    let site = site.map(|function| task::site_of(&function));
    let reader = reader(Reading::Callback(callback));
    let resource = reader.resource();
    gate::ask(ctx, request, resource, Callback::File(Box::new(reader)), site, weight)?;
    Ok(true.into())
}

/// `readFileForPromise(path, isText, nothing, given)`: the same for a promise, which it gives; nothing if the path
/// does not begin at the root, or is none.
fn read_for_promise<'js>(call: &Call<'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let Some((request, weight)) = request(&ctx, call)? else {
        return Ok(Value::new_undefined(ctx));
    };
    let (promise, resolve, reject) = ctx.promise()?;
    let promise = promise.into_value();
    let kept = promise.as_object().map(OwnedObject::of).expect("a promise is an object");
    let settled = [kept, OwnedObject::of(&resolve), OwnedObject::of(&reject)];
    let reader = reader(call, Reading::Promise(settled));
    let resource = reader.resource();
    gate::ask(&ctx, request, resource, Callback::File(Box::new(reader)), None, weight)?;
    Ok(promise)
}

/// `readFileSync(path, isText)`: the same at once: what was read. Throws the fault if that fails.
fn read_at_once<'js>(call: &Call<'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let Some((request, _)) = request(&ctx, call)? else {
        return Ok(Value::new_undefined(ctx));
    };
    match state(&ctx).engine.perform_counted(request) {
        Ok(read) => content(&ctx, read, &wanted(call)),
        Err(fault) => permissions::throw(&ctx, fault),
    }
}

/// What a file is to be read as.
fn wanted(call: &Call<'_>) -> Content {
    if call.at(1).truth() == Some(true) { Content::Text } else { Content::Bytes }
}

fn reader(call: &Call<'_>, then: Reading) -> Reader {
    Reader { then, content: wanted(call), given: call.kept(3) }
}

/// The bytes of an argument that is a string.
fn text(call: &Call<'_>, at: usize) -> Result<Vec<u8>> {
    call.at(at).ascii().map_or_else(|| beyond::utf8(&call.arg(at)), |text| Ok(text.to_vec()))
}

/// A path from the root among the arguments; nothing for what is none.
fn path(call: &Call<'_>, at: usize) -> Result<Option<String>> {
    if !call.at(at).is_string() {
        return Ok(None);
    }
    let path = text(call, at)?;
    if path.first() != Some(&b'/') || memchr::memchr(0, &path).is_some() {
        return Ok(None);
    }
    Ok(Some(String::from_utf8(path).expect("the engine's texts are made whole")))
}

/// The request to read a file, and how many bytes go with it; nothing for what is no path from the root.
fn request(ctx: &Ctx<'_>, call: &Call<'_>) -> Result<Option<(Checked, usize)>> {
    let Some(path) = path(call, 0)? else { return Ok(None) };
    let weight = path.len();
    // As Node opens it: to read only.
    let flags = Trailing(Some(0));
    let request = FsCall::ReadFile { file: FileRef::Path(path.into()), flags };
    Ok(Some((permissions::checked(ctx, request.into())?, weight)))
}

/// What the world said, as the program gets it.
fn content<'js>(ctx: &Ctx<'js>, said: Datum, wanted: &Content) -> Result<Value<'js>> {
    match (wanted, said) {
        (Content::Nothing, _) => Ok(Value::new_undefined(ctx.clone())),
        (Content::Made(make), said) => make.to_function(ctx)?.call((said.into_js(ctx)?,)),
        (wanted @ (Content::Bytes | Content::Text), said) => {
            let bytes = match said {
                Datum::Bytes(bytes) => bytes,
                Datum::Held(held) => held.release(),
                other => return other.into_js(ctx),
            };
            match wanted {
                Content::Text => String::from_utf8_lossy(&bytes).into_js(ctx),
                _ => bytes::buffer(ctx, bytes),
            }
        }
    }
}

/// Gives who waits for a call about a path what the world said, or the error.
pub fn answered<'js>(ctx: &Ctx<'js>, reader: &Reader, answer: Answer) -> Result<()> {
    let Reader { then, content: wanted, given } = reader;
    let undefined = || Value::new_undefined(ctx.clone());
    let result = match answer {
        Ok(said) => Ok(content(ctx, said, wanted)?),
        Err(fault) => {
            let library = state(ctx).engine.library(ctx, "internal/fs/gate")?;
            let failed = library.get::<_, Function<'js>>("failed")?;
            let given = given.as_ref().map_or_else(undefined, |given| given.to_value(ctx));
            let promise = match then {
                Reading::Callback(_) => undefined(),
                Reading::Promise([promise, ..]) => promise.to_value(ctx),
            };
            Err(failed.call::<_, Value<'js>>((fault.into_js(ctx)?, given, promise))?)
        }
    };
    match (then, result) {
        (Reading::Callback(callback), Ok(_)) if matches!(wanted, Content::Nothing) => {
            callback.call(ctx, &[Arg::NULL])
        }
        (Reading::Callback(callback), Ok(value)) => {
            callback.call(ctx, &[Arg::NULL, Arg::of(&value)])
        }
        (Reading::Promise([_, resolve, _]), Ok(value)) => resolve.call(ctx, &[Arg::of(&value)]),
        (Reading::Callback(then) | Reading::Promise([_, _, then]), Err(error)) => {
            then.call(ctx, &[Arg::of(&error)])
        }
    }
}
