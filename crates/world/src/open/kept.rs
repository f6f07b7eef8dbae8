//! What this world has in the middle of a run, for another that is to go on from there.

use super::missed::Missed;
use super::tapped::Notes;
use super::{Asked, Open, Trips};
use crate::Looks;
use crate::overlay::Copied;
use hemiola_gate::Answer;
use hemiola_gate::system::Turning;
use hemiola_machine::{Completion, Delay, Instant, Keep, Kept, Operation, Seeded};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

/// All of it but where output goes to, who hears of effects, and what a run that is kept has not used.
struct Moment {
    now: Instant,
    turning: Turning,
    looks: Looks,
    began: Instant,
    random: Seeded,
    files: Copied,
    pending: BTreeMap<Operation, Asked>,
    known: BTreeMap<Operation, Answer>,
    half_done: BTreeMap<Operation, i32>,
    trips: BTreeMap<Operation, Trips>,
    notes: Notes,
    waits: u32,
    turns: u32,
    next_due: Option<Instant>,
    forced: VecDeque<Completion<Answer>>,
    late: BTreeMap<Operation, Delay>,
    latest: Delay,
    unheard: Vec<Operation>,
    missed: Missed,
}

impl<F> Keep for Open<F> {
    fn keep(&self) -> Option<Kept> {
        if self.is_reached {
            return None;
        }
        Some(Kept::new(Moment {
            now: self.now,
            turning: self.turning,
            looks: self.looks,
            began: self.began,
            random: self.random.clone(),
            files: self.files.copy()?,
            pending: self.pending.clone(),
            known: self.known.clone(),
            half_done: self.half_done.clone(),
            trips: self.trips.clone(),
            notes: self.notes.borrow().clone(),
            waits: self.waits,
            turns: self.turns,
            next_due: self.next_due,
            forced: self.forced.clone(),
            late: self.late.clone(),
            latest: self.latest,
            unheard: self.unheard.clone(),
            missed: self.missed.clone(),
        }))
    }

    fn fits(&self, kept: &Kept) -> bool {
        kept.get::<Moment>().is_some_and(|moment| self.files.fits(&moment.files))
    }

    fn go_on(&mut self, kept: &Kept) {
        let moment = kept.of::<Moment>();
        (self.now, self.turning, self.looks) = (moment.now, moment.turning, moment.looks);
        (self.began, self.random) = (moment.began, moment.random.clone());
        self.files.go_on(&moment.files);
        self.pending.clone_from(&moment.pending);
        self.known.clone_from(&moment.known);
        self.half_done.clone_from(&moment.half_done);
        self.trips.clone_from(&moment.trips);
        self.notes = RefCell::new(moment.notes.clone());
        (self.waits, self.turns, self.next_due) = (moment.waits, moment.turns, moment.next_due);
        self.forced.clone_from(&moment.forced);
        self.late.clone_from(&moment.late);
        self.latest = moment.latest;
        self.unheard.clone_from(&moment.unheard);
        self.missed.clone_from(&moment.missed);
    }
}
