//! Namespaces with values, which become functions that fill an object.

use crate::elide::{is_type_declaration, is_type_only};
use crate::rewrite::{List, Rewriter};
use oxc_ast::ast::*;
use oxc_ast_visit::walk;
use oxc_span::GetSpan;

impl List<'_> {
    /// The start of the function that fills the object `name`.
    pub(crate) fn open(&self, name: &str, is_new: bool) -> String {
        let declaration = if is_new { format!("{} {name}", self.keyword) } else { String::new() };
        format!("{declaration};(function({name}){{")
    }

    /// Its end, and its call.
    pub(crate) fn close(&self, name: &str, exported: bool) -> String {
        match self.namespace {
            Some(outer) if exported => {
                format!("}})({name}={outer}.{name}||({outer}.{name}={{}}));")
            }
            _ => format!("}})({name}||({name}={{}}));"),
        }
    }
}

impl<'a> Rewriter<'_> {
    /// A declaration that only TypeScript has, or a type. False: it is an ordinary one.
    pub(crate) fn typescript_statement(
        &mut self,
        statements: &[Statement<'a>],
        index: usize,
        list: &List<'_>,
    ) -> bool {
        let statement = &statements[index];
        if is_type_only(statement) {
            self.blank_with_semicolon(statement.span());
            return true;
        }
        let (declaration, export) = match statement {
            Statement::ExportDeclaration(export) => (&export.declaration, Some(export.span)),
            _ => match statement.as_declaration() {
                Some(declaration) => (declaration, None),
                None => return false,
            },
        };
        let is_new = |name: &str| !declares(&statements[..index], name);
        let exported = export.is_some();
        match declaration {
            Declaration::TSEnumDeclaration(declaration) => {
                let is_new = is_new(&declaration.id.name);
                self.blank_export(export, declaration.span, list, is_new);
                self.enumeration(declaration, list, is_new, exported);
            }
            Declaration::TSNamespaceDeclaration(namespace) => {
                let is_new = is_new(&namespace.id.name);
                self.blank_export(export, namespace.span, list, is_new);
                self.namespace(namespace, list, is_new, exported);
            }
            Declaration::TSImportEqualsDeclaration(import) if !exported => {
                self.import_equals(import);
            }
            _ => match (list.namespace, export) {
                (Some(namespace), Some(span)) => {
                    self.export_from_namespace(namespace, declaration, span);
                }
                _ => return false,
            },
        }
        true
    }

    /// `export` stays before a new variable of a module, and nowhere else.
    fn blank_export(
        &mut self,
        export: Option<Span>,
        declaration: Span,
        list: &List<'_>,
        is_new: bool,
    ) {
        if let Some(span) = export
            && (list.namespace.is_some() || !is_new)
        {
            self.blank(Span::new(span.start, declaration.start));
        }
    }

    fn namespace(
        &mut self,
        namespace: &TSNamespaceDeclaration<'a>,
        list: &List<'_>,
        is_new: bool,
        exported: bool,
    ) {
        let name = namespace.id.name.as_str();
        let inner = List { keyword: "let", namespace: Some(name) };
        match &namespace.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                let head = Span::new(namespace.span.start, block.span.start + 1);
                self.replace_keeping_lines(head, list.open(name, is_new));
                self.list(&block.body, &inner);
                let end = Span::new(block.span.end - 1, block.span.end);
                self.edits.replace(end, list.close(name, exported));
            }
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(nested) => {
                let head = Span::new(namespace.span.start, nested.span.start);
                self.replace_keeping_lines(head, list.open(name, is_new));
                self.namespace(nested, &inner, true, true);
                self.edits.insert(namespace.span.end, list.close(name, exported));
            }
        }
    }

    fn export_from_namespace(
        &mut self,
        namespace: &str,
        declaration: &Declaration<'a>,
        export: Span,
    ) {
        debug_assert!(!is_type_declaration(declaration), "types are gone by now");
        self.blank(Span::new(export.start, declaration.span().start));
        walk::walk_declaration(self, declaration);
        let mut names = Vec::new();
        let mut live = false;
        match declaration {
            Declaration::VariableDeclaration(variables) => {
                live = !variables.kind.is_const();
                for declarator in &variables.declarations {
                    bound_names(&declarator.id, &mut names);
                }
            }
            Declaration::FunctionDeclaration(function) => {
                names.extend(function.id.as_ref().map(|id| id.name.to_string()));
            }
            Declaration::ClassDeclaration(class) => {
                names.extend(class.id.as_ref().map(|id| id.name.to_string()));
            }
            Declaration::TSImportEqualsDeclaration(import) => {
                names.push(import.id.name.to_string());
            }
            _ => {}
        }
        let mut text = String::from(";");
        for name in names {
            // A variable can change, on either side.
            text += &if live {
                let value = if name == "$" { "_" } else { "$" };
                format!(
                    "Object.defineProperty({namespace},{name:?},{{get(){{return {name}}},set({value}){{{name}={value}}},enumerable:true,configurable:true}});"
                )
            } else {
                format!("{namespace}.{name}={name};")
            };
        }
        self.edits.insert(export.end, text);
    }

    /// What another piece exports is a property of the namespace.
    pub(crate) fn merged_reference(&mut self, reference: &IdentifierReference<'_>) {
        if let Some(namespace) = self.merged.get(&reference.span.start) {
            self.edits.insert(reference.span.start, format!("{namespace}."));
        }
    }

    /// `{ a }` of such a name becomes `{ a:N.a }`.
    pub(crate) fn merged_property(&mut self, name: &IdentifierReference<'_>) {
        if self.merged.contains_key(&name.span.start) {
            self.edits.insert(name.span.start, format!("{}:", name.name));
        }
    }
}

/// The names that a pattern declares.
pub(crate) fn bound_names(pattern: &BindingPattern<'_>, names: &mut Vec<String>) {
    match pattern {
        BindingPattern::BindingIdentifier(id) => names.push(id.name.to_string()),
        BindingPattern::AssignmentPattern(pattern) => bound_names(&pattern.left, names),
        BindingPattern::ObjectPattern(pattern) => {
            pattern.properties.iter().for_each(|property| bound_names(&property.value, names));
            pattern.rest.iter().for_each(|rest| bound_names(&rest.argument, names));
        }
        BindingPattern::ArrayPattern(pattern) => {
            pattern.elements.iter().flatten().for_each(|element| bound_names(element, names));
            pattern.rest.iter().for_each(|rest| bound_names(&rest.argument, names));
        }
    }
}

/// Whether one of the statements declares a value that an enum or namespace adds to.
fn declares(statements: &[Statement<'_>], name: &str) -> bool {
    statements.iter().any(|statement| {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => &export.declaration,
            Statement::ExportDefaultDeclaration(export) => {
                return match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                        function.id.as_ref().is_some_and(|id| id.name == name)
                    }
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                        class.id.as_ref().is_some_and(|id| id.name == name)
                    }
                    _ => false,
                };
            }
            _ => match statement.as_declaration() {
                Some(declaration) => declaration,
                None => return false,
            },
        };
        if is_type_declaration(declaration) {
            return false;
        }
        match declaration {
            Declaration::FunctionDeclaration(function) => {
                function.id.as_ref().is_some_and(|id| id.name == name)
            }
            Declaration::ClassDeclaration(class) => {
                class.id.as_ref().is_some_and(|id| id.name == name)
            }
            Declaration::TSEnumDeclaration(declaration) => declaration.id.name == name,
            Declaration::TSNamespaceDeclaration(namespace) => namespace.id.name == name,
            _ => false,
        }
    })
}
