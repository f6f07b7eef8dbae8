//! The example `fig3` draws what it promises.

mod common;

#[path = "../examples/fig3.rs"]
#[allow(dead_code, reason = "the example's main prints what this test compares")]
mod fig3;

#[test]
fn fig3_draws_the_figure() {
    let picture = fig3::picture();
    assert_eq!(picture, fig3::picture(), "two runs of one program must not differ");
    common::compare("tests/golden/fig3.txt", &picture);
}
