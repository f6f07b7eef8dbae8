//! The engine as a host.

use crate::ahead::Ahead;
use crate::calls::{Hooks, Queued, follow, is_last_of_tail, passed, plainly};
use hemiola_engine::compiled::Compiled;
use hemiola_engine::memory::Budget;
use hemiola_engine::part::LetGo;
use hemiola_engine::raw::OwnedObject;
use hemiola_engine::state::{Holds, Rejection, State as Engine};
use hemiola_engine::{
    Callback, JavaScript, beyond, bridge, contexts, evals, failing, familiar, json, proxies, raw,
    shapes, shared, task,
};
use hemiola_gate::{Answer, Reason};
use hemiola_machine::{
    Class as ReadyClass, Context, DomainId, Eagerness, Group, Host, Input, Progress, Signal, Site,
};
use hemiola_node::timers;
use hemiola_node::{Memory, ModuleLoader, Options, State};
use rquickjs::allocator::Allocator;
use rquickjs::{Ctx, Error, Function, Persistent, Runtime, Value};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// The engine could not be started.
#[derive(Debug)]
pub struct StartError(String);

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start the engine: {}", self.0)
    }
}

impl std::error::Error for StartError {}

/// JavaScript as a host.
pub struct Js {
    // The functions go before the context.
    hooks: Hooks,
    context: rquickjs::Context,
    state: Rc<State>,
    queued: Queued,
    /// What is loaded in the place of the program, if anything is.
    ahead: Option<Ahead>,
}

/// How much is allocated before cycles are looked for the first time, in bytes. The library alone is
/// more than the engine's own threshold, and most programs end before they need any of it back.
const GARBAGE: usize = 16 * 1024 * 1024;

impl Js {
    /// Starts an engine.
    pub fn new(options: Options) -> Result<Self, StartError> {
        let budget = Budget::new(options.memory_limit, options.member.hub.room().clone());
        Self::with_memory(options, budget.clone(), budget, Compiled::default(), None)
    }

