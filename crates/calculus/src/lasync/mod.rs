//! λasync: callbacks, promises, timers and I/O without values.
//!
//! One statement a line, or `;` between them; `#` and `//` start comments.
//!
//! ```text
//! log x                        show a text; in double quotes if it has spaces
//! nextTick f { … }             and so immediate, micro, timeout MS, io NAME, readFile NAME
//! promise p                    declare a promise; resolve p
//! then p f { … } -> q          run f once p is resolved, then resolve q
//! def f { … }                  name a body, known in the whole program; call f
//! set FLAG                     raise a flag; iflog FLAG a b shows a if it is raised, else b
//! ```
//!
//! Wherever `f { … }` stands, the name of a `def` may stand alone.

mod bounds;
mod host;
mod oracle;
pub mod parser;
pub mod syntax;
mod system;

pub use bounds::Bounds;
pub use parser::parse;
pub use system::{STRATEGIES, Study, unsupported};
