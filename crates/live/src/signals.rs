//! Signals: what stops a program from outside, and what it listens to itself.

use crate::guard::Guard;
use crate::inbox::Inbox;
use hemiola_gate::{Datum, Fault, Reason, Stop};
use hemiola_machine::Operation;
use signal_hook::consts::{FORBIDDEN, SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXFSZ};
use signal_hook::{SigId, flag, low_level};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The signals of one world.
pub(crate) struct Signals {
    stop: Stop,
    /// Who makes sure that they do.
    guard: Option<Guard>,
    /// Signals that end the program, because it does not listen to them (any more).
    ends: BTreeMap<i32, Handlers>,
    /// Signals that the program listens to, and whether each has come.
    heard: BTreeMap<i32, (Arc<AtomicBool>, Handlers)>,
    /// Who waits for which.
    waiting: BTreeMap<Operation, i32>,
    /// What Ctrl-C sets at a prompt, where it means a line.
    line: Option<Arc<AtomicBool>>,
    /// Signals that are taken and come to nothing, because a call fails where they come from.
    taken: Handlers,
}

/// What is registered with the system for one signal, until it is dropped.
#[derive(Default)]
struct Handlers(Vec<SigId>);

impl Drop for Handlers {
    fn drop(&mut self) {
        for handler in self.0.drain(..) {
            low_level::unregister(handler);
        }
    }
}

impl Signals {
    /// No signal does anything.
    pub(crate) fn none(stop: Stop) -> Self {
        let (ends, heard) = (BTreeMap::new(), BTreeMap::new());
        let (waiting, taken) = (BTreeMap::new(), Handlers::default());
        Self { stop, guard: None, ends, heard, waiting, line: None, taken }
    }

    /// Ctrl-C and a polite request to end stop the program. As in Node, what its parent ignored ends it as
    /// well, and its children: one that has a handler here has none after an exec.
    pub(crate) fn new(stop: Stop, inbox: &Inbox, guard: Guard) -> io::Result<Self> {
        let mut signals = Self { guard: Some(guard), ..Self::none(stop) };
        for signal in BTreeSet::from([SIGINT, SIGTERM]).union(&inherited()) {
            signals.end_by(*signal, inbox)?;
        }
        // Whoever writes more than a file may hold is told so by an error.
        signals.taken.0.push(flag::register(SIGXFSZ, Arc::default())?);
        Ok(signals)
    }

    /// From now on Ctrl-C gives up a line of a prompt, if one is computed. Else it is a signal as any other.
    pub(crate) fn give_up_lines(&mut self, inbox: &Inbox) -> io::Result<()> {
        self.line = Some(self.stop.line_cell());
        self.end_by(SIGINT, inbox)
    }

    /// Lets a signal end the program again, as it did before anybody listened.
    fn end_by(&mut self, signal: i32, inbox: &Inbox) -> io::Result<()> {
        if FORBIDDEN.contains(&signal) {
            return Ok(()); // Nobody was heard of it, and it ends the process by itself.
        }
        if let (Some(line), SIGINT) = (&self.line, signal) {
            let mut handlers = Handlers::default();
            handlers.0.push(flag::register(signal, Arc::clone(line))?);
            handlers.0.push(low_level::pipe::register(signal, inbox.bell()?)?);
            // Who asks again and again before it has heard is heard by the guard.
            if let Some(guard) = &self.guard {
                handlers.0.push(low_level::pipe::register(signal, guard.bell()?)?);
            }
            self.ends.insert(signal, handlers);
            return Ok(());
        }
        let reason = reason(signal);
        // Asked a second time, or by a signal that leaves no room for words, it ends at once.
        let at_once = Arc::new(AtomicBool::new(reason.is_none()));
        let mut handlers = Handlers::default();
        handlers.0.push(flag::register_conditional_default(signal, Arc::clone(&at_once))?);
        handlers.0.push(flag::register(signal, at_once)?);
        if let Some(reason) = reason {
            handlers.0.push(flag::register_usize(signal, self.stop.cell(), reason.number())?);
        }
        handlers.0.push(low_level::pipe::register(signal, inbox.bell()?)?);
        if let Some(guard) = &self.guard {
            handlers.0.push(low_level::pipe::register(signal, guard.bell()?)?);
        }
        self.ends.insert(signal, handlers);
        Ok(())
    }

    /// Lets an operation wait for a signal.
    pub(crate) fn listen(
        &mut self,
        operation: Operation,
        signal: i32,
        inbox: &Inbox,
    ) -> Result<(), Fault> {
        if let Entry::Vacant(unheard) = self.heard.entry(signal) {
            let came = Arc::new(AtomicBool::new(false));
            if self.line.is_some() && signal == SIGINT {
                // It comes when no line has taken it for itself.
                unheard.insert((came, Handlers::default()));
                self.waiting.insert(operation, signal);
                return Ok(());
            }
            let register = || -> io::Result<Handlers> {
                let mut handlers = Handlers::default();
                // What the processor raises ends the process: nobody can go on after it. Tools listen to all there
                // are, and hear nothing of these.
                if !FORBIDDEN.contains(&signal) {
                    handlers.0.push(flag::register(signal, Arc::clone(&came))?);
                    handlers.0.push(low_level::pipe::register(signal, inbox.bell()?)?);
                }
                Ok(handlers)
            };
            let handlers = register().map_err(|error| {
                Fault::new("EINVAL", format!("cannot listen to signal {signal}: {error}"))
            })?;
            unheard.insert((came, handlers));
            self.ends.remove(&signal);
        }
        self.waiting.insert(operation, signal);
        Ok(())
    }

