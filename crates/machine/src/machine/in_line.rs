//! The next step where the phases leave no choice: what has run has a tail, a phase is not through, or something waits
//! for a later one.
//!
//! A program of ticks or immediates is at this point before each of them. What the strategy would say of it
//! follows from the queues alone (rule LOOP-7), so that it need not be told what else is ready.

use super::{Machine, Step};
use crate::chooser::Chooser;
use crate::host::Host;
use crate::language::Language;
use crate::strategy::{Phase, Pick};
use crate::through::Through;
use crate::world::World;
use hemiola_time::Instant;
use hemiola_trace::{Class, Sink};

impl<L: Language> Machine<L> {
    /// Runs what is next in order, or enters the next phase; nothing when nothing waits in a queue.
    pub(super) fn go_on_in_line<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Option<Step> {
        let Some(class) = self.next_in_line() else {
            if self.round.phase == Phase::Timers
                && let Some(head) = self.timers.head()
                && self.is_left_of_turn(head)
                && head.key.time < Instant::MAX
            {
                let now = self.round.now;
                self.seen = self.seen.max(now);
                return Some(self.run_head(head, now, host, gate));
            }
            // Only a calculus has something in the queue of timers.
            let waits = !self.queues.are_empty() && self.queues.len(Class::Timer) == 0;
            return waits.then(|| self.enter_next(host, gate));
        };
        let group = self.queues.queue(class).front()?.group;
        self.glance(gate);
        Some(self.run_ready(class, group, host, gate))
    }

    /// Goes on to the next phase, or with a timed action that is due in this one.
    fn enter_next<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let now = self.glance(gate);
        let (due, due_in_turn) = self.due(now);
        if self.round.phase == Phase::Timers && due_in_turn {
            return self.run_timed(now, host, gate);
        }
        let next = self.round.phase.next();
        if next == Phase::Timers && (self.is_over() || !gate.world.go_round(due)) {
            return Step::Finished;
        }
        self.go_on_with(Pick::Enter(next), now, host, gate)
    }

    /// The class of what is next: the tail of what has run unless it waits, or else what is left of the phase.
    fn next_in_line(&self) -> Option<Class> {
        let jobs = self.queues.len(Class::Promise) > 0;
        let ticks = self.queues.len(Class::Tick) > 0;
        if !self.round.tail_waits {
            if jobs && (self.round.draining || !ticks) {
                return Some(Class::Promise);
            }
            if ticks {
                return Some(Class::Tick);
            }
        }
        let class = match self.round.phase {
            Phase::Timers => return None,
            Phase::Poll => Class::Io,
            Phase::Check => Class::Immediate,
            Phase::Close => Class::Close,
        };
        (self.queues.frozen(class) > 0).then_some(class)
    }
}
