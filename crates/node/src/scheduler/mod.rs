//! The roster of `hemiola:scheduler`, in the terms of the library.
//!
//! Lists, states and answers cross as JSON: they are read once, and kept by the store as they are.

pub mod clocks;
pub(crate) mod tasks;

use crate::state::state;
use hemiola_engine::bridge;
use hemiola_machine::{Event, TaskEntry, TaskFact};
use hemiola_scheduler::cluster::Address;
use hemiola_scheduler::{
    Declaration, Differences, Dst, Ended, Job, List as Tasks, Roster, State, TaskIndex,
};
use rquickjs::convert::List;
use rquickjs::function::{Opt, Rest};
use rquickjs::{Ctx, Exception, Function, Result, Value};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The function of this file that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "taskClockSetBy" => Function::new(ctx.clone(), clock_set_by),
        "setTaskClock" => Function::new(ctx.clone(), set_clock),
        "checkTasks" => Function::new(ctx.clone(), check),
        "registerTasks" => Function::new(ctx.clone(), register),
        "startTask" => Function::new(ctx.clone(), start),
        "taskStarted" => Function::new(ctx.clone(), started),
        "taskWithdrawn" => Function::new(ctx.clone(), withdrawn),
        "taskEnded" => Function::new(ctx.clone(), ended),
        "taskSettled" => Function::new(ctx.clone(), settled),
        "taskFact" => Function::new(ctx.clone(), fact),
        "awaitStore" => Function::new(ctx.clone(), await_store),
        "taskState" => Function::new(ctx.clone(), task_state),
        "taskStatus" => Function::new(ctx.clone(), status),
        "nextWake" => Function::new(ctx.clone(), wake),
        "triggerTask" => Function::new(ctx.clone(), trigger),
        "enqueueTask" => Function::new(ctx.clone(), enqueue),
        "cancelTask" => Function::new(ctx.clone(), cancel),
        "taskJobs" => Function::new(ctx.clone(), jobs),
        "isStoreAddress" => Function::new(ctx.clone(), is_address),
        "readStoreAddress" => Function::new(ctx.clone(), read_address),
        "retryTask" => Function::new(ctx.clone(), retry),
        "pauseTask" => Function::new(ctx.clone(), pause),
        _ => return None,
    })
}

fn bad(ctx: &Ctx<'_>, what: impl std::fmt::Display) -> rquickjs::Error {
    Exception::throw_internal(ctx, &format!("the scheduler cannot read {what}"))
}

/// The tasks of a list: `[{ id, cron, zone, dst, retryDelay, jitter, … }]`.
fn declarations(ctx: &Ctx<'_>, list: &str) -> Result<Vec<Declaration>> {
    serde_json::from_str(list).map_err(|error| bad(ctx, error))
}

/// `checkTasks(list, seconds)`: nothing, or `{ entry, field, reason, message }`; without `seconds` expressions have
/// none, and no nicknames.
fn check(ctx: Ctx<'_>, list: String, seconds: bool) -> Result<Option<String>> {
    let declarations = declarations(&ctx, &list)?;
    let refused = || if seconds { None } else { Tasks::refuse_seconds(&declarations).err() };
    let rejected = refused().or_else(|| Tasks::new(&declarations).err());
    Ok(rejected.map(|why| {
        let (entry, field, reason) = (why.entry, why.field, why.reason.name());
        json!({ "entry": entry, "field": field, "reason": reason, "message": why.message })
            .to_string()
    }))
}

/// Tells whoever listens what happened at an instant; says so only if somebody does.
fn tell(at: f64, what: impl FnOnce() -> TaskFact) {
    bridge::with(|context| {
        if context.listens() {
            context.tell(Event::Task { at: at as i64, what: what() });
        }
    });
}

