//! Runs that were made before, in whichever order, by one search or by several that shared it.

use super::journal::{object, plan_text, report};
use super::plan::{Ended, Plan, Report};
use super::search::{Job, Search, Settings};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Reports by the plans of their runs, and by what the states in them tell of the program.
#[derive(Debug, Default)]
pub struct Made {
    reports: BTreeMap<(u64, String), Report>,
    /// Whether they are known to be of this program.
    is_sure: bool,
}

/// Why a report cannot be added to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeError {
    /// It is no report.
    Unknown,
    /// Another run in the default order did something else: they are of different programs.
    Other,
}

impl Made {
    /// Adds what [`Made::wave`] gave to be written down. Of two reports of one run the one that says more is kept.
    pub fn add(&mut self, value: &Value) -> Result<(), MadeError> {
        let tells = value["tells"].as_u64().ok_or(MadeError::Unknown)?;
        let (plan, new) = report(value).ok_or(MadeError::Unknown)?;
        let is_default = plan == plan_text(&Plan::Follow(Default::default()));
        let key = (tells, plan);
        match self.reports.get(&key) {
            Some(known) if is_default && *known != new => return Err(MadeError::Other),
            Some(known) if known.choices.len() >= new.choices.len() => {}
            Some(_) | None => {
                self.reports.insert(key, new);
            }
        }
        Ok(())
    }

    /// The search that these reports are of, and nothing if one is missing.
    pub fn search(mut self, settings: Settings) -> Option<Search> {
        self.is_sure = true;
        let search = Search::in_waves(
            settings,
            |_| false,
            |search, jobs| {
                let missing = |_: &Search, jobs: &[Job]| match jobs {
                    [] => Ok(Vec::new()),
                    [..] => Err(()),
                };
                self.wave(search, jobs, missing, |_| {}, || ())
            },
        );
        search.ok()
    }

    /// Takes the reports of a wave, those that were made before and those that `run` makes, as if runs were made one
    /// after another; `note` is given the latter to be written down. If the program does something else in the default
    /// order than it did, it has changed.
    pub fn wave<E>(
        &mut self,
        search: &mut Search,
        jobs: &[Job],
        mut run: impl FnMut(&Search, &[Job]) -> Result<Vec<Report>, E>,
        mut note: impl FnMut(Map<String, Value>),
        changed: impl FnOnce() -> E,
    ) -> Result<(), E> {
        let tells = tells(search);
        let key = |job: &Job| (tells, plan_text(&job.plan));
        if !std::mem::replace(&mut self.is_sure, true)
            && let Some(first) = jobs.first()
            && let Some(known) = self.reports.get(&key(first))
            && let Some(made) = run(search, &jobs[..1])?.first()
            && made.ended != Ended::Interrupted
            && made != known
        {
            return Err(changed());
        }
        let missing: Vec<Job> =
            jobs.iter().filter(|job| !self.reports.contains_key(&key(job))).cloned().collect();
        let mut new = run(search, &missing)?.into_iter();
        for job in jobs {
            let known = self.reports.get(&key(job));
            let usable = known.filter(|known| search.can_take(job, known)).cloned();
            let is_new = usable.is_none();
            let report = match (usable, known) {
                (Some(usable), _) => Some(usable),
                (None, None) => new.next(),
                (None, Some(_)) if search.is_outdated(job) => None,
                // It was given up where this search has not been yet.
                (None, Some(_)) => run(search, std::slice::from_ref(job))?.pop(),
            };
            let Some(report) = report else { continue };
            if is_new && report.ended != Ended::Interrupted {
                let mut object = object(&job.plan, &report);
                object.insert("tells".to_owned(), tells.into());
                note(object);
            }
            search.take_in_turn(job, &report);
        }
        Ok(())
    }
}

