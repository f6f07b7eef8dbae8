//! What the machines of one run share: ports, workers, memory, environments.
//!
//! A machine reaches it through its own world, with requests like any other. Nothing of an engine is in
//! here: messages are bytes, and numbers stand for the ports and the memory that go with them.

use crate::request::{EnvCall, Expected, MemoryCall, PortCall, Record, WorkerCall};
use crate::room::{Room, Taken};
use crate::stop::{Reason, Stop};
use crate::system::Turning;
use crate::value::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

/// The number of the machine that began the run; workers count from 1.
pub const MAIN: u64 = 0;

/// About how many bytes a message takes beside its own.
const MESSAGE: usize = 128;

/// How a machine is told what others did.
pub trait Post: Send + Sync {
    /// Answers an operation of the machine.
    fn deliver(&self, operation: Operation, answer: Answer);
    /// Lets the machine look up from a wait.
    fn ring(&self);
}

/// A block of memory that programs of several machines read and write.
pub trait Memory: Any + Send + Sync {
    /// Where its number among what machines share is kept once it has one.
    fn number(&self) -> &OnceLock<u64>;
    /// Whether a word of it has a value.
    fn holds(&self, offset: usize, word: Word) -> bool;
}

/// A word of memory, as `Atomics.wait` compares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Of 32 bits.
    Narrow(i32),
    /// Of 64 bits.
    Wide(i64),
}

impl Word {
    /// The value that a word of that width is to have.
    fn new(wide: bool, value: &Expected) -> Self {
        match (wide, value) {
            (false, Expected::Narrow(number)) => Self::Narrow(*number as i32),
            (false, Expected::Wide(_)) => Self::Narrow(0),
            (true, Expected::Wide(digits)) => Self::Wide(digits.parse().unwrap_or_default()),
            (true, Expected::Narrow(_)) => Self::Wide(0),
        }
    }
}

/// A call for what machines share.
#[derive(Clone, Debug, PartialEq)]
pub enum HubCall {
    /// Ports.
    Port(PortCall),
    /// Workers.
    Worker(WorkerCall),
    /// Memory.
    Memory(MemoryCall),
    /// Environments.
    Env(EnvCall),
}

impl HubCall {
    /// What it is called on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Port(call) => call.name(),
            Self::Worker(call) => call.name(),
            Self::Memory(call) => call.name(),
            Self::Env(call) => call.name(),
        }
    }

    /// How a machine is to sleep, if that is what the call asks for.
    pub fn sleep(&self) -> Option<Sleep> {
        match self {
            Self::Memory(MemoryCall::Wait { memory, offset, wide, value, limit }) => {
                let (place, word) = ((*memory, *offset as usize), Word::new(*wide, value));
                Some(Sleep { on: Bed::Word(place, word), limit_ms: limit.0 })
            }
            Self::Port(PortCall::Await { port }) => {
                Some(Sleep { on: Bed::Mail(*port), limit_ms: None })
            }
            Self::Port(_) | Self::Worker(_) | Self::Memory(_) | Self::Env(_) => None,
        }
    }
}

/// A sleep, until somebody ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleep {
    on: Bed,
    /// How many milliseconds it takes at most.
    pub limit_ms: Option<f64>,
}

/// What a machine sleeps on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bed {
    /// A word of memory, by its place and the value that it must have.
    Word((u64, usize), Word),
    /// A port at which nothing has arrived.
    Mail(u64),
}

impl Sleep {
    /// What is wrong with a sleep that nobody can end.
    pub fn endless(&self) -> Fault {
        let what = match self.on {
            Bed::Word(..) => "nothing is left that could wake this Atomics.wait",
            Bed::Mail(_) => "nothing is left that could answer at this port",
        };
        Fault::new("EDEADLK", what)
    }
}

/// What a machine is among those of its run.
#[derive(Clone)]
pub struct Member {
    /// What it shares with the others.
    pub hub: Arc<Hub>,
    /// Its number; [`MAIN`] began the run.
    pub machine: u64,
    /// Where a worker's parent sends what it begins with.
    pub port: u64,
}

impl Member {
    /// Tells the others how its loop turns, if it is a worker.
    pub fn tell(&self, turning: Turning) {
        if self.machine != MAIN
            && let Some(machine) = self.hub.inner().machines.get_mut(&self.machine)
        {
            machine.turning = turning;
        }
    }

