//! Where errors say that they were made, and in which words.

use crate::common::{HEMIOLA, isolated};
use std::process::Output;

fn run(source: &str) -> Output {
    let mut command = isolated(HEMIOLA);
    command.args(["run", "-e", source]).output().expect("the command can be started")
}

fn shown(source: &str) -> String {
    let Output { stdout, stderr, .. } = run(source);
    assert_eq!(String::from_utf8_lossy(&stderr), "", "{source}");
    String::from_utf8(stdout).expect("output is text")
}

/// The places are those of Node 20.
#[test]
fn a_call_is_where_its_name_is_whatever_its_arguments_are() {
    let program = "
const boom = (a) => { throw new Error('boom'); };
const id = (a) => a;
const o = { boom, id };
const at = (f) => { try { f(); } catch (e) { console.log(e.stack.split('\\n')[2].replace(/.*:(\\d+:\\d+)\\)?$/, '$1')); } };
at(() => { boom(id(1)); });
at(() => { boom(id(id(2)), id(3)); });
at(() => { o.boom(o.id(1)); });
at(() => {
  boom(
    id(1),
    id(2)
  );
});
at(() => id(boom(id(7))));
at(() => { boom({ a: id(1), b: [id(2)] }); });
";
    assert_eq!(shown(program), "6:12\n7:12\n8:14\n10:3\n15:13\n16:12\n");
}

#[test]
fn an_error_is_made_where_new_is_and_not_in_its_constructor() {
    let program = "
class Own extends Error { constructor(text) { super(text); this.name = 'Own'; } }
class More extends Own { constructor(text) { super(text); } }
const make = () => new More(String(1));
console.log(make().stack.split('\\n')[1]);
";
    assert_eq!(shown(program), "    at make ([eval]:4:20)\n");
}

#[test]
fn an_overflow_of_the_stack_says_where() {
    let output = run("function again(n) { return 1 + again(n + 1) }\nagain(0)");
    let text = String::from_utf8(output.stderr).expect("messages are text");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("[eval]:1\nfunction again(n)"), "{text}");
    assert!(
        text.contains("RangeError: Maximum call stack size exceeded\n    at again ([eval]:1:"),
        "{text}"
    );
    assert_eq!(text.matches("    at again").count(), 10, "{text}");
}

/// A shell may give the stack little room.
#[test]
fn a_small_stack_overflows_as_an_error_too() {
    let script = format!(
        "ulimit -s 1024; exec {} run -e 'let n = 0; const f = () => {{ n++; f(); }}; try {{ f(); }} catch (e) {{ console.log(e.name, n > 20); }}'",
        env!("CARGO_BIN_EXE_hemiola")
    );
    let output = isolated("sh").args(["-c", &script]).output().expect("the shell runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "RangeError true\n");
}

/// The messages are those of Node 20.
#[test]
fn common_mistakes_are_told_in_nodes_words() {
    let program = "
const say = (f) => { try { f(); } catch (e) { console.log(e.name + ': ' + e.message); } };
const o = { a: {} };
let q = 1;
say(() => { o.f(); });
say(() => { o.a.b(1, 2); });
say(() => { q(); });
say(() => { new q(); });
say(() => { JSON.parse('{bad'); });
say(() => { JSON.stringify(1n); });
say(() => { [].reduce((a) => a); });
say(() => { decodeURIComponent('%'); });
say(() => { (1).toFixed(101); });
say(() => { Promise(); });
say(() => { class A { constructor() { } } class B extends A { constructor() { this.x; } } new B(); });
say(() => { ''.padEnd(2 ** 30); });
";
    let expected = "TypeError: o.f is not a function
TypeError: o.a.b is not a function
TypeError: q is not a function
TypeError: q is not a constructor
SyntaxError: Expected property name or '}' in JSON at position 1
TypeError: Do not know how to serialize a BigInt
TypeError: Reduce of empty array with no initial value
URIError: URI malformed
RangeError: toFixed() digits argument must be between 0 and 100
TypeError: Promise constructor cannot be invoked without 'new'
ReferenceError: Must call super constructor in derived class before accessing 'this' or returning from derived constructor
RangeError: Invalid string length
";
    assert_eq!(shown(program), expected);
}

/// The places are those of Node 20.
#[test]
fn a_property_of_nothing_is_where_its_name_is() {
    let program = "
const o = {};
const at = (f) => { try { f(); } catch (e) { console.log(e.stack.split('\\n')[1].replace(/.*:(\\d+:\\d+)\\)?$/, '$1')); } };
at(() => o.foo.bar);
at(() => { o.foo.bar = 1; });
at(() => { const x = 1 + o.foo.bar.baz; });
at(() => o.foo.bar());
";
    assert_eq!(shown(program), "4:16\n5:22\n6:32\n7:16\n");
    let text =
        String::from_utf8(run("const o = {};\no.foo.bar").stderr).expect("messages are text");
    assert!(text.starts_with("[eval]:2\no.foo.bar\n      ^\n"), "{text}");
}

