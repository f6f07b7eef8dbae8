//! `hemiola explore`: a program in JavaScript under every schedule.

use super::explored::Explored;
use super::searching::{Clock, Searched, code, explore, reduced};
use super::{crashes, explore_tests};
use crate::args::{ExploreArgs, Format, Given};
use crate::done::Done;
use crate::render::outcomes::{self, Exploration};
use crate::report::Failure;

pub(super) fn run(args: &ExploreArgs, given: &Given) -> Result<Done, Failure> {
    if let Some(crashes) = &args.crashes.crashes {
        return crashes::run(args, crashes, given);
    }
    let clock = Clock::new(args.search.limits.time);
    let mut explored = Explored::new(&args.program, &args.schedules, given)?;
    if args.schedules.test_case.is_none() {
        let cases = explored.tests(clock.limit())?;
        if !cases.is_empty() {
            return explore_tests::run(args, given, &cases);
        }
    }
    let explored = reduced(explored, args.search.reduction);
    let searched = explore(&explored, args, &args.schedules, given, &clock);
    // The process is about to end: to take its engines apart would only delay that.
    std::mem::forget(explored);
    let Searched { search, failed, resumed, starves } = searched?;
    let code = code(&search, failed.as_ref());
    let steps = args.schedules.max_steps;
    let exploration = Exploration { search: &search, failed, steps, resumed, starves };
    let output = match args.format {
        Format::Text => outcomes::text(&exploration),
        Format::Json => outcomes::json(&exploration),
    };
    Ok(Done::with(output, code))
}
