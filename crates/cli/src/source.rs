//! Texts with a name, as messages show them.

/// The text of a program or of a flag, and what to call it.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}
