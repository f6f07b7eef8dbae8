//! The machine: the loop's state, and the step.

mod alone;
mod lateness;
mod ranking;
mod through;

use crate::chooser::{Alternatives, Chooser};
use crate::context::{Context, Gate};
use crate::domains::{ANONYMOUS, DomainId, DomainIndex, Domains};
use crate::heap::TagKey;
use crate::host::{Eagerness, Host, Input, Language, Progress};
use crate::learned::Learned;
use crate::priority::{Candidate, Level};
use crate::queues::{Group, Queues, Ready};
use crate::strategy::{Batch, Phase, Pick, ReadySet, Strategy};
use crate::timers::{Handle, Head, Member, Timers};
use crate::world::{Completion, Gap, Move, World};
use hemiola_time::{Instant, Ordinal, Tag};
use hemiola_trace::{Class, Event, Invocation, Operation, Origin, Outcome, Sink};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
pub(crate) use through::Through;
use through::choose;

/// The state of one event loop.
///
/// It holds the domains with their pending releases, the ready queues and the outstanding
/// operations. It takes one step when told to, and has no clock, no thread and no randomness of its
/// own: the world, the chooser and the strategy are handed to it for each step.
pub struct Machine<L: Language> {
    pub(crate) timers: Timers<L::Callback>,
    pub(crate) domains: Domains<L::Callback>,
    pub(crate) queues: Queues<L>,
    outstanding: BTreeMap<Operation, Outstanding<L::Callback>>,
    operations: u64,
    pub(crate) invocations: u64,
    pub(crate) current: Current,
    /// Link and cause of the running callback.
    pub(crate) relations: (Invocation, Invocation),
    /// The cause of a job of which no event has told yet.
    pub(crate) unannounced: Option<Invocation>,
    /// Physical time as the running action sees it when it opens a domain (rule TIME-2).
    pub(crate) omega: Option<Instant>,
    /// The latest physical time that the loop knows of: a reading, or when an answer was ready.
    pub(crate) seen: Instant,
    round: Round,
    /// Whether the step has only entered a phase.
    entered: bool,
    unordered: bool,
    main: Option<L::Callback>,
    acting: Option<Acting>,
    action: Vec<Member>,
    paused: Option<Paused<L::Callback>>,
    /// Timers that do not keep the program alive.
    unreferenced: BTreeSet<Handle>,
    /// How many callbacks in the queues do not keep the program alive.
    pub(crate) unreferenced_ready: usize,
    /// How many parts of the program wait for something that only it can bring about.
    pub(crate) kept_alive: usize,
    /// The key for which the lag handlers of its domain have been asked.
    lag_checked: Option<TagKey>,
    /// The levels of timers where they are not the usual one.
    levels: BTreeMap<Handle, Level>,
    pub(crate) learned: Learned,
    /// How many timed actions have begun.
    actions: u64,
    candidates: Vec<Candidate>,
    picks: Vec<Pick>,
    moves: Vec<Move>,
}

/// Who runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Current {
    pub(crate) invocation: Invocation,
    /// The domain that what it starts keeps alive (rule TIME-11).
    pub(crate) domain: Option<DomainId>,
    /// What it starts inherits this (rule PRIO-2).
    pub(crate) level: Level,
}

/// Where the loop stands between two callbacks.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    turn: u64,
    phase: Phase,
    draining: bool,
    /// Whether the turn still takes timed actions, and what belongs to it: what was due at that
    /// instant and released up to then.
    timed: bool,
    now: Instant,
    latest: Ordinal,
    /// The time and the domain's order of the labelled action that has just run.
    acted: Option<(Instant, u64)>,
}

/// An atomic action of a labelled domain of which some callbacks have run.
#[derive(Clone, Copy, Debug)]
struct Acting {
    domain: DomainIndex,
    tag: Tag,
    next: usize,
}

#[derive(Clone)]
struct Outstanding<C> {
    class: Class,
    group: Group,
    callback: C,
    link: Invocation,
    domain: Option<DomainId>,
    level: Level,
    /// Whether it keeps the program alive.
    referenced: bool,
}

