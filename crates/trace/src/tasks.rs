//! What a scheduler of declared tasks did, and how that is written.

use crate::cluster::Told;
use crate::entry::TaskEntry;
use crate::object::{Object, put};
use serde::Serialize;
use serde_json::{Map, Value};

/// What a scheduler did. What has to be durable is told once it is: the success of a call, the start of a
/// task just before its callback is entered, and its end (rule SCHED-4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskFact {
    /// `initialize` was called.
    InitStart {
        /// The number of the call in this process.
        call: u32,
        /// Its tasks; none if its entries are no tasks.
        list: Vec<TaskEntry>,
        /// Whether its entries have the form of tasks.
        valid: bool,
        /// How many tasks may run at once; nothing if all may.
        concurrency: Option<u64>,
    },
    /// The store was opened.
    Stored {
        /// Its path; without one nothing outlives the call of `stop`.
        store: Option<String>,
        /// The ids that it knows, each with its state as the store keeps it.
        tasks: Vec<(String, String)>,
    },
    /// The call gave the list into force, at the instant at which it was taken.
    InitSuccess {
        /// Which call.
        call: u32,
    },
    /// The call failed.
    InitFailure {
        /// Which call.
        call: u32,
        /// Whether it was the store that failed.
        by_store: bool,
    },
    /// `stop` was called.
    StopStart,
    /// It ended.
    StopEnd,
    /// It gave up: an end of a task cannot be made durable.
    StopFailure,
    /// The callback of a task is entered.
    RunStart(String),
    /// It returned.
    RunSuccess(String),
    /// It threw, or took too long.
    RunFailure(String),
    /// Somebody asked for a run beside the schedule.
    Triggered(String),
    /// A task starts nothing by itself any more.
    Paused(String),
    /// It does again.
    Resumed(String),
    /// A due start is put off by chance.
    PutOff {
        /// Of which task.
        id: String,
        /// Until then, in milliseconds since 1970.
        until: i64,
    },
    /// The scheduler could have computed at every millisecond up to that of the fact: the loop turned, or it
    /// waited and had nothing to do (rule SCHED-9).
    Compute {
        /// From then on, in milliseconds since 1970.
        since: i64,
    },
    /// Somebody has set the clock on the wall (rule SCHED-8). The fact has the instant that the clock shows now.
    ClockSet {
        /// What it would show else, in milliseconds since 1970.
        from: i64,
    },
    /// Something happened that no theory of schedulers knows of, such as a store that fails.
    Supernatural(String),
    /// The database of several nodes did something, at an instant by its clock (rule CLUS-7).
    Cluster {
        /// Which scheduler of the database.
        name: String,
        /// What it did.
        told: Box<Told>,
    },
}

impl TaskFact {
    /// The word for it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::InitStart { .. } => "InitStart",
            Self::Stored { .. } => "Stored",
            Self::InitSuccess { .. } => "InitSuccess",
            Self::InitFailure { .. } => "InitFailure",
            Self::StopStart => "StopStart",
            Self::StopEnd => "StopEnd",
            Self::StopFailure => "StopFailure",
            Self::RunStart(_) => "RunStart",
            Self::RunSuccess(_) => "RunSuccess",
            Self::RunFailure(_) => "RunFailure",
            Self::Triggered(_) => "Triggered",
            Self::Paused(_) => "Paused",
            Self::Resumed(_) => "Resumed",
            Self::PutOff { .. } => "PutOff",
            Self::Compute { .. } => "Compute",
            Self::ClockSet { .. } => "ClockSet",
            Self::Supernatural(_) => "Supernatural",
            Self::Cluster { .. } => "Cluster",
        }
    }

    /// It in a few words, as `RunStart backup`.
    pub fn describe(&self) -> String {
        let name = self.name();
        match self {
            Self::InitStart { call, list, .. } => {
                let ids: Vec<&str> = list.iter().map(|task| task.id.as_str()).collect();
                format!("{name} {call} [{}]", ids.join(", ").escape_debug())
            }
            Self::InitFailure { call, by_store: true } => format!("{name} {call} by the store"),
            Self::InitSuccess { call } | Self::InitFailure { call, .. } => format!("{name} {call}"),
            Self::Stored { store: Some(store), tasks } => {
                format!("{name} {} ({} tasks)", store.escape_debug(), tasks.len())
            }
            Self::Stored { .. }
            | Self::StopStart
            | Self::StopEnd
            | Self::StopFailure
            | Self::Compute { .. }
            | Self::ClockSet { .. } => name.to_owned(),
            Self::RunStart(id)
            | Self::RunSuccess(id)
            | Self::RunFailure(id)
            | Self::Triggered(id)
            | Self::Paused(id)
            | Self::Resumed(id)
            | Self::PutOff { id, .. } => format!("{name} {}", id.escape_debug()),
            Self::Supernatural(kind) => format!("{name} {}", kind.escape_debug()),
            Self::Cluster { name: cluster, told } => {
                format!("{name} {}: {} {}", cluster.escape_debug(), told.n, told.what.describe())
            }
        }
    }
}

/// Instants of the wall clock are written in microseconds, as all times of a trace.
const MICROS: i64 = 1000;

