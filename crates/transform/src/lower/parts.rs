//! What the walk over a class carries with it.

use oxc_ast::ast::*;

/// Where a class stands.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Declared,
    Expression,
    /// `export class C {}`
    Exported(Span),
    /// `export default class {}`
    Default(Span),
}

impl Place {
    pub(super) fn of(class: &Class<'_>) -> Self {
        match class.r#type {
            ClassType::ClassDeclaration => Self::Declared,
            ClassType::ClassExpression => Self::Expression,
        }
    }
}

/// How decorated members are told of.
pub(super) enum Decorated {
    /// There are none.
    Not,
    /// A private list of what is to be done when the class is there.
    Legacy(String),
    /// The variable that holds what is known of the class, and what was collected so far.
    Standard(Elements),
}

/// A member whose decorators are the standard's: what is known of the class, and its number in there.
pub(super) struct Numbered {
    pub(super) state: String,
    pub(super) number: usize,
}

/// The decorated members of a class.
pub(super) struct Elements {
    /// The variable that holds what is known of the class.
    pub(super) state: String,
    /// The key of the members that only evaluate something.
    pub(super) key: String,
    /// What is told of each member, in the order of the text.
    pub(super) told: Vec<String>,
    /// Whether something is done when an object is made, before its fields are.
    pub(super) has_methods: bool,
}

impl Elements {
    /// Tells of a member; gives its number.
    pub(super) fn add(&mut self, kind: &str, is_static: bool, key: &str, rest: &str) -> Numbered {
        let number = self.told.len();
        self.told.push(format!("[{number},\"{kind}\",{is_static},{key}{rest}]"));
        if !is_static && kind != "field" {
            self.has_methods = true;
        }
        Numbered { state: self.state.clone(), number }
    }
}

/// The constructor that has a body.
pub(super) fn constructor<'b, 'a>(class: &'b Class<'a>) -> Option<&'b Function<'a>> {
    class.body.body.iter().find_map(|element| match element {
        ClassElement::MethodDefinition(method)
            if method.kind == MethodDefinitionKind::Constructor && method.value.body.is_some() =>
        {
            Some(&*method.value)
        }
        _ => None,
    })
}

/// What a member begins with.
pub(super) fn keyword(is_static: bool) -> &'static str {
    if is_static { "static " } else { "" }
}
