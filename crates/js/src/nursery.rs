//! One engine for many runs, each as if it were new.
//!
//! To make an engine, to load what a program needs of the library and to take all of it apart again costs
//! many times what a small program does itself. Whoever runs a program thousands of times, to see what
//! becomes of it under other schedules, keeps an engine in a nursery: it is put back to the moment before
//! the program, with the memory that it had, and with nothing of the run that is over.
//!
//! After the first run it is known which files of the library the program asks for. They are loaded before
//! that moment from then on, if loading them asks nothing of the outside and leaves nothing to do. A
//! program can only tell by replacing what the language has before it first uses a part of the library;
//! then it sees what it would in Node, where the library is there before the program.

use crate::arena::Arena;
use crate::bridge;
use crate::compiled::Shared;
use crate::foreign::Foreign;
use crate::gate::{Answer, Fault, Request};
use crate::host::{Callback, Js, Options, StartError, State};
use crate::image::Image;
use crate::memory::Budget;
use crate::program::{self, Ending};
use crate::raw;
use crate::workers::MAIN;
use crate::{ciphers, crypto, http, zlib};
use hemiola_machine::{
    Chooser, Class as ReadyClass, Completion, First, Instant, Machine, Operation, Silent, Sink,
    World,
};
use rquickjs::class::JsClass;
use rquickjs::{Class, Ctx};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::mem::ManuallyDrop;
use std::rc::Rc;

/// Keeps an engine for runs of one program, or of programs that are run alike.
#[derive(Default)]
pub struct Nursery {
    engine: Option<Engine>,
    /// Files of the library that programs have asked for, in the order in which they first did.
    wanted: Vec<String>,
    /// Those among them that are not loaded before a program is.
    refused: BTreeSet<String>,
    /// How many runs are to pass before a new engine may be made for files that are wanted.
    patience: u32,
    waited: u32,
    /// Whether engines cannot be put back here.
    gave_up: bool,
    texts: Rc<Shared>,
}

#[expect(unsafe_code, reason = "a nursery is used by one thread after the other")]
// SAFETY: what its parts share they share with each other, and all of them go to the other thread. Of
// what runs are given nothing stays but what may be sent; what is watched in a thread is not any more
// when a run is over; and the engine is told where the stack begins before each run.
unsafe impl Send for Nursery {}

/// How often a run may meet files that its engine has not loaded before a new one is made: at first at
/// once, then ever more rarely.
const PATIENCE: u32 = 8;

impl Nursery {
    /// A nursery without an engine; the first run makes one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs a program to its end and gives its exit code, as [`run`](crate::run) does.
    ///
    /// The engine is kept for the next run if that has the same options but for what it runs, where modules
    /// are read from, and who may stop it.
    pub fn run(
        &mut self,
        options: Options,
        world: &mut impl World<Js>,
        chooser: &mut impl Chooser,
        sink: &mut impl Sink,
    ) -> Result<i32, StartError> {
        if !self.prepare(&options)? {
            return program::run(options, Ending::Freed, world, chooser, sink);
        }
        let mut engine = self.engine.take().expect("an engine is there once it is prepared");
        let watching = engine.image.watch();
        engine.begin(options)?;
        let (code, machine) = program::drive(&mut engine.host, world, chooser, sink);
        self.note(&engine);
        let is_as_before = engine.end(machine);
        drop(watching);
        if is_as_before {
            self.engine = Some(engine);
        } else {
            self.gave_up = true;
            std::mem::forget(engine);
        }
        Ok(code)
    }

    /// How much memory its engine is put back to, and how much of that is copied each time.
    pub fn sizes(&self) -> Option<(usize, usize)> {
        self.engine.as_ref().map(|engine| engine.image.sizes())
    }

