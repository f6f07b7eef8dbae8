//! The fields of an object in a trace, as they are read.

use hemiola_time::Instant;
use serde_json::{Map, Value};

/// The fields of an object.
pub(crate) struct Fields<'a>(pub(crate) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub(crate) fn list(&self, name: &str) -> Result<&'a [Value], String> {
        let list = self.0.get(name).and_then(Value::as_array);
        list.map(Vec::as_slice).ok_or_else(|| format!("no list `{name}`"))
    }

    pub(crate) fn text(&self, name: &str) -> Result<&'a str, String> {
        self.0.get(name).and_then(Value::as_str).ok_or_else(|| format!("no string `{name}`"))
    }

    pub(crate) fn optional(&self, name: &str) -> Result<Option<u64>, String> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) => {
                value.as_u64().map(Some).ok_or_else(|| format!("`{name}` is not an integer"))
            }
        }
    }

    pub(crate) fn number(&self, name: &str) -> Result<u64, String> {
        self.optional(name)?.ok_or_else(|| format!("no number `{name}`"))
    }

    pub(crate) fn small(&self, name: &str) -> Result<u32, String> {
        u32::try_from(self.number(name)?).map_err(|_| format!("`{name}` is too large"))
    }

    pub(crate) fn instant(&self, name: &str) -> Result<Instant, String> {
        self.number(name).map(Instant::from_micros)
    }
}
