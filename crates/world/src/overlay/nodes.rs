//! The files of an overlay, and the ways to them.

use super::devices::Device;
use super::ledger::{Content, Ledger};
use super::read;
use hemiola_gate::Room;
use hemiola_gate::files::{At, Errno, Links, Result, Stat, Time, Tree, change};
use hemiola_gate::system::USER;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// How long a path may be, with a zero after it, as on Linux.
const PATH: usize = 4096;

/// How many links may be followed on one way, as on Linux.
const LINKS: usize = 40;

/// How long a name may be, in bytes.
const NAME: usize = 255;

/// How many bytes of files are copied at most.
const COPIED: usize = 1 << 18;

/// Where the numbers of files start that are on no disk.
const FIRST_INODE: u64 = 1 << 40;

/// The user and the group of a simulated process: its files are theirs.
pub(super) const OWNER: (u32, u32) = (USER, USER);

/// What a program sees of a file of the disk: what belongs to whoever simulates belongs to the program.
fn seen_by_program(stat: Stat, (user, group): (u32, u32)) -> Stat {
    let of_program = |owner: u32, own: u32| if owner == own { USER } else { owner };
    Stat { owner: (of_program(stat.owner.0, user), of_program(stat.owner.1, group)), ..stat }
}

/// All files, by their index; the root is first.
pub(super) struct Nodes {
    lower: Arc<dyn Tree + Send + Sync>,
    nodes: Vec<Node>,
    /// Files of the disk with several names, so that they stay one file here.
    linked: BTreeMap<(u64, u64), usize>,
    /// How many files the program has made. Their numbers come from here: they must not tell how many others
    /// were looked at before.
    made: u64,
    /// Whether a name or a content is not what it was on the disk any more.
    pub(super) is_changed: bool,
    /// Whether anything is not as it was there, be it only what is known of a file.
    pub(super) is_touched: bool,
    pub(super) now: Time,
    /// What was not synced, if somebody wants to know.
    pub(super) ledger: Option<Ledger>,
}

#[derive(Clone)]
pub(super) struct Node {
    /// The directory that it is in, and its name there; of several the one that was last seen.
    pub(super) home: Option<(usize, OsString)>,
    pub(super) stat: Stat,
    pub(super) body: Body,
}

#[derive(Clone)]
pub(super) enum Body {
    File(Content),
    Directory(Directory),
    Link(PathBuf),
    Device(Device),
}

#[derive(Clone)]
pub(super) struct Directory {
    pub(super) parent: usize,
    /// What is known: a file, or that there is none.
    entries: BTreeMap<OsString, Option<usize>>,
    /// Where the rest is, if it is on the disk.
    pub(super) lower: Option<PathBuf>,
}

impl Directory {
    /// What is known to be in it.
    pub(super) fn known(&self) -> Vec<(OsString, usize)> {
        self.entries.iter().filter_map(|(name, &node)| Some((name.clone(), node?))).collect()
    }
}

/// Where a path leads.
pub(super) struct Place {
    pub(super) parent: usize,
    /// Empty for the root, for `.` and for `..`.
    pub(super) name: OsString,
    pub(super) node: Option<usize>,
    /// Whether the path says that it is a directory.
    pub(super) slash: bool,
    /// Whether the path ends with `.`.
    pub(super) dot: bool,
}

impl Place {
    /// What is there.
    pub(super) fn node(&self) -> Result<usize> {
        self.node.ok_or(Errno::NOENT)
    }
}

impl Nodes {
    pub(super) fn new(lower: Arc<dyn Tree + Send + Sync>) -> Self {
        let found = lower.stat(At::anywhere(Path::new("/")), true).unwrap_or(Stat {
            mode: Stat::DIRECTORY | 0o755,
            links: 2,
            ..Stat::default()
        });
        let stat = seen_by_program(found, lower.user());
        let root = Directory { parent: 0, entries: BTreeMap::new(), lower: Some("/".into()) };
        let nodes = vec![Node { home: None, stat, body: Body::Directory(root) }];
        let linked = BTreeMap::new();
        let now = Time::default();
        Self {
            lower,
            nodes,
            linked,
            made: 0,
            is_changed: false,
            is_touched: false,
            now,
            ledger: None,
        }
    }

    /// The same files with a life of their own; nothing if they hold a lot, or somebody keeps what was not synced.
    pub(super) fn copy(&self) -> Option<Self> {
        let own = |node: &Node| match &node.body {
            Body::File(Content::Own(bytes)) => bytes.len(),
            _ => 0,
        };
        let size: usize = self.nodes.iter().map(own).sum();
        let Self { lower, nodes, linked, made, is_changed, is_touched, now, ledger } = self;
        (size <= COPIED && ledger.is_none()).then(|| Self {
            lower: Arc::clone(lower),
            nodes: nodes.clone(),
            linked: linked.clone(),
            made: *made,
            is_changed: *is_changed,
            is_touched: *is_touched,
            now: *now,
            ledger: None,
        })
    }

