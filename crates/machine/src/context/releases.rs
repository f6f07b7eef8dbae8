//! Timed callbacks: released, cleared, and held against time that may pass.

use super::Context;
use crate::chooser::Alternatives;
use crate::domains::ANONYMOUS;
use crate::language::Language;
use crate::timers::{Handle, tag_key};
use crate::world::Move;
use hemiola_time::{Delay, Instant, Microstep, Period, Tag, Unit};
use hemiola_trace::{Class, Event, Origin};

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
        self.machine.note_standing(handle);
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
