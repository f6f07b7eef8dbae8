//! Open files: as a program names them, and as they are used once that was checked.

use std::sync::OnceLock;

/// The number of an open file and, once that was checked, what it must have been opened for.
///
/// That is looked at when the file is used: by then the number may be another file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Descriptor {
    number: i32,
    to_write: OnceLock<()>,
}

/// An open file, for a call of a tree that changes what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Its descriptor.
    pub fd: i32,
    /// Whether the call fails with [`Errno::ACCES`](crate::files::Errno::ACCES) unless the program has opened
    /// the file to write it. A file that may only be read must not be changed either, and one that the process
    /// was given was opened by somebody else.
    pub only_to_write: bool,
}

impl Opened {
    /// Any open file, for whoever may change all of them.
    pub fn anyhow(fd: i32) -> Self {
        Self { fd, only_to_write: false }
    }

    /// The same file, of another tree.
    #[must_use]
    pub fn with(self, fd: i32) -> Self {
        Self { fd, ..self }
    }
}

impl Descriptor {
    /// Its number.
    pub fn number(&self) -> i32 {
        self.number
    }

    /// How a tree gets it.
    pub fn opened(&self) -> Opened {
        Opened { fd: self.number, only_to_write: self.to_write.get().is_some() }
    }

    /// From now on it stands only for a file that was opened to be written.
    pub(crate) fn demand_writing(&self) {
        let () = self.to_write.get_or_init(|| ());
    }
}

impl From<i32> for Descriptor {
    fn from(number: i32) -> Self {
        Self { number, to_write: OnceLock::new() }
    }
}
