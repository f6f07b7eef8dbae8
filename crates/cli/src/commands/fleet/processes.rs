//! The programs of a fleet as processes of this computer, started and stopped together.

use super::voice::Voice;
use crate::console::complain;
use crate::report;
use hemiola_live::fleet::{Order, await_end, order};
use hemiola_machine::{Delay, Stream};
use hemiola_world::fleet::{Fault, Kind, Program, Restart};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long what a program has written may take to come after its end.
const DRAINING: Duration = Duration::from_millis(500);

/// A program, and how it is started.
pub(super) struct Plan {
    /// Its host, and that host's number.
    pub(super) host: (String, usize),
    /// Which of the host's programs it is.
    pub(super) program: usize,
    /// What it is called in messages.
    pub(super) title: String,
    pub(super) words: Vec<OsString>,
    pub(super) env: Vec<(String, OsString)>,
    pub(super) cwd: PathBuf,
    pub(super) runs: Program,
    /// Whether it is asked what it observes.
    pub(super) tells: bool,
}

/// What the one hears who looks after them.
pub(super) enum Heard {
    /// A process has ended; it is the one of a plan, and its number.
    Ended(usize, u64),
    /// The program of a plan has observed something.
    Observed(usize, Value),
    /// Who holds the invariant has said something.
    Judged(Value),
    /// A signal asks the fleet to end.
    Asked(i32),
}

/// Why a fleet has ended.
#[derive(Clone, Debug)]
pub(super) enum Why {
    /// No program runs any more.
    Over,
    /// It was to end then.
    Until,
    /// A signal asked for it.
    Asked(i32),
    /// The invariant was violated, or is wrong.
    Judged(Value),
}

/// What became of a fleet.
pub(super) struct Ending {
    pub(super) why: Why,
    /// The programs that failed and were not started again, and how.
    pub(super) failed: Vec<String>,
}

/// What is to be done at some time.
enum Act {
    Start(usize),
    /// Kills some programs, which start again after a while.
    Crash(Vec<usize>, Delay),
    Pause(Vec<usize>),
    Resume(Vec<usize>),
    /// The end of the fleet.
    End,
    /// The end of its patience.
    Kill,
}

/// A program as it goes on.
#[derive(Default)]
struct Slot {
    starts: u32,
    running: Option<Running>,
    failed: Option<String>,
}

struct Running {
    child: Child,
    number: u64,
    /// Says for each of its streams that it has ended.
    drained: Receiver<()>,
    /// Whether a fault has killed it.
    is_killed: bool,
}

/// All programs, and who looks after them.
pub(super) struct Crew {
    plans: Vec<Plan>,
    slots: Vec<Slot>,
    agenda: BTreeMap<(Instant, u64), Act>,
    count: u64,
    sender: Sender<Heard>,
    heard: Receiver<Heard>,
    began: Instant,
    grace: Duration,
    why: Option<Why>,
}

fn real(delay: Delay) -> Duration {
    Duration::from_micros(delay.as_micros())
}

impl Crew {
    pub(super) fn new(plans: Vec<Plan>, grace: Delay) -> Self {
        let (sender, heard) = mpsc::channel();
        Self {
            slots: plans.iter().map(|_| Slot::default()).collect(),
            plans,
            agenda: BTreeMap::new(),
            count: 0,
            sender,
            heard,
            began: now(),
            grace: real(grace),
            why: None,
        }
    }

    /// Where it is told what happens.
    pub(super) fn sender(&self) -> Sender<Heard> {
        self.sender.clone()
    }

