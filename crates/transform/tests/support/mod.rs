//! Shared by the tests of this folder.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod engine;
pub mod generator;
