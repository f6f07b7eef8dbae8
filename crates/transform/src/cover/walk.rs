//! The walk that inserts counters.

use super::{COVER_PREFIX, names};
use crate::edits::Edits;
use crate::instrument::Pieces;
use crate::text::skip_trivia;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

/// A function whose places are offsets.
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) counter: u32,
    pub(super) sets_fields: bool,
    /// Start, end, counter.
    pub(super) blocks: Vec<(u32, u32, u32)>,
    /// Where what is before it begins, where it is, counter.
    pub(super) rests: Vec<(u32, u32, u32)>,
}

/// Inserts all counters; gives the functions, and how many counters there are.
pub(super) fn walk(
    program: &Program<'_>,
    text: &str,
    pieces: &Pieces,
    number: u32,
    edits: &mut Edits,
) -> (Vec<Draft>, u32) {
    let array = format!("{COVER_PREFIX}{number}");
    let mut walker = Walker {
        text,
        pieces,
        array,
        edits,
        counters: 0,
        drafts: Vec::new(),
        current: 0,
        name: None,
    };
    let code = walker.begin(String::new(), Span::new(0, crate::text::offset_of(text.len())), false);
    let start = program.body.first().map_or(0, |statement| statement.span().start);
    walker.insert(start, &format!("{code};"));
    walker.list(&program.body);
    (walker.drafts, walker.counters)
}

struct Walker<'s> {
    text: &'s str,
    pieces: &'s Pieces,
    /// The array of the counters.
    array: String,
    edits: &'s mut Edits,
    counters: u32,
    drafts: Vec<Draft>,
    /// The innermost function.
    current: usize,
    /// What a function is called that stands here and has no name.
    name: Option<String>,
}

impl<'a> Walker<'_> {
    fn insert(&mut self, offset: u32, code: &str) {
        let piece = self.pieces.inserted(code);
        self.edits.insert(offset, piece);
    }

    /// A new counter, and what counts.
    fn counter(&mut self) -> (u32, String) {
        let number = self.counters;
        self.counters += 1;
        (number, format!("{}[{number}]++", self.array))
    }

    /// A new function, which becomes the innermost one; gives what counts its calls.
    fn begin(&mut self, name: String, span: Span, sets_fields: bool) -> String {
        let (counter, code) = self.counter();
        self.current = self.drafts.len();
        let (blocks, rests) = (Vec::new(), Vec::new());
        let (start, end) = (span.start, span.end);
        self.drafts.push(Draft { name, start, end, counter, sets_fields, blocks, rests });
        code
    }

    /// Notes a part that is entered or not; gives what counts that.
    fn block(&mut self, start: u32, end: u32) -> String {
        let (counter, code) = self.counter();
        self.drafts[self.current].blocks.push((start, end, counter));
        code
    }

    /// Notes that something follows which may not be reached; gives what counts that it is.
    fn rest(&mut self, from: u32, at: u32) -> (u32, String) {
        let (counter, code) = self.counter();
        self.drafts[self.current].rests.push((from, at, counter));
        (counter, code)
    }

    /// Where the token after a place begins.
    fn token_after(&self, offset: u32) -> u32 {
        skip_trivia(self.text, offset)
    }

