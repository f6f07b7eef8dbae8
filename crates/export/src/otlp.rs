//! Spans of OpenTelemetry, as OTLP in JSON: a callback is a span, its cause the parent, its link a link.

use crate::About;
use crate::json::{List, Object};
use crate::timeline::{Callback, Slice, Timeline};
use hemiola_lineage::{Quantity, Served};
use hemiola_trace::Invocation;
use std::collections::BTreeMap;
use std::fmt;

/// So many spans are in one request, at most: receivers refuse requests of many megabytes.
const MOST_SPANS: usize = 2000;

/// A span that is of no other system.
const INTERNAL: u64 = 1;
/// The span is of who serves a request.
const SERVER: u64 = 2;
/// The span failed.
const ERROR: u64 = 2;

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The number of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceId(u128);

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The requests that tell of a run, each an `ExportTraceServiceRequest` in one line.
pub fn requests(timeline: &Timeline, about: &About) -> impl Iterator<Item = String> {
    let spans = Spans {
        timeline,
        trace: trace_id(timeline, about),
        base: about.started_us.unwrap_or_default().saturating_mul(1000),
        marks: by_slice(timeline),
        requests: timeline
            .requests
            .iter()
            .filter_map(|request| Some((*request.invocations.first()?, request)))
            .collect(),
    };
    let requests = timeline.requests.iter().map(One::Request);
    let callbacks =
        timeline.callbacks().map(|(index, slice, one)| One::Callback(index, slice, one));
    let mut all = requests.chain(callbacks).peekable();
    std::iter::from_fn(move || {
        all.peek()?;
        let mut out = String::new();
        let mut request = Object::open(&mut out);
        request.list("resourceSpans", |list| {
            list.object(|one| {
                one.object("resource", |resource| describe(about, resource));
                one.list("scopeSpans", |list| {
                    list.object(|one| {
                        one.object("scope", |scope| {
                            scope.text("name", "hemiola").text("version", VERSION);
                        });
                        one.list("spans", |list| {
                            let batch = all.by_ref().take(MOST_SPANS);
                            batch.for_each(|one| {
                                list.object(|span| match one {
                                    One::Request(request) => spans.request(request, span),
                                    One::Callback(index, slice, callback) => {
                                        spans.write(index, slice, callback, span);
                                    }
                                });
                            });
                        });
                    });
                });
            });
        });
        request.close();
        Some(out)
    })
}

/// What a span is of.
enum One<'a> {
    Request(&'a Served),
    Callback(u32, &'a Slice, &'a Callback),
}

pub(crate) fn describe(about: &About, resource: &mut Object<'_>) {
    resource.list("attributes", |list| {
        text(list, "service.name", &about.name);
        text(list, "process.runtime.name", "hemiola");
        text(list, "process.runtime.version", VERSION);
        if let Some(run) = &about.run {
            text(list, "hemiola.run", run);
        }
    });
}

/// The marks of a timeline, sorted by their slices: indexes of them.
fn by_slice(timeline: &Timeline) -> Vec<u32> {
    let mut marks: Vec<u32> = (0..timeline.marks.len() as u32).collect();
    marks.sort_by_key(|&mark| timeline.marks[mark as usize].slice);
    marks
}

struct Spans<'a> {
    timeline: &'a Timeline,
    trace: TraceId,
    /// When the run began, in nanoseconds since 1970.
    base: u64,
    marks: Vec<u32>,
    /// Requests by the invocations that they begin with.
    requests: BTreeMap<Invocation, &'a Served>,
}

