//! What happens to a program's text before the engine sees it.
//!
//! [`transform`] decides whether a text is an ES module or CommonJS, takes the types out of
//! TypeScript, and lets the runtime know of every `await`, which the engine does not tell it of.
//! Text is edited, never printed anew: lines stay where they are, and [`Positions`] finds the
//! columns again. `docs/design/transform.md` says what is inserted and why.

mod awaits;
mod blame;
mod classes;
mod contexts;
mod cover;
mod depth;
mod dialect;
mod edits;
mod elide;
mod enums;
mod equality;
mod exchange;
mod exports;
mod goal;
mod harden;
mod hoist;
mod imports;
mod instrument;
mod links;
mod lookahead;
mod lower;
mod maps;
mod merged;
mod names;
mod namespaces;
mod patterns;
mod positions;
mod reading;
mod rewrite;
mod spaces;
mod steps;
mod text;
mod types;

pub use blame::{Act, Blamed, Culprit, Form, Spot, blame};
pub use contexts::{InContext, in_context, undo_in_context};
pub use cover::{Attribution, COVER_PREFIX, Counted, Coverage, FunctionRanges, Range, Table};
pub use dialect::{Dialect, Jsx, Language, Runtime};
pub use exports::{Exports, common_js_exports};
pub use harden::{Hardened, KEPT, KEPT_IN, LATE, harden};
pub use hoist::hoist_mocks;
pub use instrument::{ACCESS_MODULE, Access, BLOCK, Mode, Site, Target, Unseen};
pub use links::{Link, Requested, links, requested, top_level_awaits};
pub use maps::source_map_url;
pub use patterns::bearable;
pub use positions::Positions;
pub use reading::{Operator, Reading};
pub use steps::{Declared, PREFIX, Scope, Statement, Steps};

use depth::{has_too_deep_choices, with_room};
use edits::Edits;
use names::Names;
use oxc_allocator::Allocator;
use std::borrow::Cow;
use std::fmt;

/// The module that a transformed ES module imports the runtime's context object from.
pub const CONTEXT_MODULE: &str = "hemiola:internal/context";

/// What a specifier begins with that says which names its import takes, whether or not they can be seen in the other
/// text, with `*` for those that can: `hemiola-names:a,b/SPECIFIER`. TypeScript has it where its compiler would have
/// made `require` of the import.
pub const TAKEN_NAMES: &str = "hemiola-names:";

/// Globals that the runtime exchanges: wherever a text takes the value of one, it gets what the
/// runtime makes of that value.
///
/// A text's own variable of that name goes the same way; the runtime knows by the value what is to be
/// exchanged. So a global that somebody has replaced is theirs, too.
pub type Exchanged = &'static [&'static str];

/// How a text is to be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The body of a function.
    CommonJs,
    /// An ES module.
    Module,
    /// Whichever of the two its syntax asks for; never the goal of a [`Transformed`].
    Detect,
    /// The same of a text that is in no file: no function is made of it, and it may declare itself what such a
    /// function has as parameters.
    DetectText,
}

/// A text as the engine gets it.
#[derive(Clone, Debug)]
pub struct Transformed<'s> {
    /// The text. It has the lines of the source.
    pub code: Cow<'s, str>,
    /// [`Goal::CommonJs`] or [`Goal::Module`].
    pub goal: Goal,
    /// Of CommonJS only: the parameter of the wrapper that must hold the runtime's context object.
    ///
    /// None if the text does not use it. A module imports it from [`CONTEXT_MODULE`].
    pub context: Option<String>,
    /// From places in `code` to places in the source.
    pub positions: Positions,
    /// What is told of the program's accesses, if it is instrumented.
    pub access: Option<Access>,
    /// What a debugger needs to know, if it has hooks.
    pub steps: Option<Steps>,
    /// What is counted, if it has counters.
    pub coverage: Option<Coverage>,
    /// What was inserted for the runtime's context and into patterns, each with the text that it stands for.
    ///
    /// Replacing each in this order makes the text of a function the source's again.
    pub undo: Vec<(String, &'static str)>,
}

impl Transformed<'_> {
    /// The source's text of a piece of `code`, such as a function's text.
    #[must_use]
    pub fn original(&self, text: &str) -> String {
        let text = match &self.access {
            Some(access) => access.original(text),
            None => text.to_owned(),
        };
        let text = self.steps.as_ref().map_or(text.clone(), |steps| steps.original(&text));
        let text = self.coverage.as_ref().map_or(text.clone(), |cover| cover.original(&text));
        self.undo.iter().fold(text, |text, (inserted, original)| {
            if text.contains(inserted.as_str()) { text.replace(inserted, original) } else { text }
        })
    }
}

