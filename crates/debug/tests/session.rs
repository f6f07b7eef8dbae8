//! Every way through a run leads where a look at the whole of it says.

use crate::common::{Ear, Run, Toy, random};
use hemiola_debug::model::{Place, Reason, Watched};
use hemiola_debug::{HitRule, MOST_CHECKPOINTS, Session, Verb, Wanted};

fn start(run: &Run) -> Session<Toy> {
    let started = Session::start(Toy::new(run.clone()), &mut Ear::default());
    let mut session = started.expect("it starts").unwrap_or_else(|end| panic!("it ended: {end:?}"));
    session.set_spacing(0);
    session
}

fn line(line: u32) -> Place {
    Place { file: "/toy.js".into(), line, column: 1 }
}

#[test]
fn breakpoints_are_found_in_both_directions() {
    for seed in 1..40 {
        let run = random(seed, 300);
        let mut session = start(&run);
        let wanted = Wanted { condition: Some("1".into()), ..Wanted::default() };
        session.breakpoints.add(line(4), wanted);
        session.breakpoints.add(line(7), Wanted::default());
        let stops: Vec<u64> = (1..run.spots.len() as u64)
            .filter(|&at| {
                let spot = &run.spots[at as usize];
                spot.line == 7 || spot.line == 4 && spot.value == 1
            })
            .collect();
        let mut ear = Ear::default();
        for &stop in &stops {
            session.go(Verb::Continue, &mut ear).expect("it goes on");
            assert_eq!(session.at().step, stop, "seed {seed}");
            assert!(matches!(session.reason(), Reason::Breakpoint(_)));
        }
        session.go(Verb::Continue, &mut ear).expect("it goes on");
        assert_eq!(*session.reason(), Reason::End, "seed {seed}");
        assert_eq!(session.at().step, 299);
        let last = stops.iter().rev().filter(|&&stop| stop < 299);
        for &stop in last {
            session.go(Verb::ReverseContinue, &mut ear).expect("it goes back");
            assert_eq!(session.at().step, stop, "seed {seed}, back");
        }
        session.go(Verb::ReverseContinue, &mut ear).expect("it goes back");
        assert_eq!((session.at().step, session.reason()), (0, &Reason::Entry));
        let all: String = run.spots.iter().map(|spot| spot.prints).collect();
        assert_eq!(ear.printed, all, "what it prints is told once, seed {seed}");
        assert!(session.checkpoints() <= MOST_CHECKPOINTS);
    }
}

#[test]
fn a_step_back_leads_to_the_statement_before_in_the_same_call() {
    for seed in 1..10 {
        let run = random(seed, 200);
        let mut session = start(&run);
        let mut ear = Ear::default();
        session.go(Verb::Goto(u64::MAX), &mut ear).expect("it goes to the end");
        for at in (1..200_u64).rev() {
            session.go(Verb::Goto(at), &mut ear).expect("it goes there");
            session.go(Verb::Back, &mut ear).expect("it goes back");
            let spots = &run.spots;
            let spot = &spots[at as usize];
            let is_before = |&other: &u64| {
                let other = &spots[other as usize];
                other.call == spot.call
                    || other.invocation == spot.invocation && other.depth < spot.depth
            };
            let expected = (0..at).rev().find(is_before).unwrap_or(at - 1);
            assert_eq!(session.at().step, expected, "from {at}, seed {seed}: {spot:?}");
        }
    }
}

#[test]
fn a_change_is_found_from_both_sides() {
    let run = random(5, 300);
    let mut session = start(&run);
    session.watches.push(Watched { id: 9, ..Watched::default() });
    let changes: Vec<u64> = (1..300_u64)
        .filter(|&at| run.spots[at as usize].value != run.spots[at as usize - 1].value)
        .collect();
    let mut ear = Ear::default();
    for &change in &changes {
        session.go(Verb::Continue, &mut ear).expect("it goes on");
        assert_eq!(session.at().step, change, "it stands after the statement");
    }
    session.go(Verb::Goto(u64::MAX), &mut ear).expect("it goes to the end");
    for &change in changes.iter().rev() {
        session.go(Verb::ReverseContinue, &mut ear).expect("it goes back");
        assert_eq!(session.at().step, change - 1, "it stands before the statement");
    }
}

#[test]
fn links_are_positions() {
    let run = random(3, 100);
    let mut session = start(&run);
    let mut ear = Ear::default();
    assert!(session.go(Verb::Link, &mut ear).is_err(), "nobody attached the main program");
    for at in 0..100 {
        session.go(Verb::Goto(at), &mut ear).expect("it goes there");
        let expected = run.spots[at as usize].linked_at;
        assert_eq!(session.go(Verb::Link, &mut ear).is_ok(), expected.is_some());
        assert_eq!(session.at().step, expected.unwrap_or(at));
    }
}

#[test]
fn hits_are_counted_from_the_beginning_of_the_run() {
    let run = random(8, 300);
    let mut session = start(&run);
    let mut ear = Ear::default();
    session.go(Verb::Goto(150), &mut ear).expect("it goes there");
    let hits = Some(HitRule::Every(3));
    session.breakpoints.add(line(2), Wanted { hits, ..Wanted::default() });
    session.count_hits(&mut ear).expect("they are counted");
    let all: Vec<u64> = (1..300_u64).filter(|&at| run.spots[at as usize].line == 2).collect();
    let thirds: Vec<u64> = all.iter().skip(2).step_by(3).copied().collect();
    session.go(Verb::Goto(0), &mut ear).expect("it goes back");
    for &third in &thirds {
        session.go(Verb::Continue, &mut ear).expect("it goes on");
        assert_eq!(session.at().step, third);
    }
}

#[test]
fn going_back_costs_the_distance_to_a_checkpoint() {
    let run = random(1, 20_000);
    let mut session = start(&run);
    let mut ear = Ear::default();
    session.go(Verb::Goto(u64::MAX), &mut ear).expect("it goes to the end");
    run.ran.set(0);
    session.go(Verb::BackInto, &mut ear).expect("it goes back");
    assert_eq!(session.at().step, 19_998);
    assert!(run.ran.get() < 200, "it ran {} statements", run.ran.get());
}
