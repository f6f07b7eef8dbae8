//! The native form of Perfetto: track events, as Protocol Buffers.
//!
//! Names are written once and then told by number. A flow has the number of the callback that it leads to,
//! doubled, plus one if it is that of its link: the viewer knows no kinds of flows.

use crate::About;
use crate::names::Name;
use crate::proto::Message;
use crate::timeline::{Callback, Slice, Span, Timeline, What};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Fields of the messages, by their names in Perfetto's own definitions.
mod field {
    pub(super) mod trace {
        pub(crate) const PACKET: u32 = 1;
    }
    pub(super) mod packet {
        pub(crate) const CLOCK_SNAPSHOT: u32 = 6;
        pub(crate) const TIMESTAMP: u32 = 8;
        pub(crate) const SEQUENCE: u32 = 10;
        pub(crate) const TRACK_EVENT: u32 = 11;
        pub(crate) const INTERNED_DATA: u32 = 12;
        pub(crate) const SEQUENCE_FLAGS: u32 = 13;
        pub(crate) const TRACK_DESCRIPTOR: u32 = 60;
    }
    pub(super) mod clock_snapshot {
        pub(crate) const CLOCKS: u32 = 1;
        pub(crate) const PRIMARY: u32 = 2;
        pub(crate) const ID: u32 = 1;
        pub(crate) const TIMESTAMP: u32 = 2;
    }
    pub(super) mod track {
        pub(crate) const UUID: u32 = 1;
        pub(crate) const NAME: u32 = 2;
        pub(crate) const PROCESS: u32 = 3;
        pub(crate) const PARENT: u32 = 5;
        pub(crate) const CHILD_ORDERING: u32 = 11;
        pub(crate) const SIBLING_RANK: u32 = 12;
        pub(crate) const PROCESS_PID: u32 = 1;
        pub(crate) const PROCESS_NAME: u32 = 6;
    }
    pub(super) mod event {
        pub(crate) const CATEGORY: u32 = 3;
        pub(crate) const ANNOTATION: u32 = 4;
        pub(crate) const TYPE: u32 = 9;
        pub(crate) const NAME: u32 = 10;
        pub(crate) const TRACK: u32 = 11;
        pub(crate) const SOURCE_LOCATION: u32 = 34;
        pub(crate) const FLOW: u32 = 47;
        pub(crate) const LAST_FLOW: u32 = 48;
    }
    pub(super) mod annotation {
        pub(crate) const NAME: u32 = 1;
        pub(crate) const NUMBER: u32 = 3;
        pub(crate) const TEXT: u32 = 6;
    }
    pub(super) mod interned {
        pub(crate) const CATEGORIES: u32 = 1;
        pub(crate) const NAMES: u32 = 2;
        pub(crate) const ANNOTATIONS: u32 = 3;
        pub(crate) const LOCATIONS: u32 = 4;
        pub(crate) const NUMBER: u32 = 1;
        pub(crate) const TEXT: u32 = 2;
        pub(crate) const LINE: u32 = 4;
    }
}

/// All packets are of one writer.
const SEQUENCE: u64 = 1;
/// The clock of the timestamps, and the one on the wall.
const BOOT_TIME: u64 = 6;
const REAL_TIME: u64 = 1;
/// The numbers of tracks: the process, its lanes, and the rows of operations and of tasks.
const PROCESS: u64 = 1;
const OPERATIONS: u64 = 2;
const TASKS: u64 = 3;
const LANES: u64 = 1 << 32;
const OPERATION_ROWS: u64 = 2 << 32;
const TASK_ROWS: u64 = 3 << 32;
/// Children are shown in the order of their ranks.
const EXPLICIT: u64 = 3;

/// What a track event is.
#[derive(Clone, Copy)]
enum Kind {
    Begin = 1,
    End = 2,
    Instant = 3,
}

