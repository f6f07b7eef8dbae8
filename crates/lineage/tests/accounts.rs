//! Accounts that are kept online are those that the whole trace gives.

use hemiola_lineage::{Accounts, Cost, Quantity, Relation, Report, Site, Tally, Trees};
use hemiola_time::{Delay, Instant, Microstep, Ordinal, Period, Tag, Unit};
use hemiola_trace::{Class, Event, Invocation, Medium, Operation, Origin, Outcome, Place, Sink};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn place(line: u32) -> Place {
    Place { file: "app.js".into(), line, column: 1 }
}

/// Writes the events of a run, as the loop does.
#[derive(Default)]
struct Script {
    events: Vec<Event>,
    invocations: u64,
    registered: u64,
    /// What waits: how it is known, who registered it, where, and whether it comes again.
    waiting: Vec<(Origin, u64, u32, bool)>,
    /// Promise jobs that wait, with their cause and where they were attached.
    jobs: Vec<(u64, u32)>,
    running: u64,
}

impl Script {
    fn main() -> Self {
        let mut script = Self::default();
        script.begin(None, None, 1);
        script
    }

    fn begin(&mut self, class: Option<Class>, origin: Option<Origin>, cause: u64) {
        self.invocations += 1;
        self.running = self.invocations;
        self.events.push(Event::Began {
            invocation: Invocation(self.running),
            class,
            domain: None,
            tag: None,
            origin,
            link: Invocation(cause),
            cause: Invocation(cause),
            at: Instant::ZERO,
        });
    }

    fn end(&mut self) {
        let invocation = Invocation(self.running);
        self.events.push(Event::Ended { invocation, outcome: Outcome::Returned });
    }

    fn spend(&mut self, nanos: u64) {
        self.events.push(Event::Spent { nanos });
    }

    fn timer(&mut self, line: u32, period: Option<u64>) -> Origin {
        self.registered += 1;
        let release = Ordinal(self.registered);
        let period =
            period.map(|ms| Period::at_least_one(Delay::from_millis(ms), Unit::Millisecond));
        self.events.push(Event::Released {
            release,
            domain: None,
            tag: Tag { time: Instant::ZERO, microstep: Microstep::default() },
            delay: Delay::ZERO,
            period,
            by: Invocation(self.running),
        });
        self.wait(Origin::Release(release), line, period.is_some())
    }

    fn immediate(&mut self, line: u32) -> Origin {
        self.registered += 1;
        let number = Ordinal(self.registered);
        let link = Invocation(self.running);
        self.events.push(Event::Queued { number, class: Class::Immediate, link });
        self.wait(Origin::Queued(number), line, false)
    }

    fn operation(&mut self, line: u32) -> Origin {
        self.registered += 1;
        let operation = Operation(self.registered);
        let by = Invocation(self.running);
        self.events.push(Event::Requested { operation, by, what: "fs.read \"a\"".into() });
        self.wait(Origin::Operation(operation), line, false)
    }

    fn wait(&mut self, origin: Origin, line: u32, repeats: bool) -> Origin {
        if line > 0 {
            self.events.push(Event::Site(place(line)));
        }
        self.waiting.push((origin, self.running, line, repeats));
        origin
    }

    /// Runs what waits there.
    fn run(&mut self, at: usize) {
        let (origin, by, _, repeats) = self.waiting[at];
        if !repeats {
            self.waiting.remove(at);
        }
        let class = match origin {
            Origin::Release(_) => Class::Timer,
            Origin::Queued(_) => Class::Immediate,
            Origin::Operation(_) => Class::Io,
        };
        self.begin(Some(class), Some(origin), by);
    }

    fn run_job(&mut self) {
        let (cause, line) = self.jobs.remove(0);
        self.begin(Some(Class::Promise), None, cause);
        if line > 0 {
            self.events.push(Event::Site(place(line)));
        }
    }

    fn drop_one(&mut self, at: usize) {
        let (origin, ..) = self.waiting.remove(at);
        self.events.push(match origin {
            Origin::Release(release) => Event::Cleared { release },
            what => Event::Dropped { what },
        });
    }
}

fn report(events: &[Event]) -> Report {
    let mut accounts = Accounts::default();
    events.iter().for_each(|event| accounts.event(event.clone()));
    accounts.finish()
}

