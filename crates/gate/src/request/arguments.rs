//! What calls are given, and how it is written on the wire: each type reads and writes the same form.

use crate::descriptor::Descriptor;
use crate::path::{FilePath, Given};
use crate::program::Program;
use crate::value::Datum;
use std::ops::Deref;
use std::vec::IntoIter;

/// Something that a call is given.
pub trait Argument: Sized {
    /// Takes it off the wire; nothing if something else is there.
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self>;
    /// Puts it on the wire.
    fn put(self, wire: &mut Vec<Datum>);
    /// The texts that it is, for people.
    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>);
}

/// A file: by a path, or by a descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileRef {
    /// The one at a path.
    Path(FilePath),
    /// One that is open.
    Descriptor(i32),
}

/// Where to read or write; nothing is where the last one ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(pub Option<u64>);

/// Bytes to send, in one piece or in several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// One piece.
    One(Vec<u8>),
    /// Several, one after the other.
    Many(Vec<Vec<u8>>),
}

impl Pieces {
    /// How many bytes they are.
    pub fn len(&self) -> usize {
        match self {
            Self::One(bytes) => bytes.len(),
            Self::Many(pieces) => pieces.iter().map(Vec::len).sum(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lets only so many be left.
    pub fn truncate(&mut self, count: usize) {
        let mut bytes = std::mem::replace(self, Self::Many(Vec::new())).whole();
        bytes.truncate(count);
        *self = Self::One(bytes);
    }

    /// All of them in one.
    pub fn whole(self) -> Vec<u8> {
        match self {
            Self::One(bytes) => bytes,
            Self::Many(pieces) => pieces.concat(),
        }
    }
}

/// Named fields, whose meaning is read where they are used.
#[derive(Clone, Debug, PartialEq)]
pub struct Record(Datum);

impl Record {
    /// Those fields.
    pub fn new(fields: Vec<(String, Datum)>) -> Self {
        Self(Datum::Record(fields))
    }
}

impl Deref for Record {
    type Target = Datum;

    fn deref(&self) -> &Datum {
        &self.0
    }
}

/// What may be left out at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trailing<T>(pub Option<T>);

/// Something that may stand at the end and is not written down: recordings know nothing of it, and a call
/// is the same request with it and without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aside(pub bool);

/// A secret that may stand at the end. It is not written down either, and nobody who prints a request sees it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(pub Option<String>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Secret(***)" } else { "Secret" })
    }
}

/// What is `null` if it is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nullable<T>(pub Option<T>);

/// All further values.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest(pub Vec<Datum>);

/// The value that a word of memory is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// Of 32 bits.
    Narrow(f64),
    /// Of 64 bits, in digits.
    Wide(String),
}

/// The next value, if `read` knows it.
fn next<T>(wire: &mut IntoIter<Datum>, read: impl FnOnce(Datum) -> Option<T>) -> Option<T> {
    wire.next().and_then(read)
}

impl Argument for FilePath {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        next(wire, |datum| match datum {
            Datum::Text(text) => Some(text.into()),
            Datum::Bytes(bytes) => Some(bytes.into()),
            _ => None,
        })
    }

    /// As the program gave it.
    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(match self.into_given() {
            Given::Text(text) => Datum::Text(text),
            Given::Bytes(bytes) => Datum::Bytes(bytes),
        });
    }

    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
        if let Given::Text(text) = self.given() {
            texts.push(text);
        }
    }
}

impl Argument for FileRef {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        match wire.as_slice().first()? {
            Datum::Number(_) => i32::take(wire).map(Self::Descriptor),
            _ => FilePath::take(wire).map(Self::Path),
        }
    }

    fn put(self, wire: &mut Vec<Datum>) {
        match self {
            Self::Path(path) => path.put(wire),
            Self::Descriptor(fd) => fd.put(wire),
        }
    }

    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
        if let Self::Path(path) = self {
            path.tell_texts(texts);
        }
    }
}

