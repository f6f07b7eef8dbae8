//! Which task is to start now: the scheduler without clock, store and callbacks.
//!
//! A [`Roster`] is told what time it is and what happened, and says what has to be kept and what has to
//! start. Whoever drives it sees to it that a start is durable before the callback is entered, and
//! that an end is durable before it is reported (rule SCHED-4).

pub(crate) mod count;
mod job;
mod list;
mod state;

pub use count::Millis;
pub use job::{Job, Kind};
pub use list::{Declaration, List, Reason, Rejection};
pub use state::{Dead, Ended, LastRun, State};

use count::{last_due, next_due};
pub(crate) use list::{Declared, Retries};
use std::collections::{BTreeMap, BTreeSet};

/// No task that waits for ever waits longer.
const FAR: Millis = 1 << 50;

/// A task of the roster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskIndex(pub usize);

/// Why a task is to start, the most pressing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// A crash interrupted it.
    Orphaned,
    /// It failed, and its delay is over.
    Retry,
    /// It is due.
    Due,
    /// It was registered within a minute in which it is due.
    BootDue,
    /// Somebody asked for it.
    Triggered,
    /// It is a job, and due.
    Enqueued,
}

impl Pending {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Orphaned => "orphaned",
            Self::Retry => "retry",
            Self::Due => "due",
            Self::BootDue => "boot-due",
            Self::Triggered => "triggered",
            Self::Enqueued => "enqueued",
        }
    }
}

/// A task that is to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Which.
    pub task: TaskIndex,
    /// Why.
    pub pending: Pending,
    /// The due that it is for, if there is one.
    pub due: Option<Millis>,
    /// The first try is 1.
    pub attempt: u32,
    /// A number that grows with every start.
    pub fence: u64,
}

/// What two lists differ in (rule SCHED-7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Ids that were not there before.
    pub added: Vec<String>,
    /// Ids that are not there any more: what was known of them is forgotten.
    pub removed: Vec<String>,
    /// Ids whose schedule is another; their history stays. With what was declared before and now.
    pub changed: Vec<(String, String, String)>,
    /// Ids that a crash interrupted.
    pub orphaned: Vec<String>,
}

/// The tasks that are registered, and how they stand.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// The declared ones from zero on, then the jobs.
    tasks: BTreeMap<TaskIndex, Entry>,
    /// How many of them are declared.
    declared: usize,
    /// The number of the next job.
    next: usize,
    by_id: BTreeMap<String, TaskIndex>,
    timed: Timed,
    jobs: Timed,
    /// The number of the last start.
    fence: u64,
}

/// What starts of one kind.
#[derive(Clone, Debug, Default)]
struct Timed {
    /// When they have to be looked at: none twice.
    wakes: BTreeSet<(Millis, TaskIndex)>,
    running: usize,
    /// How many may run at once.
    most: usize,
}

impl Timed {
    fn has_room(&self) -> bool {
        self.running < self.most
    }
}

#[derive(Clone, Debug)]
struct Entry {
    declared: Declared,
    state: State,
    wake: Option<Millis>,
    /// Until when a start is put off by chance, once that was drawn.
    put_off: Option<Millis>,
    /// When and how its run ended, as long as that is not durable.
    ending: Option<(Millis, Ended)>,
}

impl Entry {
    /// Why it has to start at that time, if it has to, and the due that it is for.
    fn pending(&self, now: Millis) -> Option<(Pending, Option<Millis>)> {
        self.declared.pending(&self.state, now)
    }

    /// When it has to be looked at, if nothing happens before; now, if it is pending.
    fn next(&self, now: Millis) -> Option<Millis> {
        self.declared.next(&self.state, self.put_off, now)
    }
}

impl Declared {
    /// Why a task in that state has to start at that time, if it has to, and the due that it is for.
    pub(crate) fn pending(&self, state: &State, now: Millis) -> Option<(Pending, Option<Millis>)> {
        let State { boot, retry_at, running, orphaned, triggered, paused, .. } = *state;
        if running {
            return None;
        }
        let owed = match &state.job {
            Some(job) => job.owed_at(now),
            None => state.count().owed_at(&self.dues, now),
        };
        if triggered {
            return Some((Pending::Triggered, owed));
        }
        if paused {
            return None;
        }
        if orphaned {
            return Some((Pending::Orphaned, owed.or(state.due)));
        }
        if retry_at.is_some_and(|at| at <= now) {
            return Some((Pending::Retry, owed.or(state.due)));
        }
        if owed.is_some() {
            let is_job = state.job.is_some();
            return Some((if is_job { Pending::Enqueued } else { Pending::Due }, owed));
        }
        // What it owes from its first minute is a due of the schedule that there is now.
        let is_boot = boot && self.is_due_in_minute_of(state.since);
        is_boot.then(|| (Pending::BootDue, last_due(&self.dues, now)))
    }

