//! Connections that break on request, and names that are not found.

use hemiola_gate::{Answer, Datum, Fault, Wire};

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
    Cut(Fault),
    /// So many bytes are enough.
    Short(usize),
    /// It gets lost on the way, and nobody knows.
    Lost,
}

impl Broken {
    /// In words, with the call that it happened to.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Refused(fault) | Self::Cut(fault) => {
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
            Self::Short(_) => "only a part of the bytes gets through".into(),
            Self::Lost => "the datagram is lost".into(),
        }
    }
}

/// Draws what goes wrong with an operation that was about to succeed; alternative 0 is nothing.
pub(crate) fn at_answer(
    kind: &str,
    answer: &Answer,
    draw: &mut dyn FnMut(usize) -> usize,
) -> Option<Broken> {
    let Ok(value) = answer else { return None };
    let reset = |call: &str| Broken::Cut(Fault::system(errno::CONNRESET, call));
    let refused = |number: i32, call: &str| Broken::Refused(Fault::system(number, call));
    match (kind, value) {
        ("stream.read", Datum::Bytes(bytes)) => {
            let count = bytes.len();
            match draw(if count > 1 { 3 } else { 2 }) {
                0 => None,
                1 => Some(reset("read")),
                _ => Some(Broken::Short(count / 2)),
            }
        }
        ("stream.write", _) => (draw(2) == 1).then(|| reset("write")),
        ("net.connect", _) => match draw(3) {
            0 => None,
            1 => Some(refused(errno::CONNREFUSED, "connect")),
            _ => Some(refused(errno::TIMEDOUT, "connect")),
        },
        ("dns.lookup", _) => match draw(3) {
            0 => None,
            1 => Some(refused(errno::NONAME, "getaddrinfo")),
            _ => Some(refused(errno::AGAIN, "getaddrinfo")),
        },
        _ => None,
    }
}

/// The same for what is done at once, before it is.
pub(crate) fn at_once(request: &Wire, draw: &mut dyn FnMut(usize) -> usize) -> Option<Broken> {
    match request.kind.as_str() {
        "stream.tryWrite" => {
            let length = request.arguments.get(1).map_or(0, length);
            match draw(if length > 1 { 3 } else { 2 }) {
                0 => None,
                1 => Some(Broken::Cut(Fault::system(errno::PIPE, "write"))),
                _ => Some(Broken::Short(length / 2)),
            }
        }
        "udp.send" => (draw(2) == 1).then_some(Broken::Lost),
        _ => None,
    }
}

/// How many bytes, or lists of them, are to be written.
fn length(bytes: &Datum) -> usize {
    match bytes {
        Datum::Bytes(bytes) => bytes.len(),
        Datum::List(pieces) => pieces.iter().map(length).sum(),
        _ => 0,
    }
}
