//! Which task is to start, by the rules SCHED-1 to SCHED-7, without clock, store and callbacks.

use hemiola_scheduler::{Declaration, Ended, Job, List, Millis, Pending, Roster, State, TaskIndex};
use std::collections::BTreeMap;

const MINUTE: Millis = 60_000;
/// 2024-01-01T00:00:30Z: half a minute after a due of `* * * * *`.
const START: Millis = 1_704_067_230_000;

fn task(id: &str, cron: &str) -> Declaration {
    let zone = "UTC".to_owned();
    let (id, cron) = (id.to_owned(), cron.to_owned());
    Declaration { id, cron, zone, retry_delay: 10_000, ..Declaration::default() }
}

fn begin(tasks: &[Declaration], stored: BTreeMap<String, State>, now: Millis) -> Roster {
    Roster::new(List::new(tasks).expect("a valid list"), stored, usize::MAX, now, 0).0
}

fn kept(roster: &Roster) -> BTreeMap<String, State> {
    let tasks = (0..roster.len()).map(TaskIndex);
    tasks.map(|task| (roster.id(task).to_owned(), roster.state(task).clone())).collect()
}

/// Starts everything that is to start, and gives ids and reasons in order.
fn start(roster: &mut Roster, now: Millis) -> Vec<(String, Pending)> {
    let mut started = Vec::new();
    while let Some(start) = roster.start(now, &mut |_, _| 0) {
        roster.started(start.task, now);
        started.push((roster.id(start.task).to_owned(), start.pending));
    }
    started
}

fn end(roster: &mut Roster, id: &str, now: Millis, ended: Ended) {
    let task = roster.find(id).expect("there is such a task");
    roster.ended(task, now, ended);
    roster.settled(task, now);
}

#[test]
fn dues_during_a_run_are_kept_and_become_one() {
    let mut roster = begin(&[task("a", "* * * * *")], BTreeMap::new(), START);
    assert_eq!(start(&mut roster, START), [("a".into(), Pending::BootDue)]);
    let later = START + 5 * MINUTE;
    assert_eq!(start(&mut roster, later), [], "it runs");
    end(&mut roster, "a", later, Ended::Success);
    assert_eq!(start(&mut roster, later), [("a".into(), Pending::Due)]);
    end(&mut roster, "a", later, Ended::Success);
    assert_eq!(start(&mut roster, later), []);
    assert_eq!(roster.wake(), Some(START - 30_000 + 6 * MINUTE), "the next due");
}

#[test]
fn a_failure_is_tried_again_after_its_delay_unless_a_due_comes_first() {
    let mut roster = begin(&[task("a", "* * * * *")], BTreeMap::new(), START);
    start(&mut roster, START);
    end(&mut roster, "a", START, Ended::Failure("x".into()));
    assert_eq!(roster.wake(), Some(START + 10_000));
    assert_eq!(start(&mut roster, START + 9_999), []);
    assert_eq!(start(&mut roster, START + 10_000), [("a".into(), Pending::Retry)]);
    end(&mut roster, "a", START + 25_000, Ended::Failure("x".into()));
    // The due at 30 s comes before the retry at 35 s, and takes its place.
    assert_eq!(start(&mut roster, START + 30_000), [("a".into(), Pending::Due)]);
    end(&mut roster, "a", START + 30_001, Ended::Success);
    assert_eq!(start(&mut roster, START + 40_000), []);
}

#[test]
fn a_restart_forgets_nothing_and_a_crash_leaves_an_orphan() {
    let tasks = [task("a", "* * * * *"), task("b", "0 0 2 1 *")];
    let mut roster = begin(&tasks, BTreeMap::new(), START);
    let all = [("a".into(), Pending::BootDue)];
    assert_eq!(start(&mut roster, START), all, "b is due tomorrow");
    let mut again = begin(&tasks, kept(&roster), START + 1);
    assert_eq!(start(&mut again, START + 1), [("a".into(), Pending::Orphaned)]);
    end(&mut again, "a", START + 2, Ended::Success);
    // Down for ten minutes: what was due meanwhile is owed once.
    let mut third = begin(&tasks, kept(&again), START + 10 * MINUTE);
    assert_eq!(start(&mut third, START + 10 * MINUTE), [("a".into(), Pending::Due)]);
}

#[test]
fn differences_between_lists_are_told() {
    let first = [task("a", "* * * * *"), task("b", "* * * * *")];
    let roster = begin(&first, BTreeMap::new(), START);
    let second = [task("b", "0 * * * *"), task("c", "* * * * *")];
    let list = List::new(&second).expect("a valid list");
    let (roster, differences) = Roster::new(list, kept(&roster), 1, START + 1, 0);
    assert_eq!((differences.added, differences.removed), (vec!["c".into()], vec!["a".into()]));
    let changed: Vec<&str> = differences.changed.iter().map(|(id, ..)| id.as_str()).collect();
    assert_eq!(changed, ["b"]);
    assert_eq!(roster.find("a"), None, "it is forgotten");
}

