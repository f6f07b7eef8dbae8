//! What the library's natives share, in three kinds as in the engine's own state: what the library
//! [registered](Registered), what a [run](Run) has, and what belongs to the engine.

use crate::console::Console;
use crate::modules::{Memory, Modules, Remembered};
use crate::options::Options;
use crate::process;
use crate::timers;
use hemiola_engine::held;
use hemiola_engine::part::{self, LetGo};
use hemiola_engine::state::State as Engine;
use hemiola_gate::{Datum, Disk, Grant, Guarded, Known, SystemCall};
use hemiola_scheduler::Roster;
use rquickjs::Ctx;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// What natives of the library share.
pub struct State {
    /// The engine's own.
    pub engine: Rc<Engine>,
    /// How the program is run.
    pub options: Options,
    /// What the library registered.
    pub(crate) registered: Registered,
    /// What this run has.
    pub run: Run,
    /// What is known of modules: of packages it is kept, the modules belong to the engine.
    pub(crate) modules: Modules,
    /// What disks have said to runs that see the same files.
    memory: Option<Arc<Memory>>,
}

held! {
    /// What the library registered while it was loaded.
    #[derive(Clone, Default)]
    pub(crate) struct Registered {
        pub(crate) console: RefCell<Console>,
        pub(crate) timers: RefCell<Option<timers::Library>>,
    }
}

/// What one run has.
#[derive(Clone, Default)]
pub struct Run {
    facts: OnceCell<Datum>,
    /// The tasks of `hemiola:scheduler`.
    pub(crate) roster: RefCell<Roster>,
    /// What decides, beside permissions, what the program may do.
    pub(crate) known: RefCell<Known>,
    /// The children of a program that may not signal every process: their numbers by their pids.
    pub(crate) children: RefCell<BTreeMap<i32, u64>>,
    /// The library files that were loaded, in order.
    pub loads: RefCell<Vec<String>>,
}

impl State {
    /// The state of a new engine.
    pub fn new(engine: Rc<Engine>, options: Options, memory: Option<Arc<Memory>>) -> Rc<Self> {
        let modules = Modules::new(disk(&engine, &options, memory.as_ref()), &options.flags);
        let (registered, run) = (Registered::default(), Run::default());
        Rc::new(Self { engine, options, registered, run, modules, memory })
    }

    /// The state of an engine in which no program has run yet, for a run with other options. All that is
    /// not new is what the library has told while it was loaded.
    pub fn again(&self, engine: Rc<Engine>, options: Options) -> Rc<Self> {
        let memory = self.memory.clone();
        let modules = self.modules.again(disk(&engine, &options, memory.as_ref()), &options.flags);
        let (registered, run) = (self.registered.clone(), Run::default());
        Rc::new(Self { engine, options, registered, run, modules, memory })
    }

    /// Whether [`State::go_on`] knows all that a run has by now, between two of its callbacks.
    pub fn can_go_on(&self) -> bool {
        self.engine.can_go_on() && self.modules.can_go_on()
    }

    /// The state in the middle of a run, for another that goes on from there: it has these options, which differ
    /// by nothing that the program has seen.
    pub fn go_on(&self, engine: Rc<Engine>, options: Options) -> Rc<Self> {
        let memory = self.memory.clone();
        let modules = self.modules.go_on(disk(&engine, &options, memory.as_ref()), &options.flags);
        let (registered, run) = (self.registered.clone(), self.run.clone());
        Rc::new(Self { engine, options, registered, run, modules, memory })
    }

    /// Lets natives of a context find this state.
    pub fn serve(self: &Rc<Self>, ctx: &Ctx<'_>) {
        part::store(ctx, self);
    }

    /// Whether nobody else keeps it, or the engine's own.
    pub fn is_last(self: Rc<Self>) -> bool {
        Rc::into_inner(self).is_some_and(|state| Rc::into_inner(state.engine).is_some())
    }

    /// Whether nothing has happened but what [`State::again`] keeps.
    pub fn is_quiet(&self) -> bool {
        self.engine.is_quiet() && self.run.facts.get().is_none()
    }

    /// What the program can know about its process.
    pub(crate) fn facts(&self) -> &Datum {
        self.run.facts.get_or_init(|| process::ask(SystemCall::Facts))
    }

    /// The number of the program's process.
    pub(crate) fn pid(&self) -> Option<i32> {
        Some(self.facts().field("pid")?.as_number()? as i32)
    }

    /// What a standard stream is, by Node's name for it.
    pub(crate) fn stream_kind(&self, fd: usize) -> Option<&str> {
        let Datum::Record(fields) = self.facts() else { return None };
        let streams = fields.iter().find_map(|(name, value)| match value {
            Datum::List(streams) if name == "streams" => Some(streams),
            _ => None,
        });
        match streams?.get(fd)? {
            Datum::Text(kind) => Some(kind),
            _ => None,
        }
    }
}

impl LetGo for State {
    fn let_go(&self) {
        let Self { engine, options: _, registered, run: _, modules, memory: _ } = self;
        registered.let_go();
        modules.let_go();
        engine.let_go();
    }
}

/// Where modules are read from.
fn disk(engine: &Engine, options: &Options, memory: Option<&Arc<Memory>>) -> Arc<dyn Disk> {
    let mut disk = Arc::clone(&options.disk);
    if let Some(memory) = memory {
        disk = Arc::new(Remembered::new(disk, Arc::clone(memory)));
    }
    if options.permissions.read != Grant::All {
        disk = Arc::new(Guarded { disk, read: options.permissions.read.clone() });
    }
    if let Some(debug) = &engine.debug {
        disk = debug.disk(disk);
    }
    disk
}

/// The state that belongs to a context.
pub(crate) fn state(ctx: &Ctx<'_>) -> Rc<State> {
    part::of(ctx)
}
