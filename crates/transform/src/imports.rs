//! Imports and exports of types, and those that only TypeScript has.

use crate::rewrite::Rewriter;
use crate::text::next_token;
use oxc_ast::ast::*;
use oxc_ast_visit::walk;
use oxc_span::GetSpan;

impl<'a> Rewriter<'_> {
    pub(crate) fn import(&mut self, import: &ImportDeclaration<'a>) {
        if import.import_kind.is_type() {
            self.blank_with_semicolon(import.span);
            return;
        }
        let specifiers = import.specifiers.as_ref().map_or(&[][..], |all| &all[..]);
        let is_gone = |specifier: &ImportDeclarationSpecifier<'_>| {
            self.unused.contains(&specifier.span().start)
                || matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(specifier)
                    if specifier.import_kind.is_type())
        };
        let gone: Vec<bool> = specifiers.iter().map(is_gone).collect();
        // What names only types is for types only; what says so of each is still evaluated.
        let has_unused = specifiers.iter().any(|one| self.unused.contains(&one.span().start));
        if has_unused && gone.iter().all(|&gone| gone) {
            self.blank_with_semicolon(import.span);
            return;
        }
        for (specifier, _) in specifiers.iter().zip(gone).filter(|(_, gone)| *gone) {
            match specifier {
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => {
                    // After a default, and the comma with it.
                    let first = specifiers[0].span().end;
                    self.blank(Span::new(first, specifier.span.end));
                }
                specifier => self.blank_specifier(specifier.span()),
            }
        }
    }

    pub(crate) fn export_specifiers(
        &mut self,
        span: Span,
        kind: ImportOrExportKind,
        specifiers: &[ExportSpecifier<'a>],
    ) {
        if kind.is_type() {
            self.blank_with_semicolon(span);
            return;
        }
        for specifier in specifiers {
            if specifier.export_kind.is_type() || self.unused.contains(&specifier.span.start) {
                self.blank_specifier(specifier.span);
            }
        }
    }

    fn blank_specifier(&mut self, span: Span) {
        self.blank(span);
        if let Some(comma) = next_token(self.text, span.end, ',') {
            self.blank(Span::sized(comma, 1));
        }
    }

    pub(crate) fn export_default(&mut self, export: &ExportDefaultDeclaration<'a>) {
        match &export.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => {
                self.blank_with_semicolon(export.span);
            }
            ExportDefaultDeclarationKind::FunctionDeclaration(function)
                if function.body.is_none() =>
            {
                self.blank_with_semicolon(export.span);
            }
            _ => walk::walk_export_default_declaration(self, export),
        }
    }

    /// `import a = require('b')`, `import a = b.c`.
    pub(crate) fn import_equals(&mut self, import: &TSImportEqualsDeclaration<'a>) {
        if import.import_kind.is_type() || self.unused.contains(&import.id.span.start) {
            self.blank_with_semicolon(import.span);
        } else {
            self.edits.replace(Span::sized(import.span.start, "import".len() as u32), "const ");
        }
    }

    /// `export = a`.
    pub(crate) fn export_assignment(&mut self, export: &TSExportAssignment<'a>) {
        let keyword = Span::sized(export.span.start, "export".len() as u32);
        self.edits.replace(keyword, "module.exports");
        walk::walk_ts_export_assignment(self, export);
    }
}