    /// The one machine of a run without workers.
    pub fn alone() -> Self {
        let starter =
            |_: &Arc<Hub>, _: Start| Err(Fault::new("ENOSYS", "there are no workers here"));
        Self { hub: Hub::new(Box::new(starter), Room::default()), machine: MAIN, port: 0 }
    }
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "machine {}", self.machine)
    }
}

/// What a worker begins with.
pub struct Start {
    /// Its number.
    pub machine: u64,
    /// The end of the channel to its parent.
    pub port: u64,
    /// What the parent says about it.
    pub record: Datum,
    /// Who may stop it.
    pub stop: Stop,
}

/// Starts a worker; [`Hub::ended`] is to be called when it is over.
pub type Starter = Box<dyn Fn(&Arc<Hub>, Start) -> Result<(), Fault> + Send + Sync>;

/// What machines share.
pub struct Hub {
    inner: Mutex<Inner>,
    /// Somebody was woken who sleeps, or is to stop.
    woken: Condvar,
    starter: Starter,
    room: Room,
}

#[derive(Default)]
struct Inner {
    ports: BTreeMap<u64, Port>,
    groups: BTreeMap<String, BTreeSet<u64>>,
    machines: BTreeMap<u64, Machine>,
    memory: BTreeMap<u64, Weak<dyn Memory>>,
    /// How many blocks there may be before those that are gone are swept.
    memory_room: usize,
    sleepers: BTreeMap<u64, Sleeper>,
    environments: BTreeMap<u64, BTreeMap<String, String>>,
    /// The last number that was given to anything.
    last: u64,
    last_machine: u64,
}

#[derive(Default)]
struct Machine {
    parent: Option<u64>,
    post: Option<Arc<dyn Post>>,
    stop: Stop,
    turning: Turning,
    code: Option<i32>,
    /// Who waits for its end.
    awaited: Option<(u64, Operation)>,
    /// Memory that came with messages, until the engine has it.
    claims: Vec<Arc<dyn Memory>>,
    /// How many blocks of memory it has shared.
    shared: u64,
}

/// One end of a channel, or a member of a group.
struct Port {
    owner: u64,
    others: Others,
    queue: VecDeque<Message>,
    /// Who waits for something to take.
    awaited: Option<Operation>,
}

enum Others {
    /// The other end, while it is there.
    Peer(Option<u64>),
    Group(String),
}

#[derive(Clone)]
struct Message {
    /// With the memory that they take.
    bytes: Arc<(Vec<u8>, Taken)>,
    ports: Vec<u64>,
    memory: Vec<Arc<dyn Memory>>,
}

/// A machine that sleeps until a word of memory is notified, or something arrives.
struct Sleeper {
    on: Bed,
    machine: u64,
    notified: bool,
    /// What is answered instead of waking the machine, which goes on meanwhile.
    operation: Option<Operation>,
}

impl Hub {
    /// A hub with a way to start workers, for machines that have so much memory together.
    pub fn new(starter: Starter, room: Room) -> Arc<Self> {
        let mut inner = Inner { memory_room: 64, ..Inner::default() };
        inner.machines.insert(MAIN, Machine::default());
        Arc::new(Self { inner: Mutex::new(inner), woken: Condvar::new(), starter, room })
    }

    /// The memory that the machines have together.
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// Says how a machine is reached.
    pub fn reach(&self, machine: u64, post: Arc<dyn Post>) {
        self.inner().machines.entry(machine).or_default().post = Some(post);
    }

    /// Answers a call of a machine at once. To sleep is the business of its world.
    pub fn perform(self: &Arc<Self>, machine: u64, call: HubCall) -> Answer {
        match call {
            HubCall::Port(call) => self.on_port(machine, call),
            HubCall::Worker(call) => self.on_worker(machine, call),
            HubCall::Memory(MemoryCall::Notify { memory, offset, count }) => {
                let count = self.inner().notify((memory, offset as usize), count);
                self.woken.notify_all();
                Ok(number(count))
            }
            HubCall::Memory(call @ MemoryCall::Wait { .. }) => Err(cannot(call.name())),
            HubCall::Env(call) => Ok(self.inner().on_environment(call)),
        }
    }

