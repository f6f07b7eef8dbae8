//! The engine as a host.

use crate::accounts::Stopwatch;
use crate::beyond;
use crate::binding;
use crate::bridge;
use crate::clocks;
use crate::compiled::Compiled;
use crate::console::Console;
use crate::contexts::{self, Contexts};
use crate::debug;
use crate::gate;
use crate::http::{self, Consumer};
use crate::instrument::{self, Accesses, Instrument, Running};
use crate::lazy;
use crate::library;
use crate::memory::Budget;
use crate::modules::{ModuleLoader, Modules, Remembered};
use crate::nursery::Ahead;
use crate::raw::{self, Arguments, OwnedObject};
use crate::sites::{self, Sites};
use crate::system;
use crate::task;
use crate::testing::Tests;
use crate::timers;
use crate::workers;
use hemiola_gate::{
    Answer, Datum, Disk, Grant, Guarded, MAIN, Member, Permissions, Request, Resolved,
};
use hemiola_gate::{Reason, Stop};
use hemiola_machine::{
    Class as ReadyClass, Context, DomainId, Eagerness, Group, Host, Input, Language, Medium, Named,
    Outcome, Place, Progress, Signal, Site, Stream,
};
use hemiola_scheduler::Roster;
use rquickjs::allocator::Allocator;
use rquickjs::{Ctx, Error, Function, JsLifetime, Object, Persistent, Runtime, Value};
use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// Something that the machine can run.
pub enum Callback {
    /// The program.
    Main,
    /// A function with its arguments.
    Call(OwnedObject, Arguments),
    /// A timer.
    Timer(OwnedObject),
    /// An immediate.
    Immediate(OwnedObject),
    /// A task with an urgency, and where it was written.
    Task(OwnedObject, Site),
    /// A function that takes the answer to an operation.
    Answered(Persistent<Function<'static>>),
    /// A callback whose answer brings bytes that are counted.
    Counted(Medium, Box<Callback>),
    /// A connection that is read into a parser; nothing once it has run.
    Consumed(Option<Box<Consumer>>),
    /// A message, and whether it keeps the program alive.
    Message(Persistent<Function<'static>>, bool),
    /// A handler of lateness, called with the lag.
    Late(Persistent<Function<'static>>),
    /// Another callback, in the context that it was attached in.
    Within(Box<(OwnedObject, Callback)>),
    /// The promise jobs that wait in the engine: until there are none, or, where a batch ends with
    /// what was there at its beginning, those.
    Jobs,
    /// The program has nothing left to do: it is told, and may find something.
    BeforeExit,
    /// The program ends.
    Exit,
    /// What happens when a tail is over: rejections that nobody handled are told.
    AfterTail,
}

/// How a program is to be run.
#[derive(Clone)]
pub struct Options {
    /// What `process.argv` holds.
    pub argv: Vec<String>,
    /// The name by which Hemiola was called.
    pub argv0: String,
    /// The flags that say how the library behaves, as Node writes them: `process.execArgv`.
    pub exec_argv: Vec<String>,
    /// The current directory.
    pub cwd: String,
    /// Environment variables.
    pub env: Vec<(String, String)>,
    /// The time zone, by its IANA name, for a program in whose environment `TZ` is not set.
    pub zone: String,
    /// How much memory the engine may take; 0 is no limit.
    pub memory_limit: usize,
    /// How many bytes of its thread's stack the engine may use. Some must be left: an overflow is told
    /// from where it happens.
    pub stack_limit: usize,
    /// The strategy that the machine will be run with.
    pub strategy: Named,
    /// Who may stop it from outside.
    pub stop: Stop,
    /// What the third argument of the global timers means.
    pub timers: TimerMeaning,
    /// What to run.
    pub entry: Entry,
    /// How a text without a file is to be understood.
    pub input_type: InputType,
    /// Whether the runtime is told of every `await`; without, contexts end there. Only tests of that
    /// leave it out.
    pub contexts: bool,
    /// Whether it tells what it reads and writes.
    pub instrument: Instrument,
    /// Whether the trace tells what happens to promises: [`Event::Attached`] and its kin.
    ///
    /// [`Event::Attached`]: hemiola_machine::Event::Attached
    pub promises: bool,
    /// Whether the trace tells where callbacks are attached: [`Event::Site`].
    ///
    /// [`Event::Site`]: hemiola_machine::Event::Site
    pub sites: bool,
    /// A clock of the processor time that the thread took, in nanoseconds, if the trace is to tell what
    /// invocations cost: [`Event::Spent`], [`Event::Transferred`], and the names of HTTP requests.
    ///
    /// [`Event::Spent`]: hemiola_machine::Event::Spent
    /// [`Event::Transferred`]: hemiola_machine::Event::Transferred
    pub accounts: Option<fn() -> u64>,
    /// Where modules are read from.
    pub disk: Arc<dyn Disk>,
    /// What the program may ask for.
    pub permissions: Permissions,
    /// What it is among the machines of its run.
    pub member: Member,
    /// Which of its tests run.
    pub tests: Tests,
    /// Who says how far it runs, and looks at it there.
    pub debug: Option<debug::Debug>,
}

/// What the third argument of the global `setTimeout` and `setInterval` means (rule TIME-15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimerMeaning {
    /// A text is the label of a clock, in the application's own modules.
    #[default]
    Labelled,
    /// An argument of the callback and nothing else, as in Node.
    Node,
}

/// What to run.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A file.
    File(String),
    /// A text.
    Text {
        /// The program.
        source: String,
        /// The name it goes by.
        name: String,
    },
}

/// How a text without a file is to be understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputType {
    /// As its syntax asks for.
    #[default]
    Detect,
    /// As a script.
    CommonJs,
    /// As an ES module.
    Module,
}

