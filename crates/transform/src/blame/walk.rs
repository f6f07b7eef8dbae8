//! The walk over a text in the order in which the engine makes code of it.
//!
//! It differs from the order of the text in that a pattern comes before what it takes apart, and what a
//! `for` loop does after a round comes after its body.

use super::marks;
use super::render::{VALUE, bare, bracket, call_position, member_position, name, position};
use super::{Act, Form, Found, Spot};
use crate::text::skip_trivia;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

/// Something that the engine notes or does.
enum Item {
    /// A place; none for what the engine says is before the text.
    Note(Option<u32>),
    /// An instruction, and where what it stands for begins and ends.
    Act(Act, (u32, u32)),
}

/// What the engine makes a function of.
struct Unit {
    /// Where it may say that it begins.
    starts: Vec<u32>,
    /// Whether it is the values of a class's fields. The engine does not say where those begin.
    fields: bool,
    items: Vec<Item>,
}

/// What is wanted of a walk.
enum Wanted<'w> {
    /// Everything.
    Notes,
    /// One instruction.
    One { act: &'w Act, span: (u32, u32), found: Option<Found> },
}

/// Where a pattern gets its value from.
#[derive(Clone, Copy)]
enum Origin<'b, 'a> {
    Value(&'b Expression<'a>),
    /// The same by an assignment, whose operator is there.
    Assigned(&'b Expression<'a>, u32),
    /// A parameter.
    Passed,
    /// A parameter with a default.
    Default,
    /// A loop.
    Loop,
    /// What was thrown.
    Caught,
    /// Another pattern.
    Pattern,
}

pub(super) struct Walk<'w> {
    text: &'w str,
    units: Vec<Unit>,
    /// The units that are open, by number.
    open: Vec<usize>,
    wanted: Wanted<'w>,
    /// The names of the classes around.
    classes: Vec<String>,
    /// The units of the fields of the innermost class: those of instances, and the static ones.
    fields: [usize; 2],
    /// The call whose value is iterated over, and how.
    iterated: Option<(Span, Form)>,
    /// Where the engine begins to count columns anew, in order.
    marks: Vec<u32>,
    /// Where the parameters begin that are looked at.
    parameters: u32,
}

impl<'w> Walk<'w> {
    fn new(text: &'w str, wanted: Wanted<'w>) -> Self {
        let marks = Vec::new();
        let (units, open, classes) = (Vec::new(), Vec::new(), Vec::new());
        let (fields, iterated, parameters) = ([0; 2], None, 0);
        Self { text, units, open, wanted, classes, fields, iterated, marks, parameters }
    }

    /// Notes everything.
    pub(super) fn noting(text: &'w str, program: &Program<'_>) -> Self {
        let mut walk = Self::new(text, Wanted::Notes);
        walk.marks = marks::marks(text, program);
        walk.unit(vec![0], |walk| walk.visit_program(program));
        walk
    }

    /// Finds one instruction, by what it stands for.
    pub(super) fn searching(
        text: &'w str,
        program: &Program<'_>,
        act: &'w Act,
        span: (u32, u32),
    ) -> Option<Found> {
        let wanted = Wanted::One { act, span, found: None };
        let mut walk = Self::new(text, wanted);
        walk.unit(Vec::new(), |walk| walk.visit_program(program));
        match walk.wanted {
            Wanted::Notes => None,
            Wanted::One { found, .. } => found,
        }
    }

