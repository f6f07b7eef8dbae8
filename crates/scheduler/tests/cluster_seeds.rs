//! Many lives of four nodes on tables in memory, each decided by a seed: crashes, pauses longer than the lease, lost
//! questions and answers, a database that is away, clocks of nodes that are an hour wrong. What they tell is held to
//! the theory (rule CLUS-7), and so is what broken implementations tell: each of them must be found out.
//!
//! The nodes here do what `internal/scheduler/cluster.js` does. `scripts/cluster-seeds --lives` tries many more.

use hemiola_monitor::theory::{Theory, Verdict};
use hemiola_scheduler::Contract;
use hemiola_scheduler::cluster::{Holder, Member, Memory, Op, Tables, perform};
use hemiola_trace::cluster::{ClusterFact, Told};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const START: i64 = 1_704_067_230_000;
const LEASE: i64 = 3_000;
const STEP: i64 = 20;
const LENGTH: i64 = 100_000;
const HOUR: i64 = 3_600_000;
const TASKS: usize = 12;

/// A mistake that an implementation could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mutant {
    /// An end counts for whoever holds a lease, whatever its fence is.
    NoFence,
    /// An end counts though its node has no lease, and whatever its fence is.
    BlindEnd,
    /// What is due is decided by the clock of the node.
    NodeClock,
    /// A node may start something though its lease has run out.
    NoLease,
    /// Nobody looks by itself, and notifications are lost.
    NoPolling,
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % end.unsigned_abs()) as i64
    }

    fn once_in(&mut self, times: i64) -> bool {
        self.below(times) == 0
    }
}

#[derive(Default)]
struct Node {
    /// Its number, while it holds its lease as far as it knows.
    me: Option<i64>,
    safe_until: i64,
    renew: i64,
    claim: Option<i64>,
    /// Its runs by fence: which task, until when, and who it was when it started them.
    runs: BTreeMap<i64, (String, i64, i64)>,
    is_unsure: bool,
    /// Until when it is dead, stands still, or has no database.
    dead: i64,
    still: i64,
    cut: i64,
    clock: i64,
    served: Option<i64>,
    heard: Option<[i64; 2]>,
}

struct World {
    tables: Memory,
    mutant: Option<Mutant>,
    random: Numbers,
    now: i64,
    down: i64,
    nodes: Vec<Node>,
    told: Vec<Told>,
}