    fn on_port(&self, machine: u64, call: PortCall) -> Answer {
        let mut inner = self.inner();
        Ok(match call {
            PortCall::Open => {
                let (one, other) = inner.open(machine);
                Datum::List(vec![number(one), number(other)])
            }
            PortCall::Join { group } => number(inner.join(machine, group)),
            PortCall::Post { port, bytes, ports, memory } => {
                let message = inner.message(bytes, ports, &memory, &self.room)?;
                let is_heard = inner.post(port, message);
                self.wake_sleepers(&inner);
                Datum::Bool(is_heard)
            }
            PortCall::Return { port, bytes, ports, memory } => {
                let message = inner.message(bytes, ports, &memory, &self.room)?;
                inner.put_back(port, message);
                Datum::Undefined
            }
            PortCall::Take { port } => inner.take(machine, port),
            PortCall::Close { port } => {
                inner.close(port);
                self.wake_sleepers(&inner);
                Datum::Undefined
            }
            PortCall::Receive { .. } | PortCall::Await { .. } => return Err(cannot(call.name())),
        })
    }

    /// Lets threads that sleep look whether they are meant.
    fn wake_sleepers(&self, inner: &Inner) {
        if !inner.sleepers.is_empty() {
            self.woken.notify_all();
        }
    }

    fn on_worker(self: &Arc<Self>, machine: u64, call: WorkerCall) -> Answer {
        match call {
            WorkerCall::Start { record, port } => self.start(machine, &record, port),
            WorkerCall::Stop { worker } => {
                self.inner().stop(worker);
                self.woken.notify_all();
                Ok(Datum::Undefined)
            }
            WorkerCall::Loop { worker } => {
                let inner = self.inner();
                let turning =
                    inner.machines.get(&worker).map_or_else(Turning::default, |one| one.turning);
                Ok(Datum::List(turning.figures().map(Datum::Number).to_vec()))
            }
            WorkerCall::Wait { .. } => Err(cannot(call.name())),
        }
    }

    /// Takes an operation of a machine; the answer comes by its [`Post`].
    pub fn submit(&self, machine: u64, operation: Operation, call: HubCall) {
        let mut inner = self.inner();
        let at_once = match call {
            HubCall::Port(PortCall::Receive { port }) => match inner.ports.get_mut(&port) {
                Some(port) if port.queue.is_empty() && !port.is_over() => {
                    port.awaited = Some(operation);
                    None
                }
                _ => Some(Ok(Datum::Undefined)),
            },
            HubCall::Worker(WorkerCall::Wait { worker }) => match inner.machines.get_mut(&worker) {
                Some(Machine { code: Some(code), .. }) => Some(Ok(Datum::Number((*code).into()))),
                Some(other) => {
                    other.awaited = Some((machine, operation));
                    None
                }
                None => Some(Err(Fault::new("ESRCH", "there is no such worker"))),
            },
            HubCall::Port(
                PortCall::Open
                | PortCall::Join { .. }
                | PortCall::Post { .. }
                | PortCall::Return { .. }
                | PortCall::Take { .. }
                | PortCall::Await { .. }
                | PortCall::Close { .. },
            )
            | HubCall::Worker(
                WorkerCall::Start { .. } | WorkerCall::Stop { .. } | WorkerCall::Loop { .. },
            )
            | HubCall::Memory(MemoryCall::Notify { .. })
            | HubCall::Env(_) => Some(Err(cannot(call.name()))),
            HubCall::Memory(MemoryCall::Wait { memory, offset, wide, value, .. }) => {
                let (place, word) = ((memory, offset as usize), Word::new(wide, &value));
                inner.watch(machine, operation, place, word)
            }
        };
        if let Some(answer) = at_once {
            inner.deliver(machine, operation, answer);
        }
    }

    /// Is told that a machine does not wait for an operation any more.
    pub fn cancel(&self, machine: u64, operation: Operation) {
        let mut inner = self.inner();
        for port in inner.ports.values_mut().filter(|port| port.owner == machine) {
            if port.awaited == Some(operation) {
                port.awaited = None;
            }
        }
        inner.sleepers.retain(|_, one| one.machine != machine || one.operation != Some(operation));
    }

