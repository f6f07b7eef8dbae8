//! Programs that never end and have finitely many configurations, held to a search that is nothing but
//! the definition: a run that goes round is a way from a configuration back to it.

use crate::support::{self, Counts, line};
use crate::{oracle_l, oracle_lasync};
use hemiola_calculus::{Execution, Following, Study, l, lasync};
use hemiola_explore::{Endless, Finish, Lasso, Limits, Next, Script};
use hemiola_machine::{Event, Named};
use hemiola_monitor::Spec;
use hemiola_trace::Observation;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A step: what it shows, and where it leads; nowhere, if the run ends.
struct Step {
    shows: Vec<Observation>,
    to: Option<usize>,
}

/// Where a run may be.
enum At<E> {
    Configuration(E),
    /// In a call that never returns, and shows this in each of its rounds.
    Call(Vec<Observation>),
}

/// All configurations of a program, and the steps between them.
#[derive(Default)]
struct Naive {
    steps: Vec<Vec<Step>>,
    /// What each waits for, and how often.
    awaited: Vec<BTreeMap<Vec<u8>, usize>>,
}

impl Naive {
    fn of<S: Study>(study: &S, fair: bool, most: usize) -> Option<Self> {
        let start = study.start(Following { endless: true, fair, hunting: false });
        let mut naive = Self::default();
        let mut known: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let mut queue = VecDeque::new();
        let mut enter = |execution: S::Execution, naive: &mut Self, queue: &mut VecDeque<_>| {
            let mut bytes = Vec::new();
            execution.write(&mut bytes);
            *known.entry(bytes).or_insert_with(|| {
                let mut awaited: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
                execution.awaited(&mut |kind| *awaited.entry(kind.to_vec()).or_default() += 1);
                naive.awaited.push(awaited);
                queue.push_back(At::Configuration(execution));
                naive.awaited.len() - 1
            })
        };
        enter(start, &mut naive, &mut queue);
        while let Some(from) = queue.pop_front() {
            let from = match from {
                At::Configuration(from) => from,
                At::Call(shows) => {
                    let to = Some(naive.steps.len());
                    naive.steps.push(vec![Step { shows, to }]);
                    continue;
                }
            };
            let mut script = Script::default();
            let mut steps = Vec::new();
            loop {
                let mut execution = from.clone();
                let mut events: Vec<Event> = Vec::new();
                let next = execution.take_step(&mut script, &mut events);
                let shows = events.into_iter().filter_map(|event| match event {
                    Event::Observed(shown) => Some(shown),
                    _ => None,
                });
                let mut shows: Vec<Observation> = shows.collect();
                let to = match next {
                    Next::Configuration => Some(enter(execution, &mut naive, &mut queue)),
                    Next::Endless { from } => {
                        naive.awaited.push(BTreeMap::new());
                        queue.push_back(At::Call(shows.split_off(from)));
                        Some(naive.awaited.len() - 1)
                    }
                    Next::End(_) => None,
                };
                steps.push(Step { shows, to });
                if !script.advance() {
                    break;
                }
            }
            naive.steps.push(steps);
            if naive.awaited.len() > most {
                return None;
            }
        }
        Some(naive)
    }

    fn ends(&self) -> bool {
        self.steps.iter().flatten().any(|step| step.to.is_none())
    }

    /// Whether a run goes round for ever without showing this; with `fair`, a fair one.
    fn goes_round(&self, without: Option<&Observation>, fair: bool) -> bool {
        (0..self.steps.len()).any(|start| self.comes_back(start, without, fair))
    }

