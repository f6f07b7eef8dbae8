//! `run --schedule`: a run that keeps to the order of a schedule.

use super::explored::{Ears, Explored, does_not_fit};
use super::watch::Watch;
use crate::args::{Given, RunArgs, ScheduleFlags};
use crate::done::Done;
use crate::render::words::count;
use crate::report::{Failure, note};
use hemiola_explore::schedules::{Ended, Plan, Watchers};
use hemiola_machine::Schedule;
use hemiola_world::{Faults, Order};

/// The order of a schedule, which a run keeps to.
pub(super) struct Keeping {
    order: Order,
    schedule: Schedule,
}

impl Keeping {
    /// Finds out what the order is, and listens to how the run keeps to it, if that is asked for.
    pub(super) fn begin(
        args: &RunArgs,
        given: &Given,
        watch: &mut Watch,
    ) -> Result<Option<Self>, Failure> {
        let Some(schedule) = args.schedule.clone() else { return Ok(None) };
        let (faults, test_case) = (Faults::NONE, None);
        let (deadlocks, potential) = (false, false);
        let flags =
            ScheduleFlags { seed: 0, faults, max_steps: 10_000, deadlocks, potential, test_case };
        // What comes in is for the run that counts.
        let explored = Explored::new(&args.program, &flags, given)?.without_input();
        let order = Order::default();
        let learning = order.clone();
        let trace = Some(Box::new(move |event| learning.learn(&event)) as _);
        let ears = Ears { trace, ..Ears::default() };
        let plan = Plan::Follow(schedule.clone());
        let (report, _) =
            explored.run_heard(&plan, &Watchers::alone(), false, |_, _| Ok(()), ears)?;
        if let Ended::Misfit(misfit) = report.ended {
            return Err(does_not_fit(&schedule, misfit, report.choices.len()));
        }
        order.begin();
        let heard = order.clone();
        watch.tell(Box::new(move |event| heard.hear(&event)));
        Ok(Some(Self { order, schedule }))
    }

    pub(super) fn order(&self) -> Order {
        self.order.clone()
    }

    /// Says whether the run kept to the order.
    pub(super) fn end(self, done: Done) -> Done {
        let schedule = self.schedule;
        let told = match self.order.kept() {
            (_, Some(left)) => note(&format!("left schedule {schedule} {left}")),
            (callbacks, None) => {
                let callbacks = count(callbacks, "callback");
                note(&format!("kept to schedule {schedule} for {callbacks}"))
            }
        };
        Done { notes: done.notes + &told, ..done }
    }
}
