//! The calls of a tree, on an overlay.

use super::devices::Device;
use super::durable::is_synced;
use super::ledger::{Content, Edit};
use super::nodes::{Body, Nodes, OWNER, Place};
use super::{Open, Overlay, State};
use hemiola_gate::Room;
use hemiola_gate::files::{At, Change, Errno, Opened, Result, Stat, Time, Tree, change, open};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The first descriptor after the standard streams.
const FIRST_FD: i32 = 3;

/// Something is in use.
const BUSY: Errno = Errno(16);

impl State {
    fn open_file(&mut self, fd: i32) -> Result<&mut Open> {
        self.open.get_mut(&fd).ok_or(Errno::BADF)
    }

    /// The node of an open file, if what is known of it may be changed.
    fn changeable(&mut self, file: Opened) -> Result<usize> {
        let &mut Open { node, flags, .. } = self.open_file(file.fd)?;
        if file.only_to_write && flags & open::ACCESS == 0 { Err(Errno::ACCES) } else { Ok(node) }
    }

    fn node_at(&mut self, path: At<'_>, follow: bool) -> Result<usize> {
        self.nodes.reach(path, follow)?.node()
    }

    /// A place where something new can be made.
    fn vacant(&mut self, path: At<'_>) -> Result<Place> {
        let place = self.nodes.walk(path, false)?;
        if place.node.is_some() { Err(Errno::EXIST) } else { Ok(place) }
    }

    /// Changes what is known of a file.
    fn change(&mut self, node: usize, change: impl FnOnce(&mut Stat)) {
        let now = self.nodes.now;
        let stat = &mut self.nodes.get_mut(node).stat;
        change(stat);
        stat.times[2] = now;
    }

    /// Changes what is known of a file, and tells of it.
    fn change_attributes(&mut self, node: usize, change: impl FnOnce(&mut Stat)) -> Result<()> {
        self.change(node, change);
        self.watches.changed(&self.nodes, node, change::ATTRIBUTES);
        Ok(())
    }

    /// Notes that the content of a file has changed.
    fn written(&mut self, node: usize) {
        self.nodes.written(node);
        self.watches.changed(&self.nodes, node, change::CONTENT);
    }

    /// Makes something new where nothing is.
    fn make(&mut self, place: &Place, mode: u32, body: Body) -> Result<usize> {
        let node = self.nodes.make(place, mode, body)?;
        self.watches.changed_in(&self.nodes, place, node, change::MADE);
        Ok(node)
    }

    /// Takes one name of a file away.
    fn unname(&mut self, place: &Place, node: usize) -> Result<()> {
        self.nodes.put(place, None)?;
        self.change(node, |stat| stat.links = stat.links.saturating_sub(1));
        self.watches.changed_itself(&self.nodes, node, change::ATTRIBUTES);
        Ok(())
    }

    /// Lets go of the content of a file that nobody can reach any more.
    fn forget(&mut self, node: usize) {
        let is_open = self.open.values().any(|open| open.node == node);
        let Stat { links, .. } = self.nodes.get(node).stat;
        if links > 0 || is_open {
            return;
        }
        self.watches.gone(&self.nodes, node);
        // It comes back if its last name was not lost durably.
        if self.nodes.ledger.is_some() {
            return;
        }
        let body = &mut self.nodes.get_mut(node).body;
        if matches!(body, Body::File(_)) {
            *body = Body::File(Content::Own(Vec::new()));
        }
    }

    fn is_directory(&self, node: usize) -> bool {
        matches!(self.nodes.get(node).body, Body::Directory(_))
    }

    /// Whether a directory is another, or somewhere in it.
    fn is_in(&mut self, directory: usize, other: usize) -> Result<bool> {
        let mut above = directory;
        while above != 0 && above != other {
            above = self.nodes.directory(above)?.parent;
        }
        Ok(above == other)
    }

