//! Sockets of the system: how they are made, and where their ends are.

use crate::descriptors;
use crate::fleet;
use crate::net::stream::Kind;
use crate::reactor::failed;
use hemiola_gate::Fault;
use hemiola_gate::sockets::{self, Connect, LONGEST_PATH, Listen, Place};
use rustix::fs::{Mode, OFlags, chmod};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrAny, SocketAddrUnix, SocketFlags, SocketType, sockopt};
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

const FLAGS: SocketFlags = SocketFlags::NONBLOCK.union(SocketFlags::CLOEXEC);

type Made = rustix::io::Result<OwnedFd>;

fn family(address: &SocketAddr) -> AddressFamily {
    if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 }
}

fn open(family: AddressFamily) -> Made {
    rustix::net::socket_with(family, SocketType::STREAM, FLAGS, None)
}

/// Does something with the address of a path; one that begins with a zero byte is the name of no file. The directory of
/// a path that is too long for an address goes by a descriptor.
fn at_path(
    path: &[u8],
    act: impl FnOnce(&SocketAddrUnix) -> rustix::io::Result<()>,
) -> rustix::io::Result<()> {
    if !sockets::fits(path) {
        return Err(Errno::NAMETOOLONG);
    }
    if let [0, name @ ..] = path {
        return act(&SocketAddrUnix::new_abstract_name(name)?);
    }
    let end = path.iter().rposition(|&byte| byte == b'/').filter(|_| path.len() > LONGEST_PATH);
    let Some(end) = end else { return act(&SocketAddrUnix::new(path)?) };
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = rustix::fs::open(&path[..end], flags, Mode::empty())?;
    let start = format!("/proc/self/fd/{}", directory.as_raw_fd());
    act(&SocketAddrUnix::new([start.as_bytes(), &path[end..]].concat())?)
}

/// A socket that listens, and what it is.
pub(crate) fn listen(request: &Listen) -> Result<(OwnedFd, Kind), Fault> {
    let result = match &request.at {
        Place::Ip(address) => listen_at(address, request).map(|fd| (fd, Kind::Tcp)),
        Place::Path(path) => listen_at_path(path, request).map(|fd| (fd, Kind::Unix)),
        Place::Descriptor(number) => return listen_on(*number, request.backlog),
    };
    result.map_err(|error| failed(&error.into(), "listen"))
}

fn listen_at(address: &SocketAddr, request: &Listen) -> Made {
    let address = &fleet::place(*address);
    let fd = open(family(address))?;
    sockopt::set_socket_reuseaddr(&fd, true)?;
    if request.reuse_port {
        sockopt::set_socket_reuseport(&fd, true)?;
    }
    if address.is_ipv6() {
        sockopt::set_ipv6_v6only(&fd, request.ipv6_only)?;
    }
    rustix::net::bind(&fd, address)?;
    rustix::net::listen(&fd, request.backlog)?;
    Ok(fd)
}

fn listen_at_path(path: &[u8], request: &Listen) -> Made {
    let fd = open(AddressFamily::UNIX)?;
    // A directory that is missing is refused as by libuv.
    at_path(path, |address| rustix::net::bind(&fd, address)).map_err(|error| match error {
        Errno::NOENT => Errno::ACCESS,
        error => error,
    })?;
    if request.mode != 0 && path.first() != Some(&0) {
        let mode = rustix::fs::stat(path)?.st_mode | request.mode;
        chmod(path, Mode::from_raw_mode(mode))?;
    }
    rustix::net::listen(&fd, request.backlog)?;
    Ok(fd)
}

fn listen_on(number: i32, backlog: i32) -> Result<(OwnedFd, Kind), Fault> {
    let (fd, kind) = inherited(number, "listen")?;
    rustix::net::listen(&fd, backlog).map_err(|error| failed(&error.into(), "listen"))?;
    Ok((fd, kind))
}

