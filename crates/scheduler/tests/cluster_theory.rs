//! What nodes tell of their database, held to the theory of clusters (rule CLUS-7): a story that is right, and the same
//! with one thing wrong for each axiom.

use hemiola_monitor::theory::{Params, Theory, Verdict};
use hemiola_scheduler::Contract;
use hemiola_scheduler::cluster::{Memory, Op, perform};
use hemiola_trace::cluster::{ClusterFact, Told};
use serde_json::{Value, json};

/// 2024-01-01T00:00:30Z.
const START: i64 = 1_704_067_230_000;
const LEASE: i64 = 10_000;

/// A cluster whose nodes tell everything.
#[derive(Default)]
struct Story {
    tables: Memory,
    told: Vec<Told>,
}

impl Story {
    fn ask(&mut self, at: i64, op: Value) -> Value {
        self.tables.now = START + at;
        let op = Op::read(&op.to_string()).expect("it is a question");
        let reply = perform(&mut self.tables, &op).expect("tables in memory do not fail").reply;
        let facts: Vec<Told> = serde_json::from_value(reply["facts"].clone()).expect("facts");
        self.told.extend(facts);
        reply
    }

    fn join(&mut self, at: i64, node: &str) -> i64 {
        let task = |id: &str, cron: &str| json!({ "id": id, "cron": cron, "zone": "UTC", "dst": "theory", "retryDelay": 5000, "jitter": 0 });
        let list = [task("a", "* * * * *"), task("b", "0 12 * * *")];
        let join =
            json!({ "op": "join", "node": node, "lease": LEASE, "list": list, "generation": null });
        self.ask(at, join)["me"].as_i64().expect("a number")
    }

    fn renew(&mut self, at: i64, me: i64) {
        assert!(self.ask(at, json!({ "op": "renew", "me": me }))["until"].is_i64());
    }

    /// Starts what is to start, and gives the fences.
    fn claim(&mut self, at: i64, me: i64) -> Vec<i64> {
        let reply =
            self.ask(at, json!({ "op": "claim", "me": me, "most": 9, "but": [], "holds": null }));
        reply["starts"]
            .as_array()
            .expect("starts")
            .iter()
            .map(|start| start["fence"].as_i64().unwrap())
            .collect()
    }

    fn end(&mut self, at: i64, me: i64, id: &str, fence: i64, error: Option<&str>) -> bool {
        let end =
            json!({ "op": "end", "me": me, "id": id, "fence": fence, "error": error, "keep": 9 });
        self.ask(at, end)["accepted"] == true
    }

    /// Some node could start something all the time.
    fn served(&mut self, since: i64, at: i64, me: i64) {
        let n = self.told.last().expect("something was told").n;
        let what = ClusterFact::Served { me, since: START + since };
        self.told.push(Told { n, at: START + at, what });
    }
}

/// Node one starts `a` and goes silent; node two takes over, fails, tries again and succeeds; the end of node one
/// does not count; somebody asks for `b`.
fn story() -> Vec<Told> {
    let mut story = Story::default();
    let one = story.join(0, "one");
    let two = story.join(100, "two");
    assert_eq!(story.claim(200, one), [1]);
    for at in (3_000..=9_000).step_by(3_000) {
        story.renew(at, two);
    }
    // The lease of node one ran out at 10 s.
    assert_eq!(story.claim(11_000, two), [2]);
    assert!(!story.end(11_500, one, "a", 1, None));
    assert!(story.end(12_000, two, "a", 2, Some("no")));
    story.renew(14_000, two);
    assert_eq!(story.claim(17_000, two), [3]);
    assert!(story.end(17_100, two, "a", 3, None));
    story.renew(20_000, two);
    story.ask(21_000, json!({ "op": "trigger", "id": "b" }));
    assert_eq!(story.claim(21_500, two), [4]);
    assert!(story.end(22_000, two, "b", 4, None));
    story.renew(26_000, two);
    assert_eq!(story.claim(30_100, two), [5]);
    story.renew(32_000, two);
    story.served(100, 35_000, two);
    story.told
}

