//! The tasks of a store, for somebody who is not the program that declared them.

use crate::cluster::Looking;
use crate::store::Held;
use hemiola_gate::Fault;
use hemiola_scheduler::cluster::{Address, Op};
use serde_json::Value as Json;

/// A store that is looked at.
pub struct Tasks(Opened);

enum Opened {
    File(Held),
    Database(Box<Looking>),
}

impl Tasks {
    /// Opens a file or connects to a database; of its schedulers to the one of that name. `variable` tells what is set
    /// in the environment.
    pub fn open(
        store: &str,
        name: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Fault> {
        if !Address::is_one(store) {
            return Held::open(store).map(|held| Self(Opened::File(held)));
        }
        let (user, password) = (variable("PGUSER"), variable("PGPASSWORD"));
        let address = Address::read(store, user.as_deref(), password.as_deref())
            .map_err(|error| Fault::new("ERR_STORE_ADDRESS", error))?;
        let looking = Looking::open(address, name)?;
        Ok(Self(Opened::Database(Box::new(looking))))
    }

    /// Whether several nodes share it.
    pub fn is_shared(&self) -> bool {
        matches!(self.0, Opened::Database(_))
    }

    /// Asks for one decision, in the scheduler's words. Nobody joins or claims here.
    pub fn ask(&mut self, op: &Op) -> Result<Json, Fault> {
        match &mut self.0 {
            Opened::File(held) => held.ask(op),
            Opened::Database(looking) => looking.ask(op),
        }
    }
}
