//! Instrumented programs do the same, and their functions show what was written.

use crate::support::engine::{Engine, OFF};
use crate::support::generator::program;
use hemiola_transform::{Goal, Language, Mode, Target, instrument};

/// What stands for the runtime's object: every function does nothing but give back its value.
const ACCESS: &str = "globalThis.access ??= { n: () => 0, o: (a) => a, b: (_, b) => b, z: () => [], \
    p: (a) => a, q: (a) => a, k: (a) => a, v: (a) => a, i: (a) => a, e: (a) => a, w: (a) => a, \
    j: (a) => a, c: (a) => a, f: (a) => a, x: (a) => a, y: (a) => a };";

fn without_imports(text: &str) -> &str {
    let text = text.strip_prefix("import $h from \"hemiola:internal/context\";").unwrap_or(text);
    text.strip_prefix("import $a from \"hemiola:internal/access\";").unwrap_or(text)
}

#[test]
fn random_programs_do_the_same() {
    let mut engine = Engine::new();
    let mut told = 0;
    for seed in 1..=100 {
        let source = program(seed, false);
        let before = engine
            .run(&source, Goal::CommonJs, None, OFF)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let transformed = instrument(&source, Language::JavaScript, Goal::CommonJs, &[], 0)
            .expect("JavaScript is never refused");
        assert_eq!(transformed.code.lines().count(), source.lines().count());
        assert_eq!(
            without_imports(&transformed.original(&transformed.code)),
            source,
            "seed {seed}"
        );
        let Some(access) = &transformed.access else { continue };
        told += access.sites.len();
        let code = format!("{ACCESS}const {}=access;{}", access.object, transformed.code);
        let after = engine
            .run(&code, Goal::CommonJs, transformed.context.as_deref(), OFF)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", transformed.code));
        assert!(
            before == after,
            "seed {seed}\n{source}\n{}\n{before:#?}\n{after:#?}",
            transformed.code
        );
    }
    assert!(told > 1000, "only {told} accesses were told of");
}

/// The sites of a text, as `mode name line:column`.
fn sites(source: &str) -> Vec<String> {
    let transformed = instrument(source, Language::JavaScript, Goal::Detect, &[], 0)
        .expect("it is never refused");
    let access = transformed.access.expect("it has accesses");
    let site = |site: &hemiola_transform::Site| {
        let mode = match site.mode {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::Update => "update",
            Mode::Delete => "delete",
            Mode::Call => "call",
        };
        let target = match &site.target {
            Target::Root(_) => "root",
            Target::Variable(_) => "local",
            Target::Global => "global",
            Target::Property => "property",
            Target::Keys => "keys",
            Target::Whole => "whole",
            Target::Deep => "deep",
            Target::Pattern(..) => "pattern",
            Target::Promise => "promise",
        };
        format!("{mode} {target} {} {}:{}", site.name, site.line, site.column)
    };
    access.sites.iter().map(site).collect()
}

#[test]
fn only_variables_that_may_change_under_another_function_are_told_of() {
    assert_eq!(
        sites("let a = 1, b = 2, c = 3;\nconst f = () => { a++; return b; };\nc = a + b;"),
        ["update root a 2:19", "read root a 3:5"]
    );
    assert_eq!(
        sites("async function f() { g(() => a); const a = await 1, b = a; g(() => b); }"),
        // What is first set after a suspension may be looked at before.
        [
            "read global g 1:22",
            "read local a 1:30",
            "write local a 1:40",
            "read local a 1:57",
            "read global g 1:60"
        ]
    );
    assert_eq!(
        sites("é = 1; x = '𝒳' + é;"),
        ["write global é 1:1", "write global x 1:8", "read global é 1:19"]
    );
}

#[test]
fn an_access_is_told_of_when_it_happens() {
    assert_eq!(
        sites("async function f(o) { o.p += await o.q(1); o.list.push(await 1); }"),
        [
            "read property p 1:25",
            "write property p 1:25",
            "call property q 1:38",
            "read property list 1:46",
            "call property push 1:55"
        ]
    );
    assert_eq!(sites("f(o?.p.q[0]?.(1).r, delete o.p, 'k' in o);").len(), 9);
}

#[test]
fn a_division_without_spaces_is_still_one() {
    let source = "let s = 6, i = 3;\nfunction f() { return s/i\n}\nf(), s++, i++; write(`${f()}`)";
    let transformed = instrument(source, Language::JavaScript, Goal::CommonJs, &[], 0)
        .expect("JavaScript is never refused");
    assert!(!transformed.code.contains("//*"), "{}", transformed.code);
    assert_eq!(transformed.original(&transformed.code), source);
    let access = transformed.access.as_ref().expect("it shares variables");
    let code = format!("{ACCESS}const {}=access;{}", access.object, transformed.code);
    let mut engine = Engine::new();
    let run = |engine: &mut Engine, code: &str| engine.run(code, Goal::CommonJs, None, OFF);
    let expected = run(&mut engine, source).expect("it runs");
    assert_eq!(run(&mut engine, &code), Ok(expected), "{code}");
}

#[test]
fn what_does_not_parse_is_left_alone() {
    let transformed = instrument("let let = ;", Language::JavaScript, Goal::Detect, &[], 0);
    let transformed = transformed.expect("it is never refused");
    assert_eq!((transformed.code.as_ref(), transformed.access), ("let let = ;", None));
}

#[test]
fn what_a_type_says_of_a_target_is_no_read() {
    let source = "let l; let o; function w() { (d)\nl as e = m; l! += 1; (o.p as any)++; [l!, (<any>o).q] = [1, 2]; }";
    let transformed = instrument(source, Language::TypeScript, Goal::Detect, &[], 0);
    let access = transformed.expect("it is never refused").access.expect("it has accesses");
    let told = access.sites.iter().filter(|site| site.mode != Mode::Read).map(|site| &*site.name);
    assert_eq!(told.collect::<Vec<_>>(), ["l", "l", "p", "l", "q"]);
}

#[test]
fn what_is_closed_was_opened() {
    for source in ["('')\nconst{}=require??=('')", "module ||= 1", "exports &&= 1"] {
        for language in [Language::JavaScript, Language::TypeScript] {
            instrument(source, language, Goal::CommonJs, &[], 0).expect(source);
        }
    }
}
