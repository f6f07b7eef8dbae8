//! What Rust supplies to the library stays with the library: no function that a program puts in the place
//! of one of the language's, no getter or setter that it gives to all objects, and no call site shows it.

use crate::common::{directory, hemiola, text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Into how many parts the names of properties are divided. Each is tried in an engine of its own: one
/// with all of them would not get far.
const PARTS: usize = 6;

fn sources() -> Vec<String> {
    let mut texts = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../node/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the library is there") {
            let path = entry.expect("a folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "js") {
                texts.push(fs::read_to_string(path).expect("a file of the library can be read"));
            }
        }
    }
    texts
}

/// All words of the library, of which the names of all properties are some, and places in arrays. A
/// descriptor with a getter or a value that is not its own would be another descriptor.
fn names() -> Vec<String> {
    let mut names: BTreeSet<String> = (0..12).map(|index| index.to_string()).collect();
    for text in sources() {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for word in
            code.flat_map(|line| line.split(|char: char| !char.is_alphanumeric() && char != '_'))
        {
            if word.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_') {
                names.insert(word.to_owned());
            }
        }
    }
    for word in ["get", "set", "value", "writable", "enumerable", "configurable"] {
        names.remove(word);
    }
    names.into_iter().collect()
}

/// Attacks with that seed, and gives how much was looked at.
fn attack(command: &str, seed: usize, names: &[String]) -> u64 {
    let directory = directory(&format!("natives-{command}-{seed}"), &[]);
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/natives/attack.js");
    let mut attack = hemiola(&directory);
    attack.arg(command).arg(program).arg(&directory).arg(seed.to_string()).arg(names.join(","));
    let output = attack.stdin(Stdio::null()).output().expect("hemiola can be run");
    let report = fs::read_to_string(directory.join("report.json"));
    let report = report.unwrap_or_else(|_| panic!("seed {seed}: no report, but {output:?}"));
    let report: Value = serde_json::from_str(&report).expect("a report is JSON");
    let list = |name: &str| -> Vec<String> {
        let texts = report[name].as_array().expect("it is an array").iter();
        texts.map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
    };
    let leaks = list("leaks");
    assert!(leaks.is_empty(), "`{command}` with seed {seed} hands out:\n{}", leaks.join("\n"));
    if seed == 0 {
        // What only listens changes nothing.
        assert_eq!(list("failed"), [""; 0], "`{command}`");
    }
    report["looks"].as_u64().expect("it is a number")
}

#[test]
fn replaced_functions_of_the_language_get_no_native() {
    assert!(attack("run", 0, &[]) > 10_000);
}

#[test]
fn properties_of_all_objects_get_no_native() {
    let names = names();
    assert!(names.len() > 5_000, "the test finds the names: {names:?}");
    for seed in 1..=PARTS {
        let part = names.iter().skip(seed - 1).step_by(PARTS).cloned().collect::<Vec<_>>();
        assert!(attack("run", seed, &part) > 1_000);
    }
}

/// What a program prints, live and simulated.
fn printed(name: &str, flags: &[&str], source: &str) -> [String; 2] {
    let directory = directory(name, &[("attack.js", source)]);
    ["run", "simulate"].map(|command| {
        let mut attack = hemiola(&directory);
        attack.arg(command).args(flags).arg("attack.js");
        let output = attack.stdin(Stdio::null()).output().expect("hemiola can be run");
        assert_eq!(text(output.stderr), "", "{command}");
        text(output.stdout)
    })
}

#[test]
fn the_first_use_of_the_environment_shows_no_binding() {
    let source = "
        const { defineProperty } = Object;
        const seen = [];
        Object.defineProperty = (target, name, property) => {
          if (target.perform !== undefined) seen.push(name);
          return defineProperty(target, name, property);
        };
        process.env.HOME;
        console.log(seen.length);";
    assert_eq!(printed("natives-environment", &[], source), ["0\n", "0\n"]);
}

/// It would tell the time of the system, also in a simulation.
#[test]
fn nobody_gets_the_date_of_the_engine() {
    let source = "
        const seen = [];
        const { construct, apply } = Reflect;
        Reflect.construct = (target, ...rest) => { seen.push(target); return construct(target, ...rest); };
        Reflect.apply = (target, ...rest) => { seen.push(target); return apply(target, ...rest); };
        const { defineProperty } = Object;
        Object.defineProperty = (target, name, property) => {
          seen.push(property.value, property.value?.constructor);
          return defineProperty(target, name, property);
        };
        const date = new Date(0);
        seen.push(date.constructor, Object.getPrototypeOf(date).constructor);
        console.log(seen.filter((value) => typeof value === 'function' && value.name === 'Date' && value !== Date).length);
        console.log(Date.name, date.constructor === Date);";
    let expected = "0\nDate true\n";
    assert_eq!(printed("natives-date", &[], source), [expected, expected]);
}

/// Functions of the library are on the stack wherever it calls the program.
#[test]
fn call_sites_tell_functions_of_the_program_only() {
    let source = "
        const raw = [];
        const { filter } = Array.prototype;
        Array.prototype.filter = function(...args) {
          if (this.some((one) => typeof one?.isNative === 'function')) raw.push(...this);
          return Reflect.apply(filter, this, args);
        };
        Error.prepareStackTrace = (error, sites) => sites.map((site) => [site.getFunctionName(), typeof site.getFunction()]);
        function outer() { return [1].map(function inner() { return new Error('x').stack; })[0]; }
        console.log(JSON.stringify(outer().slice(0, 3)));
        process.once('warning', () => {});
        require('events').prototype.emit.call({ _events: { x: () => console.log(JSON.stringify(new Error('y').stack.slice(0, 2))) } }, 'x');
        console.log(raw.length > 0, raw.some((site) => 'getFunction' in site), Object.isFrozen(Object.getPrototypeOf(raw[0])));";
    let expected = "[[\"inner\",\"function\"],[\"map\",\"undefined\"],[\"outer\",\"function\"]]\n\
                    [[\"x\",\"function\"],[\"emit\",\"undefined\"]]\ntrue false true\n";
    assert_eq!(printed("natives-sites", &[], source), [expected, expected]);
}

/// Connections are made to addresses, so those of an allowed name are allowed: the world's, not the program's.
#[test]
fn a_setter_of_all_objects_does_not_change_what_a_name_stands_for() {
    let source = "
        const dns = require('dns'), net = require('net');
        Object.defineProperty(Object.prototype, 'address', { configurable: true, get: () => '127.0.0.2', set() {} });
        dns.lookup('localhost', () => {
          delete Object.prototype.address;
          try {
            net.connect(9, '127.0.0.2').on('error', (error) => console.log(error.code));
          } catch (error) {
            console.log(error.code);
          }
        });";
    let flags = ["--permission", "--allow-net=localhost", "--allow-read=*"];
    let expected = "ERR_ACCESS_DENIED\n";
    assert_eq!(printed("natives-names", &flags, source), [expected, expected]);
}
