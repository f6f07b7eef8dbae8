//! Shared by the tests of this folder.

pub mod engine;
pub mod generator;
