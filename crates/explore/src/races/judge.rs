//! Whether a race does harm: runs in which its accesses come in either order are compared (rule RACE-2).

use super::order::{Identity, Kind, Order, PartId};
use super::probe::{Outside, Probe, Race, Subject, first_word};
use crate::schedules::{Blame, Ended, Report};
use hemiola_machine::Schedule;
use hemiola_trace::{Access, Place};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How many of the runs in which a race was seen are compared with others.
const MOST_INSTANCES: usize = 12;

/// What was seen so often, and always in the same order, is in order as far as anybody can tell.
const OFTEN: usize = 64;

/// How one run ended.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The exit code.
    pub code: i32,
    /// What is wrong with it, in a line, if anything is.
    pub failure: Option<String>,
    /// What failed, and where.
    pub blame: Option<Blame>,
    /// Whether an answer was slow.
    pub slow: bool,
}

impl Shown {
    /// How a run ended; nothing for one that was given up.
    pub fn of(report: &Report) -> Option<Self> {
        match &report.ended {
            Ended::Outcome(outcome) => Some(Self {
                code: outcome.code,
                failure: outcome.failure.clone(),
                blame: Blame::of(outcome),
                slow: report.slow,
            }),
            Ended::Known(_) | Ended::Cut | Ended::Misfit(_) | Ended::Interrupted => None,
        }
    }
}

/// What came of comparing runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The outcomes differ.
    Harmful {
        /// The schedule of the run that shows it: one that fails, if there is one.
        schedule: Schedule,
        /// How that run fails.
        failure: Option<String>,
        /// Whether the runs that differ have an answer that is slow.
        slow: bool,
    },
    /// They are the same.
    Benign,
    /// No run had the accesses in the other order.
    Unreached,
}

/// A step of a chain of links or causes, from the access to the main program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// What it is.
    pub kind: Kind,
    /// What it is about, in words; may be empty.
    pub what: String,
    /// Where it was registered.
    pub place: Option<Place>,
}

/// One of the accesses of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// What it did.
    pub access: Access,
    /// Where in the program.
    pub place: Option<Place>,
    /// Who did it, who attached that, and so on.
    pub links: Vec<Named>,
    /// Who did it, who made that able to run, and so on.
    pub causes: Vec<Named>,
}

/// A race, and whether it does harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The location in words; empty if only an order of callbacks is known to matter.
    pub what: String,
    /// Both accesses; for a timer, its clearing and its run.
    pub sides: [Account; 2],
    /// How often it was seen.
    pub seen: usize,
    /// Whether it does harm.
    pub verdict: Verdict,
    /// Whether nothing but the order of two registrations keeps the accesses in order.
    pub potential: bool,
    /// Other accesses that come in either order where these do, with the same result.
    pub also: Vec<Also>,
}

/// A race that another tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Also {
    /// The location in words.
    pub what: String,
    /// Both accesses.
    pub sides: [Account; 2],
}

/// What comes of a race. Those with the same are taken for one: the first of them is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Harm {
    /// The program fails in this way.
    Fails(Blame),
    /// It shows these lines, or does not; without numbers.
    Shows(BTreeSet<String>),
}

/// Compares runs.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    runs: Vec<Run>,
    groups: BTreeMap<Key, Group>,
    names: BTreeMap<Identity, Account>,
}

/// What is the same race in different runs: the location, and for both sides the place or who did it.
type Key = (String, [Where; 2]);

type Where = (Option<Place>, String);

#[derive(Clone, Debug)]
struct Group {
    what: String,
    sides: [Account; 2],
    instances: Vec<Instance>,
    seen: usize,
    commutes: bool,
    potential: bool,
    temporary: bool,
    kind: Kinds,
}

/// What kind of location a race is about: the first says most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kinds {
    /// Something that programs mean to share.
    Thing,
    /// The names in a directory, which change with every file.
    Names,
    /// Whether a timer runs.
    Timer,
}

impl Kinds {
    fn of(subject: &Subject) -> Self {
        match subject {
            Subject::Outside(Outside::Entries(_)) => Self::Names,
            Subject::Timer(_) => Self::Timer,
            Subject::Memory(_)
            | Subject::Outside(
                Outside::File(_) | Outside::Port(_) | Outside::Channel(_) | Outside::Descriptor(_),
            ) => Self::Thing,
        }
    }
}

/// One race in one run: the first came before the other there.
#[derive(Clone, Copy, Debug)]
struct Instance {
    run: usize,
    first: Identity,
    other: Identity,
}

#[derive(Clone, Debug)]
struct Run {
    schedule: Schedule,
    shown: Option<Shown>,
    sequence: Vec<Identity>,
    positions: BTreeMap<Identity, usize>,
    lines: Vec<(PartId, String)>,
}

