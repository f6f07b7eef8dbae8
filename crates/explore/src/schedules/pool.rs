//! Runs that are made side by side.
//!
//! Whoever has a program says how one run of it is made; a [`Pool`] makes the runs of a wave, on threads
//! of its own if there are any. What a search finds does not depend on how many there are.

use super::history::Reduction;
use super::plan::{Known, Plan};
use super::search::{Job, Search};
use super::watch::TimeLimit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// How the runs of a wave are watched, beside what the program itself decides.
#[derive(Clone, Debug)]
pub struct Watchers {
    /// Which schedules are taken for the same.
    pub reduction: Reduction,
    /// The states that a run need not go on from.
    pub known: Arc<Known>,
    /// Whether time is part of a state.
    pub clock: bool,
    /// How long there is for the runs.
    pub limit: TimeLimit,
}

impl Watchers {
    /// Nothing is known, so that a run goes on to its end.
    pub fn alone() -> Self {
        let limit = TimeLimit::default();
        Self { reduction: Reduction::None, known: Arc::default(), clock: false, limit }
    }

    /// The same for runs that end when the time is up, also in the middle of a callback.
    pub fn within(self, limit: TimeLimit) -> Self {
        Self { limit, ..self }
    }

    /// The watchers of the next wave. Where accesses do not tell everything, the order of callbacks does.
    pub fn of(search: &Search, wanted: Reduction) -> Self {
        let reduction = match wanted {
            Reduction::Accesses if search.coarse() => Reduction::Order,
            wanted => wanted,
        };
        let limit = TimeLimit::default();
        Self { reduction, known: search.known(), clock: search.clock(), limit }
    }
}

/// Makes a run, and gives what is wanted of it.
pub type Run<'a, T, E> = dyn Fn(&Plan, &Watchers) -> Result<T, E> + Sync + 'a;

/// What became of a run: what is wanted of it, or what went wrong with us.
type Made<T, E> = std::thread::Result<Result<T, E>>;

/// A run that somebody is to make.
struct Order {
    at: usize,
    plan: Plan,
    watchers: Watchers,
}

/// Makes runs of one program, on threads of their own if there are any.
pub struct Pool<'a, T, E> {
    run: &'a Run<'a, T, E>,
    orders: Option<Sender<Order>>,
    results: Receiver<(usize, Made<T, E>)>,
    threads: usize,
}

/// Lets `body` have runs made by `run`, on so many threads with so much stack each.
#[expect(
    clippy::disallowed_methods,
    reason = "runs are side by side, each with a world of its own"
)]
pub fn with_pool<T: Send, E: Send, R>(
    threads: usize,
    stack: usize,
    run: &Run<'_, T, E>,
    body: impl FnOnce(&mut Pool<'_, T, E>) -> R,
) -> R {
    let (orders, taken) = channel::<Order>();
    let (done, results) = channel();
    let taken = Mutex::new(taken);
    std::thread::scope(|scope| {
        let mut pool = Pool {
            run,
            // Gone when the work is over, so that the threads end.
            orders: Some(orders),
            results,
            threads: 0,
        };
        for _ in 0..if threads > 1 { threads } else { 0 } {
            let (done, taken) = (done.clone(), &taken);
            let thread = std::thread::Builder::new().stack_size(stack);
            // Whoever cannot be started leaves the work to the others.
            let started = thread.spawn_scoped(scope, move || work(run, taken, &done));
            pool.threads += usize::from(started.is_ok());
        }
        body(&mut pool)
    })
}

/// Makes runs that were ordered, until there are no more orders.
fn work<T, E>(
    run: &Run<'_, T, E>,
    taken: &Mutex<Receiver<Order>>,
    done: &Sender<(usize, Made<T, E>)>,
) {
    loop {
        let order = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Order { at, plan, watchers }) = order else { break };
        // A bug of ours is one of whoever ordered the run.
        let made = catch_unwind(AssertUnwindSafe(|| run(&plan, &watchers)));
        let is_broken = made.is_err();
        if done.send((at, made)).is_err() || is_broken {
            break;
        }
    }
}