/// What is written once and then told by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Interned {
    Category(&'static str),
    Annotation(&'static str),
    Event(EventName),
    Location(Name, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EventName {
    Text(Name),
    Word(&'static str),
    /// A place, by its file, line and column.
    Place(Name, u32, u32),
}

/// Writes a timeline.
pub fn write(timeline: &Timeline, about: &About, out: &mut dyn Write) -> io::Result<()> {
    let flows = flows(timeline);
    let mut writer =
        Writer { timeline, out, flows, interned: BTreeMap::new(), fresh: Message::new() };
    writer.header(about)?;
    for (at, moment) in moments(timeline) {
        writer.moment(at, moment)?;
    }
    Ok(())
}

/// What is written at an instant. Ends come first: in a row of operations one may begin when another ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    EndOperation(u32),
    EndTask(u32),
    EndSlice(u32),
    BeginOperation(u32),
    BeginTask(u32),
    BeginSlice(u32),
    Mark(u32),
}

fn moments(timeline: &Timeline) -> Vec<(u64, Moment)> {
    let mut moments = Vec::with_capacity(
        2 * (timeline.slices.len() + timeline.operations.len()) + timeline.marks.len(),
    );
    for (slice, number) in timeline.slices.iter().zip(0..) {
        moments.push((slice.begin, Moment::BeginSlice(number)));
        moments.push((slice.end, Moment::EndSlice(number)));
    }
    for (operation, number) in timeline.operations.iter().zip(0..) {
        moments.push((operation.begin, Moment::BeginOperation(number)));
        moments.extend(operation.end.map(|end| (end, Moment::EndOperation(number))));
    }
    for (task, number) in timeline.tasks.iter().zip(0..) {
        moments.push((task.begin, Moment::BeginTask(number)));
        moments.extend(task.end.map(|end| (end, Moment::EndTask(number))));
    }
    moments.extend(timeline.marks.iter().zip(0..).map(|(mark, n)| (mark.at, Moment::Mark(n))));
    moments.sort_unstable();
    moments
}

/// The flows that leave each slice, sorted by slice.
fn flows(timeline: &Timeline) -> Vec<(u32, u64)> {
    let mut flows = Vec::new();
    for (_, _, callback) in timeline.callbacks() {
        let origins = timeline.origins(callback);
        flows.extend(origins.cause.map(|from| (from, flow(callback, false))));
        flows.extend(origins.link.map(|from| (from, flow(callback, true))));
    }
    flows.sort_unstable();
    flows
}

fn flow(callback: &Callback, is_link: bool) -> u64 {
    callback.invocation.0.wrapping_mul(2) | u64::from(is_link)
}

struct Writer<'a> {
    timeline: &'a Timeline,
    out: &'a mut dyn Write,
    flows: Vec<(u32, u64)>,
    interned: BTreeMap<Interned, u64>,
    /// What the next packet tells of names.
    fresh: Message,
}

impl Writer<'_> {
    fn header(&mut self, about: &About) -> io::Result<()> {
        if let Some(started_us) = about.started_us {
            let mut snapshot = Message::new();
            for (clock, time) in [(BOOT_TIME, 0), (REAL_TIME, started_us.saturating_mul(1000))] {
                let mut reading = Message::new();
                reading.number(field::clock_snapshot::ID, clock);
                reading.number(field::clock_snapshot::TIMESTAMP, time);
                snapshot.message(field::clock_snapshot::CLOCKS, &reading);
            }
            snapshot.number(field::clock_snapshot::PRIMARY, BOOT_TIME);
            self.packet(0, field::packet::CLOCK_SNAPSHOT, &snapshot, 0)?;
        }
        let mut process = Message::new();
        process.number(field::track::PROCESS_PID, 1);
        process.text(field::track::PROCESS_NAME, &about.name);
        let mut track = Message::new();
        track.number(field::track::UUID, PROCESS);
        track.message(field::track::PROCESS, &process);
        track.number(field::track::CHILD_ORDERING, EXPLICIT);
        // Names are told from here on.
        self.packet(0, field::packet::TRACK_DESCRIPTOR, &track, 1)?;
        for (lane, rank) in self.timeline.order().into_iter().zip(0..) {
            let name = self.timeline.lane_name(&self.timeline.lanes[lane as usize]);
            self.track(LANES + u64::from(lane), PROCESS, &name, rank)?;
        }
        let rank = self.timeline.lanes.len() as u64;
        let timeline = self.timeline;
        let rows = timeline.operations.iter().map(|operation| u64::from(operation.row) + 1).max();
        if let Some(rows) = rows {
            self.track(OPERATIONS, PROCESS, "I/O operations", rank)?;
            // Rows of one name are shown as one.
            (0..rows).try_for_each(|row| {
                self.track(OPERATION_ROWS + row, OPERATIONS, "operation", row)
            })?;
        }
        if !timeline.tasks.is_empty() {
            self.track(TASKS, PROCESS, "scheduler tasks", rank + 1)?;
        }
        let tasks: BTreeMap<u32, Name> =
            timeline.tasks.iter().map(|task| (task.row, task.name)).collect();
        tasks.into_iter().try_for_each(|(row, name)| {
            let row = u64::from(row);
            self.track(TASK_ROWS + row, TASKS, timeline.names.text(name), row)
        })
    }

    fn track(&mut self, uuid: u64, parent: u64, name: &str, rank: u64) -> io::Result<()> {
        let mut track = Message::new();
        track.number(field::track::UUID, uuid);
        track.number(field::track::PARENT, parent);
        track.text(field::track::NAME, name);
        track.number(field::track::SIBLING_RANK, rank);
        self.packet(0, field::packet::TRACK_DESCRIPTOR, &track, 0)
    }

    fn moment(&mut self, at: u64, moment: Moment) -> io::Result<()> {
        let timeline = self.timeline;
        let event = match moment {
            Moment::BeginSlice(index) => self.begin(index, &timeline.slices[index as usize]),
            Moment::EndSlice(index) => {
                event(Kind::End, LANES + u64::from(timeline.slices[index as usize].lane))
            }
            Moment::BeginOperation(index) => {
                self.span(OPERATION_ROWS, "operation", &timeline.operations[index as usize])
            }
            Moment::EndOperation(index) => {
                let row = timeline.operations[index as usize].row;
                event(Kind::End, OPERATION_ROWS + u64::from(row))
            }
            Moment::BeginTask(index) => {
                self.span(TASK_ROWS, "task", &timeline.tasks[index as usize])
            }
            Moment::EndTask(index) => {
                let task = &timeline.tasks[index as usize];
                let mut event = event(Kind::End, TASK_ROWS + u64::from(task.row));
                if task.failed {
                    self.count(&mut event, "failed", 1);
                }
                event
            }
            Moment::Mark(index) => {
                let mark = &timeline.marks[index as usize];
                let lane = timeline.slices[mark.slice as usize].lane;
                let mut event = event(Kind::Instant, LANES + u64::from(lane));
                self.categorise(&mut event, "output");
                self.name(&mut event, EventName::Word(mark.kind));
                self.annotate(&mut event, "value", timeline.names.text(mark.text));
                event
            }
        };
        self.packet(at, field::packet::TRACK_EVENT, &event, 2)
    }

    fn begin(&mut self, index: u32, slice: &Slice) -> Message {
        let mut event = event(Kind::Begin, LANES + u64::from(slice.lane));
        match &slice.what {
            What::Action { name, tag, .. } => {
                self.categorise(&mut event, "action");
                self.name(&mut event, EventName::Text(*name));
                if let Some(tag) = tag {
                    self.count(&mut event, "logical_us", tag.time.as_micros());
                    self.count(&mut event, "microstep", tag.microstep.0.into());
                }
            }
            What::Callback(callback) => self.callback(&mut event, callback),
        }
        let first = self.flows.partition_point(|(from, _)| *from < index);
        for (_, flow) in self.flows[first..].iter().take_while(|(from, _)| *from == index) {
            event.fixed(field::event::FLOW, *flow);
        }
        event
    }

    fn callback(&mut self, event: &mut Message, callback: &Callback) {
        self.categorise(event, "callback");
        let name = match (callback.label, callback.site) {
            (Some(label), _) => EventName::Text(label),
            (None, Some(site)) => EventName::Place(site.file, site.line, site.column),
            (None, None) => EventName::Word(callback.class.map_or("main", |class| class.name())),
        };
        self.name(event, name);
        if let Some(site) = callback.site {
            let number = self.intern(Interned::Location(site.file, site.line));
            event.number(field::event::SOURCE_LOCATION, number);
        }
        self.count(event, "invocation", callback.invocation.0);
        self.count(event, "link", callback.link.0);
        self.count(event, "cause", callback.cause.0);
        if let Some(class) = callback.class {
            self.annotate(event, "class", class.name());
        }
        if let Some(tag) = callback.tag {
            self.count(event, "logical_us", tag.time.as_micros());
            self.count(event, "microstep", tag.microstep.0.into());
            if let Some(lag) = callback.lag() {
                self.count(event, "lag_us", lag.as_micros());
            }
        }
        if let Some(operation) = callback.operation {
            self.count(event, "operation", operation.0);
        }
        if let Some(threw) = callback.threw {
            self.annotate(event, "threw", self.timeline.names.text(threw));
        }
        let origins = self.timeline.origins(callback);
        if origins.cause.is_some() {
            event.fixed(field::event::LAST_FLOW, flow(callback, false));
        }
        if origins.link.is_some() {
            event.fixed(field::event::LAST_FLOW, flow(callback, true));
        }
    }

    fn span(&mut self, rows: u64, category: &'static str, span: &Span) -> Message {
        let mut event = event(Kind::Begin, rows + u64::from(span.row));
        self.categorise(&mut event, category);
        self.name(&mut event, EventName::Text(span.name));
        self.count(&mut event, category, span.number);
        self.count(&mut event, "by", span.by.0);
        event
    }

    fn categorise(&mut self, event: &mut Message, category: &'static str) {
        let number = self.intern(Interned::Category(category));
        event.number(field::event::CATEGORY, number);
    }

    fn name(&mut self, event: &mut Message, name: EventName) {
        let number = self.intern(Interned::Event(name));
        event.number(field::event::NAME, number);
    }

    fn count(&mut self, event: &mut Message, name: &'static str, value: u64) {
        let mut annotation = Message::new();
        annotation.number(field::annotation::NAME, self.intern(Interned::Annotation(name)));
        annotation.number(field::annotation::NUMBER, value);
        event.message(field::event::ANNOTATION, &annotation);
    }

    fn annotate(&mut self, event: &mut Message, name: &'static str, value: &str) {
        let mut annotation = Message::new();
        annotation.number(field::annotation::NAME, self.intern(Interned::Annotation(name)));
        annotation.text(field::annotation::TEXT, value);
        event.message(field::event::ANNOTATION, &annotation);
    }

    /// The number of something, which the next packet tells if it is new.
    fn intern(&mut self, what: Interned) -> u64 {
        if let Some(number) = self.interned.get(&what) {
            return *number;
        }
        let number = self.interned.len() as u64 + 1;
        self.interned.insert(what, number);
        let names = &self.timeline.names;
        let mut entry = Message::new();
        entry.number(field::interned::NUMBER, number);
        let list = match what {
            Interned::Category(word) => {
                entry.text(field::interned::TEXT, word);
                field::interned::CATEGORIES
            }
            Interned::Annotation(word) => {
                entry.text(field::interned::TEXT, word);
                field::interned::ANNOTATIONS
            }
            Interned::Event(name) => {
                match name {
                    EventName::Text(name) => entry.text(field::interned::TEXT, names.text(name)),
                    EventName::Word(word) => entry.text(field::interned::TEXT, word),
                    EventName::Place(file, line, column) => {
                        let place = crate::timeline::Site { file, line, column };
                        entry.text(field::interned::TEXT, &self.timeline.place(place));
                    }
                }
                field::interned::NAMES
            }
            Interned::Location(file, line) => {
                entry.text(field::interned::TEXT, names.text(file));
                entry.number(field::interned::LINE, line.into());
                field::interned::LOCATIONS
            }
        };
        self.fresh.message(list, &entry);
        number
    }

    /// Writes a packet. Its flags say whether names are told from here on (1), or used (2).
    fn packet(&mut self, at: u64, field: u32, content: &Message, flags: u64) -> io::Result<()> {
        let mut packet = Message::new();
        packet.number(field::packet::TIMESTAMP, at);
        packet.number(field::packet::SEQUENCE, SEQUENCE);
        if flags != 0 {
            packet.number(field::packet::SEQUENCE_FLAGS, flags);
        }
        if !self.fresh.bytes().is_empty() {
            packet.message(field::packet::INTERNED_DATA, &self.fresh);
            self.fresh.clear();
        }
        packet.message(field, content);
        let mut trace = Message::new();
        trace.message(field::trace::PACKET, &packet);
        self.out.write_all(trace.bytes())
    }
}

fn event(kind: Kind, track: u64) -> Message {
    let mut event = Message::new();
    event.number(field::event::TYPE, kind as u64);
    event.number(field::event::TRACK, track);
    event
}
