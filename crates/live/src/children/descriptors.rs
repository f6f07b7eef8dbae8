//! Descriptors that the process was started with: they have a number and nobody owns them.

use crate::descriptors;
use std::io;
use std::os::fd::{OwnedFd, RawFd};

/// Descriptors of our own close themselves in children; one that does not was there before us.
const CLOSES_ITSELF: u32 = 0o2_000_000;

/// A copy of a descriptor that was inherited from whoever started this process.
pub(crate) fn inherited(fd: RawFd) -> io::Result<OwnedFd> {
    was_inherited(fd).and_then(|()| descriptors::descriptor(fd))
}

/// Takes such a descriptor away from its number: nobody else can use it, and no child gets it.
pub(crate) fn take_inherited(fd: RawFd) -> io::Result<OwnedFd> {
    was_inherited(fd).and_then(|()| descriptors::take_descriptor(fd))
}

fn was_inherited(fd: RawFd) -> io::Result<()> {
    let bad = || io::Error::from(rustix::io::Errno::BADF);
    let told = std::fs::read_to_string(format!("/proc/self/fdinfo/{fd}")).map_err(|_| bad())?;
    let flags = told.lines().find_map(|line| line.strip_prefix("flags:")).unwrap_or_default();
    let flags = u32::from_str_radix(flags.trim(), 8).map_err(|_| bad())?;
    if flags & CLOSES_ITSELF == 0 { Ok(()) } else { Err(bad()) }
}
