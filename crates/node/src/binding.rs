//! What Rust supplies to the library: the functions of `binding`.

use crate::crypto;
use crate::crypto::certificates;
use crate::crypto::ciphers;
use crate::crypto::curves;
use crate::crypto::keys;
use crate::crypto::numbers;
use crate::flags;
use crate::library;
use crate::options::{Entry, InputType, TimerMeaning};
use crate::process;
use crate::process::os;
use crate::readline::desk;
use crate::state::state;
use crate::zlib;
use hemiola_engine::beyond;
use hemiola_engine::bridge;
use hemiola_engine::bytes;
use hemiola_engine::overflow;
use hemiola_engine::state::Rejection;
use hemiola_engine::values;
use hemiola_gate::MAIN;
use rquickjs::{Array, Ctx, Function, Object, Promise, Result};

/// Puts the run's options on `binding`.
pub fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let options = &state(ctx).options;
    binding.set("zone", options.zone.as_str())?;
    binding.set("strategy", options.strategy.name())?;
    binding.set("beforeTrips", options.before_trips)?;
    binding.set("born", options.born.as_micros() as f64 / 1000.0)?;
    if options.timers == TimerMeaning::Node {
        binding.set("timers", "node")?;
    }
    let entry = Object::new(ctx.clone())?;
    match &options.entry {
        Entry::File(file) => entry.set("file", file.as_str())?,
        Entry::Text { source, name } | Entry::Printed { source, name } => {
            entry.set("text", source.as_str())?;
            entry.set("name", name.as_str())?;
        }
    }
    if matches!(options.entry, Entry::Printed { .. }) {
        entry.set("isPrinted", true)?;
    }
    let input_type = match options.input_type {
        InputType::Detect => "detect",
        InputType::CommonJs => "commonjs",
        InputType::Module => "module",
    };
    entry.set("type", input_type)?;
    if options.member.machine != MAIN {
        entry.set("isWorker", true)?;
    }
    if options.desk.is_some() {
        entry.set("isPrompt", true)?;
    }
    binding.set("entry", entry)
}

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "library" => Function::new(ctx.clone(), library_body),
        "install" => Function::new(ctx.clone(), install_more),
        "libraryNames" => Function::new(ctx.clone(), library::public_names),
        "collectGarbage" => Function::new(ctx.clone(), |ctx: Ctx<'_>| ctx.run_gc()),
        "allowedFlags" => Function::new(ctx.clone(), flags::allowed),
        "unknownFlags" => Function::new(ctx.clone(), |words: Vec<String>| flags::unknown(&words)),
        "switchedFlags" => Function::new(ctx.clone(), |value: Function<'js>| {
            flags::switched(|name| value.call((name,)).ok())
        }),
        "about" => Function::new(ctx.clone(), process::about),
        "now" => Function::new(ctx.clone(), now),
        "knownTime" => Function::new(ctx.clone(), known_time),
        "wallClock" => Function::new(ctx.clone(), wall_clock),
        "random" => Function::new(ctx.clone(), random),
        "exit" => Function::new(ctx.clone(), exit),
        "setExit" => Function::new(ctx.clone(), set_exit),
        "getPromiseDetails" => Function::new(ctx.clone(), promise_details),
        "withRoom" => Function::new(ctx.clone(), overflow::with_room),
        "batchEnded" => Function::new(ctx.clone(), batch_ended),
        "takeRejections" => Function::new(ctx.clone(), take_rejections),
        "pendingRejections" => Function::new(ctx.clone(), pending_rejections),
        "takeCoverage" => Function::new(ctx.clone(), take_coverage),
        "stopCoverage" => Function::new(ctx.clone(), stop_coverage),
        _ => return None,
    })
}

/// `install(part, binding)`: puts the functions on the object that only some programs need.
fn install_more<'js>(ctx: Ctx<'js>, part: String, binding: Object<'js>) -> Result<()> {
    match part.as_str() {
        "bytes" => bytes::install(&ctx, &binding),
        "certificates" => certificates::install(&ctx, &binding),
        "ciphers" => ciphers::install(&ctx, &binding),
        "crypto" => crypto::install(&ctx, &binding),
        "curves" => curves::install(&ctx, &binding),
        "desk" => desk::install(&ctx, &binding),
        "keys" => keys::install(&ctx, &binding),
        "numbers" => numbers::install(&ctx, &binding),
        "os" => os::install(&ctx, &binding),
        "values" => values::install(&ctx, &binding),
        "zlib" => zlib::install(&ctx, &binding),
        _ => unreachable!("the library asks for parts that there are"),
    }
}

