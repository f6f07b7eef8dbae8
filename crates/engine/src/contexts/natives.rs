//! What the library uses of contexts.

use super::awaited::By;
use super::continuation::make_then;
use super::frames;
use super::hooks::{self, Role};
use super::imports;
use super::record::Parent;
use super::scope::{self, For, Scope};
use super::{
    EVENTS, FRAMES, HOOKS, LABELS, LEVELS, RECORDS, RESOURCES, Record, SITES, WATCHED, details,
    promises, settling,
};
use crate::around;
use crate::bridge;
use crate::call::Call;
use crate::native;
use crate::raw::{self, Owned, OwnedObject};
use crate::state::state_of;
use hemiola_machine::{Event, Invocation, Level};
use rquickjs::prelude::Opt;
use rquickjs::{Array, Ctx, Exception, Function, Result, Value, qjs};
use std::cell::RefCell;
use std::ffi::CStr;
use std::rc::Rc;

/// The function of this part that goes by that name on `binding`.
pub fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    let named = |name: &CStr, length: i32, magic: i32, native: raw::Native| {
        let value = raw::function(ctx, name, length, magic, native)?;
        value.into_function().ok_or(rquickjs::Error::Unknown)
    };
    let plain = |length, magic, native| named(c"", length, magic, native);
    Some(match name {
        "makeThen" => Function::new(ctx.clone(), make_then),
        "useContexts" => Function::new(ctx.clone(), enable),
        "takeScope" => plain(1, 0, native!(take_scope)),
        "takeWeakScope" => plain(1, 1, native!(take_scope)),
        "enterScope" => plain(1, 0, native!(enter_scope)),
        "getFrame" => plain(0, 0, native!(get_frame)),
        "swapFrame" => plain(1, 0, native!(swap_frame)),
        "runWith" => plain(7, 0, native!(frames::run_with)),
        "setSlowStore" => plain(1, 0, native!(frames::set_slow_store)),
        "getStore" => named(c"getStore", 0, 0, native!(frames::get_store)),
        "hearRepeats" => plain(1, 0, native!(settling::hear)),
        "noteImport" => plain(1, 0, native!(imports::note)),
        "promiseFrame" => plain(1, 0, native!(promise_frame)),
        "getResource" => plain(0, 0, native!(get_resource)),
        "swapResource" => plain(1, 0, native!(swap_resource)),
        "adoptResource" => plain(1, 1, native!(swap_resource)),
        "getTask" => plain(0, 0, native!(get_task)),
        "swapTask" => plain(1, 0, native!(swap_task)),
        "isJob" => Function::new(ctx.clone(), is_job),
        "setHooks" => Function::new(ctx.clone(), hooks::set),
        "aimHook" => Function::new(ctx.clone(), hooks::aim),
        "awaitTold" => Function::new(ctx.clone(), hooks::await_told),
        "hearEnds" => Function::new(ctx.clone(), hooks::hear_ends),
        "watchEnd" => Function::new(ctx.clone(), hooks::watch_end),
        "takeGone" => Function::new(ctx.clone(), hooks::take_gone),
        "stamp" => Function::new(ctx.clone(), hooks::stamp),
        "calledOn" => Function::new(ctx.clone(), called_on),
        "isResumed" => Function::new(ctx.clone(), |ctx| around::is_resumed(&ctx)),
        "hasAsyncId" => Function::new(ctx.clone(), hooks::is_known),
        "usesFrames" => Function::new(ctx.clone(), uses_frames),
        "captureScope" => Function::new(ctx.clone(), capture),
        "runWithin" => Function::new(ctx.clone(), within),
        "currentInvocation" => Function::new(ctx.clone(), current),
        "chain" => Function::new(ctx.clone(), chain),
        "setLocate" => Function::new(ctx.clone(), set_locate),
        "labelInvocation" => Function::new(ctx.clone(), label),
        "beginRequest" => Function::new(ctx.clone(), begin_request),
        _ => return None,
    })
}

/// `useContexts(what, on)`: that something is in use from now on, or not any more; gives whether it was
/// before.
fn enable(ctx: Ctx<'_>, what: String, on: bool) -> Result<bool> {
    let flag = match what.as_str() {
        "frames" => FRAMES,
        "records" => RECORDS,
        "hooks" => HOOKS,
        "labels" => LABELS,
        "levels" => LEVELS,
        "resources" => RESOURCES,
        "sites" => SITES | RECORDS,
        _ => return Err(Exception::throw_type(&ctx, "no such use of contexts")),
    };
    // SAFETY: the context is alive, and one of ours.
    Ok(unsafe { switch(&ctx, flag, on) })
}

