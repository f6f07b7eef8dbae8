//! A whole program: an engine on a machine, from its first line to its exit code.

use crate::calls::STILL_COMPUTES;
use crate::host::{Js, StartError};
use hemiola_engine::{Callback, JavaScript};
use hemiola_gate::Reason;
use hemiola_machine::{Chooser, Machine, Named, Sink, Step, Stream, World};
use hemiola_node::{Options, TimerMeaning};

/// How many more callbacks a program may run once it was asked to stop: enough for the engine to look
/// up within one of them and to say where that was.
const GRACE: u64 = 100_000;

/// Whether a program knows that it is about to end. It may go on then: with a timer or an operation,
/// but not with ticks and promise jobs alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Farewell {
    Ahead,
    /// It is told, or has not done yet what it does at once.
    Telling,
    Told,
}

/// What becomes of an engine whose program is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The process ends with the program: to take a heap apart, object by object, would only delay that.
    WithProcess,
    /// Its memory is given back.
    Freed,
}

/// Runs a program to its end and gives its exit code.
pub fn run(
    options: Options,
    ending: Ending,
    world: &mut impl World<JavaScript>,
    chooser: &mut impl Chooser,
    sink: &mut impl Sink,
) -> Result<i32, StartError> {
    let number = options.member.machine;
    let mut host = Js::new(options)?;
    let (code, machine) = drive(&mut host, world, chooser, sink);
    host.tell_coverage();
    host.tell_samples(number);
    match ending {
        Ending::WithProcess => std::mem::forget((machine, host)),
        Ending::Freed => {
            // What the machine keeps belongs to the engine.
            drop(machine);
            let budget = host.budget();
            drop(host);
            debug_assert_eq!(budget.used(), 0, "an engine gives all of its memory back");
        }
    }
    Ok(code)
}

/// Runs the program of an engine to its end; gives its exit code, and the machine with what is left.
pub(crate) fn drive(
    host: &mut Js,
    world: &mut impl World<JavaScript>,
    chooser: &mut impl Chooser,
    sink: &mut impl Sink,
) -> (i32, Machine<JavaScript>) {
    let mut driving = Driving::new(host);
    loop {
        if let Some(code) = driving.step(host, world, chooser, sink) {
            return (code, driving.machine);
        }
    }
}

/// A program on its way to its end.
pub(crate) struct Driving {
    pub(crate) machine: Machine<JavaScript>,
    farewell: Farewell,
    /// How many callbacks had run when it was asked to stop.
    asked_at: Option<u64>,
}

impl Driving {
    /// At its beginning.
    pub(crate) fn new(host: &Js) -> Self {
        let options = &host.state().options;
        let drifting = options.timers == TimerMeaning::Node;
        let machine = Machine::new(Callback::Main).drifting(drifting);
        let machine = if options.scattered { machine.scattered() } else { machine };
        let machine = machine.bounded(options.max_action);
        Self { machine, farewell: Farewell::Ahead, asked_at: None }
    }

    /// The same for another run that goes on from here; nothing if there can be none.
    pub(crate) fn copy(&self) -> Option<Self> {
        let machine = hemiola_engine::copy(&self.machine)?;
        Some(Self { machine, farewell: self.farewell, asked_at: self.asked_at })
    }

    /// One step further; the exit code if that was the last.
    pub(crate) fn step(
        &mut self,
        host: &mut Js,
        world: &mut impl World<JavaScript>,
        chooser: &mut impl Chooser,
        sink: &mut impl Sink,
    ) -> Option<i32> {
        let Self { machine, farewell, asked_at } = self;
        let strategy: Named = host.state().options.strategy;
        let before = machine.invocations();
        let step = machine.step(host, &strategy, world, chooser, sink);
        if let Some(reason) = host.asked_to_stop().filter(|_| step != Step::Halted) {
            let after = machine.invocations();
            if after == before || after - *asked_at.get_or_insert(after) > GRACE {
                return Some(stop(reason, machine, world));
            }
        }
        match step {
            Step::Halted => return Some(host.exit_code().unwrap_or(0)),
            Step::Finished if *farewell == Farewell::Ahead => {
                *farewell = Farewell::Telling;
                machine.go_on(Callback::BeforeExit);
            }
            Step::Finished => {
                machine.go_on(Callback::Exit);
                machine.step(host, &strategy, world, chooser, sink);
                return Some(host.exit_code().unwrap_or(0));
            }
            Step::Moved if *farewell == Farewell::Telling => {
                if !machine.tail_is_pending() {
                    *farewell = Farewell::Told;
                }
            }
            Step::Moved => *farewell = Farewell::Ahead,
        }
        None
    }
}

/// Says what a program waited for when its time was up, and gives its exit code. Who interrupts a
/// program that waits knows what it did.
fn stop(reason: Reason, machine: &Machine<JavaScript>, world: &mut impl World<JavaScript>) -> i32 {
    let message = match reason {
        Reason::TimedOut => {
            let (timers, operations) = (machine.pending_timers(), machine.outstanding().count());
            format!(
                "the time is up (--timeout), while waiting: {timers} timers and {operations} \
                 operations are outstanding\n"
            )
        }
        Reason::PastTheEnd => format!("{STILL_COMPUTES}\n"),
        Reason::Interrupted | Reason::Terminated | Reason::OutOfMemory | Reason::Ended => {
            String::new()
        }
    };
    if !message.is_empty() {
        // If nobody can be told, the exit code still says it.
        let _ = world.write(Stream::Err, message.as_bytes());
    }
    reason.exit_code()
}
