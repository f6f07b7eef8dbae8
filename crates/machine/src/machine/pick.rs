//! What may happen now, and the pick of one of it.
//!
//! The strategy says what may run, an oracle what may come in; where that is more than one thing the
//! chooser picks. If it is nothing, the machine waits.

use super::run::MICROSTEPS;
use super::{Machine, Round, Step};
use crate::chooser::{Alternatives, Chooser};
use crate::domains::ANONYMOUS;
use crate::heap::TagKey;
use crate::host::{Eagerness, Host};
use crate::language::Language;
use crate::strategy::{Phase, Pick, ReadySet, Strategy};
use crate::through::{Gate, Through};
use crate::timers::Head;
use crate::world::{Gap, Move, World};
use hemiola_time::Instant;
use hemiola_trace::{Class, Sink};

/// Time, when something is picked.
#[derive(Clone, Copy)]
struct Present {
    now: Instant,
    /// Whether a timed action is due.
    due: bool,
    /// When to look again because of the deadline of something that is held back.
    wake: Option<Instant>,
}

impl<L: Language> Machine<L> {
    /// Picks what happens next, and does it.
    pub(super) fn pick<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        strategy: &impl Strategy,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        if W::STILL && strategy.has_phases() && self.queues.are_empty() {
            return self.go_on_alone(host, gate);
        }
        if !W::ORACLE
            && strategy.has_phases()
            && !self.unordered
            && let Some(step) = self.go_on_in_line(host, gate)
        {
            return step;
        }
        // Both are taken out and put back, so that their memory is used again.
        let mut picks = std::mem::take(&mut self.picks);
        picks.clear();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        let present = self.ask_strategy(host, strategy, gate, &mut picks);
        let step = if picks.first().is_some_and(|&pick| begins_turn(pick)) && self.is_over() {
            Step::Finished
        } else {
            if W::ORACLE {
                self.ask_oracle(present.now, &picks, host, gate, &mut moves);
            }
            self.take_one_of(&picks, &moves, present, host, gate)
        };
        self.picks = picks;
        self.moves = moves;
        step
    }

    /// What may run, as the strategy has it.
    fn ask_strategy<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &impl Host<Language = L>,
        strategy: &impl Strategy,
        gate: &mut Through<'_, L, W, C, S>,
        picks: &mut Vec<Pick>,
    ) -> Present {
        let ranks = strategy.ranks();
        let now = if ranks { self.read_time(gate) } else { self.glance(gate) };
        let (due, due_in_turn) = self.due(now);
        let overtaken = due && self.is_overtaken();
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
            overtaken,
            acted: self.round.acted.is_some(),
            phase: self.round.phase,
            draining: self.round.draining,
            tail_waits: self.round.tail_waits,
            candidates: &candidates,
            groups: &|class, count, each| self.queues.groups(class, count, each),
        };
        strategy.alternatives(&ready, picks);
        self.candidates = candidates;
        Present { now, due, wake }
    }

    /// What may come in before one of these.
    fn ask_oracle<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        now: Instant,
        picks: &[Pick],
        host: &impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
        moves: &mut Vec<Move>,
    ) {
        let gap = match picks.first() {
            Some(Pick::Callback(..) | Pick::Timed) => Gap::Callback,
            Some(&Pick::Enter(phase)) => Gap::Phase(phase),
            Some(Pick::Turn(_) | Pick::Promote) | None => Gap::Turn,
        };
        let next = self.next_due_after(now, host, Eagerness::Free);
        gate.world.moves(gap, next, moves);
        // What the outside might still do does not keep a program alive that waits for none of it.
        if picks.is_empty() && !self.is_alive() {
            moves.retain(|taken| taken.is_optional());
        }
    }

    /// Lets the chooser pick, and does it; waits where there is nothing to pick.
    fn take_one_of<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        picks: &[Pick],
        moves: &[Move],
        present: Present,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        // A run may end where nothing but unpromised moves is left: that is an alternative too.
        let may_end = picks.is_empty() && moves.iter().all(|taken| taken.is_optional());
        if may_end && moves.is_empty() {
            return self.wait(present, host, gate);
        }
        let taken = gate.draw_from(&Alternatives { may_end, picks, moves });
        let Some(taken) = taken.checked_sub(usize::from(may_end)) else { return Step::Finished };
        match picks.get(taken) {
            Some(&pick) if begins_turn(pick) && !gate.world.go_round(present.due) => Step::Finished,
            Some(&pick) => self.go_on_with(pick, present.now, host, gate),
            None => self.make(moves[taken - picks.len()], host, gate),
        }
    }

    /// Waits for what comes next; without anything that could come, the program is over.
    fn wait<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        Present { now, wake, .. }: Present,
        host: &impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
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
        self.compute.waits(now, until);
        if is_alive && gate.world.wait(until) { Step::Moved } else { Step::Finished }
    }

    /// Physical time; a scheduler that wants to know hears that the loop turns.
    #[inline(always)]
    pub(super) fn read_time<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Instant {
        let now = gate.world.now();
        self.seen = self.seen.max(now);
        if S::LISTENS && !W::ORACLE && self.compute.is_on() {
            let told = self.compute.turns(now);
            told.into_iter().flatten().for_each(|event| gate.sink.event(event));
        }
        now
    }

    /// The same as far as it matters for what may come next: a clock is not asked in vain.
    #[inline]
    pub(super) fn glance<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Instant {
        match self.known_time() {
            Some(now) if !W::ORACLE => {
                self.seen = self.seen.max(now);
                now
            }
            _ => self.read_time(gate),
        }
    }

    /// The time of the turn, if a later one would change nothing.
    pub(super) fn known_time(&mut self) -> Option<Instant> {
        // A turn tells what was pending when it began by ordinals, too.
        let head = self.timers.head();
        head.is_none_or(|head| self.is_left_of_turn(head)).then_some(self.round.now)
    }

    /// Whether what is next was due when the turn began: then it still is. A labelled action wants to know its lag.
    pub(super) fn is_left_of_turn(&self, Head { key, domain, born }: Head) -> bool {
        let Round { timed, now, latest, .. } = self.round;
        domain == ANONYMOUS && timed && key.time <= now && born <= latest
    }

    /// Whether the next timed action is due, and whether it belongs to the current turn.
    ///
    /// Every step asks, and mostly there is no timer to look at.
    #[inline(always)]
    pub(super) fn due(&mut self, now: Instant) -> (bool, bool) {
        let Some(head) = self.timers.head() else { return (false, false) };
        // What is due at the end of time is never due.
        let due = head.key.time <= now && head.key.time < Instant::MAX;
        let Round { timed, now, latest, .. } = self.round;
        let labelled = head.domain != ANONYMOUS;
        // A completion that was ready before a labelled action was due goes first (rule TIME-8).
        let overtaken = labelled && self.is_overtaken();
        let in_turn = timed && head.key.time <= now && head.born <= latest && !overtaken;
        // The next microstep comes straight after the tail, whatever else is ready (rule TIME-6).
        let TagKey { time, order, .. } = head.key;
        let microstep =
            self.round.acted == Some((time, order)) && self.round.microsteps < MICROSTEPS;
        (due, due && (in_turn || microstep))
    }

    /// Whether the oldest completion was ready before the next timed action was due.
    fn is_overtaken(&mut self) -> bool {
        let Some(head) = self.timers.head() else { return false };
        self.queues.queue(Class::Io).front().is_some_and(|io| io.stamp() < head.key.time)
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
}

/// Whether a turn of the loop begins with what was picked.
fn begins_turn(pick: Pick) -> bool {
    matches!(pick, Pick::Turn(_) | Pick::Enter(Phase::Timers) | Pick::Promote)
}
