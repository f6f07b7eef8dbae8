//! Simulated schedulers are held to the theory: ours keeps it, through crashes, stops and restarts, and each
//! mutant breaks it.

use crate::simulated::{Mutant, Simulation};
use hemiola_monitor::theory::{Report, Story, Theory, Verdict};
use hemiola_scheduler::{Contract, Cron, Dst, Dues, PARAMS, Zone};
use std::collections::{BTreeMap, BTreeSet};

/// Of each of the four tests of ours, which run side by side.
const RUNS: u64 = 2_500;

fn violated(report: &Report) -> Vec<&str> {
    let verdicts = report.verdicts.iter();
    let violated = verdicts.filter(|(_, verdict)| matches!(verdict, Verdict::Violated(_)));
    violated.map(|(axiom, _)| axiom.name.as_str()).collect()
}

fn simulate(seed: u64, mutant: Mutant) -> (Simulation<'static>, Report) {
    let contract = Contract::new(Theory::of_schedulers(), PARAMS);
    let mut simulation = Simulation::new(contract, seed, mutant);
    simulation.run();
    let report = simulation.contract.report();
    (simulation, report)
}

fn ours(first: u64) {
    let minutes = Dues::new(
        Cron::parse("* * * * *").expect("an expression"),
        Zone::named("UTC").expect("a zone"),
        Dst::Theory,
    );
    let (mut runs, mut crashes) = (0, 0);
    for seed in first..first + RUNS {
        let (mut simulation, report) =
            simulate(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, Mutant::None);
        if report.blame.is_some() {
            for (axiom, verdict) in &report.verdicts {
                if let Verdict::Violated(violation) = verdict {
                    println!("{} {violation:?}", axiom.name);
                    for event in &violation.events {
                        let story = &simulation.contract;
                        println!("  {:?} {}", story.position(*event), story.describe(*event));
                    }
                }
            }
            panic!("seed {seed}: {:?}", violated(&report));
        }
        assert_eq!(simulation.owed(), Vec::<String>::new(), "seed {seed}: a due is lost");
        // Whatever the monitor says: between two successes there is the beginning of a minute, or
        // somebody asked for it, or the task is a new one.
        let mut last: BTreeMap<&str, i64> = BTreeMap::new();
        for told in simulation.told.iter().filter(|told| told.success) {
            if let Some(before) = last.insert(&told.id, told.start) {
                let due = minutes.before(told.shown / 1000 + 1).expect("a due") * 1000;
                let due = told.start - (told.shown - due);
                let within = |at: i64| at > before && at <= told.start;
                let reset = simulation.resets.iter().any(|(id, at)| *id == told.id && within(*at));
                assert!(within(due) || reset, "seed {seed}: {} succeeds twice", told.id);
            }
        }
        runs += simulation.told.len();
        crashes += simulation.crashes;
        assert_eq!(simulation.contract.violations().len(), 0);
    }
    assert!(runs > 2 * RUNS as usize, "only {runs} runs");
    assert!(u64::from(crashes) > RUNS, "only {crashes} crashes");
}

#[test]
fn ours_keeps_the_theory_from_seed_1() {
    ours(1);
}

#[test]
fn ours_keeps_the_theory_from_seed_100_000() {
    ours(100_000);
}

#[test]
fn ours_keeps_the_theory_from_seed_200_000() {
    ours(200_000);
}

#[test]
fn ours_keeps_the_theory_from_seed_300_000() {
    ours(300_000);
}

#[test]
fn every_mutant_breaks_it() {
    let mutants: [(Mutant, &[&str]); 9] = [
        (Mutant::DoubleRun, &["S1", "S2"]),
        (Mutant::EarlyStop, &["S3"]),
        (Mutant::DoubleInit, &["S6"]),
        (Mutant::DroppedDue, &["L1"]),
        (Mutant::ForgottenOrphan, &["L1"]),
        (Mutant::EarlyEnd, &["S1"]),
        (Mutant::Silent, &["L1"]),
        (Mutant::Crowded, &["S1"]),
        (Mutant::DeafToClock, &["S1", "L1"]),
    ];
    for (mutant, expected) in mutants {
        let mut seen = BTreeSet::new();
        let mut caught = 0;
        for seed in 1..200_u64 {
            let (_, report) = simulate(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, mutant);
            seen.extend(violated(&report).into_iter().map(str::to_owned));
            caught += u32::from(report.blame.is_some());
        }
        for axiom in expected {
            assert!(seen.contains(*axiom), "{mutant:?} is not seen by {axiom}, only by {seen:?}");
        }
        println!("{mutant:?}: caught {caught} times of 199, by {seen:?}");
        assert!(caught >= 5, "{mutant:?} is caught only {caught} times");
    }
}
