//! The outside of an L program: any operation may be answered at any time (r6), and external events
//! may happen as often as their budgets allow (r7).

use super::env::Value;
use super::host::{Answer, L, Request};
use hemiola_machine::{
    Answered, Completion, Draw, Gap, Instant, Limit, Move, Operation, Signal, Stream, World,
};
use std::io;

/// The world that leaves everything open.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    values: Vec<Value>,
    asked: Vec<(Operation, Request)>,
    /// How often each external event may still happen.
    pub(crate) external: Vec<u32>,
}

impl Oracle {
    pub(crate) fn new(values: Vec<Value>, external: Vec<u32>) -> Self {
        Self { values, asked: Vec::new(), external }
    }
}

impl World<L> for Oracle {
    const ORACLE: bool = true;
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        Instant::ZERO
    }

    fn look(&mut self) -> Instant {
        Instant::ZERO
    }

    fn wall_clock(&mut self) -> u64 {
        Instant::ZERO.as_micros()
    }

    fn random(&mut self) -> u64 {
        unreachable!("the language has no random numbers")
    }

    fn write(&mut self, _: Stream, _: &[u8]) -> io::Result<()> {
        unreachable!("the language has no streams")
    }

    fn began(&mut self) {}

    fn breathe(&mut self, _: Option<Limit>) -> bool {
        false
    }

    fn submit(&mut self, operation: Operation, request: Request) {
        self.asked.push((operation, request));
    }

    fn perform(&mut self, _: Request, _: Option<Draw<'_>>) -> Answer {
        unreachable!("the language has no operations that are answered at once")
    }

    fn cancel(&mut self, _: Operation) {
        unreachable!("the language gives up no operation")
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        None
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        false
    }

    fn go_round(&mut self, _: bool) -> bool {
        true
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, moves: &mut Vec<Move>) {
        // Operations are a multiset: of equal ones, one stands for all.
        for (at, &(operation, request)) in self.asked.iter().enumerate() {
            if self.asked[..at].iter().all(|&(_, earlier)| earlier != request) {
                moves.push(Move::Answer(operation));
            }
        }
        let external = self.external.iter().enumerate().filter(|&(_, &left)| left > 0);
        moves.extend(external.map(|(event, _)| Move::Signal(Signal(event as u32))));
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<Answer> {
        let at = self.asked.iter().position(|&(asked, _)| asked == operation);
        let (_, request) = self.asked.remove(at.expect("an operation that is offered was asked"));
        // As many values as the callback has parameters (rule MACH-4).
        let answer = (0..request.arity).map(|_| self.values[draw(self.values.len())]).collect();
        Answered::Whole(Completion::new(operation, Instant::ZERO, answer))
    }

    fn moved(&mut self, taken: Move) {
        if let Move::Signal(Signal(event)) = taken {
            self.external[event as usize] -= 1;
        }
    }

    /// Every operation is one trip.
    fn seen(&mut self, _: Operation, _: u32) {}
}