/// What states tell beside the order of callbacks, as a number: the time, and all that accesses do not tell.
fn tells(search: &Search) -> u64 {
    u64::from(search.clock()) + 2 * u64::from(search.coarse())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedules::{Choice, Outcome, Part, Reduction, State, Watchers};

    const SETTINGS: Settings =
        Settings { deviations: None, schedules: 10_000, seed: 0, first_failure: false };

    /// A program that runs five callbacks in any order, and fails if one of them is first. A state is which of them have
    /// run, and which one was first.
    fn run(job: &Job, watchers: &Watchers) -> Report {
        let Plan::Follow(schedule) = &job.plan else { panic!("only schedules are tried") };
        let pairs: Vec<(u32, u32)> = schedule.pairs().to_vec();
        let fresh = pairs.last().map_or(0, |last| last.0 as usize + 1);
        let (mut left, mut order, mut choices) = (vec![0, 1, 2, 3, 4], Vec::new(), Vec::new());
        let mut ended = None;
        while left.len() > 1 {
            let set: u128 = left.iter().map(|one| 1 << one).sum();
            let first = order.first().map_or(9, |first: &u128| *first);
            let state = State(set * 16 + first);
            if choices.len() >= fresh && watchers.known.contains(state) {
                ended = Some(Ended::Known(Some(state)));
                break;
            }
            let at = choices.len() as u32;
            let taken = pairs.iter().find(|pair| pair.0 == at).map_or(0, |pair| pair.1);
            let count = left.len() as u32;
            choices.push(Choice { count, taken, state: Some(state), later: Vec::new() });
            order.push(left.remove(taken as usize));
        }
        let ended = ended.unwrap_or_else(|| {
            order.extend(&left);
            let failure = (order[0] == 3).then(|| "it fails".to_owned());
            Ended::Outcome(Outcome { failure, code: order[0] as i32, ..Outcome::default() })
        });
        let (reads_clock, coarse, slow, starves) = (false, false, false, Vec::new());
        Report { choices, ended, reads_clock, coarse, slow, starves }
    }

    /// Searches a part, given what was made before, and says what is made now; nothing if the program has changed.
    fn search(part: Part, mut made: Made) -> Option<(Search, Vec<Value>)> {
        let mut notes = Vec::new();
        let search = Search::new(SETTINGS).part(part).to_its_end(
            |_| false,
            |search, jobs| {
                let run_all = |search: &Search, jobs: &[Job]| {
                    let watchers = Watchers::of(search, Reduction::Order);
                    Ok(jobs.iter().map(|job| run(job, &watchers)).collect())
                };
                let note = |one| notes.push(Value::Object(one));
                made.wave(search, jobs, run_all, note, || ())
            },
        );
        search.ok().map(|search| (search, notes))
    }

    fn made<'a>(lines: impl IntoIterator<Item = &'a Value>) -> Made {
        let mut made = Made::default();
        lines.into_iter().for_each(|line| made.add(line).expect("a report"));
        made
    }

    #[test]
    fn parts_make_together_what_the_whole_makes() {
        let (whole, lines) = search(Part::WHOLE, Made::default()).expect("a search");
        assert!(whole.is_complete() && whole.counts().runs() > 64, "waves are of several runs");
        let parts = [0, 1, 2]
            .map(|number| search(Part { number, of: 3 }, Made::default()).expect("a search").1);
        let joined = made(parts.iter().flatten()).search(SETTINGS).expect("no run is missing");
        assert_eq!((joined.found(), joined.counts()), (whole.found(), whole.counts()));

        // Without one part, and with a part that was broken off, the rest is made.
        let some = || parts[0].iter().chain(&parts[1][..parts[1].len() / 2]);
        assert!(made(some()).search(SETTINGS).is_none(), "something is missing");
        let (rest, new) = search(Part::WHOLE, made(some())).expect("a search");
        assert_eq!((rest.found(), rest.counts()), (whole.found(), whole.counts()));
        assert!(!new.is_empty() && new.len() < lines.len(), "{} of {}", new.len(), lines.len());
    }

    #[test]
    fn runs_of_another_program_are_refused() {
        let (_, lines) = search(Part::WHOLE, Made::default()).expect("a search");
        let mut one = made(&lines[..1]);
        assert_eq!(one.add(&serde_json::json!({ "plan": "" })), Err(MadeError::Unknown));
        let mut other = lines[0].clone();
        other["slow"] = true.into();
        assert_eq!(one.add(&other), Err(MadeError::Other));
        assert!(search(Part::WHOLE, made([&other])).is_none(), "it has changed");
    }
}
