//! One clock for all machines of a run, and one machine that runs at a time.
//!
//! Each machine has a thread, but only the one that holds the baton does anything. A machine that waits
//! hands it to the one with the earliest next instant; of two with the same, to the one that has not had
//! it for longer. So what happens depends on programs and seed alone.

use crate::order::{Order, Own};
use crate::roads::process_of;
use hemiola_gate::{Answer, MAIN, Post, Stop};
use hemiola_machine::{Chooser, Completion, Delay, Instant, Operation, Seeded};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How long a message is on its way at most, in microseconds.
const LATENCY_US: usize = 200;

/// Keeps these latencies apart from all other numbers that follow from the seed.
const LATENCY_SEED: u64 = 0x6d65_7373_6167_6573;

/// How much time passes when a program that computes for long looks up, with others waiting.
const BREATH: Delay = Delay::from_micros(100);

/// What the machines of a simulated run pass on.
pub struct Baton {
    turns: Mutex<Turns>,
    /// A machine has left.
    left: Condvar,
    /// Who ends the run.
    stop: Stop,
}

struct Turns {
    now: Instant,
    holder: u64,
    machines: BTreeMap<u64, Waiting>,
    latencies: Seeded,
    /// How often the baton was handed on.
    count: u64,
    /// When another machine than the first last had it.
    moved: Instant,
    /// Whether the run is over: every machine goes its own way to its end.
    over: bool,
    /// Who decides in which order messages arrive, if that is left open.
    order: Option<Order>,
}

/// A machine, as the others see it.
struct Waiting {
    /// When it can go on, if it waits.
    next: Option<Instant>,
    /// When it can go on if nothing comes over the network.
    own: Option<Instant>,
    /// Whether it is over, whatever it waits for.
    is_ended: bool,
    /// Whether it can go on when something arrives.
    wants_mail: bool,
    last_turn: u64,
    /// When the latest answer for it arrives: they keep their order.
    latest: Instant,
    arrivals: VecDeque<Completion<Answer>>,
    has_mail: Arc<AtomicBool>,
    turn: Arc<Turn>,
}

/// Where a machine sleeps until it may have its turn. Only who is next is woken: with fifty machines, to wake all of them
/// each time takes most of the time. Who is woken needs nothing that whoever wakes it still holds: it would fall asleep
/// once more.
#[derive(Default)]
struct Turn {
    is_called: Mutex<bool>,
    called: Condvar,
}

impl Turn {
    fn call(&self) {
        *self.is_called.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.called.notify_one();
    }

    fn wait(&self) {
        let is_called = self.is_called.lock().unwrap_or_else(PoisonError::into_inner);
        let is_called = self.called.wait_while(is_called, |is_called| !*is_called);
        *is_called.unwrap_or_else(PoisonError::into_inner) = false;
    }
}

impl Baton {
    /// A baton in the hands of the machine that begins the run.
    pub fn new(seed: u64, stop: Stop) -> Arc<Self> {
        let turns = Turns {
            now: Instant::ZERO,
            holder: MAIN,
            machines: BTreeMap::new(),
            latencies: Seeded::new(seed ^ LATENCY_SEED),
            count: 0,
            moved: Instant::ZERO,
            over: false,
            order: None,
        };
        Arc::new(Self { turns: Mutex::new(turns), left: Condvar::new(), stop })
    }

    /// Leaves it open in which order messages arrive; latencies are not drawn any more.
    pub(crate) fn leave_open(&self, order: Order) {
        self.turns().order = Some(order);
    }

    /// A place for one more machine, which begins after a while.
    pub fn seat(self: &Arc<Self>, machine: u64) -> Seat {
        self.seat_at(machine, Instant::ZERO)
    }

