//! What stacks ask for: where in a source something stands that runs, and what it was called on.

use super::natives::{plain_language_of, source_text};
use crate::state::state;
use hemiola_engine::around::{self, Waiting};
use hemiola_engine::evals;
use hemiola_engine::failing::{arguments, failing, first_line, instruction_in};
use hemiola_engine::texts::{LINE_ENDS, columns, places::found_around};
use rquickjs::prelude::Opt;
use rquickjs::{Array, Ctx, Function, Result, Undefined, Value};
use std::collections::BTreeSet;

/// The function of this part that goes by that name on `binding`.
pub(super) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    Some(match name {
        "deepScripts" => Function::new(ctx.clone(), deep_scripts),
        "assignedName" => Function::new(ctx.clone(), assigned_name),
        "executedPlace" => Function::new(ctx.clone(), executed_place),
        "sourcePlace" => Function::new(ctx.clone(), source_place),
        "parsedColumn" => Function::new(ctx.clone(), parsed_column),
        "sourceMapUrl" => Function::new(ctx.clone(), source_map_url),
        "sourceLine" => Function::new(ctx.clone(), line_of),
        "blame" => Function::new(ctx.clone(), blame),
        "argumentsOf" => Function::new(ctx.clone(), arguments_of),
        "receivers" => Function::new(ctx.clone(), receivers),
        "waiting" => Function::new(ctx.clone(), waiting),
        "waitingPlace" => Function::new(ctx.clone(), waiting_place),
        "awaitPlace" => Function::new(ctx.clone(), await_place),
        "quietPlaces" => Function::new(ctx.clone(), quiet_places),
        "originalText" => Function::new(ctx.clone(), original_text),
        "evaluating" => Function::new(ctx.clone(), evals::evaluating),
        "noteThrown" => {
            Function::new(ctx.clone(), |ctx: Ctx<'_>| state(&ctx).engine.run.threw.set(true))
        }
        _ => return None,
    })
}

/// `deepScripts()`: the names of all texts whose code is on the stack, however deep.
fn deep_scripts(ctx: Ctx<'_>) -> Vec<String> {
    // A native function has no name of that kind, and neither has what is below the stack.
    const NAMELESS: usize = 100;
    let mut names = BTreeSet::new();
    let mut nameless = 0;
    for level in 0.. {
        match ctx.script_or_module_name(level).and_then(|name| name.to_string().ok()) {
            Some(name) => {
                nameless = 0;
                names.insert(name);
            }
            None if nameless == NAMELESS => break,
            None => nameless += 1,
        }
    }
    names.into_iter().collect()
}

/// `sourcePlace(file, line, column, name, calls, makes)`: line and column in the source that a frame
/// means, and 1 if it is not certain that it calls there; undefined for texts of others. The frame `calls` a
/// function, or `makes` an object, of that name if it is known.
fn source_place(
    ctx: Ctx<'_>,
    file: String,
    line: u32,
    column: u32,
    name: Option<String>,
    calls: bool,
    makes: bool,
) -> Option<Vec<u32>> {
    let state = state(&ctx);
    let mut line = line;
    let mut column = state.engine.texts.column(&file, line, column)?;
    if !calls && !makes {
        return Some(vec![line, column]);
    }
    let line_of = |line: u32| known_line(&ctx, &file, line);
    let named = name.as_ref().and_then(|name| {
        found_around(line_of, line, column, |text, at| columns::named_call(text, at, name))
    });
    if let Some(place) = named {
        (line, column) = place;
    }
    if let Some(text) = line_of(line) {
        let text: Vec<u16> = text.encode_utf16().collect();
        if calls && named.is_none() {
            column = columns::call(&text, column);
        }
        if makes {
            column = columns::construction(&text, column);
        }
    }
    let is_certain = named.is_some() || !calls;
    Some(if is_certain { vec![line, column] } else { vec![line, column, 1] })
}

