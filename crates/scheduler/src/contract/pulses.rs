//! Time: what the environment does by itself, before the facts of an instant (rule SCHED-3).

use super::Contract;
use crate::roster::Millis;
use hemiola_monitor::theory::{Position, What};
use std::collections::{BTreeMap, BTreeSet};

/// The beginning of the minute of an instant.
pub(super) fn minute_of(time: Millis) -> Millis {
    time.div_euclid(60_000) * 60_000
}

impl Contract<'_> {
    /// Lets time pass until a fact, and gives the instant that it has for the monitor: never before
    /// another fact, though clocks may be put back.
    pub(super) fn moment(&mut self, at: Millis) -> Millis {
        let time = at.max(self.time).max(self.floor);
        self.first.get_or_insert(time);
        self.pass(time);
        self.time = time;
        time
    }

    /// The scheduler could compute at every instant from one to another, dues among them (rule SCHED-9).
    pub(super) fn grant(&mut self, since: Millis, until: Millis) {
        let fresh = self.computed.map_or(Millis::MIN, |computed| computed + 1);
        let since = since.max(self.time).max(self.floor).max(fresh);
        if since > until {
            return;
        }
        if let Some(granted) = &mut self.granted {
            granted.push((since, until));
        }
        self.granting = Some((since, until));
        self.moment(until);
        self.granting = None;
        self.units += (until - since) as u64 + 1;
        self.computed = Some(until);
        // Budgets may have run out by then.
        self.step(until, 0, Vec::new());
    }

    /// Tells of the dues, the minutes and the ends of delays up to an instant. Of several dues with nothing
    /// between them only the last is told: it says all that the others say.
    fn pass(&mut self, until: Millis) {
        let mut instants: BTreeMap<Millis, Vec<(What, String)>> = BTreeMap::new();
        while let Some(&(first, registration)) = self.dues.first()
            && first <= until
        {
            self.dues.remove(&(first, registration));
            let last = self.last_due(registration, until).unwrap_or(first);
            instants.entry(last).or_default().push(self.due(registration));
            self.dues.extend(self.next_due(registration, until).map(|due| (due, registration)));
        }
        let minute = minute_of(until);
        if minute > self.minute {
            self.minute = minute;
            instants.entry(minute).or_insert_with(|| vec![(What::Minute, "Minute".into())]);
        }
        while let Some((end, id)) = self.holds.first().filter(|(end, _)| *end <= until).cloned() {
            self.holds.remove(&(end, id.clone()));
            let Some(known) = self.ids.get_mut(&id) else { continue };
            known.put_off = None;
            if !known.is_paused {
                let resumed = (What::Resumed(known.registration), format!("Resumed {id}"));
                instants.entry(end).or_default().push(resumed);
            }
        }
        for (instant, pulses) in instants {
            self.expire(instant - 1);
            self.pulse(instant.max(self.time), pulses);
        }
        self.expire(until);
    }

    /// Lets the delays of retries end up to an instant, each at its own.
    fn expire(&mut self, until: Millis) {
        while let Some(deadline) = self.watch.next_deadline()
            && deadline <= until
        {
            self.step(deadline, 0, Vec::new());
        }
    }

    /// Watches for the dues of registrations from now on. What was due before and is owed is told at once
    /// (rule SCHED-1), and what is due in the present minute.
    pub(super) fn follow(&mut self, members: &[usize], now: Millis) {
        let followed: BTreeSet<usize> = self.dues.iter().map(|(_, known)| *known).collect();
        let minute = minute_of(now);
        let mut pulses = Vec::new();
        for &registration in members.iter().filter(|member| !followed.contains(member)) {
            self.dues.extend(self.next_due(registration, now).map(|due| (due, registration)));
            let since = match self.ids.get(&self.registrations[registration].id) {
                // The same minute of a schedule that was changed since.
                Some(known) if known.boot => minute_of(known.since) - 1,
                Some(known) => known.since,
                None => minute - 1,
            };
            if self.last_due(registration, now).is_some_and(|due| due > since) {
                pulses.push(self.due(registration));
            }
        }
        if pulses.is_empty() {
            return;
        }
        // Those of another call would else seem not to be due in this minute.
        for &registration in &followed {
            let is_known = self.ids.contains_key(&self.registrations[registration].id);
            if !is_known && self.last_due(registration, now).is_some_and(|due| due >= minute) {
                pulses.push(self.due(registration));
            }
        }
        self.pulse(now, pulses);
    }

    /// Forgets the dues of registrations that neither are in force nor may come into force.
    pub(super) fn unfollow(&mut self) {
        let in_force = self.ids.values().map(|id| id.registration);
        let open = self.calls.values().flat_map(|call| call.members.iter().copied());
        let wanted: BTreeSet<usize> = in_force.chain(open).collect();
        self.dues.retain(|(_, registration)| wanted.contains(registration));
    }

    fn due(&self, registration: usize) -> (What, String) {
        let id = self.registrations[registration].id.escape_debug();
        (What::Due(registration), format!("Due {id}"))
    }

    pub(super) fn last_due(&self, registration: usize, now: Millis) -> Option<Millis> {
        let dues = self.registrations[registration].dues.as_ref()?;
        dues.before(now.div_euclid(1000) + 1).map(|due| due * 1000)
    }

    fn next_due(&self, registration: usize, now: Millis) -> Option<Millis> {
        let dues = self.registrations[registration].dues.as_ref()?;
        dues.at_or_after(now.div_euclid(1000) + 1).map(|due| due * 1000)
    }

    /// Something happens that is no action.
    pub(super) fn pulse(&mut self, time: Millis, pulses: Vec<(What, String)>) {
        let number = |(what, text)| (self.note(time, text), what);
        let events = pulses.into_iter().map(number).collect();
        self.step(time, 0, events);
    }

    /// An action, which takes compute.
    pub(super) fn act(&mut self, time: Millis, what: What, text: String) {
        self.act_late(time, 0, what, text);
    }

    /// An action that happened so much earlier.
    pub(super) fn act_late(&mut self, time: Millis, late: Millis, what: What, text: String) {
        if self.computed != Some(time) {
            self.computed = Some(time);
            self.units += 1;
            if let Some(granted) = &mut self.granted {
                granted.push((time, time));
            }
        }
        let number = self.note(time, text);
        self.step(time, late, vec![(number, what)]);
    }

    pub(super) fn step(&mut self, time: Millis, late: Millis, events: Vec<(u32, What)>) {
        let (granted, computes) = match self.granting {
            Some((since, until)) if time >= since => {
                (self.units + (time.min(until + 1) - since) as u64, time <= until)
            }
            _ => {
                let computes = self.computed == Some(time);
                (self.units - u64::from(computes), computes)
            }
        };
        let event = events.last().map(|(number, _)| *number);
        let repeats = false;
        self.watch.step(&Position { time, event, events, computes, granted, repeats, late });
    }
}
