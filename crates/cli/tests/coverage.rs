//! Coverage: what V8 would write of a program, and what `hemiola test --coverage` says.
//!
//! What Node says of the programs in `coverage/` is in files beside them, which `scripts/compare-coverage-with-node`
//! writes; what c8 10 says of the project there, under Node 20, is `coverage/project.lcov`.

use crate::common::{directory, hemiola, text};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/coverage")
}

/// Everything that is in a directory of reports, each parsed.
fn reports(directory: &Path) -> Vec<Value> {
    let files = fs::read_dir(directory).expect("there are reports");
    let mut paths: Vec<PathBuf> =
        files.map(|file| file.expect("it can be listed").path()).collect();
    paths.sort();
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a report can be read");
    paths.iter().map(|path| serde_json::from_str(&read(path)).expect("it is JSON")).collect()
}

/// What reports say of a file: each function, and its ranges.
fn said(reports: &[Value], name: &str) -> String {
    let mut said = String::new();
    let scripts = reports.iter().flat_map(|report| report["result"].as_array().expect("a list"));
    for script in scripts {
        if !script["url"].as_str().is_some_and(|url| url.ends_with(&format!("/{name}"))) {
            continue;
        }
        for function in script["functions"].as_array().expect("a list") {
            let is_called = function["isBlockCoverage"].as_bool().expect("a flag");
            let mark = if is_called { "" } else { " never called" };
            said += &format!("{}{mark}\n", function["functionName"]);
            for range in function["ranges"].as_array().expect("a list") {
                let [start, end, count] =
                    ["startOffset", "endOffset", "count"].map(|name| &range[name]);
                said += &format!("  {start}-{end} {count}\n");
            }
        }
    }
    said
}

/// Runs a program that is covered as for a tool, and gives the reports.
fn covered(directory: &Path, words: &[&str]) -> (Output, Vec<Value>) {
    let output = hemiola(directory)
        .env("NODE_V8_COVERAGE", "reports")
        .arg("run")
        .args(words)
        .output()
        .expect("the command can be started");
    (output, reports(&directory.join("reports")))
}

