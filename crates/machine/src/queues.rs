//! Callbacks that are able to run, by class.

use crate::current::Current;
use crate::domains::DomainId;
use crate::language::Language;
use crate::priority::{Level, Rank, Standing, TaskId, Urgency};
use hemiola_time::{Instant, Ordinal};
use hemiola_trace::{Class, Invocation, Medium, Operation, Origin};
use std::collections::VecDeque;

/// Callbacks of one group run in the order in which they came; the order between groups is the
/// strategy's. In a calculus a group is a promise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(pub u32);

/// A callback that is able to run.
///
/// A program may queue a million of them: what few of them have is in a place of its own.
pub struct Ready<L: Language> {
    /// What runs.
    pub callback: L::Callback,
    /// Whom it runs in order with.
    pub group: Group,
    /// How urgent it is without a deadline, for the strategy that ranks.
    level: Level,
    /// Who attached it.
    pub link: Invocation,
    /// What came earlier has the smaller number.
    pub(crate) task: TaskId,
    rare: Option<Box<Rare<L::Answer>>>,
}

/// What a callback has that was queued as a task, that waited for an operation, or that was held back; or by
/// whoever has a clock, or a standing that is not that of the program.
#[derive(Clone)]
struct Rare<A> {
    /// Who made it able to run, if not who attached it.
    cause: Option<Invocation>,
    domain: Option<DomainId>,
    /// What it hands on, but for a level of its own.
    standing: Standing,
    /// What the world answered, for the completion of an operation.
    answer: Option<A>,
    /// When it became able to run, for the completion of an operation.
    stamp: Instant,
    /// The deadline of a task, and whether it goes on with something.
    deadline: Option<Instant>,
    continues: bool,
    /// What an operation on its way uses, if that is known.
    medium: Option<Medium>,
    /// The operation that it waited for; 0 for what waited for none.
    operation: Operation,
    /// Whether it was queued as a task, with an urgency of its own.
    is_task: bool,
    /// How many timed actions had run when it was first held back for the next one.
    held_at: Option<u64>,
    /// How often the loop is to see it, for an operation; it runs with the last time (rule LOOP-7).
    trips: u32,
    /// Whether the loop has seen it since it was answered.
    was_seen: bool,
}

impl<A> Default for Rare<A> {
    fn default() -> Self {
        Self {
            cause: None,
            domain: None,
            standing: Standing::default(),
            answer: None,
            stamp: Instant::ZERO,
            deadline: None,
            continues: false,
            medium: None,
            operation: Operation::default(),
            is_task: false,
            held_at: None,
            trips: 1,
            was_seen: false,
        }
    }
}

impl<L: Language> Clone for Ready<L>
where
    L::Callback: Clone,
    L::Answer: Clone,
{
    fn clone(&self) -> Self {
        Self {
            callback: self.callback.clone(),
            group: self.group,
            level: self.level,
            link: self.link,
            task: self.task,
            rare: self.rare.clone(),
        }
    }
}

impl<L: Language> Ready<L> {
    /// A callback that `by` makes able to run.
    pub(crate) fn new(callback: L::Callback, group: Group, link: Invocation, by: Current) -> Self {
        let Current { invocation, domain, standing } = by;
        let (level, task) = (standing.level, TaskId::default());
        let mut ready = Self { callback, group, level, link, task, rare: None };
        if invocation != link || domain.is_some() || standing != Standing::default() {
            let cause = Some(invocation);
            ready.rare = Some(Box::new(Rare { cause, domain, standing, ..Rare::default() }));
        }
        ready
    }

    /// Who made it able to run.
    pub fn cause(&self) -> Invocation {
        self.rare.as_ref().and_then(|rare| rare.cause).unwrap_or(self.link)
    }

    /// The domain that it keeps alive.
    pub(crate) fn domain(&self) -> Option<DomainId> {
        self.rare.as_ref()?.domain
    }

    /// What it hands on, but for a level of its own.
    pub(crate) fn standing(&self) -> Standing {
        self.rare.as_ref().map_or(Standing::default(), |rare| rare.standing)
    }

    fn set_standing(&mut self, standing: Standing) {
        self.rare_mut().standing = standing;
    }

    /// The same as a task, with an urgency of its own and what it hands on.
    pub(crate) fn of_task(mut self, urgency: Urgency, standing: Standing) -> Self {
        self.set_standing(standing);
        self.set_urgency(urgency);
        self.rare_mut().is_task = true;
        self
    }