/// Appends a fact at an instant in milliseconds since 1970 to the object of its event.
pub(crate) fn write(object: &mut impl Object, at: i64, what: &TaskFact) {
    put!(object, "wall": at.saturating_mul(MICROS), "what": what.name());
    match what {
        TaskFact::InitStart { call, list, valid, concurrency } => {
            let tasks: Vec<_> = list.iter().map(Entry::from).collect();
            put!(object, "call": call, "tasks": tasks, "valid": valid);
            if let Some(concurrency) = concurrency {
                put!(object, "concurrency": concurrency);
            }
        }
        TaskFact::Stored { store, tasks } => {
            if let Some(store) = store {
                put!(object, "store": store);
            }
            put!(object, "tasks": tasks);
        }
        TaskFact::InitSuccess { call } => put!(object, "call": call),
        TaskFact::InitFailure { call, by_store } => {
            put!(object, "call": call);
            if *by_store {
                put!(object, "store": true);
            }
        }
        TaskFact::StopStart | TaskFact::StopEnd | TaskFact::StopFailure => {}
        TaskFact::RunStart(id)
        | TaskFact::RunSuccess(id)
        | TaskFact::RunFailure(id)
        | TaskFact::Triggered(id)
        | TaskFact::Paused(id)
        | TaskFact::Resumed(id) => put!(object, "id": id),
        TaskFact::PutOff { id, until } => {
            put!(object, "id": id, "until": until.saturating_mul(MICROS));
        }
        TaskFact::Compute { since } => put!(object, "since": since.saturating_mul(MICROS)),
        TaskFact::ClockSet { from } => put!(object, "from": from.saturating_mul(MICROS)),
        TaskFact::Supernatural(kind) => put!(object, "kind": kind),
        TaskFact::Cluster { name, told } => put!(object, "cluster": name, "told": told),
    }
}

/// A task in its written form.
#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    cron: &'a str,
    zone: &'a str,
    dst: &'static str,
    rd: i64,
}

impl<'a> From<&'a TaskEntry> for Entry<'a> {
    fn from(task: &'a TaskEntry) -> Self {
        let TaskEntry { id, cron, zone, once, retry_delay } = task;
        Self { id, cron, zone, dst: if *once { "once" } else { "theory" }, rd: *retry_delay }
    }
}

/// What [`write`] wrote.
pub(crate) fn from_json(object: &Map<String, Value>) -> Result<(i64, TaskFact), String> {
    let text = |object: &Map<String, Value>, name: &str| {
        let found = object.get(name).and_then(Value::as_str);
        found.map(str::to_owned).ok_or_else(|| format!("no string `{name}`"))
    };
    let number = |object: &Map<String, Value>, name: &str| {
        let found = object.get(name).and_then(Value::as_i64);
        found.ok_or_else(|| format!("no integer `{name}`"))
    };
    let instant = |name: &str| number(object, name).map(|micros| micros.div_euclid(MICROS));
    let call = || {
        u32::try_from(number(object, "call")?)
            .map_err(|_| "`call` is not the number of a call".to_owned())
    };
    let id = || text(object, "id");
    let tasks = || {
        object.get("tasks").and_then(Value::as_array).ok_or_else(|| "no array `tasks`".to_owned())
    };
    let what = match text(object, "what")?.as_str() {
        "InitStart" => {
            let entry = |value: &Value| {
                let task = value.as_object().ok_or("a task is not an object")?;
                Ok::<_, String>(TaskEntry {
                    id: text(task, "id")?,
                    cron: text(task, "cron")?,
                    zone: text(task, "zone")?,
                    once: text(task, "dst")? == "once",
                    retry_delay: number(task, "rd")?,
                })
            };
            TaskFact::InitStart {
                call: call()?,
                list: tasks()?.iter().map(entry).collect::<Result<_, _>>()?,
                valid: object.get("valid").and_then(Value::as_bool).ok_or("no `valid`")?,
                concurrency: match object.get("concurrency") {
                    None => None,
                    Some(most) => Some(most.as_u64().ok_or("`concurrency` is not an integer")?),
                },
            }
        }
        "Stored" => {
            let task = |value: &Value| match value.as_array().map(Vec::as_slice) {
                Some([Value::String(id), Value::String(state)]) => Ok((id.clone(), state.clone())),
                _ => Err("a stored task is not a pair of strings".to_owned()),
            };
            TaskFact::Stored {
                store: object.get("store").and_then(Value::as_str).map(str::to_owned),
                tasks: tasks()?.iter().map(task).collect::<Result<_, _>>()?,
            }
        }
        "InitSuccess" => TaskFact::InitSuccess { call: call()? },
        "InitFailure" => {
            TaskFact::InitFailure { call: call()?, by_store: object.contains_key("store") }
        }
        "StopStart" => TaskFact::StopStart,
        "StopEnd" => TaskFact::StopEnd,
        "StopFailure" => TaskFact::StopFailure,
        "RunStart" => TaskFact::RunStart(id()?),
        "RunSuccess" => TaskFact::RunSuccess(id()?),
        "RunFailure" => TaskFact::RunFailure(id()?),
        "Triggered" => TaskFact::Triggered(id()?),
        "Paused" => TaskFact::Paused(id()?),
        "Resumed" => TaskFact::Resumed(id()?),
        "PutOff" => TaskFact::PutOff { id: id()?, until: instant("until")? },
        "Compute" => TaskFact::Compute { since: instant("since")? },
        "ClockSet" => TaskFact::ClockSet { from: instant("from")? },
        "Supernatural" => TaskFact::Supernatural(text(object, "kind")?),
        "Cluster" => {
            let told = object.get("told").cloned().ok_or("no `told`")?;
            let told = serde_json::from_value(told).map_err(|error| error.to_string())?;
            TaskFact::Cluster { name: text(object, "cluster")?, told }
        }
        other => return Err(format!("unknown event of a scheduler `{other}`")),
    };
    Ok((instant("wall")?, what))
}
