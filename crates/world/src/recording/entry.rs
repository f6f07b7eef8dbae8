//! One thing that the outside decided.

use super::digest::Digest;
use hemiola_gate::{
    Answer, Checked, ChildCall, Datum, EnvCall, Kind, Request, SystemCall, WorkerCall,
};
use hemiola_machine::{Instant, Operation, Stream};
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

/// About how long a value of a variable is.
const SOME_TEXT: usize = 64;

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
    /// The running callback, or a script in it, was interrupted: it ran for too long.
    Interrupted {
        /// How often that was asked about before: nothing was to be interrupted then.
        question: u64,
    },
    /// A stream refused what was written, with the number of the error.
    Refused(Stream, i32),
    /// A file was read for a module, or looked at.
    Module(PathBuf, Look),
    /// A worker, or a child that has the program's own streams, wrote to one of them.
    Shown(Stream, Vec<u8>),
    /// A child writes to one of them, and what it writes is not recorded.
    Unseen,
    /// The program read a variable of its environment for the first time.
    Variable(Variable),
}

/// A variable of the environment, as far as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Which of all variables it was, the first being 0.
    pub at: u64,
    /// Its name.
    pub name: String,
    /// What is known of its value.
    pub kept: Kept,
}

/// What is known of the value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The value.
    Value(String),
    /// A digest of it, by which it is recognized.
    Digest {
        /// What was taken in before it.
        salt: String,
        /// The digest of both.
        digest: String,
    },
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
    pub kind: Cow<'static, str>,
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
        let mut arguments = if tells { Vec::new() } else { request.to_wire() };
        // Neither is what its environment holds: of that, not everything is kept.
        match request {
            Request::Env(EnvCall::Open { .. }) => arguments.clear(),
            _ if has_environment(request) => arguments.iter_mut().for_each(without_environment),
            _ => {}
        }
        Self::made_of(request.name(), &arguments)
    }

    /// The same before version 4, where the environment was a part of it.
    pub(super) fn with_environment(request: &Checked) -> Option<Self> {
        let request = request.request();
        has_environment(request).then(|| Self::made_of(request.name(), &request.to_wire()))
    }

    fn made_of(name: &'static str, arguments: &[Datum]) -> Self {
        let mut digest = Digest::default();
        arguments.iter().for_each(|argument| digest.datum(argument));
        Self { kind: name.into(), about: about(arguments), digest: digest.number() }
    }
}

/// The variable that a request asks for, of those that machines share.
pub(super) fn shared_variable(request: &Request) -> Option<&str> {
    match request {
        Request::Env(EnvCall::Get { name, .. }) => Some(name),
        _ => None,
    }
}

/// What stands for the value that a variable had in the program's own environment.
pub(super) fn inherited(name: &str) -> Datum {
    Datum::Record(vec![("variable".into(), Datum::Text(name.to_owned()))])
}

/// Whether a request hands on the environment, or a copy of it.
fn has_environment(request: &Request) -> bool {
    matches!(
        request,
        Request::Child(ChildCall::Spawn { .. } | ChildCall::Run { .. })
            | Request::Worker(WorkerCall::Start { .. })
            | Request::Env(EnvCall::Open { .. })
    )
}

/// Takes the environment out of what says how something is started.
fn without_environment(argument: &mut Datum) {
    if let Datum::Record(fields) = argument {
        fields.retain(|(name, _)| name != "env");
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

    /// How much room it takes, if it is about the program's own sources; else nothing.
    pub fn weight_of_source(&self) -> usize {
        match self {
            Self::Long(long) if matches!(**long, Long::Module(..)) => self.weight(),
            _ => 0,
        }
    }

    /// The variable that was read.
    pub fn variable(&self) -> Option<&Variable> {
        match self {
            Self::Long(long) => match &**long {
                Long::Variable(variable) => Some(variable),
                _ => None,
            },
            _ => None,
        }
    }

    /// An entry for a variable.
    pub fn of_variable(variable: Variable) -> Self {
        Self::long(Long::Variable(variable))
    }

    /// What was asked for.
    pub fn question(&self) -> Option<&Question> {
        match self {
            Self::Long(long) => match &**long {
                Long::Asked(_, question) | Long::Performed(question, _) => Some(question),
                _ => None,
            },
            _ => None,
        }
    }

    /// About how many bytes the program was told.
    pub fn told(&self) -> usize {
        let Self::Long(long) = self else { return 0 };
        match &**long {
            Long::Performed(_, Ok(answer)) | Long::Received { answer: Ok(answer), .. } => {
                weight_of(answer)
            }
            Long::Module(_, Look::Read(Ok(text))) => text.len(),
            _ => 0,
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
                Long::Interrupted { .. } | Long::Refused(..) | Long::Unseen => 0,
                Long::Variable(variable) => variable.name.len() + SOME_TEXT,
                Long::Shown(_, bytes) => bytes.len(),
                Long::Module(_, Look::Read(Ok(text))) => text.len(),
                Long::Module(path, _) => path.as_os_str().len(),
            }
    }
}

fn weight_of(datum: &Datum) -> usize {
    match datum {
        Datum::Text(text) => text.len(),
        Datum::Bytes(bytes) => bytes.len(),
        Datum::Held(bytes) => bytes.len(),
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
                Long::Shown(stream, _) => write!(f, "what another wrote to std{}", stream.name()),
                Long::Unseen => write!(f, "a child that writes to the program's own streams"),
                Long::Variable(variable) => write!(f, "the variable {}", variable.name),
            },
        }
    }
}

/// The first arguments, for people: a path in whole, unless it is unreasonable.
fn about(arguments: &[Datum]) -> String {
    const SHOWN: usize = 3;
    const LENGTH: usize = 250;
    let mut text = String::with_capacity(SOME_TEXT);
    for argument in arguments.iter().take(SHOWN) {
        let part = match argument {
            Datum::Text(part) => part.as_str(),
            Datum::Number(number) => &shown(*number),
            Datum::Record(fields) => &fields
                .iter()
                .filter_map(|(name, value)| match value {
                    Datum::Text(text) => Some(format!("{name}={text}")),
                    Datum::Number(number) => Some(format!("{name}={}", shown(*number))),
                    _ => None,
                })
                .collect::<Vec<_>>()
                .join(" "),
            _ => continue,
        };
        if !text.is_empty() {
            text.push(' ');
        }
        let mut letters = part.chars();
        text.extend(letters.by_ref().take(LENGTH));
        if letters.next().is_some() {
            text.push('…');
        }
    }
    text
}

/// A number as text. Most are whole, and are written sooner as such.
fn shown(number: f64) -> String {
    let whole = number as i64;
    let is_whole = (whole as f64).to_bits() == number.to_bits() && whole.unsigned_abs() < 1 << 53;
    if is_whole { whole.to_string() } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn numbers_are_shown_as_they_are_displayed() {
        let far = (1_u64 << 53) as f64;
        let whole = [0.0, -0.0, 7.0, -438.0, far - 1.0, far, 1e18 + 128.0, 1e300];
        for number in whole.into_iter().chain([0.5, -1e-7, f64::NAN, f64::INFINITY]) {
            assert_eq!(shown(number), number.to_string());
        }
    }
}