impl World {
    fn new(seed: u64, mutant: Option<Mutant>) -> Self {
        let mut random = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..8).for_each(|_| _ = random.below(2));
        let nodes = [0, HOUR, 0, -HOUR].map(|clock| Node { clock, ..Node::default() }).into();
        Self {
            tables: Memory::default(),
            mutant,
            random,
            now: START,
            down: 0,
            nodes,
            told: Vec::new(),
        }
    }

    /// One transaction, as the mistake makes it.
    fn perform(&mut self, at: usize, op: &Op) -> (Value, bool) {
        self.tables.now = self.now;
        if self.mutant == Some(Mutant::NodeClock) {
            self.tables.now += self.nodes[at].clock;
        }
        // Whoever has no lease is let in for the moment, and told with the lease that it has not.
        let lapsed = match op {
            Op::Claim { me, .. } if self.mutant == Some(Mutant::NoLease) => Some(*me),
            Op::Ends { me, .. } if self.mutant == Some(Mutant::BlindEnd) => Some(*me),
            _ => None,
        };
        let Ok(members) = self.tables.members();
        let holds = |me: i64| {
            members.iter().any(|member| member.incarnation == me && member.until > self.now)
        };
        let lapsed = lapsed.filter(|me| !holds(*me));
        if let Some((me, like)) = lapsed.zip(members.first()) {
            let longer = Member { incarnation: me, until: self.now + 1, ..like.clone() };
            let Ok(()) = self.tables.put_member(&longer);
        }
        let mut op = op.clone();
        if let Op::Ends { me, ends, .. } = &mut op
            && matches!(self.mutant, Some(Mutant::NoFence | Mutant::BlindEnd))
            && let Ok(Some(mut row)) = self.tables.task(&ends[0].id)
            && row.run.is_some()
        {
            if self.mutant == Some(Mutant::NoFence) {
                // By who the node is now.
                *me = self.nodes[at].me.unwrap_or(*me);
            }
            row.run = Some(Holder { incarnation: *me, fence: ends[0].fence });
            let Ok(()) = self.tables.put_task(&row);
        }
        let done = perform(&mut self.tables, &op).expect("tables in memory do not fail");
        let mut reply = done.reply;
        if let Some(me) = lapsed {
            let Ok(()) = self.tables.drop_member(me);
            for fact in reply["facts"].as_array_mut().into_iter().flatten() {
                if fact["me"] == me && fact.get("fence").is_some() {
                    fact["until"] = self.now.into();
                }
            }
        }
        (reply, done.tells)
    }

    /// Asks the database; nothing if there is no answer.
    fn ask(&mut self, at: usize, op: Value) -> Option<Value> {
        let now = self.now;
        let is_away = now < self.down || now < self.nodes[at].cut;
        if is_away && !self.random.once_in(8) {
            (self.nodes[at].served, self.nodes[at].heard) = (None, None);
            return None;
        }
        let op = Op::read(&op.to_string()).expect("it is a question");
        let (reply, tells) = self.perform(at, &op);
        let is_deaf = self.mutant == Some(Mutant::NoPolling) || self.random.once_in(4);
        if tells && !is_deaf {
            for other in (0..self.nodes.len()).filter(|other| *other != at) {
                self.nodes[other].claim = Some(now);
            }
        }
        // The answer is lost, or the node dies before it has told what it was told.
        if is_away || self.random.once_in(300) {
            (self.nodes[at].served, self.nodes[at].heard) = (None, None);
            if self.random.once_in(2) {
                self.kill(at);
            }
            return None;
        }
        let facts: Vec<Told> = serde_json::from_value(reply["facts"].clone()).expect("facts");
        self.told.extend(facts);
        let node = &mut self.nodes[at];
        let n = reply["n"].as_i64().expect("a number");
        node.heard = Some([node.heard.map_or(n, |[first, _]| first), n]);
        // Who has zombies does not start them beside themselves.
        let has_zombies = node.runs.values().any(|(_, _, by)| Some(*by) != node.me);
        match (node.me, node.served.replace(now)) {
            (Some(me), Some(since)) if reply["lost"].is_null() && !has_zombies => {
                self.told.push(Told { n, at: now, what: ClusterFact::Served { me, since } });
            }
            _ => {}
        }
        Some(reply)
    }

    fn kill(&mut self, at: usize) {
        let dead = self.now + 100 + self.random.below(2 * LEASE);
        let clock = self.nodes[at].clock;
        self.nodes[at] = Node { dead, clock, ..Node::default() };
    }

    fn join(&mut self, at: usize) {
        // Two of them keep their names.
        let name = if at < 2 { format!("node-{at}") } else { format!("node-{at}-{}", self.now) };
        let task = |number: usize| {
            let cron = if number.is_multiple_of(2) { "* * * * *" } else { "0 12 * * *" };
            json!({ "id": format!("t{number}"), "cron": cron, "zone": "UTC", "dst": "theory", "retryDelay": 400, "jitter": 0 })
        };
        let list: Vec<Value> = (0..TASKS).map(task).collect();
        let sent = self.now;
        let op =
            json!({ "op": "join", "node": name, "lease": LEASE, "list": list, "generation": 1 });
        let Some(joined) = self.ask(at, op) else {
            return;
        };
        let node = &mut self.nodes[at];
        node.me = joined["me"].as_i64();
        (node.safe_until, node.renew) = (sent + LEASE * 9 / 10, sent + LEASE / 3);
        (node.claim, node.is_unsure, node.served) = (Some(sent), false, Some(sent));
    }

    fn lose(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        (node.me, node.served) = (None, None);
        // Some are zombies, which go on for a while.
        for (_, until, _) in node.runs.values_mut() {
            *until += 2_000;
        }
    }

    fn renew(&mut self, at: usize, me: i64) {
        let (sent, heard) = (self.now, self.nodes[at].heard);
        let Some(reply) = self.ask(at, json!({ "op": "renew", "me": me, "heard": heard })) else {
            self.nodes[at].renew = sent + LEASE / 6;
            return;
        };
        if reply["lost"] == true {
            return self.lose(at);
        }
        let node = &mut self.nodes[at];
        (node.safe_until, node.renew) = (sent + LEASE * 9 / 10, sent + LEASE / 3);
        if self.mutant != Some(Mutant::NoPolling) {
            node.claim = if node.is_unsure { Some(sent) } else { reply["next"].as_i64() };
        }
    }

    fn claim(&mut self, at: usize, me: i64) {
        let node = &mut self.nodes[at];
        let zombies = node.runs.values().filter(|(_, _, by)| *by != me);
        let but: Vec<&String> = zombies.map(|(id, ..)| id).collect();
        let own = node.runs.iter().filter(|(_, (_, _, by))| *by == me);
        let holds: Vec<i64> = own.map(|(fence, _)| *fence).collect();
        let holds = node.is_unsure.then_some(holds);
        let heard = node.heard;
        let op = json!({ "op": "claim", "me": me, "most": 3, "but": but, "holds": holds, "heard": heard });
        let Some(reply) = self.ask(at, op) else {
            let node = &mut self.nodes[at];
            (node.claim, node.is_unsure) = (Some(self.now + LEASE / 6), true);
            return;
        };
        if reply["lost"] == true {
            return self.lose(at);
        }
        let node = &mut self.nodes[at];
        node.is_unsure = false;
        let starts = reply["starts"].as_array().cloned().unwrap_or_default();
        node.claim = if starts.is_empty() { reply["next"].as_i64() } else { Some(self.now) };
        for start in starts {
            let (id, fence) = (start["id"].as_str().expect("an id"), start["fence"].as_i64());
            let until = self.now + self.random.below(2_500);
            self.nodes[at].runs.insert(fence.expect("a fence"), (id.to_owned(), until, me));
        }
    }

    fn end(&mut self, at: usize) {
        let over = |(_, (_, until, _)): &(&i64, &(String, i64, i64))| *until <= self.now;
        let over: Vec<i64> =
            self.nodes[at].runs.iter().filter(over).map(|(fence, _)| *fence).collect();
        for fence in over {
            // It may have been killed meanwhile.
            let Some((id, _, me)) = self.nodes[at].runs.get(&fence).cloned() else { return };
            let error = self.random.once_in(8).then_some("by chance");
            let ends = [json!({ "id": id, "fence": fence, "error": error })];
            let heard = self.nodes[at].heard;
            let op = json!({ "op": "ends", "me": me, "ends": ends, "keep": 5, "heard": heard });
            match self.ask(at, op) {
                Some(_) => {
                    self.nodes[at].runs.remove(&fence);
                    self.nodes[at].claim = Some(self.now);
                }
                None => {
                    if let Some(run) = self.nodes[at].runs.get_mut(&fence) {
                        run.1 = self.now + LEASE / 6;
                    }
                }
            }
        }
    }

    /// What a node does now.
    fn turn(&mut self, at: usize) {
        let (now, node) = (self.now, &self.nodes[at]);
        if now < node.dead || now < node.still {
            return;
        }
        self.end(at);
        let Some(me) = self.nodes[at].me else {
            if self.nodes[at].dead <= now {
                self.join(at);
            }
            return;
        };
        let is_blind = self.mutant == Some(Mutant::NoLease);
        if is_blind && self.nodes[at].claim.is_some_and(|claim| claim <= now) {
            self.claim(at, me);
        }
        if now >= self.nodes[at].safe_until && !is_blind {
            return self.lose(at);
        }
        if now >= self.nodes[at].renew {
            self.renew(at, me);
        }
        if self.nodes[at].me == Some(me) && self.nodes[at].claim.is_some_and(|claim| claim <= now) {
            self.claim(at, me);
        }
    }

    /// Something may go wrong.
    fn chance(&mut self) {
        let at = self.random.below(self.nodes.len() as i64) as usize;
        let length = self.random.below(2 * LEASE);
        match self.random.below(2_500) {
            0..8 => self.kill(at),
            8..16 => {
                self.nodes[at].still = self.now + LEASE + length;
                self.nodes[at].served = None;
            }
            16..24 => self.nodes[at].cut = self.now + length,
            24..28 => self.down = self.now + length,
            // Whoever stands still asks nothing.
            28..60 if self.now >= self.nodes[at].still => {
                let task = self.random.below(TASKS as i64);
                self.ask(at, json!({ "op": "trigger", "id": format!("t{task}") }));
            }
            _ => {}
        }
    }

    /// Lives to its end, and gives the axioms that are violated.
    fn live(mut self) -> (Vec<String>, usize) {
        let end = START + LENGTH;
        self.join(0);
        while self.now < end {
            self.now += STEP;
            self.chance();
            let first = self.random.below(4) as usize;
            for at in 0..4 {
                self.turn((first + at) % 4);
            }
        }
        let starts =
            self.told.iter().filter(|told| matches!(told.what, ClusterFact::Started { .. }));
        let starts = starts.count();
        let theory = Theory::of_clusters();
        let report = Contract::of_cluster(theory, theory.params(), self.told).report();
        let violated = report.verdicts.into_iter().filter_map(|(axiom, verdict)| {
            matches!(verdict, Verdict::Violated(_)).then_some(axiom.name)
        });
        (violated.collect(), starts)
    }
}

