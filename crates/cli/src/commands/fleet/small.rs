//! A failing run made small: fewest faults, then fewest hosts, then shortest time (rule FLEET-9).

use super::conditions::Conditions;
use super::judge::{Kind, Verdict};
use crate::report::Failure;
use hemiola_machine::{Delay, Instant};

/// Looks for the smallest run that fails for the same reason; `fails` runs one, or gives nothing when there is no more
/// time.
pub(super) fn small(
    found: &Conditions,
    verdict: &Verdict,
    mut fails: impl FnMut(&Conditions) -> Result<Option<Option<Verdict>>, Failure>,
) -> Result<(Conditions, Verdict), Failure> {
    let (mut best, mut why) = (found.clone(), verdict.clone());
    // What comes after the failure has nothing to do with it.
    best.faults.retain(|fault| fault.at <= why.at);
    if best.faults.len() < found.faults.len() {
        match fails(&best)? {
            Some(Some(again)) if again.is_like(verdict) => why = again,
            _ => best = found.clone(),
        }
    }
    let mut tries = |candidate: Conditions,
                     best: &mut Conditions,
                     why: &mut Verdict|
     -> Result<Option<bool>, Failure> {
        Ok(match fails(&candidate)? {
            None => None,
            Some(Some(again)) if again.is_like(verdict) => {
                (*best, *why) = (candidate, again);
                Some(true)
            }
            Some(_) => Some(false),
        })
    };
    // Half of them, a quarter, and so on down to one.
    let mut piece = best.faults.len().div_ceil(2);
    while piece > 0 && !best.faults.is_empty() {
        let mut at = best.faults.len();
        let mut any = false;
        while at > 0 {
            let from = at.saturating_sub(piece);
            let mut fewer = best.clone();
            fewer.faults.drain(from..at);
            match tries(fewer, &mut best, &mut why)? {
                None => return Ok((best, why)),
                Some(smaller) => any |= smaller,
            }
            at = from;
        }
        if piece == 1 && !any {
            break;
        }
        piece = if piece == 1 { 1 } else { piece.div_ceil(2) };
    }
    // Without a host nothing comes from it, which says nothing about why it did not come.
    let mut at = match verdict.kind {
        Kind::Missing | Kind::Deadlock => 0,
        Kind::Invariant | Kind::Property | Kind::Uncaught => best.hosts.len(),
    };
    while at > 0 && best.hosts.len() > 1 {
        at -= 1;
        let mut fewer = best.clone();
        fewer.hosts.remove(at);
        let mut left = 0;
        let kept: Vec<Option<usize>> = (0..best.hosts.len())
            .map(|host| {
                let number = (host != at).then_some(left);
                left += usize::from(number.is_some());
                number
            })
            .collect();
        fewer.faults = best.faults.iter().filter_map(|fault| fault.without(&kept)).collect();
        if tries(fewer, &mut best, &mut why)?.is_none() {
            return Ok((best, why));
        }
    }
    let end = Delay::from_millis(why.at.since(Instant::ZERO).as_millis() + 1);
    if end < best.until {
        let shorter = Conditions { until: end, ..best.clone() };
        tries(shorter, &mut best, &mut why)?;
    }
    Ok((best, why))
}