impl Judge {
    /// Takes what was heard of a run; `shown` is nothing for a run that was given up.
    pub fn take(&mut self, probe: &Probe, schedule: Schedule, shown: Option<Shown>) {
        let order = probe.order();
        let sequence: Vec<Identity> = order.parts().map(|(_, part)| part.identity).collect();
        let positions = sequence.iter().rev().zip((0..sequence.len()).rev());
        let positions = positions.map(|(&identity, at)| (identity, at)).collect();
        let run = self.runs.len();
        for (id, part) in order.parts() {
            let place = part.place.clone();
            self.names
                .entry(part.identity)
                .or_insert_with(|| account(order, id, Access::Write, place));
        }
        let mut seen = BTreeSet::new();
        let mut races = probe.races();
        // The numbers of locations depend on what the engine had loaded before the run.
        races.sort_by_cached_key(|race| {
            let second =
                race.second.as_ref().map(|side| (side.part, side.access, side.place.clone()));
            let first = (race.first.part, race.first.access, race.first.place.clone());
            (first, second, race.other, kind_of(&race.what))
        });
        for race in races {
            let first = order.part(race.first.part).identity;
            let key = self.note(order, &race);
            let group = self.groups.get_mut(&key).expect("it was just noted");
            group.seen += 1;
            if seen.insert((key, first, race.other)) && group.instances.len() < MOST_INSTANCES {
                group.instances.push(Instance { run, first, other: race.other });
            }
        }
        let lines = probe.shown().to_vec();
        self.runs.push(Run { schedule, shown, sequence, positions, lines });
    }

    /// Notes a race under what it has in common with others.
    fn note(&mut self, order: &Order, race: &Race) -> Key {
        let first = account(order, race.first.part, race.first.access, race.first.place.clone());
        let second = match &race.second {
            Some(side) => account(order, side.part, side.access, side.place.clone()),
            None => {
                let links = vec![Named {
                    kind: Kind::Callback(hemiola_trace::Class::Timer),
                    what: String::new(),
                    place: race.other_place.clone(),
                }];
                let place = race.other_place.clone();
                Account { access: Access::Read, place, causes: links.clone(), links }
            }
        };
        let mut sides = [first, second];
        sides.sort_by(|one, other| (&one.place, one.access).cmp(&(&other.place, other.access)));
        let whereabouts = |side: &Account| {
            let by = side.links.first().filter(|_| side.place.is_none());
            (side.place.clone(), by.map_or_else(String::new, |by| first_word(&by.what).to_owned()))
        };
        let key = (kind_of(&race.what), sides.each_ref().map(whereabouts));
        let writes =
            |sides: &[Account; 2]| sides.iter().filter(|side| side.access == Access::Write).count();
        let group = self.groups.entry(key.clone()).or_insert_with(|| Group {
            what: words(&race.what),
            sides: sides.clone(),
            instances: Vec::new(),
            seen: 0,
            commutes: true,
            potential: true,
            temporary: false,
            kind: Kinds::of(&race.subject),
        });
        group.commutes &= race.commutes;
        group.potential &= race.potential;
        group.temporary |= race.temporary;
        if writes(&sides) > writes(&group.sides) {
            group.sides = sides;
        }
        key
    }

