//! What a person at a prompt has of a run: a clock that can be held and moved, and what waits and what ran.

use hemiola_machine::{
    Class, Event, Instant, Invocation, Operation, Ordinal, Origin, Outcome, Place,
};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many callbacks that ran are remembered.
const REMEMBERED: usize = 20;

/// What a prompt, its world and its program share.
#[derive(Debug, Default)]
pub struct Desk {
    /// Whether time stands still until somebody moves it.
    held: AtomicBool,
    /// Up to where time that is held may go, in microseconds.
    goal: AtomicU64,
    /// Whether the next timer is the prompt's own.
    own: AtomicBool,
    ledger: Mutex<Ledger>,
    /// Where lines are kept that were typed in, if they are.
    pub history: Option<String>,
}

impl Desk {
    /// A desk whose lines are kept in that file, if in any.
    pub fn new(history: Option<String>) -> Self {
        Self { history, ..Self::default() }
    }

    /// Whether time stands still until somebody moves it.
    pub fn is_held(&self) -> bool {
        self.held.load(Ordering::Relaxed)
    }

    /// Lets time stand still at `now`, or go on.
    pub fn hold(&self, held: bool, now: Instant) {
        self.goal.store(now.as_micros(), Ordering::Relaxed);
        self.held.store(held, Ordering::Relaxed);
    }

    /// Lets time that is held go until then, and no further. The next timer that is set is the one with which
    /// the prompt waits for that.
    pub fn move_to(&self, goal: Instant) {
        self.goal.store(goal.as_micros(), Ordering::Relaxed);
        self.own.store(true, Ordering::Relaxed);
    }

    /// Stops a move where it is.
    pub fn stay(&self, now: Instant) {
        self.goal.fetch_min(now.as_micros(), Ordering::Relaxed);
    }

    /// Up to where time that is held may go.
    pub fn goal(&self) -> Instant {
        Instant::from_micros(self.goal.load(Ordering::Relaxed))
    }

    /// Takes an event of the run.
    pub fn hear(&self, event: &Event) {
        self.ledger().hear(event, &self.own);
    }

    /// What waits, as lines of text.
    pub fn pending(&self, now: Instant) -> Vec<String> {
        self.ledger().pending(now)
    }

    /// What ran last, as lines of text.
    pub fn ran(&self) -> Vec<String> {
        self.ledger().ran.iter().map(Ran::line).collect()
    }

