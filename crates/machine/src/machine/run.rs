//! Callbacks, handed to the host.

use super::{Acting, Machine, Paused, Step};
use crate::chooser::Chooser;
use crate::context::Context;
use crate::current::Current;
use crate::domains::{ANONYMOUS, DomainId, DomainIndex};
use crate::host::{Host, Input, Progress};
use crate::language::Language;
use crate::priority::Standing;
use crate::queues::{Group, Ready};
use crate::strategy::Phase;
use crate::through::{Gate, Through};
use crate::timers::{Head, Member};
use crate::world::{Move, World};
use hemiola_time::{Delay, Instant, Period, Tag, Unit};
use hemiola_trace::{Class, Event, Invocation, Origin, Outcome, Sink};

/// After so many microsteps in a row others have a turn (rule TIME-8).
pub(super) const MICROSTEPS: u32 = 1_000;

/// How a callback is called.
pub(super) struct Call {
    pub(super) class: Option<Class>,
    pub(super) domain: Option<DomainId>,
    pub(super) tag: Option<Tag>,
    pub(super) origin: Option<Origin>,
    pub(super) link: Invocation,
    pub(super) cause: Invocation,
    pub(super) standing: Standing,
}

impl<L: Language> Machine<L> {
    pub(super) fn run_main<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        mut main: L::Callback,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let call = Call {
            class: None,
            domain: None,
            tag: None,
            origin: None,
            link: Invocation::MAIN,
            cause: Invocation::MAIN,
            standing: Standing::default(),
        };
        self.round.draining = false;
        self.learned.begin_main(self.next_invocation(), self.seen);
        let progress = self.invoke(call, &mut main, Input::Nothing, host, gate);
        self.round.tail_waits = false;
        self.settle(progress, None, None)
    }

    /// Runs a callback from a queue. It moves no clock (rule TIME-7).
    pub(super) fn run_ready<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        class: Class,
        group: Group,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let ready = self.queues.take(class, group);
        if ready.is_on_its_way() {
            return self.pass_by(class, ready, gate);
        }
        self.run_taken(class, ready, host, gate)
    }

    pub(super) fn run_taken<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        class: Class,
        mut ready: Ready<L>,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        self.round.draining = class == Class::Promise;
        self.round.tail_waits = false;
        if class.priority() > 0 || self.is_over_with_job() {
            self.omega = None;
            self.round.acted = None;
        }
        let origin = Some(ready.origin());
        let input = ready.take_answer().map_or(Input::Nothing, Input::Answer);
        let standing = ready.hands_on(self.seen);
        let (link, cause, domain) = (ready.link, ready.cause(), ready.domain());
        let call = Call { class: Some(class), domain, tag: None, origin, link, cause, standing };
        let progress = self.invoke(call, &mut ready.callback, input, host, gate);
        // The tail of a labelled action is not divided (rule TIME-5).
        self.round.tail_waits &= self.round.acted.is_none();
        if self.round.tail_waits && class == Class::Immediate {
            self.go_on_checking();
        }
        self.settle(progress, None, domain)
    }

    /// An immediate failed, and the tail waits: when it was the last of its phase, those that have come since belong to
    /// the phase as well, as in Node. Without any the tail waits no longer.
    fn go_on_checking(&mut self) {
        if self.round.phase == Phase::Check && self.queues.frozen(Class::Immediate) == 0 {
            self.queues.freeze(Class::Immediate);
            self.round.tail_waits = self.queues.frozen(Class::Immediate) > 0;
        }
    }

    pub(super) fn run_timed<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        now: Instant,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let head = self.timers.head().expect("a timed action that was picked is pending");
        self.run_head(head, now, host, gate)
    }

    /// The same when it is known what is next.
    pub(super) fn run_head<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        head: Head,
        now: Instant,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        self.round.draining = false;
        self.round.tail_waits = false;
        self.omega = None;
        self.actions += 1;
        let tag = Tag { time: head.key.time, microstep: head.key.microstep };
        if head.domain == ANONYMOUS {
            self.round.acted = None;
            // As the turn saw the time: a clock is not asked for every interval.
            let (seen, drifting) = (self.round.now, self.drifting);
            let again = |due: Instant, period: Period| match drifting {
                true => seen.floor(Unit::default()) + period.delay(),
                false => period.again(due, seen),
            };
            if self.scattered {
                self.timers.change_places(|count| gate.draw(count));
            }
            let member = self.timers.take_one(again);
            if let Some(place) = self.timers.upcoming_place(16) {
                host.fetch(place);
            }
            for (after, very_soon) in [(9, false), (4, true)] {
                if let Some(callback) = self.timers.upcoming(after) {
                    host.expect(callback, very_soon);
                }
            }
            let step = self.run_member(member, None, tag, host, gate);
            if self.round.tail_waits {
                // It waits for one of the same instant only, as those are one list in Node.
                let next = self.timers.head().map(|head| head.key.time);
                self.round.tail_waits = next == Some(tag.time) && self.due(now).1;
            }
            return step;
        }
        if self.skip_missed(head.domain, now, gate) {
            return Step::Moved;
        }
        // An action that a handler releases before the one that it was told of is not told: else a handler
        // that releases on its own clock would never let that one come.
        let told = &mut self.domains.get_mut(head.domain).told;
        if *told < Some(tag) {
            *told = Some(tag);
            if let Some(step) = self.tell_lag(head.domain, now.since(tag.time), host, gate) {
                return step;
            }
        }
        // One labelled action for each turn, so that a late program still serves its I/O (TIME-8).
        self.round.timed = false;
        let acted = Some((head.key.time, head.key.order));
        self.round.microsteps =
            if self.round.acted == acted { self.round.microsteps + 1 } else { 0 };
        self.round.acted = acted;
        if self.round.microsteps == MICROSTEPS {
            self.let_others_in(head.domain, now, host, gate);
        }
        self.action.clear();
        self.timers.take_action(&mut self.action);
        self.domains.advance(head.domain, tag);
        self.acting = Some(Acting { domain: head.domain, tag, next: 0 });
        self.act(host, gate)
    }

    /// Is called when a clock had so many zero delays in a row that others are to have a turn: says so once for
    /// each clock, and lets a little time pass where it does not by itself, so that answers come.
    fn let_others_in<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        index: DomainIndex,
        now: Instant,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) {
        if !W::ORACLE {
            gate.world.moved(Move::Pass(now + Delay::from_millis(1)));
        }
        let label = self.domains.get(index).label.clone();
        if !self.told_endless.insert(label.clone()) {
            return;
        }
        if let Some(callback) = host.endless(label.as_str()) {
            let mut context = Context { machine: self, gate };
            context.queue(Class::Immediate, Group::default(), callback);
        }
    }

    /// Runs what is left of the atomic action, without letting anything in between (rule TIME-4).
    pub(super) fn act<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        while let Some(acting) = &mut self.acting {
            if self.scattered && acting.next + 1 < self.action.len() {
                let first = acting.next + gate.draw(self.action.len() - acting.next);
                self.action[acting.next..=first].rotate_right(1);
            }
            let Some(&member) = self.action.get(acting.next) else {
                self.acting = None;
                break;
            };
            acting.next += 1;
            let Acting { domain, tag, .. } = *acting;
            let step = self.run_member(member, Some(domain), tag, host, gate);
            self.round.tail_waits = false;
            if step == Step::Halted || self.paused.is_some() {
                return step;
            }
        }
        Step::Moved
    }

    pub(super) fn run_member<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        member: Member,
        domain: Option<DomainIndex>,
        tag: Tag,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let Some((mut callback, link)) = self.timers.begin(member) else {
            return Step::Moved; // Cleared by an earlier member of its own action (rule TIME-9).
        };
        let domain = domain.map(|index| self.domains.id(index));
        let standing = self.standing_of(member).at(self.seen);
        let (class, origin) = (Some(Class::Timer), Some(Origin::Release(member.release())));
        let call = Call { class, domain, tag: Some(tag), origin, link, cause: link, standing };
        let progress = self.invoke(call, &mut callback, Input::Nothing, host, gate);
        self.settle(progress, Some((member, callback)), None)
    }

    /// Hands a callback to the host.
    pub(super) fn invoke<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        call: Call,
        callback: &mut L::Callback,
        input: Input<L::Answer>,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Progress {
        let Call { class, domain, tag, origin, link, cause, standing } = call;
        if self.is_watched() {
            self.begin_limit();
        }
        // A world that leaves open when answers come also counts how long the program does not hear of them.
        if self.is_watched() || W::ORACLE {
            gate.world.began();
        }
        if host.is_batch(callback) {
            self.current = Current { invocation: Invocation(self.invocations), domain, standing };
            return host.run(callback, input, &mut Context { machine: self, gate });
        }
        self.invocations += 1;
        let invocation = Invocation(self.invocations);
        self.current = Current { invocation, domain, standing };
        self.relations = (link, cause);
        if S::LISTENS {
            let domain = domain.filter(|_| tag.is_some()).map(DomainId::ordinal);
            let at = self.seen;
            gate.sink.event(Event::Began {
                invocation,
                class,
                domain,
                tag,
                origin,
                link,
                cause,
                at,
            });
        }
        let progress = host.run(callback, input, &mut Context { machine: self, gate });
        self.ended(&progress, gate);
        progress
    }

    /// Notes the end of the running callback.
    pub(super) fn ended<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        progress: &Progress,
        gate: &mut Through<'_, L, W, C, S>,
    ) {
        if S::LISTENS
            && let Progress::Done(outcome) = progress
        {
            let (invocation, outcome) = (self.current.invocation, outcome.clone());
            gate.sink.event(Event::Ended { invocation, outcome });
        }
    }

    /// Puts things in order after a callback returned to the loop.
    pub(super) fn settle(
        &mut self,
        progress: Progress,
        timed: Option<(Member, L::Callback)>,
        hold: Option<DomainId>,
    ) -> Step {
        match progress {
            Progress::Done(Outcome::Returned | Outcome::Threw(_)) => {
                if let Some((member, callback)) = timed
                    && let Some(domain) = self.timers.end(member, callback)
                {
                    self.forget(member);
                    self.drop_timed_hold(domain);
                }
                self.domains.drop_hold(hold);
                Step::Moved
            }
            Progress::Paused => {
                self.paused = Some(Paused { timed, hold });
                Step::Moved
            }
            Progress::Halted => Step::Halted,
        }
    }

    pub(crate) fn drop_timed_hold(&mut self, domain: DomainIndex) {
        if domain != ANONYMOUS {
            self.domains.drop_hold_of(domain);
        }
    }

    pub(super) fn next_invocation(&self) -> Invocation {
        Invocation(self.invocations + 1)
    }
}
