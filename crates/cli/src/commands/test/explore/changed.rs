//! `--changed`: which files differ from a commit.

use crate::report::Failure;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Files that say how all tests run.
const OF_ALL: [&str; 4] = ["package.json", "package-lock.json", "tsconfig.json", ".mocharc"];

/// The files that changed.
pub(super) struct Changed {
    files: BTreeSet<PathBuf>,
    /// Whether one of them says how all tests run.
    is_for_all: bool,
}

impl Changed {
    /// What differs from a commit, and what git does not know.
    pub(super) fn since(root: &Path, commit: &str) -> Result<Self, Failure> {
        let top = git(root, &["rev-parse", "--show-toplevel"])?;
        let top = PathBuf::from(top.trim_end());
        let known = git(root, &["diff", "--name-only", "-z", commit, "--"])?;
        let new = git(root, &["ls-files", "--others", "--exclude-standard", "--full-name", "-z"])?;
        let names = known.split('\0').chain(new.split('\0')).filter(|name| !name.is_empty());
        let files: BTreeSet<PathBuf> = names.map(|name| real(&top.join(name))).collect();
        let root = real(root);
        let is_for_all = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_known = OF_ALL.iter().any(|start| name.starts_with(start));
            path.parent() == Some(&root) && (is_known || name.contains(".config."))
        };
        let is_for_all = files.iter().any(is_for_all);
        Ok(Self { files, is_for_all })
    }

    /// Whether a test may pass otherwise than before that loads these files.
    pub(super) fn reaches(&self, modules: &[PathBuf]) -> bool {
        self.is_for_all || modules.iter().any(|path| self.files.contains(&real(path)))
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn git(root: &Path, words: &[&str]) -> Result<String, Failure> {
    let output = Command::new("git").current_dir(root).args(words).output();
    let refused = |why: &str| {
        Failure::new(format!("cannot tell which files changed: {why}"))
            .help("run it in a repository of git, and name a commit: --changed=main")
    };
    let output = output.map_err(|error| refused(&format!("git cannot be started: {error}")))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(refused(why.lines().next().unwrap_or("git failed")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
