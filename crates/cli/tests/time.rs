//! The rules of time, shown by programs in crates/js/tests/time: each prints exactly what is in the
//! `.out` file beside it.
//!
//! Every program runs twice in virtual time. Unless it says `// only: simulate`, it also runs with a
//! computation in front of every callback, which makes all of them late, in virtual and in real time:
//! lateness changes nothing. `// exit: 3` is the exit code it ends with. `UPDATE=1` rewrites what they
//! print in virtual time.

use crate::common::{compare, directory, hemiola, text};
use std::path::{Path, PathBuf};

/// Makes every timed callback take longer than most periods of these programs. On the program's first
/// line, so that places in it stay what they are.
const BUSY: &str = "{ const { spend } = require('hemiola:clock'); \
    for (const name of ['setTimeout', 'setInterval']) { \
      const set = globalThis[name]; \
      globalThis[name] = (callback, ...args) => set(function (...given) { \
        spend(3); return callback.apply(this, given); }, ...args); } } ";

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../js/tests/time");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the programs are there")
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "js"))
        .collect();
    programs.sort();
    assert!(programs.len() >= 45, "{} programs", programs.len());
    programs
}

fn header<'a>(source: &'a str, key: &str) -> Option<&'a str> {
    source.lines().find_map(|line| line.strip_prefix(key))
}

fn run(mode: &str, program: &Path, code: i32) -> String {
    let mut command = hemiola(program.parent().expect("a program is in a folder"));
    let output = command.arg(mode).arg(program).output().expect("the command can be started");
    let (shown, error) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "{mode} {}: {error}", program.display());
    shown
}

#[test]
fn programs_show_the_rules_of_time() {
    let busy_folder = directory("time_busy", &[]);
    for program in programs() {
        let source = read(&program);
        let code = header(&source, "// exit: ").map_or(0, |code| code.parse().expect("a number"));
        let shown = run("simulate", &program, code);
        assert_eq!(run("simulate", &program, code), shown, "two runs show the same");
        compare(&program.with_extension("out"), &shown);
        if header(&source, "// only: ").is_some() {
            continue;
        }
        let busy = busy_folder.join(program.file_name().expect("a program has a name"));
        std::fs::write(&busy, format!("{BUSY}{source}")).expect("a program can be written");
        assert_eq!(run("simulate", &busy, code), shown, "late: {}", program.display());
        assert_eq!(run("run", &busy, code), shown, "late in real time: {}", program.display());
        assert_eq!(run("run", &program, code), shown, "in real time: {}", program.display());
    }
}

#[test]
fn a_busy_wait_on_any_clock_ends_in_virtual_time() {
    let clocks = [
        "Date.now()",
        "+new Date()",
        "performance.now()",
        "process.uptime() * 1000",
        "Number(process.hrtime.bigint() / 1000000n)",
        "currentTime()",
    ];
    let waits = clocks.map(|clock| {
        format!("begin = {clock}; while ({clock} - begin < 20); console.log('over');\n")
    });
    let source = format!("let begin;\n{}", waits.concat());
    let folder = directory("busy_wait", &[("wait.js", &source)]);
    let program = folder.join("wait.js");
    assert_eq!(run("simulate", &program, 0), "over\n".repeat(clocks.len()));
    for (command, said) in [("explore", "1 outcome\n"), ("races", "no races\n")] {
        let shown = run(command, &program, 0);
        assert!(shown.contains(said), "{command}: {shown}");
    }
}

#[test]
fn hemiola_clock_is_a_module_of_either_kind() {
    let module = "import { clock, spend } from 'hemiola:clock';
        import whole from 'hemiola:clock';
        const again = await import('hemiola:clock');
        console.log(whole.clock === clock, again.spend === spend);
        await clock('A').sleep(10);
        console.log(clock('A').now());
        for (const name of ['hemiola:nothing', 'hemiola/clock', 'node:hemiola/clock']) {
          await import(name).catch((error) => console.log(error.message.split('\\n')[0]));
        }";
    let common = "const { clock } = require('hemiola:clock');
        clock('A').setTimeout(() => console.log(clock('A').now()), 10);";
    let folder = directory("hemiola_clock", &[("main.mjs", module), ("main.cjs", common)]);
    let shown = run("simulate", &folder.join("main.mjs"), 0);
    let mut lines = shown.lines();
    assert_eq!([lines.next(), lines.next()], [Some("true true"), Some("10")]);
    assert_eq!(lines.clone().count(), 3, "none of the others is there: {shown}");
    assert!(lines.next().is_some_and(|line| line.contains("hemiola:nothing")), "{shown}");
    assert_eq!(run("simulate", &folder.join("main.cjs"), 0), "10\n");
}