/// The engine could not be started.
#[derive(Debug)]
pub struct StartError(String);

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start the engine: {}", self.0)
    }
}

impl std::error::Error for StartError {}

/// What natives and host share.
pub(crate) struct State {
    pub(crate) options: Options,
    /// Set once the program is to end, with its exit code.
    pub(crate) exit: Cell<Option<i32>>,
    /// Whether the machine knows that promise jobs wait.
    jobs_queued: Cell<bool>,
    /// Whether the machine knows that rejections wait.
    after_tail_queued: Cell<bool>,
    /// Whether the library wants to be called when the tail is over.
    pub(crate) wants_after_tail: Cell<bool>,
    pub(crate) modules: Modules,
    /// What a debugger knows of it, if one runs it.
    pub(crate) debug: Option<Rc<debug::Session>>,
    /// What is known of what the program reads and writes, if it tells.
    pub(crate) accesses: Option<Rc<Accesses>>,
    pub(crate) rejections: RefCell<Vec<Rejection>>,
    /// The function of the library that the engine asks about every error.
    pub(crate) describe_error: RefCell<Option<Persistent<Function<'static>>>>,
    /// What bytes that come in through the gate inherit from, once `buffer` is loaded.
    pub(crate) buffer_prototype: RefCell<Option<Persistent<Object<'static>>>>,
    pub(crate) console: RefCell<Console>,
    budget: Budget,
    /// Why the program was stopped from outside, once it was.
    stopped: Cell<Option<Reason>>,
    /// Which promise job, or callback that is none, is running.
    pub(crate) job: Cell<u64>,
    /// Whether what is running is a promise job.
    pub(crate) in_job: Cell<bool>,
    pub(crate) contexts: Contexts,
    /// Itself, for what the engine keeps.
    own: Weak<State>,
    /// Domains that continuations kept alive and do not any more.
    pub(crate) dropped_holds: RefCell<Vec<DomainId>>,
    /// Whether any label has been used: the library has noted it by then.
    pub(crate) labels_in_use: Cell<bool>,
    /// Whether the last of the promise jobs that a batch consists of has run.
    pub(crate) batch_ended: Cell<bool>,
    /// The message of the error that the running microtask threw.
    pub(crate) job_threw: RefCell<Option<String>>,
    /// Whether the job that ends a batch waits among the promise jobs.
    batch_marked: Cell<bool>,
    facts: OnceCell<Datum>,
    /// The tasks of `hemiola:scheduler`.
    pub(crate) roster: RefCell<Roster>,
    /// Which addresses the names have that the program may speak with.
    pub(crate) resolved: RefCell<Resolved>,
    /// Texts of the program that were compiled before.
    pub(crate) compiled: Compiled,
    /// Measures what invocations cost, if somebody wants to know.
    pub(crate) stopwatch: Option<Stopwatch>,
    pub(crate) sites: Sites,
    /// The library files that were loaded, in order.
    pub(crate) loads: RefCell<Vec<String>>,
    /// What is loaded in the place of the program, if anything is.
    pub(crate) ahead: RefCell<Option<Ahead>>,
}

