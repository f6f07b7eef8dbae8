//! What a front end and a process that replays say to each other, a line of JSON each.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A position in a run: how many statements were executed before it. A replay is deterministic, so that
/// this names a moment exactly.
pub type Step = u64;

/// A place in a program's text, as its author knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The path of the file, or the name of a text without one.
    pub file: String,
    /// The line, the first being 1.
    pub line: u32,
    /// The column in UTF-16 units, the first being 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Where a program stands: before a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The position.
    pub step: Step,
    /// The statement.
    pub place: Place,
    /// The running invocation.
    pub invocation: u64,
    /// The one that attached it.
    pub link: u64,
    /// The one that made it able to run.
    pub cause: u64,
    /// The position of its first statement.
    pub began_at: Step,
    /// When it was attached, if the program itself did.
    pub linked_at: Option<Doing>,
    /// When it was made able to run, likewise.
    pub caused_at: Option<Doing>,
}

/// Something that a statement of the program did.
///
/// The statement may have called functions before it did that. Where it began is known to a replica that
/// remembers what runs since the beginning of the invocation: see [`Question::Statement`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doing {
    /// The position of the statement that had begun last: that one, or one that it led to.
    pub step: Step,
    /// The position of the first statement of the invocation.
    pub from: Step,
    /// How many functions were running, from the one with the statement to the outermost; 0 if none of the
    /// program's own was any more.
    pub functions: u32,
    /// The reaction to a promise that it made able to run. Of one that is rejected it may be known later
    /// than it was done: see [`Question::Settled`].
    pub reaction: Option<u64>,
}

/// Why a program stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// It came to a position, or made the step that was asked for.
    Step,
    /// It came to breakpoints: their numbers.
    Breakpoint(Vec<u64>),
    /// Something is thrown.
    Exception(Thrown),
    /// A watched value has changed: the number of the watch, and the values before and after.
    Changed(u64, String, String),
    /// It ran for as long as it should at a time.
    Slice,
    /// Its first statement.
    Entry,
    /// There was no more to run; it stands before the last statement.
    End,
    /// Somebody asked for a pause.
    Pause,
}

/// Something that is thrown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thrown {
    /// What, in words.
    pub text: String,
    /// Whether nobody catches it.
    pub is_uncaught: bool,
    /// The position of the statement that threw it, if that was another one.
    pub at: Option<Step>,
}

/// A place at which a program is to stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakpoint {
    /// Its number.
    pub id: u64,
    /// Where.
    pub place: Place,
    /// Stops only if this is true there.
    pub condition: Option<String>,
    /// Does not stop: what to say instead, with expressions in braces.
    pub log: Option<String>,
    /// Stops at these positions only, if they are known already.
    pub only: Option<Vec<Step>>,
    /// Stops in these invocations only, which are in order.
    pub chain: Option<Vec<u64>>,
}

/// A variable, or a property of what it holds, whose changes count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// Its number.
    pub id: u64,
    /// The place of the variable's declaration.
    pub declared: Place,
    /// Its name.
    pub name: String,
    /// The properties that lead from its value to what is watched.
    pub path: Vec<String>,
}

/// Which exceptions stop a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exceptions {
    /// None.
    #[default]
    None,
    /// Those that nobody catches.
    Uncaught,
    /// All.
    All,
}

/// Which positions count, beside those of breakpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pace {
    /// None.
    #[default]
    Free,
    /// Every one.
    Each,
    /// Those of the function in which the program stands now, or of one that called it.
    Over,
    /// Those of one that called it.
    Out,
}

/// What becomes of a position that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hits {
    /// The program stops there.
    #[default]
    Stop,
    /// It goes on, and the last one is noted.
    Last,
    /// It goes on, and all of them are told.
    All,
}

/// How far a program is to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// It stops at this position at the latest.
    pub until: Option<Step>,
    /// It stops after so many microseconds at the latest.
    pub slice_us: Option<u64>,
    /// Breakpoints.
    pub breakpoints: Vec<Breakpoint>,
    /// Exceptions.
    pub exceptions: Exceptions,
    /// What the statement at this position throws does not count: it has been looked at.
    pub passed: Option<Step>,
    /// Watched values.
    pub watches: Vec<Watched>,
    /// Breakpoints, exceptions and watched values count in these invocations only, which are in order.
    pub chain: Option<Vec<u64>>,
    /// Other positions.
    pub pace: Pace,
    /// What becomes of those that count.
    pub hits: Hits,
    /// Whether it is remembered which statement each frame came from, so that [`Question::Before`] and
    /// [`Question::Statement`] have an answer.
    pub remember: bool,
    /// So many bytes of its output are known already.
    pub printed: u64,
}

