//! What of an overlay lasts when its computer loses its power (rule FLEET-5).
//!
//! What was synced lasts. Of what was done to the content of a file since then a prefix does, and of all changes of
//! names that were not synced the first so many, in their order; a seed decides. Syncing a file makes its content and
//! its present name durable, with the directories that it is in; syncing a directory does that for all names in it.

use super::Overlay;
use super::ledger::{Edit, Ledger, Naming, Unsynced};
use super::nodes::{Body, Nodes, Place};
use super::watches::Watches;
use hemiola_gate::files::{Result, open};
use hemiola_machine::{Chooser, Seeded};
use std::collections::BTreeSet;

impl Overlay {
    /// Lets it know what is durable, so that [`Overlay::lose_power`] can lose the rest.
    #[must_use]
    pub fn mortal(self) -> Self {
        self.state().nodes.ledger = Some(Ledger::default());
        self
    }

    /// Loses what was not synced, as a seed decides, and all that is open.
    pub fn lose_power(&self, seed: u64) {
        const SEED: u64 = 0x706f_7765_726c_6f73;
        let mut state = self.state();
        state.open.clear();
        state.watches = Watches::default();
        state.nodes.lose(&mut Seeded::new(seed ^ SEED));
    }
}

/// Whether what is written to a file that was opened so is synced at once.
pub(super) fn is_synced(flags: i32) -> bool {
    flags & open::DATA_SYNC != 0
}

impl Nodes {
    /// Begins a call.
    pub(super) fn begin(&mut self) {
        if let Some(ledger) = &mut self.ledger {
            ledger.call += 1;
        }
    }

    /// Notes that a file is about to be changed.
    pub(super) fn will_edit(&mut self, node: usize, edit: impl FnOnce() -> Edit) {
        let body = &self.get(node).body;
        let durable = match (&self.ledger, body) {
            (Some(ledger), Body::File(content)) if !ledger.files.contains_key(&node) => {
                Some(content.clone())
            }
            _ => None,
        };
        let Some(ledger) = &mut self.ledger else { return };
        if let Some(durable) = durable {
            ledger.files.insert(node, Unsynced { durable, edits: Vec::new() });
        }
        if let Some(unsynced) = ledger.files.get_mut(&node) {
            unsynced.edits.push(edit());
        }
    }

    /// Notes what a name stood for.
    pub(super) fn named(&mut self, place: &Place, before: Option<usize>, now: Option<usize>) {
        if let Some(ledger) = &mut self.ledger {
            let (call, directory, name) = (ledger.call, place.parent, place.name.clone());
            ledger.names.push(Naming { call, directory, name, before, now });
        }
    }

    /// Makes a file or a directory durable, and its name.
    pub(super) fn synced(&mut self, node: usize) {
        let Some(mut ledger) = self.ledger.take() else { return };
        ledger.files.remove(&node);
        let mut named = BTreeSet::from([node]);
        let mut at = node;
        while let Some((parent, _)) = &self.get(at).home
            && named.insert(*parent)
        {
            at = *parent;
        }
        let is_durable = |naming: &&Naming| {
            naming.directory == node || naming.now.is_some_and(|now| named.contains(&now))
        };
        let calls: BTreeSet<u64> =
            ledger.names.iter().filter(is_durable).map(|naming| naming.call).collect();
        ledger.names.retain(|naming| !calls.contains(&naming.call));
        self.ledger = Some(ledger);
    }

    /// Loses what was not synced.
    fn lose(&mut self, random: &mut Seeded) {
        let Some(ledger) = self.ledger.take() else { return };
        let calls: BTreeSet<u64> = ledger.names.iter().map(|naming| naming.call).collect();
        let kept = random.choose(calls.len() + 1);
        let lost: BTreeSet<u64> = calls.into_iter().skip(kept).collect();
        for naming in ledger.names.iter().rev().filter(|naming| lost.contains(&naming.call)) {
            // What is no directory any more cannot be one that a name was changed in.
            let _ = self.rename_back(naming);
        }
        for (node, Unsynced { durable, edits }) in ledger.files {
            let all: usize = edits.iter().map(Edit::weight).sum();
            let mut left = match random.choose(3) {
                0 => 0,
                1 => all,
                _ => random.choose(all + 1),
            };
            self.get_mut(node).body = Body::File(durable);
            let Ok(content) = self.content(node) else { continue };
            for edit in &edits {
                let weight = edit.weight();
                if left == 0 && weight > 0 {
                    break;
                }
                edit.apply(left.min(weight), content);
                left = left.saturating_sub(weight);
            }
            self.written(node);
        }
        self.ledger = Some(Ledger::default());
    }

    fn rename_back(&mut self, naming: &Naming) -> Result<()> {
        let Naming { directory, name, before, now, .. } = naming;
        let (parent, name) = (*directory, name.clone());
        let place = Place { parent, name, node: None, slash: false, dot: false };
        self.put(&place, *before)?;
        if let Some(now) = *now {
            let stat = &mut self.get_mut(now).stat;
            stat.links = stat.links.saturating_sub(1);
        }
        if let Some(before) = *before {
            let is_directory = matches!(self.get(before).body, Body::Directory(_));
            let stat = &mut self.get_mut(before).stat;
            stat.links = if is_directory { stat.links.max(2) } else { stat.links + 1 };
        }
        Ok(())
    }
}
