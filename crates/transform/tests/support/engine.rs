//! Runs texts in the engine and collects what they log.

use hemiola_transform::{CONTEXT_MODULE, Goal, Transformed};
use rquickjs::function::Func;
use rquickjs::{CatchResultExt, Context, Ctx, Function, Module, Runtime};
use std::cell::RefCell;
use std::rc::Rc;

/// What stands for the runtime's context object.
pub const OFF: &str = "({ on: false })";
/// One that is in use; tokens are objects, as they will be.
pub const ON: &str = "({ on: true, c: () => ({}), w: () => ({}), r() {}, v: (value) => value })";

/// An engine for many texts, one after the other.
pub struct Engine {
    runtime: Runtime,
    context: Context,
    log: Rc<RefCell<Vec<String>>>,
    jobs: Rc<RefCell<u32>>,
    modules: u32,
    /// What is evaluated before each promise job.
    pub before_job: Option<&'static str>,
}

impl Engine {
    pub fn new() -> Self {
        let runtime = Runtime::new().expect("an engine can be made");
        runtime.set_max_stack_size(4 << 20);
        let context = Context::full(&runtime).expect("a context can be made");
        let log = Rc::new(RefCell::new(Vec::new()));
        let jobs = Rc::new(RefCell::new(0));
        context.with(|ctx| {
            let (log, jobs) = (Rc::clone(&log), Rc::clone(&jobs));
            let write = move |text: String| {
                log.borrow_mut().push(format!("{}: {text}", jobs.borrow()));
            };
            ctx.globals().set("write", Func::from(write)).expect("a global can be set");
            let context = "export default globalThis.context";
            Module::declare(ctx.clone(), CONTEXT_MODULE, context).expect("it is a module");
        });
        Self { runtime, context, log, jobs, modules: 0, before_job: None }
    }

    /// Runs a text and gives all that it wrote, with the number of the promise job.
    pub fn run(
        &mut self,
        code: &str,
        goal: Goal,
        context: Option<&str>,
        stub: &str,
    ) -> Result<Vec<String>, String> {
        self.log.borrow_mut().clear();
        *self.jobs.borrow_mut() = 0;
        self.modules += 1;
        let name = format!("program{}", self.modules);
        self.context.with(|ctx| {
            match goal {
                Goal::Module => start_module(&ctx, &name, code, stub),
                _ => start_script(&ctx, code, context, stub),
            }
            .catch(&ctx)
            .map_err(|error| error.to_string())
        })?;
        while self.runtime.is_job_pending() {
            *self.jobs.borrow_mut() += 1;
            assert!(*self.jobs.borrow() < 200_000, "the program does not end");
            if let Some(code) = self.before_job {
                let evaluated: rquickjs::Result<()> = self.context.with(|ctx| ctx.eval(code));
                evaluated.expect("what comes before a job does not fail");
            }
            // A job that throws ends as any other.
            let _ = self.runtime.execute_pending_job();
        }
        Ok(self.log.borrow().clone())
    }

    /// Runs transformed text as it is meant to be run.
    pub fn run_transformed(
        &mut self,
        transformed: &Transformed<'_>,
        stub: &str,
    ) -> Result<Vec<String>, String> {
        let context = transformed.context.as_deref();
        self.run(&transformed.code, transformed.goal, context, stub)
    }
}

/// The context object is read anew by every module, though its module is evaluated once.
fn start_module(ctx: &Ctx<'_>, name: &str, code: &str, stub: &str) -> rquickjs::Result<()> {
    let update = format!(
        "globalThis.context ??= {{}}; for (const k in context) delete context[k]; Object.assign(context, {stub})"
    );
    ctx.eval::<(), _>(update)?;
    let promise = Module::evaluate(ctx.clone(), name, code)?;
    let report: Function<'_> = ctx.eval("(e) => write('rejected ' + e)")?;
    promise.catch()?.call((rquickjs::function::This(promise.clone()), report))
}

fn start_script(
    ctx: &Ctx<'_>,
    code: &str,
    context: Option<&str>,
    stub: &str,
) -> rquickjs::Result<()> {
    let mut options = rquickjs::context::EvalOptions::default();
    options.strict = false;
    let function: Function<'_> =
        ctx.eval_with_options(format!("{}{code}\n}})", script_prefix(context)), options)?;
    let stub: rquickjs::Value<'_> = ctx.eval(stub)?;
    function.call((stub,))
}

/// What stands before a text that is no module.
pub fn script_prefix(context: Option<&str>) -> String {
    format!("(function ({}) {{", context.unwrap_or("unused"))
}