/// Why a text means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong, without the place.
    pub message: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in UTF-16 units as Node counts them.
    pub column: u32,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// Makes a text ready for the engine.
///
/// JavaScript that the parser does not accept comes back as it is, since the engine has its own
/// message for it, and may know better.
///
/// # Errors
///
/// When TypeScript does not parse, or uses what has no meaning at run time; when choices, or what is inserted, are nested too
/// deeply.
pub fn transform<'s>(
    source: &'s str,
    language: Language,
    goal: Goal,
    exchanged: Exchanged,
) -> Result<Transformed<'s>, SyntaxError> {
    let text = readable(source, language, goal)?;
    let Some(lowered) = lower::lower(&text, language, goal)? else {
        return make_ready(text, language, goal, exchanged, Origin::Source);
    };
    let origin = Origin::Made(lowered.context);
    let ready = make_ready(Cow::Owned(lowered.code), language, lowered.goal, exchanged, origin)?;
    let positions = ready.positions.after(lowered.positions);
    Ok(Transformed { positions, ..ready })
}

/// The name by which a text that a program evaluates means the runtime's context object. It is a global one: what is
/// around such a text may call anything by a shorter name.
pub const CONTEXT_OF_EVALUATED: &str = "$hemiola";

/// The same for a text that a program evaluates, by `eval` or as a function made of text, with
/// [`CONTEXT_OF_EVALUATED`] for the context object; nothing where it stays as it is.
#[must_use]
pub fn evaluated(source: &str) -> Option<Transformed<'_>> {
    let suspends = source.contains("await") || source.contains("async") && source.contains("yield");
    if !suspends || source.contains(CONTEXT_OF_EVALUATED) || has_too_deep_choices(source) {
        return None;
    }
    let text = Cow::Borrowed(source);
    let names = Names { context: CONTEXT_OF_EVALUATED.to_owned(), exchanged: &[] };
    let (language, goal) = (Language::JavaScript, Goal::CommonJs);
    let made = with_room(source, || rewritten(text, language, goal, Naming::New(names), false))?;
    let made = made.ok().filter(|made| made.context.is_some())?;
    (!lookahead::is_mistaken(&made.code)).then_some(made)
}

/// What a text is, of which something else is made.
enum Origin {
    /// The source itself.
    Source,
    /// Made of it. The name by which it means the runtime's context object, if it does.
    Made(Option<String>),
}

/// The same with calls that tell the runtime what the program reads and writes; `first` is the number
/// of the first site, a multiple of [`BLOCK`]. A text that does not parse, or is nested too deeply,
/// gets none.
///
/// # Errors
///
/// As [`transform`].
pub fn instrument<'s>(
    source: &'s str,
    language: Language,
    goal: Goal,
    exchanged: Exchanged,
    first: u32,
) -> Result<Transformed<'s>, SyntaxError> {
    let text = readable(source, language, goal)?;
    let change = |parsed: &goal::Parsed<'_>, text: &str| {
        let made = instrument::instrument(parsed, text, first)?;
        Some((made.code, made.positions, made.access))
    };
    let (ready, access) = make_changed_ready(&text, language, goal, exchanged, change)?;
    Ok(Transformed { access, ..ready })
}

/// The same with a hook before every statement; `first` is the number of the first. A text that does not
/// parse, is nested too deeply, or has the names of the hooks, gets none.
///
/// # Errors
///
/// As [`transform`].
pub fn step<'s>(
    source: &'s str,
    language: Language,
    goal: Goal,
    exchanged: Exchanged,
    first: u32,
) -> Result<Transformed<'s>, SyntaxError> {
    let text = readable(source, language, goal)?;
    let change = |parsed: &goal::Parsed<'_>, text: &str| {
        let made = steps::step(parsed, text, first)?;
        Some((made.code, made.positions, made.steps))
    };
    let (ready, steps) = make_changed_ready(&text, language, goal, exchanged, change)?;
    Ok(Transformed { steps, ..ready })
}

