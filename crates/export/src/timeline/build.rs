//! From events to slices.

use super::{Callback, Lane, Mark, Site, Slice, Span, Timeline, What};
use hemiola_lineage::Requests;
use hemiola_time::Instant;
use hemiola_trace::cluster::ClusterFact;
use hemiola_trace::{Class, Event, Invocation, Operation, Origin, Outcome, Place, TaskFact};
use std::collections::{BTreeMap, BTreeSet};

/// How long it takes at least from one beginning or end to the next, in nanoseconds.
///
/// The loop reads the clock when it needs it, not before each callback. What it does between two readings
/// is drawn one after the other, in steps that are shorter than any callback, so that they do not run
/// ahead of the clock.
const STEP: u64 = 100;

/// Texts of a program that are longer are cut.
const MOST_TEXT: usize = 200;

/// Makes a timeline of events.
#[derive(Debug, Default)]
pub struct Builder {
    timeline: Timeline,
    /// The requests that were served.
    requests: Requests,
    /// The instant of what happened last, in nanoseconds.
    now: u64,
    /// The action that goes on: an index of the slices.
    action: Option<u32>,
    /// How many there were.
    actions: u32,
    /// The callbacks that run, the innermost last: indexes of the slices.
    running: Vec<u32>,
    /// Where things were registered that may still run.
    sites: BTreeMap<Origin, Site>,
    /// What the next place is of.
    registered: Option<Origin>,
    /// The operations without an answer: indexes of the operations.
    asked: BTreeMap<Operation, usize>,
    /// The rows that no operation without an answer is in, of so many.
    free_rows: BTreeSet<u32>,
    rows: u32,
    /// The row of each task that ever ran, and its run that goes on: an index of the tasks.
    tasks: BTreeMap<String, (u32, Option<usize>)>,
}

impl Builder {
    /// Takes the next event.
    pub fn event(&mut self, event: &Event) {
        self.requests.take(event);
        let registered = self.registered.take();
        match event {
            Event::Opened { domain, label, origin } => {
                self.not_before(*origin);
                let label = self.timeline.names.of(label.as_str());
                self.timeline.labels.insert(*domain, label);
            }
            Event::Released { release, domain, tag, delay, .. } => {
                self.registered = Some(Origin::Release(*release));
                // Without a clock of its own it is due so long after physical time.
                let time = tag.time.as_micros().saturating_sub(delay.as_micros());
                if domain.is_none() && tag.time < Instant::MAX {
                    self.not_before(Instant::from_micros(time));
                }
            }
            Event::Queued { number, .. } => self.registered = Some(Origin::Queued(*number)),
            Event::Requested { operation, by, what } => {
                self.registered = Some(Origin::Operation(*operation));
                self.ask(*operation, *by, what);
            }
            Event::Site(place) => self.site(registered, place),
            Event::Cleared { release } => {
                self.sites.remove(&Origin::Release(*release));
            }
            Event::Completed { operation, at } => self.complete(*operation, *at),
            Event::Dropped { what } => {
                self.sites.remove(what);
                if let Origin::Operation(operation) = what {
                    self.end_operation(*operation, self.now);
                }
            }
            Event::Began { invocation, class, domain, tag, origin, link, cause, at } => {
                let callback = Callback {
                    invocation: *invocation,
                    link: *link,
                    cause: *cause,
                    class: *class,
                    domain: *domain,
                    tag: *tag,
                    at: Some(*at),
                    action: 0,
                    site: None,
                    operation: None,
                    threw: None,
                    label: None,
                };
                self.begin(callback, *origin);
            }
            Event::Ended { outcome, .. } => {
                if let (Outcome::Threw(error), Some(running)) = (outcome, self.running.last()) {
                    let error = self.timeline.names.of(short(error));
                    if let Some(callback) = self.timeline.callback(*running) {
                        callback.threw = Some(error);
                    }
                }
                self.end();
            }
            Event::Entered { invocation, link, cause } => self.enter(*invocation, *link, *cause),
            Event::Left { .. } => self.end(),
            Event::Spent { nanos } => self.now = self.now.saturating_add(*nanos),
            Event::Labelled { name } => {
                let name = self.timeline.names.of(short(name));
                let running = self.running.last();
                if let Some(callback) = running.and_then(|index| self.timeline.callback(*index)) {
                    callback.label = Some(name);
                }
            }
            Event::Observed(value) => self.mark("obs", &value.to_string()),
            Event::Wrote { stream, text } => {
                self.mark(stream.name(), text.trim_end_matches('\n'));
            }
            Event::WroteBytes { stream, bytes } => {
                self.mark(stream.name(), &format!("{} bytes", bytes.len()));
            }
            Event::Task { what, .. } => match what {
                TaskFact::RunStart(id) => self.start_task(id),
                TaskFact::RunSuccess(id) => self.end_task(id, false),
                TaskFact::RunFailure(id) => self.end_task(id, true),
                TaskFact::Cluster { told, .. } => match &told.what {
                    ClusterFact::Started { id, .. } => self.start_task(id),
                    ClusterFact::Ended { id, failed, .. } => self.end_task(id, *failed),
                    ClusterFact::Renewed { .. } | ClusterFact::Served { .. } => {}
                    other => self.mark("task", &other.describe()),
                },
                TaskFact::Compute { .. } => {}
                other => self.mark("task", &other.describe()),
            },
            Event::Lagged { lag, .. } => self.mark("lag", &format!("{} us", lag.as_micros())),
            _ => {}
        }
    }