    /// The same for one that does not begin before an instant.
    pub fn seat_at(self: &Arc<Self>, machine: u64, earliest: Instant) -> Seat {
        let has_mail = Arc::new(AtomicBool::new(false));
        let turn = Arc::new(Turn::default());
        let mut turns = self.turns();
        let begins = turns.arrival(earliest);
        let waiting = Waiting {
            next: (machine != MAIN).then_some(begins),
            own: (machine != MAIN).then_some(begins),
            is_ended: false,
            wants_mail: false,
            last_turn: 0,
            latest: Instant::ZERO,
            arrivals: VecDeque::new(),
            has_mail: Arc::clone(&has_mail),
            turn: Arc::clone(&turn),
        };
        turns.machines.insert(machine, waiting);
        Seat { baton: Arc::clone(self), machine, has_mail, turn }
    }

    /// The machines of a process that has its turns here.
    pub(crate) fn machines_of(&self, process: u64) -> Vec<u64> {
        let turns = self.turns();
        turns.machines.keys().copied().filter(|&one| process_of(one) == process).collect()
    }

    /// Lets a machine that waits go on at once.
    pub(crate) fn call(&self, machine: u64) {
        self.call_at(machine, |now| now);
    }

    fn call_at(&self, machine: u64, at: impl FnOnce(Instant) -> Instant) {
        let mut turns = self.turns();
        let at = at(turns.now);
        if let Some(one) = turns.machines.get_mut(&machine)
            && one.wants_mail
        {
            one.next = Some(one.next.map_or(at, |next| next.min(at)));
        }
    }

    /// Since when no machine but the first can go on, if so.
    pub(crate) fn rests_since(&self) -> Option<Instant> {
        let turns = self.turns();
        let goes_on = |(&machine, one): (&u64, &Waiting)| machine != MAIN && one.next.is_some();
        (!turns.machines.iter().any(goes_on)).then_some(turns.moved)
    }

    /// Ends a machine, and waits until it has left. Only who holds the baton may do that.
    pub(crate) fn end(&self, machine: u64) {
        let mut turns = self.turns();
        if let Some(one) = turns.machines.get_mut(&machine) {
            one.is_ended = true;
            one.turn.call();
        }
        let is_there = |turns: &mut Turns| turns.machines.contains_key(&machine);
        drop(self.left.wait_while(turns, is_there));
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        // Nothing in here panics half way through a change.
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands the baton to whoever is next; gives where they sleep. With nobody left it goes to the first machine, which
    /// learns that nothing more will happen.
    fn hand_on(&self, turns: &mut Turns) -> Option<Arc<Turn>> {
        let order = turns.order.take().map(|order| turns.put_in_order(order));
        if self.stop.asked().is_some()
            && let Some(main) = turns.machines.get_mut(&MAIN)
        {
            main.next = Some(Instant::ZERO);
        }
        turns.order = order;
        turns.holder = MAIN;
        if let Some((next, machine)) = turns.first() {
            if let Some(order) = &mut turns.order {
                order.hands_on(next, machine);
            }
            turns.now = turns.now.max(next);
            turns.holder = machine;
            if machine != MAIN {
                turns.moved = turns.now;
            }
        }
        turns.count += 1;
        let count = turns.count;
        let holder = turns.machines.get_mut(&turns.holder)?;
        holder.last_turn = count;
        Some(Arc::clone(&holder.turn))
    }
}

impl Turns {
    /// Who goes on next, and when.
    fn first(&self) -> Option<(Instant, u64)> {
        // Who should have gone on before has no advantage over who can go on now.
        let waits = |(&machine, one): (&u64, &Waiting)| {
            Some((one.next?.max(self.now), one.last_turn, machine))
        };
        self.machines.iter().filter_map(waits).min().map(|(next, _, machine)| (next, machine))
    }

    /// Lets messages be held up that would arrive next.
    fn put_in_order(&mut self, mut order: Order) -> Order {
        order.look();
        while let Some((now, machine)) = self.first() {
            let waits = |(&machine, one): (&u64, &Waiting)| Some((machine, one.own?));
            let own: Vec<Own> = self.machines.iter().filter_map(waits).collect();
            let Some(one) = self.machines.get_mut(&machine).filter(|one| one.wants_mail) else {
                break;
            };
            if !order.settle(now, machine, &own) {
                break;
            }
            let mail = one.arrivals.front().map(|first| first.stamp);
            one.next = [one.own, mail, order.next(machine)].into_iter().flatten().min();
        }
        order
    }

