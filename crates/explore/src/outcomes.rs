//! What the executions of a program show.
//!
//! The graph of executions is an automaton whose words are the observation sequences. Configurations
//! with the same future are first merged into **classes**, which does away with all steps that show
//! nothing; what is left is small, and words are read off sets of classes.

use crate::graph::{End, Graph, Target};
use hemiola_machine::Schedule;
use hemiola_monitor::{Spec, Standing};
use hemiola_trace::Observation;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

/// All observation sequences of a program, by how the runs end. Each list is sorted: shorter
/// sequences first, then by their observations, and stuck ones by the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequences {
    /// Of runs with nothing left to do.
    pub traces: Vec<Vec<Observation>>,
    /// Of runs that a bound cut.
    pub cut: Vec<Vec<Observation>>,
    /// Of runs that got stuck, with the reason.
    pub stuck: Vec<(Vec<Observation>, String)>,
    /// Whether there are more than were asked for.
    pub more: bool,
}

/// A run that breaks a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// What it showed, from its start to its end.
    pub trace: Vec<Observation>,
    /// How it ended.
    pub end: End,
    /// How to repeat it.
    pub schedule: Schedule,
}

/// The outcomes of a graph of executions.
#[derive(Debug)]
pub struct Outcomes<'g> {
    graph: &'g Graph,
    classes: Vec<Class>,
    root: u32,
    /// Labels in the order of their observations.
    rank: Vec<u32>,
}

/// Configurations with the same future: how a run may end there, and what it may show next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Class {
    /// Indices of ends, sorted.
    ends: Vec<u32>,
    /// Label and class, sorted.
    next: Vec<(u32, u32)>,
}

/// The classes in which the runs with one observation sequence may be.
type Set = Vec<u32>;

/// A node, and how many observations of a word led to it.
type Place = (u32, u32);

impl<'g> Outcomes<'g> {
    /// Merges the configurations of a graph into classes.
    pub fn of(graph: &'g Graph) -> Self {
        let mut rank: Vec<u32> = (0..graph.labels.len() as u32).collect();
        rank.sort_by_key(|&label| &graph.labels[label as usize]);
        let mut merger = Merger::default();
        let root = merger.merge_all(graph);
        Self { graph, classes: merger.classes, root, rank }
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The bounds that cut at least one run.
    pub fn bounds(&self) -> BTreeSet<&'static str> {
        self.graph
            .ends()
            .iter()
            .filter_map(|end| match end {
                End::Cut(bound) => Some(*bound),
                _ => None,
            })
            .collect()
    }

    /// The observation sequences; of more than `limit`, the first ones.
    pub fn sequences(&self, limit: usize) -> Sequences {
        let mut found = Sequences::default();
        let mut count = 0;
        // Breadth first, labels in order: sequences come out sorted.
        let mut queue: VecDeque<(Vec<u32>, Set)> = VecDeque::from([(Vec::new(), vec![self.root])]);
        while let Some((word, set)) = queue.pop_front() {
            // Every prefix that is followed ends in some sequence, so here are too many.
            if count + queue.len() >= limit {
                queue.push_front((word, set));
                self.first_sequences(queue, limit - count, &mut found);
                break;
            }
            let ends = self.ends_of(&set);
            if !ends.is_empty() {
                count += 1;
                self.note(&word, &ends, &mut found);
            }
            for (label, next) in self.successors(&set) {
                let mut word = word.clone();
                word.push(label);
                queue.push_back((word, next));
            }
        }
        found
    }

