//! Code that tells the runtime what a program reads and writes (rules EXPL-4, RACE-2).
//!
//! A text is edited before the rest of the transform sees it. Every inserted call gives back one of
//! its arguments, so the program does itself what it did before: only the value passes through
//! `$a.p(…)` and its like on its way. What a call is about, by its number, is a [`Site`].
//! `docs/design/instrument.md` has the table of what becomes what.

mod chains;
mod imported;
mod members;
mod pieces;
mod places;
mod scopes;
mod targets;
mod unseen;
mod walk;

pub(crate) use members::is_library;

use crate::edits::Edits;
use crate::goal::Parsed;
use crate::positions::{Positions, places};
use imported::Imported;
use oxc_semantic::SemanticBuilder;
pub(crate) use pieces::Pieces;
pub use unseen::Unseen;

/// The module that an instrumented ES module imports the runtime's object from.
pub const ACCESS_MODULE: &str = "hemiola:internal/access";

/// How many numbers of sites a text takes at least; the first of a text is a multiple of it.
pub const BLOCK: u32 = 4096;

/// One inserted call: where it is, and what it tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The line in the source, from 1.
    pub line: u32,
    /// The column in the source, from 1, in UTF-16 units.
    pub column: u32,
    /// What is accessed.
    pub target: Target,
    /// How.
    pub mode: Mode,
    /// The name of the variable or property; empty where there is none.
    pub name: Box<str>,
}

/// What is accessed at a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A variable outside all functions: the number among those of the text.
    Root(u32),
    /// A variable of a scope that there may be many of: the number in its scope.
    Variable(u32),
    /// A variable that the text does not declare.
    Global,
    /// A property, by the name, or by a key that is known when the program runs.
    Property,
    /// The keys of an object and their order.
    Keys,
    /// All that is in an object or collection.
    Whole,
    /// All that can be reached from a value: it goes to a function that looks at everything.
    Deep,
    /// Properties that a pattern takes out of an object, and whether it takes all the others, too.
    Pattern(Box<[Box<str>]>, bool),
    /// The outcome of a promise.
    Promise,
}

/// What is done at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// It is read, then written.
    Update,
    /// It is removed.
    Delete,
    /// It is a method, and is called.
    Call,
}

/// A text with calls in it.
pub(crate) struct Instrumented {
    pub(crate) code: String,
    pub(crate) positions: Positions,
    pub(crate) access: Access,
}

/// What the runtime needs to understand the inserted calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The name of the object that the inserted code uses: a parameter of a CommonJS wrapper, an import
    /// of a module.
    pub object: String,
    /// The sites; the number of the first is the one that was asked for.
    pub sites: Vec<Site>,
    /// How many variables outside of functions are told of.
    pub roots: u32,
    /// Where accesses are that no call tells of: line, column, why.
    pub unseen: Vec<(u32, u32, Unseen)>,
    /// Where names of other modules are used first, which these may change: line, column, name.
    pub imported: Vec<(u32, u32, Box<str>)>,
    /// The names by which the text exports variables that it changes.
    pub changed: Vec<Box<str>>,
}

impl Access {
    /// The source's text of a piece of instrumented text.
    #[must_use]
    pub fn original(&self, text: &str) -> String {
        Pieces::new(self.object.clone()).remove(text)
    }
}

/// Puts calls into a text that parses; nothing where nothing is to be told.
pub(crate) fn instrument(parsed: &Parsed<'_>, text: &str, first: u32) -> Option<Instrumented> {
    let scoping = SemanticBuilder::new().build(&parsed.program).semantic.into_scoping();
    let pieces = Pieces::unused_among(text, "$a");
    let scopes = scopes::Scopes::find(&parsed.program, &scoping);
    let mut edits = Edits::default();
    let drafts = walk::walk(parsed, text, &scoping, &scopes, &pieces, first, &mut edits);
    let unseen = unseen::find(&parsed.program, &scoping);
    let Imported { used, changed } = Imported::find(&parsed.program, &scoping);
    if edits.is_empty() && unseen.is_empty() && used.is_empty() && changed.is_empty() {
        return None;
    }
    let (unseen, imported) = (at_places(text, unseen), at_places(text, used));
    let sites = placed(text, drafts);
    let (code, positions) = edits.apply(text);
    let (object, roots) = (pieces.object, scopes.roots);
    let access = Access { object, sites, roots, unseen, imported, changed };
    Some(Instrumented { code, positions, access })
}

/// The same with lines and columns in place of offsets.
fn at_places<T>(text: &str, found: Vec<(u32, T)>) -> Vec<(u32, u32, T)> {
    let offsets: Vec<u32> = found.iter().map(|&(offset, _)| offset).collect();
    let places = places(text, &offsets).into_iter().zip(found);
    places.map(|((line, column), (_, what))| (line, column, what)).collect()
}

/// A site whose place is an offset.
pub(crate) struct Draft {
    offset: u32,
    target: Target,
    mode: Mode,
    name: Box<str>,
}

fn placed(text: &str, drafts: Vec<Draft>) -> Vec<Site> {
    let offsets: Vec<u32> = drafts.iter().map(|draft| draft.offset).collect();
    drafts
        .into_iter()
        .zip(places(text, &offsets))
        .map(|(draft, (line, column))| {
            let Draft { target, mode, name, .. } = draft;
            Site { line, column, target, mode, name }
        })
        .collect()
}
