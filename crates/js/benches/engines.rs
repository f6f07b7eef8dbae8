//! How long an engine takes to make and to drop, and a whole small program.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{options, run};
use criterion::{Criterion, criterion_group, criterion_main};
use hemiola_js::{Entry, Js, Nursery, Options};
use hemiola_live::SystemTree;
use hemiola_machine::{First, Silent};
use hemiola_world::{Overlay, Virtual};
use std::hint::black_box;
use std::sync::Arc;

fn text(source: &str) -> Options {
    options(Entry::Text { source: source.into(), name: "[eval]".into() })
}

fn engines(criterion: &mut Criterion) {
    criterion.bench_function("engine: make", |bencher| {
        bencher.iter_with_large_drop(|| Js::new(text("")).expect("an engine can be started"));
    });
    criterion.bench_function("engine: make and drop", |bencher| {
        bencher.iter(|| drop(Js::new(text("")).expect("an engine can be started")));
    });
    criterion.bench_function("program: one line", |bencher| {
        bencher.iter(|| black_box(run(text("console.log('hello')"))));
    });
    criterion.bench_function("program: one line, in a nursery", |bencher| {
        let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
        let mut nursery = Nursery::new();
        bencher.iter(|| {
            let options = text("console.log('hello')");
            let mut world = Virtual::new(0, Arc::clone(&files), |_, _| Ok(()));
            black_box(nursery.run(options, &mut world, &mut First, &mut Silent).ok())
        });
    });
}

criterion_group!(benches, engines);
criterion_main!(benches);