    fn has_ended(&self, machine: u64) -> bool {
        self.machines.get(&machine).is_some_and(|one| one.is_ended)
    }

    /// When something arrives that is sent now, and not before what was sent earlier.
    fn arrival(&mut self, latest: Instant) -> Instant {
        let latency = match self.order {
            None => self.latencies.choose(LATENCY_US),
            Some(_) => LATENCY_US / 2,
        };
        let latency = Delay::from_micros(latency as u64);
        latest.max(self.now + latency)
    }
}

/// A machine's place among the others.
pub struct Seat {
    baton: Arc<Baton>,
    machine: u64,
    has_mail: Arc<AtomicBool>,
    turn: Arc<Turn>,
}

impl Seat {
    /// How others reach the machine.
    pub fn post(&self) -> Arc<dyn Post> {
        Arc::new(Slot { baton: Arc::clone(&self.baton), machine: self.machine })
    }

    /// Waits for the first turn; false if the run ends before.
    pub fn begin(&self) -> bool {
        self.wait_for_turn(self.baton.turns()).is_some()
    }

    /// Lets the others go on until it is this machine's turn at `next`, or until something arrives for
    /// it: gives the time by then. Nothing if nothing will happen any more. `own` is when it goes on if nothing comes
    /// over the network.
    pub(crate) fn pass(&self, next: Option<Instant>, own: Option<Instant>) -> Option<Instant> {
        let mut turns = self.baton.turns();
        let waiting = turns.machines.get_mut(&self.machine)?;
        let mail = waiting.arrivals.front().map(|first| first.stamp);
        waiting.next = next.into_iter().chain(mail).min();
        waiting.own = own;
        waiting.wants_mail = true;
        self.hand_on(turns)
    }

    /// The same at once, for a machine that has no others beside it and knows when it goes on.
    pub(crate) fn pass_alone(&self, next: Option<Instant>) -> Option<Instant> {
        let mut turns = self.baton.turns();
        let is_alone = turns.machines.len() == 1 && !turns.has_ended(self.machine);
        if !is_alone || turns.over || self.baton.stop.asked().is_some() {
            return None;
        }
        let Turns { now, count, machines, .. } = &mut *turns;
        let waiting = machines.get_mut(&self.machine)?;
        let mail = waiting.arrivals.front().map(|first| first.stamp);
        let next = next.into_iter().chain(mail).min()?;
        *count += 1;
        waiting.last_turn = *count;
        *now = next.max(*now);
        Some(*now)
    }

    /// The same for a machine that does not take what arrives, but may be rung for.
    pub(crate) fn sleep(&self, next: Option<Instant>) -> Option<Instant> {
        let mut turns = self.baton.turns();
        let waiting = turns.machines.get_mut(&self.machine)?;
        (waiting.next, waiting.own) = (next, next);
        self.hand_on(turns)
    }

    fn hand_on<'t>(&'t self, mut turns: MutexGuard<'t, Turns>) -> Option<Instant> {
        // Who was ended does not have it any more.
        if !turns.has_ended(self.machine) {
            let next = self.baton.hand_on(&mut turns);
            if let Some(next) = next.filter(|_| turns.holder != self.machine) {
                drop(turns);
                next.call();
                turns = self.baton.turns();
            }
        }
        self.wait_for_turn(turns)
    }

    /// What it takes turns by.
    pub(crate) fn baton(&self) -> &Arc<Baton> {
        &self.baton
    }

    /// Lets the others go on until nothing can happen any more, or somebody ends the run.
    pub fn outlast(&self) {
        while self.sleep(None).is_some() && self.baton.stop.asked().is_none() {}
    }

    /// Its number among all machines.
    pub(crate) fn machine(&self) -> u64 {
        self.machine
    }

    /// What time it is with the machine that runs.
    pub(crate) fn now(&self) -> Instant {
        self.baton.turns().now
    }

