//! What JavaScript, the machine and the world exchange.

use crate::instrument;
use crate::raw::{Arguments, OwnedObject};
use crate::sites;
use crate::task::TaskHandle;
use hemiola_gate::{Answer, Checked};
use hemiola_machine::{Language, Medium, Place, Site};
use rquickjs::{Ctx, Function, Persistent, Result};

/// The language of programs: what callbacks, requests and answers are, whoever runs them.
#[derive(Clone, Copy, Debug)]
pub enum JavaScript {}

impl Language for JavaScript {
    type Callback = Callback;
    type Request = Checked;
    type Answer = Answer;

    fn describe(request: &Checked) -> String {
        request.request().describe()
    }

    fn place() -> Option<Place> {
        instrument::place().or_else(sites::noted)
    }
}

/// Something that the machine can run.
pub enum Callback {
    /// The program.
    Main,
    /// A function with its arguments.
    Call(OwnedObject, Arguments),
    /// A timer.
    Timer(TaskHandle),
    /// An immediate.
    Immediate(TaskHandle),
    /// A task with an urgency, and where it was written.
    Task(OwnedObject, Site),
    /// A function that takes the answer to an operation.
    Answered(Persistent<Function<'static>>),
    /// A callback of the library's that calls one of the program's, and where that was written.
    For(Site, Box<Callback>),
    /// A callback whose answer brings bytes that are counted.
    Counted(Medium, Box<Callback>),
    /// A native that takes the answer to an operation; nothing once it has run.
    Consumed(Option<Box<dyn Consume>>),
    /// A message, and whether it keeps the program alive.
    Message(Persistent<Function<'static>>, bool),
    /// A handler of lateness, called with the lag.
    Late(Persistent<Function<'static>>),
    /// Another callback, in the context that it was attached in.
    Within(Box<(OwnedObject, Callback)>),
    /// The promise jobs that wait in the engine: until there are none, or, where a batch ends with
    /// what was there at its beginning, those.
    Jobs,
    /// The program has nothing left to do: it is told, and may find something.
    BeforeExit,
    /// The program ends.
    Exit,
    /// What happens when a tail is over: rejections that nobody handled are told.
    AfterTail,
}

/// A native that takes the answer to an operation in the place of a function.
pub trait Consume {
    /// Takes the answer.
    fn answered(self: Box<Self>, ctx: &Ctx<'_>, answer: Answer) -> Result<()>;
}
