//! Turns: what belongs to one is settled when it begins.

use super::{Machine, Step};
use crate::chooser::Chooser;
use crate::host::Host;
use crate::language::Language;
use crate::strategy::{Batch, Phase, Pick};
use crate::through::Through;
use crate::world::World;
use hemiola_time::Instant;
use hemiola_trace::{Class, Origin, Sink};

impl<L: Language> Machine<L> {
    /// Does what was picked.
    pub(super) fn go_on_with<W: World<L>, C: Chooser, S: Sink>(
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
                let acted = self.round.acted;
                self.begin_turn(now);
                // The tail of an action may be a turn for each of its callbacks.
                if let Batch::Callback(class, _) | Batch::Group(class, _) = batch
                    && class.priority() == 0
                {
                    self.round.acted = acted;
                }
                self.begin_batch(batch, now, host, gate)
            }
            Pick::Enter(phase) => {
                if phase == Phase::Poll && !self.due(now).0 {
                    let in_company = W::ORACLE && !self.outstanding.is_empty();
                    self.queues.skip_trips(Class::Io, in_company, |operation, trips| {
                        gate.world.seen(operation, trips);
                    });
                }
                self.enter(phase, now);
                Step::Moved
            }
            Pick::Promote => {
                self.queues.transfer(Class::Immediate, Class::Io);
                Step::Moved
            }
        }
    }

    pub(super) fn begin_turn(&mut self, now: Instant) {
        self.round.turn += 1;
        self.round.acted = None;
        self.round.timed = false;
        self.round.now = now;
        self.round.latest = self.timers.latest();
    }

    /// Begins a turn that consists of this batch; what is a single callback or action is run at once.
    fn begin_batch<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        batch: Batch,
        now: Instant,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        match batch {
            Batch::Everything => {
                host.begin_batch();
                self.round.timed = true;
                Class::ALL.into_iter().for_each(|class| self.queues.freeze(class));
                Step::Moved
            }
            Batch::Urgent => {
                host.begin_batch();
                self.queues.freeze(Class::Tick);
                self.queues.freeze(Class::Promise);
                Step::Moved
            }
            Batch::Group(class, group) => {
                self.queues.freeze_group(class, group);
                Step::Moved
            }
            Batch::Callback(class, group) => self.run_ready(class, group, host, gate),
            Batch::Nth(class, at) => {
                let ready = self.queues.take_at(class, at);
                if ready.is_on_its_way() {
                    return self.pass_by(class, ready, gate);
                }
                let (site, origin) = (host.site(&ready.callback), Some(ready.origin()));
                self.learned.begin(self.next_invocation(), class, origin, site, now);
                self.run_taken(class, ready, host, gate)
            }
            Batch::Timed => {
                let first = self.timers.first_of_head();
                let origin = first.map(|handle| Origin::Release(handle.release()));
                let site = first.and_then(|handle| self.timers.callback(handle));
                let site = site.and_then(|callback| host.site(callback));
                let unit = self.next_invocation();
                self.learned.begin(unit, Class::Timer, origin, site, now);
                self.run_timed(now, host, gate)
            }
        }
    }

    /// Enters a phase of the turn.
    fn enter(&mut self, phase: Phase, now: Instant) {
        self.entered = true;
        self.round.phase = phase;
        self.round.acted = None;
        match phase {
            Phase::Timers => {
                self.begin_turn(now);
                self.queues.freeze(Class::Timer);
            }
            Phase::Poll => {
                self.queues.gather_groups();
                self.queues.freeze(Class::Io);
            }
            Phase::Check => {
                self.queues.freeze(Class::Immediate);
                self.round.tail_waits = false;
            }
            Phase::Close => self.queues.freeze(Class::Close),
        }
        self.round.timed = phase == Phase::Timers;
    }
}
