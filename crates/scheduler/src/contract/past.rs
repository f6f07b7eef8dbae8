//! What was before: the word of a store that is opened.

use super::{Contract, Id, Registration};
use crate::roster::count::is_due_in_minute_of;
use crate::roster::{Declaration, Ended, Millis, State};
use hemiola_monitor::theory::What;
use hemiola_trace::TaskFact;
use std::collections::BTreeMap;

impl Contract<'_> {
    /// A store was opened. If it is the one of the list before, it says what became durable before a
    /// crash and was not told any more. Else it is all that is known of what was before.
    pub(super) fn stored(
        &mut self,
        at: Millis,
        store: &Option<String>,
        tasks: &[(String, String)],
    ) {
        let mut states: BTreeMap<&str, State> = tasks
            .iter()
            .filter_map(|(id, state)| Some((id.as_str(), serde_json::from_str(state).ok()?)))
            .collect();
        let is_same = store.is_some() && self.store.as_ref() == Some(store);
        let begin = self.waiting.first().map_or(at, |(at, _)| *at);
        if std::mem::take(&mut self.has_ended) {
            if is_same {
                self.catch_up(&states, begin);
            }
            self.crash(self.time);
        }
        let waiting = std::mem::take(&mut self.waiting);
        // What was told and the store does not know is lost: all that counts is what the store does know.
        let is_lost = self.is_set_back(begin) | self.has_lost(&states);
        self.store_has_failed = false;
        if is_lost {
            self.dues.clear();
        }
        if !is_same || is_lost {
            for (id, state) in &mut states {
                let entry = Declaration::entry_of_text(id, &state.declared);
                let registration = entry.map(|entry| self.registration(&entry));
                let known = registration.map(|number| &self.registrations[number]);
                if let Some(Registration { dues: Some(dues), .. }) = known {
                    state.found(dues, at);
                }
            }
            self.begin_with(&states, begin - 1);
        }
        self.store = Some(store.clone());
        for (at, what) in waiting {
            self.happen(at, &what);
        }
    }

    /// Whether it was not durable yet that somebody has set the clock, or whether the store failed and does not know
    /// what somebody has asked for.
    fn has_lost(&self, states: &BTreeMap<&str, State>) -> bool {
        self.ids.iter().any(|(id, known)| {
            let Some(state) = states.get(id.as_str()) else { return false };
            let set_at = known.count.set_at;
            let is_asked = (known.is_triggered, known.is_paused);
            set_at.is_some() && state.set_at != set_at
                || self.store_has_failed && (state.triggered, state.paused) != is_asked
        })
    }

    /// Facts that were durable when the process crashed, and that it could not tell any more.
    fn catch_up(&mut self, states: &BTreeMap<&str, State>, before: Millis) {
        let now = self.wall(self.time);
        let mut facts = Vec::new();
        let mut started = Vec::new();
        for (&number, call) in &self.calls {
            let texts = |members: &mut dyn Iterator<Item = usize>| {
                let known = members.map(|member| &self.registrations[member]);
                known.map(|known| (known.id.clone(), known.text.clone())).collect()
            };
            let wanted: BTreeMap<String, String> = texts(&mut call.members.iter().copied());
            let in_force: BTreeMap<String, String> =
                texts(&mut self.ids.values().map(|id| id.registration));
            let stored = states.iter().map(|(id, state)| ((*id).into(), state.declared.clone()));
            if wanted != in_force && stored.collect::<BTreeMap<_, _>>() == wanted {
                let new = states.iter().filter(|(id, _)| !self.ids.contains_key(**id));
                let at = new.map(|(_, state)| state.since).max().unwrap_or(now);
                facts.push((at, TaskFact::InitSuccess { call: number }));
            }
        }
        for (id, known) in &self.ids {
            let Some(state) = states.get(id.as_str()) else { continue };
            // Who was killed may have lost more than one fact: then it is the end of a later run, and that of
            // the one that is known was before it.
            let is_known = |start| known.running.is_some_and(|running| running <= start);
            let last = state.last.as_ref().filter(|last| is_known(last.start));
            let end = last.filter(|_| !state.running && !state.orphaned);
            match end.and_then(|last| last.end.as_ref()) {
                Some((at, Ended::Success)) => facts.push((*at, TaskFact::RunSuccess(id.clone()))),
                Some((at, Ended::Failure(_))) => {
                    facts.push((*at, TaskFact::RunFailure(id.clone())));
                }
                None => {}
            }
            if state.paused != known.is_paused {
                let what = if state.paused { TaskFact::Paused } else { TaskFact::Resumed };
                facts.push((now, what(id.clone())));
            }
            if state.triggered && !known.is_triggered {
                facts.push((now, TaskFact::Triggered(id.clone())));
            }
            // Nobody knows when its callback was entered, if it was; as far as the store knows it was.
            if state.running && known.running.is_none() {
                if state.asked_for && !known.is_triggered {
                    facts.push((now, TaskFact::Triggered(id.clone())));
                }
                started.push(id.clone());
            }
        }
        for (at, fact) in facts {
            self.happen(at, &fact);
        }
        // Who stops takes a start back, but may not come to make that durable.
        self.watch.set_judging(self.is_up && !self.is_stopping);
        for id in started {
            self.happen(before, &TaskFact::RunStart(id));
        }
        self.watch.set_judging(true);
    }

    /// Begins with what a store knows. The monitor is shown a past that leads to it, and does not judge it.
    pub(super) fn begin_with(&mut self, states: &BTreeMap<&str, State>, at: Millis) {
        if states.is_empty() && self.ids.is_empty() {
            return;
        }
        let time = self.moment(self.instant(at));
        self.watch.set_judging(false);
        let mut members = Vec::new();
        let mut known = Vec::new();
        for (&id, state) in states {
            let Some(entry) = Declaration::entry_of_text(id, &state.declared) else { continue };
            let registration = self.registration(&entry);
            members.push(registration);
            known.push((id, state, registration, entry.retry_delay));
        }
        // Everything that was known of others is forgotten.
        let nothing = self.list(Vec::new(), true, None);
        self.tell_of_past(time, 0, vec![What::InitSuccess { call: 0, list: nothing }]);
        let boot = known.iter().filter(|(_, state, registration, _)| {
            let dues = self.registrations[*registration].dues.as_ref();
            state.boot && dues.is_some_and(|dues| is_due_in_minute_of(dues, state.since))
        });
        let boot: Vec<What> =
            boot.map(|(_, _, registration, _)| What::Due(*registration)).collect();
        self.tell_of_past(time, 0, if boot.is_empty() { vec![What::Minute] } else { boot });
        let list = self.list(members, true, None);
        self.tell_of_past(time, 0, vec![What::InitSuccess { call: 0, list }]);
        self.ids.clear();
        self.holds.clear();
        for (id, state, registration, retry_delay) in known {
            let is_orphan = state.running || state.orphaned;
            if is_orphan || state.last.is_some() {
                self.tell_of_past(time, 0, vec![What::RunStart(registration)]);
            }
            if !is_orphan && state.last.is_some() {
                // The delay of the retry ends when the store says so.
                let (what, late) = match state.retry_at {
                    Some(at) => (
                        What::RunFailure(registration),
                        retry_delay.saturating_sub(at.saturating_sub(self.wall(time))),
                    ),
                    None => (What::RunSuccess(registration), 0),
                };
                self.tell_of_past(time, late, vec![what]);
            }
            if state.paused {
                self.tell_of_past(time, 0, vec![What::Paused(registration)]);
            }
            if state.triggered {
                self.tell_of_past(time, 0, vec![What::Triggered(registration)]);
            }
            let mut known = Id::new(registration, state.count());
            (known.is_paused, known.is_triggered) = (state.paused, state.triggered);
            known.boot = state.boot;
            self.ids.insert(id.to_owned(), known);
        }
        self.tell_of_past(time, 0, vec![What::Crash]);
        self.watch.set_judging(true);
        self.unfollow();
    }

    fn tell_of_past(&mut self, time: Millis, late: Millis, whats: Vec<What>) {
        let mut events = Vec::new();
        for what in whats {
            let id = match what {
                What::Due(x)
                | What::RunStart(x)
                | What::RunSuccess(x)
                | What::RunFailure(x)
                | What::Paused(x)
                | What::Triggered(x) => self.registrations[x].id.as_str(),
                _ => "",
            };
            let word = format!("{what:?}");
            let word = word.split(['(', ' ']).next().unwrap_or_default();
            let text = format!("before, as the store knows: {word} {}", id.escape_debug());
            events.push((self.note(time, text.trim_end().to_owned()), what));
        }
        self.step(time, late, events);
    }
}
