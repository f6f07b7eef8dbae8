//! What happens when a domain is behind physical time (rule TIME-14).

use super::run::Call;
use super::{Machine, Step};
use crate::chooser::Chooser;
use crate::domains::DomainIndex;
use crate::host::{Host, Input, Progress};
use crate::language::Language;
use crate::priority::Standing;
use crate::settings::Policy;
use crate::through::Through;
use crate::world::World;
use hemiola_time::{Delay, Instant, Ordinal, Period};
use hemiola_trace::{Class, Event, Sink};

impl<L: Language> Machine<L> {
    /// Drops what the head's domain missed, if its policy says so (rule TIME-14).
    pub(super) fn skip_missed<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        index: DomainIndex,
        now: Instant,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> bool {
        let domain = Ordinal(self.domains.get(index).order.0);
        let Some(settings) = self.domains.settings_of(index) else { return false };
        let policy = settings.policy;
        let resume = |from: Instant, period: Period| {
            let (late, period) = (now.since(from).as_micros(), period.delay().as_micros());
            let periods = match policy {
                Policy::All => 0,
                // The first instant that is not past.
                Policy::Skip => late.div_ceil(period),
                // The last that is not ahead.
                Policy::Latest => late / period,
            };
            from + Delay::from_micros(period.saturating_mul(periods))
        };
        if policy == Policy::All {
            return false;
        }
        let mut any = false;
        self.timers.skip_missed(now, resume, |count, until| {
            any = true;
            settings.skipped += count;
            if S::LISTENS {
                gate.sink.event(Event::Skipped { domain, count, until });
            }
        });
        any
    }

    /// Calls those who want to know that a domain is late; nothing when nobody was called. Handlers may
    /// attach and remove handlers: those that are new are called the next time.
    pub(super) fn tell_lag<W: World<L>, C: Chooser, S: Sink>(
        &mut self,
        index: DomainIndex,
        lag: Delay,
        host: &mut impl Host<Language = L>,
        gate: &mut Through<'_, L, W, C, S>,
    ) -> Option<Step> {
        let id = self.domains.id(index);
        let last = self.domains.settings_of(index)?.last_watch()?;
        let mut told = None;
        let mut at = None;
        while let Some(settings) = self.domains.settings_of(index)
            && let Some((watch_id, watch)) = settings.watch_after(at)
            && watch_id <= last
        {
            at = Some(watch_id);
            let late = lag > watch.threshold;
            let call = late && (watch.every || !watch.crossed);
            watch.crossed = late;
            let link = watch.link;
            let Some(mut callback) = call.then(|| watch.callback.take()).flatten() else {
                continue;
            };
            if S::LISTENS {
                gate.sink.event(Event::Lagged { domain: id.ordinal(), lag });
            }
            let standing = Standing::default();
            let (class, domain) = (Some(Class::Timer), Some(id));
            let call = Call { class, domain, tag: None, origin: None, link, cause: link, standing };
            let progress = self.invoke(call, &mut callback, Input::Lag(lag), host, gate);
            debug_assert_ne!(progress, Progress::Paused, "a lag handler runs to its end");
            if progress == Progress::Halted {
                return Some(Step::Halted);
            }
            told = Some(Step::Moved);
            let settings = self.domains.settings_of(index);
            if let Some(watch) = settings.and_then(|settings| settings.watch(watch_id)) {
                watch.callback = Some(callback);
            }
        }
        told
    }
}
