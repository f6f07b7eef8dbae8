//! Schedulers of several nodes on tables in memory: rules CLUS-1 to CLUS-6.

use hemiola_scheduler::cluster::{Done, Failure, Memory, Op, perform};
use serde_json::{Value, json};

/// 2024-01-01T00:00:30Z.
const START: i64 = 1_704_067_230_000;
const MINUTE: i64 = 60_000;

/// A cluster, and the clock of its database.
#[derive(Default)]
struct Cluster(Memory);

impl Cluster {
    fn new() -> Self {
        let mut cluster = Self::default();
        cluster.at(START);
        cluster
    }

    fn at(&mut self, now: i64) -> &mut Self {
        self.0.now = now;
        self
    }

    fn done(&mut self, op: &Value) -> Done {
        let op = Op::read(&op.to_string()).expect("it is a question");
        perform(&mut self.0, &op).expect("tables in memory do not fail")
    }

    fn ask(&mut self, op: Value) -> Value {
        self.done(&op).reply
    }

    fn join(&mut self, node: &str, list: &Value, generation: Option<i64>) -> Value {
        self.ask(json!({ "op": "join", "node": node, "lease": 1000, "list": list, "generation": generation }))
    }

    fn claim(&mut self, me: &Value) -> Value {
        self.ask(json!({ "op": "claim", "me": me, "most": 100, "but": [], "holds": null }))
    }

    fn end(&mut self, me: &Value, start: &Value, error: Option<&str>) -> Value {
        let (id, fence) = (&start["id"], &start["fence"]);
        self.ask(
            json!({ "op": "end", "me": me, "id": id, "fence": fence, "error": error, "keep": 10 }),
        )
    }

    fn outcomes(&mut self, id: &str) -> Vec<String> {
        let runs = self.ask(json!({ "op": "runs", "id": id, "most": 100 }));
        let word = |run: &Value| {
            format!(
                "{} {} {}",
                run["fence"],
                run["node"].as_str().unwrap(),
                run["outcome"].as_str().unwrap()
            )
        };
        runs["runs"].as_array().unwrap().iter().map(word).collect()
    }
}

fn task(id: &str, cron: &str) -> Value {
    json!({ "id": id, "cron": cron, "zone": "UTC", "dst": "theory", "retryDelay": 5000, "jitter": 0 })
}

fn ids(reply: &Value) -> Vec<&str> {
    reply["starts"].as_array().unwrap().iter().map(|start| start["id"].as_str().unwrap()).collect()
}

/// Rules CLUS-1 and CLUS-3: whoever asks first starts what is owed, and nobody else does.
#[test]
fn a_due_is_started_by_one_node() {
    let mut cluster = Cluster::new();
    let list = json!([task("a", "1 0 * * *"), task("b", "2 0 * * *")]);
    let one = cluster.join("one", &list, None);
    let two = cluster.join("two", &list, None);
    assert_eq!(one["differences"]["added"], json!(["a", "b"]));
    assert_eq!(two["differences"]["added"], json!([]));
    assert_eq!(two["force"]["mine"], true);
    let early = cluster.claim(&one["me"]);
    assert_eq!((ids(&early), &early["next"]), (vec![], &json!(START + MINUTE / 2)));
    cluster.at(START + 900).ask(json!({ "op": "renew", "me": one["me"] }));
    cluster.at(START + 950).ask(json!({ "op": "renew", "me": two["me"] }));
    // A lease of a second is over by then: both have crashed, as far as anybody can know.
    let late = cluster.at(START + MINUTE / 2).claim(&one["me"]);
    assert_eq!(late["lost"], true);
    let one = cluster.join("one", &list, None);
    let two = cluster.join("two", &list, None);
    let started = cluster.claim(&two["me"]);
    assert_eq!(ids(&started), ["a"]);
    assert_eq!(ids(&cluster.claim(&one["me"])), Vec::<&str>::new());
    let start = &started["starts"][0];
    assert_eq!(
        (&start["due"], &start["attempt"], &start["fence"]),
        (&json!(START + MINUTE / 2), &json!(1), &json!(1))
    );
    assert_eq!(cluster.end(&two["me"], start, None)["accepted"], true);
    // An answer may be lost: who asks a second time is told the same.
    assert_eq!(cluster.end(&two["me"], start, None)["accepted"], true);
    assert_eq!(cluster.outcomes("a"), ["1 two success"]);
    assert_eq!(ids(&cluster.claim(&one["me"])), Vec::<&str>::new());
}

