//! The actions of a run, made of the events of its trace.

use super::fleet::{Fleet, Seen};
use hemiola_lineage::{Requests, Served};
use hemiola_time::{Ordinal, Period, Tag};
use hemiola_trace::cluster::ClusterFact;
use hemiola_trace::{
    Class, Event, FleetFact, Invocation, Medium, Observation, Origin as From, Outcome, Place,
    Stream, TaskFact,
};
use std::collections::BTreeMap;

/// Everything that the page shows of a run. All numbers are places in these lists.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// Invocations, in the order in which they began.
    pub list: Vec<Action>,
    /// Labelled domains, in the order in which they came into being.
    pub domains: Vec<Domain>,
    /// Places in the program where something was registered.
    pub sites: Vec<Place>,
    /// Timed callbacks that were released.
    pub releases: Vec<Release>,
    /// Operations that were asked of the world.
    pub operations: Vec<Operation>,
    /// What the program showed.
    pub effects: Vec<(usize, Effect)>,
    /// Choices with more than one alternative.
    pub choices: Vec<Choice>,
    /// What was read and written, by whom.
    pub transfers: Vec<Transfer>,
    /// Runs of the tasks of a scheduler.
    pub tasks: Vec<Task>,
    /// What requests are called, by the action that began them.
    pub labels: Vec<(usize, String)>,
    /// Requests, with the actions that began and that answered them.
    pub requests: Vec<(Served, usize, usize)>,
    /// The processes of a fleet, and what was between them.
    pub fleet: Fleet,
    /// Whether the trace says at what physical time an invocation began; else the times of the list are
    /// the earliest that the rest of the trace allows.
    pub has_times: bool,
}

/// What kind of invocation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The main program.
    Main,
    /// A callback of the loop.
    Of(Class),
    /// A callback out of a queue of the program's own.
    Nested,
    /// What is called when there is nothing left to do.
    Exit,
}

/// One invocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its number in the trace.
    pub number: u64,
    /// What it is.
    pub kind: Kind,
    /// Its labelled domain.
    pub domain: Option<usize>,
    /// When it was due, if it is timed.
    pub tag: Option<Tag>,
    /// The physical time, in microseconds.
    pub at: u64,
    /// Who attached it.
    pub link: usize,
    /// Who made it able to run.
    pub cause: usize,
    /// Where in the program it was registered.
    pub site: Option<usize>,
    /// What it came from.
    pub origin: Origin,
    /// Whether an atomic action begins with it.
    pub is_head: bool,
    /// How many events there were when it became able to run, if that is known.
    pub able: Option<usize>,
    /// How many events there were when it began.
    pub began: usize,
    /// Its own processor time, in nanoseconds.
    pub spent: Option<u64>,
    /// The process that it is of, in a fleet.
    pub process: usize,
}

/// What an invocation came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Something that the page draws nothing for.
    Other,
    /// A timed callback.
    Release(usize),
    /// An operation.
    Operation(usize),
}

/// A labelled domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Its label.
    pub label: String,
    /// Its first logical time, in microseconds.
    pub origin: u64,
}

/// A timed callback that was released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its labelled domain.
    pub domain: Option<usize>,
    /// When it is due first.
    pub tag: Tag,
    /// How long after its release that is, in microseconds.
    pub delay: u64,
    /// What it repeats by.
    pub period: Option<Period>,
    /// Who released it.
    pub by: usize,
    /// Where.
    pub site: Option<usize>,
    /// Who cleared it.
    pub cleared: Option<usize>,
}

/// An operation that was asked of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What for, in words.
    pub what: String,
    /// Who asked.
    pub by: usize,
    /// Where.
    pub site: Option<usize>,
    /// When the answer became ready, in microseconds of physical time.
    pub done: Option<u64>,
    /// Who gave it up.
    pub dropped: Option<usize>,
}

/// Something that the program showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It wrote this.
    Wrote(Stream, String),
    /// It observed this.
    Observed(String),
    /// It ended with this error.
    Threw(String),
    /// A scheduler of tasks did this.
    Task(String),
    /// A clock was late, and this became of it.
    Late(String),
}

