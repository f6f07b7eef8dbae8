//! The process of one test file.

use super::super::coverage;
use super::super::options::{self, Surroundings};
use super::super::running::{self, finish, guarded, written};
use super::super::watch::Watch;
use super::super::workers;
use crate::args::{TestFileArgs, Timers, javascript};
use crate::done::Done;
use crate::report::Failure;
use hemiola_js::{Suite, Tests};
use hemiola_live::Files;
use hemiola_machine::Named;
use hemiola_world::Secure;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};

pub(in crate::commands) fn run(args: &TestFileArgs) -> Result<Done, Failure> {
    let mut program = javascript(&args.file, Named::NodePhases)?;
    // Test files know nothing of labels.
    program.timers = Timers::Node;
    let mut watch = Watch::new(None, false)?;
    let (stop, mut world) = running::world(program.timeout)?;
    let surroundings = Surroundings::of_process(&program)?;
    let mut options = options::options(&program, surroundings, Arc::new(Files), stop)?;
    coverage::ask(&mut options, true);
    options.member = workers::live(options.clone(), None);
    options.tests =
        Tests::Suite(Suite { settings: args.settings.as_str().into(), tell: teller()? });
    let guard = guarded(&mut world, &watch, |_| String::new())?;
    let mut world = world.member(options.member.clone());
    let done = finish(options, &mut Secure::new(&mut world), &mut watch)?;
    let done = written(world.flush(), done)?;
    guard.over();
    Ok(done)
}

/// Is told what becomes of tests.
type Teller = Arc<dyn Fn(&str) + Send + Sync>;

/// Tells events to whoever holds the other end of standard input.
fn teller() -> Result<Teller, Failure> {
    let socket = std::io::stdin().as_fd().try_clone_to_owned().map_err(|error| {
        Failure::new(format!("cannot tell what becomes of tests: {error}"))
            .help("run `hemiola test`")
    })?;
    let socket = Mutex::new(UnixStream::from(socket));
    Ok(Arc::new(move |event| {
        let mut socket = socket.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody listens any more: then nobody wants to know.
        let _ = socket.write_all(format!("{event}\n").as_bytes());
    }))
}
