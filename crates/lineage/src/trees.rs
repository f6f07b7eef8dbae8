//! The trees of a run: who attached whom, and who made whom able to run (rule CTX-4).
//!
//! Every invocation is kept, so this takes space with the run. It is shown folded: siblings that look the
//! same with all that is below them become one, and so do invocations that follow each other in a chain.

use crate::site::Site;
use hemiola_trace::{Class, Event, FleetFact, Invocation, Origin, Outcome, Place, Sink};
use rustc_hash::{FxHashMap, FxHasher};
use serde_json::{Value, json};
use std::fmt::Write;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Which relation a tree shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Who attached it (rule CTX-2).
    Link,
    /// Who made it able to run (rule CTX-3).
    Cause,
}

impl Relation {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Cause => "cause",
        }
    }
}

/// Takes the events of a run and keeps its invocations.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    nodes: Vec<Node>,
    /// By number.
    index: FxHashMap<Invocation, u32>,
    waiting: FxHashMap<Origin, (Site, bool)>,
    running: Vec<u32>,
    last: Option<Origin>,
    /// Whether the last event was the beginning of a promise job.
    begun: bool,
    /// The program of a fleet whose events these are.
    program: Option<Program>,
}

/// A program of a fleet, as one of its processes.
#[derive(Clone, Debug)]
struct Program {
    name: Arc<str>,
    process: u32,
}

#[derive(Clone, Debug)]
struct Node {
    invocation: Invocation,
    site: Site,
    label: Option<String>,
    threw: Option<String>,
    program: Option<Program>,
    /// Where link and cause stand; its own place for a root.
    parents: [u32; 2],
}

/// A tree with what is below each node.
struct Shape {
    /// What nobody attached or caused: the main program, of a fleet several.
    roots: Vec<u32>,
    children: Vec<Vec<u32>>,
    /// What looks the same has the same number.
    looks: Vec<u64>,
}

/// What stands on one line: nodes that look the same.
struct Group {
    /// The first of them, and how many there are in a row, as siblings or in a chain.
    first: u32,
    siblings: usize,
    chain: usize,
    /// The last of the chain, whose children come below.
    last: u32,
}

impl Trees {
    /// How many invocations there were.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A tree as text, down to that many levels below the root.
    pub fn text(&self, relation: Relation, depth: usize) -> String {
        let mut out = String::new();
        let shape = self.shape(relation);
        self.walk(&shape, depth, |line| {
            let (stem, branch) = line.stem;
            let _ = writeln!(out, "{stem}{branch}{}", line.words);
        });
        out
    }

    /// A tree in the language of Graphviz.
    pub fn dot(&self, relation: Relation, depth: usize) -> String {
        let name = relation.name();
        let mut out = format!("digraph {name} {{\n  node [shape=box, fontname=\"monospace\"];\n");
        let shape = self.shape(relation);
        self.walk(&shape, depth, |line| {
            let _ = writeln!(out, "  n{} [label={}];", line.number, quoted(&line.words));
            if let Some(parent) = line.parent {
                let _ = writeln!(out, "  n{parent} -> n{};", line.number);
            }
        });
        out.push_str("}\n");
        out
    }

    /// All invocations, in order.
    pub fn json(&self) -> Value {
        let node = |node: &Node| {
            let mut object = json!({
                "n": node.invocation.0,
                "kind": node.site.kind(),
                "link": self.nodes[node.parents[0] as usize].invocation.0,
                "cause": self.nodes[node.parents[1] as usize].invocation.0,
            });
            if let Some(Program { name, process }) = &node.program {
                object["host"] = (**name).into();
                object["process"] = (*process).into();
            }
            if let Some(place) = node.site.place() {
                object["site"] = place.to_string().into();
            }
            if let Some(label) = &node.label {
                object["label"] = label.as_str().into();
            }
            if let Some(error) = &node.threw {
                object["threw"] = error.as_str().into();
            }
            object
        };
        self.nodes.iter().map(node).collect()
    }

