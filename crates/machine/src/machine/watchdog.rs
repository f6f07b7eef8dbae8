//! How long a callback may run, and what comes next when one ran longer (rule TIME-14).

use super::run::Call;
use super::{Machine, Step};
use crate::chooser::Chooser;
use crate::domains::DomainId;
use crate::host::{Host, Input};
use crate::language::Language;
use crate::priority::Standing;
use crate::through::Through;
use crate::timers::Member;
use crate::world::{Limit, World};
use hemiola_time::{Delay, Instant};
use hemiola_trace::{Class, Invocation, Sink};

/// What bounds callbacks, and how far the running one is.
#[derive(Clone, Default)]
pub(crate) struct Watchdog {
    /// How long any callback may run.
    max_action: Option<Delay>,
    /// Nothing where nothing bounds the running callback, or where it was interrupted.
    running: Option<Running>,
    /// The scripts in the running callback that have limits of their own, outermost first.
    scripts: Vec<Script>,
    /// Whether there ever was one: then there may be more.
    has_scripts: bool,
    /// How often the world was asked whether the running callback, or one of its scripts, is to be interrupted.
    questions: u64,
    /// Whether the running callback is the handler of one that was interrupted.
    is_handler: bool,
}

/// A script that may not run for ever.
#[derive(Clone, Copy)]
struct Script {
    began: Instant,
    within: Delay,
    looks: u64,
    is_over: bool,
}

impl Script {
    fn end(&self) -> Instant {
        self.began + self.within
    }
}

/// How far the running callback is.
#[derive(Clone, Copy, Default)]
struct Running {
    /// How often the world was asked whether it is to be interrupted.
    looks: u64,
    /// How much time it has let pass by itself.
    spent: Delay,
}

/// What runs before anything else, because a callback was interrupted.
#[derive(Clone)]
pub(crate) struct Fault<C> {
    pub(crate) handler: C,
    /// Who was interrupted, and on which domain.
    pub(crate) by: Invocation,
    pub(crate) domain: Option<DomainId>,
}

impl<L: Language> Machine<L> {
    /// Lets no callback run for longer than that.
    pub fn bounded(mut self, max_action: Option<Delay>) -> Self {
        self.watchdog.max_action = max_action;
        self
    }

    /// Whether anything bounds how long callbacks run: then their beginnings are noted.
    pub(crate) fn is_watched(&self) -> bool {
        self.watchdog.max_action.is_some()
            || self.domains.has_watchdogs()
            || self.watchdog.has_scripts
    }

    /// A callback begins, and something may bound it.
    pub(crate) fn begin_limit(&mut self) {
        self.watchdog.running = Some(Running::default());
        self.watchdog.scripts.clear();
        self.watchdog.questions = 0;
    }

    /// A script begins that may not run for longer than that.
    pub(crate) fn begin_script(&mut self, began: Instant, within: Delay) {
        if !self.is_watched() {
            self.watchdog.questions = 0;
        }
        self.watchdog.has_scripts = true;
        self.watchdog.scripts.push(Script { began, within, looks: 0, is_over: false });
    }

    /// The innermost script has ended: whether it was to be interrupted.
    pub(crate) fn end_script(&mut self) -> bool {
        self.watchdog.scripts.pop().is_some_and(|script| script.is_over)
    }

    /// Of the scripts that run, the one that is to end first, of two the outer one; nothing while one of them is being
    /// interrupted.
    fn script(&self) -> Option<usize> {
        if self.watchdog.scripts.iter().any(|script| script.is_over) {
            return None;
        }
        let scripts = self.watchdog.scripts.iter().enumerate();
        scripts.min_by_key(|(_, script)| script.end()).map(|(at, _)| at)
    }

    /// How long that may run, and how far it is.
    pub(crate) fn script_limit(&self) -> Option<Limit> {
        let Script { began, within, looks, .. } = self.watchdog.scripts[self.script()?];
        Some(Limit { began: Some(began), within, looks, question: self.watchdog.questions })
    }

