//! What a recording holds is for its owner, and what a recording says is believed only as far as it can do no harm
//! (rule GATE-5).

use crate::common::text;
use crate::recordings::Place;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

#[test]
fn recordings_are_for_their_owner_alone() {
    let place = Place::new("private", &[("old.hemiola", "anybody can read it")]);
    fs::set_permissions(place.directory.join("old.hemiola"), PermissionsExt::from_mode(0o644))
        .expect("it is ours");
    for (words, code) in [(&["run", "--record", "-e", "1"][..], 0), (&["run", "-e", "throw 1"], 1)]
    {
        assert_eq!(place.call(words).status.code(), Some(code));
        let run = place.only();
        assert_eq!((mode(&place.runs()), mode(&run)), (0o700, 0o700), "{words:?}");
        for entry in fs::read_dir(&run).expect("it is a directory") {
            let path = entry.expect("it can be listed").path();
            assert_eq!(mode(&path), 0o600, "{words:?}: {}", path.display());
        }
        for packed in ["new.hemiola", "old.hemiola"] {
            let output = place.call(&["runs", "pack", "--out", packed]);
            assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr));
            assert_eq!(mode(&place.directory.join(packed)), 0o600, "{words:?}: {packed}");
        }
        fs::remove_dir_all(place.runs()).expect("it is ours");
    }
}

/// Gives the only recording a manifest in which something stands instead of something else. The first version has no
/// digest of itself, so nobody notices.
fn edit(place: &Place, from: &str, to: &str) {
    let manifest = place.only().join("manifest.json");
    let whole = fs::read_to_string(&manifest).expect("it is there");
    let version = whole.lines().find(|line| line.contains("\"version\"")).expect("it has one");
    let edited = whole.replace(version, "  \"version\": 1,").replace(from, to);
    assert_ne!(whole.replace(version, "  \"version\": 1,"), edited, "{from}");
    fs::write(&manifest, edited).expect("it can be written");
}

#[test]
fn no_id_leads_out_of_a_directory() {
    let place = Place::new("ids", &[]);
    for id in ["../../x", "/tmp/hemiola-x", "..", "", "a/b", "x\\u0000y", "x\\u001b[2J"] {
        assert_eq!(place.call(&["run", "--record", "-e", "1"]).status.code(), Some(0));
        let path = place.only();
        let own = path.file_name().expect("it has a name").to_str().expect("it is text");
        edit(&place, &format!("\"id\": \"{own}\""), &format!("\"id\": \"{id}\""));
        let run = path.to_str().expect("it is text");
        for words in [&["runs", "pack", run][..], &["runs", "show", run], &["replay", run]] {
            place.refuses(words, 103, "`id` is not the id of a recording");
        }
        assert_eq!(text(place.call(&["runs", "prune", "--keep", "0"]).stdout), "");
        fs::remove_dir_all(place.runs()).expect("it is ours");
    }
    assert!(!place.directory.join("../../x.hemiola").exists());
}

#[test]
fn limits_in_a_manifest_are_not_believed() {
    let place = Place::new("limits", &[]);
    for (name, value) in [
        ("stackLimit", "18446744073709551615"),
        ("startedUs", "18446744073709551615"),
        ("tookUs", "18446744073709551615"),
        ("code", "99999999999"),
    ] {
        assert_eq!(place.call(&["run", "--record", "-e", "1"]).status.code(), Some(0));
        let manifest = fs::read_to_string(place.only().join("manifest.json")).expect("it is there");
        let start = format!("\"{name}\": ");
        let line = manifest.lines().find(|line| line.contains(&start)).expect("it is in there");
        let line = line.trim().trim_end_matches(',');
        edit(&place, line, &format!("{start}{value}"));
        let run = place.only();
        let run = run.to_str().expect("it is text");
        let out = place.directory.join("page.html");
        let out = out.to_str().expect("it is text");
        for words in [&["replay", run][..], &["view", run, "--out", out], &["lineage", run]] {
            place.refuses(words, 103, &format!("`{name}` is "));
        }
        fs::remove_dir_all(place.runs()).expect("it is ours");
    }
    // A stack that is not there is not used.
    let program = "let depth = 0; function f() { depth++; f(); } try { f() } catch { console.log(depth > 1000) }";
    assert_eq!(place.call(&["run", "--record", "-e", program]).status.code(), Some(0));
    let manifest = fs::read_to_string(place.only().join("manifest.json")).expect("it is there");
    let line = manifest.lines().find(|line| line.contains("stackLimit")).expect("it is in there");
    edit(&place, line.trim(), "\"stackLimit\": 1073741824,");
    let again = place.call(&["replay"]);
    let note = text(again.stderr);
    assert_eq!((text(again.stdout), again.status.code()), ("true\n".into(), Some(0)), "{note}");
    assert!(note.contains("the stack is smaller"), "{note}");
}

#[test]
fn a_small_file_that_unpacks_to_much_is_refused() {
    let place = Place::new("bombs", &[]);
    assert_eq!(place.call(&["run", "--record", "-e", "1"]).status.code(), Some(0));
    let path = place.only();
    let limited = |words: &[&str]| -> Output {
        let mut command = place.command();
        command.env("HEMIOLA_UNPACK_LIMIT", "1").args(words);
        command.output().expect("hemiola runs")
    };
    assert_eq!(limited(&["replay"]).status.code(), Some(0), "it is small");
    let mut bomb = zstd::Encoder::new(Vec::new(), 1).expect("memory takes anything");
    for _ in 0..64 {
        bomb.write_all(&[b' '; 1024 * 1024]).expect("memory takes anything");
    }
    let bomb = bomb.finish().expect("memory takes anything");
    assert!(bomb.len() < 100_000, "it is small: {}", bomb.len());
    fs::write(path.join("inputs.jsonl.zst"), bomb).expect("it can be written");
    for words in [&["replay"][..], &["lineage"], &["trace", "show"], &["runs", "pack"]] {
        let output = limited(words);
        let message = text(output.stderr);
        assert_eq!(output.status.code(), Some(103), "{words:?}: {message}");
        assert!(message.contains("unpacks to more than 1 MiB"), "{words:?}: {message}");
        assert!(message.contains("HEMIOLA_UNPACK_LIMIT"), "{words:?}: {message}");
    }
}

#[test]
fn a_caught_stack_overflow_is_replayed() {
    let program = "let depth = 0;\nfunction f() { depth++; f(); }\ntry { f(); } catch (error) { console.log(depth, error.message); }\n";
    let place = Place::new("overflow", &[("deep.js", program)]);
    let first = place.call(&["run", "--record", "deep.js"]);
    let shown = text(first.stdout);
    assert!(shown.contains("Maximum call stack size exceeded"), "{shown}");
    let again = place.call(&["replay"]);
    assert_eq!((text(again.stdout), again.status.code()), (shown.clone(), Some(0)));
    for words in [
        &["view", "--out", "page.html"][..],
        &["lineage"],
        &["trace", "show"],
        &["debug", "--log", "deep.js:3 depth", "latest"],
    ] {
        let output = place.call(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(output.stderr));
    }
}
