//! What a fleet file may hold is said three times: by the reader, by `types/fleet.schema.json` for editors, and by
//! `types/hemiola.d.ts` for files in TypeScript. They say the same.

use crate::common::{directory, hemiola, text};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the file is there")
}

/// What the reader says of a fleet.
fn said(directory: &Path, fleet: &Value) -> (String, Option<i32>) {
    fs::write(directory.join("test.fleet.json"), fleet.to_string()).expect("a fleet");
    let mut command = hemiola(directory);
    command.args(["fleet", "simulate", "test.fleet.json", "--until", "1ms", "--faults", "none"]);
    let output = command.output().expect("it can be run");
    (text(output.stderr), output.status.code())
}

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    names.sort_unstable();
    names
}

/// The fields of an interface.
fn declared(types: &str, interface: &str) -> Vec<String> {
    let types = types.split_once("declare module 'hemiola:fleet'").expect("fleets have types").1;
    let begin = format!("  export interface {interface} {{\n");
    let body = types.split_once(&begin).expect(interface).1;
    let body = body.split_once("\n  }\n").expect("it ends").0;
    let field = |line: &'_ str| {
        let (name, _) = line.trim().split_once(':')?;
        let name = name.trim_end_matches('?').to_owned();
        (!name.contains([' ', '/', '*'])).then_some(name)
    };
    let mut fields: Vec<String> = body.lines().filter_map(field).collect();
    fields.sort_unstable();
    fields
}

#[test]
fn reader_schema_and_types_know_the_same_fields() {
    let directory = directory("fleet_fields", &[("p.js", "")]);
    let schema: Value = serde_json::from_str(&read("types/fleet.schema.json")).expect("JSON");
    let types = read("types/hemiola.d.ts");
    let host = json!({ "program": "p.js" });
    let odd = json!({ "odd": 1 });
    for (fleet, definition, interface) in [
        (odd.clone(), "fleet", "Fleet"),
        (json!({ "hosts": { "a": odd } }), "host", "Host"),
        (json!({ "hosts": { "a": { "program": odd } } }), "programObject", "Program"),
        (json!({ "hosts": { "a": { "program": "p.js", "clock": odd } } }), "clock", "Clock"),
        (json!({ "hosts": { "a": { "clock": { "steps": [odd] } } } }), "step", "Step"),
        (json!({ "hosts": { "a": host }, "link": odd }), "link", "Link"),
        (json!({ "hosts": { "a": host }, "faults": odd }), "rates", "Faults"),
        (json!({ "hosts": { "a": host }, "eventually": odd }), "observation", "Expected"),
    ] {
        let (said, code) = said(&directory, &fleet);
        assert_eq!(code, Some(2), "{said}");
        let known = said.split_once("it may have: ").expect(&said).1.lines().next();
        let known = sorted(known.expect("a line").split(", "));
        let properties = &schema["$defs"][definition]["properties"];
        let properties = properties.as_object().expect(definition);
        assert_eq!(
            sorted(properties.keys().map(String::as_str)),
            known,
            "the schema: {definition}"
        );
        assert_eq!(declared(&types, interface), known, "the types: {interface}");
    }
}

/// `scripts/check-types` holds the schema to the same files.
#[test]
fn the_reader_takes_and_refuses_what_the_schema_does() {
    let files: Value =
        serde_json::from_str(&read("crates/cli/tests/fleet_files.json")).expect("JSON");
    // It is a program and an invariant, and shows all that must come.
    let program = "['done', 'x', 1, 3].forEach((one) => obs(one)); export default () => {};";
    let directory = directory("fleet_files", &[("p.js", program)]);
    for (kind, expected) in [("good", 0), ("bad", 2)] {
        for fleet in files[kind].as_array().expect("a list") {
            let (said, code) = said(&directory, fleet);
            assert_eq!(code, Some(expected), "{fleet}: {said}");
        }
    }
}
