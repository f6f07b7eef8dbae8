//! World, chooser and sink of one step, and the gate that a running callback sees of them.

use crate::chooser::{Alternatives, Chooser};
use crate::language::Language;
use crate::world::{Limit, Move, World};
use hemiola_time::Instant;
use hemiola_trace::{Event, Operation, Sink, Stream};
use std::io;

/// World, chooser and sink, as far as a running callback needs them.
pub(crate) trait Gate<L: Language> {
    fn now(&mut self) -> Instant;
    fn look(&mut self) -> Instant;
    fn wall_clock(&mut self) -> u64;
    fn random(&mut self) -> u64;
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()>;
    fn pass(&mut self, until: Instant);
    fn submit(&mut self, operation: Operation, request: L::Request);
    fn perform(&mut self, request: L::Request) -> L::Answer;
    fn cancel(&mut self, operation: Operation);
    fn began(&mut self);
    fn breathe(&mut self, limit: Option<Limit>) -> bool;
    fn draw(&mut self, count: usize) -> usize;
    fn draw_from(&mut self, open: &Alternatives<'_>) -> usize;
    fn is_open(&self) -> bool;
    fn listens(&self) -> bool;
    fn event(&mut self, event: Event);
}

/// The outside of one step.
pub(crate) struct Through<'a, L, W, C, S> {
    pub(crate) world: &'a mut W,
    pub(crate) chooser: &'a mut C,
    pub(crate) sink: &'a mut S,
    pub(crate) language: std::marker::PhantomData<L>,
}

/// Asks the chooser where there is a choice, and notes it.
pub(crate) fn choose<S: Sink>(chooser: &mut impl Chooser, sink: &mut S, count: usize) -> usize {
    choose_by(sink, count, || chooser.choose(count))
}

pub(crate) fn choose_by<S: Sink>(
    sink: &mut S,
    count: usize,
    choose: impl FnOnce() -> usize,
) -> usize {
    if count < 2 {
        return 0;
    }
    let taken = choose();
    debug_assert!(taken < count, "a chooser takes one of the alternatives");
    if S::LISTENS {
        sink.event(Event::Chose { taken: taken as u32, of: count as u32 });
    }
    taken
}

impl<L: Language, W: World<L>, C: Chooser, S: Sink> Gate<L> for Through<'_, L, W, C, S> {
    fn now(&mut self) -> Instant {
        self.world.now()
    }

    fn look(&mut self) -> Instant {
        self.world.look()
    }

    fn wall_clock(&mut self) -> u64 {
        self.world.wall_clock()
    }

    fn random(&mut self) -> u64 {
        self.world.random()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.world.write(stream, bytes)
    }

    fn pass(&mut self, until: Instant) {
        self.world.moved(Move::Pass(until));
    }

    fn submit(&mut self, operation: Operation, request: L::Request) {
        self.world.submit(operation, request);
    }

    fn perform(&mut self, request: L::Request) -> L::Answer {
        let Self { world, chooser, sink, .. } = self;
        world.perform(request, Some(&mut |count| choose(*chooser, *sink, count)))
    }

    fn cancel(&mut self, operation: Operation) {
        self.world.cancel(operation);
    }

    fn began(&mut self) {
        self.world.began();
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        self.world.breathe(limit)
    }

    fn draw(&mut self, count: usize) -> usize {
        choose(self.chooser, self.sink, count)
    }

    fn draw_from(&mut self, open: &Alternatives<'_>) -> usize {
        choose_by(self.sink, open.count(), || self.chooser.choose_from(open))
    }

    fn is_open(&self) -> bool {
        W::ORACLE
    }

    fn listens(&self) -> bool {
        S::LISTENS
    }

    fn event(&mut self, event: Event) {
        self.sink.event(event);
    }
}
