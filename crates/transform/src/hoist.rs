//! Mocks of modules before the imports that they are for.
//!
//! `vi.mock`, `jest.mock` and their kin stand anywhere at the top level of a test file, and happen first.
//! Each becomes the body of a function, which is called before everything else: so its text stays in its
//! lines. Imports of an ES module happen before all of its text; here they become `await import(…)` after the
//! mocks.

use crate::edits::Edits;
use crate::goal::{self, Parsed};
use crate::positions::{Positions, is_break};
use crate::{Goal, Language};
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};
use std::fmt::Write;

/// Without one of these there is nothing to do.
const MARKS: [&str; 6] = [".mock(", ".unmock(", ".hoisted(", ".deepUnmock(", ".mock\n", ".mock "];
/// What happens first.
const HOISTED: [&str; 4] = ["mock", "unmock", "deepUnmock", "hoisted"];
/// Whose it is.
const OWNERS: [&str; 3] = ["jest", "vi", "vitest"];
/// Runners: what is imported from them is there before anything is mocked.
const RUNNERS: [&str; 4] = ["vitest", "@jest/globals", "bun:test", "node:test"];
/// Lets the runtime make what takes time to make.
const READY: &str = "await globalThis[Symbol.for(\"hemiola.mocks\")]?.();";

/// A test file whose mocks of modules happen before its imports, and where places in it come from; none if it
/// mocks no modules, or does not parse.
#[must_use]
pub fn hoist_mocks(source: &str, language: Language, goal: Goal) -> Option<(String, Positions)> {
    if !MARKS.iter().any(|mark| source.contains(mark)) || u32::try_from(source.len()).is_err() {
        return None;
    }
    let allocator = Allocator::default();
    let parsed = goal::parse(&allocator, source, language, goal).ok()?;
    let mut hoist = Hoist { text: source, edits: Edits::default(), first: String::new(), count: 0 };
    hoist.program(&parsed).then(|| hoist.edits.apply(source))
}

struct Hoist<'s> {
    text: &'s str,
    edits: Edits,
    /// What comes before everything else.
    first: String,
    count: usize,
}

impl Hoist<'_> {
    /// Whether there is anything to hoist.
    fn program(&mut self, parsed: &Parsed<'_>) -> bool {
        let body = &parsed.program.body;
        let Some(start) = body.first().map(GetSpan::span) else { return false };
        let top = self.edits.reserve(start.start);
        for statement in body {
            self.statement(statement);
        }
        if self.count == 0 {
            return false;
        }
        if parsed.goal == Goal::Module {
            self.first.push_str(READY);
            for statement in body {
                if let Statement::ImportDeclaration(import) = statement {
                    self.import(import);
                }
            }
        }
        let first = std::mem::take(&mut self.first);
        self.edits.fill(top, first);
        true
    }

    fn statement(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::ExpressionStatement(statement) => {
                let Some((call, waits)) = hoisted(&statement.expression) else { return };
                let name = self.name();
                let keyword = if waits { "async function" } else { "function" };
                self.edits.insert(statement.span.start, format!("{keyword} {name}(){{"));
                self.path_of(call);
                self.edits.insert(statement.span.end, "}");
                let _ = write!(self.first, "{}{name}();", if waits { "await " } else { "" });
            }
            Statement::VariableDeclaration(declaration) => self.variable(declaration),
            _ => {}
        }
    }

    /// `const { a } = vi.hoisted(…)`.
    fn variable(&mut self, declaration: &VariableDeclaration<'_>) {
        let [declarator] = declaration.declarations.as_slice() else { return };
        let Some(init) = &declarator.init else { return };
        let Some((_, waits)) = hoisted(init) else { return };
        let name = self.name();
        let id = self.slice(declarator.id.span()).replace(is_break, " ");
        let keyword = if waits { "async function" } else { "function" };
        self.blank(Span::new(declaration.span.start, init.span().start));
        self.edits.insert(init.span().start, format!("{keyword} {name}(){{return "));
        self.edits.insert(declaration.span.end, "}");
        let (kind, wait) = (declaration.kind.as_str(), if waits { "await " } else { "" });
        let _ = write!(self.first, "{kind} {id} = {wait}{name}();");
    }

    /// `vi.mock(import('./a'))` means the name.
    fn path_of(&mut self, call: &CallExpression<'_>) {
        if let Some(Argument::ImportExpression(import)) = call.arguments.first() {
            let path = import.source.span();
            self.blank(Span::new(import.span.start, path.start));
            self.blank(Span::new(path.end, import.span.end));
        }
    }

    fn import(&mut self, import: &ImportDeclaration<'_>) {
        if import.import_kind.is_type() || RUNNERS.contains(&import.source.value.as_str()) {
            return;
        }
        let options = import.with_clause.as_ref().map_or_else(String::new, |clause| {
            let text = self.slice(clause.span).replace(is_break, " ");
            let object = text.find('{').map_or("{}", |at| &text[at..]);
            format!(", {{ with: {object} }}")
        });
        let value = format!("await import({}{options})", self.slice(import.source.span));
        let mut parts = Vec::new();
        let mut whole = None;
        for specifier in import.specifiers.iter().flatten() {
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) => {
                    if !named.import_kind.is_type() {
                        let imported = named.imported.name();
                        parts.push(format!("{imported:?}: {}", named.local.name));
                    }
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => {
                    parts.push(format!("default: {}", default.local.name));
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => {
                    whole = Some(all.local.name.to_string());
                }
            }
        }
        let parts = format!("{{ {} }}", parts.join(", "));
        let _ = match (whole, parts.as_str()) {
            (Some(whole), "{  }") => write!(self.first, "const {whole} = {value};"),
            (Some(whole), parts) => {
                write!(self.first, "const {whole} = {value}, {parts} = {whole};")
            }
            (None, "{  }") => write!(self.first, "{value};"),
            (None, parts) => write!(self.first, "const {parts} = {value};"),
        };
        self.blank(import.span);
        // What follows on the same line stays a statement of its own.
        self.edits.insert(import.span.end, ";");
    }

    fn name(&mut self) -> String {
        loop {
            self.count += 1;
            let name = format!("$hemiolaMock{}", self.count);
            if !self.text.contains(&name) {
                return name;
            }
        }
    }

    fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Takes a piece of the text out, but for its line breaks.
    fn blank(&mut self, span: Span) {
        let mut start = span.start;
        let pieces: Vec<Span> = self
            .slice(span)
            .split_inclusive(is_break)
            .map(|piece| {
                let whole = u32::try_from(piece.len()).expect("the text is short enough");
                let kept = piece.trim_end_matches(is_break).len();
                let found = Span::new(start, start + u32::try_from(kept).unwrap_or(whole));
                start += whole;
                found
            })
            .collect();
        for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
            self.edits.replace(piece, "");
        }
    }
}

/// The call of what happens first, and whether it is awaited.
fn hoisted<'b, 'a>(expression: &'b Expression<'a>) -> Option<(&'b CallExpression<'a>, bool)> {
    match expression {
        Expression::AwaitExpression(awaiting) => {
            hoisted(&awaiting.argument).map(|(call, _)| (call, true))
        }
        Expression::CallExpression(call) => {
            let Expression::StaticMemberExpression(callee) = &call.callee else { return None };
            if !HOISTED.contains(&callee.property.name.as_str()) {
                return None;
            }
            let is_owned = match &callee.object {
                Expression::Identifier(owner) => OWNERS.contains(&owner.name.as_str()),
                // `jest.mock('a').mock('b')`
                other => hoisted(other).is_some(),
            };
            is_owned.then_some((&**call, false))
        }
        _ => None,
    }
}