impl State {
    fn new(options: Options, budget: Budget, compiled: Compiled, own: Weak<Self>) -> Self {
        let contexts = options.contexts;
        let accesses = match &options.instrument {
            Instrument::Off => None,
            Instrument::Accesses(shared) => Some(Rc::new(Accesses::new(Arc::clone(shared)))),
        };
        // Workers run by themselves.
        let debug = options.debug.clone().filter(|_| options.member.machine == MAIN);
        let debug = debug.map(|debug| Rc::new(debug::Session::new(debug)));
        let mut disk = Arc::clone(&options.disk);
        if let Some(shared) = compiled.shared() {
            disk = Arc::new(Remembered::new(disk, Arc::clone(&shared.memory)));
        }
        if options.permissions.read != Grant::All {
            disk = Arc::new(Guarded { disk, read: options.permissions.read.clone() });
        }
        if let Some(debug) = &debug {
            disk = debug.disk(disk);
        }
        let mut modules = Modules::new(disk, contexts, accesses.clone(), debug.clone());
        if options.sites || debug.is_some() || shows_chains(&options) {
            modules.texts.keep_sources();
        }
        let stopwatch = options.accounts.map(Stopwatch::new);
        Self {
            options,
            exit: Cell::new(None),
            jobs_queued: Cell::new(false),
            after_tail_queued: Cell::new(false),
            wants_after_tail: Cell::new(false),
            modules,
            debug,
            accesses,
            rejections: RefCell::new(Vec::new()),
            describe_error: RefCell::new(None),
            buffer_prototype: RefCell::new(None),
            console: RefCell::default(),
            budget,
            stopped: Cell::new(None),
            job: Cell::new(0),
            in_job: Cell::new(false),
            contexts: Contexts::default(),
            own,
            job_threw: RefCell::new(None),
            dropped_holds: RefCell::new(Vec::new()),
            labels_in_use: Cell::new(false),
            batch_ended: Cell::new(false),
            batch_marked: Cell::new(false),
            facts: OnceCell::new(),
            roster: RefCell::default(),
            resolved: RefCell::default(),
            compiled,
            stopwatch,
            sites: Sites::default(),
            loads: RefCell::default(),
            ahead: RefCell::default(),
        }
    }

    /// The state of an engine in which no program has run yet, for a run with other options. All that is
    /// not new is what the library has told the host while it was loaded.
    fn again(&self, options: Options, own: Weak<Self>) -> Self {
        let mut state = Self::new(options, self.budget.clone(), self.compiled.clone(), own);
        state.modules.go_on_from(&self.modules);
        state.contexts = self.contexts.again();
        state.describe_error.clone_from(&self.describe_error);
        state.buffer_prototype.clone_from(&self.buffer_prototype);
        state.console.clone_from(&self.console);
        state
    }

    /// Whether nothing has happened but what [`State::again`] keeps.
    pub(crate) fn is_quiet(&self) -> bool {
        self.exit.get().is_none()
            && !self.wants_after_tail.get()
            && self.rejections.borrow().is_empty()
            && self.dropped_holds.borrow().is_empty()
            && !self.labels_in_use.get()
            && !self.contexts.has(u32::MAX)
            && self.facts.get().is_none()
    }

    /// Lets go of everything that belongs to the engine.
    pub(crate) fn let_go(&self) {
        self.contexts.clear();
        self.sites.clear();
        self.rejections.take();
        self.describe_error.take();
        self.buffer_prototype.take();
        self.console.take();
        self.compiled.clear();
        self.modules.clear();
        if let Some(accesses) = &self.accesses {
            accesses.table.borrow_mut().clear();
        }
        if let Some(debug) = &self.debug {
            debug.let_go();
        }
    }