#[test]
fn only_so_many_run_at_once_and_a_withdrawn_start_stays_owed() {
    let tasks = ["a", "b", "c"].map(|id| task(id, "* * * * *"));
    let list = List::new(&tasks).expect("a valid list");
    let (mut roster, _) = Roster::new(list, BTreeMap::new(), 2, START, 0);
    assert_eq!(start(&mut roster, START).len(), 2);
    assert_eq!((roster.running(), roster.wake()), (2, None));
    end(&mut roster, "a", START, Ended::Success);
    let third = roster.start(START, &mut |_, _| 0).expect("c is owed");
    roster.withdraw(third.task, START);
    assert_eq!(start(&mut roster, START), [("c".into(), Pending::BootDue)]);
}

#[test]
fn a_due_start_is_put_off_by_chance_once() {
    let tasks = [Declaration { jitter: 2_000, ..task("a", "* * * * *") }];
    let mut roster = begin(&tasks, BTreeMap::new(), START);
    start(&mut roster, START);
    end(&mut roster, "a", START, Ended::Success);
    let due = START + 30_000;
    let mut drawn = 0;
    let mut draw = |_: TaskIndex, below: i64| {
        drawn += 1;
        assert_eq!(below, 2_000);
        1_500
    };
    assert_eq!(roster.start(due, &mut draw), None);
    assert_eq!(roster.wake(), Some(due + 1_500));
    assert!(roster.start(due + 1_500, &mut draw).is_some());
    assert_eq!(drawn, 1);
}

#[test]
fn a_paused_task_starts_only_when_it_is_asked_for() {
    let mut roster = begin(&[task("a", "* * * * *")], BTreeMap::new(), START);
    let a = roster.find("a").expect("it is there");
    assert!(roster.pause(a, true, START));
    assert_eq!((start(&mut roster, START + MINUTE), roster.wake()), (vec![], None));
    roster.trigger(a, START + MINUTE);
    assert_eq!(start(&mut roster, START + MINUTE), [("a".into(), Pending::Triggered)]);
    end(&mut roster, "a", START + MINUTE, Ended::Success);
    assert!(roster.pause(a, false, START + 2 * MINUTE));
    assert_eq!(start(&mut roster, START + 2 * MINUTE), [("a".into(), Pending::Due)]);
}

/// A job that a crash interrupted starts again; one that is done is forgotten, and the numbers of starts go on all the
/// same.
#[test]
fn jobs_last_until_they_are_done() {
    let tasks = [task("mail", ""), task("other", "0 0 1 7 *")];
    let mut roster = begin(&tasks, BTreeMap::new(), START);
    let enqueue = |roster: &mut Roster, key: &str| {
        let job = Job::new("mail", START, Some("7".into()), Some(key.into()));
        roster.enqueue(job, START).expect("the task is there")
    };
    let (job, is_new) = enqueue(&mut roster, "k");
    assert!(is_new);
    assert_eq!(enqueue(&mut roster, "k"), (job, false));
    assert!(roster.enqueue(Job::new("none", START, None, None), START).is_none());
    let first = roster.start(START, &mut |_, _| 0).expect("it is due");
    assert_eq!((first.task, first.pending), (job, Pending::Enqueued));
    roster.started(job, START);
    assert!(!roster.cancel(job), "it runs");
    let mut stored = kept(&roster);
    stored.insert("@mail=k".into(), roster.state(job).clone());
    let (mut roster, differences) =
        Roster::new(List::new(&tasks).expect("a valid list"), stored.clone(), 1, START + 1, 0);
    assert_eq!(differences.orphaned, ["@mail=k"]);
    assert!(differences.removed.is_empty());
    let again = roster.start(START + 1, &mut |_, _| 0).expect("it was interrupted");
    assert_eq!(again.pending, Pending::Orphaned);
    assert!(again.fence > first.fence);
    roster.started(again.task, START + 1);
    // A job has a place of its own: the task is not held up.
    roster.trigger(TaskIndex(1), START + 1);
    assert_eq!(start(&mut roster, START + 1), [("other".into(), Pending::Triggered)]);
    roster.ended(again.task, START + 2, Ended::Success);
    assert!(roster.state_after_end(again.task).is_none());
    roster.settled(again.task, START + 2);
    assert_eq!(roster.jobs().count(), 0);
    let mut roster = begin(&tasks, kept(&roster), START + 3);
    roster.trigger(TaskIndex(0), START + 3);
    let next = roster.start(START + 3, &mut |_, _| 0).expect("it was asked for");
    assert!(next.fence > again.fence);
    // A list without the task keeps its jobs.
    let (roster, differences) =
        Roster::new(List::new(&tasks[1..]).expect("a valid list"), stored, 1, START + 4, 0);
    assert_eq!((differences.removed, roster.jobs().count()), (vec!["mail".to_owned()], 0));
}
