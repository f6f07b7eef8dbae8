//! Objects of JSON, written field by field: for a hundred thousand spans, trees of values would take most of
//! the time.

use std::fmt::Write;

/// An object that is being written; it ends when it is closed.
pub(crate) struct Object<'a> {
    out: &'a mut String,
    is_empty: bool,
}

impl<'a> Object<'a> {
    pub(crate) fn open(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, is_empty: true }
    }

    pub(crate) fn close(self) {
        self.out.push('}');
    }

    pub(crate) fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.key(key);
        quote(self.out, value);
        self
    }

    pub(crate) fn number(&mut self, key: &str, value: u64) -> &mut Self {
        self.key(key);
        write!(self.out, "{value}").expect("a text takes any text");
        self
    }

    /// A number of 64 bits, as Protocol Buffers have it in JSON: as a text.
    pub(crate) fn long(&mut self, key: &str, value: u64) -> &mut Self {
        self.key(key);
        write!(self.out, "\"{value}\"").expect("a text takes any text");
        self
    }

    /// Numbers.
    pub(crate) fn numbers(&mut self, key: &str, values: &[u64]) -> &mut Self {
        self.each(key, values, |out, value| write!(out, "{value}"))
    }

    /// Numbers of 64 bits, as texts.
    pub(crate) fn longs(&mut self, key: &str, values: &[u64]) -> &mut Self {
        self.each(key, values, |out, value| write!(out, "\"{value}\""))
    }

    fn each(
        &mut self,
        key: &str,
        values: &[u64],
        put: impl Fn(&mut String, u64) -> std::fmt::Result,
    ) -> &mut Self {
        self.key(key);
        self.out.push('[');
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            put(self.out, *value).expect("a text takes any text");
        }
        self.out.push(']');
        self
    }

    /// Nanoseconds as microseconds, with as many digits as it takes.
    pub(crate) fn micros(&mut self, key: &str, nanos: u64) -> &mut Self {
        self.key(key);
        let (whole, rest) = (nanos / 1000, nanos % 1000);
        let rest = if rest == 0 { String::new() } else { format!(".{rest:03}") };
        let rest = rest.trim_end_matches('0');
        write!(self.out, "{whole}{rest}").expect("a text takes any text");
        self
    }

    pub(crate) fn truth(&mut self, key: &str, value: bool) -> &mut Self {
        self.key(key);
        self.out.push_str(if value { "true" } else { "false" });
        self
    }

    pub(crate) fn object(&mut self, key: &str, fill: impl FnOnce(&mut Object<'_>)) -> &mut Self {
        self.key(key);
        let mut object = Object::open(self.out);
        fill(&mut object);
        object.close();
        self
    }

    pub(crate) fn list(&mut self, key: &str, fill: impl FnOnce(&mut List<'_>)) -> &mut Self {
        self.key(key);
        self.out.push('[');
        fill(&mut List { out: self.out, is_empty: true });
        self.out.push(']');
        self
    }

    fn key(&mut self, key: &str) {
        if !std::mem::take(&mut self.is_empty) {
            self.out.push(',');
        }
        quote(self.out, key);
        self.out.push(':');
    }
}

/// An array of objects that is being written.
pub(crate) struct List<'a> {
    out: &'a mut String,
    is_empty: bool,
}

impl List<'_> {
    pub(crate) fn object(&mut self, fill: impl FnOnce(&mut Object<'_>)) {
        if !std::mem::take(&mut self.is_empty) {
            self.out.push(',');
        }
        let mut object = Object::open(self.out);
        fill(&mut object);
        object.close();
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|letter| matches!(letter, '"' | '\\' | '\0'..='\x1f')) {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            byte => write!(out, "\\u{byte:04x}").expect("a text takes any text"),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn objects_are_read_as_they_were_written() {
        let texts = ["", "a", "é\u{1f600}\u{7f}\u{2028}", "\"\\/\n\r\t\0\u{1f}", "end\\"];
        let mut out = String::new();
        let mut object = Object::open(&mut out);
        for text in texts {
            object.text(text, text);
        }
        object.object("o", |_| {}).list("l", |_| {});
        object.list("m", |list| {
            list.object(|one| {
                one.number("n", u64::MAX).long("l", u64::MAX).truth("t", true);
            });
            list.object(|one| {
                one.micros("a", 0).micros("b", 1_000).micros("c", 1_050).micros("d", 7);
            });
        });
        object.close();
        let mut expected = json!({});
        for text in texts {
            expected[text] = text.into();
        }
        expected["o"] = json!({});
        expected["l"] = json!([]);
        expected["m"] = json!([
            { "n": u64::MAX, "l": u64::MAX.to_string(), "t": true },
            { "a": 0, "b": 1, "c": 1.05, "d": 0.007 },
        ]);
        assert_eq!(serde_json::from_str::<Value>(&out).unwrap(), expected, "{out}");
    }
}
