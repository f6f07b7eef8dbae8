//! The world of the system, with closures as programs.

use crate::closures::{self, FILES, SOCKETS, TIMERS, run};
use crate::links;
use hemiola_gate::Stop;
use hemiola_live::{Live, SystemTree};
use std::path::Path;

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

#[test]
fn links_do_not_lead_out_of_what_was_checked() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("links");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).expect("a directory can be made");
    let root = root.canonicalize().expect("it is there");
    links::check(&SystemTree::default(), &root);
    std::fs::remove_dir_all(&root).expect("it is removed");
}
