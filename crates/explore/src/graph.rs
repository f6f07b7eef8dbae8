//! The graph of all executions.

use crate::fingerprint::Fingerprint;
use crate::script::Script;
use hemiola_trace::Observation;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A program that takes one step at a time.
pub trait System: Clone {
    /// Takes one step, asking `script` wherever more than one thing may happen, and appends what it
    /// observes.
    fn step(&mut self, script: &mut Script, observed: &mut Vec<Observation>) -> Next;

    /// Appends everything on which the future depends, the same for equal futures.
    fn configuration(&self, bytes: &mut Vec<u8>);
}

/// What a step led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another configuration.
    Configuration,
    /// None ever: the step shows what it has shown from this observation on, again and again. If that is
    /// nothing, it never shows anything any more.
    Endless {
        /// How many observations come before the first that is shown again.
        from: usize,
    },
    /// The end of the run.
    End(End),
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// Nothing is left to do.
    Final,
    /// A further step would exceed this bound.
    Cut(&'static str),
    /// No rule applies, although something is left to do: why.
    Stuck(String),
    /// A callback with this name sat in a queue for too long.
    Starved(String),
    /// Nobody wants to know how it goes on.
    Dropped,
}

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many configurations to expand at most.
    pub states: usize,
}

/// How far an exploration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Configurations found.
    pub states: usize,
    /// Configurations that wait to be expanded.
    pub frontier: usize,
}

/// All executions: configurations, and the steps between them.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The edges of each node are those from its entry to the next one's.
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// What the edges say was observed and chosen.
    pub(crate) labels: Vec<Observation>,
    pub(crate) choices: Vec<u32>,
    pub(crate) ends: Vec<End>,
    states: usize,
}

/// A configuration, or a place between two observations of one step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) first_edge: u32,
    pub(crate) edges: u32,
}

/// A step, or part of one: at most one observation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: Target,
    /// An index into the labels.
    pub(crate) label: Option<u32>,
    pub(crate) first_choice: u32,
    pub(crate) choices: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    Node(u32),
    /// An index into the ends.
    End(u32),
}

/// How many successors of one configuration are looked at.
const MOST_SUCCESSORS: usize = 100_000;

/// Explores every execution of a system, expanding equal configurations once.
///
/// `report` is told from time to time how far it is.
pub fn explore<S: System>(initial: S, limits: Limits, report: &mut dyn FnMut(Progress)) -> Graph {
    explore_noting(initial, limits, report, &mut Nothing)
}

/// Who takes notes while a graph grows: it is told of every node once, in order.
pub(crate) trait Notes<S> {
    /// Of a configuration.
    fn configuration(&mut self, system: &S);

    /// Of a place on the way from a node.
    fn place(&mut self, from: u32);

    /// Of a place within a step that never ends.
    fn place_for_ever(&mut self, system: &S);

    /// Whether it is worth going on, with so many bytes of configurations written.
    fn goes_on(&self, bytes: usize) -> bool;
}

struct Nothing;

impl<S> Notes<S> for Nothing {
    fn configuration(&mut self, _: &S) {}

    fn place(&mut self, _: u32) {}

    fn place_for_ever(&mut self, _: &S) {}

    fn goes_on(&self, _: usize) -> bool {
        true
    }
}

