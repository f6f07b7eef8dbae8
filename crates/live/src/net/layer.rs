//! What bytes pass between the socket and the program.

/// A protocol between the bytes of the socket and those of the program.
pub(crate) enum Layer {
    /// None: they are the same.
    Plain,
}

impl Layer {
    /// Takes what the socket gave, and adds what that means for the program.
    pub(crate) fn incoming(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Plain => out.extend_from_slice(bytes),
        }
    }
}
