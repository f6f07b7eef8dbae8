//! Connections that break on request, and names that are not found.

use hemiola_gate::{Answer, Datum, Fault, Mishaps};

/// The system's numbers for what goes wrong.
mod errno {
    pub(super) const PIPE: i32 = 32;
    pub(super) const CONNRESET: i32 = 104;
    pub(super) const TIMEDOUT: i32 = 110;
    pub(super) const CONNREFUSED: i32 = 111;
    /// libuv's numbers for names: nobody knows it, nobody could say.
    pub(super) const NONAME: i32 = 3008;
    pub(super) const AGAIN: i32 = 3001;
}

/// What goes wrong.
pub(crate) enum Broken {
    /// The answer is another. What the right one would have given is given back.
    Refused(Fault),
    /// The connection is cut, and that is the answer.
    Cut {
        /// Which connection.
        stream: u64,
        /// Whether who reads from it is told by that answer.
        told: bool,
        /// The answer.
        fault: Fault,
    },
    /// Only so many of the bytes that are there are read.
    ShortRead {
        /// From which connection.
        stream: u64,
        /// How many.
        count: usize,
    },
    /// Only so many bytes are taken.
    ShortWrite {
        /// How many.
        count: usize,
    },
    /// It gets lost on the way, and nobody knows.
    Lost {
        /// How many bytes it has.
        length: usize,
    },
}

impl Broken {
    /// In words, with the call that it happened to.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Refused(fault) | Self::Cut { fault, .. } => {
                let name = match fault.errno {
                    errno::PIPE => "EPIPE",
                    errno::CONNRESET => "ECONNRESET",
                    errno::TIMEDOUT => "ETIMEDOUT",
                    errno::CONNREFUSED => "ECONNREFUSED",
                    errno::NONAME => "ENOTFOUND",
                    _ => "EAI_AGAIN",
                };
                format!("{} fails with {name}", fault.syscall)
            }
            Self::ShortRead { .. } | Self::ShortWrite { .. } => {
                "only a part of the bytes gets through".into()
            }
            Self::Lost { .. } => "the datagram is lost".into(),
        }
    }
}

/// Draws what goes wrong with an operation that was about to succeed; alternative 0 is nothing.
pub(crate) fn at_answer(
    mishaps: Mishaps,
    answer: &Answer,
    draw: &mut dyn FnMut(usize) -> usize,
) -> Option<Broken> {
    let Ok(value) = answer else { return None };
    let reset = |call: &str| Fault::system(errno::CONNRESET, call);
    let refused = |number: i32, call: &str| Broken::Refused(Fault::system(number, call));
    match mishaps {
        Mishaps::Read(stream) => {
            let Datum::Bytes(bytes) = value else { return None };
            let count = bytes.len();
            match draw(if count > 1 { 3 } else { 2 }) {
                0 => None,
                1 => Some(Broken::Cut { stream, told: true, fault: reset("read") }),
                _ => Some(Broken::ShortRead { stream, count: count / 2 }),
            }
        }
        Mishaps::Write(stream) => {
            (draw(2) == 1).then(|| Broken::Cut { stream, told: false, fault: reset("write") })
        }
        Mishaps::Connect => match draw(3) {
            0 => None,
            1 => Some(refused(errno::CONNREFUSED, "connect")),
            _ => Some(refused(errno::TIMEDOUT, "connect")),
        },
        Mishaps::Lookup => match draw(3) {
            0 => None,
            1 => Some(refused(errno::NONAME, "getaddrinfo")),
            _ => Some(refused(errno::AGAIN, "getaddrinfo")),
        },
        // These go wrong when they are begun, or in the files.
        Mishaps::WriteAtOnce(..) | Mishaps::Datagram(_) => None,
        Mishaps::Files | Mishaps::WholeFile | Mishaps::PartOfFile | Mishaps::Commit => None,
        Mishaps::None => None,
    }
}

/// The same for what is done at once, before it is.
pub(crate) fn at_once(mishaps: Mishaps, draw: &mut dyn FnMut(usize) -> usize) -> Option<Broken> {
    match mishaps {
        Mishaps::WriteAtOnce(stream, length) => match draw(if length > 1 { 3 } else { 2 }) {
            0 => None,
            1 => {
                let fault = Fault::system(errno::PIPE, "write");
                Some(Broken::Cut { stream, told: false, fault })
            }
            _ => Some(Broken::ShortWrite { count: length / 2 }),
        },
        Mishaps::Datagram(length) => (draw(2) == 1).then_some(Broken::Lost { length }),
        // These go wrong when they are answered, or in the files.
        Mishaps::Read(_) | Mishaps::Write(_) | Mishaps::Connect | Mishaps::Lookup => None,
        Mishaps::Files | Mishaps::WholeFile | Mishaps::PartOfFile | Mishaps::Commit => None,
        Mishaps::None => None,
    }
}
