//! Programs that a program starts: as it describes them, and as they are started once that was checked.

use crate::value::Datum;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How a program is to be started and, once that was checked, which file that is.
///
/// What the program said is what recordings keep. The file is found once, so that nobody can make its name
/// stand for another between the check and the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    record: Datum,
    settled: OnceLock<Box<Settled>>,
}

/// What a check has found out, and what goes with the program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settled {
    /// The file, if only some may be started.
    pub(crate) file: Option<PathBuf>,
    /// What the new program may do at most, if it is one of ours.
    pub(crate) permissions: String,
}

impl Program {
    /// The file that is started.
    pub fn file(&self) -> &Path {
        let settled = self.settled.get().and_then(|settled| settled.file.as_deref());
        settled.unwrap_or_else(|| {
            Path::new(self.record.field("file").and_then(Datum::as_text).unwrap_or_default())
        })
    }

    /// What the started program is told by [`INHERITED`](crate::INHERITED); nothing if it may do everything.
    pub fn permissions(&self) -> Option<&str> {
        self.settled.get().map(|settled| &*settled.permissions)
    }

    pub(crate) fn settle(&self, settled: Settled) {
        self.settled.get_or_init(|| Box::new(settled));
    }

    pub(crate) fn into_record(self) -> Datum {
        self.record
    }
}

impl From<Datum> for Program {
    fn from(record: Datum) -> Self {
        Self { record, settled: OnceLock::new() }
    }
}

impl Deref for Program {
    type Target = Datum;

    fn deref(&self) -> &Datum {
        &self.record
    }
}
