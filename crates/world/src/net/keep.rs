//! Keep-alive of connections: who hears nothing for a while asks whether the other side is still there (rule FLEET-4).
//!
//! As Linux does it: after a time of silence an end asks, then again at intervals, and gives the connection up when
//! that was in vain so many times. While something that was sent has not arrived, nobody asks: that is tried again by
//! itself.
//!
//! Questions change nothing as long as they are answered, and when hosts are cut off is known. So an end asks only
//! where it may be in vain: a world in which nobody is ever cut off has no events for it, and can come to rest. That
//! questions get lost on a link that loses packets is not drawn: ten in a row hardly ever do.

use super::end::{End, KeepAlive, Kind};
use super::{Event, Net, errno};
use crate::roads::Computer;
use crate::wires::UNTOLD;
use hemiola_gate::sockets::Settings;
use hemiola_machine::{Delay, Instant};

impl Net {
    /// A program changes how a connection is looked after.
    pub(super) fn keep_alive(&mut self, now: Instant, id: u64, settings: Settings) {
        if let Some(end) = self.ends.get_mut(&id) {
            end.keep.set(settings);
            end.keep.asked = 0;
            self.plan_question(now, id);
        }
    }

    /// Something has come for an end.
    pub(super) fn heard(&mut self, now: Instant, id: u64) {
        if let Some(end) = self.ends.get_mut(&id) {
            end.heard = end.heard.max(now);
        }
    }

    /// Plans when an end looks after its connection, if that can make a difference.
    fn plan_question(&mut self, now: Instant, id: u64) {
        let Some(end) = self.ends.get(&id) else { return };
        let (near, far) = (Computer::of(end.owner), end.far);
        let is_over = end.finish.is_some() || end.broken.is_some() || end.is_lost;
        let asks = end.keep.is_on && end.kind == Kind::Connection && near != far && !is_over;
        let (idle, silent) = (end.keep.idle, end.heard.max(end.clear));
        let next = asks.then(|| silent + idle).and_then(|first| {
            if !self.ends.contains_key(&end.peer) {
                return Some(first);
            }
            let trouble = self.traffic.roads().apart_after((near, far), silent)?;
            // All questions before that are answered.
            let before = trouble.as_micros().saturating_sub(first.as_micros());
            let skipped = before.div_ceil(idle.as_micros().max(1));
            Some(first + Delay::from_micros(skipped * idle.as_micros()))
        });
        let next = next.map(|next| next.max(now));
        self.plan_at(id, next);
    }

    fn plan_at(&mut self, id: u64, next: Option<Instant>) {
        if let Some(end) = self.ends.get_mut(&id) {
            end.keep.planned = next;
        }
        if let Some(at) = next {
            self.send(at, Event::Ask { to: id });
        }
    }

    /// An end looks after its connection.
    pub(super) fn ask(&mut self, now: Instant, id: u64) {
        let Some(end) = self.ends.get_mut(&id).filter(|end| end.keep.planned == Some(now)) else {
            return;
        };
        let KeepAlive { idle, interval, count, asked, .. } = end.keep;
        if end.heard.max(end.clear) + idle > now {
            end.keep.asked = 0;
            return self.plan_question(now, id);
        }
        if asked >= count {
            end.keep.planned = None;
            return self.broken(now, id, errno::TIMEDOUT, errno::TIMEDOUT);
        }
        let way = (Computer::of(end.owner), end.far);
        let Some(back) = self.traffic.roads().answered(now, way) else {
            end.keep.asked += 1;
            return self.plan_at(id, Some(now + interval));
        };
        end.keep.asked = 0;
        let peer = end.peer;
        if self.ends.contains_key(&peer) || self.hears_soon(id) {
            self.heard(back, id);
            self.plan_question(now, id);
        } else {
            // Who is there again knows nothing of the connection.
            self.plan_at(id, None);
            self.send(back, Event::Reset { to: id, message: UNTOLD });
        }
    }

    /// Whether news of the other side are under way to an end.
    fn hears_soon(&self, id: u64) -> bool {
        let owner = self.ends.get(&id).map(|end: &End| end.owner);
        let events = owner.and_then(|owner| self.events.get(&owner));
        let is_news = |event: &Event| {
            matches!(event, Event::Bytes { to, .. } | Event::Finish { to, .. } | Event::Reset { to, .. }
                if *to == id)
        };
        events.is_some_and(|events| events.values().any(is_news))
    }
}
