//! A process that replays, as the session sees it.

use crate::model::{Answer, Goal, Hit, Question, Step, Stop};
use std::fmt;

/// One execution of the run, standing still somewhere in it. It goes forward only; to go back is to
/// have kept another one that stands earlier.
pub trait Replica: Sized {
    /// Runs on. Positions count that come after the one where it stands.
    fn run(&mut self, goal: &Goal, listener: &mut dyn Listener) -> Result<Halt, Trouble>;

    /// Another one that stands at the same position.
    fn fork(&mut self) -> Result<Self, Trouble>;

    /// Says something about where it stands. Whoever was asked is not to run on: the program may have
    /// been changed by the question.
    fn ask(&mut self, question: &Question) -> Result<Answer, Trouble>;
}

/// What becomes of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Halt {
    /// It stands still.
    Stopped(Stop),
    /// It is over.
    Ended(End),
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The exit code of the program.
    pub code: u8,
    /// How many statements were executed.
    pub steps: u64,
    /// How many bytes the program has printed.
    pub printed: u64,
    /// What went wrong with the replay, if it did not get to the program's own end.
    pub trouble: Option<String>,
    /// Whether the run was killed there: it has no exit code of its own.
    pub is_killed: bool,
}

impl End {
    /// How it ended, in words.
    pub fn words(&self) -> String {
        if self.is_killed { "killed".into() } else { format!("exit status {}", self.code) }
    }
}

/// Who is told what happens while a replica runs.
pub trait Listener {
    /// The program printed something that it had not printed when it was here before.
    fn printed(&mut self, err: bool, text: &str);

    /// A position counts, and all of them are wanted.
    fn hit(&mut self, hit: Hit);

    /// What is wanted of the run, which is that far; asked many times a second.
    fn wish(&mut self, way: &Way) -> Wish;

    /// Whether there is nobody left; asked also where a wish could not be fulfilled.
    fn is_leaving(&mut self) -> bool {
        false
    }
}

/// How far a run is on its way to another position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Where it is.
    pub step: Step,
    /// Where it is to stop at the latest, if that is known.
    pub until: Option<Step>,
    /// How many inputs of its recording it has taken.
    pub inputs: u64,
}

/// What is wanted of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// That it goes on.
    GoOn,
    /// That it stands still where it is.
    Pause,
    /// That there is no more of it.
    Leave,
}

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Nobody wants it any more.
    Left,
    /// The process that replays is gone, for that reason.
    Lost(String),
    /// It is nothing that can be done here, for that reason.
    Refused(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Left => write!(f, "the session is over"),
            Self::Lost(reason) => write!(f, "the process that replays the run is gone: {reason}"),
            Self::Refused(reason) => write!(f, "{reason}"),
        }
    }
}

impl std::error::Error for Trouble {}

impl Way {
    /// How far a run is that stands still there, and is to go on to that position.
    pub(crate) fn at(stop: &Stop, until: Option<Step>) -> Self {
        // As far as it can go is nothing that anybody knows.
        let until = until.filter(|until| *until < Step::MAX / 2);
        Self { step: stop.standing.step, until, inputs: stop.inputs }
    }
}

impl Halt {
    /// How many bytes the program has printed by then.
    pub fn printed(&self) -> u64 {
        match self {
            Self::Stopped(stop) => stop.printed,
            Self::Ended(end) => end.printed,
        }
    }
}
