//! Time: what the environment does by itself, before the facts of an instant (rule SCHED-3).

use super::{Contract, Registration};
use crate::roster::Millis;
use crate::roster::count::{is_due_in_minute_of, last_due, minute_of, next_due};
use hemiola_monitor::theory::{Position, What};
use std::collections::{BTreeMap, BTreeSet};

impl Contract<'_> {
    /// The instant for the monitor at which the clock on the wall shows something: its time goes on however that
    /// clock is set.
    pub(super) fn instant(&self, wall: Millis) -> Millis {
        wall.saturating_add(self.ahead)
    }

    /// What the clock on the wall shows at an instant.
    pub(super) fn wall(&self, time: Millis) -> Millis {
        time.saturating_sub(self.ahead)
    }

    /// Lets time pass until a fact, and gives the instant that it has for the monitor: never before another fact.
    pub(super) fn moment(&mut self, instant: Millis) -> Millis {
        let time = instant.max(self.time).max(self.floor);
        self.first.get_or_insert(time);
        self.pass(time);
        self.time = time;
        time
    }

    /// Somebody has set the clock on the wall, which would show `from` and shows `to` (rule SCHED-8).
    pub(super) fn clock_set(&mut self, from: Millis, to: Millis) {
        let time = self.moment(self.instant(from));
        for known in self.ids.values_mut() {
            if let Some(dues) = &self.registrations[known.registration].dues {
                known.count.clock_set(dues, from, to);
            }
        }
        self.ahead = self.ahead.saturating_add(from.saturating_sub(to));
        self.latest = to;
        let is_new = minute_of(from) != minute_of(to);
        let mut pulses = Vec::new();
        for (next, registration) in std::mem::take(&mut self.dues) {
            let Some(dues) = &self.registrations[registration].dues else { continue };
            // What is due once is due with the next that nobody has seen, and comes after it.
            let (is_due, next) = match dues.is_once() {
                true if next > to => (false, Some(next)),
                true => (true, next_due(dues, to)),
                false => (is_new && is_due_in_minute_of(dues, to), next_due(dues, to)),
            };
            self.dues.extend(next.map(|next| (next, registration)));
            if is_due {
                pulses.push(self.due(registration));
            }
        }
        if is_new && pulses.is_empty() {
            pulses.push((What::Minute, "Minute".into()));
        }
        self.minute = minute_of(to);
        if !pulses.is_empty() {
            self.pulse(time, pulses);
        }
    }

    /// Whoever begins at that time of the clock on the wall finds it set back since the last fact, while nobody
    /// looked at it; then time goes on all the same.
    pub(super) fn is_set_back(&mut self, begin: Millis) -> bool {
        if begin >= self.latest {
            return false;
        }
        self.ahead = self.time.max(self.floor).saturating_add(1).saturating_sub(begin);
        self.latest = begin;
        self.minute = minute_of(begin) - 1;
        true
    }

    /// The scheduler could compute at every instant from one to another, dues among them (rule SCHED-9).
    pub(super) fn grant(&mut self, since: Millis, until: Millis) {
        self.latest = self.latest.max(until);
        let (since, until) = (self.instant(since), self.instant(until));
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
        let shown = self.wall(until);
        while let Some(&(first, registration)) = self.dues.first()
            && first <= shown
        {
            self.dues.remove(&(first, registration));
            let last = self.last_due(registration, shown).unwrap_or(first);
            instants.entry(self.instant(last)).or_default().push(self.due(registration));
            self.dues.extend(self.next_due(registration, shown).map(|due| (due, registration)));
        }
        let minute = minute_of(shown);
        if minute > self.minute {
            self.minute = minute;
            let minute = self.instant(minute);
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
        let shown = self.wall(now);
        let minute = minute_of(shown);
        let mut pulses = Vec::new();
        for &registration in members.iter().filter(|member| !followed.contains(member)) {
            let Registration { id, dues: Some(dues), .. } = &self.registrations[registration]
            else {
                continue;
            };
            let known = self.ids.get(id);
            let after = known.map_or(shown, |known| known.count.after().max(shown));
            self.dues.extend(next_due(dues, after).map(|due| (due, registration)));
            let is_owed = match known {
                Some(known) => known.count.owed_at(dues, shown).is_some(),
                None => is_due_in_minute_of(dues, shown),
            };
            // The same minute of a schedule that was changed since.
            let boot = known.filter(|known| known.boot);
            let is_boot = boot.is_some_and(|known| is_due_in_minute_of(dues, known.count.since));
            if is_owed || is_boot {
                pulses.push(self.due(registration));
            }
        }
        if pulses.is_empty() {
            return;
        }
        // Those of another call would else seem not to be due in this minute.
        for &registration in &followed {
            let is_known = self.ids.contains_key(&self.registrations[registration].id);
            if !is_known && self.last_due(registration, shown).is_some_and(|due| due >= minute) {
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

    /// The last due that the clock on the wall has shown by then, and the next.
    pub(super) fn last_due(&self, registration: usize, shown: Millis) -> Option<Millis> {
        last_due(self.registrations[registration].dues.as_ref()?, shown)
    }

    fn next_due(&self, registration: usize, shown: Millis) -> Option<Millis> {
        next_due(self.registrations[registration].dues.as_ref()?, shown)
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
        let (granted, computes) = match (&self.grants, self.granting) {
            (Some(grants), _) => grants.at(time),
            (None, Some((since, until))) if time >= since => {
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
