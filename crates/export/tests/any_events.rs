//! Whatever a trace says, slices of a lane are one within the other or apart, and what is written can be read.

use hemiola_export::timeline::{Builder, Timeline};
use hemiola_export::{About, chrome, otlp, perfetto};
use hemiola_time::{Delay, Instant, Label, Microstep, Ordinal, Tag};
use hemiola_trace::{
    Class, Event, Invocation, Observation, Operation, Origin, Outcome, Place, Stream, TaskFact,
};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// Few numbers, so that they meet.
fn few() -> impl Strategy<Value = u64> {
    1_u64..6
}

fn instant() -> impl Strategy<Value = Instant> {
    prop_oneof![0_u64..1000, 0_u64..1 << 50].prop_map(Instant::from_micros)
}

fn tag() -> impl Strategy<Value = Tag> {
    (instant(), 0_u32..3).prop_map(|(time, step)| Tag { time, microstep: Microstep(step) })
}

fn origin() -> impl Strategy<Value = Origin> {
    prop_oneof![
        few().prop_map(|n| Origin::Release(Ordinal(n))),
        few().prop_map(|n| Origin::Queued(Ordinal(n))),
        few().prop_map(|n| Origin::Operation(Operation(n))),
    ]
}

fn began() -> impl Strategy<Value = Event> {
    let class = proptest::option::of(proptest::sample::select(Class::ALL.to_vec()));
    let domain = proptest::option::of(few().prop_map(Ordinal));
    let tag = proptest::option::of(tag());
    let origin = proptest::option::of(origin());
    let numbers = (few(), few(), few());
    (class, domain, tag, origin, numbers, instant()).prop_map(
        |(class, domain, tag, origin, (n, link, cause), at)| Event::Began {
            invocation: Invocation(n),
            class,
            domain,
            tag,
            origin,
            link: Invocation(link),
            cause: Invocation(cause),
            at,
        },
    )
}

fn event() -> impl Strategy<Value = Event> {
    let text = || ".{0,8}";
    prop_oneof![
        (few(), text(), instant()).prop_map(|(n, label, origin)| Event::Opened {
            domain: Ordinal(n),
            label: Label::new(&label),
            origin,
        }),
        (few(), tag()).prop_map(|(n, tag)| Event::Released {
            release: Ordinal(n),
            domain: None,
            tag,
            delay: Delay::from_millis(1),
            period: None,
            by: Invocation(1),
        }),
        (few(), few(), text()).prop_map(|(n, by, what)| Event::Requested {
            operation: Operation(n),
            by: Invocation(by),
            what,
        }),
        (few(), instant()).prop_map(|(n, at)| Event::Completed { operation: Operation(n), at }),
        origin().prop_map(|what| Event::Dropped { what }),
        (text(), any::<u32>(), any::<u32>()).prop_map(|(file, line, column)| Event::Site(Place {
            file: file.into(),
            line,
            column,
        })),
        began(),
        began(),
        few().prop_map(|n| Event::Ended { invocation: Invocation(n), outcome: Outcome::Returned }),
        (few(), text()).prop_map(|(n, error)| Event::Ended {
            invocation: Invocation(n),
            outcome: Outcome::Threw(error),
        }),
        (few(), few(), few()).prop_map(|(n, link, cause)| Event::Entered {
            invocation: Invocation(n),
            link: Invocation(link),
            cause: Invocation(cause),
        }),
        few().prop_map(|n| Event::Left { invocation: Invocation(n) }),
        text().prop_map(|text| Event::Observed(Observation::name(text))),
        text().prop_map(|text| Event::Wrote { stream: Stream::Out, text }),
        (0_u64..1 << 40).prop_map(|nanos| Event::Spent { nanos }),
        text().prop_map(|name| Event::Labelled { name }),
        (0..3, text()).prop_map(|(kind, id)| Event::Task {
            at: 0,
            what: match kind {
                0 => TaskFact::RunStart(id),
                1 => TaskFact::RunSuccess(id),
                _ => TaskFact::RunFailure(id),
            },
        }),
    ]
}

fn timeline(events: &[Event]) -> Timeline {
    let mut builder = Builder::default();
    events.iter().for_each(|event| builder.event(event));
    builder.finish()
}

/// Pairs of a lane must be one within the other or apart.
fn nested(lanes: BTreeMap<(u32, u32), Vec<(u64, u64)>>) {
    for (lane, slices) in lanes {
        for (index, (begin, end)) in slices.iter().enumerate() {
            assert!(begin < end, "{lane:?}: no length");
            for (other_begin, other_end) in &slices[index + 1..] {
                let is_apart = other_end <= begin || end <= other_begin;
                let is_within = begin < other_begin && other_end < end;
                let is_around = other_begin < begin && end < other_end;
                assert!(is_apart || is_within || is_around, "{lane:?}: an overlap at {begin}");
            }
        }
    }
}

proptest! {
    #[test]
    fn slices_nest_and_exports_can_be_read(events in proptest::collection::vec(event(), 0..60)) {
        let timeline = timeline(&events);
        let mut lanes: BTreeMap<(u32, u32), Vec<(u64, u64)>> = BTreeMap::new();
        for slice in &timeline.slices {
            lanes.entry((0, slice.lane)).or_default().push((slice.begin, slice.end));
        }
        let end = u64::MAX;
        for operation in &timeline.operations {
            let pair = (operation.begin, operation.end.unwrap_or(end));
            lanes.entry((1, operation.row)).or_default().push(pair);
        }
        for task in &timeline.tasks {
            lanes.entry((2, task.row)).or_default().push((task.begin, task.end.unwrap_or(end)));
        }
        nested(lanes);
        let about = About { name: "a \"name\"".into(), ..About::default() };
        let mut out = Vec::new();
        chrome::write(&timeline, &about, &mut out).unwrap();
        let array: Vec<Value> = serde_json::from_slice(&out).unwrap();
        let count = |phase: &str| array.iter().filter(|event| event["ph"] == phase).count();
        assert_eq!(count("X"), timeline.slices.len());
        assert_eq!(count("s"), count("f"));
        let spans: usize = otlp::requests(&timeline, &about)
            .map(|line| serde_json::from_str::<Value>(&line).unwrap())
            .map(|request| {
                let spans = &request["resourceSpans"][0]["scopeSpans"][0]["spans"];
                spans.as_array().unwrap().len()
            })
            .sum();
        assert_eq!(spans, timeline.callbacks().count() + timeline.requests.len());
        let (mut first, mut second) = (Vec::new(), Vec::new());
        perfetto::write(&timeline, &about, &mut first).unwrap();
        perfetto::write(&timeline, &about, &mut second).unwrap();
        assert_eq!(first, second);
    }
}
