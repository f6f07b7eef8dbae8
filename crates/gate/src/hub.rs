//! What the machines of one run share: ports, workers, memory, environments.
//!
//! A machine reaches it through its own world, with requests like any other. Nothing of an engine is in
//! here: messages are bytes, and numbers stand for the ports and the memory that go with them.

use crate::request::Wire;
use crate::stop::{Reason, Stop};
use crate::value::{Answer, Datum, Fault};
use hemiola_machine::Operation;
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

/// The number of the machine that began the run; workers count from 1.
pub const MAIN: u64 = 0;

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
    /// The one machine of a run without workers.
    pub fn alone() -> Self {
        let starter =
            |_: &Arc<Hub>, _: Start| Err(Fault::new("ENOSYS", "there are no workers here"));
        Self { hub: Hub::new(Box::new(starter)), machine: MAIN, port: 0 }
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
    /// Somebody was woken who sleeps on a word of shared memory, or is to stop.
    woken: Condvar,
    starter: Starter,
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
    bytes: Arc<[u8]>,
    ports: Vec<u64>,
    memory: Vec<Arc<dyn Memory>>,
}

/// A machine that sleeps until a word of memory is notified.
struct Sleeper {
    place: (u64, usize),
    machine: u64,
    notified: bool,
}

impl Hub {
    /// A hub with a way to start workers.
    pub fn new(starter: Starter) -> Arc<Self> {
        let mut inner = Inner { memory_room: 64, ..Inner::default() };
        inner.machines.insert(MAIN, Machine::default());
        Arc::new(Self { inner: Mutex::new(inner), woken: Condvar::new(), starter })
    }

    /// Says how a machine is reached.
    pub fn reach(&self, machine: u64, post: Arc<dyn Post>) {
        self.inner().machines.entry(machine).or_default().post = Some(post);
    }

    /// Whether a request is one for the hub.
    pub fn knows(kind: &str) -> bool {
        matches!(kind.split_once('.'), Some(("port" | "worker" | "memory" | "env", _)))
    }

    /// Answers a request of a machine at once.
    pub fn perform(self: &Arc<Self>, machine: u64, request: &Wire) -> Answer {
        let arguments = Arguments(&request.arguments);
        let mut inner = self.inner();
        Ok(match request.kind.as_str() {
            "port.open" => {
                let (one, other) = inner.open(machine);
                Datum::List(vec![number(one), number(other)])
            }
            "port.join" => number(inner.join(machine, arguments.text(0))),
            "port.post" => Datum::Bool(inner.post(arguments)),
            "port.return" => {
                inner.put_back(arguments);
                Datum::Undefined
            }
            "port.take" => inner.take(machine, arguments.number(0)),
            "port.close" => {
                inner.close(arguments.number(0));
                Datum::Undefined
            }
            "worker.start" => {
                drop(inner);
                return self.start(machine, arguments);
            }
            "worker.stop" => {
                inner.stop(arguments.number(0));
                self.woken.notify_all();
                Datum::Undefined
            }
            "memory.notify" => {
                let place = (arguments.number(0), arguments.number(1) as usize);
                let count = inner.notify(place, arguments.number(2));
                self.woken.notify_all();
                number(count)
            }
            "env.open" => number(inner.open_environment(arguments.0.first())),
            "env.get" => inner.variable(arguments),
            "env.set" => inner.set_variable(arguments, Some(arguments.text(2))),
            "env.delete" => inner.set_variable(arguments, None),
            "env.names" => inner.names(arguments.number(0)),
            kind => return Err(Fault::new("ENOSYS", format!("this world cannot do {kind}"))),
        })
    }

