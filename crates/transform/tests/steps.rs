//! Programs with hooks do the same, and the hooks are where statements are.

use crate::support::engine::{Engine, OFF};
use crate::support::generator::program;
use hemiola_transform::{Goal, Language, Steps, step};

/// What stands for the runtime: it counts the calls, and looks at every so many statements.
const RUNTIME: &str = "globalThis.$step_n ??= 3; globalThis.$step_s ??= () => 3; \
    globalThis.$step_t ??= (error) => error; globalThis.$step_m ??= () => {};";

#[test]
fn random_programs_do_the_same() {
    let mut engine = Engine::new();
    let mut count = 0;
    for seed in 1..=200 {
        let goal = if seed % 3 == 0 { Goal::Module } else { Goal::CommonJs };
        let source = program(seed, goal == Goal::Module);
        let before = engine
            .run(&source, goal, None, OFF)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let transformed =
            step(&source, Language::JavaScript, goal, &[], 0).expect("JavaScript is never refused");
        assert_eq!(transformed.code.lines().count(), source.lines().count());
        let undone = transformed.original(&transformed.code);
        let import = "import $h from \"hemiola:internal/context\";";
        assert_eq!(undone.strip_prefix(import).unwrap_or(&undone), source, "seed {seed}");
        count += transformed.steps.as_ref().map_or(0, |steps| steps.statements.len());
        let code = format!("{RUNTIME}{}", transformed.code);
        let after = engine
            .run(&code, goal, transformed.context.as_deref(), OFF)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", transformed.code));
        // The engine alone shows functions as they are; what follows one in a line is lost.
        let same = |before: &String, after: &String| match after.contains("/*$d<*/") {
            true => before.starts_with(&transformed.original(after)),
            false => before == after,
        };
        assert!(
            before.len() == after.len()
                && before.iter().zip(&after).all(|(one, two)| same(one, two)),
            "seed {seed}\n{source}\n{}\n{before:#?}\n{after:#?}",
            transformed.code
        );
    }
    assert!(count > 5000, "only {count} statements");
}

fn steps(source: &str, language: Language) -> Steps {
    let transformed = step(source, language, Goal::Detect, &[], 0).expect("it is a program");
    transformed.steps.expect("it has statements")
}

