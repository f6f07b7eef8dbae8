//! The tests of the debugger, as one binary: linking takes longer than running them.

mod common;
mod dap;
mod session;
