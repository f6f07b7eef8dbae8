//! What is told of what happens (rule CLUS-7), so that whoever has the traces of those who lived has all of it.
//!
//! A node is told what it asked for, and tells it on in its trace. It may be killed before it could, or the answer be lost.
//! So the next fact about the same task brings the one before along, and that the one before it, back to one that is
//! known to have been told on: nodes say with their questions what they have heard.

use super::Heard;
use crate::roster::Millis;
use hemiola_trace::cluster::{Before, ClusterFact, Told};
use std::collections::BTreeMap;

/// So many facts go with one at most.
const LONGEST: usize = 32;

/// What happens in one transaction.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) told: Vec<Told>,
    /// What nodes have told on.
    heard: BTreeMap<i64, Heard>,
}

impl Facts {
    pub(super) fn new(heard: Option<(i64, Heard)>) -> Self {
        Self { told: Vec::new(), heard: heard.into_iter().collect() }
    }

    /// A node said so before, unless it says it now.
    pub(super) fn are_heard(&mut self, me: i64, heard: Option<Heard>) {
        if let Some(heard) = heard {
            self.heard.entry(me).or_insert(heard);
        }
    }

    pub(super) fn tell(&mut self, n: i64, at: Millis, what: ClusterFact) {
        self.told.push(Told { n, at, what });
    }

    /// The last fact, as it is kept for the next one: without the one before it, if that is known to have been told.
    pub(super) fn latest(&self, without_before: bool) -> Before {
        let mut told = self.told.last()?.clone();
        if without_before {
            told.what.before().map(Option::take);
        }
        Some(Box::new(told))
    }

    /// Forgets what was before the youngest fact that was told on. Says whether the first is that.
    pub(super) fn shorten(&self, latest: Option<&mut Told>) -> bool {
        let Some(told) = latest else { return true };
        let is_told = self.is_heard(told);
        self.strip(told, LONGEST);
        is_told
    }

    fn strip(&self, told: &mut Told, most: usize) {
        let is_heard = self.is_heard(told);
        let Some(before) = told.what.before() else { return };
        match before {
            Some(earlier) if !is_heard && most > 0 => self.strip(earlier, most - 1),
            Some(_) | None => *before = None,
        }
    }

    /// Whether the node that was told it first has told it on. It is not known of facts that others make.
    fn is_heard(&self, told: &Told) -> bool {
        let (ClusterFact::Started { me, .. } | ClusterFact::Ended { me, .. }) = told.what else {
            return false;
        };
        self.heard.get(&me).is_some_and(|heard| (heard.0 + 1..=heard.1).contains(&told.n))
    }
}