/// What a process that replays is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// To run.
    Run(Goal),
    /// To become two.
    Fork,
    /// To say something about where it stands.
    Ask(Question),
}

/// What can be asked of a program that stands still.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// The functions on the stack, innermost first, and who attached what runs.
    Frames,
    /// The scopes of a frame.
    Scopes(u32),
    /// What is in something.
    Variables {
        /// The reference of it.
        reference: u64,
        /// How many are left out.
        start: u64,
        /// How many are wanted at most; 0 for all.
        count: u64,
    },
    /// The value of an expression in a frame.
    Evaluate(u32, String),
    /// What tells of changes of a variable that a frame sees, or of a property of it: `a.b[0]`.
    Watch(u32, String),
    /// The position of the statement that a frame, or one that called it, was at before.
    Before(u32),
    /// The position of the statement that has settled the promise of a reaction, if that is done.
    Settled(u64),
    /// The invocation that runs, and those that attached it one after the other.
    Chain,
    /// The position of the statement in which the function is that has so many running ones below it and
    /// itself; for 0, the outermost of the program's own.
    Statement(u32),
}

/// A function on the stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// Its name.
    pub function: String,
    /// The statement in it.
    pub place: Place,
}

impl Frame {
    /// What to call the function.
    pub fn name(&self) -> &str {
        let is_named =
            self.function.contains(|char: char| char.is_alphanumeric() || "_$".contains(char));
        if is_named { &self.function } else { "(anonymous)" }
    }
}

/// What runs was attached there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// The invocation that attached it.
    pub invocation: u64,
    /// At this position, if it was the program itself.
    pub step: Option<Step>,
    /// There.
    pub place: Option<Place>,
}

/// Variables that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// Its name.
    pub name: String,
    /// What asks for its variables.
    pub reference: u64,
    /// Whether it takes long to see them all.
    pub expensive: bool,
}

/// A variable or property, or the value of an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value, in words.
    pub value: String,
    /// The type of the value.
    pub kind: String,
    /// What asks for its properties; 0 if it has none.
    pub reference: u64,
    /// What tells of its changes, where that is possible.
    pub watch: Option<Watched>,
}

/// What a process that replays answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The stack.
    Frames(Vec<Frame>, Vec<Attached>),
    /// Scopes.
    Scopes(Vec<Scope>),
    /// Variables, and how many there are in all.
    Variables(Vec<Variable>, u64),
    /// A value.
    Value(Variable),
    /// A position, if there is one.
    Position(Option<Step>),
    /// Invocations, in order.
    Chain(Vec<u64>),
    /// What tells of changes.
    Watch(Watched),
    /// It cannot be said, for that reason.
    Refused(String),
}

/// What a process that replays says of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// It stands still.
    Stopped(Stop),
    /// The program has printed something.
    Printed {
        /// Whether to standard error.
        err: bool,
        /// What.
        text: String,
    },
    /// A position that counts.
    Hit(Hit),
    /// It is over.
    Ended {
        /// The exit code.
        code: u8,
        /// The position after the last statement.
        steps: Step,
        /// How many bytes it has printed.
        printed: u64,
        /// What went wrong, as it is to be printed.
        trouble: Option<String>,
        /// Whether the run was killed there.
        is_killed: bool,
    },
    /// It has become two: the number of the other process, or why not.
    Forked(Result<u32, String>),
    /// An answer.
    Answer(Answer),
}

/// A stop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Where.
    pub standing: Standing,
    /// Why.
    pub reason: Reason,
    /// The last position that counted on the way here, if the goal was to note it.
    pub last: Option<Hit>,
    /// How many bytes the program has printed until here.
    pub printed: u64,
    /// How many inputs of its recording it has taken.
    pub inputs: u64,
}

/// A position that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// Which.
    pub step: Step,
    /// Where.
    pub place: Place,
    /// Why.
    pub reason: Reason,
    /// What a log point says there.
    pub text: Option<String>,
}