    /// What the program can know about its process.
    pub(crate) fn facts(&self) -> &Datum {
        self.facts.get_or_init(|| system::ask("facts", Vec::new()))
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

/// A promise that was rejected without a handler, or got one afterwards.
pub(crate) struct Rejection {
    pub(crate) promise: Persistent<Value<'static>>,
    pub(crate) reason: Persistent<Value<'static>>,
    pub(crate) handled: bool,
}

/// The state as a context keeps it.
pub(crate) struct Shared(pub(crate) Rc<State>);

#[expect(unsafe_code, reason = "a type without a lifetime of the engine has any")]
// SAFETY: what it keeps of the engine is persistent, and dropped before the engine is.
unsafe impl JsLifetime<'_> for Shared {
    type Changed<'to> = Shared;
}

/// The state that belongs to a context.
pub(crate) fn state(ctx: &Ctx<'_>) -> Rc<State> {
    let shared = ctx.userdata::<Shared>().expect("the host stored its state at the start");
    Rc::clone(&shared.0)
}

/// JavaScript as a host.
pub struct Js {
    // The functions go before the context.
    hooks: Hooks,
    context: rquickjs::Context,
    state: Rc<State>,
}

/// Functions of `internal/bootstrap` that the host calls.
struct Hooks {
    binding: Persistent<Object<'static>>,
    main: Persistent<Function<'static>>,
    uncaught: Persistent<Function<'static>>,
    after_tail: Persistent<Function<'static>>,
    before_exit: Persistent<Function<'static>>,
    exit: Persistent<Function<'static>>,
    stopped: Persistent<Function<'static>>,
    end_batch: Persistent<Function<'static>>,
}

/// How much is allocated before cycles are looked for the first time, in bytes. The library alone is
/// more than the engine's own threshold, and most programs end before they need any of it back.
const GARBAGE: usize = 16 * 1024 * 1024;

impl Js {
    /// Starts an engine.
    pub fn new(options: Options) -> Result<Self, StartError> {
        let budget = Budget::new(options.memory_limit);
        Self::with_memory(options, budget.clone(), budget, Compiled::default())
    }

    /// Starts an engine that takes its memory from there.
    pub(crate) fn with_memory(
        options: Options,
        budget: Budget,
        memory: impl Allocator + 'static,
        compiled: Compiled,
    ) -> Result<Self, StartError> {
        let fail = |error: Error| StartError(error.to_string());
        let runtime = Runtime::new_with_alloc(memory).map_err(fail)?;
        runtime.set_max_stack_size(options.stack_limit);
        runtime.set_gc_threshold(GARBAGE);
        let context = rquickjs::Context::full(&runtime).map_err(fail)?;
        workers::memory::install(&context);
        runtime.set_loader(ModuleLoader, ModuleLoader);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(
            |ctx, promise, reason, handled| {
                let state = state(&ctx);
                if !handled {
                    contexts::rejected(&ctx, &promise);
                }
                let promise = Persistent::save(&ctx, promise);
                let reason = Persistent::save(&ctx, reason);
                state.rejections.borrow_mut().push(Rejection { promise, reason, handled });
                state.wants_after_tail.set(true);
            },
        )));
        let state = Rc::new_cyclic(|own| State::new(options, budget, compiled, Weak::clone(own)));
        let watched = Rc::clone(&state);
        runtime.set_interrupt_handler(Some(Box::new(move || watched.interrupts())));
        let hooks = context.with(|ctx| -> Result<Hooks, StartError> {
            start(&ctx, &state).map_err(|error| match error {
                Error::Exception => {
                    let error = ctx.catch();
                    let text = error.as_exception().map(|one| one.to_string());
                    StartError(text.unwrap_or_default())
                }
                error => fail(error),
            })
        })?;
        Ok(Self { hooks, context, state })
    }

    /// Gives an engine that was put back to an earlier moment what it had then, for a run with these
    /// options; `past` is the state of that moment.
    pub(crate) fn begin_again(&mut self, past: &State, options: Options) -> Result<(), StartError> {
        self.set_state(Rc::new_cyclic(|own| past.again(options, Weak::clone(own))));
        let installed = self.context.with(|ctx| {
            beyond::note_stack(&ctx);
            binding::install(&ctx, &self.hooks.binding.clone().restore(&ctx)?)
        });
        installed.map_err(|error| StartError(error.to_string()))
    }

    /// Makes functions of `binding` before somebody asks for them.
    pub(crate) fn make_natives(&self, names: &[String]) -> rquickjs::Result<()> {
        self.context.with(|ctx| {
            let binding = self.hooks.binding.clone().restore(&ctx)?;
            names.iter().try_for_each(|name| binding.get::<_, Value<'_>>(name).map(drop))
        })
    }

    /// Lets go of what belongs to the engine and is newer than that state.
    ///
    /// Gives the state that is over: it must not outlive the run.
    pub(crate) fn let_go(&mut self, past: &Rc<State>) -> Rc<State> {
        let state = self.set_state(Rc::clone(past));
        state.let_go();
        state
    }

    fn set_state(&mut self, state: Rc<State>) -> Rc<State> {
        self.context.with(|ctx| {
            let _ = ctx.store_userdata(Shared(Rc::clone(&state)));
            contexts::serve(&ctx, &state);
        });
        let watched = Rc::clone(&state);
        let interrupts = Box::new(move || watched.interrupts());
        self.context.runtime().set_interrupt_handler(Some(interrupts));
        std::mem::replace(&mut self.state, state)
    }

    pub(crate) fn state(&self) -> &Rc<State> {
        &self.state
    }

    pub(crate) fn context(&self) -> &rquickjs::Context {
        &self.context
    }

    /// The exit code, once the program is to end.
    pub fn exit_code(&self) -> Option<i32> {
        self.state.exit.get()
    }

    /// How much memory it uses.
    pub(crate) fn budget(&self) -> Budget {
        self.state.budget.clone()
    }

    /// Why the program is to be stopped from outside, if it is.
    pub(crate) fn asked_to_stop(&self) -> Option<Reason> {
        self.state.asked_to_stop()
    }
}

