//! Recomputes link and cause of promise jobs from what happened to promises, by the definition alone:
//! who attached the reaction; and who settled the promise, or who attached it if that was later.

use hemiola_machine::{Event, Invocation};
use std::collections::BTreeMap;

/// Compares every reaction of a trace; gives how many there were.
pub fn check(trace: &[Event]) -> usize {
    let mut running: Vec<Invocation> = Vec::new();
    let mut told: BTreeMap<Invocation, (Invocation, Invocation)> = BTreeMap::new();
    let mut attached: BTreeMap<u64, (Invocation, Option<u64>)> = BTreeMap::new();
    let mut settled: BTreeMap<u64, Invocation> = BTreeMap::new();
    let mut reacted: BTreeMap<Invocation, u64> = BTreeMap::new();
    let mut last = Invocation::default();
    for event in trace {
        let now = running.last().copied();
        match *event {
            Event::Began { invocation, link, cause, .. }
            | Event::Entered { invocation, link, cause } => {
                assert!(invocation > last, "indices grow (rule CTX-1)");
                last = invocation;
                running.push(invocation);
                told.insert(invocation, (link, cause));
            }
            Event::Ended { invocation, .. } | Event::Left { invocation } => {
                assert_eq!(running.pop(), Some(invocation));
            }
            Event::Attached { reaction, promise } => {
                attached.insert(reaction, (now.expect("in an invocation"), promise));
            }
            Event::Settled { promise } => {
                let before = settled.insert(promise, now.expect("in an invocation"));
                assert_eq!(before, None, "a promise is settled once");
            }
            Event::Reacted { reaction } => {
                reacted.insert(now.expect("in an invocation"), reaction);
            }
            // What the machine queues itself is linked where it was put there.
            Event::Released { by, .. } | Event::Requested { by, .. } => {
                assert_eq!(Some(by), now);
            }
            Event::Queued { link, .. } => assert!(now.is_none_or(|now| now == link)),
            _ => {}
        }
    }
    for (invocation, reaction) in &reacted {
        let (by, promise) = attached[reaction];
        let cause = promise.map_or(by, |promise| settled[&promise]);
        assert_eq!(told[invocation], (by, cause), "link and cause of {invocation}");
    }
    reacted.len()
}
