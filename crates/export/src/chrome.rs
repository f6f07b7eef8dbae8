//! The JSON array of Chrome's trace viewer: complete events, flows and asynchronous slices.

use crate::About;
use crate::json::Object;
use crate::timeline::{Callback, Slice, Span, Timeline, What};
use std::io::{self, Write};

const PROCESS: u64 = 1;
/// The thread of what is on no lane.
const NO_THREAD: u64 = 0;

/// Writes a timeline.
pub fn write(timeline: &Timeline, about: &About, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer { timeline, out, line: String::new(), is_empty: true };
    writer.header(about)?;
    for slice in &timeline.slices {
        writer.slice(slice)?;
    }
    for operation in &timeline.operations {
        writer.span("operation", operation)?;
    }
    for task in &timeline.tasks {
        writer.span("task", task)?;
    }
    for mark in &timeline.marks {
        let thread = thread(timeline.slices[mark.slice as usize].lane);
        writer.event("i", mark.at, thread, |event| {
            event.text("name", mark.kind).text("cat", "output").text("s", "t");
            let value = timeline.names.text(mark.text);
            event.object("args", |args| {
                args.text("value", value);
            });
        })?;
    }
    writer.out.write_all(if writer.is_empty { b"[]\n" } else { b"\n]\n" })
}

struct Writer<'a> {
    timeline: &'a Timeline,
    out: &'a mut dyn Write,
    /// What is written next.
    line: String,
    is_empty: bool,
}

/// A lane is a thread of the process.
fn thread(lane: u32) -> u64 {
    u64::from(lane) + 1
}

impl Writer<'_> {
    fn header(&mut self, about: &About) -> io::Result<()> {
        self.named("process_name", NO_THREAD, |args| {
            args.text("name", &about.name);
        })?;
        for (lane, rank) in self.timeline.order().into_iter().zip(0..) {
            let name = self.timeline.lane_name(&self.timeline.lanes[lane as usize]);
            self.named("thread_name", thread(lane), |args| {
                args.text("name", &name);
            })?;
            self.named("thread_sort_index", thread(lane), |args| {
                args.number("sort_index", rank);
            })?;
        }
        Ok(())
    }

    fn named(
        &mut self,
        what: &str,
        thread: u64,
        fill: impl FnOnce(&mut Object<'_>),
    ) -> io::Result<()> {
        self.begin();
        let mut object = Object::open(&mut self.line);
        object.text("ph", "M").number("pid", PROCESS).number("tid", thread);
        object.text("name", what).object("args", fill);
        object.close();
        self.end()
    }

    fn slice(&mut self, slice: &Slice) -> io::Result<()> {
        let timeline = self.timeline;
        self.event("X", slice.begin, thread(slice.lane), |event| {
            event.micros("dur", slice.end.saturating_sub(slice.begin));
            event.text("name", &timeline.title(slice));
            match &slice.what {
                What::Action { tag, .. } => {
                    event.text("cat", "action").object("args", |args| {
                        if let Some(tag) = tag {
                            args.number("logical_us", tag.time.as_micros());
                            args.number("microstep", tag.microstep.0.into());
                        }
                    });
                }
                What::Callback(callback) => {
                    event.text("cat", "callback");
                    event.object("args", |args| describe(timeline, callback, args));
                }
            }
        })?;
        match &slice.what {
            What::Callback(callback) => self.flows(slice, callback),
            What::Action { .. } => Ok(()),
        }
    }

    /// The arrows that lead to a callback. An end belongs to the slice around it.
    fn flows(&mut self, slice: &Slice, callback: &Callback) -> io::Result<()> {
        let origins = self.timeline.origins(callback);
        for (kind, from) in [("cause", origins.cause), ("link", origins.link)] {
            let Some(from) = from else { continue };
            let from = &self.timeline.slices[from as usize];
            let id = format!("{kind}{}", callback.invocation.0);
            self.event("s", within(from), thread(from.lane), |event| {
                event.text("name", kind).text("cat", kind).text("id", &id);
            })?;
            self.event("f", within(slice), thread(slice.lane), |event| {
                event.text("name", kind).text("cat", kind).text("id", &id).text("bp", "e");
            })?;
        }
        Ok(())
    }

    /// What may overlap others of its kind: it has a number instead of a thread.
    fn span(&mut self, category: &str, span: &Span) -> io::Result<()> {
        let name = self.timeline.names.text(span.name);
        self.event("b", span.begin, NO_THREAD, |event| {
            event.text("name", name).text("cat", category).number("id", span.number);
            event.object("args", |args| {
                args.number(category, span.number).number("by", span.by.0);
            });
        })?;
        let Some(end) = span.end else { return Ok(()) };
        self.event("e", end, NO_THREAD, |event| {
            event.text("name", name).text("cat", category).number("id", span.number);
            event.object("args", |args| {
                if span.failed {
                    args.truth("failed", true);
                }
            });
        })
    }

    fn event(
        &mut self,
        phase: &str,
        at: u64,
        thread: u64,
        fill: impl FnOnce(&mut Object<'_>),
    ) -> io::Result<()> {
        self.begin();
        let mut object = Object::open(&mut self.line);
        object.text("ph", phase).micros("ts", at).number("pid", PROCESS).number("tid", thread);
        fill(&mut object);
        object.close();
        self.end()
    }

    fn begin(&mut self) {
        self.line.clear();
        self.line.push_str(if std::mem::take(&mut self.is_empty) { "[\n" } else { ",\n" });
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.write_all(self.line.as_bytes())
    }
}

fn describe(timeline: &Timeline, callback: &Callback, args: &mut Object<'_>) {
    args.number("invocation", callback.invocation.0);
    args.number("link", callback.link.0).number("cause", callback.cause.0);
    if let Some(class) = callback.class {
        args.text("class", class.name());
    }
    if let Some(tag) = callback.tag {
        args.number("logical_us", tag.time.as_micros());
        args.number("microstep", tag.microstep.0.into());
        if let Some(lag) = callback.lag() {
            args.number("lag_us", lag.as_micros());
        }
    }
    if let Some(site) = callback.site {
        let file = timeline.names.text(site.file);
        args.text("site", &format!("{file}:{}:{}", site.line, site.column));
    }
    if let Some(operation) = callback.operation {
        args.number("operation", operation.0);
    }
    if let Some(threw) = callback.threw {
        args.text("threw", timeline.names.text(threw));
    }
}

/// An instant in a slice before anything within it: beginnings and ends are at least twice as far apart.
fn within(slice: &Slice) -> u64 {
    slice.begin + (slice.end.saturating_sub(slice.begin)).min(50)
}