/// What the whole trace gives, with everything in memory and each sum made by itself.
#[derive(Default)]
struct Naive {
    sites: Vec<Site>,
    causes: Vec<usize>,
    costs: Vec<Cost>,
    labels: Vec<Option<String>>,
}

impl Naive {
    fn of(events: &[Event]) -> Self {
        let mut naive = Self::default();
        let mut registered: BTreeMap<Origin, Site> = BTreeMap::new();
        let mut index: BTreeMap<Invocation, usize> = BTreeMap::new();
        let mut last = None;
        for (at, event) in events.iter().enumerate() {
            let place = match events.get(at + 1) {
                Some(Event::Site(place)) => Some(place.clone()),
                _ => None,
            };
            let site = |class: Class, what: &str| match &place {
                Some(place) => Site::Place(class, place.clone()),
                None => Site::Class(class, what.into()),
            };
            match event {
                Event::Released { release, .. } => {
                    registered.insert(Origin::Release(*release), site(Class::Timer, ""));
                }
                Event::Queued { number, class, .. } => {
                    registered.insert(Origin::Queued(*number), site(*class, ""));
                }
                Event::Requested { operation, .. } => {
                    let site = site(Class::Io, "fs.read");
                    registered.insert(Origin::Operation(*operation), site);
                }
                Event::Began { invocation, class, origin, cause, .. } => {
                    let site = match (origin, class) {
                        (Some(origin), _) => registered[origin].clone(),
                        (None, Some(class)) => site(*class, ""),
                        (None, None) => Site::Main,
                    };
                    let node = naive.sites.len();
                    naive.sites.push(site);
                    naive.causes.push(index.get(cause).copied().unwrap_or(node));
                    naive.costs.push(Cost::ONE);
                    naive.labels.push(None);
                    index.insert(*invocation, node);
                    last = Some(node);
                }
                Event::Spent { nanos } => {
                    naive.costs[last.unwrap()] += Cost::of(Quantity::Time, *nanos);
                }
                Event::Transferred { medium, read, written } => {
                    naive.costs[last.unwrap()] += Cost::moved(*medium, *read, *written);
                }
                Event::Labelled { name } => naive.labels[last.unwrap()] = Some(name.clone()),
                _ => {}
            }
        }
        naive
    }

    /// The path from an invocation to the main program, both included.
    fn path(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        while let Some(&at) = path.last()
            && self.causes[at] != at
        {
            path.push(self.causes[at]);
        }
        path
    }

    fn exclusive(&self, site: &Site) -> Tally {
        let mut tally = Tally::default();
        let own = (0..self.sites.len()).filter(|&node| self.sites[node] == *site);
        own.for_each(|node| tally.add(self.costs[node]));
        tally
    }

    /// The subtrees of those invocations above which there is none of the same site.
    fn inclusive(&self, site: &Site) -> BTreeMap<usize, Cost> {
        let mut sums: BTreeMap<usize, Cost> = BTreeMap::new();
        for node in 0..self.sites.len() {
            let path = self.path(node);
            if let Some(&top) = path.iter().rev().find(|&&above| self.sites[above] == *site) {
                *sums.entry(top).or_default() += self.costs[node];
            }
        }
        sums
    }

    /// What each labelled invocation caused, up to the next that is labelled.
    fn request(&self, name: &str) -> Vec<Cost> {
        let mut sums: BTreeMap<usize, Cost> = BTreeMap::new();
        for node in 0..self.sites.len() {
            let path = self.path(node);
            if let Some(&root) = path.iter().find(|&&above| self.labels[above].is_some())
                && self.labels[root].as_deref() == Some(name)
            {
                *sums.entry(root).or_default() += self.costs[node];
            }
        }
        sums.into_values().collect()
    }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-6 * one.abs().max(other.abs()).max(1.0)
}

fn same(online: &Tally, costs: impl IntoIterator<Item = Cost>) -> Result<(), TestCaseError> {
    let costs: Vec<Cost> = costs.into_iter().collect();
    let mut total = Cost::default();
    costs.iter().for_each(|&cost| total += cost);
    prop_assert_eq!(online.count(), costs.len() as u64);
    prop_assert_eq!(online.total(), total);
    for quantity in Quantity::ALL {
        // Two passes: nothing goes along.
        let amounts: Vec<f64> = costs.iter().map(|cost| cost.get(quantity) as f64).collect();
        let mean = amounts.iter().sum::<f64>() / amounts.len() as f64;
        let squares: f64 = amounts.iter().map(|amount| (amount - mean).powi(2)).sum();
        prop_assert!(near(online.mean(quantity), mean));
        prop_assert!(near(online.deviation(quantity), (squares / amounts.len() as f64).sqrt()));
    }
    Ok(())
}