/// Who asks a second time because the answer was lost is told when a failed task is tried again, as at first.
#[test]
fn a_failure_that_is_told_twice_has_the_same_answer() {
    let mut cluster = Cluster::new();
    let one = cluster.join("one", &json!([task("a", "* * * * *")]), None);
    let started = cluster.claim(&one["me"]);
    let first = cluster.end(&one["me"], &started["starts"][0], Some("no"));
    assert_eq!((&first["accepted"], &first["retryAt"]), (&json!(true), &json!(START + 5000)));
    let again = cluster.end(&one["me"], &started["starts"][0], Some("no"));
    let facts = |reply: &Value| ["accepted", "retryAt", "dead"].map(|name| reply[name].clone());
    assert_eq!(facts(&again), facts(&first));
}

/// A task that wants labels is left to nodes that have all of them.
#[test]
fn a_task_waits_for_a_node_with_its_labels() {
    let mut cluster = Cluster::new();
    let mut wants = task("a", "* * * * *");
    wants["where"] = json!(["eu", "gpu"]);
    let list = json!([wants, task("b", "* * * * *")]);
    let mut join = |node: &str, labels: Value| {
        let join = json!({ "op": "join", "node": node, "lease": 1000, "list": list, "generation": null, "labels": labels });
        cluster.ask(join)["me"].clone()
    };
    let (one, two) = (join("one", json!(["gpu"])), join("two", json!(["us", "gpu", "eu"])));
    let first = cluster.claim(&one);
    assert_eq!((ids(&first), &first["next"]), (vec!["b"], &Value::Null));
    assert_eq!(ids(&cluster.claim(&two)), ["a"]);
}

/// Who spreads takes its share of what is to start, and leaves the rest to the other nodes.
#[test]
fn starts_are_spread() {
    let mut cluster = Cluster::new();
    let list: Vec<Value> = ["a", "b", "c", "d", "e"].map(|id| task(id, "* * * * *")).into();
    let nodes = ["one", "two", "three"].map(|node| cluster.join(node, &json!(list), None));
    let shares = nodes.map(|node| {
        let claim = json!({ "op": "claim", "me": node["me"], "most": 9, "but": [], "holds": null, "spread": true });
        ids(&cluster.ask(claim)).len()
    });
    assert_eq!(shares, [2, 1, 1]);
}

/// Rules CLUS-4 and CLUS-5: what a silent node ran starts again with a higher fence, and its end does not count.
#[test]
fn a_silent_node_has_crashed() {
    let mut cluster = Cluster::new();
    let list = json!([task("a", "* * * * *")]);
    let one = cluster.join("one", &list, None);
    let started = cluster.claim(&one["me"]);
    assert_eq!((ids(&started), &started["starts"][0]["pending"]), (vec!["a"], &json!("boot-due")));
    let two = cluster.at(START + 500).join("two", &list, None);
    assert_eq!(ids(&cluster.claim(&two["me"])), Vec::<&str>::new());
    cluster.at(START + 999).ask(json!({ "op": "renew", "me": two["me"] }));
    assert_eq!(ids(&cluster.claim(&two["me"])), Vec::<&str>::new());
    let again = cluster.at(START + 1000).claim(&two["me"]);
    let start = &again["starts"][0];
    assert_eq!((&start["pending"], &start["fence"]), (&json!("orphaned"), &json!(2)));
    assert_eq!(cluster.ask(json!({ "op": "renew", "me": one["me"] }))["lost"], true);
    assert_eq!(cluster.end(&one["me"], &started["starts"][0], None)["accepted"], false);
    assert_eq!(cluster.claim(&one["me"])["lost"], true);
    assert_eq!(cluster.end(&two["me"], start, None)["accepted"], true);
    assert_eq!(cluster.outcomes("a"), ["2 two success", "1 one interrupted"]);
    // With the fence of another run nothing ends.
    assert_eq!(cluster.end(&two["me"], &started["starts"][0], None)["accepted"], false);
}

/// A node that was started again under its name takes nobody's lease but its own.
#[test]
fn a_node_of_the_same_name_takes_over() {
    let mut cluster = Cluster::new();
    let list = json!([task("a", "* * * * *")]);
    let one = cluster.join("one", &list, None);
    let started = cluster.claim(&one["me"]);
    let again = cluster.join("one", &list, None);
    assert_eq!(again["differences"]["orphaned"], json!(["a"]));
    assert_eq!(cluster.end(&one["me"], &started["starts"][0], None)["accepted"], false);
    assert_eq!(ids(&cluster.claim(&again["me"])), ["a"]);
}

