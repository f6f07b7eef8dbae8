//! What a running callback may do.

use crate::chooser::{Alternatives, First};
use crate::domains::{ANONYMOUS, DomainId};
use crate::host::Language;
use crate::machine::{Current, Machine, Through};
use crate::priority::{Level, TaskId, Urgency};
use crate::queues::{Group, Ready};
use crate::settings::{Policy, WatchId};
use crate::timers::{Handle, tag_key};
use crate::world::{Move, World};
use hemiola_time::{Delay, Instant, Label, Microstep, Ordinal, Period, Tag, Unit};
use hemiola_trace::{
    Class, Event, Invocation, Medium, Observation, Operation, Origin, Outcome, Silent, Stream,
};
use std::io;

/// The way out of a running callback: to the machine, and through the gate.
pub struct Context<'a, L: Language> {
    pub(crate) machine: &'a mut Machine<L>,
    pub(crate) gate: &'a mut dyn Gate<L>,
}

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
    fn breathe(&mut self);
    fn draw(&mut self, count: usize) -> usize;
    fn draw_from(&mut self, open: &Alternatives<'_>) -> usize;
    fn is_open(&self) -> bool;
    fn listens(&self) -> bool;
    fn event(&mut self, event: Event);
}

impl<L: Language> Context<'_, L> {
    /// Releases a callback `delay` after the current time of a clock (rule TIME-3).
    ///
    /// A label that is not in use opens its domain; without a label the domain is anonymous.
    pub fn release(&mut self, label: Option<&str>, delay: Delay, callback: L::Callback) -> Handle {
        self.put(label, delay, None, callback)
    }

    /// Releases a callback that comes again after every `period`, for the first time after one.
    pub fn release_every(
        &mut self,
        label: Option<&str>,
        period: Period,
        callback: L::Callback,
    ) -> Handle {
        self.put(label, period.delay(), Some(period), callback)
    }

    /// Clears a release; whether there was one to clear (rule TIME-9).
    pub fn clear(&mut self, handle: Handle) -> bool {
        let Some(domain) = self.machine.timers.clear(handle) else { return false };
        self.machine.forget(handle);
        self.machine.learned.dropped(Origin::Release(handle.release()));
        self.machine.drop_timed_hold(domain);
        if self.gate.listens() {
            self.tell(Event::Cleared { release: handle.release() });
        }
        true
    }

    /// Says whether a pending release keeps the program alive; at first it does.
    pub fn set_referenced(&mut self, handle: Handle, referenced: bool) {
        self.machine.set_referenced(handle, referenced);
    }

    /// Says that one of the callbacks that wait in a queue no longer keeps the program alive, or does
    /// so again. Whoever says the former also says the latter before it runs.
    pub fn set_ready_referenced(&mut self, referenced: bool) {
        let unreferenced = &mut self.machine.unreferenced_ready;
        *unreferenced = if referenced { *unreferenced - 1 } else { *unreferenced + 1 };
    }

    /// Keeps the program alive, as an outstanding operation would, until [`Context::let_end`].
    pub fn keep_alive(&mut self) {
        self.machine.kept_alive += 1;
    }

    /// Gives up what [`Context::keep_alive`] asked for.
    pub fn let_end(&mut self) {
        self.machine.kept_alive -= 1;
    }

    /// Makes a callback able to run, at the end of the queue of its class.
    pub fn queue(&mut self, class: Class, group: Group, callback: L::Callback) {
        let link = self.machine.current.invocation;
        self.queue_caused(class, group, callback, link);
    }

    /// As [`Context::queue`], for a callback that somebody else attached (rule CTX-2).
    pub fn queue_caused(
        &mut self,
        class: Class,
        group: Group,
        callback: L::Callback,
        link: Invocation,
    ) {
        if self.gate.listens() {
            let number = self.machine.queues.next_number();
            self.tell(Event::Queued { number, class, link });
            self.tell_place();
        }
        self.push(class, group, callback, link);
    }

    /// Makes a batch able to run (see [`Host::is_batch`]); nobody is told of it.
    pub fn queue_batch(&mut self, class: Class, callback: L::Callback) {
        let link = self.machine.current.invocation;
        self.push(class, Group::default(), callback, link);
    }

    fn push(&mut self, class: Class, group: Group, callback: L::Callback, link: Invocation) {
        let current = self.machine.current;
        self.machine.domains.hold(current.domain);
        if class.priority() > 0 {
            let number = self.machine.queues.next_number();
            self.machine.learned.registered(Origin::Queued(number), class, false);
        }
        let ready = Ready::new(callback, group, link, current);
        self.machine.queues.push(class, ready);
    }

    /// Makes a task able to run: an immediate with a level, and a deadline if it has one
    /// (rule PRIO-1). What it starts inherits the level.
    pub fn queue_task(&mut self, urgency: Urgency, callback: L::Callback) -> TaskId {
        let current = self.machine.current;
        self.machine.domains.hold(current.domain);
        let link = current.invocation;
        if self.gate.listens() {
            let number = self.machine.queues.next_number();
            self.tell(Event::Queued { number, class: Class::Immediate, link });
            self.tell_place();
        }
        let number = self.machine.queues.next_number();
        self.machine.learned.registered(Origin::Queued(number), Class::Immediate, false);
        let ready = Ready::new(callback, Group::default(), link, current);
        self.machine.queues.push_task(Ready { urgency, is_task: true, ..ready })
    }

    /// Gives a task that waits another urgency; false when it does not wait any more.
    pub fn set_urgency(&mut self, task: TaskId, urgency: Urgency) -> bool {
        self.machine.queues.set_urgency(task, urgency)
    }

    /// Takes back a task that waits; its callback, if it did.
    pub fn withdraw(&mut self, task: TaskId) -> Option<L::Callback> {
        let ready = self.machine.queues.withdraw(task)?;
        self.machine.domains.drop_hold(ready.domain);
        self.machine.learned.dropped(ready.origin());
        if self.gate.listens() {
            self.tell(Event::Dropped { what: ready.origin() });
        }
        Some(ready.callback)
    }

    /// The level of what runs.
    pub fn level(&self) -> Level {
        self.machine.current.level
    }

    /// Lets what runs count as linked from a context of that level (rule PRIO-2).
    pub fn set_level(&mut self, level: Level) {
        self.machine.current.level = level;
    }

    /// The logical instant from which delays count: the clock of the running action, else now.
    pub fn logical_now(&mut self) -> Instant {
        match self.machine.current.domain {
            Some(domain) => self.machine.domains.get(domain.index).clock,
            None => self.gate.now(),
        }
    }

    /// Asks the world for an operation; the callback runs when it has answered.
    pub fn request(
        &mut self,
        class: Class,
        group: Group,
        request: L::Request,
        callback: L::Callback,
    ) -> Operation {
        let operation = self.machine.ask(class, group, callback);
        if self.gate.listens() {
            let by = self.machine.current.invocation;
            let what = L::describe(&request);
            self.tell(Event::Requested { operation, by, what });
            self.tell_place();
        }
        self.gate.submit(operation, request);
        operation
    }

    /// Asks the world for an operation and waits for its answer, while nothing else happens.
    pub fn perform(&mut self, request: L::Request) -> L::Answer {
        self.announce();
        self.gate.perform(request)
    }

    /// Says whether an outstanding operation keeps the program alive; at first it does.
    pub fn refer(&mut self, operation: Operation, referenced: bool) {
        self.machine.refer(operation, referenced);
    }

    /// Gives up an operation: its callback will not run, whatever the world answers.
    pub fn give_up(&mut self, operation: Operation) {
        if self.machine.give_up(operation) {
            if self.gate.listens() {
                self.tell(Event::Dropped { what: Origin::Operation(operation) });
            }
            self.gate.cancel(operation);
        }
    }

    /// Tells where the thing just told of was registered, if that is asked for.
    fn tell_place(&mut self) {
        if let Some(place) = L::place() {
            self.gate.event(Event::Site(place));
        }
    }

    /// Tells what the host alone knows of: accesses, and what their numbers stand for.
    pub fn tell(&mut self, event: Event) {
        self.announce();
        self.gate.event(event);
    }

    /// Notes bytes that the running callback got or wrote (rule PRIO-3).
    pub fn transferred(&mut self, medium: Medium, read: u64, written: u64) {
        self.machine.learned.transferred(medium, read, written);
    }

    /// Shows a value.
    pub fn observe(&mut self, value: Observation) {
        self.tell(Event::Observed(value));
    }

    /// One of `count` values, drawn by the chooser.
    pub fn draw(&mut self, count: usize) -> usize {
        self.announce();
        self.gate.draw(count)
    }

    /// The logical time of a clock; nothing for a label that is not in use (rule TIME-13).
    pub fn clock(&self, label: &str) -> Option<Instant> {
        self.machine.clock(label)
    }

    /// What one step of a clock is; for a label that is not in use, what it is going to be
    /// (rule TIME-12).
    pub fn unit(&self, label: &str) -> Unit {
        let domains = &self.machine.domains;
        match domains.find(label) {
            Some(index) => domains.get(index).unit,
            None => domains.settings(label).and_then(|settings| settings.unit).unwrap_or_default(),
        }
    }

    /// Settles the unit of a label, or leaves it open again, for every domain that is opened from now
    /// on. False when the label is in use with another unit: then nothing changes.
    pub fn set_unit(&mut self, label: &str, unit: Option<Unit>) -> bool {
        let domains = &mut self.machine.domains;
        let in_use = domains.find(label).map(|index| domains.get(index).unit);
        let agrees = in_use.is_none() || unit.is_none() || in_use == unit;
        if agrees {
            domains.settle(label, |settings| settings.unit = unit);
        }
        agrees
    }

    /// Physical time, for a program that asks.
    pub fn now(&mut self) -> Instant {
        self.gate.look()
    }

    /// Microseconds since the start of 1970, by the clock on the wall.
    pub fn wall_clock(&mut self) -> u64 {
        self.gate.wall_clock()
    }

    /// A random number.
    pub fn random(&mut self) -> u64 {
        self.gate.random()
    }

    /// Writes text to a standard stream.
    pub fn write(&mut self, stream: Stream, text: &str) -> io::Result<()> {
        if self.gate.listens() {
            self.tell(Event::Wrote { stream, text: text.to_owned() });
        }
        self.gate.write(stream, text.as_bytes())
    }

    /// Writes bytes to a standard stream; in the trace they are text if they can be.
    pub fn write_bytes(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        if self.gate.listens() {
            self.tell(match std::str::from_utf8(bytes) {
                Ok(text) => Event::Wrote { stream, text: text.to_owned() },
                Err(_) => Event::WroteBytes { stream, bytes: bytes.to_owned() },
            });
        }
        self.gate.write(stream, bytes)
    }

    /// Lets the world do what should not wait until the running callback ends.
    pub fn breathe(&mut self) {
        self.gate.breathe();
    }

    /// How far a clock is behind physical time (rule TIME-14).
    pub fn lag(&mut self, label: &str) -> Option<Delay> {
        let clock = self.clock(label)?;
        Some(self.now().since(clock))
    }

    /// Opens the domain of a label, if it is not in use, with that unit (rule TIME-12) unless another
    /// is settled.
    pub fn open(&mut self, label: &str, unit: Unit) -> DomainId {
        let index = match self.machine.domains.find(label) {
            Some(index) => index,
            None => {
                // Sampled once for each action, so that all domains it makes share one origin.
                let now = match self.machine.omega {
                    Some(now) => now,
                    None => *self.machine.omega.insert(self.gate.now()),
                };
                let settled = self.machine.domains.settings(label);
                let unit = settled.and_then(|settings| settings.unit).unwrap_or(unit);
                let index = self.machine.domains.open(Label::new(label), unit, now);
                if self.gate.listens() {
                    let domain = self.machine.domains.get(index);
                    self.tell(Event::Opened {
                        domain: Ordinal(domain.order.0),
                        label: domain.label.clone(),
                        origin: domain.clock,
                    });
                }
                index
            }
        };
        self.machine.domains.id(index)
    }

    /// Sets what becomes of the periods that a clock missed (rule TIME-14). As all that is settled
    /// for a label, it holds whether the label is in use or not (rule TIME-11).
    pub fn set_policy(&mut self, label: &str, policy: Policy) {
        self.machine.domains.settle(label, |settings| settings.policy = policy);
    }

    /// Forgets the policy of a label, and how much it dropped.
    pub fn forget_policy(&mut self, label: &str) {
        self.machine.domains.settle(label, |settings| {
            settings.policy = Policy::default();
            settings.skipped = 0;
        });
    }

    /// How many invocations the policy of a label has dropped.
    pub fn skipped(&self, label: &str) -> u64 {
        self.machine.domains.settings(label).map_or(0, |settings| settings.skipped)
    }

    /// Calls a handler before an action of the clock that is later than `deadline` (rule TIME-14).
    pub fn on_late(&mut self, label: &str, deadline: Delay, handler: L::Callback) -> WatchId {
        let link = self.machine.current.invocation;
        self.machine.domains.attach(label, deadline, true, link, handler)
    }

    /// Calls a handler when the clock's lag grows beyond `threshold`, once until it has recovered.
    pub fn on_lag(&mut self, label: &str, threshold: Delay, handler: L::Callback) -> WatchId {
        let link = self.machine.current.invocation;
        self.machine.domains.attach(label, threshold, false, link, handler)
    }

    /// Removes what [`Context::on_late`] or [`Context::on_lag`] attached to a label.
    pub fn remove_watch(&mut self, label: &str, id: WatchId) {
        self.machine.domains.detach(label, id);
    }

    /// Lets physical time pass, as a long computation would. Only a simulated world can do that.
    pub fn spend(&mut self, delay: Delay) {
        let until = self.gate.now() + delay;
        self.gate.pass(until);
    }

    /// Begins a job of the running batch (see [`Host::is_batch`]): an invocation of its own (rule
    /// CTX-1), which that one made able to run. Who attached it may turn out while it runs.
    pub fn begin_job(&mut self, cause: Invocation) {
        let machine = &mut *self.machine;
        machine.invocations += 1;
        let (invocation, level) = (Invocation(machine.invocations), machine.current.level);
        machine.current = Current { invocation, domain: None, level };
        machine.unannounced = self.gate.listens().then_some(cause);
    }

    /// Says who attached the job that has begun; only what is said before anything else happens in it
    /// counts.
    pub fn link_job(&mut self, link: Invocation) {
        let Some(cause) = self.machine.unannounced.take() else { return };
        let invocation = self.machine.current.invocation;
        self.gate.event(Event::Began {
            invocation,
            class: Some(Class::Promise),
            domain: None,
            tag: None,
            origin: None,
            link,
            cause,
            at: self.machine.seen,
        });
    }

    /// Takes back a job in which nothing happened: it was none of the program's.
    pub fn drop_job(&mut self) {
        self.machine.unannounced = None;
        self.machine.invocations -= 1;
        self.machine.current.invocation = Invocation(self.machine.invocations);
    }

    /// Ends the job that has begun.
    pub fn end_job(&mut self, outcome: Outcome) {
        if self.gate.listens() {
            let invocation = self.machine.current.invocation;
            self.tell(Event::Ended { invocation, outcome });
        }
    }

    /// Begins an invocation within the running one: a callback out of a queue of the program's own
    /// (rule CTX-5). Gives what [`Context::leave`] needs.
    pub fn enter(&mut self, link: Invocation, cause: Invocation) -> Invocation {
        self.machine.invocations += 1;
        let invocation = Invocation(self.machine.invocations);
        if self.gate.listens() {
            self.tell(Event::Entered { invocation, link, cause });
        }
        std::mem::replace(&mut self.machine.current.invocation, invocation)
    }

    /// Ends an invocation within another, which goes on.
    pub fn leave(&mut self, outer: Invocation) {
        let invocation = std::mem::replace(&mut self.machine.current.invocation, outer);
        if self.gate.listens() {
            self.tell(Event::Left { invocation });
        }
    }

    /// Whether anybody listens to events.
    pub fn listens(&self) -> bool {
        self.gate.listens()
    }

    /// Tells of something that happened in the running callback, if anybody listens.
    pub fn event(&mut self, event: Event) {
        if self.gate.listens() {
            self.tell(event);
        }
    }

    /// Whatever happens in a job happens after its beginning. One of which nobody said who attached it
    /// was attached when it became able to run.
    fn announce(&mut self) {
        if let Some(cause) = self.machine.unannounced {
            self.link_job(cause);
        }
    }

    /// Who attached the running callback, and who made it able to run; not for a job.
    pub fn relations(&self) -> (Invocation, Invocation) {
        self.machine.relations
    }

    /// Lets `act` believe that it is the running callback: what it starts is forgotten, and what it asks
    /// for, it asks of that world. The machine and its own world learn nothing.
    pub fn aside<R>(
        &self,
        world: &mut impl World<L>,
        act: impl FnOnce(&mut Context<'_, L>) -> R,
    ) -> R {
        let mut machine = Machine::default();
        machine.current = self.machine.current;
        machine.invocations = self.machine.invocations;
        let mut gate = Through {
            world,
            chooser: &mut First,
            sink: &mut Silent,
            language: std::marker::PhantomData,
        };
        act(&mut Context { machine: &mut machine, gate: &mut gate })
    }

    /// The running invocation.
    pub fn invocation(&self) -> Invocation {
        self.machine.current.invocation
    }

    /// The machine, to look at.
    pub fn machine(&self) -> &Machine<L> {
        self.machine
    }

    /// Keeps the domain of the running action alive until [`Context::drop_hold`]: a continuation is
    /// outstanding (rule TIME-11).
    pub fn hold(&mut self) -> Option<DomainId> {
        let domain = self.machine.current.domain;
        self.machine.domains.hold(domain);
        domain
    }

    /// The domain that the running callback counts for.
    pub fn domain(&self) -> Option<DomainId> {
        self.machine.current.domain
    }

    /// Lets the rest of the running callback count for a domain: it is a continuation that was linked
    /// from there.
    pub fn count_for(&mut self, domain: Option<DomainId>) {
        self.machine.current.domain = domain;
    }

    /// Gives up what [`Context::hold`] took.
    pub fn drop_hold(&mut self, domain: Option<DomainId>) {
        self.machine.domains.drop_hold(domain);
    }

    /// Whether the world leaves open what happens when, and a chooser picks.
    pub fn is_open(&self) -> bool {
        self.gate.is_open()
    }

    /// Lets the world say whether time passes before a release with that delay, where it leaves that
    /// open: by nothing, until the release falls due with one that is pending, or a millisecond
    /// behind it, so that something may come between them. While a pending one is due within a few
    /// milliseconds, time may also pass by any number of them.
    ///
    /// On a clock that is in use, or whose origin is settled, physical time does not matter; neither do
    /// pending ones that do not count.
    pub fn let_time_pass(
        &mut self,
        label: Option<&str>,
        delay: Delay,
        counts: impl Fn(&L::Callback) -> bool,
    ) {
        const NEAR_MS: u64 = 4;
        const MILLISECOND: Delay = Delay::from_millis(1);
        let is_settled = |label: &str| {
            self.machine.omega.is_some() || self.machine.domains.find(label).is_some()
        };
        if !self.gate.is_open() || label.is_some_and(is_settled) {
            return;
        }
        let now = self.gate.now();
        let pending = || {
            let pending = self.machine.timers.iter().filter(|(_, callback)| counts(callback));
            pending.map(|(key, _)| key.time)
        };
        let near = now + Delay::from_millis(NEAR_MS);
        let nearest = pending().filter(|&time| time <= near).max().unwrap_or(now);
        let mut instants: Vec<Instant> = pending()
            .filter(|&time| time >= now + delay)
            .flat_map(|time| [time - delay, time - delay + MILLISECOND])
            .filter(|&instant| instant > now)
            .collect();
        let steps = (1..=NEAR_MS).map(|ms| now + Delay::from_millis(ms));
        instants.extend(steps.take_while(|&instant| instant <= nearest));
        instants.sort_unstable();
        instants.dedup();
        if !instants.is_empty() {
            let moves: Vec<Move> =
                std::iter::once(now).chain(instants.iter().copied()).map(Move::Pass).collect();
            match self.gate.draw_from(&Alternatives { may_end: false, picks: &[], moves: &moves }) {
                0 => {}
                taken => self.gate.pass(instants[taken - 1]),
            }
        }
    }

    fn put(
        &mut self,
        label: Option<&str>,
        mut delay: Delay,
        mut period: Option<Period>,
        callback: L::Callback,
    ) -> Handle {
        let (domain, time, order, microstep, reported) = match label {
            Some(label) => {
                let id = self.open(label, Unit::default());
                let domain = self.machine.domains.get_mut(id.index);
                domain.outstanding += 1;
                (delay, period) = whole_units(delay, period, domain.unit);
                let microstep =
                    if delay == Delay::ZERO { domain.microstep } else { Microstep::default() };
                let time = domain.clock + delay;
                (id.index, time, id.order, microstep, Some(id.ordinal()))
            }
            None => {
                (delay, period) = whole_units(delay, period, Unit::default());
                let time = self.gate.now().floor(Unit::default()) + delay;
                let order = self.machine.domains.anonymous_order();
                (ANONYMOUS, time, order, Microstep::default(), None)
            }
        };
        let link = self.machine.current.invocation;
        let key = tag_key(time, order, microstep);
        let handle = self.machine.timers.insert(key, domain, period, callback, link);
        self.machine.note_level(handle);
        let (origin, repeats) = (Origin::Release(handle.release()), period.is_some());
        self.machine.learned.registered(origin, Class::Timer, repeats);
        if self.gate.listens() {
            self.tell(Event::Released {
                release: handle.release(),
                domain: reported,
                tag: Tag { time, microstep },
                delay,
                period,
                by: link,
            });
            self.tell_place();
        }
        handle
    }
}

/// A delay and a period as whole numbers of a domain's unit (rule TIME-12).
fn whole_units(delay: Delay, period: Option<Period>, unit: Unit) -> (Delay, Option<Period>) {
    if unit == Unit::Microsecond {
        return (delay, period);
    }
    let whole = |delay: Delay| match delay.as_micros() {
        u64::MAX => delay, // Until the end of time, which is not a whole number of anything.
        _ => Delay::from_millis(delay.as_millis()),
    };
    match period {
        None => (whole(delay), None),
        Some(period) => {
            let period = Period::at_least_one(whole(period.delay()), unit);
            (period.delay(), Some(period))
        }
    }
}
