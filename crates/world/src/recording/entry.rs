//! One thing that the outside decided.

use super::digest::Digest;
use hemiola_gate::{Answer, Checked, Datum, Kind, Request, SystemCall};
use hemiola_machine::{Instant, Operation, Stream};
use std::fmt;
use std::path::{Path, PathBuf};

/// One answer of a world, or what it was asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Physical time, in microseconds after the reading before.
    Now(u64),
    /// The clock on the wall, in microseconds.
    Wall(u64),
    /// A random number.
    Random(u64),
    /// Nothing more will come: a wait or a turn was refused.
    Over,
    /// Anything longer.
    Long(Box<Long>),
}

/// The entries that take more room.
#[derive(Clone, Debug, PartialEq)]
pub enum Long {
    /// An operation was asked for.
    Asked(Operation, Question),
    /// An operation was done at once.
    Performed(Question, Answer),
    /// An operation was answered, after so many times when nothing had been ready.
    Received {
        /// How often nothing had been.
        quiet: u64,
        /// Which operation.
        operation: Operation,
        /// When it was ready.
        stamp: Instant,
        /// The answer.
        answer: Answer,
        /// How often the poll phase sees it.
        trips: u32,
    },
    /// The running callback was interrupted: it ran for too long.
    Interrupted {
        /// How often it was asked about before: it was not to be interrupted then.
        looks: u64,
    },
    /// A stream refused what was written, with the number of the error.
    Refused(Stream, i32),
    /// A file was read for a module, or looked at.
    Module(PathBuf, Look),
}

/// What was asked about a module's file, and what came of it: the number of the error, if one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// Its content.
    Read(Result<Vec<u8>, i32>),
    /// What is there.
    Kind(Result<Kind, i32>),
    /// Its path without links.
    Real(Result<PathBuf, i32>),
}

/// A request as far as a replay needs it: to notice that another one is made, and to say which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The kind of the request.
    pub kind: String,
    /// A short form of its arguments, for people.
    pub about: String,
    /// A number that differs when the arguments do.
    pub digest: u64,
}

impl Question {
    pub(super) fn of(request: &Checked) -> Self {
        let request = request.request();
        // What the program tells of itself is no part of what it asks.
        let tells = matches!(request, Request::System(SystemCall::Heap { .. }));
        let arguments = if tells { Vec::new() } else { request.to_wire() };
        let mut digest = Digest::default();
        arguments.iter().for_each(|argument| digest.datum(argument));
        let kind = request.name().to_owned();
        Self { kind, about: about(&arguments), digest: digest.number() }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if !self.about.is_empty() {
            write!(f, " {}", self.about)?;
        }
        Ok(())
    }
}

impl Entry {
    /// Whether a callback was interrupted because it ran for too long.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Long(long) if matches!(**long, Long::Interrupted { .. }))
    }

    pub(super) fn long(long: Long) -> Self {
        Self::Long(Box::new(long))
    }

    /// The file and the text of a module that was read.
    pub fn module(&self) -> Option<(&Path, &[u8])> {
        match self {
            Self::Long(long) => match &**long {
                Long::Module(path, Look::Read(Ok(text))) => Some((path, text)),
                _ => None,
            },
            _ => None,
        }
    }

    /// About how many bytes of memory it takes.
    pub(super) fn weight(&self) -> usize {
        let Self::Long(long) = self else { return size_of::<Self>() };
        let datum = |answer: &Answer| answer.as_ref().map_or(0, weight_of);
        size_of::<Self>()
            + size_of::<Long>()
            + match &**long {
                Long::Asked(_, question) => question.kind.len() + question.about.len(),
                Long::Performed(_, answer) | Long::Received { answer, .. } => datum(answer),
                Long::Interrupted { .. } | Long::Refused(..) => 0,
                Long::Module(_, Look::Read(Ok(text))) => text.len(),
                Long::Module(path, _) => path.as_os_str().len(),
            }
    }
}

fn weight_of(datum: &Datum) -> usize {
    match datum {
        Datum::Text(text) => text.len(),
        Datum::Bytes(bytes) => bytes.len(),
        Datum::List(items) => items.iter().map(|item| size_of::<Datum>() + weight_of(item)).sum(),
        Datum::Record(fields) => fields
            .iter()
            .map(|(name, value)| size_of::<(String, Datum)>() + name.len() + weight_of(value))
            .sum(),
        _ => 0,
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now(_) => write!(f, "a reading of the clock"),
            Self::Wall(_) => write!(f, "a reading of the clock on the wall"),
            Self::Random(_) => write!(f, "a random number"),
            Self::Over => write!(f, "the end of the world"),
            Self::Long(long) => match &**long {
                Long::Asked(_, question) => write!(f, "the operation {question}"),
                Long::Performed(question, _) => write!(f, "the operation {question}, at once"),
                Long::Received { operation, .. } => {
                    write!(f, "the answer to operation {}", operation.0)
                }
                Long::Interrupted { .. } => write!(f, "the end of a callback that ran too long"),
                Long::Refused(stream, _) => write!(f, "a failure to write to std{}", stream.name()),
                Long::Module(path, Look::Read(_)) => write!(f, "reading {}", path.display()),
                Long::Module(path, _) => write!(f, "looking at {}", path.display()),
            },
        }
    }
}

/// The arguments that are short enough to be shown.
fn about(arguments: &[Datum]) -> String {
    const SHOWN: usize = 3;
    const LENGTH: usize = 60;
    let mut text = String::new();
    for argument in arguments.iter().take(SHOWN) {
        let part = match argument {
            Datum::Text(part) => part.as_str(),
            Datum::Number(number) => &number.to_string(),
            Datum::Record(fields) => &fields
                .iter()
                .filter_map(|(name, value)| match value {
                    Datum::Text(text) => Some(format!("{name}={text}")),
                    Datum::Number(number) => Some(format!("{name}={number}")),
                    _ => None,
                })
                .collect::<Vec<_>>()
                .join(" "),
            _ => continue,
        };
        if !text.is_empty() {
            text.push(' ');
        }
        text.extend(part.chars().take(LENGTH));
    }
    text
}