    /// The first `limit` sequences that begin with one of these prefixes, in order.
    ///
    /// The prefix whose shortest sequence comes first is followed first, so no more prefixes are kept
    /// than lie beside the way to a sequence that is wanted.
    fn first_sequences(
        &self,
        prefixes: impl IntoIterator<Item = (Vec<u32>, Set)>,
        limit: usize,
        found: &mut Sequences,
    ) {
        // A class comes after those it leads to.
        let mut distance: Vec<usize> = Vec::with_capacity(self.classes.len());
        for class in &self.classes {
            let next = class.next.iter().map(|&(_, to)| distance[to as usize] + 1);
            let ends = (!class.ends.is_empty()).then_some(0);
            distance.push(next.chain(ends).min().expect("every run comes to an end"));
        }
        let mut rank = vec![0; self.rank.len()];
        for (at, &label) in self.rank.iter().enumerate() {
            rank[label as usize] = at;
        }
        let priority = |word: &[u32], set: &[u32]| {
            let rest = set.iter().map(|&class| distance[class as usize]).min();
            let ranks: Vec<usize> = word.iter().map(|&label| rank[label as usize]).collect();
            (word.len() + rest.expect("a set has a class"), ranks)
        };
        let mut open = BTreeMap::new();
        for (word, set) in prefixes {
            open.insert(priority(&word, &set), (word, set));
        }
        let mut count = 0;
        while let Some((_, (word, set))) = open.pop_first() {
            if count == limit {
                found.more = true;
                break;
            }
            let ends = self.ends_of(&set);
            if !ends.is_empty() {
                count += 1;
                self.note(&word, &ends, found);
            }
            for (label, next) in self.successors(&set) {
                let mut word = word.clone();
                word.push(label);
                open.insert(priority(&word, &next), (word, next));
            }
        }
    }

    /// The shortest run that does not conform to a property, the first in order among equals.
    ///
    /// A run that a bound cut is judged as one that has not ended.
    pub fn violation(&self, spec: &Spec) -> Option<Counterexample> {
        let mut seen = BTreeSet::new();
        let start = (vec![self.root], spec.start());
        let mut queue: VecDeque<(Vec<u32>, Set, Standing)> = VecDeque::new();
        queue.push_back((Vec::new(), start.0, start.1));
        while let Some((word, set, standing)) = queue.pop_front() {
            for end in self.ends_of(&set) {
                let judged = match &self.graph.ends()[end as usize] {
                    End::Cut(_) => hemiola_monitor::End::Cut,
                    _ => hemiola_monitor::End::Complete,
                };
                if !spec.conforms(&standing, judged) {
                    return Some(Counterexample {
                        trace: self.observations(&word),
                        end: self.graph.ends()[end as usize].clone(),
                        schedule: self.schedule(&word, end),
                    });
                }
            }
            for (label, next) in self.successors(&set) {
                let standing = spec.advance(&standing, &self.graph.labels[label as usize]);
                if seen.insert((next.clone(), standing.clone())) {
                    let mut word = word.clone();
                    word.push(label);
                    queue.push_back((word, next, standing));
                }
            }
        }
        None
    }

