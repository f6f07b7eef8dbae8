//! Files that note what every call reads and writes.

use super::effects::{Access, Location};
use crate::overlay::{Overlay, Way};
use Access::{Read, Write};
use hemiola_gate::Room;
use hemiola_gate::files::{At, Change, Opened, Result, Stat, Time, Tree, open};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What was touched, and by which path each file was first known.
#[derive(Clone, Default)]
pub(crate) struct Notes {
    pub(crate) touches: Vec<(Location, Access)>,
    first_paths: BTreeMap<usize, PathBuf>,
}

/// The files of an overlay, with somebody who takes notes.
pub(crate) struct Tapped<'a> {
    pub(crate) files: &'a Overlay,
    pub(crate) notes: &'a RefCell<Notes>,
}

impl Tapped<'_> {
    fn note(&self, location: Location, access: Access) {
        let touches = &mut self.notes.borrow_mut().touches;
        if touches.last().is_none_or(|last| (&last.0, last.1) != (&location, access)) {
            touches.push((location, access));
        }
    }

    /// Somebody looks where a path leads.
    fn look(&self, way: &Way) {
        for directory in &way.through {
            self.note(Location::File(directory.clone()), Read);
        }
        self.note(Location::File(way.at.clone()), Read);
    }

    /// A name is given or taken away, unless that failed: then somebody has looked.
    fn name<T>(&self, way: &Way, result: &Result<T>) {
        self.look(way);
        if result.is_ok() {
            self.note(Location::File(way.at.clone()), Write);
            self.note(Location::Entries(way.parent.clone()), Write);
            self.changed();
        }
    }

    /// Somebody reads or changes a file, or what is known of it.
    fn content(&self, node: Option<usize>, access: Access) {
        let Some(node) = node else { return };
        let path = self
            .notes
            .borrow_mut()
            .first_paths
            .entry(node)
            .or_insert_with(|| self.files.path_of(node))
            .clone();
        self.note(Location::File(path), access);
        if access == Write {
            self.changed();
        }
    }

    fn changed(&self) {
        if self.files.is_watched() {
            self.note(Location::Changes, Write);
        }
    }

    /// Looks where a path leads, and at what is there.
    fn look_at(&self, path: At<'_>, follow: bool) {
        let way = self.files.way(path, follow);
        self.look(&way);
        self.content(way.node, Read);
    }

    /// Does something to what is at a path.
    fn change<T>(&self, path: At<'_>, follow: bool, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let way = self.files.way(path, follow);
        self.look(&way);
        let result = act();
        self.content(way.node, if result.is_ok() { Write } else { Read });
        result
    }

    /// Does something to an open file.
    fn on_open<T>(&self, fd: i32, access: Access, act: impl FnOnce() -> Result<T>) -> Result<T> {
        self.content(self.files.node_of(fd).ok(), access);
        act()
    }

    /// The same where the file is read or written next.
    fn position(&self, fd: i32, position: Option<u64>) {
        if position.is_none() && self.files.node_of(fd).is_ok() {
            self.note(Location::Descriptor(fd), Write);
        }
    }
}

