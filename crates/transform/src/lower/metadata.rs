//! What `emitDecoratorMetadata` tells of types: for each the function that makes its values, as far as
//! the text alone can say.

use super::Lower;
use super::parts::constructor;
use oxc_ast::ast::*;
use std::collections::{BTreeMap, BTreeSet};

/// What a text's names mean as types.
#[derive(Default)]
pub(super) struct Imports {
    /// Names that are imported: the module, and the name there.
    imported: BTreeMap<String, (String, String)>,
    /// Names that are types and nothing else, with what tells them.
    types: BTreeMap<String, &'static str>,
    /// Enums, with the type of their values.
    enums: BTreeMap<String, &'static str>,
    /// Modules of which a type is told.
    used: Vec<String>,
}

impl Imports {
    pub(super) fn of(program: &Program<'_>) -> Self {
        let mut imports = Self::default();
        for statement in &program.body {
            imports.read(statement);
        }
        imports
    }

    fn read(&mut self, statement: &Statement<'_>) {
        let declaration = match statement {
            Statement::ImportDeclaration(import) => return self.import(import),
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            statement => statement.as_declaration(),
        };
        match declaration {
            Some(Declaration::TSInterfaceDeclaration(one)) => {
                self.types.insert(one.id.name.to_string(), OBJECT);
            }
            Some(Declaration::TSTypeAliasDeclaration(one)) => {
                self.types.insert(
                    one.id.name.to_string(),
                    simple(&one.type_annotation).unwrap_or(OBJECT),
                );
            }
            Some(Declaration::TSEnumDeclaration(one)) => {
                self.enums.insert(one.id.name.to_string(), kind_of(one));
            }
            Some(Declaration::ClassDeclaration(class)) => {
                if let Some(id) = &class.id {
                    // An interface of the same name adds to it.
                    self.types.remove(id.name.as_str());
                }
            }
            _ => {}
        }
    }

    fn import(&mut self, import: &ImportDeclaration<'_>) {
        for specifier in import.specifiers.iter().flatten() {
            let (local, name, is_type) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    (&one.local, one.imported.name().to_string(), one.import_kind.is_type())
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    (&one.local, "default".to_owned(), false)
                }
                // What is in a namespace is looked for when it is needed.
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
                    (&one.local, String::new(), false)
                }
            };
            let local = local.name.to_string();
            if is_type || import.import_kind.is_type() {
                self.types.insert(local, OBJECT);
            } else if !name.is_empty() {
                self.imported.insert(local, (import.source.value.to_string(), name));
            }
        }
    }

    /// What imports the modules of which a type is told, whether or not they have it.
    pub(super) fn prelude(&self, context: &str) -> String {
        let line = |(number, source): (usize, &String)| {
            format!("import*as {context}_t{number} from{};", super::jsx::quote(source))
        };
        self.used.iter().enumerate().map(line).collect()
    }

    fn module(&mut self, source: &str) -> usize {
        if let Some(number) = self.used.iter().position(|used| used == source) {
            return number;
        }
        self.used.push(source.to_owned());
        self.used.len() - 1
    }
}

/// The type of an enum's values.
fn kind_of(declaration: &TSEnumDeclaration<'_>) -> &'static str {
    let is_text = |member: &TSEnumMember<'_>| {
        matches!(
            member.initializer,
            Some(Expression::StringLiteral(_) | Expression::TemplateLiteral(_))
        )
    };
    let texts = declaration.body.members.iter().filter(|member| is_text(member)).count();
    match texts {
        0 => "Number",
        texts if texts == declaration.body.members.len() => "String",
        _ => "Object",
    }
}

/// What tells a type of which nothing is known.
const OBJECT: &str = "Object";