/// The same with counters of what is executed, in arrays of the runtime; `number` tells those of this text from
/// those of others. A text that does not parse, is nested too deeply, or has the names of the arrays, gets
/// none.
///
/// # Errors
///
/// As [`transform`].
pub fn cover<'s>(
    source: &'s str,
    language: Language,
    goal: Goal,
    exchanged: Exchanged,
    number: u32,
) -> Result<Transformed<'s>, SyntaxError> {
    let text = readable(source, language, goal)?;
    let change = |parsed: &goal::Parsed<'_>, text: &str| {
        let made = cover::cover(parsed, text, number)?;
        Some((made.code, made.positions, made.coverage))
    };
    let (ready, coverage) = make_changed_ready(&text, language, goal, exchanged, change)?;
    Ok(Transformed { coverage, ..ready })
}

/// What is told of a text, whose places are those of the source in the end.
trait Told {
    /// Puts places where they are in the source.
    fn place(&mut self, place: impl Fn(u32, u32) -> u32);
}

impl Told for Access {
    fn place(&mut self, place: impl Fn(u32, u32) -> u32) {
        self.sites.iter_mut().for_each(|site| site.column = place(site.line, site.column));
        self.unseen.iter_mut().for_each(|(line, column, _)| *column = place(*line, *column));
    }
}

impl Told for Steps {
    fn place(&mut self, place: impl Fn(u32, u32) -> u32) {
        self.statements.iter_mut().for_each(|one| one.column = place(one.line, one.column));
        for scope in &mut self.scopes {
            scope.start.1 = place(scope.start.0, scope.start.1);
            scope.end.1 = place(scope.end.0, scope.end.1);
            for variable in &mut scope.variables {
                variable.place.1 = place(variable.place.0, variable.place.1);
            }
        }
    }
}

impl Told for Coverage {
    fn place(&mut self, place: impl Fn(u32, u32) -> u32) {
        self.put(place);
    }
}

/// Makes ready what `change` made of a text, and gives what there is to be known of that; or the text as
/// it is, if it is left alone.
fn make_changed_ready<'s, T: Told + Send>(
    text: &Cow<'s, str>,
    language: Language,
    goal: Goal,
    exchanged: Exchanged,
    change: impl FnOnce(&goal::Parsed<'_>, &str) -> Option<(String, Positions, T)> + Send,
) -> Result<(Transformed<'s>, Option<T>), SyntaxError> {
    let Some(lowered) = lower::lower(text, language, goal)? else {
        return match changed(text, language, goal, change) {
            None => {
                Ok((make_ready(text.clone(), language, goal, exchanged, Origin::Source)?, None))
            }
            Some((goal, (code, positions, made))) => {
                let origin = Origin::Made(None);
                let ready = make_ready(Cow::Owned(code), language, goal, exchanged, origin)?;
                let positions = ready.positions.after(positions);
                Ok((Transformed { positions, ..ready }, Some(made)))
            }
        };
    };
    let origin = Origin::Made(lowered.context);
    match changed(&lowered.code, language, lowered.goal, change) {
        None => {
            let code = Cow::Owned(lowered.code);
            let ready = make_ready(code, language, lowered.goal, exchanged, origin)?;
            let positions = ready.positions.after(lowered.positions);
            Ok((Transformed { positions, ..ready }, None))
        }
        Some((goal, (code, positions, mut made))) => {
            let lines: Vec<&str> = lowered.code.split(positions::is_break).collect();
            made.place(|line, column| {
                let text = lines.get(line as usize - 1).copied().unwrap_or_default();
                let bytes = positions::bytes_before(text, column);
                lowered.positions.source_column(line, bytes + 1)
            });
            let ready = make_ready(Cow::Owned(code), language, goal, exchanged, origin)?;
            // The columns in between are counted in UTF-16 units on one side and in bytes on the other,
            // which matters only behind other letters in a line that was changed twice.
            let positions = ready.positions.after(positions.after(lowered.positions));
            Ok((Transformed { positions, ..ready }, Some(made)))
        }
    }
}

