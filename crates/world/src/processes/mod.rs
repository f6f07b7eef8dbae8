//! Processes of simulated computers that programs start themselves (rule FLEET-7).
//!
//! A child is another program of the same computer, with a place of its own among the machines of the world. What
//! its parent knows of it is here: whether it has ended and how, and who is to hear of signals.

mod calls;
mod command;
mod run;
mod standard;

pub use command::Commands;
pub use standard::Standard;

use crate::baton::Baton;
use crate::net::errno;
use crate::roads::{Computer, process_of};
use crate::team::{Place, Places, Team};
use crate::wires::{Ended, News, Party, Tap};
use hemiola_gate::{Answer, Datum, Fault, Hub, MAIN, Post, Reason, Room, Start, Stop};
use hemiola_machine::{Instant, Operation};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Signals that mean something here.
mod signals {
    pub(super) const KILL: i32 = 9;
    /// Those that a process without a listener survives: CHLD, CONT, URG, WINCH.
    pub(super) const HARMLESS: [i32; 4] = [17, 18, 23, 28];
    /// Those that would let it stand still: STOP, TSTP, TTIN, TTOU.
    pub(super) const STOPPING: [i32; 4] = [19, 20, 21, 22];
    pub(super) const LARGEST: i32 = 64;
}

/// Whether a process was killed: from then on nobody hears of it.
#[derive(Clone, Debug, Default)]
pub struct Life(Arc<AtomicBool>);