    /// Sees to it that there is an engine for a run with these options; false if there cannot be.
    fn prepare(&mut self, options: &Options) -> Result<bool, StartError> {
        if options.member.machine != MAIN || self.gave_up {
            return Ok(false);
        }
        let fits = |engine: &Engine| are_alike(&engine.past.options, options);
        let has_new = |engine: &Engine| {
            (self.loadable().count(), self.texts.functions().len()) > engine.ahead
        };
        match &self.engine {
            Some(engine) if !fits(engine) => self.engine = None,
            Some(engine) if has_new(engine) && self.waited >= self.patience => {
                self.patience = self.patience * 2 + PATIENCE;
                self.waited = 0;
                self.engine = None;
            }
            _ => {}
        }
        while self.engine.is_none() {
            let names: Vec<String> = self.loadable().cloned().collect();
            match Engine::make(options, names, &self.texts)? {
                Made::Ready(engine) => self.engine = Some(*engine),
                Made::Refused(name) => {
                    self.refused.insert(name);
                }
                Made::Impossible => {
                    self.gave_up = true;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What is loaded before a program is.
    fn loadable(&self) -> impl Iterator<Item = &String> {
        self.wanted.iter().filter(|&name| !self.refused.contains(name))
    }

    /// Notes what a run has loaded.
    fn note(&mut self, engine: &Engine) {
        self.waited += 1;
        for name in engine.host.state().loads.borrow().iter() {
            if !self.wanted.contains(name) {
                self.wanted.push(name.clone());
            }
        }
    }
}

/// Whether engines for two runs are the same before their programs begin.
fn are_alike(one: &Options, other: &Options) -> bool {
    one.argv == other.argv
        && one.argv0 == other.argv0
        && one.exec_argv == other.exec_argv
        && one.cwd == other.cwd
        && one.env == other.env
        && one.zone == other.zone
        && one.memory_limit == other.memory_limit
        && one.stack_limit == other.stack_limit
        && one.strategy == other.strategy
        && one.timers == other.timers
        && one.contexts == other.contexts
        && one.promises == other.promises
        && one.permissions == other.permissions
}

/// An engine, and the moment that it is put back to.
struct Engine {
    host: ManuallyDrop<Js>,
    /// What the host knew at that moment.
    past: Rc<State>,
    foreign: ManuallyDrop<Foreign>,
    image: Image,
    /// How many files of the library and texts of programs were loaded ahead.
    ahead: (usize, usize),
}

enum Made {
    Ready(Box<Engine>),
    /// This file of the library does more than being there.
    Refused(String),
    /// The engine or the system is not what this needs.
    Impossible,
}

impl Engine {
    fn make(options: &Options, names: Vec<String>, texts: &Rc<Shared>) -> Result<Made, StartError> {
        let budget = Budget::new(options.memory_limit);
        let Some(arena) = Arena::new(budget.clone()) else { return Ok(Made::Impossible) };
        let region = arena.region();
        let mut host = Js::with_memory(options.clone(), budget, arena)?;
        host.state().compiled.share(Rc::clone(texts));
        let functions = texts.functions();
        let ahead = (names.len(), functions.len());
        if let Some(name) = load_ahead(&mut host, names) {
            return Ok(Made::Refused(name));
        }
        let foreign = host.context().with(|ctx| {
            make_prototypes(&ctx).ok()?;
            for text in functions {
                host.state().compiled.prepare(&ctx, text).ok()?;
            }
            Foreign::new(&ctx, Rc::clone(&region))
        });
        let Some(foreign) = foreign else { return Ok(Made::Impossible) };
        let Some(image) = Image::take(region) else {
            foreign.let_go();
            return Ok(Made::Impossible);
        };
        let past = Rc::clone(host.state());
        let (host, foreign) = (ManuallyDrop::new(host), ManuallyDrop::new(foreign));
        Ok(Made::Ready(Box::new(Self { host, past, foreign, image, ahead })))
    }

    fn begin(&mut self, options: Options) -> Result<(), StartError> {
        self.host.begin_again(&self.past, options)
    }

    /// Forgets a run; false if something of it is left, and the engine cannot be put back.
    fn end(&mut self, machine: Machine<Js>) -> bool {
        // What the machine keeps belongs to the engine.
        drop(machine);
        let state = self.host.let_go(&self.past);
        self.foreign.give_back();
        // Somebody who keeps it could give the engine's values back when they are others.
        if Rc::into_inner(state).is_none() {
            return false;
        }
        self.image.restore();
        true
    }
}

impl Drop for Engine {
    #[expect(unsafe_code, reason = "both are dropped here, or never")]
    fn drop(&mut self) {
        // Who knows in what state an engine is when it was left in a panic.
        if std::thread::panicking() {
            return;
        }
        self.image.restore();
        let _watching = self.image.watch();
        // SAFETY: nobody uses them afterwards.
        unsafe {
            ManuallyDrop::take(&mut self.foreign).let_go();
            ManuallyDrop::drop(&mut self.host);
        }
    }
}

/// The bindings keep the prototype of each class of ours, outside of the engine's memory, from its first
/// use on: that must be before the moment that an engine is put back to.
fn make_prototypes(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
    fn make<'js, C: JsClass<'js>>(ctx: &Ctx<'js>) -> rquickjs::Result<()> {
        Class::<C>::prototype(ctx).map(drop)
    }
    make::<http::Handle>(ctx)?;
    make::<ciphers::Machine>(ctx)?;
    make::<crypto::Hasher>(ctx)?;
    make::<zlib::Handle>(ctx)
}

/// Files of the library that are to be loaded in the place of a program.
pub(crate) struct Ahead {
    names: Vec<String>,
    /// How often the outside was asked for something.
    asked: Rc<Cell<u64>>,
    /// The first file that did more than being there.
    refused: Rc<RefCell<Option<String>>>,
}

impl Ahead {
    pub(crate) fn load(self, ctx: &Ctx<'_>, state: &State) -> rquickjs::Result<()> {
        let asked = self.asked.get();
        for name in self.names {
            let loaded = state.modules.library(ctx, &name);
            if loaded.is_err() {
                ctx.catch();
            }
            let is_quiet = loaded.is_ok()
                && self.asked.get() == asked
                && state.is_quiet()
                && !raw::is_job_pending(ctx)
                && bridge::with(|context| is_idle(context.machine()));
            if !is_quiet {
                *self.refused.borrow_mut() = Some(name);
                break;
            }
        }
        Ok(())
    }
}

/// Whether a machine has nothing to do.
fn is_idle(machine: &Machine<Js>) -> bool {
    machine.pending_timers() == 0
        && machine.outstanding().next().is_none()
        && ReadyClass::ALL.iter().all(|&class| machine.ready(class).is_empty())
}

/// Loads files of the library; gives the first that did more than being there.
fn load_ahead(host: &mut Js, names: Vec<String>) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let asked = Rc::new(Cell::new(0));
    let refused = Rc::new(RefCell::new(None));
    let ahead = Ahead { names, asked: Rc::clone(&asked), refused: Rc::clone(&refused) };
    *host.state().ahead.borrow_mut() = Some(ahead);
    let strategy = host.state().options.strategy;
    let mut machine = Machine::new(Callback::Main);
    machine.step(host, &strategy, &mut Nowhere { asked }, &mut First, &mut Silent);
    refused.take()
}

/// A world in which nothing is: it counts how often it is asked.
struct Nowhere {
    asked: Rc<Cell<u64>>,
}

impl Nowhere {
    fn ask<T>(&self, answer: T) -> T {
        self.asked.set(self.asked.get() + 1);
        answer
    }
}

impl World<Js> for Nowhere {
    fn now(&mut self) -> Instant {
        self.ask(Instant::ZERO)
    }

    fn wall_clock(&mut self) -> u64 {
        self.ask(0)
    }

    fn random(&mut self) -> u64 {
        self.ask(0)
    }

    fn write(&mut self, _: hemiola_machine::Stream, _: &[u8]) -> std::io::Result<()> {
        self.ask(Ok(()))
    }

    fn submit(&mut self, _: Operation, _: Request) {
        self.ask(());
    }

    fn perform(&mut self, _: Request) -> Answer {
        self.ask(Err(Fault::new("ENOSYS", "nothing is outside")))
    }

    fn receive(&mut self) -> Option<Completion<Answer>> {
        None
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the test reads the sources")]

    use std::fs;
    use std::path::Path;

    /// One that is missing would be used after it is gone.
    #[test]
    fn the_prototypes_of_all_classes_are_made() {
        let mut classes = Vec::new();
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("the sources are there") {
                let path = entry.expect("a folder can be read").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = fs::read_to_string(&path).expect("a source can be read");
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                classes.extend(text.matches("> JsClass<'js> for ").map(|_| path.clone()));
                assert!(!text.contains("rquickjs::class]"), "{}", path.display());
            }
        }
        let own = include_str!("nursery.rs").split("#[cfg(test)]").next().unwrap_or_default();
        let made = own.matches("    make::<").count();
        assert_eq!(made, classes.len(), "make_prototypes knows {made} of {classes:?}");
    }
}
