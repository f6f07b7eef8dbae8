//! Texts that come again and again, kept once.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A text, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(u32);

impl Name {
    /// The number, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The texts.
#[derive(Debug, Default)]
pub struct Names {
    texts: Vec<Arc<str>>,
    numbers: BTreeMap<Arc<str>, Name>,
}

impl Names {
    /// The number of a text.
    pub fn of(&mut self, text: &str) -> Name {
        if let Some(name) = self.numbers.get(text) {
            return *name;
        }
        let name = Name(u32::try_from(self.texts.len()).expect("memory is full before that"));
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, name);
        name
    }

    /// The text of a number.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.index()]
    }
}