/// Notes that tasks have levels from now on.
pub fn use_levels(ctx: &Ctx<'_>) {
    // SAFETY: as in `enable`.
    unsafe {
        if !state_of(ctx.as_raw().as_ptr()).contexts.has(LEVELS) {
            switch(ctx, LEVELS, true);
        }
    }
}

/// Calls a function; what it starts has that level (rule PRIO-2).
pub fn at_level<T>(ctx: &Ctx<'_>, level: Level, run: impl FnOnce() -> T) -> T {
    use_levels(ctx);
    // A scope that was taken before has another level.
    let forget = || {
        // SAFETY: as in `enable`.
        let last = unsafe { state_of(ctx.as_raw().as_ptr()) }.contexts.last.take();
        drop(last);
    };
    forget();
    let before = bridge::with(|context| {
        let before = context.standing();
        context.set_level(level);
        before
    });
    let result = run();
    forget();
    bridge::with(|context| context.set_standing(before));
    result
}

/// Notes that somebody listens to the trace.
pub fn listen(ctx: &Ctx<'_>) {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: as in `enable`.
    unsafe {
        if details::wanted(raw) {
            state_of(raw).contexts.details.want();
        }
        switch(ctx, EVENTS, true);
    }
}

/// Notes that something bounds how long callbacks run; whether that is new.
pub fn watch(ctx: &Ctx<'_>) -> bool {
    // SAFETY: as in `enable`.
    unsafe {
        let is_new = state_of(ctx.as_raw().as_ptr()).interrupts.watch();
        if is_new {
            switch(ctx, WATCHED, true);
        }
        is_new
    }
}

unsafe fn switch(ctx: &Ctx<'_>, flag: u32, on: bool) -> bool {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the caller's.
    unsafe {
        let contexts = &state_of(raw).contexts;
        let before = contexts.registered.uses.get();
        let after = if on { before | flag } else { before & !flag };
        if after & RECORDS != 0 && before & RECORDS == 0 {
            let invocation = bridge::with(|context| context.invocation());
            let record = Record::orphan(invocation, Invocation::MAIN, Invocation::MAIN);
            contexts.origin.replace(Some(Rc::clone(&record)));
            contexts.unrecorded.take();
            contexts.record.replace(Some(record));
        }
        contexts.set_uses(raw, after);
        let is_debugged = state_of(raw).debug.is_some();
        promises::listen(
            raw,
            is_debugged || details::awaits(raw) || after & (FRAMES | HOOKS | LEVELS) != 0,
        );
        contexts.stand_in(raw);
        if after & LEVELS != 0 && before & LEVELS == 0 {
            contexts.waits.begin(ctx);
        }
        if before & super::CAUSES == 0 && after & super::CAUSES != 0 && raw::is_job_pending(ctx) {
            // Whoever queued what waits by now, nobody knows.
            let invocation = bridge::with(|context| context.invocation());
            contexts.mark(ctx, || invocation);
        }
        before & flag != 0
    }
}

/// `takeScope(value)`: for a continuation that is attached now; undefined where there is nothing to
/// keep. `value` is what is awaited.
fn take_scope(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, count, args, magic: weak, .. } = *call;
    // SAFETY: the engine passes a living context, and an argument, since the function has a parameter.
    unsafe {
        let contexts = &state_of(ctx).contexts;
        let whose = if weak == 0 { For::Continuation } else { For::Generator };
        let awaited = std::slice::from_raw_parts(args, usize::from(count > 0));
        if contexts.has(LEVELS)
            && let [value] = *awaited
        {
            contexts.attached_to(ctx, value, By::Await);
        }
        if weak == 0 && contexts.has(HOOKS) {
            let (promise, resource) = match contexts.await_init(ctx, awaited.first().copied()) {
                Ok(made) => made,
                Err(exception) => return exception,
            };
            let object = scope::take_for(ctx, whose, promise);
            if let Some(scope) = Scope::of(contexts, object) {
                scope.belongs_to(ctx, resource, Role::Await);
            }
            qjs::JS_FreeValue(ctx, resource);
            qjs::JS_FreeValue(ctx, promise);
            return object;
        }
        if let [value] = *awaited {
            return scope::take_for(ctx, whose, value);
        }
        scope::take(ctx, whose, None)
    }
}

/// `enterScope(scope)`: its continuation runs.
fn enter_scope(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as in `take_scope`.
    unsafe { scope::enter(ctx, *args) };
    qjs::JS_UNDEFINED
}

