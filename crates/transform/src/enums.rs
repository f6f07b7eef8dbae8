//! Enums, which become the object that TypeScript makes of them.

use crate::rewrite::{List, Rewriter};
use crate::text::next_token;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;
use std::collections::BTreeMap;

/// The value of a member that is known without running the program.
#[derive(Clone, Debug)]
pub(crate) enum Constant {
    Number(f64),
    String(String),
}

/// The members of all enums so far, by the enum's name. None: the value is computed.
pub(crate) type Enums = BTreeMap<String, BTreeMap<String, Option<Constant>>>;

impl<'a> Rewriter<'_> {
    /// `enum E { A }` becomes `var E;(function(E){E[E["A"]=0]="A";})(E||(E={}));`.
    pub(crate) fn enumeration(
        &mut self,
        declaration: &TSEnumDeclaration<'a>,
        list: &List<'_>,
        is_new: bool,
        exported: bool,
    ) {
        let name = declaration.id.name.as_str();
        let head = Span::new(declaration.span.start, declaration.body.span.start + 1);
        let head_text = list.open(name, is_new);
        self.replace_keeping_lines(head, head_text);
        self.enums.entry(name.to_owned()).or_default();
        let outer = self.members_of.replace(name.to_owned());
        let mut previous = Some(Constant::Number(-1.0));
        for member in &declaration.body.members {
            previous = self.enum_member(name, member, previous);
        }
        self.members_of = outer;
        let end = declaration.body.span.end;
        self.edits.replace(Span::new(end - 1, end), list.close(name, exported));
    }

    fn enum_member(
        &mut self,
        name: &str,
        member: &TSEnumMember<'a>,
        previous: Option<Constant>,
    ) -> Option<Constant> {
        let key = match &member.id {
            TSEnumMemberName::Identifier(id) => id.name.to_string(),
            TSEnumMemberName::String(literal) | TSEnumMemberName::ComputedString(literal) => {
                literal.value.to_string()
            }
            TSEnumMemberName::ComputedTemplateString(template) => {
                template.quasis.first().map_or(String::new(), |quasi| quasi.value.raw.to_string())
            }
        };
        let quoted = quote(&key);
        let value = match &member.initializer {
            Some(initializer) => self.constant(initializer),
            None => match previous {
                Some(Constant::Number(number)) => Some(Constant::Number(number + 1.0)),
                _ => None,
            },
        };
        let start = match &value {
            Some(Constant::String(_)) => format!("{name}[{quoted}]="),
            _ => format!("{name}[{name}[{quoted}]="),
        };
        let init = member.initializer.as_ref().map(GetSpan::span);
        let before_value = init.map_or(member.span.end, |span| span.start);
        self.replace_keeping_lines(Span::new(member.span.start, before_value), start);
        match (&value, &member.initializer) {
            (Some(constant), Some(initializer)) => {
                self.replace_keeping_lines(initializer.span(), constant.text());
            }
            (None, Some(initializer)) => self.visit_expression(initializer),
            (Some(constant), None) => self.edits.insert(member.span.end, constant.text()),
            (None, None) => self.edits.insert(member.span.end, "void 0"),
        }
        let end = match &value {
            Some(Constant::String(_)) => ";".to_owned(),
            _ => format!("]={quoted};"),
        };
        self.edits.insert(member.span.end, end);
        if let Some(comma) = next_token(self.text, member.span.end, ',') {
            self.blank(Span::sized(comma, 1));
        }
        if let Some(members) = self.enums.get_mut(name) {
            members.insert(key, value.clone());
        }
        value
    }

    /// In a computed initializer, a member's name means the member.
    pub(crate) fn enum_reference(&mut self, reference: &IdentifierReference<'a>) {
        if let Some(name) = &self.members_of
            && self.enums.get(name).is_some_and(|all| all.contains_key(reference.name.as_str()))
        {
            let text = format!("{name}.");
            self.edits.insert(reference.span.start, text);
        }
    }

