//! Elements, which become calls.

use super::Lower;
use crate::Goal;
use crate::dialect::{Jsx, Runtime};
use crate::positions::places;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;
use oxc_syntax::xml_entities::XML_ENTITIES;

/// What a text needs of the runtime of elements.
#[derive(Default)]
pub(super) struct Helpers {
    /// `jsx`, `jsxs`, `jsxDEV`, `Fragment`
    runtime: bool,
    /// `createElement`, for a key after a spread.
    create: bool,
}

/// What becomes of the elements of a text: what its project says, unless a comment in it says otherwise.
pub(super) fn options(jsx: Option<&Jsx>, program: &Program<'_>, text: &str) -> Option<Jsx> {
    let mut jsx = jsx?.clone();
    for comment in program.comments.iter().filter(|comment| comment.is_block()) {
        let comment = &text[comment.span.start as usize..comment.span.end as usize];
        let words: Vec<&str> = comment.split_whitespace().collect();
        for pair in words.windows(2) {
            let value = pair[1].trim_end_matches("*/");
            match pair[0].trim_start_matches(['/', '*']) {
                "@jsx" => {
                    jsx.factory = value.to_owned();
                    jsx.runtime = Runtime::Classic;
                }
                "@jsxFrag" => jsx.fragment = value.to_owned(),
                "@jsxImportSource" => {
                    jsx.import_source = value.to_owned();
                    if jsx.runtime == Runtime::Classic {
                        jsx.runtime = Runtime::Automatic;
                    }
                }
                "@jsxRuntime" if value == "classic" => jsx.runtime = Runtime::Classic,
                "@jsxRuntime" if value == "automatic" => jsx.runtime = Runtime::Automatic,
                _ => {}
            }
        }
    }
    Some(jsx)
}

/// How an element's call is written.
struct Call {
    /// The properties are an argument of their own, or hold the children, too.
    children_apart: bool,
    /// After the last argument.
    end: String,
}

impl<'a> Lower<'_> {
    /// What imports the runtime of elements.
    pub(super) fn runtime_of_elements(&self) -> String {
        let Some(jsx) = &self.jsx else { return String::new() };
        let (context, source) = (&self.context, &jsx.import_source);
        let file = match jsx.runtime {
            Runtime::Classic | Runtime::Automatic => "jsx-runtime",
            Runtime::Development => "jsx-dev-runtime",
        };
        let bring = |name: &str, from: String| match self.goal {
            Goal::Module => format!("import*as {context}{name} from\"{from}\";"),
            Goal::CommonJs | Goal::Detect | Goal::DetectText => {
                format!("const {context}{name}=require(\"{from}\");")
            }
        };
        let mut code = String::new();
        if self.helpers.runtime {
            code += &bring("_r", format!("{source}/{file}"));
        }
        if self.helpers.create {
            code += &bring("_c", source.clone());
        }
        code
    }

    pub(super) fn element(&mut self, element: &JSXElement<'a>) {
        let opening = &element.opening_element;
        let children = meaningful(&element.children);
        let key = opening.attributes.iter().position(|item| is_named(item, "key"));
        let spread = opening
            .attributes
            .iter()
            .position(|item| matches!(item, JSXAttributeItem::SpreadAttribute(_)));
        let key_after_spread = key.is_some_and(|key| spread.is_some_and(|spread| spread < key));
        let Some(jsx) = self.jsx.clone() else { return };
        let is_list = children.len() > 1 || matches!(children.first(), Some(JSXChild::Spread(_)));
        let is_classic = jsx.runtime == Runtime::Classic || key_after_spread;
        let callee = match jsx.runtime {
            Runtime::Classic => jsx.factory,
            _ if key_after_spread => {
                self.helpers.create = true;
                format!("{}_c.createElement", self.context)
            }
            runtime => self.function(runtime, is_list),
        };
        let key = key.filter(|_| !is_classic);
        let end = match (is_classic, key) {
            (true, _) => ")".to_owned(),
            (false, key) => {
                let key = key.and_then(|key| self.key(&opening.attributes[key]));
                self.end(element.span, key, is_list)
            }
        };
        let call = Call { children_apart: is_classic, end };
        let name = opening.name.span();
        self.replace(Span::new(element.span.start, name.start), format!("{callee}("));
        self.element_name(&opening.name);
        if let Some(types) = &opening.type_arguments {
            self.blank(types.span);
        }
        let after_name = opening.type_arguments.as_ref().map_or(name.end, |types| types.span.end);
        let has_object = !opening.attributes.is_empty() || !is_classic;
        self.edits.insert(after_name, if has_object { ",{" } else { ",null" });
        for (index, item) in opening.attributes.iter().enumerate() {
            if Some(index) == key {
                self.blank(item.span());
            } else {
                self.attribute(item);
            }
        }
        let after_attributes = if has_object && is_classic { "}" } else { "" };
        let closing = element.closing_element.as_ref().map(|closing| closing.span);
        let open_end = opening.span.end;
        match closing {
            Some(closing) => {
                self.replace(Span::sized(open_end - 1, 1), after_attributes);
                self.children(&element.children, &children, &call, is_list);
                self.replace(closing, call.end);
            }
            None => {
                let slash = self.last_slash(opening.span);
                let end = if is_classic { format!("{after_attributes})") } else { call.end };
                self.replace(Span::new(slash, open_end), end);
            }
        }
    }

