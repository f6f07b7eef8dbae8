//! The JSON array of Chrome's trace viewer: complete events, flows and asynchronous slices.

use crate::About;
use crate::timeline::{Callback, Slice, Span, Timeline, What};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

const PROCESS: u32 = 1;

/// Writes a timeline.
pub fn write(timeline: &Timeline, about: &About, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer { timeline, out, is_empty: true };
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
        let lane = timeline.slices[mark.slice as usize].lane;
        let args = json!({ "value": timeline.names.text(mark.text) });
        writer.event(
            "i",
            mark.at,
            json!({ "name": mark.kind, "cat": "output", "s": "t", "tid": thread(lane), "args": args }),
        )?;
    }
    writer.out.write_all(if writer.is_empty { b"[]\n" } else { b"\n]\n" })
}

struct Writer<'a> {
    timeline: &'a Timeline,
    out: &'a mut dyn Write,
    is_empty: bool,
}

/// A lane is a thread of the process; 0 is that of no lane.
fn thread(lane: u32) -> u32 {
    lane + 1
}

impl Writer<'_> {
    fn header(&mut self, about: &About) -> io::Result<()> {
        self.named("process_name", 0, json!({ "name": about.name }))?;
        for (lane, rank) in self.timeline.order().into_iter().zip(0..) {
            let name = self.timeline.lane_name(&self.timeline.lanes[lane as usize]);
            self.named("thread_name", thread(lane), json!({ "name": name }))?;
            self.named("thread_sort_index", thread(lane), json!({ "sort_index": rank }))?;
        }
        Ok(())
    }

    fn named(&mut self, what: &str, thread: u32, args: Value) -> io::Result<()> {
        let object =
            json!({ "name": what, "ph": "M", "pid": PROCESS, "tid": thread, "args": args });
        self.line(&object)
    }

    fn slice(&mut self, slice: &Slice) -> io::Result<()> {
        let timeline = self.timeline;
        let (category, args) = match &slice.what {
            What::Action { tag: Some(tag), .. } => (
                "action",
                json!({ "logical_us": tag.time.as_micros(), "microstep": tag.microstep.0 }),
            ),
            What::Action { tag: None, .. } => ("action", json!({})),
            What::Callback(callback) => ("callback", self.args(callback)),
        };
        let rest = json!({
            "dur": micros(slice.end.saturating_sub(slice.begin)), "name": timeline.title(slice),
            "cat": category, "tid": thread(slice.lane), "args": args,
        });
        self.event("X", slice.begin, rest)?;
        if let What::Callback(callback) = &slice.what {
            self.flows(slice, callback)?;
        }
        Ok(())
    }

    /// The arrows that lead to a callback. An end belongs to the slice around it.
    fn flows(&mut self, slice: &Slice, callback: &Callback) -> io::Result<()> {
        let origins = self.timeline.origins(callback);
        for (kind, from) in [("cause", origins.cause), ("link", origins.link)] {
            let Some(from) = from else { continue };
            let from = &self.timeline.slices[from as usize];
            let id = format!("{kind}{}", callback.invocation.0);
            let source = json!({ "name": kind, "cat": kind, "id": id, "tid": thread(from.lane) });
            self.event("s", within(from), source)?;
            let target = json!({
                "name": kind, "cat": kind, "id": id, "tid": thread(slice.lane), "bp": "e",
            });
            self.event("f", within(slice), target)?;
        }
        Ok(())
    }

    fn args(&self, callback: &Callback) -> Value {
        let mut args = Map::new();
        let mut set = |name: &str, value: Value| {
            args.insert(name.to_owned(), value);
        };
        set("invocation", callback.invocation.0.into());
        set("link", callback.link.0.into());
        set("cause", callback.cause.0.into());
        if let Some(class) = callback.class {
            set("class", class.name().into());
        }
        if let Some(tag) = callback.tag {
            set("logical_us", tag.time.as_micros().into());
            if let Some(lag) = callback.lag() {
                set("lag_us", lag.as_micros().into());
            }
        }
        if let Some(site) = callback.site {
            let file = self.timeline.names.text(site.file);
            set("site", format!("{file}:{}:{}", site.line, site.column).into());
        }
        if let Some(operation) = callback.operation {
            set("operation", operation.0.into());
        }
        if let Some(threw) = callback.threw {
            set("threw", self.timeline.names.text(threw).into());
        }
        Value::Object(args)
    }

    /// What may overlap others of its kind: it has a number instead of a thread.
    fn span(&mut self, category: &str, span: &Span) -> io::Result<()> {
        let name = self.timeline.names.text(span.name);
        let both = |args: Value| {
            let id = span.number;
            json!({ "name": name, "cat": category, "id": id, "tid": 0, "args": args })
        };
        self.event("b", span.begin, both(json!({ category: span.number, "by": span.by.0 })))?;
        match (span.end, span.failed) {
            (Some(end), false) => self.event("e", end, both(json!({}))),
            (Some(end), true) => self.event("e", end, both(json!({ "failed": true }))),
            (None, _) => Ok(()),
        }
    }

    fn event(&mut self, phase: &str, at: u64, rest: Value) -> io::Result<()> {
        let mut object = json!({ "ph": phase, "ts": micros(at), "pid": PROCESS });
        if let (Value::Object(object), Value::Object(rest)) = (&mut object, rest) {
            object.extend(rest);
        }
        self.line(&object)
    }

    fn line(&mut self, object: &Value) -> io::Result<()> {
        self.out.write_all(if self.is_empty { b"[\n" } else { b",\n" })?;
        self.is_empty = false;
        serde_json::to_writer(&mut *self.out, object).map_err(io::Error::from)
    }
}

/// An instant in a slice before anything within it: beginnings and ends are at least twice as far apart.
fn within(slice: &Slice) -> u64 {
    slice.begin + (slice.end.saturating_sub(slice.begin)).min(50)
}

/// Microseconds, as the format has them.
fn micros(nanos: u64) -> Value {
    match nanos.is_multiple_of(1000) {
        true => (nanos / 1000).into(),
        false => (nanos as f64 / 1000.0).into(),
    }
}