    /// Where that begins and ends which an instruction stands for. `is_at` says whether the engine may say
    /// that an offset is there.
    pub(super) fn find(
        &self,
        spot: &Spot,
        is_at: impl Fn(Option<u32>, (u32, u32)) -> bool,
    ) -> Option<(u32, u32)> {
        let Some(noted) = spot.noted else {
            if spot.function.0 == 0 {
                let fields = self.units.iter().filter(|unit| unit.fields);
                let mut found = fields.filter_map(|unit| nth(&unit.items, spot));
                // Of several classes nobody says which one it was.
                return found.next().filter(|_| found.next().is_none());
            }
            let begins = |unit: &&Unit| {
                unit.starts.iter().any(|&start| is_at(self.mark(start), spot.function))
            };
            let found = self.units.iter().filter(begins).find_map(|unit| nth(&unit.items, spot));
            // What a wrapper has around it is the program.
            let program = || nth(&self.units.first()?.items, spot).filter(|_| spot.function.0 == 1);
            return found.or_else(program);
        };
        let is_note = |item: &Item| matches!(item, Item::Note(at) if is_at(*at, noted));
        self.units.iter().find_map(|unit| {
            let mut rest = &unit.items[..];
            while let Some(at) = rest.iter().position(is_note) {
                // The same place twice is one place.
                rest = &rest[at..];
                let is_end = |item: &Item| matches!(item, Item::Note(_)) && !is_note(item);
                let end = rest.iter().position(is_end).unwrap_or(rest.len());
                if let Some(found) = nth(&rest[..end], spot) {
                    return Some(found);
                }
                rest = &rest[end..];
            }
            None
        })
    }

    fn unit(&mut self, starts: Vec<u32>, visit: impl FnOnce(&mut Self)) {
        self.open.push(self.units.len());
        self.units.push(Unit { starts, fields: false, items: Vec::new() });
        visit(self);
        self.open.pop();
    }

    /// Visits a class's body, whose fields the engine makes a function of, and another of the static ones.
    fn in_class(&mut self, visit: impl FnOnce(&mut Self)) {
        let first = self.units.len();
        let fields = || Unit { starts: Vec::new(), fields: true, items: Vec::new() };
        self.units.extend([fields(), fields()]);
        let outer = std::mem::replace(&mut self.fields, [first, first + 1]);
        visit(self);
        self.fields = outer;
    }

    fn item(&mut self, item: Item) {
        if let (Wanted::Notes, Some(&unit)) = (&self.wanted, self.open.last()) {
            self.units[unit].items.push(item);
        }
    }

    fn note(&mut self, offset: u32) {
        self.item(Item::Note(self.mark(offset)));
    }

    /// Where the engine says that a token begins: the last word, or the last blank, before it. Nothing if
    /// that is before the text.
    fn mark(&self, offset: u32) -> Option<u32> {
        let after = self.marks.partition_point(|&mark| mark <= offset);
        after.checked_sub(1).map(|index| self.marks[index])
    }

    fn act(&mut self, act: Act, span: Span, find: impl FnOnce(&str) -> Found) {
        let span = (span.start, span.end);
        match &mut self.wanted {
            Wanted::Notes => self.item(Item::Act(act, span)),
            Wanted::One { act: wanted, span: at, found } => {
                if found.is_none() && **wanted == act && *at == span {
                    *found = Some(find(self.text));
                }
            }
        }
    }

    fn class(&self) -> String {
        self.classes.last().cloned().unwrap_or_default()
    }

    /// Visits what is iterated over.
    fn visit_iterated(&mut self, expression: &Expression<'_>, form: Form) {
        if let Expression::CallExpression(call) = bare(expression) {
            self.iterated = Some((call.span, form));
        }
        self.visit_expression(expression);
    }

