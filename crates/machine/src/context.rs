//! What a running callback may do.

use crate::domains::{ANONYMOUS, DomainId, Policy, Watch};
use crate::host::Host;
use crate::machine::Machine;
use crate::queues::{Group, Ready};
use crate::timers::{Handle, tag_key};
use hemiola_time::{Delay, Instant, Label, Microstep, Ordinal, Period, Tag, Unit};
use hemiola_trace::{Class, Event, Invocation, Observation, Operation, Stream};
use std::io;

/// The way out of a running callback: to the machine, and through the gate.
pub struct Context<'a, H: Host> {
    pub(crate) machine: &'a mut Machine<H>,
    pub(crate) gate: &'a mut dyn Gate,
}

/// World, chooser and sink, as far as a running callback needs them.
pub(crate) trait Gate {
    fn now(&mut self) -> Instant;
    fn wall_clock(&mut self) -> u64;
    fn random(&mut self) -> u64;
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()>;
    fn pass(&mut self, until: Instant);
    fn draw(&mut self, count: usize) -> usize;
    fn listens(&self) -> bool;
    fn event(&mut self, event: Event);
}

impl<H: Host> Context<'_, H> {
    /// Releases a callback `delay` after the current time of a clock (rule TIME-3).
    ///
    /// A label that is not in use opens its domain; without a label the domain is anonymous.
    pub fn release(&mut self, label: Option<&str>, delay: Delay, callback: H::Callback) -> Handle {
        self.put(label, delay, None, callback)
    }

    /// Releases a callback that comes again after every `period`, for the first time after one.
    pub fn release_every(
        &mut self,
        label: Option<&str>,
        period: Period,
        callback: H::Callback,
    ) -> Handle {
        self.put(label, period.delay(), Some(period), callback)
    }

    /// Clears a release; whether there was one to clear (rule TIME-9).
    pub fn clear(&mut self, handle: Handle) -> bool {
        let Some(domain) = self.machine.timers.clear(handle) else { return false };
        self.machine.set_referenced(handle, true);
        self.machine.drop_timed_hold(domain);
        if self.gate.listens() {
            self.gate.event(Event::Cleared { release: handle.release() });
        }
        true
    }

    /// Says whether a pending release keeps the program alive; at first it does.
    pub fn set_referenced(&mut self, handle: Handle, referenced: bool) {
        self.machine.set_referenced(handle, referenced);
    }

    /// Makes a callback able to run, at the end of the queue of its class.
    pub fn queue(&mut self, class: Class, group: Group, callback: H::Callback) {
        let link = self.machine.current.invocation;
        self.queue_caused(class, group, callback, link);
    }

    /// As [`Context::queue`], for a callback that somebody else attached (rule CTX-2).
    pub fn queue_caused(
        &mut self,
        class: Class,
        group: Group,
        callback: H::Callback,
        link: Invocation,
    ) {
        let current = self.machine.current;
        self.machine.domains.hold(current.domain);
        if self.gate.listens() {
            self.gate.event(Event::Queued { class, link });
        }
        let ready = Ready {
            callback,
            answer: None,
            group,
            link,
            cause: current.invocation,
            stamp: Instant::ZERO,
            domain: current.domain,
        };
        self.machine.queues.push(class, ready);
    }

    /// Asks the world for an operation; the callback runs when it has answered.
    pub fn request(
        &mut self,
        class: Class,
        group: Group,
        request: H::Request,
        callback: H::Callback,
    ) -> Operation {
        let operation = self.machine.ask(class, group, callback, request);
        if self.gate.listens() {
            let by = self.machine.current.invocation;
            self.gate.event(Event::Requested { operation, by });
        }
        operation
    }

    /// Shows a value.
    pub fn observe(&mut self, value: Observation) {
        self.gate.event(Event::Observed(value));
    }

    /// One of `count` values, drawn by the chooser.
    pub fn draw(&mut self, count: usize) -> usize {
        self.gate.draw(count)
    }

    /// The logical time of a clock; nothing for a label that is not in use (rule TIME-13).
    pub fn clock(&self, label: &str) -> Option<Instant> {
        self.machine.clock(label)
    }

    /// What one step of a clock is; the default for a label that is not in use (rule TIME-12).
    pub fn unit(&self, label: &str) -> Unit {
        let index = self.machine.domains.find(label);
        index.map_or(Unit::default(), |index| self.machine.domains.get(index).unit)
    }

    /// Physical time.
    pub fn now(&mut self) -> Instant {
        self.gate.now()
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
            self.gate.event(Event::Wrote { stream, text: text.to_owned() });
        }
        self.gate.write(stream, text.as_bytes())
    }

    /// Writes bytes to a standard stream; in the trace they are text if they can be.
    pub fn write_bytes(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        if self.gate.listens() {
            self.gate.event(match std::str::from_utf8(bytes) {
                Ok(text) => Event::Wrote { stream, text: text.to_owned() },
                Err(_) => Event::WroteBytes { stream, bytes: bytes.to_owned() },
            });
        }
        self.gate.write(stream, bytes)
    }

    /// How far a clock is behind physical time (rule TIME-14).
    pub fn lag(&mut self, label: &str) -> Option<Delay> {
        let clock = self.clock(label)?;
        Some(self.now().since(clock))
    }

    /// Opens the domain of a label, if it is not in use, with that unit (rule TIME-12).
    pub fn open(&mut self, label: &str, unit: Unit) -> DomainId {
        let index = match self.machine.domains.find(label) {
            Some(index) => index,
            None => {
                // Sampled once for each action, so that all domains it makes share one origin.
                let now = match self.machine.omega {
                    Some(now) => now,
                    None => *self.machine.omega.insert(self.gate.now()),
                };
                let index = self.machine.domains.open(Label::new(label), unit, now);
                if self.gate.listens() {
                    let domain = self.machine.domains.get(index);
                    self.gate.event(Event::Opened {
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

    /// Sets what becomes of the periods that a domain missed (rule TIME-14).
    pub fn set_policy(&mut self, label: &str, policy: Policy) {
        let index = self.open(label, Unit::default()).index;
        self.machine.domains.get_mut(index).policy = policy;
    }

    /// How many invocations a domain's policy has dropped.
    pub fn skipped(&self, label: &str) -> Option<u64> {
        let index = self.machine.domains.find(label)?;
        Some(self.machine.domains.get(index).skipped)
    }

    /// Calls a handler before an action of the domain that is later than `deadline` (rule TIME-14).
    pub fn on_late(&mut self, label: &str, deadline: Delay, handler: H::Callback) {
        self.watch(label, deadline, true, handler);
    }

    /// Calls a handler when the domain's lag grows beyond `threshold`, once until it has recovered.
    pub fn on_lag(&mut self, label: &str, threshold: Delay, handler: H::Callback) {
        self.watch(label, threshold, false, handler);
    }

    /// Lets physical time pass, as a long computation would. Only a simulated world can do that.
    pub fn spend(&mut self, delay: Delay) {
        let until = self.gate.now() + delay;
        self.gate.pass(until);
    }

    /// The running invocation.
    pub fn invocation(&self) -> Invocation {
        self.machine.current.invocation
    }

    /// The machine, to look at.
    pub fn machine(&self) -> &Machine<H> {
        self.machine
    }

    /// Keeps the domain of the running action alive until [`Context::drop_hold`]: a continuation is
    /// outstanding (rule TIME-11).
    pub fn hold(&mut self) -> Option<DomainId> {
        let domain = self.machine.current.domain;
        self.machine.domains.hold(domain);
        domain
    }

    /// Gives up what [`Context::hold`] took.
    pub fn drop_hold(&mut self, domain: Option<DomainId>) {
        self.machine.domains.drop_hold(domain);
    }

    /// Lets the world say whether time passes before a release with that delay, where it leaves that
    /// open: by nothing, until the release falls due with one that is pending, or a millisecond
    /// behind it, so that something may come between them. While a pending one is due within a few
    /// milliseconds, time may also pass by any number of them.
    pub fn let_time_pass(&mut self, delay: Delay) {
        const NEAR_MS: u64 = 4;
        const MILLISECOND: Delay = Delay::from_millis(1);
        let now = self.gate.now();
        let pending = || self.machine.timers.iter().map(|(key, _)| key.time);
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
            match self.gate.draw(instants.len() + 1) {
                0 => {}
                taken => self.gate.pass(instants[taken - 1]),
            }
        }
    }

    fn watch(&mut self, label: &str, threshold: Delay, every: bool, handler: H::Callback) {
        let index = self.open(label, Unit::default()).index;
        let link = self.machine.current.invocation;
        let watch = Watch { threshold, every, crossed: false, link, callback: Some(handler) };
        self.machine.domains.get_mut(index).watches.push(watch);
    }

    fn put(
        &mut self,
        label: Option<&str>,
        mut delay: Delay,
        mut period: Option<Period>,
        callback: H::Callback,
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
        if self.gate.listens() {
            self.gate.event(Event::Released {
                release: handle.release(),
                domain: reported,
                tag: Tag { time, microstep },
                period,
                by: link,
            });
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
