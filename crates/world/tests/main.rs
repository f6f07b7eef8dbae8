//! Simulated worlds, with closures as programs: no engine is needed to test a world.

#[path = "../../gate/tests/support/closures.rs"]
mod closures;
mod durable;
mod empty;
#[path = "../../gate/tests/support/links.rs"]
mod links;
mod wrappers;

use closures::{FILES, SOCKETS, TIMERS, run};
use empty::Empty;
use hemiola_gate::Stop;
use hemiola_machine::{Stream, World};
use hemiola_world::recording::{Entry, Recorded, Recorder, Tape};
use hemiola_world::{Faults, Open, Overlay, Secure, Virtual};
use std::io;
use std::sync::{Arc, Mutex};

type Write = fn(Stream, &[u8]) -> io::Result<()>;
const IGNORE: Write = |_, _| Ok(());

fn overlay() -> Arc<Overlay> {
    Arc::new(Overlay::new(Arc::new(Empty)))
}

fn timed() -> Virtual<Write> {
    Virtual::new(7, overlay(), IGNORE)
}

/// Runs all programs, each in a world of its own.
fn check<W: World<closures::Closures>>(mut world: impl FnMut() -> W) {
    assert_eq!(run(closures::files(""), &mut world()), FILES);
    assert_eq!(run(closures::timers, &mut world()), TIMERS);
    assert_eq!(run(closures::sockets, &mut world()), SOCKETS);
}

#[test]
fn links_do_not_lead_out_of_what_was_checked() {
    links::check(&*overlay(), std::path::Path::new("/"));
}

#[test]
fn programs_of_closures_run_in_virtual_time() {
    check(timed);
}

#[test]
fn programs_of_closures_run_in_a_world_that_leaves_everything_open() {
    check(|| Open::new(7, overlay(), Faults::NONE, IGNORE));
}

#[test]
fn programs_of_closures_run_in_a_world_with_tls() {
    let mut worlds: Vec<_> = (0..3).map(|_| timed()).collect();
    let mut worlds = worlds.iter_mut();
    check(|| Secure::new(worlds.next().expect("there are three programs")));
}

#[test]
fn what_was_recorded_of_closures_is_said_again() {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&kept);
    let tape = Tape::new(Box::new(move |entries, _| {
        keep.lock().expect("nobody panics with it").extend(entries);
        true
    }));
    let mut recorder = Recorder::new(timed(), tape.clone());
    let seen = run(closures::sockets, &mut recorder);
    assert_eq!(seen, SOCKETS);
    tape.flush();
    let entries = std::mem::take(&mut *kept.lock().expect("nobody panics with it"));
    let mut recorded = Recorded::new(entries, Stop::default(), IGNORE);
    assert_eq!(run(closures::sockets, &mut recorded), SOCKETS);
    assert_eq!(recorded.divergence_at_end(), None);
}

fn draw_and_say(world: &mut impl World<closures::Closures>) {
    let number = world.random();
    world.write(Stream::Out, format!("{number};").as_bytes()).expect("it is taken");
}

/// What a program says after it has asked for something that was not recorded is nothing that it ever said.
#[test]
fn a_program_that_leaves_the_recording_says_nothing_more() {
    let mut said = Vec::new();
    let mut recorded = Recorded::new([Entry::Random(5)], Stop::default(), |_, bytes: &[u8]| {
        said.extend_from_slice(bytes);
        Ok(())
    });
    for _ in 0..2 {
        draw_and_say(&mut recorded);
    }
    assert!(recorded.divergence().is_some());
    drop(recorded);
    assert_eq!(said, b"5;");
}