/// What somebody asks for who runs it by hand: which seeds, and which mistake.
#[expect(clippy::disallowed_methods, reason = "whoever runs it by hand says for how long")]
fn asked(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

const MUTANTS: [(Mutant, &str, &str); 5] = [
    (Mutant::NoFence, "no-fence", "C6"),
    (Mutant::BlindEnd, "blind-end", "C7"),
    (Mutant::NodeClock, "node-clock", "D1"),
    (Mutant::NoLease, "no-lease", "C5"),
    (Mutant::NoPolling, "no-polling", "L1"),
];

#[test]
fn no_life_violates_the_theory() {
    let seeds = asked("CLUSTER_SEEDS").unwrap_or_else(|| "1..6".into());
    let (first, last) = seeds.split_once("..").expect("seeds are FIRST..LAST");
    let seeds = first.parse().expect("a number")..=last.parse().expect("a number");
    let mutant = asked("CLUSTER_MUTANT").map(|asked| {
        MUTANTS.iter().find(|(_, name, _)| *name == asked).expect("there is such a mutant").0
    });
    let (mut starts, mut found) = (0, Vec::new());
    for seed in seeds {
        let (violated, count) = World::new(seed, mutant).live();
        starts += count;
        if !violated.is_empty() {
            found.push((seed, violated));
        }
    }
    println!("{starts} starts, {} lives that violate the theory", found.len());
    assert!(starts > 100, "{starts}");
    assert_eq!(found, []);
}

/// Each of them is found out by the axiom that is about it.
#[test]
fn every_mistake_is_found_out() {
    for (mutant, name, axiom) in MUTANTS {
        let is_found = |seed: &u64| {
            let (violated, _) = World::new(*seed, Some(mutant)).live();
            violated.iter().any(|name| name == axiom)
        };
        assert!((1..=12).any(|seed| is_found(&seed)), "{name}");
    }
}
