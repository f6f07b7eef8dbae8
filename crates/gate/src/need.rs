//! What a program must be allowed, as the table of calls states it for each.

use crate::files::open;
use crate::path::FilePath;
use crate::request::arguments::{FileRef, Record};
use crate::value::Datum;

/// What a program must be allowed for a call.
#[derive(Clone, Copy, Debug)]
pub enum Need<'a> {
    /// To read the file that a path leads to.
    Read(&'a FilePath),
    /// To read what is at a path, also if that is a link.
    ReadLink(&'a FilePath),
    /// To read what has the name that a path ends with; a slash after it does not lead any further.
    ReadName(&'a FilePath),
    /// To write the file that a path leads to.
    Write(&'a FilePath),
    /// To change what is at a path, also if that is a link.
    WriteLink(&'a FilePath),
    /// To give or take away the name that a path ends with; a slash after it does not lead any further.
    WriteName(&'a FilePath),
    /// To listen at, or to connect to, the place that the fields name.
    Place(&'a Record),
    /// To speak with a host, at a port or at all.
    Host(&'a str, Option<u16>),
    /// To speak with anybody: with whom is asked when it does.
    AnyHost(&'a str, u16),
    /// To start that program.
    Program(&'a Record),
    /// To send signals to a process that is not its child.
    Signals(i32),
    /// To have workers.
    Workers,
    /// Nothing, for that reason.
    Nothing(&'static str),
}

impl<'a> Need<'a> {
    /// What opening a file with those flags needs.
    pub(crate) fn to_open(path: &'a FilePath, flags: i32) -> Vec<Self> {
        const WRITES: i32 = open::ACCESS | open::CREATE | open::TRUNCATE | open::APPEND;
        const NEW: i32 = open::CREATE | open::EXCLUSIVE;
        let follows = flags & open::NOT_A_LINK == 0 && flags & NEW != NEW;
        let mut needs = Vec::new();
        if flags & open::ACCESS != open::WRITE {
            needs.push(if follows { Self::Read(path) } else { Self::ReadLink(path) });
        }
        if flags & WRITES != 0 {
            needs.push(if follows { Self::Write(path) } else { Self::WriteLink(path) });
        }
        needs
    }

    /// The same for a file that may be open.
    pub(crate) fn to_open_file(file: &'a FileRef, flags: i32) -> Vec<Self> {
        match file {
            FileRef::Path(path) => Self::to_open(path, flags),
            FileRef::Descriptor(_) => {
                vec![Self::Nothing("the file was allowed when it was opened")]
            }
        }
    }

    /// What it needs to open a socket for datagrams: a program that only sends is asked with whom it speaks
    /// when it does.
    pub(crate) fn to_bind(address: &'a str, port: u16, options: &Record) -> Self {
        if options.field("implicit") == Some(&Datum::Bool(true)) {
            return Self::AnyHost(address, port);
        }
        Self::Host(address, Some(port))
    }

    /// What it needs to speak with a peer.
    pub(crate) fn to_reach(peer: Option<(&'a str, u16)>) -> Self {
        match peer {
            Some((host, port)) => Self::Host(host, Some(port)),
            None => Self::Nothing("the socket was allowed its peer when it was connected"),
        }
    }
}
