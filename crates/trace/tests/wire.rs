//! What is written is read back, and nothing else is.

use hemiola_time::{Delay, Instant, Label, Microstep, Ordinal, Period, Tag, Unit};
use hemiola_trace::wire::{self, WireError};
use hemiola_trace::{
    Access, Class, Event, Invocation, Location, Medium, Observation, Operation, Origin, Outcome,
    Place, Stream, TaskEntry, TaskFact,
};
use proptest::prelude::*;

fn tag() -> impl Strategy<Value = Tag> {
    (any::<u64>(), any::<u32>()).prop_map(|(time, microstep)| Tag {
        time: Instant::from_micros(time),
        microstep: Microstep(microstep),
    })
}

fn class() -> impl Strategy<Value = Class> {
    prop::sample::select(Class::ALL.to_vec())
}

fn place() -> impl Strategy<Value = Place> {
    (any::<String>(), any::<u32>(), any::<u32>()).prop_map(|(file, line, column)| Place {
        file: file.into(),
        line,
        column,
    })
}

fn origin() -> impl Strategy<Value = Origin> {
    prop_oneof![
        any::<u64>().prop_map(|number| Origin::Release(Ordinal(number))),
        any::<u64>().prop_map(|number| Origin::Queued(Ordinal(number))),
        any::<u64>().prop_map(|number| Origin::Operation(Operation(number))),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let id = any::<u64>().prop_map(Ordinal);
    let run = any::<u64>().prop_map(Invocation);
    let period =
        any::<u64>().prop_map(|p| Period::at_least_one(Delay::from_micros(p), Unit::Microsecond));
    let instant = any::<u64>().prop_map(Instant::from_micros);
    prop_oneof![
        (id.clone(), any::<String>(), instant.clone()).prop_map(|(domain, label, origin)| {
            Event::Opened { domain, label: Label::new(&label), origin }
        }),
        id.clone().prop_map(|domain| Event::Collected { domain }),
        (id.clone(), prop::option::of(id.clone()), tag(), prop::option::of(period), run.clone())
            .prop_map(|(release, domain, tag, period, by)| Event::Released {
                release,
                domain,
                tag,
                delay: Delay::from_micros(by.0),
                period,
                by
            }),
        id.clone().prop_map(|release| Event::Cleared { release }),
        (id.clone(), any::<u64>(), instant.clone())
            .prop_map(|(domain, count, until)| { Event::Skipped { domain, count, until } }),
        (id.clone(), class(), run.clone()).prop_map(|(number, class, link)| Event::Queued {
            number,
            class,
            link
        }),
        origin().prop_map(|what| Event::Dropped { what }),
        any::<u64>().prop_map(|nanos| Event::Spent { nanos }),
        (any::<bool>(), any::<u64>(), any::<u64>()).prop_map(|(disk, read, written)| {
            let medium = if disk { Medium::Disk } else { Medium::Network };
            Event::Transferred { medium, read, written }
        }),
        any::<String>().prop_map(|name| Event::Labelled { name }),
        (any::<u64>(), run.clone(), any::<String>()).prop_map(|(op, by, what)| Event::Requested {
            operation: Operation(op),
            by,
            what
        }),
        place().prop_map(Event::Site),
        (any::<u64>(), any::<bool>(), any::<u32>()).prop_map(|(location, write, site)| {
            let access = if write { Access::Write } else { Access::Read };
            Event::Accessed { location: Location(location), access, site }
        }),
        (any::<u64>(), any::<String>())
            .prop_map(|(location, what)| Event::Located { location: Location(location), what }),
        (any::<u32>(), place()).prop_map(|(site, place)| Event::Placed { site, place }),
        (any::<u64>(), instant)
            .prop_map(|(op, at)| Event::Completed { operation: Operation(op), at }),
        (
            run.clone(),
            prop::option::of(class()),
            prop::option::of(id.clone()),
            prop::option::of(tag()),
            prop::option::of(origin()),
            run.clone(),
            run.clone(),
            any::<u64>().prop_map(Instant::from_micros),
        )
            .prop_map(|(invocation, class, domain, tag, origin, link, cause, at)| {
                Event::Began { invocation, class, domain, tag, origin, link, cause, at }
            }),
        (run.clone(), prop::option::of(any::<String>())).prop_map(|(invocation, error)| {
            Event::Ended { invocation, outcome: error.map_or(Outcome::Returned, Outcome::Threw) }
        }),
        (run.clone(), run.clone(), run.clone())
            .prop_map(|(invocation, link, cause)| { Event::Entered { invocation, link, cause } }),
        (any::<u64>(), prop::option::of(any::<u64>()))
            .prop_map(|(reaction, promise)| Event::Attached { reaction, promise }),
        any::<u64>().prop_map(|promise| Event::Settled { promise }),
        any::<u64>().prop_map(|reaction| Event::Reacted { reaction }),
        run.prop_map(|invocation| Event::Left { invocation }),
        any::<i64>().prop_map(|n| Event::Observed(Observation::Number(n))),
        (any::<bool>(), any::<String>()).prop_map(|(out, text)| Event::Wrote {
            stream: if out { Stream::Out } else { Stream::Err },
            text
        }),
        (any::<bool>(), prop::collection::vec(any::<u8>(), 0..9)).prop_map(|(out, bytes)| {
            Event::WroteBytes { stream: if out { Stream::Out } else { Stream::Err }, bytes }
        }),
        any::<String>().prop_map(|name| Event::Observed(Observation::name(name))),
        (id, any::<u64>())
            .prop_map(|(domain, lag)| Event::Lagged { domain, lag: Delay::from_micros(lag) }),
        (any::<i32>(), task_fact()).prop_map(|(at, what)| Event::Task { at: at.into(), what }),
        (any::<u32>(), any::<u32>()).prop_map(|(taken, of)| Event::Chose { taken, of }),
    ]
}

fn task_fact() -> impl Strategy<Value = TaskFact> {
    let entry = (any::<[String; 3]>(), any::<bool>(), any::<i64>()).prop_map(
        |([id, cron, zone], once, retry_delay)| TaskEntry { id, cron, zone, once, retry_delay },
    );
    let list = prop::collection::vec(entry, 0..4);
    let stored = prop::collection::vec(any::<(String, String)>(), 0..4);
    prop_oneof![
        (any::<u32>(), list, any::<bool>(), any::<Option<u64>>()).prop_map(
            |(call, list, valid, concurrency)| TaskFact::InitStart {
                call,
                list,
                valid,
                concurrency
            }
        ),
        (any::<Option<String>>(), stored)
            .prop_map(|(store, tasks)| TaskFact::Stored { store, tasks }),
        any::<u32>().prop_map(|call| TaskFact::InitSuccess { call }),
        any::<(u32, bool)>().prop_map(|(call, by_store)| TaskFact::InitFailure { call, by_store }),
        Just(TaskFact::StopStart),
        Just(TaskFact::StopEnd),
        Just(TaskFact::StopFailure),
        any::<String>().prop_map(TaskFact::RunStart),
        any::<String>().prop_map(TaskFact::RunSuccess),
        any::<String>().prop_map(TaskFact::RunFailure),
        any::<String>().prop_map(TaskFact::Triggered),
        any::<String>().prop_map(TaskFact::Paused),
        any::<String>().prop_map(TaskFact::Resumed),
        any::<(String, i32)>().prop_map(|(id, until)| TaskFact::PutOff { id, until: until.into() }),
        any::<i32>().prop_map(|since| TaskFact::Compute { since: since.into() }),
        any::<i32>().prop_map(|from| TaskFact::ClockSet { from: from.into() }),
        any::<String>().prop_map(TaskFact::Supernatural),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(events in prop::collection::vec(event(), 0..20)) {
        let mut bytes = Vec::new();
        wire::write(&mut bytes, &events).unwrap();
        prop_assert_eq!(wire::read(&bytes[..]).unwrap(), events);
    }

    #[test]
    fn random_bytes_are_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(wire::read(&bytes[..]).is_err());
    }
}

#[test]
fn a_newer_trace_is_refused_by_its_version() {
    let text = "{\"format\":\"hemiola-trace\",\"version\":3}\n";
    assert!(matches!(wire::read(text.as_bytes()), Err(WireError::Newer(3))));
}

#[test]
fn a_broken_line_is_named_by_its_number() {
    let text = "{\"format\":\"hemiola-trace\",\"version\":1}\n{\"ev\":\"chose\",\"taken\":1}\n";
    let error = wire::read(text.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "line 2 of the trace: no number `of`");
}

/// A line has the same fields in the same order as the object.
#[test]
fn a_line_is_the_events_json() {
    let numbers = [0, 1, 9, 10, 99, 100, 4_294_967_296, u64::MAX];
    let mut events = Vec::new();
    for (at, &number) in numbers.iter().enumerate() {
        let other = numbers[(at + 3) % numbers.len()];
        let [invocation, link, cause] = [number, other, 7].map(Invocation);
        let (time, microstep) = (Instant::from_micros(number), Microstep(at as _));
        let tag = Tag { time, microstep };
        let class = Class::ALL[at % Class::ALL.len()];
        let origins = [
            None,
            Some(Origin::Release(Ordinal(number))),
            Some(Origin::Queued(Ordinal(other))),
            Some(Origin::Operation(Operation(number))),
        ];
        let domains = [None, Some(Ordinal(other))];
        for origin in origins {
            for domain in domains {
                events.extend([(None, None), (Some(class), Some(tag)), (Some(class), None)].map(
                    |(class, tag)| Event::Began {
                        invocation,
                        class,
                        domain,
                        tag,
                        origin,
                        link,
                        cause,
                        at: time,
                    },
                ));
            }
        }
        let delay = Delay::from_micros(other);
        let period = Period::at_least_one(delay, Unit::Microsecond);
        events.extend(domains.map(|domain| Event::Released {
            release: Ordinal(number),
            domain,
            tag,
            delay,
            period: domain.map(|_| period),
            by: link,
        }));
        events.extend([
            Event::Ended { invocation, outcome: Outcome::Returned },
            Event::Ended { invocation, outcome: Outcome::Threw("a \"b\"\n".into()) },
            Event::Queued { number: Ordinal(other), class, link },
            Event::Entered { invocation, link, cause },
            Event::Left { invocation },
            Event::Labelled { name: "GET /".into() },
        ]);
    }
    for event in events {
        let mut line = Vec::new();
        wire::push(&mut line, &event);
        assert_eq!(String::from_utf8_lossy(&line), format!("{}\n", wire::to_json(&event)));
    }
}