    /// The same for an operation that was answered at that time.
    pub(crate) fn answered(
        mut self,
        operation: Operation,
        stamp: Instant,
        answer: L::Answer,
        trips: u32,
    ) -> Self {
        let rare = self.rare_mut();
        rare.answer = Some(answer);
        (rare.stamp, rare.operation, rare.trips) = (stamp, operation, trips);
        self
    }

    /// The same for an operation of which a part is done at that time.
    pub(crate) fn in_part(
        mut self,
        operation: Operation,
        stamp: Instant,
        medium: Option<Medium>,
        trips: u32,
    ) -> Self {
        let rare = self.rare_mut();
        (rare.stamp, rare.operation, rare.trips) = (stamp, operation, trips);
        rare.medium = medium;
        self
    }

    fn rare_mut(&mut self) -> &mut Rare<L::Answer> {
        self.rare.get_or_insert_default()
    }

    /// What the world answered, for the completion of an operation.
    pub fn answer(&self) -> Option<&L::Answer> {
        self.rare.as_ref()?.answer.as_ref()
    }

    /// Takes out what the world answered.
    pub(crate) fn take_answer(&mut self) -> Option<L::Answer> {
        self.rare.as_mut()?.answer.take()
    }

    /// When it became able to run, for the completion of an operation.
    pub(crate) fn stamp(&self) -> Instant {
        self.rare.as_ref().map_or(Instant::ZERO, |rare| rare.stamp)
    }

    /// How urgent it is, for the strategy that ranks.
    pub(crate) fn urgency(&self) -> Urgency {
        match &self.rare {
            None => self.level.into(),
            Some(rare) => {
                let Rare { deadline, continues, .. } = **rare;
                Urgency { level: self.level, deadline, continues }
            }
        }
    }

    /// What it hands on when it runs at that time.
    pub(crate) fn hands_on(&self, now: Instant) -> Standing {
        let Some(rare) = &self.rare else { return Standing::default().with_level(self.level) };
        let standing = self.urgency().handed_on(rare.standing, now);
        if rare.is_task { standing.of_task() } else { standing }
    }

    fn set_urgency(&mut self, urgency: Urgency) {
        let Urgency { level, deadline, continues } = urgency;
        self.level = level;
        let rare = self.rare_mut();
        (rare.deadline, rare.continues) = (deadline, continues);
    }

    /// What an operation on its way uses, if that is known.
    pub(crate) fn medium(&self) -> Option<Medium> {
        self.rare.as_ref()?.medium
    }

    /// The operation that it waited for; 0 for what waited for none.
    pub(crate) fn operation(&self) -> Operation {
        self.rare.as_ref().map_or(Operation::default(), |rare| rare.operation)
    }

    /// Whether it was queued as a task, with an urgency of its own.
    pub(crate) fn is_task(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.is_task)
    }

    /// How many timed actions had run when it was first held back for the next one; that is now, if it never was.
    pub(crate) fn held_at(&mut self, actions: u64) -> u64 {
        *self.rare_mut().held_at.get_or_insert(actions)
    }

    fn trips(&self) -> u32 {
        self.rare.as_ref().map_or(1, |rare| rare.trips)
    }

    /// The loop has seen it so many times; how often it still is to.
    pub(crate) fn see(&mut self, times: u32) -> u32 {
        let rare = self.rare_mut();
        rare.was_seen = true;
        rare.trips -= times;
        rare.trips
    }

    fn was_seen(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.was_seen)
    }

    /// Whether it is an operation of which only a part is done.
    pub(crate) fn is_part(&self) -> bool {
        self.operation() != Operation::default() && self.answer().is_none()
    }

    /// Whether the loop is to see it without running it.
    pub(crate) fn is_on_its_way(&self) -> bool {
        self.rare.is_some() && (self.trips() > 1 || self.is_part())
    }

    /// Whether the loop is to see it more than once.
    pub(crate) fn is_seen_again(&self) -> bool {
        self.trips() > 1
    }

    /// Where it is at that time, for the strategy that ranks.
    pub(crate) fn rank(&self, now: Instant) -> Rank {
        self.urgency().rank(self.standing(), now)
    }

    /// What the trace knows it by.
    pub(crate) fn origin(&self) -> Origin {
        match self.operation() {
            Operation(0) => Origin::Queued(Ordinal(self.task.0)),
            operation => Origin::Operation(operation),
        }
    }
}

