//! The outside of a λasync program: any event may occur at any time (E-Oracle).

use super::host::Lasync;
use hemiola_machine::{Completion, Gap, Instant, Move, Operation, Phase, World};

/// The world that leaves everything open.
///
/// It is asked only where the answer can matter. The other strategies look at what is resolved when a
/// turn begins; `node-phases` looks at completions when it enters the poll phase, and at the clock when
/// it enters the timers phase. Where waiting is measured, it also matters since when a callback has
/// been ready: then answers may come between any two callbacks.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    pub(crate) now: Instant,
    asked: Vec<Operation>,
    eager: bool,
}

impl Oracle {
    pub(crate) fn new(eager: bool) -> Self {
        Self { now: Instant::ZERO, asked: Vec::new(), eager }
    }
}

impl World<Lasync> for Oracle {
    const ORACLE: bool = true;

    fn now(&mut self) -> Instant {
        self.now
    }

    fn submit(&mut self, operation: Operation, (): ()) {
        self.asked.push(operation);
    }

    fn receive(&mut self) -> Option<Completion<()>> {
        None
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        false
    }

    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        if self.eager || matches!(gap, Gap::Turn | Gap::Phase(Phase::Poll)) {
            moves.extend(self.asked.iter().map(|&operation| Move::Answer(operation)));
        }
        if matches!(gap, Gap::Turn | Gap::Phase(Phase::Timers)) {
            moves.extend(next_due.map(Move::Pass));
        }
    }

    fn answer(
        &mut self,
        operation: Operation,
        _: &mut dyn FnMut(usize) -> usize,
    ) -> Completion<()> {
        self.asked.retain(|&asked| asked != operation);
        Completion { operation, stamp: self.now, answer: () }
    }

    fn moved(&mut self, taken: Move) {
        if let Move::Pass(until) = taken {
            self.now = self.now.max(until);
        }
    }
}