impl State {
    /// Itself, for what lives as long as the engine.
    pub(crate) fn own(&self) -> Rc<Self> {
        self.own.upgrade().expect("a state is used while it is alive")
    }

    /// Whether the engine is to give up what it does: once, when somebody asks for that. The engine
    /// asks after every few thousand steps.
    fn interrupts(&self) -> bool {
        if bridge::is_entered() {
            bridge::with(|context| context.breathe());
        }
        let asked = self.asked_to_stop().filter(|_| self.stopped.get().is_none());
        if asked.is_some() {
            self.stopped.set(asked);
        }
        asked.is_some()
    }

    /// Why the program is to be stopped, if it is.
    fn asked_to_stop(&self) -> Option<Reason> {
        if self.budget.is_spent() { Some(Reason::OutOfMemory) } else { self.options.stop.asked() }
    }

    /// Whether nothing of the program runs any more.
    pub(crate) fn is_over(&self) -> bool {
        self.exit.get().is_some() || self.stopped.get().is_some()
    }

    /// Whether a batch of promise jobs takes in what its own jobs queue.
    fn drains(&self) -> bool {
        matches!(self.options.strategy, Named::NodePhases | Named::Priority)
    }

    /// Runs the promise jobs of one batch.
    fn run_jobs<'js>(&self, ctx: &Ctx<'js>, hooks: &Hooks) -> rquickjs::Result<()> {
        self.batch_ended.set(false);
        self.mark_batch(ctx, hooks)?;
        self.in_job.set(true);
        let result = self.run_each_job(ctx);
        self.in_job.set(false);
        result
    }

    /// Runs jobs, each as an invocation of its own (rule CTX-1). A job counts for the domain that it was
    /// linked from, and says so itself: whose tail it runs in does not matter.
    fn run_each_job(&self, ctx: &Ctx<'_>) -> rquickjs::Result<()> {
        while raw::is_job_pending(ctx) {
            self.begin_account();
            self.contexts.begin_job();
            if let Some(debug) = &self.debug {
                debug.began(bridge::with(|context| context.invocation().0));
            }
            let ran = beyond::run_job(ctx);
            self.job.set(self.job.get() + 1);
            if self.contexts.was_mark() || self.batch_ended.get() {
                self.drop_account();
                bridge::with(|context| context.drop_job());
            } else {
                if let Some(debug) = &self.debug {
                    debug.ended(ctx, self);
                }
                self.contexts.end(ctx);
                self.contexts.mark(ctx, bridge::with(|context| context.invocation()));
                let threw = self.job_threw.take();
                let outcome = threw.map_or(Outcome::Returned, Outcome::Threw);
                self.tell_account();
                bridge::with(|context| context.end_job(outcome));
            }
            if !ran? || self.is_over() {
                break;
            }
            if self.batch_ended.get() {
                self.batch_marked.set(false);
                break;
            }
        }
        Ok(())
    }

    /// Puts the end of the batch behind the promise jobs that wait now, unless it is among them.
    fn mark_batch(&self, ctx: &Ctx<'_>, hooks: &Hooks) -> rquickjs::Result<()> {
        if self.drains() || self.batch_marked.replace(true) {
            return Ok(());
        }
        hooks.end_batch.clone().restore(ctx)?.call(())
    }
}

impl Drop for Js {
    fn drop(&mut self) {
        // Nothing of the engine may outlive it.
        self.state.let_go();
    }
}

