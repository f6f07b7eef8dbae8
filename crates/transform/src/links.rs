//! What an ES module takes from others by name, and where it waits while it is evaluated. Asked only
//! when something about modules went wrong.

use crate::depth::with_room;
use crate::goal;
use crate::positions::Places;
use crate::{Goal, Language};
use oxc_allocator::Allocator;
use oxc_ast::ast::{
    ArrowFunctionExpression, AwaitExpression, ForOfStatement, Function, ImportOrExportKind,
    Statement, VariableDeclaration, VariableDeclarationKind, WithClause,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use oxc_syntax::module_record::{ExportImportName, ImportImportName};
use oxc_syntax::scope::ScopeFlags;

/// A name that a module takes from another, in an `import` or in an `export … from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The other module, as it is written.
    pub specifier: String,
    /// The name that it has there.
    pub name: String,
    /// The line of the name, from 1.
    pub line: u32,
    /// The column of the name, from 1, in UTF-16 units.
    pub column: u32,
    /// How long the name is written, in UTF-16 units.
    pub length: u32,
}

/// The names that an ES module takes from others; none for a text that does not parse.
#[must_use]
pub fn links(source: &str, language: Language) -> Vec<Link> {
    with_room(source, || find_links(source, language)).unwrap_or_default()
}

fn find_links(source: &str, language: Language) -> Vec<Link> {
    let allocator = Allocator::default();
    let Ok((_, record)) = goal::parse_module(&allocator, source, language) else {
        return Vec::new();
    };
    let mut places = Places::new(source);
    let mut link = |specifier: &str, name: &str, span: Span| {
        let (line, column) = places.find(span.start as usize);
        let written = source.get(span.start as usize..span.end as usize).unwrap_or_default();
        Link {
            specifier: specifier.to_owned(),
            name: name.to_owned(),
            line,
            column,
            length: u32::try_from(written.encode_utf16().count()).unwrap_or(1),
        }
    };
    let imports = record.import_entries.iter().filter(|entry| !entry.is_type).filter_map(|entry| {
        let specifier = &entry.module_request.name;
        match &entry.import_name {
            ImportImportName::Name(name) => Some(link(specifier, &name.name, name.span)),
            ImportImportName::Default(_) => Some(link(specifier, "default", entry.local_name.span)),
            ImportImportName::NamespaceObject => None,
        }
    });
    let mut all: Vec<Link> = imports.collect();
    let exports = record.indirect_export_entries.iter().filter(|entry| !entry.is_type);
    let exports = exports.filter_map(|entry| match (&entry.module_request, &entry.import_name) {
        (Some(request), ExportImportName::Name(name)) => {
            Some(link(&request.name, &name.name, name.span))
        }
        _ => None,
    });
    all.extend(exports);
    all
}

/// A module that another asks for, in an `import` or in an `export … from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requested {
    /// The module, as it is written.
    pub specifier: String,
    /// The attributes, as they are written.
    pub attributes: Vec<(String, String)>,
}

/// The modules that an ES module asks for, each once; none for a text that does not parse.
#[must_use]
pub fn requested(source: &str, language: Language) -> Vec<Requested> {
    with_room(source, || find_requested(source, language)).unwrap_or_default()
}

fn find_requested(source: &str, language: Language) -> Vec<Requested> {
    let allocator = Allocator::default();
    let Ok((program, _)) = goal::parse_module(&allocator, source, language) else {
        return Vec::new();
    };
    let mut all: Vec<Requested> = Vec::new();
    for statement in &program.body {
        let (kind, specifier, clause) = match statement {
            Statement::ImportDeclaration(import) => {
                (import.import_kind, &import.source, &import.with_clause)
            }
            Statement::ExportAllDeclaration(export) => {
                (export.export_kind, &export.source, &export.with_clause)
            }
            Statement::ExportFromDeclaration(export) => {
                (export.export_kind, &export.source, &export.with_clause)
            }
            _ => continue,
        };
        let attributes = clause.as_deref().map(attributes).unwrap_or_default();
        let requested = Requested { specifier: specifier.value.to_string(), attributes };
        if kind == ImportOrExportKind::Value && !all.contains(&requested) {
            all.push(requested);
        }
    }
    all
}

