//! What Rust supplies to the library: the functions of `binding`.

use crate::bridge;
use crate::engine;
use crate::host::{Entry, Rejection, state};
use crate::library;
use crate::modules::Resolved;
use hemiola_machine::Stream;
use rquickjs::context::EvalOptions;
use rquickjs::{Array, Ctx, Function, Module, Object, Promise, Result, Value};

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("library", Function::new(ctx.clone(), library_body)?)?;
    function("isLibrary", Function::new(ctx.clone(), |name: String| library::is_public(&name))?)?;
    function("writeStdout", Function::new(ctx.clone(), |text: String| write(Stream::Out, &text))?)?;
    function("writeStderr", Function::new(ctx.clone(), |text: String| write(Stream::Err, &text))?)?;
    function("now", Function::new(ctx.clone(), now)?)?;
    function("wallClock", Function::new(ctx.clone(), wall_clock)?)?;
    function("random", Function::new(ctx.clone(), random)?)?;
    function("exit", Function::new(ctx.clone(), exit)?)?;
    function("evaluate", Function::new(ctx.clone(), evaluate)?)?;
    function("getPromiseDetails", Function::new(ctx.clone(), promise_details)?)?;
    function("wantAfterTail", Function::new(ctx.clone(), want_after_tail)?)?;
    function("takeRejections", Function::new(ctx.clone(), take_rejections)?)?;
    function("readFile", Function::new(ctx.clone(), read_file)?)?;
    function("resolve", Function::new(ctx.clone(), resolve)?)?;
    function("callerIsDependency", Function::new(ctx.clone(), caller_is_dependency)?)?;
    function("importModule", Function::new(ctx.clone(), import_module)?)?;
    let options = &state(ctx).options;
    binding.set("argv", options.argv.clone())?;
    binding.set("cwd", options.cwd.as_str())?;
    binding.set("zone", options.zone.as_str())?;
    let entry = Object::new(ctx.clone())?;
    match &options.entry {
        Entry::File(file) => entry.set("file", file.as_str())?,
        Entry::Text { source, name } => {
            entry.set("text", source.as_str())?;
            entry.set("name", name.as_str())?;
        }
    }
    binding.set("entry", entry)?;
    let env = Object::new(ctx.clone())?;
    for (name, value) in &options.env {
        env.set(name.as_str(), value.as_str())?;
    }
    binding.set("env", env)
}

/// `library(name)`: the body of a library file, or undefined.
fn library_body<'js>(ctx: Ctx<'js>, name: String) -> Result<Option<Function<'js>>> {
    library::body(&ctx, &name)
}

fn write(stream: Stream, text: &str) {
    bridge::with(|context| context.write(stream, text));
}

/// Milliseconds since the start of the program, with fractions.
fn now() -> f64 {
    bridge::with(|context| context.now()).as_micros() as f64 / 1_000.0
}

/// Milliseconds since the start of 1970.
fn wall_clock() -> f64 {
    (bridge::with(|context| context.wall_clock()) / 1_000) as f64
}

/// A number from 0 up to, but not including, 1.
fn random() -> f64 {
    let bits = bridge::with(|context| context.random()) >> 11;
    bits as f64 / (1u64 << 53) as f64
}

/// Ends the program: nothing of it runs any more, not even a `finally`.
fn exit(ctx: Ctx<'_>, code: i32) -> Result<()> {
    state(&ctx).exit.set(Some(code));
    Err(engine::throw_uncatchable(&ctx))
}

/// `evaluate(source, name)`: the value of a script that is not strict by itself.
fn evaluate<'js>(ctx: Ctx<'js>, source: String, name: String) -> Result<Value<'js>> {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(name);
    ctx.eval_with_options(source, options)
}

/// `[state, result]` of a promise: 0 pending, 1 fulfilled, 2 rejected.
fn promise_details<'js>(ctx: Ctx<'js>, promise: Promise<'js>) -> Result<Array<'js>> {
    use rquickjs::promise::PromiseState;
    let details = Array::new(ctx.clone())?;
    let state = match promise.state() {
        PromiseState::Pending => 0,
        PromiseState::Resolved => 1,
        PromiseState::Rejected => 2,
    };
    details.set(0, state)?;
    if state > 0 {
        details.set(1, engine::promise_result(&promise))?;
    }
    Ok(details)
}

/// Asks to be called when the running callback's tail is over.
fn want_after_tail(ctx: Ctx<'_>) {
    state(&ctx).wants_after_tail.set(true);
}

/// What happened to promises without a handler since the last time: a flat array of promise, reason
/// and whether it has a handler by now.
fn take_rejections<'js>(ctx: Ctx<'js>) -> Result<Array<'js>> {
    let taken = Array::new(ctx.clone())?;
    let state = state(&ctx);
    state.wants_after_tail.set(false);
    for (at, Rejection { promise, reason, handled }) in
        state.rejections.take().into_iter().enumerate()
    {
        taken.set(3 * at, promise.restore(&ctx)?)?;
        taken.set(3 * at + 1, reason.restore(&ctx)?)?;
        taken.set(3 * at + 2, handled)?;
    }
    Ok(taken)
}

/// `readFile(path)`: its text, or undefined when there is none.
fn read_file(ctx: Ctx<'_>, path: String) -> Option<String> {
    let bytes = state(&ctx).options.disk.read(path.as_ref()).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// `resolve(specifier, parent, required)`: path and format, or one text: why not.
fn resolve<'js>(
    ctx: Ctx<'js>,
    specifier: String,
    parent: String,
    required: bool,
) -> Result<Array<'js>> {
    let found = Array::new(ctx.clone())?;
    match state(&ctx).modules.resolve(&specifier, &parent, required) {
        Ok(Resolved { path, format }) => {
            found.set(0, path)?;
            found.set(1, format.name())?;
        }
        Err(error) => found.set(0, error.to_string())?,
    }
    Ok(found)
}

/// Whether the function that called the library is a dependency's: code under `node_modules`.
fn caller_is_dependency(ctx: Ctx<'_>) -> bool {
    // This function, the library's function, and the one that called that.
    let name = ctx.script_or_module_name(2).and_then(|name| name.to_string().ok());
    name.is_some_and(|name| name.contains("/node_modules/"))
}

/// `importModule(path)`: the promise of a module's namespace.
fn import_module<'js>(ctx: Ctx<'js>, path: String) -> Result<Promise<'js>> {
    Module::import(&ctx, path)
}
