//! Files and directories that nobody but their owner can look at: a recording holds whatever its program was told.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Makes a directory, and those it is in, for their owner alone.
pub fn directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Makes a file, empty, for its owner alone, also if it was there and others could read it.
pub fn file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    let metadata = file.metadata()?;
    // What is no file, such as `/dev/stdout`, stays as it is.
    if metadata.is_file() && metadata.permissions().mode() & 0o777 != 0o600 {
        file.set_permissions(PermissionsExt::from_mode(0o600))?;
    }
    Ok(file)
}