/// As [`explore`], with somebody who takes notes.
pub(crate) fn explore_noting<S: System>(
    initial: S,
    limits: Limits,
    report: &mut dyn FnMut(Progress),
    notes: &mut impl Notes<S>,
) -> Graph {
    let mut graph = Graph::default();
    let mut builder = Builder::default();
    let root = builder.configuration(&initial, &mut graph);
    notes.configuration(&initial);
    let mut frontier = vec![(initial, root)];
    let mut script = Script::default();
    let mut observed = Vec::new();
    let mut expanded = 0usize;
    // Successors of the node being expanded, with the chain of observations that leads there.
    let mut found: Vec<Edge> = Vec::new();
    let mut after: Vec<(u32, u32, u32, Target)> = Vec::new();
    while let Some((system, node)) = frontier.pop() {
        if expanded == limits.states || !notes.goes_on(builder.written) {
            let end = builder.end(End::Cut("states"), &mut graph);
            graph.set_edges(node, &[Edge::silent(Target::End(end))]);
            continue;
        }
        expanded += 1;
        if expanded.is_multiple_of(4_096) {
            report(Progress { states: graph.states, frontier: frontier.len() });
        }
        script.restart();
        found.clear();
        after.clear();
        loop {
            if found.len() == MOST_SUCCESSORS {
                // More than anybody can follow; the rest is left out, and said to be.
                let end = builder.end(End::Cut("states"), &mut graph);
                found.push(Edge::silent(Target::End(end)));
                break;
            }
            let mut next = system.clone();
            observed.clear();
            let mut again = None;
            let target = match next.step(&mut script, &mut observed) {
                Next::Endless { from } => {
                    // A place before each observation of the round; one, if it shows nothing.
                    let first = graph.nodes.len() as u32;
                    let round = observed.split_off(from);
                    for _ in 0..round.len().max(1) {
                        graph.nodes.push(Node::default());
                        notes.place_for_ever(&next);
                    }
                    again = Some((first, round));
                    Target::Node(first)
                }
                Next::End(end) => Target::End(builder.end(end, &mut graph)),
                Next::Configuration => {
                    let known = graph.nodes.len();
                    let to = builder.configuration(&next, &mut graph);
                    if to as usize == known {
                        notes.configuration(&next);
                        frontier.push((next, to));
                    }
                    Target::Node(to)
                }
            };
            let first_choice = graph.choices.len() as u32;
            graph.choices.extend_from_slice(script.taken());
            let choices = script.taken().len() as u32;
            let mut labels = observed.drain(..).map(|seen| builder.label(seen, &mut graph.labels));
            match (labels.next(), labels.len()) {
                (label, 0) => found.push(Edge { to: target, label, first_choice, choices }),
                (label, more) => {
                    // A place for each further observation, linked below once this node is done.
                    let place = graph.nodes.len() as u32;
                    graph.nodes.extend(std::iter::repeat_n(Node::default(), more));
                    (0..more).for_each(|_| notes.place(node));
                    let to = Target::Node(place);
                    found.push(Edge { to, label, first_choice, choices });
                    for (at, label) in labels.enumerate() {
                        let last = at + 1 == more;
                        let place = place + at as u32;
                        let to = if last { target } else { Target::Node(place + 1) };
                        after.push((place, label, 0, to));
                    }
                }
            }
            if let Some((first, round)) = again {
                let last = first + round.len().saturating_sub(1) as u32;
                let mut round = round.into_iter();
                for place in first..=last {
                    let to = Target::Node(if place == last { first } else { place + 1 });
                    let label = round.next().map(|seen| builder.label(seen, &mut graph.labels));
                    graph.set_edges(place, &[Edge { label, ..Edge::silent(to) }]);
                }
            }
            if !script.advance() {
                break;
            }
        }
        graph.set_edges(node, &found);
        for &(place, label, first_choice, to) in &after {
            graph.set_edges(place, &[Edge { to, label: Some(label), first_choice, choices: 0 }]);
        }
    }
    report(Progress { states: graph.states, frontier: 0 });
    graph
}

impl Edge {
    pub(crate) fn silent(to: Target) -> Self {
        Self { to, label: None, first_choice: 0, choices: 0 }
    }
}

/// What an exploration has to look up while it builds the graph.
#[derive(Default)]
struct Builder {
    seen: FxHashMap<Fingerprint, u32>,
    label_of: BTreeMap<Observation, u32>,
    end_of: BTreeMap<End, u32>,
    bytes: Vec<u8>,
    /// How many bytes have been written of configurations that were new.
    written: usize,
}

impl Builder {
    /// The node of a configuration, made if it is new.
    fn configuration<S: System>(&mut self, system: &S, graph: &mut Graph) -> u32 {
        self.bytes.clear();
        system.configuration(&mut self.bytes);
        *self.seen.entry(Fingerprint::of(&self.bytes)).or_insert_with(|| {
            graph.states += 1;
            self.written += self.bytes.len();
            graph.nodes.push(Node::default());
            (graph.nodes.len() - 1) as u32
        })
    }

    fn label(&mut self, observation: Observation, labels: &mut Vec<Observation>) -> u32 {
        *self.label_of.entry(observation).or_insert_with_key(|observation| {
            labels.push(observation.clone());
            (labels.len() - 1) as u32
        })
    }

    fn end(&mut self, end: End, graph: &mut Graph) -> u32 {
        *self.end_of.entry(end).or_insert_with_key(|end| {
            graph.ends.push(end.clone());
            (graph.ends.len() - 1) as u32
        })
    }
}

impl Graph {
    /// How many different configurations there are.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The ways in which runs end, each once.
    pub fn ends(&self) -> &[End] {
        &self.ends
    }

    /// The names of the callbacks that some run starved.
    pub fn starved(&self) -> BTreeSet<String> {
        let names = self.ends.iter().filter_map(|end| match end {
            End::Starved(name) => Some(name.clone()),
            _ => None,
        });
        names.collect()
    }

    pub(crate) fn set_edges(&mut self, node: u32, edges: &[Edge]) {
        let first_edge = self.edges.len() as u32;
        self.edges.extend_from_slice(edges);
        self.nodes[node as usize] = Node { first_edge, edges: edges.len() as u32 };
    }

    pub(crate) fn edges_of(&self, node: u32) -> &[Edge] {
        let Node { first_edge, edges } = self.nodes[node as usize];
        &self.edges[first_edge as usize..][..edges as usize]
    }

    pub(crate) fn choices_of(&self, edge: &Edge) -> &[u32] {
        &self.choices[edge.first_choice as usize..][..edge.choices as usize]
    }
}
