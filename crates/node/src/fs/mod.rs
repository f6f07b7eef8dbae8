//! Whole files, read by a path from the root as bytes or as UTF-8: what programs ask for most often, without a list
//! of arguments or a function of the library for each.

use crate::gate::{self, IntoValue};
use crate::process::permissions;
use crate::state::state;
use hemiola_engine::beyond;
use hemiola_engine::bytes;
use hemiola_engine::call::{Call, Fresh};
use hemiola_engine::raw::{self, OwnedObject};
use hemiola_engine::task;
use hemiola_engine::{Callback, Reader, Reading, native};
use hemiola_gate::{Answer, Checked, Datum, FileRef, FsCall, Trailing};
use rquickjs::{Ctx, Function, IntoJs, Result, Value};
use std::ffi::CStr;

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    let (name, native): (&CStr, raw::Native) = match name {
        "readFileForCallback" => (c"readFileForCallback", native!(read)),
        "readFileForPromise" => (c"readFileForPromise", native!(read_for_promise)),
        "readFileSync" => (c"readFileSync", native!(read_at_once)),
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
    let site = state(&ctx).engine.ranks().then(|| callback.to_function(&ctx)).transpose()?;
    let site = site.map(|function| task::site_of(&function));
    let reader = reader(call, Reading::Callback(callback));
    let resource = reader.resource();
    gate::ask(&ctx, request, resource, Callback::File(Box::new(reader)), site, weight)?;
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
        Ok(read) => content(&ctx, read, is_text(call)),
        Err(fault) => permissions::throw(&ctx, fault),
    }
}

fn is_text(call: &Call<'_>) -> bool {
    call.at(1).truth() == Some(true)
}

fn reader(call: &Call<'_>, then: Reading) -> Reader {
    Reader { then, is_text: is_text(call), given: call.kept(3) }
}

/// The request, and how many bytes go with it; nothing for what is no path from the root.
fn request(ctx: &Ctx<'_>, call: &Call<'_>) -> Result<Option<(Checked, usize)>> {
    let path = call.at(0);
    let path = match path.ascii() {
        Some(text) => text.to_vec(),
        None if path.is_string() => beyond::utf8(&call.arg(0))?,
        None => return Ok(None),
    };
    if path.first() != Some(&b'/') || memchr::memchr(0, &path).is_some() {
        return Ok(None);
    }
    let weight = path.len();
    let path = String::from_utf8(path).expect("the engine's texts are made whole");
    // As Node opens it: to read only.
    let flags = Trailing(Some(0));
    let request = FsCall::ReadFile { file: FileRef::Path(path.into()), flags };
    Ok(Some((permissions::checked(ctx, request.into())?, weight)))
}

/// What was read, as the program gets it.
fn content<'js>(ctx: &Ctx<'js>, read: Datum, is_text: bool) -> Result<Value<'js>> {
    let bytes = match read {
        Datum::Bytes(bytes) => bytes,
        Datum::Held(held) => held.release(),
        other => return other.into_js(ctx),
    };
    if is_text { String::from_utf8_lossy(&bytes).into_js(ctx) } else { bytes::buffer(ctx, bytes) }
}

/// Gives who waits for a file what was read, or the error.
pub fn answered<'js>(ctx: &Ctx<'js>, reader: &Reader, answer: Answer) -> Result<()> {
    let Reader { then, is_text, given } = reader;
    let undefined = || Value::new_undefined(ctx.clone());
    let result = match answer {
        Ok(read) => Ok(content(ctx, read, *is_text)?),
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
        (Reading::Callback(callback), Ok(value)) => {
            callback.to_function(ctx)?.call((rquickjs::Null, value))
        }
        (Reading::Callback(callback), Err(error)) => callback.to_function(ctx)?.call((error,)),
        (Reading::Promise([_, resolve, _]), Ok(value)) => resolve.to_function(ctx)?.call((value,)),
        (Reading::Promise([_, _, reject]), Err(error)) => reject.to_function(ctx)?.call((error,)),
    }
}
