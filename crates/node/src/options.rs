//! How a program is to be run.

use crate::test::Tests;
use hemiola_engine::debug;
use hemiola_engine::instrument::Instrument;
use hemiola_engine::memory::Budget;
use hemiola_engine::sampling::Sampling;
use hemiola_engine::state::Settings;
use hemiola_gate::{Desk, Disk, MAIN, Member, Permissions, Stop};
use hemiola_machine::{Delay, Instant, Named};
use std::sync::Arc;

/// How a program is to be run.
#[derive(Clone)]
pub struct Options {
    /// What `process.argv` holds.
    pub argv: Vec<String>,
    /// The name by which Hemiola was called.
    pub argv0: String,
    /// The flags that the program was started with, as they were written: `process.execArgv`.
    pub exec_argv: Vec<String>,
    /// The flags that say how the library behaves, also those of `NODE_OPTIONS`, in the form of [`flags`](crate::flags).
    pub flags: Vec<String>,
    /// How many of them, the first ones, are those of `NODE_OPTIONS`.
    pub flags_of_variable: usize,
    /// The current directory.
    pub cwd: String,
    /// Environment variables. Those of many runs are the same ones.
    pub env: Arc<Vec<(String, String)>>,
    /// Is told which of them the program reads, each once, by its index.
    pub on_variable: Option<Arc<dyn Fn(usize) + Send + Sync>>,
    /// The time zone, by its IANA name, for a program in whose environment `TZ` is not set.
    pub zone: String,
    /// How much memory the engine may take; 0 is no limit.
    pub memory_limit: usize,
    /// How many bytes of its thread's stack the engine may use. Some must be left: an overflow is told
    /// from where it happens.
    pub stack_limit: usize,
    /// The strategy that the machine will be run with.
    pub strategy: Named,
    /// Whether the library asks for files as it did when every operation on them was one trip: so it did in
    /// recordings of that time.
    pub before_trips: bool,
    /// When its process began, by its own clock: `performance.now()` and `process.uptime()` count from there. A process
    /// of a simulated fleet may begin late.
    pub born: Instant,
    /// Who may stop it from outside.
    pub stop: Stop,
    /// What the third argument of the global timers means.
    pub timers: TimerMeaning,
    /// How long a callback may run.
    pub max_action: Option<Delay>,
    /// What to run.
    pub entry: Entry,
    /// How a text without a file is to be understood.
    pub input_type: InputType,
    /// Whether the runtime is told of every `await`; without, contexts end there. Only tests of that
    /// leave it out.
    pub contexts: bool,
    /// Whether it tells what it reads and writes.
    pub instrument: Instrument,
    /// Who wants to know where it spends its time.
    pub sampling: Option<Arc<Sampling>>,
    /// Whether the trace tells what happens to promises: [`Event::Attached`] and its kin.
    ///
    /// [`Event::Attached`]: hemiola_machine::Event::Attached
    pub promises: bool,
    /// Whether it tells where they are awaited, too, if it tells of places: after each [`Event::Attached`].
    ///
    /// [`Event::Attached`]: hemiola_machine::Event::Attached
    pub awaits: bool,
    /// Whether immediates that wait at the same time may run in any order.
    pub scattered: bool,
    /// Whether the trace tells where callbacks are attached: [`Event::Site`].
    ///
    /// [`Event::Site`]: hemiola_machine::Event::Site
    pub sites: bool,
    /// Whether the trace tells which HTTP requests invocations serve: [`Event::Labelled`].
    ///
    /// [`Event::Labelled`]: hemiola_machine::Event::Labelled
    pub names_requests: bool,
    /// Whether the trace tells what is read and written, also if it does not tell what invocations cost:
    /// [`Event::Transferred`].
    ///
    /// [`Event::Transferred`]: hemiola_machine::Event::Transferred
    pub transfers: bool,
    /// A clock of the processor time that the thread took, in nanoseconds, if the trace is to tell what
    /// invocations cost: [`Event::Spent`] and [`Event::Transferred`].
    ///
    /// [`Event::Spent`]: hemiola_machine::Event::Spent
    /// [`Event::Transferred`]: hemiola_machine::Event::Transferred
    pub accounts: Option<fn() -> u64>,
    /// Where modules are read from.
    pub disk: Arc<dyn Disk>,
    /// What the program may ask for.
    pub permissions: Permissions,
    /// What it is among the machines of its run.
    pub member: Member,
    /// Which of its tests run.
    pub tests: Tests,
    /// Who says how far it runs, and looks at it there.
    pub debug: Option<debug::Debug>,
    /// The person at the prompt, if there is one: then lines are read and evaluated, and there is no program.
    pub desk: Option<Arc<Desk>>,
}

/// What the third argument of the global `setTimeout` and `setInterval` means (rule TIME-15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimerMeaning {
    /// A text is the label of a clock, in the application's own modules.
    #[default]
    Labelled,
    /// An argument of the callback and nothing else, as in Node.
    Node,
}

/// What to run.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A file.
    File(String),
    /// A text.
    Text {
        /// The program.
        source: String,
        /// The name it goes by.
        name: String,
    },
    /// A text that is a script whose value is printed.
    Printed {
        /// The program.
        source: String,
        /// The name it goes by.
        name: String,
    },
}

/// How a text without a file is to be understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputType {
    /// As its syntax asks for.
    #[default]
    Detect,
    /// As a script.
    CommonJs,
    /// As an ES module.
    Module,
}

impl Options {
    /// What the engine needs to know of this.
    pub fn settings(&self, budget: Budget) -> Settings {
        // Workers run by themselves.
        let debug = self.debug.clone().filter(|_| self.member.machine == MAIN);
        let places = self.sites || self.instrument.describes();
        Settings {
            stack_limit: self.stack_limit,
            budget,
            stop: self.stop.clone(),
            strategy: self.strategy,
            contexts: self.contexts,
            promises: self.promises,
            awaits: self.awaits,
            places,
            sites: self.sites,
            names_requests: self.names_requests,
            transfers: self.transfers,
            keep_sources: places || debug.is_some() || self.shows_chains(),
            accounts: self.accounts,
            instrument: self.instrument.clone(),
            sampling: self.sampling.clone(),
            debug,
        }
    }

    /// Whether chains of invocations stand below stacks: `--stacks`.
    pub fn shows_chains(&self) -> bool {
        let mut flags = self.flags.iter();
        flags.any(|flag| flag.strip_prefix("--stacks=").is_some_and(|mode| mode != "off"))
    }
}