    pub(super) fn fragment(&mut self, fragment: &JSXFragment<'a>) {
        let Some(jsx) = self.jsx.clone() else { return };
        let children = meaningful(&fragment.children);
        let is_list = children.len() > 1 || matches!(children.first(), Some(JSXChild::Spread(_)));
        let (start, call) = match jsx.runtime {
            Runtime::Classic => (
                format!("{}({},null", jsx.factory, jsx.fragment),
                Call { children_apart: true, end: ")".to_owned() },
            ),
            runtime => {
                let callee = self.function(runtime, is_list);
                let end = self.end(fragment.span, None, is_list);
                let start = format!("{callee}({}_r.Fragment,{{", self.context);
                (start, Call { children_apart: false, end })
            }
        };
        self.replace(fragment.opening_fragment.span, start);
        self.children(&fragment.children, &children, &call, is_list);
        self.replace(fragment.closing_fragment.span, call.end);
    }

    fn function(&mut self, runtime: Runtime, is_list: bool) -> String {
        self.helpers.runtime = true;
        let name = match runtime {
            Runtime::Development => "jsxDEV",
            Runtime::Classic | Runtime::Automatic if is_list => "jsxs",
            Runtime::Classic | Runtime::Automatic => "jsx",
        };
        format!("{}_r.{name}", self.context)
    }

    /// What follows the properties of an element, of a runtime that is imported.
    fn end(&self, span: Span, key: Option<String>, is_list: bool) -> String {
        match (&self.jsx, key) {
            (Some(Jsx { runtime: Runtime::Development, .. }), key) => {
                let key = key.unwrap_or_else(|| "void 0".to_owned());
                let (line, column) = places(self.text, &[span.start])[0];
                format!("}},{key},{is_list},{{lineNumber:{line},columnNumber:{column}}},this)")
            }
            (_, Some(key)) => format!("}},{key})"),
            (_, None) => "})".to_owned(),
        }
    }

    /// The slash that ends an element without children.
    fn last_slash(&self, opening: Span) -> u32 {
        let before = &self.text[opening.start as usize..opening.end as usize];
        opening.start + crate::text::offset_of(before.rfind('/').unwrap_or(before.len() - 1))
    }

    fn element_name(&mut self, name: &JSXElementName<'a>) {
        match name {
            JSXElementName::Identifier(_) | JSXElementName::NamespacedName(_) => {
                let quoted = quote(&self.text_of(name.span()).replace(char::is_whitespace, ""));
                self.replace(name.span(), quoted);
            }
            JSXElementName::IdentifierReference(_)
            | JSXElementName::MemberExpression(_)
            | JSXElementName::ThisExpression(_) => {}
        }
    }

    /// The value of the key, for its own place.
    fn key(&mut self, item: &JSXAttributeItem<'a>) -> Option<String> {
        let JSXAttributeItem::Attribute(attribute) = item else { return None };
        Some(match &attribute.value {
            None => "true".to_owned(),
            Some(JSXAttributeValue::StringLiteral(literal)) => self.string(literal.span),
            Some(JSXAttributeValue::ExpressionContainer(container)) => {
                if let Some(expression) = container.expression.as_expression() {
                    self.check_moved(expression);
                }
                format!("({})", self.moved(container.expression.span()))
            }
            Some(value @ (JSXAttributeValue::Element(_) | JSXAttributeValue::Fragment(_))) => {
                self.refuse(value.span(), "An element is no key");
                return None;
            }
        })
    }

    fn attribute(&mut self, item: &JSXAttributeItem<'a>) {
        let attribute = match item {
            JSXAttributeItem::SpreadAttribute(spread) => {
                self.spread(spread.span, &spread.argument, "...(");
                self.edits.insert(spread.span.end, ",");
                return;
            }
            JSXAttributeItem::Attribute(attribute) => attribute,
        };
        let name = attribute.name.span();
        let text = self.text_of(name).replace(char::is_whitespace, "");
        self.replace(name, quote(&text));
        let Some(value) = &attribute.value else {
            self.edits.insert(name.end, ":true,");
            return;
        };
        self.replace(Span::new(name.end, value.span().start), ":");
        match value {
            JSXAttributeValue::StringLiteral(literal) => {
                let text = self.string(literal.span);
                self.replace(literal.span, text);
            }
            JSXAttributeValue::ExpressionContainer(container) => {
                self.container(container, "(", ")");
            }
            JSXAttributeValue::Element(element) => self.element(element),
            JSXAttributeValue::Fragment(fragment) => self.fragment(fragment),
        }
        self.edits.insert(attribute.span.end, ",");
    }

