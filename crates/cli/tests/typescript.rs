//! TypeScript as projects have it: every folder in `typescript/` is a project with a configuration, and what its
//! program prints when TypeScript's own compiler has made JavaScript of it and Node has run that.
//!
//! `scripts/compare-typescript-with-tsc` holds the expectations to the compiler. What no compiler makes runnable,
//! such as `paths`, was written down by hand.

use crate::common::{directory, hemiola, text};
use std::fs;
use std::path::Path;

/// Runs a project's program in both worlds.
fn project(name: &str, program: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typescript").join(name);
    let expected = fs::read_to_string(folder.join("expected")).expect("it says what it prints");
    for world in ["run", "simulate"] {
        let output =
            hemiola(&folder).args([world, program]).output().expect("the program can be run");
        let seen = text(output.stdout) + &text(output.stderr);
        for (number, (expected, seen)) in expected.lines().zip(seen.lines()).enumerate() {
            assert_eq!(seen, expected, "{name}, {world}, line {}", number + 1);
        }
        assert_eq!(seen, expected, "{name}, {world}");
    }
}

#[test]
fn standard_decorators_do_what_tsc_makes_of_them() {
    project("standard", "main.ts");
}

#[test]
fn legacy_decorators_and_their_metadata_do_what_tsc_makes_of_them() {
    project("legacy", "main.ts");
}

#[test]
fn fields_are_assigned_where_the_target_has_none() {
    project("assigned", "main.ts");
}

#[test]
fn elements_become_calls_of_the_factory() {
    project("classic", "main.tsx");
}

#[test]
fn elements_become_calls_of_the_runtime_that_is_imported() {
    project("automatic", "main.tsx");
}

#[test]
fn imports_of_types_are_dropped_though_they_do_not_say_so() {
    project("elided", "main.ts");
}

#[test]
fn pieces_of_a_namespace_have_each_others_names() {
    project("namespaces", "main.ts");
}

#[test]
fn what_the_compiler_makes_commonjs_of_has_the_names_of_commonjs() {
    project("commonjs", "main.ts");
}

#[test]
fn what_the_compiler_makes_commonjs_of_imports_all_that_commonjs_exports() {
    project("interop", "main.ts");
    let lib = ("lib.cjs", "for (const name of ['seen']) exports[name] = name;\n");
    let text = "import { seen } from './lib.cjs';\nconsole.log(seen as string);\n";
    let modules =
        [("said.mts", text), ("package.json", "{ \"type\": \"module\" }"), ("told.ts", text), lib];
    let directory = directory("names-of-commonjs", &modules);
    for program in ["said.mts", "told.ts"] {
        let output = hemiola(&directory).args(["run", program]).output().expect("it runs");
        let stderr = crate::common::text(output.stderr);
        assert!(stderr.contains("Named export 'seen' not found"), "{program}: {stderr}");
    }
}

#[test]
fn a_module_keeps_its_own_names_and_puts_nothing_into_those_of_commonjs() {
    let files = [
        (
            "own.ts",
            "import { fileURLToPath } from 'node:url';\n\
             const __filename = fileURLToPath(import.meta.url);\n\
             console.log(__filename.slice(-7), typeof require, typeof exports);\n\
             throw new Error(module.id);\n",
        ),
        ("put.ts", "import 'node:url';\nmodule.exports = 1;\n"),
        ("said.mts", "import 'node:url';\nconsole.log(typeof require, typeof module);\n"),
    ];
    let directory = directory("own-names-of-commonjs", &files);
    let run = |program: &str| {
        let output = hemiola(&directory).args(["run", program]).output().expect("it runs");
        (text(output.stdout), text(output.stderr))
    };
    let (own, failed) = run("own.ts");
    assert_eq!(own, "/own.ts function object\n");
    assert!(
        failed.contains("own.ts:4\nthrow new Error(module.id);\n      ^\n\nError: .\n"),
        "{failed}"
    );
    let (_, failed) = run("put.ts");
    assert!(failed.contains("put.ts:2\nmodule.exports = 1;\n               ^\n"), "{failed}");
    assert_eq!(run("said.mts").0, "undefined undefined\n");
}

#[test]
fn paths_base_and_extensions_are_those_of_the_project() {
    project("paths", "main.ts");
}

