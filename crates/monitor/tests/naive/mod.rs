//! The theory once more, without its text, its language or its monitor: every formula is a column of
//! truth values, one for each position, computed by looking at all positions before or after.
//!
//! It is slow and keeps everything, and so easy to compare with the paper.

use serde_json::Value;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

type Column = Vec<bool>;

/// What became of an axiom, and where it was violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Violated(usize),
    Undetermined,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated(_) => "violated",
            Self::Undetermined => "undetermined",
        }
    }

    /// The verdict on two demands at once.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Violated(left), Self::Violated(right)) => Self::Violated(left.min(right)),
            (violated @ Self::Violated(_), _) | (_, violated @ Self::Violated(_)) => violated,
            (Self::Undetermined, _) | (_, Self::Undetermined) => Self::Undetermined,
            _ => Self::Holds,
        }
    }
}

/// What takes no compute.
const NO_ACTIONS: [&str; 9] = [
    "Due",
    "Minute",
    "RetryDue",
    "Crash",
    "Compute",
    "Triggered",
    "Paused",
    "Resumed",
    "Supernatural",
];

struct Event {
    name: String,
    /// The task, or empty.
    x: String,
    /// The list, or empty.
    list: String,
    call: String,
}

struct Position {
    time: i64,
    events: Vec<Event>,
}

struct Model {
    positions: Vec<Position>,
    compute: BTreeSet<i64>,
    /// Name, id and delay of each task.
    tasks: BTreeMap<String, (String, i64)>,
    /// Members and validity of each list.
    lists: BTreeMap<String, (Vec<String>, bool)>,
    /// How many of a list may run at once.
    most: BTreeMap<String, u64>,
    params: (u64, u64, u64),
    /// The units that anything took that has a budget.
    needs: Cell<u64>,
}

/// The verdicts of all axioms, the blame, and the smallest b that would do, without a and lag.
pub fn check(trace: &Value) -> (BTreeMap<&'static str, Verdict>, &'static str, u64) {
    let model = Model::read(trace);
    let mut verdicts = model.verdicts();
    model.recurring(trace, &mut verdicts);
    let violated = verdicts.iter().filter_map(|(name, verdict)| match verdict {
        Verdict::Violated(at) => Some((*at, !name.starts_with("EA"))),
        _ => None,
    });
    let blame = match violated.min() {
        None => "none",
        Some((_, true)) => "scheduler",
        Some((_, false)) => "environment",
    };
    (verdicts, blame, model.needs.get())
}

fn not(column: &Column) -> Column {
    column.iter().map(|value| !value).collect()
}

fn and(left: &Column, right: &Column) -> Column {
    left.iter().zip(right).map(|(left, right)| *left && *right).collect()
}

fn or(left: &Column, right: &Column) -> Column {
    left.iter().zip(right).map(|(left, right)| *left || *right).collect()
}

fn previous(column: &Column) -> Column {
    (0..column.len()).map(|i| i > 0 && column[i - 1]).collect()
}

/// There is a j <= i with `from`, and `keep` everywhere after it.
fn since(keep: &Column, from: &Column) -> Column {
    let holds = |i: usize| {
        // From i backwards, up to what ends the search.
        let j = (0..=i).rev().find(|j| from[*j] || !keep[*j]);
        j.is_some_and(|j| from[j])
    };
    (0..keep.len()).map(holds).collect()
}

fn hold(set: &Column, clear: &Column) -> Column {
    and(&since(&not(clear), set), &not(clear))
}

fn hold_plus(set: &Column, clear: &Column) -> Column {
    or(&hold(set, clear), set)
}

fn always(column: &Column) -> Verdict {
    column.iter().position(|value| !value).map_or(Verdict::Holds, Verdict::Violated)
}

