//! What the natives of an engine share, in three kinds: what the library [registered](Registered) and
//! every later run of the engine keeps; what a [run](Run) has and is dropped with it; and what
//! [belongs to the engine](Held) and must be gone before it is.
#![expect(unsafe_code, reason = "natives find the state without the bindings")]

use crate::accounts::Stopwatch;
use crate::compiled::Compiled;
use crate::contexts::Contexts;
use crate::coverage::Counts;
use crate::debug::{Debug, Session};
use crate::held;
use crate::instrument::{Accesses, Instrument};
use crate::interrupts::Interrupts;
use crate::memory::Budget;
use crate::part::{self, LetGo};
use crate::raw::Owned;
use crate::sampling::{DEEPEST, STEPS_BETWEEN, Samples, Sampling};
use crate::sites::{Sites, functions};
use crate::task::{CalledOn, Classes};
use crate::texts::{Hooks, Texts};
use hemiola_gate::{Reason, Stop};
use hemiola_machine::{DomainId, Named};
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value, qjs};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// How an engine is to run a program.
#[derive(Clone)]
pub struct Settings {
    /// How many bytes of its thread's stack it may use.
    pub stack_limit: usize,
    /// How much memory it may use.
    pub budget: Budget,
    /// Who may stop it from outside.
    pub stop: Stop,
    /// The strategy that the machine is run with.
    pub strategy: Named,
    /// Whether the runtime is told of every `await`.
    pub contexts: bool,
    /// Whether the trace tells what happens to promises.
    pub promises: bool,
    /// Whether it tells where they are made and awaited, where it tells of places.
    pub awaits: bool,
    /// Whether the trace tells where callbacks are given to the machine.
    pub places: bool,
    /// Whether it tells so of promise jobs, too.
    pub sites: bool,
    /// Whether the trace tells which HTTP requests invocations serve.
    pub names_requests: bool,
    /// Whether the trace tells what is read and written, also if it does not tell what invocations cost.
    pub transfers: bool,
    /// Whether the lines of every text are kept, so that places in it are found without reading it again.
    pub keep_sources: bool,
    /// A clock of processor time, if the trace is to tell what invocations cost.
    pub accounts: Option<fn() -> u64>,
    /// Whether the program tells what it reads and writes.
    pub instrument: Instrument,
    /// Who wants to know where it spends its time.
    pub sampling: Option<Arc<Sampling>>,
    /// Who says how far it runs, and looks at it there.
    pub debug: Option<Debug>,
}

/// What natives and host share.
pub struct State {
    /// How the program is run.
    pub settings: Settings,
    /// What the library registered.
    pub registered: Registered,
    /// What this run has.
    pub run: Run,
    /// What belongs to the engine.
    pub held: Held,
    /// What is known of the steps of the running callback.
    pub interrupts: Interrupts,
    /// What the running callback inherited: all three kinds.
    pub contexts: Contexts,
    /// Texts of the program: known ones are kept.
    pub texts: Texts,
    /// What is known of what the program reads and writes, if it tells.
    pub accesses: Option<Rc<Accesses>>,
    /// What is counted of what it executes, if that is.
    pub coverage: Option<Rc<Counts>>,
    /// What a debugger knows of it, if one runs it.
    pub debug: Option<Rc<Session>>,
    /// Measures what invocations cost, if somebody wants to know.
    pub stopwatch: Option<Stopwatch>,
    /// What was seen of where it spends its time, if somebody looks.
    pub samples: Option<Samples>,
    /// Whether somebody follows the run who has to hear of each callback.
    has_followers: bool,
    /// Itself, for what the engine keeps.
    own: Weak<State>,
}

held! {
    /// What the library registered while it was loaded. It belongs to the engine, and runs that go on from
    /// the same moment have it in common.
    #[derive(Clone, Default)]
    pub struct Registered {
        /// The function that the engine asks about every error.
        pub describe_error: RefCell<Option<Persistent<Function<'static>>>>,
        /// The function that takes an error which a microtask threw.
        pub uncaught: RefCell<Option<Persistent<Function<'static>>>>,
        /// What bytes that come in through the gate inherit from, once there is such a class.
        pub buffer_prototype: RefCell<Option<Persistent<Object<'static>>>>,
        /// What the handles of timers and immediates are, once there are any.
        pub tasks: Cell<Option<Classes>>,
        /// Gives files of the library, once there is one.
        pub library: RefCell<Option<Persistent<Function<'static>>>>,
        /// Objects that are there to be like others, which are made faster for it.
        pub shapes: RefCell<Vec<Owned>>,
        /// Texts of the program that were compiled before.
        pub compiled: Compiled,
        /// Domains that continuations kept alive.
        pub holds: Rc<Holds>,
    }
}

/// Domains that continuations kept alive and do not any more, until the machine is told. What goes on from an
/// earlier moment has the same.
#[derive(Default)]
pub struct Holds(RefCell<Vec<DomainId>>);

impl Holds {
    /// A continuation of a domain is gone.
    pub(crate) fn drop_later(&self, domain: DomainId) {
        self.0.borrow_mut().push(domain);
    }

