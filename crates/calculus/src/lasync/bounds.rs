//! How far the executions of a program are followed.

/// The bounds of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Turns of the loop in one run.
    pub ticks: u64,
    /// Callbacks in one run.
    pub callbacks: u32,
    /// Logged texts in one run.
    pub logs: u32,
    /// What events may be resolved to.
    pub values: Vec<String>,
    /// How many callbacks in a row another sits in a queue before it starves.
    pub starve_window: u32,
}

impl Bounds {
    /// The names of the bounds, as results tell them.
    pub const TICKS: &'static str = "ticks";
    /// See [`Bounds::callbacks`].
    pub const CALLBACKS: &'static str = "callbacks";
    /// See [`Bounds::logs`].
    pub const LOGS: &'static str = "logs";
    /// Synchronous calls within each other; not to be set.
    pub const DEPTH: &'static str = "depth of calls";
}

impl Default for Bounds {
    fn default() -> Self {
        Self { ticks: 99, callbacks: 99, logs: 99, values: vec!["d".into()], starve_window: 4 }
    }
}
