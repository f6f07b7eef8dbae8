//! The tables of clusters, in a schema of their own, and how older ones become like them.
//!
//! Nodes of an older version may go on beside a newer schema, as long as it says so: `oldest` is the first version
//! that can still work with it.

use super::faults::Trouble;
use postgres::Client;

/// The versions of the schema, each as what leads to it from the one before.
const MIGRATIONS: [&str; 2] = [
    "
    CREATE TABLE hemiola.clusters (name text PRIMARY KEY, head text NOT NULL);
    CREATE TABLE hemiola.nodes (
        cluster text NOT NULL REFERENCES hemiola.clusters,
        incarnation bigint NOT NULL,
        member text NOT NULL,
        PRIMARY KEY (cluster, incarnation)
    );
    CREATE TABLE hemiola.tasks (
        cluster text NOT NULL REFERENCES hemiola.clusters,
        id text NOT NULL,
        kept text NOT NULL,
        wake bigint,
        incarnation bigint,
        fence bigint,
        PRIMARY KEY (cluster, id)
    );
    CREATE INDEX tasks_by_wake ON hemiola.tasks (cluster, wake) WHERE wake IS NOT NULL;
    CREATE INDEX tasks_by_node ON hemiola.tasks (cluster, incarnation) WHERE incarnation IS NOT NULL;
    CREATE TABLE hemiola.runs (
        cluster text NOT NULL REFERENCES hemiola.clusters,
        fence bigint NOT NULL,
        task text NOT NULL,
        node text NOT NULL,
        due bigint,
        attempt bigint NOT NULL,
        start bigint NOT NULL,
        ended bigint,
        outcome text NOT NULL,
        error text,
        PRIMARY KEY (cluster, fence)
    );
    CREATE INDEX runs_of_task ON hemiola.runs (cluster, task, fence);
",
    "
    ALTER TABLE hemiola.tasks ADD COLUMN job boolean NOT NULL DEFAULT false;
    ALTER TABLE hemiola.runs ADD COLUMN job text;
",
];

/// The first version whose nodes can work with these tables: those before it take jobs for tasks.
const OLDEST: i32 = 2;

/// The version that this build writes.
const LATEST: i32 = MIGRATIONS.len() as i32;

/// One at a time makes tables: any number that is the same everywhere.
const TURN: i64 = 0x686d_6c61;

/// Sees that the tables are there, and that this build can work with them.
pub(super) fn prepare(client: &mut Client) -> Result<(), Trouble> {
    if let Some(version) = version(client)?
        && version >= LATEST
    {
        return Ok(());
    }
    let mut change = client.transaction()?;
    change.execute("SELECT pg_advisory_xact_lock($1)", &[&TURN])?;
    // Somebody else may have been first.
    let has_schema: bool =
        change.query_one("SELECT to_regnamespace('hemiola') IS NOT NULL", &[])?.get(0);
    if !has_schema {
        change.batch_execute("CREATE SCHEMA hemiola")?;
    }
    change.batch_execute(
        "CREATE TABLE IF NOT EXISTS hemiola.version (version integer NOT NULL, oldest integer NOT NULL)",
    )?;
    let row = change.query_opt("SELECT version FROM hemiola.version", &[])?;
    let before: i32 = row.as_ref().map_or(0, |row| row.get(0));
    for step in MIGRATIONS.iter().skip(before.max(0) as usize) {
        change.batch_execute(step)?;
    }
    if before < LATEST {
        change.execute("DELETE FROM hemiola.version", &[])?;
        change.execute("INSERT INTO hemiola.version VALUES ($1, $2)", &[&LATEST, &OLDEST])?;
    }
    Ok(change.commit()?)
}

/// The names of the clusters that there are; nothing if there are no tables, or only such as a node has to bring up to
/// date first.
pub(super) fn clusters(client: &mut Client) -> Result<Option<Vec<String>>, Trouble> {
    if version(client)?.is_none_or(|version| version < LATEST) {
        return Ok(None);
    }
    let rows = client.query("SELECT name FROM hemiola.clusters ORDER BY name", &[])?;
    Ok(Some(rows.iter().map(|row| row.get(0)).collect()))
}

/// The version of the tables that are there, if there are any.
fn version(client: &mut Client) -> Result<Option<i32>, Trouble> {
    let is_there: bool =
        client.query_one("SELECT to_regclass('hemiola.version') IS NOT NULL", &[])?.get(0);
    if !is_there {
        return Ok(None);
    }
    let Some(row) = client.query_opt("SELECT version, oldest FROM hemiola.version", &[])? else {
        return Ok(None);
    };
    let (version, oldest): (i32, i32) = (row.get(0), row.get(1));
    if oldest > LATEST {
        return Err(Trouble::Newer(version));
    }
    Ok(Some(version))
}