/// The axioms that what was told violates, and how many numbers are missing.
fn violated(told: Vec<Told>) -> (Vec<String>, usize) {
    let theory = Theory::of_clusters();
    let mut contract = Contract::of_cluster(theory, theory.params(), told);
    let report = contract.report();
    let is_violated = |verdict: &Verdict| matches!(verdict, Verdict::Violated(_));
    let names = report.verdicts.iter().filter(|(_, verdict)| is_violated(verdict));
    let names = names.map(|(axiom, _)| axiom.name.clone()).collect();
    (names, hemiola_monitor::theory::Story::supernatural(&contract).len())
}

#[test]
fn what_is_right_holds() {
    assert_eq!(violated(story()), (vec![], 0));
    // Whose trace comes first does not matter.
    assert_eq!(violated(story().into_iter().rev().collect()), (vec![], 0));
}

/// A node that is killed may not have told the last thing that it was told: the next fact has it, too.
#[test]
fn what_nobody_lived_to_tell_is_known_by_the_next_fact() {
    let told = story();
    for lost in ["Started", "Succeeded", "Failed", "Interrupted", "Triggered"] {
        let at = told.iter().position(|told| told.what.name() == lost).expect("there is one");
        let mut damaged = told.clone();
        damaged.remove(at);
        assert_eq!(violated(damaged), (vec![], 0), "{lost}");
    }
    // The last fact about a task has none after it; a loss in the midst is told.
    let lost = told.iter().position(|told| told.what.name() == "Lost").expect("there is one");
    let mut damaged = told.clone();
    damaged.remove(lost);
    assert_eq!(violated(damaged).1, 1);
}

/// Several facts about one task in a row may be told by nobody who lived: the next one has all of them. What a node says
/// that it has told on, no other brings along.
#[test]
fn what_nobody_lived_to_tell_may_be_more_than_one_fact() {
    let mut story = Story::default();
    let one = story.join(0, "one");
    assert_eq!(story.claim(100, one), [1]);
    let two = story.join(200, "two");
    story.renew(9_000, two);
    let known = story.told.len();
    // Node three notices that node one is no more, starts what it ran, and dies with the answers.
    let three = story.join(11_000, "three");
    assert_eq!(story.claim(11_100, three), [2]);
    story.ask(11_200, json!({ "op": "trigger", "id": "a" }));
    story.told.truncate(known);
    for at in (14_000..=20_000).step_by(3_000) {
        story.renew(at, two);
    }
    assert_eq!(story.claim(22_000, two), [3]);
    assert!(story.end(22_100, two, "a", 3, Some("no")));
    story.served(200, 26_000, two);
    assert_eq!(violated(story.told.clone()).0, Vec::<String>::new());
    let mut facts = story.told.iter_mut().rev();
    let ended = facts.find(|told| told.what.name() == "Failed").expect("it failed");
    let chain = |told: &mut Told| {
        let (mut names, mut before) = (vec![], told.what.before().and_then(Option::take));
        while let Some(mut told) = before {
            names.push(told.what.name());
            before = told.what.before().and_then(Option::take);
        }
        names
    };
    assert_eq!(
        chain(ended),
        ["Started", "Interrupted", "Triggered", "Started", "Interrupted", "Started"]
    );
    // It says that it has heard of everything that it was told.
    let last = ended.n;
    story.renew(27_000, two);
    let heard = json!({ "op": "claim", "me": two, "most": 9, "but": [], "holds": null, "heard": [0, last] });
    assert_eq!(story.ask(28_000, heard)["starts"][0]["fence"], 4);
    let started = story.told.last_mut().expect("it started");
    assert_eq!(chain(started), ["Failed"]);
}

/// A trace may begin when there is something in the tables.
#[test]
fn a_trace_may_begin_in_the_midst() {
    let mut story = Story::default();
    let one = story.join(0, "one");
    assert_eq!(story.claim(200, one), [1]);
    story.ask(300, json!({ "op": "trigger", "id": "b" }));
    story.told.clear();
    let two = story.join(11_000, "two");
    assert_eq!(story.claim(11_100, two), [2, 3]);
    assert!(story.end(11_200, two, "a", 3, None));
    story.served(11_000, 19_000, two);
    assert_eq!(violated(story.told), (vec![], 0));
}

