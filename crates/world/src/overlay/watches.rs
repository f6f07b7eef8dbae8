//! Watched files of an overlay: what the system would tell of what happens to them.

use super::nodes::{Nodes, Place};
use hemiola_gate::files::{Change, Errno, Result, change};
use std::collections::BTreeMap;
use std::ffi::OsStr;

/// Who watches what, and what they have not heard of yet.
#[derive(Clone, Default)]
pub(super) struct Watches {
    numbers: BTreeMap<usize, i32>,
    made: i32,
    pub(super) untold: Vec<Change>,
}

impl Watches {
    /// Whether nobody ever did.
    pub(super) fn is_new(&self) -> bool {
        self.made == 0
    }

    /// Whether anybody watches anything.
    pub(super) fn is_any(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Watches a file, if nobody does.
    pub(super) fn add(&mut self, node: usize) -> i32 {
        let Self { numbers, made, .. } = self;
        *numbers.entry(node).or_insert_with(|| {
            *made += 1;
            *made
        })
    }

    pub(super) fn remove(&mut self, watch: i32) -> Result<()> {
        let before = self.numbers.len();
        self.numbers.retain(|_, number| *number != watch);
        if self.numbers.len() < before { Ok(()) } else { Err(Errno::INVAL) }
    }

    /// Something happened to a file itself, or to what a directory holds under a name.
    fn tell(&mut self, node: usize, what: u32, name: &OsStr) {
        let Some(&watch) = self.numbers.get(&node) else { return };
        let change = Change { watch, what, name: name.to_owned() };
        // The same once more is not worth telling.
        if self.untold.last() != Some(&change) {
            self.untold.push(change);
        }
    }

    /// A file changed: whoever watches the directory hears first.
    pub(super) fn changed(&mut self, nodes: &Nodes, node: usize, what: u32) {
        if self.numbers.is_empty() {
            return;
        }
        let what = what | nodes.directory_flag(node);
        if let Some((parent, name)) = &nodes.get(node).home {
            self.tell(*parent, what, name);
        }
        self.tell(node, what, OsStr::new(""));
    }

    /// Something happened to a file, which is no matter of its directory.
    pub(super) fn changed_itself(&mut self, nodes: &Nodes, node: usize, what: u32) {
        self.tell(node, what | nodes.directory_flag(node), OsStr::new(""));
    }

    /// Something happened to what a directory holds.
    pub(super) fn changed_in(&mut self, nodes: &Nodes, place: &Place, node: usize, what: u32) {
        self.tell(place.parent, what | nodes.directory_flag(node), &place.name);
    }

    /// A file is no more, so nobody watches it.
    pub(super) fn gone(&mut self, nodes: &Nodes, node: usize) {
        self.changed_itself(nodes, node, change::GONE);
        self.tell(node, change::UNWATCHED, OsStr::new(""));
        self.numbers.remove(&node);
    }
}