    fn constant(&self, expression: &Expression<'_>) -> Option<Constant> {
        use Constant::{Number, String};
        let member = |object: &str, name: &str| self.enums.get(object)?.get(name)?.clone();
        match expression {
            Expression::NumericLiteral(literal) => Some(Number(literal.value)),
            Expression::StringLiteral(literal) if !literal.lone_surrogates => {
                Some(String(literal.value.to_string()))
            }
            Expression::TemplateLiteral(template) => {
                let mut text = std::string::String::new();
                for (index, quasi) in template.quasis.iter().enumerate() {
                    text += quasi.value.cooked.as_ref()?.as_str();
                    if let Some(expression) = template.expressions.get(index) {
                        text += &self.constant(expression)?.to_text();
                    }
                }
                Some(String(text))
            }
            Expression::ParenthesizedExpression(inner) => self.constant(&inner.expression),
            Expression::TSAsExpression(inner) => self.constant(&inner.expression),
            Expression::TSSatisfiesExpression(inner) => self.constant(&inner.expression),
            Expression::TSNonNullExpression(inner) => self.constant(&inner.expression),
            Expression::TSTypeAssertion(inner) => self.constant(&inner.expression),
            Expression::Identifier(id) => match (&self.members_of, id.name.as_str()) {
                (Some(own), name) if self.enums.get(own)?.contains_key(name) => member(own, name),
                (_, "NaN") => Some(Number(f64::NAN)),
                (_, "Infinity") => Some(Number(f64::INFINITY)),
                _ => None,
            },
            Expression::StaticMemberExpression(access) => match &access.object {
                Expression::Identifier(id) => member(&id.name, &access.property.name),
                _ => None,
            },
            Expression::ComputedMemberExpression(access) => {
                match (&access.object, &access.expression) {
                    (Expression::Identifier(id), Expression::StringLiteral(literal)) => {
                        member(&id.name, &literal.value)
                    }
                    _ => None,
                }
            }
            Expression::UnaryExpression(unary) => {
                let Number(value) = self.constant(&unary.argument)? else { return None };
                match unary.operator {
                    UnaryOperator::UnaryPlus => Some(Number(value)),
                    UnaryOperator::UnaryNegation => Some(Number(-value)),
                    UnaryOperator::BitwiseNot => Some(Number(f64::from(!to_int32(value)))),
                    _ => None,
                }
            }
            Expression::BinaryExpression(binary) => {
                let (left, right) = (self.constant(&binary.left)?, self.constant(&binary.right)?);
                match (left, right) {
                    (Number(left), Number(right)) => {
                        arithmetic(binary.operator, left, right).map(Number)
                    }
                    (left, right) if binary.operator == BinaryOperator::Addition => {
                        Some(String(left.to_text() + &right.to_text()))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl Constant {
    /// The value as an expression.
    fn text(&self) -> String {
        match self {
            Self::Number(number) => number_text(*number),
            Self::String(text) => quote(text),
        }
    }

    /// The value as part of a string.
    fn to_text(&self) -> String {
        match self {
            Self::Number(number) => number_text(*number + 0.0),
            Self::String(text) => text.clone(),
        }
    }
}

fn arithmetic(operator: BinaryOperator, left: f64, right: f64) -> Option<f64> {
    let (a, b) = (to_int32(left), to_int32(right));
    let shift = b.cast_unsigned() & 31;
    Some(match operator {
        BinaryOperator::Addition => left + right,
        BinaryOperator::Subtraction => left - right,
        BinaryOperator::Multiplication => left * right,
        BinaryOperator::Division => left / right,
        BinaryOperator::Remainder => left % right,
        BinaryOperator::Exponential => left.powf(right),
        BinaryOperator::BitwiseOR => f64::from(a | b),
        BinaryOperator::BitwiseAnd => f64::from(a & b),
        BinaryOperator::BitwiseXOR => f64::from(a ^ b),
        BinaryOperator::ShiftLeft => f64::from(a << shift),
        BinaryOperator::ShiftRight => f64::from(a >> shift),
        BinaryOperator::ShiftRightZeroFill => f64::from(a.cast_unsigned() >> shift),
        _ => return None,
    })
}

/// ECMA-262's ToInt32.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it takes the lowest 32 bits"
)]
fn to_int32(number: f64) -> i32 {
    if !number.is_finite() {
        return 0;
    }
    (number.trunc().rem_euclid(4_294_967_296.0) as u32).cast_signed()
}

fn number_text(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        number.to_string()
    }
}

/// A text as a string literal.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted += "\\n",
            '\r' => quoted += "\\r",
            '\u{2028}' => quoted += "\\u2028",
            '\u{2029}' => quoted += "\\u2029",
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}
