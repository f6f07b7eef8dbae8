//! Words that look like flags.

use crate::common::{HEMIOLA, isolated};

#[test]
fn a_flag_that_does_not_exist_is_not_taken_for_a_file() {
    for command in ["run", "simulate"] {
        let output = isolated(HEMIOLA).args([command, "--nope", "a.js"]).output();
        let output = output.expect("the command can be started");
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).expect("messages are text");
        assert!(text.starts_with("error: there is no flag `--nope`\nhelp: "), "{text}");
    }
}

#[test]
fn flags_after_the_program_are_its_own() {
    let mut command = isolated(HEMIOLA);
    command.args([
        "run",
        "-e",
        "console.log(process.argv.slice(1).join())",
        "--nope",
        "-x",
        "--",
        "--timeout",
    ]);
    let output = command.output().expect("the command can be started");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "--nope,-x,--,--timeout\n");
}
