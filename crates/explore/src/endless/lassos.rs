//! What the runs of an endless program show: those that end, and the lassos of those that do not.
//!
//! The graph is made deterministic and small, so that what looks the same is the same; then every way
//! through it is followed until it meets itself.

use super::{Endless, Parts};
use crate::graph::{Edge, End, Graph, Target};
use hemiola_trace::Observation;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The observations of an infinite run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lasso {
    /// What is shown once.
    pub stem: Vec<Observation>,
    /// What is shown then, again and again; nothing, if nothing is ever shown any more.
    pub again: Vec<Observation>,
}

/// What the runs of a program show. Each list is sorted, shorter ones first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lassos {
    /// Of runs with nothing left to do that never go round.
    pub traces: Vec<Vec<Observation>>,
    /// Of runs that got stuck and never go round, with the reason.
    pub stuck: Vec<(Vec<Observation>, String)>,
    /// Of runs that never end, by the rounds in which they meet themselves for the first time.
    pub lassos: Vec<Lasso>,
    /// Whether a run may go round and end nevertheless: then there are further ones for every round.
    pub repeats: bool,
    /// Whether there are more than were asked for, or more than could be looked at.
    pub more: bool,
}

/// How many sets of nodes, and how many nodes in all of them, make an automaton that is still followed.
const MOST_SETS: usize = 20_000;
const MOST_MEMBERS: usize = 2_000_000;

/// How many ways through the automaton are followed.
const MOST_WAYS: usize = 100_000;

/// A word: labels of the graph.
type Word = Vec<u32>;

/// The graph as a deterministic automaton.
struct Automaton {
    /// How runs may end here: indices of ends.
    ends: Vec<Vec<u32>>,
    /// Whether a run may stay here for ever without showing anything.
    quiet: Vec<bool>,
    /// Label and state, in the order of the observations.
    next: Vec<Vec<(u32, u32)>>,
}

impl Endless {
    /// What the runs show, up to so many of each; with `fair`, of infinite runs only fair ones.
    pub fn lassos(&self, fair: bool, limit: usize) -> Lassos {
        let quiet = self.quiet(fair);
        let parts = self.parts(|_, _| true);
        let mut found = Found::new(self, fair, limit);
        match self.automaton(&quiet) {
            Some(automaton) => found.follow(&automaton),
            None => found.shortest(&quiet),
        }
        found.missing(&parts);
        let ending = self.ending();
        found.lassos.repeats = parts.rounds(self, false).any(|part| {
            ending[part.nodes[0] as usize] && part.edges.iter().any(|&edge| self.shows(edge))
        });
        found.finish()
    }

    fn shows(&self, (node, edge): (u32, u32)) -> bool {
        self.graph.edges_of(node)[edge as usize].label.is_some()
    }

    /// The nodes where a run may go round without showing anything.
    fn quiet(&self, fair: bool) -> Vec<bool> {
        let mut quiet = vec![false; self.graph.nodes.len()];
        let parts = self.parts(|_, edge| edge.label.is_none());
        for part in parts.rounds(self, fair) {
            part.nodes.iter().for_each(|&node| quiet[node as usize] = true);
        }
        quiet
    }

