//! Namespaces in several pieces: what one of them exports is in scope in the others.

use crate::elide::is_type_declaration;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_span::GetSpan;
use std::collections::{BTreeMap, BTreeSet};

/// Where a name of another piece is read or written, with the namespace that has it.
pub(crate) fn references(program: &Program<'_>) -> BTreeMap<u32, String> {
    let mut pieces = Pieces::default();
    pieces.visit_program(program);
    pieces.exports.retain(|_, (pieces, _)| *pieces > 1);
    if pieces.exports.is_empty() {
        return BTreeMap::new();
    }
    let scoping = SemanticBuilder::new().build(program).semantic.into_scoping();
    let exports = pieces.exports.into_iter().map(|(path, (_, names))| (path, names)).collect();
    let mut references =
        References { scoping, exports, around: Vec::new(), found: BTreeMap::new() };
    references.visit_program(program);
    references.found
}

/// What namespaces export, by their names from the outermost on, and in how many pieces.
#[derive(Default)]
struct Pieces {
    path: Vec<String>,
    exports: BTreeMap<Vec<String>, (usize, BTreeSet<String>)>,
}

impl<'a> Visit<'a> for Pieces {
    fn visit_ts_namespace_declaration(&mut self, namespace: &TSNamespaceDeclaration<'a>) {
        if namespace.declare {
            return;
        }
        self.path.push(namespace.id.name.to_string());
        let (pieces, names) = self.exports.entry(self.path.clone()).or_default();
        *pieces += 1;
        match &namespace.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                for statement in &block.body {
                    if let Statement::ExportDeclaration(export) = statement {
                        exported(&export.declaration, names);
                    }
                }
            }
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                names.insert(inner.id.name.to_string());
            }
        }
        walk::walk_ts_namespace_declaration(self, namespace);
        self.path.pop();
    }
}

/// Adds the names of a declaration that are values.
fn exported(declaration: &Declaration<'_>, names: &mut BTreeSet<String>) {
    if is_type_declaration(declaration) {
        return;
    }
    let id = match declaration {
        Declaration::VariableDeclaration(variables) => {
            for declarator in &variables.declarations {
                let bound = declarator.id.get_binding_identifiers();
                names.extend(bound.iter().map(|id| id.name.to_string()));
            }
            return;
        }
        Declaration::FunctionDeclaration(function) => function.id.as_ref(),
        Declaration::ClassDeclaration(class) => class.id.as_ref(),
        Declaration::TSEnumDeclaration(declaration) => Some(&declaration.id),
        Declaration::TSNamespaceDeclaration(namespace) => Some(&namespace.id),
        Declaration::TSImportEqualsDeclaration(import) => Some(&import.id),
        _ => None,
    };
    names.extend(id.map(|id| id.name.to_string()));
}

struct References {
    scoping: Scoping,
    exports: BTreeMap<Vec<String>, BTreeSet<String>>,
    /// The namespaces around, the innermost last, and where their bodies are.
    around: Vec<(String, Span)>,
    found: BTreeMap<u32, String>,
}

impl References {
    /// The namespace of which another piece has what a name means.
    fn namespace_of(&self, reference: &IdentifierReference<'_>) -> Option<&str> {
        let id = reference.reference_id.get()?;
        let symbol = self.scoping.get_reference(id).symbol_id();
        let declared = symbol.map(|symbol| self.scoping.symbol_span(symbol));
        let mut path: Vec<String> = self.around.iter().map(|(name, _)| name.clone()).collect();
        for (name, body) in self.around.iter().rev() {
            if declared.is_some_and(|span| body.start <= span.start && span.end <= body.end) {
                return None;
            }
            let names = self.exports.get(&path);
            if names.is_some_and(|names| names.contains(reference.name.as_str())) {
                return Some(name);
            }
            path.pop();
        }
        None
    }
}

impl<'a> Visit<'a> for References {
    fn visit_ts_namespace_declaration(&mut self, namespace: &TSNamespaceDeclaration<'a>) {
        self.around.push((namespace.id.name.to_string(), namespace.body.span()));
        walk::walk_ts_namespace_declaration(self, namespace);
        self.around.pop();
    }

    fn visit_identifier_reference(&mut self, reference: &IdentifierReference<'a>) {
        if let Some(namespace) = self.namespace_of(reference) {
            let namespace = namespace.to_owned();
            self.found.insert(reference.span.start, namespace);
        }
    }

    // Types have no values in them.
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
}