/// What a lost answer had started is started again, and nothing else is.
#[test]
fn who_missed_an_answer_says_what_it_holds() {
    let mut cluster = Cluster::new();
    let list = json!([task("a", "* * * * *"), task("b", "* * * * *")]);
    let one = cluster.join("one", &list, None);
    let held =
        cluster.ask(json!({ "op": "claim", "me": one["me"], "most": 1, "but": [], "holds": null }));
    assert_eq!(ids(&held), ["a"]);
    assert_eq!(ids(&cluster.claim(&one["me"])), ["b"]);
    let holds = json!([held["starts"][0]["fence"]]);
    let sure = cluster
        .ask(json!({ "op": "claim", "me": one["me"], "most": 9, "but": [], "holds": holds }));
    assert_eq!((ids(&sure), &sure["starts"][0]["fence"]), (vec!["b"], &json!(3)));
    assert_eq!(cluster.outcomes("a"), ["1 one running"]);
}

/// Rule CLUS-6: a younger list puts an older one out of force; its node finishes what it runs.
#[test]
fn a_younger_list_is_in_force() {
    let mut cluster = Cluster::new();
    let old = json!([task("a", "* * * * *"), task("gone", "* * * * *")]);
    let new = json!([task("a", "*/5 * * * *"), task("b", "* * * * *")]);
    let one = cluster.join("one", &old, Some(3));
    let started = cluster.claim(&one["me"]);
    assert_eq!(ids(&started), ["a", "gone"]);
    let two = cluster.join("two", &new, Some(4));
    let differences = &two["differences"];
    assert_eq!(differences["added"], json!(["b"]));
    assert_eq!(differences["removed"], json!(["gone"]));
    assert_eq!(differences["changed"][0]["id"], "a");
    let renewed = cluster.ask(json!({ "op": "renew", "me": one["me"] }));
    assert_eq!(renewed["force"], json!({ "mine": false, "generation": 4, "by": "two" }));
    assert_eq!(ids(&cluster.claim(&one["me"])), Vec::<&str>::new());
    for start in started["starts"].as_array().unwrap() {
        assert_eq!(cluster.end(&one["me"], start, None)["accepted"], true);
    }
    assert_eq!(cluster.outcomes("a"), ["1 one success"]);
    assert_eq!(cluster.outcomes("gone"), Vec::<String>::new());
    // An older one stands by; one with the same list goes on.
    let three = cluster.join("three", &old, Some(3));
    assert_eq!(three["force"]["mine"], false);
    assert_eq!(cluster.join("four", &new, Some(4))["force"]["mine"], true);
    assert_eq!(ids(&cluster.claim(&two["me"])), ["b"]);
    // The same generation with another list is a mistake, and changes nothing.
    let other =
        json!({ "op": "join", "node": "five", "lease": 1000, "list": old, "generation": 4 });
    let refused = perform(&mut cluster.0, &Op::read(&other.to_string()).unwrap());
    assert_eq!(refused, Err(Failure::OtherList { generation: 4, by: "four".into() }));
    // Nor does one that would have taken the place of a node, and what it runs.
    let other = json!({ "op": "join", "node": "two", "lease": 1000, "list": old, "generation": 4 });
    let before = cluster.ask(json!({ "op": "status" }));
    let nodes = cluster.ask(json!({ "op": "nodes" }));
    let refused = cluster.0.decide(&Op::read(&other.to_string()).unwrap());
    assert_eq!(refused, Err(Failure::OtherList { generation: 4, by: "four".into() }));
    assert_eq!(cluster.ask(json!({ "op": "status" })), before);
    assert_eq!(cluster.ask(json!({ "op": "nodes" })), nodes);
    // Without a generation it is the youngest.
    assert_eq!(cluster.join("six", &old, None)["force"]["mine"], true);
}