/// Every axiom is violated by something.
#[test]
fn every_axiom_can_be_violated() {
    let told = story();
    let nth = |name: &str, nth: usize| {
        let mut found = told.iter().enumerate().filter(|(_, told)| told.what.name() == name);
        found.nth(nth).expect("there is one").0
    };
    let changed = |name: &str, of: usize, change: &dyn Fn(&mut Told)| {
        let mut told = told.clone();
        change(&mut told[nth(name, of)]);
        violated(told).0
    };
    let broken = |axiom: &str, found: Vec<String>| {
        assert!(found.iter().any(|name| name == axiom), "{axiom}: {found:?}");
    };
    broken("D1", changed("Succeeded", 0, &|told| told.at -= 5_000));
    // A start of what nobody owes.
    let start = |told: &mut Told, id: &str| {
        let (me, fence, until) = (2, 99, told.at + 5_000);
        let id = id.into();
        told.what =
            ClusterFact::Started { id, me, fence, due: None, attempt: 1, until, before: None };
    };
    broken("C1", changed("Triggered", 0, &|told| start(told, "b")));
    broken("C3", changed("Failed", 0, &|told| start(told, "a")));
    // Twice for one due: it succeeded already when it failed.
    let twice = changed("Failed", 0, &|told| {
        if let ClusterFact::Ended { failed, retry, .. } = &mut told.what {
            (*failed, *retry) = (false, None);
        }
    });
    broken("C2", twice.clone());
    broken("C1", twice);
    let fence = |told: &mut Told, to: i64| match &mut told.what {
        ClusterFact::Started { fence, .. } | ClusterFact::Ended { fence, .. } => *fence = to,
        other => panic!("{other:?} has no fence"),
    };
    broken("C4", changed("Started", 1, &|told| fence(told, 1)));
    let lapsed = |told: &mut Told| match &mut told.what {
        ClusterFact::Started { until, .. } | ClusterFact::Ended { until, .. } => *until = told.at,
        other => panic!("{other:?} has no lease"),
    };
    broken("C5", changed("Started", 2, &lapsed));
    broken("C6", changed("Succeeded", 0, &|told| fence(told, 2)));
    broken("C7", changed("Succeeded", 0, &lapsed));
    let mut refused = told.clone();
    let ended = &told[nth("Succeeded", 0)];
    let what = ClusterFact::Refused { id: "a".into(), me: 2, fence: 3 };
    refused.push(Told { n: ended.n - 1, at: ended.at, what });
    assert_eq!(violated(refused).0, ["C8"]);
    broken("C9", changed("Interrupted", 0, &|told| told.at -= 2_000));
    // Nobody starts what is asked for, though somebody could.
    let mut idle = told.clone();
    idle.truncate(nth("Triggered", 0) + 1);
    let at = idle.last().expect("a fact").at;
    let since = told[0].at;
    let served = |at: i64| Told { n: 999, at, what: ClusterFact::Served { me: 2, since } };
    let with = |at: i64| [idle.clone(), vec![served(at)]].concat();
    assert_eq!(violated(with(at + LEASE + 900)).0, Vec::<String>::new());
    assert_eq!(violated(with(at + LEASE + 1_100)).0, ["L1"]);
    // Nobody notices that node one is no more.
    let mut unnoticed = told.clone();
    unnoticed.truncate(nth("Started", 0) + 1);
    unnoticed.push(served(START + 2 * LEASE + 900));
    assert_eq!(violated(unnoticed.clone()).0, Vec::<String>::new());
    unnoticed.push(served(START + 2 * LEASE + 1_100));
    assert_eq!(violated(unnoticed).0, ["L2"]);
}

