//! Random programs agree with a naive reference, written straight from the text of the rules.
//!
//! A program is data: a list of actions for each callback. A closure interprets it on the machine;
//! [`Reference`] interprets it over a plain list of releases, sorted anew at every step.

use hemiola_machine::closures::{Closures, Latency, Task, Turn, simulate};
use hemiola_machine::{
    Chooser, Class, Delay, Event, Group, Handle, Machine, Named, Observation, Period, Simulated,
    Step, Unit,
};
use hemiola_trace::text::render;
use proptest::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// After so many invocations callbacks do nothing any more and intervals end.
const LIMIT: u32 = 150;
const LABELS: [&str; 3] = ["A", "B", "C"];

/// What a callback does. Callbacks are numbers; number 0 is the main program.
#[derive(Clone, Copy, Debug)]
enum Action {
    Release {
        label: Option<usize>,
        delay_ms: u64,
        callback: usize,
    },
    Every {
        label: Option<usize>,
        period_ms: u64,
        callback: usize,
        times: u32,
    },
    /// Clears the release of that number, counted from the latest.
    Clear(usize),
    ClearOwn,
    Tick(usize),
    Spend {
        micros: u64,
    },
    Immediate(usize),
    Io {
        delay_ms: u64,
        callback: usize,
    },
}

type Program = Vec<Vec<Action>>;

/// What happened, line by line, in the same words on both sides.
type Log = Vec<String>;

/// Sorts what is collected at one instant, which no rule orders.
fn normal(mut log: Log) -> Log {
    for run in log.chunk_by_mut(|a, b| a.starts_with("collect") && b.starts_with("collect")) {
        run.sort();
    }
    log
}

// --- The machine's side.

struct Shared {
    program: Program,
    handles: RefCell<Vec<Handle>>,
    ran: Cell<u32>,
}

/// One run of a callback; `own` is its release, and the times it may still come if it is periodic.
fn interpret(
    shared: &Rc<Shared>,
    callback: usize,
    own: Option<usize>,
    times: Option<u32>,
    turn: &mut Turn<'_>,
) {
    let pending = turn.machine().pending_timers();
    turn.observe(Observation::name(format!("callback {callback}, {pending} pending")));
    shared.ran.set(shared.ran.get() + 1);
    let over = shared.ran.get() > LIMIT;
    let clear = |turn: &mut Turn<'_>, handle| {
        let cleared = turn.clear(handle);
        turn.observe(Observation::name(format!("clear {cleared}")));
    };
    if let (Some(own), Some(times)) = (own, times)
        && (times == 0 || over)
    {
        let handle = shared.handles.borrow()[own];
        clear(turn, handle);
    }
    if over {
        return;
    }
    let task = |callback, own, periodic: Option<u32>| {
        let shared = shared.clone();
        let mut left = periodic;
        Task::new(move |turn| {
            left = left.map(|left| left.saturating_sub(1));
            interpret(&shared, callback, own, left, turn);
        })
    };
    for &action in &shared.program[callback] {
        let next = Some(shared.handles.borrow().len());
        match action {
            Action::Release { label, delay_ms, callback } => {
                let (label, delay) = (label.map(|at| LABELS[at]), Delay::from_millis(delay_ms));
                let handle = turn.release(label, delay, task(callback, next, None));
                shared.handles.borrow_mut().push(handle);
            }
            Action::Every { label, period_ms, callback, times } => {
                let label = label.map(|at| LABELS[at]);
                let period = Delay::from_millis(period_ms);
                let period = Period::at_least_one(period, Unit::Millisecond);
                let handle = turn.release_every(label, period, task(callback, next, Some(times)));
                shared.handles.borrow_mut().push(handle);
            }
            Action::Clear(back) => {
                let handle = shared.handles.borrow().iter().rev().nth(back).copied();
                if let Some(handle) = handle {
                    clear(turn, handle);
                }
            }
            Action::ClearOwn => {
                if let Some(own) = own {
                    let handle = shared.handles.borrow()[own];
                    clear(turn, handle);
                }
            }
            Action::Tick(callback) => {
                turn.queue(Class::Tick, Group::default(), task(callback, None, None));
            }
            Action::Spend { micros } => turn.spend(Delay::from_micros(micros)),
            Action::Immediate(callback) => {
                turn.queue(Class::Immediate, Group::default(), task(callback, None, None));
            }
            Action::Io { delay_ms, callback } => {
                let request = Latency { delay: Delay::from_millis(delay_ms), answer: 0 };
                turn.request(Class::Io, Group::default(), request, task(callback, None, None));
            }
        }
    }
}

