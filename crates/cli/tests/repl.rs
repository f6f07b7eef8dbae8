//! The prompt, at a real pseudo-terminal.

use crate::common::{directory, has, hemiola, text};
use std::path::Path;
use std::process::Command;

/// Types the lines, each when the screen has shown what it waits for, and gives what was shown.
pub(crate) fn session(
    folder: &Path,
    name: &str,
    words: &[&str],
    steps: &[(&str, &str)],
) -> Option<String> {
    if !has("python3", "--version", name) {
        return None;
    }
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repl/drive.py");
    let steps = serde_json::to_string(steps).expect("steps can be written");
    let mut command = Command::new("python3");
    command.arg(driver).arg(steps).arg(env!("CARGO_BIN_EXE_hemiola")).args(words);
    command.current_dir(folder).env("HOME", folder).env_remove("XDG_STATE_HOME");
    command.env_remove("HEMIOLA_REPL_HISTORY").env("NO_COLOR", "1").env("TERM", "xterm");
    let output = command.output().expect("python3 can be run");
    let said = text(output.stderr);
    assert!(output.status.success(), "{said}");
    Some(text(output.stdout))
}

/// The same for lines that each wait for the next prompt.
fn lines(folder: &Path, name: &str, words: &[&str], lines: &[&str]) -> Option<String> {
    let typed: Vec<String> = lines.iter().map(|line| format!("{line}\r")).collect();
    let steps: Vec<_> = typed.iter().map(|line| ("\n> ", line.as_str())).collect();
    session(folder, name, words, &steps)
}

#[test]
fn lines_are_evaluated_and_what_they_declare_stays() {
    let folder = directory("repl-lines", &[]);
    let typed = [
        "const a = await Promise.resolve(20)",
        "let b = a + 1",
        "a + b",
        "_ + 1",
        "{ x: 1 }",
        "path.basename('/a/b')",
        "function f() { throw new Error('no') }",
        "f()",
        "let = = 3",
        "import x from 'y'",
        "_error.name",
        "throw null",
        "await Promise.reject(0)",
        "throw Object.assign(new Error('no'), { code: 'E', cause: [1] })",
        "let b = 2",
        "class C {} class C {}",
        ".nothing",
        ".exit",
    ];
    let Some(shown) = lines(&folder, "lines_are_evaluated", &[], &typed) else { return };
    let expected = "\
> const a = await Promise.resolve(20)
undefined
> let b = a + 1
undefined
> a + b
41
> _ + 1
42
> { x: 1 }
{ x: 1 }
> path.basename('/a/b')
'b'
> function f() { throw new Error('no') }
undefined
> f()
Uncaught Error: no
    at f (REPL7:1:22)
> let = = 3
let = = 3
      ^

Uncaught SyntaxError: Unexpected token '='
> import x from 'y'
Uncaught SyntaxError: Cannot use import statement at a prompt, alternatively use dynamic import: const { default: x } = await import('y');
> _error.name
'SyntaxError'
> throw null
Uncaught null
> await Promise.reject(0)
Uncaught 0
> throw Object.assign(new Error('no'), { code: 'E', cause: [1] })
Uncaught Error: no {
  code: 'E',
  cause: [ 1 ]
}
> let b = 2
Uncaught SyntaxError: Identifier 'b' has already been declared
> class C {} class C {}
class C {} class C {}
                 ^

Uncaught SyntaxError: Identifier 'C' has already been declared
> .nothing
Invalid REPL keyword
> .exit
";
    let (_, shown) = shown.split_once('\n').expect("a greeting comes first");
    assert_eq!(shown.replace("\n\nstatus 0\n", "\nstatus 0\n"), format!("{expected}status 0\n"));
}

#[test]
fn code_may_take_several_lines() {
    let folder = directory("repl-several", &[]);
    let steps = [
        ("> ", "function g() {\r"),
        ("... ", "return [1,\r"),
        ("... ", "2] }\r"),
        ("undefined", "g()\r"),
        ("[ 1, 2 ]", "1 +\r"),
        ("... ", "1\r"),
        ("2\r", "(1\r"),
        ("... ", ".break\r"),
        ("> ", "(2\r"),
        ("... ", "\u{3}"),
        ("> ", ".editor\r"),
        ("cancel)", "const z = 1\rz + 41\r\u{4}"),
        ("42", "\u{4}"),
    ];
    let Some(shown) = session(&folder, "code_may_take", &[], &steps) else { return };
    assert!(shown.ends_with("z + 41\n\n42\n> \nstatus 0\n"), "{shown}");
    assert!(!shown.contains("never shown") && !shown.contains("Uncaught"), "{shown}");
}

#[test]
fn tab_completes_names_properties_and_commands() {
    let folder = directory("repl-tab", &[]);
    let steps = [
        ("> ", "const mine = { deep: { leaf: 7 }, get loud() { throw 1 } }\r"),
        ("undefined", "mi\t.de\t.le\t\r"),
        ("\n7\r", "mine.loud.\t0\r"),
        ("Uncaught", "globalTh\t === this\r"),
        // As in Node, the first completes and the second lists.
        ("true", ".ti\t\t"),
        ("timeline", "\u{15}fs.readF\t\t"),
        ("readFileSync", "\u{15}.exi\t\r"),
    ];
    let Some(shown) = session(&folder, "tab_completes", &[], &steps) else { return };
    assert!(shown.contains("> mine.deep.leaf\n7\n"), "{shown}");
    assert!(shown.contains("time      timeline\n"), "{shown}");
    assert!(shown.ends_with("status 0\n") && !shown.contains("never shown"), "{shown}");
}

