//! The engine as a host.

use crate::ahead::Ahead;
use hemiola_engine::compiled::Compiled;
use hemiola_engine::instrument::Running;
use hemiola_engine::interrupts::Hooks as Passed;
use hemiola_engine::memory::Budget;
use hemiola_engine::part::LetGo;
use hemiola_engine::raw::OwnedObject;
use hemiola_engine::state::{Holds, Rejection, State as Engine};
use hemiola_engine::values::describe;
use hemiola_engine::{
    Callback, JavaScript, beyond, bridge, contexts, debug, evals, familiar, json, raw, shapes,
    shared, sites, task,
};
use hemiola_gate::{Answer, MAIN, Reason};
use hemiola_machine::{
    Class as ReadyClass, Context, DomainId, Eagerness, Group, Host, Input, Outcome, Progress,
    Signal, Site, Strategy, Stream,
};
use hemiola_node::{Memory, ModuleLoader, Options, State};
use hemiola_node::{clocks, fs, gate, timers};
use rquickjs::allocator::Allocator;
use rquickjs::{Array, Ctx, Error, Function, Object, Persistent, Runtime, Value};
use std::cell::Cell;
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

/// What the machine knows of the engine's own queues.
#[derive(Clone, Default)]
pub(crate) struct Queued {
    /// Whether it knows that promise jobs wait.
    jobs: Cell<bool>,
    /// Whether it knows that rejections wait.
    after_tail: Cell<bool>,
    /// Whether the job that ends a batch waits among the promise jobs.
    batch_marked: Cell<bool>,
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
    overran: Persistent<Function<'static>>,
    endless: Persistent<Function<'static>>,
    end_batch: Persistent<Function<'static>>,
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

/// How far the program is by the hooks of a debugger, if there is one.
fn passed(state: &Engine) -> Option<Passed> {
    state.debug.as_ref().map(|debug| debug.hooks())
}

/// Whether a batch of promise jobs takes in what its own jobs queue.
fn drains(state: &Engine) -> bool {
    !state.settings.strategy.divides_tails()
}

impl Hooks {
    /// Runs the promise jobs of one batch.
    fn run_jobs(&self, ctx: &Ctx<'_>, state: &Engine, queued: &Queued) -> rquickjs::Result<()> {
        state.run.batch_ended.set(false);
        self.mark_batch(ctx, state, queued)?;
        state.run.in_job.set(true);
        let result = run_each_job(ctx, state, queued);
        state.run.in_job.set(false);
        result
    }

