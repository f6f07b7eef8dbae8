//! A run that is a list, and replicas that are numbers in it.

use hemiola_debug::model::{
    Answer, Doing, Frame, Goal, Hit, Hits, Pace, Place, Question, Reason, Scope, Standing, Stop,
    Variable,
};
use hemiola_debug::{
    End, Halt, Launcher, Listener, Opened, Replica, Sources, Target, Trouble, Way, Wish,
};
use std::cell::Cell;
use std::rc::Rc;

/// One position.
#[derive(Clone, Debug, Default)]
pub struct Spot {
    pub line: u32,
    /// Which call this is; calls form a stack within an invocation.
    pub call: u64,
    pub depth: u32,
    pub invocation: u64,
    pub linked_at: Option<u64>,
    pub value: i64,
    pub prints: &'static str,
}

/// The whole run, and how many statements were executed for it.
#[derive(Clone)]
pub struct Run {
    pub spots: Rc<Vec<Spot>>,
    pub ran: Rc<Cell<u64>>,
    /// How many positions a slice has.
    pub slice: u64,
}

/// A replica.
pub struct Toy {
    run: Run,
    /// The position; before the first there is none.
    at: Option<u64>,
    /// Where somebody began to remember.
    remembers: Option<u64>,
}

impl Toy {
    pub fn new(run: Run) -> Self {
        Self { run, at: None, remembers: None }
    }

    fn standing(&self, at: u64) -> Standing {
        let spot = &self.run.spots[at as usize];
        let began = self.run.spots.iter().position(|other| other.invocation == spot.invocation);
        let linked_at =
            spot.linked_at.map(|step| Doing { step, from: step, functions: 1, reaction: None });
        Standing {
            step: at,
            place: Place { file: "/toy.js".into(), line: spot.line, column: 1 },
            invocation: spot.invocation,
            link: 1,
            cause: 1,
            began_at: began.unwrap_or(0) as u64,
            linked_at,
            caused_at: linked_at,
        }
    }

    fn printed(&self, at: u64) -> u64 {
        self.run.spots[..at as usize].iter().map(|spot| spot.prints.len() as u64).sum()
    }

    fn reason(&self, goal: &Goal, at: u64, from: Option<u64>) -> Option<Reason> {
        let spot = &self.run.spots[at as usize];
        let ids: Vec<u64> = goal
            .breakpoints
            .iter()
            .filter(|point| point.place.line == spot.line)
            .filter(|point| point.only.as_ref().is_none_or(|only| only.contains(&at)))
            .filter(|point| {
                point.condition.as_ref().is_none_or(|text| spot.value.to_string() == *text)
            })
            .map(|point| point.id)
            .collect();
        if !ids.is_empty() {
            return Some(Reason::Breakpoint(ids));
        }
        let before = at.checked_sub(1).map(|before| self.run.spots[before as usize].value);
        if let (Some(watch), Some(before)) = (goal.watches.first(), before)
            && before != spot.value
        {
            return Some(Reason::Changed(watch.id, before.to_string(), spot.value.to_string()));
        }
        let start = from.map(|from| &self.run.spots[from as usize]);
        let is_outer =
            |start: &Spot| spot.invocation != start.invocation || spot.depth < start.depth;
        let counts = match (goal.pace, start) {
            (Pace::Each, _) => true,
            (Pace::Over, Some(start)) => spot.call == start.call || is_outer(start),
            (Pace::Out, Some(start)) => is_outer(start),
            _ => false,
        };
        counts.then_some(Reason::Step)
    }
}

impl Replica for Toy {
    fn run(&mut self, goal: &Goal, listener: &mut dyn Listener) -> Result<Halt, Trouble> {
        let from = self.at;
        let stop = |toy: &Self, at: u64, reason: Reason, last: Option<Hit>| {
            let printed = toy.printed(at);
            Ok(Halt::Stopped(Stop { standing: toy.standing(at), reason, last, printed, inputs: 0 }))
        };
        if goal.remember {
            self.remembers = self.remembers.or(self.at);
        }
        if let (Some(at), Some(until)) = (self.at, goal.until)
            && until <= at
        {
            return stop(self, at, Reason::Step, None);
        }
        let mut last = None;
        for count in 1.. {
            let at = self.at.map_or(0, |at| at + 1);
            if let Some(before) = self.at {
                let spot = &self.run.spots[before as usize];
                if self.printed(before) >= goal.printed && !spot.prints.is_empty() {
                    listener.printed(false, spot.prints);
                }
                self.run.ran.set(self.run.ran.get() + 1);
            }
            if at as usize == self.run.spots.len() {
                let printed = self.run.spots.iter().map(|spot| spot.prints.len() as u64).sum();
                let steps = self.run.spots.len() as u64;
                return Ok(Halt::Ended(End { code: 3, steps, printed, ..End::default() }));
            }
            self.at = Some(at);
            if goal.until == Some(at) {
                // What is seen to have changed was changed before.
                let changed = self.reason(goal, at, from);
                if let (Some(reason @ Reason::Changed(..)), Hits::Last) = (changed, goal.hits) {
                    let place = self.standing(at).place;
                    last = Some(Hit { step: at, place, reason, text: None });
                }
                return stop(self, at, Reason::Step, last);
            }
            match (self.reason(goal, at, from), goal.hits) {
                (None, _) => {}
                (Some(reason), Hits::Stop) => return stop(self, at, reason, last),
                (Some(reason), hits) => {
                    let place = self.standing(at).place;
                    let hit = Hit { step: at, place, reason, text: None };
                    match hits {
                        Hits::All => listener.hit(hit),
                        _ => last = Some(hit),
                    }
                }
            }
            if goal.slice_us.is_some() && count >= self.run.slice {
                return stop(self, at, Reason::Slice, last);
            }
        }
        unreachable!("a run has an end")
    }

