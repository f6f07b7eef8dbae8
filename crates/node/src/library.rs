//! Node's library parts: bytecode made from `lib/` when Hemiola was built.

use hemiola_engine::bytecode;
use rquickjs::{Ctx, Function, Object, Result};
use std::cmp::Ordering;

/// A file of the library: where its name ends in [`NAMES`] and where its bytecode is in [`BYTECODE`]. Names begin where
/// the one before ends.
///
/// Numbers and no references: those would be written into memory at each start, and lie between the bytes that a
/// program uses.
struct File {
    name_end: u32,
    start: u32,
    end: u32,
}

/// Every other file, sorted by name.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The names of these files, one after the other.
static NAMES: &str = include_str!(concat!(env!("OUT_DIR"), "/library.names"));

/// The globals of the language, with a space between them.
pub(crate) static LANGUAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/language.names"));

/// The names of the files that every program loads.
static START: &[&str] = &include!(concat!(env!("OUT_DIR"), "/start.rs"));

/// Their bytecode: an array of scripts.
static START_BYTECODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/start.bytecode"));

/// The bytecode of all other files.
static BYTECODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.bytecode"));

/// Whether a program may ask for a library file of that name.
pub(crate) fn is_public(name: &str) -> bool {
    !name.starts_with("internal/") && find(name).is_some()
}

/// The names of all library files that programs may ask for.
pub(crate) fn public_names() -> Vec<&'static str> {
    (0..FILES.len()).map(name_at).filter(|name| !name.starts_with("internal/")).collect()
}

/// Gives `binding` the bodies of the files that every program loads, by name. The answer is that of the file which loads
/// the others.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<Function<'js>> {
    let files = Object::new(ctx.clone())?;
    files.set_prototype(None)?;
    for (name, body) in START.iter().zip(bytecode::evaluate_all(ctx, START_BYTECODE, START.len())?)
    {
        files.set(*name, body)?;
    }
    let first = files.get("internal/bootstrap")?;
    binding.set("startFiles", files)?;
    Ok(first)
}

/// Loads a library file and gives its body, a function of `(exports, require, module, binding)`.
pub(crate) fn body<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Option<Function<'js>>> {
    let Some(bytecode) = find(name) else { return Ok(None) };
    let value = bytecode::evaluate(ctx, bytecode)?;
    Function::from_value(value).map(Some)
}

fn name_at(at: usize) -> &'static str {
    let start = if at == 0 { 0 } else { FILES[at - 1].name_end };
    &NAMES[start as usize..FILES[at].name_end as usize]
}

fn find(name: &str) -> Option<&'static [u8]> {
    let mut range = 0..FILES.len();
    while !range.is_empty() {
        let middle = usize::midpoint(range.start, range.end);
        match name_at(middle).cmp(name) {
            Ordering::Less => range.start = middle + 1,
            Ordering::Greater => range.end = middle,
            Ordering::Equal => {
                let file = &FILES[middle];
                return Some(&BYTECODE[file.start as usize..file.end as usize]);
            }
        }
    }
    None
}
