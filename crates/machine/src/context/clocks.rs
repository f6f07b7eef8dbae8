//! Labels, their clocks, and what is settled for them.

use super::Context;
use crate::domains::DomainId;
use crate::language::Language;
use crate::settings::{Policy, WatchId};
use hemiola_time::{Delay, Instant, Label, Ordinal, Unit};
use hemiola_trace::Event;

impl<L: Language> Context<'_, L> {
    /// The logical time of a clock; nothing for a label that is not in use (rule TIME-13).
    pub fn clock(&self, label: &str) -> Option<Instant> {
        self.machine.clock(label)
    }

    /// How far a clock is behind physical time (rule TIME-14).
    pub fn lag(&mut self, label: &str) -> Option<Delay> {
        let clock = self.clock(label)?;
        Some(self.now().since(clock))
    }

    /// The logical instant from which delays count: the clock of the running action, else now.
    pub fn logical_now(&mut self) -> Instant {
        match self.machine.current.domain {
            Some(domain) => self.machine.domains.get(domain.index).clock,
            None => self.gate.now(),
        }
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

    /// The domain that the running callback counts for.
    pub fn domain(&self) -> Option<DomainId> {
        self.machine.current.domain
    }

    /// Lets the rest of the running callback count for a domain: it is a continuation that was linked
    /// from there.
    pub fn count_for(&mut self, domain: Option<DomainId>) {
        self.machine.current.domain = domain;
    }
}
