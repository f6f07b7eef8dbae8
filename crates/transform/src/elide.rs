//! What is there for types only: declarations, and imports that do not say so.
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

/// Whether a statement is there for types only.
pub(crate) fn is_type_only(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ImportDeclaration(import) => import.import_kind.is_type(),
        Statement::ExportNamedDeclaration(export) => export.export_kind.is_type(),
        Statement::ExportFromDeclaration(export) => export.export_kind.is_type(),
        Statement::ExportAllDeclaration(export) => export.export_kind.is_type(),
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => true,
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.body.is_none(),
            _ => false,
        },
        Statement::ExportDeclaration(export) => is_type_declaration(&export.declaration),
        Statement::TSNamespaceExportDeclaration(_) => true,
        Statement::EmptyStatement(_) => false,
        _ => statement.as_declaration().is_some_and(is_type_declaration),
    }
}

/// Whether a declaration declares no value.
pub(crate) fn is_type_declaration(declaration: &Declaration<'_>) -> bool {
    match declaration {
        Declaration::VariableDeclaration(declaration) => declaration.declare,
        Declaration::FunctionDeclaration(function) => function.declare || function.body.is_none(),
        Declaration::ClassDeclaration(class) => class.declare,
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_)
        | Declaration::TSGlobalDeclaration(_) => true,
        Declaration::TSEnumDeclaration(declaration) => declaration.declare,
        Declaration::TSNamespaceDeclaration(namespace) => {
            namespace.declare || !has_values(&namespace.body)
        }
        Declaration::TSImportEqualsDeclaration(import) => import.import_kind.is_type(),
    }
}

fn has_values(body: &TSNamespaceDeclarationBody<'_>) -> bool {
    match body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
            !inner.declare && has_values(&inner.body)
        }
        TSNamespaceDeclarationBody::TSModuleBlock(block) => {
            block.body.iter().any(|statement| !is_type_only(statement))
        }
    }
}