/// One node by itself is held to what needs no other.
#[test]
fn a_node_is_judged_while_it_runs() {
    let told = story();
    let run = |change: &dyn Fn(&mut Told)| {
        let mut contract = Contract::of_node(Theory::of_clusters());
        for told in told.iter().filter(|told| !matches!(told.what, ClusterFact::Refused { .. })) {
            let mut told = told.clone();
            change(&mut told);
            contract.tell_of_node(&told);
        }
        let found = contract.violations();
        assert_eq!(contract.violates(), !found.is_empty());
        found.into_iter().map(|(axiom, _)| axiom.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(run(&|_| {}), Vec::<String>::new());
    let early = run(&|told| {
        if let ClusterFact::Started { fence: 3, until, .. } = &mut told.what {
            *until = told.at;
        }
    });
    assert_eq!(early, ["C5"]);
    let again = run(&|told| {
        if let ClusterFact::Started { fence, .. } = &mut told.what {
            *fence = 1;
        }
    });
    assert_eq!(again[0], "C4");
}

/// The budget is the lease and what the theory says, or what is asked for.
#[test]
fn the_lease_is_part_of_the_budget() {
    let theory = Theory::of_clusters();
    let params = Params { a: 0, b: 5, tlag: 0 };
    let report = Contract::of_cluster(theory, params, story()).report();
    assert_eq!(report.params.b, 5 + LEASE as u64);
    assert!(report.needs.b < LEASE as u64, "{:?}", report.needs);
}

impl Story {
    /// Nobody tells what happens meanwhile.
    fn untold<R>(&mut self, happens: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.told.len();
        let result = happens(self);
        self.told.truncate(before);
        result
    }

    /// A node keeps its lease for a minute, and could start something all the time.
    fn a_minute_later(&mut self, since: i64, me: i64) {
        for at in (since..=since + 60_000).step_by(3_000) {
            self.renew(at, me);
        }
        self.served(0, since + 60_000, me);
    }
}

/// Somebody pauses a task, and dies before it could tell; a node that joins finds it paused. Nobody is blamed for not
/// starting it.
#[test]
fn a_pause_that_nobody_told_is_found_by_who_joins() {
    let mut story = Story::default();
    let one = story.join(0, "one");
    assert_eq!(story.claim(200, one), [1]);
    assert!(story.end(300, one, "a", 1, None));
    let pause = json!({ "op": "pause", "id": "a", "paused": true });
    assert_eq!(story.untold(|story| story.ask(400, pause))["found"], true);
    story.renew(3_000, one);
    story.join(4_000, "two");
    // It is due at 30 s.
    story.a_minute_later(6_000, one);
    assert_eq!(violated(story.told.clone()).0, [""; 0]);
    // Without the one who joined, those who renew their leases find that nothing is owed.
    story
        .told
        .retain(|told| !matches!(&told.what, ClusterFact::Joined { node, .. } if node == "two"));
    assert_eq!(violated(story.told.clone()).0, [""; 0]);
    // If they do not, nothing excuses it.
    for told in &mut story.told {
        if let ClusterFact::Renewed { owed, .. } = &mut told.what {
            *owed = 1;
        }
    }
    assert_eq!(violated(story.told).0, ["L1"]);
}

/// A paused task that was asked for is started and interrupted, which nobody tells: it stays interrupted while it is paused.
#[test]
fn a_run_that_nobody_told_is_found_by_who_joins() {
    let mut story = Story::default();
    let one = story.join(0, "one");
    let two = story.join(100, "two");
    assert_eq!(story.claim(200, one), [1]);
    assert!(story.end(300, one, "a", 1, None));
    story.ask(400, json!({ "op": "pause", "id": "a", "paused": true }));
    story.ask(500, json!({ "op": "trigger", "id": "a" }));
    assert_eq!(story.untold(|story| story.claim(600, two)), [2]);
    for at in (3_000..=9_000).step_by(3_000) {
        story.renew(at, one);
    }
    // The lease of node two has run out.
    story.untold(|story| story.renew(11_000, one));
    story.join(12_000, "three");
    story.a_minute_later(13_000, one);
    assert_eq!(violated(story.told).0, [""; 0]);
}

/// A node whose lease has run out is told that its end does not count; who noticed that before did not tell.
#[test]
fn an_end_is_refused_though_nobody_told_why() {
    let mut story = Story::default();
    let one = story.join(0, "one");
    let two = story.join(100, "two");
    assert_eq!(story.claim(200, two), [1]);
    for at in (3_000..=9_000).step_by(3_000) {
        story.renew(at, one);
    }
    story.untold(|story| story.renew(11_000, one));
    assert!(!story.end(11_500, two, "a", 1, None));
    assert_eq!(violated(story.told.clone()).0, [""; 0]);
    // If nothing is missing, it was refused for no reason.
    let mut all = Story::default();
    let two = all.join(100, "two");
    assert_eq!(all.claim(200, two), [1]);
    let n = all.told.last().expect("something was told").n;
    let what = ClusterFact::Refused { id: "a".into(), me: two, fence: 1 };
    all.told.push(Told { n, at: START + 300, what });
    assert_eq!(violated(all.told).0, ["C8"]);
}
