//! What a promise's continuation keeps of the context that it was linked from.
//!
//! The engine runs promise jobs without telling where they come from. `internal/context` therefore
//! takes a [`Hold`] when a continuation is attached, and enters it when the continuation runs.
#![expect(unsafe_code, reason = "a type that the engine keeps must say that it holds no lifetime")]

use crate::bridge;
use crate::host::{State, state};
use hemiola_machine::DomainId;
use rquickjs::class::{JsClass, Readable, Trace, Tracer};
use rquickjs::function::Constructor;
use rquickjs::{Class, Ctx, Function, JsLifetime, Result};
use std::cell::Cell;
use std::rc::Rc;

/// Keeps a domain alive for a continuation that is outstanding (rule TIME-11), and lets the
/// continuation count for that domain.
pub(crate) struct Hold {
    state: Rc<State>,
    domain: DomainId,
    /// Whether the domain lives for it.
    keeps: bool,
    /// In which job it was taken: a continuation that never left its job was never suspended.
    taken_in: u64,
    /// In which job the continuation ran last.
    entered_in: Cell<u64>,
}

// SAFETY: it holds no value of the engine.
unsafe impl JsLifetime<'_> for Hold {
    type Changed<'to> = Hold;
}

impl<'js> Trace<'js> for Hold {
    fn trace<'a>(&self, _: Tracer<'a, 'js>) {}
}

impl<'js> JsClass<'js> for Hold {
    const NAME: &'static str = "Hold";
    type Mutable = Readable;

    fn constructor(_: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // The engine may free it at any moment: the host hands it to the machine later.
        if self.keeps {
            self.state.dropped_holds.borrow_mut().push(self.domain);
        }
    }
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "takeHold" => Function::new(ctx.clone(), take),
        "takeWeakHold" => Function::new(ctx.clone(), take_weak),
        "enterHold" => Function::new(ctx.clone(), enter),
        _ => return None,
    })
}

/// `takeHold()`: for a continuation that is attached now; undefined outside of labelled clocks.
pub(crate) fn take<'js>(ctx: Ctx<'js>) -> Result<Option<Class<'js, Hold>>> {
    token(ctx, bridge::with(|context| context.hold()), true)
}

/// `takeWeakHold()`: for a generator that yields now. Who consumes it decides whether it goes on, and
/// holds what it needs; so the domain does not live for this.
fn take_weak<'js>(ctx: Ctx<'js>) -> Result<Option<Class<'js, Hold>>> {
    token(ctx, bridge::with(|context| context.domain()), false)
}

fn token<'js>(
    ctx: Ctx<'js>,
    domain: Option<DomainId>,
    keeps: bool,
) -> Result<Option<Class<'js, Hold>>> {
    let Some(domain) = domain else { return Ok(None) };
    let state = state(&ctx);
    let taken_in = state.job.get();
    let hold = Hold { state, domain, keeps, taken_in, entered_in: Cell::new(taken_in) };
    Class::instance(ctx, hold).map(Some)
}

/// `enterHold(hold)`: the continuation runs, and counts for the domain it was linked from. A second
/// time in the same job it does nothing.
pub(crate) fn enter(hold: Class<'_, Hold>) {
    let hold = hold.borrow();
    let job = hold.state.job.get();
    if job != hold.taken_in && hold.entered_in.replace(job) != job {
        hold.state.entered.set(true);
        bridge::with(|context| context.count_for(Some(hold.domain)));
    }
}