    /// The nodes from which a run may end.
    fn ending(&self) -> Vec<bool> {
        let size = self.graph.nodes.len();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); size];
        let (mut ending, mut open) = (vec![false; size], Vec::new());
        for node in 0..size as u32 {
            for edge in self.graph.edges_of(node) {
                match edge.to {
                    Target::Node(to) => before[to as usize].push(node),
                    Target::End(_) => {
                        if !std::mem::replace(&mut ending[node as usize], true) {
                            open.push(node);
                        }
                    }
                }
            }
        }
        while let Some(node) = open.pop() {
            for &earlier in &before[node as usize] {
                if !std::mem::replace(&mut ending[earlier as usize], true) {
                    open.push(earlier);
                }
            }
        }
        ending
    }

    /// Where runs may be, and how they may have ended, without showing anything more. An end counts
    /// as a node behind all others.
    fn closed(&self, mut set: Vec<u32>) -> Vec<u32> {
        let nodes = self.graph.nodes.len() as u32;
        let mut seen: FxHashSet<u32> = set.iter().copied().collect();
        let mut at = 0;
        while let Some(&node) = set.get(at) {
            at += 1;
            if node >= nodes {
                continue;
            }
            for edge in self.graph.edges_of(node).iter().filter(|edge| edge.label.is_none()) {
                let to = self.place(edge.to);
                if seen.insert(to) {
                    set.push(to);
                }
            }
        }
        set.sort_unstable();
        set
    }

    fn place(&self, to: Target) -> u32 {
        match to {
            Target::Node(to) => to,
            Target::End(end) => self.graph.nodes.len() as u32 + end,
        }
    }

    /// What may be shown next, and where runs may be after it.
    fn after(&self, set: &[u32]) -> BTreeMap<u32, Vec<u32>> {
        let nodes = self.graph.nodes.len() as u32;
        let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &node in set.iter().take_while(|&&node| node < nodes) {
            for edge in self.graph.edges_of(node) {
                if let Some(label) = edge.label {
                    next.entry(label).or_default().push(self.place(edge.to));
                }
            }
        }
        for set in next.values_mut() {
            set.sort_unstable();
            set.dedup();
            *set = self.closed(std::mem::take(set));
        }
        next
    }

    /// Labels in the order of their observations.
    fn ranks(&self) -> Vec<u32> {
        let mut labels: Vec<u32> = (0..self.graph.labels.len() as u32).collect();
        labels.sort_by_key(|&label| &self.graph.labels[label as usize]);
        let mut rank = vec![0; labels.len()];
        for (at, &label) in labels.iter().enumerate() {
            rank[label as usize] = at as u32;
        }
        rank
    }

    /// The graph as a deterministic automaton, the smallest there is; nothing, if it is too large.
    fn automaton(&self, quiet: &[bool]) -> Option<Automaton> {
        let nodes = self.graph.nodes.len() as u32;
        let rank = self.ranks();
        let start = self.closed(vec![0]);
        let mut known = FxHashMap::from_iter([(start.clone(), 0u32)]);
        let mut sets = vec![start];
        let mut automaton = Automaton { ends: vec![], quiet: vec![], next: vec![] };
        let mut members = 0;
        let mut at = 0;
        while let Some(set) = sets.get(at) {
            at += 1;
            let inner = set.partition_point(|&node| node < nodes);
            automaton.ends.push(set[inner..].iter().map(|&end| end - nodes).collect());
            automaton.quiet.push(set[..inner].iter().any(|&node| quiet[node as usize]));
            let mut next = Vec::new();
            for (label, set) in self.after(set) {
                members += set.len();
                let id = *known.entry(set).or_insert_with_key(|set| {
                    sets.push(set.clone());
                    sets.len() as u32 - 1
                });
                next.push((label, id));
            }
            if sets.len() > MOST_SETS || members > MOST_MEMBERS {
                return None;
            }
            next.sort_unstable_by_key(|&(label, _)| rank[label as usize]);
            automaton.next.push(next);
        }
        Some(automaton.smallest())
    }

    /// Whether there is an infinite run with these observations, and where it goes round.
    fn goes_round(&self, stem: &[u32], again: &[u32], fair: bool) -> Option<FxHashSet<u32>> {
        let nodes = self.graph.nodes.len() as u32;
        let mut set = self.closed(vec![0]);
        for label in stem {
            set = self.after(&set).remove(label)?;
        }
        // The graph, held to the word that comes again and again.
        let mut places: Vec<(u32, u32)> =
            set.into_iter().take_while(|&node| node < nodes).map(|node| (node, 0)).collect();
        let mut ids: FxHashMap<(u32, u32), u32> =
            places.iter().enumerate().map(|(at, &place)| (place, at as u32)).collect();
        let mut held = Graph::default();
        let mut at = 0;
        while let Some(&(node, seen)) = places.get(at) {
            at += 1;
            let mut edges = Vec::new();
            for edge in self.graph.edges_of(node) {
                let reached = match edge.label {
                    None => seen,
                    Some(label) if label == again[seen as usize] => (seen + 1) % again.len() as u32,
                    Some(_) => continue,
                };
                let Target::Node(to) = edge.to else { continue };
                let place = (to, reached);
                let id = *ids.entry(place).or_insert_with(|| {
                    places.push(place);
                    places.len() as u32 - 1
                });
                edges.push(Edge { to: Target::Node(id), ..*edge });
            }
            held.nodes.push(Default::default());
            held.set_edges(at as u32 - 1, &edges);
        }
        let held = Endless {
            graph: held,
            waits: places.iter().map(|&(node, _)| self.waits[node as usize]).collect(),
            sets: self.sets.clone(),
            queued: Vec::new(),
            names: Vec::new(),
        };
        let parts = held.parts(|_, _| true);
        let rounds = parts.rounds(&held, fair);
        let rounds = rounds.filter(|part| part.edges.iter().any(|&edge| held.shows(edge)));
        let visited: FxHashSet<u32> =
            rounds.flat_map(|part| &part.nodes).map(|&place| places[place as usize].0).collect();
        (!visited.is_empty()).then_some(visited)
    }

    /// The shortest ways to all nodes: for each the edge that leads there, and how much it shows.
    pub(super) fn ways(&self) -> Vec<Option<(u32, u32)>> {
        let size = self.graph.nodes.len();
        let mut before: Vec<Option<(u32, u32)>> = vec![None; size];
        let mut shown = vec![u32::MAX; size];
        shown[0] = 0;
        let mut queue = VecDeque::from([(0u32, 0u32)]);
        while let Some((node, cost)) = queue.pop_front() {
            if shown[node as usize] < cost {
                continue;
            }
            for (at, edge) in self.graph.edges_of(node).iter().enumerate() {
                let Target::Node(to) = edge.to else { continue };
                let reached = cost + u32::from(edge.label.is_some());
                if reached < shown[to as usize] {
                    shown[to as usize] = reached;
                    before[to as usize] = Some((node, at as u32));
                    match edge.label {
                        None => queue.push_front((to, reached)),
                        Some(_) => queue.push_back((to, reached)),
                    }
                }
            }
        }
        before
    }

    /// What is shown on the way to a node.
    pub(super) fn word_to(&self, ways: &[Option<(u32, u32)>], node: u32) -> Word {
        let mut word = Vec::new();
        let mut at = node;
        while let Some((node, edge)) = ways[at as usize] {
            word.extend(self.graph.edges_of(node)[edge as usize].label);
            at = node;
        }
        word.reverse();
        word
    }

    /// What these edges show.
    pub(super) fn word_of(&self, edges: &[(u32, u32)]) -> Word {
        let label = |&(node, edge): &(u32, u32)| self.graph.edges_of(node)[edge as usize].label;
        edges.iter().filter_map(label).collect()
    }

    pub(super) fn observations(&self, word: &[u32]) -> Vec<Observation> {
        word.iter().map(|&label| self.graph.labels[label as usize].clone()).collect()
    }
}

