//! What a run has come to know that decides what it may do.

/// What a run has come to know that decides what it may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Addresses, each with the name that a look-up has found it under: connections are made to addresses,
    /// and names are allowed.
    addresses: Vec<(String, String)>,
    /// The number of its process.
    pid: Option<i32>,
    /// The directory in which it was started.
    start: Option<String>,
}

impl Known {
    /// Notes that an allowed name has an address.
    pub fn note_address(&mut self, name: &str, address: String) {
        if !self.addresses.iter().any(|(known, of)| *known == address && of == name) {
            self.addresses.push((address, name.to_owned()));
        }
    }

    /// Notes the number of the program's process.
    pub fn note_pid(&mut self, pid: i32) {
        self.pid = Some(pid);
    }

    /// Notes the directory in which the program was started.
    pub fn note_start(&mut self, directory: &str) {
        self.start.get_or_insert_with(|| directory.to_owned());
    }

    /// Whether that is the directory in which the program was started.
    pub(super) fn is_start(&self, directory: &str) -> bool {
        self.start.as_deref() == Some(directory)
    }

    pub(super) fn names_of(&self, host: &str) -> impl Iterator<Item = &str> {
        let meant = self.addresses.iter().filter(move |(address, _)| address == host);
        meant.map(|(_, name)| name.as_str())
    }

    pub(super) fn is_self(&self, pid: i32) -> bool {
        self.pid == Some(pid)
    }
}