/// `getFrame()`: the values of the context; undefined at the root.
fn get_frame(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, .. } = *call;
    // SAFETY: the engine passes a living context; the reference that is given back is a new one.
    unsafe { kept(ctx, &state_of(ctx).contexts.frame) }
}

/// `swapFrame(frame)`: sets the values of the context and gives those before.
fn swap_frame(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as in `take_scope` and `get_frame`.
    unsafe {
        let before = get_frame(call);
        state_of(ctx).contexts.set_frame(owned(ctx, *args));
        before
    }
}

/// `promiseFrame(promise)`: the values of the context in which a promise was made that was rejected.
fn promise_frame(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as in `take_scope`.
    unsafe {
        if !qjs::JS_IsPromise(*args) {
            return qjs::JS_UNDEFINED;
        }
        state_of(ctx).contexts.promises.frame_of(ctx, *args)
    }
}

/// `getResource()`: what the running callback belongs to, for hooks.
fn get_resource(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, .. } = *call;
    // SAFETY: as in `get_frame`.
    unsafe { kept(ctx, &state_of(ctx).contexts.resource) }
}

/// `swapResource(resource)`: sets it and gives the one before. `adoptResource(resource)` does that for
/// good: hooks are told when the running callback is over.
fn swap_resource(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, args, magic, .. } = *call;
    // SAFETY: as in `swap_frame`.
    unsafe {
        let before = get_resource(call);
        let contexts = &state_of(ctx).contexts;
        let old = contexts.resource.replace(owned(ctx, *args));
        drop(old);
        if magic == 1 {
            contexts.entered.set(Some(Role::Other));
        }
        before
    }
}

/// `getTask()`: what the task was posted with that runs; undefined if none does.
fn get_task(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, .. } = *call;
    // SAFETY: as in `get_frame`.
    unsafe { kept(ctx, &state_of(ctx).contexts.task) }
}

/// `swapTask(task)`: sets it and gives the one before.
fn swap_task(call: &Call<'_>) -> qjs::JSValue {
    let Call { ctx, args, .. } = *call;
    // SAFETY: as in `swap_frame`.
    unsafe {
        let before = get_task(call);
        let contexts = &state_of(ctx).contexts;
        // A scope that was taken before has another task.
        contexts.last.take();
        let old = contexts.task.replace(owned(ctx, *args));
        drop(old);
        before
    }
}

/// What is kept there, as a new reference; undefined if nothing is.
///
/// # Safety
///
/// The context must be alive, and what is kept its own.
unsafe fn kept(ctx: *mut qjs::JSContext, place: &RefCell<Option<Owned>>) -> qjs::JSValue {
    let value = place.borrow();
    // SAFETY: the caller says so.
    value
        .as_ref()
        .map_or(qjs::JS_UNDEFINED, |value| unsafe { qjs::JS_DupValue(ctx, value.as_raw()) })
}

/// A new reference to a value, if there is one.
///
/// # Safety
///
/// The value belongs to the context.
unsafe fn owned(ctx: *mut qjs::JSContext, value: qjs::JSValue) -> Option<Owned> {
    // SAFETY: the caller's.
    unsafe { (!qjs::JS_IsUndefined(value)).then(|| Owned::new(ctx, value)) }
}

/// `calledOn()`: the handle of the timer or immediate whose callback runs; undefined for other callbacks.
fn called_on(ctx: Ctx<'_>) -> Result<Value<'_>> {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the handle is alive as long as the call.
    unsafe {
        let handle = state_of(raw).run.called_on.handle((&ctx).into())?;
        raw::take(&ctx, qjs::JS_DupValue(raw, handle))
    }
}

/// `isJob()`: whether a promise job runs.
fn is_job(ctx: Ctx<'_>) -> bool {
    crate::state::state(&ctx).run.in_job.get()
}

/// `usesFrames()`: whether values follow links.
fn uses_frames(ctx: Ctx<'_>) -> bool {
    crate::state::state(&ctx).contexts.has(FRAMES)
}

/// `setLocate(locate)`: the function that gives the place of the call that attaches a callback.
fn set_locate<'js>(ctx: Ctx<'js>, locate: Function<'js>) {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the function belongs to the context, which is one of ours.
    unsafe {
        let mut library = state_of(raw).contexts.registered.library.borrow_mut();
        let library = library.as_mut().expect("the library is there before its parts");
        library.locate = Some(OwnedObject::new(raw, locate.as_raw()));
    }
}

/// `captureScope(moment)`: the running invocation as what attaches something, or makes it able to run;
/// or, if `moment` is true, only as what runs.
fn capture<'js>(ctx: Ctx<'js>, moment: Opt<bool>) -> Result<Value<'js>> {
    let whose = if moment.0 == Some(true) { For::Moment } else { For::Callback };
    // SAFETY: the context is alive, and a callback runs in it.
    unsafe {
        let scope = scope::make(ctx.as_raw().as_ptr(), whose, None);
        raw::take(&ctx, scope)
    }
}