impl Tree for Tapped<'_> {
    fn room(&self) -> Room {
        self.files.room()
    }

    fn user(&self) -> (u32, u32) {
        self.files.user()
    }

    fn open(&self, path: At<'_>, flags: i32, mode: u32) -> Result<i32> {
        let exclusive = flags & open::CREATE != 0 && flags & open::EXCLUSIVE != 0;
        let way = self.files.way(path, !exclusive && flags & open::NOT_A_LINK == 0);
        let result = self.files.open(path, flags, mode);
        match way.node {
            None => self.name(&way, &result),
            Some(_) => {
                self.look(&way);
                let empties = flags & open::TRUNCATE != 0 && flags & open::ACCESS != 0;
                self.content(way.node, if result.is_ok() && empties { Write } else { Read });
            }
        }
        result
    }

    fn close(&self, fd: i32) -> Result<()> {
        self.files.close(fd)
    }

    fn give(&self, fd: i32) -> Result<()> {
        self.files.give(fd)
    }

    fn read(&self, fd: i32, length: usize, position: Option<u64>) -> Result<Vec<u8>> {
        self.position(fd, position);
        self.on_open(fd, Read, || self.files.read(fd, length, position))
    }

    fn write(&self, fd: i32, bytes: &[u8], position: Option<u64>) -> Result<usize> {
        self.position(fd, position);
        self.on_open(fd, Write, || self.files.write(fd, bytes, position))
    }

    fn stat(&self, path: At<'_>, follow: bool) -> Result<Stat> {
        self.look_at(path, follow);
        self.files.stat(path, follow)
    }

    fn fstat(&self, fd: i32) -> Result<Stat> {
        self.on_open(fd, Read, || self.files.fstat(fd))
    }

    fn statfs(&self, path: At<'_>) -> Result<[u64; 7]> {
        self.look_at(path, true);
        self.files.statfs(path)
    }

    fn list(&self, path: At<'_>) -> Result<Vec<(OsString, u32)>> {
        let way = self.files.way(path, true);
        self.look(&way);
        self.note(Location::Entries(way.at), Read);
        self.files.list(path)
    }

    fn mkdir(&self, path: At<'_>, mode: u32) -> Result<()> {
        let way = self.files.way(path, false);
        let result = self.files.mkdir(path, mode);
        self.name(&way, &result);
        result
    }

    fn rmdir(&self, path: At<'_>) -> Result<()> {
        let way = self.files.way(path, false);
        self.note(Location::Entries(way.at.clone()), Read);
        let result = self.files.rmdir(path);
        self.name(&way, &result);
        result
    }

    fn unlink(&self, path: At<'_>) -> Result<()> {
        let way = self.files.way(path, false);
        // Whoever has it open sees that it has one name fewer.
        self.content(way.node, Write);
        let result = self.files.unlink(path);
        self.name(&way, &result);
        result
    }

    fn rename(&self, from: At<'_>, to: At<'_>) -> Result<()> {
        let (source, target) = (self.files.way(from, false), self.files.way(to, false));
        self.content(source.node, Write);
        self.content(target.node, Write);
        let result = self.files.rename(from, to);
        self.name(&source, &result);
        self.name(&target, &result);
        result
    }

    fn link(&self, from: At<'_>, to: At<'_>) -> Result<()> {
        let (source, target) = (self.files.way(from, false), self.files.way(to, false));
        self.look(&source);
        self.content(source.node, Write);
        let result = self.files.link(from, to);
        self.name(&target, &result);
        result
    }

    fn symlink(&self, target: &Path, path: At<'_>) -> Result<()> {
        let way = self.files.way(path, false);
        let result = self.files.symlink(target, path);
        self.name(&way, &result);
        result
    }

    fn readlink(&self, path: At<'_>) -> Result<PathBuf> {
        self.look_at(path, false);
        self.files.readlink(path)
    }

    fn chmod(&self, path: At<'_>, mode: u32) -> Result<()> {
        self.change(path, true, || self.files.chmod(path, mode))
    }

    fn fchmod(&self, file: Opened, mode: u32) -> Result<()> {
        self.on_open(file.fd, Write, || self.files.fchmod(file, mode))
    }

    fn chown(
        &self,
        path: At<'_>,
        owner: Option<u32>,
        group: Option<u32>,
        follow: bool,
    ) -> Result<()> {
        self.change(path, follow, || self.files.chown(path, owner, group, follow))
    }

    fn fchown(&self, file: Opened, owner: Option<u32>, group: Option<u32>) -> Result<()> {
        self.on_open(file.fd, Write, || self.files.fchown(file, owner, group))
    }

    fn utimes(&self, path: At<'_>, read: Time, written: Time, follow: bool) -> Result<()> {
        self.change(path, follow, || self.files.utimes(path, read, written, follow))
    }

    fn futimes(&self, file: Opened, read: Time, written: Time) -> Result<()> {
        self.on_open(file.fd, Write, || self.files.futimes(file, read, written))
    }

    fn truncate(&self, fd: i32, size: u64) -> Result<()> {
        self.on_open(fd, Write, || self.files.truncate(fd, size))
    }

    fn sync(&self, fd: i32, only_data: bool) -> Result<()> {
        self.files.sync(fd, only_data)
    }

    fn access(&self, path: At<'_>, mode: u32) -> Result<()> {
        self.look_at(path, true);
        self.files.access(path, mode)
    }

    fn set_mask(&self, mask: u32) -> u32 {
        self.files.set_mask(mask)
    }

    fn watch(&self, path: At<'_>) -> Result<i32> {
        self.look_at(path, true);
        self.note(Location::Changes, Write);
        self.files.watch(path)
    }

    fn unwatch(&self, watch: i32) -> Result<()> {
        self.note(Location::Changes, Write);
        self.files.unwatch(watch)
    }

    fn changes(&self) -> Result<Vec<Change>> {
        self.note(Location::Changes, Write);
        self.files.changes()
    }
}
