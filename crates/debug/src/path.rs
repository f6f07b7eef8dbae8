//! Expressions that name a variable, or a property of one.

/// The variable, and the properties that lead from it: `a.b[0]["c d"]`. Nothing for other expressions.
pub(crate) fn read(expression: &str) -> Option<(String, Vec<String>)> {
    let text = expression.trim();
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let name = name.trim();
    let mut properties = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('.') {
            let after = after.trim_start();
            let end = after.find(['.', '[']).unwrap_or(after.len());
            properties.push(word(after[..end].trim())?);
            rest = &after[end..];
        } else if let Some(after) = rest.strip_prefix('[') {
            let after = after.trim_start();
            let quote = after.chars().next().filter(|first| "'\"`".contains(*first));
            match quote {
                Some(quote) => {
                    let (property, more) = after[1..].split_once(quote)?;
                    properties.push(property.to_owned());
                    rest = more.trim_start().strip_prefix(']')?;
                }
                None => {
                    let (property, more) = after.split_once(']')?;
                    properties.push(property.trim().parse::<u32>().ok()?.to_string());
                    rest = more;
                }
            }
        } else {
            break;
        }
    }
    rest.is_empty().then_some((word(name)?, properties))
}

/// A name, if it is one.
fn word(text: &str) -> Option<String> {
    let begins = |first: char| first.is_alphabetic() || "_$#".contains(first);
    let is_name = text.starts_with(begins)
        && text.chars().all(|char| char.is_alphanumeric() || "_$#".contains(char));
    is_name.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_and_their_properties_are_read() {
        let path = |text| read(text).map(|(name, path)| format!("{name}|{}", path.join("|")));
        assert_eq!(path("total").as_deref(), Some("total|"));
        assert_eq!(path(" a . b [ 0 ].c").as_deref(), Some("a|b|0|c"));
        assert_eq!(path("this.#p").as_deref(), Some("this|#p"));
        assert_eq!(path("a['x y'][\"z\"]").as_deref(), Some("a|x y|z"));
        for other in ["", "a + b", "f()", "a.", "a[b]", "a[0", "1", "a.b()", "a['x]"] {
            assert_eq!(path(other), None, "{other}");
        }
    }
}