/// The message is that of Node 20.
#[test]
fn a_message_names_the_call_that_failed_and_not_one_among_its_arguments() {
    let program =
        "const id = (a) => a; let q;\ntry { q(id(1)); } catch (e) { console.log(e.message); }";
    assert_eq!(shown(program), "q is not a function\n");
}

#[test]
fn native_functions_show_themselves_on_one_line() {
    let program = "console.log(`${[].push}`, String(Map), String(Function.prototype.toString));";
    let expected = "function push() { [native code] } function Map() { [native code] } function toString() { [native code] }\n";
    assert_eq!(shown(program), expected);
}

/// The names are those of Node 20.
#[test]
fn accessors_and_constructors_have_their_names_in_stacks() {
    let program = "
const at = (f) => { try { f(); } catch (e) { console.log(/at (.*) \\(/.exec(e.stack)[1]); } };
class A { get g() { null.x } set g(x) { null.x } constructor(now) { if (now) null.x } }
at(() => new A().g);
at(() => { new A().g = 1; });
at(() => new A(true));
at(function f() { null.x });
";
    assert_eq!(shown(program), "get g [as g]\nset g [as g]\nnew A\nf\n");
}

/// Node shows a line of its own; the import is what the reader looks for.
#[test]
fn a_module_that_is_not_there_is_shown_where_it_is_imported() {
    let source = "import 'node:events';\nimport { a } from 'not-there';\n";
    let mut command = isolated(HEMIOLA);
    let output = command.args(["run", "--input-type", "module", "-e", source]).output();
    let output = output.expect("the command can be started");
    let text = String::from_utf8(output.stderr).expect("messages are text");
    assert_eq!(output.status.code(), Some(1), "{text}");
    let shown = ":2\nimport { a } from 'not-there';\n                  ^^^^^^^^^^^\n\n";
    assert!(text.contains(shown), "{text}");
    assert!(
        text.contains("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'not-there'"),
        "{text}"
    );
}

#[test]
fn what_the_library_throws_is_shown_where_the_program_called_it() {
    for (source, place) in [
        ("new (require('events'))().emit('error', 5);", 27),
        ("new (require('events'))().emit('error', new Error('unheard'));", 41),
    ] {
        let output = run(source);
        let text = String::from_utf8(output.stderr).expect("messages are text");
        let shown = format!("[eval]:1\n{source}\n{}^\n", " ".repeat(place - 1));
        assert!(text.starts_with(&shown), "{text}");
    }
}

/// As deep as Node 20 shows it.
#[test]
fn an_error_that_ends_a_program_is_shown_with_what_it_carries() {
    let source =
        "throw Object.assign(new Error('x'), { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } })";
    let text = String::from_utf8(run(source).stderr).expect("messages are text");
    let carried = "{\n  a: {\n    b: {\n      c: { d: { e: { f: [Object] } } }\n    }\n  }\n}";
    assert!(text.contains(carried), "{text}");
}
