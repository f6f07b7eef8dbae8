//! Files for readers that want files.

use std::fs;
use std::path::{Path, PathBuf};

/// Where a child makes its directories: in that of its parent, who removes them when a child could not.
pub const WITHIN: &str = "HEMIOLA_FUZZ_SCRATCH";

/// A directory of this process, in memory where there is such a place; it is removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new one.
    pub fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let parent = match std::env::var_os(WITHIN) {
            Some(parent) => parent.into(),
            None if memory.is_dir() => memory.to_owned(),
            None => std::env::temp_dir(),
        };
        let name = format!("hemiola-fuzz-{}", std::process::id());
        let free = (0..).map(|number| parent.join(format!("{name}-{number}")));
        let mut free = free.skip_while(|path| path.exists());
        let path = free.next().expect("there are many numbers");
        fs::create_dir_all(&path).expect("a directory can be made");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Makes a file with that content in it.
    pub fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a file can be written");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Somebody else may have removed it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