    /// Runs all programs until they are over, the time is, or somebody asks for the end. `observed` is told what they
    /// observe, of which plan, and after how many milliseconds.
    pub(super) fn run(
        mut self,
        until: Option<Delay>,
        faults: &[Fault],
        mut observed: impl FnMut(&Plan, f64, Value),
    ) -> Ending {
        self.plan_all(until, faults);
        loop {
            while let Some((&key, _)) = self.agenda.first_key_value()
                && key.0 <= now()
                && let Some(act) = self.agenda.remove(&key)
            {
                self.act(act);
            }
            if self.slots.iter().all(|slot| slot.running.is_none()) && !self.will_start() {
                let failed = self.slots.into_iter().filter_map(|slot| slot.failed).collect();
                return Ending { why: self.why.unwrap_or(Why::Over), failed };
            }
            let next = self.agenda.first_key_value().map(|(&(at, _), _)| at);
            let heard = match next {
                Some(at) => self.heard.recv_timeout(at.saturating_duration_since(now())),
                None => self.heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match heard {
                Ok(Heard::Ended(at, number)) => self.ended(at, number),
                Ok(Heard::Observed(at, value)) => {
                    let at_ms = now().duration_since(self.began).as_micros() as f64 / 1000.0;
                    observed(&self.plans[at], at_ms, value);
                }
                Ok(Heard::Judged(said)) => self.stop(Why::Judged(said)),
                Ok(Heard::Asked(signal)) => self.stop(Why::Asked(signal)),
                // An act is due. Nobody is gone as long as this one could tell itself something.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }

    fn will_start(&self) -> bool {
        self.why.is_none() && self.agenda.values().any(|act| matches!(act, Act::Start(_)))
    }

    fn plan(&mut self, at: Instant, act: Act) {
        self.count += 1;
        self.agenda.insert((at, self.count), act);
    }

    fn plan_all(&mut self, until: Option<Delay>, faults: &[Fault]) {
        for at in 0..self.plans.len() {
            self.plan(self.began, Act::Start(at));
        }
        for fault in faults {
            let at = self.began + Duration::from_micros(fault.at.as_micros());
            match &fault.kind {
                Kind::Crash { host, program, down } => {
                    let slots = self.slots_of(*host, *program);
                    self.plan(at, Act::Crash(slots, *down));
                }
                Kind::Pause { host, program, length } => {
                    let slots = self.slots_of(*host, *program);
                    self.plan(at, Act::Pause(slots.clone()));
                    self.plan(at + real(*length), Act::Resume(slots));
                }
                Kind::Power { .. }
                | Kind::Cut { .. }
                | Kind::Clock { .. }
                | Kind::Disk { .. }
                | Kind::Database { .. }
                | Kind::DatabaseClock { .. } => {
                    unreachable!("what cannot be had is refused before")
                }
            }
        }
        if let Some(until) = until {
            self.plan(self.began + real(until), Act::End);
        }
    }

    fn slots_of(&self, host: usize, program: Option<usize>) -> Vec<usize> {
        let is_meant = |plan: &Plan| {
            plan.host.1 == host && program.is_none_or(|program| program == plan.program)
        };
        (0..self.plans.len()).filter(|&at| is_meant(&self.plans[at])).collect()
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Start(at) => self.start(at),
            Act::Crash(slots, down) => {
                for at in slots {
                    if let Some(running) = &mut self.slots[at].running {
                        running.is_killed = true;
                        order(running.child.id(), Order::Kill);
                        if self.plans[at].runs.restart != Restart::Never {
                            self.plan(now() + real(down), Act::Start(at));
                        }
                    }
                }
            }
            Act::Pause(slots) => self.order(&slots, Order::Pause),
            Act::Resume(slots) => self.order(&slots, Order::Resume),
            Act::End => self.stop(Why::Until),
            Act::Kill => self.order_all(Order::Kill),
        }
    }

    fn order(&self, slots: &[usize], what: Order) {
        let running = slots.iter().filter_map(|&at| self.slots[at].running.as_ref());
        running.for_each(|running| order(running.child.id(), what));
    }

    fn order_all(&self, what: Order) {
        let all: Vec<usize> = (0..self.slots.len()).collect();
        self.order(&all, what);
    }

    /// Asks all programs to end, and makes them when they have had their time, or when they are asked again.
    fn stop(&mut self, why: Why) {
        if self.why.is_some() {
            if matches!(why, Why::Asked(_)) {
                self.order_all(Order::Kill);
            }
            return;
        }
        self.why = Some(why);
        self.agenda.clear();
        self.order_all(Order::End);
        // Who stands still does not hear.
        self.order_all(Order::Resume);
        self.plan(now() + self.grace, Act::Kill);
    }

    fn start(&mut self, at: usize) {
        if self.slots[at].running.is_some() {
            return;
        }
        self.count += 1;
        self.slots[at].starts += 1;
        match self.spawn(at, self.count) {
            Ok(running) => self.slots[at].running = Some(running),
            Err(error) => {
                let Plan { host: (host, _), title, .. } = &self.plans[at];
                let reason = crate::input::reason(&error);
                let what = format!("{host}: {title} cannot be started: {reason}");
                complain(&report::note(&what));
                self.slots[at].failed = Some(what);
            }
        }
    }

    fn spawn(&self, at: usize, number: u64) -> io::Result<Running> {
        let plan = &self.plans[at];
        let mut command = Command::new(std::env::current_exe()?);
        command.args(&plan.words).current_dir(&plan.cwd).env_clear();
        // What is asked of the fleet by a terminal is not asked of each program.
        command.envs(plan.env.iter().cloned()).process_group(0);
        let tells = if plan.tells {
            let (ours, theirs) = UnixStream::pair()?;
            ours.shutdown(Shutdown::Write)?;
            command.stdin(Stdio::from(OwnedFd::from(theirs)));
            Some(ours)
        } else {
            command.stdin(Stdio::null());
            None
        };
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // It holds the other end of the socket.
        drop(command);
        let (done, drained) = mpsc::channel();
        let voice = |stream| Voice::new(&plan.host.0, plan.host.1, stream);
        if let Some(stream) = child.stdout.take() {
            listen(stream, voice(Stream::Out), done.clone());
        }
        if let Some(stream) = child.stderr.take() {
            listen(stream, voice(Stream::Err), done);
        }
        let (process, sender) = (child.id(), self.sender());
        let watch = move || {
            if let Some(tells) = tells {
                observe(tells, at, &sender);
            }
            await_end(process);
            // Nobody is left to hear of it when the fleet is over.
            let _ = sender.send(Heard::Ended(at, number));
        };
        thread::spawn(watch);
        Ok(Running { child, number, drained, is_killed: false })
    }

    fn ended(&mut self, at: usize, number: u64) {
        let slot = &mut self.slots[at];
        let Some(mut running) = slot.running.take_if(|running| running.number == number) else {
            return;
        };
        // What it has started ends with it.
        order(running.child.id(), Order::Kill);
        let status = running.child.wait();
        let end = now() + DRAINING;
        for _ in 0..2 {
            let _ = running.drained.recv_timeout(end.saturating_duration_since(now()));
        }
        let Ok(status) = status else { return };
        if self.why.is_some() || running.is_killed {
            return;
        }
        let Plan { host: (host, _), title, runs, .. } = &self.plans[at];
        let what = format!("{host}: {title} ended with {}", written(status));
        let code = status.code().unwrap_or(-1);
        if runs.restart.is_due(code) {
            let pause = Restart::pause(slot.starts);
            let seconds = pause.as_millis() as f64 / 1000.0;
            complain(&report::note(&format!("{what}; it is started again in {seconds} s")));
            self.plan(now() + real(pause), Act::Start(at));
        } else {
            complain(&report::note(&what));
            slot.failed = (code != 0 && !runs.may_fail).then_some(what);
        }
    }
}

/// How a process ended, in words.
fn written(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no status".into(),
    }
}

/// Prints what a program writes.
fn listen(mut stream: impl Read + Send + 'static, mut voice: Voice, done: Sender<()>) {
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            voice.hear(&buffer[..count]);
        }
        drop(voice);
        let _ = done.send(());
    });
}

/// Passes on what a program observes, as long as it does.
fn observe(stream: UnixStream, at: usize, sender: &Sender<Heard>) {
    for line in BufReader::new(stream).split(b'\n') {
        let Ok(line) = line else { return };
        if let Ok(value) = serde_json::from_slice(&line)
            && sender.send(Heard::Observed(at, value)).is_err()
        {
            return;
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "real programs are started in real time")]
pub(super) fn now() -> Instant {
    Instant::now()
}
