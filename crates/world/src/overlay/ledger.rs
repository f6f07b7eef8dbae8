//! What was done to the files of an overlay and not synced.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// What a file holds.
#[derive(Clone)]
pub(super) enum Content {
    /// On the disk, there.
    Lower(PathBuf),
    /// Here.
    Own(Vec<u8>),
}

/// What was not synced.
#[derive(Default)]
pub(super) struct Ledger {
    pub(super) files: BTreeMap<usize, Unsynced>,
    pub(super) names: Vec<Naming>,
    /// Counts calls: what one call does to names lasts as a whole, or not.
    pub(super) call: u64,
}

/// A file that was changed.
pub(super) struct Unsynced {
    /// What lasts in any case.
    pub(super) durable: Content,
    pub(super) edits: Vec<Edit>,
}

/// A change of a file's content.
pub(super) enum Edit {
    Write { at: usize, bytes: Vec<u8> },
    Resize(usize),
}

/// A change of what a name stands for.
pub(super) struct Naming {
    pub(super) call: u64,
    pub(super) directory: usize,
    pub(super) name: OsString,
    pub(super) before: Option<usize>,
    pub(super) now: Option<usize>,
}

impl Edit {
    /// How much of it there is to be lost.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Write { bytes, .. } => bytes.len(),
            Self::Resize(_) => 1,
        }
    }

    /// Does so much of it.
    pub(super) fn apply(&self, weight: usize, content: &mut Vec<u8>) {
        match self {
            Self::Write { at, bytes } => {
                let bytes = &bytes[..weight.min(bytes.len())];
                let end = at + bytes.len();
                if content.len() < end {
                    content.resize(end, 0);
                }
                content[*at..end].copy_from_slice(bytes);
            }
            Self::Resize(size) => content.resize(*size, 0),
        }
    }
}