#[test]
fn ranges_and_counts_are_those_of_node() {
    let directory = directory("coverage_ranges", &[]);
    let mut different = Vec::new();
    for program in fs::read_dir(folder()).expect("there are programs") {
        let program = program.expect("it can be listed").path();
        let name = program.file_name().expect("it has one").to_string_lossy().into_owned();
        if !name.ends_with("js") {
            continue;
        }
        let _ = fs::remove_dir_all(directory.join("reports"));
        let (output, reports) = covered(&directory, &[&program.to_string_lossy()]);
        let expected = fs::read_to_string(folder().join(format!("{name}.ranges")));
        let found = said(&reports, &name);
        if found != expected.expect("Node has been asked") {
            different.push(format!("{name}\n{found}\n{}", text(output.stderr)));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn a_program_that_exits_or_fails_is_covered_until_there() {
    let directory = directory(
        "coverage_ends",
        &[
            ("exits.js", "function f() {}\nsetTimeout(() => { f(); process.exit(3); f(); });\n"),
            ("fails.js", "function f() {}\nf();\nthrow new Error('no');\n"),
        ],
    );
    let (output, reports) = covered(&directory, &["exits.js"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(said(&reports, "exits.js").contains("\"f\"\n  0-15 1\n"), "{reports:?}");
    let (output, reports) = covered(&directory, &["fails.js"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&reports, "fails.js").contains("\"f\"\n  0-15 1\n"), "{reports:?}");
    assert!(text(output.stderr).contains("fails.js:3\nthrow new Error('no');\n^"));
}

#[test]
fn children_and_workers_are_covered_wherever_they_run() {
    let directory = directory(
        "coverage_children",
        &[
            (
                "main.js",
                "const { spawnSync } = require('child_process'); const { Worker } = require('worker_threads');
                 spawnSync(process.execPath, [__dirname + '/child.js'], { cwd: '/', env: {} });
                 spawnSync(process.execPath, [__dirname + '/not.js'], { env: { NODE_V8_COVERAGE: '' } });
                 new Worker(__dirname + '/worker.js');",
            ),
            ("child.js", "module.exports = 1;\n"),
            ("not.js", "module.exports = 1;\n"),
            ("worker.js", "module.exports = 1;\n"),
        ],
    );
    let (output, reports) = covered(&directory, &["main.js"]);
    assert!(output.status.success(), "{}", text(output.stderr));
    assert_eq!(said(&reports, "child.js"), "\"\"\n  0-20 1\n");
    assert_eq!(said(&reports, "worker.js"), "\"\"\n  0-20 1\n");
    assert_eq!(said(&reports, "not.js"), "");
    assert_eq!(reports.len(), 3);
}

#[test]
fn a_program_can_write_its_coverage_itself_and_begin_anew() {
    let directory = directory(
        "coverage_taken",
        &[(
            "main.js",
            "const v8 = require('v8'); function f() {}\nf(); f();\nv8.takeCoverage();\nf();\nv8.takeCoverage();\nv8.stopCoverage();\n",
        )],
    );
    let (_, reports) = covered(&directory, &["main.js"]);
    let calls = reports.iter().map(|report| said(std::slice::from_ref(report), "main.js"));
    let calls: Vec<String> = calls.collect();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(calls[0].contains("\"f\"\n  26-41 2\n"), "{calls:?}");
    assert!(calls[1].contains("\"f\"\n  26-41 1\n"), "{calls:?}");
}

#[test]
fn functions_show_the_text_that_was_written() {
    let source = "const f = (x) => x?.y ? 1 : 2;\nclass A { a = () => 1; static b = 1; c() { if (this) { return 1; } } }\n\
        console.log(String(f), String(A), f({}), f({ y: 1 }), new A().a.name);\n";
    let directory = directory("coverage_texts", &[("main.js", source)]);
    let (output, _) = covered(&directory, &["main.js"]);
    let expected = "(x) => x?.y ? 1 : 2 class A { a = () => 1; static b = 1; c() { if (this) { return 1; } } } 2 1 a\n";
    assert_eq!(text(output.stdout), expected);
}

#[test]
fn maps_of_compiled_files_are_in_the_report() {
    let directory = directory(
        "coverage_maps",
        &[
            ("main.js", "console.log(1);\n//# sourceMappingURL=main.js.map\n"),
            (
                "main.js.map",
                "{\"version\":3,\"sources\":[\"../src/main.ts\"],\"names\":[],\"mappings\":\"AAAA\"}",
            ),
        ],
    );
    let (_, reports) = covered(&directory, &["main.js"]);
    let maps = reports[0]["source-map-cache"].as_object().expect("there are maps");
    let (url, map) = maps.iter().next().expect("there is one");
    assert!(url.starts_with("file:///") && url.ends_with("/coverage_maps/main.js"), "{url}");
    assert_eq!(map["lineLengths"], serde_json::json!([15, 32, 0]));
    let source = map["data"]["sources"][0].as_str().expect("it has a source");
    assert!(source.starts_with("file:///") && source.ends_with("/src/main.ts"), "{source}");
    assert!(!source.contains(".."), "{source}");
}

/// A directory with the files of the project.
fn project(name: &str) -> PathBuf {
    let directory = directory(name, &[]);
    fs::create_dir_all(directory.join("src")).expect("a directory can be made");
    for file in ["cart.test.mjs", "src/cart.js", "src/words.mjs"] {
        fs::copy(folder().join("project").join(file), directory.join(file)).expect("a copy");
    }
    directory
}

fn test(directory: &Path, flags: &[&str]) -> Output {
    hemiola(directory).arg("test").args(flags).output().expect("the command can be started")
}

/// The table on the screen.
fn table(output: &Output) -> String {
    let shown = text(output.stdout.clone());
    let at = shown.find("\nFile ");
    at.map_or_else(|| panic!("there is no table: {shown}"), |at| shown[at + 1..].to_owned())
}

#[test]
fn a_table_says_what_the_tests_cover() {
    let directory = project("coverage_table");
    let output = test(&directory, &["--coverage"]);
    let expected = "\
File           | % Lines | % Branches | % Functions | Uncovered lines
---------------|---------|------------|-------------|------------------------------
All files      |   85.07 |      54.54 |          80 |
 src/cart.js   |   82.14 |      56.25 |          75 | 8-9, 21, 25, 30-31, 40, 52-54
 src/words.mjs |     100 |         50 |         100 |
";
    assert_eq!(table(&output), expected);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn lcov_is_what_c8_says_under_node() {
    let directory = project("coverage_lcov");
    let output = test(&directory, &["--coverage-reporter", "lcov"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr));
    let found = fs::read_to_string(directory.join("coverage/lcov.info")).expect("it is written");
    let expected = fs::read_to_string(folder().join("project.lcov")).expect("c8 has been asked");
    assert_eq!(found, expected);
}

#[test]
fn too_little_coverage_fails() {
    let directory = project("coverage_thresholds");
    let codes = |flags: &[&str]| {
        let output = test(&directory, flags);
        (output.status.code(), text(output.stderr))
    };
    assert_eq!(codes(&["--coverage-threshold", "lines=85,functions=80,branches=54"]).0, Some(0));
    let (code, told) = codes(&["--coverage-threshold", "80"]);
    assert_eq!(code, Some(1));
    assert_eq!(told, "error: 54.54 % of the branches of all files are covered, 80 % must be\n");
    let (code, told) = codes(&["--coverage-threshold", "lines=-9"]);
    assert_eq!(code, Some(1));
    assert_eq!(told, "error: 10 lines of all files are not covered, 9 may be\n");
    let (code, told) = codes(&["--coverage-threshold", "lines=85", "--coverage-per-file"]);
    assert_eq!(code, Some(1));
    assert_eq!(told, "error: 82.14 % of the lines of src/cart.js are covered, 85 % must be\n");
    let (code, told) = codes(&["--coverage-threshold", "most"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("is no part that must be covered: `most`"), "{told}");
}

#[test]
fn patterns_say_which_files_are_covered() {
    let directory = project("coverage_patterns");
    fs::write(directory.join("src/never.js"), "exports.a = 1;\nexports.b = 2;\n").expect("written");
    let files = |flags: &[&str]| {
        let table = table(&test(&directory, flags));
        let names = table.lines().skip(3).map(|line| line.split('|').next().unwrap_or_default());
        names.map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(files(&["--coverage"]), ["src/cart.js", "src/words.mjs"]);
    assert_eq!(files(&["--coverage-exclude", "**/*.mjs"]), ["src/cart.js"]);
    let all = ["src/cart.js", "src/never.js", "src/words.mjs"];
    assert_eq!(files(&["--coverage-include", "src"]), all);
    assert_eq!(files(&["--coverage-include", "src/*.mjs"]), ["src/words.mjs"]);
    let table = table(&test(&directory, &["--coverage-include", "src/never.js"]));
    assert!(table.contains(" src/never.js |       0 |          0 |           0 | 1-2"), "{table}");
}

#[test]
fn the_configuration_of_jest_and_of_vitest_says_what_is_wanted() {
    let directory = project("coverage_configured");
    let write = |name: &str, text: &str| fs::write(directory.join(name), text).expect("written");
    write(
        "jest.config.json",
        "{ \"testMatch\": [\"**/*.test.mjs\"], \"collectCoverageFrom\": [\"src/**\", \"!**/*.mjs\"], \"coverageThreshold\": { \"global\": { \"statements\": 85 } } }",
    );
    let output = test(&directory, &[]);
    assert_eq!(output.status.code(), Some(0), "coverage is not asked for");
    let output = test(&directory, &["--coverage"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!table(&output).contains("words.mjs"), "{}", table(&output));
    let told = text(output.stderr);
    assert_eq!(told, "error: 82.14 % of the lines of all files are covered, 85 % must be\n");
    fs::remove_file(directory.join("jest.config.json")).expect("it was there");
    write(
        "vitest.config.mjs",
        "export default { test: { coverage: { enabled: true, include: ['src/words.mjs'], thresholds: { 100: true, perFile: true } } } };",
    );
    let output = test(&directory, &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(output.stderr);
    assert_eq!(told, "error: 50 % of the branches of src/words.mjs are covered, 100 % must be\n");
    // What comes before tests is not what they are about.
    write("vitest.config.mjs", "export default { test: { setupFiles: ['./ready.mjs'] } };");
    write("ready.mjs", "globalThis.ready = true;");
    let table = table(&test(&directory, &["--coverage"]));
    assert!(table.contains("words.mjs") && !table.contains("ready.mjs"), "{table}");
}

#[test]
fn what_was_not_executed_is_not_covered_even_where_v8_says_so() {
    let directory = directory(
        "coverage_exact",
        &[
            (
                "lib.js",
                "exports.name = (user) => {\n  if (!user) return 'nobody';\n  const name = user.name || 'somebody';\n  return name;\n};\n\
                 exports.get = async (cached) => {\n  const value = cached || await 1;\n  return value;\n};\n",
            ),
            (
                "lib.test.js",
                "const { name, get } = require('./lib'); test('a', async () => { name(); await get(2); });",
            ),
        ],
    );
    let table = table(&test(&directory, &["--coverage"]));
    let line = table.lines().find(|line| line.starts_with(" lib.js")).expect("it is covered");
    assert!(line.ends_with("| 3-4"), "{line}");
}

#[test]
fn files_that_run_side_by_side_are_added_with_what_they_start() {
    let directory = directory(
        "coverage_added",
        &[
            ("lib.js", "exports.f = (x) => {\n  if (x === 1) {\n    return 'a';\n  }\n  if (x === 2) {\n    return 'b';\n  }\n  if (x === 3) {\n    return 'c';\n  }\n  return 'd';\n};\n"),
            ("a.test.js", "const { f } = require('./lib'); test('a', () => { f(1); });"),
            ("b.test.js", "const { f } = require('./lib'); test('b', () => { f(4); });"),
            (
                "c.test.js",
                "const { execFileSync } = require('child_process');
                 test('c', () => { execFileSync(process.execPath, ['-e', 'require(\"./lib\").f(2)'], { env: {} }); });",
            ),
        ],
    );
    let output = test(&directory, &["--coverage"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stdout.clone()));
    let table = table(&output);
    let line = table.lines().find(|line| line.starts_with(" lib.js")).expect("it is covered");
    assert!(line.ends_with("| 9-10"), "{line}");
}

#[test]
fn lines_of_typescript_are_those_of_the_source() {
    let directory = directory(
        "coverage_typescript",
        &[
            (
                "lib.ts",
                "interface A {\n  b: number;\n}\nexport function f(a: A | null): number {\n  if (a === null) {\n    return 0;\n  }\n  return a.b as number;\n}\n",
            ),
            (
                "lib.test.ts",
                "import { f } from './lib'; test('a', () => { expect(f({ b: 1 })).toBe(1); });",
            ),
        ],
    );
    let table = table(&test(&directory, &["--coverage"]));
    let line = table.lines().find(|line| line.starts_with(" lib.ts")).expect("it is covered");
    assert!(line.ends_with("| 6-7"), "{line}");
}

#[test]
fn lines_of_compiled_files_are_those_of_their_sources() {
    // `lib.ts` as `tsc --sourceMap --target es2022 --module commonjs` compiles it.
    let source = "export interface A {\n  b: number;\n}\n\nexport function f(a: A | null): number {\n  if (a === null) {\n    return 0;\n  }\n  return a.b;\n}\n";
    let made = "\"use strict\";\nObject.defineProperty(exports, \"__esModule\", { value: true });\nexports.f = f;\nfunction f(a) {\n    if (a === null) {\n        return 0;\n    }\n    return a.b;\n}\n//# sourceMappingURL=lib.js.map\n";
    let map = "{\"version\":3,\"file\":\"lib.js\",\"sourceRoot\":\"\",\"sources\":[\"../src/lib.ts\"],\"names\":[],\"mappings\":\";;;AAIA,WAAkB,CAAW;IAC3B,IAAI,CAAC,KAAK,IAAI,EAAE,CAAC;QACf,OAAO,CAAC,CAAC;IACX,CAAC;IACD,OAAO,CAAC,CAAC,CAAC,CAAC;AACb,CAAC\"}";
    let directory = directory("coverage_compiled", &[]);
    for folder in ["src", "dist"] {
        fs::create_dir_all(directory.join(folder)).expect("a directory can be made");
    }
    let write = |name: &str, text: &str| fs::write(directory.join(name), text).expect("written");
    write("src/lib.ts", source);
    write("dist/lib.js", made);
    write("dist/lib.js.map", map);
    write(
        "lib.test.js",
        "const { f } = require('./dist/lib'); test('a', () => { expect(f({ b: 1 })).toBe(1); });",
    );
    let table = table(&test(&directory, &["--coverage"]));
    assert!(!table.contains("dist/lib.js"), "{table}");
    let line = table.lines().find(|line| line.starts_with(" src/lib.ts")).expect("it is covered");
    assert!(line.ends_with("| 7-8"), "{line}");
}