    /// All races with their verdicts: those that do harm first, and of these the most telling. Those that do the
    /// same harm are one. `complete` says that no schedule is left that was not run; then what was never seen in
    /// another order is in order.
    pub fn verdicts(&self, complete: bool) -> Vec<Judged> {
        let mut harms: BTreeMap<&Key, Harm> = BTreeMap::new();
        let mut judged: Vec<(&Key, &Group, Verdict)> = Vec::new();
        for (key, group) in &self.groups {
            let (verdict, harm) = self.verdict(group);
            harms.extend(harm.map(|harm| (key, harm)));
            judged.push((key, group, verdict));
        }
        // What commutes is not to blame where something else is.
        let is_harm = |verdict: &Verdict| matches!(verdict, Verdict::Harmful { .. });
        if judged.iter().any(|(_, group, verdict)| !group.commutes && is_harm(verdict)) {
            for (_, _, verdict) in judged.iter_mut().filter(|(_, group, _)| group.commutes) {
                *verdict = Verdict::Benign;
            }
        }
        // What the library sets is not to blame where the program is.
        let is_program = |group: &Group| group.sides.iter().all(|side| side.place.is_some());
        if judged.iter().any(|(_, group, verdict)| is_program(group) && is_harm(verdict)) {
            let is_library = |group: &Group| {
                let mut runs = group.sides.iter().filter(|side| side.access == Access::Read);
                group.what == "timer" && runs.any(|side| side.place.is_none())
            };
            judged.retain(|(_, group, _)| !is_library(group));
        }
        judged.retain(|(_, group, verdict)| {
            // Who registers in the order that is needed does nothing wrong; it is worth telling only
            // where the other order fails.
            if group.potential {
                return matches!(verdict, Verdict::Harmful { failure: Some(_), .. });
            }
            // A timer that is cleared does not run: that alone guards it.
            let is_timer = group.what == "timer";
            match verdict {
                Verdict::Harmful { .. } => true,
                Verdict::Benign => !is_timer,
                Verdict::Unreached => !complete && !is_timer && group.seen < OFTEN,
            }
        });
        judged.sort_by_key(|(_, group, verdict)| match verdict {
            Verdict::Harmful { failure, schedule, slow } => {
                let lacks_place = group.sides.iter().any(|side| side.place.is_none());
                let vague = (group.temporary, lacks_place, group.kind);
                (0, *slow, failure.is_none(), Some(vague), schedule.deviations())
            }
            Verdict::Benign => (1, false, false, None, 0),
            Verdict::Unreached => (2, false, false, None, 0),
        });
        let mut told: Vec<Judged> = Vec::new();
        let mut caused: Vec<(&Harm, bool)> = Vec::new();
        for (key, group, verdict) in judged {
            let harm =
                harms.get(key).filter(|_| is_harm(&verdict)).map(|one| (one, group.potential));
            let same = harm.and_then(|harm| caused.iter().position(|known| *known == harm));
            match same {
                // Those that do harm come first, so that they stand where their harm does.
                Some(at) => told[at]
                    .also
                    .push(Also { what: group.what.clone(), sides: group.sides.clone() }),
                None => {
                    caused.extend(harm);
                    told.push(Judged {
                        what: group.what.clone(),
                        sides: group.sides.clone(),
                        seen: group.seen,
                        verdict,
                        potential: group.potential,
                        also: Vec::new(),
                    });
                }
            }
        }
        if caused.is_empty() {
            told.splice(0..0, self.unexplained());
        }
        told
    }

    /// What comes of a race, and how that is told from what comes of others.
    fn verdict(&self, group: &Group) -> (Verdict, Option<Harm>) {
        let (mut verdict, mut harm) = (Verdict::Unreached, None);
        for instance in &group.instances {
            let run = &self.runs[instance.run];
            let Some(shown) = &run.shown else { continue };
            for other in self.flipped(instance) {
                if !differ(run, other) {
                    if verdict == Verdict::Unreached {
                        verdict = Verdict::Benign;
                    }
                    continue;
                }
                let other_shown = other.shown.as_ref().expect("a run that is compared has ended");
                let (schedule, ended) = match (&shown.failure, &other_shown.failure) {
                    (Some(_), None) => (&run.schedule, shown),
                    _ => (&other.schedule, other_shown),
                };
                let (failure, slow) = (&ended.failure, shown.slow || other_shown.slow);
                let better = match &verdict {
                    Verdict::Harmful { schedule: best, failure: known, slow: is_slow } => {
                        (slow, failure.is_none(), schedule.deviations())
                            < (*is_slow, known.is_none(), best.deviations())
                    }
                    Verdict::Benign | Verdict::Unreached => true,
                };
                if better {
                    let (schedule, failure) = (schedule.clone(), failure.clone());
                    verdict = Verdict::Harmful { schedule, failure, slow };
                    harm = Some(match &ended.blame {
                        Some(blame) => Harm::Fails(blame.clone()),
                        None => Harm::Shows(different_lines(run, other)),
                    });
                }
            }
        }
        (verdict, harm)
    }

    /// The runs that are most like that of an instance, but have the other first.
    fn flipped(&self, instance: &Instance) -> Vec<&Run> {
        let run = &self.runs[instance.run];
        let first_at = run.positions.get(&instance.first).copied().unwrap_or_default();
        let is_flipped = |candidate: &&Run| {
            let at = |identity| candidate.positions.get(identity);
            let comes = at(&instance.other);
            let later = at(&instance.first).is_none_or(|first| comes.is_some_and(|at| at < first));
            candidate.shown.is_some() && comes.is_some() && later
        };
        let likeness = |candidate: &Run| {
            let same = run.sequence.iter().zip(&candidate.sequence).take(first_at);
            let same = same.take_while(|(one, other)| one == other).count();
            (same, Reverse(candidate.schedule.deviations()))
        };
        let flipped: Vec<&Run> = self.runs.iter().filter(is_flipped).collect();
        let best = flipped.iter().map(|candidate| likeness(candidate)).max();
        flipped.into_iter().filter(|candidate| Some(likeness(candidate)) == best).collect()
    }

