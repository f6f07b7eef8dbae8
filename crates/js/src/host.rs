//! The engine as a host.

use crate::binding;
use crate::bridge;
use crate::bytes;
use crate::library;
use crate::modules::{Disk, ModuleLoader, Modules};
use crate::raw::{self, Owned};
use crate::task;
use crate::timers;
use hemiola_machine::{
    Class as ReadyClass, Context, Group, Host, Input, Outcome, Progress, Stream,
};
use rquickjs::{Ctx, Error, Function, JsLifetime, Object, Persistent, Runtime, Value};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// Something that the machine can run.
pub enum Callback {
    /// The program.
    Main,
    /// A function with its arguments.
    #[expect(private_interfaces, reason = "opaque to everybody else")]
    Call(Owned, Box<[Owned]>),
    /// A timer.
    #[expect(private_interfaces, reason = "opaque to everybody else")]
    Timer(Owned),
    /// An immediate.
    #[expect(private_interfaces, reason = "opaque to everybody else")]
    Immediate(Owned),
    /// The promise jobs that wait in the engine, until there are none.
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
    /// The current directory.
    pub cwd: String,
    /// Environment variables.
    pub env: Vec<(String, String)>,
    /// How much memory the engine may take; 0 is no limit.
    pub memory_limit: usize,
    /// What to run.
    pub entry: Entry,
    /// Where modules are read from.
    pub disk: Arc<dyn Disk>,
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
    pub(crate) rejections: RefCell<Vec<Rejection>>,
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
    main: Persistent<Function<'static>>,
    uncaught: Persistent<Function<'static>>,
    after_tail: Persistent<Function<'static>>,
    before_exit: Persistent<Function<'static>>,
    exit: Persistent<Function<'static>>,
}

/// How deep the engine's stack may grow. It is turned into a RangeError in time.
const STACK: usize = 4 * 1024 * 1024;

/// How much is allocated before cycles are looked for the first time, in bytes. The library alone is
/// more than the engine's own threshold, and most programs end before they need any of it back.
const GARBAGE: usize = 16 * 1024 * 1024;

impl Js {
    /// Starts an engine.
    pub fn new(options: Options) -> Result<Self, StartError> {
        let fail = |error: Error| StartError(error.to_string());
        let runtime = Runtime::new().map_err(fail)?;
        runtime.set_max_stack_size(STACK);
        runtime.set_gc_threshold(GARBAGE);
        if options.memory_limit > 0 {
            runtime.set_memory_limit(options.memory_limit);
        }
        let context = rquickjs::Context::full(&runtime).map_err(fail)?;
        runtime.set_loader(ModuleLoader, ModuleLoader);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(
            |ctx, promise, reason, handled| {
                let state = state(&ctx);
                let promise = Persistent::save(&ctx, promise);
                let reason = Persistent::save(&ctx, reason);
                state.rejections.borrow_mut().push(Rejection { promise, reason, handled });
                state.wants_after_tail.set(true);
            },
        )));
        let disk = Arc::clone(&options.disk);
        let state = Rc::new(State {
            options,
            exit: Cell::new(None),
            jobs_queued: Cell::new(false),
            after_tail_queued: Cell::new(false),
            wants_after_tail: Cell::new(false),
            modules: Modules::new(disk),
            rejections: RefCell::new(Vec::new()),
        });
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

    /// The exit code, once the program is to end.
    pub fn exit_code(&self) -> Option<i32> {
        self.state.exit.get()
    }
}

impl Drop for Js {
    fn drop(&mut self) {
        // Nothing of the engine may outlive it.
        self.state.rejections.take();
    }
}

/// Sets up the globals and gives the functions that the host calls.
fn start<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<Hooks> {
    let _ = ctx.store_userdata(Shared(Rc::clone(state)));
    let binding = Object::new(ctx.clone())?;
    binding::install(ctx, &binding)?;
    bytes::install(ctx, &binding)?;
    timers::install(ctx, &binding)?;
    let bootstrap =
        library::body(ctx, "internal/bootstrap")?.expect("the bootstrap is in the library");
    let module = Object::new(ctx.clone())?;
    let exports = Object::new(ctx.clone())?;
    bootstrap.call::<_, ()>((exports.clone(), rquickjs::Undefined, module, binding))?;
    let hook = |name: &str| -> rquickjs::Result<Persistent<Function<'static>>> {
        Ok(Persistent::save(ctx, exports.get::<_, Function<'js>>(name)?))
    };
    Ok(Hooks {
        main: hook("main")?,
        uncaught: hook("uncaught")?,
        after_tail: hook("afterTail")?,
        before_exit: hook("beforeExit")?,
        exit: hook("exit")?,
    })
}

impl Host for Js {
    type Callback = Callback;
    type Request = ();
    type Answer = ();

    fn expect(&self, callback: &Callback, very_soon: bool) {
        if let Callback::Timer(timeout) = callback {
            task::prefetch(timeout, very_soon);
        }
    }

    fn run(
        &mut self,
        callback: &mut Callback,
        _: Input<()>,
        context: &mut Context<'_, Self>,
    ) -> Progress {
        let entered = bridge::enter(context);
        let Self { hooks, context: engine, state, .. } = self;
        let (outcome, jobs) = engine.with(|ctx| {
            let result = call(&ctx, callback, hooks, state);
            let outcome = match result {
                Ok(()) => Outcome::Returned,
                Err(_) if state.exit.get().is_some() => Outcome::Returned,
                Err(error) => uncaught(&ctx, error, hooks),
            };
            drop(entered);
            (outcome, raw::is_job_pending(&ctx))
        });
        if state.exit.get().is_some() {
            return Progress::Halted;
        }
        if jobs && !self.state.jobs_queued.replace(true) {
            context.queue(ReadyClass::Promise, Group::default(), Callback::Jobs);
        }
        if self.state.wants_after_tail.get() && !self.state.after_tail_queued.replace(true) {
            context.queue(ReadyClass::Promise, Group::default(), Callback::AfterTail);
        }
        Progress::Done(outcome)
    }
}

/// Calls what a callback stands for.
fn call<'js>(
    ctx: &Ctx<'js>,
    callback: &mut Callback,
    hooks: &Hooks,
    state: &State,
) -> rquickjs::Result<()> {
    match callback {
        Callback::Main => hooks.main.clone().restore(ctx)?.call(()),
        Callback::BeforeExit => hooks.before_exit.clone().restore(ctx)?.call(()),
        Callback::Exit => hooks.exit.clone().restore(ctx)?.call(()),
        Callback::Call(function, args) => timers::fire_call(ctx, function, args),
        Callback::Timer(timeout) => timers::fire(ctx, timeout),
        Callback::Immediate(immediate) => timers::fire_immediate(ctx, immediate),
        Callback::Jobs => {
            state.jobs_queued.set(false);
            while state.exit.get().is_none() && ctx.execute_pending_job() {}
            Ok(())
        }
        Callback::AfterTail => {
            state.after_tail_queued.set(false);
            hooks.after_tail.clone().restore(ctx)?.call(())
        }
    }
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
        bridge::with(|context| context.write(Stream::Err, &text));
        state(ctx).exit.set(Some(7));
    }
    Outcome::Threw(message)
}

fn describe(thrown: &Value<'_>) -> String {
    match thrown.as_exception() {
        Some(error) => error.to_string(),
        None => thrown.as_string().and_then(|text| text.to_string().ok()).unwrap_or_default(),
    }
}