    fn spread(&mut self, span: Span, argument: &Expression<'a>, start: &str) {
        let inner = argument.span();
        self.replace(Span::new(span.start, inner.start), start);
        self.visit_expression(argument);
        self.replace(Span::new(inner.end, span.end), ")");
    }

    /// An expression in braces. There may be comments around it.
    fn container(&mut self, container: &JSXExpressionContainer<'a>, start: &str, end: &str) {
        let span = container.span;
        self.replace(Span::sized(span.start, 1), start);
        if let Some(expression) = container.expression.as_expression() {
            self.visit_expression(expression);
        }
        self.replace(Span::new(span.end - 1, span.end), end);
    }

    fn children(
        &mut self,
        all: &[JSXChild<'a>],
        kept: &[&JSXChild<'a>],
        call: &Call,
        is_list: bool,
    ) {
        let mut before = match (call.children_apart, is_list) {
            (true, _) => ",",
            (false, true) => "children:[",
            (false, false) => "children:",
        };
        let last = kept.len().checked_sub(1);
        let mut number = 0;
        for child in all {
            if !is_meaningful(child) {
                match child {
                    JSXChild::ExpressionContainer(container) => self.container(container, "", ""),
                    _ => self.blank(child.span()),
                }
                continue;
            }
            match child {
                JSXChild::Text(text) => {
                    let value = text_of_child(self.text_of(text.span)).unwrap_or_default();
                    self.replace(text.span, format!("{before}{}", quote(&value)));
                }
                JSXChild::Element(element) => {
                    self.edits.insert(element.span.start, before);
                    self.element(element);
                }
                JSXChild::Fragment(fragment) => {
                    self.edits.insert(fragment.span.start, before);
                    self.fragment(fragment);
                }
                JSXChild::ExpressionContainer(container) => {
                    self.container(container, &format!("{before}("), ")");
                }
                JSXChild::Spread(spread) => {
                    self.spread(spread.span, &spread.expression, &format!("{before}...("));
                }
            }
            before = ",";
            if Some(number) == last && is_list && !call.children_apart {
                self.edits.insert(child.span().end, "]");
            }
            number += 1;
        }
    }

    /// The value of a string in an element, which knows entities and no escapes.
    fn string(&self, span: Span) -> String {
        let inner = &self.text[span.start as usize + 1..span.end as usize - 1];
        quote(&decoded(inner))
    }
}

/// Whether an attribute has a name.
fn is_named(item: &JSXAttributeItem<'_>, name: &str) -> bool {
    match item {
        JSXAttributeItem::Attribute(attribute) => match &attribute.name {
            JSXAttributeName::Identifier(id) => id.name == name,
            JSXAttributeName::NamespacedName(_) => false,
        },
        JSXAttributeItem::SpreadAttribute(_) => false,
    }
}

fn meaningful<'b, 'a>(children: &'b [JSXChild<'a>]) -> Vec<&'b JSXChild<'a>> {
    children.iter().filter(|child| is_meaningful(child)).collect()
}

/// Whether a child is one: not a comment, and not blanks that only lay out the text.
fn is_meaningful(child: &JSXChild<'_>) -> bool {
    match child {
        JSXChild::Text(text) => {
            text_of_child(text.raw.as_ref().map_or(text.value.as_str(), |raw| raw.as_str()))
                .is_some()
        }
        JSXChild::ExpressionContainer(container) => {
            !matches!(container.expression, JSXExpression::EmptyExpression(_))
        }
        JSXChild::Element(_) | JSXChild::Fragment(_) | JSXChild::Spread(_) => true,
    }
}

/// The value of text between tags. Of several lines, blanks at the ends of each and empty lines are gone,
/// and a space joins the rest; nothing if nothing is left.
fn text_of_child(raw: &str) -> Option<String> {
    let lines: Vec<&str> = raw.split(['\n', '\r', '\u{2028}', '\u{2029}']).collect();
    let is_blank = |char: char| char.is_whitespace() && char != '\u{a0}';
    let last = lines.len() - 1;
    let mut kept = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let line = if number > 0 { line.trim_start_matches(is_blank) } else { line };
        let line = if number < last { line.trim_end_matches(is_blank) } else { line };
        if !line.is_empty() {
            kept.push(decoded(line));
        }
    }
    (!kept.is_empty()).then(|| kept.join(" "))
}

/// A text with its entities as characters.
fn decoded(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest[1..].find(';').and_then(|end| Some((entity(&rest[1..=end])?, end + 2)));
        let (char, length) = entity.unwrap_or(('&', 1));
        decoded.push(char);
        rest = &rest[length..];
    }
    decoded + rest
}

fn entity(name: &str) -> Option<char> {
    let number = |digits: &str, radix| {
        let number = u32::from_str_radix(digits, radix).ok()?;
        char::from_u32(number)
    };
    match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(digits) => number(digits, 16),
            None => number(digits, 10),
        },
        None => XML_ENTITIES.get(name).copied(),
    }
}

/// A string as it is written in a program, on one line.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\u{2028}' => quoted.push_str("\\u2028"),
            '\u{2029}' => quoted.push_str("\\u2029"),
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}
