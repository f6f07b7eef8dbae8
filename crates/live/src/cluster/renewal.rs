//! A lease that is renewed while nothing else is to be done, which is most of what an idle node asks: one statement.

use super::faults::Trouble;
use super::tables::{Statements, read, write};
use hemiola_scheduler::cluster::{Heard, Member, renewed};
use postgres::Client;
use serde_json::Value as Json;

/// The cluster's row is locked before the clock is read, as every change does. Other rows are seen as they were when the
/// statement began: whoever was in between has changed a lease at most, and then the node that seems to have lost it is
/// looked at again.
const RENEWAL: &str = "\
    WITH locked AS MATERIALIZED (SELECT head FROM hemiola.clusters WHERE name = $1 FOR UPDATE), \
    timed AS MATERIALIZED \
      (SELECT head, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now FROM locked) \
    UPDATE hemiola.nodes n SET member = ((n.member::jsonb - 'heard') || jsonb_build_object('until', \
      timed.now + (n.member::jsonb ->> 'lease')::bigint) || coalesce($3::text, '{}')::jsonb)::text \
    FROM timed WHERE n.cluster = $1 AND n.incarnation = $2 AND NOT EXISTS (SELECT 1 FROM hemiola.nodes o \
      WHERE o.cluster = $1 AND (o.member::jsonb ->> 'until')::bigint <= timed.now) \
    RETURNING timed.head, timed.now, n.member, \
      (SELECT min(wake) FROM hemiola.tasks WHERE cluster = $1 AND wake IS NOT NULL), \
      (SELECT array_agg(o.incarnation ORDER BY o.incarnation) FROM hemiola.nodes o WHERE o.cluster = $1), \
      (SELECT count(*) FROM hemiola.tasks WHERE cluster = $1 AND wake <= timed.now AND NOT job)";

/// Renews the lease of a node, if nobody has lost one.
pub(super) fn renew(
    client: &mut Client,
    statements: &mut Statements,
    cluster: &str,
    me: i64,
    heard: Option<Heard>,
) -> Result<Option<Json>, Trouble> {
    let statement = statements.get(RENEWAL, |text| client.prepare(text))?;
    let heard = heard.map(|heard| format!("{{\"heard\":{}}}", write(&heard)));
    let Some(row) = client.query_opt(&statement, &[&cluster, &me, &heard])? else {
        return Ok(None);
    };
    let member: Member = read(row.get(2))?;
    let owed: i64 = row.get(5);
    let owed = owed.unsigned_abs();
    Ok(Some(renewed(&read(row.get(0))?, row.get(1), &member, row.get(4), row.get(3), owed)))
}