    fn named<R>(&mut self, name: Option<String>, visit: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.name, name);
        let result = visit(self);
        self.name = outer;
        result
    }

    /// Counts before an expression.
    fn around(&mut self, expression: &Expression<'a>, code: &str) {
        let span = expression.span();
        self.insert(span.start, &format!("({code},"));
        self.visit_expression(expression);
        self.insert(span.end, ")");
    }

    fn list(&mut self, statements: &[Statement<'a>]) {
        let last = statements.iter().rposition(is_executed);
        let mut rest = None;
        for (at, statement) in statements.iter().enumerate() {
            let span = statement.span();
            if let Some(code) = rest.take() {
                self.insert(span.start, &format!("{code};"));
            }
            self.statement(statement);
            if last.is_some_and(|last| at < last) {
                rest = left_at(statement).map(|place| self.rest(span.start, place).1);
            } else if matches!(
                statement,
                Statement::ReturnStatement(_) | Statement::ThrowStatement(_)
            ) {
                // Nothing follows.
                self.drafts[self.current].rests.retain(|&(_, place, _)| place != span.end);
            }
        }
    }

    /// A statement that is a part by itself, where a list could be.
    fn body(&mut self, statement: &Statement<'a>, start: u32) {
        let span = statement.span();
        if let Statement::FunctionDeclaration(_) = statement {
            self.statement(statement);
            return;
        }
        let code = self.block(start, span.end);
        if let Statement::BlockStatement(block) = statement {
            self.insert(span.start + 1, &format!("{code};"));
            self.list(&block.body);
            return;
        }
        self.insert(span.start, &format!("{{{code};"));
        self.statement(statement);
        self.insert(span.end, "}");
    }

    fn statement(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::BlockStatement(block) => self.list(&block.body),
            Statement::LabeledStatement(statement) => self.statement(&statement.body),
            Statement::IfStatement(statement) => {
                self.visit_expression(&statement.test);
                let consequent = statement.consequent.span();
                self.body(&statement.consequent, consequent.start);
                if let Some(alternate) = &statement.alternate {
                    self.body(alternate, consequent.end);
                }
            }
            Statement::WhileStatement(statement) => {
                self.visit_expression(&statement.test);
                self.body(&statement.body, statement.body.span().start);
            }
            Statement::DoWhileStatement(statement) => {
                self.body(&statement.body, statement.body.span().start);
                self.visit_expression(&statement.test);
            }
            Statement::ForStatement(statement) => {
                if let Some(init) = &statement.init {
                    self.visit_for_statement_init(init);
                }
                let head = statement.test.iter().chain(&statement.update);
                head.for_each(|expression| self.visit_expression(expression));
                self.body(&statement.body, statement.body.span().start);
            }
            Statement::ForInStatement(statement) => {
                self.visit_for_statement_left(&statement.left);
                self.visit_expression(&statement.right);
                self.body(&statement.body, statement.body.span().start);
            }
            Statement::ForOfStatement(statement) => {
                self.visit_for_statement_left(&statement.left);
                self.visit_expression(&statement.right);
                self.body(&statement.body, statement.body.span().start);
            }
            Statement::SwitchStatement(statement) => {
                self.visit_expression(&statement.discriminant);
                statement.cases.iter().for_each(|case| self.case(case));
            }
            Statement::TryStatement(statement) => self.try_statement(statement),
            // A name could be a property of the object.
            Statement::WithStatement(statement) => self.visit_expression(&statement.object),
            Statement::ReturnStatement(statement) => {
                if let Some(argument) = &statement.argument {
                    self.named(None, |this| this.visit_expression(argument));
                }
            }
            Statement::ExportDefaultDeclaration(_) => {
                self.named(Some("default".into()), |this| walk::walk_statement(this, statement));
            }
            _ => self.named(None, |this| walk::walk_statement(this, statement)),
        }
    }

    fn case(&mut self, case: &SwitchCase<'a>) {
        if let Some(test) = &case.test {
            self.visit_expression(test);
        }
        let code = self.block(case.span.start, case.span.end);
        let at = case.consequent.first().map_or(case.span.end, |first| first.span().start);
        self.insert(at, &format!("{code};"));
        self.list(&case.consequent);
    }

    fn try_statement(&mut self, statement: &TryStatement<'a>) {
        self.list(&statement.block.body);
        let ends = statement.handler.as_ref().filter(|_| statement.finalizer.is_some());
        let after = ends.map(|handler| self.rest(statement.span.start, handler.span.end).1);
        let count_end = |this: &mut Self, block: &BlockStatement<'a>| {
            if let Some(code) = &after {
                this.insert(block.span.end - 1, &format!(";{code};"));
            }
        };
        count_end(self, &statement.block);
        let mut end = statement.block.span.end;
        if let Some(handler) = &statement.handler {
            let code = self.block(handler.span.start, handler.span.end);
            if let Some(parameter) = &handler.param {
                self.visit_catch_parameter(parameter);
            }
            self.insert(handler.body.span.start + 1, &format!("{code};"));
            self.list(&handler.body.body);
            count_end(self, &handler.body);
            end = handler.span.end;
        }
        if let Some(finalizer) = &statement.finalizer {
            let code = self.block(self.token_after(end), finalizer.span.end);
            self.insert(finalizer.span.start + 1, &format!("{code};"));
            self.list(&finalizer.body);
        }
    }

    /// A function with that name and span, unless it is only a type.
    fn function(&mut self, function: &Function<'a>, name: String, span: Span) {
        let Some(body) = function.body.as_ref().filter(|_| !function.declare) else { return };
        let outer = self.current;
        let code = self.begin(name, span, false);
        self.named(None, |this| {
            this.visit_formal_parameters(&function.params);
            this.function_body(body, &code);
        });
        self.current = outer;
    }

    fn function_body(&mut self, body: &FunctionBody<'a>, code: &str) {
        match (body.statements.first(), body.directives.last()) {
            (Some(first), _) => self.insert(first.span().start, &format!("{code};")),
            (None, Some(directive)) => self.insert(directive.span.end, &format!(";{code};")),
            (None, None) => self.insert(body.span.start + 1, &format!("{code};")),
        }
        self.list(&body.statements);
    }

    /// What is evaluated before it is known whether to go on: a suspended function may not.
    fn suspended(&mut self, span: Span, visit: impl FnOnce(&mut Self)) {
        let end = self.token_after(span.end);
        let is_end = self.text[end as usize..].starts_with(';');
        let (counter, _) = self.rest(span.start, if is_end { end + 1 } else { span.end });
        let code = format!("{}r({counter},", self.array);
        self.insert(span.start, &code);
        visit(self);
        self.insert(span.end, ")");
    }

    /// What follows `?.` after an object.
    fn optional(&mut self, object: &Expression<'a>, end: u32) -> String {
        self.block(self.token_after(object.span().end), end)
    }

    fn members(&mut self, class: &Class<'a>) {
        let outer = self.current;
        let own_name =
            class.id.as_ref().map(|id| id.name.to_string()).or_else(|| self.name.clone());
        let elements = &class.body.body;
        let fields = || elements.iter().filter_map(field);
        let open = class.body.span.start + 1;
        let mut instance = outer;
        let mut counted = None;
        if fields().any(|field| !field.r#static) {
            let code = self.begin("<instance_members_initializer>".into(), class.span, true);
            instance = self.current;
            let telling = fields().find(|field| !field.r#static && has_plain_value(field));
            match telling {
                Some(field) => counted = Some((field.span, code)),
                // A field of our own, since values that are functions are named after theirs.
                None => self.insert(open, &format!("#{COVER_PREFIX}={code};")),
            }
        }
        let mut statics = outer;
        if let Some(span) = static_span(elements) {
            let code = self.begin("<static_initializer>".into(), span, true);
            statics = self.current;
            self.insert(open, &format!("static{{{code}}}"));
        }
        self.current = outer;
        for element in elements {
            match element {
                ClassElement::MethodDefinition(method) => {
                    self.method(method, own_name.as_deref());
                }
                ClassElement::PropertyDefinition(property) => {
                    if property.computed {
                        self.visit_property_key(&property.key);
                    }
                    let Some(value) = field(element).and_then(|field| field.value.as_ref()) else {
                        continue;
                    };
                    self.current = if property.r#static { statics } else { instance };
                    let code = counted.as_ref().filter(|(span, _)| *span == property.span);
                    let code = code.map(|(_, code)| code.clone());
                    self.named(names::of_key(&property.key), |this| match code {
                        Some(code) => this.around(value, &code),
                        None => this.visit_expression(value),
                    });
                    self.current = outer;
                }
                ClassElement::StaticBlock(block) => {
                    self.current = statics;
                    self.named(None, |this| this.list(&block.body));
                    self.current = outer;
                }
                ClassElement::AccessorProperty(_) | ClassElement::TSIndexSignature(_) => {}
            }
        }
    }

    fn method(&mut self, method: &MethodDefinition<'a>, class: Option<&str>) {
        if method.computed {
            self.visit_property_key(&method.key);
        }
        let name = || names::of_key(&method.key).unwrap_or_default();
        let name = match method.kind {
            MethodDefinitionKind::Constructor => class.unwrap_or_default().to_owned(),
            MethodDefinitionKind::Method => name(),
            MethodDefinitionKind::Get => format!("get {}", name()),
            MethodDefinitionKind::Set => format!("set {}", name()),
        };
        let mut start = method.span.start;
        if method.r#static && self.text[start as usize..].starts_with("static") {
            start = self.token_after(start + "static".len() as u32);
        }
        self.function(&method.value, name, Span::new(start, method.span.end));
    }
}