    fn opened(&mut self, path: At<'_>, flags: i32, mode: u32) -> Result<usize> {
        let exclusive = flags & open::CREATE != 0 && flags & open::EXCLUSIVE != 0;
        let place = self.nodes.walk(path, !exclusive && flags & open::NOT_A_LINK == 0)?;
        let writes = flags & open::ACCESS != 0;
        if flags & open::CREATE != 0 && place.slash && !place.dot {
            return Err(Errno::ISDIR);
        }
        let Some(node) = place.node else {
            if flags & open::CREATE == 0 {
                return Err(Errno::NOENT);
            }
            let mode = Stat::FILE | mode & 0o7777 & !self.mask;
            return self.make(&place, mode, Body::File(Content::Own(Vec::new())));
        };
        if exclusive {
            return Err(Errno::EXIST);
        }
        if place.slash && !self.is_directory(node) {
            return Err(Errno::NOTDIR);
        }
        match &self.nodes.get(node).body {
            Body::Directory(_) if writes || flags & open::CREATE != 0 => return Err(Errno::ISDIR),
            Body::Directory(_) => return Ok(node),
            _ if flags & open::DIRECTORY != 0 => return Err(Errno::NOTDIR),
            Body::Link(_) => return Err(Errno::LOOP),
            Body::Device(Device::Other) => return Err(Errno::NXIO),
            Body::Device(Device::Silent | Device::Zeros | Device::Full) => return Ok(node),
            Body::File(_) => {}
        }
        if flags & open::TRUNCATE != 0 && writes {
            self.nodes.will_edit(node, || Edit::Resize(0));
            self.nodes.get_mut(node).body = Body::File(Content::Own(Vec::new()));
            self.written(node);
        } else {
            self.nodes.content(node)?;
        }
        Ok(node)
    }

    fn rename(&mut self, from: At<'_>, to: At<'_>) -> Result<()> {
        let source = self.nodes.reach(from, false)?;
        let target = self.nodes.reach(to, false)?;
        if source.name.is_empty() || target.name.is_empty() {
            return Err(BUSY);
        }
        let node = source.node()?;
        let is_directory = self.is_directory(node);
        if target.slash && !is_directory {
            return Err(Errno::NOTDIR);
        }
        // A directory cannot be put into itself, nor anything in the place of what it is in.
        if is_directory && self.is_in(target.parent, node)? {
            return Err(Errno::INVAL);
        }
        if let Some(there) = target.node
            && self.is_in(source.parent, there)?
        {
            return Err(Errno::NOTEMPTY);
        }
        if let Some(there) = target.node {
            if there == node {
                return Ok(());
            }
            match (is_directory, self.is_directory(there)) {
                (true, false) => return Err(Errno::NOTDIR),
                (false, true) => return Err(Errno::ISDIR),
                (true, true) if !self.nodes.children(there)?.is_empty() => {
                    return Err(Errno::NOTEMPTY);
                }
                (true, true) => {
                    self.nodes.put(&target, None)?;
                    self.change(there, |stat| stat.links = 0);
                }
                (false, false) => {
                    self.nodes.put(&target, None)?;
                    self.change(there, |stat| stat.links = stat.links.saturating_sub(1));
                }
            }
        }
        self.nodes.put(&source, None)?;
        self.nodes.put(&target, Some(node))?;
        self.change(node, |_| {});
        self.watches.changed_in(&self.nodes, &source, node, change::MOVED_FROM);
        self.watches.changed_in(&self.nodes, &target, node, change::MOVED_TO);
        if let Some(there) = target.node {
            self.watches.changed_itself(&self.nodes, there, change::ATTRIBUTES);
        }
        self.watches.changed_itself(&self.nodes, node, change::MOVED);
        if let Some(there) = target.node {
            self.forget(there);
        }
        Ok(())
    }
}

impl Tree for Overlay {
    fn room(&self) -> Room {
        self.state().nodes.room()
    }

    fn user(&self) -> (u32, u32) {
        OWNER
    }

    fn open(&self, path: At<'_>, flags: i32, mode: u32) -> Result<i32> {
        let on_disk = self.open_through(path, flags, mode)?;
        let mut state = self.state();
        let opened = state.opened(path, flags, mode).map(|node| {
            let fd = (FIRST_FD..).find(|fd| !state.open.contains_key(fd)).unwrap_or(FIRST_FD);
            state.open.insert(fd, Open { node, flags, position: Arc::default() });
            fd
        });
        self.opened_through(&opened, on_disk);
        opened
    }

