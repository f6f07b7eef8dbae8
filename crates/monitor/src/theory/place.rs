//! Where in a JSON text a value stands.

use hemiola_trace::source::Span;

/// A step down into a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// The place of a value in a text that is known to be JSON. Where a step leads nowhere, the place of
/// what should have had it. Of a value that takes several lines it is only the beginning.
pub(super) fn locate(text: &str, path: &[Step<'_>]) -> Span {
    let bytes = text.as_bytes();
    let mut at = skip(bytes, 0);
    for step in path {
        match child(text, at, *step) {
            Some(child) => at = child,
            None => break,
        }
    }
    let end = value_end(bytes, at);
    match text[at..end].find('\n') {
        Some(_) => Span::new(at, at + 1),
        None => Span::new(at, end),
    }
}

/// Where a member or element of the value at a place begins.
fn child(text: &str, at: usize, step: Step<'_>) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_object = match (bytes.get(at)?, step) {
        (b'{', Step::Key(_)) => true,
        (b'[', Step::Index(_)) => false,
        _ => return None,
    };
    let mut at = skip(bytes, at + 1);
    let mut number = 0;
    while !matches!(bytes.get(at)?, b'}' | b']') {
        let mut found = matches!(step, Step::Index(index) if index == number);
        if is_object {
            let end = value_end(bytes, at);
            let name: String = serde_json::from_str(&text[at..end]).ok()?;
            found = matches!(step, Step::Key(key) if key == name);
            // Over the colon.
            at = skip(bytes, skip(bytes, end) + 1);
        }
        if found {
            return Some(at);
        }
        at = skip(bytes, value_end(bytes, at));
        if bytes.get(at) == Some(&b',') {
            at = skip(bytes, at + 1);
        }
        number += 1;
    }
    None
}

fn skip(bytes: &[u8], at: usize) -> usize {
    at + bytes[at.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Where the value that begins at a place ends.
fn value_end(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0_usize;
    let mut end = at;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'"' => {
                end += 1;
                while bytes.get(end).is_some_and(|byte| *byte != b'"') {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 0 => depth -= 1,
            b',' | b'}' | b']' | b':' if depth == 0 => return end,
            _ if depth == 0 && byte.is_ascii_whitespace() => return end,
            _ => {}
        }
        end += 1;
        if depth == 0 && matches!(byte, b'"' | b'}' | b']') {
            break;
        }
    }
    end.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_path() {
        let text = r#" {"a": [1, {"b\"c": "x, ]"}, -2.5e3], "d" : {"e":[]}, "f":true }"#;
        let at = |path: &[Step<'_>]| {
            let span = locate(text, path);
            &text[span.start as usize..span.end as usize]
        };
        use Step::{Index, Key};
        assert_eq!(at(&[Key("a"), Index(0)]), "1");
        assert_eq!(at(&[Key("a"), Index(1), Key("b\"c")]), r#""x, ]""#);
        assert_eq!(at(&[Key("a"), Index(2)]), "-2.5e3");
        assert_eq!(at(&[Key("d"), Key("e")]), "[]");
        assert_eq!(at(&[Key("f")]), "true");
        assert_eq!(at(&[Key("d"), Key("none")]), r#"{"e":[]}"#);
        assert_eq!(at(&[Key("a"), Index(7)]), r#"[1, {"b\"c": "x, ]"}, -2.5e3]"#);
    }
}
