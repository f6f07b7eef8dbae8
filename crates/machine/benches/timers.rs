//! What a timer costs: nanoseconds for each one released and fired, cleared, or fired again.
//!
//! An iteration, as criterion counts, is one timer; runs are whole programs of many timers.

// The stop watch is the point of a benchmark, and the machine's own state never sees it.
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
#![allow(missing_docs, reason = "criterion's macros make public items")]

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, criterion_group, criterion_main};
use hemiola_machine::closures::{Closures, Latency, Task, Turn};
use hemiola_machine::{
    Chooser as _, Delay, First, Handle, Machine, Named, Period, Seeded, Silent, Simulated, Step,
    Unit, World,
};
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

const MILLION: u64 = 1_000_000;
const INTERVALS: u64 = 100_000;
const ROUNDS: u64 = 20;

fn labels() -> Vec<String> {
    (0..100).map(|number| format!("clock {number}")).collect()
}

fn world() -> impl World<Closures> {
    Simulated::new(|Latency { delay, answer }| (delay, answer))
}

/// A machine of which the main program has run.
fn started(
    world: &mut impl World<Closures>,
    main: impl FnMut(&mut Turn<'_>) + 'static,
) -> Machine<Closures> {
    let mut machine = Machine::new(Task::new(main));
    step(&mut machine, world);
    machine
}

fn step(machine: &mut Machine<Closures>, world: &mut impl World<Closures>) -> Step {
    machine.step(&mut Closures, &Named::NodePhases, world, &mut First, &mut Silent)
}

/// Measures runs of `timers` timers each, as the time for one.
fn bench(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    timers: u64,
    mut run: impl FnMut() -> Duration,
) {
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|iterations| {
            let runs = iterations.div_ceil(timers);
            let total: Duration = (0..runs).map(|_| run()).sum();
            total.mul_f64(iterations as f64 / (runs * timers) as f64)
        });
    });
}

/// A million random delays below `delays`, each with the number of a label.
fn releases(delays: u64) -> Rc<[(u32, u8)]> {
    let mut random = Seeded::new(7);
    (0..MILLION)
        .map(|_| (random.choose(delays as usize) as u32, random.choose(100) as u8))
        .collect()
}

/// Releases a million timers and fires them all, on a new machine or on one that has done so before.
fn release_and_fire(
    releases: &Rc<[(u32, u8)]>,
    labels: Option<&Rc<[String]>>,
    before: bool,
) -> Duration {
    let (releases, labels) = (Rc::clone(releases), labels.cloned());
    let main = move |turn: &mut Turn<'_>| {
        for &(delay, label) in &*releases {
            let label = labels.as_ref().map(|labels| &*labels[usize::from(label)]);
            turn.release(label, Delay::from_millis(u64::from(delay)), Task::new(|_| {}));
        }
        assert_eq!(turn.machine().pending_timers() as u64, MILLION);
    };
    let mut world = world();
    let mut machine = Machine::new(Task::new(main.clone()));
    if before {
        while step(&mut machine, &mut world) == Step::Moved {}
        machine.go_on(Task::new(main));
    }
    let ran = machine.invocations();
    let start = Instant::now();
    while step(&mut machine, &mut world) == Step::Moved {}
    let elapsed = start.elapsed();
    assert_eq!(machine.invocations(), ran + MILLION + 1);
    assert_eq!((machine.pending_timers(), machine.distinct_tags()), (0, 0));
    elapsed
}

/// Fires intervals of one period again and again.
fn intervals(label: Option<&'static str>) -> Duration {
    let main = move |turn: &mut Turn<'_>| {
        let period = Period::at_least_one(Delay::from_millis(10), Unit::Millisecond);
        for _ in 0..INTERVALS {
            turn.release_every(label, period, Task::new(|_| {}));
        }
    };
    let mut world = world();
    let mut machine = started(&mut world, main);
    let start = Instant::now();
    while machine.invocations() <= INTERVALS * ROUNDS {
        step(&mut machine, &mut world);
    }
    let elapsed = start.elapsed();
    assert_eq!(machine.invocations(), INTERVALS * ROUNDS + 1);
    assert_eq!(machine.pending_timers() as u64, INTERVALS);
    elapsed
}

/// Releases one and clears a random one, over and over, while 100,000 are pending.
fn churn(labels: Rc<[String]>) -> Duration {
    let elapsed = Rc::new(Cell::new(Duration::ZERO));
    let told = elapsed.clone();
    let main = move |turn: &mut Turn<'_>| {
        let mut random = Seeded::new(7);
        let mut release = |turn: &mut Turn<'_>| {
            let delay = Delay::from_millis(random.choose(1_000) as u64);
            let label = random.choose(labels.len());
            let victim = random.choose(INTERVALS as usize);
            (turn.release(Some(&labels[label]), delay, Task::new(|_| {})), victim)
        };
        let mut handles: Vec<Handle> = (0..INTERVALS).map(|_| release(turn).0).collect();
        let tags = turn.machine().distinct_tags();
        let before = resident_pages();
        let start = Instant::now();
        for _ in 0..MILLION {
            let (handle, victim) = release(turn);
            let victim = std::mem::replace(&mut handles[victim], handle);
            assert!(turn.clear(victim));
        }
        told.set(start.elapsed());
        assert_eq!(turn.machine().pending_timers() as u64, INTERVALS);
        let grown = turn.machine().distinct_tags().abs_diff(tags);
        assert!(grown * 20 < tags, "as many tags as before, within five in a hundred");
        // The tables grow to what churn needs in the first moments; ten megabytes are ten bytes
        // for each of the million pairs.
        let pages = resident_pages().saturating_sub(before);
        assert!(pages < 2_500, "churn leaves nothing behind, not {pages} pages");
        handles.into_iter().for_each(|handle| _ = turn.clear(handle));
    };
    let mut world = world();
    let mut machine = started(&mut world, main);
    while step(&mut machine, &mut world) == Step::Moved {}
    elapsed.get()
}

/// The memory of this process, in pages; zero where the system does not say.
fn resident_pages() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0)
}

fn timers(criterion: &mut Criterion) {
    let labels: Rc<[String]> = labels().into();
    let mut group = criterion.benchmark_group("timers");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_secs(1));
    let (near, far) = (releases(100), releases(MILLION));
    let with = Some(&labels);
    let fire = release_and_fire;
    bench(&mut group, "labelled, 0-99 ms", MILLION, || fire(&near, with, false));
    bench(&mut group, "labelled, 0-99 ms, again", MILLION, || fire(&near, with, true));
    bench(&mut group, "labelled, distinct", MILLION, || fire(&far, with, false));
    bench(&mut group, "unlabelled, 0-99 ms", MILLION, || fire(&near, None, false));
    bench(&mut group, "unlabelled, 0-99 ms, again", MILLION, || fire(&near, None, true));
    let firings = INTERVALS * ROUNDS;
    bench(&mut group, "intervals, one label", firings, || intervals(Some("A")));
    bench(&mut group, "intervals, unlabelled", firings, || intervals(None));
    bench(&mut group, "release and clear", MILLION, || churn(labels.clone()));
    group.finish();
}

criterion_group!(benches, timers);
criterion_main!(benches);
