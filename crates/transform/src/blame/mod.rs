//! What in a program's text an instruction of the engine stands for, and how V8 would name it.
//!
//! The engine says of a failure only where the last name or call was that it met before, and the runtime
//! knows which instruction failed. Instructions come in the order of the text, so the two together say
//! which expression it was: the walk here notes, in the engine's order, what the engine notes as places
//! and what it makes instructions of.

mod marks;
mod render;
mod walk;

use crate::goal;
use crate::positions::{is_break, units};
use crate::{Goal, Language, Positions};
use oxc_allocator::Allocator;
use walk::Walk;

/// What an instruction does that can fail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Calls a function.
    Call,
    /// Calls a constructor.
    New,
    /// Reads a property by its name.
    Get(Box<str>),
    /// Reads a property that was computed.
    GetElement,
    /// Writes a property by its name.
    Put(Box<str>),
    /// Writes a property that was computed.
    PutElement,
    /// Reads or writes a private member.
    Private,
    /// Asks whether there is a private member.
    PrivateIn,
    /// Begins to iterate.
    Iterate,
    /// Begins to iterate over what is awaited.
    IterateAsync,
    /// Adds the elements of something to a list.
    Spread,
    /// `in`
    In,
    /// `instanceof`
    InstanceOf,
    /// Computes with two values.
    Binary,
    /// Computes with one value.
    Unary,
    /// `delete`
    Delete,
    /// Takes an object apart.
    TakeApart,
    /// Makes a class of another.
    Extend,
    /// Assigns to a variable of that name, which cannot be.
    Assign(Box<str>),
}

impl Act {
    /// Its name for the library.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Act::Call => "call",
            Act::New => "new",
            Act::Get(_) | Act::GetElement => "get",
            Act::Put(_) | Act::PutElement => "put",
            Act::Private => "private",
            Act::PrivateIn => "private in",
            Act::Iterate => "iterate",
            Act::IterateAsync => "iterate async",
            Act::Spread => "spread",
            Act::In => "in",
            Act::InstanceOf => "instanceof",
            Act::Binary => "binary",
            Act::Unary => "unary",
            Act::Delete => "delete",
            Act::TakeApart => "take apart",
            Act::Extend => "extend",
            Act::Assign(_) => "assign",
        }
    }
}

/// An instruction, as the engine tells of it. Lines and columns are the engine's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The place that was noted last before it; none if its function has noted none.
    pub noted: Option<(u32, u32)>,
    /// Where its function begins.
    pub function: (u32, u32),
    /// What it does.
    pub act: Act,
    /// How many like it come after that place, or since the function began.
    pub before: u32,
}

/// A text as the engine has it, and the source that it was made of.
#[derive(Clone, Copy)]
pub struct Blamed<'t> {
    /// What the engine has.
    pub code: &'t str,
    /// The source.
    pub source: &'t str,
    /// The source's language.
    pub language: Language,
    /// Script or module.
    pub goal: Goal,
    /// From places in `code` to those in `source`.
    pub positions: &'t Positions,
    /// How many bytes of a wrapper come before `code`.
    pub prefix: u32,
}

/// What kind of thing it is that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An expression.
    Plain,
    /// The value of a call, or a call whose value is iterated over; the text is its callee.
    Call,
    /// The same where what is iterated over is awaited; the text is the call.
    AsyncCall,
    /// What is passed to a function, or comes out of a loop or an object: it has no text.
    Passed,
    /// An argument that is spread.
    Argument,
    /// What is taken apart as an object, as a whole.
    Whole,
    /// Something within what is taken apart, or with a default.
    Inner,
    /// A private member that is written.
    Written,
}

impl Form {
    /// Its name for the library.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Call => "call",
            Form::AsyncCall => "async call",
            Form::Written => "written",
            Form::Passed => "passed",
            Form::Argument => "argument",
            Form::Whole => "whole",
            Form::Inner => "inner",
        }
    }
}

/// What failed. Lines and columns are the source's, from 1, in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    /// The expression that is at fault, in V8's words.
    pub text: String,
    /// What it is.
    pub form: Form,
    /// The first property that is taken out of it.
    pub property: Option<String>,
    /// Where the frame is.
    pub place: (u32, u32),
    /// What is marked.
    pub mark: (u32, u32),
}

/// The same with offsets.
struct Found {
    text: String,
    form: Form,
    property: Option<String>,
    place: u32,
    mark: u32,
}

/// Finds what failed; nothing when it cannot be told for certain.
#[must_use]
pub fn blame(text: &Blamed<'_>, spot: &Spot) -> Option<Culprit> {
    if u32::try_from(text.code.len().max(text.source.len())).is_err() {
        return None;
    }
    let allocator = Allocator::default();
    let parsed = goal::parse(&allocator, text.code, Language::JavaScript, text.goal).ok()?;
    let noted = Walk::noting(text.code, &parsed.program);
    let lines = Lines::new(text.code);
    let span = noted.find(spot, |offset, wanted| {
        let Some(offset) = offset else {
            return wanted == (1, text.prefix.saturating_sub(1).max(1));
        };
        match lines.place(text.code, offset) {
            // Of a first line the engine counts columns from 0, but for names.
            (1, column) => {
                let column = column + text.prefix;
                wanted == (1, column) || wanted == (1, (column - 1).max(1))
            }
            place => place == wanted,
        }
    })?;
    drop(noted);
    let allocator = Allocator::default();
    let parsed = goal::parse(&allocator, text.source, text.language, text.goal).ok()?;
    let source_lines = Lines::new(text.source);
    let to_source = |offset: u32| {
        let (line, column) = lines.place(text.code, offset);
        source_lines.offset(text.source, line, text.positions.source_column(line, column))
    };
    let wanted = (to_source(span.0)?, to_source(span.1)?);
    let found = Walk::searching(text.source, &parsed.program, &spot.act, wanted)?;
    let place = |offset: u32| {
        let (line, _) = source_lines.place(text.source, offset);
        let start = source_lines.starts[line as usize - 1] as usize;
        let before = &text.source[start..offset as usize];
        (line, before.chars().map(units).sum::<u32>() + 1)
    };
    Some(Culprit {
        place: place(found.place),
        mark: place(found.mark),
        text: found.text,
        form: found.form,
        property: found.property,
    })
}

/// Where lines begin.
struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    fn new(text: &str) -> Self {
        let mut starts = vec![0];
        for (at, char) in text.char_indices().filter(|&(_, char)| is_break(char)) {
            if !(char == '\r' && text[at + 1..].starts_with('\n')) {
                starts.push((at + char.len_utf8()) as u32);
            }
        }
        Self { starts }
    }

    /// Line and column in bytes, both from 1.
    fn place(&self, text: &str, offset: u32) -> (u32, u32) {
        let offset = offset.min(text.len() as u32);
        let line = self.starts.partition_point(|&start| start <= offset);
        (line as u32, offset - self.starts[line - 1] + 1)
    }

    /// The offset of a line and a column in UTF-16 units, both from 1.
    fn offset(&self, text: &str, line: u32, column: u32) -> Option<u32> {
        let start = *self.starts.get(line.checked_sub(1)? as usize)?;
        let mut left = column.checked_sub(1)?;
        let mut at = start;
        for char in text[start as usize..].chars() {
            if left == 0 {
                break;
            }
            left = left.checked_sub(units(char))?;
            at += char.len_utf8() as u32;
        }
        Some(at)
    }
}

#[cfg(test)]
mod tests;