/// `taskFact(what, at, ...)`: with the number of a call, its list if it is one and how many may run at
/// once, whether the store is to blame, the id of a task, what else happened, or what a database did, as JSON.
fn fact<'js>(ctx: Ctx<'js>, what: String, at: f64, more: Rest<Value<'js>>) -> Result<()> {
    if !bridge::with(|context| context.listens()) {
        return Ok(());
    }
    let number = |index: usize| more.get(index).and_then(Value::as_number);
    let text =
        |index: usize| more.get(index).and_then(Value::as_string).map(|text| text.to_string());
    let call = || number(0).unwrap_or_default() as u32;
    let id = || text(0).transpose().map(Option::unwrap_or_default);
    let what = match what.as_str() {
        "InitStart" => {
            let declared =
                text(1).transpose()?.map(|list| declarations(&ctx, &list)).transpose()?;
            let valid = declared.is_some();
            let entry = |task: Declaration| TaskEntry {
                id: task.id,
                cron: task.cron,
                zone: task.zone,
                once: task.dst == Dst::Once,
                retry_delay: task.retry_delay,
            };
            let list = declared.into_iter().flatten().map(entry).collect();
            let concurrency = number(2).filter(|most| *most < 1e9).map(|most| most as u64);
            TaskFact::InitStart { call: call(), list, valid, concurrency }
        }
        "InitSuccess" => TaskFact::InitSuccess { call: call() },
        "InitFailure" => {
            let by_store = more.get(1).and_then(Value::as_bool).unwrap_or(false);
            TaskFact::InitFailure { call: call(), by_store }
        }
        "StopStart" => TaskFact::StopStart,
        "StopEnd" => TaskFact::StopEnd,
        "StopFailure" => TaskFact::StopFailure,
        "Triggered" => TaskFact::Triggered(id()?),
        "Paused" => TaskFact::Paused(id()?),
        "Resumed" => TaskFact::Resumed(id()?),
        "Supernatural" => TaskFact::Supernatural(id()?),
        "Cluster" => {
            let told = text(1).transpose()?.unwrap_or_default();
            let told = serde_json::from_str(&told).map_err(|error| bad(&ctx, error))?;
            TaskFact::Cluster { name: id()?, told }
        }
        other => return Err(bad(&ctx, other)),
    };
    tell(at, || what);
    Ok(())
}

/// `awaitStore(awaits)`: the scheduler waits for its store, or does no more.
fn await_store(awaits: bool) {
    bridge::with(|context| context.awaits_store(awaits));
}

/// `taskClockSetBy(begins)`: by how many milliseconds somebody has set the clock on the wall since the last time;
/// `begins` says that there was none.
fn clock_set_by(begins: bool) -> f64 {
    let by = bridge::with(|context| context.look_at_wall(begins));
    (by + 500).div_euclid(1000) as f64
}

/// `setTaskClock(now, from)`: somebody has set the clock, which else would show `from`.
fn set_clock(ctx: Ctx<'_>, now: f64, from: f64) {
    tell(now, || TaskFact::ClockSet { from: from as i64 });
    let state = state(&ctx);
    let mut roster = state.run.roster.borrow_mut();
    roster.set_clock(from as i64, now as i64);
    (0..roster.len()).for_each(|task| tell_hold(&roster, TaskIndex(task), now));
}

/// Tells until when a failed task is not tried again, if that is later than the theory expects.
fn tell_hold(roster: &Roster, task: TaskIndex, now: f64) {
    if let Some(until) = roster.held_until(task, now as i64) {
        tell(now, || TaskFact::PutOff { id: roster.id(task).to_owned(), until });
    }
}

/// `registerTasks(list, stored, [concurrency, jobs], now, setBy, store)`: the list takes the place of what the store
/// at that path kept, `[[id, state]]`; since it was given, the clock was set by that much. Gives what differs, and the runs that
/// a crash interrupted.
fn register(
    ctx: Ctx<'_>,
    list: String,
    stored: String,
    limits: Vec<f64>,
    now: f64,
    set_by: f64,
    Opt(store): Opt<Option<String>>,
) -> Result<String> {
    let list = Tasks::new(&declarations(&ctx, &list)?).map_err(|error| bad(&ctx, error))?;
    let rows: Vec<(String, String)> =
        serde_json::from_str(&stored).map_err(|error| bad(&ctx, error))?;
    let mut known = BTreeMap::new();
    let mut tasks = Vec::new();
    for (id, text) in rows {
        let kept: State = serde_json::from_str(&text).map_err(|error| {
            Exception::throw_internal(&ctx, &format!("the state of `{id}`: {error}"))
        })?;
        // The theory knows no jobs.
        if kept.job.is_none() {
            tasks.push((id.clone(), text));
        }
        known.insert(id, kept);
    }
    tell(now - set_by, || TaskFact::Stored { store: store.flatten(), tasks });
    let limit = |at: usize| limits.get(at).copied().filter(|most| *most < 1e9);
    let limit = |at: usize| limit(at).map_or(usize::MAX, |most| most as usize);
    let interrupted: Vec<Json> = known
        .iter()
        .filter(|(_, kept)| kept.running)
        .map(|(id, kept)| {
            let task = kept.job.as_ref().map_or(id, |job| &job.task);
            let job = kept.job.as_ref().map(|_| id);
            json!({
                "task": task, "job": job, "start": kept.claimed, "due": kept.due,
                "attempt": kept.failures.saturating_add(1), "fence": kept.fence,
            })
        })
        .collect();
    let (mut roster, differences) = Roster::new(list, known, limit(0), now as i64, set_by as i64);
    roster.limit_jobs(limit(1));
    (0..roster.len()).for_each(|task| tell_hold(&roster, TaskIndex(task), now));
    *state(&ctx).run.roster.borrow_mut() = roster;
    let Differences { added, removed, changed, orphaned } = differences;
    let changed: Vec<Json> = changed
        .into_iter()
        .map(|(id, before, now)| json!({ "id": id, "before": before, "now": now }))
        .collect();
    Ok(json!({
        "differences": {
            "added": added, "removed": removed, "changed": changed, "orphaned": orphaned,
        },
        "interrupted": interrupted,
    })
    .to_string())
}