    /// Whether there is a way back to a configuration on which every answer that is awaited comes, or is
    /// not awaited somewhere.
    fn comes_back(&self, start: usize, without: Option<&Observation>, fair: bool) -> bool {
        let owed: BTreeSet<&Vec<u8>> =
            if fair { self.awaited[start].keys().collect() } else { BTreeSet::new() };
        let mut seen = BTreeSet::new();
        let mut queue = VecDeque::from([(start, owed)]);
        while let Some((at, owed)) = queue.pop_front() {
            for step in &self.steps[at] {
                let Some(to) = step.to else { continue };
                if without.is_some_and(|shown| step.shows.contains(shown)) {
                    continue;
                }
                let count =
                    |at: usize, kind: &Vec<u8>| self.awaited[at].get(kind).copied().unwrap_or(0);
                let mut owed = owed.clone();
                owed.retain(|kind| count(to, kind) > 0 && count(to, kind) >= count(at, kind));
                if to == start && owed.is_empty() {
                    return true;
                }
                if seen.insert((to, owed.clone())) {
                    queue.push_back((to, owed));
                }
            }
        }
        false
    }

    /// Whether a run may begin by showing this.
    fn shows(&self, word: &[&Observation]) -> bool {
        let mut seen = BTreeSet::from([(0usize, 0usize)]);
        let mut queue = VecDeque::from([(0usize, 0usize)]);
        while let Some((at, shown)) = queue.pop_front() {
            if shown == word.len() {
                return true;
            }
            for step in &self.steps[at] {
                let fits = step.shows.iter().zip(&word[shown..]).all(|(one, &other)| one == other);
                let reached = (shown + step.shows.len()).min(word.len());
                if fits && reached == word.len() {
                    return true;
                }
                if let (true, Some(to)) = (fits, step.to)
                    && seen.insert((to, reached))
                {
                    queue.push_back((to, reached));
                }
            }
        }
        false
    }

    fn alphabet(&self) -> BTreeSet<&Observation> {
        self.steps.iter().flatten().flat_map(|step| &step.shows).collect()
    }
}

fn word(lasso: &Lasso, times: usize) -> Vec<&Observation> {
    let again = (0..times).flat_map(|_| &lasso.again);
    lasso.stem.iter().chain(again).collect()
}

/// Compares what is decided with what the search says.
fn agree<S: Study>(study: &S, counts: &Counts) -> Result<(), String> {
    let limits = Limits { states: 400 };
    for fair in [false, true] {
        counts.add("programs", true);
        let Some(endless) = study.endless(fair, false, limits, &mut |_| {}) else { continue };
        let Some(naive) = Naive::of(study, fair, 1_000) else { continue };
        counts.add("finite", true);
        let round = naive.goes_round(None, fair);
        counts.add("endless", round);
        let found = endless.lassos(fair, 1_000);
        if round == found.lassos.is_empty() {
            return Err(format!("fair {fair}: goes round: {round}, but {:?}", found.lassos));
        }
        for lasso in &found.lassos {
            if !naive.shows(&word(lasso, 3)) {
                return Err(format!(
                    "fair {fair}: nothing shows {} then {}",
                    line(&lasso.stem),
                    line(&lasso.again)
                ));
            }
        }
        for shown in naive.alphabet() {
            let spec = format!("infinitely often \"{shown}\"");
            let spec = match shown {
                Observation::Number(number) => format!("infinitely often {number}"),
                Observation::Name(_) => spec,
            };
            let spec = Spec::parse(&spec).map_err(|error| error.message)?;
            let expected = naive.ends() || naive.goes_round(Some(shown), fair);
            let broken = endless.violation(&spec, fair);
            counts.add("again and again", !expected);
            if broken.is_some() != expected {
                return Err(format!(
                    "fair {fair}: {shown} may stay away: {expected}, but {broken:?}"
                ));
            }
            if let Some(broken) = broken
                && let Finish::Again(again) = broken.end
            {
                let lasso = Lasso { stem: broken.trace, again };
                if lasso.again.contains(shown) || !naive.shows(&word(&lasso, 3)) {
                    return Err(format!("fair {fair}: {lasso:?} is no run without {shown}"));
                }
            }
        }
    }
    Ok(())
}