    /// Is told that an operation does not wait any more.
    pub(crate) fn cancel(&mut self, operation: Operation) {
        self.waiting.remove(&operation);
    }

    /// Lets the signals that nobody waits for any more do what they did before. To be called when the
    /// program waits: a listener that was called has then asked for the next signal, or has not.
    pub(crate) fn settle(&mut self, inbox: &Inbox) {
        let waiting = &self.waiting;
        let unheard = |signal: &i32| !waiting.values().any(|other| other == signal);
        let signals: Vec<i32> = self.heard.keys().copied().filter(unheard).collect();
        for signal in signals {
            // If the system refuses what it has granted before, the signal goes unheard.
            let _ = self.end_by(signal, inbox);
            // One that came when nobody listened any more was meant to end the program.
            let heard = self.heard.remove(&signal);
            let came = heard.is_some_and(|(came, _)| came.load(Ordering::Relaxed));
            if let Some(reason) = reason(signal).filter(|_| came) {
                self.stop.ask(reason);
            }
        }
    }

    /// Delivers the signals that have come since the last time.
    #[inline]
    pub(crate) fn deliver(&mut self, inbox: &Inbox) {
        // Neither is, as nearly always, and this is asked for every callback.
        if self.line.is_some() || !self.waiting.is_empty() {
            self.deliver_waiting(inbox);
        }
    }

    fn deliver_waiting(&mut self, inbox: &Inbox) {
        if self.line.is_some() && self.stop.interrupts_prompt() {
            match self.heard.get(&SIGINT) {
                Some((came, _)) => came.store(true, Ordering::Relaxed),
                None => self.stop.ask(Reason::Interrupted),
            }
        }
        let heard = &self.heard;
        let came =
            |signal: &i32| heard.get(signal).is_some_and(|(came, _)| came.load(Ordering::Relaxed));
        if !self.waiting.values().any(came) {
            return;
        }
        let come: Vec<Operation> =
            self.waiting.iter().filter(|(_, signal)| came(signal)).map(|(&one, _)| one).collect();
        for operation in come {
            let signal = self.waiting.remove(&operation);
            if let Some((came, _)) = signal.and_then(|signal| self.heard.get(&signal)) {
                came.store(false, Ordering::Relaxed);
            }
            inbox.sender().deliver(operation, Ok(Datum::Undefined));
        }
    }
}

/// Lets the first Ctrl-C set a flag; a second one, while it is set, ends the process, as the first would have.
pub fn first_interrupt() -> io::Result<Arc<AtomicBool>> {
    let pressed = Arc::new(AtomicBool::new(false));
    flag::register_conditional_default(SIGINT, Arc::clone(&pressed))?;
    flag::register(SIGINT, Arc::clone(&pressed))?;
    Ok(pressed)
}

/// Hears of every signal that asks the process to end, instead of ending it.
pub fn asked_to_end(heard: impl Fn(i32) + Clone + Send + 'static) -> io::Result<()> {
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        let (mut bell, other) = UnixStream::pair()?;
        low_level::pipe::register(signal, other)?;
        let heard = heard.clone();
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            let mut byte = [0];
            while bell.read_exact(&mut byte).is_ok() {
                heard(signal);
            }
        })?;
    }
    Ok(())
}

/// Asks another process to end, as Ctrl-C does.
pub fn interrupt(process: u32) {
    if let Some(pid) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) {
        // It may be over already.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
    }
}

/// The signals that this process was told to ignore when it was started, as `nohup` tells.
fn inherited() -> BTreeSet<i32> {
    let mut status = String::with_capacity(4096);
    // In one piece: every program waits for it. Where it cannot be read, nothing is known to be ignored.
    let _ =
        fs::File::open("/proc/self/status").and_then(|mut file| file.read_to_string(&mut status));
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    // Writing to where nobody reads, or too much, is an error of the call and no signal, here and in Node.
    let ours = |signal: &i32| [SIGPIPE, SIGXFSZ].contains(signal) || FORBIDDEN.contains(signal);
    (1..=31).filter(|signal| mask >> (signal - 1) & 1 == 1).filter(|signal| !ours(signal)).collect()
}

/// What a signal asks for that ends a program with words; the others end it at once.
fn reason(signal: i32) -> Option<Reason> {
    match signal {
        SIGINT => Some(Reason::Interrupted),
        SIGTERM => Some(Reason::Terminated),
        _ => None,
    }
}
