//! What can be seen of a program that stands still.

use super::goal::Watch;
use hemiola_machine::Place;
use std::marker::PhantomData;

/// Why a program stands still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its position is the one that was asked for.
    Step,
    /// A breakpoint on that line, as it was asked for.
    Breakpoint(u32),
    /// The step over or out is done.
    Stepped,
    /// The invocation that was asked for begins.
    Invocation,
    /// A `debugger` statement.
    Statement,
    /// Something is thrown, which this text describes.
    Thrown(String),
    /// Something was thrown that nobody caught. It was thrown when so many statements had begun, if that
    /// is known: the position before the last of them.
    Uncaught(String, Option<u64>),
    /// A watched value changed, from one to the other, within the statement before this position.
    Changed(Watch, String, String),
}

/// A program that stands still.
pub struct Stopped<'a> {
    pub(super) step: u64,
    pub(super) reason: Reason,
    pub(super) place: Option<Place>,
    pub(super) invocation: u64,
    pub(super) engine: PhantomData<&'a ()>,
}

/// A function that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The name of the function; empty if it has none.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// The number that [`Stopped::scopes`] and the like take.
    pub id: usize,
}

/// Variables that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// What they are.
    pub kind: ScopeKind,
    /// What [`Stopped::variables`] takes.
    pub reference: u32,
}

/// What variables belong to, from the inside out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// A block within a function.
    Block,
    /// A function: parameters, variables, `this`.
    Local,
    /// Functions around it: what the function uses of them.
    Closure,
    /// The module.
    Module,
    /// All.
    Global,
}

/// A named value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The value in words, on one line.
    pub value: String,
    /// What `typeof` says, or the name of its class.
    pub kind: String,
    /// What [`Stopped::variables`] takes to show what is inside; 0 where nothing is.
    pub reference: u32,
    /// What tells of changes, where that is possible.
    pub watch: Option<Watch>,
}

impl Stopped<'_> {
    /// How many statements have begun before this moment: the position.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Why it stands still.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }

    /// The statement that is next; none between two callbacks.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// The invocation that runs, by the number that the trace has for it.
    pub fn invocation(&self) -> u64 {
        self.invocation
    }

    /// The functions on the stack, the innermost first.
    pub fn frames(&mut self) -> Vec<Frame> {
        Vec::new()
    }

    /// The variables that a frame sees, the innermost first.
    pub fn scopes(&mut self, _frame: usize) -> Vec<Scope> {
        Vec::new()
    }

    /// What is in a scope or a value.
    pub fn variables(&mut self, _reference: u32) -> Vec<Variable> {
        Vec::new()
    }

    /// The value of an expression, or of the last of some statements, as code in that frame would have
    /// it. Whatever it asks of the outside is answered without asking.
    ///
    /// # Errors
    ///
    /// What it throws, in words.
    pub fn evaluate(&mut self, _frame: usize, _text: &str) -> Result<Variable, String> {
        Err("nothing can be evaluated here".into())
    }

    /// The position of the statement that the frame, or one that called it, began last before this
    /// one; only where the goal said to remember that, and as far back as it did.
    pub fn previous(&self, _frame: usize) -> Option<u64> {
        None
    }
}
