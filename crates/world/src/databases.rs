//! The databases of simulated worlds that schedulers of several nodes share (rule CLUS-1): tables in memory, by the
//! place, the database and the name of the cluster. They are on no computer: their clock is their own, and what goes
//! wrong with them is theirs.

use crate::WALL_ORIGIN;
use crate::roads::{Computer, Cut};
use hemiola_gate::{Answer, ClusterCall, Datum, Fault, Post, Record};
use hemiola_machine::{Chooser, Delay, Instant, Operation, Seeded};
use hemiola_scheduler::cluster::{Memory, Op};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All databases of a world; its copies are the same.
#[derive(Clone, Default)]
pub(crate) struct Databases(Arc<Mutex<Shared>>);

/// What goes wrong with them when, in times of the world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Troubles {
    /// They do not answer.
    pub(crate) down: Vec<(Instant, Instant)>,
    /// Connections are lost.
    pub(crate) drops: Vec<(Instant, Instant)>,
    /// Answers take a while.
    pub(crate) slow: Vec<(Instant, Instant)>,
    /// Nobody hears of changes.
    pub(crate) deaf: Vec<(Instant, Instant)>,
    /// Their clock is set by so many microseconds.
    pub(crate) steps: Vec<(Instant, i64)>,
    /// Who cannot reach them.
    pub(crate) cuts: Vec<Cut>,
    /// What decides which connections are lost.
    pub(crate) luck: u64,
}

#[derive(Default)]
struct Shared {
    clusters: BTreeMap<String, Memory>,
    /// Those who have opened a cluster, by number.
    open: BTreeMap<u64, Open>,
    count: u64,
    /// How often something was asked.
    asked: u64,
    troubles: Troubles,
    luck: Option<Seeded>,
}

/// A node that has opened a cluster.
struct Open {
    cluster: String,
    /// Where it waits to hear of changes.
    waits: Option<(u64, Operation, Arc<dyn Post>)>,
    /// Whether there was one while it did not wait.
    was_called: bool,
}

/// Who asks, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asking {
    /// From where.
    pub(crate) computer: Computer,
    /// By the clock of the world.
    pub(crate) now: Instant,
}

fn is_in(times: &[(Instant, Instant)], now: Instant) -> bool {
    times.iter().any(|(from, until)| (*from..*until).contains(&now))
}

impl Databases {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often something was asked of them.
    pub(crate) fn asked(&self) -> u64 {
        self.lock().asked
    }

    /// Lets things go wrong.
    pub(crate) fn suffer(&self, troubles: Troubles) {
        let mut shared = self.lock();
        shared.luck = Some(Seeded::new(troubles.luck));
        shared.troubles = troubles;
    }

    /// Does what is asked.
    pub(crate) fn perform(&self, call: &ClusterCall, asking: Asking) -> Answer {
        let mut shared = self.lock();
        shared.asked += 1;
        shared.perform(call, asking)
    }

    /// How much longer than usual an answer takes to what is asked now.
    pub(crate) fn delay(&self, now: Instant) -> Delay {
        let mut shared = self.lock();
        let is_slow = is_in(&shared.troubles.slow, now);
        match shared.luck.as_mut().filter(|_| is_slow) {
            Some(luck) => Delay::from_millis(200 + luck.choose(600) as u64),
            None => Delay::ZERO,
        }
    }

    /// Lets a machine wait until another one has changed something.
    pub(crate) fn listen(
        &self,
        cluster: u64,
        machine: u64,
        operation: Operation,
        post: Arc<dyn Post>,
    ) {
        let mut shared = self.lock();
        let Some(open) = shared.open.get_mut(&cluster) else { return };
        if std::mem::take(&mut open.was_called) {
            post.deliver(operation, Ok(Datum::Undefined));
        } else {
            open.waits = Some((machine, operation, post));
        }
    }

