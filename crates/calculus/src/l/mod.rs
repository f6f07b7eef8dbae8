//! L: functions, globals, asynchronous operations and events.
//!
//! ```text
//! BODY  = [ ITEM { ";" ITEM } [ ";" ] ]                an empty body is one, too
//! ITEM  = "let" BIND { "," BIND } "in" BODY | "(" BODY ")" | CALL
//! BIND  = x "=" EXPR | f "=" "\" [ x { "," x } ] "." BODY
//!                                                      functions, or one value, never both
//! CALL  = f(e, …) | obs(e) | store(x, e) | call(op, cb) | nexttick(f, e, …)
//!       | setimmediate(f, e, …) | trigger(evt, e, …) | reg(evt, [f, …]) | unreg(evt, {f, …})
//! EXPR  = x | 1 | "any" | EXPR "+" EXPR | EXPR "-" EXPR | "(" EXPR ")"
//! ```
//!
//! A body reaches as far as it can. `λ` may stand for `\` and `·` for `;`, parentheses around a
//! binding or a function change nothing, and `#` starts a comment.

mod bounds;
mod env;
mod host;
mod lexer;
mod oracle;
pub mod parser;
pub mod syntax;
mod system;

pub use bounds::{Bounds, Mode, UnknownMode};
pub use parser::parse;
pub use system::Study;
