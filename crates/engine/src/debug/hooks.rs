//! The functions that hooks call, and the variables that they are.
#![expect(unsafe_code, reason = "these are called by the engine")]

use super::engine::Layout;
use super::now;
use super::readers::{READERS, Reader};
use super::session::Session;
use super::values;
use crate::beyond;
use crate::call::Call;
use crate::compiled;
use crate::native;
use crate::raw::{self, Native, Owned};
use crate::state::State;
use crate::state::state_of;
use rquickjs::qjs::{self, JSContext, JSValue};
use rquickjs::{Ctx, Function, Result, Value};
use std::ptr::NonNull;
use std::rc::Rc;

/// What declares the variables, and gives functions that read and write the count.
const VARIABLES: &str = "let $step_n = 2147483647, $step_s, $step_t, $step_m;
(s, t, m) => { $step_s = s; $step_t = t; $step_m = m; return [() => $step_n, (n) => { $step_n = n; }]; }";

/// The engine's functions that make errors without throwing them.
const CONSTRUCTORS: &str = "[Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, \
    AggregateError, Error.captureStackTrace]";

/// The function of this file that goes by that name on `binding`; there is none in a run without a
/// debugger.
pub fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    // SAFETY: the context is one of ours, and its host is alive.
    unsafe { state_of(ctx.as_raw().as_ptr()) }.debug.as_ref()?;
    match name {
        "tellUncaught" => Some(
            raw::function(ctx, c"tellUncaught", 1, 0, native!(uncaught))
                .and_then(Function::from_value),
        ),
        "privateFields" => Some(Function::new(ctx.clone(), values::private_fields)),
        _ => None,
    }
}

/// Makes the variables, and asks for the first goal. False when the program is to end before it begins.
pub fn begin(ctx: &Ctx<'_>, state: &State, session: &Rc<Session>) -> Result<bool> {
    now::runs(session);
    let layout = Layout::find(ctx);
    let set: Function<'_> = Function::from_value(compiled::evaluate(
        ctx,
        VARIABLES.to_owned(),
        "hemiola:internal/steps",
    )?)?;
    let native = |length: i32, native: Native| raw::function(ctx, c"", length, 0, native);
    let count: Vec<Value<'_>> = set.call((
        native(2, native!(statement))?,
        native(1, native!(thrown))?,
        native(2, native!(module))?,
    ))?;
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the functions are alive, and given back before the engine ends.
    let count = count.iter().map(|one| unsafe { Owned::new(raw, one.as_raw()) }).collect();
    let constructors: Vec<Value<'_>> = ctx.eval(CONSTRUCTORS)?;
    // SAFETY: only the address is taken.
    let addresses = constructors.iter().map(|one| unsafe { qjs::JS_VALUE_GET_PTR(one.as_raw()) });
    *session.constructors.borrow_mut() = addresses.map(|address| address.addr()).collect();
    let readers: Vec<Vec<Value<'_>>> = ctx.eval(READERS)?;
    let readers = readers.iter().zip(Reader::ALL).flat_map(|(functions, reader)| {
        // SAFETY: as above.
        let address = |one: &Value<'_>| unsafe { qjs::JS_VALUE_GET_PTR(one.as_raw()) };
        functions.iter().map(move |one| (address(one).addr(), reader))
    });
    *session.readers.borrow_mut() = readers.collect();
    let goal = session.begin(raw, count, layout);
    Ok(session.follow(raw, state, goal, None))
}

/// Ends the program if it is to end.
unsafe fn go_on(ctx: *mut JSContext, goes_on: bool, value: JSValue) -> JSValue {
    if goes_on {
        return value;
    }
    // SAFETY: the engine calls with a living context.
    let ctx = unsafe { Ctx::from_raw(NonNull::new_unchecked(ctx)) };
    let _ = beyond::throw_uncatchable(&ctx);
    qjs::JS_EXCEPTION
}

/// `s(number, count)`: a statement is about to begin. Gives what the count is to be.
fn statement(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: the engine calls with a living context of ours and as many arguments as it was told.
    unsafe {
        let state = state_of(ctx);
        let int =
            |value: JSValue| if qjs::JS_IsInt(value) { qjs::JS_VALUE_GET_INT(value) } else { 0 };
        let Some(session) = &state.debug else { return qjs::JS_MKVAL(qjs::JS_TAG_INT, i32::MAX) };
        let (number, given) = (int(*args) as u32, int(*args.add(1)));
        // A `debugger` statement hands the count on, and has no jump.
        let look = || session.statement(ctx, state, number, given);
        let next = state.interrupts.in_hook(given == 0, look);
        let count = qjs::JS_MKVAL(qjs::JS_TAG_INT, next.unwrap_or(i32::MAX));
        go_on(ctx, next.is_some(), count)
    }
}

/// `t(value)`: a value is about to be thrown. Gives it back.
fn thrown(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let state = state_of(ctx);
        let value = *args;
        let goes_on = state.interrupts.uncounted(1, || {
            state.debug.as_ref().is_none_or(|session| session.throws(ctx, state, value))
        });
        let value = if goes_on { qjs::JS_DupValue(ctx, value) } else { value };
        go_on(ctx, goes_on, value)
    }
}

/// `m(number, function)`: a module begins, whose variables the function sees.
fn module(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let state = state_of(ctx);
        state.interrupts.uncounted(1, || ());
        if let Some(session) = &state.debug {
            let number = qjs::JS_VALUE_GET_INT(*args) as u32;
            if let Some(text) = session.text_of(number) {
                *text.module.borrow_mut() = Some(Owned::new(ctx, *args.add(1)));
            }
        }
        qjs::JS_UNDEFINED
    }
}

/// `tellUncaught(value)`: nobody caught what was thrown.
fn uncaught(call: &Call<'_>) -> JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as above.
    unsafe {
        let state = state_of(ctx);
        let session = state.debug.as_ref();
        let goes_on = session.is_none_or(|session| session.uncaught(ctx, state, *args));
        go_on(ctx, goes_on, qjs::JS_UNDEFINED)
    }
}

/// The engine has asked about an error: it throws it, unless one of its constructors is making it. False
/// when the program is to end.
pub fn made(ctx: &Ctx<'_>, state: &State, error: &Value<'_>) -> bool {
    let Some(session) = &state.debug else { return true };
    let raw = ctx.as_raw().as_ptr();
    let Some(layout) = session.layout.get() else { return true };
    if session.standing.get()
        || state.is_over()
        || layout.makes_error(raw, &session.constructors.borrow())
    {
        return true;
    }
    session.throws(raw, state, error.as_raw())
}
