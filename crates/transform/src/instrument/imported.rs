//! Variables of other modules: a module sees what another one assigns to a variable that it exports, and no
//! inserted call knows which variable that is. Which of them change is known when both texts are.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;
use std::collections::BTreeMap;

/// What a text shares with other modules by their names.
#[derive(Default)]
pub(super) struct Imported {
    /// Where names of other modules are used first, as offsets, and the names as their modules have them.
    pub(super) used: Vec<(u32, Box<str>)>,
    /// The names by which this module exports variables that it changes.
    pub(super) changed: Vec<Box<str>>,
}

impl Imported {
    pub(super) fn find(program: &Program<'_>, scoping: &Scoping) -> Self {
        let mut finder = Finder { scoping, names: BTreeMap::new(), found: Self::default() };
        // Imports count for what comes before them, too.
        for statement in &program.body {
            if let Statement::ImportDeclaration(import) = statement {
                finder.import(import);
            }
        }
        finder.visit_program(program);
        finder.found
    }
}

/// What an imported name stands for.
enum Name {
    /// A variable of the other module; nothing if its use has been noted.
    Variable(Option<Box<str>>),
    /// All of it.
    Module,
}

struct Finder<'s> {
    scoping: &'s Scoping,
    names: BTreeMap<SymbolId, Name>,
    found: Imported,
}

impl Finder<'_> {
    fn import(&mut self, import: &ImportDeclaration<'_>) {
        for specifier in import.specifiers.iter().flatten() {
            let (local, name) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    (&one.local, Name::Variable(Some(one.imported.name().as_str().into())))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    (&one.local, Name::Variable(Some("default".into())))
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
                    (&one.local, Name::Module)
                }
            };
            self.names.insert(local.symbol_id(), name);
        }
    }

    fn symbol(&self, reference: &IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping.get_reference(reference.reference_id()).symbol_id()
    }

    fn export(&mut self, symbol: SymbolId, name: &str) {
        if self.scoping.symbol_is_mutated(symbol) {
            self.found.changed.push(name.into());
        }
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        if let Declaration::VariableDeclaration(variables) = &export.declaration {
            for declarator in &variables.declarations {
                for identifier in declarator.id.get_binding_identifiers() {
                    self.export(identifier.symbol_id(), &identifier.name);
                }
            }
        }
        walk::walk_export_declaration(self, export);
    }

    fn visit_export_named_declaration(&mut self, export: &ExportNamedDeclaration<'a>) {
        for specifier in &export.specifiers {
            if let ModuleExportName::IdentifierReference(local) = &specifier.local
                && let Some(symbol) = self.symbol(local)
            {
                self.export(symbol, specifier.exported.name().as_str());
            }
        }
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        if let Expression::Identifier(object) = &member.object
            && let Some(symbol) = self.symbol(object)
            && let Some(Name::Module) = self.names.get(&symbol)
        {
            let name = member.property.name.as_str().into();
            self.found.used.push((member.span.start, name));
        }
        walk::walk_static_member_expression(self, member);
    }

    fn visit_identifier_reference(&mut self, reference: &IdentifierReference<'a>) {
        if let Some(symbol) = self.symbol(reference)
            && let Some(Name::Variable(name)) = self.names.get_mut(&symbol)
            && let Some(name) = name.take()
        {
            self.found.used.push((reference.span.start, name));
        }
    }

    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
}
