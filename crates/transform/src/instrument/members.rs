//! Properties: reads, calls, constructions, and what functions of the library look at.

use super::walk::{Walker, is_known_global};
use super::{Mode, Target};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

/// A property as it is written.
pub(super) enum Key<'b, 'a> {
    /// By a name.
    Named(String),
    /// By a variable or the like, which may be evaluated twice.
    Simple(&'b str),
    /// By anything else.
    Computed(&'b Expression<'a>),
}

/// Methods that a collection's content is changed or looked up with.
const COLLECTION: &[&str] = &[
    "add",
    "at",
    "clear",
    "concat",
    "copyWithin",
    "delete",
    "entries",
    "every",
    "fill",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flat",
    "flatMap",
    "forEach",
    "get",
    "has",
    "includes",
    "indexOf",
    "join",
    "keys",
    "lastIndexOf",
    "map",
    "pop",
    "push",
    "reduce",
    "reduceRight",
    "reverse",
    "set",
    "shift",
    "slice",
    "some",
    "sort",
    "splice",
    "unshift",
    "values",
];

impl<'a> Walker<'_> {
    /// A property that is read, or assigned to.
    pub(super) fn member(&mut self, member: &MemberExpression<'a>, mode: Mode) {
        self.member_of(member, mode, None);
    }

    /// The same; the object is kept in a variable, if one is given.
    pub(super) fn member_of(
        &mut self,
        member: &MemberExpression<'a>,
        mode: Mode,
        kept: Option<&str>,
    ) {
        self.member_called(member, mode, kept, "");
    }

    fn member_called(
        &mut self,
        member: &MemberExpression<'a>,
        mode: Mode,
        kept: Option<&str>,
        argument: &str,
    ) {
        let object = member.object();
        let reads = matches!(mode, Mode::Read | Mode::Call);
        if !is_telling(object) || reads && self.is_of_the_engine(object) {
            if mode == Mode::Call && self.registers(object) {
                let site = self.site(object.span().start, Target::Promise, Mode::Write, "");
                self.around(object.span(), "c", &site.to_string(), |_| {});
            }
            if let MemberExpression::ComputedMemberExpression(member) = member {
                self.visit_expression(&member.expression);
            }
            if !is_telling(object) {
                self.visit_expression(object);
            }
            return;
        }
        let span = object.span();
        let key = self.key(member);
        let (name, arguments) = self.property(member, &key, mode, argument);
        let open = format!("{}.{name}({}", self.pieces.object, keep(kept));
        self.insert(span.start, &open);
        self.visit_expression(object);
        self.insert(span.end, &format!(",{arguments})"));
        self.visit_key(member, &key, &arguments);
    }

    /// How the access to a property is told: which function, and its arguments after the object.
    pub(super) fn property(
        &mut self,
        member: &MemberExpression<'a>,
        key: &Key<'_, 'a>,
        mode: Mode,
        argument: &str,
    ) -> (&'static str, String) {
        let offset = match member {
            MemberExpression::StaticMemberExpression(member) => member.property.span.start,
            MemberExpression::PrivateFieldExpression(member) => member.field.span.start,
            MemberExpression::ComputedMemberExpression(member) => member.expression.span().start,
        };
        match key {
            Key::Named(name) => {
                let site = self.site(offset, Target::Property, mode, name);
                let comma = if argument.is_empty() { "" } else { "," };
                ("p", format!("{site}{comma}{argument}"))
            }
            Key::Simple(text) => {
                let site = self.site(offset, Target::Property, mode, "");
                ("p", format!("{site},{text}"))
            }
            Key::Computed(_) => ("q", self.site(offset, Target::Property, mode, "").to_string()),
        }
    }

    /// Visits the key, and tells of it where it is not known before.
    pub(super) fn visit_key(
        &mut self,
        member: &MemberExpression<'a>,
        key: &Key<'_, 'a>,
        arguments: &str,
    ) {
        match (member, key) {
            (_, Key::Computed(expression)) => {
                self.around(expression.span(), "k", arguments, |this| {
                    this.visit_expression(expression);
                });
            }
            (MemberExpression::ComputedMemberExpression(member), _) => {
                self.visit_expression(&member.expression);
            }
            _ => {}
        }
    }