/// Whether a statement does something where it stands.
fn is_executed(statement: &Statement<'_>) -> bool {
    !matches!(
        statement,
        Statement::EmptyStatement(_)
            | Statement::FunctionDeclaration(_)
            | Statement::TSTypeAliasDeclaration(_)
            | Statement::TSInterfaceDeclaration(_)
    )
}

/// Where what follows a statement begins, if it may not be reached.
fn left_at(statement: &Statement<'_>) -> Option<u32> {
    match statement {
        Statement::DoWhileStatement(statement) => Some(statement.body.span().end),
        Statement::LabeledStatement(labeled) => left_at(&labeled.body),
        Statement::BlockStatement(_)
        | Statement::IfStatement(_)
        | Statement::WhileStatement(_)
        | Statement::ForStatement(_)
        | Statement::ForInStatement(_)
        | Statement::ForOfStatement(_)
        | Statement::SwitchStatement(_)
        | Statement::TryStatement(_)
        | Statement::ReturnStatement(_)
        | Statement::ThrowStatement(_)
        | Statement::BreakStatement(_)
        | Statement::ContinueStatement(_) => Some(statement.span().end),
        _ => None,
    }
}

/// The field that an element is.
fn field<'e, 'a>(element: &'e ClassElement<'a>) -> Option<&'e PropertyDefinition<'a>> {
    match element {
        ClassElement::PropertyDefinition(field)
            if !field.declare
                && field.r#type != PropertyDefinitionType::TSAbstractPropertyDefinition =>
        {
            Some(field)
        }
        _ => None,
    }
}