    /// The timeline, when there are no more events.
    pub fn finish(mut self) -> Timeline {
        while !self.running.is_empty() {
            self.end();
        }
        self.end_action();
        self.timeline.requests = self.requests.into_all();
        self.timeline
    }

    /// A new instant, after all before, and not before the clock showed that.
    fn step(&mut self, at: Instant) -> u64 {
        let physical = at.as_micros().saturating_mul(1000);
        self.now = self.now.saturating_add(STEP).max(physical);
        self.now
    }

    /// Physical time as a callback learned it.
    fn not_before(&mut self, at: Instant) {
        self.now = self.now.max(at.as_micros().saturating_mul(1000));
    }

    fn begin(&mut self, mut callback: Callback, origin: Option<Origin>) {
        // Traces of older builds do not have the time; it is not before what is due.
        let due = callback.tag.map_or(Instant::default(), |tag| tag.time);
        let at = match callback.at {
            Some(at) if at != Instant::default() => at,
            _ => due,
        };
        callback.site = origin.and_then(|origin| match origin {
            // It may run again.
            Origin::Release(_) => self.sites.get(&origin).copied(),
            Origin::Queued(_) | Origin::Operation(_) => self.sites.remove(&origin),
        });
        if let Some(Origin::Operation(operation)) = origin {
            callback.operation = Some(operation);
        }
        // Nothing else runs then, but in a trace that was edited.
        while !self.running.is_empty() {
            self.end();
        }
        let lane = lane(&callback);
        if lane != Lane::Microtasks && !self.goes_on(&callback) {
            self.begin_action(&callback, lane.clone(), at);
        }
        callback.action = self.action.unwrap_or_default();
        self.push(callback, lane, at);
    }

    /// Whether a callback belongs to the action before it: both are of one domain and tag.
    fn goes_on(&self, callback: &Callback) -> bool {
        let Some(action) = self.action else { return false };
        let action = &self.timeline.slices[action as usize];
        let What::Action { tag, .. } = action.what else { return false };
        let lane = &self.timeline.lanes[action.lane as usize];
        callback.domain.is_some_and(|domain| *lane == Lane::Domain(domain)) && tag == callback.tag
    }

    fn begin_action(&mut self, callback: &Callback, lane: Lane, at: Instant) {
        self.end_action();
        let name = match (&lane, callback.tag) {
            (Lane::Domain(domain), Some(tag)) => {
                let label = self.timeline.label(*domain).unwrap_or_default();
                format!("{label} {tag}")
            }
            (Lane::Io, _) => {
                let operation = callback.operation.and_then(|number| {
                    let index = usize::try_from(number.0).ok()?.checked_sub(1)?;
                    self.timeline.operations.get(index).filter(|found| found.number == number.0)
                });
                match operation {
                    Some(operation) => self.timeline.names.text(operation.name).to_owned(),
                    None => "io".into(),
                }
            }
            _ => callback.class.map_or("main", Class::name).to_owned(),
        };
        let name = self.timeline.names.of(&name);
        self.actions += 1;
        let what = What::Action { number: self.actions, name, tag: callback.tag };
        let begin = self.step(at);
        let lane = self.timeline.lane(lane);
        self.action = Some(self.timeline.slices.len() as u32);
        self.timeline.slices.push(Slice { lane, begin, end: begin, what });
    }

    fn end_action(&mut self) {
        if let Some(action) = self.action.take() {
            self.timeline.slices[action as usize].end = self.step(Instant::default());
        }
    }

    fn enter(&mut self, invocation: Invocation, link: Invocation, cause: Invocation) {
        let Some(&around) = self.running.last() else { return };
        let lane = self.timeline.lanes[self.timeline.slices[around as usize].lane as usize].clone();
        let callback = Callback {
            invocation,
            link,
            cause,
            class: None,
            domain: None,
            tag: None,
            at: None,
            action: self.action.unwrap_or_default(),
            site: None,
            operation: None,
            threw: None,
            label: None,
        };
        self.push(callback, lane, Instant::default());
    }

