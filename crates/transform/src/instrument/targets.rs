//! What is assigned to: variables, properties, patterns.

use super::members::is_telling;
use super::places::{Place, place};
use super::walk::Walker;
use super::{Mode, Target};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;

impl<'a> Walker<'_> {
    pub(super) fn assignment(&mut self, assignment: &AssignmentExpression<'a>) {
        if let Some(pattern) = assignment.left.as_assignment_target_pattern() {
            self.assign_pattern(assignment, pattern);
            return;
        }
        match assignment.left.as_simple_assignment_target().and_then(place) {
            Some(Place::Variable(reference)) => self.assign_variable(assignment, reference),
            Some(Place::Member(member)) => self.assign_member(assignment, member),
            None => self.visit_expression(&assignment.right),
        }
    }

    fn assign_variable(
        &mut self,
        assignment: &AssignmentExpression<'a>,
        reference: &IdentifierReference<'a>,
    ) {
        let (span, right) = (assignment.span, &assignment.right);
        let operator = assignment.operator;
        let reads_first =
            operator.is_logical() || !operator.is_assign() && self.suspends(right.span());
        let mode = match operator.is_assign() || reads_first {
            true => Mode::Write,
            false => Mode::Update,
        };
        let Some(written) = self.variable(reference, mode) else {
            self.visit_expression(right);
            return;
        };
        let read = reads_first.then(|| self.variable(reference, Mode::Read)).flatten();
        if let Some(read) = &read {
            let object = &self.pieces.object;
            let open = format!("{object}.b({object}.v(0,{read}),");
            self.insert(span.start, &open);
        }
        if operator.is_logical() && !is_anonymous(right) {
            // Only if the right side is evaluated is there a write.
            self.around(right.span(), "v", &written, |this| this.visit_expression(right));
        } else {
            self.around(span, "v", &written, |this| this.visit_expression(right));
        }
        if read.is_some() {
            self.insert(span.end, ")");
        }
    }

    fn assign_member(
        &mut self,
        assignment: &AssignmentExpression<'a>,
        member: &MemberExpression<'a>,
    ) {
        let right = &assignment.right;
        let operator = assignment.operator;
        let suspends = self.suspends(right.span());
        if !is_telling(member.object()) || !(suspends || operator.is_logical()) {
            let mode = if operator.is_assign() { Mode::Write } else { Mode::Update };
            self.member(member, mode);
            self.visit_expression(right);
            return;
        }
        // The write comes after the right side was evaluated, if at all.
        let kept = self.temporary();
        let key = self.key(member);
        if operator.is_assign() {
            let object = member.object().span();
            let open = format!("{}.o({kept}=", self.pieces.object);
            self.insert(object.start, &open);
            self.visit_expression(member.object());
            self.insert(object.end, ")");
            if let MemberExpression::ComputedMemberExpression(member) = member {
                self.visit_expression(&member.expression);
            }
        } else {
            self.member_of(member, Mode::Read, Some(&kept));
        }
        let (_, arguments) = self.property(member, &key, Mode::Write, "");
        let (site, key) = match arguments.split_once(',') {
            Some((site, key)) => (site, format!(",{key}")),
            None => (arguments.as_str(), String::new()),
        };
        let arguments = format!("{site},{kept}{key}");
        self.around(right.span(), "j", &arguments, |this| this.visit_expression(right));
    }

