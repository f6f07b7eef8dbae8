//! Modules: which file a specifier means, and how it is loaded.
//!
//! [`resolve`] and [`package`] find files by Node's rules. [`graph`] gives the engine ES modules and
//! what stands for others among them. [`text`] is a program's text on its way to the engine and
//! back. [`links`] says which import does not fit.
//! [`natives`] is what CommonJS in `lib/internal/modules.js` is built on.

mod columns;
mod failure;
mod graph;
mod links;
mod natives;
mod other;
mod package;
mod remembered;
mod resolve;
mod text;
mod url;
mod waiting;

pub(crate) use graph::{Graph, ModuleLoader};
pub(crate) use natives::{native, place_of_call};
pub(crate) use remembered::{Memory, Remembered};
pub(crate) use resolve::Finder;
pub(crate) use text::Texts;

use crate::debug::Session;
use crate::instrument::Accesses;
use hemiola_gate::Disk;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rquickjs::{Ctx, Function, Object, Persistent, Result};

/// Everything about modules that a program has.
pub(crate) struct Modules {
    pub(crate) finder: Finder,
    pub(crate) graph: Graph,
    pub(crate) texts: Texts,
    /// Gives files of the library, once there is one.
    library: RefCell<Option<Persistent<Function<'static>>>>,
}

impl Modules {
    pub(crate) fn new(
        disk: Arc<dyn Disk>,
        contexts: bool,
        accesses: Option<Rc<Accesses>>,
        debug: Option<Rc<Session>>,
    ) -> Self {
        Self {
            finder: Finder::new(disk),
            graph: Graph::default(),
            texts: Texts::new(contexts, accesses, debug),
            library: RefCell::default(),
        }
    }

    /// Says where files of the library come from.
    pub(crate) fn set_library<'js>(&self, ctx: &Ctx<'js>, library: Function<'js>) {
        *self.library.borrow_mut() = Some(Persistent::save(ctx, library));
    }

    /// Takes files of the library from where others come from, and what they know of the program's files.
    pub(crate) fn go_on_from(&mut self, other: &Self) {
        self.library.clone_from(&other.library);
        self.finder.go_on_from(&other.finder);
        self.texts.go_on_from(&other.texts);
    }

    /// What a file of the library exports.
    pub(crate) fn library<'js>(&self, ctx: &Ctx<'js>, name: &str) -> Result<Object<'js>> {
        let library =
            self.library.borrow().clone().expect("the library is there before modules are");
        library.restore(ctx)?.call((name,))
    }

    /// Lets go of everything that belongs to the engine.
    pub(crate) fn clear(&self) {
        self.library.take();
        self.graph.clear();
    }
}
