//! What is loaded in the place of a program, before it: files of the library, and the program up to its first line.

use hemiola_engine::{JavaScript, bridge, raw};
use hemiola_gate::{Answer, Checked, Fault};
use hemiola_machine::{
    Answered, Class as ReadyClass, Completion, Draw, Gap, Instant, Limit, Machine, Move, Operation,
    Stream, World,
};
use hemiola_node::State;
use rquickjs::{Ctx, Function};
use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

/// What the program is called among the files that are not loaded ahead.
pub(crate) const PROGRAM: &str = "the program";

/// Files of the library that are to be loaded in the place of a program.
pub(crate) struct Ahead {
    pub(crate) names: Vec<String>,
    /// Whether the program is to be made ready, too.
    pub(crate) is_main: bool,
    /// How often the outside was asked for something.
    pub(crate) asked: Rc<Cell<u64>>,
    /// The first file that did more than being there.
    pub(crate) refused: Rc<RefCell<Option<String>>>,
}

impl Ahead {
    pub(crate) fn load(self, ctx: &Ctx<'_>, state: &State) -> rquickjs::Result<()> {
        let asked = self.asked.get();
        let is_quiet = || {
            self.asked.get() == asked
                && state.is_quiet()
                && !raw::is_job_pending(ctx)
                && bridge::with(|context| is_idle(context.machine()))
        };
        let library = |name: &str| state.engine.library(ctx, name);
        let files = self.names.iter().map(|name| (name.as_str(), false));
        for (name, is_main) in files.chain(self.is_main.then_some((PROGRAM, true))) {
            let loaded = if is_main {
                let main = library("internal/modules/main");
                main.and_then(|main| main.get::<_, Function<'_>>("prepare")?.call::<_, ()>(()))
            } else {
                library(name).map(drop)
            };
            if loaded.is_err() {
                ctx.catch();
            }
            if loaded.is_err() || !is_quiet() {
                *self.refused.borrow_mut() = Some(name.to_owned());
                break;
            }
        }
        Ok(())
    }
}

/// Whether a machine has nothing to do.
fn is_idle(machine: &Machine<JavaScript>) -> bool {
    machine.pending_timers() == 0
        && machine.outstanding().next().is_none()
        && ReadyClass::ALL.iter().all(|&class| machine.ready(class).is_empty())
}

/// A world in which nothing is: it counts how often it is asked.
pub(crate) struct Nowhere {
    pub(crate) asked: Rc<Cell<u64>>,
}

impl Nowhere {
    fn ask<T>(&self, answer: T) -> T {
        self.asked.set(self.asked.get() + 1);
        answer
    }
}

impl World<JavaScript> for Nowhere {
    const ORACLE: bool = false;
    const STILL: bool = false;

    fn now(&mut self) -> Instant {
        self.ask(Instant::ZERO)
    }

    fn look(&mut self) -> Instant {
        self.ask(Instant::ZERO)
    }

    fn wall_clock(&mut self) -> u64 {
        self.ask(0)
    }

    fn random(&mut self) -> u64 {
        self.ask(0)
    }

    fn write(&mut self, _: Stream, _: &[u8]) -> io::Result<()> {
        self.ask(Ok(()))
    }

    fn began(&mut self) {}

    /// Nothing is asked by computing.
    fn breathe(&mut self, _: Option<Limit>) -> bool {
        false
    }

    fn submit(&mut self, _: Operation, _: Checked) {
        self.ask(());
    }

    fn perform(&mut self, _: Checked, _: Option<Draw<'_>>) -> Answer {
        self.ask(Err(Fault::new("ENOSYS", "nothing is outside")))
    }

    /// Nothing is asked by giving up what was.
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

    fn moved(&mut self, _: Move) {
        self.ask(());
    }

    fn seen(&mut self, _: Operation, _: u32) {
        self.ask(());
    }
}
