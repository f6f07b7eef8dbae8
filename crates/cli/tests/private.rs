//! What a recording holds is for its owner, and what a recording says is believed only as far as it can do no harm
//! (rule GATE-5).

use crate::common::text;
use crate::recordings::Place;
use hemiola_live::runs::Run;
use hemiola_world::recording::{self, Sums};
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

/// Everything that a recording holds, as text.
fn content(place: &Place) -> String {
    let run = Run::open(place.only()).expect("it is whole");
    let mut text = run.manifest.to_json().to_string();
    for entry in run.inputs().expect("it is whole") {
        let mut line = Vec::new();
        recording::write(&mut line, &[entry], &mut Sums::default()).expect("memory takes any text");
        text += &String::from_utf8(line).expect("it is text");
    }
    text
}

const READS: &str = "
    console.log(process.env.PLAIN, process.env.API_TOKEN, 'ABSENT' in process.env, process.env.NOTHING);
    console.log(require('node:os').homedir());
";

/// A program, with variables that are secret, plain, and never read.
fn reading(name: &str, program: &str, words: &[&str], token: Option<&str>) -> (Place, Output) {
    let place = Place::new(name, &[("main.js", program)]);
    let output = with_variables(&place, words, token);
    (place, output)
}

fn with_variables(place: &Place, words: &[&str], token: Option<&str>) -> Output {
    let mut command = place.command();
    command
        .env("PLAIN", "plain-value")
        .env("OTHER", "other-value")
        .env("DB_PASSWORD", "unread-password");
    if let Some(token) = token {
        command.env("API_TOKEN", token);
    }
    command.args(words).output().expect("hemiola runs")
}

#[test]
fn variables_are_kept_that_were_read() {
    let words = ["run", "--record", "main.js"];
    let (place, first) = reading("variables", READS, &words, Some("token-value"));
    let shown = text(first.stdout);
    assert!(shown.starts_with("plain-value token-value false undefined\n"), "{shown}");
    let content = content(&place);
    assert!(content.contains("plain-value"), "{content}");
    for unread in ["other-value", "unread-password", "token-value"] {
        assert!(!content.contains(unread), "{unread} is in it");
    }
    // Where the secret is the same, the replay is.
    let again = with_variables(&place, &["replay"], Some("token-value"));
    assert_eq!((text(again.stdout), text(again.stderr)), (shown.clone(), String::new()));
    for token in [None, Some("another")] {
        let again = with_variables(&place, &["replay"], token);
        let message = text(again.stderr);
        let lines = "plain-value <the value of API_TOKEN was not recorded> false undefined\n";
        assert!(text(again.stdout).starts_with(lines), "{token:?}");
        assert_eq!(again.status.code(), Some(0), "{message}");
        assert!(message.contains("API_TOKEN") && message.contains("--record-secrets"), "{message}");
    }
}

#[test]
fn secrets_are_kept_for_who_asks_for_it() {
    let words = ["run", "--record", "--record-secrets", "main.js"];
    let (place, first) = reading("secrets", READS, &words, Some("token-value"));
    let content = content(&place);
    assert!(content.contains("token-value") && !content.contains("unread-password"));
    let again = with_variables(&place, &["replay"], None);
    assert_eq!((text(again.stdout), text(again.stderr)), (text(first.stdout), String::new()));
}

#[test]
fn who_lists_variables_reads_all_and_children_read_none() {
    let listing = "
        process.env.OTHER;
        console.log(JSON.stringify(Object.keys(process.env)), { ...process.env }.PLAIN);
        const { execSync } = require('node:child_process');
        console.log(String(execSync('echo $PLAIN', { env: { ...process.env, ADDED: 1 } })));
    ";
    let words = ["run", "--record", "main.js"];
    let (place, first) = reading("listed", listing, &words, Some("token-value"));
    let kept = content(&place);
    for read in ["plain-value", "other-value"] {
        assert!(kept.contains(read), "{read} is not in it");
    }
    assert!(!kept.contains("token-value") && !kept.contains("unread-password"), "{kept}");
    // The names come in the same order, and the child is known though its environment is not.
    let again = with_variables(&place, &["replay"], None);
    assert_eq!(text(again.stdout), text(first.stdout), "{}", text(again.stderr));

    let children = "
        const { execSync } = require('node:child_process'), { Worker } = require('node:worker_threads');
        console.log(String(execSync('echo $PLAIN')));
        new Worker('require(\"node:worker_threads\").parentPort.postMessage(process.env.OTHER.length)', { eval: true })
            .on('message', console.log);
    ";
    let (place, first) = reading("handed-on", children, &words, Some("token-value"));
    let content = content(&place);
    for unread in ["other-value", "unread-password", "token-value"] {
        assert!(!content.contains(unread), "{unread} is in it");
    }
    let again = with_variables(&place, &["replay"], None);
    assert_eq!(text(again.stdout), text(first.stdout), "{}", text(again.stderr));
}

