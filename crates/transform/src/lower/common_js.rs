//! What a CommonJS module has and an ES module does not, for a text that TypeScript's compiler would have made a
//! CommonJS module of: `require` and its like, `export =`, and imports of all that another one exports.

use super::Lower;
use crate::goal::WRAPPER;
use crate::instrument::is_library;
use crate::{Goal, TAKEN_NAMES};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::SemanticBuilder;
use oxc_span::GetSpan;
use oxc_syntax::identifier::is_identifier_name;
use std::collections::BTreeSet;

/// Whether a text may need any of it.
pub(super) fn may_need(text: &str, goal: Goal) -> bool {
    let exports_whole = || {
        let mut places = text.match_indices("export");
        places.any(|(at, word)| text[at + word.len()..].trim_start().starts_with('='))
    };
    goal == Goal::Detect
        && (text.contains("from")
            || WRAPPER.iter().any(|name| text.contains(name))
            || exports_whole())
}

impl<'a> Lower<'_> {
    /// Declares the names that a module means but does not declare.
    pub(super) fn names_of_common_js(&mut self, program: &Program<'a>) -> String {
        let scoping = SemanticBuilder::new().build(program).semantic.into_scoping();
        let is_meant = |name: &str| {
            let declared = scoping.get_root_binding(name.into());
            // What is only said to be there is not declared by the text.
            if declared.is_some_and(|symbol| !scoping.symbol_flags(symbol).is_ambient()) {
                return false;
            }
            let mut references = match declared {
                Some(symbol) => scoping.get_resolved_reference_ids(symbol).iter(),
                None => {
                    scoping.root_unresolved_references().get(name).map_or(&[][..], |all| all).iter()
                }
            };
            references.any(|id| scoping.get_reference(*id).is_value())
                || name == "require" && program.body.iter().any(is_required)
        };
        let meant: Vec<&str> = WRAPPER.into_iter().filter(|name| is_meant(name)).collect();
        if meant.is_empty() {
            return String::new();
        }
        self.is_used = true;
        format!("var{{{}}}={}.m(import.meta.url);", meant.join(","), self.context)
    }

    /// Lets imports tell which names they take: the compiler would have read them from what `require` gives, in which
    /// there may be more than can be seen in the other text.
    pub(super) fn tell_taken_names(&mut self, program: &Program<'a>) {
        for statement in &program.body {
            let (names, source, attributes) = match statement {
                Statement::ImportDeclaration(import) if !import.import_kind.is_type() => {
                    (imported(import, program), &import.source, &import.with_clause)
                }
                Statement::ExportFromDeclaration(export) if !export.export_kind.is_type() => {
                    let names =
                        export.specifiers.iter().filter_map(|one| one.local.identifier_name());
                    let names = names.map(|name| name.to_string()).collect();
                    (names, &export.source, &export.with_clause)
                }
                _ => continue,
            };
            if attributes.is_none() && !names.is_empty() && !is_library(&source.value) {
                let names = Vec::from_iter(names).join(",");
                let start = source.span.start + 1;
                self.edits.insert(start, format!("{TAKEN_NAMES}{names}/"));
            }
        }
    }

    /// `export = a` of a module: what `require` gives, and the default.
    pub(super) fn export_whole(&mut self, export: &TSExportAssignment<'a>) {
        let whole = self.name();
        let expression = export.expression.span();
        let start = Span::new(export.span.start, expression.start);
        self.replace(start, format!("const {whole}="));
        let end = format!(";export{{{whole} as default,{whole} as\"module.exports\"}};");
        self.edits.insert(expression.end, end);
    }
}

/// Whether a statement is `import a = require('b')`.
fn is_required(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::TSImportEqualsDeclaration(import)
        if matches!(import.module_reference, TSModuleReference::ExternalModuleReference(_)))
}

/// The names that an import takes. Of a namespace they are those that the text reads, and `*`.
fn imported(import: &ImportDeclaration<'_>, program: &Program<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for specifier in import.specifiers.iter().flatten() {
        match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(one) => {
                let is_value = !one.import_kind.is_type();
                names.extend(
                    one.imported
                        .identifier_name()
                        .filter(|_| is_value)
                        .map(|name| name.to_string()),
                );
            }
            ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => {
                names.insert("default".to_owned());
            }
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
                let mut members = Members { object: &one.local.name, names: BTreeSet::new() };
                members.visit_program(program);
                names.append(&mut members.names);
                names.extend(["*", "default"].map(str::to_owned));
            }
        }
    }
    names
}

/// The names that a text reads from an object.
struct Members<'n> {
    object: &'n str,
    names: BTreeSet<String>,
}

impl<'a> Visit<'a> for Members<'_> {
    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        if member.object.is_specific_id(self.object) {
            self.names.insert(member.property.name.to_string());
        }
        walk::walk_static_member_expression(self, member);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if let (BindingPattern::ObjectPattern(pattern), Some(init)) =
            (&declarator.id, &declarator.init)
            && init.is_specific_id(self.object)
        {
            let names = pattern.properties.iter().filter_map(|property| property.key.static_name());
            let names = names.filter(|name| is_identifier_name(name));
            self.names.extend(names.map(|name| name.to_string()));
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_jsx_member_expression(&mut self, member: &JSXMemberExpression<'a>) {
        if member.get_identifier().is_some_and(|object| object.name == self.object) {
            self.names.insert(member.property.name.to_string());
        }
    }

    // Types have no values in them.
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
}
