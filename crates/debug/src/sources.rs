//! The texts of a program as they were when it ran.

use crate::model::Place;
use std::collections::BTreeMap;

/// Where statements begin in a text: their lines and columns, in order.
pub type Statements = fn(path: &str, text: &str) -> Vec<(u32, u32)>;

/// Texts by their paths.
#[derive(Clone, Debug)]
pub struct Sources {
    texts: Vec<Source>,
    statements: Statements,
}

/// One text.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path, or the name of a text without one.
    pub path: String,
    /// The text that ran.
    pub text: String,
    /// Whether there is no such file any more, or another text in it.
    pub differs: bool,
}

impl Sources {
    /// Those texts; `differs` says whether the file of one is not what it was.
    pub fn new(
        texts: BTreeMap<String, String>,
        differs: impl Fn(&str, &str) -> bool,
        statements: Statements,
    ) -> Self {
        let texts = texts.into_iter().map(|(path, text)| {
            let differs = differs(&path, &text);
            Source { path, text, differs }
        });
        Self { texts: texts.collect(), statements }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.texts.iter()
    }

    /// The number of a text, the first being 1, and the text.
    pub fn by_path(&self, path: &str) -> Option<(usize, &Source)> {
        let found = self.texts.iter().position(|source| source.path == path)?;
        Some((found + 1, &self.texts[found]))
    }

    /// The text with that number.
    pub fn by_number(&self, number: usize) -> Option<&Source> {
        self.texts.get(number.checked_sub(1)?)
    }

    /// The text that a user means with a path or the end of one; nothing if there is none, or several.
    pub fn meant(&self, name: &str) -> Option<&Source> {
        if let Some((_, source)) = self.by_path(name) {
            return Some(source);
        }
        let end = format!("/{}", name.trim_start_matches("./"));
        let mut found = self.texts.iter().filter(|source| source.path.ends_with(&end));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The places of all statements in a text.
    pub fn statements(&self, source: &Source) -> Vec<(u32, u32)> {
        (self.statements)(&source.path, &source.text)
    }

    /// The first statement that begins at a line or after it.
    pub fn statement(&self, source: &Source, line: u32) -> Option<Place> {
        let all = self.statements(source);
        let (line, column) = all.into_iter().filter(|at| at.0 >= line).min()?;
        Some(Place { file: source.path.clone(), line, column })
    }

    /// A line of a text.
    pub fn line(&self, path: &str, line: u32) -> Option<&str> {
        let (_, source) = self.by_path(path)?;
        source.text.lines().nth(line.checked_sub(1)? as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> Sources {
        let texts = [("/a/x.js", "one\ntwo"), ("/b/x.js", ""), ("/b/y.js", "")];
        let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
        Sources::new(texts, |_, _| false, |_, _| vec![(1, 1), (3, 5), (3, 20), (7, 1)])
    }

    #[test]
    fn a_file_is_meant_by_the_end_of_its_path() {
        let sources = sources();
        let meant = |name| sources.meant(name).map(|source| source.path.as_str());
        assert_eq!(meant("y.js"), Some("/b/y.js"));
        assert_eq!(meant("./y.js"), Some("/b/y.js"));
        assert_eq!(meant("a/x.js"), Some("/a/x.js"));
        assert_eq!(meant("/b/x.js"), Some("/b/x.js"));
        assert_eq!(meant("x.js"), None, "there are two");
        assert_eq!(meant("z.js"), None);
    }

    #[test]
    fn a_line_without_a_statement_means_the_next_one() {
        let sources = sources();
        let (_, source) = sources.by_path("/a/x.js").expect("it is there");
        let place = |line| sources.statement(source, line).map(|place| (place.line, place.column));
        assert_eq!(place(1), Some((1, 1)));
        assert_eq!(place(2), Some((3, 5)));
        assert_eq!(place(3), Some((3, 5)));
        assert_eq!(place(8), None);
        assert_eq!(sources.line("/a/x.js", 2), Some("two"));
    }
}
