//! Programs in L and λasync: read, and followed for a few configurations.

use super::{Verdict, text};
use hemiola_calculus::{Study as _, l, lasync};
use hemiola_explore::Limits;
use hemiola_machine::Named;

/// So many configurations say whether a program that was read can be run.
const LIMITS: Limits = Limits { states: 40 };

/// A program in L.
pub fn l(bytes: &[u8]) -> Verdict {
    if let Some(program) = text(bytes).and_then(|text| l::parse(text).ok()) {
        let (mode, bounds) = (l::Mode::default(), l::Bounds::default());
        l::Study { program: &program, mode, bounds: &bounds }.executions(LIMITS, &mut |_| {});
    }
    Ok(())
}

/// A program in λasync.
pub fn lasync(bytes: &[u8]) -> Verdict {
    if let Some(program) = text(bytes).and_then(|text| lasync::parse(text).ok()) {
        let bounds = lasync::Bounds::default();
        for strategy in [Named::NodePhases, Named::Priority] {
            if lasync::unsupported(&program, strategy).is_none() {
                lasync::Study { program: &program, strategy, bounds: &bounds }
                    .executions(LIMITS, &mut |_| {});
            }
        }
    }
    Ok(())
}
