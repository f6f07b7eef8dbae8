//! Programs of closures in virtual time: every one is run twice, and both traces must agree.

use hemiola_machine::closures::{Turn, simulate};
use hemiola_machine::{Delay, Event, Handle, Observation};
use hemiola_trace::text::render;
use std::cell::RefCell;
use std::fmt::Display;
use std::path::PathBuf;
use std::rc::Rc;

/// That many milliseconds.
pub fn ms(millis: u64) -> Delay {
    Delay::from_millis(millis)
}

/// That many microseconds.
pub fn us(micros: u64) -> Delay {
    Delay::from_micros(micros)
}

/// Shows a text.
pub fn show(turn: &mut Turn<'_>, text: impl Display) {
    turn.observe(Observation::name(text.to_string()));
}

/// A callback that shows a text.
pub fn say(text: &'static str) -> impl FnMut(&mut Turn<'_>) + 'static {
    move |turn| show(turn, text)
}

/// A callback that shows a text and the time of a clock, in milliseconds.
pub fn say_at(text: &'static str, label: &'static str) -> impl FnMut(&mut Turn<'_>) + 'static {
    move |turn| {
        let text = format!("{text}@{}", clock(turn, label));
        show(turn, text);
    }
}

/// The time of a clock in milliseconds; a dash for a label that is not in use.
pub fn clock(turn: &Turn<'_>, label: &str) -> String {
    turn.clock(label).map_or("-".into(), |time| time.as_millis().to_string())
}

/// Handles that callbacks share, so that one can clear another.
#[derive(Clone, Default)]
pub struct Handles(Rc<RefCell<Vec<Handle>>>);

impl Handles {
    pub fn keep(&self, handle: Handle) {
        self.0.borrow_mut().push(handle);
    }

    pub fn get(&self, index: usize) -> Handle {
        self.0.borrow()[index]
    }

    pub fn clear_all(&self, turn: &mut Turn<'_>) {
        for handle in self.0.borrow_mut().drain(..) {
            turn.clear(handle);
        }
    }
}

/// The events of a program, after two runs that agree.
#[track_caller]
pub fn events(program: impl Fn(&mut Turn<'_>) + Clone + 'static) -> Vec<Event> {
    let run = || {
        let mut events = Vec::new();
        let program = program.clone();
        simulate(move |turn| program(turn), &mut events);
        events
    };
    let (first, second) = (run(), run());
    assert_eq!(render(&first), render(&second), "two runs of one program must not differ");
    first
}

/// What a program shows, after two runs that agree.
#[track_caller]
pub fn observed(program: impl Fn(&mut Turn<'_>) + Clone + 'static) -> Vec<String> {
    let shown = |event| match event {
        Event::Observed(value) => Some(value.to_string()),
        _ => None,
    };
    events(program).into_iter().filter_map(shown).collect()
}

/// Compares the whole trace of a program with its golden file, after two runs that agree.
///
/// With `UPDATE=1` in the environment it rewrites the file instead.
#[track_caller]
pub fn golden(name: &str, program: impl Fn(&mut Turn<'_>) + Clone + 'static) {
    compare(&format!("tests/golden/{name}.trace"), &render(&events(program)));
}

/// Compares a text with a file of this crate, or rewrites the file when `UPDATE` is set.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "the expectation is a file of the test tree")]
pub fn compare(file: &str, actual: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var("UPDATE").is_ok() {
        std::fs::write(&path, actual).expect("the expectation can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {file}: {error}; UPDATE=1 writes it"));
    if actual != expected {
        let mut pairs = actual.lines().zip(expected.lines());
        let line = pairs.position(|(a, b)| a != b);
        let line = line.unwrap_or(actual.lines().count().min(expected.lines().count()));
        panic!(
            "{file} differs at line {}\n--- expected\n{expected}--- actual\n{actual}\
             help: UPDATE=1 cargo test rewrites it; then read the difference",
            line + 1,
        );
    }
}