    /// Puts the end of the batch behind the promise jobs that wait now, unless it is among them.
    fn mark_batch(&self, ctx: &Ctx<'_>, state: &Engine, queued: &Queued) -> rquickjs::Result<()> {
        if drains(state) || queued.batch_marked.replace(true) {
            return Ok(());
        }
        self.end_batch.clone().restore(ctx)?.call(())
    }
}

/// Runs jobs, each as an invocation of its own (rule CTX-1). A job counts for the domain that it was
/// linked from, and says so itself: whose tail it runs in does not matter.
fn run_each_job(ctx: &Ctx<'_>, state: &Engine, queued: &Queued) -> rquickjs::Result<()> {
    let run = &state.run;
    let mut count: u32 = 0;
    while raw::is_job_pending(ctx) {
        state.begin_account();
        state.contexts.begin_job();
        state.contexts.begin_late_job(ctx);
        if let Some(debug) = &state.debug {
            debug.began(bridge::with(|context| context.invocation().0));
        }
        state.interrupts.begin(|| passed(state));
        count = count.wrapping_add(1);
        if count.is_multiple_of(JOBS_PER_BREATH) {
            breathe_between_jobs(state);
        }
        let ran = beyond::run_job(ctx);
        let overran = state.interrupts.has_unwound();
        run.job.set(run.job.get() + 1);
        if state.contexts.was_mark() || run.batch_ended.get() {
            state.drop_account();
            bridge::with(|context| context.drop_job());
        } else {
            if let Some(debug) = &state.debug {
                debug.ended(ctx, state);
            }
            state.contexts.end(ctx);
            state.contexts.mark(ctx, || bridge::with(|context| context.invocation()));
            let overran = overran && run.stopped.get().is_none();
            let threw = run.job_threw.take().or_else(|| overran.then(|| "interrupted".into()));
            let outcome = threw.map_or(Outcome::Returned, Outcome::Threw);
            state.tell_account();
            bridge::with(|context| {
                if !drains(state) {
                    // It is over by itself, and its clock with it if nothing else is on it (rule TIME-11).
                    let dropped = state.registered.holds.take();
                    dropped.into_iter().for_each(|domain| context.drop_hold(Some(domain)));
                }
                context.end_job(outcome);
            });
        }
        if !ran? || state.is_over() || overran {
            break;
        }
        if run.batch_ended.get() {
            queued.batch_marked.set(false);
            break;
        }
    }
    Ok(())
}

/// How many jobs in a row the world hears of as it does of a long computation.
const JOBS_PER_BREATH: u32 = 250;

/// Jobs are short, so that the engine asks rarely; where callbacks are bounded it begins to count anew with each
/// of them, and would never ask.
fn breathe_between_jobs(state: &Engine) {
    bridge::with(|context| context.breathe_between_jobs());
    if state.asked_to_stop().is_some() {
        state.interrupts.ask_between_jobs();
    }
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
            Callback::Immediate(task) | Callback::Timer(task) => task.site(),
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
        let running = Running::begin(&self.state.engine);
        let Self { hooks, context: engine, state, queued, ahead } = self;
        let (library, state) = (&*state, &*state.engine);
        let run = &state.run;
        run.job.set(run.job.get() + 1);
        let (outcome, jobs) = engine.with(|ctx| {
            let _telling = sites::Telling::begin(&ctx, state);
            let is_main = matches!(callback, Callback::Main);
            if is_main && bridge::with(|context| context.listens()) {
                contexts::listen(&ctx);
            }
            if is_main && library.options.shows_chains() {
                // Without memory for it the program ends anyhow.
                let _ = state.library(&ctx, "internal/long_stacks");
            }
            if is_main && library.options.max_action.is_some() {
                contexts::watch(&ctx);
            }
            let is_invocation = !matches!(callback, Callback::Jobs);
            if is_invocation {
                state.begin_account();
            }
            state.contexts.begin();
            if state.contexts.has(contexts::HOOKS) {
                state.contexts.begin_late(&ctx, callback);
            }
            let ahead = if is_main { ahead.take() } else { None };
            state.interrupts.begin(|| passed(state));
            let result = match (ahead, &state.debug) {
                (Some(ahead), _) => ahead.load(&ctx, library),
                (None, None) => call(&ctx, callback, input, hooks, state, queued),
                (None, Some(debug)) => debugged(&ctx, callback, input, hooks, state, queued, debug),
            };
            if state.settings.budget.is_spent() && run.stopped.get().is_none() {
                // Whatever became of it, it is not what the program says.
                run.stopped.set(Some(Reason::OutOfMemory));
            }
            if result.is_err()
                && run.stopped.get().is_none()
                && let Some(reason) = state.settings.stop.asked()
            {
                // What was given up for a stop fails, and the engine may not have asked since.
                run.stopped.set(Some(reason));
                state.settings.stop.hear();
            }
            let interruption = state.interrupts.take(&ctx);
            let was_interrupted = interruption.is_some();
            let mut outcome = match (result, run.stopped.get(), interruption) {
                (Err(_), _, _) if run.exit.get().is_some() => Outcome::Returned,
                (result, Some(reason), place) => {
                    stopped(&ctx, result, place.flatten(), reason, hooks, library)
                }
                (result, None, Some(place)) => {
                    // The error that was thrown may be a later one.
                    let thrown = result.is_err().then(|| ctx.catch());
                    overran(&ctx, place.or(thrown), hooks, library)
                }
                (Ok(()), None, None) => Outcome::Returned,
                (Err(error), None, None) => {
                    let outcome = uncaught(&ctx, error, hooks, state);
                    bridge::with(|context| context.let_tail_wait());
                    outcome
                }
            };
            // It may be stopped in a handler of errors, too.
            if let Some(reason) = run.stopped.get().filter(|_| run.exit.get().is_none()) {
                let place = state.interrupts.take(&ctx).flatten();
                outcome = stopped(&ctx, Err(Error::Exception), place, reason, hooks, library);
            }
            if is_invocation {
                state.contexts.end(&ctx);
                state.contexts.mark(&ctx, || bridge::with(|context| context.invocation()));
                state.tell_account();
            }
            if let Some(accesses) = &state.accesses {
                accesses.leave();
            }
            drop(running);
            drop(entered);
            // Marks of a trace may be left of a batch that was interrupted: so that they change nothing, one
            // follows also where none are.
            (outcome, raw::is_job_pending(&ctx) || was_interrupted)
        });
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

/// Whether nothing of the running callback's tail is left.
fn is_last_of_tail(context: &Context<'_, JavaScript>, queued: &Queued) -> bool {
    let machine = context.machine();
    !queued.jobs.get()
        && machine.ready(ReadyClass::Tick).is_empty()
        && machine.ready(ReadyClass::Promise).is_empty()
}

/// Calls what a callback stands for, under the eyes of a debugger.
fn debugged<'js>(
    ctx: &Ctx<'js>,
    callback: &mut Callback,
    input: Input<Answer>,
    hooks: &Hooks,
    state: &Engine,
    queued: &Queued,
    debug: &Rc<debug::Session>,
) -> rquickjs::Result<()> {
    if matches!(callback, Callback::Main) && !debug::begin(ctx, state, debug)? {
        return Err(beyond::throw_uncatchable(ctx));
    }
    // Promise jobs are invocations of their own.
    if matches!(callback, Callback::Jobs) {
        return call(ctx, callback, input, hooks, state, queued);
    }
    debug.began(bridge::with(|context| context.invocation().0));
    let result = call(ctx, callback, input, hooks, state, queued);
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
    state: &Engine,
    queued: &Queued,
) -> rquickjs::Result<()> {
    match callback {
        Callback::Main => hooks.main.clone().restore(ctx)?.call(()),
        Callback::BeforeExit => hooks.before_exit.clone().restore(ctx)?.call(()),
        Callback::Exit => hooks.exit.clone().restore(ctx)?.call(()),
        Callback::Call(function, args) => raw::call_kept(ctx, function, args),
        Callback::Task(function, _) => raw::call_kept(ctx, function, &None),
        Callback::Answered(function, _) => match input {
            Input::Answer(answer) => gate::answer(ctx, &function.to_function(ctx)?, answer),
            Input::Nothing | Input::Lag(_) => {
                unreachable!("an operation's callback gets its answer")
            }
        },
        Callback::File(reader) => match input {
            Input::Answer(answer) => fs::answered(ctx, reader, answer),
            Input::Nothing | Input::Lag(_) => unreachable!("who waits for a file gets an answer"),
        },
        Callback::For(_, callback) | Callback::Holding(_, callback) => {
            call(ctx, callback, input, hooks, state, queued)
        }
        Callback::Counted(medium, callback) => {
            if let Input::Answer(answer) = &input {
                state.count_answer(*medium, answer);
            }
            call(ctx, callback, input, hooks, state, queued)
        }
        Callback::Consumed(consumer) => match (consumer.take(), input) {
            (Some(consumer), Input::Answer(answer)) => consumer.answered(ctx, answer),
            _ => unreachable!("an operation's callback runs once, and gets its answer"),
        },
        Callback::Timer(timeout) => timers::fire(ctx, timeout),
        Callback::Immediate(immediate) => immediate.fire_once(ctx),
        Callback::Message(function, keeps_alive) => {
            timers::deliver(&function.to_function(ctx)?, *keeps_alive)
        }
        Callback::Late(handler) => clocks::tell(&handler.to_function(ctx)?, &input),
        Callback::Within(bound) => {
            let (scope, callback) = &mut **bound;
            let is_cleared = matches!(callback, Callback::Immediate(one) if one.is_cleared());
            if !is_cleared {
                contexts::run_within(ctx, scope);
            }
            call(ctx, callback, input, hooks, state, queued)
        }
        Callback::Jobs => {
            queued.jobs.set(false);
            hooks.run_jobs(ctx, state, queued)
        }
        Callback::AfterTail => {
            queued.after_tail.set(false);
            // Something may have joined the tail since; then it is not over, and comes back here.
            if bridge::with(|context| is_last_of_tail(context, queued)) {
                hooks.after_tail.clone().restore(ctx)?.call(())
            } else {
                Ok(())
            }
        }
    }
}

/// What is said of a program that does not let virtual time pass, and so would never come to its end.
pub(crate) const STILL_COMPUTES: &str = "the virtual time is up (--until), and this still computes";

/// Says where a program was when it was stopped, and ends it. The error that was thrown may be a later one than that
/// which knows the `place`.
fn stopped<'js>(
    ctx: &Ctx<'js>,
    result: rquickjs::Result<()>,
    place: Option<Value<'js>>,
    reason: Reason,
    hooks: &Hooks,
    library: &State,
) -> Outcome {
    let (run, settings) = (&library.engine.run, &library.engine.settings);
    let thrown = match result {
        Err(Error::Exception) => Some(ctx.catch()),
        // What interrupts a module rejects its promise.
        _ => interruption(ctx, &library.engine),
    };
    let place = place.or(thrown).unwrap_or_else(|| Value::new_undefined(ctx.clone()));
    // A program with handlers of its own still gets its exit code; its `finally` blocks do not run.
    let why = match reason {
        Reason::Interrupted => "interrupted".into(),
        Reason::Terminated => "asked to end".into(),
        Reason::TimedOut => "the time is up (--timeout)".into(),
        Reason::PastTheEnd => STILL_COMPUTES.into(),
        // Nobody is told: whoever ended it knows.
        Reason::Ended => {
            run.exit.set(Some(reason.exit_code()));
            return Outcome::Returned;
        }
        Reason::OutOfMemory if library.options.member.machine != MAIN => {
            run.exit.set(Some(hemiola_node::OUT_OF_MEMORY));
            return Outcome::Returned;
        }
        Reason::OutOfMemory => {
            let limit = settings.budget.limit() / (1024 * 1024);
            format!("out of memory: the limit is {limit} MiB (--memory-limit)")
        }
    };
    let hook = hooks.stopped.clone().restore(ctx);
    if hook.and_then(|hook| hook.call::<_, ()>((why.as_str(), place))).is_err() {
        // There is not even memory to say where.
        ctx.catch();
        let _ = bridge::with(|context| context.write(Stream::Err, &format!("{why}\n")));
    }
    run.exit.set(Some(reason.exit_code()));
    Outcome::Returned
}