fn main_of(program: &Program) -> impl FnOnce(&mut Turn<'_>) + 'static {
    let program = program.clone();
    let shared = Rc::new(Shared { program, handles: RefCell::default(), ran: Cell::new(0) });
    move |turn| interpret(&shared, 0, None, None, turn)
}

fn machine_events(program: &Program) -> Vec<Event> {
    let mut events = Vec::new();
    simulate(main_of(program), &mut events);
    events
}

fn machine_log(events: &[Event]) -> Log {
    let mut labels = BTreeMap::new();
    let line = |event: &Event| match event {
        Event::Opened { domain, label, origin } => {
            labels.insert(*domain, label.clone());
            Some(format!("open {label} {origin}"))
        }
        Event::Collected { domain } => Some(format!("collect {}", labels[domain])),
        Event::Began { domain, tag: Some(tag), .. } => {
            let label = domain.map_or("-", |domain| labels[&domain].as_str());
            Some(format!("{label} {tag}"))
        }
        Event::Began { class: Some(class), .. } => Some(class.name().to_owned()),
        Event::Observed(value) => Some(value.to_string()),
        _ => None,
    };
    events.iter().filter_map(line).collect()
}

// --- The reference: rules TIME-1 to TIME-13, one sentence after the other.

#[derive(Clone, Debug)]
struct Release {
    /// *T*, *o* and *m* of the key; *r* is its place in the list.
    time: u64,
    domain: u64,
    microstep: u32,
    label: Option<usize>,
    period: Option<u64>,
    times: u32,
    callback: usize,
    outstanding: bool,
}

#[derive(Clone, Debug)]
struct Clock {
    ordinal: u64,
    time: u64,
    microstep: u32,
}

#[derive(Default)]
struct Reference {
    program: Program,
    now: u64,
    omega: Option<u64>,
    /// Every release there ever was, in order.
    releases: Vec<Release>,
    clocks: BTreeMap<usize, Clock>,
    domains: u64,
    ticks: VecDeque<usize>,
    ran: u32,
    log: Log,
}

/// Seconds, as the machine writes instants.
fn seconds(micros: u64) -> String {
    hemiola_machine::Instant::from_micros(micros).to_string()
}

impl Reference {
    fn run(program: &Program) -> Log {
        let mut reference = Reference { program: program.clone(), ..Reference::default() };
        reference.call(0, None);
        reference.tail();
        while reference.action() {
            reference.tail();
        }
        reference.log
    }

    /// The smallest key, all with the same time, domain and microstep, in release order; false when
    /// nothing is pending.
    fn action(&mut self) -> bool {
        let key = |(at, release): (usize, &Release)| {
            (release.time, release.domain, release.microstep, at)
        };
        let mut keys: Vec<_> =
            self.releases.iter().enumerate().filter(|(_, r)| r.outstanding).map(key).collect();
        keys.sort();
        let Some(&(time, domain, microstep, first)) = keys.first() else { return false };
        let same =
            |key: &(u64, u64, u32, usize)| (key.0, key.1, key.2) == (time, domain, microstep);
        let members: Vec<usize> = keys.into_iter().filter(same).map(|key| key.3).collect();
        self.now = self.now.max(time);
        self.omega = None;
        let label = self.releases[first].label;
        if let Some(label) = label {
            let clock = self.clocks.get_mut(&label).expect("a domain with a release lives");
            (clock.time, clock.microstep) = (time, microstep + 1);
        }
        for &member in &members {
            let release = &mut self.releases[member];
            if let (true, Some(period)) = (release.outstanding, release.period) {
                (release.time, release.microstep) = (time + period, 0);
            }
        }
        for member in members {
            if !self.releases[member].outstanding {
                continue;
            }
            let name = label.map_or("-", |label| LABELS[label]);
            self.log.push(format!("{name} {}+{microstep}", seconds(time)));
            self.releases[member].times = self.releases[member].times.saturating_sub(1);
            self.call(self.releases[member].callback, Some(member));
            if self.releases[member].period.is_none() {
                self.releases[member].outstanding = false;
            }
        }
        true
    }

    /// Ticks, then the end of every domain with nothing outstanding.
    fn tail(&mut self) {
        while let Some(callback) = self.ticks.pop_front() {
            self.log.push("tick".into());
            self.call(callback, None);
        }
        let live: BTreeSet<usize> =
            self.releases.iter().filter(|r| r.outstanding).filter_map(|r| r.label).collect();
        for label in self.clocks.keys().filter(|label| !live.contains(label)) {
            self.log.push(format!("collect {}", LABELS[*label]));
        }
        self.clocks.retain(|label, _| live.contains(label));
    }

    fn call(&mut self, callback: usize, own: Option<usize>) {
        let pending = self.releases.iter().filter(|release| release.outstanding).count();
        self.log.push(format!("callback {callback}, {pending} pending"));
        self.ran += 1;
        let over = self.ran > LIMIT;
        if let Some(own) = own
            && self.releases[own].period.is_some()
            && (self.releases[own].times == 0 || over)
        {
            self.clear(own);
        }
        if over {
            return;
        }
        for action in self.program[callback].clone() {
            match action {
                Action::Release { label, delay_ms, callback } => {
                    self.release(label, delay_ms * 1_000, None, callback, 0);
                }
                Action::Every { label, period_ms, callback, times } => {
                    let period = period_ms.max(1) * 1_000;
                    self.release(label, period, Some(period), callback, times);
                }
                Action::Clear(back) => {
                    if let Some(at) = self.releases.len().checked_sub(back + 1) {
                        self.clear(at);
                    }
                }
                Action::ClearOwn => {
                    if let Some(own) = own {
                        self.clear(own);
                    }
                }
                Action::Tick(callback) => self.ticks.push_back(callback),
                Action::Spend { micros } => self.now += micros,
                Action::Immediate(_) | Action::Io { .. } => unreachable!("not in timer programs"),
            }
        }
    }

    fn clear(&mut self, at: usize) {
        let cleared = std::mem::take(&mut self.releases[at].outstanding);
        self.log.push(format!("clear {cleared}"));
    }

    fn release(
        &mut self,
        label: Option<usize>,
        delay: u64,
        period: Option<u64>,
        callback: usize,
        times: u32,
    ) {
        let Clock { ordinal: domain, time, microstep } = match label {
            None => {
                self.domains += 1;
                Clock { ordinal: self.domains, time: self.now / 1_000 * 1_000, microstep: 0 }
            }
            Some(label) => self.clock(label),
        };
        let microstep = if delay == 0 { microstep } else { 0 };
        let (time, outstanding) = (time + delay, true);
        self.releases.push(Release {
            time,
            domain,
            microstep,
            label,
            period,
            times,
            callback,
            outstanding,
        });
    }

    fn clock(&mut self, label: usize) -> Clock {
        if let Some(clock) = self.clocks.get(&label) {
            return clock.clone();
        }
        let omega = *self.omega.get_or_insert(self.now);
        self.domains += 1;
        let clock = Clock { ordinal: self.domains, time: omega / 1_000 * 1_000, microstep: 0 };
        self.log.push(format!("open {} {}", LABELS[label], seconds(clock.time)));
        self.clocks.insert(label, clock.clone());
        clock
    }
}

// --- Random programs.

fn label() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![4 => (0..LABELS.len()).prop_map(Some), 1 => Just(None)]
}