    /// Starts an engine that takes its memory from there.
    pub(crate) fn with_memory(
        options: Options,
        budget: Budget,
        memory: impl Allocator + 'static,
        compiled: Compiled,
        said: Option<Arc<Memory>>,
    ) -> Result<Self, StartError> {
        let fail = |error: Error| StartError(error.to_string());
        let runtime = Runtime::new_with_alloc(memory).map_err(fail)?;
        runtime.set_gc_threshold(GARBAGE);
        let context = rquickjs::Context::full(&runtime).map_err(fail)?;
        // The bindings take more than 16 MiB for no limit at all.
        context.with(|ctx| beyond::limit_stack(&ctx, options.stack_limit));
        shared::install(&context, &budget);
        runtime.set_loader(ModuleLoader, ModuleLoader);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(
            |ctx, promise, reason, handled| {
                let state = hemiola_engine::state::state(&ctx);
                if !handled {
                    contexts::rejected(&ctx, &promise);
                }
                let promise = Persistent::save(&ctx, promise);
                let reason = Persistent::save(&ctx, reason);
                let rejection = Rejection { promise, reason, handled };
                state.held.rejections.borrow_mut().push(rejection);
                state.run.wants_after_tail.set(true);
            },
        )));
        match context.with(|ctx| familiar::check(&ctx)) {
            Ok(None) => {}
            Ok(Some(what)) => return Err(StartError(what)),
            Err(error) => return Err(fail(error)),
        }
        context.with(|ctx| evals::install(&ctx));
        context.with(|ctx| proxies::install(&ctx));
        context.with(|ctx| json::install(&ctx)).map_err(fail)?;
        let engine = Engine::new(options.settings(budget), compiled);
        let state = State::new(engine, options, said);
        watch(&runtime, &state);
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
        Ok(Self { hooks, context, state, queued: Queued::default(), ahead: None })
    }

    /// Gives an engine that was put back to an earlier moment what it had then, for a run with these
    /// options; `past` is the state of that moment.
    pub(crate) fn begin_again(&mut self, past: &State, options: Options) -> Result<(), StartError> {
        let budget = past.engine.settings.budget.clone();
        past.engine.registered.holds.go_back(&Holds::default());
        let engine = past.engine.again(options.settings(budget));
        self.set_state(past.again(engine, options));
        let installed = self.context.with(|ctx| {
            beyond::note_stack(&ctx);
            hemiola_node::install_options(&ctx, &self.hooks.binding.clone().restore(&ctx)?)
        });
        installed.map_err(|error| StartError(error.to_string()))
    }

    /// Whether another run could go on from here, between two callbacks.
    pub(crate) fn can_go_on(&self) -> bool {
        self.state.can_go_on()
    }

    /// Gives an engine that was put back to the middle of a run what it had then, for another with these options;
    /// the others are of that moment.
    pub(crate) fn go_on(&mut self, past: &State, queued: &Queued, holds: &Holds, options: Options) {
        let budget = past.engine.settings.budget.clone();
        let engine = past.engine.go_on(options.settings(budget));
        self.set_state(past.go_on(engine, options));
        self.queued = queued.clone();
        past.engine.registered.holds.go_back(holds);
        self.context.with(|ctx| beyond::note_stack(&ctx));
    }

    /// What the machine knows of the engine's own queues.
    pub(crate) fn queued(&self) -> Queued {
        self.queued.clone()
    }

    /// Domains that continuations kept alive, of which the machine is not told yet.
    pub(crate) fn holds(&self) -> Holds {
        self.state.engine.registered.holds.copy()
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
            state.engine.serve(&ctx);
            state.serve(&ctx);
        });
        watch(self.context.runtime(), &state);
        self.queued = Queued::default();
        std::mem::replace(&mut self.state, state)
    }

    pub(crate) fn state(&self) -> &Rc<State> {
        &self.state
    }

    pub(crate) fn context(&self) -> &rquickjs::Context {
        &self.context
    }

    /// Loads something in the place of the program, once.
    pub(crate) fn load_ahead(&mut self, ahead: Ahead) {
        self.ahead = Some(ahead);
    }

    /// The exit code, once the program is to end.
    pub fn exit_code(&self) -> Option<i32> {
        self.state.engine.run.exit.get()
    }

    /// Tells what of the program was executed, if somebody wants to know.
    pub(crate) fn tell_coverage(&self) {
        if let Some(coverage) = &self.state.engine.coverage {
            self.context.with(|ctx| coverage.tell(&ctx));
        }
    }

    /// Tells where the program has spent its time, if somebody wants to know.
    pub(crate) fn tell_samples(&self, machine: u64) {
        let State { engine, .. } = &*self.state;
        if let Some(samples) = &engine.samples {
            samples.tell(machine, |function| {
                let (line, column) = function.place;
                engine.texts.column(&function.file, line, column)
            });
        }
    }

    /// How much memory it uses.
    pub(crate) fn budget(&self) -> Budget {
        self.state.engine.settings.budget.clone()
    }

    /// Why the program is to be stopped from outside, if it is.
    #[inline]
    pub(crate) fn asked_to_stop(&self) -> Option<Reason> {
        self.state.engine.asked_to_stop()
    }
}

/// Lets an engine ask after every few thousand steps whether it is to give up what it does.
fn watch(runtime: &Runtime, state: &State) {
    let watched = Rc::clone(&state.engine);
    runtime.set_interrupt_handler(Some(Box::new(move || interrupts(&watched))));
}

/// Whether the engine is to give up what it does, until it has: somebody asks for that, or a callback ran for too long.
fn interrupts(state: &Engine) -> bool {
    if state.looks() {
        return false;
    }
    if state.run.stopped.get().is_some() {
        return state.interrupts.is_over();
    }
    if state.settings.stop.gives_up_line() {
        state.interrupts.unwind();
        return true;
    }
    let breathe = || bridge::is_entered() && bridge::with(|context| context.breathe());
    let overruns = state.interrupts.overruns(|| passed(state), breathe);
    let asked = state.asked_to_stop();
    if asked.is_some() {
        state.run.stopped.set(asked);
        state.settings.stop.hear();
        state.interrupts.unwind();
    }
    asked.is_some() || overruns
}

impl Drop for Js {
    fn drop(&mut self) {
        // Nothing of the engine may outlive it.
        self.state.let_go();
    }
}

