//! Which batches may run next.

use crate::priority::Rank;
use crate::queues::Group;
use hemiola_trace::Class;
use std::fmt;
use std::str::FromStr;

/// Maps the ready set to what may run next. It reads no clock and never picks (rule LOOP-2).
pub trait Strategy {
    /// Appends the alternatives, the default first. None means that nothing is able to run.
    fn alternatives(&self, ready: &ReadySet<'_>, picks: &mut Vec<Pick>);

    /// Whether it wants to know the candidates one by one.
    fn ranks(&self) -> bool;

    /// Whether it goes round by phases, so that there is only one thing to do when no callback waits:
    /// the next timed action, in a turn of its own unless it belongs to the current one.
    fn has_phases(&self) -> bool;

    /// Whether ticks and promise jobs wait for a turn of their own: a callback is over when it has returned.
    /// Only a labelled action has a tail, which is not divided (rule TIME-5).
    fn divides_tails(&self) -> bool;
}

/// What is able to run, as a strategy sees it.
pub struct ReadySet<'a> {
    /// How many callbacks wait, by class.
    pub waiting: [usize; 6],
    /// How many of them, from the front of their queue, belong to the current turn.
    pub frozen: [usize; 6],
    /// The group that the current turn is in the middle of.
    pub open: Option<(Class, Group)>,
    /// Whether promises of equal priority are unordered (rule LOOP-9).
    pub unordered: bool,
    /// Whether the next timed action is due.
    pub due: bool,
    /// Whether the next timed action belongs to the current turn.
    pub due_in_turn: bool,
    /// Whether the oldest completion was ready before the next timed action was due (rule TIME-8).
    pub overtaken: bool,
    /// Whether a labelled action has run, and nothing since but its tail (rule TIME-5).
    pub acted: bool,
    /// Where `node-phases` stands.
    pub phase: Phase,
    /// Whether promise jobs are being drained: ticks that they cause wait for the end of it.
    pub draining: bool,
    /// Whether what is left of a tail waits for the next callback, since an error was taken (rule LOOP-7).
    pub tail_waits: bool,
    /// All that is able to run but for the tail of what has run; only for a strategy that ranks.
    pub candidates: &'a [Candidate],
    /// The groups among the first so many callbacks of a class, each once.
    pub(crate) groups: &'a Groups<'a>,
}

/// Calls back with the groups among the first so many callbacks of a class.
pub(crate) type Groups<'a> = dyn Fn(Class, usize, &mut dyn FnMut(Group)) + 'a;

/// One thing that the machine may do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Run the oldest callback of that group.
    Callback(Class, Group),
    /// Run the next timed atomic action.
    Timed,
    /// Begin a turn with this batch.
    Turn(Batch),
    /// Enter a phase.
    Enter(Phase),
    /// Move all immediates to the poll queue (r12).
    Promote,
}

/// What a turn consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// Everything that is ready.
    Everything,
    /// Everything of priority 0.
    Urgent,
    /// All callbacks of one group.
    Group(Class, Group),
    /// The oldest callback of one group.
    Callback(Class, Group),
    /// The callback at that place of a queue.
    Nth(Class, usize),
    /// The next timed action.
    Timed,
}

/// Something that is able to run, as the strategy `priority` sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// How to run it.
    pub batch: Batch,
    /// Where it stands.
    pub rank: Rank,
    /// What came earlier has the smaller number.
    pub order: u64,
    /// Whether it has to be held back.
    pub fit: Fit,
}

/// Whether there is time, network and disk for what a callback is expected to take (rule PRIO-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It makes nothing late.
    Fits,
    /// It would burden the network or the disk while an operation that is more urgent uses it.
    Burdens,
    /// It would make the next timed action late, and has already let one go first.
    Patient,
    /// It would make the next timed action late.
    Late,
}

impl Candidate {
    /// The one to run, or nothing if it is better to wait for the next timed action.
    pub(crate) fn best(candidates: &[Self]) -> Option<Batch> {
        let best = candidates.iter().min_by_key(|one| (one.fit, one.rank, one.order))?;
        (best.fit != Fit::Late).then_some(best.batch)
    }
}

/// The phases of one turn of Node's loop, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Timed callbacks that were due when the phase began.
    Timers,
    /// Completions that were ready when the phase began.
    Poll,
    /// Immediates that were waiting when the phase began.
    Check,
    /// Ends of resources. A program starts at the end of this phase.
    #[default]
    Close,
}

impl Phase {
    /// The phase that follows.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Timers => Self::Poll,
            Self::Poll => Self::Check,
            Self::Check => Self::Close,
            Self::Close => Self::Timers,
        }
    }
}

