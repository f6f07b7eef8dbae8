//! A process with a scheduler, simulated: the roster, a store that takes its time and may fail, callbacks
//! that succeed, fail or take long, and crashes between any two steps. What it does it tells a contract,
//! in the order of the library's module; a mutant does one thing wrong.

use hemiola_scheduler::{
    Contract, Declaration, Dst, Ended, List, Millis, Roster, State, TaskIndex,
};
use hemiola_trace::{TaskEntry, TaskFact};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers that look random and are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// What is wrong with a scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// Nothing.
    None,
    /// A task that succeeded is run once more.
    DoubleRun,
    /// `stop` does not wait.
    EarlyStop,
    /// A list is taken while another is in force.
    DoubleInit,
    /// A due is taken for served without a run.
    DroppedDue,
    /// A task that a crash interrupted is taken for one that ended.
    ForgottenOrphan,
    /// An end is told before it is durable.
    EarlyEnd,
    /// From some start on it looks for nothing that is due.
    Silent,
    /// It starts more tasks at once than it may.
    Crowded,
    /// It does not notice that somebody sets the clock.
    DeafToClock,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    Initializing,
    Running,
    Stopping,
}

enum Change {
    /// The state of an id.
    Task(String, String),
    Forget(String),
}

/// What follows a commit.
enum After {
    Init { call: u32, taken: Millis },
    Start { task: usize },
    End { task: usize, end: Millis, good: bool },
    Tell { at: Millis, what: TaskFact },
    Nothing,
}

enum Step {
    Committed(Vec<(Vec<Change>, After)>),
    Returned {
        task: usize,
        good: bool,
    },
    Wake,
    /// The store is tried again for what it did not take.
    Again(usize, Millis, bool),
    User,
    /// Somebody sets the clock.
    SetClock,
}

/// One run of a task, as it was told.
pub struct Told {
    pub id: String,
    /// When it started, by a clock that nobody sets.
    pub start: Millis,
    /// What the clock on the wall showed then.
    pub shown: Millis,
    pub success: bool,
}

pub struct Simulation<'t> {
    pub contract: Contract<'t>,
    numbers: Numbers,
    mutant: Mutant,
    /// What the clock on the wall shows, by which everything goes.
    now: Millis,
    /// By how much it was set forward in all.
    set_by: Millis,
    roster: Roster,
    phase: Phase,
    list: Vec<Declaration>,
    stored: BTreeMap<String, String>,
    queue: BTreeMap<(Millis, u64), Step>,
    count: u64,
    gathered: Vec<(Vec<Change>, After)>,
    is_committing: bool,
    wake: Option<(Millis, u64)>,
    calls: u32,
    running: BTreeSet<usize>,
    /// When each was started, by a clock that nobody sets and by the one on the wall.
    starts: BTreeMap<usize, (Millis, Millis)>,
    /// Since when each id is in the list, and what was asked for.
    pub told: Vec<Told>,
    pub resets: Vec<(String, Millis)>,
    /// Whether nothing goes wrong any more.
    is_calm: bool,
    pub crashes: u32,
}

impl<'t> Simulation<'t> {
    pub fn new(contract: Contract<'t>, seed: u64, mutant: Mutant) -> Self {
        let mut numbers = Numbers(seed);
        let now = 1_704_067_200_000 + numbers.below(86_400_000) as Millis;
        Self {
            contract,
            numbers,
            mutant,
            now,
            set_by: 0,
            roster: Roster::default(),
            phase: Phase::Idle,
            list: Vec::new(),
            stored: BTreeMap::new(),
            queue: BTreeMap::new(),
            count: 0,
            gathered: Vec::new(),
            is_committing: false,
            wake: None,
            calls: 0,
            running: BTreeSet::new(),
            starts: BTreeMap::new(),
            told: Vec::new(),
            resets: Vec::new(),
            is_calm: false,
            crashes: 0,
        }
    }

    /// Some processes one after the other; the last of them comes to rest.
    pub fn run(&mut self) {
        let lives = 1 + self.numbers.below(4);
        for life in 0..lives {
            self.is_calm = life + 1 == lives;
            self.live();
            if !self.is_calm {
                self.crash();
            }
        }
        // Who falls silent is found out by what it was granted.
        if self.mutant != Mutant::Silent {
            self.contract.rest(self.now);
        }
    }

