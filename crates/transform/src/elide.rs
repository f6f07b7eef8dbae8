//! Which imports are there for types only, though they do not say so.
//!
//! TypeScript drops an import that no value is made of, as there may be nothing of that name at run time.

use oxc_ast::ast::*;
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::GetSpan;
use oxc_syntax::symbol::SymbolId;
use std::collections::BTreeSet;

/// Where names are imported, or exported again, that no value is made of.
pub(crate) fn unused(program: &Program<'_>) -> BTreeSet<u32> {
    let mut unused = BTreeSet::new();
    let concerns = program.body.iter().any(|statement| match statement {
        Statement::ImportDeclaration(import) => import.specifiers.is_some(),
        Statement::TSImportEqualsDeclaration(_) => true,
        Statement::ExportNamedDeclaration(export) => !export.specifiers.is_empty(),
        _ => false,
    });
    if !concerns {
        return unused;
    }
    let scoping = SemanticBuilder::new().build(program).semantic.into_scoping();
    let has_value =
        |symbol: Option<SymbolId>| symbol.is_none_or(|symbol| has_value(&scoping, symbol));
    for statement in &program.body {
        match statement {
            Statement::ImportDeclaration(import) => {
                for specifier in import.specifiers.iter().flatten() {
                    if !has_value(specifier.local().symbol_id.get()) {
                        unused.insert(specifier.span().start);
                    }
                }
            }
            Statement::TSImportEqualsDeclaration(import)
                if !has_value(import.id.symbol_id.get()) =>
            {
                unused.insert(import.id.span.start);
            }
            Statement::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    if is_type(&scoping, &specifier.local) {
                        unused.insert(specifier.span.start);
                    }
                }
            }
            _ => {}
        }
    }
    unused
}

/// Whether a value is made of a name.
pub(crate) fn has_value(scoping: &Scoping, symbol: SymbolId) -> bool {
    let mut references = scoping.get_resolved_references(symbol);
    references
        .any(|reference| reference.flags().is_value() && !reference.flags().is_value_as_type())
}

/// Whether a name that is exported is that of an interface or another type of this text.
fn is_type(scoping: &Scoping, name: &ModuleExportName<'_>) -> bool {
    let ModuleExportName::IdentifierReference(reference) = name else { return false };
    let symbol = reference.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
    symbol.is_some_and(|symbol| {
        let flags = scoping.symbol_flags(symbol);
        flags.is_type() && !flags.can_be_referenced_by_value() && !flags.is_import()
    })
}
