//! `hemiola tasks`: the tasks of a store, and what can be done to them.

use crate::args::{Format, TasksArgs, TasksCommand};
use crate::done::Done;
use crate::harmless;
use crate::render::tasks::{Column, fields, instants, table};
use crate::report::Failure;
use hemiola_live::environment;
use hemiola_live::tasks::Tasks;
use hemiola_scheduler::cluster::Op;
use serde_json::{Value as Json, json};

/// Which variable names the store if nobody does.
const VARIABLE: &str = "HEMIOLA_STORE";

/// So many jobs are listed.
const MOST: u32 = 100_000;

pub(super) fn run(args: &TasksArgs) -> Result<Done, Failure> {
    let variables = environment();
    let variable = |name: &str| {
        variables.iter().find_map(|(known, value)| (known == name).then(|| value.clone()))
    };
    let store = args.store.clone().or_else(|| variable(VARIABLE)).ok_or_else(|| {
        Failure::new("no store is named")
            .help(format!("write `hemiola tasks tasks.db list`, or set {VARIABLE}"))
    })?;
    let mut store = Store { tasks: open(&store, &args.name, variable)?, format: args.format };
    match args.what.as_ref().unwrap_or(&TasksCommand::List) {
        TasksCommand::List => store.list(),
        TasksCommand::Show(task) => store.show(&task.id),
        TasksCommand::History { task, number } => store.history(&task.id, *number),
        TasksCommand::Jobs { task } => store.jobs(task.as_deref()),
        TasksCommand::Dead => store.dead(),
        TasksCommand::Nodes => store.nodes(),
        TasksCommand::Trigger(task) => {
            let op = Op::Trigger { id: task.id.clone() };
            store.change(&task.id, &op, "triggered", "")
        }
        TasksCommand::Pause(task) => {
            let op = Op::Pause { id: task.id.clone(), paused: true };
            store.change(&task.id, &op, "paused", "")
        }
        TasksCommand::Resume(task) => {
            let op = Op::Pause { id: task.id.clone(), paused: false };
            store.change(&task.id, &op, "resumed", "")
        }
        TasksCommand::Retry(task) => {
            let op = Op::Retry { id: task.id.clone() };
            store.change(&task.id, &op, "tried again", "was not given up, and waits for no attempt")
        }
        TasksCommand::Cancel(task) => {
            let op = Op::Cancel { id: task.id.clone() };
            store.change(&task.id, &op, "removed", "runs now")
        }
    }
}

