//! Counters for coverage: which parts of a text are executed, and how often.
//!
//! A text is edited before the rest of the transform sees it: `$cover_0[7]++` where part 7 begins. Parts are
//! those that V8 tells apart, functions, branches, bodies of loops, and what follows a statement that may not
//! be left at its end; so what is made of the counts (`ranges`) is what V8 would say, and tools that read
//! that understand it. `docs/design/transform.md` has the table.

mod names;
mod ranges;
mod walk;

use crate::edits::Edits;
use crate::goal::Parsed;
use crate::instrument::Pieces;
use crate::positions::{Positions, places};
pub use ranges::{Attribution, Counted, FunctionRanges, Range, Table};
use walk::Draft;

/// How the names of the runtime's global variables begin. A text that has them gets no counters.
pub const COVER_PREFIX: &str = "$cover_";

/// Line and column, both from 1, the column in UTF-16 units.
type Place = (u32, u32);

/// What is counted in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// What marks inserted pieces.
    object: String,
    /// How many counters there are.
    pub counters: u32,
    /// The functions, the whole text first; one that is in another comes after it.
    functions: Vec<Function>,
}

/// A function, or what V8 takes for one: the text itself, the fields of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    name: Box<str>,
    start: Place,
    end: Place,
    counter: u32,
    /// Whether it sets the fields of a class.
    sets_fields: bool,
    /// Parts that are entered or not.
    blocks: Vec<Block>,
    /// Where something follows that may not be reached.
    rests: Vec<Rest>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    start: Place,
    end: Place,
    counter: u32,
}

/// What follows a part that is not always left at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rest {
    /// Where the part before it begins.
    from: Place,
    at: Place,
    counter: u32,
}

impl Coverage {
    /// The source's text of a piece of text with counters.
    #[must_use]
    pub fn original(&self, text: &str) -> String {
        Pieces::new(self.object.clone()).remove(text)
    }

    /// What marks inserted pieces: the same for most texts.
    #[must_use]
    pub fn mark(&self) -> &str {
        &self.object
    }

    /// Puts places where they are in the source.
    pub(crate) fn put(&mut self, place: impl Fn(u32, u32) -> u32) {
        let put = |at: &mut Place| at.1 = place(at.0, at.1);
        for function in &mut self.functions {
            put(&mut function.start);
            put(&mut function.end);
            function.blocks.iter_mut().for_each(|block| {
                put(&mut block.start);
                put(&mut block.end);
            });
            function.rests.iter_mut().for_each(|rest| {
                put(&mut rest.from);
                put(&mut rest.at);
            });
        }
    }
}

/// A text with counters in it.
pub(crate) struct Covered {
    pub(crate) code: String,
    pub(crate) positions: Positions,
    pub(crate) coverage: Coverage,
}

/// Puts counters into a text that parses; nothing where nothing is executed. `number` tells the text's
/// counters from those of others.
pub(crate) fn cover(parsed: &Parsed<'_>, text: &str, number: u32) -> Option<Covered> {
    if text.contains(COVER_PREFIX) || parsed.program.body.is_empty() {
        return None;
    }
    let pieces = Pieces::unused_among(text, "$c");
    let mut edits = Edits::default();
    let (drafts, counters) = walk::walk(&parsed.program, text, &pieces, number, &mut edits);
    let functions = placed(text, drafts);
    let (code, positions) = edits.apply(text);
    let coverage = Coverage { object: pieces.object, counters, functions };
    Some(Covered { code, positions, coverage })
}

/// The same with lines and columns in place of offsets.
fn placed(text: &str, drafts: Vec<Draft>) -> Vec<Function> {
    let mut offsets = Vec::new();
    for draft in &drafts {
        offsets.extend([draft.start, draft.end]);
        offsets.extend(draft.blocks.iter().flat_map(|&(start, end, _)| [start, end]));
        offsets.extend(draft.rests.iter().flat_map(|&(from, at, _)| [from, at]));
    }
    let mut places = places(text, &offsets).into_iter();
    let mut next = || places.next().expect("every offset has a place");
    let make = |draft: Draft| {
        let (start, end) = (next(), next());
        let blocks = draft.blocks.iter();
        let blocks = blocks.map(|&(.., counter)| Block { start: next(), end: next(), counter });
        let blocks = blocks.collect();
        let rests = draft.rests.iter();
        let rests =
            rests.map(|&(.., counter)| Rest { from: next(), at: next(), counter }).collect();
        let Draft { name, counter, sets_fields, .. } = draft;
        Function { name: name.into(), start, end, counter, sets_fields, blocks, rests }
    };
    drafts.into_iter().map(make).collect()
}
