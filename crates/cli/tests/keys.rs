//! Keys, signatures and ciphers of `node:crypto`: one suite for both worlds (rule GATE-4), whose expected
//! output is what Node prints.

use crate::common::{HEMIOLA, isolated};
use std::fs;
use std::path::Path;

fn both_worlds(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/keys");
    let expected = fs::read_to_string(folder.join(name).with_extension("out"));
    let expected = expected.expect("there is an expected output");
    for command in ["run", "simulate"] {
        let program = folder.join(name).with_extension("js");
        let output = isolated(HEMIOLA).arg(command).arg(program).output();
        let output = output.expect("hemiola can be run");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command} {name}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{command} {name}");
    }
}

#[test]
fn keys_sign_as_in_node() {
    both_worlds("keys");
}

#[test]
fn ciphers_hide_as_in_node() {
    both_worlds("ciphers");
}

#[test]
fn what_is_drawn_follows_from_the_seed() {
    let draw = |seed: &str| {
        let program = "const { publicKey } = require('crypto').generateKeyPairSync('ec', { namedCurve: 'P-256' });
            console.log(publicKey.export({ format: 'jwk' }));";
        let mut command = isolated(HEMIOLA);
        command.args(["simulate", "--seed", seed, "-e", program]);
        command.output().expect("hemiola can be run").stdout
    };
    assert_eq!(draw("1"), draw("1"));
    assert_ne!(draw("1"), draw("2"));
}