impl Automaton {
    /// States with the same future are one.
    fn smallest(self) -> Self {
        let mut class: Vec<u32> = vec![0; self.ends.len()];
        let mut count = 0;
        loop {
            let mut known = FxHashMap::default();
            let refined: Vec<u32> = (0..class.len())
                .map(|state| {
                    let next: Vec<(u32, u32)> = self.next[state]
                        .iter()
                        .map(|&(label, to)| (label, class[to as usize]))
                        .collect();
                    let future = (&self.ends[state], self.quiet[state], class[state], next);
                    let id = known.len() as u32;
                    *known.entry(future).or_insert(id)
                })
                .collect();
            let refined_count = known.len();
            drop(known);
            class = refined;
            if refined_count == count {
                break;
            }
            count = refined_count;
        }
        // Classes are numbered in the order of their first states, so the start stays the first.
        let mut small = Automaton { ends: vec![], quiet: vec![], next: vec![] };
        for state in 0..class.len() {
            if class[state] as usize == small.ends.len() {
                small.ends.push(self.ends[state].clone());
                small.quiet.push(self.quiet[state]);
                let next = self.next[state].iter().map(|&(label, to)| (label, class[to as usize]));
                small.next.push(next.collect());
            }
        }
        small
    }
}

/// What is found, while it is being looked for.
struct Found<'e> {
    endless: &'e Endless,
    fair: bool,
    limit: usize,
    lassos: Lassos,
    known: BTreeSet<Lasso>,
    /// Nodes in rounds that a lasso was found for.
    visited: FxHashSet<u32>,
}

impl<'e> Found<'e> {
    fn new(endless: &'e Endless, fair: bool, limit: usize) -> Self {
        let (lassos, known, visited) = Default::default();
        Self { endless, fair, limit, lassos, known, visited }
    }

    fn end(&mut self, word: &[u32], end: u32) {
        let shown = self.endless.observations(word);
        match &self.endless.graph.ends()[end as usize] {
            End::Final => self.lassos.traces.push(shown),
            End::Stuck(reason) => self.lassos.stuck.push((shown, reason.clone())),
            End::Cut(_) | End::Starved(_) | End::Dropped => {}
        }
    }

    fn lasso(&mut self, stem: &[u32], again: &[u32]) {
        let (stem, again) = simplest(stem, again);
        let stem = self.endless.observations(stem);
        let again = self.endless.observations(&again);
        self.known.insert(Lasso { stem, again });
    }

