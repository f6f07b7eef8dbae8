//! Schedulers of several nodes, on PostgreSQL (rules CLUS-1 to CLUS-7).
//!
//! A cluster that is open has two threads with a connection each: one makes the decisions, each in a transaction,
//! the other one hears when another node has changed something. Whoever loses the connection is told so, and makes a
//! new one with the next question.

mod faults;
mod looking;
mod renewal;
mod schema;
mod tables;
mod tls;

use crate::deliveries::Sender;
use faults::{Trouble, about};
use hemiola_gate::{Answer, ClusterCall, Datum, Fault, Record, Secret};
use hemiola_machine::Operation;
use hemiola_scheduler::cluster::{Op, perform};
pub(crate) use looking::Looking;
use postgres::config::SslMode;
use postgres::fallible_iterator::FallibleIterator;
use postgres::{Client, Config};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tables::{Statements, Transacted};
use tls::Tls;

/// How long it waits for a server that does not answer.
const CONNECTING: Duration = Duration::from_secs(5);
/// The system counts these in seconds, and takes none that is less than one.
const LEAST_KEEPALIVE: Duration = Duration::from_secs(1);
/// How often it looks whether the cluster was closed.
const LOOKING: Duration = Duration::from_secs(1);
/// What nodes of all clusters of a database hear on.
const CHANNEL: &str = "hemiola";

/// The clusters that are open, by number.
#[derive(Default)]
pub(crate) struct Clusters {
    open: BTreeMap<u64, Open>,
    count: u64,
}

struct Open {
    questions: mpsc::Sender<(Operation, Question)>,
    ear: Arc<Ear>,
}

enum Question {
    /// To connect; answered with that number.
    Open(u64),
    Ask(String),
    Close,
}

impl Clusters {
    pub(crate) fn begin(
        &mut self,
        operation: Operation,
        call: ClusterCall,
        sender: &Sender,
    ) -> Result<(), Fault> {
        match call {
            ClusterCall::Open { place, options, password } => {
                let target = Target::new(&place, &options, password)?;
                self.count += 1;
                let (questions, asked) = mpsc::channel();
                let ear = Arc::new(Ear::new(sender.clone()));
                let node = Node::new(target, Arc::clone(&ear), sender.clone());
                let thread = std::thread::Builder::new().name("hemiola-cluster".into());
                thread.spawn(move || node.work(&asked)).map_err(|_| no_thread())?;
                let _ = questions.send((operation, Question::Open(self.count)));
                self.open.insert(self.count, Open { questions, ear });
            }
            ClusterCall::Ask { cluster, question } => {
                self.send(cluster, operation, Question::Ask(question))?;
            }
            ClusterCall::Listen { cluster } => self.find(cluster)?.ear.await_call(operation),
            ClusterCall::Close { cluster } => {
                self.send(cluster, operation, Question::Close)?;
                self.open.remove(&cluster);
            }
        }
        Ok(())
    }

    /// Is told that an operation does not wait any more.
    pub(crate) fn cancel(&mut self, operation: Operation) {
        self.open.values().for_each(|open| open.ear.forget(operation));
    }

    fn find(&self, cluster: u64) -> Result<&Open, Fault> {
        self.open.get(&cluster).ok_or_else(|| Fault::new("EBADF", "the cluster is closed"))
    }

    fn send(&self, cluster: u64, operation: Operation, asked: Question) -> Result<(), Fault> {
        // Its thread is there as long as this end is.
        let _ = self.find(cluster)?.questions.send((operation, asked));
        Ok(())
    }
}

fn no_thread() -> Fault {
    Fault::new("EAGAIN", "the system starts no thread for the database")
}

/// Which database, and which cluster in it.
#[derive(Clone)]
struct Target {
    config: Config,
    tls: Tls,
    /// The address without the password, for messages.
    label: String,
    name: String,
    lease: Duration,
}

