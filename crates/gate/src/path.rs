//! Paths: as a program gives them, and as they are used once they were checked.

use crate::grant::Grant;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Whether a path may lead over symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// As the system takes it: links are followed.
    Followed,
    /// No part of it may be a link, or the call fails with [`Errno::LOOP`](crate::files::Errno::LOOP): its
    /// links were followed when it was checked, and one that is there now was put there since. The last part
    /// may be one for a call that is about the link itself.
    Refused,
}

/// Where a call of a tree goes.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The path.
    pub path: &'a Path,
    /// Over links or not.
    pub links: Links,
}

impl<'a> At<'a> {
    /// Wherever a path leads, for whoever may go everywhere.
    pub fn anywhere(path: &'a Path) -> Self {
        Self { path, links: Links::Followed }
    }

    /// Another path, in the same way.
    #[must_use]
    pub fn with<'b>(self, path: &'b Path) -> At<'b> {
        At { path, links: self.links }
    }

    /// Whether the path ends so that it can only lead to a directory: then a link at its end is followed
    /// also by calls that are about links.
    pub fn says_directory(self) -> bool {
        let path = self.path.as_os_str().as_bytes();
        path.ends_with(b"/") || path.ends_with(b"/.")
    }
}

/// A path as the program gave it and, once that was checked, the place that it led to then.
///
/// What the program gave is what recordings keep and errors name; the place is what is used. It is found once
/// and never again, so that nobody can make the path lead elsewhere between the check and the use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePath {
    given: Given,
    place: OnceLock<Box<Place>>,
}

/// Text if the program gave one, else bytes, which need be no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Text(String),
    Bytes(Vec<u8>),
}

/// Where a path leads without links, and what it was checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    pub(crate) within: Grant,
}

impl FilePath {
    /// The path, as the program gave it.
    pub fn as_path(&self) -> &Path {
        match &self.given {
            Given::Text(text) => Path::new(text),
            Given::Bytes(bytes) => Path::new(OsStr::from_bytes(bytes)),
        }
    }

    /// Where a call of a tree goes with it: where it led when it was checked, if it was.
    pub fn at(&self) -> At<'_> {
        match self.place() {
            Some(place) => At { path: &place.path, links: Links::Refused },
            None => At::anywhere(self.as_path()),
        }
    }

    /// The place that the path leads to from now on; found by `find`, unless it was before.
    pub(crate) fn settle(&self, find: impl FnOnce() -> Place) -> &Place {
        self.place.get_or_init(|| Box::new(find()))
    }

    /// The place that it led to when it was checked; nothing if it need not be.
    pub(crate) fn place(&self) -> Option<&Place> {
        self.place.get().map(Box::as_ref)
    }

    /// What the program would call something that was found below the place, or on the way to it.
    pub(crate) fn as_given(&self, found: &Path) -> PathBuf {
        let Some(Place { path, .. }) = self.place() else { return found.to_owned() };
        if let Ok(below) = found.strip_prefix(path) {
            let given = self.as_path();
            return if below.as_os_str().is_empty() { given.to_owned() } else { given.join(below) };
        }
        match path.strip_prefix(found) {
            Ok(rest) if self.as_path().ends_with(rest) => self
                .as_path()
                .ancestors()
                .nth(rest.components().count())
                .unwrap_or(found)
                .to_owned(),
            _ => found.to_owned(),
        }
    }

    pub(crate) fn given(&self) -> &Given {
        &self.given
    }

    pub(crate) fn into_given(self) -> Given {
        self.given
    }
}

impl From<Given> for FilePath {
    fn from(given: Given) -> Self {
        Self { given, place: OnceLock::new() }
    }
}

impl From<String> for FilePath {
    fn from(text: String) -> Self {
        Given::Text(text).into()
    }
}

impl From<Vec<u8>> for FilePath {
    fn from(bytes: Vec<u8>) -> Self {
        Given::Bytes(bytes).into()
    }
}

impl From<&Path> for FilePath {
    fn from(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => text.to_owned().into(),
            None => path.as_os_str().as_bytes().to_vec().into(),
        }
    }
}
