//! Programs in a simulated world, within this process.
#![allow(dead_code, reason = "not every test binary needs everything")]

use hemiola_gate::{Member, Permissions, Stop};
use hemiola_js::{Ending, Entry, InputType, Options, Tests, TimerMeaning};
use hemiola_live::SystemTree;
use hemiola_machine::{Delay, First, Named, Silent};
use hemiola_world::{Overlay, Virtual};
use std::sync::Arc;

/// The options of a plain program.
pub fn options(entry: Entry) -> Options {
    Options {
        argv: vec!["/usr/bin/hemiola".into()],
        argv0: "hemiola".into(),
        exec_argv: Vec::new(),
        flags_of_variable: 0,
        flags: Vec::new(),
        cwd: "/".into(),
        on_variable: None,
        env: Arc::default(),
        zone: "UTC".into(),
        memory_limit: 0,
        stack_limit: 4 * 1024 * 1024,
        strategy: Named::NodePhases,
        before_trips: false,
        born: hemiola_machine::Instant::ZERO,
        stop: Stop::default(),
        timers: TimerMeaning::Labelled,
        max_action: None,
        entry,
        input_type: InputType::Detect,
        contexts: true,
        promises: false,
        awaits: false,
        scattered: false,
        sites: false,
        names_requests: false,
        transfers: false,
        accounts: None,
        instrument: hemiola_js::Instrument::Off,
        sampling: None,
        disk: Arc::new(Overlay::new(Arc::new(SystemTree::default()))),
        permissions: Permissions::default(),
        member: Member::alone(),
        tests: Tests::All,
        debug: None,
        desk: None,
    }
}

/// Runs a program to its end, or for a hundred seconds of its time, and drops its engine. One that is asked
/// to stop may not even start.
pub fn run(options: Options) -> Option<i32> {
    let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
    let mut world = Virtual::new(0, files, |_, _| Ok(())).until(Delay::from_millis(100_000));
    hemiola_js::run(options, Ending::Freed, &mut world, &mut First, &mut Silent).ok()
}

/// Runs on a thread with as much stack as programs have.
#[expect(clippy::disallowed_methods, reason = "threads of tests have a small stack")]
pub fn with_stack(body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(32 * 1024 * 1024).spawn(body);
    let result = thread.expect("a thread can be started").join();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}
