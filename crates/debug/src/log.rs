//! Messages of log points: text with expressions in braces.

/// The text of a message, with the values of what stands in braces. Braces within an expression count,
/// also in texts of it; one that is not closed is text.
pub(crate) fn text(message: &str, mut value: impl FnMut(&str) -> String) -> String {
    let mut text = String::new();
    let mut rest = message;
    while let Some(open) = rest.find('{') {
        text.push_str(&rest[..open]);
        let after = &rest[open + 1..];
        match closing(after) {
            Some(close) => {
                let expression = after[..close].trim();
                if !expression.is_empty() {
                    text.push_str(&value(expression));
                }
                rest = &after[close + 1..];
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text + rest
}

/// Where the brace is that closes one before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, char) in text.char_indices() {
        match (quote, char) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), char) if char == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(char),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return Some(at),
            (None, '}') => depth -= 1,
            (None, _) => {}
        }
    }
    None
}

/// A value as `console.log` would print it: texts without quotes.
pub(crate) fn plain(value: &str, kind: &str) -> String {
    if kind != "string" {
        return value.to_owned();
    }
    let inner = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    match ['\'', '"', '`'].into_iter().find_map(inner) {
        Some(text) => text.replace("\\n", "\n").replace("\\'", "'"),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_braces_is_evaluated() {
        let written = |message: &str| text(message, |expression| format!("<{expression}>"));
        assert_eq!(written("a {b} c"), "a <b> c");
        assert_eq!(written("{ x }{y}"), "<x><y>");
        assert_eq!(written("{({ a: 1 }).a}"), "<({ a: 1 }).a>");
        assert_eq!(written("{'}'} {`\\`}`}"), "<'}'> <`\\`}`>");
        assert_eq!(written("no {end"), "no {end");
        assert_eq!(written("{} ü"), " ü");
    }

    #[test]
    fn texts_have_no_quotes() {
        assert_eq!(plain("'it\\'s'", "string"), "it's");
        assert_eq!(plain("[ 'a' ]", "object"), "[ 'a' ]");
    }
}