    pub(super) fn key<'b>(&self, member: &'b MemberExpression<'a>) -> Key<'b, 'a>
    where
        Self: 'b,
    {
        match member {
            MemberExpression::StaticMemberExpression(member) => {
                Key::Named(member.property.name.to_string())
            }
            MemberExpression::PrivateFieldExpression(member) => {
                Key::Named(format!("#{}", member.field.name))
            }
            MemberExpression::ComputedMemberExpression(member) => match &member.expression {
                Expression::StringLiteral(text) => Key::Named(text.value.to_string()),
                expression => match self.simple(expression) {
                    Some(text) => Key::Simple(text),
                    None => Key::Computed(expression),
                },
            },
        }
    }

    /// The text of an expression that does nothing and cannot fail in another way when it is evaluated
    /// once more.
    pub(super) fn simple<'b>(&self, expression: &'b Expression<'a>) -> Option<&'b str> {
        match expression {
            Expression::NumericLiteral(number) => number.raw.as_ref().map(|raw| raw.as_str()),
            Expression::Identifier(reference) if !self.in_with => {
                self.symbol(reference)?;
                Some(reference.name.as_str())
            }
            _ => None,
        }
    }

    pub(super) fn call(&mut self, call: &CallExpression<'a>) {
        // A callee in parentheses keeps its object, which the pieces of a chain would lose.
        if let Expression::ParenthesizedExpression(inner) = &call.callee
            && matches!(&inner.expression, Expression::ChainExpression(_))
        {
            self.visit_arguments(&call.arguments);
            return;
        }
        let changes = self.changes_its_argument(call);
        if changes {
            let open = format!("{}.w(", self.pieces.object);
            self.insert(call.span.start, &open);
        }
        match call.callee.as_member_expression() {
            Some(member) => self.method_call(call, member),
            None => {
                match &call.callee {
                    Expression::Identifier(callee) => self.callee(callee),
                    callee => self.visit_expression(callee),
                }
                self.arguments(call);
            }
        }
        if changes {
            let site = self.site(call.span.start, Target::Whole, Mode::Write, "");
            self.insert(call.span.end, &format!(",{site})"));
        }
    }

    /// A function that is called by its name. Where a promise is settled is noted: the runtime's own
    /// function is called, which does not know the place.
    fn callee(&mut self, callee: &IdentifierReference<'a>) {
        if callee.name == "eval" {
            return;
        }
        let marked = self
            .symbol(callee)
            .is_some_and(|symbol| self.scopes.settles(symbol) || self.library.contains(&symbol));
        if marked && !self.in_with {
            let site = self.site(callee.span.start, Target::Promise, Mode::Write, "");
            self.around(callee.span, "c", &site.to_string(), |this| this.read_variable(callee));
        } else {
            self.read_variable(callee);
        }
    }

    fn method_call(&mut self, call: &CallExpression<'a>, member: &MemberExpression<'a>) {
        let name = member.static_property_name().unwrap_or_default();
        let arguments = call.arguments.iter().map(GetSpan::span);
        let suspends = arguments.clone().any(|span| self.suspends(span));
        if suspends && COLLECTION.binary_search(&name).is_ok() && is_telling(member.object()) {
            // The call comes after its arguments, when others have run: it is told of by a last one,
            // which gives none.
            let kept = self.temporary();
            let object = member.object().span();
            let open = format!("{}.o({kept}=", self.pieces.object);
            self.insert(object.start, &open);
            self.visit_expression(member.object());
            self.insert(object.end, ")");
            self.arguments(call);
            let site = self.site(member.span().end, Target::Property, Mode::Call, name);
            let last = call.arguments.last().map_or(call.span.end, |last| last.span().end);
            self.insert(last, &format!(",...{}.z({kept},{site})", self.pieces.object));
            return;
        }
        let first = call.arguments.first().and_then(Argument::as_expression);
        let argument = first.and_then(|first| self.repeatable(first)).unwrap_or_default();
        self.member_called(member, Mode::Call, None, &argument);
        self.arguments(call);
    }

    /// The text of an argument that may be evaluated twice.
    pub(super) fn repeatable(&self, expression: &Expression<'a>) -> Option<String> {
        match expression {
            Expression::StringLiteral(_) => {
                let span = expression.span();
                let text = &self.text[span.start as usize..span.end as usize];
                (!text.contains("*/") && !text.contains('\n')).then(|| text.to_owned())
            }
            _ => self.simple(expression).map(str::to_owned),
        }
    }