/// A choice with more than one alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The action that began next, or the number of actions.
    pub before: usize,
    /// Which alternative was taken.
    pub taken: u32,
    /// How many there were.
    pub of: u32,
    /// What was able to run, too, and ran later.
    pub others: Vec<usize>,
    /// In words, what was taken and what would have been by default, where somebody says so.
    pub words: Option<[String; 2]>,
}

/// Bytes that an action had from outside or sent there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The action.
    pub action: usize,
    /// Whether over the network; else from and to the disk.
    pub is_network: bool,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
}

/// One run of a task of a scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The id of the task.
    pub id: String,
    /// The action in which it was started.
    pub start: usize,
    /// The action in which it ended, and whether well.
    pub end: Option<(usize, bool)>,
}

impl Actions {
    /// The actions of a trace.
    pub fn of(events: &[Event]) -> Self {
        let mut reader = Reader::default();
        for event in events {
            reader.take(event);
        }
        reader.finish()
    }
}

/// What a site that is told next is the site of.
#[derive(Clone, Debug, Default)]
enum Sited {
    #[default]
    Nothing,
    Action(usize),
    Release(usize),
    Operation(usize),
    Queued(Ordinal),
}

/// A callback that is able to run.
#[derive(Clone, Copy, Debug)]
struct Queued {
    site: Option<usize>,
    /// How many events came before.
    since: usize,
}

/// Takes the events of a trace in their order.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    actions: Actions,
    requests: Requests,
    /// How many events were taken.
    seen: usize,
    /// The actions by their numbers.
    numbers: BTreeMap<u64, usize>,
    /// The actions that run: callbacks out of a program's own queue run within others.
    running: Vec<usize>,
    domains: BTreeMap<Ordinal, usize>,
    sites: BTreeMap<Place, usize>,
    releases: BTreeMap<Ordinal, usize>,
    operations: BTreeMap<u64, usize>,
    queued: BTreeMap<Ordinal, Queued>,
    last: Sited,
    /// The latest physical time that is known of.
    now: u64,
    /// The domain and tag of the atomic action, if it is one of a labelled domain.
    atomic: Option<(usize, Tag)>,
    /// Where in the trace the choices are.
    chosen_at: Vec<usize>,
    fleet: Seen,
}

