//! What a search over seeds does, whatever is run: a fleet, or one program.

use super::conditions::Conditions;
use super::judge::Verdict;
use super::small::small;
use crate::args::Format;
use crate::commands::explored::stack_of_runs;
use crate::done::Done;
use crate::exit::{FOUND, STOPPED};
use crate::progress::{Status, Ticking};
use crate::report::Failure;
use hemiola_gate::Stop;
use hemiola_machine::{Delay, Instant};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// What is run once for each seed.
pub(in crate::commands) trait Subject: Sync {
    /// What decides the run of a seed.
    fn conditions(&self, seed: u64) -> Conditions;
    /// Runs it once, in silence.
    fn attempt(&self, conditions: Conditions) -> Result<Tried, Failure>;
    /// What goes wrong in a run, as people write it.
    fn written(&self, conditions: &Conditions) -> Vec<String>;
    /// The line that makes a run again.
    fn repeat(&self, conditions: &Conditions) -> String;
}

/// A search, and how its result is told.
pub(in crate::commands) struct Study<'s, S> {
    pub(in crate::commands) subject: &'s S,
    pub(in crate::commands) stop: &'s Stop,
    pub(in crate::commands) format: Format,
    /// How long to look for a smaller failing run.
    pub(in crate::commands) shrink: Delay,
}

/// What became of a seed.
pub(in crate::commands) struct Tried {
    pub(in crate::commands) conditions: Conditions,
    pub(in crate::commands) verdict: Option<Verdict>,
    pub(in crate::commands) end: Instant,
    pub(in crate::commands) events: u64,
}

/// A failing seed.
struct Failing {
    conditions: Conditions,
    verdict: Verdict,
    small: Option<(Conditions, Verdict)>,
}

impl Tried {
    /// What is kept of it, if it failed.
    fn failing(self) -> Option<Failing> {
        let Self { conditions, verdict, .. } = self;
        verdict.map(|verdict| Failing { conditions, verdict, small: None })
    }
}

