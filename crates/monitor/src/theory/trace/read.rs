//! How a trace is read, and what is wrong with texts that are none.

use super::{Call, Event, Kind, Trace};
use crate::theory::events::{List, Task, What};
use crate::theory::place::{Step, locate};
use crate::theory::report::Phenomenon;
use hemiola_trace::source::{SourceError, Span};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

const EVENTS: [&str; 17] = [
    "InitStart",
    "InitSuccess",
    "InitFailure",
    "StopStart",
    "StopEnd",
    "RunStart",
    "RunSuccess",
    "RunFailure",
    "Due",
    "RetryDue",
    "Minute",
    "Crash",
    "Compute",
    "Triggered",
    "Paused",
    "Resumed",
    "Supernatural",
];

const SHAPE: &str = r#"write {"tasks": {"a": {"id": "A", "rd": 300000}}, "lists": {"R": {"tasks": ["a"], "valid": true}}, "events": [...]}"#;
const EVENT: &str = r#"write an event as {"t": 10, "ev": "InitStart", "R": "R", "call": 1}"#;

/// Reads a trace.
pub(super) fn trace(text: &str) -> Result<Trace, SourceError> {
    let value: Value = serde_json::from_str(text).map_err(|error| syntax(text, &error))?;
    let reader = Reader { text };
    let Value::Object(object) = &value else {
        return Err(reader.wrong(&[], "a trace is a JSON object", "not an object", SHAPE));
    };
    let tasks = reader.tasks(object)?;
    let lists = reader.lists(object, &tasks)?;
    reader.unit(object)?;
    let params = reader.params(object)?;
    let mut trace = Trace {
        tasks,
        lists,
        events: Vec::new(),
        calls: Vec::new(),
        params,
        repeats: None,
        supernatural: Vec::new(),
    };
    reader.events(object, &mut trace)?;
    trace.repeats = reader.repetition(object, &trace)?;
    Ok(trace)
}