/// Something that happens in a random run.
#[derive(Clone, Debug)]
enum Deed {
    Timer(u32, Option<u64>),
    Immediate(u32),
    Operation(u32),
    Job(u32),
    Spend(u64),
    Move(bool, u64, u64),
    Label(u8),
    Drop(usize),
    /// Ends the running invocation, and begins another of those that wait.
    Next(usize),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        2 => (0..4u32, prop::option::of(1..9u64)).prop_map(|(line, period)| Deed::Timer(line, period)),
        2 => (0..4u32).prop_map(Deed::Immediate),
        2 => (0..4u32).prop_map(Deed::Operation),
        2 => (0..4u32).prop_map(Deed::Job),
        3 => (0..1_000_000u64).prop_map(Deed::Spend),
        2 => (any::<bool>(), 0..999u64, 0..999u64).prop_map(|(disk, read, written)| Deed::Move(disk, read, written)),
        1 => (0..3u8).prop_map(Deed::Label),
        1 => (0..9usize).prop_map(Deed::Drop),
        6 => (0..9usize).prop_map(Deed::Next),
    ]
}

fn perform(deeds: Vec<Deed>) -> Vec<Event> {
    let mut script = Script::main();
    for deed in deeds {
        match deed {
            Deed::Timer(line, period) => {
                script.timer(line, period);
            }
            Deed::Immediate(line) => {
                script.immediate(line);
            }
            Deed::Operation(line) => {
                script.operation(line);
            }
            Deed::Job(line) => script.jobs.push((script.running, line)),
            Deed::Spend(nanos) => script.spend(nanos),
            Deed::Move(disk, read, written) => {
                let medium = if disk { Medium::Disk } else { Medium::Network };
                script.events.push(Event::Transferred { medium, read, written });
            }
            Deed::Label(name) => {
                script.events.push(Event::Labelled { name: format!("request {name}") });
            }
            Deed::Drop(at) if !script.waiting.is_empty() => {
                script.drop_one(at % script.waiting.len());
            }
            Deed::Drop(_) => {}
            Deed::Next(at) => {
                if !script.jobs.is_empty() {
                    script.end();
                    script.run_job();
                } else if !script.waiting.is_empty() {
                    script.end();
                    script.run(at % script.waiting.len());
                }
            }
        }
    }
    // The last one may have been stopped.
    script.events
}

proptest! {
    #[test]
    fn prio_3_online_accounts_are_those_of_the_whole_trace(deeds in prop::collection::vec(deed(), 0..120)) {
        let events = perform(deeds);
        let report = report(&events);
        let naive = Naive::of(&events);
        let mut own = Cost::default();
        for (site, row) in &report.sites {
            own += row.exclusive.total();
            let exclusive = naive.exclusive(site);
            prop_assert_eq!(row.exclusive.count(), exclusive.count());
            prop_assert_eq!(row.exclusive.total(), exclusive.total());
            same(&row.inclusive, naive.inclusive(site).into_values())?;
        }
        // All that sites took themselves is everything, and so is what the main program caused.
        let mut total = Cost::default();
        naive.costs.iter().for_each(|&cost| total += cost);
        prop_assert_eq!(own, total);
        prop_assert_eq!(report.total, total);
        let main = report.sites.iter().find(|(site, _)| *site == Site::Main).unwrap();
        prop_assert_eq!(main.1.inclusive.total(), total);
        let mut names: Vec<&String> = naive.labels.iter().flatten().collect();
        names.sort();
        names.dedup();
        prop_assert_eq!(report.requests.len(), names.len());
        for name in names {
            let (_, row) = report.requests.iter().find(|(known, _)| known == name).unwrap();
            same(&row.inclusive, naive.request(name))?;
        }
    }

    #[test]
    fn trees_hold_every_invocation_once(deeds in prop::collection::vec(deed(), 0..120)) {
        let events = perform(deeds);
        let mut trees = Trees::default();
        events.iter().for_each(|event| trees.event(event.clone()));
        let began = events.iter().filter(|event| matches!(event, Event::Began { .. })).count();
        prop_assert_eq!(trees.len(), began);
        for relation in [Relation::Link, Relation::Cause] {
            let text = trees.text(relation, usize::MAX);
            // The first number on each line is that of another invocation, and all begin at the main program.
            let numbers: Vec<&str> = text.lines().map(|line| line.split('#').nth(1).unwrap()).collect();
            prop_assert!(numbers[0].starts_with("1 "));
            let mut different = numbers.clone();
            different.sort_unstable();
            different.dedup();
            prop_assert_eq!(different.len(), numbers.len());
            prop_assert!(trees.dot(relation, usize::MAX).starts_with("digraph"));
        }
    }
}