    /// Where some runs fail and others do not, and no race says why: the order of callbacks that makes
    /// the difference.
    fn unexplained(&self) -> Option<Judged> {
        let fails = |run: &&Run| run.shown.as_ref().is_some_and(|shown| shown.failure.is_some());
        let works = |run: &&Run| run.shown.as_ref().is_some_and(|shown| shown.failure.is_none());
        let slow = |run: &Run| run.shown.as_ref().is_some_and(|shown| shown.slow);
        let simple = |run: &&Run| (slow(run), run.schedule.deviations());
        let failing = self.runs.iter().filter(fails).min_by_key(simple)?;
        let common = |run: &&Run| {
            let pairs = run.sequence.iter().zip(&failing.sequence);
            pairs.take_while(|(one, other)| one == other).count()
        };
        let working = self.runs.iter().filter(works).max_by_key(common)?;
        let at = common(&working);
        let first = self.names.get(failing.sequence.get(at)?)?;
        let second = self.names.get(working.sequence.get(at)?)?;
        Some(Judged {
            what: String::new(),
            sides: [first.clone(), second.clone()],
            seen: 1,
            verdict: Verdict::Harmful {
                schedule: failing.schedule.clone(),
                failure: failing.shown.as_ref().and_then(|shown| shown.failure.clone()),
                slow: slow(failing) || slow(working),
            },
            potential: false,
            also: Vec::new(),
        })
    }

    /// How every run fails that came to its end, if every one does, and the schedule of the simplest.
    pub fn always_fails(&self) -> Option<(&str, &Schedule)> {
        let ended = self.runs.iter().filter_map(|run| Some((run, run.shown.as_ref()?)));
        let mut simplest: Option<(&str, &Schedule)> = None;
        for (run, shown) in ended {
            let failure = shown.failure.as_deref()?;
            if simplest.is_none_or(|(_, known)| run.schedule.deviations() < known.deviations()) {
                simplest = Some((failure, &run.schedule));
            }
        }
        simplest
    }
}

/// The words for a location. Which number an object has says nothing: it differs between runs.
fn words(what: &str) -> String {
    match what.rsplit_once(" of object ") {
        Some((part, number)) if number.parse::<u64>().is_ok() => format!("{part} of an object"),
        _ => what.to_owned(),
    }
}

/// The words for a location without the numbers, which differ between runs.
fn kind_of(what: &str) -> String {
    what.split(' ').filter(|word| word.parse::<u64>().is_err()).collect::<Vec<_>>().join(" ")
}

fn account(order: &Order, part: PartId, access: Access, place: Option<Place>) -> Account {
    let chain = |next: fn(&Order, PartId) -> PartId| {
        let mut chain = Vec::new();
        let mut at = part;
        loop {
            let part = order.part(at);
            // What an operation did and its callback are one step.
            if part.kind != Kind::Effect || chain.is_empty() {
                let (what, place) = (part.what.clone(), part.place.clone());
                chain.push(Named { kind: part.kind, what, place });
            }
            let parent = next(order, at);
            if parent == at || at == PartId::MAIN {
                break chain;
            }
            at = parent;
        }
    };
    Account {
        access,
        place,
        links: chain(|order, at| order.part(at).link),
        causes: chain(|order, at| order.part(at).cause),
    }
}

/// Whether two runs show something else. Lines of different callbacks may come in another order.
fn differ(one: &Run, other: &Run) -> bool {
    let ended = |run: &Run| run.shown.as_ref().map(|shown| (shown.code, shown.failure.clone()));
    if ended(one) != ended(other) {
        return true;
    }
    let sorted = |run: &Run| {
        let mut lines: Vec<String> = run.lines.iter().map(|(_, line)| line.clone()).collect();
        lines.sort_unstable();
        lines
    };
    if sorted(one) != sorted(other) {
        return true;
    }
    // Two lines that one callback shows together have an order that was meant.
    let together = |run: &Run| {
        let mut pairs = BTreeSet::new();
        for (at, (part, line)) in run.lines.iter().enumerate() {
            let before = run.lines[..at].iter().rev().take_while(|(other, _)| other == part);
            pairs.extend(before.map(|(_, earlier)| (earlier.clone(), line.clone())));
        }
        pairs
    };
    let (first, second) = (together(one), together(other));
    first.iter().any(|(earlier, later)| {
        earlier != later
            && second.contains(&(later.clone(), earlier.clone()))
            && !first.contains(&(later.clone(), earlier.clone()))
    })
}

/// The lines that one of two runs shows and the other does not, without their numbers: these are often times and
/// counts.
fn different_lines(one: &Run, other: &Run) -> BTreeSet<String> {
    let lines = |run: &Run| -> BTreeSet<String> {
        let plain =
            |line: &String| line.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        run.lines.iter().map(|(_, line)| plain(line)).collect()
    };
    lines(one).symmetric_difference(&lines(other)).cloned().collect()
}
