//! Which request an invocation serves, for whoever hears the trace.

use hemiola_engine::bridge;
use hemiola_engine::state::state;
use hemiola_machine::Event;
use rquickjs::{Ctx, Function, Result};

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "namesRequests" => Function::new(ctx.clone(), names_requests),
        "nameRequest" => Function::new(ctx.clone(), name_request),
        _ => return None,
    })
}

/// `namesRequests()`: whether somebody wants to know which requests are served.
fn names_requests(ctx: Ctx<'_>) -> bool {
    let state = state(&ctx);
    state.settings.names_requests || state.debug.is_some()
}

/// `nameRequest(method, url)`: the running invocation serves it. What comes after a path belongs to the
/// single request, and not to its kind. Whoever runs it without telling takes as many steps: the call is
/// given back.
fn name_request(ctx: Ctx<'_>, method: String, url: String) {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = format!("{method} {path}");
    state(&ctx).interrupts.uncounted(1, || {
        bridge::with(|context| context.event(Event::Labelled { name }));
    });
}
