//! Standard input, output and error of a process, and what else it was given open.

use crate::Overlay;
use crate::input::{Input, Source};
use hemiola_gate::StreamKind;
use hemiola_gate::files::{Errno, Tree};
use hemiola_machine::Stream;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Where a process reads and writes.
#[derive(Clone)]
pub struct Standard {
    pub(super) input: Inlet,
    pub(super) output: [Outlet; 2],
    /// Ends of pipes under further numbers.
    pub(super) more: BTreeMap<i32, u64>,
    /// The channel to whoever started it, until it is opened.
    pub(super) channel: Arc<Mutex<Option<u64>>>,
}

/// What standard input is.
#[derive(Clone)]
pub(super) enum Inlet {
    /// That of the world.
    World(Arc<Mutex<Input>>),
    /// There is nothing to read.
    Nothing,
    /// The end of a pipe.
    Pipe(u64),
    /// A file, as the process holds it.
    File(i32),
}

/// What is behind standard output or error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlet {
    /// What the world prints.
    World(Stream),
    /// Nobody reads it.
    Nothing,
    /// The end of a pipe.
    Pipe(u64),
    /// A file, as the process holds it.
    File(i32),
}

impl Inlet {
    /// The same for a child.
    pub(super) fn inherit(&self, files: &Overlay) -> Result<Self, Errno> {
        Ok(match self {
            Self::File(held) => Self::File(files.hold(*held)?),
            Self::World(_) | Self::Nothing | Self::Pipe(_) => self.clone(),
        })
    }
}

impl Outlet {
    /// The same for a child.
    pub(super) fn inherit(self, files: &Overlay) -> Result<Self, Errno> {
        Ok(match self {
            Self::File(held) => Self::File(files.hold(held)?),
            Self::World(_) | Self::Nothing | Self::Pipe(_) => self,
        })
    }
}

impl Default for Standard {
    /// Those of the world, with nothing to read.
    fn default() -> Self {
        Self {
            input: Inlet::World(Arc::default()),
            output: [Outlet::World(Stream::Out), Outlet::World(Stream::Err)],
            more: BTreeMap::new(),
            channel: Arc::default(),
        }
    }
}

impl Standard {
    /// Those of the world, with something to read.
    pub fn reading(source: Source) -> Self {
        let input = Arc::new(Mutex::new(Input::new(source)));
        Self { input: Inlet::World(input), ..Self::default() }
    }

    /// Where one of the two goes.
    pub(super) fn outlet(&self, stream: Stream) -> Outlet {
        self.output[usize::from(stream == Stream::Err)]
    }

    /// Closes the files that the process holds: it has come to its end.
    pub(crate) fn close_files(&self, files: &Overlay) {
        let input = match self.input {
            Inlet::File(held) => Some(held),
            Inlet::World(_) | Inlet::Nothing | Inlet::Pipe(_) => None,
        };
        let output = self.output.iter().filter_map(|outlet| match outlet {
            Outlet::File(held) => Some(*held),
            Outlet::World(_) | Outlet::Nothing | Outlet::Pipe(_) => None,
        });
        for held in input.into_iter().chain(output) {
            // What was open when the power failed is open no more.
            let _ = files.close(held);
        }
    }

    /// What each of the three is.
    pub(crate) fn kinds(&self) -> [StreamKind; 3] {
        let input = match self.input {
            Inlet::World(_) | Inlet::Pipe(_) => StreamKind::Pipe,
            Inlet::Nothing | Inlet::File(_) => StreamKind::File,
        };
        let kind = |outlet: Outlet| match outlet {
            Outlet::World(_) | Outlet::Pipe(_) => StreamKind::Pipe,
            Outlet::Nothing | Outlet::File(_) => StreamKind::File,
        };
        [input, kind(self.output[0]), kind(self.output[1])]
    }

    /// The ends of pipes that whoever inherits from here holds, too.
    pub(super) fn pipe_at(&self, fd: i32) -> Option<u64> {
        match fd {
            0 => match self.input {
                Inlet::Pipe(id) => Some(id),
                Inlet::World(_) | Inlet::Nothing | Inlet::File(_) => None,
            },
            1 | 2 => match self.output[(fd - 1) as usize] {
                Outlet::Pipe(id) => Some(id),
                Outlet::World(_) | Outlet::Nothing | Outlet::File(_) => None,
            },
            fd => self.more.get(&fd).copied(),
        }
    }
}