    fn arguments(&mut self, arguments: &[Argument<'_>], call: u32) {
        for argument in arguments {
            match argument {
                Argument::SpreadElement(spread) => {
                    self.visit_expression(&spread.argument);
                    self.act(Act::Spread, spread.span, |text| Found {
                        place: call,
                        ..of(
                            Form::Argument,
                            name(&spread.argument),
                            position(text, &spread.argument),
                        )
                    });
                }
                argument => {
                    if let Some(expression) = argument.as_expression() {
                        self.visit_expression(expression);
                    }
                }
            }
        }
    }

    /// A property that is read, for itself or in order to be changed; that is told of where the target begins.
    fn get(&mut self, target: &SimpleAssignmentTarget<'_>) {
        let start = target.span().start;
        let at = |_: &str| of(Form::Plain, String::new(), start);
        match target {
            SimpleAssignmentTarget::StaticMemberExpression(member) if !is_super(&member.object) => {
                self.act(Act::Get(member.property.name.as_str().into()), member.span, at);
            }
            SimpleAssignmentTarget::ComputedMemberExpression(member)
                if !is_super(&member.object) =>
            {
                self.act(Act::GetElement, member.span, at);
            }
            SimpleAssignmentTarget::PrivateFieldExpression(member) => {
                let (class, at) = (self.class(), member.field.span.start);
                self.act(Act::Private, member.span, |_| private(Form::Plain, class, member, at));
            }
            _ => {}
        }
    }

    /// What a target is before anything is assigned to it: its object and key, or the variable.
    fn target(&mut self, target: &SimpleAssignmentTarget<'_>) {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) => {
                self.note(identifier.span.start)
            }
            SimpleAssignmentTarget::StaticMemberExpression(member) => {
                self.visit_expression(&member.object)
            }
            SimpleAssignmentTarget::ComputedMemberExpression(member) => {
                self.visit_expression(&member.object);
                self.visit_expression(&member.expression);
            }
            SimpleAssignmentTarget::PrivateFieldExpression(member) => {
                self.visit_expression(&member.object)
            }
            _ => walk::walk_simple_assignment_target(self, target),
        }
    }

    /// A property that is written, by the expression of that span.
    fn put(&mut self, target: &SimpleAssignmentTarget<'_>, span: Span) {
        let end = target.span().end;
        let at = |text: &str| of(Form::Plain, String::new(), skip_trivia(text, end));
        match target {
            SimpleAssignmentTarget::StaticMemberExpression(member) if !is_super(&member.object) => {
                let property = member.property.name.as_str();
                self.act(Act::Put(property.into()), span, |text| Found {
                    property: Some(property.to_owned()),
                    ..at(text)
                });
            }
            SimpleAssignmentTarget::ComputedMemberExpression(member)
                if !is_super(&member.object) =>
            {
                self.act(Act::PutElement, span, at);
            }
            SimpleAssignmentTarget::PrivateFieldExpression(member) => {
                let class = self.class();
                self.act(Act::Private, span, |text| {
                    private(Form::Written, class, member, skip_trivia(text, end))
                });
            }
            _ => {}
        }
    }

    fn binding(&mut self, pattern: &BindingPattern<'_>, origin: Origin<'_, '_>) {
        match pattern {
            BindingPattern::BindingIdentifier(_) => {}
            BindingPattern::AssignmentPattern(pattern) => {
                self.binding(&pattern.left, origin);
                self.visit_expression(&pattern.right);
            }
            BindingPattern::ObjectPattern(pattern) => {
                let first = pattern.properties.first();
                let key = first.map(|first| Key {
                    key: &first.key,
                    computed: first.computed,
                    has_default: matches!(first.value, BindingPattern::AssignmentPattern(_)),
                    value: first.value.span().start,
                });
                let rest = pattern.rest.as_ref().map(|rest| rest.argument.span().start);
                self.take_apart(pattern.span, key, rest, origin);
                for property in &pattern.properties {
                    self.taken(&property.key, property.computed, property.span);
                    self.binding(&property.value, Origin::Pattern);
                }
                if let Some(rest) = &pattern.rest {
                    self.binding(&rest.argument, Origin::Pattern);
                }
            }
            BindingPattern::ArrayPattern(pattern) => {
                self.iterate(pattern.span, origin);
                for element in pattern.elements.iter().flatten() {
                    self.binding(element, Origin::Pattern);
                }
                if let Some(rest) = &pattern.rest {
                    self.binding(&rest.argument, Origin::Pattern);
                }
                self.note(pattern.span.start);
            }
        }
    }

    fn assigned(&mut self, target: &AssignmentTarget<'_>, origin: Origin<'_, '_>) {
        match target {
            AssignmentTarget::ObjectAssignmentTarget(pattern) => {
                let key = pattern.properties.first().map(|first| match first {
                    AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(one) => (
                        Some((one.binding.name.to_string(), one.binding.span.start)),
                        one.init.is_some(),
                    ),
                    AssignmentTargetProperty::AssignmentTargetPropertyProperty(one) => {
                        let known = if one.computed { None } else { key_name(&one.name) };
                        let has_default = matches!(
                            one.binding,
                            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(_)
                        );
                        (known.map(|known| (known, one.binding.span().start)), has_default)
                    }
                });
                let rest = pattern.rest.as_ref().map(|rest| rest.target.span().start);
                self.take_apart_by(pattern.span, key, rest, origin);
                for property in &pattern.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(one) => {
                            let span = one.binding.span;
                            self.act(Act::Get(one.binding.name.as_str().into()), span, |_| {
                                of(Form::Plain, String::new(), span.start)
                            });
                            if let Some(init) = &one.init {
                                self.visit_expression(init);
                            }
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(one) => {
                            if one.computed
                                && let Some(key) = one.name.as_expression()
                            {
                                self.visit_expression(key);
                            }
                            self.element(&one.binding, |walk| {
                                walk.taken_named(&one.name, one.computed, one.span)
                            });
                        }
                    }
                }
                if let Some(rest) = &pattern.rest {
                    self.assigned(&rest.target, Origin::Pattern);
                }
            }
            AssignmentTarget::ArrayAssignmentTarget(pattern) => {
                self.iterate(pattern.span, origin);
                for element in pattern.elements.iter().flatten() {
                    self.element(element, |_| ());
                }
                if let Some(rest) = &pattern.rest {
                    self.assigned(&rest.target, Origin::Pattern);
                }
                self.note(pattern.span.start);
            }
            target => {
                if let Some(target) = target.as_simple_assignment_target() {
                    self.target(target);
                    self.put(target, target.span());
                }
            }
        }
    }

    /// A part of a pattern, which `take` takes out of the whole once its target is known.
    fn element(
        &mut self,
        element: &AssignmentTargetMaybeDefault<'_>,
        take: impl FnOnce(&mut Self),
    ) {
        let (target, init) = match element {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(one) => {
                (&one.binding, Some(&one.init))
            }
            other => match other.as_assignment_target() {
                Some(target) => (target, None),
                None => return,
            },
        };
        match target.as_simple_assignment_target() {
            Some(simple) => {
                self.target(simple);
                take(self);
                if let Some(init) = init {
                    self.visit_expression(init);
                }
                self.put(simple, simple.span());
            }
            None => {
                take(self);
                self.assigned(target, Origin::Pattern);
                if let Some(init) = init {
                    self.visit_expression(init);
                }
            }
        }
    }

    fn taken(&mut self, key: &PropertyKey<'_>, computed: bool, span: Span) {
        if computed && let Some(key) = key.as_expression() {
            self.visit_expression(key);
        }
        self.taken_named(key, computed, span);
    }

    fn taken_named(&mut self, key: &PropertyKey<'_>, computed: bool, span: Span) {
        let start = key.span().start;
        let act = match key_name(key) {
            Some(name) if !computed => Act::Get(name.into()),
            _ => Act::GetElement,
        };
        self.act(act, span, |_| of(Form::Plain, String::new(), start));
    }

    fn take_apart(
        &mut self,
        span: Span,
        key: Option<Key<'_, '_>>,
        rest: Option<u32>,
        origin: Origin<'_, '_>,
    ) {
        let key = key.map(|key| {
            let known = if key.computed { None } else { key_name(key.key) };
            (known.map(|known| (known, key.value)), key.has_default)
        });
        self.take_apart_by(span, key, rest, origin);
    }

    fn take_apart_by(
        &mut self,
        span: Span,
        key: Option<(Option<(String, u32)>, bool)>,
        rest: Option<u32>,
        origin: Origin<'_, '_>,
    ) {
        self.act(Act::TakeApart, span, |text| {
            let (value, mark) = match origin {
                Origin::Value(value) | Origin::Assigned(value, _) => {
                    (Some(name(value)), position(text, value))
                }
                Origin::Loop => (Some(".for".to_owned()), span.start),
                Origin::Caught => (Some(".catch".to_owned()), span.start),
                Origin::Default => (Some(VALUE.repeat(3)), span.start),
                Origin::Passed | Origin::Pattern => (None, span.start),
            };
            let form = |known: Form| if value.is_none() { Form::Passed } else { known };
            match key {
                Some((Some((property, at)), has_default)) => {
                    let inner = has_default || matches!(origin, Origin::Pattern);
                    Found {
                        property: Some(property),
                        ..of(
                            if inner { Form::Inner } else { form(Form::Plain) },
                            value.unwrap_or_default(),
                            at,
                        )
                    }
                }
                _ => {
                    let place = if key.is_none() { rest.unwrap_or(span.start) } else { span.start };
                    Found { place, ..of(form(Form::Whole), value.unwrap_or_default(), mark) }
                }
            }
        });
    }

    /// A value is taken apart as an array.
    fn iterate(&mut self, span: Span, origin: Origin<'_, '_>) {
        let passed = |at: u32| of(Form::Passed, String::new(), at);
        let parameters = self.parameters;
        self.act(Act::Iterate, span, |text| match origin {
            Origin::Value(value) => match bare(value) {
                Expression::CallExpression(_)
                | Expression::StaticMemberExpression(_)
                | Expression::ComputedMemberExpression(_)
                | Expression::PrivateFieldExpression(_)
                | Expression::ChainExpression(_) => passed(value.span().start),
                _ => iterated(text, value),
            },
            Origin::Assigned(_, at) => passed(at),
            Origin::Loop => of(Form::Plain, ".for".to_owned(), span.end - 1),
            Origin::Passed | Origin::Default => passed(parameters),
            Origin::Caught | Origin::Pattern => passed(span.start),
        });
    }
}

