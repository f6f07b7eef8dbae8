//! The tree of a program in L.
//!
//! Functions and blocks live in tables of the [`Program`] and refer to each other by number, so
//! that a host can keep a position in the program as a few integers.

use crate::names::{Names, Symbol};
use hemiola_trace::source::Span;

/// The number of a function in [`Program::functions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(pub u32);

/// The number of a block in [`Program::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(pub u32);

/// A whole program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Every name that occurs in it.
    pub names: Names,
    /// Every function, in the order of the text.
    pub functions: Vec<Function>,
    /// Every block.
    pub blocks: Vec<Block>,
    /// The block a run starts with.
    pub main: BlockId,
}

/// A function bound by a `let`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name it is bound to.
    pub name: Symbol,
    /// The names of its parameters, all different.
    pub params: Vec<Symbol>,
    /// What it runs.
    pub body: BlockId,
    /// From its name to the end of its body.
    pub span: Span,
}

/// A sequence of instructions: the body of the program, of a function, or of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// What it runs, in order.
    pub instructions: Vec<Instruction>,
    /// Where each instruction stands; as many as there are instructions.
    pub spans: Vec<Span>,
}

/// One step of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `let x = e in`: binds a value in the rest of this block.
    LetValue {
        /// The name.
        name: Symbol,
        /// The value.
        value: Expr,
    },
    /// `let f = \x. …, g = \. … in`: binds functions in the rest of this block.
    LetFunctions(Vec<FunctionId>),
    /// `f(e, …)`: runs a function now.
    Call {
        /// The name of the function.
        function: Symbol,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `obs(e)`: shows a value to the outside.
    Observe(Expr),
    /// `store(x, e)`: writes a global.
    Store {
        /// The name of the global.
        name: Symbol,
        /// The value.
        value: Expr,
    },
    /// `call(op, cb)`: starts an operation that ends with the callback.
    Async {
        /// The name of the operation.
        operation: Symbol,
        /// The name of the callback.
        callback: Symbol,
    },
    /// `nexttick(f, e, …)`: runs a function before anything else that waits.
    NextTick {
        /// The name of the function.
        function: Symbol,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `setimmediate(f, e, …)`: runs a function in a later turn.
    SetImmediate {
        /// The name of the function.
        function: Symbol,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// `trigger(evt, e, …)`: raises an event.
    Trigger {
        /// The name of the event.
        event: Symbol,
        /// What its callbacks receive.
        args: Vec<Expr>,
    },
    /// `reg(evt, [f, …])`: attaches callbacks to an event.
    Register {
        /// The name of the event.
        event: Symbol,
        /// The names of the callbacks, in order.
        callbacks: Vec<Symbol>,
    },
    /// `unreg(evt, {f, …})`: detaches callbacks from an event.
    Unregister {
        /// The name of the event.
        event: Symbol,
        /// The names of the callbacks.
        callbacks: Vec<Symbol>,
    },
    /// `(…)`: a group whose `let`s end with it, in the middle of a sequence.
    Group(BlockId),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A variable, a global, or a pure name.
    Name(Symbol),
    /// A natural number.
    Number(i64),
    /// `any`: some value of the run's choice.
    Any,
    /// The sum of two expressions.
    Add(Box<Expr>, Box<Expr>),
    /// The difference of two expressions.
    Subtract(Box<Expr>, Box<Expr>),
}