    /// Whether whoever looks at the same disk for the first time finds the same.
    pub(super) fn is_as_on_disk(&self) -> bool {
        // Of several names of one file it counts by which it was found.
        !self.is_touched && self.linked.is_empty() && self.ledger.is_none()
    }

    pub(super) fn get(&self, node: usize) -> &Node {
        &self.nodes[node]
    }

    pub(super) fn get_mut(&mut self, node: usize) -> &mut Node {
        self.is_touched = true;
        &mut self.nodes[node]
    }

    /// What is said along with changes of a directory.
    pub(super) fn directory_flag(&self, node: usize) -> u32 {
        match self.nodes[node].body {
            Body::Directory(_) => change::DIRECTORY,
            _ => 0,
        }
    }

    pub(super) fn directory(&mut self, node: usize) -> Result<&mut Directory> {
        match &mut self.nodes[node].body {
            Body::Directory(directory) => Ok(directory),
            _ => Err(Errno::NOTDIR),
        }
    }

    /// Walks a path; the last link is followed if it is to be, or if a slash comes after it.
    pub(super) fn walk(&mut self, At { path, links }: At<'_>, follow: bool) -> Result<Place> {
        let bytes = path.as_os_str().as_bytes();
        if bytes.is_empty() {
            return Err(Errno::NOENT);
        }
        if bytes.len() >= PATH {
            return Err(Errno::NAMETOOLONG);
        }
        let dot = bytes == b"." || bytes.ends_with(b"/.");
        let slash = dot || bytes.ends_with(b"/");
        let parts = |path: &Path| -> Vec<OsString> {
            path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
        };
        let mut rest = parts(path);
        let mut at = Place { parent: 0, name: OsString::new(), node: Some(0), slash, dot };
        let mut followed = 0;
        while let Some(part) = rest.pop() {
            // Something that is not there, or no directory, leads nowhere.
            let here = at.node()?;
            let parent = self.directory(here)?.parent;
            match Path::new(&part).components().next() {
                Some(Component::RootDir) => (at.parent, at.node) = (0, Some(0)),
                Some(Component::ParentDir) => {
                    (at.parent, at.node) = (parent, Some(parent));
                    at.name.clear();
                }
                Some(Component::Normal(name)) => {
                    let node = self.child(here, name)?;
                    let target = node.and_then(|node| match &self.nodes[node].body {
                        Body::Link(target) if follow || slash || !rest.is_empty() => {
                            Some(target.clone())
                        }
                        _ => None,
                    });
                    match target {
                        Some(target) => {
                            followed += 1;
                            if links == Links::Refused || followed > LINKS {
                                return Err(Errno::LOOP);
                            }
                            if target.is_absolute() {
                                (at.parent, at.node) = (0, Some(0));
                                at.name.clear();
                            }
                            rest.extend(parts(&target));
                        }
                        None => {
                            (at.parent, at.node) = (here, node);
                            at.name = name.to_owned();
                        }
                    }
                }
                _ => {}
            }
        }
        if dot {
            let here = at.node()?;
            self.directory(here)?;
            at.name.clear();
        }
        Ok(at)
    }

    /// As [`Nodes::walk`], for whoever does not make anything: with a slash after it, something that is
    /// there has to be a directory.
    pub(super) fn reach(&mut self, path: At<'_>, follow: bool) -> Result<Place> {
        let place = self.walk(path, follow)?;
        let is_directory =
            place.node.is_none_or(|node| matches!(self.nodes[node].body, Body::Directory(_)));
        if place.slash && !is_directory { Err(Errno::NOTDIR) } else { Ok(place) }
    }

    /// What a directory holds under a name.
    pub(super) fn child(&mut self, directory: usize, name: &OsStr) -> Result<Option<usize>> {
        if name.len() > NAME {
            return Err(Errno::NAMETOOLONG);
        }
        let Directory { entries, lower, .. } = self.directory(directory)?;
        if let Some(&known) = entries.get(name) {
            return Ok(known);
        }
        let Some(path) = lower.as_ref().map(|lower| lower.join(name)) else { return Ok(None) };
        let found = match self.lower.stat(At::anywhere(&path), false) {
            Ok(stat) => {
                let node = self.adopt(directory, path, stat)?;
                self.nodes[node].home = Some((directory, name.to_owned()));
                Some(node)
            }
            Err(Errno::NOENT) => None,
            Err(error) => return Err(error),
        };
        self.directory(directory)?.entries.insert(name.to_owned(), found);
        Ok(found)
    }

