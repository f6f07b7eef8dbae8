//! The tests of properties and theories, as one binary: linking takes longer than running them.

mod errors;
mod examples;
mod golden;
mod naive;
mod oracle;
mod random_traces;