/// The first property of a pattern.
struct Key<'b, 'a> {
    key: &'b PropertyKey<'a>,
    computed: bool,
    has_default: bool,
    value: u32,
}

/// The instruction that is meant among those after a place.
fn nth(items: &[Item], spot: &Spot) -> Option<(u32, u32)> {
    let acts = items.iter().filter_map(|item| match item {
        Item::Act(act, span) if *act == spot.act => Some(*span),
        Item::Act(..) | Item::Note(_) => None,
    });
    acts.into_iter().nth(spot.before as usize)
}

fn of(form: Form, text: String, at: u32) -> Found {
    Found { text, form, property: None, place: at, mark: at }
}

/// A private member, of which the class is the text.
fn private(form: Form, class: String, member: &PrivateFieldExpression<'_>, at: u32) -> Found {
    let of_this = if matches!(member.object, Expression::ThisExpression(_)) { "this." } else { "" };
    Found { property: Some(format!("{of_this}#{}", member.field.name)), ..of(form, class, at) }
}

fn is_super(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::Super(_))
}

fn key_name(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.to_string()),
        PropertyKey::StringLiteral(literal) => Some(literal.value.to_string()),
        PropertyKey::NumericLiteral(literal) => Some(literal.value.to_string()),
        _ => None,
    }
}