/// What a program of λasync shows without end, and what starves.
fn lassos(text: &str, strategy: Named) -> (Vec<String>, Vec<String>) {
    let program = lasync::parse(text).expect("a program");
    let bounds = lasync::Bounds::default();
    let study = lasync::Study { program: &program, strategy, bounds: &bounds };
    let endless = |hunting| study.endless(true, hunting, Limits { states: 400 }, &mut |_| {});
    let found = endless(false).expect("it is decided").lassos(true, 100).lassos;
    let found =
        found.iter().map(|Lasso { stem, again }| format!("{} / {}", line(stem), line(again)));
    let starved = endless(true).expect("it is decided").starved(true);
    (found.collect(), starved.into_iter().collect())
}

#[test]
fn a_call_that_never_returns_is_decided() {
    for strategy in lasync::STRATEGIES {
        let (silent, _) = lassos("def f { call f }\ncall f", strategy);
        assert_eq!(silent, ["[] / []"], "{strategy}");
        let two = "def f { log a; call g }\ndef g { log b; call f; log never }\n\
                   nextTick waits { log x }\nlog start\ncall f";
        let (shown, starved) = lassos(two, strategy);
        assert_eq!(shown, ["[start] / [a b]"], "{strategy}");
        assert_eq!(starved, ["waits"], "{strategy}");
        // What is shown depends on a value that changes, and on a flag that is raised in the first round.
        let changing = "def f(x) { log x; iflog seen yes no; set seen; call f b }\ncall f a";
        let (shown, _) = lassos(changing, strategy);
        assert_eq!(shown, ["[a no] / [b yes]"], "{strategy}");
    }
}

#[test]
fn grown_programs_of_lasync_are_decided() {
    let counts = Counts::default();
    support::check(250, 200, oracle_lasync::Grower::case, |case| {
        let program = lasync::parse(&case.text).map_err(|error| error.message)?;
        for strategy in lasync::STRATEGIES {
            if lasync::unsupported(&program, strategy).is_none() {
                let study = lasync::Study { program: &program, strategy, bounds: &case.bounds };
                agree(&study, &counts).map_err(|why| format!("{strategy}: {why}"))?;
            }
        }
        Ok(())
    });
    println!("{counts}");
    assert!(counts.get("finite") * 3 > counts.get("programs"), "many programs are finite");
    assert!(counts.get("endless") > 20, "some of them never end");
    assert!(counts.get("again and again") > 5, "some show something again and again");
}

#[test]
fn grown_programs_of_l_are_decided() {
    let counts = Counts::default();
    support::check(300, 500, oracle_l::Grower::case, |case| {
        let program = l::parse(&case.text).map_err(|error| error.message)?;
        for mode in l::Mode::ALL {
            let study = l::Study { program: &program, mode, bounds: &case.bounds };
            agree(&study, &counts).map_err(|why| format!("{}: {why}", mode.name()))?;
        }
        Ok(())
    });
    println!("{counts}");
    assert!(counts.get("finite") * 3 > counts.get("programs"), "many programs are finite");
    assert!(counts.get("endless") > 20, "some of them never end");
}

/// A program without cycles has the same outcomes whether bounds are kept or not.
#[test]
fn a_program_that_ends_has_the_outcomes_that_it_has_under_bounds() {
    support::check(200, 200, oracle_lasync::Grower::case, |case| {
        let program = lasync::parse(&case.text).map_err(|error| error.message)?;
        for strategy in lasync::STRATEGIES {
            if lasync::unsupported(&program, strategy).is_some() {
                continue;
            }
            let bounds =
                lasync::Bounds { values: case.bounds.values.clone(), ..Default::default() };
            let study = lasync::Study { program: &program, strategy, bounds: &bounds };
            let limits = Limits { states: 2_000 };
            let endless: Option<Endless> = study.endless(false, false, limits, &mut |_| {});
            let Some(endless) = endless.filter(|endless| !endless.never_ends()) else { continue };
            let graph = study.executions(Limits { states: 100_000 }, &mut |_| {});
            let sequences = hemiola_explore::Outcomes::of(&graph).sequences(usize::MAX);
            let found = endless.lassos(false, usize::MAX);
            if (&found.traces, found.repeats) != (&sequences.traces, false) {
                return Err(format!("{strategy}: {:?} and {:?}", found.traces, sequences.traces));
            }
        }
        Ok(())
    });
}