#[test]
fn control_c_ends_what_is_awaited_and_twice_the_prompt() {
    let folder = directory("repl-interrupt", &[]);
    let steps = [
        ("> ", "await new Promise(() => {})\r"),
        ("{})\r", "\u{3}"),
        ("interrupted", "half a line\u{3}"),
        ("\n> ", "5\r"),
        ("5\r\r\n5", "\u{3}"),
        ("To exit", "\u{3}"),
    ];
    let Some(shown) = session(&folder, "control_c_ends", &[], &steps) else { return };
    assert!(
        shown.contains("Uncaught Error [ERR_SCRIPT_EXECUTION_INTERRUPTED]: Script execution was interrupted by `SIGINT`"),
        "{shown}"
    );
    assert!(shown.ends_with("status 0\n") && !shown.contains("never shown"), "{shown}");
}

#[test]
fn control_c_gives_up_a_line_that_computes_without_end() {
    let folder = directory("repl-computes", &[]);
    let steps = [
        ("> ", "let n = 1; console.log('be' + 'gun'); while (true);\r"),
        ("begun\r", "\u{3}"),
        (
            "\n> ",
            "console.log('wit' + 'hin'); for (;;) try { for (;;); } finally { console.log('nev' + 'er') }\r",
        ),
        ("within\r", "\u{3}"),
        ("\n> ", "console.log('aga' + 'in'); while (true) n += 1; await 0\r"),
        ("again\r", "\u{3}"),
        ("\n> ", "setTimeout(() => console.log('on ' + 'time'), 1); (n > 1\r"),
        ("... ", ".clear\r"),
        ("\n> ", "setTimeout(() => console.log('on ' + 'time'), 1); n > 1\r"),
        ("on time", ".exit\r"),
    ];
    let Some(shown) = session(&folder, "control_c_gives_up", &[], &steps) else { return };
    // What is typed before the prompt is there stands before it.
    let error = "^CUncaught Error [ERR_SCRIPT_EXECUTION_INTERRUPTED]: Script execution was interrupted by `SIGINT` {\n";
    assert_eq!(shown.matches(error).count(), 3, "{shown}");
    assert!(shown.contains("\ntrue\n") && !shown.contains("\nnever\n"), "{shown}");
    assert!(shown.ends_with("status 0\n") && !shown.contains("never shown"), "{shown}");
}

/// The first interrupts a line, the next at an empty prompt asks for another, and that ends it.
#[test]
fn control_c_that_comes_too_late_for_a_line_is_for_the_prompt() {
    let folder = directory("repl-late", &[]);
    let press = "child_process.execSync('kill -INT ' + process.pid)";
    let twice = format!("{press}; {press}; 5\r");
    let waits = format!("{press}; await new Promise(() => {{}})\r");
    let late = format!("setTimeout(() => {press}, 1); 6\r");
    let steps = [
        ("> ", twice.as_str()),
        ("by `SIGINT`", ""),
        ("\n> ", &waits),
        ("by `SIGINT`", ""),
        ("\n> ", &late),
        ("To exit", "3 + 4\r"),
        ("7\r\n> ", &late),
        ("To exit", "\u{3}"),
    ];
    let Some(shown) = session(&folder, "control_c_that_comes_too_late", &[], &steps) else {
        return;
    };
    assert!(shown.ends_with("status 0\n") && !shown.contains("never shown"), "{shown}");
    assert!(!shown.contains("\n5\n"), "{shown}");
}

/// Who is within one long step hears nothing, and is ended when asked for the third time.
#[test]
fn control_c_ends_what_cannot_be_interrupted() {
    let folder = directory("repl-stuck", &[]);
    let insist = "child_process.spawn('sh', ['-c', `while kill -INT ${process.pid}; do :; done`], { stdio: 'ignore' })";
    let line = format!("{insist}; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)\r");
    let steps = [("> ", line.as_str())];
    let Some(shown) = session(&folder, "control_c_ends_what", &[], &steps) else { return };
    assert!(shown.contains("cannot be interrupted") && shown.ends_with("status -2\n"), "{shown}");
}

#[test]
fn what_comes_later_is_shown_above_the_line() {
    let folder = directory("repl-later", &[]);
    let steps = [
        ("> ", "setTimeout(() => console.log('lat' + 'er'), 50); 0\r"),
        ("0\r\n> ", "4"),
        ("later", "2\r"),
        ("42\r", "setTimeout(() => { throw new Error('ra' + 'ised') }, 1); 1\r"),
        ("raised", "Promise.reject(new Error('ref' + 'used')); 2\r"),
        ("refused", ".exit\r"),
    ];
    let Some(shown) = session(&folder, "what_comes_later", &[], &steps) else { return };
    assert!(shown.contains("later\n> 42\n42\n"), "{shown}");
    assert!(
        shown.contains("Uncaught Error: raised\n    at Timeout._onTimeout (REPL3:1:26)\n> "),
        "{shown}"
    );
    assert!(shown.contains("Uncaught Error: refused\n> "), "{shown}");
}

