//! What shells, `man` and somebody who is lost ask for.

use crate::common::{directory, has, hemiola, shell, text};

#[test]
fn bash_completes_commands_and_flags() {
    let directory = directory("completions", &[]);
    let complete = |words: &str| {
        let script = format!(
            "bash -c 'source <(hemiola completions bash); COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _hemiola hemiola \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo ${{COMPREPLY[@]}}'"
        );
        text(shell(&directory, &script).stdout)
    };
    assert_eq!(complete("hemiola expl"), "explore\n");
    assert_eq!(complete("hemiola simulate --unt"), "--until\n");
    assert_eq!(complete("hemiola test-fi"), "\n", "commands of our own are not offered");
}

#[test]
fn zsh_and_fish_take_the_scripts() {
    let directory = directory("completions_elsewhere", &[]);
    for name in ["zsh", "fish"] {
        if has(name, "--version", "completions") {
            let output = shell(
                &directory,
                &format!("hemiola completions {name} > script && {name} -n script"),
            );
            assert!(output.status.success(), "{}", text(output.stderr));
        }
    }
    for name in ["elvish", "powershell"] {
        let output = shell(&directory, &format!("hemiola completions {name}"));
        assert!(text(output.stdout).contains("explore"), "{name}");
    }
    assert_eq!(shell(&directory, "hemiola completions tcsh").status.code(), Some(2));
}

#[test]
fn every_command_has_a_manual_page() {
    let directory = directory("man", &[]);
    let output = hemiola(&directory).args(["man", "."]).output().expect("hemiola runs");
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr));
    let page = |name: &str| std::fs::read_to_string(directory.join(name)).expect("there is a page");
    assert!(page("hemiola.1").contains("explore"));
    assert!(page("hemiola-simulate.1").contains("until"));
    assert!(!directory.join("hemiola-test-file.1").exists());
    let refused = hemiola(&directory).args(["man", "nowhere"]).output().expect("hemiola runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(refused.stderr).contains("help: make it first: mkdir -p nowhere"));
}

#[test]
fn help_is_a_command() {
    let directory = directory("help_command", &[]);
    let ask = |script: &str| text(shell(&directory, script).stdout);
    assert_eq!(ask("hemiola help simulate"), ask("hemiola simulate --help"));
}

#[test]
fn the_doctor_says_what_is_missing() {
    let directory = directory("doctor", &[("file", "")]);
    let well =
        hemiola(&directory).env("HEMIOLA_RUNS", "runs").arg("doctor").output().expect("it runs");
    assert_eq!((well.status.code(), text(well.stderr)), (Some(0), String::new()));
    let told = text(well.stdout);
    assert!(told.contains("recordings      0 in runs, 0 kB\n"), "{told}");
    let versions =
        shell(&directory, "hemiola -p 'process.versions.node + process.versions.quickjs'");
    for part in ["stands in for   node ", "engine          quickjs "] {
        let said = told.lines().find_map(|line| line.strip_prefix(part)).expect(&told);
        assert!(text(versions.stdout.clone()).contains(said), "{told}");
    }
    for limit in ["processors ", "open files ", "stack ", "memory          4096 MiB "] {
        assert!(told.contains(&format!("\n{limit}")), "{told}");
    }
    let few = shell(&directory, "ulimit -n 100; HEMIOLA_RUNS=runs hemiola doctor");
    assert_eq!(few.status.code(), Some(1));
    assert!(text(few.stderr).contains("100 files and sockets"));
    let ill = hemiola(&directory)
        .env("HEMIOLA_RUNS", "file/runs")
        .arg("doctor")
        .output()
        .expect("it runs");
    assert_eq!(ill.status.code(), Some(1));
    assert!(text(ill.stderr).starts_with("missing: recordings cannot be written: "));
}
