//! A run as slices on lanes: what the pictures of other tools are made of.
//!
//! [`Builder`] takes events one by one and keeps what is drawn, a [`Timeline`], not the events: about a hundred bytes
//! for each callback. An atomic action is a slice on its lane, which ends with its tail of microtasks; its
//! callbacks are slices within it, and the microtasks of the tail have a lane of their own.

mod build;

pub use build::Builder;

use crate::names::{Name, Names};
use hemiola_time::{Delay, Instant, Ordinal, Tag};
use hemiola_trace::{Class, Invocation, Operation};
use std::collections::BTreeMap;

/// A row of slices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// The main program, and what runs at its end.
    Main,
    /// The labelled domain of that ordinal.
    Domain(Ordinal),
    /// Timed callbacks without a label.
    Timers,
    /// Callbacks of `setImmediate`.
    Immediates,
    /// Callbacks of operations.
    Io,
    /// Callbacks of resources that ended.
    Closes,
    /// Ticks and promise reactions.
    Microtasks,
}

/// Something with a beginning and an end on a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Its lane, as an index of [`Timeline::lanes`].
    pub lane: u32,
    /// When it began, in nanoseconds.
    pub begin: u64,
    /// When it ended.
    pub end: u64,
    /// What it is.
    pub what: What,
}

/// What a slice is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// An atomic action.
    Action {
        /// Which, from 1.
        number: u32,
        /// Its name.
        name: Name,
        /// Its logical time, if it is timed.
        tag: Option<Tag>,
    },
    /// A callback of one.
    Callback(Box<Callback>),
}

/// One invocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    /// Which.
    pub invocation: Invocation,
    /// The invocation that attached it.
    pub link: Invocation,
    /// The invocation that made it able to run.
    pub cause: Invocation,
    /// Its class, if it has one.
    pub class: Option<Class>,
    /// Its labelled domain, if it has one.
    pub domain: Option<Ordinal>,
    /// Its logical time, if it is timed.
    pub tag: Option<Tag>,
    /// Physical time as the loop knew it.
    pub at: Option<Instant>,
    /// Which action it belongs to: an index of [`Timeline::slices`].
    pub action: u32,
    /// Where it was registered.
    pub site: Option<Site>,
    /// The operation that it is the callback of.
    pub operation: Option<Operation>,
    /// What it threw.
    pub threw: Option<Name>,
    /// The name that the program gave it.
    pub label: Option<Name>,
}

impl Callback {
    /// By how much it ran after it was due, if that is known.
    pub fn lag(&self) -> Option<Delay> {
        let (at, tag) = (self.at?, self.tag?);
        let lag = at.as_micros().checked_sub(tag.time.as_micros())?;
        Some(Delay::from_micros(lag))
    }
}

/// A place, with the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The file.
    pub file: Name,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// From the request to the completion of an operation, or from the start to the end of a task of a
/// scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// What it is for.
    pub name: Name,
    /// Its number; of a task, that of this run among all runs of tasks.
    pub number: u64,
    /// When it began, in nanoseconds.
    pub begin: u64,
    /// When it ended; nothing if it did not.
    pub end: Option<u64>,
    /// Who asked for it.
    pub by: Invocation,
    /// The row in which it does not overlap another; of a task, its own.
    pub row: u32,
    /// Whether it is a task that failed.
    pub failed: bool,
}

/// Something at an instant within a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When, in nanoseconds.
    pub at: u64,
    /// In which slice: an index of [`Timeline::slices`].
    pub slice: u32,
    /// What kind of thing: `obs`, `out`, `err`, `lag`, `task`.
    pub kind: &'static str,
    /// The value.
    pub text: Name,
}

/// What is drawn of a run.
#[derive(Debug, Default)]
pub struct Timeline {
    /// The lanes, in the order in which they came to be used.
    pub lanes: Vec<Lane>,
    /// Actions and callbacks, by their beginnings.
    pub slices: Vec<Slice>,
    /// Operations, by their beginnings.
    pub operations: Vec<Span>,
    /// Runs of declared tasks, by their beginnings.
    pub tasks: Vec<Span>,
    /// What was observed and written.
    pub marks: Vec<Mark>,
    /// The texts that names stand for.
    pub names: Names,
    labels: BTreeMap<Ordinal, Name>,
    /// The slice of each invocation.
    by_invocation: BTreeMap<Invocation, u32>,
    /// Requests that were served, one by one.
    pub requests: Vec<hemiola_lineage::Served>,
}

impl Timeline {
    /// The name of a lane.
    pub fn lane_name(&self, lane: &Lane) -> String {
        match lane {
            Lane::Main => "main program".into(),
            Lane::Domain(domain) => match self.labels.get(domain) {
                Some(label) => format!("clock {}", self.names.text(*label)),
                None => format!("clock {}", domain.0),
            },
            Lane::Timers => "timers without a clock".into(),
            Lane::Immediates => "immediates".into(),
            Lane::Io => "I/O callbacks".into(),
            Lane::Closes => "close callbacks".into(),
            Lane::Microtasks => "ticks and promises".into(),
        }
    }

    /// The lanes in the order in which they are shown: an index of [`Timeline::lanes`] each.
    pub fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.lanes.len() as u32).collect();
        order.sort_by_key(|&lane| &self.lanes[lane as usize]);
        order
    }

    /// The label of a domain.
    pub fn label(&self, domain: Ordinal) -> Option<&str> {
        self.labels.get(&domain).map(|label| self.names.text(*label))
    }

    /// The slice of an invocation: an index of [`Timeline::slices`].
    pub fn slice_of(&self, invocation: Invocation) -> Option<u32> {
        self.by_invocation.get(&invocation).copied()
    }

    /// The callbacks, each with its slice and the index of that.
    pub fn callbacks(&self) -> impl Iterator<Item = (u32, &Slice, &Callback)> {
        self.slices.iter().enumerate().filter_map(|(index, slice)| match &slice.what {
            What::Callback(callback) => Some((index as u32, slice, &**callback)),
            What::Action { .. } => None,
        })
    }

    /// Who attached and who caused it, as far as they are others and known.
    pub fn origins(&self, callback: &Callback) -> Origins {
        let other =
            |from: Invocation| (from != callback.invocation).then(|| self.slice_of(from)).flatten();
        Origins { link: other(callback.link), cause: other(callback.cause) }
    }

    /// The number of the action that a callback belongs to, from 1.
    pub fn action_number(&self, callback: &Callback) -> u32 {
        match self.slices.get(callback.action as usize).map(|slice| &slice.what) {
            Some(What::Action { number, .. }) => *number,
            _ => 0,
        }
    }

    /// What a slice is called.
    pub fn title(&self, slice: &Slice) -> String {
        match &slice.what {
            What::Action { name, .. } => self.names.text(*name).to_owned(),
            What::Callback(callback) => {
                if let Some(label) = callback.label {
                    return self.names.text(label).to_owned();
                }
                match callback.site {
                    Some(site) => self.place(site),
                    None => callback.class.map_or("main", Class::name).to_owned(),
                }
            }
        }
    }

    /// A place with the last part of its file's name.
    pub fn place(&self, site: Site) -> String {
        let file = self.names.text(site.file);
        let file = file.rsplit('/').next().unwrap_or(file);
        format!("{file}:{}:{}", site.line, site.column)
    }
}

/// The slices that a callback comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origins {
    /// Of who attached it.
    pub link: Option<u32>,
    /// Of who made it able to run.
    pub cause: Option<u32>,
}
