//! Tasks with a level and a deadline, as `hemiola:tasks` and `scheduler` know them.

use hemiola_engine::Callback;
use hemiola_engine::bridge;
use hemiola_engine::contexts;
use hemiola_engine::raw::OwnedObject;
use hemiola_engine::sites;
use hemiola_engine::task;
use hemiola_machine::{Delay, Level, TaskId, Urgency};
use rquickjs::{Ctx, Exception, Function, Result};

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "queueTask" => Function::new(ctx.clone(), queue),
        "moveTask" => Function::new(ctx.clone(), set_urgency),
        "withdrawTask" => Function::new(ctx.clone(), withdraw),
        "currentLevel" => Function::new(ctx.clone(), level),
        _ => return None,
    })
}

/// A level, and a deadline in milliseconds from the logical now, if there is one.
fn urgency(ctx: &Ctx<'_>, level: &str, deadline: Option<f64>) -> Result<Urgency> {
    let level: Level =
        level.parse().map_err(|error| Exception::throw_type(ctx, &format!("{error}")))?;
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
    sites::note_here(&ctx);
    let callback = Callback::Task(OwnedObject::of(&callback), task::site_of(&site));
    let TaskId(number) = bridge::with(|context| context.queue_task(urgency, callback));
    Ok(number as f64)
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