impl Argument for Descriptor {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        i32::take(wire).map(Self::from)
    }

    fn put(self, wire: &mut Vec<Datum>) {
        self.number().put(wire);
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for Position {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        let at = f64::take(wire)?;
        Some(Self((at >= 0.0).then_some(at as u64)))
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(Datum::Number(self.0.map_or(-1.0, |at| at as f64)));
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for Pieces {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        let piece = |datum: Datum| match datum {
            Datum::Bytes(bytes) => Some(bytes),
            _ => None,
        };
        next(wire, |datum| match datum {
            Datum::Bytes(bytes) => Some(Self::One(bytes)),
            Datum::List(pieces) => {
                pieces.into_iter().map(piece).collect::<Option<_>>().map(Self::Many)
            }
            _ => None,
        })
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(match self {
            Self::One(bytes) => Datum::Bytes(bytes),
            Self::Many(pieces) => Datum::List(pieces.into_iter().map(Datum::Bytes).collect()),
        });
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for Record {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        next(wire, |datum| matches!(datum, Datum::Record(_)).then_some(Self(datum)))
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(self.0);
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for Program {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        next(wire, |datum| matches!(datum, Datum::Record(_)).then(|| Self::from(datum)))
    }

    /// As the program described it.
    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(self.into_record());
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for Aside {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        if wire.as_slice().is_empty() { Some(Self(false)) } else { bool::take(wire).map(Self) }
    }

    fn put(self, _: &mut Vec<Datum>) {}

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for Secret {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        if wire.as_slice().is_empty() {
            return Some(Self(None));
        }
        <Option<String> as Argument>::take(wire).map(Self)
    }

    fn put(self, _: &mut Vec<Datum>) {}

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl<T: Argument> Argument for Trailing<T> {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        if wire.as_slice().is_empty() { Some(Self(None)) } else { Some(Self(Some(T::take(wire)?))) }
    }

    fn put(self, wire: &mut Vec<Datum>) {
        if let Some(value) = self.0 {
            value.put(wire);
        }
    }

    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
        if let Some(value) = &self.0 {
            value.tell_texts(texts);
        }
    }
}

impl<T: Argument> Argument for Nullable<T> {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        if *wire.as_slice().first()? != Datum::Null {
            return T::take(wire).map(Some).map(Self);
        }
        wire.next();
        Some(Self(None))
    }

    fn put(self, wire: &mut Vec<Datum>) {
        match self.0 {
            Some(value) => value.put(wire),
            None => wire.push(Datum::Null),
        }
    }

    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
        if let Some(value) = &self.0 {
            value.tell_texts(texts);
        }
    }
}

/// `undefined` is nothing.
impl<T: Argument> Argument for Option<T> {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        if *wire.as_slice().first()? != Datum::Undefined {
            return T::take(wire).map(Some);
        }
        wire.next();
        Some(None)
    }

    fn put(self, wire: &mut Vec<Datum>) {
        match self {
            Some(value) => value.put(wire),
            None => wire.push(Datum::Undefined),
        }
    }

    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
        if let Some(value) = self {
            value.tell_texts(texts);
        }
    }
}

impl<A: Argument, B: Argument> Argument for (A, B) {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        Some((A::take(wire)?, B::take(wire)?))
    }

    fn put(self, wire: &mut Vec<Datum>) {
        self.0.put(wire);
        self.1.put(wire);
    }

    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
        self.0.tell_texts(texts);
        self.1.tell_texts(texts);
    }
}

impl Argument for Rest {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        Some(Self(wire.collect()))
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.extend(self.0);
    }

    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
        texts.extend(self.0.iter().filter_map(Datum::as_text));
    }
}

impl Argument for Expected {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        next(wire, |datum| match datum {
            Datum::Number(number) => Some(Self::Narrow(number)),
            Datum::Text(digits) => Some(Self::Wide(digits)),
            _ => None,
        })
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(match self {
            Self::Narrow(number) => Datum::Number(number),
            Self::Wide(digits) => Datum::Text(digits),
        });
    }

    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
        if let Self::Wide(digits) = self {
            texts.push(digits);
        }
    }
}

impl Argument for String {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        next(wire, |datum| match datum {
            Datum::Text(text) => Some(text),
            _ => None,
        })
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(Datum::Text(self));
    }

    fn tell_texts<'a>(&'a self, texts: &mut Vec<&'a str>) {
        texts.push(self);
    }
}

impl Argument for Vec<u8> {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        next(wire, |datum| match datum {
            Datum::Bytes(bytes) => Some(bytes),
            _ => None,
        })
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(Datum::Bytes(self));
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for Vec<Datum> {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        next(wire, |datum| match datum {
            Datum::List(items) => Some(items),
            _ => None,
        })
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(Datum::List(self));
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for Vec<u64> {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        let items = Vec::<Datum>::take(wire)?;
        items.iter().map(|item| item.as_number().map(|number| number as u64)).collect()
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(Datum::List(self.into_iter().map(|one| Datum::Number(one as f64)).collect()));
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for bool {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        next(wire, |datum| match datum {
            Datum::Bool(flag) => Some(flag),
            _ => None,
        })
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(Datum::Bool(self));
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

impl Argument for f64 {
    fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
        next(wire, |datum| datum.as_number())
    }

    fn put(self, wire: &mut Vec<Datum>) {
        wire.push(Datum::Number(self));
    }

    fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
}

/// Whole numbers: the library checks that they fit.
macro_rules! whole {
    ($($type:ty)*) => {
        $(impl Argument for $type {
            fn take(wire: &mut IntoIter<Datum>) -> Option<Self> {
                f64::take(wire).map(|number| number as Self)
            }

            fn put(self, wire: &mut Vec<Datum>) {
                wire.push(Datum::Number(self as f64));
            }

            fn tell_texts<'a>(&'a self, _: &mut Vec<&'a str>) {}
        })*
    };
}

whole! { i32 i64 u16 u32 u64 }
