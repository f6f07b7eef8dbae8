//! How many next dues are found in a second: one after the other, and from anywhere in a century.
#![expect(clippy::disallowed_methods, reason = "a bench measures physical time")]

use hemiola_scheduler::{Cron, Dst, Dues, Zone};
use std::hint::black_box;
use std::time::Instant;

const BATCHES: u32 = 2_000;
const BATCH: u32 = 1_000;

fn main() {
    println!(
        "{:<24} {:<20} {:<7} {:>14} {:>14}",
        "expression", "zone", "dst", "in a row", "anywhere"
    );
    for (text, zone, dst) in [
        ("* * * * *", "UTC", Dst::Theory),
        ("*/5 * * * *", "Europe/Paris", Dst::Theory),
        ("30 2 * * *", "America/New_York", Dst::Theory),
        ("30 2 * * *", "America/New_York", Dst::Once),
        ("0 9-17 * * mon-fri", "Europe/London", Dst::Theory),
        ("0 0 1,15 * 1", "Australia/Lord_Howe", Dst::Theory),
        ("0 0 1 1 *", "Africa/Casablanca", Dst::Theory),
        ("0 0 29 2 *", "America/Sao_Paulo", Dst::Theory),
    ] {
        let cron = Cron::parse(text).expect("an expression");
        let dues = Dues::new(cron, Zone::named(zone).expect("a zone"), dst);
        let row =
            rate(|at, _| dues.at_or_after(at + 1).filter(|due| *due < 4_000_000_000).unwrap_or(0));
        let anywhere = rate(|_, any| dues.at_or_after(any).unwrap_or(0));
        println!("{text:<24} {zone:<20} {:<7} {row:>12}/s {anywhere:>12}/s", format!("{dst:?}"));
    }
}

/// How often that can be done in a second, given what it said last and an instant of this century: in
/// the fastest tenth of many short batches, which others on the machine leave alone.
fn rate(mut next: impl FnMut(i64, i64) -> i64) -> u64 {
    let (mut last, mut any) = (1_700_000_000, 1_u64);
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..BATCHES {
        let start = Instant::now();
        for _ in 0..BATCH {
            any =
                any.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            last = black_box(next(last, ((any >> 33) % 3_000_000_000) as i64 + 900_000_000));
        }
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    (f64::from(BATCH) / times[times.len() / 10]) as u64
}
