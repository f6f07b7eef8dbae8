//! Where a call is, given where the engine says it is: at what it met last, which may be an argument,
//! or the class that follows a `new`. Columns are V8's, in UTF-16 units from 1.

/// Where the name stands of a call whose last part that the engine met is at `at`; both count from 0.
/// Nothing if no call of that name is around it.
pub fn named_call(text: &[u16], at: usize, name: &str) -> Option<usize> {
    let name: Vec<u16> = name.encode_utf16().collect();
    if name.is_empty() || at >= text.len() {
        return None;
    }
    let end = at + text[at..].iter().take_while(|&&unit| is_part(unit)).count();
    if text[at..end] == name {
        return Some(at);
    }
    if let Some(word) = called_by(text, at)
        && text[word.clone()] == name
    {
        return Some(word.start);
    }
    let mut depth = 0usize;
    for open in (0..at).rev() {
        match u8::try_from(text[open]) {
            Ok(b')' | b']' | b'}') => depth += 1,
            Ok(b'(' | b'[' | b'{') if depth > 0 => depth -= 1,
            Ok(b'(') => {
                let is_optional = text[..open].ends_with(&[b'?', b'.'].map(u16::from));
                let word = name_before(text, if is_optional { open - 2 } else { open });
                if text[word.clone()] == name {
                    return Some(word.start);
                }
            }
            // A block, and not an object.
            Ok(b'{') => {
                let before = text[..open].iter().rev().find(|&&unit| unit != u16::from(b' '));
                if before.is_some_and(|&unit| [b')', b'>'].map(u16::from).contains(&unit)) {
                    return None;
                }
            }
            Ok(b';') if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Where the `await` stands whose expression ends before `at`; both count from 0.
pub fn awaiting(text: &[u16], at: usize) -> Option<usize> {
    const WORD: [u16; 5] = [b'a' as u16, b'w' as u16, b'a' as u16, b'i' as u16, b't' as u16];
    let mut depth = 0usize;
    for here in (0..at.min(text.len())).rev() {
        match u8::try_from(text[here]) {
            Ok(b')' | b']' | b'}') => depth += 1,
            Ok(b'(' | b'[' | b'{') => depth = depth.checked_sub(1)?,
            Ok(b';') if depth == 0 => return None,
            Ok(b'a') if depth == 0 && text[here..].starts_with(&WORD) => {
                let before = here.checked_sub(1).map(|before| text[before]);
                let begins = before.is_none_or(|unit| !is_part(unit) && unit != u16::from(b'.'));
                let ends = text.get(here + WORD.len()).is_none_or(|&unit| !is_part(unit));
                if begins && ends {
                    return Some(here);
                }
            }
            _ => {}
        }
    }
    None
}

/// The column of the call that a frame is in the middle of.
pub fn call(line: &[u16], column: u32) -> u32 {
    let Some(at) = (column as usize).checked_sub(1).filter(|&at| at < line.len()) else {
        return column;
    };
    if let Some(word) = called_by(line, at) {
        return word.start as u32 + 1;
    }
    if !is_part(line[at]) {
        return column;
    }
    let end = at + line[at..].iter().take_while(|&&unit| is_part(unit)).count();
    let next = line[end..].iter().find(|&&unit| unit != u16::from(b' '));
    if next.is_some_and(|&unit| [b'(', b'`', b'?'].map(u16::from).contains(&unit)) {
        return column;
    }
    // An argument: the call is before the parenthesis that it is in.
    let mut depth = 0usize;
    for open in (0..at).rev() {
        match u8::try_from(line[open]) {
            Ok(b')' | b']' | b'}') => depth += 1,
            Ok(b'(' | b'[' | b'{') if depth > 0 => depth -= 1,
            Ok(b'(') => {
                let name = name_before(line, open);
                return if name.is_empty() { column } else { name.start as u32 + 1 };
            }
            Ok(b'[' | b'{' | b';') => return column,
            _ => {}
        }
    }
    column
}

/// The name before the parenthesis at a place: the transform may have made another callee of it.
fn called_by(line: &[u16], at: usize) -> Option<std::ops::Range<usize>> {
    let word = name_before(line, at);
    (line[at] == u16::from(b'(') && !word.is_empty()).then_some(word)
}

/// The column of the `new` before a class, if there is one.
pub fn construction(line: &[u16], column: u32) -> u32 {
    let Some(at) = (column as usize).checked_sub(1).filter(|&at| at <= line.len()) else {
        return column;
    };
    let word = name_before(line, at);
    let is_new = line[word.clone()].iter().copied().eq("new".encode_utf16());
    let is_apart =
        word.end < at && word.start.checked_sub(1).is_none_or(|at| line[at] != u16::from(b'.'));
    if is_new && is_apart { word.start as u32 + 1 } else { column }
}

/// The word that ends before a place, blanks aside; empty if there is none, or one that takes a
/// condition.
fn name_before(line: &[u16], at: usize) -> std::ops::Range<usize> {
    let end = at - line[..at].iter().rev().take_while(|&&unit| unit == u16::from(b' ')).count();
    let start = end - line[..end].iter().rev().take_while(|&&unit| is_part(unit)).count();
    let is = |word: &str| line[start..end].iter().copied().eq(word.encode_utf16());
    let takes_condition = ["if", "while", "for", "switch", "return", "with"].into_iter().any(is);
    if takes_condition { end..end } else { start..end }
}

fn is_part(unit: u16) -> bool {
    match u8::try_from(unit) {
        Ok(byte) => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80,
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn a_call_is_where_its_name_is() {
        for (line, met, expected) in [
            ("  f(a, b);", 8, 3),
            ("  f(a, b);", 3, 3),
            ("[1].forEach(each);", 13, 5),
            ("f(g(x), y)", 9, 1),
            ("f(g(x), y)", 5, 3),
            ("if (x) y", 5, 5),
            ("f([a, b])", 7, 7),
            ("x = y;", 5, 5),
            ("(a)(b)", 5, 5),
            ("f()", 99, 99),
            ("a.f(b)", 4, 3),
        ] {
            assert_eq!(call(&units(line), met), expected, "{line} at {met}");
        }
    }

    #[test]
    fn a_call_is_found_around_its_arguments_by_its_name() {
        for (text, met, name, expected) in [
            ("f(g(1))", 2, "f", Some(0)),
            ("f(g(1))", 2, "g", Some(2)),
            ("o.f?.(g(1))", 6, "f", Some(2)),
            ("f(\n  g(1),\n  g(2)\n)", 13, "f", Some(0)),
            ("o.f({ a: [g(1)] })", 10, "f", Some(2)),
            ("new Error('a', { cause: new Error('b') })", 28, "Error", Some(28)),
            ("f(() => { g(1) })", 10, "f", None),
            ("f(1); g(2)", 6, "f", None),
            ("f(g(1))", 2, "h", None),
            ("f(1)", 99, "f", None),
            ("f(g(1))", 3, "g", Some(2)),
            ("f(g(1))", 3, "f", Some(0)),
        ] {
            assert_eq!(named_call(&units(text), met, name), expected, "{text} at {met}: {name}");
        }
    }

    #[test]
    fn an_await_is_found_from_the_end_of_its_expression() {
        for (text, at, expected) in [
            ("x = await f(1);", 14, Some(4)),
            ("await a(await b())", 17, Some(8)),
            ("await a(await b())", 18, Some(0)),
            ("await f(\n  1,\n)", 15, Some(0)),
            ("await a; b()", 12, None),
            ("o.await(x)", 10, None),
            ("awaits(x)", 9, None),
            ("f(x)", 99, None),
        ] {
            assert_eq!(awaiting(&units(text), at), expected, "{text} at {at}");
        }
    }

    #[test]
    fn an_object_is_made_by_new() {
        for (line, met, expected) in [
            ("throw new Error('x')", 11, 7),
            ("new A", 5, 1),
            ("renew A", 7, 7),
            ("x.new (A)", 8, 8),
            ("A()", 1, 1),
        ] {
            assert_eq!(construction(&units(line), met), expected, "{line} at {met}");
        }
    }
}