    /// Follows every way until it meets itself; shorter ones first.
    fn follow(&mut self, automaton: &Automaton) {
        let mut queue: VecDeque<(Word, Vec<u32>)> = VecDeque::from([(Vec::new(), vec![0])]);
        let mut ways = 0;
        while let Some((word, path)) = queue.pop_front() {
            ways += 1;
            let found = self.lassos.traces.len() + self.lassos.stuck.len() + self.known.len();
            if ways > MOST_WAYS || found > self.limit {
                self.lassos.more = true;
                break;
            }
            let state = *path.last().expect("a way begins somewhere") as usize;
            for &end in &automaton.ends[state] {
                self.end(&word, end);
            }
            if automaton.quiet[state] {
                self.lasso(&word, &[]);
            }
            for &(label, to) in &automaton.next[state] {
                let mut word = word.clone();
                word.push(label);
                match path.iter().position(|&earlier| earlier == to) {
                    Some(at) => {
                        let (stem, again) = word.split_at(at);
                        if let Some(visited) = self.endless.goes_round(stem, again, self.fair) {
                            self.visited.extend(visited);
                            self.lasso(stem, again);
                        }
                    }
                    None => {
                        let mut path = path.clone();
                        path.push(to);
                        queue.push_back((word, path));
                    }
                }
            }
        }
    }

    /// Where there are too many ways: the shortest to every end and to where nothing is shown any more.
    fn shortest(&mut self, quiet: &[bool]) {
        self.lassos.more = true;
        let endless = self.endless;
        let ways = endless.ways();
        let mut ends: BTreeMap<u32, Word> = BTreeMap::new();
        let mut still: Option<Word> = None;
        for node in 0..endless.graph.nodes.len() as u32 {
            for edge in endless.graph.edges_of(node) {
                if let Target::End(end) = edge.to {
                    let mut word = endless.word_to(&ways, node);
                    word.extend(edge.label);
                    let known = ends.entry(end).or_insert_with(|| word.clone());
                    if word.len() < known.len() {
                        *known = word;
                    }
                }
            }
            if quiet[node as usize] {
                let word = endless.word_to(&ways, node);
                if still.as_ref().is_none_or(|known| word.len() < known.len()) {
                    still = Some(word);
                }
            }
        }
        ends.iter().for_each(|(&end, word)| self.end(word, end));
        if let Some(word) = still {
            self.lasso(&word, &[]);
        }
    }

    /// One lasso for every part of the graph in which a run can go round that has none yet. Where only
    /// fair runs count, one round may not be enough.
    fn missing(&mut self, parts: &Parts) {
        let endless = self.endless;
        let mut ways = None;
        for part in parts.rounds(endless, self.fair) {
            let shows = part.edges.iter().any(|&edge| endless.shows(edge));
            if !shows || part.nodes.iter().any(|node| self.visited.contains(node)) {
                continue;
            }
            let ways = &*ways.get_or_insert_with(|| endless.ways());
            let shortest = part.nodes.iter().map(|&node| (endless.word_to(ways, node), node));
            let (stem, node) =
                shortest.min_by_key(|(word, _)| word.len()).expect("a part has nodes");
            let again = endless.word_of(&part.round(endless, node, self.fair));
            self.lasso(&stem, &again);
        }
    }

    fn finish(self) -> Lassos {
        let Self { mut lassos, known, limit, .. } = self;
        lassos.lassos = known.into_iter().collect();
        lassos.lassos.sort_by_key(|Lasso { stem, again }| stem.len() + again.len());
        lassos.more |= lassos.lassos.len() > limit || lassos.traces.len() > limit;
        lassos.lassos.truncate(limit);
        lassos.traces.truncate(limit);
        lassos.stuck.truncate(limit);
        lassos
    }
}

/// The shortest way to write an infinite word: `a b (a b a b)` is `(a b)`.
fn simplest<'w>(stem: &'w [u32], again: &[u32]) -> (&'w [u32], Word) {
    let length = again.len();
    let root = (1..=length).find(|&root| {
        length.is_multiple_of(root) && (root..length).all(|at| again[at] == again[at - root])
    });
    let mut again = again[..root.unwrap_or(0)].to_vec();
    let mut stem = stem;
    while let (Some((last, rest)), Some(&turn)) = (stem.split_last(), again.last())
        && *last == turn
    {
        again.rotate_right(1);
        stem = rest;
    }
    (stem, again)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinite_word_is_written_in_the_shortest_way() {
        for (stem, again, simple) in [
            (&[][..], &[][..], (&[][..], &[][..])),
            (&[1, 2], &[], (&[1, 2], &[])),
            (&[1, 2], &[1, 2, 1, 2], (&[], &[1, 2])),
            (&[3, 2], &[1, 2], (&[3], &[2, 1])),
            (&[1], &[1, 1, 2], (&[1], &[1, 1, 2])),
        ] {
            let (stem, again) = simplest(stem, again);
            assert_eq!((stem, &*again), simple);
        }
    }
}
