//! The example `fig3` draws what it promises.

#[path = "../examples/fig3.rs"]
#[allow(dead_code, reason = "the example's main prints what this test compares")]
mod example;

use crate::common;

#[test]
fn fig3_draws_the_figure() {
    let picture = example::picture();
    assert_eq!(picture, example::picture(), "two runs of one program must not differ");
    common::compare("tests/golden/fig3.txt", &picture);
}
