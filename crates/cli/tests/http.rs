//! HTTP: one suite for both worlds (rule GATE-4), whose expected output is what Node prints.

use crate::common;

#[test]
fn programs_do_the_same_in_both_worlds() {
    common::in_both_worlds("http");
}
