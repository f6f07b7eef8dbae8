//! Modules: which file a specifier means, and how it is loaded.
//!
//! [`resolve`] and [`package`] find files by Node's rules, and [`project`] by what a project adds to them. [`graph`] gives the engine ES modules and
//! what stands for others among them; [`hooks`] lets a program have its say in both. [`text`] is a program's text on its way to the engine and
//! back. [`links`] says which import does not fit.
//! [`natives`] is what CommonJS in `lib/internal/modules.js` is built on, [`places`] what stacks are.

mod bounded;
mod failure;
mod graph;
mod hooks;
mod links;
mod natives;
mod other;
mod package;
mod paths;
mod places;
mod project;
mod remembered;
mod resolve;
mod taken;
mod url;
mod waiting;

pub(crate) use graph::Graph;
pub use graph::ModuleLoader;
pub use remembered::Memory;
pub(crate) use remembered::Remembered;
use resolve::{Finder, Rules};

use hemiola_engine::part::LetGo;
use hemiola_gate::Disk;
use rquickjs::{Ctx, Function, Result};
use std::sync::Arc;

/// The function of this part that goes by that name on `binding`.
pub(crate) fn native<'js>(ctx: &Ctx<'js>, name: &str) -> Option<Result<Function<'js>>> {
    natives::native(ctx, name).or_else(|| places::native(ctx, name))
}

/// Everything about modules that a program has.
pub struct Modules {
    pub(crate) finder: Finder,
    pub(crate) graph: Graph,
}

impl Modules {
    pub(crate) fn new(disk: Arc<dyn Disk>, flags: &[String]) -> Self {
        Self { finder: Finder::new(disk, Rules::of(flags)), graph: Graph::default() }
    }

    /// The same for another run of the engine, whose files are those: what is known of packages is kept, and the
    /// modules that were there before the program.
    pub(crate) fn again(&self, disk: Arc<dyn Disk>, flags: &[String]) -> Self {
        Self { finder: self.finder.again(disk, Rules::of(flags)), graph: self.graph.again() }
    }

    /// Whether [`Modules::go_on`] knows all that there is.
    pub(crate) fn can_go_on(&self) -> bool {
        self.graph.can_go_on()
    }

    /// The same in the middle of a run, for another that goes on from there.
    pub(crate) fn go_on(&self, disk: Arc<dyn Disk>, flags: &[String]) -> Self {
        Self { finder: self.finder.again(disk, Rules::of(flags)), graph: self.graph.go_on() }
    }
}

impl LetGo for Modules {
    fn let_go(&self) {
        self.graph.let_go();
    }
}