    /// Starts a worker, whose port that is, and gives its number.
    fn start(self: &Arc<Self>, parent: u64, record: &Record, port: u64) -> Answer {
        let mut inner = self.inner();
        inner.last_machine += 1;
        let machine = inner.last_machine;
        if let Some(port) = inner.ports.get_mut(&port) {
            port.owner = machine;
        }
        let stop = Stop::default();
        let worker = Machine { parent: Some(parent), stop: stop.clone(), ..Machine::default() };
        inner.machines.insert(machine, worker);
        drop(inner);
        let record = Datum::clone(record);
        let started = (self.starter)(self, Start { machine, port, record, stop });
        if let Err(fault) = started {
            self.ended(machine, 1);
            return Err(fault);
        }
        Ok(number(machine))
    }

    /// Is told that a machine is over: its ports close, its own workers are stopped, and who waits for
    /// its end hears of it.
    pub fn ended(&self, machine: u64, code: i32) {
        let mut inner = self.inner();
        inner.sleepers.retain(|_, one| one.machine != machine || one.operation.is_none());
        let own = |(&id, port): (&u64, &Port)| (port.owner == machine).then_some(id);
        let ports: Vec<u64> = inner.ports.iter().filter_map(own).collect();
        for port in ports {
            inner.close(port);
        }
        let child = |(&id, one): (&u64, &Machine)| (one.parent == Some(machine)).then_some(id);
        let children: Vec<u64> = inner.machines.iter().filter_map(child).collect();
        for child in children {
            inner.stop(child);
        }
        if let Some(one) = inner.machines.get_mut(&machine) {
            one.code = Some(code);
            one.post = None;
            one.claims.clear();
            if let Some((waiting, operation)) = one.awaited.take() {
                inner.deliver(waiting, operation, Ok(Datum::Number(code.into())));
            }
        }
        self.woken.notify_all();
    }

    /// Gives memory of a machine a number by which others find it. Each machine counts its own, so that
    /// the numbers do not depend on what others do meanwhile.
    pub fn share(&self, machine: u64, memory: Arc<dyn Memory>) -> u64 {
        const MACHINES: u64 = 1 << 20;
        let mut inner = self.inner();
        let number = *memory.number().get_or_init(|| {
            let owner = inner.machines.entry(machine).or_default();
            owner.shared += 1;
            owner.shared * MACHINES + machine % MACHINES
        });
        if inner.memory.len() >= inner.memory_room {
            inner.memory.retain(|_, block| block.strong_count() > 0);
            inner.memory_room = 2 * inner.memory.len().max(32);
        }
        inner.memory.entry(number).or_insert_with(|| Arc::downgrade(&memory));
        number
    }

    /// The memory that came to a machine with a message.
    pub fn claim(&self, machine: u64, number: u64) -> Option<Arc<dyn Memory>> {
        let mut inner = self.inner();
        let memory = inner.memory.get(&number)?.upgrade();
        if let Some(machine) = inner.machines.get_mut(&machine) {
            let at = machine.claims.iter().position(|one| one.number().get() == Some(&number));
            at.map(|at| machine.claims.swap_remove(at));
        }
        memory
    }

    /// Lets a machine sleep: gives the number of its sleep, or nothing if the word of memory has another
    /// value, or something has arrived.
    pub fn fall_asleep(&self, machine: u64, sleep: Sleep) -> Option<u64> {
        let mut inner = self.inner();
        let is_quiet = match sleep.on {
            Bed::Word(place, word) => {
                inner.memory.get(&place.0).and_then(Weak::upgrade)?.holds(place.1, word)
            }
            Bed::Mail(port) => {
                let port = inner.ports.get(&port)?;
                port.queue.is_empty() && !port.is_over()
            }
        };
        if !is_quiet {
            return None;
        }
        inner.last += 1;
        let number = inner.last;
        inner
            .sleepers
            .insert(number, Sleeper { on: sleep.on, machine, notified: false, operation: None });
        Some(number)
    }

    /// Whether a machine that sleeps was notified, or is to stop; then the sleep is over.
    pub fn is_awake(&self, sleep: u64) -> bool {
        self.inner().is_awake(sleep)
    }

    /// Ends a sleep.
    pub fn wake_up(&self, sleep: u64) {
        self.inner().sleepers.remove(&sleep);
    }

