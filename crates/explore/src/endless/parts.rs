//! The strongly connected parts of a graph, and which of them a run can stay in.

use super::Endless;
use crate::graph::{Edge, Graph, Target};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The strongly connected parts of the graph along the edges that are followed.
#[derive(Debug)]
pub(super) struct Parts {
    parts: Vec<Part>,
}

/// Nodes that reach each other.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) nodes: Vec<u32>,
    /// The edges among them that are followed: from which node, and which of its edges.
    pub(super) edges: Vec<(u32, u32)>,
}

const NEW: u32 = u32::MAX;

impl Parts {
    /// Tarjan's algorithm, with a stack of its own: graphs are deep.
    pub(super) fn of(graph: &Graph, follow: impl Fn(u32, &Edge) -> bool) -> Self {
        let size = graph.nodes.len();
        let follow = &follow;
        let successors = |node: u32| {
            let edges = graph.edges_of(node).iter().enumerate();
            edges.filter_map(move |(at, edge)| match edge.to {
                Target::Node(to) if follow(node, edge) => Some((at as u32, to)),
                _ => None,
            })
        };
        let (mut index, mut low) = (vec![NEW; size], vec![0u32; size]);
        let (mut of, mut open) = (vec![NEW; size], Vec::new());
        let mut parts: Vec<Part> = Vec::new();
        let mut next = 0;
        for root in 0..size as u32 {
            if index[root as usize] != NEW {
                continue;
            }
            let mut stack = vec![(root, 0usize)];
            while let Some(&mut (node, ref mut at)) = stack.last_mut() {
                if *at == 0 {
                    (index[node as usize], low[node as usize]) = (next, next);
                    next += 1;
                    open.push(node);
                }
                let to = successors(node).nth(*at);
                *at += 1;
                match to {
                    Some((_, to)) if index[to as usize] == NEW => stack.push((to, 0)),
                    Some((_, to)) => {
                        if of[to as usize] == NEW {
                            low[node as usize] = low[node as usize].min(index[to as usize]);
                        }
                    }
                    None => {
                        stack.pop();
                        if let Some(&(before, _)) = stack.last() {
                            low[before as usize] = low[before as usize].min(low[node as usize]);
                        }
                        if low[node as usize] == index[node as usize] {
                            let first = open.iter().rposition(|&other| other == node);
                            let nodes = open.split_off(first.expect("a node that is open"));
                            for &node in &nodes {
                                of[node as usize] = parts.len() as u32;
                            }
                            parts.push(Part { nodes, edges: Vec::new() });
                        }
                    }
                }
            }
        }
        for (at, part) in parts.iter_mut().enumerate() {
            part.nodes.sort_unstable();
            for &node in &part.nodes {
                let inner = successors(node).filter(|&(_, to)| of[to as usize] == at as u32);
                part.edges.extend(inner.map(|(edge, _)| (node, edge)));
            }
        }
        Self { parts }
    }

    /// The parts in which a run can go round for ever; with `fair`, a fair one.
    pub(super) fn rounds<'a>(
        &'a self,
        endless: &'a Endless,
        fair: bool,
    ) -> impl Iterator<Item = &'a Part> + 'a {
        let parts = self.parts.iter().filter(|part| !part.edges.is_empty());
        parts.filter(move |part| !fair || part.is_fair(endless))
    }
}

impl Part {
    fn is_fair(&self, endless: &Endless) -> bool {
        self.starving_kinds(endless).all(|kind| self.answers(endless, kind).next().is_some())
    }

    /// The kinds of answers that are awaited at every node.
    fn starving_kinds(&self, endless: &Endless) -> impl Iterator<Item = u32> {
        let mut kinds: Vec<u32> =
            endless.awaited(self.nodes[0]).iter().map(|&(kind, _)| kind).collect();
        let mut seen = FxHashSet::default();
        for &node in &self.nodes {
            if seen.insert(endless.waits[node as usize]) {
                kinds.retain(|&kind| endless.count(node, kind) > 0);
            }
        }
        kinds.into_iter()
    }

    /// The edges that answer a kind.
    fn answers<'a>(
        &'a self,
        endless: &'a Endless,
        kind: u32,
    ) -> impl Iterator<Item = (u32, u32)> + 'a {
        self.edges.iter().copied().filter(move |&(node, edge)| {
            let to = self.target(endless, (node, edge));
            endless.count(to, kind) < endless.count(node, kind)
        })
    }

    fn target(&self, endless: &Endless, (node, edge): (u32, u32)) -> u32 {
        match endless.graph.edges_of(node)[edge as usize].to {
            Target::Node(to) => to,
            Target::End(_) => unreachable!("an edge among nodes leads to a node"),
        }
    }

    /// A way from a node of the part through it and back: a fair round, with something to see if there
    /// is anything.
    pub(super) fn round(&self, endless: &Endless, start: u32, fair: bool) -> Vec<(u32, u32)> {
        let mut goals: Vec<FxHashSet<(u32, u32)>> = Vec::new();
        let shows = |&(node, edge): &(u32, u32)| {
            endless.graph.edges_of(node)[edge as usize].label.is_some()
        };
        goals.push(self.edges.iter().copied().filter(shows).collect());
        if fair {
            let kinds = self.starving_kinds(endless);
            goals.extend(kinds.map(|kind| self.answers(endless, kind).collect()));
            // What is not awaited everywhere: a node where it is not will do.
            let (mut kinds, mut seen) = (FxHashSet::default(), FxHashSet::default());
            for &node in &self.nodes {
                if seen.insert(endless.waits[node as usize]) {
                    kinds.extend(endless.awaited(node).iter().map(|&(kind, _)| kind));
                }
            }
            let mut kinds: Vec<u32> = kinds.into_iter().collect();
            kinds.sort_unstable();
            for kind in kinds {
                let free = |&(node, _): &(u32, u32)| endless.count(node, kind) == 0;
                goals.push(self.edges.iter().copied().filter(free).collect());
            }
        }
        let mut way: Vec<(u32, u32)> = Vec::new();
        let mut at = start;
        for goal in goals.iter().filter(|goal| !goal.is_empty()) {
            if !way.iter().any(|edge| goal.contains(edge)) {
                way.extend(self.way(endless, at, |edge| goal.contains(&edge)));
                at = self.target(endless, *way.last().expect("a way has an edge"));
            }
        }
        if at != start || way.is_empty() {
            way.extend(self.way(endless, at, |edge| self.target(endless, edge) == start));
        }
        way
    }

    /// The shortest way within the part whose last edge is wanted.
    fn way(
        &self,
        endless: &Endless,
        from: u32,
        wanted: impl Fn((u32, u32)) -> bool,
    ) -> Vec<(u32, u32)> {
        let mut before: rustc_hash::FxHashMap<u32, (u32, u32)> = Default::default();
        let mut queue = VecDeque::from([from]);
        let mut seen = FxHashSet::from_iter([from]);
        while let Some(node) = queue.pop_front() {
            let first = self.edges.partition_point(|&(other, _)| other < node);
            let edges = self.edges[first..].iter().take_while(|&&(other, _)| other == node);
            for &edge in edges {
                if wanted(edge) {
                    let mut way = vec![edge];
                    let mut at = node;
                    while at != from {
                        let step = before[&at];
                        way.push(step);
                        at = step.0;
                    }
                    way.reverse();
                    return way;
                }
                let to = self.target(endless, edge);
                if seen.insert(to) {
                    before.insert(to, edge);
                    queue.push_back(to);
                }
            }
        }
        unreachable!("every edge of a part can be reached from every node of it")
    }
}
