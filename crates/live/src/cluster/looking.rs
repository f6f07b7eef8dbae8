//! Somebody who looks at a cluster without being one of its nodes.

use super::tables::Statements;
use super::{Target, decide, schema};
use hemiola_gate::{Datum, Fault, Record, Secret};
use hemiola_scheduler::cluster::{Address, Op};
use postgres::Client;
use serde_json::Value as Json;
use std::fs;

/// How long a lease is that somebody has who only looks: what limits its transactions.
const PATIENCE: f64 = 10_000.0;

/// A connection to the tables of a cluster. It makes none.
pub(crate) struct Looking {
    target: Target,
    connection: (Client, Statements),
}

impl Looking {
    /// Connects, and sees that there is a cluster of that name.
    pub(crate) fn open(address: Address, name: &str) -> Result<Self, Fault> {
        let target = target(address, name)?;
        let mut client = target.connect().map_err(|trouble| target.fault(trouble))?;
        let names = schema::clusters(&mut client).map_err(|trouble| target.fault(trouble))?;
        let Some(names) = names else {
            let message = format!("{}: there is no scheduler in this database", target.label);
            return Err(Fault::new("ERR_STORE_OPEN", message));
        };
        if !names.iter().any(|known| known == name) {
            let message = format!(
                "{}: there is no scheduler named {name}; there are: {}",
                target.label,
                names.join(", ")
            );
            return Err(Fault::new("ERR_STORE_OPEN", message));
        }
        Ok(Self { target, connection: (client, Statements::default()) })
    }

    pub(crate) fn ask(&mut self, op: &Op) -> Result<Json, Fault> {
        decide(&self.target, &mut self.connection, op)
    }
}

fn target(address: Address, name: &str) -> Result<Target, Fault> {
    let (label, is_local) = (address.label(), address.socket().is_some());
    let Address { host, port, user, password, database, sslmode, sslrootcert } = address;
    let record = |fields: Vec<(&str, Datum)>| {
        Record::new(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    };
    let text = |text: &str| Datum::Text(text.to_owned());
    let place = record(vec![
        (if is_local { "directory" } else { "host" }, Datum::Text(host)),
        ("port", Datum::Number(f64::from(port))),
    ]);
    let mut options = vec![
        ("user", Datum::Text(user)),
        ("database", Datum::Text(database)),
        ("sslmode", text(sslmode)),
        ("label", Datum::Text(label)),
        ("name", text(name)),
        ("lease", Datum::Number(PATIENCE)),
    ];
    if let Some(file) = sslrootcert {
        let ca = fs::read_to_string(&file).map_err(|error| {
            Fault::new("ERR_STORE_TLS", format!("sslrootcert: {file} cannot be read: {error}"))
        })?;
        options.push(("ca", Datum::Text(ca)));
    }
    Target::new(&place, &record(options), Secret(password))
}
