//! The URLs that modules go by: `file:` URLs and paths, and one relative to another.

use std::fmt::Write as _;

/// A URL taken apart, as far as modules need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileUrl {
    /// The path, with escapes.
    pub(crate) path: String,
    /// `?query#hash`, or nothing.
    pub(crate) rest: String,
}

impl FileUrl {
    /// The file that a URL names; none for other URLs.
    pub(crate) fn parse(url: &str) -> Option<Self> {
        let after = url.strip_prefix("file://")?;
        let end = after.find(['?', '#']).unwrap_or(after.len());
        Some(Self { path: after[..end].to_owned(), rest: after[end..].to_owned() })
    }

    /// What a specifier means beside this URL: one that starts with `/`, `./` or `../`, or the part of
    /// an absolute one that follows `file:`.
    pub(crate) fn join(&self, specifier: &str) -> Self {
        // The URL standard drops these wherever they are.
        let specifier = specifier.trim_matches(|c: char| c <= ' ').replace(['\t', '\n', '\r'], "");
        let end = specifier.find(['?', '#']).unwrap_or(specifier.len());
        let relative = specifier[..end].replace('\\', "/");
        let mut segments: Vec<&str> = if relative.starts_with('/') {
            Vec::new()
        } else {
            let directory = self.path.rfind('/').map_or("", |end| &self.path[..end]);
            directory.split('/').skip(1).collect()
        };
        let written: Vec<&str> =
            relative.strip_prefix('/').unwrap_or(&relative).split('/').collect();
        for (at, segment) in written.iter().enumerate() {
            let last = at + 1 == written.len();
            match dots(segment) {
                Some(count) => {
                    if count == 2 {
                        segments.pop();
                    }
                    if last {
                        segments.push("");
                    }
                }
                None => segments.push(segment),
            }
        }
        let mut path = String::new();
        for segment in segments {
            path.push('/');
            escape(segment, |c| matches!(c, '"' | '<' | '>' | '`' | '{' | '}' | '^'), &mut path);
        }
        let mut rest = String::new();
        escape(&specifier[end..], |c| matches!(c, '"' | '<' | '>' | '\''), &mut rest);
        Self { path, rest }
    }

    /// The path without escapes; none when they are no text.
    pub(crate) fn to_path(&self) -> Option<String> {
        decode(&self.path).and_then(|bytes| String::from_utf8(bytes).ok())
    }

    pub(crate) fn to_text(&self) -> String {
        format!("file://{}{}", self.path, self.rest)
    }
}

/// How many dots a segment of a path is, in any spelling; none when it is something else.
fn dots(segment: &str) -> Option<usize> {
    match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
        "." => Some(1),
        ".." => Some(2),
        _ => None,
    }
}

fn escape(text: &str, special: impl Fn(char) -> bool, to: &mut String) {
    for c in text.chars() {
        if c <= ' ' || c >= '\x7f' || special(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(to, "%{byte:02X}");
            }
        } else {
            to.push(c);
        }
    }
}

/// The URL of a path.
pub(crate) fn from_path(path: &str) -> String {
    let mut url = String::from("file://");
    // What a URL would take for something else, and what readers of the result could trip over.
    let special = |c| {
        matches!(
            c,
            '"' | '#'
                | '%'
                | '<'
                | '>'
                | '?'
                | '['
                | '\\'
                | ']'
                | '^'
                | '`'
                | '{'
                | '|'
                | '}'
                | '~'
        )
    };
    escape(path, special, &mut url);
    url
}

/// A path as it is written in a URL.
pub(crate) fn escaped(path: &str) -> String {
    from_path(path).split_off("file://".len())
}

/// The bytes that a text with `%XX` stands for; none when an escape is cut.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || (rest.next()? as char).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push((high * 16 + low) as u8);
    }
    Some(bytes)
}

/// The scheme of an absolute URL, in lower case.
pub(crate) fn scheme(text: &str) -> Option<String> {
    let (scheme, _) = text.split_once(':')?;
    let mut chars = scheme.chars();
    let fits = chars.next()?.is_ascii_alphabetic()
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    fits.then(|| scheme.to_ascii_lowercase())
}

/// A `data:` URL taken apart: media type, and content. None when it has no comma or no type, or when
/// an escape is cut.
pub(crate) fn data(url: &str) -> Option<(String, Vec<u8>)> {
    let after = url.get("data:".len()..)?;
    let end = after.find(['?', '#']).unwrap_or(after.len());
    let (head, content) = after[..end].split_once(',')?;
    let mut parts = head.split(';');
    let mime = parts.next()?.to_ascii_lowercase();
    if !mime.contains('/') {
        return None;
    }
    // An escape that is none stands for itself.
    let bytes = decode(content).unwrap_or_else(|| content.as_bytes().to_vec());
    match parts.next_back() {
        Some("base64") => Some((mime, base64(&bytes))),
        _ => Some((mime, bytes)),
    }
}

/// Base64 in either alphabet; other characters are passed over, as Node does.
fn base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut held, mut count) = (0u32, 0);
    for &byte in text {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => continue,
        };
        held = held << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((held >> count) as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_url_relative_to_another() {
        let base = FileUrl::parse("file:///a/b/c.mjs?x").expect("a file");
        for (specifier, expected) in [
            ("./d.mjs", "file:///a/b/d.mjs"),
            ("../d.mjs?q#h", "file:///a/d.mjs?q#h"),
            ("../../../../d", "file:///d"),
            ("/d/./e/../f", "file:///d/f"),
            (".", "file:///a/b/"),
            ("..", "file:///a/"),
            ("./x y.mjs", "file:///a/b/x%20y.mjs"),
            ("./ü.mjs", "file:///a/b/%C3%BC.mjs"),
            ("./q\\w", "file:///a/b/q/w"),
            ("./%2e%2E/z", "file:///a/z"),
        ] {
            assert_eq!(base.join(specifier).to_text(), expected, "{specifier}");
        }
    }

    #[test]
    fn paths_and_urls() {
        assert_eq!(from_path("/a b/ü%#?.mjs"), "file:///a%20b/%C3%BC%25%23%3F.mjs");
        let url = FileUrl::parse("file:///a%20b/%C3%BC%25%23%3F.mjs").expect("a file");
        assert_eq!(url.to_path().as_deref(), Some("/a b/ü%#?.mjs"));
        assert_eq!(FileUrl::parse("file:///%FF").and_then(|url| url.to_path()), None);
    }

    #[test]
    fn data_urls() {
        let text =
            |url| data(url).map(|(mime, bytes)| (mime, String::from_utf8(bytes).expect("text")));
        assert_eq!(
            text("data:text/javascript,a%20b%3f?q#h"),
            Some(("text/javascript".into(), "a b?".into()))
        );
        assert_eq!(
            text("data:text/x;charset=utf-8;base64,YWI="),
            Some(("text/x".into(), "ab".into()))
        );
        assert_eq!(text("data:text/javascript"), None);
        assert_eq!(text("data:,x"), None);
    }
}