impl Model {
    fn read(trace: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let tasks = trace["tasks"].as_object().expect("tasks").iter();
        let tasks = tasks.map(|(name, task)| {
            (name.clone(), (text(&task["id"]), task["rd"].as_i64().expect("a delay")))
        });
        let lists = trace["lists"].as_object().expect("lists").iter();
        let lists = lists.map(|(name, list)| {
            let members = list["tasks"].as_array().expect("members").iter().map(text).collect();
            (name.clone(), (members, list["valid"].as_bool().expect("validity")))
        });
        let most = trace["lists"].as_object().expect("lists").iter();
        let most =
            most.filter_map(|(name, list)| Some((name.clone(), list["concurrency"].as_u64()?)));
        let param = |name: &str| trace["params"][name].as_u64().expect("a parameter");
        let mut model = Self {
            positions: Vec::new(),
            compute: BTreeSet::new(),
            tasks: tasks.collect(),
            lists: lists.collect(),
            most: most.collect(),
            needs: Cell::new(0),
            params: (param("a"), param("b"), param("tlag")),
        };
        model.positions(trace);
        model
    }

    fn positions(&mut self, trace: &Value) {
        const PULSES: [&str; 3] = ["Due", "Minute", "RetryDue"];
        let mut deadlines = BTreeSet::new();
        let mut last = 0;
        for written in trace["events"].as_array().expect("events") {
            let text = |key: &str| written[key].as_str().unwrap_or_default().to_owned();
            let time = written["t"].as_i64().expect("a time");
            let name = text("ev");
            let is_action = !NO_ACTIONS.contains(&name.as_str());
            if written["compute"].as_bool().unwrap_or(is_action) {
                self.compute.insert(time);
            }
            if name == "Compute" {
                let units = written["n"].as_i64().expect("units");
                self.compute.extend(time - units + 1..=time);
            }
            // Nobody in the theory sees it; but what is written with it is apart from what was before.
            if name == "Supernatural" {
                if !written["with_prev"].as_bool().unwrap_or(false) {
                    self.positions.push(Position { time, events: Vec::new() });
                }
                continue;
            }
            if name == "RunFailure" {
                deadlines.insert(time + self.tasks[&text("x")].1);
            }
            let event = Event {
                x: text("x"),
                list: text("R"),
                call: written["call"].to_string() + &text("R"),
                name,
            };
            let with = written["with_prev"].as_bool().unwrap_or(false);
            last = time;
            if PULSES.contains(&event.name.as_str()) {
                // The pulses of an instant share its first position.
                let first = self.positions.iter().position(|position| position.time == time);
                let at = first.unwrap_or(self.positions.len());
                let is_pulse = |position: &Position| {
                    position.events.iter().all(|event| PULSES.contains(&event.name.as_str()))
                        && !position.events.is_empty()
                };
                if !self.positions.get(at).is_some_and(is_pulse) {
                    self.positions.insert(at, Position { time, events: Vec::new() });
                }
                self.positions[at].events.push(event);
                // What is written with a pulse is not with it, but with what else is there.
                if !with {
                    self.positions.push(Position { time, events: Vec::new() });
                }
            } else if with {
                self.positions.last_mut().expect("a position").events.push(event);
            } else {
                self.positions.push(Position { time, events: vec![event] });
            }
        }
        self.positions.retain(|position| !position.events.is_empty());
        // The end of a delay is a position, unless something cancelled the retry.
        for deadline in deadlines.range(..=last) {
            let at = self.positions.iter().position(|position| position.time >= *deadline);
            let at = at.unwrap_or(self.positions.len());
            let is_there = self.positions.get(at).is_some_and(|position| {
                position.time == *deadline
                    && position.events.iter().all(|event| PULSES.contains(&event.name.as_str()))
            });
            if !is_there {
                self.positions.insert(at, Position { time: *deadline, events: Vec::new() });
                if !self.ids().iter().any(|id| self.retry_due(id)[at]) {
                    self.positions.remove(at);
                }
            }
        }
    }

    fn ids(&self) -> BTreeSet<&str> {
        self.tasks.values().map(|(id, _)| id.as_str()).collect()
    }

