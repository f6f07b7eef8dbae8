//! Descriptors that the process was started with: they have a number and nobody owns them.

use nix::sys::socket::{ControlMessage, MsgFlags, sendmsg};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixDatagram;

/// Descriptors of our own close themselves in children; one that does not was there before us.
const CLOSES_ITSELF: u32 = 0o2_000_000;

/// A copy of a descriptor that was inherited from whoever started this process.
///
/// A number alone is no proof that the descriptor is nobody else's, so the copy is made by sending it
/// to ourselves: what arrives is a descriptor of its own.
pub(crate) fn inherited(fd: RawFd) -> io::Result<OwnedFd> {
    let bad = || io::Error::from(rustix::io::Errno::BADF);
    let told = std::fs::read_to_string(format!("/proc/self/fdinfo/{fd}")).map_err(|_| bad())?;
    let flags = told.lines().find_map(|line| line.strip_prefix("flags:")).unwrap_or_default();
    if u32::from_str_radix(flags.trim(), 8).map_err(|_| bad())? & CLOSES_ITSELF != 0 {
        return Err(bad());
    }
    let (here, there) = UnixDatagram::pair()?;
    let rights = [fd];
    let message = [ControlMessage::ScmRights(&rights)];
    sendmsg::<()>(here.as_raw_fd(), &[IoSlice::new(&[0])], &message, MsgFlags::empty(), None)?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(&there, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let copy = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    copy.ok_or_else(bad)
}

/// Takes an inherited descriptor away from its number: nobody else can use it, and no child gets it.
pub(crate) fn take_inherited(fd: RawFd) -> io::Result<OwnedFd> {
    let taken = inherited(fd)?;
    nix::unistd::close(fd)?;
    Ok(taken)
}
