//! Callbacks of the machine, called in the engine, and what becomes of them.

use crate::ahead::Ahead;
use hemiola_engine::instrument::Running;
use hemiola_engine::interrupts::Hooks as Passed;
use hemiola_engine::raw::OwnedObject;
use hemiola_engine::state::State as Engine;
use hemiola_engine::values::describe;
use hemiola_engine::{Callback, JavaScript, beyond, bridge, contexts, debug, raw, sites};
use hemiola_gate::{Answer, MAIN, Reason};
use hemiola_machine::{Class as ReadyClass, Context, Input, Outcome, Strategy, Stream};
use hemiola_node::{State, clocks, fs, gate, timers};
use rquickjs::{Array, Ctx, Error, Function, Object, Persistent, Value};
use std::cell::Cell;
use std::rc::Rc;

/// What the machine knows of the engine's own queues.
#[derive(Clone, Default)]
pub(crate) struct Queued {
    /// Whether it knows that promise jobs wait.
    pub(crate) jobs: Cell<bool>,
    /// Whether it knows that rejections wait.
    pub(crate) after_tail: Cell<bool>,
    /// Whether the job that ends a batch waits among the promise jobs.
    pub(crate) batch_marked: Cell<bool>,
}

/// Functions of `internal/bootstrap` that the host calls.
pub(crate) struct Hooks {
    pub(crate) binding: Persistent<Object<'static>>,
    pub(crate) main: Persistent<Function<'static>>,
    pub(crate) uncaught: Persistent<Function<'static>>,
    pub(crate) after_tail: Persistent<Function<'static>>,
    pub(crate) before_exit: Persistent<Function<'static>>,
    pub(crate) exit: Persistent<Function<'static>>,
    pub(crate) stopped: Persistent<Function<'static>>,
    pub(crate) overran: Persistent<Function<'static>>,
    pub(crate) endless: Persistent<Function<'static>>,
    pub(crate) end_batch: Persistent<Function<'static>>,
}

/// How far the program is by the hooks of a debugger, if there is one.
pub(crate) fn passed(state: &Engine) -> Option<Passed> {
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
    pub(crate) fn mark_batch(
        &self,
        ctx: &Ctx<'_>,
        state: &Engine,
        queued: &Queued,
    ) -> rquickjs::Result<()> {
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

/// Calls a callback that nobody follows: then there is nothing before and after it. As [`follow`], gives what became of
/// it, whether it was interrupted, and whether promise jobs wait.
pub(crate) fn plainly(
    engine: &rquickjs::Context,
    hooks: &Hooks,
    library: &State,
    act: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<()>,
) -> (Outcome, bool, bool) {
    let state = &*library.engine;
    engine.with(|ctx| {
        let _telling = sites::Telling::begin(&ctx, state);
        let result = act(&ctx);
        let (outcome, was_interrupted) =
            match result.is_ok() && !state.is_followed() && !state.has_remarks() {
                true => (Outcome::Returned, false),
                false => conclude(&ctx, result, true, hooks, library),
            };
        (outcome, was_interrupted, raw::is_job_pending(&ctx))
    })
}

/// Calls what a callback stands for, and tells those who follow the run of its begin and its end.
pub(crate) fn follow(
    engine: &rquickjs::Context,
    callback: &mut Callback,
    input: Input<Answer>,
    hooks: &Hooks,
    library: &State,
    queued: &Queued,
    ahead: &mut Option<Ahead>,
) -> (Outcome, bool, bool) {
    let state = &*library.engine;
    engine.with(|ctx| {
        let _running = Running::begin(state);
        let _telling = sites::Telling::begin(&ctx, state);
        let result = begin(&ctx, callback, input, hooks, library, queued, ahead);
        let is_invocation = !matches!(callback, Callback::Jobs);
        let (outcome, was_interrupted) = conclude(&ctx, result, is_invocation, hooks, library);
        (outcome, was_interrupted, raw::is_job_pending(&ctx))
    })
}

/// Whether nothing of the running callback's tail is left.
pub(crate) fn is_last_of_tail(context: &Context<'_, JavaScript>, queued: &Queued) -> bool {
    let machine = context.machine();
    !queued.jobs.get()
        && machine.ready(ReadyClass::Tick).is_empty()
        && machine.ready(ReadyClass::Promise).is_empty()
}

/// Calls what a callback stands for, with what comes before it for those who follow the run.
fn begin<'js>(
    ctx: &Ctx<'js>,
    callback: &mut Callback,
    input: Input<Answer>,
    hooks: &Hooks,
    library: &State,
    queued: &Queued,
    ahead: &mut Option<Ahead>,
) -> rquickjs::Result<()> {
    let state = &*library.engine;
    let is_main = matches!(callback, Callback::Main);
    if is_main {
        if bridge::with(|context| context.listens()) {
            contexts::listen(ctx);
        }
        if library.options.shows_chains() {
            // Without memory for it the program ends anyhow.
            let _ = state.library(ctx, "internal/long_stacks");
        }
        if library.options.max_action.is_some() {
            contexts::watch(ctx);
        }
    }
    if !matches!(callback, Callback::Jobs) {
        state.begin_account();
    }
    state.contexts.begin();
    if state.contexts.has(contexts::HOOKS) {
        state.contexts.begin_late(ctx, callback);
    }
    state.interrupts.begin(|| passed(state));
    let ahead = if is_main { ahead.take() } else { None };
    match (ahead, &state.debug) {
        (Some(ahead), _) => ahead.load(ctx, library),
        (None, None) => call(ctx, callback, input, hooks, state, queued),
        (None, Some(debug)) => debugged(ctx, callback, input, hooks, state, queued, debug),
    }
}

/// What became of a call where that is not simply that it returned, or where somebody follows the run; and whether
/// it was interrupted.
fn conclude<'js>(
    ctx: &Ctx<'js>,
    result: rquickjs::Result<()>,
    is_invocation: bool,
    hooks: &Hooks,
    library: &State,
) -> (Outcome, bool) {
    let state = &*library.engine;
    let run = &state.run;
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
    let interruption = state.interrupts.take(ctx);
    let was_interrupted = interruption.is_some();
    let mut outcome = match (result, run.stopped.get(), interruption) {
        (Err(_), _, _) if run.exit.get().is_some() => Outcome::Returned,
        (result, Some(reason), place) => {
            stopped(ctx, result, place.flatten(), reason, hooks, library)
        }
        (result, None, Some(place)) => {
            // The error that was thrown may be a later one.
            let thrown = result.is_err().then(|| ctx.catch());
            overran(ctx, place.or(thrown), hooks, library)
        }
        (Ok(()), None, None) => Outcome::Returned,
        (Err(error), None, None) => {
            let outcome = uncaught(ctx, error, hooks, state);
            bridge::with(|context| context.let_tail_wait());
            outcome
        }
    };
    // It may be stopped in a handler of errors, too.
    if let Some(reason) = run.stopped.get().filter(|_| run.exit.get().is_none()) {
        let place = state.interrupts.take(ctx).flatten();
        outcome = stopped(ctx, Err(Error::Exception), place, reason, hooks, library);
    }
    if is_invocation {
        state.contexts.end(ctx);
        state.contexts.mark(ctx, || bridge::with(|context| context.invocation()));
        state.tell_account();
    }
    if let Some(accesses) = &state.accesses {
        accesses.leave();
    }
    (outcome, was_interrupted)
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