    fn close(&self, fd: i32) -> Result<()> {
        if (0..FIRST_FD).contains(&fd) {
            return Ok(());
        }
        let mut state = self.state();
        let Open { node, .. } = state.open.remove(&fd).ok_or(Errno::BADF)?;
        state.forget(node);
        drop(state);
        self.close_through(fd)
    }

    /// All workers of a simulated program have its descriptors in common.
    fn give(&self, fd: i32) -> Result<()> {
        if self.state().open.contains_key(&fd) { Ok(()) } else { Err(Errno::BADF) }
    }

    fn read(&self, fd: i32, length: usize, position: Option<u64>) -> Result<Vec<u8>> {
        if fd == 0 {
            return Ok(Vec::new()); // Nobody types.
        }
        let mut state = self.state();
        let Open { node, flags, position: last } = state.open_file(fd)?.clone();
        if flags & open::ACCESS == open::WRITE {
            return Err(Errno::BADF);
        }
        if let Body::Device(device) = state.nodes.get(node).body {
            return device.read(length);
        }
        let start = position.unwrap_or_else(|| last.load(Ordering::Relaxed)) as usize;
        let content = state.nodes.content(node)?;
        let bytes = content.get(start..).unwrap_or_default();
        let bytes = bytes[..length.min(bytes.len())].to_vec();
        if position.is_none() {
            last.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
        Ok(bytes)
    }

    fn write(&self, fd: i32, bytes: &[u8], position: Option<u64>) -> Result<usize> {
        if (1..FIRST_FD).contains(&fd) {
            return Ok(bytes.len()); // What was printed is not written here.
        }
        let mut state = self.state();
        let Open { node, flags, position: last } = state.open_file(fd)?.clone();
        if flags & open::ACCESS == 0 {
            return Err(Errno::BADF);
        }
        if let Body::Device(device) = state.nodes.get(node).body {
            return device.write(bytes);
        }
        let content = state.nodes.content(node)?;
        let start = match position {
            _ if flags & open::APPEND != 0 => content.len(),
            position => position.unwrap_or_else(|| last.load(Ordering::Relaxed)) as usize,
        };
        let end = start.saturating_add(bytes.len());
        fits(end as u64)?;
        self.write_through_at(fd, bytes, start as u64)?;
        if !bytes.is_empty() {
            state.nodes.will_edit(node, || Edit::Write { at: start, bytes: bytes.to_vec() });
            let content = state.nodes.content(node)?;
            if content.len() < end {
                content.resize(end, 0);
            }
            content[start..end].copy_from_slice(bytes);
        }
        state.written(node);
        if is_synced(flags) {
            state.nodes.synced(node);
        }
        if position.is_none() {
            last.store(end as u64, Ordering::Relaxed);
        }
        Ok(bytes.len())
    }

    fn stat(&self, path: At<'_>, follow: bool) -> Result<Stat> {
        let mut state = self.state();
        let node = state.node_at(path, follow)?;
        Ok(state.nodes.get(node).stat)
    }

    fn fstat(&self, fd: i32) -> Result<Stat> {
        if (0..FIRST_FD).contains(&fd) {
            return Ok(Stat { mode: Stat::CHARACTERS | 0o620, links: 1, ..Stat::default() });
        }
        let mut state = self.state();
        let node = state.open_file(fd)?.node;
        Ok(state.nodes.get(node).stat)
    }

    fn statfs(&self, path: At<'_>) -> Result<[u64; 7]> {
        self.state().node_at(path, true)?;
        // As files in memory are, with plenty of room.
        const MEMORY: u64 = 0x0102_1994;
        const BLOCKS: u64 = 1 << 24;
        const FILES: u64 = 1 << 20;
        Ok([MEMORY, 4096, BLOCKS, BLOCKS, BLOCKS, FILES, FILES])
    }

    fn list(&self, path: At<'_>) -> Result<Vec<(OsString, u32)>> {
        let mut state = self.state();
        let node = state.node_at(path, true)?;
        let children = state.nodes.children(node)?;
        let kind = |(name, node): (OsString, usize)| (name, state.nodes.get(node).stat.kind());
        Ok(children.into_iter().map(kind).collect())
    }

    fn mkdir(&self, path: At<'_>, mode: u32) -> Result<()> {
        self.through(&[path], |disk| disk.mkdir(path, mode))?;
        let mut state = self.state();
        let place = state.vacant(path)?;
        let mode = Stat::DIRECTORY | mode & 0o1777 & !state.mask;
        state.make(&place, mode, Nodes::empty(place.parent)).map(drop)
    }

    fn rmdir(&self, path: At<'_>) -> Result<()> {
        // All of it has to be known before it is gone.
        if self.mirror.is_some() {
            let _ = self.list(path);
        }
        self.through(&[path], |disk| disk.rmdir(path))?;
        let mut state = self.state();
        let place = state.nodes.reach(path, false)?;
        let node = place.node()?;
        state.nodes.directory(node)?;
        if place.name.is_empty() {
            return Err(match node {
                _ if place.dot => Errno::INVAL,
                0 => BUSY,
                _ => Errno::NOTEMPTY,
            });
        }
        if !state.nodes.children(node)?.is_empty() {
            return Err(Errno::NOTEMPTY);
        }
        state.nodes.put(&place, None)?;
        state.change(node, |stat| stat.links = 0);
        state.forget(node);
        let State { watches, nodes, .. } = &mut *state;
        watches.changed_in(nodes, &place, node, change::REMOVED);
        Ok(())
    }

    fn unlink(&self, path: At<'_>) -> Result<()> {
        self.through(&[path], |disk| disk.unlink(path))?;
        let mut state = self.state();
        let place = state.nodes.reach(path, false)?;
        let node = place.node()?;
        if state.is_directory(node) {
            return Err(Errno::ISDIR);
        }
        state.unname(&place, node)?;
        state.forget(node);
        let State { watches, nodes, .. } = &mut *state;
        watches.changed_in(nodes, &place, node, change::REMOVED);
        Ok(())
    }

    fn rename(&self, from: At<'_>, to: At<'_>) -> Result<()> {
        self.through(&[from, to], |disk| disk.rename(from, to))?;
        self.state().rename(from, to)?;
        self.moved_through(to);
        Ok(())
    }

    fn link(&self, from: At<'_>, to: At<'_>) -> Result<()> {
        self.through(&[from, to], |disk| disk.link(from, to))?;
        let mut state = self.state();
        let node = state.node_at(from, false)?;
        let place = state.vacant(to)?;
        if place.slash {
            return Err(Errno::NOENT);
        }
        if state.is_directory(node) {
            return Err(Errno::PERM);
        }
        state.nodes.put(&place, Some(node))?;
        state.change(node, |stat| stat.links += 1);
        let State { watches, nodes, .. } = &mut *state;
        watches.changed_itself(nodes, node, change::ATTRIBUTES);
        watches.changed_in(nodes, &place, node, change::MADE);
        Ok(())
    }

    fn symlink(&self, target: &Path, path: At<'_>) -> Result<()> {
        if target.as_os_str().is_empty() {
            return Err(Errno::NOENT);
        }
        self.through(&[path], |disk| disk.symlink(target, path))?;
        let mut state = self.state();
        let place = state.vacant(path)?;
        if place.slash {
            return Err(Errno::NOENT);
        }
        state.make(&place, Stat::LINK | 0o777, Body::Link(target.to_owned())).map(drop)
    }

    fn readlink(&self, path: At<'_>) -> Result<PathBuf> {
        let mut state = self.state();
        let node = state.node_at(path, false)?;
        match &state.nodes.get(node).body {
            Body::Link(target) => Ok(target.clone()),
            _ => Err(Errno::INVAL),
        }
    }

    fn chmod(&self, path: At<'_>, mode: u32) -> Result<()> {
        self.through(&[path], |disk| disk.chmod(path, mode))?;
        let mut state = self.state();
        let node = state.node_at(path, true)?;
        state.change_attributes(node, |stat| stat.mode = stat.kind() | mode & 0o7777)
    }

    fn fchmod(&self, file: Opened, mode: u32) -> Result<()> {
        let node = self.state().changeable(file)?;
        self.through_open(
            file.fd,
            |disk, fd| disk.fchmod(file.with(fd), mode),
            |disk, path| disk.chmod(path, mode),
        )?;
        let mut state = self.state();
        state.change_attributes(node, |stat| stat.mode = stat.kind() | mode & 0o7777)
    }

    fn chown(
        &self,
        path: At<'_>,
        owner: Option<u32>,
        group: Option<u32>,
        follow: bool,
    ) -> Result<()> {
        self.through(&[path], |disk| disk.chown(path, owner, group, follow))?;
        let mut state = self.state();
        let node = state.node_at(path, follow)?;
        state.change_attributes(node, |stat| own(stat, owner, group))
    }

    fn fchown(&self, file: Opened, owner: Option<u32>, group: Option<u32>) -> Result<()> {
        let node = self.state().changeable(file)?;
        self.through_open(
            file.fd,
            |disk, fd| disk.fchown(file.with(fd), owner, group),
            |disk, path| disk.chown(path, owner, group, true),
        )?;
        let mut state = self.state();
        state.change_attributes(node, |stat| own(stat, owner, group))
    }

    fn utimes(&self, path: At<'_>, read: Time, written: Time, follow: bool) -> Result<()> {
        self.through(&[path], |disk| disk.utimes(path, read, written, follow))?;
        let mut state = self.state();
        let node = state.node_at(path, follow)?;
        state.change_attributes(node, |stat| (stat.times[0], stat.times[1]) = (read, written))
    }

    fn futimes(&self, file: Opened, read: Time, written: Time) -> Result<()> {
        let node = self.state().changeable(file)?;
        self.through_open(
            file.fd,
            |disk, fd| disk.futimes(file.with(fd), read, written),
            |disk, path| disk.utimes(path, read, written, true),
        )?;
        let mut state = self.state();
        state.change_attributes(node, |stat| (stat.times[0], stat.times[1]) = (read, written))
    }

    fn truncate(&self, fd: i32, size: u64) -> Result<()> {
        let mut state = self.state();
        let Open { node, flags, .. } = *state.open_file(fd)?;
        if flags & open::ACCESS == 0 {
            return Err(Errno::INVAL);
        }
        fits(size)?;
        drop(state);
        self.through_open(fd, |disk, fd| disk.truncate(fd, size), |_, _| Err(Errno::BADF))?;
        let mut state = self.state();
        state.nodes.content(node)?;
        state.nodes.will_edit(node, || Edit::Resize(size as usize));
        state.nodes.content(node)?.resize(size as usize, 0);
        state.written(node);
        Ok(())
    }

    fn sync(&self, fd: i32, only_data: bool) -> Result<()> {
        self.state().open_file(fd)?;
        self.through_open(fd, |disk, fd| disk.sync(fd, only_data), |_, _| Ok(()))?;
        let mut state = self.state();
        let node = state.open_file(fd)?.node;
        state.nodes.synced(node);
        Ok(())
    }

    fn access(&self, path: At<'_>, mode: u32) -> Result<()> {
        const RUN: u32 = 1;
        let mut state = self.state();
        let node = state.node_at(path, true)?;
        let stat = state.nodes.get(node).stat;
        // The simulated user may read and write all that there is, as the overlay does.
        let runs = stat.kind() == Stat::DIRECTORY || stat.mode & 0o111 != 0;
        if mode & RUN != 0 && !runs { Err(Errno::ACCES) } else { Ok(()) }
    }

    fn set_mask(&self, mask: u32) -> u32 {
        if let Some(mirror) = &self.mirror {
            mirror.set_mask(mask);
        }
        std::mem::replace(&mut self.state().mask, mask)
    }

    fn watch(&self, path: At<'_>) -> Result<i32> {
        let mut state = self.state();
        let node = state.node_at(path, true)?;
        Ok(state.watches.add(node))
    }

    fn unwatch(&self, watch: i32) -> Result<()> {
        self.state().watches.remove(watch)
    }

    fn changes(&self) -> Result<Vec<Change>> {
        Ok(std::mem::take(&mut self.state().watches.untold))
    }
}

/// Refuses a file that would take too much memory: all of it is kept there.
fn fits(size: u64) -> Result<()> {
    const LARGEST: u64 = 1 << 30;
    if size > LARGEST { Err(Errno::FBIG) } else { Ok(()) }
}

fn own(stat: &mut Stat, owner: Option<u32>, group: Option<u32>) {
    stat.owner = (owner.unwrap_or(stat.owner.0), group.unwrap_or(stat.owner.1));
}