/// Whether chains of invocations stand below stacks: `--stacks`.
fn shows_chains(options: &Options) -> bool {
    let mut flags = options.exec_argv.iter();
    flags.any(|flag| flag.strip_prefix("--stacks=").is_some_and(|mode| mode != "off"))
}

/// Sets up the globals and gives the functions that the host calls.
fn start<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<Hooks> {
    let _ = ctx.store_userdata(Shared(Rc::clone(state)));
    contexts::install(ctx, state)?;
    let binding = lazy::binding(ctx)?;
    binding::install(ctx, &binding)?;
    system::install(ctx, &binding)?;
    timers::install(ctx, &binding)?;
    let bootstrap =
        library::body(ctx, "internal/bootstrap")?.expect("the bootstrap is in the library");
    let module = Object::new(ctx.clone())?;
    let exports = Object::new(ctx.clone())?;
    bootstrap.call::<_, ()>((exports.clone(), rquickjs::Undefined, module, binding.clone()))?;
    state.modules.set_library(ctx, exports.get("library")?);
    let hook = |name: &str| -> rquickjs::Result<Persistent<Function<'static>>> {
        Ok(Persistent::save(ctx, exports.get::<_, Function<'js>>(name)?))
    };
    Ok(Hooks {
        binding: Persistent::save(ctx, binding),
        main: hook("main")?,
        uncaught: hook("uncaught")?,
        after_tail: hook("afterTail")?,
        before_exit: hook("beforeExit")?,
        exit: hook("exit")?,
        stopped: hook("stopped")?,
        end_batch: hook("endBatch")?,
    })
}

impl Language for Js {
    type Callback = Callback;
    type Request = Request;
    type Answer = Answer;

    fn describe(request: &Request) -> String {
        request.describe()
    }

    fn place() -> Option<Place> {
        instrument::place().or_else(sites::noted)
    }
}

impl Host for Js {
    type Language = Self;

    fn site(&self, callback: &Callback) -> Option<Site> {
        match callback {
            Callback::Task(_, site) => Some(*site),
            Callback::Immediate(task) | Callback::Timer(task) => timers::site_of_task(task),
            Callback::Within(bound) => self.site(&bound.1),
            Callback::Counted(_, callback) => self.site(callback),
            _ => None,
        }
    }

    fn expect(&self, callback: &Callback, very_soon: bool) {
        if let Callback::Timer(timeout) = callback {
            task::prefetch(timeout, very_soon);
        }
    }

    fn eagerness(&self, callback: &Callback) -> Eagerness {
        match callback {
            Callback::Timer(timeout) => task::eagerness(timeout),
            _ => Eagerness::Free,
        }
    }

    fn is_batch(&self, callback: &Callback) -> bool {
        matches!(callback, Callback::Jobs)
    }

    fn fetch(&self, place: *const u8) {
        task::fetch(place, 0);
        task::fetch(place, 64);
    }

    fn dropped_holds(&mut self) -> Vec<DomainId> {
        self.state.dropped_holds.take()
    }

    fn begin_batch(&mut self) {
        if self.state.jobs_queued.get() {
            // Without memory for the mark the program ends anyhow.
            let _ = self.context.with(|ctx| self.state.mark_batch(&ctx, &self.hooks));
        }
    }

    fn run(
        &mut self,
        callback: &mut Callback,
        input: Input<Answer>,
        context: &mut Context<'_, Self>,
    ) -> Progress {
        let entered = bridge::enter(context);
        let running = Running::begin(&self.state);
        let Self { hooks, context: engine, state, .. } = self;
        state.job.set(state.job.get() + 1);
        let (outcome, jobs) = engine.with(|ctx| {
            if matches!(callback, Callback::Main) && bridge::with(|context| context.listens()) {
                contexts::listen(&ctx);
            }
            if matches!(callback, Callback::Main) && shows_chains(&state.options) {
                // Without memory for it the program ends anyhow.
                let _ = state.modules.library(&ctx, "internal/long_stacks");
            }
            if matches!(callback, Callback::Main) && state.options.sites {
                let _ = state.modules.library(&ctx, "internal/sites");
            }
            let is_invocation = !matches!(callback, Callback::Jobs);
            if is_invocation {
                state.begin_account();
            }
            state.contexts.begin();
            let result = match &state.debug {
                None => call(&ctx, callback, input, hooks, state),
                Some(debug) => debugged(&ctx, callback, input, hooks, state, debug),
            };
            if state.budget.is_spent() && state.stopped.get().is_none() {
                // Whatever became of it, it is not what the program says.
                state.stopped.set(Some(Reason::OutOfMemory));
            }
            let outcome = match (result, state.stopped.get()) {
                (Err(_), _) if state.exit.get().is_some() => Outcome::Returned,
                (result, Some(reason)) => stopped(&ctx, result, reason, hooks),
                (Ok(()), None) => Outcome::Returned,
                (Err(error), None) => uncaught(&ctx, error, hooks),
            };
            if is_invocation {
                state.contexts.end(&ctx);
                state.contexts.mark(&ctx, bridge::with(|context| context.invocation()));
                state.tell_account();
            }
            if let Some(accesses) = &state.accesses {
                accesses.table.borrow_mut().leave();
            }
            drop(running);
            drop(entered);
            (outcome, raw::is_job_pending(&ctx))
        });
        if state.is_over() {
            return Progress::Halted;
        }
        if jobs && !self.state.jobs_queued.replace(true) {
            context.queue_batch(ReadyClass::Promise, Callback::Jobs);
        }
        if self.state.wants_after_tail.get()
            && is_last_of_tail(context, &self.state)
            && !self.state.after_tail_queued.replace(true)
        {
            // What is told may begin a tail of its own, and the ticks of that come first, as in Node.
            context.queue(ReadyClass::Tick, Group::default(), Callback::AfterTail);
        }
        Progress::Done(outcome)
    }

    fn resume(&mut self, _: &mut Context<'_, Self>) -> Progress {
        unreachable!("a callback of this host runs to its end")
    }

    fn signal(&mut self, _: Signal, _: &mut Context<'_, Self>) {
        unreachable!("no world of this host does anything by itself")
    }
}

/// Whether nothing of the running callback's tail is left.
fn is_last_of_tail(context: &Context<'_, Js>, state: &State) -> bool {
    let machine = context.machine();
    !state.jobs_queued.get()
        && machine.ready(ReadyClass::Tick).is_empty()
        && machine.ready(ReadyClass::Promise).is_empty()
}

/// Calls what a callback stands for, under the eyes of a debugger.
fn debugged<'js>(
    ctx: &Ctx<'js>,
    callback: &mut Callback,
    input: Input<Answer>,
    hooks: &Hooks,
    state: &State,
    debug: &Rc<debug::Session>,
) -> rquickjs::Result<()> {
    if matches!(callback, Callback::Main) && !debug::begin(ctx, state, debug)? {
        return Err(beyond::throw_uncatchable(ctx));
    }
    // Promise jobs are invocations of their own.
    if matches!(callback, Callback::Jobs) {
        return call(ctx, callback, input, hooks, state);
    }
    debug.began(bridge::with(|context| context.invocation().0));
    let result = call(ctx, callback, input, hooks, state);
    if result.is_ok() {
        debug.ended(ctx, state);
    }
    result
}