    /// When a task in that state has to be looked at, if nothing happens before; if it is pending, now, or when it is
    /// no longer put off.
    pub(crate) fn next(
        &self,
        state: &State,
        put_off: Option<Millis>,
        now: Millis,
    ) -> Option<Millis> {
        if state.running {
            return None;
        }
        if self.pending(state, now).is_some() {
            return Some(put_off.unwrap_or(now));
        }
        if state.paused {
            return None;
        }
        self.next_due(state, now).into_iter().chain(state.retry_at).min()
    }

    /// The next due after an instant. What was seen before the clock was set back may not be due again.
    pub(crate) fn next_due(&self, state: &State, now: Millis) -> Option<Millis> {
        match &state.job {
            Some(job) => job.next_due(now),
            None => next_due(&self.dues, now.max(state.count().after())),
        }
    }
}

impl Roster {
    /// Registers a list over what a store kept of the one before. Gives what has to be kept now: the
    /// states of all tasks; ids that are not among them are to be forgotten. `set_by` says by how much the
    /// clock was set since the list was given. Jobs of tasks that are in the list go on; those of others stay in the
    /// store. As many jobs as tasks may run at once, but see [`Roster::limit_jobs`].
    pub fn new(
        list: List,
        mut stored: BTreeMap<String, State>,
        concurrency: usize,
        now: Millis,
        set_by: Millis,
    ) -> (Self, Differences) {
        let mut differences = Differences::default();
        let fence = stored.values().map(|state| state.fence).max().unwrap_or_default();
        let mut roster = Self { fence, ..Self::default() };
        (roster.timed.most, roster.jobs.most) = (concurrency, concurrency);
        let jobs: Vec<String> = stored
            .iter()
            .filter(|(_, state)| state.job.is_some())
            .map(|(id, _)| id.clone())
            .collect();
        let jobs: Vec<(String, State)> =
            jobs.into_iter().filter_map(|id| stored.remove_entry(&id)).collect();
        for declared in list.0 {
            let (text, more) = (declared.text.clone(), declared.more.clone());
            let state = match stored.remove(&declared.id) {
                Some(mut state) => {
                    state.found(&declared.dues, now - set_by);
                    if let Some((before, now)) = state.declare(&text, &more) {
                        differences.changed.push((declared.id.clone(), before, now));
                    }
                    if std::mem::take(&mut state.running) {
                        state.orphaned = true;
                        differences.orphaned.push(declared.id.clone());
                    }
                    if set_by != 0 {
                        state.clock_set(&declared.dues, now - set_by, now);
                    }
                    state
                }
                None => {
                    differences.added.push(declared.id.clone());
                    let is_due = declared.is_due_in_minute_of(now);
                    // The number of the last start may be that of a task that is forgotten.
                    State { fence, ..State::first_coming(text, more, now, is_due) }
                }
            };
            roster.add(declared, state, now);
        }
        roster.declared = roster.tasks.len();
        for (id, mut state) in jobs {
            let parent = state.job.as_ref().and_then(|job| roster.find(&job.task));
            let Some(parent) = parent else { continue };
            if std::mem::take(&mut state.running) {
                state.orphaned = true;
                differences.orphaned.push(id.clone());
            }
            state.clock_set(&roster.entry(parent).declared.dues, now - set_by, now);
            roster.add(roster.entry(parent).declared.of_job(&id), state, now);
        }
        differences.removed = stored.into_keys().collect();
        (roster, differences)
    }

    fn add(&mut self, declared: Declared, state: State, now: Millis) -> TaskIndex {
        let index = TaskIndex(self.next);
        self.next += 1;
        self.by_id.insert(declared.id.clone(), index);
        let entry = Entry { declared, state, wake: None, put_off: None, ending: None };
        self.tasks.insert(index, entry);
        self.look_at(index, now);
        index
    }

    fn remove(&mut self, task: TaskIndex) {
        if let Some(Entry { declared, state, wake, .. }) = self.tasks.remove(&task) {
            self.by_id.remove(&declared.id);
            wake.map(|wake| self.of_kind(&state).wakes.remove(&(wake, task)));
        }
    }

    fn entry(&self, task: TaskIndex) -> &Entry {
        &self.tasks[&task]
    }

    fn entry_mut(&mut self, task: TaskIndex) -> &mut Entry {
        self.tasks.get_mut(&task).expect("a number of a task is one that was given")
    }

