//! The world of the system, with closures as programs.

use crate::closures::{self, FILES, SOCKETS, TIMERS, run};
use hemiola_gate::Stop;
use hemiola_live::Live;

fn live() -> Live {
    Live::new(Stop::default()).expect("the system can be asked")
}

#[test]
fn files_of_closures_are_on_the_disk() {
    assert_eq!(run(closures::files(env!("CARGO_TARGET_TMPDIR")), &mut live()), FILES);
}

#[test]
fn timers_of_closures_come_in_order() {
    assert_eq!(run(closures::timers, &mut live()), TIMERS);
}

#[test]
fn sockets_of_closures_reach_each_other() {
    assert_eq!(run(closures::sockets, &mut live()), SOCKETS);
}