    fn column(&self, holds: impl Fn(&Position) -> bool) -> Column {
        self.positions.iter().map(holds).collect()
    }

    fn event(&self, holds: impl Fn(&Event) -> bool) -> Column {
        self.column(|position| position.events.iter().any(&holds))
    }

    fn named(&self, name: &str) -> Column {
        self.event(|event| event.name == name)
    }

    /// Events of any registration with that id.
    fn of_id(&self, name: &str, id: &str) -> Column {
        self.event(|event| event.name == name && self.tasks[&event.x].0 == id)
    }

    fn of_call(&self, name: &str, call: &str) -> Column {
        self.event(|event| event.name == name && event.call == call)
    }

    fn none(&self) -> Column {
        vec![false; self.positions.len()]
    }

    /// The list of the latest successful initialisation at or before each position.
    fn in_force(&self) -> Vec<Option<&str>> {
        let mut list = None;
        let positions = self.positions.iter().map(|position| {
            let success = position.events.iter().rev().find(|event| event.name == "InitSuccess");
            list = success.map(|event| event.list.as_str()).or(list);
            list
        });
        positions.collect()
    }

    fn members(&self, list: Option<&str>) -> &[String] {
        list.map_or(&[], |list| &self.lists[list].0)
    }

    fn crash(&self) -> Column {
        self.named("Crash")
    }

    fn ends(&self, id: &str) -> Column {
        or(&self.of_id("RunSuccess", id), &self.of_id("RunFailure", id))
    }

    fn running(&self, id: &str) -> Column {
        hold(&self.of_id("RunStart", id), &or(&self.ends(id), &self.crash()))
    }

    fn quiescent(&self) -> Column {
        self.ids().into_iter().fold(not(&self.none()), |all, id| and(&all, &not(&self.running(id))))
    }

    /// As many ids run as the list in force allows.
    fn full(&self) -> Column {
        if self.most.is_empty() {
            return self.none();
        }
        let running: Vec<Column> = self.ids().into_iter().map(|id| self.running(id)).collect();
        let lists = self.in_force();
        let full = |i: usize| {
            let count = running.iter().filter(|column| column[i]).count() as u64;
            lists[i].and_then(|list| self.most.get(list)).is_some_and(|most| count >= *most)
        };
        (0..lists.len()).map(full).collect()
    }

    fn first_coming(&self, id: &str) -> Column {
        let lists = self.in_force();
        let has = |at: usize| self.members(lists[at]).iter().any(|task| self.tasks[task].0 == id);
        let successes = self.named("InitSuccess");
        (0..lists.len()).map(|i| successes[i] && has(i) && !(i > 0 && has(i - 1))).collect()
    }

    /// How many calls of stop() are open.
    fn stopping(&self) -> Column {
        let (starts, ends, crashes) =
            (self.named("StopStart"), self.named("StopEnd"), self.crash());
        let mut open = 0_i32;
        let mut column = Vec::new();
        for i in 0..starts.len() {
            open = if crashes[i] {
                0
            } else {
                (open + i32::from(starts[i]) - i32::from(ends[i])).max(0)
            };
            column.push(open > 0);
        }
        column
    }

    fn active(&self) -> Column {
        let successes = self.named("InitSuccess");
        let clears = [self.named("StopStart"), self.named("StopEnd"), self.crash()];
        let clear = clears.iter().fold(successes.clone(), |all, next| or(&all, next));
        since(&not(&clear), &and(&successes, &not(&self.stopping())))
    }

    fn retry_due(&self, id: &str) -> Column {
        let cancels = or(&self.of_id("RunStart", id), &self.first_coming(id));
        let mut column = self.none();
        for (j, position) in self.positions.iter().enumerate() {
            for event in &position.events {
                if event.name != "RunFailure" || self.tasks[&event.x].0 != id {
                    continue;
                }
                let delay = self.tasks[&event.x].1;
                let due = position.time + delay;
                // An edge: only the first position of that time.
                let i = match delay {
                    0 => Some(j),
                    1.. => self.positions.iter().position(|position| position.time == due),
                    _ => None,
                };
                if let Some(i) = i
                    && !(j + 1..=i).any(|k| cancels[k])
                {
                    column[i] = true;
                }
            }
        }
        column
    }

