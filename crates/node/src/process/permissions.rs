//! Permissions as the library asks about them.

use crate::gate::IntoValue;
use crate::state::state;
use hemiola_engine::bridge;
use hemiola_gate::{
    Answer, Checked, ChildCall, Datum, Fault, Names, Need, Permissions, Request, Scope,
};
use rquickjs::function::Opt;
use rquickjs::{Array, Ctx, Function, Object, Persistent, Result, Value};

/// Asks the world at once, without asking whether the program may.
pub(crate) fn ask(request: Checked) -> Answer {
    bridge::with(|context| context.perform(request))
}

/// The request, if the program may make it; throws the fault if not.
pub(crate) fn checked(ctx: &Ctx<'_>, request: Request) -> Result<Checked> {
    let state = state(ctx);
    if is_restricted(ctx.clone()) {
        for need in request.needs() {
            match need {
                Need::Process(_) => {
                    if let Some(pid) = state.pid() {
                        state.run.known.borrow_mut().note_pid(pid);
                    }
                }
                Need::Program(_) => state.run.known.borrow_mut().note_start(&state.options.cwd),
                _ => {}
            }
        }
    }
    let known = state.run.known.borrow();
    let checked = state.options.permissions.check(&known, request, &mut ask);
    checked.or_else(|fault| throw(ctx, fault))
}

/// Throws what the library makes an error of.
pub(crate) fn throw<T>(ctx: &Ctx<'_>, fault: Fault) -> Result<T> {
    let fault = fault.into_js(ctx)?;
    Err(ctx.throw(fault))
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "isRestricted" => Function::new(ctx.clone(), is_restricted),
        "permits" => Function::new(ctx.clone(), permits),
        "refusal" => Function::new(ctx.clone(), refusal),
        _ => return None,
    })
}

/// `isRestricted()`: whether anything is not allowed.
fn is_restricted(ctx: Ctx<'_>) -> bool {
    state(&ctx).options.permissions != Permissions::default()
}

/// `permits(scope, reference)`: whether something may be done; without a reference, whether all of it may.
fn permits(ctx: Ctx<'_>, name: String, reference: Opt<Option<String>>) -> bool {
    let state = state(&ctx);
    let Some(scope) = Scope::named(&name) else { return false };
    let reference = reference.0.flatten();
    let (permissions, cwd) = (&state.options.permissions, &state.options.cwd);
    permissions.permits(scope, reference.as_deref(), cwd, &mut ask)
}

/// `refusal(scope, resource)`: what a call that is not allowed fails with: the name of the permission and
/// the message.
fn refusal(name: String, resource: String) -> Vec<String> {
    let fault = Scope::named(&name).unwrap_or(Scope::Env).refused(resource.as_bytes());
    vec![fault.syscall.into(), fault.message.into()]
}

/// A callback that notes, before it calls the other, which addresses an allowed name has: connections are
/// made to addresses. Where everything is allowed it is the other itself.
pub(crate) fn remember_names<'js>(
    ctx: &Ctx<'js>,
    name: &str,
    callback: Function<'js>,
) -> Result<Function<'js>> {
    if state(ctx).options.permissions.net == Names::All {
        return Ok(callback);
    }
    let name = name.to_owned();
    let callback = Persistent::save(ctx, callback);
    let noting = move |ctx: Ctx<'js>, fault: Value<'js>, found: Opt<Value<'js>>| {
        if let Some(list) = found.0.as_ref().and_then(Value::as_array) {
            note(&ctx, &name, list);
        }
        let callback = callback.clone().restore(&ctx)?;
        callback.call::<_, ()>((fault, found.0))
    };
    Function::new(ctx.clone(), noting)
}

fn note(ctx: &Ctx<'_>, name: &str, list: &Array<'_>) {
    let state = state(ctx);
    let mut known = state.run.known.borrow_mut();
    for entry in list.iter::<Object<'_>>().flatten() {
        if let Ok(address) = entry.get::<_, String>("address") {
            known.note_address(name, address);
        }
    }
}

/// A program that may not signal every process may signal its own children: notes which these are. Gives what
/// was answered.
pub(crate) fn remember_children(
    ctx: &Ctx<'_>,
    request: Checked,
    perform: impl FnOnce(Checked) -> Answer,
) -> Answer {
    let state = state(ctx);
    if state.options.permissions.run == Names::All {
        return perform(request);
    }
    let children = &state.run.children;
    match request.request() {
        Request::Child(ChildCall::Spawn { .. }) => {
            let started = perform(request)?;
            let number = |name: &str| started.field(name).and_then(Datum::as_number);
            if let (Some(pid), Some(id)) = (number("pid"), number("id")) {
                children.borrow_mut().insert(pid as i32, id as u64);
            }
            Ok(started)
        }
        &Request::Child(ChildCall::Forget { child }) => {
            children.borrow_mut().retain(|_, id| *id != child);
            perform(request)
        }
        _ => perform(request),
    }
}
