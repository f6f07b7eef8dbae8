//! Fewer deviations that still do it.

use super::failure::Blame;
use super::plan::{Ended, Plan, Report};
use super::search::Found;
use hemiola_machine::Schedule;

/// The smallest schedule that fails in the same way, with slow answers only if this one has them; `run` runs it, and
/// tells of it if it came to its end.
pub fn shrink_failure(found: &Found, mut run: impl FnMut(&Plan) -> Option<Report>) -> Schedule {
    let blame = Blame::of(&found.outcome);
    shrink(&found.schedule, |tried| {
        let Some(report) = run(&Plan::Follow(tried.clone())) else { return false };
        let fails = matches!(&report.ended, Ended::Outcome(outcome) if Blame::of(outcome) == blame);
        fails && (found.slow || !report.slow)
    })
}

/// The smallest schedule found by leaving out deviations of a schedule that fails (ddmin): none of
/// those that are left can be left out alone.
///
/// `fails` runs a schedule. A deviation that is left out changes what the later ones mean; a schedule
/// that does not fit any more has not failed.
pub fn shrink(schedule: &Schedule, mut fails: impl FnMut(&Schedule) -> bool) -> Schedule {
    let mut left: Vec<(u32, u32)> = schedule.pairs().to_vec();
    // Many random deviations stand behind the one that matters.
    let mut whole = left.len();
    while whole > 0 && fails(&Schedule::from_pairs(left[..whole / 2].to_vec())) {
        whole /= 2;
        left.truncate(whole);
    }
    let mut parts = 2;
    while !left.is_empty() {
        parts = parts.min(left.len());
        let size = left.len().div_ceil(parts);
        let found = (0..left.len()).step_by(size).find_map(|from| {
            let mut rest = left.clone();
            rest.drain(from..left.len().min(from + size));
            fails(&Schedule::from_pairs(rest.clone())).then_some(rest)
        });
        match found {
            Some(rest) => {
                left = rest;
                parts = parts.saturating_sub(1).max(2);
            }
            None if parts == left.len() => break,
            None => parts *= 2,
        }
    }
    Schedule::from_pairs(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shrunk(schedule: &str, needed: &[u32]) -> (String, usize) {
        let mut runs = 0;
        let schedule = shrink(&schedule.parse().expect("a schedule"), |tried| {
            runs += 1;
            needed.iter().all(|choice| tried.pairs().iter().any(|(at, _)| at == choice))
        });
        (schedule.to_string(), runs)
    }

    #[test]
    fn only_what_is_needed_is_left() {
        let all = "1:1,2:1,3:2,5:1,8:1,13:1,21:3,34:1";
        assert_eq!(shrunk(all, &[3]).0, "3:2");
        assert_eq!(shrunk(all, &[1, 34]).0, "1:1,34:1");
        assert_eq!(shrunk(all, &[]).0, "default");
        assert_eq!(shrunk(all, &[1, 2, 3, 5, 8, 13, 21, 34]).0, all);
        assert!(shrunk(all, &[21]).1 < 20, "it does not try everything");
        assert_eq!(shrunk("default", &[]), ("default".into(), 0));
    }
}