fn delay_ms() -> impl Strategy<Value = u64> {
    prop::sample::select(vec![0, 0, 0, 1, 2, 3, 5, 5, 10, 10, 10, 20])
}

/// No program of these spends as much time.
const NEVER_LATE_MS: u64 = 1_000_000;

fn timer_action(callbacks: usize) -> impl Strategy<Value = Action> {
    let callback = 1..callbacks;
    let release = (label(), delay_ms(), callback.clone())
        .prop_map(|(label, delay_ms, callback)| Action::Release { label, delay_ms, callback });
    let every = (label(), delay_ms(), callback.clone(), 1..5u32).prop_map(
        |(label, period_ms, callback, times)| {
            // Without a label, what a late one drops depends on when its turn began; here it is in time.
            let period_ms = if label.is_none() { period_ms + NEVER_LATE_MS } else { period_ms };
            Action::Every { label, period_ms, callback, times }
        },
    );
    prop_oneof![
        6 => release,
        3 => every,
        3 => (0..8usize).prop_map(Action::Clear),
        1 => Just(Action::ClearOwn),
        2 => callback.prop_map(Action::Tick),
        2 => (0..40u64).prop_map(|halves| Action::Spend { micros: 500 * halves }),
    ]
}

fn any_action(callbacks: usize) -> impl Strategy<Value = Action> {
    let callback = 1..callbacks;
    let io = (delay_ms(), callback.clone())
        .prop_map(|(delay_ms, callback)| Action::Io { delay_ms, callback });
    prop_oneof![
        3 => timer_action(callbacks),
        1 => callback.prop_map(Action::Immediate),
        1 => io,
    ]
}

