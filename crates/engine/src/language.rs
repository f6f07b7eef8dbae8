//! What JavaScript, the machine and the world exchange.

use crate::raw::{Arguments, Owned, OwnedObject};
use crate::sites;
use crate::task::{Appear, Immediate, Started, TaskHandle, Timer};
use hemiola_gate::{Answer, Checked, Resource, Taken};
use hemiola_machine::{Language, Machine, Medium, Place, Site};
use rquickjs::{Ctx, Result};
use std::cell::Cell;
use std::ffi::CStr;

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
        sites::place()
    }
}

/// Something that the machine can run.
pub enum Callback {
    /// The program.
    Main,
    /// A function with its arguments.
    Call(OwnedObject, Arguments),
    /// A timer.
    Timer(TaskHandle<Timer>),
    /// An immediate.
    Immediate(TaskHandle<Immediate>),
    /// A task with an urgency, and where it was written.
    Task(OwnedObject, Site),
    /// A function that takes the answer to an operation, and what that is.
    Answered(OwnedObject, Resource),
    /// Who waits for a call about a path.
    File(Box<Reader>),
    /// A callback of the library's that calls one of the program's, and where that was written.
    For(Site, Box<Callback>),
    /// A callback whose answer brings bytes that are counted.
    Counted(Medium, Box<Callback>),
    /// A callback of an operation that has much with it, which counts as memory of the run until it is over.
    Holding(Taken, Box<Callback>),
    /// A native that takes the answer to an operation; nothing once it has run.
    Consumed(Option<Box<dyn Consume>>),
    /// A message, and whether it keeps the program alive.
    Message(OwnedObject, bool),
    /// A handler of lateness, called with the lag.
    Late(OwnedObject),
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

thread_local! {
    /// Whether a callback was copied of which there can be no copy.
    static MISSED: Cell<bool> = const { Cell::new(false) };
}

/// A copy of a machine, for another run that goes on from here; nothing if one of its callbacks cannot be copied.
pub fn copy(machine: &Machine<JavaScript>) -> Option<Machine<JavaScript>> {
    MISSED.set(false);
    let copy = machine.clone();
    (!MISSED.take()).then_some(copy)
}

impl Clone for Callback {
    fn clone(&self) -> Self {
        match self {
            Self::Main => Self::Main,
            Self::Call(function, args) => Self::Call(function.clone(), args.clone()),
            Self::Timer(task) => Self::Timer(task.clone()),
            Self::Immediate(task) => Self::Immediate(task.clone()),
            Self::Task(function, site) => Self::Task(function.clone(), *site),
            Self::Answered(function, resource) => Self::Answered(function.clone(), *resource),
            Self::File(reader) => Self::File(reader.clone()),
            Self::For(site, callback) => Self::For(*site, callback.clone()),
            Self::Counted(medium, callback) => Self::Counted(*medium, callback.clone()),
            Self::Holding(_, callback) => {
                MISSED.set(true);
                (**callback).clone()
            }
            Self::Consumed(_) => {
                MISSED.set(true);
                Self::Consumed(None)
            }
            Self::Message(function, keeps_alive) => Self::Message(function.clone(), *keeps_alive),
            Self::Late(handler) => Self::Late(handler.clone()),
            Self::Within(bound) => Self::Within(bound.clone()),
            Self::Jobs => Self::Jobs,
            Self::BeforeExit => Self::BeforeExit,
            Self::Exit => Self::Exit,
            Self::AfterTail => Self::AfterTail,
        }
    }
}

impl Callback {
    /// The timer that it is, in whatever context.
    pub fn timer(&self) -> Option<&TaskHandle<Timer>> {
        match self {
            Self::Timer(handle) => Some(handle),
            Self::Within(bound) => bound.1.timer(),
            Self::Main
            | Self::Call(..)
            | Self::Immediate(_)
            | Self::Task(..)
            | Self::Answered(..)
            | Self::File(_)
            | Self::For(..)
            | Self::Counted(..)
            | Self::Holding(..)
            | Self::Consumed(_)
            | Self::Message(..)
            | Self::Late(_)
            | Self::Jobs
            | Self::BeforeExit
            | Self::Exit
            | Self::AfterTail => None,
        }
    }

    /// What hooks call it that was attached without its context, and its handle; nothing for what they do not hear
    /// of, or have heard of.
    pub(crate) fn resource(&self) -> Option<(&'static CStr, Option<&dyn Appear>)> {
        match self {
            Self::Timer(handle) => Some((c"Timeout", Some(handle))),
            Self::Immediate(handle) => {
                (!handle.is_cleared()).then_some((c"Immediate", Some(handle)))
            }
            Self::Call(..) => Some((c"TickObject", None)),
            Self::Answered(_, resource) => Some((resource.name(), None)),
            Self::File(reader) => Some((reader.resource().name(), None)),
            Self::For(_, callback) | Self::Counted(_, callback) | Self::Holding(_, callback) => {
                callback.resource()
            }
            Self::Main
            | Self::Task(..)
            | Self::Consumed(_)
            | Self::Message(..)
            | Self::Late(_)
            | Self::Within(_)
            | Self::Jobs
            | Self::BeforeExit
            | Self::Exit
            | Self::AfterTail => None,
        }
    }

    /// What it is to who lists what keeps the program alive; nothing for what is not listed.
    pub fn active(&self) -> Option<&'static str> {
        match self {
            Self::Answered(_, resource) => resource.request(),
            Self::File(reader) => reader.resource().request(),
            Self::Immediate(immediate) => immediate
                .with(|immediate| immediate.is_referenced() && !immediate.guards())
                .then_some("Immediate"),
            Self::For(_, callback) | Self::Counted(_, callback) | Self::Holding(_, callback) => {
                callback.active()
            }
            Self::Within(bound) => bound.1.active(),
            // Timers are counted by the machine.
            Self::Main
            | Self::Call(..)
            | Self::Timer(_)
            | Self::Task(..)
            | Self::Consumed(_)
            | Self::Message(..)
            | Self::Late(_)
            | Self::Jobs
            | Self::BeforeExit
            | Self::Exit
            | Self::AfterTail => None,
        }
    }
}

/// Who waits for a call about a path, and what the answer is to be given as.
#[derive(Clone)]
pub struct Reader {
    /// What is called, or settled, once there is an answer.
    pub then: Reading,
    /// What becomes of the answer.
    pub content: Content,
    /// The path as the program gave it, if that is not the one that was asked for.
    pub given: Option<Owned>,
}

/// What the answer to a call about a path is given as.
#[derive(Clone)]
pub enum Content {
    /// The bytes of a file.
    Bytes,
    /// The same as a string, of UTF-8.
    Text,
    /// Not at all: there is nothing to tell.
    Nothing,
    /// As what this function makes of it.
    Made(OwnedObject),
}

/// How a call about a path is waited for.
#[derive(Clone)]
pub enum Reading {
    /// By a callback.
    Callback(OwnedObject),
    /// By a promise, with the functions that resolve and reject it.
    Promise([OwnedObject; 3]),
}

impl Reader {
    /// What the operation is to hooks.
    pub fn resource(&self) -> Resource {
        match self.then {
            Reading::Callback(_) => Resource::File,
            Reading::Promise(_) => Resource::FilePromise,
        }
    }
}

/// A native that takes the answer to an operation in the place of a function.
pub trait Consume {
    /// Takes the answer.
    fn answered(self: Box<Self>, ctx: &Ctx<'_>, answer: Answer) -> Result<()>;
}