    fn shape(&self, relation: Relation) -> Shape {
        let mut children = vec![Vec::new(); self.nodes.len()];
        let mut roots = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let parent = node.parents[relation as usize];
            match parent as usize == at {
                true => roots.push(at as u32),
                false => children[parent as usize].push(at as u32),
            }
        }
        // What is below has a larger number: from the last to the first, all of it is known.
        let mut looks = vec![0; self.nodes.len()];
        for at in (0..self.nodes.len()).rev() {
            let mut hasher = FxHasher::default();
            self.words(at).hash(&mut hasher);
            for &child in &children[at] {
                looks[child as usize].hash(&mut hasher);
            }
            looks[at] = hasher.finish();
        }
        Shape { roots, children, looks }
    }

    /// What is said of a node, without its number.
    fn words(&self, at: usize) -> String {
        let Node { site, label, threw, program, .. } = &self.nodes[at];
        let mut words = String::new();
        if let Some(Program { name, .. }) = program {
            let _ = write!(words, "{}: ", name.escape_debug());
        }
        let _ = write!(words, "{site}");
        if let Some(label) = label {
            let _ = write!(words, " {label:?}");
        }
        if let Some(error) = threw {
            let error = error.lines().next().unwrap_or_default();
            let _ = write!(words, " threw {}", error.escape_debug());
        }
        words
    }

    /// Calls `each` with every line of the folded tree, from the top.
    fn walk(&self, shape: &Shape, depth: usize, mut each: impl FnMut(Line<'_>)) {
        if self.nodes.is_empty() {
            return;
        }
        // On a stack of its own: a chain may be longer than ours is deep.
        let root =
            |group| Open { group, level: 0, stem: String::new(), is_last: true, parent: None };
        let mut open: Vec<Open> = self.groups(shape, &shape.roots).into_iter().map(root).collect();
        open.reverse();
        while let Some(Open { group, level, stem, is_last, parent }) = open.pop() {
            let Group { first, siblings, chain, last } = group;
            let number = self.nodes[first as usize].invocation.0;
            let mut words = String::new();
            if siblings > 1 {
                let _ = write!(words, "{siblings}× ");
            }
            let _ = write!(words, "#{number} {}", self.words(first as usize));
            if chain > 1 {
                let end = self.nodes[last as usize].invocation.0;
                let _ = write!(words, ", {chain} in a row to #{end}");
            }
            let below = &shape.children[last as usize];
            if level == depth && !below.is_empty() {
                let _ = write!(words, " … {} below", self.count(shape, last));
            }
            let branch = match (level, is_last) {
                (0, _) => "",
                (_, true) => "└─ ",
                (_, false) => "├─ ",
            };
            each(Line { stem: (&stem, branch), words, number, parent });
            if level == depth {
                continue;
            }
            let stem = match (level, is_last) {
                (0, _) => stem,
                (_, true) => stem + "   ",
                (_, false) => stem + "│  ",
            };
            let groups = self.groups(shape, below);
            let count = groups.len();
            let below = groups.into_iter().enumerate().map(|(at, group)| {
                let (stem, is_last, parent) = (stem.clone(), at + 1 == count, Some(number));
                Open { group, level: level + 1, stem, is_last, parent }
            });
            let from = open.len();
            open.extend(below);
            open[from..].reverse();
        }
    }

    /// Puts siblings together that look the same, each group where its first stands; one without its like
    /// goes together with what follows it in a chain.
    fn groups(&self, shape: &Shape, siblings: &[u32]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: FxHashMap<u64, usize> = FxHashMap::default();
        for &first in siblings {
            let at = *known.entry(shape.looks[first as usize]).or_insert(groups.len());
            match groups.get_mut(at) {
                Some(group) => group.siblings += 1,
                None => groups.push(Group { first, siblings: 1, chain: 1, last: first }),
            }
        }
        for group in groups.iter_mut().filter(|group| group.siblings == 1) {
            let words = self.words(group.first as usize);
            while let [child] = shape.children[group.last as usize][..]
                && self.words(child as usize) == words
            {
                group.last = child;
                group.chain += 1;
            }
        }
        groups
    }

    /// How many nodes are below one.
    fn count(&self, shape: &Shape, at: u32) -> usize {
        let mut count = 0;
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let children = &shape.children[at as usize];
            count += children.len();
            open.extend(children);
        }
        count
    }

    fn began(&mut self, invocation: Invocation, site: Site, relations: [Invocation; 2]) {
        let at = self.nodes.len() as u32;
        // A main program is its own. Whoever is not known, or comes later, is taken for the first.
        let root = if at == 0 { at } else { 0 };
        let parents = relations.map(|one| match one == invocation {
            true if self.program.is_some() => at,
            _ => self.index.get(&one).copied().unwrap_or(root),
        });
        self.index.insert(invocation, at);
        let program = self.program.clone();
        self.nodes.push(Node { invocation, site, label: None, threw: None, program, parents });
        self.running.push(at);
    }

    fn current(&mut self) -> Option<&mut Node> {
        let at = *self.running.last()?;
        self.nodes.get_mut(at as usize)
    }

    fn sited(&mut self, place: Place) {
        let site = match self.last {
            _ if self.begun => self.current().map(|node| &mut node.site),
            Some(origin) => self.waiting.get_mut(&origin).map(|(site, _)| site),
            None => None,
        };
        if let Some(site) = site {
            *site = site.at(place);
        }
    }

    fn registered(&mut self, origin: Origin, class: Class, what: &str, repeats: bool) {
        self.waiting.insert(origin, (Site::Class(class, what.to_owned()), repeats));
        self.last = Some(origin);
    }
}