/// A task that was removed while it ran does not start beside itself when it comes back.
#[test]
fn a_task_that_comes_back_waits_for_its_run() {
    let mut cluster = Cluster::new();
    let with = json!([task("a", "* * * * *")]);
    let one = cluster.join("one", &with, Some(1));
    let started = cluster.claim(&one["me"]);
    cluster.join("two", &json!([task("b", "0 0 1 1 *")]), Some(2));
    let three = cluster.join("three", &with, Some(3));
    assert_eq!(three["differences"]["added"], json!(["a"]));
    assert_eq!(ids(&cluster.claim(&three["me"])), Vec::<&str>::new());
    assert_eq!(cluster.end(&one["me"], &started["starts"][0], None)["accepted"], true);
    assert_eq!(ids(&cluster.claim(&three["me"])), ["a"]);
}

/// Failures, triggers and pauses are everybody's.
#[test]
fn what_one_node_changes_the_others_see() {
    let mut cluster = Cluster::new();
    let list = json!([task("a", "0 12 * * *")]);
    let one = cluster.join("one", &list, None);
    let two = cluster.join("two", &list, None);
    let triggered = cluster.done(&json!({ "op": "trigger", "id": "a" }));
    assert!(triggered.tells && triggered.reply["found"] == true);
    assert_eq!(cluster.ask(json!({ "op": "trigger", "id": "x" }))["found"], false);
    let started = cluster.claim(&two["me"]);
    assert_eq!(started["starts"][0]["pending"], "triggered");
    let ended = cluster.at(START + 100).end(&two["me"], &started["starts"][0], Some("no"));
    assert_eq!(ended["next"], START + 100 + 5000);
    cluster.ask(json!({ "op": "pause", "id": "a", "paused": true }));
    let renew = |cluster: &mut Cluster, me: &Value| cluster.ask(json!({ "op": "renew", "me": me }));
    let mut now = START + 100;
    while now < START + 5_100 {
        now += 500;
        cluster.at(now);
        renew(&mut cluster, &one["me"]);
        assert_eq!(ids(&cluster.claim(&one["me"])), Vec::<&str>::new());
    }
    cluster.ask(json!({ "op": "pause", "id": "a", "paused": false }));
    let retried = cluster.claim(&one["me"]);
    assert_eq!(
        (&retried["starts"][0]["pending"], &retried["starts"][0]["attempt"]),
        (&json!("retry"), &json!(2))
    );
    let status = cluster.ask(json!({ "op": "status" }));
    assert_eq!(
        (&status["tasks"][0]["node"], &status["tasks"][0]["fence"]),
        (&json!("one"), &json!(2))
    );
}

/// A stop between the answer and the callback gives the run back.
#[test]
fn what_is_given_back_starts_elsewhere() {
    let mut cluster = Cluster::new();
    let list = json!([task("a", "* * * * *")]);
    let one = cluster.join("one", &list, None);
    let two = cluster.join("two", &list, None);
    let started = cluster.claim(&one["me"]);
    let fence = &started["starts"][0]["fence"];
    cluster.ask(json!({ "op": "give-back", "me": one["me"], "id": "a", "fence": fence }));
    assert_eq!(ids(&cluster.claim(&two["me"])), ["a"]);
    cluster.ask(json!({ "op": "leave", "me": two["me"] }));
    assert_eq!(ids(&cluster.claim(&one["me"])), ["a"]);
    assert_eq!(cluster.outcomes("a"), ["3 one running", "2 two interrupted", "1 one interrupted"]);
}

