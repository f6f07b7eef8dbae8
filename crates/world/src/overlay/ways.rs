//! Which names a path leads over: whoever changes one of them may change where it leads.

use super::nodes::Nodes;
use super::{Overlay, State};
use hemiola_gate::files::{At, Errno};
use std::path::{Path, PathBuf};

/// The way to a file.
pub(crate) struct Way {
    /// The directories that it leads through, as the path says them and as they are without links.
    pub(crate) through: Vec<PathBuf>,
    /// The directory that the file is in, or would be.
    pub(crate) parent: PathBuf,
    /// The file, as it is named there.
    pub(crate) at: PathBuf,
    /// What is there.
    pub(crate) node: Option<usize>,
}

impl Overlay {
    /// The way that a path stands for; nothing behind a place where it ends.
    pub(crate) fn way(&self, at: At<'_>, follow: bool) -> Way {
        let path = at.path;
        let State { nodes, .. } = &mut *self.state();
        // As the path says them, without the root.
        let mut through: Vec<PathBuf> = path.ancestors().skip(1).map(Path::to_owned).collect();
        through.retain(|one| one.parent().is_some());
        let Ok(place) = nodes.walk(at, follow) else {
            let parent = path.parent().unwrap_or(path).to_owned();
            return Way { through, parent, at: path.to_owned(), node: None };
        };
        let parent = nodes.path(place.parent);
        let at = match place.node {
            Some(node) if place.name.is_empty() => nodes.path(node),
            _ => parent.join(&place.name),
        };
        if at != path {
            let more: Vec<PathBuf> = at.ancestors().skip(1).map(Path::to_owned).collect();
            through.extend(more.into_iter().filter(|one| one.parent().is_some()));
            through.push(path.to_owned());
            through.sort_unstable();
            through.dedup();
        }
        Way { through, parent, at, node: place.node }
    }

    /// The file that a descriptor is for.
    pub(crate) fn node_of(&self, fd: i32) -> Result<usize, Errno> {
        self.state().open.get(&fd).map(|open| open.node).ok_or(Errno::BADF)
    }

    /// A path to a file; of several the one that was last seen.
    pub(crate) fn path_of(&self, node: usize) -> PathBuf {
        self.state().nodes.path(node)
    }

    /// Whether anybody watches any file.
    pub(crate) fn is_watched(&self) -> bool {
        self.state().watches.is_any()
    }
}

impl Nodes {
    fn path(&self, node: usize) -> PathBuf {
        let mut names = Vec::new();
        let mut at = node;
        while let Some((parent, name)) = &self.get(at).home {
            names.push(name);
            at = *parent;
        }
        std::iter::once(std::ffi::OsStr::new("/"))
            .chain(names.into_iter().rev().map(|name| &**name))
            .collect()
    }
}
