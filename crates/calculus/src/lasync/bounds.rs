//! How far the executions of a program are followed.

/// The bounds of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Turns of the loop in one run.
    pub ticks: u64,
    /// Callbacks in one run.
    pub callbacks: u32,
    /// Logged texts in one run.
    pub logs: u32,
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
        Self { ticks: 99, callbacks: 99, logs: 99, starve_window: 4 }
    }
}