    /// Whether none is gone of which nobody was told.
    pub fn are_none(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Those that are gone.
    pub fn take(&self) -> Vec<DomainId> {
        self.0.take()
    }

    /// The same for another run that goes on from here.
    pub fn copy(&self) -> Self {
        Self(self.0.clone())
    }

    /// Those are gone that were gone by then, and no others.
    pub fn go_back(&self, then: &Self) {
        self.0.borrow_mut().clone_from(&then.0.borrow());
    }
}

impl LetGo for Rc<Holds> {
    fn let_go(&self) {
        self.0.let_go();
    }
}

/// What one run has.
#[derive(Clone, Default)]
pub struct Run {
    /// Set once the program is to end, with its exit code.
    pub exit: Cell<Option<i32>>,
    /// Why the program was stopped from outside, once it was.
    pub stopped: Cell<Option<Reason>>,
    /// Which promise job, or callback that is none, is running.
    pub job: Cell<u64>,
    /// Whether what is running is a promise job.
    pub in_job: Cell<bool>,
    /// Whether the last of the promise jobs that a batch consists of has run.
    pub batch_ended: Cell<bool>,
    /// The message of the error that the running microtask threw.
    pub job_threw: RefCell<Option<String>>,
    /// Whether something was thrown since the callback began, of which the engine keeps the frames.
    pub threw: Cell<bool>,
    /// Whether the library wants to be called when the tail is over.
    pub wants_after_tail: Cell<bool>,
    /// Whether any label has been used: the library has noted it by then.
    pub labels_in_use: Cell<bool>,
    /// What the running callback was called on, if that is a timer or an immediate.
    pub called_on: CalledOn,
}

held! {
    /// What a run has of the engine.
    #[derive(Default)]
    pub struct Held {
        /// What happened to promises without a handler since the library last asked.
        pub rejections: RefCell<Vec<Rejection>>,
        /// Where callbacks are attached.
        pub sites: Sites,
    }
}

/// What is new with each state.
struct Parts {
    registered: Registered,
    run: Run,
    held: Held,
    contexts: Contexts,
    texts: Texts,
}

/// A promise that was rejected without a handler, or got one afterwards.
#[derive(Clone)]
pub struct Rejection {
    /// The promise.
    pub promise: Persistent<Value<'static>>,
    /// What it was rejected with.
    pub reason: Persistent<Value<'static>>,
    /// Whether it has got a handler.
    pub handled: bool,
}

impl State {
    /// The state of a new engine.
    pub fn new(settings: Settings, compiled: Compiled) -> Rc<Self> {
        let registered = Registered { compiled, ..Registered::default() };
        Self::make(settings, registered, Contexts::default(), None)
    }

    /// The state of an engine in which no program has run yet, for a run with other settings. All that is
    /// not new is what the library has told while it was loaded.
    pub fn again(&self, settings: Settings) -> Rc<Self> {
        Self::make(settings, self.registered.clone(), self.contexts.again(), Some(&self.texts))
    }

    fn make(
        settings: Settings,
        registered: Registered,
        contexts: Contexts,
        texts: Option<&Texts>,
    ) -> Rc<Self> {
        let (accesses, coverage) = match &settings.instrument {
            Instrument::Off => (None, None),
            Instrument::Accesses(shared) => (Some(Accesses::new(Arc::clone(shared))), None),
            Instrument::Coverage(counting) => (None, Some(Counts::new(Arc::clone(counting)))),
        };
        let (accesses, coverage) = (accesses.map(Rc::new), coverage.map(Rc::new));
        let debug = settings.debug.clone().map(|debug| Rc::new(Session::new(debug)));
        let hooks =
            Hooks { accesses: accesses.clone(), debug: debug.clone(), coverage: coverage.clone() };
        let texts = Texts::new(&settings, hooks, texts);
        let stopwatch = settings.accounts.map(Stopwatch::new);
        let (run, held) = (Run::default(), Held::default());
        let parts = Parts { registered, run, held, contexts, texts };
        Self::with(settings, parts, (accesses, coverage, debug, stopwatch))
    }

    /// Whether anybody follows callbacks and is to hear when they begin and end, or bounds them.
    #[inline]
    pub fn is_followed(&self) -> bool {
        self.has_followers || self.contexts.is_used() || self.interrupts.is_watched()
    }

    /// Whether something came up in a callback that its end has to look at.
    #[inline]
    pub fn has_remarks(&self) -> bool {
        self.run.stopped.get().is_some()
            || self.interrupts.has_overrun()
            || self.settings.budget.is_spent()
    }

    /// Whether [`State::go_on`] knows all that a run has by now, between two of its callbacks.
    pub fn can_go_on(&self) -> bool {
        let Self { settings, accesses, coverage, debug, stopwatch, .. } = self;
        let is_followed =
            accesses.is_some() || coverage.is_some() || debug.is_some() || stopwatch.is_some();
        !is_followed
            && !settings.sites
            && !settings.awaits
            && settings.sampling.is_none()
            && !self.is_over()
            && self.interrupts.is_quiet()
            && self.contexts.can_go_on()
    }

