//! What programs tell of their reads and writes (rule EXPL-4).

use crate::common::{options, with_stack};
use hemiola_js::{Ending, Entry, Instrument, Instrumentation, Options};
use hemiola_live::SystemTree;
use hemiola_machine::{Delay, Event, First};
use hemiola_world::{Overlay, Virtual};
use std::collections::BTreeMap;
use std::sync::Arc;

fn events(source: &str, instrumentation: &Arc<Instrumentation>) -> Vec<Event> {
    let entry = Entry::Text { source: source.into(), name: "program".into() };
    let instrument = Instrument::Accesses(Arc::clone(instrumentation));
    let options = Options { instrument, ..options(entry) };
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let mut world = Virtual::new(0, files, |_, _| Ok(())).until(Delay::from_millis(100_000));
    let mut events = Vec::new();
    hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut events)
        .expect("it starts");
    events
}

/// The accesses of each callback, with lines and columns, and objects by their order of appearance.
fn told(source: &str) -> String {
    let instrumentation = Arc::new(Instrumentation::new(Vec::new(), true));
    let first = events(source, &instrumentation);
    let again = events(source, &instrumentation);
    assert!(first == again, "two runs tell the same");
    let (mut words, mut places) = (BTreeMap::new(), BTreeMap::new());
    let (mut lines, mut line) = (Vec::new(), String::new());
    for event in first {
        match event {
            Event::Began { .. } => line = String::new(),
            Event::Located { location, what } => {
                words.insert(location, what);
            }
            Event::Placed { site, place } => {
                places.insert(site, format!("{}:{}", place.line, place.column));
            }
            Event::Accessed { location, access, site } => {
                let comma = if line.is_empty() { "" } else { ", " };
                line += &format!("{comma}{} {} {}", access.name(), words[&location], places[&site]);
            }
            Event::Ended { .. } if !line.is_empty() => lines.push(std::mem::take(&mut line)),
            Event::Wrote { stream: hemiola_machine::Stream::Err, text } => lines.push(text),
            _ => {}
        }
    }
    lines.join("\n")
}

fn check(source: &'static str, expected: &'static str) {
    with_stack(move || {
        let told = told(source);
        let trim = |text: &str| text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
        assert_eq!(trim(&told), trim(expected), "\n{source}\n{told}");
    });
}

#[test]
fn a_variable_that_two_callbacks_share() {
    check(
        "let count = 0;\nsetTimeout(() => { count++; });",
        "read variable count 2:20, write variable count 2:20",
    );
}