    fn wait_for_turn<'t>(&'t self, mut turns: MutexGuard<'t, Turns>) -> Option<Instant> {
        while turns.holder != self.machine && !turns.over && !turns.has_ended(self.machine) {
            drop(turns);
            self.turn.wait();
            turns = self.baton.turns();
        }
        if turns.over || turns.has_ended(self.machine) {
            return None;
        }
        let waiting = turns.machines.get_mut(&self.machine)?;
        waiting.wants_mail = false;
        waiting.own = None;
        waiting.next.take()?;
        Some(turns.now)
    }

    /// Tells the others what time it is with the machine that runs.
    pub(crate) fn tell(&self, now: Instant) {
        let mut turns = self.baton.turns();
        turns.now = turns.now.max(now);
    }

    /// Lets others have a turn while this machine computes, if there are any: gives the time by then.
    pub(crate) fn breathe(&self, now: Instant) -> Option<Instant> {
        let mut turns = self.baton.turns();
        if turns.machines.len() < 2 || turns.has_ended(self.machine) {
            return None;
        }
        let later = now + BREATH;
        turns.now = turns.now.max(later);
        // It does not wait for anything, whatever has arrived.
        let waiting = turns.machines.get_mut(&self.machine)?;
        (waiting.next, waiting.own) = (Some(later), Some(later));
        self.hand_on(turns)
    }

    /// Lets a machine that waits go on when something reaches it that it looks for by itself.
    pub(crate) fn call(&self, machine: u64, at: Instant) {
        self.baton.call_at(machine, |_| at);
    }

    /// Whether anything is on its way to it.
    pub(crate) fn has_mail(&self) -> bool {
        self.has_mail.load(Ordering::Relaxed)
    }

    /// What has arrived by now, if there may be anything.
    pub(crate) fn take(&self, now: Instant, into: &mut Vec<Completion<Answer>>) {
        if !self.has_mail() {
            return;
        }
        let mut turns = self.baton.turns();
        let Some(waiting) = turns.machines.get_mut(&self.machine) else { return };
        while let Some(first) = waiting.arrivals.pop_front_if(|first| first.stamp <= now) {
            into.push(first);
        }
        self.has_mail.store(!waiting.arrivals.is_empty(), Ordering::Relaxed);
    }

    /// Ends the run, and waits until every other machine has left.
    pub fn finish(self) {
        let mut turns = self.baton.turns();
        turns.over = true;
        turns.machines.values().for_each(|one| one.turn.call());
        let others = |turns: &mut Turns| turns.machines.keys().any(|&one| one != self.machine);
        drop(self.baton.left.wait_while(turns, others));
    }

    /// Leaves for good. Whoever is to hear of it has been told.
    pub fn leave(self) {
        let mut turns = self.baton.turns();
        turns.machines.remove(&self.machine);
        self.baton.left.notify_all();
        if !turns.over && turns.holder == self.machine {
            let next = self.baton.hand_on(&mut turns);
            drop(turns);
            if let Some(next) = next {
                next.call();
            }
        }
    }
}

/// Where others leave answers for a machine.
struct Slot {
    baton: Arc<Baton>,
    machine: u64,
}

impl Post for Slot {
    fn deliver(&self, operation: Operation, answer: Answer) {
        let mut turns = self.baton.turns();
        let Some(latest) = turns.machines.get(&self.machine).map(|one| one.latest) else { return };
        let stamp = turns.arrival(latest);
        let Some(one) = turns.machines.get_mut(&self.machine) else { return };
        one.latest = stamp;
        one.arrivals.push_back(Completion::new(operation, stamp, answer));
        one.has_mail.store(true, Ordering::Relaxed);
        if one.wants_mail {
            one.next = Some(one.next.map_or(stamp, |next| next.min(stamp)));
        }
    }

    fn ring(&self) {
        let mut turns = self.baton.turns();
        let now = turns.now;
        if turns.holder != self.machine
            && let Some(one) = turns.machines.get_mut(&self.machine)
        {
            one.next = Some(one.next.map_or(now, |next| next.min(now)));
        }
    }
}
