//! What a watch keeps, and what it is told of later.

use super::*;

#[test]
fn what_is_kept_does_not_grow_with_the_trace() {
    let theory = Theory::declarative_scheduler();
    let task = |id: usize| Task { name: format!("t{id}"), id: format!("T{id}"), retry_delay: 5 };
    let tasks: Vec<Task> = (0..10).map(task).collect();
    let list = List { name: "R".into(), tasks: (0..10).collect(), valid: true, concurrency: None };
    let mut watch = Watch::new(&theory, theory.params(), tasks, vec![list]);
    let mut time = 0;
    let mut most = 0;
    for call in 0..2_000 {
        let task = call as usize % 10;
        let start = What::InitStart { call, list: 0 };
        // Every other call fails, is interrupted, or ends as it should.
        let end = match call % 3 {
            0 => What::InitFailure { call, list: 0 },
            1 => What::Crash,
            _ => What::InitSuccess { call, list: 0 },
        };
        let life = [
            What::RunStart(task),
            What::RunFailure(task),
            What::Due(task),
            What::StopStart,
            What::StopEnd,
        ];
        for what in [start, end].into_iter().chain(life) {
            time += 3;
            let events = vec![(time as u32, what)];
            let event = Some(time as u32);
            watch.step(&Position {
                time,
                event,
                events,
                computes: true,
                granted: time as u64,
                ..Position::default()
            });
        }
        let kept =
            watch.calls.len() + watch.limits.len() + watch.deadlines.len() + watch.restless.len();
        most = most.max(kept);
    }
    assert!(most < 60, "{most} things are kept");
    assert!(watch.ids.iter().all(|id| id.recent.len() <= RECENT));
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }
}

#[test]
fn a_task_that_appears_later_is_as_one_that_was_known_from_the_start() {
    let theory = Theory::declarative_scheduler();
    let params = Params { a: 0, b: 6, tlag: 0 };
    // Two registrations of one id, and another.
    let task = |number: usize| Task {
        name: format!("t{number}"),
        id: format!("T{}", number / 2),
        retry_delay: 3,
    };
    let contents: [&[usize]; 4] = [&[0, 2], &[1], &[], &[1, 2]];
    let mut numbers = Numbers(0x5eed);
    let mut violated = 0;
    for round in 0..4_000 {
        let all = (0..3).map(task).collect();
        let list = |at: usize, tasks: Vec<usize>| List {
            name: format!("{at}"),
            tasks,
            valid: true,
            concurrency: None,
        };
        let lists = contents.iter().enumerate().map(|(at, tasks)| list(at, tasks.to_vec()));
        let mut early = Watch::new(&theory, params, all, lists.collect());
        let mut late = Watch::new(&theory, params, Vec::new(), Vec::new());
        let (mut tasks, mut known) = ([None; 3], [None; 4]);
        let mut time = 0;
        for step in 0..numbers.below(40) {
            time += numbers.below(3) as i64;
            let x = numbers.below(3) as usize;
            let at = numbers.below(4) as usize;
            let call = numbers.below(3) as u32;
            let what = |x: usize, list: usize| match step % 7 + numbers.0 % 3 {
                0 => What::InitStart { call, list },
                1 => What::InitSuccess { call, list },
                2 | 3 => What::Due(x),
                4 => What::RunStart(x),
                5 => What::RunSuccess(x),
                6 => What::RunFailure(x),
                7 => What::Crash,
                _ => What::Triggered(x),
            };
            let position = |what: What| Position {
                time,
                event: Some(step as u32),
                events: vec![(step as u32, what)],
                computes: what.is_action(),
                granted: step,
                ..Position::default()
            };
            early.step(&position(what(x, at)));
            let mut number = |x: usize, late: &mut Watch<'_>| {
                *tasks[x].get_or_insert_with(|| late.add_task(task(x)))
            };
            let mentions = !matches!(
                what(x, at),
                What::InitStart { .. } | What::InitSuccess { .. } | What::Crash
            );
            let x = if mentions { number(x, &mut late) } else { 0 };
            let at = if matches!(what(x, at), What::InitStart { .. } | What::InitSuccess { .. }) {
                let members = contents[at].iter().map(|&x| number(x, &mut late)).collect();
                *known[at].get_or_insert_with(|| late.add_list(list(at, members)))
            } else {
                0
            };
            late.step(&position(what(x, at)));
        }
        for (x, number) in tasks.iter().enumerate() {
            if number.is_none() {
                late.add_task(task(x));
            }
        }
        let shown = |watch: Watch<'_>| {
            let verdicts = watch.finish().verdicts.into_iter();
            let step = |verdict: &report::Verdict| match verdict {
                report::Verdict::Violated(violation) => Some(violation.step),
                _ => None,
            };
            let shown = verdicts.map(|(axiom, of)| (axiom.name, of.name(), step(&of)));
            shown.collect::<Vec<_>>()
        };
        let (early, late) = (shown(early), shown(late));
        violated += early.iter().filter(|(.., step)| step.is_some()).count();
        assert_eq!(early, late, "round {round}");
    }
    assert!(violated > 1_000, "only {violated} violations");
}
