//! Traces, and everything that commands make of them.

use super::{Verdict, hold};
use hemiola_explore::races::Probe;
use hemiola_export::page::{self, Reader};
use hemiola_export::timeline::Builder;
use hemiola_export::{About, chrome, otlp, perfetto};
use hemiola_lineage::{Accounts, Relation, Requests, Trees, tables};
use hemiola_monitor::theory::Theory;
use hemiola_scheduler::{Contract, PARAMS};
use hemiola_trace::{Event, Sink, text, wire};

/// A trace that is read says the same when it is written again, and whatever shows it can.
pub fn trace(bytes: &[u8]) -> Verdict {
    let Ok(events) = wire::read(bytes) else { return Ok(()) };
    let mut written = Vec::new();
    wire::write(&mut written, &events).map_err(|error| error.to_string())?;
    let again = wire::read(written.as_slice());
    let again = again.map_err(|error| format!("what is written cannot be read: {error}"))?;
    hold(again == events, || "it is read as another trace when it is written".into())?;
    text::render(&events);
    export(&events)?;
    view(&events);
    lineage(&events);
    verify(&events);
    Ok(())
}

fn export(events: &[Event]) -> Verdict {
    let mut builder = Builder::default();
    events.iter().for_each(|event| builder.event(event));
    let timeline = builder.finish();
    let about = About::default();
    let mut out = Vec::new();
    perfetto::write(&timeline, &about, &mut out).map_err(|error| error.to_string())?;
    out.clear();
    chrome::write(&timeline, &about, &mut out).map_err(|error| error.to_string())?;
    serde_json::from_slice::<serde_json::Value>(&out)
        .map_err(|error| format!("what is written for Chrome is not JSON: {error}"))?;
    for request in otlp::requests(&timeline, &about) {
        serde_json::from_str::<serde_json::Value>(&request)
            .map_err(|error| format!("a request of OTLP is not JSON: {error}"))?;
    }
    Ok(())
}

fn view(events: &[Event]) {
    let (mut reader, mut probe) = (Reader::default(), Probe::default());
    for event in events {
        reader.take(event);
        probe.event(event.clone());
    }
    probe.races();
    page::data(&[page::Run { actions: reader.finish(), ..page::Run::default() }]);
}

fn lineage(events: &[Event]) {
    let (mut trees, mut requests, mut accounts) =
        (Trees::default(), Requests::default(), Accounts::default());
    for event in events {
        trees.event(event.clone());
        requests.event(event.clone());
        accounts.event(event.clone());
    }
    let report = accounts.finish();
    for relation in [Relation::Link, Relation::Cause] {
        trees.text(relation, 100);
        trees.dot(relation, 100);
    }
    trees.json();
    tables::requests(&report, usize::MAX);
    tables::routes(&requests, usize::MAX);
    tables::sites(&report, usize::MAX);
    tables::json(&report);
    tables::served(&requests);
}

fn verify(events: &[Event]) {
    let mut contract = Contract::new(Theory::of_schedulers(), PARAMS);
    contract.keep_grants();
    for event in events {
        if let Event::Task { at, what } = event {
            contract.tell(*at, what);
        }
    }
    contract.report();
    contract.environment();
}