/// Calls what a callback stands for.
fn call<'js>(
    ctx: &Ctx<'js>,
    callback: &mut Callback,
    input: Input<Answer>,
    hooks: &Hooks,
    state: &State,
) -> rquickjs::Result<()> {
    match callback {
        Callback::Main => match state.ahead.take() {
            Some(ahead) => ahead.load(ctx, state),
            None => hooks.main.clone().restore(ctx)?.call(()),
        },
        Callback::BeforeExit => hooks.before_exit.clone().restore(ctx)?.call(()),
        Callback::Exit => hooks.exit.clone().restore(ctx)?.call(()),
        Callback::Call(function, args) => timers::fire_call(ctx, function, args),
        Callback::Task(function, _) => timers::fire_call(ctx, function, &None),
        Callback::Answered(function) => match input {
            Input::Answer(answer) => gate::answer(ctx, &function.clone().restore(ctx)?, answer),
            Input::Nothing | Input::Lag(_) => {
                unreachable!("an operation's callback gets its answer")
            }
        },
        Callback::Counted(medium, callback) => {
            if let Input::Answer(answer) = &input {
                state.count_answer(*medium, answer);
            }
            call(ctx, callback, input, hooks, state)
        }
        Callback::Consumed(consumer) => match (consumer.take(), input) {
            (Some(consumer), Input::Answer(answer)) => http::answered(ctx, consumer, answer),
            _ => unreachable!("an operation's callback runs once, and gets its answer"),
        },
        Callback::Timer(timeout) => timers::fire(ctx, timeout),
        Callback::Immediate(immediate) => timers::fire_immediate(ctx, immediate),
        Callback::Message(function, keeps_alive) => {
            timers::deliver(&function.clone().restore(ctx)?, *keeps_alive)
        }
        Callback::Late(handler) => clocks::tell(&handler.clone().restore(ctx)?, &input),
        Callback::Within(bound) => {
            let (scope, callback) = &mut **bound;
            let is_cleared =
                matches!(callback, Callback::Immediate(one) if timers::is_cleared(one));
            if !is_cleared {
                contexts::run_within(ctx, scope);
            }
            call(ctx, callback, input, hooks, state)
        }
        Callback::Jobs => {
            state.jobs_queued.set(false);
            state.run_jobs(ctx, hooks)
        }
        Callback::AfterTail => {
            state.after_tail_queued.set(false);
            // Something may have joined the tail since; then it is not over, and comes back here.
            if bridge::with(|context| is_last_of_tail(context, state)) {
                hooks.after_tail.clone().restore(ctx)?.call(())
            } else {
                Ok(())
            }
        }
    }
}