/// Ends a callback that ran for too long, and with it its action (rule TIME-14): the handler of its watchdog
/// is the next one. Without a handler the error is one that nobody caught.
fn overran<'js>(
    ctx: &Ctx<'js>,
    place: Option<Value<'js>>,
    hooks: &Hooks,
    library: &State,
) -> Outcome {
    let engine = &*library.engine;
    let (guard, limit) = bridge::with(|context| (context.guarded_by(), context.may_run()));
    let millis = limit.map_or(0.0, |limit| limit.as_micros() as f64 / 1000.0);
    let label = guard.as_ref().map(|label| label.as_str());
    let hook = hooks.overran.clone().restore(ctx);
    let told = hook.and_then(|hook| hook.call::<_, Array<'_>>((place, label, millis)));
    let parts = told.and_then(|told| Ok((told.get::<Value<'_>>(0)?, told.get::<Value<'_>>(1)?)));
    let (error, handler) = match parts {
        Ok(parts) => parts,
        Err(error) => return uncaught(ctx, error, hooks, engine),
    };
    let Some(handler) = handler.into_function() else {
        bridge::with(|context| context.interrupted(None));
        let thrown = ctx.throw(error);
        return uncaught(ctx, thrown, hooks, engine);
    };
    let message = describe(&error);
    let callback = Callback::Message(OwnedObject::of(&handler), true);
    let callback = contexts::bind(ctx.into(), c"WATCHDOG", callback);
    bridge::with(|context| context.interrupted(Some(callback)));
    Outcome::Threw(message)
}

/// The error by which the engine gave up what it did, if it made a promise fail.
fn interruption<'js>(ctx: &Ctx<'js>, state: &Engine) -> Option<Value<'js>> {
    let reason = state.held.rejections.borrow().last()?.reason.clone().restore(ctx).ok()?;
    let message = reason.as_exception()?.message()?;
    (message == "interrupted").then_some(reason)
}

/// Gives an error that nobody caught to the program's handlers, or ends it.
fn uncaught(ctx: &Ctx<'_>, error: Error, hooks: &Hooks, state: &Engine) -> Outcome {
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
    if handled.is_err() && !state.is_over() {
        // The handler itself failed: nothing is left but to say so and to stop.
        let failure = describe(&ctx.catch());
        let text = format!("{message}\nthe handler of uncaught errors failed, too: {failure}\n");
        // There is nobody left to tell when that fails.
        let _ = bridge::with(|context| context.write(Stream::Err, &text));
        state.run.exit.set(Some(7));
    }
    Outcome::Threw(message)
}
