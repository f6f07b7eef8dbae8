//! Through the gate: operations, time, luck and output.

use super::Context;
use crate::language::Language;
use crate::priority::Level;
use crate::queues::Group;
use hemiola_time::{Delay, Instant};
use hemiola_trace::{Class, Event, Medium, Operation, Origin, Stream};
use std::io;

/// How far apart two readings of physical time may be that say when the clock on the wall was read between them,
/// and how often they are made at most.
const APART: Delay = Delay::from_micros(500);
const MOST_READINGS: u32 = 8;

impl<L: Language> Context<'_, L> {
    /// Asks the world for an operation; the callback runs when it has answered.
    pub fn request(
        &mut self,
        class: Class,
        group: Group,
        request: L::Request,
        callback: L::Callback,
    ) -> Operation {
        self.request_on(None, class, group, request, callback)
    }

    /// As [`Context::request`], for an operation that is known to use the network or the disk: less urgent
    /// callbacks that use it much are held back meanwhile (rule PRIO-4).
    pub fn request_on(
        &mut self,
        medium: Option<Medium>,
        class: Class,
        group: Group,
        request: L::Request,
        callback: L::Callback,
    ) -> Operation {
        let operation = self.machine.ask(medium, class, group, callback);
        if self.gate.listens() {
            let by = self.machine.current.invocation;
            let what = L::describe(&request);
            self.tell(Event::Requested { operation, by, what });
            self.tell_place();
        }
        self.gate.submit(operation, request);
        operation
    }

    /// Asks the world for an operation and waits for its answer, while nothing else happens.
    pub fn perform(&mut self, request: L::Request) -> L::Answer {
        self.announce();
        self.gate.perform(request)
    }

    /// Says whether an outstanding operation keeps the program alive; at first it does.
    pub fn refer(&mut self, operation: Operation, referenced: bool) {
        self.machine.refer(operation, referenced);
    }

    /// Gives an outstanding operation the level of who is to have its answer, if that is not who asked for it.
    pub fn set_operation_level(&mut self, operation: Operation, level: Level) {
        self.machine.set_operation_level(operation, level);
    }

    /// Gives up an operation: its callback will not run, whatever the world answers.
    pub fn give_up(&mut self, operation: Operation) {
        if self.machine.give_up(operation) {
            if self.gate.listens() {
                self.tell(Event::Dropped { what: Origin::Operation(operation) });
            }
            self.gate.cancel(operation);
        }
    }

    /// Notes bytes that the running callback got or wrote (rule PRIO-3).
    pub fn transferred(&mut self, medium: Medium, read: u64, written: u64) {
        self.machine.learned.transferred(medium, read, written);
    }

    /// Physical time, for a program that asks.
    pub fn now(&mut self) -> Instant {
        self.machine.looked = self.gate.look();
        self.machine.looked
    }

    /// Microseconds since the start of 1970, by the clock on the wall.
    pub fn wall_clock(&mut self) -> u64 {
        let wall = self.gate.wall_clock();
        self.machine.wall = Some((wall, self.known_time()));
        wall
    }

    /// By how many microseconds somebody has set that clock since the last time that a scheduler looked at it, whose
    /// dues are what it shows (rule SCHED-8). `begins` says that there was none.
    pub fn look_at_wall(&mut self, begins: bool) -> i64 {
        if begins {
            self.machine.compute.forget_wall();
        }
        let mut readings = 1;
        loop {
            let (before, wall, after) = (self.now(), self.wall_clock(), self.now());
            // Who stood still between two readings makes them again.
            if after.since(before) <= APART || readings == MOST_READINGS {
                return self.machine.compute.looked(before, wall, after);
            }
            readings += 1;
        }
    }

    /// Physical time as far as it is known without a look: nobody outside hears of this.
    pub fn known_time(&self) -> Instant {
        self.machine.seen.max(self.machine.looked)
    }

    /// The clock on the wall by then, if the program has ever read it.
    pub fn known_wall_clock(&self) -> Option<u64> {
        let (wall, at) = self.machine.wall?;
        Some(wall + self.known_time().since(at).as_micros())
    }

    /// Is told that a scheduler waits for its store, or does no more: what it is granted meanwhile is nothing to it.
    pub fn awaits_store(&mut self, awaits: bool) {
        self.machine.compute.set_awaiting(awaits);
    }

    /// A random number.
    pub fn random(&mut self) -> u64 {
        self.gate.random()
    }

    /// Lets physical time pass, as a long computation would. Only a simulated world can do that.
    pub fn spend(&mut self, delay: Delay) {
        // Who may not run on does not spend more.
        let now = self.gate.now();
        let until = now + self.machine.spend(delay, now);
        self.gate.pass(until);
    }

    /// Lets the world do what should not wait until the running callback ends, and says whether that has
    /// run for longer than it may, or a script in it, and is to be interrupted: once for each of them (rule TIME-14).
    pub fn breathe(&mut self) -> bool {
        let limit = self.machine.limit();
        let script = self.machine.script_limit();
        if limit.is_some() || script.is_none() {
            let is_over = self.gate.breathe(limit);
            self.machine.looked(is_over);
            if is_over || script.is_none() {
                return is_over;
            }
        }
        let is_over = self.gate.breathe(self.machine.script_limit());
        self.machine.looked_at_script(is_over);
        is_over
    }

    /// Lets the world do between two jobs what should not wait until all of them have run.
    pub fn breathe_between_jobs(&mut self) {
        self.gate.breathe(None);
    }

    /// Writes text to a standard stream.
    pub fn write(&mut self, stream: Stream, text: &str) -> io::Result<()> {
        if self.gate.listens() {
            self.tell(Event::Wrote { stream, text: text.to_owned() });
        }
        self.gate.write(stream, text.as_bytes())
    }

    /// Writes bytes to a standard stream; in the trace they are text if they can be.
    pub fn write_bytes(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        if self.gate.listens() {
            self.tell(match std::str::from_utf8(bytes) {
                Ok(text) => Event::Wrote { stream, text: text.to_owned() },
                Err(_) => Event::WroteBytes { stream, bytes: bytes.to_owned() },
            });
        }
        self.gate.write(stream, bytes)
    }
}
