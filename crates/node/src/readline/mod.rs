//! The prompt: what the library's `repl` needs that only a person at a desk has.

pub(crate) mod desk;