#[test]
fn comments_decide_what_elements_become() {
    let files = [
        (
            "classic.jsx",
            "/** @jsx h */\n/** @jsxFrag 'f' */\nconst h = (...a) => a;\nconsole.log(<a b={1}><>x</></a>);\n",
        ),
        ("automatic.jsx", "/** @jsxImportSource made */\nconsole.log(<a b=\"1\" />);\n"),
        ("jsconfig.json", "{ \"compilerOptions\": { \"baseUrl\": \".\" } }"),
    ];
    let directory = directory("comments-decide-elements", &files);
    fs::create_dir_all(directory.join("made")).expect("a directory");
    let runtime = "exports.jsx = (...a) => ['made', ...a];\n";
    fs::write(directory.join("made/jsx-runtime.js"), runtime).expect("a file");
    for (program, expected) in [
        ("classic.jsx", "[ 'a', { b: 1 }, [ 'f', null, 'x' ] ]\n"),
        ("automatic.jsx", "[ 'made', 'a', { b: '1' } ]\n"),
    ] {
        let output = hemiola(&directory).args(["run", program]).output().expect("it runs");
        assert_eq!(text(output.stdout) + &text(output.stderr), expected, "{program}");
    }
}

#[test]
fn errors_name_the_places_of_the_source() {
    let source = "const React = { createElement: (t: any, p: any, ...c: any[]) => c };\n\
                  const d = (v: any, c: any): any => {};\n\
                  class A {\n  @d m() { return <b>{(() => { throw new Error('é here') })()}</b>; }\n}\n\
                  try { new A().m() } catch (e) { console.log(e.stack.split('\\n').slice(0, 3).join('|')) }\n";
    let directory = directory("places-of-elements", &[("app.tsx", source)]);
    let output = hemiola(&directory).args(["run", "app.tsx"]).output().expect("it runs");
    let root = directory.canonicalize().expect("it is there").display().to_string();
    let seen = (text(output.stdout) + &text(output.stderr)).replace(&root, "/ROOT");
    assert!(seen.contains("/ROOT/app.tsx:4:38"), "{seen}");
    assert!(seen.contains("m (/ROOT/app.tsx:4:"), "{seen}");
}

#[test]
fn a_configuration_that_cannot_be_read_is_named() {
    for (name, config, expected) in [
        ("broken", "{ \"compilerOptions\": { ", "Invalid project config"),
        (
            "extends-nothing",
            "{ \"extends\": \"./nothing.json\" }",
            "what it extends is not there: ./nothing.json",
        ),
        ("extends-itself", "{ \"extends\": \"./tsconfig.json\" }", "it extends itself"),
    ] {
        let files = [("app.ts", "console.log(1 as number);\n"), ("tsconfig.json", config)];
        let directory = directory(&format!("configuration-{name}"), &files);
        let output = hemiola(&directory).args(["run", "app.ts"]).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{name}");
        let seen = text(output.stderr);
        assert!(seen.contains(expected) && seen.contains("tsconfig.json"), "{name}: {seen}");
    }
}

/// The places in a text that are in the source.
fn places(text: &str) -> Vec<&str> {
    let ends = |char: char| !char.is_ascii_digit() && char != ':';
    text.match_indices("app.ts:")
        .map(|(at, _)| {
            let rest = &text[at + "app.ts:".len()..];
            &rest[..rest.find(ends).unwrap_or(rest.len())]
        })
        .collect()
}

#[test]
fn source_maps_of_compiled_files_lead_to_the_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typescript/compiled");
    let run = |words: &[&str]| hemiola(&folder).args(words).output().expect("it runs");
    for program in ["inline/app.js", "file/app.js"] {
        for world in ["run", "simulate"] {
            let caught = text(run(&[world, "--enable-source-maps", program]).stdout);
            assert_eq!(places(&caught), ["3:9", "6:22", "7:36", "13:14"], "{caught}");
            let output = run(&[world, "--enable-source-maps", program, "uncaught"]);
            assert_eq!(output.status.code(), Some(1));
            let shown = text(output.stderr);
            assert_eq!(places(&shown), ["3", "3:9", "6:22", "7:36", "8:37"], "{shown}");
            assert!(shown.contains("\n  throw new Error('boom ' + a.x);\n  ^\n"), "{shown}");
            let api = text(run(&[world, "--enable-source-maps", program, "api"]).stdout);
            // Where the list is broken into lines depends on how long the path of the checkout is.
            let shown = api.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                shown.starts_with("true [ 'file://") && shown.contains("lineNumber: 2"),
                "{api}"
            );
            let plain = text(run(&[world, program]).stdout);
            assert_eq!(places(&plain), [] as [&str; 0], "{plain}");
        }
    }
    let turned_on = "process.setSourceMapsEnabled(true); require('./file/app.js')";
    let shown = text(run(&["run", "-e", turned_on]).stdout);
    assert_eq!(places(&shown)[..3], ["3:9", "6:22", "7:36"], "{shown}");
}
