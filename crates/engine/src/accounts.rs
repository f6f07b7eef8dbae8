//! What invocations cost, for those who asked: processor time, and bytes of network and
//! disk. See [`Settings::accounts`](crate::state::Settings).

use crate::bridge;
use crate::language::Callback;
use crate::state::State;
use hemiola_gate::{Answer, Checked, Datum, FsCall, Request, StreamCall, UdpCall};
use hemiola_machine::{Event, Medium, Named};
use std::cell::{Cell, RefCell};

/// Measures the time that invocations take themselves; they may be within each other.
pub struct Stopwatch {
    clock: fn() -> u64,
    /// When the time of the innermost was last taken.
    since: Cell<u64>,
    /// What those that run have taken so far, the innermost last.
    running: RefCell<Vec<u64>>,
}

impl Stopwatch {
    /// Measures by that clock, in nanoseconds.
    pub fn new(clock: fn() -> u64) -> Self {
        Self { clock, since: Cell::new(0), running: RefCell::default() }
    }

    fn begin(&self) {
        let passed = self.pass();
        let mut running = self.running.borrow_mut();
        if let Some(outer) = running.last_mut() {
            *outer += passed;
        }
        running.push(0);
    }

    fn end(&self) -> u64 {
        let passed = self.pass();
        self.running.borrow_mut().pop().unwrap_or_default() + passed
    }

    fn pass(&self) -> u64 {
        let now = (self.clock)();
        now.saturating_sub(self.since.replace(now))
    }
}

impl State {
    /// An invocation begins, perhaps within another.
    #[inline]
    pub fn begin_account(&self) {
        if let Some(stopwatch) = &self.stopwatch {
            stopwatch.begin();
        }
    }

    /// It ends, and what it took is told.
    #[inline]
    pub fn tell_account(&self) {
        if let Some(stopwatch) = &self.stopwatch {
            let nanos = stopwatch.end();
            bridge::with(|context| context.event(Event::Spent { nanos }));
        }
    }

    /// It was none.
    #[inline]
    pub fn drop_account(&self) {
        if let Some(stopwatch) = &self.stopwatch {
            stopwatch.end();
        }
    }

    /// Notes what a request moves whose answer comes later, and gives the callback that gets it.
    pub fn count_request(&self, request: &Request, callback: Callback) -> Callback {
        match moved_by(request).filter(|_| self.counts_bytes()) {
            None => callback,
            Some(Moved::Read(medium)) => Callback::Counted(medium, Box::new(callback)),
            Some(Moved::Written(medium, count)) => {
                self.moved(medium, 0, count);
                callback
            }
        }
    }

    /// Asks for something and waits for the answer, and notes what it moved.
    pub fn perform_counted(&self, request: Checked) -> Answer {
        let moved = moved_by(request.request()).filter(|_| self.counts_bytes());
        let Some(moved) = moved else {
            return bridge::with(|context| context.perform(request));
        };
        let is_whole = matches!(request.request(), Request::Fs(FsCall::WriteFile { .. }));
        let answer = bridge::with(|context| context.perform(request));
        match (moved, &answer) {
            (Moved::Read(medium), _) => self.count_answer(medium, &answer),
            (Moved::Written(medium, given), Ok(_)) if is_whole => self.moved(medium, 0, given),
            (Moved::Written(medium, _), Ok(Datum::Number(taken))) => {
                self.moved(medium, 0, *taken as u64);
            }
            (Moved::Written(..), _) => {}
        }
        answer
    }

    /// Notes what an answer brings.
    pub fn count_answer(&self, medium: Medium, answer: &Answer) {
        self.moved(medium, answer.as_ref().map_or(0, bytes_in), 0);
    }

    /// What a request uses, for who ranks: less urgent callbacks that burden it are held back (rule PRIO-4).
    pub fn medium_of(&self, request: &Request) -> Option<Medium> {
        if !self.ranks() {
            return None;
        }
        moved_by(request).map(|(Moved::Read(medium) | Moved::Written(medium, _))| medium)
    }

    /// Whether callbacks are ranked by what is known of them.
    pub fn ranks(&self) -> bool {
        self.settings.strategy == Named::Priority
    }

    /// Whether somebody wants to know of bytes: whoever reads the trace, or who ranks (rule PRIO-3).
    fn counts_bytes(&self) -> bool {
        self.tells_bytes() || self.ranks()
    }

    /// Whether the trace tells of them.
    fn tells_bytes(&self) -> bool {
        self.stopwatch.is_some() || self.settings.transfers
    }

    fn moved(&self, medium: Medium, read: u64, written: u64) {
        if read == 0 && written == 0 {
            return;
        }
        bridge::with(|context| {
            context.transferred(medium, read, written);
            if self.tells_bytes() {
                context.event(Event::Transferred { medium, read, written });
            }
        });
    }
}

/// In which direction a request moves bytes, and how many it brings itself.
enum Moved {
    Read(Medium),
    Written(Medium, u64),
}

fn moved_by(request: &Request) -> Option<Moved> {
    Some(match request {
        Request::Stream(StreamCall::Read { .. }) | Request::Udp(UdpCall::Receive { .. }) => {
            Moved::Read(Medium::Network)
        }
        Request::Stream(StreamCall::Write { bytes, .. } | StreamCall::TryWrite { bytes, .. }) => {
            Moved::Written(Medium::Network, bytes.len() as u64)
        }
        Request::Udp(UdpCall::Send { bytes, .. }) => {
            Moved::Written(Medium::Network, bytes.len() as u64)
        }
        Request::Fs(FsCall::Read { .. } | FsCall::ReadFile { .. }) => Moved::Read(Medium::Disk),
        Request::Fs(FsCall::Write { bytes, .. } | FsCall::WriteFile { bytes, .. }) => {
            Moved::Written(Medium::Disk, bytes.len() as u64)
        }
        _ => return None,
    })
}

fn bytes_in(datum: &Datum) -> u64 {
    match datum {
        Datum::Bytes(bytes) => bytes.len() as u64,
        Datum::Held(bytes) => bytes.len() as u64,
        Datum::List(items) => items.iter().map(bytes_in).sum(),
        Datum::Record(fields) => fields.iter().map(|(_, value)| bytes_in(value)).sum(),
        _ => 0,
    }
}