/// What to do when the callback that stands still has ended.
#[derive(Clone)]
struct Paused<C> {
    timed: Option<(Member, C)>,
    hold: Option<DomainId>,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something happened; there may be more.
    Moved,
    /// Nothing is able to run and nothing can come: the program is over.
    Finished,
    /// The host cannot go on, and knows why.
    Halted,
}

impl<L: Language> Default for Machine<L> {
    fn default() -> Self {
        Self {
            timers: Timers::default(),
            domains: Domains::default(),
            queues: Queues::default(),
            outstanding: BTreeMap::new(),
            operations: 0,
            invocations: 0,
            current: Current::default(),
            relations: (Invocation::MAIN, Invocation::MAIN),
            unannounced: None,
            omega: None,
            seen: Instant::ZERO,
            round: Round::default(),
            entered: false,
            unordered: false,
            main: None,
            acting: None,
            action: Vec::new(),
            paused: None,
            unreferenced: BTreeSet::new(),
            unreferenced_ready: 0,
            kept_alive: 0,
            lag_checked: None,
            levels: BTreeMap::new(),
            learned: Learned::default(),
            actions: 0,
            candidates: Vec::new(),
            picks: Vec::new(),
            moves: Vec::new(),
        }
    }
}

impl<L: Language> Clone for Machine<L>
where
    L::Callback: Clone,
    L::Request: Clone,
    L::Answer: Clone,
{
    fn clone(&self) -> Self {
        Self {
            timers: self.timers.clone(),
            domains: self.domains.clone(),
            queues: self.queues.clone(),
            outstanding: self.outstanding.clone(),
            main: self.main.clone(),
            action: self.action.clone(),
            paused: self.paused.clone(),
            unreferenced: self.unreferenced.clone(),
            levels: self.levels.clone(),
            learned: self.learned.clone(),
            candidates: Vec::new(),
            picks: Vec::new(),
            moves: Vec::new(),
            ..*self
        }
    }
}

impl<L: Language> Machine<L> {
    /// A machine that will run `main` first.
    pub fn new(main: L::Callback) -> Self {
        Self { main: Some(main), ..Self::default() }
    }

    /// Runs a callback next, as the main program was: to be used when everything else has ended.
    pub fn go_on(&mut self, callback: L::Callback) {
        self.main = Some(callback);
    }

    /// Lets promises of equal priority run in any order, as the calculi have it (rule LOOP-9).
    pub fn unordered(self) -> Self {
        Self { unordered: true, ..self }
    }

    /// How many turns have begun: batches, phases' rounds or single callbacks, as the strategy has it.
    pub fn turns(&self) -> u64 {
        self.round.turn
    }

    /// How many callbacks have begun, the main program included.
    pub fn invocations(&self) -> u64 {
        self.invocations
    }

    /// Outstanding timed callbacks.
    pub fn pending_timers(&self) -> usize {
        self.timers.pending()
    }

    /// Distinct instants at which timed callbacks are pending, counted for each domain.
    pub fn distinct_tags(&self) -> usize {
        self.timers.distinct_tags()
    }

    /// Whether a release has not run for the last time yet.
    pub fn is_pending(&self, handle: Handle) -> bool {
        self.timers.is_pending(handle)
    }

    /// The logical time of a clock; nothing for a label that is not in use (rule TIME-13).
    pub fn clock(&self, label: &str) -> Option<Instant> {
        self.domains.find(label).map(|index| self.domains.get(index).clock)
    }

    /// The callbacks of a class that are able to run, oldest first.
    pub fn ready(&self, class: Class) -> &VecDeque<Ready<L>> {
        self.queues.queue(class)
    }

    /// How many callbacks of a class belong to the current turn.
    pub fn frozen(&self, class: Class) -> usize {
        self.queues.frozen(class)
    }

    /// The group that the current turn is in the middle of.
    pub fn open_group(&self) -> Option<(Class, Group)> {
        self.queues.open_group()
    }

    /// The phase, and whether promise jobs are being drained.
    pub fn phase(&self) -> (Phase, bool) {
        (self.round.phase, self.round.draining)
    }

    /// Whether the current turn still takes timed actions, and which: due at that instant, and their
    /// tag not younger than that ordinal.
    pub fn timed_turn(&self) -> Option<(Instant, Ordinal)> {
        self.round.timed.then_some((self.round.now, self.round.latest))
    }

