//! Whether a text is an ES module, and its syntax tree.

use crate::depth::is_too_deep;
use crate::elide::is_type_only;
use crate::namespaces::bound_names;
use crate::patterns;
use crate::positions::{is_break, units};
use crate::text::{offset_of, skip_trivia, word_at};
use crate::{Exchanged, Goal, Language, SyntaxError};
use oxc_allocator::Allocator;
use oxc_ast::ast::{Declaration, Program, Statement, VariableDeclarationKind};
use oxc_parser::{Parser, ParserReturn};
use oxc_syntax::module_record::ModuleRecord;

/// The engine keeps a longer text that was joined with `+` in pieces, and takes it for another one than
/// the same text in one piece.
pub(crate) const LONG: usize = 512;

/// A text that parses.
pub(crate) struct Parsed<'a> {
    pub(crate) program: Program<'a>,
    pub(crate) goal: Goal,
}

/// The goal of a text that certainly needs no change, or is longer than the parser takes.
pub(crate) fn without_parsing(
    text: &str,
    language: Language,
    goal: Goal,
    exchanged: Exchanged,
) -> Option<Goal> {
    if u32::try_from(text.len()).is_err() {
        return Some(guess(text, goal));
    }
    // Neither `await` nor `async` can be written with escapes.
    let mut telling = ["await", "async"].iter().chain(exchanged);
    let is_telling = telling.any(|word| text.contains(word));
    let is_used = may_import(text) || may_compare(text) || patterns::may_be_there(text);
    if language.has_types() || is_telling || is_used {
        return None;
    }
    if !goal.is_open() {
        return Some(goal);
    }
    let may_be_module = ["import", "export"].iter().any(|word| text.contains(word));
    let may_redeclare = goal == Goal::Detect && may_redeclare_wrapper(text);
    (!may_be_module && !may_redeclare).then_some(Goal::CommonJs)
}

/// Whether there may be an `import()` in a text.
fn may_import(text: &str) -> bool {
    let mut places = text.match_indices("import");
    places.any(|(at, word)| text[at + word.len()..].trim_start().starts_with(['(', '/']))
}

/// Whether a text may have a loose comparison of what may be two long strings.
fn may_compare(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut places = text.match_indices('=');
    places.any(|(at, _)| {
        // The last letter of an operator of two letters.
        let is_loose = at > 1
            && matches!(bytes[at - 1], b'=' | b'!')
            && !matches!(bytes[at - 2], b'=' | b'!')
            && bytes.get(at + 1) != Some(&b'=');
        is_loose && !begins_short(text[at + 1..].trim_start())
    })
}

/// Whether a text begins with an operand that is certainly no long string.
fn begins_short(text: &str) -> bool {
    const WORDS: [&str; 6] = ["null", "undefined", "true", "false", "typeof", "void"];
    let is_word = |word: &str| {
        text.strip_prefix(word).is_some_and(|rest| {
            !rest.starts_with(|letter: char| letter.is_alphanumeric() || "_$.([".contains(letter))
        })
    };
    match text.as_bytes().first() {
        Some(quote @ (b'"' | b'\'')) => {
            text.bytes().skip(1).take(LONG).any(|letter| letter == *quote)
        }
        Some(b'0'..=b'9' | b'-' | b'!' | b'~') => true,
        _ => WORDS.iter().any(|word| is_word(word)),
    }
}

/// What is said of a text that nobody parses here.
pub(crate) fn too_deep(text: &str) -> SyntaxError {
    error_at(text, 0, "The source is nested too deeply")
}

/// Parses an ES module, and says what it imports and exports.
pub(crate) fn parse_module<'a>(
    allocator: &'a Allocator,
    text: &'a str,
    language: Language,
) -> Result<(Program<'a>, ModuleRecord<'a>), SyntaxError> {
    let source_type = language.source_type();
    if is_too_deep(text) {
        return Err(too_deep(text));
    }
    let returned = Parser::new(allocator, text, source_type.with_module(true)).parse();
    match first_error(text, &returned) {
        None => Ok((returned.program, returned.module_record)),
        Some(error) => Err(error),
    }
}

/// Parses a text, as the goal says or as its syntax asks for.
pub(crate) fn parse<'a>(
    allocator: &'a Allocator,
    text: &'a str,
    language: Language,
    goal: Goal,
) -> Result<Parsed<'a>, SyntaxError> {
    if is_too_deep(text) {
        return Err(too_deep(text));
    }
    let attempt = |goal: Goal| {
        let source_type = language.source_type();
        let source_type = match goal {
            Goal::Module => source_type.with_module(true),
            Goal::CommonJs | Goal::Detect | Goal::DetectText => source_type.with_commonjs(true),
        };
        let returned = Parser::new(allocator, text, source_type).parse();
        match first_error(text, &returned) {
            None => Ok((Parsed { program: returned.program, goal }, returned.module_record)),
            Some(error) => Err(error),
        }
    };
    if !goal.is_open() {
        return attempt(goal).map(|(parsed, _)| parsed);
    }
    let as_module = attempt(Goal::Module);
    if let Ok((module, record)) = &as_module
        && (!language.has_types() && record.has_module_syntax
            || has_module_syntax(&module.program, record))
    {
        return as_module.map(|(parsed, _)| parsed);
    }
    match (attempt(Goal::CommonJs), as_module) {
        (Ok((parsed, _)), Ok((module, _)))
            if goal == Goal::Detect && redeclares_wrapper(&parsed.program) =>
        {
            Ok(module)
        }
        (Ok((parsed, _)), _) => Ok(parsed),
        (Err(_), Ok((module, _))) => Ok(module),
        (Err(error), Err(_)) if guess(text, goal) == Goal::CommonJs => Err(error),
        (Err(_), Err(error)) => Err(error),
    }
}

