//! Whether an endless program has a property.

use super::Endless;
use crate::graph::{End, Target};
use hemiola_monitor::{Spec, Standing};
use hemiola_trace::Observation;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A run of an endless program that breaks a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What it shows: all, or once.
    pub trace: Vec<Observation>,
    /// How the run goes on after that.
    pub end: Finish,
}

/// How a run goes on for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It ends.
    End(End),
    /// It shows this, again and again; or nothing any more.
    Again(Vec<Observation>),
}

/// A node, or an end, and where in the property a run stands there.
type Place = (Target, u32);

impl Endless {
    /// A run that does not conform to a property; with `fair`, an infinite one must be fair.
    ///
    /// What breaks it is the shortest that does. An infinite run has not ended, so it cannot be too
    /// short; that something is shown again and again, only an infinite run can break or fulfil.
    pub fn violation(&self, spec: &Spec, fair: bool) -> Option<Broken> {
        self.wrong_step(spec, fair).or_else(|| self.never_again(spec, fair))
    }

    /// The shortest run that shows what is not allowed, or ends where it may not.
    fn wrong_step(&self, spec: &Spec, fair: bool) -> Option<Broken> {
        let start = (Target::Node(0), 0u32);
        let mut standings = vec![spec.start()];
        let mut number: FxHashMap<Standing, u32> = FxHashMap::from_iter([(spec.start(), 0)]);
        let mut best: Ways = Ways::default();
        best.insert(start, (0, None));
        let mut queue = VecDeque::from([(start, 0u32)]);
        while let Some((place, cost)) = queue.pop_front() {
            if best[&place].0 < cost {
                continue;
            }
            let (target, standing) = place;
            let stands = &standings[standing as usize];
            let breaks = match target {
                Target::Node(_) => spec.failed(stands),
                Target::End(end) => {
                    let judged = match &self.graph.ends()[end as usize] {
                        End::Cut(_) => hemiola_monitor::End::Cut,
                        _ => hemiola_monitor::End::Complete,
                    };
                    !spec.conforms(stands, judged)
                }
            };
            if breaks {
                return Some(self.finished(target, word(&best, place), fair));
            }
            let Target::Node(node) = target else { continue };
            for edge in self.graph.edges_of(node) {
                let standing = match edge.label {
                    None => standing,
                    Some(label) => {
                        let seen = &self.graph.labels[label as usize];
                        let next = spec.advance(&standings[standing as usize], seen);
                        *number.entry(next).or_insert_with_key(|next| {
                            standings.push(next.clone());
                            standings.len() as u32 - 1
                        })
                    }
                };
                let reached = cost + u32::from(edge.label.is_some());
                let to = (edge.to, standing);
                if best.get(&to).is_none_or(|&(known, _)| reached < known) {
                    best.insert(to, (reached, Some((place, edge.label))));
                    match edge.label {
                        None => queue.push_front((to, reached)),
                        Some(_) => queue.push_back((to, reached)),
                    }
                }
            }
        }
        None
    }

    /// A whole run with what it has shown so far: to its end by the shortest way, else round and round.
    fn finished(&self, target: Target, mut shown: Vec<u32>, fair: bool) -> Broken {
        let node = match target {
            Target::End(end) => {
                let end = Finish::End(self.graph.ends()[end as usize].clone());
                return Broken { trace: self.observations(&shown), end };
            }
            Target::Node(node) => node,
        };
        let parts = self.parts(|_, _| true);
        let rounds: FxHashMap<u32, &super::parts::Part> = parts
            .rounds(self, fair)
            .flat_map(|part| part.nodes.iter().map(move |&node| (node, part)))
            .collect();
        let mut before: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut queue = VecDeque::from([node]);
        let mut round = None;
        let way_to = |before: &FxHashMap<u32, (u32, u32)>, mut at: u32| {
            let mut way = Vec::new();
            while at != node {
                let step = before[&at];
                way.push(step);
                at = step.0;
            }
            way.reverse();
            way
        };
        while let Some(at) = queue.pop_front() {
            if round.is_none() && rounds.contains_key(&at) {
                round = Some(at);
            }
            for (index, edge) in self.graph.edges_of(at).iter().enumerate() {
                match edge.to {
                    Target::End(end) => {
                        shown.extend(self.word_of(&way_to(&before, at)));
                        shown.extend(edge.label);
                        let end = Finish::End(self.graph.ends()[end as usize].clone());
                        return Broken { trace: self.observations(&shown), end };
                    }
                    Target::Node(to) => {
                        if to != node && !before.contains_key(&to) {
                            before.insert(to, (at, index as u32));
                            queue.push_back(to);
                        }
                    }
                }
            }
        }
        let at = round.expect("a run that cannot end goes round, and every answer can come");
        shown.extend(self.word_of(&way_to(&before, at)));
        let again = self.word_of(&rounds[&at].round(self, at, fair));
        Broken { trace: self.observations(&shown), end: Finish::Again(self.observations(&again)) }
    }

    /// An infinite run that does not show something again and again that it should.
    fn never_again(&self, spec: &Spec, fair: bool) -> Option<Broken> {
        let ways = self.ways();
        let mut shortest: Option<(Vec<u32>, Vec<u32>)> = None;
        for clause in spec.often() {
            let parts = self.parts(|_, edge| {
                edge.label.is_none_or(|label| !clause.matches(&self.graph.labels[label as usize]))
            });
            for part in parts.rounds(self, fair) {
                let words = part.nodes.iter().map(|&node| (self.word_to(&ways, node), node));
                let (stem, node) =
                    words.min_by_key(|(word, _)| word.len()).expect("a part has nodes");
                if shortest.as_ref().is_none_or(|(known, _)| stem.len() < known.len()) {
                    let again = self.word_of(&part.round(self, node, fair));
                    shortest = Some((stem, again));
                }
            }
        }
        shortest.map(|(stem, again)| Broken {
            trace: self.observations(&stem),
            end: Finish::Again(self.observations(&again)),
        })
    }
}

/// To each place the shortest way that is known: how long it is, the place before, and what is shown in between.
type Ways = FxHashMap<Place, (u32, Option<(Place, Option<u32>)>)>;

/// What is shown on the way to a place.
fn word(best: &Ways, mut place: Place) -> Vec<u32> {
    let mut word = Vec::new();
    while let (_, Some((before, label))) = best[&place] {
        word.extend(label);
        place = before;
    }
    word.reverse();
    word
}
