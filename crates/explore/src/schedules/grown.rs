//! A list to which only more is added, whose copies have in common what was shared.

use std::sync::Arc;

/// Such a list.
#[derive(Clone, Debug)]
pub(crate) struct Grown<T> {
    shared: Arc<Vec<T>>,
    own: Vec<T>,
}

impl<T> Default for Grown<T> {
    fn default() -> Self {
        Self { shared: Arc::default(), own: Vec::new() }
    }
}

impl<T> Grown<T> {
    pub(crate) fn len(&self) -> usize {
        self.shared.len() + self.own.len()
    }

    pub(crate) fn push(&mut self, one: T) {
        self.own.push(one);
    }

    /// One of those that there are.
    pub(crate) fn get(&self, at: usize) -> &T {
        match at.checked_sub(self.shared.len()) {
            Some(at) => &self.own[at],
            None => &self.shared[at],
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.shared.iter().chain(&self.own)
    }
}

impl<T: Clone> Grown<T> {
    /// Lets copies have in common what there is by now.
    pub(crate) fn share(&mut self) {
        if !self.own.is_empty() {
            Arc::make_mut(&mut self.shared).append(&mut self.own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_go_on_from_what_they_share() {
        let mut one = Grown::default();
        one.push(1);
        one.share();
        one.push(2);
        let mut other = one.clone();
        other.push(3);
        other.share();
        one.push(4);
        let all = |grown: &Grown<i32>| grown.iter().copied().collect::<Vec<_>>();
        assert_eq!((all(&one), all(&other)), (vec![1, 2, 4], vec![1, 2, 3]));
        assert_eq!((*one.get(0), *one.get(2), *other.get(2), one.len()), (1, 4, 3, 3));
    }
}
