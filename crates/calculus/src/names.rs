//! Interned names, and the nearest one to a misspelt one.

use std::collections::BTreeMap;
use std::sync::Arc;

/// An interned name: an index into the [`Names`] of its program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

/// The names of one program, numbered in the order in which they first appear.
///
/// Invariant: `symbols` maps the text at index `n` of `texts` to `Symbol(n)`, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    texts: Vec<Arc<str>>,
    symbols: BTreeMap<Arc<str>, Symbol>,
}

impl Names {
    /// The symbol of `text`, which is new if the text is.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let number = u32::try_from(self.texts.len());
        let symbol = Symbol(number.expect("a program has fewer than 2^32 names"));
        let text: Arc<str> = Arc::from(text);
        self.texts.push(Arc::clone(&text));
        self.symbols.insert(text, symbol);
        symbol
    }

    /// The text of a symbol of this program.
    pub fn text(&self, symbol: Symbol) -> &Arc<str> {
        self.texts.get(symbol.0 as usize).expect("a symbol belongs to the program that interned it")
    }

    /// The symbol of `text`, if the program mentions it.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

/// The candidate closest to a misspelt name, if one is close enough to be meant.
///
/// Of equally close ones the first wins. Long names are not compared, which keeps the work
/// proportional to the text of the candidates.
pub(crate) fn nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    const LONGEST: usize = 64;
    let wanted: Vec<char> = wanted.chars().take(LONGEST + 1).collect();
    if wanted.len() > LONGEST {
        return None;
    }
    // A name of one letter is one edit away from every other, which says nothing.
    let allowed = (wanted.len() / 3).max(1).min(wanted.len().saturating_sub(1));
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.chars().take(LONGEST + 1).collect();
        if letters.len().abs_diff(wanted.len()) > allowed {
            continue;
        }
        let distance = edits(&wanted, &letters);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, dropped, replaced or swapped with a neighbour.
fn edits(from: &[char], to: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let replaced = above[j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_interned_once() {
        let mut names = Names::default();
        assert!(names.is_empty());
        let a = names.intern("a");
        let b = names.intern("b");
        assert_eq!((names.intern("a"), names.get("b"), names.get("c")), (a, Some(b), None));
        assert_eq!((&**names.text(b), names.len()), ("b", 2));
    }

    #[test]
    fn the_nearest_name_is_close() {
        assert_eq!(nearest("nexttikc", ["setimmediate", "nexttick"]), Some("nexttick"));
        assert_eq!(nearest("cb2", ["ab1", "cb1", "cb3"]), Some("cb1"), "the first of equals");
        assert_eq!(nearest("g", ["f", "h"]), None, "one letter is close to every other");
        assert_eq!(nearest("", ["f"]), None);
        assert_eq!(nearest("write", ["read"]), None);
        assert_eq!(nearest(&"a".repeat(65), [&*"a".repeat(65)]), None, "too long to compare");
    }
}