/// What `startTask` gives: the number of a task, its id, why it is to start, the due that it is for, which attempt it
/// is, its fence; and of a job, as JSON, what that is.
type Found = List<(usize, String, &'static str, Option<f64>, u32, f64, Option<String>)>;

/// `startTask(now)`: `[task, id, pending, due, attempt, fence, job]` of one that is to start, or nothing.
fn start(ctx: Ctx<'_>, now: f64) -> Option<Found> {
    let state = state(&ctx);
    let mut roster = state.run.roster.borrow_mut();
    let mut put_off = Vec::new();
    let mut jitter = |task: TaskIndex, below: i64| {
        let number = bridge::with(|context| context.random());
        let delay = (number % below.max(1).unsigned_abs()) as i64;
        put_off.push((task, now as i64 + delay));
        delay
    };
    let start = roster.start(now as i64, &mut jitter);
    for (task, until) in put_off {
        tell(now, || TaskFact::PutOff { id: roster.id(task).to_owned(), until });
    }
    let start = start?;
    let job = roster.state(start.task).job.as_ref().map(|job| {
        let parent = roster.parent(start.task).map(|parent| parent.0);
        json!({ "task": job.task, "payload": job.payload, "key": job.key, "parent": parent })
            .to_string()
    });
    let (task, id, pending) = (start.task.0, roster.id(start.task).to_owned(), start.pending);
    let (due, fence) = (start.due.map(|due| due as f64), start.fence as f64);
    Some(List((task, id, pending.name(), due, start.attempt, fence, job)))
}

/// `taskStarted(task, now)`: its start is durable, and its callback is entered next.
fn started(ctx: Ctx<'_>, task: usize, now: f64) {
    let state = state(&ctx);
    let mut roster = state.run.roster.borrow_mut();
    roster.started(TaskIndex(task), now as i64);
    if roster.state(TaskIndex(task)).job.is_none() {
        tell(now, || TaskFact::RunStart(roster.id(TaskIndex(task)).to_owned()));
    }
}

fn withdrawn(ctx: Ctx<'_>, task: usize, now: f64) {
    state(&ctx).run.roster.borrow_mut().withdraw(TaskIndex(task), now as i64);
}

/// `taskEnded(task, now, error)`: without an error it succeeded.
fn ended(ctx: Ctx<'_>, task: usize, now: f64, error: Option<String>) {
    let ended = error.map_or(Ended::Success, Ended::Failure);
    state(&ctx).run.roster.borrow_mut().ended(TaskIndex(task), now as i64, ended);
}

/// `taskSettled(task, end, succeeded)`: its end is durable. Gives `{ retryAt, dead }` of one that failed.
fn settled(ctx: Ctx<'_>, task: usize, end: f64, succeeded: bool) -> Option<String> {
    let state = state(&ctx);
    let mut roster = state.run.roster.borrow_mut();
    let is_job = roster.state(TaskIndex(task)).job.is_some();
    roster.settled(TaskIndex(task), end as i64);
    if !is_job {
        tell(end, || {
            let id = roster.id(TaskIndex(task)).to_owned();
            if succeeded { TaskFact::RunSuccess(id) } else { TaskFact::RunFailure(id) }
        });
        tell_hold(&roster, TaskIndex(task), end);
    }
    if succeeded {
        return None;
    }
    let kept = roster.state(TaskIndex(task));
    Some(json!({ "retryAt": kept.retry_at, "dead": kept.dead.is_some() }).to_string())
}

/// `taskState(task)`: what is to be kept of it; nothing of a job that is done.
fn task_state(ctx: Ctx<'_>, task: usize) -> Option<String> {
    let state = state(&ctx);
    let kept = state.run.roster.borrow().state_after_end(TaskIndex(task))?;
    Some(serde_json::to_string(&kept).expect("a state can be written"))
}

/// `isStoreAddress(store)`: whether it is the address of a database.
fn is_address(store: String) -> bool {
    Address::is_one(&store)
}

/// `readStoreAddress(text, user, password)`: `{ place, options, password, root }`, or `{ error }`; who says nothing of
/// the user is the one that is given.
fn read_address(
    text: String,
    Opt(user): Opt<Option<String>>,
    Opt(password): Opt<Option<String>>,
) -> String {
    let read = Address::read(&text, user.flatten().as_deref(), password.flatten().as_deref());
    let address = match read {
        Ok(address) => address,
        Err(error) => return json!({ "error": error }).to_string(),
    };
    let Address { host, port, user, password, database, sslmode, sslrootcert } = &address;
    let place = match address.socket() {
        Some(path) => json!({ "path": path, "directory": host, "port": port }),
        None => json!({ "host": host, "port": port }),
    };
    let options = json!({
        "user": user, "database": database, "sslmode": sslmode, "label": address.label(),
    });
    json!({ "place": place, "options": options, "password": password, "root": sslrootcert })
        .to_string()
}

/// `enqueueTask(id, at, payload, key, now)`: `{ task, id, added }`, or nothing if there is no such task.
fn enqueue(
    ctx: Ctx<'_>,
    id: String,
    at: f64,
    payload: Option<String>,
    key: Option<String>,
    now: f64,
) -> Option<String> {
    let state = state(&ctx);
    let mut roster = state.run.roster.borrow_mut();
    let (task, added) = roster.enqueue(Job::new(&id, at as i64, payload, key), now as i64)?;
    Some(json!({ "task": task.0, "id": roster.id(task), "added": added }).to_string())
}

/// `cancelTask(id)`: whether it was a job that did not run, and is none now; nothing if there is no such job.
fn cancel(ctx: Ctx<'_>, id: String) -> Option<bool> {
    let state = state(&ctx);
    let mut roster = state.run.roster.borrow_mut();
    let task = roster.find(&id).filter(|task| roster.state(*task).job.is_some())?;
    Some(roster.cancel(task))
}

/// `taskJobs(now)`: how all jobs stand, each with its number.
fn jobs(ctx: Ctx<'_>, now: f64) -> String {
    let state = state(&ctx);
    let roster = state.run.roster.borrow();
    let shown = roster.jobs().filter_map(|task| {
        let mut shown = roster.state(task).job_json(roster.id(task), now as i64)?;
        shown["number"] = task.0.into();
        Some(shown)
    });
    Json::Array(shown.collect()).to_string()
}

/// `taskStatus(now)`: how all tasks stand.
fn status(ctx: Ctx<'_>, now: f64) -> String {
    let state = state(&ctx);
    let roster = state.run.roster.borrow();
    let now = now as i64;
    let tasks: Vec<Json> = (0..roster.len())
        .map(TaskIndex)
        .map(|task| {
            let kept = roster.state(task);
            let last = kept.last.as_ref();
            let (end, error) = match last.and_then(|last| last.end.as_ref()) {
                Some((end, Ended::Success)) => (Some(*end), None),
                Some((end, Ended::Failure(error))) => (Some(*end), Some(error.clone())),
                None => (None, None),
            };
            json!({
                "id": roster.id(task),
                "running": kept.running,
                "paused": kept.paused,
                "pending": roster.pending(task, now).map(|pending| pending.name()),
                "nextDue": roster.next_due(task, now),
                "retryAt": kept.retry_at,
                "failures": kept.failures,
                "dead": kept.dead,
                "lastStart": last.map(|last| last.start),
                "lastEnd": end,
                "lastError": error,
            })
        })
        .collect();
    Json::Array(tasks).to_string()
}

/// `nextWake()`: when `startTask` has to be asked again.
fn wake(ctx: Ctx<'_>) -> Option<f64> {
    state(&ctx).run.roster.borrow().wake().map(|at| at as f64)
}

/// `triggerTask(id, now)`: its number, or nothing if there is no such task.
fn trigger(ctx: Ctx<'_>, id: String, now: f64) -> Option<usize> {
    let state = state(&ctx);
    let mut roster = state.run.roster.borrow_mut();
    let task = roster.find(&id)?;
    roster.trigger(task, now as i64);
    Some(task.0)
}

/// `retryTask(id, now)`: its number, or -1 if there is nothing to try again; nothing if there is no such task.
fn retry(ctx: Ctx<'_>, id: String, now: f64) -> Option<i64> {
    let state = state(&ctx);
    let mut roster = state.run.roster.borrow_mut();
    let task = roster.find(&id)?;
    Some(if roster.retry(task, now as i64) { task.0 as i64 } else { -1 })
}

/// `pauseTask(id, paused, now)`: its number, or nothing if there is no such task.
fn pause(ctx: Ctx<'_>, id: String, paused: bool, now: f64) -> Option<usize> {
    let state = state(&ctx);
    let mut roster = state.run.roster.borrow_mut();
    let task = roster.find(&id)?;
    roster.pause(task, paused, now as i64);
    Some(task.0)
}