/// What is iterated over.
fn iterated(text: &str, value: &Expression<'_>) -> Found {
    let at = position(text, value);
    match bare(value) {
        Expression::CallExpression(call) => of(Form::Call, name(&call.callee), at),
        _ => of(Form::Plain, name(value), at),
    }
}

impl<'a> Visit<'a> for Walk<'_> {
    fn visit_identifier_reference(&mut self, identifier: &IdentifierReference<'a>) {
        self.note(identifier.span.start);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let starts = vec![function.span.start];
        self.unit(starts, |walk| walk::walk_function(walk, function, flags));
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        let starts = vec![function.span.start];
        self.unit(starts, |walk| walk::walk_arrow_function_expression(walk, function));
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        let start = class.span.start;
        if let Some(parent) = class.heritage.as_ref().map(|heritage| &heritage.expression) {
            self.visit_expression(parent);
            self.act(Act::Extend, class.span, |text| {
                let is_plain = bare(parent).is_literal();
                of(Form::Plain, name(parent), if is_plain { start } else { position(text, parent) })
            });
        }
        self.classes.push(class.id.as_ref().map(|id| id.name.to_string()).unwrap_or_default());
        self.in_class(|walk| walk.visit_class_body(&class.body));
        self.classes.pop();
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        if method.computed {
            self.visit_property_key(&method.key);
        }
        let starts = vec![method.span.start, method.key.span().start, method.value.span.start];
        self.unit(starts, |walk| walk::walk_function(walk, &method.value, ScopeFlags::Function));
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        if property.computed {
            self.visit_property_key(&property.key);
        }
        if let Some(value) = &property.value {
            self.open.push(self.fields[usize::from(property.r#static)]);
            self.visit_expression(value);
            self.open.pop();
        }
    }

    fn visit_static_block(&mut self, block: &StaticBlock<'a>) {
        self.unit(Vec::new(), |walk| walk::walk_static_block(walk, block));
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if property.computed {
            self.visit_property_key(&property.key);
        }
        match &property.value {
            Expression::FunctionExpression(function)
                if property.method || property.kind != PropertyKind::Init =>
            {
                let starts =
                    vec![property.span.start, property.key.span().start, function.span.start];
                self.unit(starts, |walk| walk::walk_function(walk, function, ScopeFlags::Function));
            }
            value if !property.shorthand => self.visit_expression(value),
            _ => {}
        }
    }

    fn visit_formal_parameters(&mut self, parameters: &FormalParameters<'a>) {
        self.parameters = parameters.span.start;
        walk::walk_formal_parameters(self, parameters);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        let origin = if parameter.initializer.is_some() { Origin::Default } else { Origin::Passed };
        self.binding(&parameter.pattern, origin);
        if let Some(value) = &parameter.initializer {
            self.visit_expression(value);
        }
    }

    fn visit_formal_parameter_rest(&mut self, rest: &FormalParameterRest<'a>) {
        self.binding(&rest.rest.argument, Origin::Passed);
    }

    fn visit_catch_parameter(&mut self, parameter: &CatchParameter<'a>) {
        self.binding(&parameter.pattern, Origin::Caught);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        let origin = declarator.init.as_ref().map_or(Origin::Loop, Origin::Value);
        self.binding(&declarator.id, origin);
        match (&declarator.init, &declarator.id) {
            (Some(init), BindingPattern::ArrayPattern(_)) => self.visit_iterated(init, Form::Call),
            (Some(init), _) => self.visit_expression(init),
            (None, _) => {}
        }
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'a>) {
        self.note(statement.span.start);
        self.visit_expression(&statement.expression);
    }

    fn visit_throw_statement(&mut self, statement: &ThrowStatement<'a>) {
        self.note(statement.argument.span().start);
        self.visit_expression(&statement.argument);
    }

    fn visit_for_statement(&mut self, statement: &ForStatement<'a>) {
        if let Some(init) = &statement.init {
            self.visit_for_statement_init(init);
        }
        if let Some(test) = &statement.test {
            self.visit_expression(test);
        }
        self.visit_statement(&statement.body);
        if let Some(update) = &statement.update {
            self.visit_expression(update);
        }
    }

    fn visit_for_in_statement(&mut self, statement: &ForInStatement<'a>) {
        self.visit_expression(&statement.right);
        self.for_left(&statement.left);
        self.visit_statement(&statement.body);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        let right = &statement.right;
        let form = if statement.r#await { Form::AsyncCall } else { Form::Call };
        self.visit_iterated(right, form);
        let act = if statement.r#await { Act::IterateAsync } else { Act::Iterate };
        let span = Span::new(right.span().start, right.span().end);
        self.act(act, span, |text| match (statement.r#await, iterated(text, right)) {
            (true, found) if found.form == Form::Call => {
                Found { text: name(right), form: Form::AsyncCall, ..found }
            }
            (_, found) => found,
        });
        self.for_left(&statement.left);
        self.visit_statement(&statement.body);
        if statement.r#await {
            // What asks for the next value, and what closes the iterator.
            let none = |_: &str| of(Form::Plain, String::new(), span.start);
            self.act(Act::Call, Span::new(0, 0), none);
        }
        self.note(statement.span.start);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let iterated = self.iterated.take_if(|(span, _)| *span == call.span).map(|(_, form)| form);
        self.visit_expression(&call.callee);
        let is_super = is_super(&call.callee);
        if !is_super {
            let closing = call.span.end - 1;
            self.note(call.arguments.first().map_or(closing, |first| first.span().start));
        }
        self.arguments(&call.arguments, call_position(self.text, call));
        let act = if is_super { Act::New } else { Act::Call };
        self.act(act, call.span, |text| {
            let at = call_position(text, call);
            match iterated {
                Some(Form::AsyncCall) => {
                    of(Form::AsyncCall, format!("{}(...)", name(&call.callee)), at)
                }
                Some(form) => of(form, name(&call.callee), at),
                None => of(Form::Plain, name(&call.callee), at),
            }
        });
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        self.note(new.callee.span().start);
        self.visit_expression(&new.callee);
        self.arguments(&new.arguments, new.span.start);
        self.act(Act::New, new.span, |_| of(Form::Plain, name(&new.callee), new.span.start));
    }

    fn visit_tagged_template_expression(&mut self, tagged: &TaggedTemplateExpression<'a>) {
        self.visit_expression(&tagged.tag);
        let at = tagged.quasi.span.start;
        self.note(at);
        tagged.quasi.expressions.iter().for_each(|expression| self.visit_expression(expression));
        self.act(Act::Call, tagged.span, |_| of(Form::Plain, name(&tagged.tag), at));
    }

    fn visit_template_literal(&mut self, literal: &TemplateLiteral<'a>) {
        if literal.expressions.is_empty() {
            return;
        }
        let found = |_: &str| {
            let first =
                literal.expressions.first().map_or(literal.span.start, |first| first.span().start);
            of(Form::Plain, String::new(), first)
        };
        self.act(Act::Get("concat".into()), literal.span, found);
        literal.expressions.iter().for_each(|expression| self.visit_expression(expression));
        self.act(Act::Call, literal.span, found);
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        self.visit_expression(&member.object);
        if !is_super(&member.object) {
            let act = Act::Get(member.property.name.as_str().into());
            self.act(act, member.span, |text| {
                of(Form::Plain, String::new(), member_position(text, member))
            });
        }
    }

    fn visit_computed_member_expression(&mut self, member: &ComputedMemberExpression<'a>) {
        self.visit_expression(&member.object);
        self.visit_expression(&member.expression);
        if !is_super(&member.object) {
            self.act(Act::GetElement, member.span, |text| {
                of(Form::Plain, String::new(), bracket(text, member))
            });
        }
    }

    fn visit_private_field_expression(&mut self, member: &PrivateFieldExpression<'a>) {
        self.visit_expression(&member.object);
        let (class, at) = (self.class(), member.field.span.start);
        self.act(Act::Private, member.span, |_| private(Form::Plain, class, member, at));
    }

    fn visit_private_in_expression(&mut self, expression: &PrivateInExpression<'a>) {
        self.note(expression.right.span().start);
        self.visit_expression(&expression.right);
        let end = expression.left.span.end;
        self.act(Act::PrivateIn, expression.span, |text| {
            of(Form::Plain, format!("#{}", expression.left.name), skip_trivia(text, end))
        });
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        let Some(target) = assignment.left.as_simple_assignment_target() else {
            let operator = skip_trivia(self.text, assignment.left.span().end);
            self.assigned(&assignment.left, Origin::Assigned(&assignment.right, operator));
            self.visit_expression(&assignment.right);
            return;
        };
        self.target(target);
        if assignment.operator != AssignmentOperator::Assign {
            self.get(target);
        }
        self.visit_expression(&assignment.right);
        if !assignment.operator.is_logical() && assignment.operator != AssignmentOperator::Assign {
            let end = target.span().end;
            self.act(Act::Binary, assignment.span, |text| {
                of(Form::Plain, String::new(), skip_trivia(text, end))
            });
        }
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) = target {
            let end = identifier.span.end;
            self.act(Act::Assign(identifier.name.as_str().into()), assignment.span, |text| {
                of(Form::Plain, String::new(), skip_trivia(text, end))
            });
        }
        self.put(target, assignment.span);
    }

    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        self.target(&update.argument);
        self.get(&update.argument);
        self.act(Act::Unary, update.span, |_| of(Form::Plain, String::new(), update.span.start));
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) = &update.argument {
            let at = if update.prefix { update.span.start } else { identifier.span.end };
            self.act(Act::Assign(identifier.name.as_str().into()), update.span, |_| {
                of(Form::Plain, String::new(), at)
            });
        }
        self.put(&update.argument, update.span);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        let start = unary.span.start;
        let found = |_: &str| of(Form::Plain, String::new(), start);
        match unary.operator {
            UnaryOperator::Delete => {
                match bare(&unary.argument) {
                    Expression::StaticMemberExpression(member) => {
                        self.visit_expression(&member.object)
                    }
                    Expression::ComputedMemberExpression(member) => {
                        self.visit_expression(&member.object);
                        self.visit_expression(&member.expression);
                    }
                    _ => self.visit_expression(&unary.argument),
                }
                self.act(Act::Delete, unary.span, found);
            }
            UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation | UnaryOperator::BitwiseNot => {
                self.visit_expression(&unary.argument);
                if !matches!(unary.argument, Expression::NumericLiteral(_)) {
                    self.act(Act::Unary, unary.span, found);
                }
            }
            UnaryOperator::LogicalNot | UnaryOperator::Typeof | UnaryOperator::Void => {
                self.visit_expression(&unary.argument);
            }
        }
    }

    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        self.visit_expression(&binary.left);
        if binary.operator != BinaryOperator::Exponential {
            self.note(binary.right.span().start);
        }
        self.visit_expression(&binary.right);
        let end = binary.left.span().end;
        let act = match binary.operator {
            BinaryOperator::In => Act::In,
            BinaryOperator::Instanceof => Act::InstanceOf,
            operator if operator.is_equality() => return,
            _ => Act::Binary,
        };
        self.act(act, binary.span, |text| of(Form::Plain, String::new(), skip_trivia(text, end)));
    }

    fn visit_yield_expression(&mut self, expression: &YieldExpression<'a>) {
        walk::walk_yield_expression(self, expression);
        if expression.delegate {
            let start = expression.span.start;
            self.act(Act::Iterate, expression.span, |_| of(Form::Passed, String::new(), start));
        }
    }

    fn visit_array_expression(&mut self, array: &ArrayExpression<'a>) {
        for element in &array.elements {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    self.visit_iterated(&spread.argument, Form::Call);
                    self.act(Act::Spread, spread.span, |text| iterated(text, &spread.argument));
                }
                element => {
                    if let Some(expression) = element.as_expression() {
                        self.visit_expression(expression);
                    }
                }
            }
        }
    }
}

impl Walk<'_> {
    fn for_left(&mut self, left: &ForStatementLeft<'_>) {
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.binding(&declarator.id, Origin::Loop);
                }
            }
            left => {
                if let Some(target) = left.as_assignment_target() {
                    self.assigned(target, Origin::Loop);
                }
            }
        }
    }
}