/// Time that is held from the start goes nowhere by itself: two sessions are the same.
#[test]
fn virtual_time_is_moved_by_hand() {
    let folder = directory("repl-time", &[]);
    let typed = [
        "setTimeout(() => console.log('five'), 5000); setInterval(() => console.log('two'), 2000, 'A'); 0",
        ".time",
        ".timeline",
        ".time +4s",
        ".time next",
        "Date.now() - Date.UTC(2024, 0)",
        ".timeline",
        ".time +1y",
        ".time live",
        ".time +1s",
        ".exit",
    ];
    let words = ["repl", "--virtual"];
    let short = [&typed[..8], &typed[10..]].concat();
    let Some(once) = lines(&folder, "virtual_time", &words, &short) else { return };
    assert_eq!(Some(&once), lines(&folder, "virtual_time", &words, &short).as_ref());
    let expected = "\
> .time
0 s since the start, 2024-01-01T00:00:00.000Z (virtual, moved by `.time +5s`)
the next timer is due in 2 s, 2 things wait in all
> .timeline
ran
              nothing yet
pending
      in 2 s  timer 2, every 2 s, clock A, set at REPL1:1:46  setInterval(() => console.log('two'), 2000, 'A'…
      in 5 s  timer 1, set at REPL1:1:1  setTimeout(() => console.log('five'), 5000); se…
> .time +4s
two
two
4 s since the start, 2024-01-01T00:00:04.000Z (virtual, moved by `.time +5s`)
the next timer is due in 1 s, 2 things wait in all
> .time next
five
5 s since the start, 2024-01-01T00:00:05.000Z (virtual, moved by `.time +5s`)
the next timer is due in 1 s
> Date.now() - Date.UTC(2024, 0)
5000
";
    assert!(once.contains(expected), "{once}");
    assert!(once.contains(".time does not know `+1y`"), "{once}");
    let whole = lines(&folder, "virtual_time", &words, &typed).expect("as before");
    assert!(whole.contains("(live; `.time virtual` lets it stand still)"), "{whole}");
    assert!(whole.contains("time is live: `.time virtual` lets it stand still"), "{whole}");
}

#[test]
fn lines_are_kept_for_the_next_time_and_for_nobody_else() {
    use std::os::unix::fs::PermissionsExt;
    let folder = directory("repl-history", &[]);
    let Some(_) = lines(&folder, "lines_are_kept", &[], &["6 * 7", ".exit"]) else { return };
    let file = folder.join(".local/state/hemiola/repl-history");
    assert_eq!(std::fs::read_to_string(&file).expect("it is kept"), ".exit\n6 * 7\n");
    let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let steps = [("> ", "\u{1b}[A\u{1b}[A\r"), ("42", "\u{4}")];
    let shown = session(&folder, "lines_are_kept", &[], &steps).expect("as before");
    assert!(shown.contains("> 6 * 7\n42\n"), "{shown}");
    let shown = lines(&folder, "lines_are_kept", &["repl", "--no-history"], &["1 + 2", ".exit"]);
    assert!(shown.expect("as before").contains("\n3\n"));
    assert!(!std::fs::read_to_string(&file).expect("it is kept").contains("1 + 2"));
}

#[test]
fn a_home_that_cannot_be_written_is_said_once() {
    let folder = directory("repl-home", &[("home", "no directory")]);
    let steps = [("> ", "1\r"), ("1\r\n", "2\r"), ("2\r\n", ".exit\r")];
    let home = folder.join("home");
    let words = ["-c", "HOME=\"$1\" exec \"$2\" repl", "sh"];
    let Some(_) = session(&folder, "a_home_that", &["--version"], &[]) else { return };
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repl/drive.py");
    let steps = serde_json::to_string(&steps).expect("steps can be written");
    let mut command = Command::new("python3");
    command.arg(driver).arg(steps).arg("sh").args(words).arg(home);
    command.arg(env!("CARGO_BIN_EXE_hemiola")).current_dir(&*folder).env_remove("XDG_STATE_HOME");
    command.env_remove("HEMIOLA_REPL_HISTORY").env("NO_COLOR", "1").env("TERM", "xterm");
    let shown = text(command.output().expect("python3 can be run").stdout);
    assert_eq!(shown.matches("History is not kept: ").count(), 1, "{shown}");
    assert!(shown.ends_with("status 0\n") && !shown.contains("never shown"), "{shown}");
}

#[test]
fn a_program_that_is_piped_is_run() {
    use std::io::Write;
    use std::process::Stdio;
    let folder = directory("repl-piped", &[]);
    let mut command = hemiola(&folder);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("it has an input");
    input.write_all(b"console.log(await Promise.resolve(6 * 7))").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(text(output.stdout), "42\n");
    assert!(output.status.success());
}