/// The ready queues, and which part of them belongs to the current turn.
///
/// Invariant: `frozen[class]` is at most the length of that class's queue, and counts callbacks at
/// its front.
pub(crate) struct Queues<L: Language> {
    queues: [VecDeque<Ready<L>>; 6],
    frozen: [usize; 6],
    /// The group that runs at present within a frozen batch: it is not interrupted by others.
    open: Option<(Class, Group)>,
    /// How many callbacks have been queued.
    count: u64,
    /// How many continuations have gone into the current turn since it began.
    joined: u32,
    /// Whether completions of groups may have come since the last phase for them began.
    have_groups: bool,
}

/// So many tasks may join a turn: what goes on for ever leaves others a turn.
const MOST_JOINED: u32 = 100;

impl<L: Language> Default for Queues<L> {
    fn default() -> Self {
        Self {
            queues: Default::default(),
            frozen: [0; 6],
            open: None,
            count: 0,
            joined: 0,
            have_groups: false,
        }
    }
}

impl<L: Language> Clone for Queues<L>
where
    L::Callback: Clone,
    L::Answer: Clone,
{
    fn clone(&self) -> Self {
        let Self { frozen, open, count, joined, have_groups, .. } = *self;
        Self { queues: self.queues.clone(), frozen, open, count, joined, have_groups }
    }
}

impl<L: Language> Queues<L> {
    pub(crate) fn push(&mut self, class: Class, mut ready: Ready<L>) {
        ready.task = self.next_task();
        self.queues[class as usize].push_back(ready);
    }

    /// Lets what was queued last come first of all that does not belong to the current turn.
    pub(crate) fn bring_forward(&mut self, class: Class) {
        let frozen = self.frozen(class);
        let queue = &mut self.queues[class as usize];
        if let Some(last) = queue.pop_back() {
            queue.insert(frozen.min(queue.len()), last);
        }
    }

    /// How many operations of a class that are on their way will arrive together with an answer of so many trips.
    pub(crate) fn meets(&self, class: Class, trips: u32) -> usize {
        self.arriving(class, trips).count()
    }