    fn arguments(&mut self, call: &CallExpression<'a>) {
        let callee = call.callee.as_member_expression();
        let method = callee.and_then(|member| member.static_property_name());
        let is_promise = callee.is_some_and(|member| self.is_global(member.object(), "Promise"));
        let looks = self.looks_at_arguments(&call.callee);
        for argument in &call.arguments {
            match argument.as_expression() {
                Some(expression) if is_promise && matches!(method, Some("race" | "any")) => {
                    let site = self.site(call.span.start, Target::Promise, Mode::Write, "race");
                    self.around(expression.span(), "y", &site.to_string(), |this| {
                        this.visit_expression(expression);
                    });
                }
                Some(expression) if is_promise => self.whole(expression),
                Some(expression) if looks => self.looked_at(expression),
                _ => self.visit_argument(argument),
            }
        }
    }

    fn visit_arguments(&mut self, arguments: &[Argument<'a>]) {
        arguments.iter().for_each(|argument| self.visit_argument(argument));
    }

    pub(super) fn construction(&mut self, new: &NewExpression<'a>) {
        let is_plain = matches!(&new.callee, Expression::Identifier(reference)
            if self.symbol(reference).is_none_or(|symbol| self.scopes.home(symbol, reference.span.start).is_none()));
        if is_plain {
            // Nothing is told of it.
        } else {
            let span = new.callee.span();
            self.insert(span.start, "(");
            self.visit_expression(&new.callee);
            self.insert(span.end, ")");
        }
        let is = |name: &str| self.is_global(&new.callee, name);
        let is_promise = is("Promise");
        let copies =
            ["Map", "Set", "WeakMap", "WeakSet", "Uint8Array", "Array"].into_iter().any(is);
        for argument in &new.arguments {
            match argument.as_expression() {
                Some(executor) if is_promise => {
                    let site = self.site(new.span.start, Target::Promise, Mode::Write, "");
                    self.around(executor.span(), "x", &site.to_string(), |this| {
                        this.visit_expression(executor);
                    });
                }
                Some(source) if copies => self.whole(source),
                _ => self.visit_argument(argument),
            }
        }
    }

    /// An expression all of whose content is read.
    pub(super) fn whole(&mut self, expression: &Expression<'a>) {
        self.told_as(expression, "i", Target::Whole);
    }

    /// An argument of a function that looks at everything.
    pub(super) fn looked_at(&mut self, expression: &Expression<'a>) {
        self.told_as(expression, "e", Target::Deep);
    }

    pub(super) fn told_as(&mut self, expression: &Expression<'a>, name: &str, target: Target) {
        // A literal is new, but what it holds may not be.
        let holds = target == Target::Deep
            && matches!(
                expression,
                Expression::ArrayExpression(_) | Expression::ObjectExpression(_)
            );
        let is_list = matches!(expression, Expression::SequenceExpression(_));
        if is_list || !(is_telling(expression) || holds) {
            self.visit_expression(expression);
            return;
        }
        let span = expression.span();
        let site = self.site(span.start, target, Mode::Read, "");
        self.around(span, name, &site.to_string(), |this| this.visit_expression(expression));
    }

    /// `key in object`.
    pub(super) fn presence(&mut self, binary: &BinaryExpression<'a>) {
        self.visit_expression(&binary.left);
        let span = binary.right.span();
        let key = self.repeatable(&binary.left);
        let (name, arguments) = match key {
            Some(key) => {
                let site = self.site(binary.left.span().start, Target::Property, Mode::Read, "");
                ("p", format!("{site},{key}"))
            }
            None => ("i", self.site(span.start, Target::Keys, Mode::Read, "").to_string()),
        };
        self.around(span, name, &arguments, |this| this.visit_expression(&binary.right));
    }

    /// Whether an object is one of the engine's, or a part of the library, whose functions nobody is
    /// expected to replace while the program runs.
    fn is_of_the_engine(&self, object: &Expression<'a>) -> bool {
        let Expression::Identifier(reference) = object else { return false };
        match self.symbol(reference) {
            Some(symbol) => self.library.contains(&symbol),
            None => {
                let is_class = reference.name.starts_with(|char: char| char.is_ascii_uppercase());
                !self.in_with
                    && is_known_global(&reference.name)
                    && (is_class
                        || matches!(reference.name.as_str(), "console" | "performance" | "crypto"))
            }
        }
    }

    /// Whether a name is the global one.
    pub(super) fn is_global(&self, expression: &Expression<'a>, name: &str) -> bool {
        matches!(expression, Expression::Identifier(reference)
            if reference.name == name && !self.in_with && self.symbol(reference).is_none())
    }

    /// Functions of the engine that change their first argument and give it back.
    fn changes_its_argument(&self, call: &CallExpression<'a>) -> bool {
        let Some(MemberExpression::StaticMemberExpression(member)) =
            call.callee.as_member_expression()
        else {
            return false;
        };
        const CHANGING: [&str; 4] =
            ["assign", "defineProperties", "defineProperty", "setPrototypeOf"];
        self.is_global(&member.object, "Object")
            && CHANGING.contains(&member.property.name.as_str())
    }

    /// Whether a function of the engine or the library looks at all that it is given.
    fn looks_at_arguments(&self, callee: &Expression<'a>) -> bool {
        const GLOBALS: [&str; 7] =
            ["Array", "JSON", "Object", "String", "console", "obs", "structuredClone"];
        match callee {
            Expression::Identifier(reference) => match self.symbol(reference) {
                Some(symbol) => self.lookers.contains(&symbol),
                None => GLOBALS.contains(&reference.name.as_str()) && !self.in_with,
            },
            _ => match callee.as_member_expression() {
                Some(member) => self.looks_at_arguments(member.object()),
                None => false,
            },
        }
    }

    /// Whether an object is a part of the library, whose functions may register something.
    fn registers(&self, object: &Expression<'a>) -> bool {
        matches!(object, Expression::Identifier(reference) if !self.in_with
            && self.symbol(reference).is_some_and(|symbol| self.library.contains(&symbol)))
    }

    /// Finds the names of library parts, and those whose functions look at what they are given.
    pub(super) fn find_library(&mut self, program: &Program<'a>) {
        for statement in &program.body {
            match statement {
                Statement::ImportDeclaration(import) if is_library(&import.source.value) => {
                    for specifier in import.specifiers.iter().flatten() {
                        let local = match specifier {
                            ImportDeclarationSpecifier::ImportSpecifier(one) => &one.local,
                            ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => &one.local,
                            ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => &one.local,
                        };
                        self.library.insert(local.symbol_id());
                        if looks(&import.source.value) {
                            self.lookers.insert(local.symbol_id());
                        }
                    }
                }
                Statement::VariableDeclaration(declaration) => {
                    for declarator in &declaration.declarations {
                        let Some(name) = declarator.init.as_ref().and_then(required) else {
                            continue;
                        };
                        let locals = declarator.id.get_binding_identifiers();
                        let locals = locals.iter().map(|local| local.symbol_id());
                        if is_library(name) {
                            self.library.extend(locals.clone());
                        }
                        if looks(name) {
                            self.lookers.extend(locals);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether the functions of a library part look at what they are given.
fn looks(specifier: &str) -> bool {
    let name = specifier.strip_prefix("node:").unwrap_or(specifier);
    let part = name.split('/').next().unwrap_or(name);
    matches!(
        part,
        "assert" | "buffer" | "crypto" | "fs" | "querystring" | "url" | "util" | "v8" | "zlib"
    ) || specifier == "hemiola:observe"
}

/// Whether a specifier certainly means a part of the library.
pub(crate) fn is_library(specifier: &str) -> bool {
    const PARTS: &[&str] = &[
        "assert",
        "async_hooks",
        "buffer",
        "child_process",
        "crypto",
        "dgram",
        "dns",
        "events",
        "fs",
        "http",
        "https",
        "net",
        "os",
        "path",
        "process",
        "querystring",
        "readline",
        "stream",
        "timers",
        "tls",
        "tty",
        "url",
        "util",
        "v8",
        "vm",
        "worker_threads",
        "zlib",
    ];
    let part = specifier.split('/').next().unwrap_or(specifier);
    specifier.starts_with("node:") || specifier.starts_with("hemiola:") || PARTS.contains(&part)
}

/// What an expression requires, or takes a part of.
fn required<'b>(init: &'b Expression<'_>) -> Option<&'b str> {
    match init {
        Expression::CallExpression(call) => match (&call.callee, call.arguments.first()) {
            (Expression::Identifier(callee), Some(Argument::StringLiteral(name)))
                if callee.name == "require" =>
            {
                Some(name.value.as_str())
            }
            _ => None,
        },
        _ => init.as_member_expression().and_then(|member| required(member.object())),
    }
}

/// Whether a value may be an object that others know: a literal is new, or none.
pub(super) fn is_telling(expression: &Expression<'_>) -> bool {
    !matches!(
        expression,
        Expression::Super(_)
            | Expression::ImportMeta(_)
            | Expression::StringLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::RegExpLiteral(_)
            | Expression::TemplateLiteral(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ClassExpression(_)
            | Expression::ArrayExpression(_)
            | Expression::ObjectExpression(_)
            | Expression::NewExpression(_)
    )
}

/// What keeps an object in a variable on its way.
pub(super) fn keep(variable: Option<&str>) -> String {
    variable.map_or_else(String::new, |variable| format!("{variable}="))
}