    fn live(&mut self) {
        self.change_list();
        self.initialize();
        let mut users = self.numbers.below(4);
        self.later(0, 100_000, Step::User);
        self.later(0, 400_000, Step::SetClock);
        let mut end = self.now + 60_000 * (1 + self.numbers.below(8) as Millis);
        // A crash comes between two steps, wherever.
        let steps = if self.is_calm { u64::MAX } else { self.numbers.below(60) };
        for _ in 0..steps {
            let is_busy = self.is_busy();
            let Some(entry) = self.queue.first_entry() else { break };
            // What is under way ends before the run does.
            let is_wake = matches!(entry.get(), Step::Wake | Step::User | Step::SetClock);
            if entry.key().0 > end && is_wake && !is_busy {
                break;
            }
            let ((at, _), step) = entry.remove_entry();
            self.idle(at);
            match step {
                Step::User if users == 0 || self.now > end => {}
                Step::User => {
                    users -= 1;
                    self.interfere();
                    self.later(0, 100_000, Step::User);
                }
                Step::SetClock => {
                    let by = self.draw_step();
                    end += by;
                    self.set_clock(by);
                    self.later(0, 400_000, Step::SetClock);
                }
                step => self.step(step),
            }
            if self.now > end && self.phase == Phase::Idle {
                break;
            }
        }
        if self.is_calm {
            self.idle(end);
        }
    }

    /// The loop has nothing to do until then, which is a grant unless the store is awaited.
    fn idle(&mut self, until: Millis) {
        let is_again = |step: &Step| matches!(step, Step::Again(..));
        if until > self.now && !self.is_committing && !self.queue.values().any(is_again) {
            self.tell(until, TaskFact::Compute { since: self.now });
        }
        self.now = self.now.max(until);
    }

    fn is_busy(&self) -> bool {
        self.is_committing || !self.running.is_empty()
    }

    fn later(&mut self, least: u64, spread: u64, step: Step) {
        self.count += 1;
        let at = self.now + (least + self.numbers.below(spread + 1)) as Millis;
        self.queue.insert((at, self.count), step);
    }

    fn tell(&mut self, at: Millis, what: TaskFact) {
        self.contract.tell(at, &what);
    }

    /// The process is gone, and another one comes after a while.
    fn crash(&mut self) {
        self.crashes += 1;
        self.queue.clear();
        self.gathered.clear();
        (self.is_committing, self.wake, self.calls) = (false, None, 0);
        self.running.clear();
        self.phase = Phase::Idle;
        self.contract.end_process();
        let down = [1, 500, 40_000, 200_000][self.numbers.below(4) as usize];
        self.now += 1 + self.numbers.below(down) as Millis;
        if self.numbers.chance(20) {
            // Nobody notices.
            let by = self.draw_step();
            (self.now, self.set_by) = (self.now + by, self.set_by + by);
            self.reset_all();
        }
        if self.mutant == Mutant::ForgottenOrphan {
            for state in self.stored.values_mut() {
                let mut kept: State = serde_json::from_str(state).expect("a state");
                if std::mem::take(&mut kept.running) {
                    (kept.since, kept.boot, kept.retry_at) = (self.now, false, None);
                }
                *state = serde_json::to_string(&kept).expect("a state can be written");
            }
        }
    }

    fn change_list(&mut self) {
        const CRONS: [&str; 5] =
            ["* * * * *", "*/2 * * * *", "1-59/3 * * * *", "0 * * * *", "30 6 * * *"];
        if self.list.is_empty() || self.numbers.chance(50) {
            for id in ["a", "b", "c"] {
                let at = self.list.iter().position(|task| task.id == id);
                match (self.numbers.below(3), at) {
                    (0, Some(at)) => drop(self.list.remove(at)),
                    (1, Some(at)) => {
                        self.list[at].cron = CRONS[self.numbers.below(5) as usize].into();
                    }
                    (1 | 2, None) => self.list.push(Declaration {
                        id: id.into(),
                        cron: CRONS[self.numbers.below(5) as usize].into(),
                        zone: "UTC".into(),
                        dst: Dst::Theory,
                        retry_delay: [0, 5_000, 70_000][self.numbers.below(3) as usize],
                        jitter: [0, 0, 9_000][self.numbers.below(3) as usize],
                        backoff: [1, 1, 3][self.numbers.below(3) as usize],
                        attempts: [None, None, Some(2)][self.numbers.below(3) as usize],
                        ..Declaration::default()
                    }),
                    _ => {}
                }
            }
        }
    }