/// What serde_json says, at its place.
fn syntax(text: &str, error: &serde_json::Error) -> SourceError {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let start = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    let start = text.floor_char_boundary(start.min(text.len()));
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    SourceError {
        message: "the trace is not JSON".into(),
        span: Span::new(start, text.ceil_char_boundary(start + 1)),
        label: message.into(),
        help: "mend it here; every name and string is in double quotes".into(),
    }
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn wrong(&self, path: &[Step<'_>], message: &str, label: &str, help: &str) -> SourceError {
        SourceError {
            message: message.into(),
            span: locate(self.text, path),
            label: label.into(),
            help: help.into(),
        }
    }

    fn member<'v>(
        &self,
        object: &'v Map<String, Value>,
        key: &str,
    ) -> Result<&'v Map<String, Value>, SourceError> {
        match object.get(key) {
            Some(Value::Object(member)) => Ok(member),
            Some(_) => {
                let label = "not an object";
                Err(self.wrong(
                    &[Step::Key(key)],
                    &format!("`{key}` must be an object"),
                    label,
                    SHAPE,
                ))
            }
            None => {
                Err(self.wrong(&[], &format!("the trace has no `{key}`"), "of this trace", SHAPE))
            }
        }
    }

    fn unit(&self, object: &Map<String, Value>) -> Result<(), SourceError> {
        match object.get("time_unit") {
            None => Ok(()),
            Some(Value::String(unit)) if unit == "ms" => Ok(()),
            Some(_) => {
                let help =
                    "write all times and delays in milliseconds, and `\"time_unit\": \"ms\"`";
                Err(self.wrong(
                    &[Step::Key("time_unit")],
                    "`time_unit` must be \"ms\"",
                    "another unit",
                    help,
                ))
            }
        }
    }

    fn params(&self, object: &Map<String, Value>) -> Result<[Option<u64>; 3], SourceError> {
        let mut params = [None; 3];
        if !object.contains_key("params") {
            return Ok(params);
        }
        let given = self.member(object, "params")?;
        for (name, value) in given {
            let path = [Step::Key("params"), Step::Key(name)];
            let help = "give a, b and tlag as integers: {\"a\": 0, \"b\": 100, \"tlag\": 20}";
            let Some(at) = ["a", "b", "tlag"].iter().position(|known| known == name) else {
                let message = format!("there is no parameter `{}`", name.escape_debug());
                return Err(self.wrong(&path, &message, "of none of a, b, tlag", help));
            };
            params[at] = Some(value.as_u64().ok_or_else(|| {
                let message = format!("`{name}` must be an integer of at least 0");
                self.wrong(&path, &message, "not such a number", help)
            })?);
        }
        Ok(params)
    }

    fn tasks(&self, object: &Map<String, Value>) -> Result<Vec<Task>, SourceError> {
        let mut tasks = Vec::new();
        for (name, value) in self.member(object, "tasks")? {
            let help = r#"write a task as "a": {"id": "A", "rd": 300000}, with the delay of retries in ms"#;
            let path = [Step::Key("tasks"), Step::Key(name)];
            let field = |key, message: &str| {
                self.wrong(&[path[0], path[1], Step::Key(key)], message, "of this task", help)
            };
            let Value::Object(task) = value else {
                return Err(self.wrong(&path, "a task must be an object", "not an object", help));
            };
            // Times here are only numbers: no calendar says when it would be due.
            if let Some(field) =
                ["cron", "zone", "dst"].iter().find(|field| task.contains_key(**field))
            {
                let help = r#"leave it out, and write every due as an event: {"t": 60000, "ev": "Due", "x": "a"}"#;
                let message = format!("dues are not derived from `{field}` here");
                let path = [path[0], path[1], Step::Key(field)];
                return Err(self.wrong(&path, &message, "not read", help));
            }
            let Some(Value::String(id)) = task.get("id") else {
                return Err(field("id", "a task needs a string as `id`"));
            };
            let Some(retry_delay) = task.get("rd").and_then(Value::as_i64) else {
                return Err(field("rd", "a task needs an integer as `rd`"));
            };
            tasks.push(Task { name: name.clone(), id: id.clone(), retry_delay });
        }
        Ok(tasks)
    }

    fn lists(&self, object: &Map<String, Value>, tasks: &[Task]) -> Result<Vec<List>, SourceError> {
        let mut lists = Vec::new();
        for (name, value) in self.member(object, "lists")? {
            let help =
                r#"write a list as "R": {"tasks": ["a"], "valid": true}, with names of tasks"#;
            let (top, list_step) = (Step::Key("lists"), Step::Key(name));
            let Value::Object(list) = value else {
                return Err(self.wrong(
                    &[top, list_step],
                    "a list must be an object",
                    "not an object",
                    help,
                ));
            };
            let path = [top, list_step, Step::Key("tasks")];
            let Some(Value::Array(names)) = list.get("tasks") else {
                return Err(self.wrong(
                    &path,
                    "a list needs an array `tasks`",
                    "of this list",
                    help,
                ));
            };
            let mut members = Vec::new();
            for (at, member) in names.iter().enumerate() {
                let known = member
                    .as_str()
                    .and_then(|name| tasks.iter().position(|task| task.name == name));
                members.push(known.ok_or_else(|| {
                    let path = [path[0], path[1], path[2], Step::Index(at)];
                    self.wrong(&path, "a list names a task that is not in `tasks`", "unknown", help)
                })?);
            }
            let valid = match list.get("valid") {
                Some(Value::Bool(valid)) => *valid,
                // What the theory demands of a list, as far as a trace can tell.
                None => is_valid(&members, tasks),
                Some(_) => {
                    let path = [top, list_step, Step::Key("valid")];
                    return Err(self.wrong(
                        &path,
                        "`valid` must be true or false",
                        "neither",
                        help,
                    ));
                }
            };
            let concurrency = match list.get("concurrency") {
                None => None,
                Some(most) => Some(most.as_u64().filter(|most| *most > 0).ok_or_else(|| {
                    let path = [top, list_step, Step::Key("concurrency")];
                    let message = "`concurrency` must be an integer of at least 1";
                    self.wrong(&path, message, "not such a number", help)
                })?),
            };
            lists.push(List { name: name.clone(), tasks: members, valid, concurrency });
        }
        Ok(lists)
    }

    fn events(&self, object: &Map<String, Value>, trace: &mut Trace) -> Result<(), SourceError> {
        let Some(Value::Array(events)) = object.get("events") else {
            let path = [Step::Key("events")];
            return Err(self.wrong(
                &path,
                "the trace needs an array `events`",
                "of this trace",
                SHAPE,
            ));
        };
        let mut names = Names::of(trace);
        for (at, value) in events.iter().enumerate() {
            let reader = EventReader { reader: self, at };
            let event = reader.event(value, trace, &mut names)?;
            trace.events.push(event);
        }
        Ok(())
    }

    fn repetition(
        &self,
        object: &Map<String, Value>,
        trace: &Trace,
    ) -> Result<Option<i64>, SourceError> {
        if !object.contains_key("loop") {
            return Ok(None);
        }
        let help = r#"write "loop": {"from_t": 60000, "period": 60000}: what is from `from_t` on comes again every `period`"#;
        let given = self.member(object, "loop")?;
        let number = |key| {
            given.get(key).and_then(Value::as_i64).filter(|number| *number >= 0).ok_or_else(|| {
                let path = [Step::Key("loop"), Step::Key(key)];
                let message = format!("a loop needs an integer of at least 0 as `{key}`");
                self.wrong(&path, &message, "of this loop", help)
            })
        };
        let (from, period) = (number("from_t")?, number("period")?);
        let path = [Step::Key("loop")];
        let mut known = trace.events.iter().filter(|event| event.kind != Kind::Supernatural);
        let last = known.next_back().map(|event| event.time);
        if last.is_none_or(|last| last < from) {
            let message = "the loop repeats nothing";
            return Err(self.wrong(&path, message, "no event is at or after `from_t`", help));
        }
        if last.is_some_and(|last| last - from > period) {
            let message = "the loop is shorter than what it repeats";
            return Err(self.wrong(&path, message, "an event is after `from_t` + `period`", help));
        }
        Ok(Some(from))
    }
}