impl<T, E> Pool<'_, T, E> {
    /// Makes the runs of some jobs and gives what is wanted of them, in order.
    pub fn run_all(&mut self, jobs: &[Job], watchers: &Watchers) -> Result<Vec<T>, E> {
        let Some(orders) = self.orders.as_ref().filter(|_| self.threads > 0 && jobs.len() > 1)
        else {
            return jobs.iter().map(|job| (self.run)(&job.plan, watchers)).collect();
        };
        for (at, job) in jobs.iter().enumerate() {
            let order = Order { at, plan: job.plan.clone(), watchers: watchers.clone() };
            orders.send(order).expect("the orders are read as long as there is a pool");
        }
        let mut all: Vec<Option<T>> = jobs.iter().map(|_| None).collect();
        for _ in jobs {
            let (at, made) = self.results.recv().expect("every order has a result");
            all[at] = Some(made.unwrap_or_else(|bug| resume_unwind(bug))?);
        }
        Ok(all.into_iter().flatten().collect())
    }
}

impl<T, E> Drop for Pool<'_, T, E> {
    fn drop(&mut self) {
        self.orders = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedules::{Ended, Outcome, Part, Report, Settings};

    /// A program with one choice, which makes it fail or not.
    fn run(plan: &Plan, _: &Watchers) -> Result<Report, String> {
        let Plan::Follow(schedule) = plan else { return Err("only schedules".into()) };
        let taken = schedule.pairs().first().map_or(0, |&(_, taken)| taken);
        let failure = (taken == 2).then(|| "it fails".to_owned());
        let outcome = Outcome { failure, code: taken as i32, ..Outcome::default() };
        let choice = crate::schedules::Choice { count: 3, taken, state: None, later: Vec::new() };
        let ended = Ended::Outcome(outcome);
        let (reads_clock, coarse, slow, starves) = (false, false, false, Vec::new());
        Ok(Report { choices: vec![choice], ended, reads_clock, coarse, slow, starves })
    }

    #[test]
    fn one_thread_finds_what_many_do() {
        let settings = Settings { deviations: None, schedules: 100, seed: 0, first_failure: false };
        let codes = [1, 4].map(|threads| {
            with_pool(threads, 1 << 20, &run, |pool| {
                let search = Search::in_waves(
                    settings,
                    |_| false,
                    |search, jobs| {
                        let watchers = Watchers::of(search, Reduction::Order);
                        for (job, report) in jobs.iter().zip(pool.run_all(jobs, &watchers)?) {
                            search.take(job, &report);
                        }
                        Ok::<_, String>(())
                    },
                );
                let search = search.expect("every run is made");
                assert!(search.is_complete());
                search.found().iter().map(|found| found.outcome.code).collect::<Vec<_>>()
            })
        });
        assert_eq!(codes, [vec![0, 1, 2], vec![0, 1, 2]]);
    }

    #[test]
    fn parts_of_a_search_find_together_what_the_whole_finds() {
        let settings = Settings { deviations: None, schedules: 100, seed: 0, first_failure: false };
        let codes = [0, 1].map(|number| {
            let search = Search::new(settings).part(Part { number, of: 2 });
            let search = search.to_its_end(
                |_| false,
                |search, jobs| {
                    for job in jobs {
                        search.take(job, &run(&job.plan, &Watchers::alone())?);
                    }
                    Ok::<_, String>(())
                },
            );
            let search = search.expect("every run is made");
            assert!(search.is_complete(), "its part is done");
            search.found().iter().map(|found| found.outcome.code).collect::<Vec<_>>()
        });
        assert_eq!(codes, [vec![0, 1], vec![0, 2]]);
    }

    #[test]
    fn who_cannot_make_a_run_says_why() {
        let refuse = |_: &Plan, _: &Watchers| Err::<Report, _>("no engine");
        let settings = Settings { deviations: None, schedules: 100, seed: 0, first_failure: false };
        let made = with_pool(2, 1 << 20, &refuse, |pool| {
            Search::in_waves(
                settings,
                |_| false,
                |search, jobs| {
                    pool.run_all(jobs, &Watchers::of(search, Reduction::Order)).map(|_| ())
                },
            )
        });
        assert_eq!(made.err(), Some("no engine"));
    }
}