/// What `change` makes of a text, and its goal; nothing for one that is left alone.
fn changed<T: Send>(
    text: &str,
    language: Language,
    goal: Goal,
    change: impl FnOnce(&goal::Parsed<'_>, &str) -> Option<T> + Send,
) -> Option<(Goal, T)> {
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    let parse = || {
        let allocator = Allocator::default();
        let parsed = goal::parse(&allocator, text, language, goal).ok()?;
        Some((parsed.goal, change(&parsed, text)?))
    };
    with_room(text, parse).flatten()
}

/// Takes types out, lets the runtime know of awaits and exchange globals. The columns of the positions are in bytes if
/// the text is not the source itself.
fn make_ready(
    text: Cow<'_, str>,
    language: Language,
    goal: Goal,
    exchanged: Exchanged,
    origin: Origin,
) -> Result<Transformed<'_>, SyntaxError> {
    let ready = made_ready(text, language, goal, exchanged, origin)?;
    match &ready.code {
        Cow::Owned(code) if lookahead::is_mistaken(code) => Err(goal::too_deep(code)),
        Cow::Owned(_) | Cow::Borrowed(_) => Ok(ready),
    }
}

/// The same, though the engine may not see it all.
fn made_ready(
    text: Cow<'_, str>,
    language: Language,
    goal: Goal,
    exchanged: Exchanged,
    origin: Origin,
) -> Result<Transformed<'_>, SyntaxError> {
    let (in_bytes, given) = match origin {
        Origin::Source => (false, None),
        Origin::Made(context) => (true, context),
    };
    if given.is_none()
        && let Some(goal) = goal::without_parsing(&text, language, goal, exchanged)
    {
        return Ok(unchanged(text, goal, in_bytes));
    }
    let shared = text.clone();
    let names = match given {
        Some(context) => Naming::Given(Names { context, exchanged }),
        None => Naming::New(Names::unused_in(&text, exchanged)),
    };
    let made = with_room(&shared, || rewritten(text, language, goal, names, in_bytes));
    made.unwrap_or_else(|| Err(goal::too_deep(&shared)))
}

/// The names that inserted code uses.
enum Naming {
    /// None of them is in the text.
    New(Names),
    /// The text means the runtime's context object by one of them already.
    Given(Names),
}

/// The same for a text that is parsed for it.
fn rewritten(
    text: Cow<'_, str>,
    language: Language,
    goal: Goal,
    names: Naming,
    in_bytes: bool,
) -> Result<Transformed<'_>, SyntaxError> {
    let allocator = Allocator::default();
    let parsed = match goal::parse(&allocator, &text, language, goal) {
        Ok(parsed) => parsed,
        Err(_) if language.is_javascript() => {
            let goal = goal::guess(&text, goal);
            return Ok(unchanged(text, goal, in_bytes));
        }
        Err(error) => return Err(error),
    };
    let (names, is_given) = match names {
        Naming::New(names) => (names, false),
        Naming::Given(names) => (names, true),
    };
    let mut edits = Edits::default();
    let options = rewrite::Options::of(language, &parsed.program, is_given);
    let uses = rewrite::rewrite(&parsed, &text, &names, options, &mut edits)?;
    let goal = parsed.goal;
    if edits.is_empty() && !uses.context {
        return Ok(unchanged(text, goal, in_bytes));
    }
    let (code, positions) = edits.apply_counting(&text, in_bytes);
    let mut undo = if uses.context { names.undo() } else { Vec::new() };
    if uses.spellings {
        undo.extend(patterns::spellings());
    }
    Ok(Transformed {
        code: Cow::Owned(code),
        goal,
        context: (uses.context && goal == Goal::CommonJs).then(|| names.context.clone()),
        positions,
        access: None,
        steps: None,
        coverage: None,
        undo,
    })
}

fn unchanged(text: Cow<'_, str>, goal: Goal, in_bytes: bool) -> Transformed<'_> {
    let positions = if in_bytes { Positions::default() } else { Positions::of_unchanged(&text) };
    Transformed {
        code: text,
        goal,
        context: None,
        positions,
        access: None,
        steps: None,
        coverage: None,
        undo: Vec::new(),
    }
}

/// A text as the parser and the engine read it, if they can.
fn readable(source: &str, language: Language, goal: Goal) -> Result<Cow<'_, str>, SyntaxError> {
    match has_too_deep_choices(source) {
        true => Err(goal::too_deep(source)),
        false => Ok(spaces::with_plain_spaces(without_hashbang(source), language, goal)),
    }
}

/// A line `#!` is no syntax but at the very start of a file: it becomes a comment.
fn without_hashbang(source: &str) -> Cow<'_, str> {
    let start = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    if source[start..].starts_with("#!") {
        Cow::Owned([&source[..start], "//", &source[start + 2..]].concat())
    } else {
        Cow::Borrowed(source)
    }
}
