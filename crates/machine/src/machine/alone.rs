//! The next step when no callback waits, in a world where nothing comes in meanwhile.
//!
//! A program in virtual time that lives by its timers is at this point before each of them. The phases
//! between two turns have nothing to do then, and there is nothing to choose (rule LOOP-7).

use super::{Machine, Step};
use crate::chooser::Chooser;
use crate::host::Host;
use crate::language::Language;
use crate::strategy::Phase;
use crate::through::Through;
use crate::world::World;
use hemiola_trace::Sink;

impl<L: Language> Machine<L> {
    /// Runs the next timed action, or waits for it.
    pub(super) fn go_on_alone<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let now = self.read_time(gate);
        let (due, due_in_turn) = self.due(now);
        if !due {
            let until = self.timers.head().map(|head| head.key.time);
            self.round.phase = Phase::default();
            self.compute.waits(now, until);
            let goes_on = self.is_alive() && gate.world.wait(until);
            return if goes_on { Step::Moved } else { Step::Finished };
        }
        if self.round.phase != Phase::Timers || !due_in_turn {
            if self.is_over() || !gate.world.go_round(due) {
                return Step::Finished;
            }
            self.begin_turn(now);
            self.round.phase = Phase::Timers;
            self.round.timed = true;
        }
        self.run_timed(now, host, gate)
    }
}