/// The strategies that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    /// Everything that is ready, in priority order (rule LOOP-3).
    All,
    /// Priority 0 alone if there is any, else everything (rule LOOP-4).
    Micro,
    /// As `micro`; its host puts zero timeouts into priority 0 (rule LOOP-5).
    Edge,
    /// One callback: of priority 0 if there is any, else any other (rule LOOP-6).
    Node,
    /// One promise with all its callbacks, as the paper prints the rule (rule LOOP-6).
    NodeLiteral,
    /// The phases of Node 20 (rule LOOP-7).
    NodePhases,
    /// Ticks, then poll, then immediates (rule LOOP-8).
    Machine,
    /// The most urgent that has the time for it (rule LOOP-10).
    Priority,
}

impl Named {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::All,
        Self::Micro,
        Self::Edge,
        Self::Node,
        Self::NodeLiteral,
        Self::NodePhases,
        Self::Machine,
        Self::Priority,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Micro => "micro",
            Self::Edge => "edge",
            Self::Node => "node",
            Self::NodeLiteral => "node-literal",
            Self::NodePhases => "node-phases",
            Self::Machine => "machine",
            Self::Priority => "priority",
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no strategy has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownStrategy(pub String);

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no strategy `{}`", self.0)
    }
}

impl std::error::Error for UnknownStrategy {}

impl FromStr for Named {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|strategy| strategy.name() == text);
        found.ok_or_else(|| UnknownStrategy(text.to_owned()))
    }
}

impl Strategy for Named {
    fn alternatives(&self, ready: &ReadySet<'_>, picks: &mut Vec<Pick>) {
        match self {
            Self::All => {
                if !ready.tail_of_action(picks) && !ready.batch(picks) && ready.anything() {
                    picks.push(Pick::Turn(Batch::Everything));
                }
            }
            Self::Micro | Self::Edge => {
                if ready.tail_of_action(picks) || ready.batch(picks) {
                } else if ready.urgent() {
                    picks.push(Pick::Turn(Batch::Urgent));
                } else if ready.anything() {
                    picks.push(Pick::Turn(Batch::Everything));
                }
            }
            Self::Node => ready.one(picks, Batch::Callback),
            Self::NodeLiteral => {
                if !ready.batch(picks) {
                    ready.one(picks, Batch::Group);
                }
            }
            Self::NodePhases => ready.phases(picks),
            Self::Machine => picks.extend(ready.machine()),
            Self::Priority => picks.extend(ready.ranked()),
        }
    }

    fn ranks(&self) -> bool {
        *self == Self::Priority
    }

    fn has_phases(&self) -> bool {
        *self == Self::NodePhases
    }

    fn divides_tails(&self) -> bool {
        match self {
            Self::All | Self::Micro | Self::Edge => true,
            Self::Node | Self::NodeLiteral | Self::NodePhases | Self::Machine | Self::Priority => {
                false
            }
        }
    }
}

