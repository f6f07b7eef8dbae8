//! Watched files: one suite for both worlds, whose expected output is what Node prints.

use crate::common::{HEMIOLA, isolated};
use std::fs;
use std::path::Path;
use std::process::Stdio;

#[test]
fn watchers_hear_the_same_in_both_worlds() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/watch");
    for name in ["files", "trees"] {
        let program = programs.join(name).with_extension("js");
        let expected = fs::read_to_string(program.with_extension("out")).expect("it is there");
        for world in ["run", "simulate"] {
            let scratch = format!("hemiola-{}-watch-{world}-{name}", std::process::id());
            let scratch = std::env::temp_dir().join(scratch);
            fs::create_dir_all(&scratch).expect("the directory can be made");
            let output = isolated(HEMIOLA)
                .arg(world)
                .arg(&program)
                .current_dir(&scratch)
                .stdin(Stdio::null())
                .output()
                .expect("hemiola can be run");
            let _ = fs::remove_dir_all(&scratch);
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{world} {name}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{world} {name}");
        }
    }
}