    /// Takes a file of the disk in.
    fn adopt(&mut self, parent: usize, path: PathBuf, found: Stat) -> Result<usize> {
        let stat = seen_by_program(found, self.lower.user());
        let identity = (stat.device, stat.inode);
        if let Some(&known) = self.linked.get(&identity) {
            return Ok(known);
        }
        let body = match stat.kind() {
            Stat::DIRECTORY => {
                Body::Directory(Directory { parent, entries: BTreeMap::new(), lower: Some(path) })
            }
            Stat::LINK => Body::Link(self.lower.readlink(At::anywhere(&path))?),
            Stat::FILE => Body::File(Content::Lower(path)),
            _ => Body::Device(Device::of(stat)),
        };
        self.nodes.push(Node { home: None, stat, body });
        let node = self.nodes.len() - 1;
        if stat.kind() == Stat::FILE && stat.links > 1 {
            self.linked.insert(identity, node);
        }
        Ok(node)
    }

    /// All names in a directory, with what they name.
    pub(super) fn children(&mut self, directory: usize) -> Result<Vec<(OsString, usize)>> {
        if let Some(lower) = self.directory(directory)?.lower.clone() {
            for (name, _) in self.lower.list(At::anywhere(&lower))? {
                self.child(directory, &name)?;
            }
            // From here on all of it is known.
            self.directory(directory)?.lower = None;
        }
        Ok(self.directory(directory)?.known())
    }

    /// Makes something new at a place where nothing is.
    pub(super) fn make(&mut self, place: &Place, mode: u32, body: Body) -> Result<usize> {
        let node = self.nodes.len();
        self.made += 1;
        let times = [self.now; 4];
        let home = self.nodes[place.parent].stat;
        let size = match &body {
            Body::Link(target) => target.as_os_str().len() as u64,
            Body::Directory(_) => 4096,
            _ => 0,
        };
        let stat = Stat {
            device: home.device,
            inode: FIRST_INODE + self.made,
            mode,
            links: if matches!(body, Body::Directory(_)) { 2 } else { 1 },
            owner: OWNER,
            special: 0,
            size,
            block_size: 4096,
            blocks: size.div_ceil(512),
            times,
        };
        self.nodes.push(Node { home: None, stat, body });
        self.put(place, Some(node))?;
        Ok(node)
    }

    /// A directory without anything in it.
    pub(super) fn empty(parent: usize) -> Body {
        Body::Directory(Directory { parent, entries: BTreeMap::new(), lower: None })
    }

    /// Says what a name in a directory stands for, keeping count of directories in directories.
    pub(super) fn put(&mut self, place: &Place, node: Option<usize>) -> Result<()> {
        let now = self.now;
        (self.is_changed, self.is_touched) = (true, true);
        let before =
            self.directory(place.parent)?.entries.insert(place.name.clone(), node).flatten();
        self.named(place, before, node);
        let directories = |nodes: &[Node], node: Option<usize>| {
            node.is_some_and(|node| matches!(nodes[node].body, Body::Directory(_))) as u64
        };
        let (less, more) = (directories(&self.nodes, before), directories(&self.nodes, node));
        let stat = &mut self.nodes[place.parent].stat;
        stat.links = stat.links + more - less.min(stat.links);
        (stat.times[1], stat.times[2]) = (now, now);
        if let Some(node) = node {
            let node = &mut self.nodes[node];
            node.home = Some((place.parent, place.name.clone()));
            if let Body::Directory(directory) = &mut node.body {
                directory.parent = place.parent;
            }
        }
        Ok(())
    }

    /// The memory that there is for what is read.
    pub(super) fn room(&self) -> Room {
        self.lower.room()
    }

    /// The content of a file, brought in from the disk.
    pub(super) fn content(&mut self, node: usize) -> Result<&mut Vec<u8>> {
        if let Body::File(Content::Lower(path)) = &self.nodes[node].body {
            let bytes = read(&*self.lower, path.as_path().into())?;
            self.nodes[node].body = Body::File(Content::Own(bytes));
        }
        match &mut self.nodes[node].body {
            Body::File(Content::Own(bytes)) => Ok(bytes),
            Body::Directory(_) => Err(Errno::ISDIR),
            _ => Err(Errno::INVAL),
        }
    }

    /// Notes that the content of a file has changed.
    pub(super) fn written(&mut self, node: usize) {
        let now = self.now;
        (self.is_changed, self.is_touched) = (true, true);
        let Node { stat, body, .. } = &mut self.nodes[node];
        if let Body::File(Content::Own(bytes)) = body {
            stat.size = bytes.len() as u64;
            stat.blocks = stat.size.div_ceil(4096) * 8;
        }
        (stat.times[1], stat.times[2]) = (now, now);
    }
}