    /// The operations that the world has not answered, oldest first.
    pub fn outstanding(&self) -> impl Iterator<Item = (Operation, Class, &L::Callback)> + '_ {
        self.outstanding
            .iter()
            .map(|(&operation, outstanding)| (operation, outstanding.class, &outstanding.callback))
    }

    /// The pending timed callbacks with the time at which they are due, in no order.
    pub fn pending(&self) -> impl Iterator<Item = (Instant, &L::Callback)> + '_ {
        self.timers.iter().map(|(key, callback)| (key.time, callback))
    }

    /// Whether a callback stands still in the middle.
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Whether the main program has not begun.
    pub fn is_new(&self) -> bool {
        self.main.is_some()
    }

    /// Takes one step: lets the outside in, asks the strategy and the world what may happen, lets
    /// the chooser pick, and does it.
    pub fn step<W: World<L>, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        strategy: &impl Strategy,
        world: &mut W,
        chooser: &mut impl Chooser,
        sink: &mut S,
    ) -> Step {
        let mut gate = Through { world, chooser, sink, language: std::marker::PhantomData };
        self.receive(&mut gate);
        if strategy.ranks() {
            self.learned.turn_on();
        }
        if self.paused.is_some() {
            return self.step_paused(host, &mut gate);
        }
        if self.acting.is_some() {
            return self.act(host, &mut gate);
        }
        if let Some(main) = self.main.take() {
            return self.run_main(main, host, &mut gate);
        }
        for domain in host.dropped_holds() {
            self.domains.drop_hold(Some(domain));
        }
        if self.domains.may_collect() && !self.tail_is_pending() {
            self.domains.collect(|domain| {
                if S::LISTENS {
                    gate.sink.event(Event::Collected { domain });
                }
            });
        }
        loop {
            let step = self.pick(host, strategy, &mut gate);
            // A phase that begins shows nothing and leaves nothing to choose.
            if !std::mem::take(&mut self.entered) || W::ORACLE {
                return step;
            }
            self.receive(&mut gate);
        }
    }

    /// Lets in what the world has answered.
    fn receive<W: World<L>, C: Chooser, S: Sink>(&mut self, gate: &mut Through<'_, L, W, C, S>) {
        while let Some(completion) = gate.world.receive() {
            self.complete(completion, gate);
        }
    }

    fn pick<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        strategy: &impl Strategy,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        if W::STILL && strategy.has_phases() && self.queues.are_empty() {
            return self.go_on_alone(host, gate);
        }
        let mut picks = std::mem::take(&mut self.picks);
        picks.clear();
        let ranks = strategy.ranks();
        let now = if ranks { gate.world.now() } else { self.glance(gate) };
        self.seen = self.seen.max(now);
        let (due, due_in_turn) = self.due(now);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let mut wake = None;
        if ranks && !self.tail_is_pending() {
            self.learned.end(now);
            wake = self.rank(now, due, host, &mut candidates);
        }
        let ready = ReadySet {
            waiting: Class::ALL.map(|class| self.queues.len(class)),
            frozen: Class::ALL.map(|class| self.queues.frozen(class)),
            open: self.queues.open_group(),
            unordered: self.unordered,
            due,
            due_in_turn,
            phase: self.round.phase,
            draining: self.round.draining,
            candidates: &candidates,
            groups: &|class, count, each| self.queues.groups(class, count, each),
        };
        strategy.alternatives(&ready, &mut picks);
        self.candidates = candidates;
        if picks.first().is_some_and(|&pick| begins_turn(pick)) && self.is_over() {
            self.picks = picks;
            return Step::Finished;
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        if W::ORACLE {
            let gap = match picks.first() {
                Some(Pick::Callback(..) | Pick::Timed) => Gap::Callback,
                Some(&Pick::Enter(phase)) => Gap::Phase(phase),
                Some(Pick::Turn(_) | Pick::Promote) | None => Gap::Turn,
            };
            let next = self.next_due_after(now, host, Eagerness::Free);
            gate.world.moves(gap, next, &mut moves);
        }
        // What the outside might still do does not keep a program alive that waits for none of it.
        if W::ORACLE && picks.is_empty() && !self.is_alive() {
            moves.retain(|taken| taken.is_optional());
        }
        // A run may end where nothing but unpromised moves is left: that is an alternative too.
        let may_end = picks.is_empty() && moves.iter().all(|taken| taken.is_optional());
        let waits = may_end && moves.is_empty();
        let step = if waits {
            let until = if W::ORACLE {
                self.next_due_after(now, host, Eagerness::Last)
            } else {
                self.timers.head().map(|head| head.key.time)
            };
            let until = until.into_iter().chain(wake).min();
            // A wait ends the turn: what comes first after it must not depend on where the loop
            // stood when it ran out of work.
            self.round.phase = Phase::default();
            let is_alive = self.is_alive() || wake.is_some();
            if is_alive && gate.world.wait(until) { Step::Moved } else { Step::Finished }
        } else {
            let open = Alternatives { may_end, picks: &picks, moves: &moves };
            let taken = gate.draw_from(&open);
            match taken.checked_sub(usize::from(may_end)) {
                None => Step::Finished,
                Some(taken) => match picks.get(taken) {
                    Some(&pick) if begins_turn(pick) && !gate.world.go_round(due) => Step::Finished,
                    Some(&pick) => self.perform(pick, now, host, gate),
                    None => self.make(moves[taken - picks.len()], host, gate),
                },
            }
        };
        self.picks = picks;
        self.moves = moves;
        step
    }

    /// Physical time as far as it matters for what may come next; a clock is not asked in vain.
    fn glance<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Instant {
        let Round { timed, now, latest, .. } = self.round;
        let known = match self.timers.head() {
            // A turn tells what was pending when it began by ordinals, too.
            None => true,
            // What was due when the turn began still is. A labelled action wants to know its lag.
            Some(Head { key, domain, born }) => {
                domain == ANONYMOUS && timed && key.time <= now && born <= latest
            }
        };
        if known && !W::ORACLE { now } else { gate.world.now() }
    }

    /// Whether the next timed action is due, and whether it belongs to the current turn.
    fn due(&mut self, now: Instant) -> (bool, bool) {
        let Some(head) = self.timers.head() else { return (false, false) };
        // What is due at the end of time is never due.
        let due = head.key.time <= now && head.key.time < Instant::MAX;
        let Round { timed, now, latest, .. } = self.round;
        let labelled = head.domain != ANONYMOUS;
        // A completion that was ready before a labelled action was due goes first (rule TIME-8).
        let overtaken = labelled
            && self.queues.queue(Class::Io).front().is_some_and(|io| io.stamp < head.key.time);
        let in_turn = timed && head.key.time <= now && head.born <= latest && !overtaken;
        // The next microstep comes straight after the tail, whatever else is ready (rule TIME-6).
        let TagKey { time, order, .. } = head.key;
        let microstep = self.round.acted == Some((time, order));
        (due, due && (in_turn || microstep))
    }

    /// Whether anything is outstanding that the program wants to wait for.
    fn is_alive(&self) -> bool {
        self.timers.pending() > self.unreferenced.len()
            || self.outstanding.values().any(|operation| operation.referenced)
            || self.kept_alive > 0
    }

    /// Whether nothing keeps the program alive: then what is left does not run in another turn.
    fn is_over(&self) -> bool {
        let lazy = self.unreferenced_ready > 0 || !self.unreferenced.is_empty();
        lazy && !self.is_alive()
            && Class::ALL.map(|class| self.queues.len(class)).iter().sum::<usize>()
                == self.unreferenced_ready
    }

    /// Says whether a pending timer keeps the program alive.
    pub(crate) fn set_referenced(&mut self, handle: Handle, referenced: bool) {
        if referenced {
            if !self.unreferenced.is_empty() {
                self.unreferenced.remove(&handle);
            }
        } else if self.timers.is_pending(handle) {
            self.unreferenced.insert(handle);
        }
    }

    /// When the next timed callback that counts like that is due.
    fn next_due_after(
        &self,
        now: Instant,
        host: &impl Host<Language = L>,
        eagerness: Eagerness,
    ) -> Option<Instant> {
        let counts = |callback: &L::Callback| host.eagerness(callback) == eagerness;
        let pending = self.timers.iter().filter(|(_, callback)| counts(callback));
        let times = pending.map(|(key, _)| key.time);
        times.filter(|&time| time > now && time < Instant::MAX).min()
    }

    /// Whether ticks or promise jobs are left that belong to the last callback's tail.
    pub fn tail_is_pending(&self) -> bool {
        self.queues.len(Class::Tick) + self.queues.len(Class::Promise) > 0
    }

    /// Does what was picked.
    fn perform<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        pick: Pick,
        now: Instant,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        match pick {
            Pick::Callback(class, group) => self.run_ready(class, group, host, gate),
            Pick::Timed => self.run_timed(now, host, gate),
            Pick::Turn(batch) => {
                self.begin_turn(now);
                match batch {
                    Batch::Everything => {
                        host.begin_batch();
                        self.round.timed = true;
                        Class::ALL.into_iter().for_each(|class| self.queues.freeze(class));
                    }
                    Batch::Urgent => {
                        host.begin_batch();
                        self.queues.freeze(Class::Tick);
                        self.queues.freeze(Class::Promise);
                    }
                    Batch::Group(class, group) => self.queues.freeze_group(class, group),
                    Batch::Callback(class, group) => {
                        return self.run_ready(class, group, host, gate);
                    }
                    Batch::Nth(class, at) => {
                        let ready = self.queues.take_at(class, at);
                        let (site, origin) = (host.site(&ready.callback), Some(ready.origin()));
                        self.learned.begin(self.next_invocation(), class, origin, site, now);
                        return self.run_taken(class, ready, host, gate);
                    }
                    Batch::Timed => {
                        let first = self.timers.first_of_head();
                        let origin = first.map(|handle| Origin::Release(handle.release()));
                        let site = first.and_then(|handle| self.timers.callback(handle));
                        let site = site.and_then(|callback| host.site(callback));
                        let unit = self.next_invocation();
                        self.learned.begin(unit, Class::Timer, origin, site, now);
                        return self.run_timed(now, host, gate);
                    }
                }
                Step::Moved
            }
            Pick::Enter(phase) => {
                self.entered = true;
                self.round.phase = phase;
                self.round.acted = None;
                match phase {
                    Phase::Timers => self.begin_turn(now),
                    Phase::Poll => self.queues.freeze(Class::Io),
                    Phase::Check => self.queues.freeze(Class::Immediate),
                    Phase::Close => self.queues.freeze(Class::Close),
                }
                self.round.timed = phase == Phase::Timers;
                Step::Moved
            }
            Pick::Promote => {
                self.queues.transfer(Class::Immediate, Class::Io);
                Step::Moved
            }
        }
    }

    fn next_invocation(&self) -> Invocation {
        Invocation(self.invocations + 1)
    }

    fn begin_turn(&mut self, now: Instant) {
        self.round.turn += 1;
        self.round.acted = None;
        self.round.timed = false;
        self.round.now = now;
        self.round.latest = self.timers.latest();
    }

    /// Lets the world do what an oracle chose.
    fn make<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        taken: Move,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        match taken {
            Move::Answer(operation) => {
                let Through { world, chooser, sink, .. } = gate;
                let completion =
                    world.answer(operation, &mut |count| choose(*chooser, *sink, count));
                self.complete(completion, gate);
            }
            Move::Pass(_) | Move::Advance(_) => gate.world.moved(taken),
            Move::Signal(signal) => {
                gate.world.moved(taken);
                let mut context = Context { machine: self, gate };
                host.signal(signal, &mut context);
            }
        }
        Step::Moved
    }

    /// Puts the callback of an answered operation into its queue.
    fn complete<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        completion: Completion<L::Answer>,
        gate: &mut Through<'_, L, W, C, S>,
    ) {
        let Completion { operation, stamp, answer } = completion;
        let Some(outstanding) = self.outstanding.remove(&operation) else {
            return; // Given up before the answer came.
        };
        let Outstanding { class, group, callback, link, domain, level, .. } = outstanding;
        self.seen = self.seen.max(stamp);
        if S::LISTENS {
            gate.sink.event(Event::Completed { operation, at: stamp });
        }
        // An operation causes its callback where it was asked for (rule CTX-3).
        let answer = Some(answer);
        let asked = Current { invocation: link, domain, level };
        let ready = Ready { answer, stamp, operation, ..Ready::new(callback, group, link, asked) };
        self.queues.push(class, ready);
    }

    fn run_main<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        mut main: L::Callback,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let call = Call {
            class: None,
            domain: None,
            tag: None,
            origin: None,
            link: Invocation::MAIN,
            cause: Invocation::MAIN,
            level: Level::default(),
        };
        self.round.draining = false;
        self.learned.begin_main(self.next_invocation(), self.seen);
        let progress = self.invoke(call, &mut main, Input::Nothing, host, gate);
        self.settle(progress, None, None)
    }

    /// Runs a callback from a queue. It moves no clock (rule TIME-7).
    fn run_ready<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        class: Class,
        group: Group,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let ready = self.queues.take(class, group);
        self.run_taken(class, ready, host, gate)
    }

    fn run_taken<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        class: Class,
        ready: Ready<L>,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        self.round.draining = class == Class::Promise;
        if class.priority() > 0 {
            self.omega = None;
        }
        let origin = Some(ready.origin());
        let Ready { mut callback, answer, link, cause, domain, urgency, .. } = ready;
        let input = answer.map_or(Input::Nothing, Input::Answer);
        let level = urgency.level;
        let call = Call { class: Some(class), domain, tag: None, origin, link, cause, level };
        let progress = self.invoke(call, &mut callback, input, host, gate);
        self.settle(progress, None, domain)
    }

    fn run_timed<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        now: Instant,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let head = self.timers.head().expect("a timed action that was picked is pending");
        self.round.draining = false;
        self.omega = None;
        self.actions += 1;
        let tag = Tag { time: head.key.time, microstep: head.key.microstep };
        if head.domain == ANONYMOUS {
            let member = self.timers.take_one();
            if let Some(place) = self.timers.upcoming_place(16) {
                host.fetch(place);
            }
            for (after, very_soon) in [(9, false), (4, true)] {
                if let Some(callback) = self.timers.upcoming(after) {
                    host.expect(callback, very_soon);
                }
            }
            return self.run_member(member, None, tag, host, gate);
        }
        if self.skip_missed(head.domain, now, gate) {
            return Step::Moved;
        }
        if self.lag_checked != Some(head.key) {
            self.lag_checked = Some(head.key);
            if let Some(step) = self.tell_lag(head.domain, now.since(tag.time), host, gate) {
                return step;
            }
        }
        // One labelled action for each turn, so that a late program still serves its I/O (TIME-8).
        self.round.timed = false;
        self.round.acted = Some((head.key.time, head.key.order));
        self.action.clear();
        self.timers.take_action(&mut self.action);
        self.domains.advance(head.domain, tag);
        self.acting = Some(Acting { domain: head.domain, tag, next: 0 });
        self.act(host, gate)
    }

    /// Runs what is left of the atomic action, without letting anything in between (rule TIME-4).
    fn act<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        while let Some(acting) = &mut self.acting {
            let Some(&member) = self.action.get(acting.next) else {
                self.acting = None;
                break;
            };
            acting.next += 1;
            let Acting { domain, tag, .. } = *acting;
            let step = self.run_member(member, Some(domain), tag, host, gate);
            if step == Step::Halted || self.paused.is_some() {
                return step;
            }
        }
        Step::Moved
    }

    fn run_member<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        member: Member,
        domain: Option<DomainIndex>,
        tag: Tag,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let Some((mut callback, link)) = self.timers.begin(member) else {
            return Step::Moved; // Cleared by an earlier member of its own action (rule TIME-9).
        };
        let domain = domain.map(|index| self.domains.id(index));
        let level = self.level_of(member);
        let (class, origin) = (Some(Class::Timer), Some(Origin::Release(member.release())));
        let call = Call { class, domain, tag: Some(tag), origin, link, cause: link, level };
        let progress = self.invoke(call, &mut callback, Input::Nothing, host, gate);
        self.settle(progress, Some((member, callback)), None)
    }

    fn step_paused<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        if W::ORACLE {
            gate.world.moves(Gap::Instruction, None, &mut moves);
        }
        let taken = gate.draw(1 + moves.len());
        let step = match taken {
            0 => {
                let Paused { timed, hold } = self.paused.take().expect("the step is for a pause");
                let progress = host.resume(&mut Context { machine: self, gate });
                self.ended(&progress, gate);
                self.settle(progress, timed, hold)
            }
            taken => self.make(moves[taken - 1], host, gate),
        };
        self.moves = moves;
        step
    }

    /// Hands a callback to the host.
    fn invoke<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        call: Call,
        callback: &mut L::Callback,
        input: Input<L::Answer>,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Progress {
        let Call { class, domain, tag, origin, link, cause, level } = call;
        if host.is_batch(callback) {
            self.current = Current { invocation: Invocation(self.invocations), domain, level };
            return host.run(callback, input, &mut Context { machine: self, gate });
        }
        self.invocations += 1;
        let invocation = Invocation(self.invocations);
        self.current = Current { invocation, domain, level };
        self.relations = (link, cause);
        if S::LISTENS {
            let domain = domain.filter(|_| tag.is_some()).map(DomainId::ordinal);
            let at = self.seen;
            gate.sink.event(Event::Began {
                invocation,
                class,
                domain,
                tag,
                origin,
                link,
                cause,
                at,
            });
        }
        let progress = host.run(callback, input, &mut Context { machine: self, gate });
        self.ended(&progress, gate);
        progress
    }

    /// Notes the end of the running callback.
    fn ended<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        progress: &Progress,
        gate: &mut Through<'_, L, W, C, S>,
    ) {
        if S::LISTENS
            && let Progress::Done(outcome) = progress
        {
            let (invocation, outcome) = (self.current.invocation, outcome.clone());
            gate.sink.event(Event::Ended { invocation, outcome });
        }
    }

    /// Puts things in order after a callback returned to the loop.
    fn settle(
        &mut self,
        progress: Progress,
        timed: Option<(Member, L::Callback)>,
        hold: Option<DomainId>,
    ) -> Step {
        match progress {
            Progress::Done(Outcome::Returned | Outcome::Threw(_)) => {
                if let Some((member, callback)) = timed
                    && let Some(domain) = self.timers.end(member, callback)
                {
                    self.forget(member);
                    self.drop_timed_hold(domain);
                }
                self.domains.drop_hold(hold);
                Step::Moved
            }
            Progress::Paused => {
                self.paused = Some(Paused { timed, hold });
                Step::Moved
            }
            Progress::Halted => Step::Halted,
        }
    }

    pub(crate) fn drop_timed_hold(&mut self, domain: DomainIndex) {
        if domain != ANONYMOUS {
            self.domains.drop_hold_of(domain);
        }
    }

    pub(crate) fn ask(&mut self, class: Class, group: Group, callback: L::Callback) -> Operation {
        self.operations += 1;
        let operation = Operation(self.operations);
        let Current { invocation: link, domain, level } = self.current;
        self.domains.hold(domain);
        self.learned.registered(Origin::Operation(operation), class, false);
        let referenced = true;
        self.outstanding.insert(
            operation,
            Outstanding { class, group, callback, link, domain, level, referenced },
        );
        operation
    }

    /// Says whether an outstanding operation keeps the program alive.
    pub(crate) fn refer(&mut self, operation: Operation, referenced: bool) {
        if let Some(outstanding) = self.outstanding.get_mut(&operation) {
            outstanding.referenced = referenced;
        }
    }

    /// Forgets an outstanding operation; whether there was one.
    pub(crate) fn give_up(&mut self, operation: Operation) -> bool {
        let Some(outstanding) = self.outstanding.remove(&operation) else { return false };
        self.domains.drop_hold(outstanding.domain);
        self.learned.dropped(Origin::Operation(operation));
        true
    }
}

/// Whether a turn of the loop begins with what was picked.
fn begins_turn(pick: Pick) -> bool {
    matches!(pick, Pick::Turn(_) | Pick::Enter(Phase::Timers))
}

/// How a callback is called.
struct Call {
    class: Option<Class>,
    domain: Option<DomainId>,
    tag: Option<Tag>,
    origin: Option<Origin>,
    link: Invocation,
    cause: Invocation,
    level: Level,
}