    /// A schedule with the fewest deviations that gives this word and ends in this way.
    fn schedule(&self, word: &[u32], end: u32) -> Schedule {
        // Dijkstra over (configuration, observations seen); an edge costs its deviations.
        let mut best: FxHashMap<Place, (u32, Option<(Place, usize)>)> = FxHashMap::default();
        let mut queue = BinaryHeap::from([Reverse((0u32, 0u32, 0u32))]);
        best.insert((0, 0), (0, None));
        let mut last = None;
        'search: while let Some(Reverse((cost, node, seen))) = queue.pop() {
            if best[&(node, seen)].0 < cost {
                continue;
            }
            for (index, edge) in self.graph.edges_of(node).iter().enumerate() {
                let reached = match edge.label {
                    None => seen,
                    Some(label) if word.get(seen as usize) == Some(&label) => seen + 1,
                    Some(_) => continue,
                };
                let deviations = self.graph.choices_of(edge).iter().filter(|&&c| c > 0).count();
                let cost = cost + deviations as u32;
                let step = ((node, seen), index);
                match edge.to {
                    Target::End(reached_end) => {
                        if reached_end == end && reached as usize == word.len() {
                            last = Some(step);
                            break 'search;
                        }
                    }
                    Target::Node(to) => {
                        let known = best.get(&(to, reached));
                        if known.is_none_or(|&(known, _)| cost < known) {
                            best.insert((to, reached), (cost, Some(step)));
                            queue.push(Reverse((cost, to, reached)));
                        }
                    }
                }
            }
        }
        let mut steps = Vec::new();
        while let Some((place, index)) = last {
            steps.push(&self.graph.edges_of(place.0)[index]);
            last = best[&place].1;
        }
        let choices = steps.iter().rev().flat_map(|edge| self.graph.choices_of(edge));
        Schedule::from_choices(choices.map(|&taken| taken as usize))
    }

    fn ends_of(&self, set: &[u32]) -> Vec<u32> {
        let mut ends: Vec<u32> =
            set.iter().flat_map(|&class| &self.classes[class as usize].ends).copied().collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// What may be shown next, in order, each with the classes it leads to.
    fn successors(&self, set: &[u32]) -> Vec<(u32, Set)> {
        let mut next: BTreeMap<u32, Set> = BTreeMap::new();
        for &class in set {
            for &(label, to) in &self.classes[class as usize].next {
                next.entry(label).or_default().push(to);
            }
        }
        let mut successors = Vec::with_capacity(next.len());
        for &label in &self.rank {
            if let Some(mut set) = next.remove(&label) {
                set.sort_unstable();
                set.dedup();
                successors.push((label, set));
            }
        }
        successors
    }

    fn note(&self, word: &[u32], ends: &[u32], found: &mut Sequences) {
        let mut ends: Vec<&End> =
            ends.iter().map(|&end| &self.graph.ends()[end as usize]).collect();
        ends.sort_unstable();
        let mut cut = false;
        for end in ends {
            match end {
                End::Final => found.traces.push(self.observations(word)),
                End::Cut(_) if !cut => {
                    cut = true;
                    found.cut.push(self.observations(word));
                }
                End::Stuck(reason) => found.stuck.push((self.observations(word), reason.clone())),
                End::Cut(_) | End::Starved(_) | End::Dropped => {}
            }
        }
    }

    fn observations(&self, word: &[u32]) -> Vec<Observation> {
        word.iter().map(|&label| self.graph.labels[label as usize].clone()).collect()
    }
}

#[derive(Default)]
struct Merger {
    classes: Vec<Class>,
    class_of: FxHashMap<Class, u32>,
}

const UNKNOWN: u32 = u32::MAX;

impl Merger {
    /// Gives every node its class, children first; returns the root's.
    fn merge_all(&mut self, graph: &Graph) -> u32 {
        let mut class_of_node = vec![UNKNOWN; graph.nodes.len()];
        let mut open = vec![false; graph.nodes.len()];
        let mut stack = vec![0u32];
        while let Some(&node) = stack.last() {
            if class_of_node[node as usize] != UNKNOWN {
                stack.pop();
                continue;
            }
            if open[node as usize] {
                class_of_node[node as usize] = self.class(graph, node, &class_of_node);
                stack.pop();
                continue;
            }
            open[node as usize] = true;
            for edge in graph.edges_of(node) {
                if let Target::Node(to) = edge.to
                    && class_of_node[to as usize] == UNKNOWN
                {
                    assert!(!open[to as usize], "a bounded run never meets a configuration twice");
                    stack.push(to);
                }
            }
        }
        class_of_node[0]
    }

    /// The class of a node whose successors have theirs.
    fn class(&mut self, graph: &Graph, node: u32, class_of_node: &[u32]) -> u32 {
        let mut class = Class::default();
        for edge in graph.edges_of(node) {
            match (edge.to, edge.label) {
                (Target::Node(to), Some(label)) => {
                    class.next.push((label, class_of_node[to as usize]));
                }
                (Target::Node(to), None) => {
                    let there = &self.classes[class_of_node[to as usize] as usize];
                    class.ends.extend_from_slice(&there.ends);
                    class.next.extend_from_slice(&there.next);
                }
                (Target::End(end), None) => class.ends.push(end),
                (Target::End(end), Some(label)) => {
                    let there = Class { ends: vec![end], next: Vec::new() };
                    class.next.push((label, self.intern(there)));
                }
            }
        }
        class.ends.sort_unstable();
        class.ends.dedup();
        class.next.sort_unstable();
        class.next.dedup();
        self.intern(class)
    }

    fn intern(&mut self, class: Class) -> u32 {
        if let Some(&known) = self.class_of.get(&class) {
            return known;
        }
        let id = self.classes.len() as u32;
        self.classes.push(class.clone());
        self.class_of.insert(class, id);
        id
    }
}