fn attributes(clause: &WithClause<'_>) -> Vec<(String, String)> {
    let entries = clause.with_entries.iter();
    entries
        .map(|entry| (entry.key.as_arena_str().to_string(), entry.value.value.to_string()))
        .collect()
}

/// The places, line and column from 1, of the awaits outside all functions of an ES module.
#[must_use]
pub fn top_level_awaits(source: &str, language: Language) -> Vec<(u32, u32)> {
    if !source.contains("await") {
        return Vec::new();
    }
    with_room(source, || find_awaits(source, language)).unwrap_or_default()
}

fn find_awaits(source: &str, language: Language) -> Vec<(u32, u32)> {
    let allocator = Allocator::default();
    let Ok(parsed) = goal::parse(&allocator, source, language, Goal::Module) else {
        return Vec::new();
    };
    let mut found = TopLevel(Vec::new());
    found.visit_program(&parsed.program);
    let mut places = Places::new(source);
    found.0.into_iter().map(|offset| places.find(offset as usize)).collect()
}

struct TopLevel(Vec<u32>);

impl<'a> Visit<'a> for TopLevel {
    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.0.push(expression.span.start);
        walk::walk_await_expression(self, expression);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        if statement.r#await {
            self.0.push(statement.span.start);
        }
        walk::walk_for_of_statement(self, statement);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        if declaration.kind == VariableDeclarationKind::AwaitUsing {
            self.0.push(declaration.span.start);
        }
        walk::walk_variable_declaration(self, declaration);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counting each place from the beginning, this would take many minutes.
    #[test]
    fn many_awaits_are_found_in_one_pass() {
        let source = "await 0;\n".repeat(100_000) + &"await 0;".repeat(100_000);
        let found = top_level_awaits(&source, Language::JavaScript);
        assert_eq!((found.len(), found[99_999]), (200_000, (100_000, 1)));
        assert_eq!(found.last(), Some(&(100_001, 8 * 99_999 + 1)));
    }

    #[test]
    fn names_and_their_places() {
        let source =
            "import a, { b as c } from './x';\nimport * as d from 'y'; export { é } from './z';";
        let found: Vec<_> = links(source, Language::JavaScript)
            .into_iter()
            .map(|link| (link.specifier, link.name, link.line, link.column, link.length))
            .collect();
        let link = |specifier: &str, name: &str, line, column, length| {
            (specifier.to_owned(), name.to_owned(), line, column, length)
        };
        assert_eq!(
            found,
            [
                link("./x", "default", 1, 8, 1),
                link("./x", "b", 1, 13, 1),
                link("./z", "é", 2, 34, 1)
            ]
        );
    }

    #[test]
    fn modules_that_are_asked_for() {
        let source = "import a from './x'; // from './no'\nimport './y' with { type: 'json' };\n\
            export * from 'z'; export { b } from './x'; import type { T } from './no';";
        let found: Vec<_> = requested(source, Language::of_name("a.ts"))
            .into_iter()
            .map(|requested| (requested.specifier, requested.attributes.len()))
            .collect();
        assert_eq!(found, [("./x".into(), 0), ("./y".into(), 1), ("z".into(), 0)]);
    }

    #[test]
    fn awaits_outside_functions() {
        let awaits = |source| top_level_awaits(source, Language::JavaScript);
        assert_eq!(awaits("async function f() { await 1; }\n(async () => await 2)();"), []);
        assert_eq!(
            awaits("if (true) {\n  await 1; }\nfor await (const x of []) {}"),
            [(2, 3), (3, 1)]
        );
        assert_eq!(awaits("// await\nexport {};"), []);
    }
}
