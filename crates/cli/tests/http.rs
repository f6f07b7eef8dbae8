//! HTTP: one suite for both worlds (rule GATE-4), whose expected output is what Node prints.

use crate::common;

#[test]
fn programs_do_the_same_in_both_worlds() {
    common::in_both_worlds("http");
}

/// Whoever looks at a recording has contexts, and names of requests: the program asks the world for the same all the same.
#[test]
fn recordings_of_ordinary_requests_can_be_looked_at() {
    let program = include_str!("http/ordinary.js");
    let place = common::directory("http-recorded", &[("ordinary.js", program), ("end", "end\n")]);
    let shell = |script: &str| {
        let output = common::shell(&place, &format!("export HEMIOLA_RUNS=$PWD/runs; {script}"));
        let (out, err) = (common::text(output.stdout), common::text(output.stderr));
        assert!(output.status.success(), "{script}: {out}{err}");
        (out, err)
    };
    let (_, told) = shell("hemiola run --record ordinary.js");
    assert!(told.contains("recorded"), "{told}");
    assert_eq!(shell("hemiola replay").0, include_str!("http/ordinary.out"));
    assert_eq!(shell("hemiola view --out page.html").0, "page.html\n");
    let (shown, _) = shell("hemiola debug --tty < end");
    assert!(shown.contains("the end, exit status 0"), "{shown}");
    shell("hemiola lineage");
}
