//! How many schedules of a program run in a second.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{options, run, with_stack};
use hemiola_js::{Entry, Nursery, Options};
use hemiola_live::SystemTree;
use hemiola_machine::{Delay, First, Silent};
use hemiola_world::{Overlay, Virtual};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

fn main() {
    with_stack(|| {
        for file in std::env::args().skip(1).filter(|arg| !arg.starts_with("--")) {
            let times = 1000;
            let start = Instant::now();
            for _ in 0..times {
                black_box(run(options(Entry::File(file.clone()))));
            }
            let each = start.elapsed().as_micros() as f64 / f64::from(times);
            let mut nursery = Nursery::new();
            let start = Instant::now();
            let files = Arc::new(Overlay::new(Arc::new(SystemTree::default())));
            for _ in 0..times {
                let options = Options { disk: files.clone(), ..options(Entry::File(file.clone())) };
                let mut world = Virtual::new(0, files.clone(), |_, _| Ok(()))
                    .until(Delay::from_millis(100_000));
                let _ = black_box(nursery.run(options, &mut world, &mut First, &mut Silent));
            }
            let kept = start.elapsed().as_micros() as f64 / f64::from(times);
            println!("{file}: fresh {each:.0} us, kept {kept:.0} us, {:?}", nursery.sizes());
        }
    });
}