impl Sink for Trees {
    const LISTENS: bool = true;

    fn event(&mut self, event: Event) {
        if let Event::Site(place) = event {
            self.sited(place);
            self.begun = false;
            return;
        }
        self.last = None;
        self.begun = false;
        match event {
            Event::Released { release, period, .. } => {
                self.registered(Origin::Release(release), Class::Timer, "", period.is_some());
            }
            Event::Queued { number, class, .. } => {
                self.registered(Origin::Queued(number), class, "", false);
            }
            Event::Requested { operation, what, .. } => {
                let kind = what.split(' ').next().unwrap_or_default();
                self.registered(Origin::Operation(operation), Class::Io, kind, false);
            }
            Event::Cleared { release } => {
                self.waiting.remove(&Origin::Release(release));
            }
            Event::Dropped { what } => {
                self.waiting.remove(&what);
            }
            Event::Began { invocation, class, origin, link, cause, .. } => {
                let known = origin.and_then(|origin| self.waiting.get(&origin).cloned());
                if let (Some(origin), Some((_, false))) = (origin, &known) {
                    self.waiting.remove(&origin);
                }
                let site = match (known, class) {
                    (Some((site, _)), _) => site,
                    (None, Some(class)) => Site::Class(class, String::new()),
                    (None, None) if invocation == link => Site::Main,
                    (None, None) => Site::End,
                };
                self.begun = class == Some(Class::Promise);
                self.began(invocation, site, [link, cause]);
            }
            Event::Entered { invocation, link, cause } => {
                self.began(invocation, Site::Entered, [link, cause]);
            }
            Event::Labelled { name } => {
                if let Some(node) = self.current() {
                    node.label = Some(name);
                }
            }
            Event::Ended { outcome, .. } => {
                if let (Outcome::Threw(error), Some(node)) = (outcome, self.current()) {
                    node.threw = Some(error);
                }
                self.running.pop();
            }
            Event::Left { .. } => {
                self.running.pop();
            }
            Event::Fleet(FleetFact::Turned { process, name }) => {
                self.running.clear();
                self.program = Some(Program { name, process });
            }
            _ => {}
        }
    }
}

/// A group whose line is to come.
struct Open {
    group: Group,
    level: usize,
    stem: String,
    is_last: bool,
    parent: Option<u64>,
}

/// One line of a folded tree.
struct Line<'a> {
    /// What stands before it: the lines of those above, and its own branch.
    stem: (&'a str, &'a str),
    words: String,
    /// The number of the first invocation on it, and that of the line above.
    number: u64,
    parent: Option<u64>,
}

/// A text as Graphviz takes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' | '\r' => out.push_str("\\n"),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out.push('"');
    out
}
