//! What a program asks of the world, and what the world answers, as values.
//!
//! The machine carries them, a recording can keep them, and no type of an engine is in them.

use crate::room::{Room, Taken};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// A value that crosses the gate.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// Nothing.
    Undefined,
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Bytes that wait for the program, and count as memory of it until then.
    Held(Box<Held>),
    /// An array.
    List(Vec<Datum>),
    /// An object with its own properties, in their order.
    Record(Vec<(String, Datum)>),
}

/// Bytes, and the memory that they take until the program has them.
#[derive(Debug)]
pub struct Held {
    bytes: Vec<u8>,
    /// A copy has none: it is somebody else's.
    taken: Option<Taken>,
}

impl Held {
    /// The bytes, for which there is memory again.
    pub fn release(self) -> Vec<u8> {
        drop(self.taken);
        self.bytes
    }
}

impl std::ops::Deref for Held {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), taken: None }
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

/// Why an operation failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// The name for it, such as `EINVAL`; empty where the system's number says it all.
    pub code: Box<str>,
    /// In words.
    pub message: Box<str>,
    /// The system's number for it, or 0.
    pub errno: i32,
    /// The call that failed.
    pub syscall: Box<str>,
    /// The path that it was about, in bytes.
    pub path: Option<Box<[u8]>>,
    /// The second path, of a call that has two.
    pub dest: Option<Box<[u8]>>,
}

impl Fault {
    /// A fault that has a name and words for it.
    pub fn new(code: impl Into<Box<str>>, message: impl Into<Box<str>>) -> Self {
        Self { code: code.into(), message: message.into(), ..Self::default() }
    }

    /// The failure of a call of the system.
    pub fn system(errno: i32, syscall: impl Into<Box<str>>) -> Self {
        Self { errno, syscall: syscall.into(), ..Self::default() }
    }

    /// The same, about a path.
    #[must_use]
    pub fn at(self, path: PathBuf) -> Self {
        Self { path: Some(path.into_os_string().into_vec().into()), ..self }
    }

    /// The same, with a second path.
    #[must_use]
    pub fn to(self, path: PathBuf) -> Self {
        Self { dest: Some(path.into_os_string().into_vec().into()), ..self }
    }
}

/// What became of an operation.
pub type Answer = std::result::Result<Datum, Fault>;

impl Datum {
    /// The number that this is.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The text that this is.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same, whose bytes count as memory until the program has them; nothing if there is not as much.
    pub fn held(self, room: &Room) -> Option<Self> {
        match self {
            Self::Bytes(bytes) => {
                let taken = Some(Taken::from(room, bytes.len())?);
                Some(Self::Held(Box::new(Held { bytes, taken })))
            }
            other => Some(other),
        }
    }

    /// How many bytes it holds.
    pub fn weight(&self) -> usize {
        match self {
            Self::Undefined | Self::Null | Self::Bool(_) | Self::Number(_) => 0,
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Held(bytes) => bytes.len(),
            Self::List(items) => items.iter().map(Self::weight).sum(),
            Self::Record(fields) => fields.iter().map(|(_, value)| value.weight()).sum(),
        }
    }

    /// The field of that name, if this is a record that has it.
    pub fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Record(fields) => Some(&fields.iter().find(|(field, _)| field == name)?.1),
            _ => None,
        }
    }
}