/// `runWithin(link, cause, callback)`: calls it as an invocation of its own within the running one,
/// with the context that `link` was captured in (rule CTX-5).
fn within<'js>(
    ctx: Ctx<'js>,
    link: Value<'js>,
    cause: Value<'js>,
    callback: Function<'js>,
) -> Result<Value<'js>> {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the context is alive, and the values are; nothing of the engine runs while the scopes
    // are borrowed.
    unsafe {
        let contexts = &state_of(raw).contexts;
        let no_scope = || Exception::throw_type(&ctx, "this is no scope");
        let caused = Scope::of(contexts, cause.as_raw()).ok_or_else(no_scope)?;
        let (cause, cause_record) = (caused.link, caused.record.clone());
        let linked = Scope::of(contexts, link.as_raw()).ok_or_else(no_scope)?;
        contexts.mark(&ctx, || bridge::with(|context| context.invocation()));
        let (outer, standing) = bridge::with(|context| {
            let standing = context.standing();
            context.link_to(linked.standing);
            (context.enter(linked.link, cause), standing)
        });
        if let Some(debug) = &state_of(raw).debug {
            debug.began(bridge::with(|context| context.invocation().0));
        }
        let before = (contexts.frame.take(), contexts.record());
        contexts.last.take();
        if contexts.has(RECORDS) {
            let invocation = bridge::with(|context| context.invocation());
            let origin = || contexts.origin.borrow().clone();
            let link = linked.record.clone().or_else(origin);
            let record = Record::new(invocation, link, cause_record.or_else(origin));
            record.site.borrow_mut().clone_from(&linked.site);
            contexts.record.replace(Some(record));
        }
        contexts.set_frame(owned(raw, linked.frame));
        state_of(raw).begin_account();
        let result = callback.call(());
        contexts.mark(&ctx, || bridge::with(|context| context.invocation()));
        state_of(raw).tell_account();
        contexts.set_frame(before.0);
        contexts.record.replace(before.1);
        bridge::with(|context| {
            context.leave(outer);
            context.set_standing(standing);
        });
        result
    }
}

/// `beginRequest(isFirst)`: with the running invocation a request of a connection begins, perhaps its first.
fn begin_request(ctx: Ctx<'_>, is_first: bool) {
    if let Some(record) = crate::state::state(&ctx).contexts.record() {
        record.begin_request(is_first);
    }
}

/// `currentInvocation()`: its number.
fn current() -> f64 {
    bridge::with(|context| context.invocation()).0 as f64
}

/// `labelInvocation(label)`: names the running invocation.
fn label(ctx: Ctx<'_>, label: String) {
    let state = crate::state::state(&ctx);
    bridge::with(|context| {
        if context.listens() {
            context.event(Event::Labelled { name: label.clone() });
        }
    });
    if let Some(record) = state.contexts.record() {
        record.label.replace(Some(label));
    }
}

/// `chain(causes, limit, from)`: the running invocation and those before it, each as
/// `[index, label, site]`, along links or along causes; of a promise that was rejected from the one in which
/// that happened, of a scope from the one in which it was captured.
fn chain<'js>(
    ctx: Ctx<'js>,
    causes: bool,
    limit: f64,
    from: Opt<Value<'js>>,
) -> Result<Array<'js>> {
    let chain = Array::new(ctx.clone())?;
    let state = crate::state::state(&ctx);
    let contexts = &state.contexts;
    let known = from.0.and_then(|from| {
        // SAFETY: the value is alive, and nothing of the engine runs while the scope is borrowed.
        let scope = unsafe { Scope::of(contexts, from.as_raw()) };
        scope.map_or_else(|| contexts.promises.rejected_in(&from), |scope| scope.record.clone())
    });
    let record = known.or_else(|| contexts.record());
    let mut at = record.map(Parent::Known);
    let mut count = 0;
    while let Some(parent) = at
        && (count as f64) < limit
    {
        let entry = Array::new(ctx.clone())?;
        entry.set(0, parent.invocation().0 as f64)?;
        at = match &parent {
            Parent::Number(_) => None,
            Parent::Known(record) => {
                entry.set(1, record.label.borrow().as_deref())?;
                entry.set(2, record.site.borrow().as_deref())?;
                if causes { record.cause() } else { record.link() }
            }
        };
        chain.set(count, entry)?;
        count += 1;
    }
    Ok(chain)
}