/// `assignedName(file, function, text)`: the property that a function without a name, of this text, was assigned to where
/// it was made, as `exports.parse`; undefined if there is none.
fn assigned_name<'js>(
    ctx: Ctx<'js>,
    file: String,
    function: Value<'js>,
    text: String,
) -> Option<String> {
    let line = known_line(&ctx, &file, first_line(&ctx, &function)?)?;
    let before = line.get(..line.find(text.lines().next()?)?)?.trim_end();
    let mut target = before.strip_suffix('=')?.trim_end();
    let mut key = "";
    if let Some((object, quoted)) = target.strip_suffix("']").and_then(|all| all.rsplit_once("['"))
    {
        (target, key) = (object, quoted);
    }
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '.');
    let rest = target.trim_end_matches(is_part);
    let name = &target[rest.len()..];
    let follows = rest.ends_with([')', ']', '#', '"', '\'', '`']);
    if follows || name.is_empty() || name.starts_with('.') || name.starts_with("this") {
        return None;
    }
    let name = name.replace(".prototype.", ".");
    match key {
        "" => name.contains('.').then_some(name),
        key => Some(format!("{name}.{key}")),
    }
}

/// `executedPlace(file, function, at)`: line and column in the source of what a function executes, as `receivers` has
/// told it; undefined where the source does not tell.
fn executed_place<'js>(
    ctx: Ctx<'js>,
    file: String,
    function: Value<'js>,
    at: usize,
) -> Option<Vec<u32>> {
    // Finding it means to read all of the text.
    const LONG: usize = 1 << 18;
    let state = state(&ctx);
    let texts = &state.engine.texts;
    let lines = texts.lines.borrow();
    let (_, lines) = lines.as_ref().filter(|(name, _)| *name == file)?;
    if texts.quiet.get() || lines.iter().map(String::len).sum::<usize>() > LONG {
        return None;
    }
    let spot = instruction_in(&ctx, &function, at)?;
    let source = || Some(lines.join("\n"));
    let culprit = texts.blame(&file, &spot, &state.engine.registered.compiled, source)?;
    Some(vec![culprit.place.0, culprit.place.1])
}

/// `quietPlaces(on)`: whether places are found without asking anybody for a text, as far as that goes.
/// A recording knows what was asked for, and there is more to find if it is replayed with `--stacks`.
fn quiet_places(ctx: Ctx<'_>, on: bool) {
    state(&ctx).engine.texts.quiet.set(on);
}

/// `sourceLine(file, line)`: a line of a source that goes by a name in stacks, or undefined.
fn line_of(ctx: Ctx<'_>, file: String, line: u32) -> Option<String> {
    source_line(&ctx, &file, line)
}

/// A line of a source, from what is kept where nobody is to be asked for a text.
fn known_line(ctx: &Ctx<'_>, file: &str, line: u32) -> Option<String> {
    let texts = &state(ctx).engine.texts;
    if texts.quiet.get() { texts.kept_line(file, line) } else { source_line(ctx, file, line) }
}

/// A line of a source; the lines of the last file are kept.
fn source_line(ctx: &Ctx<'_>, file: &str, line: u32) -> Option<String> {
    let state = state(ctx);
    if state.engine.debug.as_ref().is_some_and(|debug| debug.stands_still()) {
        // Neither the world nor the program may notice that somebody looks.
        return state.engine.texts.kept_line(file, line);
    }
    let lines = &state.engine.texts.lines;
    if lines.borrow().as_ref().is_none_or(|(name, _)| name != file) {
        let source = source_text(ctx.clone(), file.to_owned())?;
        let source = source.replace("\r\n", "\n");
        let split = source.split(LINE_ENDS).map(str::to_owned).collect();
        *lines.borrow_mut() = Some((file.to_owned(), split));
    }
    let lines = lines.borrow();
    lines.as_ref()?.1.get(line.checked_sub(1)? as usize).cloned()
}

/// `blame(function)`: `[act, operands, text, form, property, line, column, line, column]`: what the
/// innermost activation of a function does that failed, what it was given, what that stands for in the
/// source, where the frame is and what is marked. Only the first two where the source does not tell; undefined
/// where nothing is known.
fn blame<'js>(ctx: Ctx<'js>, function: Value<'js>) -> Result<Option<Array<'js>>> {
    let Some(failing) = failing(&ctx, &function)? else { return Ok(None) };
    let found = Array::new(ctx.clone())?;
    found.set(0, failing.spot.act.name())?;
    found.set(1, failing.operands)?;
    let state = state(&ctx);
    if state.engine.debug.as_ref().is_some_and(|debug| debug.stands_still()) {
        return Ok(Some(found));
    }
    let texts = &state.engine.texts;
    let compiled = &state.engine.registered.compiled;
    let source = || source_text(ctx.clone(), failing.file.clone());
    if let Some(culprit) = texts.blame(&failing.file, &failing.spot, compiled, source) {
        found.set(2, culprit.text.as_str())?;
        found.set(3, culprit.form.name())?;
        found.set(4, culprit.property.as_deref())?;
        found.set(5, culprit.place.0)?;
        found.set(6, culprit.place.1)?;
        found.set(7, culprit.mark.0)?;
        found.set(8, culprit.mark.1)?;
    }
    Ok(Some(found))
}