    fn fork(&mut self) -> Result<Self, Trouble> {
        Ok(Self { run: self.run.clone(), at: self.at, remembers: self.remembers })
    }

    fn ask(&mut self, question: &Question) -> Result<Answer, Trouble> {
        let at = self.at.expect("it has begun") as usize;
        let spot = &self.run.spots[at];
        Ok(match question {
            Question::Frames => {
                let frame = Frame { function: "f".into(), place: self.standing(at as u64).place };
                Answer::Frames(vec![frame], Vec::new())
            }
            Question::Scopes(0) => {
                Answer::Scopes(vec![Scope { name: "Local".into(), reference: 1, expensive: false }])
            }
            Question::Variables { .. } => {
                let value = Variable {
                    name: "value".into(),
                    value: spot.value.to_string(),
                    ..Variable::default()
                };
                Answer::Variables(vec![value], 1)
            }
            Question::Evaluate(_, text) if text == "value" => {
                Answer::Value(Variable { value: spot.value.to_string(), ..Variable::default() })
            }
            Question::Before(_) => {
                let since = self.remembers.unwrap_or(u64::MAX);
                let is_before = |other: &Spot| {
                    other.call == spot.call
                        || other.invocation == spot.invocation && other.depth < spot.depth
                };
                let found = (0..at).rev().find(|&at| is_before(&self.run.spots[at]));
                Answer::Position(found.map(|at| at as u64).filter(|&at| at >= since))
            }
            Question::Statement(_) => Answer::Position(Some(at as u64)),
            _ => Answer::Refused("a toy knows nothing of that".into()),
        })
    }
}

/// Hears everything.
#[derive(Default)]
pub struct Ear {
    pub printed: String,
    pub hits: Vec<Hit>,
}

impl Listener for Ear {
    fn printed(&mut self, _: bool, text: &str) {
        self.printed.push_str(text);
    }

    fn hit(&mut self, hit: Hit) {
        self.hits.push(hit);
    }

    fn wish(&mut self, _: &Way) -> Wish {
        Wish::GoOn
    }
}

/// A run by a seed: calls in calls, several invocations, some of which go on with a call of an earlier
/// one, as after an `await`.
pub fn random(seed: u64, length: usize) -> Run {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let mut spots: Vec<Spot> = Vec::new();
    let (mut invocation, mut calls, mut next) = (1, vec![1_u64], 2_u64);
    let (mut value, mut linked_at) = (0, None);
    while spots.len() < length {
        match draw(8) {
            0 if calls.len() < 5 => {
                calls.push(next);
                next += 1;
            }
            1 if calls.len() > 1 => {
                calls.pop();
            }
            2 => {
                invocation += 1;
                let at = draw(spots.len().max(1) as u64);
                linked_at = Some(at);
                // It is a new callback, or what came after an `await` of the statement that linked it.
                let goes_on =
                    draw(2) == 0 && spots.get(at as usize).is_some_and(|spot| spot.depth == 1);
                calls = match spots.get(at as usize) {
                    Some(spot)
                        if goes_on
                            && spots
                                .iter()
                                .rev()
                                .find(|other| other.call == spot.call)
                                .map(|last| std::ptr::eq(last, spot))
                                == Some(true) =>
                    {
                        vec![spot.call]
                    }
                    _ => {
                        next += 1;
                        vec![next - 1]
                    }
                };
            }
            3 => value = draw(3) as i64,
            _ => {}
        }
        spots.push(Spot {
            line: 1 + draw(9) as u32,
            call: *calls.last().expect("there is one"),
            depth: calls.len() as u32,
            invocation,
            linked_at,
            value,
            prints: if draw(5) == 0 { "ab" } else { "" },
        });
    }
    Run { spots: Rc::new(spots), ran: Rc::default(), slice: 7 }
}

/// Starts sessions with a run.
pub struct Shelf(pub Run);

impl Launcher for Shelf {
    type Replica = Toy;

    fn knows_target(&self) -> bool {
        false
    }

    fn open(&mut self, target: &Target, _: &mut dyn Listener) -> Result<Opened<Toy>, String> {
        match target.run.as_deref() {
            Some("toy") => Ok(Opened {
                replica: Toy::new(self.0.clone()),
                sources: sources(),
                program: None,
                notes: String::new(),
                inputs: 0,
            }),
            _ => Err("there is no such recording".into()),
        }
    }
}

/// The text of all toys: nine lines with a statement each.
pub fn sources() -> Sources {
    let texts = [("/toy.js".to_owned(), "1\n2\n3\n4\n5\n6\n7\n8\n9\n".to_owned())].into();
    Sources::new(texts, |_, _| false, |_, _| (1..=9).map(|line| (line, 1)).collect())
}
