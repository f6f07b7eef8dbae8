//! The outside of a λasync program: any event may occur at any time (E-Oracle).

use super::host::Lasync;
use hemiola_machine::{
    Answered, Completion, Draw, Gap, Instant, Move, Operation, Phase, Stream, World,
};
use std::io;

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
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        self.now
    }

    fn look(&mut self) -> Instant {
        self.now
    }

    fn wall_clock(&mut self) -> u64 {
        self.now.as_micros()
    }

    fn random(&mut self) -> u64 {
        unreachable!("the language has no random numbers")
    }

    fn write(&mut self, _: Stream, _: &[u8]) -> io::Result<()> {
        unreachable!("the language has no streams")
    }

    fn breathe(&mut self) {}

    fn submit(&mut self, operation: Operation, (): ()) {
        self.asked.push(operation);
    }

    fn perform(&mut self, (): (), _: Option<Draw<'_>>) {
        unreachable!("the language has no operations that are answered at once")
    }

    fn cancel(&mut self, _: Operation) {
        unreachable!("the language gives up no operation")
    }

    fn receive(&mut self) -> Option<Completion<()>> {
        None
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        false
    }

    fn go_round(&mut self, _: bool) -> bool {
        true
    }

    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        if self.eager || matches!(gap, Gap::Turn | Gap::Phase(Phase::Poll)) {
            moves.extend(self.asked.iter().map(|&operation| Move::Answer(operation)));
        }
        if matches!(gap, Gap::Turn | Gap::Phase(Phase::Timers)) {
            moves.extend(next_due.map(Move::Pass));
        }
    }

    fn answer(&mut self, operation: Operation, _: Draw<'_>) -> Answered<()> {
        self.asked.retain(|&asked| asked != operation);
        Answered::Whole(Completion::new(operation, self.now, ()))
    }

    fn moved(&mut self, taken: Move) {
        if let Move::Pass(until) = taken {
            self.now = self.now.max(until);
        }
    }

    /// Every trip is an operation of its own here.
    fn seen(&mut self, _: Operation, _: u32) {}
}