    fn obligation(&self, task: &str) -> Column {
        let id = &self.tasks[task].0;
        let (crash, running) = (self.crash(), self.running(id));
        let due = self.event(|event| event.name == "Due" && event.x == task);
        let minute = or(&self.named("Due"), &self.named("Minute"));
        let first = self.first_coming(id);
        let clear = or(&self.of_id("RunStart", id), &first);
        let idle = not(&running);
        let due_pending = and(&hold_plus(&due, &clear), &idle);
        let retry_pending = and(&hold_plus(&self.retry_due(id), &clear), &idle);
        let orphaned = hold(&and(&crash, &previous(&running)), &clear);
        let mountain = since(&not(&minute), &due);
        let boot = and(&hold_plus(&and(&first, &mountain), &clear), &idle);
        let pending = or(&or(&due_pending, &retry_pending), &or(&orphaned, &boot));
        let held = hold_plus(&self.of_id("Paused", id), &or(&self.of_id("Resumed", id), &first));
        let asked = and(&hold_plus(&self.of_id("Triggered", id), &clear), &idle);
        let pending = or(&and(&pending, &not(&held)), &asked);
        let lists = self.in_force();
        let registered: Column = lists
            .iter()
            .map(|list| self.members(*list).iter().any(|member| member == task))
            .collect();
        and(&and(&pending, &not(&self.full())), &and(&registered, &self.active()))
    }

    /// The compute-bounded F, at every position where it is asked for.
    fn bounded(&self, from: &Column, goal: &Column, size: impl Fn(usize) -> usize) -> Verdict {
        self.voidable(from, goal, &self.none(), size)
    }

    /// The same, where what comes later than the onset may end it, too.
    fn voidable(
        &self,
        from: &Column,
        goal: &Column,
        void: &Column,
        size: impl Fn(usize) -> usize,
    ) -> Verdict {
        let mut verdict = Verdict::Holds;
        for i in (0..from.len()).filter(|i| from[*i]) {
            let time = self.positions[i].time;
            let bits = (1..).find(|bits| time < 1_i64 << (bits - 1)).expect("a time has bits");
            let (a, b, lag) = self.params;
            let budget = a * (64 * size(i) as u64 + bits) + b + lag;
            let end = (i..goal.len()).find(|j| goal[*j] || void[*j] && *j > i);
            let spent = |j: usize| self.compute.range(time..=self.positions[j].time).count() as u64;
            let taken = spent(end.unwrap_or(goal.len() - 1));
            self.needs.set(self.needs.get().max(taken));
            let over = (i..=end.unwrap_or(goal.len() - 1)).find(|j| spent(*j) > budget);
            verdict = verdict.and(match (over, end) {
                (Some(at), _) => Verdict::Violated(at),
                (None, Some(_)) => Verdict::Holds,
                (None, None) => Verdict::Undetermined,
            });
        }
        verdict
    }

    fn verdicts(&self) -> BTreeMap<&'static str, Verdict> {
        let crash = self.crash();
        let computes = self.column(|position| self.compute.contains(&position.time));
        let is_action = |event: &Event| !NO_ACTIONS.contains(&event.name.as_str());
        let actions =
            |position: &Position| position.events.iter().filter(|event| is_action(event)).count();
        let implies = |left: &Column, right: &Column| always(&or(&not(left), right));
        let (stop, stopped) = (self.named("StopStart"), self.named("StopEnd"));
        let success = self.named("InitSuccess");
        let quiescent = self.quiescent();
        let lists = self.in_force();
        let sizes = |i: usize| self.members(lists[i]).len();

