//! Node's library parts: bytecode made from `lib/` when Hemiola was built.

use hemiola_engine::bytecode;
use rquickjs::{Ctx, Function, Result};

/// Name and bytecode of every file, sorted by name.
static LIBRARY: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Whether a program may ask for a library file of that name.
pub(crate) fn is_public(name: &str) -> bool {
    !name.starts_with("internal/") && find(name).is_some()
}

/// The names of all library files that programs may ask for.
pub(crate) fn public_names() -> Vec<&'static str> {
    LIBRARY.iter().map(|&(name, _)| name).filter(|name| !name.starts_with("internal/")).collect()
}

/// Loads a library file and gives its body, a function of `(exports, require, module, binding)`.
pub(crate) fn body<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Option<Function<'js>>> {
    let Some(bytecode) = find(name) else { return Ok(None) };
    let value = bytecode::evaluate(ctx, bytecode)?;
    Function::from_value(value).map(Some)
}

fn find(name: &str) -> Option<&'static [u8]> {
    let at = LIBRARY.binary_search_by_key(&name, |&(name, _)| name).ok()?;
    Some(LIBRARY[at].1)
}