/// A job is started by one node, starts again elsewhere when that is lost, is refused a second time under its key, and
/// leaves its runs to its task.
#[test]
fn a_job_is_run_by_one_node() {
    let mut cluster = Cluster::new();
    let list = json!([task("mail", ""), task("other", "0 5 * * *")]);
    let one = cluster.join("one", &list, None);
    let two = cluster.join("two", &list, None);
    let enqueue = |key: Option<&str>, delay: i64| json!({ "op": "enqueue", "id": "mail", "payload": "7", "key": key, "at": null, "delay": delay });
    assert_eq!(cluster.ask(enqueue(Some("k"), 500))["job"], "@mail=k");
    assert_eq!(cluster.ask(enqueue(Some("k"), 0))["added"], false);
    let claim = |me: &Value, jobs: u32| json!({ "op": "claim", "me": me, "most": 9, "jobs": jobs, "but": [], "holds": null });
    let early = cluster.ask(claim(&one["me"], 9));
    assert_eq!((ids(&early), &early["next"]), (vec![], &json!(START + 500)));
    cluster.at(START + 500);
    // Who has no room for jobs is told of none, and is not told to ask again for them.
    let none = cluster.ask(claim(&one["me"], 0));
    assert_eq!(ids(&none), Vec::<&str>::new());
    assert_ne!(none["next"], json!(START + 500));
    let started = cluster.ask(claim(&one["me"], 9));
    let start = &started["starts"][0];
    assert_eq!((&start["id"], &start["pending"]), (&json!("@mail=k"), &json!("enqueued")));
    assert_eq!(start["job"], json!({ "task": "mail", "payload": "7", "key": "k" }));
    assert_eq!(ids(&cluster.ask(claim(&two["me"], 9))), Vec::<&str>::new());
    assert_eq!(cluster.ask(json!({ "op": "cancel", "id": "@mail=k" }))["changed"], false);
    cluster.at(START + 900).ask(json!({ "op": "renew", "me": two["me"] }));
    let again = cluster.at(START + 1_500).ask(claim(&two["me"], 9));
    let orphan = &again["starts"][0];
    assert_eq!((&orphan["pending"], &orphan["fence"]), (&json!("orphaned"), &json!(2)));
    assert_eq!(cluster.end(&one["me"], start, None)["accepted"], false);
    assert_eq!(cluster.end(&two["me"], orphan, None)["accepted"], true);
    // Told a second time, it is still accepted, though nothing is kept of the job.
    assert_eq!(cluster.end(&two["me"], orphan, None)["accepted"], true);
    assert_eq!(cluster.outcomes("mail"), ["2 two success", "1 one interrupted"]);
    assert_eq!(cluster.ask(enqueue(Some("k"), 0))["added"], true);
}

/// A job whose task is in no list any more waits until it is in one again.
#[test]
fn a_job_waits_for_its_task() {
    let mut cluster = Cluster::new();
    let with = json!([task("mail", "")]);
    let without = json!([task("other", "")]);
    cluster.join("one", &with, Some(1));
    let job = json!({ "op": "enqueue", "id": "mail", "payload": null, "key": "k", "at": 1, "delay": null });
    cluster.ask(job.clone());
    let claim = |me: &Value| json!({ "op": "claim", "me": me, "most": 9, "jobs": 9, "but": [], "holds": null });
    let two = cluster.join("two", &without, Some(2));
    let idle = cluster.ask(claim(&two["me"]));
    assert_eq!((ids(&idle), &idle["next"]), (vec![], &Value::Null));
    assert_eq!(cluster.ask(job)["found"], false);
    let three = cluster.join("three", &with, Some(3));
    assert_eq!(ids(&cluster.ask(claim(&three["me"]))), ["@mail=k"]);
}

/// A task that is tried as often as it may be is given up on all nodes, and tried again when one of them says so.
#[test]
fn a_due_is_given_up() {
    let mut cluster = Cluster::new();
    let mut a = task("a", "0 0 * * *");
    (a["attempts"], a["backoff"]) = (json!(2), json!(3));
    let one = cluster.join("one", &json!([a]), None);
    cluster.ask(json!({ "op": "trigger", "id": "a" }));
    let first = cluster.claim(&one["me"]);
    let failed = cluster.end(&one["me"], &first["starts"][0], Some("no"));
    assert_eq!((&failed["retryAt"], &failed["dead"]), (&json!(START + 5_000), &json!(false)));
    let one = cluster.at(START + 5_000).join("one", &json!([a]), None);
    let second = cluster.claim(&one["me"]);
    assert_eq!(second["starts"][0]["attempt"], 2);
    let failed = cluster.end(&one["me"], &second["starts"][0], Some("no"));
    assert_eq!((&failed["retryAt"], &failed["dead"]), (&Value::Null, &json!(true)));
    assert_eq!(ids(&cluster.claim(&one["me"])), Vec::<&str>::new());
    let status = cluster.ask(json!({ "op": "status" }));
    assert_eq!(
        (&status["tasks"][0]["dead"]["attempts"], &status["tasks"][0]["failures"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(cluster.ask(json!({ "op": "retry", "id": "a" }))["changed"], true);
    let again = cluster.claim(&one["me"]);
    assert_eq!(
        (&again["starts"][0]["pending"], &again["starts"][0]["attempt"]),
        (&json!("retry"), &json!(1))
    );
    cluster.end(&one["me"], &again["starts"][0], None);
    assert_eq!(cluster.ask(json!({ "op": "retry", "id": "a" }))["changed"], false);
}
