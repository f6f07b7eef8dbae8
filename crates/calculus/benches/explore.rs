//! How many configurations are explored in a second.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hemiola_calculus::Study as _;
use hemiola_calculus::{l, lasync};
use hemiola_explore::{Limits, Outcomes};
use hemiola_machine::Named;
use std::hint::black_box;

const LIMITS: Limits = Limits { states: usize::MAX };

/// Clients that look at a global and write it back later: every order of their operations matters.
fn clients(count: usize) -> String {
    let started = "; call(network, client)".repeat(count);
    format!(
        r"let client = \request.
            let seen = n in
            let write = \reply. store(n, seen + 1); obs(n) in
            call(database, write)
          in store(n, 0){started}"
    )
}

/// Different reads without local state, of which each stores one of two answers.
fn reads(count: usize) -> String {
    let keep = |at| format!(r"keep{at} = \x. (store(last, x); obs(x))");
    let keep: Vec<String> = (0..count).map(keep).collect();
    let started: String = (0..count).map(|at| format!("; call(disk, keep{at})")).collect();
    format!("let {} in store(last, none){started}", keep.join(", "))
}

fn explore_l(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("l");
    group.sample_size(10);
    let values = vec!["d".to_owned(), "e".to_owned()];
    for (name, text) in [("clients", clients(6)), ("reads", reads(6))] {
        let program = l::parse(&text).expect("the program is one");
        let bounds = l::Bounds { values: values.clone(), ..l::Bounds::default() };
        let explore = || {
            l::Study { program: &program, mode: l::Mode::Lexical, bounds: &bounds }
                .executions(LIMITS, &mut |_| {})
        };
        let states = explore().states();
        assert!(states >= 100_000, "{states} configurations are worth measuring");
        group.throughput(Throughput::Elements(states as u64));
        group.bench_function(BenchmarkId::new(name, states), |bencher| {
            bencher.iter(|| black_box(explore().states()));
        });
        let graph = explore();
        group.bench_function(BenchmarkId::new(format!("{name} outcomes"), states), |bencher| {
            bencher.iter(|| black_box(Outcomes::of(&graph).classes()));
        });
    }
    group.finish();
}

fn explore_lasync(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lasync");
    group.sample_size(10);
    let reads: String = (0..3).map(|at| format!("readFile f{at} r{at} {{ log {at} }}\n")).collect();
    let timers: String = (1..4).map(|ms| format!("timeout {ms} t{ms} {{ log t{ms} }}\n")).collect();
    let program = lasync::parse(&format!("{reads}{timers}")).expect("the program is one");
    for strategy in [Named::Node, Named::NodePhases] {
        let bounds = lasync::Bounds::default();
        let explore = || {
            lasync::Study { program: &program, strategy, bounds: &bounds }
                .executions(LIMITS, &mut |_| {})
        };
        let states = explore().states();
        group.throughput(Throughput::Elements(states as u64));
        group.bench_function(BenchmarkId::new(strategy.name(), states), |bencher| {
            bencher.iter(|| black_box(explore().states()));
        });
    }
    group.finish();
}

criterion_group!(benches, explore_l, explore_lasync);
criterion_main!(benches);