    fn of_kind(&mut self, state: &State) -> &mut Timed {
        if state.job.is_some() { &mut self.jobs } else { &mut self.timed }
    }

    fn kind_of(&mut self, task: TaskIndex) -> &mut Timed {
        if self.entry(task).state.job.is_some() { &mut self.jobs } else { &mut self.timed }
    }

    /// Lets so many jobs run at once.
    pub fn limit_jobs(&mut self, most: usize) {
        self.jobs.most = most;
    }

    /// Adds a job of a declared task, unless there is one with its key. Gives the job with that id, and whether it is new.
    pub fn enqueue(&mut self, job: Job, now: Millis) -> Option<(TaskIndex, bool)> {
        let parent = self.find(&job.task).filter(|parent| parent.0 < self.declared)?;
        self.fence += 1;
        let fence = self.fence;
        let id = Job::id(&job.task, job.key.as_deref(), fence);
        if let Some(known) = self.find(&id) {
            return Some((known, false));
        }
        let declared = self.entry(parent).declared.of_job(&id);
        let task = self.add(declared, State { fence, ..State::of_job(job, now) }, now);
        Some((task, true))
    }

    /// Forgets a job that does not run; whether it is one.
    pub fn cancel(&mut self, task: TaskIndex) -> bool {
        let Entry { state, ending, .. } = self.entry(task);
        let is_idle = state.job.is_some() && !state.running && ending.is_none();
        if is_idle {
            self.remove(task);
        }
        is_idle
    }

    /// The jobs that there are.
    pub fn jobs(&self) -> impl Iterator<Item = TaskIndex> {
        self.tasks.range(TaskIndex(self.declared)..).map(|(task, _)| *task)
    }

    /// The task that a job is for.
    pub fn parent(&self, task: TaskIndex) -> Option<TaskIndex> {
        self.entry(task).state.job.as_ref().and_then(|job| self.find(&job.task))
    }

    /// How many tasks are declared.
    pub fn len(&self) -> usize {
        self.declared
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.declared == 0
    }

    /// The task with that id.
    pub fn find(&self, id: &str) -> Option<TaskIndex> {
        self.by_id.get(id).copied()
    }

    /// The id of a task.
    pub fn id(&self, task: TaskIndex) -> &str {
        &self.entry(task).declared.id
    }

    /// How a task stands; one whose end is not durable runs.
    pub fn state(&self, task: TaskIndex) -> &State {
        &self.entry(task).state
    }

    /// Why a task is to start, if it is.
    pub fn pending(&self, task: TaskIndex, now: Millis) -> Option<Pending> {
        self.entry(task).pending(now).map(|(pending, _)| pending)
    }

    /// The next due of a task after an instant.
    pub fn next_due(&self, task: TaskIndex, now: Millis) -> Option<Millis> {
        let Entry { declared, state, .. } = self.entry(task);
        declared.next_due(state, now)
    }

    /// How many are running.
    pub fn running(&self) -> usize {
        self.timed.running + self.jobs.running
    }

    /// When [`Roster::start`] has to be asked again; nothing while as many run as may, or if nothing
    /// will be due.
    pub fn wake(&self) -> Option<Millis> {
        let kinds = [&self.timed, &self.jobs].into_iter().filter(|kind| kind.has_room());
        kinds.filter_map(|kind| kind.wakes.first().map(|&(at, _)| at)).min()
    }

    /// A task that is to start now, and counts as running from now on. `jitter` draws for a task a number
    /// of milliseconds below the one that it is given, by which its start is put off.
    pub fn start(
        &mut self,
        now: Millis,
        jitter: &mut dyn FnMut(TaskIndex, i64) -> i64,
    ) -> Option<Start> {
        while let Some(task) = self.woken(now) {
            let entry = self.entry_mut(task);
            let Some((pending, due)) = entry.pending(now) else {
                self.look_at(task, now);
                continue;
            };
            if pending == Pending::Due && entry.put_off.is_none() && entry.declared.jitter > 0 {
                entry.put_off = Some(now + jitter(task, entry.declared.jitter));
                self.look_at(task, now);
                continue;
            }
            entry.put_off = None;
            let attempt = entry.state.claim(due, now);
            self.fence += 1;
            let fence = self.fence;
            // A job is forgotten when it is done, its number is not.
            for one in [Some(task), self.parent(task)].into_iter().flatten() {
                self.entry_mut(one).state.fence = fence;
            }
            self.kind_of(task).running += 1;
            self.look_at(task, now);
            return Some(Start { task, pending, due, attempt, fence });
        }
        None
    }

