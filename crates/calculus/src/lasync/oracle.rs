//! The outside of a λasync program: any event may occur at any time (E-Oracle).

use super::host::{Lasync, Request, Value};
use crate::names::Symbol;
use crate::study::Following;
use hemiola_machine::{
    Answered, Completion, Draw, Gap, Instant, Limit, Move, Operation, Phase, Stream, World,
};
use std::io;
use std::rc::Rc;

/// The world that leaves everything open.
///
/// It is asked only where the answer can matter. The other strategies look at what is resolved when a
/// turn begins; `node-phases` looks at completions when it enters the poll phase, and at the clock when
/// it enters the timers phase. Where waiting is measured, it also matters since when a callback has
/// been ready: then answers may come between any two callbacks. So may an event that several wait for,
/// who begins to wait after it has occurred waits for the next, and one that makes callbacks of other
/// phases able to run. Where every answer has to come at some
/// time, it must be able to, and so must the time of a timer.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    pub(crate) now: Instant,
    values: Vec<Symbol>,
    /// The events for which it matters when they occur.
    shared: Rc<[Symbol]>,
    asked: Vec<(Operation, Request)>,
    /// What the event that has just occurred answers, too; the next first.
    occurred: Vec<(Operation, Value)>,
    following: Following,
}

impl Oracle {
    pub(crate) fn new(values: Vec<Symbol>, shared: Rc<[Symbol]>, following: Following) -> Self {
        let (asked, occurred) = (Vec::new(), Vec::new());
        Self { now: Instant::ZERO, values, shared, asked, occurred, following }
    }

    /// The event that an operation waits for.
    pub(crate) fn event(&self, operation: Operation) -> Option<Symbol> {
        let asked = self.asked.iter().find(|(asked, _)| *asked == operation);
        asked.and_then(|(_, request)| request.event)
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

    fn began(&mut self) {}

    fn breathe(&mut self, _: Option<Limit>) -> bool {
        false
    }

    fn submit(&mut self, operation: Operation, request: Request) {
        self.asked.push((operation, request));
    }

    fn perform(&mut self, _: Request, _: Option<Draw<'_>>) -> Value {
        unreachable!("the language has no operations that are answered at once")
    }

    fn cancel(&mut self, _: Operation) {
        unreachable!("the language gives up no operation")
    }

    fn receive(&mut self) -> Option<Completion<Value>> {
        let (operation, answer) = self.occurred.pop()?;
        Some(Completion::new(operation, self.now, answer))
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        false
    }

    fn go_round(&mut self, _: bool) -> bool {
        true
    }

    fn moves(&mut self, gap: Gap, next_due: Option<Instant>, moves: &mut Vec<Move>) {
        let Following { hunting, endless, fair } = self.following;
        let all = hunting || fair || matches!(gap, Gap::Turn | Gap::Phase(Phase::Poll));
        for (at, &(operation, Request { event, .. })) in self.asked.iter().enumerate() {
            let waits = |(_, other): &(_, Request)| event.is_some() && other.event == event;
            let matters = all || event.is_some_and(|event| self.shared.contains(&event));
            if matters && !self.asked[..at].iter().any(waits) {
                moves.push(Move::Answer(operation));
            }
        }
        let timely = endless && (hunting || fair);
        if timely || matches!(gap, Gap::Turn | Gap::Phase(Phase::Timers)) {
            moves.extend(next_due.map(Move::Pass));
        }
    }

    fn answer(&mut self, operation: Operation, draw: Draw<'_>) -> Answered<Value> {
        let event = self.event(operation);
        let answered = |(asked, request): &mut (Operation, Request)| {
            *asked == operation || event.is_some() && request.event == event
        };
        let answered: Vec<_> = self.asked.extract_if(.., answered).collect();
        let draws = answered.iter().any(|(_, request)| request.draws);
        // All get the same value; who does not look at it need not have it.
        let drawn = draws.then(|| self.values[draw(self.values.len())]);
        let answers =
            answered.into_iter().map(|(asked, request)| (asked, drawn.filter(|_| request.draws)));
        self.occurred = answers.collect();
        self.occurred.reverse();
        Answered::Whole(self.receive().expect("an operation that is offered was asked for"))
    }

    fn moved(&mut self, taken: Move) {
        if let Move::Pass(until) = taken {
            self.now = self.now.max(until);
        }
    }

    /// Every trip is an operation of its own here.
    fn seen(&mut self, _: Operation, _: u32) {}
}