/// What tells a type that is made of no others, or of others that do not matter.
fn simple(of: &TSType<'_>) -> Option<&'static str> {
    Some(match of {
        TSType::TSVoidKeyword(_)
        | TSType::TSUndefinedKeyword(_)
        | TSType::TSNullKeyword(_)
        | TSType::TSNeverKeyword(_) => "void 0",
        TSType::TSFunctionType(_) | TSType::TSConstructorType(_) => "Function",
        TSType::TSArrayType(_) | TSType::TSTupleType(_) => "Array",
        TSType::TSTypePredicate(one) if one.asserts => "void 0",
        TSType::TSTypePredicate(_) | TSType::TSBooleanKeyword(_) => "Boolean",
        TSType::TSTemplateLiteralType(_) | TSType::TSStringKeyword(_) => "String",
        TSType::TSNumberKeyword(_) => "Number",
        TSType::TSBigIntKeyword(_) => "BigInt",
        TSType::TSSymbolKeyword(_) => "Symbol",
        TSType::TSLiteralType(literal) => match &literal.literal {
            TSLiteral::BooleanLiteral(_) => "Boolean",
            TSLiteral::NumericLiteral(_) | TSLiteral::UnaryExpression(_) => "Number",
            TSLiteral::BigIntLiteral(_) => "BigInt",
            TSLiteral::StringLiteral(_) | TSLiteral::TemplateLiteral(_) => "String",
        },
        TSType::TSUnionType(union) => {
            let first = simple(union.types.first()?)?;
            union.types.iter().all(|one| simple(one) == Some(first)).then_some(first)?
        }
        _ => return None,
    })
}

/// Names that are parameters of types.
type Parameters = BTreeSet<String>;

fn parameters<'a>(
    of: impl IntoIterator<Item = Option<&'a TSTypeParameterDeclaration<'a>>>,
) -> Parameters {
    let all = of.into_iter().flatten().flat_map(|declaration| &declaration.params);
    all.map(|parameter| parameter.name.name.to_string()).collect()
}

impl<'a> Lower<'_> {
    pub(super) fn class_metadata(&mut self, class: &Class<'a>) -> String {
        if !self.dialect.decorator_metadata {
            return String::new();
        }
        let Some(function) = constructor(class) else { return String::new() };
        let known = parameters([class.type_parameters.as_deref()]);
        let types = self.parameter_types(&function.params, &known);
        self.told("paramtypes", &types)
    }

    pub(super) fn property_metadata(
        &mut self,
        class: &Class<'a>,
        property: &PropertyDefinition<'a>,
    ) -> String {
        if !self.dialect.decorator_metadata {
            return String::new();
        }
        let known = parameters([class.type_parameters.as_deref()]);
        let value = self.annotated(property.type_annotation.as_deref(), &known);
        self.told("type", &value)
    }

    pub(super) fn method_metadata(
        &mut self,
        class: &Class<'a>,
        method: &MethodDefinition<'a>,
    ) -> String {
        if !self.dialect.decorator_metadata {
            return String::new();
        }
        let function = &method.value;
        let own = function.type_parameters.as_deref();
        let known = parameters([class.type_parameters.as_deref(), own]);
        let params = self.parameter_types(&function.params, &known);
        let returned = function.return_type.as_deref();
        match method.kind {
            MethodDefinitionKind::Get | MethodDefinitionKind::Set => {
                let (value, params) = self.accessor_types(class, method, &known);
                self.told("type", &value) + &self.told("paramtypes", &params)
            }
            MethodDefinitionKind::Method | MethodDefinitionKind::Constructor => {
                let result = match returned {
                    Some(annotation) => self.serialized(&annotation.type_annotation, &known),
                    None if function.r#async => "Promise".to_owned(),
                    None => "void 0".to_owned(),
                };
                self.told("type", "Function")
                    + &self.told("paramtypes", &params)
                    + &self.told("returntype", &result)
            }
        }
    }

    /// The type of a property with getter and setter, and the parameters of the latter.
    fn accessor_types(
        &mut self,
        class: &Class<'a>,
        method: &MethodDefinition<'a>,
        known: &Parameters,
    ) -> (String, String) {
        let name = method.key.static_name();
        let other = |kind: MethodDefinitionKind| {
            class.body.body.iter().find_map(|element| match element {
                ClassElement::MethodDefinition(other)
                    if other.kind == kind
                        && other.r#static == method.r#static
                        && name.is_some()
                        && other.key.static_name() == name =>
                {
                    Some(&other.value)
                }
                _ => None,
            })
        };
        let (getter, setter) = (other(MethodDefinitionKind::Get), other(MethodDefinitionKind::Set));
        let of_setter = setter
            .and_then(|setter| setter.params.items.first())
            .and_then(|parameter| parameter.type_annotation.as_deref());
        let of_getter = getter.and_then(|getter| getter.return_type.as_deref());
        let value = self.annotated(of_setter.or(of_getter), known);
        let params = match setter {
            Some(setter) => self.parameter_types(&setter.params, known),
            None => "[]".to_owned(),
        };
        (value, params)
    }