/// A descriptor that the process was given, and what is behind it.
pub(crate) fn inherited(number: i32, syscall: &str) -> Result<(OwnedFd, Kind), Fault> {
    let fd = descriptors::descriptor(number).map_err(|error| failed(&error, syscall))?;
    let kind = kind(&fd).map_err(|error| failed(&error.into(), syscall))?;
    rustix::io::ioctl_fionbio(&fd, true).map_err(|error| failed(&error.into(), syscall))?;
    Ok((fd, kind))
}

fn kind(fd: &OwnedFd) -> rustix::io::Result<Kind> {
    use rustix::fs::FileType;
    match FileType::from_raw_mode(rustix::fs::fstat(fd)?.st_mode) {
        FileType::Socket => Ok(match sockopt::socket_domain(fd)? {
            AddressFamily::UNIX => Kind::Unix,
            _ => Kind::Tcp,
        }),
        FileType::Fifo => Ok(Kind::Pipe),
        _ => Err(Errno::INVAL),
    }
}

/// A socket on its way to a place, and whether it has arrived already.
pub(crate) fn connect(request: &Connect) -> Result<(OwnedFd, Kind, bool), Fault> {
    let at = |syscall: &'static str| move |error: Errno| failed(&error.into(), syscall);
    let (fd, kind, result) = match &request.to {
        Place::Ip(address) => {
            let nowhere = |fault: Fault| fault.at("undefined:undefined".into());
            let address = &fleet::place(*address);
            let fd = open(family(address)).map_err(|error| nowhere(at("connect")(error)))?;
            if let Some(from) = request.from.map(fleet::place).or_else(|| fleet::origin(*address)) {
                sockopt::set_socket_reuseaddr(&fd, true).map_err(at("bind"))?;
                rustix::net::bind(&fd, &from).map_err(at("bind"))?;
            }
            let result = rustix::net::connect(&fd, address);
            (fd, Kind::Tcp, result)
        }
        Place::Path(path) => {
            let fd = open(AddressFamily::UNIX).map_err(at("connect"))?;
            let result = at_path(path, |address| rustix::net::connect(&fd, address));
            (fd, Kind::Unix, result)
        }
        Place::Descriptor(number) => {
            let (fd, kind) = inherited(*number, "open")?;
            (fd, kind, Ok(()))
        }
    };
    match result {
        Ok(()) => Ok((fd, kind, true)),
        Err(Errno::INPROGRESS) => Ok((fd, kind, false)),
        Err(error) => {
            let fault = at("connect")(error);
            // Who is refused at once is told from where, as by Node.
            match near(&fd) {
                Some(Place::Ip(near)) if error != Errno::CONNREFUSED => {
                    Err(fault.at(near.to_string().replace(['[', ']'], "").into()))
                }
                _ => Err(fault),
            }
        }
    }
}

fn place(address: SocketAddrAny) -> Option<Place> {
    match address.address_family() {
        AddressFamily::INET | AddressFamily::INET6 => {
            SocketAddr::try_from(address).ok().map(Place::Ip)
        }
        AddressFamily::UNIX => {
            let address = SocketAddrUnix::try_from(address).ok()?;
            let name = match address.abstract_name() {
                Some(name) => [&[0], name].concat(),
                None => address.path()?.to_bytes().to_vec(),
            };
            Some(Place::Path(name))
        }
        _ => None,
    }
}

/// The near end of a socket.
pub(crate) fn near(fd: impl AsFd) -> Option<Place> {
    rustix::net::getsockname(fd).ok().and_then(place)
}

/// The far end of a socket.
pub(crate) fn far(fd: impl AsFd) -> Option<Place> {
    rustix::net::getpeername(fd).ok().flatten().and_then(place)
}

/// The next connection that waits at a listening socket.
pub(crate) fn accept(fd: impl AsFd) -> Made {
    rustix::net::accept_with(fd, FLAGS)
}
