//! The tests of exploration, as one binary: linking takes longer than running them.

mod against_enumeration;
mod limits;
