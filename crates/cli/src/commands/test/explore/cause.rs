//! How a failure comes about: the smallest schedule, in words, and the race behind it.

use super::super::outcome::{Class, Failed, Found, Place, Race};
use super::super::told::Case;
use super::again::command;
use super::file::{TestFile, failure};
use super::groups::{Group, blame};
use crate::commands::explored::Explored;
use crate::commands::searching::{Clock, in_words, unsettled};
use crate::render::outcomes::unsettled_in_words;
use crate::render::races::verb;
use crate::report::Failure;
use hemiola_explore::races::{Judge, Judged, Shown, Verdict};
use hemiola_explore::schedules::{
    Blame, Deviation, Ended, Plan, Reduction, Search, Settings, Stage, Watchers, shrink,
};
use hemiola_machine::{Place as SourcePlace, Schedule};
use std::path::{Path, PathBuf};

/// How many runs are compared to find the race behind a failure.
const COMPARED: u64 = 64;

/// How the message ends of a test that can never go on; `lib/internal/suite/main.js` writes it.
const NEVER_COMES: &str = "waits for something that never comes";

/// A test with a failure.
pub(super) struct Cause<'a> {
    pub(super) file: &'a TestFile,
    pub(super) case: &'a Case,
    pub(super) explored: &'a Explored,
    pub(super) clock: &'a Clock,
    pub(super) root: &'a Path,
}

impl Cause<'_> {
    /// A failure as it was found.
    pub(super) fn found(&self, group: Group) -> Failed {
        let Group { class, failed, schedule, .. } = group;
        self.with(failed, class, &schedule, Vec::new(), None)
    }

    /// A failure with the smallest schedule that leads to it, in words, and the race behind it.
    pub(super) fn told(&self, group: Group) -> Result<Failed, Failure> {
        let again = Watchers::alone().within(self.clock.as_long_again());
        let fails = |schedule: &Schedule| {
            let report = self.explored.report(&Plan::Follow(schedule.clone()), &again).ok()?;
            let Ended::Outcome(outcome) = report.ended else { return None };
            let (class, failed) = (Class::of(report.slow), failure(outcome.failure.as_deref()?));
            (blame(&failed) == group.blame && class <= group.class).then_some((class, failed))
        };
        let schedule = shrink(&group.schedule, |tried| fails(tried).is_some());
        let (class, failed) = fails(&schedule).unwrap_or((group.class, group.failed));
        let telling = self.file.case(self.case).instrumented(&[], true);
        let deviations = in_words(self.explored, &telling, &schedule, &again)?;
        let race = self.race(&telling, &schedule, &group.blame)?;
        let failed = self.with_promises(failed, &schedule, &again)?;
        Ok(self.with(failed, class, &schedule, deviations, race))
    }

    /// A failure of a test that waits for what never comes: with the promises that nothing settles.
    fn with_promises(
        &self,
        mut failed: Failed,
        schedule: &Schedule,
        again: &Watchers,
    ) -> Result<Failed, Failure> {
        if failed.message.ends_with(NEVER_COMES) {
            let plan = Plan::Follow(schedule.clone());
            let unsettled = unsettled(self.file.case(self.case), &plan, again)?;
            let own = unsettled.iter().filter(|promise| {
                let mut places = promise.awaited.iter().chain(&promise.made);
                places.all(|place| Path::new(&*place.file).is_absolute())
            });
            for promise in own {
                failed.message.push_str("\n\n");
                failed.message.push_str(&unsettled_in_words(promise));
            }
        }
        Ok(failed)
    }

    /// The race that makes the difference between runs that fail so and runs that do not.
    fn race(
        &self,
        telling: &Explored,
        schedule: &Schedule,
        wanted: &Blame,
    ) -> Result<Option<Race>, Failure> {
        let mut judge = Judge::default();
        let limit = self.clock.as_long_again();
        let follow = Plan::Follow(schedule.clone());
        let again = Watchers::alone().within(limit.clone());
        let (report, probe) = telling.probed(&follow, &again, false)?;
        judge.take(&probe, report.schedule(), Shown::of(&report));
        // Runs that fail in another way say nothing of this one.
        let compares = |shown: &Shown| {
            shown.failure.as_deref().is_none_or(|text| blame(&failure(text)) == *wanted)
        };
        // Runs that pass may be further from the first one than that which fails.
        let settings = Settings {
            deviations: Some(schedule.deviations() as u32 + 2),
            schedules: COMPARED,
            seed: 0,
            first_failure: false,
        };
        // Runs that were interrupted would be made again without end.
        let is_up = |stage| stage != Stage::Over && limit.is_up() || self.clock.is_up_again(stage);
        Search::in_waves(settings, is_up, |search, jobs| {
            let watchers = Watchers::of(search, Reduction::Order).within(limit.clone());
            for job in jobs {
                let (report, probe) = telling.probed(&job.plan, &watchers, false)?;
                let shown = Shown::of(&report).filter(compares);
                judge.take(&probe, report.schedule(), shown);
                search.take(job, &report);
            }
            Ok::<(), Failure>(())
        })?;
        let is_it = |race: &&Judged| match &race.verdict {
            Verdict::Harmful { failure: Some(text), .. } => blame(&failure(text)) == *wanted,
            Verdict::Harmful { failure: None, .. } | Verdict::Benign | Verdict::Unreached => false,
        };
        let judged = judge.verdicts(false);
        let has_places = |race: &&Judged| race.sides.iter().all(|side| side.place.is_some());
        let found = judged.iter().filter(is_it);
        let found = found.clone().find(has_places).or_else(|| found.clone().next());
        Ok(found.map(|race| self.race_in_words(race)))
    }

    fn race_in_words(&self, race: &Judged) -> Race {
        let place = |place: &SourcePlace| Place {
            file: PathBuf::from(&*place.file),
            line: place.line.into(),
            column: place.column.into(),
        };
        let sides = race.sides.iter().map(|side| {
            // Where an access has no place, what attached its callback has one.
            let attached = || side.links.iter().find_map(|link| link.place.as_ref());
            (
                verb(&race.what, side.access).to_owned(),
                side.place.as_ref().or_else(attached).map(place),
            )
        });
        let here = format!("{}/", self.root.display());
        Race { what: race.what.replace(&here, ""), sides: sides.collect() }
    }

    fn with(
        &self,
        failed: Failed,
        class: Class,
        schedule: &Schedule,
        deviations: Vec<Deviation>,
        race: Option<Race>,
    ) -> Failed {
        // Paths are told as seen from here.
        let here = format!("\"{}/", self.root.display());
        let short = |text: &str| text.replace(&here, "\"");
        let deviations = deviations.iter().map(|one| (short(&one.taken), short(&one.instead)));
        let deviations = deviations.collect();
        let found = Found {
            class,
            schedule: schedule.to_string(),
            deviations,
            command: command(self.file, self.case, schedule, self.root),
            race,
        };
        Failed { found: Some(Box::new(found)), ..failed }
    }
}