    /// The first that has to be looked at by now, of a kind of which more may run.
    fn woken(&self, now: Millis) -> Option<TaskIndex> {
        let kinds = [&self.timed, &self.jobs].into_iter().filter(|kind| kind.has_room());
        let first = kinds.filter_map(|kind| kind.wakes.first()).find(|(at, _)| *at <= now);
        first.map(|&(_, task)| task)
    }

    /// Its callback is entered at that time: whatever was owed until now is served by this run.
    pub fn started(&mut self, task: TaskIndex, now: Millis) {
        let Entry { declared, state, .. } = self.entry_mut(task);
        state.started(&declared.dues, now);
    }

    /// Its callback is not entered after all, because the scheduler stops: it is owed as before.
    pub fn withdraw(&mut self, task: TaskIndex, now: Millis) {
        let entry = self.entry_mut(task);
        entry.state.running = false;
        entry.state.triggered |= std::mem::take(&mut entry.state.asked_for);
        self.kind_of(task).running -= 1;
        self.look_at(task, now);
    }

    /// Its callback has ended. It counts as running until that is durable: see [`Roster::settled`].
    pub fn ended(&mut self, task: TaskIndex, now: Millis, ended: Ended) {
        self.entry_mut(task).ending = Some((now, ended));
    }

    /// What is to be kept of a task; if its callback has ended, with its end: what is written after that must
    /// not undo it. Nothing of a job that has succeeded.
    pub fn state_after_end(&self, task: TaskIndex) -> Option<State> {
        let entry = self.entry(task);
        let mut state = entry.state.clone();
        if let Some((at, ended)) = entry.ending.clone() {
            state.end(at, ended, &entry.declared.retries);
        }
        (!state.is_done()).then_some(state)
    }

    /// Its end is durable: it may start again.
    pub fn settled(&mut self, task: TaskIndex, now: Millis) {
        let entry = self.entry_mut(task);
        if let Some((at, ended)) = entry.ending.take() {
            entry.state.end(at, ended, &entry.declared.retries);
        }
        self.kind_of(task).running -= 1;
        if self.entry(task).state.is_done() {
            self.remove(task);
        } else {
            self.look_at(task, now);
        }
    }

    /// Asks for a run beside the schedule, also of a task that is paused.
    pub fn trigger(&mut self, task: TaskIndex, now: Millis) {
        let entry = self.entry_mut(task);
        entry.state.triggered = true;
        entry.put_off = None;
        self.look_at(task, now);
    }

    /// Tries a task again that was given up, or waits to be tried again; whether it is such a one.
    pub fn retry(&mut self, task: TaskIndex, now: Millis) -> bool {
        let is_known = self.entry_mut(task).state.retry(now);
        self.look_at(task, now);
        is_known
    }

    /// Until when a failed task waits, if that is not its declared delay: longer after each failure, and until its
    /// next due if it was given up.
    pub fn held_until(&self, task: TaskIndex, now: Millis) -> Option<Millis> {
        let Entry { declared, state, .. } = self.entry(task);
        let ended = state.last.as_ref().and_then(|last| last.end.as_ref());
        let (_, Ended::Failure(_)) = ended? else { return None };
        match state.retry_at {
            _ if state.running || state.orphaned => None,
            Some(at) => state.backs_off.then_some(at),
            None => Some(declared.next_due(state, now).unwrap_or(FAR)),
        }
    }

    /// Lets a task start nothing, or again what it owes; whether that is new.
    pub fn pause(&mut self, task: TaskIndex, paused: bool, now: Millis) -> bool {
        let state = &mut self.entry_mut(task).state;
        let is_new = std::mem::replace(&mut state.paused, paused) != paused;
        self.look_at(task, now);
        is_new
    }

    /// Somebody has set the clock (rule SCHED-8): it would show `from`, and shows `to`. Dues are what it shows;
    /// delays are times, and go on.
    pub fn set_clock(&mut self, from: Millis, to: Millis) {
        let all: Vec<TaskIndex> = self.tasks.keys().copied().collect();
        for index in all {
            let Entry { declared, state, put_off, ending, .. } = self.entry_mut(index);
            state.clock_set(&declared.dues, from, to);
            let instants = put_off.iter_mut().chain(ending.iter_mut().map(|(at, _)| at));
            instants.for_each(|at| *at += to - from);
            self.look_at(index, to);
        }
    }

    /// Notes when a task has to be looked at.
    fn look_at(&mut self, task: TaskIndex, now: Millis) {
        let entry = self.entry_mut(task);
        let before = entry.wake.take();
        let wake = entry.next(now);
        entry.wake = wake;
        let kind = self.kind_of(task);
        before.map(|before| kind.wakes.remove(&(before, task)));
        kind.wakes.extend(wake.map(|wake| (wake, task)));
    }
}
