//! What operations do to the outside: so that whoever explores knows which of them commute.

pub use hemiola_machine::Access;
use hemiola_machine::Operation;
use std::fmt;
use std::path::PathBuf;

/// What an operation did when it took effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Which operation; none for what a callback did itself, without waiting.
    pub operation: Option<Operation>,
    /// What it read and wrote outside, in order.
    pub touches: Vec<(Location, Access)>,
    /// The fault that was chosen for it, in words.
    pub fault: Option<String>,
    /// How often the poll phase had seen the operation before (rule LOOP-7).
    pub trips: u32,
}

/// A place outside of the program. Within one run the same place is always named the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A file or directory: whether it is there, what it holds, what is known of it. A file that was
    /// renamed is written under both names, and what it holds stays under its first.
    File(PathBuf),
    /// The names in a directory.
    Entries(PathBuf),
    /// Where an open file is read and written next.
    Descriptor(i32),
    /// What is under way to one end of a connection, by the number of the end.
    Pipe(u64),
    /// Who listens at an address or a path.
    Listener(String),
    /// Who waits there to be let in.
    Waiting(String),
    /// Which ports are free, for who asks for any.
    FreePorts,
    /// Who is there to receive datagrams.
    Receivers,
    /// Who receives the datagrams to a port.
    Receiver(u16),
    /// What has arrived at a datagram socket.
    Socket(u64),
    /// The scheduler's stores.
    Stores,
    /// Standard input.
    Input,
    /// What watchers of files have not heard yet.
    Changes,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Entries(path) => write!(f, "entries of {}", path.display()),
            Self::Descriptor(fd) => write!(f, "position of descriptor {fd}"),
            Self::Pipe(end) => write!(f, "bytes for connection {end}"),
            Self::Listener(at) => write!(f, "listener at {at}"),
            Self::Waiting(at) => write!(f, "connections to {at}"),
            Self::FreePorts => f.write_str("free ports"),
            Self::Receivers => f.write_str("receivers of datagrams"),
            Self::Receiver(port) => write!(f, "receiver of datagrams to port {port}"),
            Self::Socket(id) => write!(f, "datagrams for socket {id}"),
            Self::Stores => f.write_str("stores of the scheduler"),
            Self::Input => f.write_str("standard input"),
            Self::Changes => f.write_str("changes of watched files"),
        }
    }
}