    /// The state in the middle of a run, for another with these settings that goes on from there.
    pub fn go_on(&self, settings: Settings) -> Rc<Self> {
        let held = Held { rejections: self.held.rejections.clone(), ..Held::default() };
        let parts = Parts {
            registered: self.registered.clone(),
            run: self.run.clone(),
            held,
            contexts: self.contexts.go_on(),
            texts: Texts::go_on(&settings, &self.texts),
        };
        Self::with(settings, parts, (None, None, None, None))
    }

    #[expect(clippy::type_complexity, reason = "these are those who follow a run")]
    fn with(
        settings: Settings,
        parts: Parts,
        followers: (
            Option<Rc<Accesses>>,
            Option<Rc<Counts>>,
            Option<Rc<Session>>,
            Option<Stopwatch>,
        ),
    ) -> Rc<Self> {
        let Parts { registered, run, held, contexts, texts } = parts;
        let (accesses, coverage, debug, stopwatch) = followers;
        let has_followers = accesses.is_some()
            || debug.is_some()
            || stopwatch.is_some()
            || settings.places
            || settings.promises;
        let samples = settings.sampling.clone().map(Samples::new);
        Rc::new_cyclic(|own| Self {
            settings,
            registered,
            run,
            held,
            interrupts: Interrupts::default(),
            contexts,
            texts,
            accesses,
            coverage,
            debug,
            stopwatch,
            samples,
            has_followers,
            own: Weak::clone(own),
        })
    }

    /// Lets natives of a context find this state.
    pub fn serve(self: &Rc<Self>, ctx: &Ctx<'_>) {
        part::store(ctx, self);
        self.interrupts.serve(ctx);
        if self.samples.is_some() {
            self.interrupts.look_every(&STEPS_BETWEEN);
        }
        let pointer = Rc::as_ptr(self).cast_mut().cast();
        // SAFETY: the context keeps the state as long as it serves it; the bindings do not use this
        // pointer.
        unsafe { qjs::JS_SetContextOpaque(ctx.as_raw().as_ptr(), pointer) };
    }

    /// Whether nothing has happened but what [`State::again`] keeps.
    pub fn is_quiet(&self) -> bool {
        let Run { exit, wants_after_tail, labels_in_use, .. } = &self.run;
        exit.get().is_none()
            && !wants_after_tail.get()
            && !labels_in_use.get()
            && self.registered.holds.are_none()
            && self.held.rejections.borrow().is_empty()
            && !self.contexts.has(u32::MAX)
    }

    /// Itself, for what lives as long as the engine.
    pub fn own(&self) -> Rc<Self> {
        self.own.upgrade().expect("a state is used while it is alive")
    }

    /// Says where files of the library come from.
    pub fn set_library<'js>(&self, ctx: &Ctx<'js>, library: Function<'js>) {
        *self.registered.library.borrow_mut() = Some(Persistent::save(ctx, library));
    }

    /// What a file of the library exports.
    pub fn library<'js>(&self, ctx: &Ctx<'js>, name: &str) -> Result<Object<'js>> {
        let library = self.registered.library.borrow().clone();
        library.expect("the library is there before its parts").restore(ctx)?.call((name,))
    }

    /// The engine asks whether it is to give up what it does: its stack is looked at, if somebody wants that and it is
    /// time for it. Whether it asked for nothing else.
    pub fn looks(&self) -> bool {
        let (Some(samples), Some(ctx)) = (&self.samples, self.interrupts.who_looks()) else {
            return false;
        };
        // SAFETY: the context is let go of before it ends, and the engine waits for an answer.
        samples.look(|| unsafe { functions(ctx, &self.interrupts, DEEPEST) });
        self.interrupts.looked()
    }

    /// Why the program is to be stopped, if it is.
    #[inline]
    pub fn asked_to_stop(&self) -> Option<Reason> {
        let Settings { budget, stop, .. } = &self.settings;
        if budget.is_spent() { Some(Reason::OutOfMemory) } else { stop.asked() }
    }

    /// Whether nothing of the program runs any more.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.run.exit.get().is_some() || self.run.stopped.get().is_some()
    }
}

impl LetGo for State {
    fn let_go(&self) {
        let Self {
            settings: _,
            registered,
            run: _,
            held,
            interrupts,
            contexts,
            texts: _,
            accesses,
            coverage,
            debug,
            stopwatch: _,
            samples: _,
            has_followers: _,
            own: _,
        } = self;
        contexts.let_go();
        interrupts.let_go();
        held.let_go();
        registered.let_go();
        accesses.let_go();
        coverage.let_go();
        debug.let_go();
    }
}

/// The state that belongs to a context.
pub fn state(ctx: &Ctx<'_>) -> Rc<State> {
    part::of(ctx)
}

/// The state that belongs to a context of the engine.
///
/// # Safety
///
/// The context [is served](State::serve), and its host is alive.
#[inline]
pub unsafe fn state_of<'a>(ctx: *mut qjs::JSContext) -> &'a State {
    // SAFETY: the caller's: the pointer has been set, and the host keeps the state.
    unsafe { &*qjs::JS_GetContextOpaque(ctx).cast::<State>() }
}
