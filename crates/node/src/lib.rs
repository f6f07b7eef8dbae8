//! Node's library, a folder for each subject: the natives, and in its `lib/` the JavaScript that is made of
//! them, which is compiled when Hemiola is built and loaded when a program first asks for it.
//!
//! [`State`] is what natives share and [`Options`] how a program is to be run; [`start`] sets up the
//! globals. Natives reach the machine by `hemiola_engine::bridge`, and the outside by the gate.

#![forbid(unsafe_code)]

mod binding;
mod buffer;
mod console;
mod crypto;
pub mod flags;
pub mod fs;
pub mod gate;
mod http;
mod intl;
mod lazy;
mod library;
mod modules;
mod observe;
mod options;
mod process;
mod readline;
mod scheduler;
mod state;
mod test;
pub mod timers;
mod websocket;
mod workers;
mod zlib;

pub use binding::install as install_options;
pub use modules::{Memory, ModuleLoader};
pub use options::{Entry, InputType, Options, TimerMeaning};
pub use process::VERSIONS;
pub use scheduler::clocks;
pub use state::{Run, State};
pub use test::{Suite, TestCase, TestList, Tests};
pub use workers::OUT_OF_MEMORY;

use hemiola_engine::class::make_prototype;
use rquickjs::{Ctx, Object, Result};

/// Sets up the globals of a context that [serves](State::serve) a state. Gives `binding`, and what the
/// library exports to the host.
pub fn start<'js>(ctx: &Ctx<'js>) -> Result<(Object<'js>, Object<'js>)> {
    let binding = hemiola_engine::binding::binding(ctx, lazy::native)?;
    binding::install(ctx, &binding)?;
    process::install(ctx, &binding)?;
    timers::install(ctx, &binding)?;
    let bootstrap = library::install(ctx, &binding)?;
    let module = Object::new(ctx.clone())?;
    let exports = Object::new(ctx.clone())?;
    bootstrap.call::<_, ()>((exports.clone(), rquickjs::Undefined, module, binding.clone()))?;
    hemiola_engine::state::state(ctx).set_library(ctx, exports.get("library")?);
    Ok((binding, exports))
}

/// Makes the prototypes of all classes of the library: before the moment that an engine is put back to.
pub fn make_prototypes(ctx: &Ctx<'_>) -> Result<()> {
    make_prototype::<http::Handle>(ctx)?;
    make_prototype::<crypto::ciphers::Machine>(ctx)?;
    make_prototype::<crypto::Hasher>(ctx)?;
    make_prototype::<zlib::Handle>(ctx)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the test reads the sources")]

    use std::fs;
    use std::path::Path;

    /// One that is missing would be used after it is gone.
    #[test]
    fn the_prototypes_of_all_classes_are_made() {
        let mut classes = Vec::new();
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("the sources are there") {
                let path = entry.expect("a folder can be read").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = fs::read_to_string(&path).expect("a source can be read");
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                classes.extend(text.matches("Kind for ").map(|_| path.clone()));
                assert!(!text.contains("rquickjs::class]"), "{}", path.display());
            }
        }
        let own = include_str!("lib.rs").split("#[cfg(test)]").next().unwrap_or_default();
        let made = own.matches("    make_prototype::<").count();
        assert_eq!(made, classes.len(), "make_prototypes knows {made} of {classes:?}");
    }
}