impl Target {
    fn new(place: &Record, options: &Record, Secret(password): Secret) -> Result<Self, Fault> {
        let text = |record: &Record, name: &str| match record.field(name) {
            Some(Datum::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let number = |record: &Record, name: &str| record.field(name).and_then(Datum::as_number);
        let port = number(place, "port").unwrap_or(5432.0) as u16;
        let user = text(options, "user").unwrap_or_default();
        let database = text(options, "database").unwrap_or_default();
        let host = text(place, "host").unwrap_or_default();
        let lease = Duration::from_millis(number(options, "lease").unwrap_or(30_000.0) as u64);
        let mut config = Config::new();
        match text(place, "directory") {
            Some(directory) => config.host_path(directory),
            None => config.host(&host),
        };
        config
            .port(port)
            .user(&user)
            .dbname(&database)
            .application_name("hemiola")
            .connect_timeout(CONNECTING)
            .keepalives_idle((lease / 2).max(LEAST_KEEPALIVE))
            .keepalives_interval((lease / 10).max(LEAST_KEEPALIVE))
            .keepalives_retries(3)
            .tcp_user_timeout(lease / 2);
        if let Some(password) = password {
            config.password(password);
        }
        let mode = text(options, "sslmode").unwrap_or_else(|| "prefer".into());
        let is_local = text(place, "directory").is_some();
        let verifies = mode == "verify-full";
        config.ssl_mode(match mode.as_str() {
            _ if is_local => SslMode::Disable,
            "disable" => SslMode::Disable,
            "prefer" => SslMode::Prefer,
            _ => SslMode::Require,
        });
        let tls = Tls::new(verifies, text(options, "ca").as_deref())?;
        let label = text(options, "label").unwrap_or_else(|| format!("{host}:{port}"));
        let name = text(options, "name").unwrap_or_default();
        Ok(Self { config, tls, label, name, lease })
    }

    /// A connection whose transactions hold nobody up, though this process may be stopped within one.
    fn connect(&self) -> Result<Client, Trouble> {
        let mut client = self.config.connect(self.tls.clone())?;
        let idle = (self.lease / 4).clamp(Duration::from_millis(250), Duration::from_secs(10));
        let (idle, longest) = (idle.as_millis(), self.lease.as_millis().max(1_000));
        client.batch_execute(&format!(
            "SET idle_in_transaction_session_timeout = {idle}; SET statement_timeout = {longest}; \
             SET lock_timeout = {longest}; SET client_min_messages = warning; \
             SET default_transaction_isolation = 'read committed'; SET synchronous_commit = on",
        ))?;
        Ok(client)
    }

    fn fault(&self, trouble: Trouble) -> Fault {
        let (code, message) = about(&trouble, &self.label);
        Fault::new(code, message)
    }
}

/// The thread that makes decisions.
struct Node {
    target: Target,
    connection: Option<(Client, Statements)>,
    ear: Arc<Ear>,
    sender: Sender,
}

impl Node {
    fn new(target: Target, ear: Arc<Ear>, sender: Sender) -> Self {
        Self { target, connection: None, ear, sender }
    }

    fn work(mut self, asked: &mpsc::Receiver<(Operation, Question)>) {
        while let Ok((operation, question)) = asked.recv() {
            let is_last = matches!(question, Question::Close);
            let answer = match question {
                Question::Open(number) => self.open(number),
                Question::Ask(text) => self.ask(&text),
                Question::Close => Ok(Datum::Undefined),
            };
            if is_last {
                self.connection = None;
            }
            self.sender.deliver(operation, answer);
            if is_last {
                break;
            }
        }
        self.ear.is_closed.store(true, Ordering::Relaxed);
    }

    fn open(&mut self, number: u64) -> Answer {
        let connected = self.connected().and_then(|(client, _)| schema::prepare(client));
        connected.map_err(|trouble| self.target.fault(trouble))?;
        let (target, ear) = (self.target.clone(), Arc::clone(&self.ear));
        let thread = std::thread::Builder::new().name("hemiola-listen".into());
        thread.spawn(move || listen(&target, &ear)).map_err(|_| no_thread())?;
        Ok(Datum::Number(number as f64))
    }

    fn connected(&mut self) -> Result<&mut (Client, Statements), Trouble> {
        if self.connection.as_ref().is_some_and(|(client, _)| client.is_closed()) {
            self.connection = None;
        }
        match self.connection {
            Some(ref mut connection) => Ok(connection),
            None => {
                let mut client = self.target.connect()?;
                let own: i32 = client.query_one("SELECT pg_backend_pid()", &[])?.get(0);
                self.ear.own.store(own, Ordering::Relaxed);
                Ok(self.connection.insert((client, Statements::default())))
            }
        }
    }

    fn ask(&mut self, question: &str) -> Answer {
        let op = Op::read(question).map_err(|error| Fault::new("EINVAL", error.to_string()))?;
        self.decide(&op).map(Datum::Text).inspect_err(|_| {
            // Whatever it was: the next question does not find a transaction half done.
            if self.connection.as_ref().is_some_and(|(client, _)| client.is_closed()) {
                self.connection = None;
            }
        })
    }

    fn decide(&mut self, op: &Op) -> Result<String, Fault> {
        let target = self.target.clone();
        let connected = self.connected().map_err(|trouble| target.fault(trouble))?;
        decide(&target, connected, op).map(|reply| reply.to_string())
    }
}

/// One decision in a transaction of its own.
fn decide(
    target: &Target,
    (client, statements): &mut (Client, Statements),
    op: &Op,
) -> Result<serde_json::Value, Fault> {
    let fault = |trouble| target.fault(trouble);
    if let Op::Renew { me, heard } = op
        && let Some(reply) =
            renewal::renew(client, statements, &target.name, *me, *heard).map_err(fault)?
    {
        return Ok(reply);
    }
    let transaction = client.transaction().map_err(|error| fault(error.into()))?;
    let mut tables = Transacted::new(transaction, statements, &target.name);
    let done = perform(&mut tables, op).map_err(|failure| {
        let (code, message) = failure.explain(|trouble| about(&trouble, &target.label));
        Fault::new(code, message)
    })?;
    tables.commit(done.tells.then_some(CHANNEL)).map_err(fault)?;
    if let Op::Join { .. } = op {
        // It has joined, whatever comes of that; the next question says what is wrong.
        let _ = statements.make_ready(client);
    }
    Ok(done.reply)
}

/// Where it is heard that another node has changed something.
struct Ear {
    sender: Sender,
    state: Mutex<Heard>,
    /// The connection that makes this node's own changes.
    own: AtomicI32,
    is_closed: AtomicBool,
}

#[derive(Default)]
struct Heard {
    waits: Option<Operation>,
    /// Whether something was heard while nobody waited.
    was_called: bool,
}

impl Ear {
    fn new(sender: Sender) -> Self {
        let (own, is_closed) = (AtomicI32::new(0), AtomicBool::new(false));
        Self { sender, state: Mutex::default(), own, is_closed }
    }

    fn state(&self) -> MutexGuard<'_, Heard> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn await_call(&self, operation: Operation) {
        let mut state = self.state();
        if std::mem::take(&mut state.was_called) {
            self.sender.deliver(operation, Ok(Datum::Undefined));
        } else {
            state.waits = Some(operation);
        }
    }

    fn call(&self) {
        let mut state = self.state();
        match state.waits.take() {
            Some(operation) => self.sender.deliver(operation, Ok(Datum::Undefined)),
            None => state.was_called = true,
        }
    }

    fn forget(&self, operation: Operation) {
        let mut state = self.state();
        state.waits.take_if(|waits| *waits == operation);
    }
}

/// The thread that hears of changes. Whoever could not hear for a while is told to look.
fn listen(target: &Target, ear: &Ear) {
    while !ear.is_closed.load(Ordering::Relaxed) {
        if let Ok(mut client) = target.connect() {
            // A connection that fails is made anew.
            let _ = hear(&mut client, target, ear);
        }
        std::thread::sleep(LOOKING);
    }
}

fn hear(client: &mut Client, target: &Target, ear: &Ear) -> Result<(), Trouble> {
    client.batch_execute(&format!("LISTEN {CHANNEL}"))?;
    ear.call();
    while !ear.is_closed.load(Ordering::Relaxed) {
        let mut notifications = client.notifications();
        let mut timed = notifications.timeout_iter(LOOKING);
        while let Some(heard) = timed.next()? {
            let is_own = heard.process_id() == ear.own.load(Ordering::Relaxed);
            if heard.payload() == target.name && !is_own {
                ear.call();
            }
        }
        drop(timed);
        drop(notifications);
        if client.is_closed() {
            break;
        }
    }
    Ok(())
}