impl Spans<'_> {
    fn write(&self, index: u32, slice: &Slice, callback: &Callback, span: &mut Object<'_>) {
        let Self { timeline, trace, base, .. } = self;
        let trace_id = trace.to_string();
        let origins = timeline.origins(callback);
        span.text("traceId", &trace_id);
        span.text("spanId", &span_id(*trace, callback.invocation.0));
        // The first callback of a request is in the request, and that is in nothing: what came in before on
        // the same connection is no part of it.
        if let Some(request) = self.requests.get(&callback.invocation) {
            span.text("parentSpanId", &request_id(*trace, request));
        } else if origins.cause.is_some() {
            span.text("parentSpanId", &span_id(*trace, callback.cause.0));
        }
        span.text("name", &timeline.title(slice)).number("kind", INTERNAL);
        span.long("startTimeUnixNano", base.saturating_add(slice.begin));
        span.long("endTimeUnixNano", base.saturating_add(slice.end));
        span.list("attributes", |list| attributes(timeline, callback, list));
        self.events(index, span);
        if origins.link.is_some() {
            span.list("links", |list| {
                list.object(|link| {
                    link.text("traceId", &trace_id);
                    link.text("spanId", &span_id(*trace, callback.link.0));
                    link.list("attributes", |list| text(list, "hemiola.relation", "link"));
                });
            });
        }
        if let Some(threw) = callback.threw {
            span.object("status", |status| {
                status.number("code", ERROR).text("message", timeline.names.text(threw));
            });
        }
    }

    /// The span around a request, from its arrival to its answer.
    fn request(&self, request: &Served, span: &mut Object<'_>) {
        let Self { trace, base, .. } = self;
        span.text("traceId", &trace.to_string());
        span.text("spanId", &request_id(*trace, request));
        span.text("name", &request.route()).number("kind", SERVER);
        span.long("startTimeUnixNano", base.saturating_add(request.arrived));
        // A span has a length.
        let answered = request.answered.max(request.arrived.saturating_add(1));
        span.long("endTimeUnixNano", base.saturating_add(answered));
        span.list("attributes", |list| {
            number(list, "hemiola.request", request.number);
            if let Some((method, path)) = request.name.split_once(" /") {
                text(list, "http.request.method", method);
                text(list, "url.path", &format!("/{path}"));
            }
            // What is not known is nothing, and is left out.
            if request.took(Quantity::Time) > 0 {
                number(list, "hemiola.waiting_ns", request.waited());
            }
            for quantity in Quantity::ALL.into_iter().filter(|&one| request.took(one) > 0) {
                number(list, &format!("hemiola.{}", quantity.name()), request.took(quantity));
            }
        });
        if let Some(error) = request.errors.first() {
            span.object("status", |status| {
                status.number("code", ERROR).text("message", error);
            });
        }
    }

    /// What was observed and written in a span.
    fn events(&self, index: u32, span: &mut Object<'_>) {
        let all = &self.timeline.marks;
        let first = self.marks.partition_point(|&mark| all[mark as usize].slice < index);
        let own = self.marks[first..].iter().map(|&mark| &all[mark as usize]);
        let mut own = own.take_while(|mark| mark.slice == index).peekable();
        if own.peek().is_none() {
            return;
        }
        span.list("events", |list| {
            for mark in own {
                list.object(|event| {
                    event.long("timeUnixNano", self.base.saturating_add(mark.at));
                    event.text("name", mark.kind).list("attributes", |list| {
                        text(list, "value", self.timeline.names.text(mark.text));
                    });
                });
            }
        });
    }
}

fn attributes(timeline: &Timeline, callback: &Callback, list: &mut List<'_>) {
    number(list, "hemiola.invocation", callback.invocation.0);
    number(list, "hemiola.action", timeline.action_number(callback).into());
    if let Some(class) = callback.class {
        text(list, "hemiola.class", class.name());
    }
    if let Some(label) = callback.domain.and_then(|domain| timeline.label(domain)) {
        text(list, "hemiola.clock", label);
    }
    if let Some(tag) = callback.tag {
        number(list, "hemiola.logical_us", tag.time.as_micros());
        number(list, "hemiola.microstep", tag.microstep.0.into());
        if let Some(lag) = callback.lag() {
            number(list, "hemiola.lag_us", lag.as_micros());
        }
    }
    if let Some(operation) = callback.operation {
        number(list, "hemiola.operation", operation.0);
    }
    if let Some(site) = callback.site {
        text(list, "code.file.path", timeline.names.text(site.file));
        number(list, "code.line.number", site.line.into());
        number(list, "code.column.number", site.column.into());
    }
}

pub(crate) fn text(list: &mut List<'_>, key: &str, value: &str) {
    list.object(|attribute| {
        attribute.text("key", key).object("value", |one| {
            one.text("stringValue", value);
        });
    });
}

fn number(list: &mut List<'_>, key: &str, value: u64) {
    list.object(|attribute| {
        attribute.text("key", key).object("value", |one| {
            // The format has numbers with a sign.
            one.long("intValue", value.min(i64::MAX as u64));
        });
    });
}

/// The same for the same run: of the name of its recording, or else of what happened in it.
fn trace_id(timeline: &Timeline, about: &About) -> TraceId {
    // FNV-1a with 128 bits.
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut take = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    };
    match (&about.run, about.started_us) {
        (Some(run), started) => {
            take(run.as_bytes());
            take(&started.unwrap_or_default().to_le_bytes());
        }
        (None, _) => {
            for (_, slice, callback) in timeline.callbacks() {
                take(&slice.begin.to_le_bytes());
                take(&callback.link.0.to_le_bytes());
                take(&callback.cause.0.to_le_bytes());
                take(timeline.title(slice).as_bytes());
            }
        }
    }
    // No trace has the number zero.
    TraceId(hash.max(1))
}

/// The number of the span around a request: no invocation has it.
fn request_id(trace: TraceId, request: &Served) -> String {
    span_id(trace, u64::MAX - request.number)
}

/// Another number for each invocation: the steps can all be undone.
fn span_id(trace: TraceId, invocation: u64) -> String {
    let mut number = (trace.0 as u64).wrapping_add(invocation.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^= number >> 31;
    format!("{:016x}", number.max(1))
}