#[test]
fn what_goes_on_for_ever_takes_constant_space() {
    let mut script = Script::main();
    script.timer(1, Some(10));
    script.immediate(2);
    script.end();
    let mut accounts = Accounts::default();
    let mut most = 0;
    for round in 0..200_000 {
        // The interval starts timers that start each other; an immediate causes itself.
        let at = if round % 3 == 0 { 0 } else { script.waiting.len() - 1 };
        let (_, _, line, _) = script.waiting[at];
        script.run(at);
        script.spend(7);
        script.events.push(Event::Labelled { name: "again".into() });
        script.jobs.push((script.running, 5));
        match line {
            2 => {
                script.immediate(2);
            }
            1 if script.waiting.len() < 4 => {
                script.timer(3, None);
            }
            _ => {}
        }
        script.end();
        script.run_job();
        script.end();
        script.events.drain(..).for_each(|event| accounts.event(event));
        most = most.max(accounts.open_ends());
    }
    assert!(most < 10_000, "{most} open ends");
    let report = accounts.finish();
    assert_eq!(report.total.get(Quantity::Invocations), 400_001);
    assert_eq!(report.total.get(Quantity::Time), 1_400_000);
    assert_eq!(report.requests.len(), 1);
}

#[test]
fn as_many_names_as_a_program_makes_take_bounded_space() {
    let mut script = Script::main();
    for name in 0..20_000 {
        script.events.push(Event::Labelled { name: format!("request {name}") });
        script.immediate(name + 10);
        script.end();
        script.run(0);
        script.spend(1);
    }
    script.end();
    let report = report(&script.events);
    assert!(report.sites.len() <= 10_001, "{}", report.sites.len());
    assert!(report.requests.len() <= 1_001, "{}", report.requests.len());
    assert_eq!(report.total.get(Quantity::Time), 20_000);
}

#[test]
fn a_tree_folds_what_looks_the_same() {
    let mut script = Script::main();
    script.timer(1, Some(10));
    script.timer(2, None);
    script.end();
    // A chain of timers that start each other, between those of an interval.
    for _ in 0..5 {
        script.run(0);
        script.end();
        let at = script.waiting.len() - 1;
        script.run(at);
        script.timer(2, None);
        script.end();
    }
    let mut trees = Trees::default();
    script.events.iter().for_each(|event| trees.event(event.clone()));
    let text = trees.text(Relation::Cause, 9);
    assert_eq!(
        text,
        "#1 main program\n\
         ├─ 5× #2 timer app.js:1:1\n\
         └─ #3 timer app.js:2:1, 5 in a row to #11\n"
    );
    assert_eq!(trees.text(Relation::Cause, 0), "#1 main program … 10 below\n");
}

#[test]
fn a_drawing_has_its_quotes_escaped() {
    let mut script = Script::main();
    script.events.push(Event::Labelled { name: "say \"hi\"\\\n".into() });
    script.end();
    let mut trees = Trees::default();
    script.events.iter().for_each(|event| trees.event(event.clone()));
    let dot = trees.dot(Relation::Link, 9);
    let line = dot.lines().find(|line| line.contains("n1 [")).unwrap();
    assert_eq!(line, r##"  n1 [label="#1 main program \"say \\\"hi\\\"\\\\\\n\""];"##);
}

#[test]
fn events_in_any_order_are_taken_without_a_panic() {
    let script = perform(vec![Deed::Timer(1, None), Deed::Next(0), Deed::Next(0), Deed::Spend(3)]);
    for skipped in 0..script.len() {
        let mut accounts = Accounts::default();
        let mut trees = Trees::default();
        for event in script.iter().skip(skipped).chain(script.iter().rev()) {
            accounts.event(event.clone());
            trees.event(event.clone());
        }
        accounts.finish();
        trees.text(Relation::Cause, 9);
        trees.text(Relation::Link, 9);
    }
}
