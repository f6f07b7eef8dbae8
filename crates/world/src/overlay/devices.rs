//! Devices of a simulated computer: those whose answers are always the same.

use hemiola_gate::files::{Errno, Result, Stat};

/// What a file that is none does (rule GATE-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Device {
    /// There is nothing to read, and what is written is gone: `/dev/null`, a terminal at which nobody types, a pipe that
    /// nobody writes to.
    Silent,
    /// Zeros without an end: `/dev/zero`.
    Zeros,
    /// The same, to which nothing can be written: `/dev/full`.
    Full,
    /// It cannot be opened: what it would say follows from no seed.
    Other,
}

impl Device {
    /// The device that the system calls so.
    pub(super) fn of(stat: Stat) -> Self {
        // Terminals: of the console, by themselves, of windows.
        const TERMINALS: [u64; 3] = [4, 5, 136];
        let (major, minor) = ((stat.special >> 8) & 0xfff, stat.special & 0xff);
        match (stat.kind(), major, minor) {
            (Stat::CHARACTERS, 1, 3) => Self::Silent,
            (Stat::CHARACTERS, 1, 5) => Self::Zeros,
            (Stat::CHARACTERS, 1, 7) => Self::Full,
            (Stat::CHARACTERS, major, _) if TERMINALS.contains(&major) => Self::Silent,
            (Stat::FIFO, _, _) => Self::Silent,
            _ => Self::Other,
        }
    }

    pub(super) fn read(self, length: usize) -> Result<Vec<u8>> {
        match self {
            Self::Silent => Ok(Vec::new()),
            Self::Zeros | Self::Full => Ok(vec![0; length]),
            Self::Other => Err(Errno::NXIO),
        }
    }

    pub(super) fn write(self, bytes: &[u8]) -> Result<usize> {
        match self {
            Self::Silent | Self::Zeros => Ok(bytes.len()),
            Self::Full => Err(Errno::NOSPC),
            Self::Other => Err(Errno::NXIO),
        }
    }
}