/// `library(name)`: the body of a library file, or undefined.
fn library_body<'js>(ctx: Ctx<'js>, name: String) -> Result<Option<Function<'js>>> {
    let body = library::body(&ctx, &name)?;
    state(&ctx).run.loads.borrow_mut().push(name);
    Ok(body)
}

/// `takeCoverage()`: tells what was executed since the last time, if somebody wants to know.
fn take_coverage(ctx: Ctx<'_>) -> Result<()> {
    match &state(&ctx).engine.coverage {
        None => Ok(()),
        Some(coverage) => {
            coverage.tell(&ctx);
            coverage.reset(&ctx)
        }
    }
}

/// `stopCoverage()`: tells no more of what is executed.
fn stop_coverage(ctx: Ctx<'_>) {
    if let Some(coverage) = &state(&ctx).engine.coverage {
        coverage.stop();
    }
}

/// Milliseconds since the start of the program, with fractions.
fn now() -> f64 {
    bridge::with(|context| context.now()).as_micros() as f64 / 1_000.0
}

/// The same as far as it is known without a look at the clock.
fn known_time() -> f64 {
    bridge::with(|context| context.known_time()).as_micros() as f64 / 1_000.0
}

/// Milliseconds since the start of 1970.
fn wall_clock() -> f64 {
    (bridge::with(|context| context.wall_clock()) / 1_000) as f64
}

/// A number from 0 up to, but not including, 1.
fn random() -> f64 {
    let bits = bridge::with(|context| context.random()) >> 11;
    bits as f64 / (1u64 << 53) as f64
}

/// Ends the program: nothing of it runs any more, not even a `finally`.
fn exit(ctx: Ctx<'_>, code: i32) -> Result<()> {
    state(&ctx).engine.run.exit.set(Some(code));
    Err(beyond::throw_uncatchable(&ctx))
}

/// Ends a program that has come to its end by itself.
fn set_exit(ctx: Ctx<'_>, code: i32) {
    state(&ctx).engine.run.exit.set(Some(code));
}

/// `[state, result]` of a promise: 0 pending, 1 fulfilled, 2 rejected.
fn promise_details<'js>(ctx: Ctx<'js>, promise: Promise<'js>) -> Result<Array<'js>> {
    use rquickjs::promise::PromiseState;
    let details = Array::new(ctx.clone())?;
    let state = match promise.state() {
        PromiseState::Pending => 0,
        PromiseState::Resolved => 1,
        PromiseState::Rejected => 2,
    };
    details.set(0, state)?;
    if state > 0 {
        details.set(1, beyond::promise_result(&promise))?;
    }
    Ok(details)
}

/// Tells that the last promise job of a batch has run.
fn batch_ended(ctx: Ctx<'_>) {
    state(&ctx).engine.run.batch_ended.set(true);
}

/// How many promises were rejected since the last time and have no handler yet.
fn pending_rejections(ctx: Ctx<'_>) -> i32 {
    let state = state(&ctx);
    let rejections = state.engine.held.rejections.borrow();
    rejections.iter().map(|one| if one.handled { -1 } else { 1 }).sum()
}

/// What happened to promises without a handler since the last time: a flat array of promise, reason
/// and whether it has a handler by now.
fn take_rejections<'js>(ctx: Ctx<'js>) -> Result<Array<'js>> {
    let taken = Array::new(ctx.clone())?;
    let state = state(&ctx);
    state.engine.run.wants_after_tail.set(false);
    for (at, Rejection { promise, reason, handled }) in
        state.engine.held.rejections.take().into_iter().enumerate()
    {
        taken.set(3 * at, promise.restore(&ctx)?)?;
        taken.set(3 * at + 1, reason.restore(&ctx)?)?;
        taken.set(3 * at + 2, handled)?;
    }
    Ok(taken)
}

#[cfg(test)]
mod tests;