    /// A machine does not wait any more.
    pub(crate) fn forget(&self, machine: u64, operation: Operation) {
        let is_it = |waits: &mut (u64, Operation, Arc<dyn Post>)| {
            (waits.0, waits.1) == (machine, operation)
        };
        for open in self.lock().open.values_mut() {
            open.waits.take_if(is_it);
        }
    }
}

impl Shared {
    fn perform(&mut self, call: &ClusterCall, asking: Asking) -> Answer {
        let Asking { computer, now } = asking;
        let is_cut =
            |cut: &Cut| (cut.from..cut.until).contains(&now) && cut.side.contains(&computer);
        if is_in(&self.troubles.down, now) || self.troubles.cuts.iter().any(is_cut) {
            return Err(unreachable());
        }
        // Of three connections one is lost before the question arrives, and one before its answer does.
        let is_lossy = is_in(&self.troubles.drops, now);
        let lost = self.luck.as_mut().filter(|_| is_lossy).map_or(2, |luck| luck.choose(3));
        if lost == 0 {
            return Err(unreachable());
        }
        let answer = self.act(call, now);
        if lost == 1 { Err(unreachable()) } else { answer }
    }

    fn act(&mut self, call: &ClusterCall, now: Instant) -> Answer {
        match call {
            ClusterCall::Open { place, options, password: _ } => {
                let cluster = named(place, options);
                self.count += 1;
                self.open.insert(self.count, Open { cluster, waits: None, was_called: false });
                Ok(Datum::Number(self.count as f64))
            }
            ClusterCall::Ask { cluster, question } => self.ask(*cluster, question, now),
            // Whoever has nobody beside it hears of nothing.
            ClusterCall::Listen { .. } => Err(Fault::new("ENOSYS", "nobody is told here")),
            ClusterCall::Close { cluster } => {
                self.open.remove(cluster);
                Ok(Datum::Undefined)
            }
        }
    }

    /// What the clock of the databases shows, in milliseconds since 1970.
    fn clock(&self, now: Instant) -> i64 {
        let set = self.troubles.steps.iter().filter(|(at, _)| *at <= now).map(|(_, by)| by);
        let micros = (WALL_ORIGIN + now.as_micros()) as i64;
        set.fold(micros, |shown, by| shown.saturating_add(*by)).div_euclid(1000)
    }

    fn ask(&mut self, asks: u64, question: &str, now: Instant) -> Answer {
        let shown = self.clock(now);
        let closed = || Fault::new("EBADF", "the cluster is closed");
        let cluster = self.open.get(&asks).ok_or_else(closed)?.cluster.clone();
        let op = Op::read(question).map_err(|error| Fault::new("EINVAL", error.to_string()))?;
        let tables = self.clusters.entry(cluster.clone()).or_default();
        tables.now = shown;
        let done = tables.decide(&op).map_err(|failure| {
            let (code, message) = failure.explain(|never| match never {});
            Fault::new(code, message)
        })?;
        if done.tells && !is_in(&self.troubles.deaf, now) {
            self.tell(asks, &cluster);
        }
        Ok(Datum::Text(done.reply.to_string()))
    }

    /// Tells all others that something has changed.
    fn tell(&mut self, asks: u64, cluster: &str) {
        let others = self.open.iter_mut().filter(|(number, _)| **number != asks);
        for (_, open) in others.filter(|(_, open)| open.cluster == cluster) {
            match open.waits.take() {
                Some((_, operation, post)) => post.deliver(operation, Ok(Datum::Undefined)),
                None => open.was_called = true,
            }
        }
    }
}

fn unreachable() -> Fault {
    Fault::new("ERR_STORE_UNREACHABLE", "the database does not answer")
}

/// What tells one cluster from another.
fn named(place: &Record, options: &Record) -> String {
    let text = |record: &Record, name: &str| match record.field(name) {
        Some(Datum::Text(text)) => text.clone(),
        Some(Datum::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let place = ["path", "host", "port"].map(|name| text(place, name));
    let options = ["database", "name"].map(|name| text(options, name));
    format!("{place:?} {options:?}")
}