fn programs<S: Strategy<Value = Action> + 'static>(
    action: fn(usize) -> S,
) -> impl Strategy<Value = Program> {
    (3..8usize).prop_flat_map(move |callbacks| {
        let main = prop::collection::vec(action(callbacks), 1..8);
        let body = prop::collection::vec(action(callbacks), 0..4);
        (main, prop::collection::vec(body, callbacks - 1)).prop_map(|(main, mut bodies)| {
            bodies.insert(0, main);
            bodies
        })
    })
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(600))]

    /// Same callbacks, on the same domains, at the same tags, with the same origins and lives.
    #[test]
    fn timer_programs_run_as_the_rules_say(program in programs(timer_action)) {
        let events = machine_events(&program);
        prop_assert_eq!(normal(machine_log(&events)), normal(Reference::run(&program)));
        prop_assert_eq!(render(&events), render(&machine_events(&program)), "run again");
    }

    /// The counters of the machine are those of a sorted map, whatever is released and cleared.
    #[test]
    fn counters_stay_true_under_churn(
        churn in prop::collection::vec(
            (any::<bool>(), 0..3usize, 0..6u64, any::<prop::sample::Index>()),
            1..300,
        ),
    ) {
        let wrong = Rc::new(RefCell::new(None));
        let told = wrong.clone();
        let main = move |turn: &mut Turn<'_>| {
            let mut live: Vec<(Handle, (usize, u64))> = Vec::new();
            for (at, (clear, label, delay, index)) in churn.into_iter().enumerate() {
                if clear && !live.is_empty() {
                    let (handle, _) = live.swap_remove(index.index(live.len()));
                    assert!(turn.clear(handle) && !turn.clear(handle));
                } else {
                    let delay = Delay::from_millis(delay);
                    let handle = turn.release(Some(LABELS[label]), delay, Task::new(|_| {}));
                    live.push((handle, (label, delay.as_micros())));
                }
                let tags: BTreeSet<_> = live.iter().map(|(_, tag)| tag).collect();
                let expected = (live.len(), tags.len());
                let machine = turn.machine();
                let actual = (machine.pending_timers(), machine.distinct_tags());
                if actual != expected {
                    told.borrow_mut().get_or_insert((at, actual, expected));
                }
            }
            let left = live.len() as u64;
            turn.set_immediate(move |turn| turn.observe((left as i64).into()));
        };
        let mut events = Vec::new();
        simulate(main, &mut events);
        prop_assert_eq!(wrong.take(), None);
        let timed = |event: &&Event| matches!(event, Event::Began { tag: Some(_), .. });
        let timed = events.iter().filter(timed).count() as i64;
        prop_assert!(events.contains(&Event::Observed(timed.into())), "all that was left ran");
    }
}

// --- Every order of `node-phases` is an order of `node` (rules LOOP-6 and LOOP-7).

/// Takes given alternatives, then the first, and notes how many there were each time.
struct Prefix {
    taken: Vec<usize>,
    counts: Vec<usize>,
}

impl Chooser for Prefix {
    fn choose(&mut self, count: usize) -> usize {
        let at = self.counts.len();
        self.counts.push(count);
        if at == self.taken.len() {
            self.taken.push(0);
        }
        self.taken[at]
    }
}

/// Runs a program until it ends, or until its log is no beginning of the expected one.
fn follow(program: &Program, chooser: &mut Prefix, expected: &Log) -> bool {
    let mut main = Some(main_of(program));
    let main = Task::new(move |turn| main.take().expect("the main program runs once")(turn));
    let mut machine = Machine::new(main);
    let mut world = Simulated::new(|Latency { delay, answer }| (delay, answer));
    let mut events = Vec::new();
    loop {
        let step = machine.step(&mut Closures, &Named::Node, &mut world, chooser, &mut events);
        let log = callbacks(&events);
        if !expected.starts_with(&log) {
            return false;
        }
        if step != Step::Moved {
            return log.len() == expected.len();
        }
    }
}

/// The callbacks alone: where they ran is decided by the same rules on both sides.
fn callbacks(events: &[Event]) -> Log {
    let shown = |event: &Event| match event {
        Event::Observed(value) => Some(value.to_string()),
        _ => None,
    };
    events.iter().filter_map(shown).collect()
}

fn is_an_order_of_node(program: &Program, expected: &Log) -> bool {
    let mut chooser = Prefix { taken: Vec::new(), counts: Vec::new() };
    loop {
        chooser.counts.clear();
        if follow(program, &mut chooser, expected) {
            return true;
        }
        // The next branch: the latest choice that has an alternative left.
        chooser.taken.truncate(chooser.counts.len());
        loop {
            let Some(last) = chooser.taken.pop() else { return false };
            if last + 1 < chooser.counts[chooser.taken.len()] {
                chooser.taken.push(last + 1);
                break;
            }
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn node_phases_is_one_of_the_orders_of_node(program in programs(any_action)) {
        let expected: Log = callbacks(&machine_events(&program));
        // Following is quadratic in the length: long runs of one program tell little more.
        prop_assume!(expected.len() < 80);
        prop_assert!(is_an_order_of_node(&program, &expected), "{:#?}", expected);
    }
}
