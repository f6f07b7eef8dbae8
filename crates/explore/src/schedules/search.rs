//! Which schedule comes next.

use super::coverage::{Counts, Covered};
use super::failure::Blame;
use super::plan::{Ended, Known, Outcome, Plan, Report, State};
use hemiola_machine::Schedule;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// How many runs a wave has at most.
const WAVE: u64 = 128;

/// How many runs there are for each one of a wave: what a wave's runs find out is not known to its
/// other runs, so that not too much is done twice.
const PACE: u64 = 16;

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many deviations a schedule may have; nothing is any number.
    pub deviations: Option<u32>,
    /// How many runs there are at most.
    pub schedules: u64,
    /// What random schedules follow from.
    pub seed: u64,
    /// Whether the search is over when a run has failed.
    pub first_failure: bool,
}

/// What a search does at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// It tries schedules by the number of their deviations.
    Deviations,
    /// It tries random priorities.
    Priorities,
    /// It tries random choices.
    Random,
    /// It is over.
    Over,
}

impl Stage {
    /// When the time of a stage is up, of all the time that there is: three quarters are for schedules by
    /// their deviations.
    pub fn end(self, limit: Duration) -> Option<Duration> {
        match self {
            Self::Deviations => Some(limit * 3 / 4),
            Self::Priorities => Some(limit * 7 / 8),
            Self::Random => Some(limit),
            Self::Over => None,
        }
    }
}

/// A run to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// How it is scheduled.
    pub plan: Plan,
    /// The last of its deviations, for one that follows a schedule.
    last: Option<Deviation>,
    /// How often the search had begun anew.
    again: u32,
}

/// An outcome, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What the program showed.
    pub outcome: Outcome,
    /// How many runs ended so.
    pub runs: u64,
    /// The schedule of the first of them; of the first without slow answers, if there is one.
    pub schedule: Schedule,
    /// Whether it takes answers that are slow: no run without them ended so.
    pub slow: bool,
}

/// Outcomes that fail in the same way.
#[derive(Clone, Debug)]
pub struct Failing<'a> {
    /// What failed, and where.
    pub blame: Blame,
    /// Whether it takes answers that are slow.
    pub slow: bool,
    /// The outcomes; the first has the schedule with the fewest deviations.
    pub found: Vec<&'a Found>,
}

/// Which deviation, in the tree of all.
type Deviation = u32;

/// A deviation, after others.
#[derive(Clone, Copy, Debug)]
struct Node {
    before: Deviation,
    choice: u32,
    taken: u32,
    /// How many there are with this one.
    depth: u32,
}

/// The default order: no deviation.
const NONE: Deviation = 0;

/// A search over the schedules of a program.
#[derive(Debug)]
pub struct Search {
    settings: Settings,
    nodes: Vec<Node>,
    /// Deviations whose runs are to be made; those with fewer before them come first.
    queue: VecDeque<Deviation>,
    known: Arc<Known>,
    /// Whether the program looks at clocks.
    clock: bool,
    /// Whether it depends on more than accesses tell.
    coarse: bool,
    again: u32,
    stage: Stage,
    counts: Counts,
    /// How many runs were in stages before the present one.
    before: u64,
    /// How many runs with as many deviations as the last one were begun.
    tried: u64,
    depth: u32,
    /// Whether schedules were left out because they have too many deviations.
    left_out: bool,
    /// How many choices the default order has.
    length: u32,
    found: Vec<Found>,
    /// The schedule of the first run that went on for too long.
    cut: Option<Schedule>,
    index: BTreeMap<Outcome, usize>,
    part: Part,
}

/// One part of several that share a search. Each makes the run in the default order, and all that follow from its
/// share of the first deviations: what no part tries, there is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which one, from 0.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Part {
    /// All there is.
    pub const WHOLE: Self = Self { number: 0, of: 1 };
}