    fn assign_pattern(
        &mut self,
        assignment: &AssignmentExpression<'a>,
        pattern: &AssignmentTargetPattern<'a>,
    ) {
        let mut names = Targets(Vec::new());
        names.visit_assignment_target_pattern(pattern);
        let references: Vec<_> =
            names.0.into_iter().filter_map(|name| self.variable(name, Mode::Write)).collect();
        let open = format!("{}.v(", self.pieces.object);
        references.iter().for_each(|_| self.insert(assignment.span.start, &open));
        self.visit_assignment_target_pattern(pattern);
        let target = match pattern {
            AssignmentTargetPattern::ObjectAssignmentTarget(pattern) => {
                let names = pattern.properties.iter().map(|property| match property {
                    AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                        Some(property.binding.name.to_string())
                    }
                    AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                        property.name.static_name().map(|name| name.to_string())
                    }
                });
                taken(names, pattern.rest.is_some())
            }
            AssignmentTargetPattern::ArrayAssignmentTarget(_) => Target::Whole,
        };
        self.taken_apart(&assignment.right, target);
        for written in references {
            self.insert(assignment.span.end, &format!(",{written})"));
        }
    }

    /// A value that a pattern takes something out of.
    fn taken_apart(&mut self, value: &Expression<'a>, target: Target) {
        if !is_telling(value) {
            self.visit_expression(value);
            return;
        }
        let span = value.span();
        let site = self.site(span.start, target, Mode::Read, "");
        self.around(span, "i", &site.to_string(), |this| this.visit_expression(value));
    }

    pub(super) fn declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        self.visit_binding_pattern(&declarator.id);
        let Some(init) = &declarator.init else { return };
        let names = declarator.id.get_binding_identifiers();
        let late = names.into_iter().filter(|name| self.scopes.is_late(name.symbol_id()));
        let late: Vec<_> = late
            .filter_map(|name| {
                let offset = name.span.start;
                let home = self.scopes.home(name.symbol_id(), offset)?;
                Some((home, offset, name.name.as_str()))
            })
            .collect();
        let late: Vec<_> = match is_anonymous(init) {
            true => Vec::new(),
            false => late
                .into_iter()
                .map(|(home, offset, name)| self.access(home, offset, name, Mode::Write))
                .collect(),
        };
        let span = init.span();
        let open = format!("{}.v(", self.pieces.object);
        late.iter().for_each(|_| self.insert(span.start, &open));
        match &declarator.id {
            BindingPattern::ObjectPattern(pattern) => {
                let names = pattern.properties.iter();
                let names = names.map(|one| one.key.static_name().map(|name| name.to_string()));
                let target = taken(names, pattern.rest.is_some());
                self.taken_apart(init, target);
            }
            BindingPattern::ArrayPattern(_) => self.taken_apart(init, Target::Whole),
            _ => self.visit_expression(init),
        }
        for written in late {
            self.insert(span.end, &format!(",{written})"));
        }
    }

    /// Code for the start of a function that tells what its parameters take out of objects.
    pub(super) fn parameter_patterns(&mut self, parameters: &FormalParameters<'a>) -> String {
        let mut code = String::new();
        for (index, parameter) in parameters.items.iter().enumerate() {
            let target = match &parameter.pattern {
                BindingPattern::ObjectPattern(pattern) => {
                    let names = pattern.properties.iter();
                    let names = names.map(|one| one.key.static_name().map(|name| name.to_string()));
                    taken(names, pattern.rest.is_some())
                }
                BindingPattern::ArrayPattern(_) => Target::Whole,
                _ => continue,
            };
            let site = self.site(parameter.span.start, target, Mode::Read, "");
            code += &format!("{}.i(arguments[{index}],{site});", self.pieces.object);
        }
        code
    }

    pub(super) fn update(&mut self, update: &UpdateExpression<'a>) {
        match place(&update.argument) {
            Some(Place::Variable(reference)) => {
                if let Some(arguments) = self.variable(reference, Mode::Update) {
                    self.around(update.span, "v", &arguments, |_| {});
                }
            }
            Some(Place::Member(member)) => self.member(member, Mode::Update),
            None => {}
        }
    }

    pub(super) fn unary(&mut self, unary: &UnaryExpression<'a>) {
        match (unary.operator, &unary.argument) {
            (UnaryOperator::Delete, Expression::Identifier(_) | Expression::ChainExpression(_)) => {
            }
            (UnaryOperator::Delete, argument) => match argument.as_member_expression() {
                Some(member) => self.member(member, Mode::Delete),
                None => walk::walk_unary_expression(self, unary),
            },
            (UnaryOperator::Typeof, Expression::Identifier(reference)) => {
                // Of a name that nobody declared it gives an answer, and a call would throw.
                if self.symbol(reference).is_some() {
                    self.read_variable(reference);
                } else if let Some(arguments) = self.variable(reference, Mode::Read) {
                    let object = &self.pieces.object;
                    let open = format!("{object}.b({object}.v(0,{arguments}),");
                    self.insert(unary.span.start, &open);
                    self.insert(unary.span.end, ")");
                }
            }
            _ => walk::walk_unary_expression(self, unary),
        }
    }
}

/// The names that a pattern assigns to.
struct Targets<'b, 'a>(Vec<&'b IdentifierReference<'a>>);

impl<'b, 'a> Targets<'b, 'a> {
    fn visit_assignment_target_pattern(&mut self, pattern: &'b AssignmentTargetPattern<'a>) {
        match pattern {
            AssignmentTargetPattern::ArrayAssignmentTarget(pattern) => {
                for element in pattern.elements.iter().flatten() {
                    self.maybe_default(element);
                }
                if let Some(rest) = &pattern.rest {
                    self.target(&rest.target);
                }
            }
            AssignmentTargetPattern::ObjectAssignmentTarget(pattern) => {
                for property in &pattern.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                            self.0.push(&property.binding);
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                            self.maybe_default(&property.binding);
                        }
                    }
                }
                if let Some(rest) = &pattern.rest {
                    self.target(&rest.target);
                }
            }
        }
    }

    fn maybe_default(&mut self, target: &'b AssignmentTargetMaybeDefault<'a>) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) => {
                self.target(&target.binding);
            }
            target => {
                if let Some(target) = target.as_assignment_target() {
                    self.target(target);
                }
            }
        }
    }

    fn target(&mut self, target: &'b AssignmentTarget<'a>) {
        if let Some(pattern) = target.as_assignment_target_pattern() {
            self.visit_assignment_target_pattern(pattern);
        } else if let Some(Place::Variable(reference)) =
            target.as_simple_assignment_target().and_then(place)
        {
            self.0.push(reference);
        }
    }
}

/// What a pattern with these names takes; nothing stands for one that is computed.
fn taken(names: impl Iterator<Item = Option<String>>, rest: bool) -> Target {
    let names: Vec<Option<String>> = names.collect();
    let all = rest || names.iter().any(Option::is_none);
    Target::Pattern(names.into_iter().flatten().map(String::into_boxed_str).collect(), all)
}

/// Whether an assignment names the value.
fn is_anonymous(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::ParenthesizedExpression(inner) => is_anonymous(&inner.expression),
        Expression::TSAsExpression(inner) => is_anonymous(&inner.expression),
        Expression::TSSatisfiesExpression(inner) => is_anonymous(&inner.expression),
        Expression::TSNonNullExpression(inner) => is_anonymous(&inner.expression),
        Expression::ArrowFunctionExpression(_)
        | Expression::FunctionExpression(_)
        | Expression::ClassExpression(_) => true,
        _ => false,
    }
}