    /// The world was asked whether that is to be interrupted.
    pub(crate) fn looked_at_script(&mut self, is_over: bool) {
        let Some(at) = self.script() else { return };
        self.watchdog.questions += 1;
        self.watchdog.scripts.iter_mut().for_each(|script| script.looks += 1);
        self.watchdog.scripts[at].is_over = is_over;
    }

    /// How long the running callback may run.
    pub(crate) fn within(&self) -> Option<Delay> {
        let own = self.current.domain.and_then(|domain| self.domains.watchdog(domain));
        let own = own.map(|(_, limit)| limit);
        own.into_iter().chain(self.watchdog.max_action).min()
    }

    /// The same, and how far it is; nothing if it is not to be interrupted, or not again.
    pub(crate) fn limit(&self) -> Option<Limit> {
        let Running { looks, .. } = self.watchdog.running?;
        let question = self.watchdog.questions;
        self.within().map(|within| Limit { began: None, within, looks, question })
    }

    /// The world was asked whether the running callback is to be interrupted.
    pub(crate) fn looked(&mut self, is_over: bool) {
        let Some(running) = &mut self.watchdog.running else { return };
        running.looks += 1;
        self.watchdog.questions += 1;
        if is_over {
            self.watchdog.running = None;
        }
    }

    /// The running callback lets time pass: how much of it, until it has to end, or a script in it.
    pub(crate) fn spend(&mut self, delay: Delay, now: Instant) -> Delay {
        let end = self.script().map(|at| self.watchdog.scripts[at].end());
        let left =
            end.map(|end| Delay::from_micros(end.as_micros().saturating_sub(now.as_micros())));
        let delay = left.into_iter().fold(delay, Delay::min);
        let Some(within) = self.within() else { return delay };
        let Some(running) = &mut self.watchdog.running else { return delay };
        let left = within.as_micros().saturating_sub(running.spent.as_micros());
        let delay = delay.min(Delay::from_micros(left));
        running.spent = Delay::from_micros(running.spent.as_micros() + delay.as_micros());
        delay
    }

    /// Whether a script in the running callback has a limit.
    pub(crate) fn has_script(&self) -> bool {
        !self.watchdog.scripts.is_empty()
    }

    /// Whether one of them should have ended by now.
    pub(crate) fn is_script_past(&self, now: Instant) -> bool {
        self.watchdog.scripts.iter().any(|script| script.end() <= now)
    }

    /// Whether the running callback has spent all the time that it may run.
    pub(crate) fn has_spent_all(&self) -> bool {
        let spent = self.watchdog.running.map(|running| running.spent);
        spent.zip(self.within()).is_some_and(|(spent, within)| spent >= within)
    }

    /// Whether the running callback is the handler of one that was interrupted.
    pub(crate) fn is_fault_handler(&self) -> bool {
        self.watchdog.is_handler
    }

    /// Gives up what has not run of the atomic action; says which of it would not come again.
    pub(crate) fn end_action(&mut self) -> Vec<Member> {
        let Some(acting) = self.acting.take() else { return Vec::new() };
        let rest = self.action.get(acting.next..).unwrap_or_default();
        rest.iter().copied().filter(|&member| !self.timers.comes_again(member)).collect()
    }

    /// Runs the handler of a callback that was interrupted, as an action of its own.
    pub(super) fn run_fault<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        fault: Fault<L::Callback>,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Step {
        let Fault { mut handler, by, domain } = fault;
        self.round.draining = false;
        self.omega = None;
        let call = Call {
            class: Some(Class::Timer),
            domain,
            tag: None,
            origin: None,
            link: by,
            cause: by,
            standing: Standing::default(),
        };
        self.watchdog.is_handler = true;
        let progress = self.invoke(call, &mut handler, Input::Nothing, host, gate);
        self.watchdog.is_handler = false;
        self.settle(progress, None, domain)
    }
}