    fn initialize(&mut self) {
        self.calls += 1;
        let call = self.calls;
        let entry = |task: &Declaration| TaskEntry {
            id: task.id.clone(),
            cron: task.cron.clone(),
            zone: task.zone.clone(),
            once: false,
            retry_delay: task.retry_delay,
        };
        let list = self.list.iter().map(entry).collect();
        let most = [1, 2, usize::MAX, usize::MAX][self.numbers.below(4) as usize];
        let concurrency = (most != usize::MAX).then_some(most as u64);
        self.tell(self.now, TaskFact::InitStart { call, list, valid: true, concurrency });
        if self.mutant == Mutant::DoubleInit && self.phase == Phase::Running {
            return self.tell(self.now, TaskFact::InitSuccess { call });
        }
        if self.phase != Phase::Idle {
            return self.tell(self.now, TaskFact::InitFailure { call, by_store: false });
        }
        self.now += self.numbers.below(3) as Millis;
        let set_by = if self.numbers.chance(5) && self.mutant != Mutant::DeafToClock {
            self.draw_step()
        } else {
            0
        };
        if set_by != 0 {
            self.move_clock(set_by);
        }
        let tasks = self.stored.clone().into_iter().collect();
        self.tell(self.now - set_by, TaskFact::Stored { store: Some("s".into()), tasks });
        let read = |(id, state): (&String, &String)| {
            (id.clone(), serde_json::from_str(state).expect("a state"))
        };
        let known = self.stored.iter().map(read).collect();
        let list = List::new(&self.list).expect("a valid list");
        let most = if self.mutant == Mutant::Crowded { usize::MAX } else { most };
        let (roster, differences) = Roster::new(list, known, most, self.now, set_by);
        self.roster = roster;
        self.tell_holds();
        for id in &differences.added {
            self.resets.push((id.clone(), self.now - self.set_by));
        }
        self.phase = Phase::Initializing;
        let forget = differences.removed.into_iter().map(Change::Forget);
        let changes = forget.chain((0..self.roster.len()).map(|task| self.kept(task))).collect();
        self.commit(changes, After::Init { call, taken: self.now });
    }

    /// Somebody calls a function of the module.
    fn interfere(&mut self) {
        let len = self.roster.len() as u64;
        match self.numbers.below(6) {
            0 => self.initialize(),
            1 | 2 if self.phase != Phase::Stopping => {
                self.tell(self.now, TaskFact::StopStart);
                if self.phase != Phase::Idle {
                    self.phase = Phase::Stopping;
                }
                self.try_to_stop();
            }
            3.. if self.phase == Phase::Running && len > 0 => {
                let task = self.numbers.below(len) as usize;
                let id = self.roster.id(TaskIndex(task)).to_owned();
                let what = match self.numbers.below(3) {
                    0 => {
                        self.roster.trigger(TaskIndex(task), self.now);
                        self.resets.push((id.clone(), self.now - self.set_by));
                        TaskFact::Triggered(id)
                    }
                    1 => {
                        self.roster.pause(TaskIndex(task), true, self.now);
                        TaskFact::Paused(id)
                    }
                    _ => {
                        self.roster.pause(TaskIndex(task), false, self.now);
                        TaskFact::Resumed(id)
                    }
                };
                self.commit(vec![self.kept(task)], After::Tell { at: self.now, what });
                self.wake_up();
            }
            _ => {}
        }
    }

    fn try_to_stop(&mut self) {
        let may_end = self.running.is_empty() && !self.is_committing;
        let ends = self.phase == Phase::Idle || self.phase == Phase::Stopping && may_end;
        if self.mutant == Mutant::EarlyStop && !ends {
            self.queue.clear();
            return self.tell(self.now, TaskFact::StopEnd);
        }
        if ends {
            self.phase = Phase::Idle;
            self.tell(self.now, TaskFact::StopEnd);
            // Somebody starts it again.
            self.change_list();
            self.initialize();
        }
    }

    fn commit(&mut self, changes: Vec<Change>, after: After) {
        self.gathered.push((changes, after));
        if !self.is_committing {
            self.write();
        }
    }

    fn write(&mut self) {
        if self.gathered.is_empty() {
            return;
        }
        self.is_committing = true;
        let batch = std::mem::take(&mut self.gathered);
        self.later(0, 3, Step::Committed(batch));
    }

    /// A task as it is with whatever is written before this.
    fn kept(&self, task: usize) -> Change {
        let state = self.roster.state_after_end(TaskIndex(task)).expect("it is no job");
        let text = serde_json::to_string(&state).expect("a state can be written");
        Change::Task(self.roster.id(TaskIndex(task)).to_owned(), text)
    }

