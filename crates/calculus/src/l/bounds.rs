//! How far the executions of a program are followed, and how its rules are read.

use std::fmt;
use std::str::FromStr;

/// How the rules are read (rule MACH-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A callee sees its caller's environment.
    #[default]
    Dynamic,
    /// A callee sees the environment it was defined in, as in JavaScript.
    Lexical,
    /// Every rule exactly as it is printed.
    Literal,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Dynamic, Self::Lexical, Self::Literal];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Lexical => "lexical",
            Self::Literal => "literal",
        }
    }
}

/// A name that no mode has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMode(pub String);

impl fmt::Display for UnknownMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no mode `{}`", self.0)
    }
}

impl std::error::Error for UnknownMode {}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|mode| mode.name() == text);
        found.ok_or_else(|| UnknownMode(text.to_owned()))
    }
}

/// The bounds of an exploration (rule MACH-7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Observations in one run.
    pub observations: u32,
    /// Synchronous calls in one run (s4).
    pub calls: u32,
    /// Callbacks taken from a queue in one run (r10 and r11).
    pub dispatches: u32,
    /// What `any` and the answers of operations are drawn from: numbers, or names.
    pub values: Vec<String>,
    /// External events, and how often each may happen (r7).
    pub external: Vec<(String, u32)>,
    /// How many calls and dispatches in a row a callback sits in a queue before it starves.
    pub starve_window: u32,
}

impl Bounds {
    /// The names of the bounds, as results tell them.
    pub const OBSERVATIONS: &'static str = "observations";
    /// See [`Bounds::calls`].
    pub const CALLS: &'static str = "calls";
    /// See [`Bounds::dispatches`].
    pub const DISPATCHES: &'static str = "dispatches";
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            observations: 99,
            calls: 99,
            dispatches: 99,
            values: vec!["d".into()],
            external: Vec::new(),
            starve_window: 4,
        }
    }
}
