//! What an error says of itself, where the stack may be used up already.

use crate::beyond;
use crate::debug;
use crate::state::state;
use rquickjs::{Ctx, Function, Persistent, Result, Value};

/// How much more of the stack there is for saying where it overflowed.
const OVERFLOW_ROOM: usize = 256 * 1024;

/// A function that calls another where the stack may be used up already. The engine looks at the stack
/// when it calls functions of its own, but not for one of ours.
pub fn with_room<'js>(ctx: Ctx<'js>, function: Function<'js>) -> Result<Function<'js>> {
    // Kept by the host, which gives it back before the engine ends.
    *state(&ctx).registered.describe_error.borrow_mut() = Some(Persistent::save(&ctx, function));
    Function::new(ctx, describe_error)
}

fn describe_error<'js>(ctx: Ctx<'js>, error: Value<'js>, sites: Value<'js>) -> Result<Value<'js>> {
    let state = state(&ctx);
    let limit = state.settings.stack_limit;
    let function = state.registered.describe_error.borrow().clone();
    let function = function.expect("whoever is called here was set").restore(&ctx)?;
    beyond::limit_stack(&ctx, limit + OVERFLOW_ROOM);
    let result = state.interrupts.noting_place(&error, || function.call((error.clone(), sites)));
    beyond::limit_stack(&ctx, limit);
    if !debug::made(&ctx, &state, &error) {
        return Err(beyond::throw_uncatchable(&ctx));
    }
    result
}