/// `argumentsOf(function)`: what the innermost activation of a native was called with.
fn arguments_of<'js>(ctx: Ctx<'js>, function: Value<'js>) -> Result<Vec<Value<'js>>> {
    arguments(&ctx, &function)
}

/// `receivers(first, count, call, apply, reflectApply)`: what that many functions that run were called on, undefined
/// where that is nothing or not known, and for `sourcePlace` what each executes, from the innermost activation of
/// `first` outwards.
fn receivers<'js>(
    ctx: Ctx<'js>,
    first: Value<'js>,
    count: f64,
    call: Value<'js>,
    apply: Value<'js>,
    reflect_apply: Value<'js>,
) -> Result<Array<'js>> {
    let (receivers, executed) =
        around::receivers(&ctx, &first, count as usize, &[call, apply, reflect_apply])?;
    let around = Array::new(ctx)?;
    around.set(0, receivers)?;
    around.set(1, executed)?;
    Ok(around)
}

/// `waiting(most, promise)`: who waits for a promise, or without one for the outermost function that runs; undefined if
/// nobody does. Each is three elements of the list: a function, what it was called on and where it waits, for
/// `waitingPlace`, or for one of several a name, an index and undefined. It is asked for with most errors, few of which
/// anybody looks at.
fn waiting<'js>(ctx: Ctx<'js>, most: f64, promise: Opt<Value<'js>>) -> Result<Option<Array<'js>>> {
    let waiting = around::waiting(&ctx, most as usize, promise.0)?;
    if waiting.is_empty() {
        return Ok(None);
    }
    let told = Array::new(ctx.clone())?;
    for (number, one) in waiting.into_iter().enumerate() {
        let first = number * 3;
        match one {
            Waiting::Function { function, this, at } => {
                told.set(first, function)?;
                told.set(first + 1, this)?;
                told.set(first + 2, at.map_or(-1.0, |at| at as f64))?;
            }
            Waiting::Several { name, index } => {
                told.set(first, name)?;
                told.set(first + 1, index)?;
                told.set(first + 2, Undefined)?;
            }
        }
    }
    Ok(Some(told))
}

/// `waitingPlace(function, at)`: the file of a function that waits, and line and column as the engine counts them.
fn waiting_place<'js>(ctx: Ctx<'js>, function: Value<'js>, at: f64) -> Result<Array<'js>> {
    let at = (at >= 0.0).then_some(at as usize);
    let told = Array::new(ctx.clone())?;
    if let Some((file, (line, column))) = around::place_in(&ctx, &function, at) {
        told.set(0, file)?;
        told.set(1, line)?;
        told.set(2, column)?;
    }
    Ok(told)
}

/// `awaitPlace(file, line, column)`: line and column of the `await` at which a function waits that the engine says
/// to be there; undefined for texts of others.
fn await_place(ctx: Ctx<'_>, file: String, line: u32, column: u32) -> Option<Vec<u32>> {
    let state = state(&ctx);
    let texts = &state.engine.texts;
    let column = texts.column(&file, line, column)?;
    let line_of = |line: u32| match texts.quiet.get() {
        true => texts.kept_line(&file, line),
        false => source_line(&ctx, &file, line),
    };
    let (line, column) =
        found_around(line_of, line, column, columns::awaiting).unwrap_or((line, column));
    Some(vec![line, column])
}

/// `parsedColumn(file, line, column)`: the column in the source that the engine's parser means.
fn parsed_column(ctx: Ctx<'_>, file: String, line: u32, column: u32) -> Option<u32> {
    state(&ctx).engine.texts.parsed_column(&file, line, column)
}

/// `sourceMapUrl(text, file)`: the URL of the source map that a text names.
fn source_map_url(ctx: Ctx<'_>, text: String, file: String) -> Option<String> {
    hemiola_transform::source_map_url(&text, plain_language_of(&ctx, &file))
}

/// `originalText(text)`: a function's text as it was written.
fn original_text(ctx: Ctx<'_>, text: String) -> String {
    state(&ctx).engine.texts.original(text)
}
