//! What a program must be allowed, as the table of calls states it for each.

use crate::descriptor::Descriptor;
use crate::files::open;
use crate::path::FilePath;
use crate::program::Program;
use crate::request::arguments::{FileRef, Record};
use crate::value::Datum;

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is read.
    Read,
    /// It is written, or its name is given or taken away.
    Write,
}

/// What becomes of a link that a path ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// It is followed.
    Followed,
    /// It is meant itself, unless a slash after it says that a directory is.
    Link,
    /// Its name is meant, also with a slash.
    Name,
}

/// What a program must be allowed for a call.
#[derive(Clone, Copy, Debug)]
pub enum Need<'a> {
    /// To read or to write what a path names.
    File(Access, Last, &'a FilePath),
    /// To change what is known of an open file: it must have been opened to be written.
    OpenFile(&'a Descriptor),
    /// To listen at, or to connect to, the place that the fields name.
    Place(&'a Record),
    /// To speak with a host, at a port or at all.
    Host(&'a str, Option<u16>),
    /// To speak with anybody: with whom is asked when it does.
    AnyHost(&'a str, u16),
    /// To start that program.
    Program(&'a Program),
    /// To ask about a process, or do something to it, that is not the program's own.
    Process(i32),
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
        let last = if follows { Last::Followed } else { Last::Link };
        let mut needs = Vec::new();
        if flags & open::ACCESS != open::WRITE {
            needs.push(Self::File(Access::Read, last, path));
        }
        if flags & WRITES != 0 {
            needs.push(Self::File(Access::Write, last, path));
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

    /// What it needs to know or to say how urgent a process is.
    pub(crate) fn to_rank(pid: i32) -> Self {
        match pid {
            0 => Self::Nothing("it is about the process itself"),
            pid => Self::Process(pid),
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
