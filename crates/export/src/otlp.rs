//! Spans of OpenTelemetry, as OTLP in JSON: a callback is a span, its cause the parent, its link a link.

use crate::About;
use crate::timeline::{Callback, Slice, Timeline};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// So many spans are in one request, at most: receivers refuse requests of many megabytes.
const MOST_SPANS: usize = 2000;

/// A span that is of no other system.
const INTERNAL: u32 = 1;
/// The span failed.
const ERROR: u32 = 2;

/// The number of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceId(u128);

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The requests that tell of a run, each an `ExportTraceServiceRequest`.
pub fn requests(timeline: &Timeline, about: &About) -> impl Iterator<Item = Value> {
    let trace = trace_id(timeline, about);
    let mut marks: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, mark) in timeline.marks.iter().enumerate() {
        marks.entry(mark.slice).or_default().push(index);
    }
    let resource = resource(about);
    let base = about.started_us.unwrap_or_default().saturating_mul(1000);
    let mut callbacks = timeline.callbacks().peekable();
    std::iter::from_fn(move || {
        callbacks.peek()?;
        let batch = callbacks.by_ref().take(MOST_SPANS);
        let spans: Vec<Value> = batch
            .map(|(index, slice, callback)| {
                let mut span = span(timeline, trace, base, slice, callback);
                if let Some(marks) = marks.get(&index) {
                    let event = |index: &usize| {
                        let mark = &timeline.marks[*index];
                        let value = timeline.names.text(mark.text);
                        json!({
                            "timeUnixNano": nanos(base, mark.at), "name": mark.kind,
                            "attributes": [text("value", value)],
                        })
                    };
                    span["events"] = marks.iter().map(event).collect();
                }
                span
            })
            .collect();
        let scope = json!({ "name": "hemiola", "version": env!("CARGO_PKG_VERSION") });
        let scope_spans = json!([{ "scope": scope, "spans": spans }]);
        Some(json!({ "resourceSpans": [{ "resource": resource, "scopeSpans": scope_spans }] }))
    })
}

fn resource(about: &About) -> Value {
    let mut attributes = vec![
        text("service.name", &about.name),
        text("process.runtime.name", "hemiola"),
        text("process.runtime.version", env!("CARGO_PKG_VERSION")),
    ];
    attributes.extend(about.run.as_deref().map(|run| text("hemiola.run", run)));
    json!({ "attributes": attributes })
}

fn span(
    timeline: &Timeline,
    trace: TraceId,
    base: u64,
    slice: &Slice,
    callback: &Callback,
) -> Value {
    let origins = timeline.origins(callback);
    let mut span = json!({
        "traceId": trace.to_string(),
        "spanId": span_id(trace, callback.invocation.0),
    });
    if origins.cause.is_some() {
        span["parentSpanId"] = span_id(trace, callback.cause.0).into();
    }
    span["name"] = timeline.title(slice).into();
    span["kind"] = INTERNAL.into();
    span["startTimeUnixNano"] = nanos(base, slice.begin).into();
    span["endTimeUnixNano"] = nanos(base, slice.end).into();
    span["attributes"] = attributes(timeline, callback);
    if origins.link.is_some() {
        span["links"] = json!([{
            "traceId": trace.to_string(),
            "spanId": span_id(trace, callback.link.0),
            "attributes": [text("hemiola.relation", "link")],
        }]);
    }
    if let Some(threw) = callback.threw {
        span["status"] = json!({ "code": ERROR, "message": timeline.names.text(threw) });
    }
    span
}

fn attributes(timeline: &Timeline, callback: &Callback) -> Value {
    let mut all = vec![
        number("hemiola.invocation", callback.invocation.0),
        number("hemiola.action", timeline.action_number(callback).into()),
    ];
    all.extend(callback.class.map(|class| text("hemiola.class", class.name())));
    let label = callback.domain.and_then(|domain| timeline.label(domain));
    all.extend(label.map(|label| text("hemiola.clock", label)));
    if let Some(tag) = callback.tag {
        all.push(number("hemiola.logical_us", tag.time.as_micros()));
        all.push(number("hemiola.microstep", tag.microstep.0.into()));
        all.extend(callback.lag().map(|lag| number("hemiola.lag_us", lag.as_micros())));
    }
    if let Some(operation) = callback.operation {
        all.push(number("hemiola.operation", operation.0));
    }
    if let Some(site) = callback.site {
        all.push(text("code.file.path", timeline.names.text(site.file)));
        all.push(number("code.line.number", site.line.into()));
        all.push(number("code.column.number", site.column.into()));
    }
    all.into()
}

fn text(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

/// Numbers of 64 bits are texts in the JSON form of Protocol Buffers.
fn number(key: &str, value: u64) -> Value {
    json!({ "key": key, "value": { "intValue": i64::try_from(value).unwrap_or(i64::MAX).to_string() } })
}

fn nanos(base: u64, at: u64) -> String {
    base.saturating_add(at).to_string()
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

/// Another number for each invocation: the steps can all be undone.
fn span_id(trace: TraceId, invocation: u64) -> String {
    let mut number = (trace.0 as u64).wrapping_add(invocation.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^= number >> 31;
    format!("{:016x}", number.max(1))
}
