//! A world whose time can be held and moved by hand; everything else in it is as it was.
//!
//! While time is held, it goes from one timer to the next up to a goal, without waiting, and then stands still
//! until somebody sets another goal. What comes from outside comes as it did. When time is let go, it goes on
//! from where it stood.

use crate::WALL_ORIGIN;
use hemiola_gate::{Answer, Checked, Desk, Gated};
use hemiola_machine::{
    Answered, Completion, Draw, Gap, Instant, Limit, Move, Operation, Stream, World,
};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

/// Passes everything on to a world, but for the time.
pub struct ByHand<W> {
    world: W,
    desk: Arc<Desk>,
    /// The time while it is held, and what the wall showed when that began: `(now, wall, since)`.
    held: Option<(Instant, u64, Instant)>,
    /// By how many microseconds our time is before that of the world.
    ahead: i64,
    /// Answers that have come.
    come: VecDeque<Completion<Answer>>,
}

impl<W> ByHand<W> {
    /// That world, with its time at that desk. If it is held from the beginning, it begins at the same instant
    /// every time, also on the wall.
    pub fn new(world: W, desk: Arc<Desk>) -> Self {
        let held = desk.is_held().then_some((Instant::ZERO, WALL_ORIGIN, Instant::ZERO));
        Self { world, desk, held, ahead: 0, come: VecDeque::new() }
    }

    fn ours(&self, theirs: Instant) -> Instant {
        Instant::from_micros(theirs.as_micros().saturating_add_signed(self.ahead))
    }

    fn theirs(&self, ours: Instant) -> Instant {
        Instant::from_micros(ours.as_micros().saturating_add_signed(-self.ahead))
    }

    /// Does what the desk says about holding time, and gives the time.
    fn time<L: Gated>(&mut self) -> Instant
    where
        W: World<L>,
    {
        let theirs = self.world.now();
        match (self.desk.is_held(), self.held) {
            (false, None) => self.ours(theirs),
            (true, Some((now, ..))) => now,
            (true, None) => {
                let now = self.ours(theirs);
                self.held = Some((now, self.world.wall_clock(), now));
                now
            }
            (false, Some((now, ..))) => {
                self.held = None;
                self.ahead = now.as_micros() as i64 - theirs.as_micros() as i64;
                now
            }
        }
    }

    fn take_in<L: Gated>(&mut self)
    where
        W: World<L>,
    {
        while let Some(completion) = self.world.receive() {
            let stamp = self.ours(completion.stamp).min(self.time());
            self.come.push_back(Completion { stamp, ..completion });
        }
    }
}

impl<L: Gated, W: World<L>> World<L> for ByHand<W> {
    const ORACLE: bool = {
        assert!(!W::ORACLE, "an oracle has no time of its own");
        false
    };
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        self.time()
    }

    fn look(&mut self) -> Instant {
        self.world.look();
        self.time()
    }

    fn wall_clock(&mut self) -> u64 {
        let now = self.time();
        match self.held {
            Some((_, wall, since)) => wall + (now.as_micros() - since.as_micros()),
            None => self.world.wall_clock(),
        }
    }

    fn random(&mut self) -> u64 {
        self.world.random()
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        self.world.write(stream, bytes)
    }

    fn began(&mut self) {
        self.world.began();
    }

    fn breathe(&mut self, limit: Option<Limit>) -> bool {
        self.world.breathe(limit)
    }

    fn submit(&mut self, operation: Operation, request: Checked) {
        self.world.submit(operation, request);
    }

    fn perform(&mut self, request: Checked, draw: Option<Draw<'_>>) -> Answer {
        self.world.perform(request, draw)
    }

    fn cancel(&mut self, operation: Operation) {
        self.come.retain(|one| one.operation != operation);
        self.world.cancel(operation);
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        self.take_in();
        self.come.pop_front()
    }

    fn wait(&mut self, until: Option<Instant>) -> bool {
        let now = self.time();
        let Some((_, wall, since)) = self.held else {
            let until = until.map(|until| self.theirs(until));
            return !self.come.is_empty() || self.world.wait(until);
        };
        self.take_in();
        if !self.come.is_empty() {
            return true;
        }
        let goal = self.desk.goal().max(now);
        let next = until.filter(|&until| until <= goal);
        self.held = Some((next.unwrap_or(goal).max(now), wall, since));
        next.is_some() || self.world.wait(None)
    }

    fn go_round(&mut self, due: bool) -> bool {
        self.world.go_round(due)
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, _: &mut Vec<Move>) {
        // The world offers none.
    }

    fn answer(&mut self, _: Operation, _: Draw<'_>) -> Answered<Answer> {
        unreachable!("only a world that offers moves is asked to make one")
    }

    fn moved(&mut self, taken: Move) {
        self.world.moved(taken);
    }

    fn seen(&mut self, operation: Operation, trips: u32) {
        self.world.seen(operation, trips);
    }
}