/// The source with a mark at every hook: `¹` the first of a function, `ᴱ` the last, `ˢ` one that may
/// suspend, `ᴰ` a `debugger` statement.
fn marked(source: &str, language: Language) -> String {
    let mut lines: Vec<Vec<char>> = source.lines().map(|line| line.chars().collect()).collect();
    let steps = steps(source, language);
    let mut statements = steps.statements;
    statements.sort_by_key(|statement| (statement.line, statement.column));
    for statement in statements.iter().rev() {
        let mut mark = vec!['•'];
        let flags = [
            (statement.is_first, '¹'),
            (statement.is_last, 'ᴱ'),
            (statement.suspends, 'ˢ'),
            (statement.is_debugger, 'ᴰ'),
        ];
        mark.extend(flags.iter().filter(|flag| flag.0).map(|flag| flag.1));
        let at = statement.column as usize - 1;
        lines[statement.line as usize - 1].splice(at..at, mark);
    }
    lines.iter().map(|line| line.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(language: Language, source: &str, expected: &str) {
    let found = marked(source, language);
    assert_eq!(found, expected, "\n{found}");
}

#[test]
fn hooks_are_before_statements() {
    check(
        Language::JavaScript,
        r#""use strict"
let a
let b = 1, c
function f(x = () => 1) { "use strict"; var y; return x() }
if (a) f(); else if (b) { c = 2 } else ;
for (let i = 0; i < 3; i++) c += i
for (const x of [1]) { f(x) }
for (;;) { break }
while (a) a = 0
do f(); while (a)
l: for (const k in {}) continue l
try { f() } catch (e) { throw e, 1 } finally { f() }
switch (a) { case 1: f(); break; default: f() }
const g = async (u) => await u
class A extends B { x = f(); #y = () => 1; static { f() } constructor() { super() } get z() { return 1 } }
debugger
export default a"#,
        r#""use strict"
let a
•¹let b = 1, c
function f(x = () => •¹ᴱ1) { "use strict"; var y; •¹ᴱreturn x() }
•if (a) •f(); else •if (b) { •c = 2 } else ;
•for (let i = 0; i < 3; •i++) •c += i
•for (const x of [1]) { •f(x) }
•for (;;) { •break }
while (•a) •a = 0
do •f(); while (•a)
•l: for (const k in {}) •continue l
try { •f() } catch (e) { •throw e, 1 } finally { •f() }
•switch (a) { case 1: •f(); •break; default: •f() }
•const g = async (u) => •¹ᴱˢawait u
•class A extends B { x = •¹f(); #y = () => •¹ᴱ1; static { •¹f() } constructor() { •¹ᴱsuper() } get z() { •¹ᴱreturn 1 } }
•ᴰdebugger
•export default a"#,
    );
}

#[test]
fn a_function_that_begins_with_a_loop_has_a_first_statement() {
    check(
        Language::JavaScript,
        "function f() { while (g()) ; }\nfunction* h() { try { yield 1 } finally { } }\nasync function i() { for await (const x of y) z() ; w() }",
        "function f() { •¹while (•g()) ; }\nfunction* h() { try { •¹ˢyield 1 } finally { } }\nasync function i() { •¹ˢfor await (const x of y) •ˢz() ; •ᴱw() }",
    );
}

/// Of a loop in which nothing is done, too.
#[test]
fn every_round_of_a_loop_has_a_hook() {
    check(
        Language::JavaScript,
        "for (;;) ;\nfor (;;) { ; }\nfor (;;) { let x; { function f() {} } }\nfor (;;) try { } catch { a() } finally { }\nfor (;;) a: { }\nfor (const x of y) ;\nfor (const x in y) { }\nfor (; a;) ;\nfor (;; a++) { ; }\nfor (;; a++) { }\nwhile (1) ;",
        "•¹for (;;) •;\n•for (;;) {• ; }\n•for (;;) {• let x; { function f() {} } }\n•for (;;) •try { } catch { •a() } finally { }\n•for (;;) •a: { }\n•for (const x of y) •;\n•for (const x in y) {• }\n•for (; •a;) ;\n•for (;; •a++) { ; }\n•for (;; •a++) {• }\nwhile (•1) ;",
    );
}

#[test]
fn types_have_no_hooks() {
    check(
        Language::TypeScript,
        "interface I { x: number }\ntype T = I\ndeclare const d: T\nenum E { A = 1 }\nlet x: T = { x: 1 } as T\nfunction f(a: string): void\nfunction f(a: any) { x = a! }\nabstract class C { abstract m(): void; private p: number = 1 }\nnamespace N { export const y = 1; f(y) }",
        "interface I { x: number }\ntype T = I\ndeclare const d: T\n•¹enum E { A = 1 }\n•let x: T = { x: 1 } as T\nfunction f(a: string): void\nfunction f(a: any) { •¹ᴱx = a! }\n•abstract class C { abstract m(): void; private p: number = •¹1 }\nnamespace N { •¹export const y = 1; •f(y) }",
    );
}

/// There may be nothing of that name at run time.
#[test]
fn what_is_imported_for_its_type_stays_dropped() {
    let source = "import { T, f } from './t.ts';\nlet x: T = f();\n";
    let stepped = step(source, Language::TypeScript, Goal::Detect, &[], 0).expect("it can be read");
    let code = stepped.code;
    assert!(code.contains("()=>[f,x]") && code.contains("import {    f } from"), "{code}");
}

#[test]
fn names_in_a_with_are_left_alone() {
    check(
        Language::JavaScript,
        "with (a) { b = 1; (() => c)() }\nd",
        "•¹with (a) { b = 1; (() => c)() }\n•d",
    );
}

#[test]
fn columns_are_units_of_the_source() {
    let steps = steps("let s = '𝒳é'; f()\r\nlet t = 1", Language::JavaScript);
    let places: Vec<_> = steps.statements.iter().map(|one| (one.line, one.column)).collect();
    assert_eq!(places, [(1, 1), (1, 16), (2, 1)]);
}

#[test]
fn a_text_with_the_names_of_hooks_gets_none() {
    let transformed = step("let $step_n = 1", Language::JavaScript, Goal::Detect, &[], 0);
    assert!(transformed.expect("it is never refused").steps.is_none());
}

/// What can be seen at a place, the innermost first: names, with the number among others of that name.
fn seen(source: &str, place: (u32, u32)) -> String {
    let steps = steps(source, Language::JavaScript);
    let scopes = steps.around(place).map(|scope| {
        let names = scope.variables.iter().map(|one| match one.block {
            Some(number) => format!("{}{number}", one.name),
            None => one.name.to_string(),
        });
        let names = names.collect::<Vec<_>>().join(" ");
        if scope.is_function { format!("({names})") } else { names }
    });
    scopes.collect::<Vec<_>>().join(" < ")
}

#[test]
fn variables_are_seen_where_they_are() {
    let source = "import q from 'q'; const m = 1
function f(a, { b }) {
  let c = 1
  { let c = 2; class D {} try { g } catch (e) { h } }
  for (let c = 3; ;) { i }
  var v; { function n() { return j } }
}";
    let module = "q0 m0 f";
    let function = "(a b c0 v)";
    assert_eq!(seen(source, (1, 20)), module);
    assert_eq!(seen(source, (4, 33)), format!(" < c1 D1 < {function} < {module}"));
    assert_eq!(seen(source, (4, 49)), format!("e0 <  < c1 D1 < {function} < {module}"));
    assert_eq!(seen(source, (5, 24)), format!(" < c2 < {function} < {module}"));
    assert_eq!(seen(source, (6, 27)), format!("() < n0 < {function} < {module}"));
}

#[test]
fn statements_of_elements_and_decorated_classes_are_where_they_are_in_the_source() {
    use hemiola_transform::{Dialect, Jsx};
    let source = "/* é */ const e = <b c={() => { f(); g() }}>é{h(() => { i() })}</b>; j()\n@k class L { @m n() { o() } }\n";
    let language = Dialect { jsx: Some(Jsx::default()), ..Dialect::default() }.language();
    let stepped = step(source, language, Goal::Detect, &[], 0).expect("it parses");
    let steps = stepped.steps.expect("it has statements");
    let places: Vec<(u32, u32)> =
        steps.statements.iter().map(|one| (one.line, one.column)).collect();
    let column = |line: usize, text: &str| {
        let line = source.lines().nth(line - 1).expect("there is one");
        line[..line.find(text).expect("it is there")].encode_utf16().count() as u32 + 1
    };
    for (line, text) in [(1, "const e"), (1, "f()"), (1, "g()"), (1, "i()"), (1, "j()"), (2, "o()")]
    {
        assert!(places.contains(&(line as u32, column(line, text))), "{text}: {places:?}");
    }
}
