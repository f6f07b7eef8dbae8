//! `hemiola replay --schedule`: a program in JavaScript under one schedule.

use super::explored::{Ears, Explored, Listener, does_not_fit};
use super::running::{world, written};
use super::test;
use super::watch::Watch;
use crate::args::{FollowArgs, Given};
use crate::done::Done;
use crate::exit::{STOPPED, UNSETTLED};
use crate::report::{Failure, note};
use hemiola_explore::schedules::{Ended, Outcome, Plan, Watchers};
use hemiola_machine::{Sink, Stream};
use std::cell::RefCell;
use std::rc::Rc;

pub(super) fn run(args: &FollowArgs, given: &Given) -> Result<Done, Failure> {
    let explored = match args.program.trace {
        Some(_) => Explored::new(&args.program, &args.schedules, given)?,
        None => match test::followed(args, given)? {
            (_, Some(followed)) => return test::run(followed.args()),
            (explored, None) => explored,
        },
    };
    let (_, mut live) = world(args.program.timeout)?;
    let write = |stream: Stream, bytes: &[u8]| live.write(stream, bytes);
    let plan = Plan::Follow(args.schedule.clone());
    let watch = Rc::new(RefCell::new(Watch::new(args.program.trace.as_deref(), false)?));
    let trace = args.program.trace.as_ref().map(|_| {
        let watch = Rc::clone(&watch);
        Box::new(move |event| watch.borrow_mut().event(event)) as Listener
    });
    let ears = Ears { trace, ..Ears::default() };
    let (report, _) = explored.run_heard(&plan, &Watchers::alone(), false, write, ears)?;
    let done = match &report.ended {
        // A deadlock is nothing that the program says itself.
        Ended::Outcome(Outcome { code: 0, failure: Some(failure), .. }) => {
            Done::noted(note(failure), UNSETTLED)
        }
        Ended::Outcome(outcome) => Done::silent(outcome.code as u8),
        Ended::Known(_) | Ended::Interrupted => {
            unreachable!("nothing is known to a run alone, and it has all the time")
        }
        Ended::Cut => {
            let steps = args.schedules.max_steps;
            let cut = format!("cut after {steps} callbacks; see more with --max-steps");
            Done::noted(note(&cut), STOPPED)
        }
        Ended::Misfit(misfit) => {
            live.flush().ok();
            return Err(does_not_fit(&args.schedule, *misfit, report.choices.len()));
        }
    };
    watch.borrow_mut().close(written(live.flush(), done)?)
}