impl Search {
    /// A search that has not begun.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            nodes: vec![Node { before: NONE, choice: 0, taken: 0, depth: 0 }],
            queue: VecDeque::from([NONE]),
            known: Arc::default(),
            clock: false,
            coarse: false,
            again: 0,
            stage: Stage::Deviations,
            counts: Counts::default(),
            before: 0,
            tried: 0,
            depth: 0,
            left_out: false,
            length: 0,
            found: Vec::new(),
            cut: None,
            index: BTreeMap::new(),
            part: Part::WHOLE,
        }
    }

    /// The same search, of which others do the other parts.
    pub fn part(self, part: Part) -> Self {
        Self { part, ..self }
    }

    /// Searches until there is nothing left or the budget is spent. `wave` has runs made and gives their
    /// reports to [`Search::take`]; `is_up` says whether the time of a stage is up.
    pub fn in_waves<E>(
        settings: Settings,
        is_up: impl FnMut(Stage) -> bool,
        wave: impl FnMut(&mut Self, &[Job]) -> Result<(), E>,
    ) -> Result<Self, E> {
        Self::new(settings).to_its_end(is_up, wave)
    }

    /// The same for a search that has been made.
    pub fn to_its_end<E>(
        mut self,
        mut is_up: impl FnMut(Stage) -> bool,
        mut wave: impl FnMut(&mut Self, &[Job]) -> Result<(), E>,
    ) -> Result<Self, E> {
        loop {
            while is_up(self.stage()) {
                self.hurry();
            }
            let jobs = self.wave();
            if jobs.is_empty() {
                return Ok(self);
            }
            wave(&mut self, &jobs)?;
        }
    }

    /// Whether any run has come to its end, or to a known state.
    pub fn has_begun(&self) -> bool {
        self.counts.runs() > 0
    }

    /// Whether everything was tried that was asked for.
    pub fn is_complete(&self) -> bool {
        let covers = match self.covered() {
            Covered::All => true,
            Covered::Deviations { waiting, .. } => {
                self.settings.deviations.is_some() && waiting == 0
            }
        };
        covers && self.counts.cut == 0 && self.counts.misfits == 0 && self.counts.interrupted == 0
    }

    /// The states that runs need not go on from. They change only between waves.
    pub fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known)
    }

    /// Whether the program looks at clocks, as far as is known: then time is part of a state.
    pub fn clock(&self) -> bool {
        self.clock
    }

    /// Whether the program depends on more than its accesses tell, as far as is known: then states are to
    /// be told from each other by the order of callbacks.
    pub fn coarse(&self) -> bool {
        self.coarse
    }

    /// The runs to be made next; none when the search is over. Their reports are to be given to
    /// [`Search::take`] in this order.
    pub fn wave(&mut self) -> Vec<Job> {
        if self.settings.first_failure && self.found.iter().any(|one| one.outcome.failure.is_some())
        {
            self.stage = Stage::Over;
        }
        let runs = self.counts.runs();
        let most = (runs / PACE).clamp(1, WAVE);
        loop {
            let room = self.budget().saturating_sub(runs).min(most);
            let jobs: Vec<Job> = match self.stage {
                Stage::Over => return Vec::new(),
                Stage::Deviations => (0..room).map_while(|_| self.next_deviation()).collect(),
                Stage::Priorities => (runs..runs + room).map(|run| self.priorities(run)).collect(),
                Stage::Random => (runs..runs + room).map(|run| self.random(run)).collect(),
            };
            if !jobs.is_empty() {
                return jobs;
            }
            self.hurry();
        }
    }

    /// Goes on to the next stage: the time for this one is up.
    pub fn hurry(&mut self) {
        self.before = self.counts.runs();
        self.stage = match self.stage {
            // Nothing is left, or nothing that is wanted.
            Stage::Deviations if self.queue.is_empty() => Stage::Over,
            Stage::Deviations => Stage::Priorities,
            Stage::Priorities => Stage::Random,
            Stage::Random | Stage::Over => Stage::Over,
        };
    }

    /// How many runs there may be by the end of the present stage: three quarters for schedules by
    /// their deviations, half of the rest for random priorities.
    fn budget(&self) -> u64 {
        let all = self.settings.schedules;
        match self.stage {
            Stage::Deviations => all - all / 4,
            Stage::Priorities => self.before + (all - self.before).div_ceil(2),
            Stage::Random => all,
            Stage::Over => 0,
        }
    }

    fn next_deviation(&mut self) -> Option<Job> {
        let last = self.queue.pop_front()?;
        let depth = self.nodes[last as usize].depth;
        if depth > self.depth {
            (self.depth, self.tried) = (depth, 0);
        }
        self.tried += 1;
        Some(Job { plan: Plan::Follow(self.schedule(last)), last: Some(last), again: self.again })
    }

    /// What a run that draws follows from; other parts draw otherwise.
    fn drawn(&self, run: u64) -> u64 {
        let Part { number, of } = self.part;
        let run = run.wrapping_mul(of.into()).wrapping_add(number.into());
        self.settings.seed.wrapping_add(run)
    }

    fn priorities(&self, run: u64) -> Job {
        let seed = self.drawn(run);
        let changes = (run % 3) as u32 + 1;
        Job {
            plan: Plan::Priorities { seed, changes, length: self.length },
            last: None,
            again: self.again,
        }
    }

    fn random(&self, run: u64) -> Job {
        let seed = self.drawn(run);
        Job { plan: Plan::Random { seed }, last: None, again: self.again }
    }

    fn schedule(&self, last: Deviation) -> Schedule {
        let mut pairs = Vec::new();
        let mut at = last;
        while at != NONE {
            let Node { before, choice, taken, .. } = self.nodes[at as usize];
            pairs.push((choice, taken));
            at = before;
        }
        pairs.reverse();
        Schedule::from_pairs(pairs)
    }

    /// Takes the report of a run as if runs were made one after another: one that comes to a state which an earlier run
    /// of its wave has come to is given up there, and what was planned before the search began anew is not tried any
    /// more. So several that share a search do together exactly what one does.
    pub fn take_in_turn(&mut self, job: &Job, report: &Report) {
        if job.again != self.again && report.ended != Ended::Interrupted {
            return;
        }
        match self.up_to_known(job, report) {
            Some(shorter) => self.take(job, &shorter),
            None => self.take(job, report),
        }
    }

    /// What is left of a run that comes to a state which is known by now.
    fn up_to_known(&self, job: &Job, report: &Report) -> Option<Report> {
        let last = job.last?;
        let fresh = if last == NONE { 0 } else { self.nodes[last as usize].choice as usize + 1 };
        let states = report.choices.iter().map(|choice| choice.state).enumerate().skip(fresh);
        let is_known =
            |state: &Option<State>| state.is_some_and(|state| self.known.contains(state));
        let (at, state) = states.into_iter().find(|(_, state)| is_known(state))?;
        let choices = report.choices[..at].to_vec();
        Some(Report { choices, ended: Ended::Known(state), starves: Vec::new(), ..report.clone() })
    }

    /// Whether a run that was made when other states were known tells as much as one that is made now.
    pub(super) fn can_take(&self, job: &Job, report: &Report) -> bool {
        match report.ended {
            Ended::Known(_) if self.is_outdated(job) => false,
            Ended::Known(state) => {
                state.is_some_and(|state| self.known.contains(state))
                    || self.up_to_known(job, report).is_some()
            }
            Ended::Outcome(_) | Ended::Cut | Ended::Misfit(_) => true,
            Ended::Interrupted => false,
        }
    }

    /// Whether a run was planned before the search began anew.
    pub(super) fn is_outdated(&self, job: &Job) -> bool {
        job.again != self.again
    }

    /// Takes the report of a run.
    pub fn take(&mut self, job: &Job, report: &Report) {
        if report.ended == Ended::Interrupted {
            return self.put_back(job);
        }
        match job.plan {
            Plan::Follow(_) => self.counts.followed += 1,
            Plan::Priorities { .. } => self.counts.priorities += 1,
            Plan::Random { .. } => self.counts.random += 1,
        }
        match &report.ended {
            Ended::Outcome(outcome) => self.note(outcome, report),
            Ended::Known(_) => self.counts.pruned += 1,
            Ended::Cut => {
                self.counts.cut += 1;
                self.cut.get_or_insert_with(|| report.schedule());
            }
            Ended::Misfit(_) => self.counts.misfits += 1,
            Ended::Interrupted => unreachable!("its schedule waits again"),
        }
        if report.reads_clock && !self.clock || report.coarse && !self.coarse {
            self.begin_anew(report);
        } else if job.again == self.again
            && let Some(last) = job.last
        {
            self.expand(last, report);
        }
    }

    /// Lets a schedule wait again whose run did not end in time.
    fn put_back(&mut self, job: &Job) {
        self.counts.interrupted += 1;
        if let Some(last) = job.last.filter(|_| job.again == self.again) {
            let depth = |one: Deviation| self.nodes[one as usize].depth;
            let at = self.queue.iter().position(|&one| depth(one) >= depth(last));
            if depth(last) == self.depth {
                self.tried = self.tried.saturating_sub(1);
            }
            self.queue.insert(at.unwrap_or(self.queue.len()), last);
        }
    }

    /// Begins anew with states that tell more: the program depends on more than was known, and states
    /// have been taken for the same that are not.
    fn begin_anew(&mut self, report: &Report) {
        self.clock |= report.reads_clock;
        self.coarse |= report.coarse;
        self.again += 1;
        self.known.clear();
        self.nodes.truncate(1);
        self.queue = VecDeque::from([NONE]);
        (self.depth, self.tried, self.left_out) = (0, 0, false);
    }

    fn note(&mut self, outcome: &Outcome, report: &Report) {
        if let Some(&at) = self.index.get(outcome) {
            let found = &mut self.found[at];
            found.runs += 1;
            if found.slow && !report.slow {
                (found.slow, found.schedule) = (false, report.schedule());
            }
        } else {
            self.index.insert(outcome.clone(), self.found.len());
            let (schedule, slow) = (report.schedule(), report.slow);
            self.found.push(Found { outcome: outcome.clone(), runs: 1, schedule, slow });
        }
    }

    /// Notes what else the run could have done after its last deviation. What it could have done
    /// before, the run without that deviation has noted.
    fn expand(&mut self, last: Deviation, report: &Report) {
        let Node { choice, depth, .. } = self.nodes[last as usize];
        let first = if last == NONE { 0 } else { choice as usize + 1 };
        if last == NONE {
            self.length = report.choices.len() as u32;
        }
        let Part { number, of } = self.part;
        let mut turns = (0..of).cycle();
        for (at, choice) in report.choices.iter().enumerate().skip(first) {
            if choice.state.is_some_and(|state| !self.known.insert(state)) {
                // Another run of the same wave has been here, and notes the rest.
                break;
            }
            if self.settings.deviations.is_some_and(|most| depth >= most) {
                self.left_out = true;
                continue;
            }
            for taken in (1..choice.count).filter(|taken| !choice.later.contains(taken)) {
                if last == NONE && turns.next() != Some(number) {
                    continue;
                }
                let node = Node { before: last, choice: at as u32, taken, depth: depth + 1 };
                self.queue.push_back(self.nodes.len() as Deviation);
                self.nodes.push(node);
            }
        }
    }

    /// How many runs there were.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// What it does at present.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// How many deviations the schedules have that are tried, and how many schedules wait.
    pub fn frontier(&self) -> (u32, usize) {
        (self.depth, self.queue.len())
    }

    /// The schedule of the first run that went on for too long.
    pub fn cut(&self) -> Option<&Schedule> {
        self.cut.as_ref()
    }

    /// The outcomes so far, in the order in which they were found.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// The failures so far, the most telling first: those that come from the order alone before those that take
    /// slow answers, those with a place before those without, those with few deviations before those with many.
    pub fn failures(&self) -> Vec<Failing<'_>> {
        self.failures_by(Blame::of)
    }

    /// The same where somebody else says how an outcome fails.
    pub fn failures_by(&self, blame: impl Fn(&Outcome) -> Option<Blame>) -> Vec<Failing<'_>> {
        let mut failures: Vec<Failing<'_>> = Vec::new();
        for found in &self.found {
            let Some(blame) = blame(&found.outcome) else { continue };
            match failures.iter_mut().find(|one| one.blame == blame) {
                Some(known) => known.found.push(found),
                None => failures.push(Failing { blame, slow: true, found: vec![found] }),
            }
        }
        for one in &mut failures {
            one.found.sort_by_key(|found| (found.slow, found.schedule.deviations()));
            one.slow = one.found.iter().all(|found| found.slow);
        }
        let deviations = |one: &Failing<'_>| one.found[0].schedule.deviations();
        failures.sort_by_key(|one| (one.slow, one.blame.place.is_none(), deviations(one)));
        failures
    }

    /// Which schedules the runs stand for. A run that was cut stands for nothing that would have come
    /// later in it.
    pub fn covered(&self) -> Covered {
        match (self.queue.front(), self.left_out) {
            (None, false) => Covered::All,
            (None, true) => Covered::Deviations { up_to: self.depth, tried: 0, waiting: 0 },
            (Some(&next), _) => {
                let depth = self.nodes[next as usize].depth;
                let same = |&&one: &&Deviation| self.nodes[one as usize].depth == depth;
                Covered::Deviations {
                    up_to: depth.saturating_sub(1),
                    tried: if self.depth == depth { self.tried } else { 0 },
                    waiting: self.queue.iter().take_while(same).count() as u64,
                }
            }
        }
    }
}