fn open(
    store: &str,
    name: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Tasks, Failure> {
    Tasks::open(store, name, variable).map_err(|fault| refused(&fault))
}

fn refused(fault: &hemiola_gate::Fault) -> Failure {
    let help = match &*fault.code {
        "ERR_STORE_LOCKED" => {
            "a program that runs tells the same itself: `status()`, `history(id)` and `trigger(id)` of hemiola:scheduler"
        }
        "ERR_STORE_ADDRESS" => "write postgres://user@host:5432/database",
        _ => {
            "give the store that the program gives to `initialize`, and for a database the --name of the scheduler"
        }
    };
    Failure::new(fault.message.to_string()).fact(fault.code.to_string()).help(help)
}

struct Store {
    tasks: Tasks,
    format: Format,
}

impl Store {
    fn ask(&mut self, op: &Op) -> Result<Json, Failure> {
        self.tasks.ask(op).map_err(|fault| refused(&fault))
    }

    /// What is found, as one object with a version, or as text.
    fn done(&self, name: &str, found: Json, text: impl FnOnce(&Json) -> String) -> Done {
        let found = instants(found);
        match self.format {
            Format::Json => Done::with(format!("{}\n", json!({ "version": 1, name: found })), 0),
            Format::Text => Done::with(harmless::shown(&text(&found)), 0),
        }
    }

    fn all(&mut self) -> Result<Vec<Json>, Failure> {
        let mut found = self.ask(&Op::Status)?;
        let tasks = found["tasks"].as_array_mut().map(std::mem::take).unwrap_or_default();
        Ok(tasks.into_iter().map(|task| with_state(task, self.tasks.is_shared())).collect())
    }

    fn all_jobs(&mut self, of: Option<&str>) -> Result<Vec<Json>, Failure> {
        let id = of.map(str::to_owned);
        let mut found = self.ask(&Op::Jobs { id, most: MOST })?;
        Ok(found["jobs"].as_array_mut().map(std::mem::take).unwrap_or_default())
    }

    fn list(&mut self) -> Result<Done, Failure> {
        let tasks = self.all()?;
        Ok(self.done("tasks", tasks.into(), |tasks| {
            let columns = [
                Column::new("id", |task| task["id"].clone()),
                Column::new("state", |task| task["state"].clone()),
                Column::new("next due", |task| task["nextDue"].clone()),
                Column::new("last end", |task| task["lastEnd"].clone()),
                Column::new("last result", result),
            ];
            table(tasks, &columns, "there are no tasks")
        }))
    }

    fn show(&mut self, id: &str) -> Result<Done, Failure> {
        let mut all = self.all()?;
        all.extend(self.all_jobs(None)?);
        let Some(at) = all.iter().position(|task| task["id"] == id) else {
            return Err(unknown(id, &all));
        };
        let task = all.swap_remove(at);
        Ok(self.done("task", task, fields))
    }

    fn history(&mut self, id: &str, most: u32) -> Result<Done, Failure> {
        let all = self.all()?;
        if !all.iter().any(|task| task["id"] == id) {
            return Err(unknown(id, &all));
        }
        let mut found = self.ask(&Op::Runs { id: id.to_owned(), most })?;
        let mut runs = found["runs"].take();
        // What an older version wrote to a file does not tell them.
        for run in runs.as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
            if run.get("attempt").is_some_and(|attempt| *attempt == 0) {
                run.remove("attempt");
                run.remove("fence");
            }
        }
        Ok(self.done("runs", runs, |runs| {
            let columns = [
                Column::new("start", |run| run["start"].clone()),
                Column::new("end", |run| run["end"].clone()),
                Column::new("result", |run| run["outcome"].clone()),
                Column::new("attempt", |run| run["attempt"].clone()),
                Column::new("node", |run| run["node"].clone()),
                Column::new("job", |run| run["job"].clone()),
                Column::new("error", |run| run["error"].clone()),
            ];
            table(runs, &columns, "it has not run")
        }))
    }

    fn jobs(&mut self, of: Option<&str>) -> Result<Done, Failure> {
        let jobs = self.all_jobs(of)?;
        Ok(self.done("jobs", jobs.into(), |jobs| jobs_table(jobs, "there are no jobs")))
    }

    fn dead(&mut self) -> Result<Done, Failure> {
        let mut all = self.all()?;
        all.extend(self.all_jobs(None)?);
        all.retain(|task| task["dead"].is_object());
        Ok(self.done("dead", all.into(), |dead| {
            let columns = [
                Column::new("id", |task| task["id"].clone()),
                Column::new("given up", |task| task["dead"]["at"].clone()),
                Column::new("due", |task| task["dead"]["due"].clone()),
                Column::new("attempts", |task| task["dead"]["attempts"].clone()),
                Column::new("error", |task| task["dead"]["error"].clone()),
            ];
            table(dead, &columns, "nothing was given up")
        }))
    }

    fn nodes(&mut self) -> Result<Done, Failure> {
        if !self.tasks.is_shared() {
            return Err(Failure::new("a store in a file has no nodes")
                .help("several nodes share a database: postgres://user@host/database"));
        }
        let mut found = self.ask(&Op::Nodes)?;
        let nodes = found["nodes"].take();
        Ok(self.done("nodes", nodes, |nodes| {
            let columns = [
                Column::new("node", |node| node["node"].clone()),
                Column::new("alive", |node| node["alive"].clone()),
                Column::new("lease until", |node| node["until"].clone()),
                Column::new("generation", |node| node["generation"].clone()),
                Column::new("in force", |node| node["inForce"].clone()),
                Column::new("labels", |node| labels(&node["labels"])),
            ];
            table(nodes, &columns, "nobody has joined")
        }))
    }

    /// Changes a task; `otherwise` says what it is if there was nothing to change.
    fn change(&mut self, id: &str, op: &Op, word: &str, otherwise: &str) -> Result<Done, Failure> {
        let found = self.ask(op)?;
        if found["found"] != true {
            let mut all = self.all()?;
            all.extend(self.all_jobs(None)?);
            return Err(unknown(id, &all));
        }
        if found["changed"] == false {
            return Err(Failure::new(format!("{} {otherwise}", id.escape_debug()))
                .help("see how it stands: hemiola tasks STORE show ID"));
        }
        let later =
            if self.tasks.is_shared() { "" } else { ", when a program starts with this store" };
        Ok(self.done("changed", id.into(), |_| format!("{id}: {word}{later}\n")))
    }
}

fn jobs_table(jobs: &Json, nothing: &str) -> String {
    let columns = [
        Column::new("id", |job| job["id"].clone()),
        Column::new("task", |job| job["task"].clone()),
        Column::new("state", |job| job["state"].clone()),
        Column::new("due", |job| job["due"].clone()),
        Column::new("payload", |job| job["payload"].clone()),
        Column::new("error", |job| job["lastError"].clone()),
    ];
    table(jobs, &columns, nothing)
}

/// How a task stands, in a word.
fn with_state(mut task: Json, is_shared: bool) -> Json {
    let is = |name: &str| task[name] == true;
    let state = if is("running") && !is_shared || is("orphaned") {
        // Nobody holds the file, so nobody runs it.
        "interrupted"
    } else if is("running") {
        "running"
    } else if is("paused") {
        "paused"
    } else if task["dead"].is_object() {
        "dead"
    } else {
        task["pending"].as_str().map_or("waiting", |_| "owed")
    };
    task["state"] = state.into();
    task
}

fn result(task: &Json) -> Json {
    match (&task["lastEnd"], task["lastError"].as_str()) {
        (Json::Null, _) => Json::Null,
        (_, Some(error)) => format!("failure: {error}").into(),
        (_, None) => "success".into(),
    }
}

/// Labels in one cell.
fn labels(labels: &Json) -> Json {
    let words = labels.as_array().into_iter().flatten().filter_map(Json::as_str);
    words.collect::<Vec<&str>>().join(", ").into()
}

fn unknown(id: &str, all: &[Json]) -> Failure {
    let ids: Vec<&str> = all.iter().filter_map(|task| task["id"].as_str()).collect();
    let help = match ids.as_slice() {
        [] => "there are no tasks: has the program called `initialize` with this store?".to_owned(),
        ids => {
            format!("there are: {}", ids.iter().take(20).copied().collect::<Vec<_>>().join(", "))
        }
    };
    Failure::new(format!("there is no task `{}`", id.escape_debug())).help(help)
}