impl Life {
    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn end(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Status {
    code: i32,
    signal: Option<i32>,
}

impl Status {
    fn into_answer(self) -> Answer {
        let number =
            |number: Option<i32>| number.map_or(Datum::Null, |it| Datum::Number(it.into()));
        Ok(Datum::Record(vec![
            ("code".into(), number(self.signal.is_none().then_some(self.code))),
            ("signal".into(), number(self.signal)),
        ]))
    }
}

/// A process, as others know it.
struct Entry {
    /// Its first machine.
    first: u64,
    pid: u32,
    ppid: u32,
    /// Whether another process has started it.
    is_child: bool,
    life: Life,
    stop: Stop,
    /// The signal that ends it, once there was one.
    killed: Option<i32>,
    ended: Option<Status>,
    /// Who waits for its end.
    awaited: Option<(Arc<dyn Post>, Operation)>,
    /// Who looks whether it has ended when he is rung for.
    rung: Option<Arc<dyn Post>>,
    /// Which signals it listens to.
    listens: BTreeMap<i32, Listening>,
}

/// How a process listens to a signal.
struct Listening {
    post: Arc<dyn Post>,
    /// The operation that waits for it, or has been told last.
    operation: Operation,
    is_told: bool,
    /// Whether it came while nobody waited.
    has_come: bool,
}

/// The processes of a world, on all of its computers; copies are one.
#[derive(Clone, Default)]
pub struct Processes(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    /// How many there were.
    count: u32,
    /// Who is told which children end.
    tap: Option<Tap>,
    /// The last number that a program of a computer sees as its own.
    pids: BTreeMap<Computer, u32>,
    entries: BTreeMap<u64, Entry>,
}

/// A process that was entered.
pub(crate) struct Entered {
    /// Its number among all processes of the world.
    pub(crate) number: u32,
    /// Its first machine.
    pub(crate) first: u64,
    pub(crate) pid: u32,
}

impl Processes {
    /// None yet; somebody is told which children end.
    pub(crate) fn tapped(tap: Option<Tap>) -> Self {
        Self(Arc::new(Mutex::new(Table { tap, ..Table::default() })))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Only one machine runs at a time, and nothing in here panics half way through a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a process on a computer, started by a process or by nobody.
    pub(crate) fn enter(
        &self,
        computer: Computer,
        parent: Option<u64>,
        life: Life,
        stop: Stop,
    ) -> Entered {
        let mut table = self.table();
        let number = table.count;
        table.count += 1;
        let last = table.pids.entry(computer).or_default();
        *last += 1;
        let pid = *last;
        let is_child = parent.is_some();
        let parent = parent.and_then(|parent| table.entries.get(&parent));
        let ppid = parent.map_or(0, |parent| parent.pid);
        let first = computer.first_machine(number);
        let entry = Entry {
            first,
            pid,
            ppid,
            is_child,
            life,
            stop,
            killed: None,
            ended: None,
            awaited: None,
            rung: None,
            listens: BTreeMap::new(),
        };
        table.entries.insert(process_of(first), entry);
        Entered { number, first, pid }
    }

    /// Enters the program that a world begins with, which has the first of all machines.
    pub fn enter_first(&self, stop: Stop) {
        let entered = self.enter(Computer::ONLY, None, Life::default(), stop);
        assert_eq!(entered.first, MAIN, "a world begins with its first program");
    }

    /// The numbers that a process and the one that started it have for themselves.
    pub(crate) fn pids(&self, process: u64) -> (u32, u32) {
        self.table().entries.get(&process).map_or((1, 0), |entry| (entry.pid, entry.ppid))
    }

    /// The process of a computer that has a number for itself, if it still runs.
    fn by_pid(&self, computer: Computer, pid: i32) -> Option<u64> {
        let is_meant = |entry: &Entry| {
            i64::from(entry.pid) == i64::from(pid)
                && Computer::of(entry.first) == computer
                && entry.ended.is_none()
        };
        let table = self.table();
        table.entries.iter().find(|(_, entry)| is_meant(entry)).map(|(&process, _)| process)
    }

    /// A process has come to its end: whoever waits for that hears of it.
    pub(crate) fn ended(&self, process: u64, code: i32, at: Instant) {
        // A system hands on the last byte of it.
        let code = code & 0xff;
        let mut table = self.table();
        let tap = table.tap.clone();
        let Some(entry) = table.entries.get_mut(&process) else { return };
        let status = Status { code, signal: entry.killed };
        // Of the programs of a fleet it is told by who has started them.
        if let Some(tap) = tap.filter(|_| entry.is_child) {
            let ended = match entry.life.is_over() {
                true => Ended::Killed(at),
                false => Ended::With(at, code),
            };
            tap(News::Stopped { who: Party::of(entry.first), ended });
        }
        entry.ended = Some(status);
        entry.listens.clear();
        let (awaited, rung) = (entry.awaited.take(), entry.rung.take());
        drop(table);
        if let Some((post, operation)) = awaited {
            post.deliver(operation, status.into_answer());
        }
        if let Some(post) = rung {
            post.ring();
        }
    }

    /// The exit code of a process, as a shell would have it if a signal has ended it.
    pub(crate) fn code(&self, process: u64, code: i32) -> i32 {
        let table = self.table();
        table
            .entries
            .get(&process)
            .and_then(|entry| entry.killed)
            .map_or(code, |signal| 128 + signal)
    }

    /// Lets somebody look up when a process has ended.
    fn ring_at_end(&self, process: u64, post: Arc<dyn Post>) {
        if let Some(entry) = self.table().entries.get_mut(&process) {
            entry.rung = Some(post);
        }
    }

    /// Lets an operation wait for the end of a process.
    fn wait(&self, process: u64, post: Arc<dyn Post>, operation: Operation) {
        let mut table = self.table();
        let answer = match table.entries.get_mut(&process) {
            Some(Entry { ended: Some(status), .. }) => status.into_answer(),
            Some(entry) => {
                entry.awaited = Some((post, operation));
                return;
            }
            None => Err(no_such_process()),
        };
        drop(table);
        post.deliver(operation, answer);
    }

    /// How a process has ended, if it has.
    fn status(&self, process: u64) -> Option<Status> {
        self.table().entries.get(&process)?.ended
    }

    /// Nobody asks about a process any more.
    fn forget(&self, process: u64) {
        let mut table = self.table();
        if table.entries.get(&process).is_some_and(|entry| entry.ended.is_some()) {
            table.entries.remove(&process);
        }
    }

    /// Lets an operation of a process wait for a signal.
    fn listen(&self, process: u64, signal: i32, post: Arc<dyn Post>, operation: Operation) {
        let mut table = self.table();
        let Some(entry) = table.entries.get_mut(&process) else { return };
        let has_come = entry.listens.get(&signal).is_some_and(|one| one.has_come);
        let listening =
            Listening { post: Arc::clone(&post), operation, is_told: has_come, has_come: false };
        entry.listens.insert(signal, listening);
        drop(table);
        if has_come {
            post.deliver(operation, Ok(Datum::Number(signal.into())));
        }
    }

    /// An operation of a process waits no more.
    pub(crate) fn cancel(&self, process: u64, operation: Operation) {
        if let Some(entry) = self.table().entries.get_mut(&process) {
            entry.listens.retain(|_, listening| listening.operation != operation);
        }
    }

    /// A process ends itself by a signal. False if nobody could see that.
    fn raise(&self, process: u64, signal: i32) -> bool {
        match self.table().entries.get_mut(&process) {
            Some(entry) if entry.first != MAIN => {
                entry.killed = Some(signal);
                true
            }
            _ => false,
        }
    }

    /// Sends a signal to a process; the number of the error if that cannot be.
    fn signal(&self, process: u64, signal: i32, baton: &Baton) -> Result<(), Fault> {
        let mut table = self.table();
        let entry = table.entries.get_mut(&process).filter(|entry| entry.ended.is_none());
        let entry = entry.ok_or_else(no_such_process)?;
        if !(0..=signals::LARGEST).contains(&signal) {
            return Err(Fault::system(errno::INVAL, "kill"));
        }
        if signal == 0 {
            return Ok(());
        }
        if signals::STOPPING.contains(&signal) {
            let message = "a process of a simulated world cannot be stopped for a while by a signal: let the fleet pause it";
            return Err(Fault::new("ENOSYS", message));
        }
        if signal != signals::KILL
            && let Some(listening) = entry.listens.get_mut(&signal)
        {
            // Who was told asks again before he can be told again.
            if std::mem::replace(&mut listening.is_told, true) {
                listening.has_come = true;
                return Ok(());
            }
            let (post, operation) = (Arc::clone(&listening.post), listening.operation);
            drop(table);
            post.deliver(operation, Ok(Datum::Number(signal.into())));
            return Ok(());
        }
        if signals::HARMLESS.contains(&signal) {
            return Ok(());
        }
        entry.killed = Some(signal);
        if entry.first == MAIN {
            // The world is that program's: it ends with it.
            entry.stop.ask(if signal == 2 { Reason::Interrupted } else { Reason::Terminated });
            drop(table);
            baton.call(MAIN);
            return Ok(());
        }
        drop(table);
        self.end(process, baton);
        Ok(())
    }

    /// Ends a process at once, with its memory. Only who holds the baton may do that, and nobody to himself.
    pub(crate) fn end(&self, process: u64, baton: &Baton) {
        let Some((life, stop)) =
            self.table().entries.get(&process).map(|one| (one.life.clone(), one.stop.clone()))
        else {
            return;
        };
        life.end();
        stop.ask(Reason::Ended);
        // One after the other, so that what each leaves behind comes in one order.
        baton.machines_of(process).into_iter().rev().for_each(|machine| baton.end(machine));
    }

    /// The processes that run on a computer, in the order in which they were started.
    pub(crate) fn running_on(&self, computer: Computer) -> Vec<u64> {
        let table = self.table();
        let runs = |entry: &Entry| entry.ended.is_none() && Computer::of(entry.first) == computer;
        table.entries.iter().filter(|(_, entry)| runs(entry)).map(|(&process, _)| process).collect()
    }

    /// Asks all that still run to stop, and hears nothing more of them: their world is over.
    pub fn end_all(&self) {
        let mut table = self.table();
        // They leave in any order.
        table.tap = None;
        for entry in table.entries.values().filter(|entry| entry.first != MAIN) {
            if entry.ended.is_none() {
                entry.life.end();
                entry.stop.ask(Reason::Ended);
            }
        }
    }

    /// Whether a process runs that the first program has started.
    pub fn has_others(&self) -> bool {
        let table = self.table();
        table.entries.values().any(|entry| entry.first != MAIN && entry.ended.is_none())
    }
}

/// Runs a program that a program has started, on a thread of its own.
pub type Launcher = Arc<dyn Fn(Begin) -> Result<(), Fault> + Send + Sync>;

/// A program that is to be run because another has started it.
pub struct Begin {
    /// Flags, the file and what comes after it.
    pub words: Vec<String>,
    /// Whether the words begin as those of Node do, and not with a command of ours.
    pub is_node: bool,
    /// What it is called.
    pub argv0: String,
    /// Its variables.
    pub env: Vec<(String, String)>,
    /// Where it begins.
    pub cwd: String,
    /// What it may do at most, if that is not everything.
    pub permissions: Option<String>,
    /// Its number among all processes of the world.
    pub number: u32,
    /// Whether it is still alive.
    pub life: Life,
    /// Stops it.
    pub stop: Stop,
    /// When it begins, at the earliest.
    pub begins: Instant,
    team: Team,
    baton: Arc<Baton>,
}

impl Begin {
    /// When it begins, by the clock of its host.
    pub fn born(&self) -> Instant {
        self.team.pace.inside(self.begins)
    }

    /// The place of the program; `start` runs a worker that it starts, with a place of its own.
    pub fn place(
        &self,
        room: Room,
        start: impl Fn(&Arc<Hub>, Start, &Places) -> Result<(), Fault> + Send + Sync + 'static,
    ) -> Place {
        self.team.clone().join(Arc::clone(&self.baton), self.begins, room, start)
    }
}

fn no_such_process() -> Fault {
    const SRCH: i32 = 3;
    Fault::system(SRCH, "kill")
}