    /// When the next timer is due.
    pub fn next_due(&self) -> Option<Instant> {
        self.ledger().timers.values().map(|timer| timer.due).min()
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is known of a run.
#[derive(Debug, Default)]
struct Ledger {
    labels: BTreeMap<Ordinal, String>,
    timers: BTreeMap<Ordinal, Timer>,
    immediates: BTreeMap<Ordinal, Option<Place>>,
    operations: BTreeMap<Operation, (String, Option<Place>)>,
    /// What the next place belongs to.
    placing: Option<Origin>,
    ran: VecDeque<Ran>,
}

#[derive(Debug)]
struct Timer {
    due: Instant,
    period: Option<hemiola_machine::Period>,
    label: Option<String>,
    place: Option<Place>,
}

#[derive(Debug)]
struct Ran {
    invocation: Invocation,
    at: Instant,
    what: String,
    threw: Option<String>,
}

impl Ran {
    fn line(&self) -> String {
        let Self { at, what, threw, .. } = self;
        let ending = threw.as_ref().map_or(String::new(), |why| format!(": threw {why}"));
        format!("{:>12}  {what}{ending}", seconds(at.as_micros()))
    }
}

impl Ledger {
    fn hear(&mut self, event: &Event, own: &AtomicBool) {
        match event {
            Event::Opened { domain, label, .. } => {
                self.labels.insert(*domain, label.as_str().to_owned());
            }
            Event::Released { release, domain, tag, period, .. } => {
                self.placing = None;
                if own.swap(false, Ordering::Relaxed) {
                    return;
                }
                let label = domain.and_then(|domain| self.labels.get(&domain).cloned());
                let timer = Timer { due: tag.time, period: *period, label, place: None };
                self.timers.insert(*release, timer);
                self.placing = Some(Origin::Release(*release));
            }
            Event::Cleared { release } => {
                self.timers.remove(release);
            }
            Event::Queued { number, class, .. } => {
                self.placing = None;
                if *class != Class::Immediate {
                    return;
                }
                // Those of the library have no place, and are not kept.
                self.placing = Some(Origin::Queued(*number));
            }
            Event::Requested { operation, what, .. } => {
                self.placing = None;
                if !is_own(what) {
                    self.operations.insert(*operation, (what.clone(), None));
                    self.placing = Some(Origin::Operation(*operation));
                }
            }
            Event::Site(place) => self.place(place),
            Event::Dropped { what } => self.forget(*what),
            Event::Began { invocation, origin: Some(origin), at, .. } => {
                self.began(*invocation, *origin, *at);
            }
            Event::Ended { invocation, outcome: Outcome::Threw(why) } => {
                let mut ran = self.ran.iter_mut().rev();
                if let Some(ran) = ran.find(|ran| ran.invocation == *invocation) {
                    ran.threw = Some(why.clone());
                }
            }
            _ => {}
        }
    }

    fn place(&mut self, place: &Place) {
        let found = match self.placing.take() {
            Some(Origin::Release(release)) => {
                self.timers.get_mut(&release).map(|timer| &mut timer.place)
            }
            Some(Origin::Queued(number)) => Some(self.immediates.entry(number).or_default()),
            Some(Origin::Operation(operation)) => {
                self.operations.get_mut(&operation).map(|(_, place)| place)
            }
            None => None,
        };
        if let Some(found) = found {
            *found = Some(place.clone());
        }
    }

    fn forget(&mut self, what: Origin) {
        match what {
            Origin::Release(release) => drop(self.timers.remove(&release)),
            Origin::Queued(number) => drop(self.immediates.remove(&number)),
            Origin::Operation(operation) => drop(self.operations.remove(&operation)),
        }
    }

    fn began(&mut self, invocation: Invocation, origin: Origin, at: Instant) {
        let what = match origin {
            Origin::Release(release) => match self.timers.get_mut(&release) {
                None => return,
                Some(timer) => {
                    let words = timer.words(release);
                    match timer.period {
                        Some(period) => timer.due = period.again(timer.due, at),
                        None => drop(self.timers.remove(&release)),
                    }
                    words
                }
            },
            Origin::Queued(number) => match self.immediates.remove(&number) {
                None => return,
                Some(place) => format!("immediate{}", set_at(place.as_ref())),
            },
            Origin::Operation(operation) => match self.operations.remove(&operation) {
                None => return,
                Some((what, place)) => format!("answer to {what}{}", asked_at(place.as_ref())),
            },
        };
        if self.ran.len() == REMEMBERED {
            self.ran.pop_front();
        }
        self.ran.push_back(Ran { invocation, at, what, threw: None });
    }

    fn pending(&self, now: Instant) -> Vec<String> {
        let mut timers: Vec<_> = self.timers.iter().collect();
        timers.sort_by_key(|(release, timer)| (timer.due, **release));
        let timers = timers.into_iter().map(|(release, timer)| {
            let left = timer.due.as_micros().saturating_sub(now.as_micros());
            format!("{:>12}  {}", format!("in {}", seconds(left)), timer.words(*release))
        });
        let operations = self
            .operations
            .values()
            .map(|(what, place)| format!("{:>12}  {what}{}", "waits", asked_at(place.as_ref())));
        timers.chain(operations).collect()
    }
}

impl Timer {
    fn words(&self, release: Ordinal) -> String {
        let every = self.period.map_or(String::new(), |period| {
            format!(", every {}", seconds(period.delay().as_micros()))
        });
        let label = self.label.as_ref().map_or(String::new(), |label| format!(", clock {label}"));
        format!("timer {}{every}{label}{}", release.0, set_at(self.place.as_ref()))
    }
}

/// Whether an operation is the prompt's own: it reads keys and listens to the terminal.
fn is_own(what: &str) -> bool {
    ["input.", "signal"].iter().any(|start| what.starts_with(start))
}

fn set_at(place: Option<&Place>) -> String {
    place.map_or(String::new(), |place| format!(", set at {place}"))
}

fn asked_at(place: Option<&Place>) -> String {
    place.map_or(String::new(), |place| format!(", asked at {place}"))
}

/// Microseconds as seconds, without zeros at the end.
fn seconds(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_machine::{Delay, Tag};

    fn released(release: u64, millis: u64) -> Event {
        let time = Instant::from_micros(millis * 1_000);
        let delay = Delay::from_millis(millis);
        let (release, by) = (Ordinal(release), Invocation(1));
        Event::Released {
            release,
            domain: None,
            tag: Tag { time, microstep: Default::default() },
            delay,
            period: None,
            by,
        }
    }

    fn began(release: u64, millis: u64) -> Event {
        Event::Began {
            invocation: Invocation(7),
            class: Some(Class::Timer),
            domain: None,
            tag: None,
            origin: Some(Origin::Release(Ordinal(release))),
            link: Invocation(1),
            cause: Invocation(1),
            at: Instant::from_micros(millis * 1_000),
        }
    }

    #[test]
    fn a_timer_waits_until_it_runs() {
        let desk = Desk::default();
        desk.hear(&released(3, 1_500));
        desk.hear(&Event::Site(Place { file: "REPL1".into(), line: 1, column: 4 }));
        let now = Instant::from_micros(500_000);
        assert_eq!(desk.pending(now), ["      in 1 s  timer 3, set at REPL1:1:4"]);
        assert_eq!(desk.next_due(), Some(Instant::from_micros(1_500_000)));
        desk.hear(&began(3, 1_500));
        let outcome = Outcome::Threw("Error: no".into());
        desk.hear(&Event::Ended { invocation: Invocation(7), outcome });
        assert!(desk.pending(now).is_empty());
        assert_eq!(desk.ran(), ["       1.5 s  timer 3, set at REPL1:1:4: threw Error: no"]);
    }

    #[test]
    fn the_timer_of_a_move_is_the_prompts_own() {
        let desk = Desk::default();
        desk.move_to(Instant::from_micros(1));
        desk.hear(&released(1, 1));
        desk.hear(&released(2, 1));
        assert_eq!(desk.pending(Instant::ZERO).len(), 1);
    }
}