    fn push(&mut self, callback: Callback, lane: Lane, at: Instant) {
        let begin = self.step(at);
        let index = self.timeline.slices.len() as u32;
        let lane = self.timeline.lane(lane);
        self.timeline.by_invocation.insert(callback.invocation, index);
        let what = What::Callback(Box::new(callback));
        self.timeline.slices.push(Slice { lane, begin, end: begin, what });
        self.running.push(index);
    }

    fn end(&mut self) {
        if let Some(running) = self.running.pop() {
            self.timeline.slices[running as usize].end = self.step(Instant::default());
        }
    }

    /// Where something was registered, or where the promise job that just began was.
    fn site(&mut self, registered: Option<Origin>, place: &Place) {
        let file = self.timeline.names.of(&place.file);
        let site = Site { file, line: place.line, column: place.column };
        match (registered, self.running.last()) {
            (Some(registered), _) => {
                self.sites.insert(registered, site);
            }
            (None, Some(&running)) => {
                if let Some(callback) = self.timeline.callback(running) {
                    callback.site.get_or_insert(site);
                }
            }
            (None, None) => {}
        }
    }

    fn ask(&mut self, operation: Operation, by: Invocation, what: &str) {
        let name = if what.is_empty() { "operation" } else { short(what) };
        let name = self.timeline.names.of(name);
        let begin = self.step(Instant::default());
        let row = self.free_rows.pop_first().unwrap_or_else(|| {
            self.rows += 1;
            self.rows - 1
        });
        self.asked.insert(operation, self.timeline.operations.len());
        let span = Span { name, number: operation.0, begin, end: None, by, row, failed: false };
        self.timeline.operations.push(span);
    }

    fn complete(&mut self, operation: Operation, at: Instant) {
        // The answer was ready before anybody looked, but not after.
        let at = at.as_micros().saturating_mul(1000);
        self.now = self.now.max(at);
        self.end_operation(operation, at);
    }

    fn end_operation(&mut self, operation: Operation, at: u64) {
        let Some(index) = self.asked.remove(&operation) else { return };
        let span = &mut self.timeline.operations[index];
        let end = at.max(span.begin.saturating_add(STEP));
        self.now = self.now.max(end);
        span.end = Some(end);
        self.free_rows.insert(span.row);
    }

    fn start_task(&mut self, id: &str) {
        // A trace that was edited may start what has not ended.
        self.end_task(id, false);
        let begin = self.step(Instant::default());
        let rows = self.tasks.len() as u32;
        let (row, run) = self.tasks.entry(id.to_owned()).or_insert((rows, None));
        *run = Some(self.timeline.tasks.len());
        let running = self.running.last().map(|index| &self.timeline.slices[*index as usize].what);
        let by = match running {
            Some(What::Callback(callback)) => callback.invocation,
            _ => Invocation::default(),
        };
        let name = self.timeline.names.of(short(id));
        let number = self.timeline.tasks.len() as u64 + 1;
        let span = Span { name, number, begin, end: None, by, row: *row, failed: false };
        self.timeline.tasks.push(span);
    }

    fn end_task(&mut self, id: &str, failed: bool) {
        let Some(index) = self.tasks.get_mut(id).and_then(|(_, run)| run.take()) else { return };
        let end = self.step(Instant::default());
        let span = &mut self.timeline.tasks[index];
        span.end = Some(end);
        span.failed = failed;
    }

    fn mark(&mut self, kind: &'static str, text: &str) {
        let Some(&slice) = self.running.last() else { return };
        let at = self.step(Instant::default());
        let text = self.timeline.names.of(short(text));
        self.timeline.marks.push(Mark { at, slice, kind, text });
    }
}

impl Timeline {
    fn lane(&mut self, lane: Lane) -> u32 {
        let known = self.lanes.iter().position(|known| *known == lane);
        known.unwrap_or_else(|| {
            self.lanes.push(lane);
            self.lanes.len() - 1
        }) as u32
    }

    fn callback(&mut self, index: u32) -> Option<&mut Callback> {
        match &mut self.slices[index as usize].what {
            What::Callback(callback) => Some(callback),
            What::Action { .. } => None,
        }
    }
}

fn lane(callback: &Callback) -> Lane {
    match (callback.domain, callback.class) {
        (Some(domain), _) => Lane::Domain(domain),
        (None, None) => Lane::Main,
        (None, Some(Class::Tick | Class::Promise)) => Lane::Microtasks,
        (None, Some(Class::Immediate)) => Lane::Immediates,
        (None, Some(Class::Timer)) => Lane::Timers,
        (None, Some(Class::Io)) => Lane::Io,
        (None, Some(Class::Close)) => Lane::Closes,
    }
}

/// The beginning of a text.
fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST_TEXT)]
}