impl ReadySet<'_> {
    fn waits(&self, class: Class) -> bool {
        self.waiting[class as usize] > 0
    }

    fn urgent(&self) -> bool {
        self.waits(Class::Tick) || self.waits(Class::Promise)
    }

    fn anything(&self) -> bool {
        self.due || self.waiting.iter().any(|&count| count > 0)
    }

    /// The group of the oldest callback of a class.
    fn front(&self, class: Class) -> Pick {
        let mut front = None;
        (self.groups)(class, 1, &mut |group| front = Some(group));
        Pick::Callback(class, front.expect("a class that waits has an oldest callback"))
    }

    /// What may follow within the current turn: the lowest priority that is left of it, and of that,
    /// the group it is in the middle of. False when nothing is left.
    fn batch(&self, picks: &mut Vec<Pick>) -> bool {
        if let Some((class, group)) = self.open {
            picks.push(Pick::Callback(class, group));
            return true;
        }
        let before = picks.len();
        for level in 0..=Class::Close.priority() {
            for class in Class::ALL.into_iter().filter(|class| class.priority() == level) {
                if class == Class::Timer && self.due_in_turn {
                    picks.push(Pick::Timed);
                }
                let frozen = self.frozen[class as usize];
                if frozen > 0 && self.unordered {
                    (self.groups)(class, frozen, &mut |group| {
                        picks.push(Pick::Callback(class, group));
                    });
                } else if frozen > 0 && picks.len() == before {
                    picks.push(self.front(class));
                }
            }
            if picks.len() > before {
                return true;
            }
        }
        false
    }

    /// One of priority 0 if there is any, else one of the others.
    fn one(&self, picks: &mut Vec<Pick>, batch: impl Fn(Class, Group) -> Batch) {
        let urgent = self.urgent();
        // The next microstep comes straight after the tail (rule TIME-6).
        if !urgent && self.due_in_turn {
            picks.push(Pick::Turn(Batch::Timed));
            return;
        }
        // In the tail of a labelled action jobs go on before the ticks that they cause, by default: it is
        // the same under every strategy (rule TIME-5).
        let mut classes = Class::ALL;
        if self.draining && self.acted && !self.unordered {
            classes.swap(Class::Tick as usize, Class::Promise as usize);
        }
        for class in classes {
            if urgent != (class.priority() == 0) {
                continue;
            }
            if class == Class::Timer && self.due {
                picks.push(Pick::Turn(Batch::Timed));
            }
            let count = if self.unordered { self.waiting[class as usize] } else { 1 };
            (self.groups)(class, count, &mut |group| picks.push(Pick::Turn(batch(class, group))));
        }
    }

    /// Immediates move only when there are any (rule MACH-5). What else a program has takes its place in the
    /// poll queue: timed actions when they are due, and the ends of resources behind all others.
    fn machine(&self) -> Option<Pick> {
        let next = || {
            if self.due_in_turn || self.due && !(self.waits(Class::Io) && self.overtaken) {
                Some(Pick::Turn(Batch::Timed))
            } else if self.waits(Class::Io) {
                Some(self.front(Class::Io))
            } else if self.waits(Class::Close) {
                Some(self.front(Class::Close))
            } else {
                self.waits(Class::Immediate).then_some(Pick::Promote)
            }
        };
        self.tail().or_else(next)
    }

    /// What is left of the tail of a labelled action: it is not divided among turns, and no zero delay comes
    /// before it (rules TIME-5, TIME-6). False when nothing is.
    fn tail_of_action(&self, picks: &mut Vec<Pick>) -> bool {
        let tail = if self.acted { self.tail() } else { None };
        picks.extend(tail);
        tail.is_some()
    }

    /// What is left of the tail of what has run (rule TIME-5).
    fn tail(&self) -> Option<Pick> {
        if self.waits(Class::Promise) && (self.draining || !self.waits(Class::Tick)) {
            return Some(self.front(Class::Promise));
        }
        self.waits(Class::Tick).then(|| self.front(Class::Tick))
    }

    /// The ticks that wait before the first one of the default group.
    fn ticks_in_any_order(&self, picks: &mut Vec<Pick>) {
        let mut in_turn = true;
        (self.groups)(Class::Tick, self.waiting[Class::Tick as usize], &mut |group| {
            in_turn &= group != Group::default();
            if in_turn {
                picks.push(Pick::Callback(Class::Tick, group));
            }
        });
    }

    /// The tail, the next microstep of the action that has run (rule PRIO-5), then the best.
    fn ranked(&self) -> Option<Pick> {
        self.tail().or_else(|| {
            let batch = if self.due_in_turn {
                Some(Batch::Timed)
            } else {
                Candidate::best(self.candidates)
            };
            batch.map(Pick::Turn)
        })
    }

    /// Before anything else comes the tail of what has run, unless that waits.
    fn phases(&self, picks: &mut Vec<Pick>) {
        if let Some(tail) = self.tail().filter(|_| !self.tail_waits) {
            match tail {
                Pick::Callback(Class::Tick, group)
                    if self.unordered && group != Group::default() =>
                {
                    self.ticks_in_any_order(picks);
                }
                tail => picks.push(tail),
            }
            return;
        }
        if !self.anything() {
            return;
        }
        let frozen = |class: Class| self.frozen[class as usize];
        if self.phase == Phase::Check && frozen(Class::Immediate) > 0 && self.unordered {
            (self.groups)(Class::Immediate, frozen(Class::Immediate), &mut |group| {
                picks.push(Pick::Callback(Class::Immediate, group));
            });
            return;
        }
        picks.push(match self.phase {
            Phase::Timers if self.due_in_turn => Pick::Timed,
            // Only a calculus has promises of that priority.
            Phase::Timers if frozen(Class::Timer) > 0 => self.front(Class::Timer),
            Phase::Poll if frozen(Class::Io) > 0 => self.front(Class::Io),
            Phase::Check if frozen(Class::Immediate) > 0 => self.front(Class::Immediate),
            Phase::Close if frozen(Class::Close) > 0 => self.front(Class::Close),
            phase => Pick::Enter(phase.next()),
        });
    }
}