/// Sets up the globals and gives the functions that the host calls.
fn start<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<Hooks> {
    shapes::keep(ctx, &state.engine)?;
    contexts::install(ctx, &state.engine)?;
    state.serve(ctx);
    let (binding, exports) = hemiola_node::start(ctx)?;
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
        overran: hook("overran")?,
        endless: hook("endless")?,
        end_batch: hook("endBatch")?,
    })
}

impl Host for Js {
    type Language = JavaScript;

    fn site(&self, callback: &Callback) -> Option<Site> {
        match callback {
            Callback::Task(_, site) | Callback::For(site, _) => Some(*site),
            Callback::Immediate(immediate) => immediate.site(),
            Callback::Timer(timer) => timer.site(),
            Callback::Within(bound) => self.site(&bound.1),
            Callback::Counted(_, callback) | Callback::Holding(_, callback) => self.site(callback),
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
            Callback::Timer(timeout) => timeout.eagerness(),
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

    #[inline]
    fn dropped_holds(&mut self) -> Vec<DomainId> {
        // As nearly always there are none, and this is asked for every callback.
        let holds = &self.state.engine.registered.holds;
        if holds.are_none() { Vec::new() } else { holds.take() }
    }

    fn begin_batch(&mut self) {
        if self.queued.jobs.get() {
            let Self { hooks, state, queued, .. } = self;
            // Without memory for the mark the program ends anyhow.
            let _ = self.context.with(|ctx| hooks.mark_batch(&ctx, &state.engine, queued));
        }
    }

    fn run(
        &mut self,
        callback: &mut Callback,
        input: Input<Answer>,
        context: &mut Context<'_, JavaScript>,
    ) -> Progress {
        let entered = bridge::enter(context);
        let Self { hooks, context: engine, state, queued, ahead } = self;
        let (library, state) = (&*state, &*state.engine);
        let run = &state.run;
        run.job.set(run.job.get() + 1);
        if run.threw.take() {
            engine.with(|ctx| failing::forget_frames(&ctx));
        }
        let is_followed = state.is_followed();
        let (outcome, was_interrupted, jobs) = match callback {
            Callback::Timer(timeout) if !is_followed => {
                plainly(engine, hooks, library, |ctx| timers::fire(ctx, timeout))
            }
            Callback::Immediate(immediate) if !is_followed => {
                plainly(engine, hooks, library, |ctx| immediate.fire_once(ctx))
            }
            Callback::Call(function, args) if !is_followed => {
                plainly(engine, hooks, library, |ctx| raw::call_kept(ctx, function, args))
            }
            _ => follow(engine, callback, input, hooks, library, queued, ahead),
        };
        drop(entered);
        // Marks of a trace may be left of a batch that was interrupted: so that they change nothing, one follows also
        // where none are.
        let jobs = jobs || was_interrupted;
        if state.is_over() {
            return Progress::Halted;
        }
        if jobs && !queued.jobs.replace(true) {
            context.queue_batch(ReadyClass::Promise, Callback::Jobs);
        }
        if run.wants_after_tail.get()
            && is_last_of_tail(context, queued)
            && !queued.after_tail.replace(true)
        {
            // What is told may begin a tail of its own, and the ticks of that come first, as in Node.
            context.queue(ReadyClass::Tick, Group::default(), Callback::AfterTail);
        }
        Progress::Done(outcome)
    }

    fn take_in(
        &mut self,
        callback: Callback,
        answer: Answer,
        _: &mut Context<'_, JavaScript>,
    ) -> Option<(Callback, Answer)> {
        Some((callback, answer))
    }

    fn endless(&mut self, label: &str) -> Option<Callback> {
        let hook = self.hooks.endless.clone();
        self.context.with(|ctx| {
            let told = hook.restore(&ctx).and_then(|hook| hook.call::<_, Function<'_>>((label,)));
            // Without memory for it nobody is told.
            let told = told.ok()?;
            Some(Callback::Message(OwnedObject::of(&told), true))
        })
    }

    fn resume(&mut self, _: &mut Context<'_, JavaScript>) -> Progress {
        unreachable!("a callback of this host runs to its end")
    }

    fn signal(&mut self, _: Signal, _: &mut Context<'_, JavaScript>) {
        unreachable!("no world of this host does anything by itself")
    }
}