#[test]
fn what_was_not_granted_is_not_kept() {
    let program = "
        for (const name of ['PLAIN', 'OTHER']) {
            try { console.log(process.env[name]); } catch (error) { console.log(error.code); }
        }
        try { Object.keys(process.env); } catch (error) { console.log(error.code); }
        require('node:os').homedir();
    ";
    let words = [
        "run",
        "--record",
        "--record-secrets",
        "--permission",
        "--allow-read=*",
        "--allow-env=PLAIN",
        "main.js",
    ];
    let (place, first) = reading("not-granted", program, &words, Some("token-value"));
    let shown = text(first.stdout);
    assert_eq!(
        shown,
        "plain-value\nERR_ACCESS_DENIED\nERR_ACCESS_DENIED\n",
        "{}",
        text(first.stderr)
    );
    let content = content(&place);
    assert!(content.contains("plain-value"));
    for denied in ["other-value", "unread-password", "token-value", "/tmp/home\""] {
        assert!(!content.contains(denied), "{denied} is in it");
    }
    assert_eq!(text(with_variables(&place, &["replay"], None).stdout), shown);
}

#[test]
fn shared_variables_are_kept_as_others_are() {
    let program = "
        const { Worker, SHARE_ENV } = require('node:worker_threads');
        const worker = new Worker('process.env.PLAIN = \"changed\"', { eval: true, env: SHARE_ENV });
        worker.on('exit', () => console.log(process.env.PLAIN, process.env.API_TOKEN, process.env.OTHER));
    ";
    let words = ["run", "--record", "main.js"];
    let (place, first) = reading("shared-variables", program, &words, Some("token-value"));
    let shown = text(first.stdout);
    assert_eq!(shown, "changed token-value other-value\n");
    let content = content(&place);
    assert!(!content.contains("token-value") && !content.contains("unread-password"), "{content}");
    let again = with_variables(&place, &["replay"], Some("token-value"));
    assert_eq!(text(again.stdout), shown, "{}", text(again.stderr));
}

#[test]
fn a_recording_says_what_it_holds_and_can_be_redacted() {
    let program = "
        const fs = require('node:fs');
        console.log(process.env.PLAIN, process.env.API_TOKEN);
        fs.writeFileSync('notes.txt', `Bearer ${process.env.API_TOKEN}`);
        console.log(fs.readFileSync('notes.txt', 'utf8'), fs.readFileSync('notes.txt').length);
        require('node:child_process').execSync('true');
        require('node:dns').lookup('localhost', (error, address) => console.log(address));
    ";
    for (name, words) in [
        ("holds", &["run", "--record", "main.js", "token-value"][..]),
        ("holds-secrets", &["run", "--record", "--record-secrets", "main.js", "token-value"]),
    ] {
        let (place, first) = reading(name, program, words, Some("token-value"));
        let shown = text(first.stdout);
        let told = text(with_variables(&place, &["runs", "show"], None).stdout);
        let is_kept = name == "holds-secrets";
        let secrets = if is_kept { "secrets   1: API_TOKEN" } else { "secrets   none" };
        let digests = if is_kept { "digests   none" } else { "digests   1: API_TOKEN" };
        for part in [
            secrets,
            digests,
            "PLAIN",
            "main.js",
            // The path itself is cut in checkouts with a long one.
            "files     1: /",
            "localhost",
            "/bin/sh",
            "answers   ",
        ] {
            assert!(told.contains(part), "{part} is not told of:\n{told}");
        }
        let json = text(with_variables(&place, &["runs", "show", "--format", "json"], None).stdout);
        assert!(json.contains("\"holds\":{"), "{json}");
        assert!(content(&place).contains("token-value"), "it was told in other ways");
        let pack = ["runs", "pack", "--redact", "--out", "redacted.hemiola"];
        let packed = with_variables(&place, &pack, Some("token-value"));
        assert_eq!(packed.status.code(), Some(0), "{}", text(packed.stderr));
        let packed = place.directory.join("redacted.hemiola");
        let unpacked = zstd::decode_all(fs::File::open(&packed).expect("it is there"));
        let unpacked = text(unpacked.expect("it is packed"));
        assert!(
            !unpacked.contains("token-value") && !unpacked.contains("plain-value"),
            "{unpacked}"
        );
        assert!(unpacked.contains("Bearer ***********"), "{unpacked}");
        let told = with_variables(&place, &["runs", "show", "redacted.hemiola"], None);
        assert!(text(told.stdout).contains("redacted  yes"));
        // It is still a recording.
        let again = with_variables(&place, &["replay", "redacted.hemiola"], Some("token-value"));
        let message = text(again.stderr);
        assert!(message.contains("was redacted"), "{message}");
        assert_eq!(
            text(again.stdout),
            shown.replace("Bearer token-value", "Bearer ***********"),
            "{message}"
        );
    }
}
