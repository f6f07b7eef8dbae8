//! Optional chains. A chain ends as a whole where it meets nothing, so its parts cannot be arguments of
//! calls: before each `?.` it is cut, and what follows becomes one branch of a condition.
//!
//! `a.b?.c.d` becomes `$a.o(($a.T=$a.p(a,1).b)==null?void 0:$a.p($a.p($a.T,2).c,3).d)`. What follows
//! `?.(` is left as it is until the next cut: the call needs the object that its function came from.

use super::Mode;
use super::members::{Key, is_telling};
use super::walk::Walker;
use crate::text::skip_trivia;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

/// One link of a chain.
#[derive(Clone, Copy)]
enum Link<'b, 'a> {
    Member(&'b MemberExpression<'a>),
    Call(&'b CallExpression<'a>),
}

impl Link<'_, '_> {
    fn is_optional(self) -> bool {
        match self {
            Link::Member(member) => member.optional(),
            Link::Call(call) => call.optional,
        }
    }
}

impl<'a> Walker<'_> {
    pub(super) fn chain(&mut self, chain: &ChainExpression<'a>) {
        let Some((base, links)) = links(&chain.expression) else {
            // A chain with types in it.
            return;
        };
        let is_cut =
            |link: &Link<'_, '_>| matches!(link, Link::Member(member) if member.optional());
        let cuts = links.iter().filter(|link| is_cut(link)).count();
        let object = self.pieces.object.clone();
        for _ in 0..cuts {
            self.insert(chain.span.start, &format!("{object}.o(({object}.T="));
        }
        // Where the calls around the parts of a segment begin, and whether its members are told of.
        let segments = segments(&links, is_cut);
        for (number, range) in segments.iter().enumerate() {
            let segment = &links[range.clone()];
            let told = Told::of(segment);
            let mut properties: Vec<Option<(Key<'_, 'a>, &'static str, String)>> = Vec::new();
            for (index, link) in segment.iter().enumerate() {
                let told = told.contains(index) && (number > 0 || index > 0 || is_telling(base));
                properties.push(match link {
                    Link::Member(member) if told => {
                        let next = segment.get(index + 1);
                        let (mode, argument) = match next {
                            Some(Link::Call(call)) if !call.optional => {
                                let first = call.arguments.first();
                                let first = first.and_then(Argument::as_expression);
                                (Mode::Call, first.and_then(|first| self.repeatable(first)))
                            }
                            _ => (Mode::Read, None),
                        };
                        let key = self.key(member);
                        let argument = argument.unwrap_or_default();
                        let (name, arguments) = self.property(member, &key, mode, &argument);
                        Some((key, name, arguments))
                    }
                    _ => None,
                });
            }
            let opens = properties.iter().rev().flatten();
            let opens: String = opens.map(|(_, name, _)| format!("{object}.{name}(")).collect();
            if number == 0 {
                if !opens.is_empty() {
                    self.insert(chain.span.start, &opens);
                }
                self.visit_expression(base);
            }
            for (index, link) in segment.iter().enumerate() {
                let before = match link {
                    Link::Member(member) => member.object().span().end,
                    Link::Call(call) => call.callee.span().end,
                };
                let close =
                    properties[index].as_ref().map(|(.., arguments)| format!(",{arguments})"));
                if number > 0 && index == 0 {
                    let at = skip_trivia(self.text, before);
                    let close = close.unwrap_or_default();
                    let is_computed =
                        matches!(link, Link::Member(MemberExpression::ComputedMemberExpression(_)));
                    let dot = if is_computed { "" } else { "." };
                    let code = format!(")==null?void 0:{opens}{object}.T{close}{dot}");
                    self.replace(Span::sized(at, "?.".len() as u32), &code);
                } else if let Some(close) = close {
                    self.insert(before, &close);
                }
                match (link, &properties[index]) {
                    (Link::Member(member), Some((key, _, arguments))) => {
                        self.visit_key(member, key, arguments);
                    }
                    (Link::Member(MemberExpression::ComputedMemberExpression(member)), None) => {
                        self.visit_expression(&member.expression);
                    }
                    (Link::Member(_), None) => {}
                    (Link::Call(call), _) => {
                        call.arguments.iter().for_each(|argument| self.visit_argument(argument));
                    }
                }
            }
            if number > 0 {
                // The cut that this segment follows is done where the segment ends.
                let end = segment.last().map_or(chain.span.end, |link| match link {
                    Link::Member(member) => member.span().end,
                    Link::Call(call) => call.span.end,
                });
                self.insert(end, ")");
            }
        }
    }
}

/// Which members of a segment are told of: those before an optional call.
struct Told(usize);

impl Told {
    fn of(segment: &[Link<'_, '_>]) -> Self {
        let call =
            segment.iter().position(|link| matches!(link, Link::Call(_)) && link.is_optional());
        Self(call.unwrap_or(segment.len()))
    }

    fn contains(&self, index: usize) -> bool {
        index < self.0
    }
}

/// The ranges between the cuts; the first has what comes before all of them.
fn segments(
    links: &[Link<'_, '_>],
    is_cut: impl Fn(&Link<'_, '_>) -> bool,
) -> Vec<std::ops::Range<usize>> {
    let mut starts = vec![0];
    starts.extend((0..links.len()).filter(|&index| is_cut(&links[index])));
    let ends = starts.iter().skip(1).copied().chain([links.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// What a chain begins with, and its links from there on.
fn links<'b, 'a>(element: &'b ChainElement<'a>) -> Option<(&'b Expression<'a>, Vec<Link<'b, 'a>>)> {
    let mut links = Vec::new();
    let mut at = match element {
        ChainElement::CallExpression(call) => {
            links.push(Link::Call(call));
            &call.callee
        }
        ChainElement::TSNonNullExpression(_) => return None,
        element => {
            let member = element.as_member_expression()?;
            links.push(Link::Member(member));
            member.object()
        }
    };
    loop {
        match at {
            Expression::CallExpression(call) => {
                links.push(Link::Call(call));
                at = &call.callee;
            }
            Expression::TSNonNullExpression(_) => return None,
            _ => match at.as_member_expression() {
                Some(member) => {
                    links.push(Link::Member(member));
                    at = member.object();
                }
                None => break,
            },
        }
    }
    links.reverse();
    Some((at, links))
}
