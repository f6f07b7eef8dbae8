//! What a monitor is told: tasks, lists, and what happens at a position.

/// A task as it was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The name by which events refer to this registration.
    pub name: String,
    /// The id.
    pub id: String,
    /// The delay of retries.
    pub retry_delay: i64,
}

/// A list of registrations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The name by which events refer to it.
    pub name: String,
    /// Its registrations, by their numbers.
    pub tasks: Vec<usize>,
    /// Whether a scheduler must accept it.
    pub valid: bool,
    /// How many of its tasks may run at once; nothing if all may.
    pub concurrency: Option<u64>,
}

/// What happens. Tasks and lists are meant by their numbers; a call is one of initialize().
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are the events of the theory")]
pub enum What {
    InitStart {
        call: u32,
        list: usize,
    },
    InitSuccess {
        call: u32,
        list: usize,
    },
    InitFailure {
        call: u32,
        list: usize,
    },
    StopStart,
    StopEnd,
    RunStart(usize),
    RunSuccess(usize),
    RunFailure(usize),
    Due(usize),
    Minute,
    Crash,
    /// Somebody asks for a run beside the schedule, holds a task back, and lets it go again.
    Triggered(usize),
    Paused(usize),
    Resumed(usize),
    /// Of several nodes: a run is taken from its node; the lease of its node runs out; an end does not count.
    Interrupted(usize),
    Lapsed(usize),
    Refused(usize),
    /// Of what happens to a task at the same position: its node holds its lease; the fence is the one that counts;
    /// there is a reason to take the run away.
    Leased(usize),
    Fenced(usize),
    Excused(usize),
    /// The clock of the database shows less than before.
    SetBack,
}

impl What {
    /// Whether it is an action, which takes compute.
    pub fn is_action(self) -> bool {
        !matches!(
            self,
            Self::Due(_)
                | Self::Minute
                | Self::Crash
                | Self::Triggered(_)
                | Self::Paused(_)
                | Self::Resumed(_)
                | Self::Interrupted(_)
                | Self::Lapsed(_)
                | Self::Refused(_)
                | Self::Leased(_)
                | Self::Fenced(_)
                | Self::Excused(_)
                | Self::SetBack
        )
    }
}

/// A position of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Its time.
    pub time: i64,
    /// The number of the event that it was written for; none where it was derived.
    pub event: Option<u32>,
    /// What happens, each with the number by which a report names it.
    pub events: Vec<(u32, What)>,
    /// Whether there is a unit of compute at this time.
    pub computes: bool,
    /// How many units of compute there were before this time.
    pub granted: u64,
    /// Whether it belongs to the part that repeats for ever.
    pub repeats: bool,
    /// By how much earlier than its time the failures here happened: delays of retries count from then.
    pub late: i64,
}
