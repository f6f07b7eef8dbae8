//! Hooks before statements, for a program that is to stand still where a debugger says.
//!
//! A text is edited before the rest of the transform sees it: `--$step_n||($step_n=$step_s(7));` before
//! statement 7. The names are global variables of the runtime, because a variable that all modules share
//! is what costs the least. What else a debugger needs to know is in [`Steps`]: where each statement is,
//! and which variables can be seen where. `docs/design/debugging.md` has the table of what becomes what.

mod scopes;
mod walk;

use crate::edits::Edits;
use crate::goal::Parsed;
use crate::instrument::Pieces;
use crate::positions::{Positions, places};
use oxc_semantic::SemanticBuilder;
use scopes::Drafts;

/// How the names of the runtime's global variables begin. A text that has them gets no hooks.
pub const PREFIX: &str = "$step_";

/// What a debugger needs to know of a text with hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// What marks inserted pieces.
    object: String,
    /// The places at which it can stand still, in the order of the text; the number of the first is the
    /// one that was asked for.
    pub statements: Vec<Statement>,
    /// All scopes; one that is in another comes after it. The first is the module.
    pub scopes: Vec<Scope>,
}

/// A place at which a program can stand still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in UTF-16 units.
    pub column: u32,
    /// Whether it is the first of its function, which every call reaches once.
    pub is_first: bool,
    /// Whether its function ends with it, unless it throws.
    pub is_last: bool,
    /// Whether its function may be suspended before the next statement.
    pub suspends: bool,
    /// Whether it is a `debugger` statement.
    pub is_debugger: bool,
}

/// A part of a text that declares variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Line and column of its first character.
    pub start: (u32, u32),
    /// Line and column after its last character.
    pub end: (u32, u32),
    /// The scope that it is in.
    pub parent: Option<usize>,
    /// Whether it is a function.
    pub is_function: bool,
    /// What it declares, in the order of the text.
    pub variables: Vec<Declared>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: Box<str>,
    /// Line and column of its declaration.
    pub place: (u32, u32),
    /// Of a variable of a block: how many others of that name its function declares in blocks before
    /// it. Nothing for parameters and `var`.
    pub block: Option<u32>,
}

impl Steps {
    /// The source's text of a piece of text with hooks.
    #[must_use]
    pub fn original(&self, text: &str) -> String {
        Pieces::new(self.object.clone()).remove(text)
    }

    /// What marks inserted pieces: the same for most texts.
    #[must_use]
    pub fn mark(&self) -> &str {
        &self.object
    }

    /// The scopes that a place is in, the innermost first.
    pub fn around(&self, place: (u32, u32)) -> impl Iterator<Item = &Scope> {
        let holds = |scope: &Scope| scope.start <= place && place < scope.end;
        // Scopes come after those that they are in, so the last one that holds the place is innermost.
        let mut next = self.scopes.iter().rposition(holds).or(Some(0));
        std::iter::from_fn(move || {
            let scope = self.scopes.get(next?)?;
            next = scope.parent;
            Some(scope)
        })
    }
}

/// A text with hooks in it.
pub(crate) struct Stepped {
    pub(crate) code: String,
    pub(crate) positions: Positions,
    pub(crate) steps: Steps,
}

/// Puts hooks into a text that parses; nothing where no statement is.
pub(crate) fn step(parsed: &Parsed<'_>, text: &str, first: u32) -> Option<Stepped> {
    if text.contains(PREFIX) {
        return None;
    }
    let scoping = SemanticBuilder::new().build(&parsed.program).semantic.into_scoping();
    let pieces = Pieces::unused_among(text, "$d");
    let drafts = Drafts::find(&parsed.program, &scoping);
    let mut edits = Edits::default();
    let hooks = walk::walk(parsed, &drafts.names(), &pieces, first, &mut edits);
    if hooks.is_empty() {
        return None;
    }
    let offsets: Vec<u32> = hooks.iter().map(|hook| hook.offset).collect();
    let statements =
        places(text, &offsets).into_iter().zip(&hooks).map(|((line, column), hook)| {
            let &walk::Hook { is_first, is_last, suspends, is_debugger, .. } = hook;
            Statement { line, column, is_first, is_last, suspends, is_debugger }
        });
    let statements = statements.collect();
    let scopes = drafts.placed(text);
    let (code, positions) = edits.apply(text);
    Some(Stepped { code, positions, steps: Steps { object: pieces.object, statements, scopes } })
}
