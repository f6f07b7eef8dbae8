//! Tasks with a level and a deadline, as `hemiola:tasks` and `scheduler` know them.

use hemiola_engine::Callback;
use hemiola_engine::bridge;
use hemiola_engine::contexts;
use hemiola_engine::raw::OwnedObject;
use hemiola_engine::task;
use hemiola_machine::{Awaited, Delay, Level, Medium, Operation, Quantity, Row, TaskId, Urgency};
use rquickjs::prelude::Opt;
use rquickjs::{Ctx, Exception, Function, Result, Value};

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "queueTask" => Function::new(ctx.clone(), queue),
        "moveTask" => Function::new(ctx.clone(), set_urgency),
        "withdrawTask" => Function::new(ctx.clone(), withdraw),
        "currentLevel" => Function::new(ctx.clone(), level),
        "atLevel" => Function::new(ctx.clone(), at_level),
        "levelOperation" => Function::new(ctx.clone(), level_operation),
        "resourceEstimate" => Function::new(ctx.clone(), resource_estimate),
        _ => return None,
    })
}

fn parse(ctx: &Ctx<'_>, level: &str) -> Result<Level> {
    level.parse().map_err(|error| Exception::throw_type(ctx, &format!("{error}")))
}

/// A level, and a deadline in milliseconds from the logical now, if there is one.
fn urgency(ctx: &Ctx<'_>, level: &str, deadline: Option<f64>) -> Result<Urgency> {
    let level = parse(ctx, level)?;
    let deadline = deadline.map(|millis| {
        let delay = Delay::from_micros((millis * 1_000.0).round() as u64);
        bridge::with(|context| context.logical_now() + delay)
    });
    Ok(Urgency { deadline, ..level.into() })
}

/// `queueTask(callback, level, deadline, continues, site)`: makes a task able to run, and gives the
/// number by which it can be moved and withdrawn. `site` is the function whose time is learned.
fn queue<'js>(
    ctx: Ctx<'js>,
    callback: Function<'js>,
    level: String,
    deadline: Option<f64>,
    continues: bool,
    site: Function<'js>,
) -> Result<f64> {
    let urgency = Urgency { continues, ..urgency(&ctx, &level, deadline)? };
    contexts::use_levels(&ctx);
    let callback = Callback::Task(OwnedObject::of(&callback), task::site_of(&site));
    let task = bridge::with(|context| context.queue_task(urgency, callback));
    let awaited = if continues { Awaited::Continued } else { Awaited::Queued };
    contexts::started((&ctx).into(), || awaited(task));
    Ok(task.0 as f64)
}

/// `moveTask(number, level, deadline)`: false when it does not wait any more.
fn set_urgency(ctx: Ctx<'_>, number: f64, level: String, deadline: Option<f64>) -> Result<bool> {
    let urgency = urgency(&ctx, &level, deadline)?;
    Ok(bridge::with(|context| context.set_urgency(TaskId(number as u64), urgency)))
}

/// `withdrawTask(number)`: false when it does not wait any more.
fn withdraw(number: f64) -> bool {
    bridge::with(|context| context.withdraw(TaskId(number as u64))).is_some()
}

/// `currentLevel()`: the level of what runs.
fn level() -> &'static str {
    bridge::with(|context| context.level()).name()
}

/// `atLevel(level, start)`: calls a function, and gives what it returns; what it starts has that level.
fn at_level<'js>(ctx: Ctx<'js>, level: String, start: Function<'js>) -> Result<Value<'js>> {
    let level = parse(&ctx, &level)?;
    contexts::at_level(&ctx, level, || start.call(()))
}

/// `levelOperation(number, level)`: the level of an operation whose answer is for somebody else than who
/// asked for it.
fn level_operation(ctx: Ctx<'_>, number: f64, level: String) -> Result<()> {
    let level = parse(&ctx, &level)?;
    bridge::with(|context| context.set_operation_level(Operation(number as u64), level));
    Ok(())
}

/// `resourceEstimate(function)`: what callbacks that were written where the function was have taken, or
/// those of the running one without a function: how many there were, then mean and deviation of time in
/// milliseconds, of bytes of network and of disk, first with all that they caused and then without.
/// Undefined where nothing is known.
fn resource_estimate(function: Opt<Function<'_>>) -> Option<Vec<f64>> {
    bridge::with(|context| {
        let machine = context.machine();
        let site = function.0.as_ref().map(task::site_of).or_else(|| machine.running_site());
        let Row { exclusive, inclusive } = machine.account(site?)?;
        if exclusive.count() == 0 {
            return None;
        }
        let mut numbers = vec![exclusive.count() as f64];
        // What it causes may not be over yet, and is no less than what it does itself.
        let inclusive = if inclusive.count() == 0 { exclusive } else { inclusive };
        for tally in [inclusive, exclusive] {
            const NANOS_PER_MS: f64 = 1e6;
            numbers.push(tally.mean(Quantity::Time) / NANOS_PER_MS);
            numbers.push(tally.deviation(Quantity::Time) / NANOS_PER_MS);
            for medium in [Medium::Network, Medium::Disk] {
                let (mean, deviation) = tally.moved(medium);
                numbers.extend([mean, deviation]);
            }
        }
        Some(numbers)
    })
}