/// Says where a program was when it was stopped, and ends it.
fn stopped(ctx: &Ctx<'_>, result: rquickjs::Result<()>, reason: Reason, hooks: &Hooks) -> Outcome {
    let state = state(ctx);
    let place = match result {
        Err(Error::Exception) => ctx.catch(),
        // What interrupts a module rejects its promise.
        _ => interruption(ctx, &state).unwrap_or_else(|| Value::new_undefined(ctx.clone())),
    };
    // A program with handlers of its own still gets its exit code; its `finally` blocks do not run.
    let why = match reason {
        Reason::Interrupted => "interrupted".into(),
        Reason::Terminated => "asked to end".into(),
        Reason::TimedOut => "the time is up (--timeout)".into(),
        // Nobody is told: whoever ended it knows.
        Reason::Ended => {
            state.exit.set(Some(reason.exit_code()));
            return Outcome::Returned;
        }
        Reason::OutOfMemory if state.options.member.machine != MAIN => {
            state.exit.set(Some(workers::OUT_OF_MEMORY));
            return Outcome::Returned;
        }
        Reason::OutOfMemory => {
            let limit = state.budget.limit() / (1024 * 1024);
            format!("out of memory: the limit is {limit} MiB (--memory-limit)")
        }
    };
    let hook = hooks.stopped.clone().restore(ctx);
    if hook.and_then(|hook| hook.call::<_, ()>((why.as_str(), place))).is_err() {
        // There is not even memory to say where.
        ctx.catch();
        let _ = bridge::with(|context| context.write(Stream::Err, &format!("{why}\n")));
    }
    state.exit.set(Some(reason.exit_code()));
    Outcome::Returned
}

/// The error by which the engine gave up what it did, if it made a promise fail.
fn interruption<'js>(ctx: &Ctx<'js>, state: &State) -> Option<Value<'js>> {
    let reason = state.rejections.borrow().last()?.reason.clone().restore(ctx).ok()?;
    let message = reason.as_exception()?.message()?;
    (message == "interrupted").then_some(reason)
}

/// Gives an error that nobody caught to the program's handlers, or ends it.
fn uncaught(ctx: &Ctx<'_>, error: Error, hooks: &Hooks) -> Outcome {
    let thrown = match error {
        Error::Exception => ctx.catch(),
        other => {
            let message = other.to_string();
            let text = rquickjs::String::from_str(ctx.clone(), &message);
            text.map_or_else(|_| Value::new_undefined(ctx.clone()), |text| text.into_value())
        }
    };
    let message = describe(&thrown);
    let handled =
        hooks.uncaught.clone().restore(ctx).and_then(|hook| hook.call::<_, ()>((thrown,)));
    if handled.is_err() && state(ctx).exit.get().is_none() {
        // The handler itself failed: nothing is left but to say so and to stop.
        let failure = describe(&ctx.catch());
        let text = format!("{message}\nthe handler of uncaught errors failed, too: {failure}\n");
        // There is nobody left to tell when that fails.
        let _ = bridge::with(|context| context.write(Stream::Err, &text));
        state(ctx).exit.set(Some(7));
    }
    Outcome::Threw(message)
}

/// An error in words.
pub(crate) fn describe(thrown: &Value<'_>) -> String {
    match thrown.as_exception() {
        Some(error) => error.to_string(),
        None => thrown.as_string().and_then(|text| text.to_string().ok()).unwrap_or_default(),
    }
}
