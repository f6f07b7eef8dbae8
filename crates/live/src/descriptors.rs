//! Descriptors that the process was given, by their numbers.

use std::io;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd};

/// A second descriptor for what is open under a number that the process was given.
#[expect(unsafe_code, reason = "a number becomes a descriptor")]
pub(crate) fn descriptor(number: i32) -> io::Result<OwnedFd> {
    if number < 0 {
        return Err(io::Error::from_raw_os_error(9));
    }
    // SAFETY: it is borrowed for one call, which fails if nothing is open under that number.
    unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned()
}

/// Takes a descriptor that the process was given away from its number, so that no child of the process
/// gets it, too.
#[expect(unsafe_code, reason = "a number becomes a descriptor")]
pub(crate) fn take_descriptor(number: i32) -> io::Result<OwnedFd> {
    let copy = descriptor(number)?;
    // SAFETY: something is open under the number, and whoever gave it to the process gave it to us: it
    // is used in no other way.
    drop(unsafe { OwnedFd::from_raw_fd(number) });
    Ok(copy)
}
