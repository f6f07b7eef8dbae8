//! A search that can be broken off: what it does is noted, and what an earlier one noted is not done again.

use super::journal::{JournalError, heading, is_of, line, read};
use super::plan::{Ended, Plan, Report};
use super::search::{Job, Search};
use std::collections::VecDeque;

/// What a search has done, for whoever writes it down.
#[derive(Debug)]
pub struct Notes {
    name: String,
    /// Reports that were made before, and are not to be made again.
    before: VecDeque<(String, Report)>,
    /// How many of them were used.
    resumed: usize,
    /// Lines that nobody has written down yet; nothing if nobody will.
    lines: Option<Vec<String>>,
}

impl Notes {
    /// Notes of a search through what `subject` says, which begins.
    pub fn new(subject: &str) -> Self {
        let name = short_name(subject);
        let lines = Some(vec![heading(&name)]);
        Self { name, before: VecDeque::new(), resumed: 0, lines }
    }

    /// A short name for what is searched.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lets the search go on where an earlier one was broken off that has written this down.
    pub fn resume(&mut self, text: &str) -> Result<(), JournalError> {
        self.before = read(text, &self.name)?.into();
        Ok(())
    }

    /// How many runs an earlier search had made.
    pub fn resumed(&self) -> usize {
        self.resumed
    }

    /// Takes the reports of a wave: those that were made before, and those that `run` makes. If the program
    /// does something else in the default order than it did, it has changed.
    pub fn wave<E>(
        &mut self,
        search: &mut Search,
        jobs: &[Job],
        mut run: impl FnMut(&[Job]) -> Result<Vec<Report>, E>,
        changed: impl FnOnce() -> E,
    ) -> Result<(), E> {
        let mut reports: Vec<Report> = jobs.iter().map_while(|job| self.next(&job.plan)).collect();
        if self.resumed == 0
            && let Some(first) = reports.first()
            && let Some(made) = run(&jobs[..1])?.first()
            && made.ended != Ended::Interrupted
            && made != first
        {
            return Err(changed());
        }
        self.resumed += reports.len();
        reports.extend(run(&jobs[reports.len()..])?);
        for (job, report) in jobs.iter().zip(&reports) {
            search.take(job, report);
        }
        // A run that was interrupted is made again, and whoever goes on makes them in this order.
        let ended =
            jobs.iter().zip(&reports).take_while(|(_, one)| one.ended != Ended::Interrupted);
        if let Some(lines) = &mut self.lines {
            lines.extend(ended.map(|(job, report)| line(&job.plan, report)));
        }
        Ok(())
    }

    /// The report of a run that was made before, if this is the next one.
    fn next(&mut self, plan: &Plan) -> Option<Report> {
        let (of, report) = self.before.pop_front()?;
        if is_of(plan, &of) {
            return Some(report);
        }
        // It was searched in another way from here on.
        self.before.clear();
        None
    }

    /// How many lines are to be written down: none as long as an earlier search had noted more.
    pub fn waiting(&self) -> usize {
        if self.before.is_empty() { self.lines.as_ref().map_or(0, Vec::len) } else { 0 }
    }

    /// The lines that are to be written down, each with its end.
    pub fn take_lines(&mut self) -> String {
        let lines = self.lines.iter_mut().flat_map(|lines| lines.drain(..));
        lines.fold(String::new(), |text, line| text + &line + "\n")
    }

    /// Nobody will write anything down: it is not kept either.
    pub fn give_up(&mut self) {
        self.lines = None;
    }

    /// The search is over: what an earlier one noted beyond that does not matter.
    pub fn end(&mut self) {
        self.before.clear();
    }
}

/// A short name for a subject (FNV).
pub fn short_name(subject: &str) -> String {
    let start = 0xcbf2_9ce4_8422_2325u64;
    let hash = subject
        .bytes()
        .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}