        let first_quiescent = {
            let busy = not(&quiescent);
            let waited = previous(&since(&busy, &and(&stop, &busy)));
            and(&quiescent, &or(&stop, &waited))
        };
        let waits = (0..stop.len()).any(|i| stop[i] && !(i..stop.len()).any(|j| quiescent[j]));
        let third = self.bounded(&first_quiescent, &or(&stopped, &crash), sizes);
        let mut verdicts = BTreeMap::from([
            ("EA1", implies(&crash, &not(&computes))),
            ("EA2", implies(&self.column(|position| actions(position) > 0), &computes)),
            ("EA3", always(&self.column(|position| actions(position) < 2))),
            ("EA6", Verdict::Holds),
            ("EA7", implies(&stopped, &previous(&self.stopping()))),
            ("S1", Verdict::Holds),
            ("S2", Verdict::Holds),
            ("S3", implies(&stopped, &quiescent)),
            (
                "S4",
                always(&not(
                    &self.event(|event| event.name == "InitSuccess" && !self.lists[&event.list].1)
                )),
            ),
            ("S5", Verdict::Holds),
            ("S6", at_most_one(&or(&stopped, &crash), &success)),
            ("L1", Verdict::Holds),
            ("L2", Verdict::Holds),
            ("L3", third.and(if waits { Verdict::Undetermined } else { Verdict::Holds })),
        ]);
        let mut demand = |name: &'static str, verdict: Verdict| {
            let known = verdicts.get_mut(name).expect("an axiom");
            *known = known.and(verdict);
        };
        for id in self.ids() {
            let (starts, ends) = (self.of_id("RunStart", id), self.ends(id));
            demand("EA6", ends_after_crash(&crash, &ends, &starts));
            demand("EA7", implies(&ends, &previous(&self.running(id))));
            demand("S2", self.second_success(id));
        }
        for task in self.tasks.keys() {
            let starts = self.event(|event| event.name == "RunStart" && event.x == *task);
            let obligation = self.obligation(task);
            demand("S1", implies(&starts, &previous(&obligation)));
            let members = |i: usize| self.members(lists[i]);
            let replaced: Column = (0..lists.len())
                .map(|i| {
                    success[i] && !(i > 0 && lists[i - 1].is_some() && members(i - 1) == members(i))
                })
                .collect();
            let started = self.of_id("RunStart", &self.tasks[task].0);
            let goal = or(&started, &not(&self.active()));
            let replaced = or(&replaced, &self.of_id("Paused", &self.tasks[task].0));
            let replaced = or(&replaced, &self.full());
            demand("L1", self.voidable(&obligation, &goal, &replaced, sizes));
        }
        for (name, verdict) in self.of_calls() {
            demand(name, verdict);
        }
        verdicts
    }

    /// What is demanded of every call of initialize().
    fn of_calls(&self) -> Vec<(&'static str, Verdict)> {
        let crash = self.crash();
        let up = hold_plus(&self.named("InitSuccess"), &or(&self.named("StopEnd"), &crash));
        let calls = || {
            let events = self.positions.iter().flat_map(|position| &position.events);
            events.filter(|event| event.name.starts_with("Init"))
        };
        let names: BTreeSet<&String> = calls().map(|event| &event.call).collect();
        let open = |call: &str| {
            let end = or(&self.of_call("InitSuccess", call), &self.of_call("InitFailure", call));
            hold(&self.of_call("InitStart", call), &or(&end, &crash))
        };
        let any_open = names.iter().fold(self.none(), |any, call| or(&any, &open(call)));
        let excused = previous(&or(&any_open, &or(&up, &self.stopping())));
        let mut demands = Vec::new();
        for call in &names {
            let list = &calls().find(|event| event.call == **call).expect("an event").list;
            let (members, valid) = &self.lists[list];
            let starts = self.of_call("InitStart", call);
            let (good, bad) =
                (self.of_call("InitSuccess", call), self.of_call("InitFailure", call));
            let end = or(&good, &bad);
            demands.push(("EA7", always(&or(&not(&end), &previous(&open(call))))));
            demands.push(("L2", self.bounded(&starts, &or(&end, &crash), |_| members.len())));
            for i in (0..starts.len()).filter(|i| starts[*i] && *valid && !excused[*i]) {
                let decided = (i..starts.len()).find(|j| end[*j] || crash[*j]);
                demands.push((
                    "S5",
                    match decided {
                        None => Verdict::Undetermined,
                        Some(j) if good[j] || crash[j] => Verdict::Holds,
                        Some(j) => Verdict::Violated(j),
                    },
                ));
            }
        }
        demands
    }

    /// AtMostOne(Due or FirstComing, RSucc), with RSucc unknown while a run is open.
    fn second_success(&self, id: &str) -> Verdict {
        let starts = self.of_id("RunStart", id);
        let (good, bad) = (self.of_id("RunSuccess", id), self.of_id("RunFailure", id));
        let crash = self.crash();
        let period = or(&self.of_id("Due", id), &self.of_id("Triggered", id));
        let period = or(&period, &self.first_coming(id));
        // Whether the start succeeds, and where that is decided.
        let outcome = |i: usize| {
            let end = (i..starts.len()).find(|j| good[*j] || bad[*j] || crash[*j]);
            end.map(|end| (good[end], end))
        };
        let mut verdict = Verdict::Holds;
        for j in (0..starts.len()).filter(|j| starts[*j]) {
            for i in (0..j).filter(|i| starts[*i] && !(i + 1..=j).any(|k| period[k])) {
                verdict = verdict.and(match (outcome(i), outcome(j)) {
                    (Some((false, _)), _) | (_, Some((false, _))) => Verdict::Holds,
                    (Some((true, left)), Some((true, right))) => Verdict::Violated(left.max(right)),
                    _ => Verdict::Undetermined,
                });
            }
        }
        verdict
    }

    /// EA4 and EA5, which only a loop decides.
    fn recurring(&self, trace: &Value, verdicts: &mut BTreeMap<&'static str, Verdict>) {
        let Some(from) = trace["loop"]["from_t"].as_i64() else {
            verdicts.insert("EA4", Verdict::Undetermined);
            verdicts.insert("EA5", Verdict::Undetermined);
            return;
        };
        let again = || self.positions.iter().filter(|position| position.time >= from);
        let frozen = again().any(|position| !self.compute.contains(&position.time));
        verdicts.insert("EA4", if frozen { Verdict::Holds } else { Verdict::Violated(usize::MAX) });
        let holds = self.tasks.keys().all(|task| {
            let due = |position: &Position| {
                position.events.iter().any(|event| event.name == "Due" && event.x == *task)
            };
            again().any(due) || !self.positions.iter().any(due)
        });
        verdicts.insert("EA5", if holds { Verdict::Holds } else { Verdict::Violated(usize::MAX) });
    }
}

/// G(A -> X(not A W B)).
fn at_most_one(between: &Column, of: &Column) -> Verdict {
    let mut verdict = Verdict::Holds;
    for i in (0..of.len()).filter(|i| of[*i]) {
        let second = (i + 1..of.len()).find(|j| of[*j]);
        if let Some(second) = second
            && !(i + 1..=second).any(|k| between[k])
        {
            verdict = verdict.and(Verdict::Violated(second));
        }
    }
    verdict
}

/// G(Crash -> (not RE W RS)).
fn ends_after_crash(crash: &Column, ends: &Column, starts: &Column) -> Verdict {
    let mut verdict = Verdict::Holds;
    for i in (0..crash.len()).filter(|i| crash[*i]) {
        let stop = (i..crash.len()).find(|j| ends[*j] || starts[*j]);
        if let Some(stop) = stop.filter(|stop| !starts[*stop]) {
            verdict = verdict.and(Verdict::Violated(stop));
        }
    }
    verdict
}
