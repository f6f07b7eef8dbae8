//! Nodes and their leases (rules CLUS-4, CLUS-5).

use super::facts::Facts;
use super::{
    ALL, Failure, Head, Heard, Holder, Member, Outcome, Outcomes, Row, Run, Shared, Tables,
};
use crate::roster::Millis;
use hemiola_trace::cluster::{ClusterFact, Why};
use serde_json::{Value as Json, json};

impl<T: Tables> Shared<'_, T> {
    /// Buries the nodes whose lease has run out (rule CLUS-4), and gives the others.
    pub(super) fn alive(&mut self) -> Result<Vec<Member>, Failure<T::Error>> {
        let members = self.tables.members()?;
        for member in &members {
            self.facts.are_heard(member.incarnation, member.heard);
        }
        let (alive, gone): (Vec<Member>, Vec<Member>) =
            members.into_iter().partition(|member| member.until > self.now);
        for member in gone {
            self.bury(&member, Why::Lapsed)?;
        }
        Ok(alive)
    }

    /// The node that asks, if it holds its lease.
    pub(super) fn me(&mut self, me: i64) -> Result<Option<Member>, Failure<T::Error>> {
        Ok(self.alive()?.into_iter().find(|member| member.incarnation == me))
    }

    /// A node is no more: nobody runs what it ran.
    pub(super) fn bury(&mut self, member: &Member, why: Why) -> Result<(), Failure<T::Error>> {
        let rows = self.tables.held_by(member.incarnation)?;
        let ran = rows.iter().map(|row| row.id().to_owned()).collect();
        let fences = rows.iter().filter_map(|row| row.run).map(|run| run.fence);
        self.tables.look_up(&[], &fences.collect::<Vec<i64>>())?;
        for row in rows {
            self.orphan(row, why)?;
        }
        let Member { incarnation: me, until, .. } = *member;
        self.happens(match why {
            Why::Left => ClusterFact::Left { me },
            Why::Lapsed | Why::Replaced | Why::GivenBack | Why::Unknown => {
                ClusterFact::Lost { me, until, ran }
            }
        });
        Ok(self.tables.drop_member(me)?)
    }

    /// Nobody runs a task any more, which has to start again.
    pub(super) fn orphan(&mut self, mut row: Row, why: Why) -> Result<(), Failure<T::Error>> {
        let Some(Holder { fence, incarnation: me }) = row.run.take() else { return Ok(()) };
        if let Some(run) = self.tables.run(fence)? {
            let end = Some(self.now);
            self.tables.put_run(&Run { end, outcome: Outcome::Interrupted, ..run })?;
        }
        let id = row.id().to_owned();
        self.happens_to(&mut row, |before| ClusterFact::Interrupted { id, me, fence, why, before });
        self.tells = true;
        (row.kept.state.running, row.kept.state.orphaned) = (false, true);
        self.keep(row)
    }

    pub(super) fn renew(&mut self, me: i64, heard: Option<Heard>) -> Outcomes<T> {
        let alive = self.alive()?;
        let nodes = alive.iter().map(|member| member.incarnation).collect();
        let mine = alive.into_iter().find(|member| member.incarnation == me);
        let Some(mut member) = mine else { return Ok(lost()) };
        member.until = self.now.saturating_add(member.lease);
        member.heard = heard;
        self.tables.put_member(&member)?;
        let next = self.tables.next_wake(&ALL, &[])?;
        let owed = match next {
            Some(next) if next <= self.now => {
                self.tables.woken(self.now, [u32::MAX, 0], &[])?.len() as u64
            }
            _ => 0,
        };
        self.happens(ClusterFact::Renewed { me, until: member.until, nodes, owed });
        Ok(renewal(&self.head, &member, next))
    }

    pub(super) fn leave(&mut self, me: i64) -> Outcomes<T> {
        if let Some(member) = self.me(me)? {
            self.bury(&member, Why::Left)?;
        }
        Ok(json!({}))
    }
}

fn renewal(head: &Head, member: &Member, next: Option<Millis>) -> Json {
    json!({ "until": member.until, "force": head.force(member), "next": next })
}

/// What is answered to a node whose lease was renewed by whoever keeps the tables, because nothing else was to be done.
/// `nodes` are those that there are, `next` is when the first task has to be looked at, and so many are `owed` a start.
pub fn renewed(
    head: &Head,
    now: Millis,
    member: &Member,
    nodes: Vec<i64>,
    next: Option<Millis>,
    owed: u64,
) -> Json {
    let Member { incarnation: me, until, .. } = *member;
    let mut facts = Facts::new(None);
    facts.tell(head.facts, now, ClusterFact::Renewed { me, until, nodes, owed });
    let mut reply = renewal(head, member, next);
    (reply["now"], reply["n"], reply["facts"]) = (now.into(), head.facts.into(), json!(facts.told));
    reply
}

/// The node has no lease any more.
pub(super) fn lost() -> Json {
    json!({ "lost": true })
}
