//! What a command has to say.

/// What a command has to say.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    /// The result, for standard output.
    pub(crate) output: String,
    /// Remarks, for standard error.
    pub(crate) notes: String,
    /// The exit code.
    pub(crate) code: u8,
}

impl Done {
    /// Nothing but an exit code.
    pub(crate) fn silent(code: u8) -> Self {
        Self::noted(String::new(), code)
    }

    /// Remarks without a result.
    pub(crate) fn noted(notes: String, code: u8) -> Self {
        Self { output: String::new(), notes, code }
    }

    /// A result without remarks.
    pub(crate) fn with(output: String, code: u8) -> Self {
        Self { output, notes: String::new(), code }
    }
}
