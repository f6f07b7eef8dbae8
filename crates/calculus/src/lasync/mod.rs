//! λasync: callbacks, promises, timers and I/O.
//!
//! One statement a line, or `;` between them; `#` and `//` start comments.
//!
//! ```text
//! log x                        show a text; in double quotes if it has spaces
//! nextTick f { … }             and so immediate, micro, timeout MS, io NAME, readFile NAME
//! promise p                    declare a promise; promise p 2 has priority 2
//! resolve p v                  resolve it to a value; without one, to undefined
//! then p f(x) { … } -> q v     run f once p is resolved, then resolve q; x is p's value in f
//! register EVENT 3 -> p        declare a promise of priority 3 that an event resolves
//! def f(x) { … }               name a body, known in the whole program; call f v
//! set FLAG                     raise a flag; iflog FLAG a b shows a if it is raised, else b
//! ```
//!
//! Wherever `f { … }` stands, the name of a `def` may stand alone, and a parameter may follow the name
//! of a body. A parameter is seen in its body and in the bodies in it, but not in a `def`; where a value
//! is expected, its name stands for what it is given. `io` gives the value that the event brings, and
//! so does `readFile`; `nextTick`, `immediate`, `micro` and `timeout` give undefined. Everything that
//! waits for an event of one name when it occurs, `io` and `register`, has the same value.

mod bounds;
mod host;
mod oracle;
pub mod parser;
pub mod syntax;
mod system;

pub use bounds::Bounds;
pub use parser::parse;
pub use system::{STRATEGIES, Study, unsupported};