impl Reader {
    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        self.seen += 1;
        self.requests.take(event);
        match event {
            Event::Opened { domain, label, origin } => {
                let origin = origin.as_micros();
                self.domains.insert(*domain, self.actions.domains.len());
                self.actions.domains.push(Domain { label: label.as_str().to_owned(), origin });
            }
            Event::Released { release, domain, tag, delay, period, by } => {
                let index = self.actions.releases.len();
                self.actions.releases.push(Release {
                    domain: self.domain(*domain),
                    tag: *tag,
                    delay: delay.as_micros(),
                    period: *period,
                    by: self.action(*by),
                    site: None,
                    cleared: None,
                });
                self.releases.insert(*release, index);
                self.last = Sited::Release(index);
            }
            Event::Cleared { release } => {
                let by = self.current();
                if let Some(&index) = self.releases.get(release) {
                    self.actions.releases[index].cleared = Some(by);
                }
            }
            Event::Skipped { domain, count, until } => {
                self.late(*domain, &format!("{count} invocations dropped, on at {until}"));
            }
            Event::Lagged { domain, lag } => {
                let micros = lag.as_micros();
                self.late(
                    *domain,
                    &format!("{} ms late, told to its handlers", micros as f64 / 1e3),
                );
            }
            Event::Queued { number, .. } => {
                self.queued.insert(*number, Queued { site: None, since: self.seen });
                self.last = Sited::Queued(*number);
            }
            Event::Dropped { what: From::Queued(number) } => drop(self.queued.remove(number)),
            Event::Dropped { what: From::Operation(operation) } => {
                let by = self.current();
                if let Some(&index) = self.operations.get(&operation.0) {
                    self.actions.operations[index].dropped = Some(by);
                }
            }
            Event::Requested { operation, by, what } => {
                let index = self.actions.operations.len();
                let by = self.action(*by);
                let what = what.clone();
                self.operations.insert(operation.0, index);
                let operation = Operation { what, by, site: None, done: None, dropped: None };
                self.actions.operations.push(operation);
                self.last = Sited::Operation(index);
            }
            Event::Completed { operation, at } => {
                self.now = self.now.max(at.as_micros());
                if let Some(&index) = self.operations.get(&operation.0) {
                    self.actions.operations[index].done = Some(at.as_micros());
                }
            }
            Event::Site(place) => self.sited(place),
            Event::Began { invocation, class, domain, tag, origin, link, cause, at } => {
                self.actions.has_times |= at.as_micros() > 0;
                self.now = self.now.max(at.as_micros());
                if let Some(tag) = tag {
                    // Nothing begins before it is due.
                    self.now = self.now.max(tag.time.as_micros());
                }
                let kind = self.kind(*class, invocation == link);
                let index = self.push(*invocation, kind, [*link, *cause]);
                self.actions.list[index].tag = *tag;
                self.actions.list[index].domain = self.domain(*domain);
                self.come_from(index, *origin);
                self.group(index);
            }
            Event::Spent { nanos } => {
                let current = self.current();
                if let Some(action) = self.actions.list.get_mut(current) {
                    action.spent = Some(*nanos);
                }
            }
            Event::Transferred { medium, read, written } => {
                let (action, is_network) = (self.current(), *medium == Medium::Network);
                let transfer = Transfer { action, is_network, read: *read, written: *written };
                self.actions.transfers.push(transfer);
            }
            Event::Labelled { name } => {
                let action = self.current();
                self.actions.labels.push((action, name.clone()));
            }
            Event::Task { what, .. } => self.task(what),
            Event::Ended { invocation, outcome } => {
                if let Outcome::Threw(error) = outcome {
                    self.show(Effect::Threw(error.clone()));
                }
                self.end(*invocation);
            }
            Event::Entered { invocation, link, cause } => {
                self.push(*invocation, Kind::Nested, [*link, *cause]);
            }
            Event::Left { invocation } => self.end(*invocation),
            Event::Observed(value) => self.show(Effect::Observed(match value {
                Observation::Number(number) => number.to_string(),
                Observation::Name(name) => name.to_string(),
            })),
            Event::Wrote { stream, text } => self.show(Effect::Wrote(*stream, text.clone())),
            Event::WroteBytes { stream, bytes } => {
                self.show(Effect::Wrote(
                    *stream,
                    format!("{} bytes that are no text", bytes.len()),
                ));
            }
            Event::Chose { taken, of } => {
                let before = self.actions.list.len();
                self.chosen_at.push(self.seen);
                let (others, words) = (Vec::new(), None);
                let choice = Choice { before, taken: *taken, of: *of, others, words };
                self.actions.choices.push(choice);
            }
            Event::Fleet(fact) => {
                if let FleetFact::Turned { .. } = fact {
                    // Whatever ran there runs no more.
                    self.running.clear();
                    self.atomic = None;
                }
                let numbers = &self.numbers;
                self.fleet.take(fact, |number| numbers.get(&number).copied());
            }
            // Which promise was settled is in the causes, and accesses are in the races.
            Event::Attached { .. }
            | Event::Settled { .. }
            | Event::Reacted { .. }
            | Event::Collected { .. }
            | Event::Dropped { .. }
            | Event::Accessed { .. }
            | Event::Located { .. }
            | Event::Placed { .. } => {}
        }
    }

    fn kind(&self, class: Option<Class>, is_its_own: bool) -> Kind {
        match class {
            Some(class) => Kind::Of(class),
            None if self.actions.list.is_empty() || is_its_own => Kind::Main,
            None => Kind::Exit,
        }
    }

    /// Notes what an action is a run of, and with that where it was registered.
    fn come_from(&mut self, index: usize, origin: Option<From>) {
        let action = &mut self.actions.list[index];
        match origin {
            None => {}
            Some(From::Release(release)) => {
                if let Some(&release) = self.releases.get(&release) {
                    action.origin = Origin::Release(release);
                    action.site = self.actions.releases[release].site;
                }
            }
            Some(From::Operation(operation)) => {
                self.fleet.began(operation, index);
                if let Some(&operation) = self.operations.get(&operation.0) {
                    action.origin = Origin::Operation(operation);
                    action.site = self.actions.operations[operation].site;
                }
            }
            Some(From::Queued(number)) => {
                if let Some(queued) = self.queued.remove(&number) {
                    action.site = queued.site;
                    action.able = Some(queued.since);
                }
            }
        }
    }

    /// Says whether an atomic action begins: those of one tag of a clock are one, and what comes in the
    /// tail of a callback belongs to it.
    fn group(&mut self, index: usize) {
        let action = &mut self.actions.list[index];
        let atomic = action.domain.zip(action.tag);
        let is_more = is_in_tail(action) || (atomic.is_some() && atomic == self.atomic);
        action.is_head = !is_more || index == 0;
        if !is_more {
            self.atomic = atomic;
        }
    }

    fn task(&mut self, what: &TaskFact) {
        let current = self.current();
        let tasks = &mut self.actions.tasks;
        let mut end = |id: &String, is_well: bool| {
            let mut open = tasks.iter_mut().rev();
            if let Some(task) = open.find(|task| task.id == *id && task.end.is_none()) {
                task.end = Some((current, is_well));
            }
        };
        let text = match what {
            TaskFact::RunStart(id) => {
                tasks.push(Task { id: id.clone(), start: current, end: None });
                format!("task {id} starts")
            }
            TaskFact::RunSuccess(id) => {
                end(id, true);
                format!("task {id} succeeded")
            }
            TaskFact::RunFailure(id) => {
                end(id, false);
                format!("task {id} failed")
            }
            TaskFact::Triggered(id) => format!("task {id} is asked for"),
            TaskFact::Paused(id) => format!("task {id} is paused"),
            TaskFact::Resumed(id) => format!("task {id} goes on"),
            TaskFact::PutOff { id, .. } => format!("task {id} is put off"),
            TaskFact::InitStart { list, .. } => format!("scheduler begins, {} tasks", list.len()),
            TaskFact::InitSuccess { .. } => "scheduler has begun".into(),
            TaskFact::InitFailure { .. } => "scheduler could not begin".into(),
            TaskFact::StopStart => "scheduler stops".into(),
            TaskFact::StopEnd => "scheduler has stopped".into(),
            TaskFact::StopFailure => "scheduler could not stop".into(),
            TaskFact::Stored { store: Some(store), .. } => format!("store {store} is open"),
            TaskFact::ClockSet { .. } => "somebody has set the clock".into(),
            TaskFact::Supernatural(kind) => format!("beyond the scheduler: {kind}"),
            TaskFact::Cluster { told, .. } => match &told.what {
                ClusterFact::Started { id, fence, .. } => {
                    tasks.push(Task { id: id.clone(), start: current, end: None });
                    format!("task {id} starts, fence {fence}")
                }
                ClusterFact::Ended { id, fence, failed, .. } => {
                    end(id, !failed);
                    format!(
                        "task {id} {}, fence {fence}",
                        if *failed { "failed" } else { "succeeded" }
                    )
                }
                ClusterFact::Renewed { .. } | ClusterFact::Served { .. } => return,
                other => format!("scheduler of several nodes: {}", other.describe()),
            },
            TaskFact::Stored { store: None, .. } | TaskFact::Compute { .. } => return,
        };
        self.show(Effect::Task(text));
    }

    fn push(
        &mut self,
        invocation: Invocation,
        kind: Kind,
        [link, cause]: [Invocation; 2],
    ) -> usize {
        let index = self.actions.list.len();
        self.numbers.insert(invocation.0, index);
        let action = Action {
            number: invocation.0,
            kind,
            domain: None,
            tag: None,
            at: self.now,
            link: self.action(link),
            cause: self.action(cause),
            site: None,
            origin: Origin::Other,
            is_head: false,
            able: None,
            began: self.seen,
            spent: None,
            process: self.fleet.process(),
        };
        self.actions.list.push(action);
        self.running.push(index);
        self.last = Sited::Action(index);
        index
    }

    fn end(&mut self, invocation: Invocation) {
        let index = self.action(invocation);
        // A trace that was cut or written by hand may end what is not running.
        while let Some(ended) = self.running.pop() {
            if ended == index {
                return;
            }
        }
    }

    fn sited(&mut self, place: &Place) {
        let count = self.sites.len();
        let site = *self.sites.entry(place.clone()).or_insert(count);
        if site == count {
            self.actions.sites.push(place.clone());
        }
        match std::mem::take(&mut self.last) {
            Sited::Nothing => {}
            Sited::Action(index) => self.actions.list[index].site = Some(site),
            Sited::Release(index) => self.actions.releases[index].site = Some(site),
            Sited::Operation(index) => self.actions.operations[index].site = Some(site),
            Sited::Queued(number) => {
                if let Some(queued) = self.queued.get_mut(&number) {
                    queued.site = Some(site);
                }
            }
        }
    }

    fn late(&mut self, domain: Ordinal, what: &str) {
        if let Some(domain) = self.domain(Some(domain)) {
            let label = &self.actions.domains[domain].label;
            self.show(Effect::Late(format!("clock {label}: {what}")));
        }
    }

    fn show(&mut self, effect: Effect) {
        let action = self.current();
        self.actions.effects.push((action, effect));
    }

    /// The running action; between two of them, the one that ended last.
    fn current(&self) -> usize {
        let last = self.actions.list.len().saturating_sub(1);
        self.running.last().copied().unwrap_or(last)
    }

    fn action(&self, invocation: Invocation) -> usize {
        self.numbers.get(&invocation.0).copied().unwrap_or(0)
    }

    fn domain(&self, domain: Option<Ordinal>) -> Option<usize> {
        self.domains.get(&domain?).copied()
    }

    /// All that was made of them.
    pub fn finish(mut self) -> Actions {
        let list = &self.actions.list;
        for (choice, &at) in self.actions.choices.iter_mut().zip(&self.chosen_at) {
            // There were so many others at most, and they are not far.
            let wanted = choice.of.saturating_sub(1) as usize;
            let later = list.iter().enumerate().skip(choice.before + 1).take(LATER);
            let others = later.filter(|(_, action)| match (action.able, action.origin) {
                (Some(able), _) => able < at && !is_in_tail(action),
                (None, Origin::Operation(_) | Origin::Release(_)) => {
                    list[choice.before.min(list.len() - 1)].at >= due(action)
                        && list[action.link].began < at
                }
                (None, Origin::Other) => false,
            });
            choice.others = others.map(|(index, _)| index).take(wanted).collect();
        }
        let requests = self.requests.into_all().into_iter().filter_map(|request| {
            let index = |invocation: &Invocation| self.numbers.get(&invocation.0).copied();
            let (first, last) = (index(request.invocations.first()?)?, index(&request.last)?);
            Some((request, first, last))
        });
        self.actions.requests = requests.collect();
        let list = &self.actions.list;
        let process = |action: usize| list.get(action).map_or(0, |action| action.process);
        self.actions.fleet = self.fleet.finish(process);
        self.actions
    }
}

/// How far behind a choice its alternatives are looked for.
const LATER: usize = 1_000;

fn is_in_tail(action: &Action) -> bool {
    matches!(action.kind, Kind::Of(class) if class.priority() == 0)
}

fn due(action: &Action) -> u64 {
    action.tag.map_or(u64::MAX, |tag| tag.time.as_micros())
}