/// Whether ids are different and not empty, and delays not negative.
fn is_valid(members: &[usize], tasks: &[Task]) -> bool {
    let mut ids: Vec<&str> = members.iter().map(|task| tasks[*task].id.as_str()).collect();
    ids.sort_unstable();
    let delays = members.iter().all(|task| tasks[*task].retry_delay >= 0);
    delays && ids.windows(2).all(|pair| pair[0] != pair[1]) && ids.first() != Some(&"")
}

/// What events refer to, by name.
struct Names {
    tasks: BTreeMap<String, usize>,
    lists: BTreeMap<String, usize>,
    calls: BTreeMap<Call, u32>,
    /// The calls that are open.
    open: BTreeMap<String, usize>,
}

impl Names {
    fn of(trace: &Trace) -> Self {
        let tasks = trace.tasks.iter().map(|task| task.name.clone()).zip(0..);
        let lists = trace.lists.iter().map(|list| list.name.clone()).zip(0..);
        Self {
            tasks: tasks.collect(),
            lists: lists.collect(),
            calls: BTreeMap::new(),
            open: BTreeMap::new(),
        }
    }
}

struct EventReader<'r, 't> {
    reader: &'r Reader<'t>,
    at: usize,
}

impl EventReader<'_, '_> {
    fn wrong(&self, key: &str, message: &str, label: &str, help: &str) -> SourceError {
        let path = [Step::Key("events"), Step::Index(self.at), Step::Key(key)];
        self.reader.wrong(&path, message, label, help)
    }

    fn event(
        &self,
        value: &Value,
        trace: &mut Trace,
        names: &mut Names,
    ) -> Result<Event, SourceError> {
        let Value::Object(object) = value else {
            return Err(self.wrong("", "an event must be an object", "not an object", EVENT));
        };
        let time = object.get("t").and_then(Value::as_i64).filter(|time| *time >= 0);
        let time = time.ok_or_else(|| {
            self.wrong(
                "t",
                "an event needs an integer of at least 0 as `t`",
                "of this event",
                EVENT,
            )
        })?;
        let last = trace.events.last();
        let with = self.flag(object, "with_prev")?.unwrap_or(false);
        match last {
            Some(last) if time < last.time => {
                let label = format!("the event before is at {}", last.time);
                let help = "sort the events by time";
                return Err(self.wrong("t", "time goes backwards", &label, help));
            }
            Some(last) if with && time != last.time => {
                let label = format!("the event before is at {}", last.time);
                let help = "leave `with_prev` out, or give both the same time";
                return Err(self.wrong("t", "one position has one time", &label, help));
            }
            None if with => {
                let help = "leave `with_prev` out";
                return Err(self.wrong(
                    "with_prev",
                    "there is no event before",
                    "of the first event",
                    help,
                ));
            }
            _ => {}
        }
        let position = last.map_or(0, |last| last.position + usize::from(!with));
        let kind = self.kind(object, trace, names)?;
        let is_action = matches!(kind, Kind::Happens(what) if what.is_action());
        let computes = self.flag(object, "compute")?.unwrap_or(is_action);
        Ok(Event { time, kind, position, computes })
    }

