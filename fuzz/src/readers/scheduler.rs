//! Cron expressions, schedules, and the scheduler's stores.

use super::{Verdict, hold, text};
use crate::scratch::Scratch;
use hemiola_gate::{Answer, Datum, Known, Permissions, Stop, StoreCall};
use hemiola_js::JavaScript;
use hemiola_live::Live;
use hemiola_machine::{Operation, Schedule, World};
use hemiola_scheduler::{Cron, Dst, Dues, Zone};
use std::fs;
use std::path::Path;

/// Three lines: the expression, the zone, an instant in seconds. Dues come in order, and are dues.
pub fn cron(bytes: &[u8]) -> Verdict {
    let Some(text) = text(bytes) else { return Ok(()) };
    let mut lines = text.lines();
    let mut next = || lines.next().unwrap_or_default();
    let (expression, zone, second) = (next(), next(), next());
    let Ok(cron) = Cron::parse(expression) else { return Ok(()) };
    cron.explain();
    let zone = Zone::named(zone).or_else(|| Zone::named("UTC")).expect("there is UTC");
    let second = second.parse().unwrap_or(1_700_000_000_i64);
    zone.read(text);
    zone.show(second);
    for dst in [Dst::Theory, Dst::Once] {
        let dues = Dues::new(cron.clone(), zone.clone(), dst);
        let Some(first) = dues.at_or_after(second) else { continue };
        hold(first >= second, || format!("{first} is not at or after {second}"))?;
        hold(dues.at_or_after(first) == Some(first), || {
            format!("{first} is not a due of its own")
        })?;
        let before = dues.before(first);
        hold(before.is_none_or(|before| before < first), || {
            format!("{before:?} is not before {first}")
        })?;
        hold(before.is_none_or(|before| before < second), || {
            format!("{before:?} was left out after {second}")
        })?;
    }
    Ok(())
}

/// A schedule says what it was read from.
pub fn schedule(bytes: &[u8]) -> Verdict {
    let Some(schedule) = text(bytes).and_then(|text| text.parse::<Schedule>().ok()) else {
        return Ok(());
    };
    hold(schedule.to_string().parse() == Ok(schedule), || {
        "it is read as another schedule when it is written".into()
    })
}

/// A store: opened, changed, asked, closed. One that is refused has a code, and is left byte for byte as it was.
pub fn store() -> impl FnMut(&[u8]) -> Verdict {
    let scratch = Scratch::new();
    let mut live = Live::new(Stop::default()).expect("the system can be listened to");
    move |bytes| {
        let file = scratch.file("store.db", bytes);
        let mut ask = |call: StoreCall| perform(&mut live, call);
        let opened = ask(StoreCall::Open { path: Path::new(&file).into() });
        let verdict = match &opened {
            Ok(record) => {
                let store = number(record).ok_or("an open store has no number")?;
                let text = |text: &str| Datum::Text(text.into());
                let state = Datum::List(vec![text("task"), text("a"), text("{}")]);
                let run = vec![
                    text("run"),
                    text("a"),
                    Datum::Number(1.0),
                    Datum::Number(2.0),
                    Datum::Undefined,
                ];
                // What is damaged in a way that nobody saw yet may refuse these.
                let _ = ask(StoreCall::Commit {
                    store,
                    changes: vec![state, Datum::List(run)],
                    keep: 3.0,
                });
                let _ = ask(StoreCall::Runs { store, task: "a".into(), limit: 10.0 });
                ask(StoreCall::Close { store }).map(drop).map_err(|fault| fault.message.to_string())
            }
            Err(fault) => {
                let code = fault.code.to_string();
                hold(!code.is_empty(), || {
                    format!("it is refused without a code: {}", fault.message)
                })?;
                let is_same = fs::read(&file).is_ok_and(|now| now == bytes);
                hold(is_same, || format!("it is refused with {code}, and was changed"))
            }
        };
        for end in ["-wal", "-shm", "-journal"] {
            let _ = fs::remove_file(format!("{}{end}", file.display()));
        }
        verdict
    }
}

/// Stores work on threads of their own: the answer is waited for.
fn perform(live: &mut Live, call: StoreCall) -> Answer {
    let checked = Permissions::default().check(&Known::default(), call.into(), &mut |_| {
        unreachable!("where everything is allowed nothing is asked")
    })?;
    World::<JavaScript>::submit(live, Operation(1), checked);
    loop {
        if let Some(completion) = World::<JavaScript>::receive(live) {
            return completion.answer;
        }
        World::<JavaScript>::wait(live, None);
    }
}

fn number(record: &Datum) -> Option<u64> {
    let Datum::Record(fields) = record else { return None };
    let (_, store) = fields.iter().find(|(name, _)| name == "store")?;
    store.as_number().map(|number| number as u64)
}
