//! A disk with nothing on it.

use hemiola_gate::Room;
use hemiola_gate::files::{At, Change, Errno, Opened, Result, Stat, Time, Tree};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A tree that is only its root.
pub struct Empty;

const ROOT: Stat = Stat {
    device: 1,
    inode: 1,
    mode: Stat::DIRECTORY | 0o755,
    links: 1,
    owner: (0, 0),
    special: 0,
    size: 0,
    block_size: 4096,
    blocks: 0,
    times: [Time { seconds: 0, nanoseconds: 0 }; 4],
};

/// Everything that this tree cannot do, because there is nothing to do it with.
macro_rules! nothing_there {
    ($($name:ident($($argument:ty),*) -> $gives:ty;)*) => {
        $(fn $name(&self, $(_: $argument),*) -> Result<$gives> {
            Err(Errno::NOENT)
        })*
    };
}

impl Tree for Empty {
    fn room(&self) -> Room {
        Room::default()
    }

    fn user(&self) -> (u32, u32) {
        ROOT.owner
    }

    fn stat(&self, path: At<'_>, _: bool) -> Result<Stat> {
        if path.path == Path::new("/") { Ok(ROOT) } else { Err(Errno::NOENT) }
    }

    fn list(&self, path: At<'_>) -> Result<Vec<(OsString, u32)>> {
        if path.path == Path::new("/") { Ok(Vec::new()) } else { Err(Errno::NOENT) }
    }

    fn set_mask(&self, _: u32) -> u32 {
        0o022
    }

    nothing_there! {
        open(At<'_>, i32, u32) -> i32;
        close(i32) -> ();
        give(i32) -> ();
        read(i32, usize, Option<u64>) -> Vec<u8>;
        write(i32, &[u8], Option<u64>) -> usize;
        fstat(i32) -> Stat;
        statfs(At<'_>) -> [u64; 7];
        mkdir(At<'_>, u32) -> ();
        rmdir(At<'_>) -> ();
        unlink(At<'_>) -> ();
        rename(At<'_>, At<'_>) -> ();
        link(At<'_>, At<'_>) -> ();
        symlink(&Path, At<'_>) -> ();
        readlink(At<'_>) -> PathBuf;
        chmod(At<'_>, u32) -> ();
        fchmod(Opened, u32) -> ();
        chown(At<'_>, Option<u32>, Option<u32>, bool) -> ();
        fchown(Opened, Option<u32>, Option<u32>) -> ();
        utimes(At<'_>, Time, Time, bool) -> ();
        futimes(Opened, Time, Time) -> ();
        truncate(i32, u64) -> ();
        sync(i32, bool) -> ();
        access(At<'_>, u32) -> ();
        watch(At<'_>) -> i32;
        unwatch(i32) -> ();
        changes() -> Vec<Change>;
    }
}