    fn parameter_types(&mut self, params: &FormalParameters<'a>, known: &Parameters) -> String {
        let mut all: Vec<String> = Vec::new();
        for parameter in &params.items {
            all.push(self.annotated(parameter.type_annotation.as_deref(), known));
        }
        if let Some(rest) = &params.rest {
            all.push(match rest.type_annotation.as_ref().map(|one| &one.type_annotation) {
                Some(TSType::TSArrayType(array)) => self.serialized(&array.element_type, known),
                _ => "Object".to_owned(),
            });
        }
        format!("[{}]", all.join(","))
    }

    fn annotated(&mut self, of: Option<&TSTypeAnnotation<'a>>, known: &Parameters) -> String {
        match of {
            Some(annotation) => self.serialized(&annotation.type_annotation, known),
            None => "Object".to_owned(),
        }
    }

    /// What tells a type.
    fn serialized(&mut self, of: &TSType<'a>, known: &Parameters) -> String {
        match of {
            TSType::TSParenthesizedType(inner) => self.serialized(&inner.type_annotation, known),
            TSType::TSTypeOperatorType(one) if one.operator == TSTypeOperatorOperator::Readonly => {
                self.serialized(&one.type_annotation, known)
            }
            TSType::TSUnionType(union) => self.common(&union.types, known),
            TSType::TSIntersectionType(all) => self.common(&all.types, known),
            TSType::TSConditionalType(one) => {
                let one = [
                    self.serialized(&one.true_type, known),
                    self.serialized(&one.false_type, known),
                ];
                same(&one)
            }
            TSType::TSTypeReference(reference) => self.named(&reference.type_name, known),
            of => simple(of).unwrap_or(OBJECT).to_owned(),
        }
    }

    /// What tells several types, apart from those that say that there is nothing.
    fn common(&mut self, types: &[TSType<'a>], known: &Parameters) -> String {
        let is_nothing = |of: &&TSType<'a>| {
            matches!(
                of,
                TSType::TSNullKeyword(_)
                    | TSType::TSUndefinedKeyword(_)
                    | TSType::TSNeverKeyword(_)
            )
        };
        let kept: Vec<_> = types.iter().filter(|one| !is_nothing(one)).collect();
        let all: Vec<String> = kept.into_iter().map(|one| self.serialized(one, known)).collect();
        same(&all)
    }

    fn named(&mut self, name: &TSTypeName<'a>, known: &Parameters) -> String {
        let mut path = Vec::new();
        let mut name = name;
        let first = loop {
            match name {
                TSTypeName::QualifiedName(qualified) => {
                    path.insert(0, qualified.right.name.to_string());
                    name = &qualified.left;
                }
                TSTypeName::IdentifierReference(id) => break id.name.to_string(),
                TSTypeName::ThisExpression(_) => return "Object".to_owned(),
            }
        };
        if path.is_empty() && known.contains(&first) {
            return OBJECT.to_owned();
        }
        if let Some(told) = self.imports.types.get(&first) {
            return if path.is_empty() { *told } else { OBJECT }.to_owned();
        }
        if let Some(kind) = self.imports.enums.get(&first) {
            return (*kind).to_owned();
        }
        let library = self.library();
        let rest: String = path.iter().map(|name| format!("?.{name}")).collect();
        match self.imports.imported.get(&first).cloned() {
            Some((source, name)) => {
                let number = self.imports.module(&source);
                format!("{library}.made({}_t{number}.{name}{rest})", self.context)
            }
            None => {
                format!("(typeof {first}===\"undefined\"?Object:{library}.made({first}{rest}))")
            }
        }
    }
}

/// What all of them are, or objects.
fn same(all: &[String]) -> String {
    match all.split_first() {
        None => "void 0".to_owned(),
        Some((first, rest)) if rest.iter().all(|one| one == first) => first.clone(),
        Some(_) => "Object".to_owned(),
    }
}