/// Whether a field has a value that is not named after it.
fn has_plain_value(field: &PropertyDefinition<'_>) -> bool {
    field.value.as_ref().is_some_and(|value| {
        !matches!(
            value.without_parentheses(),
            Expression::ArrowFunctionExpression(_)
                | Expression::FunctionExpression(_)
                | Expression::ClassExpression(_)
        )
    })
}

/// What V8 takes for the text of what sets the static fields of a class.
fn static_span(elements: &[ClassElement<'_>]) -> Option<Span> {
    let mut found: Option<Span> = None;
    for element in elements {
        found = match element {
            ClassElement::StaticBlock(block) => {
                let start = found.map_or(block.span.start, |span| span.start);
                Some(Span::new(start, block.span.end))
            }
            _ => match field(element).filter(|field| field.r#static) {
                // Its semicolon is none of its text.
                Some(field) => {
                    let end = field.value.as_ref().map(|value| value.span().end);
                    let end = end.unwrap_or_else(|| field.key.span().end);
                    Some(Span::new(field.span.start, end))
                }
                None => found,
            },
        };
    }
    found
}

impl<'a> Visit<'a> for Walker<'_> {
    fn visit_statements(&mut self, statements: &oxc_allocator::Vec<'a, Statement<'a>>) {
        self.list(statements);
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        self.statement(statement);
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        self.list(&block.body);
    }

    fn visit_function(&mut self, function: &Function<'a>, _: ScopeFlags) {
        let own = function.id.as_ref().map(|id| id.name.to_string());
        let name = own.or_else(|| self.name.clone()).unwrap_or_default();
        self.function(function, name, function.span);
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        let outer = self.current;
        let name = self.name.clone().unwrap_or_default();
        let code = self.begin(name, function.span, false);
        self.named(None, |this| {
            this.visit_formal_parameters(&function.params);
            match &function.body {
                ArrowFunctionBody::FunctionBody(body) => this.function_body(body, &code),
                body => {
                    if let Some(expression) = body.as_expression() {
                        this.around(expression, &code);
                    }
                }
            }
        });
        self.current = outer;
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        if class.declare {
            return;
        }
        if let Some(heritage) = &class.heritage {
            self.named(None, |this| this.visit_expression(&heritage.expression));
        }
        self.members(class);
    }

    fn visit_conditional_expression(&mut self, expression: &ConditionalExpression<'a>) {
        self.visit_expression(&expression.test);
        let (consequent, alternate) = (&expression.consequent, &expression.alternate);
        let mark = self.token_after(expression.test.span().end);
        let code = self.block(mark, consequent.span().end);
        self.around(consequent, &code);
        let colon = self.token_after(consequent.span().end);
        let code = self.block(colon, alternate.span().end);
        self.around(alternate, &code);
    }

    fn visit_logical_expression(&mut self, expression: &LogicalExpression<'a>) {
        self.visit_expression(&expression.left);
        let operator = self.token_after(expression.left.span().end);
        let code = self.block(operator, expression.right.span().end);
        self.around(&expression.right, &code);
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.suspended(expression.span, |this| walk::walk_await_expression(this, expression));
    }

    fn visit_yield_expression(&mut self, expression: &YieldExpression<'a>) {
        self.suspended(expression.span, |this| walk::walk_yield_expression(this, expression));
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        self.visit_expression(&member.object);
        let property = member.property.span;
        let written = &self.text[property.start as usize..property.end as usize];
        // A name can be written with escapes.
        if member.optional && written == member.property.name.as_str() {
            let code = self.optional(&member.object, member.span.end);
            let code = format!("[({code},\"{written}\")]");
            let piece = self.pieces.replacing(written, &code);
            self.edits.replace(property, piece);
        }
    }

    fn visit_computed_member_expression(&mut self, member: &ComputedMemberExpression<'a>) {
        self.visit_expression(&member.object);
        if member.optional {
            let code = self.optional(&member.object, member.span.end);
            self.around(&member.expression, &code);
        } else {
            self.visit_expression(&member.expression);
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.named(None, |this| {
            this.visit_expression(&call.callee);
            let mut arguments = call.arguments.iter();
            if call.optional {
                let code = this.optional(&call.callee, call.span.end);
                match arguments.next() {
                    None => this.insert(call.span.end - 1, &format!("...({code},[])")),
                    Some(Argument::SpreadElement(spread)) => this.around(&spread.argument, &code),
                    Some(first) => this.around(first.to_expression(), &code),
                }
            }
            arguments.for_each(|argument| this.visit_argument(argument));
        });
    }

    fn visit_new_expression(&mut self, expression: &NewExpression<'a>) {
        self.named(None, |this| walk::walk_new_expression(this, expression));
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        self.named(None, |this| this.visit_binding_pattern(&declarator.id));
        if let Some(init) = &declarator.init {
            let name = names::of_pattern(&declarator.id);
            self.named(name, |this| this.visit_expression(init));
        }
    }

    fn visit_assignment_pattern(&mut self, pattern: &AssignmentPattern<'a>) {
        self.visit_binding_pattern(&pattern.left);
        let name = names::of_pattern(&pattern.left);
        self.named(name, |this| this.visit_expression(&pattern.right));
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        self.visit_binding_pattern(&parameter.pattern);
        if let Some(value) = &parameter.initializer {
            let name = names::of_pattern(&parameter.pattern);
            self.named(name, |this| this.visit_expression(value));
        }
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        self.named(None, |this| this.visit_assignment_target(&assignment.left));
        let name = names::of_target(&assignment.left);
        self.named(name, |this| this.visit_expression(&assignment.right));
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if property.computed {
            self.visit_property_key(&property.key);
        }
        let name = names::of_key(&property.key);
        let name = if property.computed { self.name.clone() } else { name };
        match &property.value {
            Expression::FunctionExpression(function)
                if property.method || property.kind != PropertyKind::Init =>
            {
                let name = name.unwrap_or_default();
                let name = match property.kind {
                    PropertyKind::Init => name,
                    PropertyKind::Get => format!("get {name}"),
                    PropertyKind::Set => format!("set {name}"),
                };
                self.function(function, name, property.span);
            }
            value => self.named(name, |this| this.visit_expression(value)),
        }
    }

    // What has no meaning when it runs is left alone, and so is what the rest of the transform makes
    // anew.
    fn visit_decorator(&mut self, _: &Decorator<'a>) {}
    fn visit_ts_enum_declaration(&mut self, _: &TSEnumDeclaration<'a>) {}
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_external_module_declaration(&mut self, _: &TSExternalModuleDeclaration<'a>) {}
    fn visit_ts_global_declaration(&mut self, _: &TSGlobalDeclaration<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_namespace_declaration(&mut self, declaration: &TSNamespaceDeclaration<'a>) {
        if !declaration.declare {
            walk::walk_ts_namespace_declaration(self, declaration);
        }
    }
}