/// Whether module syntax is left when types are gone.
fn has_module_syntax(program: &Program<'_>, record: &ModuleRecord<'_>) -> bool {
    // `export =` alone is CommonJS.
    let is_assignment =
        |statement: &Statement<'_>| matches!(statement, Statement::TSExportAssignment(_));
    let kept = |statement: &Statement<'_>| {
        statement.is_module_declaration() && !is_type_only(statement) && !is_assignment(statement)
    };
    program.body.iter().any(kept) || !record.import_metas.is_empty()
}

impl Goal {
    /// Whether the syntax of a text decides.
    fn is_open(self) -> bool {
        matches!(self, Self::Detect | Self::DetectText)
    }
}

/// What a text that does not parse was probably meant to be.
pub(crate) fn guess(text: &str, goal: Goal) -> Goal {
    if !goal.is_open() {
        return goal;
    }
    let module = text.split(is_break).any(|line| {
        ["import", "export"].iter().any(|word| {
            line.trim_start().strip_prefix(word).is_some_and(|rest| {
                !rest.starts_with(|char: char| char.is_alphanumeric() || "_$(.:=".contains(char))
            })
        })
    });
    if module { Goal::Module } else { Goal::CommonJs }
}

/// What a CommonJS module gets as parameters; one that declares them itself is taken for an ES
/// module.
pub(crate) const WRAPPER: [&str; 5] = ["exports", "require", "module", "__filename", "__dirname"];

/// Whether a declaration of one of them is possible, found without parsing.
fn may_redeclare_wrapper(text: &str) -> bool {
    ["const", "let", "class"].iter().any(|keyword| {
        text.match_indices(keyword).any(|(index, _)| {
            let rest = &text[skip_trivia(text, offset_of(index + keyword.len())) as usize..];
            let target = if rest.starts_with(['{', '[']) {
                rest.split('=').next().unwrap_or(rest)
            } else {
                word_at(rest, 0)
            };
            WRAPPER.iter().any(|name| target.contains(name))
        })
    })
}

fn redeclares_wrapper(program: &Program<'_>) -> bool {
    let is_wrapper = |name: &str| WRAPPER.contains(&name);
    program.body.iter().filter_map(Statement::as_declaration).any(|declaration| match declaration {
        Declaration::VariableDeclaration(declaration) => {
            let mut names = Vec::new();
            for declarator in &declaration.declarations {
                bound_names(&declarator.id, &mut names);
            }
            declaration.kind != VariableDeclarationKind::Var
                && names.iter().any(|name| is_wrapper(name))
        }
        Declaration::ClassDeclaration(class) => {
            class.id.as_ref().is_some_and(|id| is_wrapper(&id.name))
        }
        _ => false,
    })
}

fn first_error(text: &str, returned: &ParserReturn<'_>) -> Option<SyntaxError> {
    let diagnostic = match returned.diagnostics.first() {
        Some(diagnostic) => diagnostic,
        None if returned.panicked => {
            return Some(error_at(text, 0, "the source could not be parsed"));
        }
        None => return None,
    };
    let label = diagnostic.labels.first();
    let (start, length) = label.map_or((0, 0), |label| (label.offset(), label.len()));
    let found = text.get(start as usize..).unwrap_or_default();
    let message = match &*diagnostic.message {
        "Unexpected token" => unexpected(found, length as usize),
        message => message.replace("`EOF`", "the end of input"),
    };
    Some(error_at(text, start as usize, &message))
}

/// What is said of a token that cannot stand where it does, in the words that people know. It is where the text begins.
fn unexpected(text: &str, length: usize) -> String {
    let word = word_at(text, 0);
    match text.chars().next() {
        None => "Unexpected end of input".into(),
        Some('"' | '\'') => "Unexpected string".into(),
        Some('0'..='9') => "Unexpected number".into(),
        Some(first) => {
            let token = text.get(..length).and_then(|token| token.lines().next());
            let token = token.filter(|token| !token.is_empty());
            let token = token.unwrap_or(&text[..first.len_utf8()]);
            match word.is_empty() {
                true => format!("Unexpected token '{token}'"),
                false => format!("Unexpected identifier '{word}'"),
            }
        }
    }
}

/// An error at a place in the text.
pub(crate) fn error_at(text: &str, offset: usize, message: &str) -> SyntaxError {
    let before = text.get(..offset).unwrap_or(text);
    let start = before
        .rfind(is_break)
        .map_or(0, |index| index + before[index..].chars().next().map_or(0, char::len_utf8));
    let lines = before.replace("\r\n", "\n").matches(is_break).count();
    SyntaxError {
        message: message.to_owned(),
        line: u32::try_from(lines).unwrap_or(u32::MAX - 1) + 1,
        column: before[start..].chars().map(units).sum::<u32>() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::may_compare;

    #[test]
    fn texts_without_comparisons_of_strings_are_not_parsed() {
        for text in [
            "a === b",
            "a !== b",
            "a == null",
            "a!=undefined",
            "x <= y; z >= 1",
            "a == ''",
            "a == -1",
        ] {
            assert!(!may_compare(text), "{text}");
        }
        for text in ["a == b", "a!=b", "a ==\nb", "a == nullable", "a == undefined.b", "(a) == (b)"]
        {
            assert!(may_compare(text), "{text}");
        }
    }
}
