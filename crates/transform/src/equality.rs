//! `==` and `!=` of what may be two long strings, which the engine does not compare rightly.

use crate::rewrite::Rewriter;
use crate::text::skip_trivia;
use oxc_ast::ast::*;
use oxc_span::GetSpan;

/// The engine keeps a longer text that was joined with `+` in pieces, and takes it for another one than
/// the same text in one piece.
const LONG: usize = 512;

impl<'a> Rewriter<'_> {
    /// Whether the runtime has to compare the operands.
    pub(crate) fn compares_strings(&self, expression: &BinaryExpression<'_>) -> bool {
        let is_loose =
            matches!(expression.operator, BinaryOperator::Equality | BinaryOperator::Inequality);
        is_loose && may_be_long(&expression.left) && may_be_long(&expression.right)
    }

    /// `a == b` becomes `$h.q(a ,$h, b,$h)`.
    pub(crate) fn compared(&mut self, expression: &BinaryExpression<'a>) {
        self.uses_context = true;
        let operator = skip_trivia(self.text, expression.left.span().end);
        let operator = Span::sized(operator, expression.operator.as_str().len() as u32);
        let is_equality = expression.operator == BinaryOperator::Equality;
        self.edits.insert(expression.span.start, self.names.compare_start(is_equality));
        self.untaken(&expression.left);
        self.edits.replace(operator, self.names.compare_between(is_equality));
        self.untaken(&expression.right);
        self.edits.insert(expression.span.end, self.names.compare_end());
    }
}

/// Whether the value of an expression may be a text that the engine keeps in pieces, as far as its syntax tells.
fn may_be_long(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::StringLiteral(text) => text.value.len() > LONG,
        Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BigIntLiteral(_)
        | Expression::RegExpLiteral(_)
        | Expression::UpdateExpression(_)
        | Expression::UnaryExpression(_) => false,
        Expression::Identifier(name) => name.name != "undefined",
        Expression::BinaryExpression(binary) => binary.operator == BinaryOperator::Addition,
        Expression::StaticMemberExpression(member) => member.property.name != "length",
        Expression::ParenthesizedExpression(inner) => may_be_long(&inner.expression),
        _ => true,
    }
}

/// Whether a text may have such a comparison, found without parsing.
pub(crate) fn may_compare(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut places = text.match_indices('=');
    places.any(|(at, _)| {
        // The last letter of an operator of two letters.
        let is_loose = at > 1
            && matches!(bytes[at - 1], b'=' | b'!')
            && !matches!(bytes[at - 2], b'=' | b'!')
            && bytes.get(at + 1) != Some(&b'=');
        is_loose && !begins_short(text[at + 1..].trim_start())
    })
}

/// Whether a text begins with an operand that is certainly no long string.
fn begins_short(text: &str) -> bool {
    const WORDS: [&str; 6] = ["null", "undefined", "true", "false", "typeof", "void"];
    let is_word = |word: &str| {
        text.strip_prefix(word).is_some_and(|rest| {
            !rest.starts_with(|letter: char| letter.is_alphanumeric() || "_$.([".contains(letter))
        })
    };
    match text.as_bytes().first() {
        Some(quote @ (b'"' | b'\'')) => {
            text.bytes().skip(1).take(LONG).any(|letter| letter == *quote)
        }
        Some(b'0'..=b'9' | b'-' | b'!' | b'~') => true,
        _ => WORDS.iter().any(|word| is_word(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::may_compare;

    #[test]
    fn texts_without_comparisons_of_strings_are_not_parsed() {
        for text in [
            "a === b",
            "a !== b",
            "a == null",
            "a!=undefined",
            "x <= y; z >= 1",
            "a == ''",
            "a == -1",
        ] {
            assert!(!may_compare(text), "{text}");
        }
        for text in ["a == b", "a!=b", "a ==\nb", "a == nullable", "a == undefined.b", "(a) == (b)"]
        {
            assert!(may_compare(text), "{text}");
        }
    }
}