    fn arriving(&self, class: Class, trips: u32) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let queue = self.queues[class as usize].iter().enumerate();
        let arrives = move |ready: &Ready<L>| {
            ready.was_seen() && ready.answer().is_some() && ready.trips() == trips
        };
        queue.filter(move |(_, ready)| arrives(ready)).map(|(at, _)| at)
    }

    /// Queues an answer before the last so many of those that it [meets](Queues::meets).
    pub(crate) fn push_before(&mut self, class: Class, mut ready: Ready<L>, others: usize) {
        let at = others
            .checked_sub(1)
            .and_then(|last| self.arriving(class, ready.trips()).rev().nth(last));
        match at {
            None => self.push(class, ready),
            Some(at) => {
                debug_assert!(at >= self.frozen(class), "what belongs to the turn has its places");
                ready.task = self.next_task();
                self.queues[class as usize].insert(at, ready);
            }
        }
    }

    /// The number of what is queued next.
    pub(crate) fn next_number(&self) -> Ordinal {
        Ordinal(self.count + 1)
    }

    fn next_task(&mut self) -> TaskId {
        self.count += 1;
        TaskId(self.count)
    }

    /// Queues an immediate that other strategies, too, take before less urgent ones, also before those of the
    /// current turn. What is no such task stays where it is.
    pub(crate) fn push_task(&mut self, mut ready: Ready<L>) -> TaskId {
        ready.task = self.next_task();
        let task = ready.task;
        self.insert_task(ready);
        task
    }

    fn insert_task(&mut self, ready: Ready<L>) {
        let frozen = &mut self.frozen[Class::Immediate as usize];
        let queue = &mut self.queues[Class::Immediate as usize];
        let key = |ready: &Ready<L>| (ready.rank(Instant::ZERO), ready.task);
        // A turn that has begun takes in what is more urgent than what it still has. It ends all the same.
        let first = if self.joined < MOST_JOINED { 0 } else { *frozen };
        let mut at = queue.len();
        for (place, other) in queue.iter().enumerate().skip(first).rev() {
            if !other.is_task() {
                continue;
            }
            if key(other) < key(&ready) {
                break;
            }
            at = place;
        }
        if at < *frozen {
            *frozen += 1;
            self.joined += 1;
        }
        queue.insert(at, ready);
    }

    /// Takes a task out of its queue, wherever it stands.
    pub(crate) fn withdraw(&mut self, task: TaskId) -> Option<Ready<L>> {
        let class = Class::Immediate as usize;
        let at = self.queues[class].iter().position(|ready| ready.task == task)?;
        let ready = self.queues[class].remove(at)?;
        if at < self.frozen[class] {
            self.frozen[class] -= 1;
            // A batch ends with the last that is taken back, too.
            if self.open == Some((Class::Immediate, ready.group)) {
                self.stay_open(Class::Immediate, ready.group);
            }
        }
        Some(ready)
    }

    /// A group stays the one that runs while more of it belong to the current turn.
    fn stay_open(&mut self, class: Class, group: Group) {
        let (queue, frozen) = (&self.queues[class as usize], self.frozen[class as usize]);
        // It is the next one as a rule.
        let is_next = frozen > 0 && queue.front().is_some_and(|next| next.group == group);
        let stays = is_next || queue.iter().take(frozen).any(|other| other.group == group);
        self.open = stays.then_some((class, group));
    }

    /// Gives a task that waits another urgency.
    pub(crate) fn set_urgency(&mut self, task: TaskId, urgency: Urgency) -> bool {
        let Some(mut ready) = self.withdraw(task) else { return false };
        // What goes on still does.
        let continues = ready.urgency().continues;
        ready.set_urgency(Urgency { continues, ..urgency });
        ready.set_standing(ready.standing().with_level(urgency.level));
        self.insert_task(ready);
        true
    }

    /// Promotes what waits by that number; false when nothing does.
    pub(crate) fn raise(&mut self, task: TaskId, level: Level) -> bool {
        self.raise_if(level, |ready| ready.task == task)
    }

    /// Promotes the callback of an operation that is able to run; false when there is none.
    pub(crate) fn raise_answered(&mut self, operation: Operation, level: Level) -> bool {
        self.raise_if(level, |ready| ready.operation() == operation)
    }

    fn raise_if(&mut self, level: Level, is_meant: impl Fn(&Ready<L>) -> bool) -> bool {
        let meant = self.queues.iter_mut().flatten().find(|ready| is_meant(ready));
        let Some(ready) = meant else { return false };
        ready.set_standing(ready.standing().raised_to(level));
        // A task has a place among the others that goes by its level.
        let task = ready.is_task().then_some(ready.task);
        if let Some(ready) = task.and_then(|task| self.withdraw(task)) {
            self.insert_task(ready);
        }
        true
    }

    /// Everything that waits, with its place; for the strategy that ranks.
    pub(crate) fn all(&mut self) -> impl Iterator<Item = (Class, usize, &mut Ready<L>)> + '_ {
        let queues = Class::ALL.into_iter().zip(self.queues.iter_mut());
        queues.flat_map(|(class, queue)| {
            queue.iter_mut().enumerate().map(move |(at, ready)| (class, at, ready))
        })
    }

    /// Takes out an operation that is on its way.
    pub(crate) fn withdraw_operation(&mut self, operation: Operation) -> Option<Ready<L>> {
        let is_it = |ready: &Ready<L>| ready.operation() == operation && ready.is_on_its_way();
        for (queue, frozen) in self.queues.iter_mut().zip(&mut self.frozen) {
            if let Some(at) = queue.iter().position(is_it) {
                *frozen -= usize::from(at < *frozen);
                return queue.remove(at);
            }
        }
        None
    }

    /// Lets the operations of a class skip what would be passages of the loop with nothing in them: those in
    /// which none of them runs or gets on, if nothing else waits. Whatever may still be answered can come before the
    /// last of them, with `in_company`. Tells which, and how many each skips.
    pub(crate) fn skip_trips(
        &mut self,
        class: Class,
        in_company: bool,
        mut each: impl FnMut(Operation, u32),
    ) {
        let others = Class::ALL.into_iter().filter(|&other| other != class);
        let queue = &self.queues[class as usize];
        let kept = |ready: &Ready<L>| 1 + u32::from(in_company && ready.answer().is_some());
        let idle = queue.iter().map(|ready| ready.trips().saturating_sub(kept(ready)));
        let idle = idle.min().unwrap_or(0);
        if idle == 0 || !others.map(|other| self.len(other)).all(|waiting| waiting == 0) {
            return;
        }
        for ready in &mut self.queues[class as usize] {
            ready.see(idle);
            each(ready.operation(), idle);
        }
    }

    /// Takes what stands at a place of a queue.
    pub(crate) fn take_at(&mut self, class: Class, at: usize) -> Ready<L> {
        self.queues[class as usize].remove(at).expect("what was picked stands there")
    }

    pub(crate) fn queue(&self, class: Class) -> &VecDeque<Ready<L>> {
        &self.queues[class as usize]
    }

    pub(crate) fn len(&self, class: Class) -> usize {
        self.queues[class as usize].len()
    }

    /// Whether nothing waits.
    pub(crate) fn are_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
    }

    /// How many callbacks at the front of a queue belong to the current turn.
    pub(crate) fn frozen(&self, class: Class) -> usize {
        self.frozen[class as usize]
    }

    /// Makes everything that waits in a queue part of the current turn.
    pub(crate) fn freeze(&mut self, class: Class) {
        self.joined = 0;
        self.frozen[class as usize] = self.len(class);
    }

    /// Says that a completion of a group comes.
    pub(crate) fn expect_group(&mut self) {
        self.have_groups = true;
    }

    /// Lets the completions of groups change places among each other, so that they come group by group, in the order
    /// of the groups' numbers (rule LOOP-7).
    pub(crate) fn gather_groups(&mut self) {
        if !std::mem::take(&mut self.have_groups) {
            return;
        }
        let queue = &mut self.queues[Class::Io as usize];
        let places = queue.iter().enumerate().filter(|(_, ready)| ready.group != Group::default());
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        let mut order = places.clone();
        order.sort_by_key(|&place| queue[place].group);
        if order == places {
            return;
        }
        let mut all: Vec<_> = std::mem::take(queue).into_iter().map(Some).collect();
        let mut next = order.into_iter();
        let mut places = places.into_iter().peekable();
        for place in 0..all.len() {
            let from = if places.next_if_eq(&place).is_some() { next.next() } else { Some(place) };
            let ready = from.and_then(|from| all[from].take());
            queue.push_back(ready.expect("each of them has one place"));
        }
    }

    /// Makes one group that waits in a queue the current turn.
    ///
    /// The group is moved to the front, in order, so that what is frozen stays a prefix.
    pub(crate) fn freeze_group(&mut self, class: Class, group: Group) {
        let queue = &mut self.queues[class as usize];
        queue.make_contiguous().sort_by_key(|ready| ready.group != group);
        self.frozen[class as usize] = queue.iter().take_while(|ready| ready.group == group).count();
    }

    pub(crate) fn open_group(&self) -> Option<(Class, Group)> {
        self.open
    }

    /// The groups within the first `count` callbacks of a queue, each once, oldest first.
    pub(crate) fn groups(&self, class: Class, count: usize, mut each: impl FnMut(Group)) {
        let queue = &self.queues[class as usize];
        for (at, ready) in queue.iter().take(count).enumerate() {
            if !queue.iter().take(at).any(|earlier| earlier.group == ready.group) {
                each(ready.group);
            }
        }
    }

    /// Takes the oldest callback of a group out of its queue.
    pub(crate) fn take(&mut self, class: Class, group: Group) -> Ready<L> {
        let index = class as usize;
        let queue = &mut self.queues[index];
        let is_first = queue.front().is_some_and(|ready| ready.group == group);
        let at =
            if is_first { Some(0) } else { queue.iter().position(|ready| ready.group == group) };
        let at = at.expect("a group that was picked has a ready callback");
        let ready = if is_first { queue.pop_front() } else { queue.remove(at) };
        if at < self.frozen[index] {
            self.frozen[index] -= 1;
            self.stay_open(class, group);
        }
        ready.expect("the position is within the queue")
    }

    /// Moves everything of one class to the end of another (rule r12 of the abstract machine).
    pub(crate) fn transfer(&mut self, from: Class, to: Class) {
        let mut moved = std::mem::take(&mut self.queues[from as usize]);
        self.frozen[from as usize] = 0;
        self.queues[to as usize].append(&mut moved);
        self.queues[from as usize] = moved;
    }
}