impl<S: Subject> Study<'_, S> {
    /// What is to be said of one run.
    pub(in crate::commands) fn told(&self, tried: Tried) -> Result<Done, Failure> {
        let (events, end) = (tried.events, tried.end);
        let failing = self.made_small(tried.failing().into_iter().collect(), &mut Status::new())?;
        let is_early = self.stop.asked().is_some();
        self.report(1, is_early, failing, end.since(Instant::ZERO).as_millis(), events)
    }

    /// Many seeds, side by side.
    pub(in crate::commands) fn many(
        &self,
        first: u64,
        last: u64,
        jobs: usize,
    ) -> Result<Done, Failure> {
        thread::scope(|scope| self.side_by_side(scope, first, last, jobs))
    }

    fn side_by_side<'t>(
        &'t self,
        scope: &'t thread::Scope<'t, '_>,
        first: u64,
        last: u64,
        jobs: usize,
    ) -> Result<Done, Failure> {
        let next = Arc::new(AtomicU64::new(first));
        let (sender, results) = mpsc::channel();
        for _ in 0..jobs {
            let (next, sender) = (Arc::clone(&next), sender.clone());
            let work = move || {
                while self.stop.asked().is_none() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > last || seed < first {
                        break;
                    }
                    let tried = self.subject.attempt(self.subject.conditions(seed));
                    let is_over = tried.is_err();
                    if sender.send(tried).is_err() || is_over {
                        break;
                    }
                }
            };
            let thread = thread::Builder::new().stack_size(stack_of_runs());
            thread.spawn_scoped(scope, work).map_err(|error| {
                Failure::new(format!("cannot start a thread: {error}"))
                    .help("raise the number of threads that may run: ulimit -u")
            })?;
        }
        drop(sender);
        let total = last - first + 1;
        let mut waiting = Some(Ticking::words(format!("seeds 0 of {total}")));
        let mut status = Status::new();
        let (mut count, mut virtual_ms, mut events) = (0, 0, 0);
        let mut failed = Vec::new();
        for tried in results {
            drop(waiting.take());
            let tried = tried?;
            if self.stop.asked().is_some() {
                continue;
            }
            count += 1;
            virtual_ms += tried.end.since(Instant::ZERO).as_millis();
            events += tried.events;
            failed.extend(tried.failing());
            let failing = failed.len();
            status.share(count, total, || format!("seeds {count} of {total}, failing {failing}"));
        }
        failed.sort_by_key(|one: &Failing| one.conditions.seed);
        let is_early = count < total;
        let failing = self.made_small(failed, &mut status)?;
        drop(status);
        self.report(count, is_early, failing, virtual_ms, events)
    }

    /// Some failing runs; of each kind of failure, one is made small.
    fn made_small(
        &self,
        mut all: Vec<Failing>,
        status: &mut Status,
    ) -> Result<Vec<Failing>, Failure> {
        // Those with the fewest faults become small soonest.
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&at| (all[at].conditions.faults.len(), all[at].conditions.seed));
        let mut known: Vec<Verdict> = Vec::new();
        for at in order {
            if known.iter().any(|verdict| verdict.is_like(&all[at].verdict)) {
                continue;
            }
            known.push(all[at].verdict.clone());
            let limit = Duration::from_micros(self.shrink.as_micros());
            let began = status.now();
            let mut runs = 0;
            let found = small(&all[at].conditions, &all[at].verdict, |conditions| {
                if self.stop.asked().is_some() || status.now().duration_since(began) >= limit {
                    return Ok(None);
                }
                runs += 1;
                status.line(|| format!("making seed {} small, run {runs}", conditions.seed));
                Ok(Some(self.subject.attempt(conditions.clone())?.verdict))
            })?;
            all[at].small = Some(found);
        }
        Ok(all)
    }

    fn report(
        &self,
        seeds: u64,
        is_early: bool,
        failing: Vec<Failing>,
        virtual_ms: u64,
        events: u64,
    ) -> Result<Done, Failure> {
        let code = match (failing.is_empty(), is_early) {
            (false, _) => FOUND,
            (true, true) => STOPPED,
            (true, false) => 0,
        };
        let output = match self.format {
            Format::Json => {
                let all: Vec<Value> = failing.iter().map(|one| self.json(one)).collect();
                let object = json!({
                    "version": 1,
                    "seeds": seeds,
                    "failing": all,
                    "virtual_ms": virtual_ms,
                    "events": events,
                });
                format!("{object}\n")
            }
            Format::Text => self.text(seeds, is_early, &failing, virtual_ms, events),
        };
        Ok(Done::with(output, code))
    }

    fn json(&self, one: &Failing) -> Value {
        let small = one.small.as_ref().map_or(&one.conditions, |(small, _)| small);
        json!({
            "seed": one.conditions.seed,
            "why": one.verdict.why,
            "host": one.verdict.host,
            "at_ms": one.verdict.at.as_millis(),
            "faults": self.subject.written(&one.conditions),
            "small": { "seed": small.seed, "faults": self.subject.written(small) },
            "repeat": self.subject.repeat(small),
        })
    }

    fn text(
        &self,
        seeds: u64,
        is_early: bool,
        failing: &[Failing],
        virtual_ms: u64,
        events: u64,
    ) -> String {
        const LISTED: usize = 20;
        let s = |count: u64| if count == 1 { "" } else { "s" };
        let mut text = String::new();
        for one in failing.iter().take(LISTED) {
            let at = one.verdict.at.as_micros() as f64 / 1e6;
            let host =
                one.verdict.host.as_ref().map_or(String::new(), |host| format!(" on {host}"));
            let _ = writeln!(
                text,
                "seed {} fails at {at:.3} s{host}: {}",
                one.conditions.seed, one.verdict.why
            );
            if let Some((small, verdict)) = &one.small {
                let faults = self.subject.written(small);
                let count = faults.len();
                let of = one.conditions.faults.len();
                let hosts = match one.conditions.hosts.len() {
                    1 => String::new(),
                    all => format!(" {} of {all} hosts,", small.hosts.len()),
                };
                let _ = writeln!(
                    text,
                    "  small: {count} of {of} faults,{hosts} at {:.3} s",
                    verdict.at.as_micros() as f64 / 1e6
                );
                for fault in &faults {
                    let _ = writeln!(text, "    {fault}");
                }
                let _ = writeln!(text, "  repeat: {}", self.subject.repeat(small));
            }
        }
        if failing.len() > LISTED {
            let _ = writeln!(text, "and {} more", failing.len() - LISTED);
        }
        let count = failing.len() as u64;
        let result = match count {
            0 => "no failure".to_owned(),
            _ => format!("{count} failing"),
        };
        let early = if is_early { ", stopped early" } else { "" };
        let hours = virtual_ms as f64 / 3_600_000.0;
        let _ = writeln!(
            text,
            "{seeds} seed{}, {result}{early}; {hours:.2} hours of virtual time, {events} events",
            s(seeds)
        );
        text
    }
}