    /// Sleeps in real time until notified or asked to stop, or for that long; whether it was notified.
    pub fn sleep(&self, sleep: u64, limit: Option<Duration>) -> bool {
        let inner = self.inner();
        let sleeps = |inner: &mut Inner| !inner.is_awake(sleep);
        let (mut inner, woken) = match limit {
            None => {
                let woken = self.woken.wait_while(inner, sleeps);
                (woken.unwrap_or_else(PoisonError::into_inner), true)
            }
            Some(limit) => {
                let woken = self.woken.wait_timeout_while(inner, limit, sleeps);
                let (inner, result) = woken.unwrap_or_else(PoisonError::into_inner);
                (inner, !result.timed_out())
            }
        };
        inner.sleepers.remove(&sleep);
        woken
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Nothing in here panics half way through a change.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn deliver(&self, machine: u64, operation: Operation, answer: Answer) {
        if let Some(post) = self.machines.get(&machine).and_then(|machine| machine.post.as_ref()) {
            post.deliver(operation, answer);
        }
    }

    fn new_port(&mut self, owner: u64, others: Others) -> u64 {
        self.last += 1;
        let port = Port { owner, others, queue: VecDeque::new(), awaited: None };
        self.ports.insert(self.last, port);
        self.last
    }

    fn open(&mut self, owner: u64) -> (u64, u64) {
        let one = self.new_port(owner, Others::Peer(None));
        let other = self.new_port(owner, Others::Peer(Some(one)));
        self.ports.get_mut(&one).expect("it was just made").others = Others::Peer(Some(other));
        (one, other)
    }

    fn join(&mut self, owner: u64, name: String) -> u64 {
        let port = self.new_port(owner, Others::Group(name.clone()));
        self.groups.entry(name).or_default().insert(port);
        port
    }

    /// Sends a message; whether there is anybody to receive it. Ports can go to one alone: of a group, to who joined it
    /// first.
    fn post(&mut self, port: u64, message: Message) -> bool {
        let mut targets: Vec<u64> = match self.ports.get(&port).map(|port| &port.others) {
            Some(Others::Peer(peer)) => peer.iter().copied().collect(),
            Some(Others::Group(name)) => match self.groups.get(name) {
                Some(group) => group.iter().copied().filter(|&other| other != port).collect(),
                None => Vec::new(),
            },
            None => Vec::new(),
        };
        if !message.ports.is_empty() {
            targets.truncate(1);
        }
        if targets.is_empty() {
            for port in message.ports {
                self.close(port);
            }
            return false;
        }
        for target in targets {
            if let Some(port) = self.ports.get_mut(&target) {
                port.queue.push_back(message.clone());
                self.tell(target);
            }
        }
        true
    }

    /// A message, with the memory that is still there.
    fn message(
        &self,
        bytes: Vec<u8>,
        ports: Vec<u64>,
        memory: &[u64],
        room: &Room,
    ) -> Result<Message, Fault> {
        let Some(taken) = Taken::from(room, bytes.len() + MESSAGE) else {
            return Err(Fault::new("ENOMEM", "there is no memory left for messages"));
        };
        let block = |number: &u64| self.memory.get(number).and_then(Weak::upgrade);
        let memory = memory.iter().filter_map(block).collect();
        Ok(Message { bytes: Arc::new((bytes, taken)), ports, memory })
    }

    /// What was taken is taken again first.
    fn put_back(&mut self, port: u64, message: Message) {
        if let Some(port) = self.ports.get_mut(&port) {
            port.queue.push_front(message);
        }
    }

    /// Answers who waits for something at a port, or sleeps there.
    fn tell(&mut self, port: u64) {
        if !self.sleepers.is_empty() {
            self.wake(u64::MAX, |on| on == Bed::Mail(port));
        }
        let Some(port) = self.ports.get_mut(&port) else { return };
        let owner = port.owner;
        if let Some(operation) = port.awaited.take() {
            self.deliver(owner, operation, Ok(Datum::Undefined));
        }
    }

    /// The next message; null where the other end is gone, undefined if there is none yet. Its ports
    /// belong to the machine from then on.
    fn take(&mut self, machine: u64, port: u64) -> Datum {
        let Some(port) = self.ports.get_mut(&port) else { return Datum::Null };
        port.owner = machine;
        let Some(message) = port.queue.pop_front() else {
            return if port.is_over() { Datum::Null } else { Datum::Undefined };
        };
        for port in &message.ports {
            if let Some(port) = self.ports.get_mut(port) {
                port.owner = machine;
            }
        }
        let list = |numbers: &[u64]| Datum::List(numbers.iter().map(|&one| number(one)).collect());
        let memory: Vec<u64> =
            message.memory.iter().filter_map(|one| one.number().get().copied()).collect();
        self.machines.entry(machine).or_default().claims.extend(message.memory);
        let bytes = match Arc::try_unwrap(message.bytes) {
            Ok((bytes, _)) => bytes,
            Err(shared) => shared.0.clone(),
        };
        Datum::List(vec![Datum::Bytes(bytes), list(&message.ports), list(&memory)])
    }

    /// Closes a port, and those that are in messages nobody will read.
    fn close(&mut self, port: u64) {
        let mut todo = vec![port];
        while let Some(port) = todo.pop() {
            let Some(closed) = self.ports.remove(&port) else { continue };
            todo.extend(closed.queue.into_iter().flat_map(|message| message.ports));
            match closed.others {
                Others::Peer(Some(peer)) => {
                    if let Some(other) = self.ports.get_mut(&peer) {
                        other.others = Others::Peer(None);
                    }
                    self.tell(peer);
                }
                Others::Peer(None) => {}
                Others::Group(name) => {
                    if let Some(group) = self.groups.get_mut(&name) {
                        group.remove(&port);
                    }
                }
            }
        }
    }

    fn stop(&mut self, machine: u64) {
        let Some(machine) = self.machines.get(&machine) else { return };
        if machine.code.is_none() {
            machine.stop.ask(Reason::Ended);
            if let Some(post) = &machine.post {
                post.ring();
            }
        }
    }

    fn notify(&mut self, place: (u64, usize), limit: u64) -> u64 {
        self.wake(limit, |on| matches!(on, Bed::Word(at, _) if at == place))
    }

    /// Lets an operation wait for a word of memory; the answer if that has another value.
    fn watch(
        &mut self,
        machine: u64,
        operation: Operation,
        place: (u64, usize),
        word: Word,
    ) -> Option<Answer> {
        let memory = self.memory.get(&place.0).and_then(Weak::upgrade);
        if !memory.is_some_and(|memory| memory.holds(place.1, word)) {
            return Some(Ok(Datum::Text("not-equal".to_owned())));
        }
        self.last += 1;
        let on = Bed::Word(place, word);
        let sleeper = Sleeper { on, machine, notified: false, operation: Some(operation) };
        self.sleepers.insert(self.last, sleeper);
        None
    }

    /// Wakes so many of the machines that sleep there, and answers the operations that wait there.
    fn wake(&mut self, limit: u64, is_there: impl Fn(Bed) -> bool) -> u64 {
        let mut count = 0;
        let mut answered = Vec::new();
        for (&number, sleeper) in &mut self.sleepers {
            if count < limit && is_there(sleeper.on) && !sleeper.notified {
                sleeper.notified = true;
                count += 1;
                let machine = self.machines.get(&sleeper.machine);
                let Some(post) = machine.and_then(|machine| machine.post.as_ref()) else {
                    continue;
                };
                match sleeper.operation {
                    Some(operation) => {
                        answered.push(number);
                        post.deliver(operation, Ok(Datum::Text("ok".to_owned())));
                    }
                    None => post.ring(),
                }
            }
        }
        for number in answered {
            self.sleepers.remove(&number);
        }
        count
    }

    fn is_awake(&self, sleep: u64) -> bool {
        let Some(sleeper) = self.sleepers.get(&sleep) else { return true };
        let stop = self.machines.get(&sleeper.machine).and_then(|machine| machine.stop.asked());
        sleeper.notified || stop.is_some()
    }

    fn on_environment(&mut self, call: EnvCall) -> Datum {
        match call {
            EnvCall::Open { variables } => number(self.open_environment(&variables)),
            EnvCall::Get { env, name } => {
                let variables = self.environments.get(&env);
                let value = variables.and_then(|variables| variables.get(&name));
                value.map_or(Datum::Undefined, |value| Datum::Text(value.clone()))
            }
            EnvCall::Set { env, name, value } => {
                if let Some(variables) = self.environments.get_mut(&env) {
                    variables.insert(name, value);
                }
                Datum::Undefined
            }
            EnvCall::Delete { env, name } => {
                if let Some(variables) = self.environments.get_mut(&env) {
                    variables.remove(&name);
                }
                Datum::Undefined
            }
            EnvCall::Names { env } => self.names(env),
        }
    }

    fn open_environment(&mut self, record: &Record) -> u64 {
        let mut variables = BTreeMap::new();
        if let Datum::Record(fields) = &**record {
            for (name, value) in fields {
                if let Datum::Text(value) = value {
                    variables.insert(name.clone(), value.clone());
                }
            }
        }
        self.last += 1;
        self.environments.insert(self.last, variables);
        self.last
    }

    fn names(&self, environment: u64) -> Datum {
        let names = self.environments.get(&environment).into_iter().flat_map(BTreeMap::keys);
        Datum::List(names.map(|name| Datum::Text(name.clone())).collect())
    }
}

impl Port {
    /// Whether nothing will come any more.
    fn is_over(&self) -> bool {
        matches!(self.others, Others::Peer(None))
    }
}

fn number(number: u64) -> Datum {
    Datum::Number(number as f64)
}

fn cannot(name: &str) -> Fault {
    Fault::new("ENOSYS", format!("this world cannot do {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Box_(Mutex<Vec<Operation>>);

    impl Post for Box_ {
        fn deliver(&self, operation: Operation, _: Answer) {
            self.0.lock().expect("no test panics in here").push(operation);
        }
        fn ring(&self) {}
    }

    fn ask(hub: &Arc<Hub>, call: PortCall) -> Datum {
        hub.perform(MAIN, HubCall::Port(call)).expect("the hub answers")
    }

    /// The two ends of a new channel.
    fn open(hub: &Arc<Hub>) -> [u64; 2] {
        let Datum::List(ends) = ask(hub, PortCall::Open) else { panic!("two numbers") };
        [&ends[0], &ends[1]].map(|end| end.as_number().expect("an end is a number") as u64)
    }

    fn post(port: u64, bytes: Vec<u8>, ports: Vec<u64>) -> PortCall {
        PortCall::Post { port, bytes, ports, memory: vec![] }
    }

    #[test]
    fn messages_keep_their_order_and_the_end_comes_last() {
        let hub = Hub::new(Box::new(|_, _| Ok(())), Room::default());
        let mailbox = Arc::new(Box_::default());
        hub.reach(MAIN, mailbox.clone());
        let ends = open(&hub);
        hub.submit(MAIN, Operation(7), HubCall::Port(PortCall::Receive { port: ends[1] }));
        for byte in [1, 2] {
            assert_eq!(ask(&hub, post(ends[0], vec![byte], vec![])), Datum::Bool(true));
        }
        ask(&hub, PortCall::Close { port: ends[0] });
        assert_eq!(*mailbox.0.lock().unwrap(), [Operation(7)]);
        for byte in [1, 2] {
            let none = Datum::List(vec![]);
            let message = Datum::List(vec![Datum::Bytes(vec![byte]), none.clone(), none]);
            assert_eq!(ask(&hub, PortCall::Take { port: ends[1] }), message);
        }
        assert_eq!(ask(&hub, PortCall::Take { port: ends[1] }), Datum::Null);
        assert_eq!(ask(&hub, post(ends[1], vec![3], vec![])), Datum::Bool(false));
    }

    #[test]
    fn a_port_in_a_message_that_is_lost_closes() {
        let hub = Hub::new(Box::new(|_, _| Ok(())), Room::default());
        let (outer, inner) = (open(&hub), open(&hub));
        ask(&hub, post(outer[0], vec![], vec![inner[0]]));
        ask(&hub, PortCall::Close { port: outer[1] });
        assert_eq!(ask(&hub, PortCall::Take { port: inner[1] }), Datum::Null);
    }

    #[test]
    fn ports_in_a_message_to_a_group_go_to_who_joined_first() {
        let hub = Hub::new(Box::new(|_, _| Ok(())), Room::default());
        let join =
            || ask(&hub, PortCall::Join { group: "g".into() }).as_number().expect("a number");
        let [first, one, other] = [join(), join(), join()].map(|port| port as u64);
        let sent = open(&hub);
        assert_eq!(ask(&hub, post(one, vec![1], vec![sent[0]])), Datum::Bool(true));
        ask(&hub, PortCall::Close { port: other });
        ask(&hub, post(sent[1], vec![2], vec![]));
        let ports = Datum::List(vec![Datum::Number(sent[0] as f64)]);
        let message = Datum::List(vec![Datum::Bytes(vec![1]), ports, Datum::List(vec![])]);
        assert_eq!(ask(&hub, PortCall::Take { port: first }), message, "who left has lost nothing");
        assert_ne!(ask(&hub, PortCall::Take { port: sent[0] }), Datum::Null, "it is open");
    }
}