    fn kind(
        &self,
        object: &Map<String, Value>,
        trace: &mut Trace,
        names: &mut Names,
    ) -> Result<Kind, SourceError> {
        let Some(name) = object.get("ev").and_then(Value::as_str) else {
            return Err(self.wrong(
                "ev",
                "an event needs a string as `ev`",
                "of this event",
                EVENT,
            ));
        };
        Ok(Kind::Happens(match name {
            "InitStart" | "InitSuccess" | "InitFailure" => self.init(name, object, trace, names)?,
            "StopStart" => What::StopStart,
            "StopEnd" => What::StopEnd,
            "Minute" => What::Minute,
            "Crash" => {
                names.open.clear();
                What::Crash
            }
            "RunStart" => What::RunStart(self.task(object, names)?),
            "RunSuccess" => What::RunSuccess(self.task(object, names)?),
            "RunFailure" => What::RunFailure(self.task(object, names)?),
            "Due" => What::Due(self.task(object, names)?),
            "Triggered" => What::Triggered(self.task(object, names)?),
            "Paused" => What::Paused(self.task(object, names)?),
            "Resumed" => What::Resumed(self.task(object, names)?),
            "RetryDue" => {
                self.task(object, names)?;
                return Ok(Kind::RetryDue);
            }
            "Supernatural" => {
                let kind = object.get("kind").and_then(Value::as_str).unwrap_or("unknown");
                let time = object.get("t").and_then(Value::as_i64).unwrap_or_default();
                Phenomenon::add(&mut trace.supernatural, kind, time);
                return Ok(Kind::Supernatural);
            }
            "Compute" => {
                let units = object.get("n").and_then(Value::as_i64).filter(|units| *units >= 0);
                return units.map(Kind::Compute).ok_or_else(|| {
                    let help =
                        r#"write {"t": 90, "ev": "Compute", "n": 50} for 50 units, at 41 to 90"#;
                    let message = "`Compute` needs an integer of at least 0 as `n`";
                    self.wrong("n", message, "of this event", help)
                });
            }
            _ => {
                let message = format!("there is no event `{}`", name.escape_debug());
                let help = format!("the events are {}", EVENTS.join(", "));
                return Err(self.wrong("ev", &message, "unknown", &help));
            }
        }))
    }

    fn init(
        &self,
        name: &str,
        object: &Map<String, Value>,
        trace: &mut Trace,
        names: &mut Names,
    ) -> Result<What, SourceError> {
        let list = object.get("R").and_then(Value::as_str);
        let list = list.and_then(|list| names.lists.get(list).copied()).ok_or_else(|| {
            let message = format!("`{name}` needs the name of a list as `R`");
            self.wrong("R", &message, "no such name in `lists`", EVENT)
        })?;
        let called = match object.get("call") {
            Some(Value::String(call)) => call.clone(),
            Some(Value::Number(call)) if !call.is_f64() => call.to_string(),
            _ => {
                let message = format!("`{name}` needs an integer as `call`");
                let help = "number the calls of initialize(), to tell which one ends";
                return Err(self.wrong("call", &message, "of this event", help));
            }
        };
        if name == "InitStart" {
            if names.open.insert(called.clone(), list).is_some() {
                let message = format!("call {called} begins while it is open");
                let help = "give every call of initialize() a number of its own";
                return Err(self.wrong("call", &message, "begun before", help));
            }
        } else if names.open.get(&called) == Some(&list) {
            names.open.remove(&called);
        }
        let key = Call { name: called, list };
        let call = *names.calls.entry(key.clone()).or_insert_with(|| {
            trace.calls.push(key);
            trace.calls.len() as u32 - 1
        });
        Ok(match name {
            "InitStart" => What::InitStart { call, list },
            "InitSuccess" => What::InitSuccess { call, list },
            _ => What::InitFailure { call, list },
        })
    }

    fn task(&self, object: &Map<String, Value>, names: &Names) -> Result<usize, SourceError> {
        let name = object.get("x").and_then(Value::as_str);
        name.and_then(|name| names.tasks.get(name).copied()).ok_or_else(|| {
            let help = "name a task by its key in `tasks`, which is not its id";
            self.wrong(
                "x",
                "the event needs the name of a task as `x`",
                "no such name in `tasks`",
                help,
            )
        })
    }

    fn flag(&self, object: &Map<String, Value>, key: &str) -> Result<Option<bool>, SourceError> {
        match object.get(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => {
                let message = format!("`{key}` must be true or false");
                Err(self.wrong(key, &message, "neither", "write true or false, or leave it out"))
            }
        }
    }
}