    /// Takes an operation of a machine; the answer comes by its [`Post`].
    pub fn submit(&self, machine: u64, operation: Operation, request: &Wire) {
        let arguments = Arguments(&request.arguments);
        let mut inner = self.inner();
        let at_once = match request.kind.as_str() {
            "port.receive" => {
                let port = inner.ports.get_mut(&arguments.number(0));
                match port {
                    Some(port) if port.queue.is_empty() && !port.is_over() => {
                        port.awaited = Some(operation);
                        None
                    }
                    _ => Some(Ok(Datum::Undefined)),
                }
            }
            "worker.wait" => match inner.machines.get_mut(&arguments.number(0)) {
                Some(Machine { code: Some(code), .. }) => Some(Ok(Datum::Number((*code).into()))),
                Some(other) => {
                    other.awaited = Some((machine, operation));
                    None
                }
                None => Some(Err(Fault::new("ESRCH", "there is no such worker"))),
            },
            kind => Some(Err(Fault::new("ENOSYS", format!("this world cannot do {kind}")))),
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
    }

    /// `worker.start [record, port]`: the number of the worker, whose port that is.
    fn start(self: &Arc<Self>, parent: u64, arguments: Arguments<'_>) -> Answer {
        let mut inner = self.inner();
        inner.last_machine += 1;
        let machine = inner.last_machine;
        let port = arguments.number(1);
        if let Some(port) = inner.ports.get_mut(&port) {
            port.owner = machine;
        }
        let stop = Stop::default();
        let worker = Machine { parent: Some(parent), stop: stop.clone(), ..Machine::default() };
        inner.machines.insert(machine, worker);
        drop(inner);
        let record = arguments.0.first().cloned().unwrap_or(Datum::Undefined);
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

    /// Lets a machine sleep on a word of memory, `memory.wait [memory, offset, is_wide, value, …]`:
    /// gives the number of its sleep, or nothing if the word has another value.
    pub fn fall_asleep(&self, machine: u64, request: &Wire) -> Option<u64> {
        let arguments = Arguments(&request.arguments);
        let mut inner = self.inner();
        let (number, offset) = (arguments.number(0), arguments.number(1) as usize);
        let memory = inner.memory.get(&number).and_then(Weak::upgrade)?;
        let word = match arguments.0.get(2) {
            Some(Datum::Bool(true)) => Word::Wide(arguments.text(3).parse().unwrap_or_default()),
            _ => Word::Narrow(arguments.0.get(3).and_then(Datum::as_number).unwrap_or(0.0) as i32),
        };
        if !memory.holds(offset, word) {
            return None;
        }
        inner.last += 1;
        let sleep = inner.last;
        inner.sleepers.insert(sleep, Sleeper { place: (number, offset), machine, notified: false });
        Some(sleep)
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

    /// `port.post [port, bytes, ports, memory]`: whether there is anybody to receive it.
    fn post(&mut self, arguments: Arguments<'_>) -> bool {
        let port = arguments.number(0);
        let targets = match self.ports.get(&port).map(|port| &port.others) {
            Some(Others::Peer(peer)) => peer.iter().copied().collect(),
            Some(Others::Group(name)) => match self.groups.get(name) {
                Some(group) => group.iter().copied().filter(|&other| other != port).collect(),
                None => Vec::new(),
            },
            None => Vec::new(),
        };
        let message = self.message(arguments);
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

    /// The message in the arguments behind the port.
    fn message(&self, arguments: Arguments<'_>) -> Message {
        let block = |number: &u64| self.memory.get(number).and_then(Weak::upgrade);
        Message {
            bytes: arguments.bytes(1).into(),
            ports: arguments.numbers(2),
            memory: arguments.numbers(3).iter().filter_map(block).collect(),
        }
    }

    /// `port.return [port, bytes, ports, memory]`: what was taken is taken again first.
    fn put_back(&mut self, arguments: Arguments<'_>) {
        let message = self.message(arguments);
        if let Some(port) = self.ports.get_mut(&arguments.number(0)) {
            port.queue.push_front(message);
        }
    }

    /// Answers who waits for something at a port.
    fn tell(&mut self, port: u64) {
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
        Datum::List(vec![Datum::Bytes(message.bytes.to_vec()), list(&message.ports), list(&memory)])
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
        let mut count = 0;
        for sleeper in self.sleepers.values_mut() {
            if count < limit && sleeper.place == place && !sleeper.notified {
                sleeper.notified = true;
                count += 1;
                let machine = self.machines.get(&sleeper.machine);
                if let Some(post) = machine.and_then(|machine| machine.post.as_ref()) {
                    post.ring();
                }
            }
        }
        count
    }

    fn is_awake(&self, sleep: u64) -> bool {
        let Some(sleeper) = self.sleepers.get(&sleep) else { return true };
        let stop = self.machines.get(&sleeper.machine).and_then(|machine| machine.stop.asked());
        sleeper.notified || stop.is_some()
    }

    fn open_environment(&mut self, record: Option<&Datum>) -> u64 {
        let mut variables = BTreeMap::new();
        if let Some(Datum::Record(fields)) = record {
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

    fn variable(&self, arguments: Arguments<'_>) -> Datum {
        let variables = self.environments.get(&arguments.number(0));
        let value = variables.and_then(|variables| variables.get(&arguments.text(1)));
        value.map_or(Datum::Undefined, |value| Datum::Text(value.clone()))
    }

    fn set_variable(&mut self, arguments: Arguments<'_>, value: Option<String>) -> Datum {
        if let Some(variables) = self.environments.get_mut(&arguments.number(0)) {
            match value {
                Some(value) => variables.insert(arguments.text(1), value),
                None => variables.remove(&arguments.text(1)),
            };
        }
        Datum::Undefined
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

/// The arguments of a request; what is missing is empty.
#[derive(Clone, Copy)]
struct Arguments<'a>(&'a [Datum]);

impl Arguments<'_> {
    fn number(self, at: usize) -> u64 {
        self.0.get(at).and_then(Datum::as_number).unwrap_or_default() as u64
    }

    fn text(self, at: usize) -> String {
        match self.0.get(at) {
            Some(Datum::Text(text)) => text.clone(),
            _ => String::new(),
        }
    }

    fn bytes(self, at: usize) -> Vec<u8> {
        match self.0.get(at) {
            Some(Datum::Bytes(bytes)) => bytes.clone(),
            _ => Vec::new(),
        }
    }

    fn numbers(self, at: usize) -> Vec<u64> {
        match self.0.get(at) {
            Some(Datum::List(list)) => {
                list.iter().filter_map(Datum::as_number).map(|number| number as u64).collect()
            }
            _ => Vec::new(),
        }
    }
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

    fn ask(hub: &Arc<Hub>, kind: &str, arguments: Vec<Datum>) -> Datum {
        let request = Wire { kind: kind.into(), arguments };
        hub.perform(MAIN, &request).expect("the hub answers")
    }

    #[test]
    fn messages_keep_their_order_and_the_end_comes_last() {
        let hub = Hub::new(Box::new(|_, _| Ok(())));
        let mailbox = Arc::new(Box_::default());
        hub.reach(MAIN, mailbox.clone());
        let Datum::List(ends) = ask(&hub, "port.open", vec![]) else { panic!("two numbers") };
        let receive = Wire { kind: "port.receive".into(), arguments: vec![ends[1].clone()] };
        hub.submit(MAIN, Operation(7), &receive);
        for byte in [1, 2] {
            let posted = ask(&hub, "port.post", vec![ends[0].clone(), Datum::Bytes(vec![byte])]);
            assert_eq!(posted, Datum::Bool(true));
        }
        ask(&hub, "port.close", vec![ends[0].clone()]);
        assert_eq!(*mailbox.0.lock().unwrap(), [Operation(7)]);
        for byte in [1, 2] {
            let none = Datum::List(vec![]);
            let message = Datum::List(vec![Datum::Bytes(vec![byte]), none.clone(), none]);
            assert_eq!(ask(&hub, "port.take", vec![ends[1].clone()]), message);
        }
        assert_eq!(ask(&hub, "port.take", vec![ends[1].clone()]), Datum::Null);
        let posted = ask(&hub, "port.post", vec![ends[1].clone(), Datum::Bytes(vec![3])]);
        assert_eq!(posted, Datum::Bool(false));
    }

    #[test]
    fn a_port_in_a_message_that_is_lost_closes() {
        let hub = Hub::new(Box::new(|_, _| Ok(())));
        let Datum::List(outer) = ask(&hub, "port.open", vec![]) else { panic!("two numbers") };
        let Datum::List(inner) = ask(&hub, "port.open", vec![]) else { panic!("two numbers") };
        let ports = Datum::List(vec![inner[0].clone()]);
        ask(&hub, "port.post", vec![outer[0].clone(), Datum::Bytes(vec![]), ports]);
        ask(&hub, "port.close", vec![outer[1].clone()]);
        assert_eq!(ask(&hub, "port.take", vec![inner[1].clone()]), Datum::Null);
    }
}
