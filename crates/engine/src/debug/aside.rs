//! Code that a debugger runs while the program stands still: nothing of what it does reaches the
//! program's machine or its world.
#![expect(unsafe_code, reason = "it takes promise jobs out of the engine's list")]

use super::engine::Layout;
use crate::bridge;
use crate::language::JavaScript;
use crate::state::State;
use hemiola_gate::{Answer, Checked, Disk, Fault, FilePath, Kind};
use hemiola_machine::{
    Answered, Completion, Draw, Gap, Instant, Limit, Move, Operation, Stream, World,
};
use rquickjs::qjs::{self, JSContext};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A world in which nothing happens. It is as late as the program knows, all random numbers are 0, what is
/// written is dropped, and what is asked for is refused or never answered.
struct Still {
    now: Instant,
    wall: u64,
}

impl World<JavaScript> for Still {
    const ORACLE: bool = false;
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        self.now
    }

    fn look(&mut self) -> Instant {
        self.now
    }

    fn wall_clock(&mut self) -> u64 {
        self.wall
    }

    fn random(&mut self) -> u64 {
        0
    }

    fn write(&mut self, _: Stream, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn began(&mut self) {}

    fn breathe(&mut self, _: Option<Limit>) -> bool {
        false
    }

    fn submit(&mut self, _: Operation, _: Checked) {}

    fn perform(&mut self, request: Checked, _: Option<Draw<'_>>) -> Answer {
        let what = request.request().describe();
        Err(Fault::new("ERR_STANDS_STILL", format!("not while the program stands still: {what}")))
    }

    fn cancel(&mut self, _: Operation) {}

    fn receive(&mut self) -> Option<Completion<Answer>> {
        None
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        false
    }

    fn go_round(&mut self, _: bool) -> bool {
        true
    }

    fn moves(&mut self, _: Gap, _: Option<Instant>, _: &mut Vec<Move>) {
        // It is settled when answers come: there is nothing to choose.
    }

    fn answer(&mut self, _: Operation, _: Draw<'_>) -> Answered<Answer> {
        unreachable!("only a world that offers moves is asked to make one")
    }

    fn moved(&mut self, _: Move) {}

    fn seen(&mut self, _: Operation, _: u32) {}
}

/// Files, as long as the program does not stand still.
pub(super) struct StillDisk {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) still: Arc<AtomicBool>,
}

impl StillDisk {
    fn disk(&self) -> io::Result<&dyn Disk> {
        match self.still.load(Ordering::Relaxed) {
            true => Err(io::ErrorKind::NotFound.into()),
            false => Ok(&*self.disk),
        }
    }
}

impl Disk for StillDisk {
    fn read(&self, file: &FilePath) -> io::Result<Vec<u8>> {
        self.disk()?.read(file)
    }

    fn kind(&self, file: &FilePath) -> io::Result<Kind> {
        self.disk()?.kind(file)
    }

    fn link(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk()?.link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk()?.canonicalize(path)
    }
}

/// Runs code that is not the program's. What it leaves to be done later is not done.
pub(super) fn aside<R>(
    ctx: *mut JSContext,
    state: &State,
    layout: Option<Layout>,
    act: impl FnOnce() -> R,
) -> R {
    let jobs = layout.and_then(|layout| layout.last_job(ctx));
    let rejections = state.held.rejections.borrow().len();
    let kept = (state.run.exit.get(), state.run.wants_after_tail.get());
    let began = state.debug.as_ref().map_or(0, |session| session.began_us());
    let result = bridge::with(|context| {
        let now = context.known_time();
        let wall = context.known_wall_clock().unwrap_or(began + now.as_micros());
        context.aside(&mut Still { now, wall }, |aside| {
            let entered = bridge::enter(aside);
            let result = act();
            drop(entered);
            result
        })
    });
    state.run.exit.set(kept.0);
    state.run.wants_after_tail.set(kept.1);
    state.held.rejections.borrow_mut().truncate(rejections);
    if let (Some(layout), Some(last)) = (layout, jobs) {
        layout.drop_jobs_after(ctx, last);
    }
    // SAFETY: the context is alive; nothing of the code's errors is left to the program.
    unsafe {
        if qjs::JS_HasException(ctx) {
            qjs::JS_FreeValue(ctx, qjs::JS_GetException(ctx));
        }
    }
    result
}