    fn keep(&mut self, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Forget(id) => drop(self.stored.remove(id)),
                Change::Task(id, state) => {
                    self.stored.insert(id.clone(), state.clone());
                }
            }
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Committed(batch) => {
                self.is_committing = false;
                if !self.is_calm && self.numbers.chance(3) {
                    batch.into_iter().for_each(|(_, after)| self.refused(after));
                } else {
                    batch.iter().for_each(|(changes, _)| self.keep(changes));
                    // A crash may come before anybody hears of it.
                    if !self.is_calm && self.numbers.chance(8) {
                        self.queue.clear();
                        return;
                    }
                    batch.into_iter().for_each(|(_, after)| self.durable(after));
                }
                self.write();
                self.wake_up();
                if self.phase == Phase::Stopping {
                    self.try_to_stop();
                }
            }
            Step::Returned { task, good } => self.returned(task, good),
            Step::Again(task, end, good) => {
                let change = self.kept(task);
                self.commit(vec![change], After::End { task, end, good });
            }
            Step::Wake => {
                self.wake = None;
                self.wake_up();
            }
            Step::User | Step::SetClock => {}
        }
    }

    /// By how much somebody sets the clock: a little, some minutes, or hours.
    fn draw_step(&mut self) -> Millis {
        let farthest = [3, 50_000, 400_000, 10_000_000][self.numbers.below(4) as usize];
        let by = 1 + self.numbers.below(farthest) as Millis;
        if self.numbers.chance(50) { by } else { -by }
    }

    /// Whatever a task did before, the minutes may be the same.
    fn reset_all(&mut self) {
        let now = self.now - self.set_by;
        self.resets.extend(["a", "b", "c"].map(|id| (id.to_owned(), now)));
    }

    /// The clock shows something else, and everything that waits for a time waits on.
    fn move_clock(&mut self, by: Millis) {
        let from = self.now;
        (self.now, self.set_by) = (self.now + by, self.set_by + by);
        self.reset_all();
        let shift = |after: &mut After| match after {
            After::Init { taken: at, .. } | After::End { end: at, .. } | After::Tell { at, .. } => {
                *at += by;
            }
            After::Start { .. } | After::Nothing => {}
        };
        self.gathered.iter_mut().for_each(|(_, after)| shift(after));
        let mut queue = BTreeMap::new();
        for ((at, number), mut step) in std::mem::take(&mut self.queue) {
            match &mut step {
                Step::Committed(batch) => batch.iter_mut().for_each(|(_, after)| shift(after)),
                Step::Again(_, end, _) => *end += by,
                Step::Returned { .. } | Step::Wake | Step::User | Step::SetClock => {}
            }
            queue.insert((at + by, number), step);
        }
        self.queue = queue;
        self.wake = self.wake.map(|(at, number)| (at + by, number));
        self.tell(self.now, TaskFact::ClockSet { from });
    }

    /// Somebody sets the clock, and the scheduler notices.
    fn set_clock(&mut self, by: Millis) {
        let from = self.now;
        self.move_clock(by);
        if self.phase == Phase::Idle || self.mutant == Mutant::DeafToClock {
            return;
        }
        self.roster.set_clock(from, self.now);
        self.tell_holds();
        let changes = (0..self.roster.len()).map(|task| self.kept(task)).collect();
        self.commit(changes, After::Nothing);
        self.wake_up();
    }

    /// The store did not take it.
    fn refused(&mut self, after: After) {
        match after {
            After::Init { call, .. } => {
                self.phase = Phase::Idle;
                self.tell(self.now, TaskFact::InitFailure { call, by_store: true });
                // Nothing of it is known; who stopped has nothing to wait for.
                let now = self.now - self.set_by;
                self.resets.retain(|(_, at)| *at != now);
            }
            After::Start { task } => {
                self.roster.withdraw(TaskIndex(task), self.now);
                self.running.remove(&task);
            }
            After::End { task, end, good } => self.later(100, 100, Step::Again(task, end, good)),
            After::Tell { at, what } => {
                self.tell(self.now, TaskFact::Supernatural("store: EIO".into()));
                self.tell(at, what);
            }
            After::Nothing => {}
        }
    }

    fn durable(&mut self, after: After) {
        match after {
            After::Init { call, taken } => {
                self.tell(taken, TaskFact::InitSuccess { call });
                if self.phase == Phase::Initializing {
                    self.phase = Phase::Running;
                }
            }
            After::Start { task } if self.phase != Phase::Running => {
                self.roster.withdraw(TaskIndex(task), self.now);
                self.running.remove(&task);
                self.commit(vec![self.kept(task)], After::Nothing);
            }
            After::Start { task } => {
                self.roster.started(TaskIndex(task), self.now);
                self.starts.insert(task, (self.now - self.set_by, self.now));
                let id = self.roster.id(TaskIndex(task)).to_owned();
                self.tell(self.now, TaskFact::RunStart(id));
                let good = self.numbers.chance(70);
                let length = [0, 50, 130_000][self.numbers.below(3) as usize];
                self.later(0, length, Step::Returned { task, good });
            }
            After::End { task, end, good } => {
                self.running.remove(&task);
                self.roster.settled(TaskIndex(task), end);
                if self.mutant != Mutant::EarlyEnd {
                    self.tell_end(task, end, good);
                }
                self.tell_hold(task, end);
                if self.mutant == Mutant::DoubleRun && good {
                    let id = self.roster.id(TaskIndex(task)).to_owned();
                    self.tell(self.now, TaskFact::RunStart(id));
                    self.tell_end(task, self.now, true);
                }
            }
            After::Tell { at, what } => self.tell(at, what),
            After::Nothing => {}
        }
    }

    fn returned(&mut self, task: usize, good: bool) {
        let end = self.now;
        let ended = if good { Ended::Success } else { Ended::Failure("x".into()) };
        self.roster.ended(TaskIndex(task), end, ended);
        if self.mutant == Mutant::EarlyEnd {
            self.tell_end(task, end, good);
        }
        let change = self.kept(task);
        self.commit(vec![change], After::End { task, end, good });
    }

    fn tell_end(&mut self, task: usize, end: Millis, success: bool) {
        let id = self.roster.id(TaskIndex(task)).to_owned();
        let (start, shown) = self.starts[&task];
        self.told.push(Told { id: id.clone(), start, shown, success });
        self.tell(end, if success { TaskFact::RunSuccess(id) } else { TaskFact::RunFailure(id) });
    }

    /// Tells until when failed tasks are not tried again, where that is later than their delay says.
    fn tell_holds(&mut self) {
        (0..self.roster.len()).for_each(|task| self.tell_hold(task, self.now));
    }

    fn tell_hold(&mut self, task: usize, now: Millis) {
        if let Some(until) = self.roster.held_until(TaskIndex(task), now) {
            let id = self.roster.id(TaskIndex(task)).to_owned();
            self.tell(now, TaskFact::PutOff { id, until });
        }
    }

    fn wake_up(&mut self) {
        if let Some(wake) = self.wake.take() {
            self.queue.remove(&wake);
        }
        if self.phase != Phase::Running || self.mutant == Mutant::Silent && self.told.len() > 2 {
            return;
        }
        loop {
            let mut put_off = Vec::new();
            let drawn = self.numbers.below(9_000);
            let mut jitter = |task: TaskIndex, below: i64| {
                let delay = drawn as i64 % below;
                put_off.push((task, delay));
                delay
            };
            let start = self.roster.start(self.now, &mut jitter);
            for (task, delay) in put_off {
                let id = self.roster.id(task).to_owned();
                self.tell(self.now, TaskFact::PutOff { id, until: self.now + delay });
            }
            let Some(start) = start else { break };
            let task = start.task;
            if self.mutant == Mutant::DroppedDue && self.numbers.chance(30) {
                self.roster.started(task, self.now);
                self.roster.ended(task, self.now, Ended::Success);
                self.roster.settled(task, self.now);
                continue;
            }
            self.running.insert(task.0);
            self.commit(vec![self.kept(task.0)], After::Start { task: task.0 });
        }
        if let Some(next) = self.roster.wake() {
            self.count += 1;
            let key = (next.max(self.now), self.count);
            self.queue.insert(key, Step::Wake);
            self.wake = Some(key);
        }
    }

    /// The tasks that owe something for which the roster has no excuse, at the end.
    pub fn owed(&self) -> Vec<String> {
        if self.phase != Phase::Running || self.is_busy() {
            return Vec::new();
        }
        let tasks = (0..self.roster.len()).map(TaskIndex);
        let owed = tasks.filter(|task| self.roster.pending(*task, self.now).is_some());
        let is_put_off = |id: &str| self.list.iter().any(|task| task.id == id && task.jitter > 0);
        let ids = owed.map(|task| self.roster.id(task).to_owned());
        ids.filter(|id| !is_put_off(id)).collect()
    }
}
