//! Runs that are kept, and run again (rules GATE-1, GATE-2, GATE-5).

use crate::common::{directory, hemiola, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Everything that a run could find out about its outside.
const CURIOUS: &str = "
    const fs = require('node:fs'), os = require('node:os'), crypto = require('node:crypto');
    console.log(Date.now(), performance.now(), Math.random(), crypto.randomUUID(), process.hrtime.bigint());
    console.log(process.argv.slice(2), process.env.SECRET, process.cwd(), process.pid, process.ppid, process.title);
    console.log(process.memoryUsage(), process.cpuUsage(), process.resourceUsage(), process.uptime());
    console.log(os.hostname(), os.freemem(), os.loadavg(), os.uptime(), os.cpus().length, os.userInfo());
    console.log(fs.readFileSync('data.txt', 'utf8'), fs.statSync('data.txt').mtimeMs, fs.existsSync('nothing'));
    fs.readFile('data.txt', (error, bytes) => console.log('read', bytes));
    fs.readFile('nothing', (error) => console.log(error.message));
    fs.writeFileSync('data.txt', 'changed');
    setTimeout(() => console.log('timer', Date.now()), 3);
    setInterval(function () { console.log('A', Date.now()); clearInterval(this); }, 2, 'A');
    setImmediate(() => console.log('immediate'));
    const server = require('node:http').createServer((request, response) => response.end(`you are ${request.socket.remotePort}`));
    server.listen(0, async () => {
        const response = await fetch(`http://127.0.0.1:${server.address().port}/`);
        console.log(response.status, await response.text(), response.headers.get('date'));
        server.close();
        const { stdout } = await require('node:util').promisify(require('node:child_process').exec)('echo $$; date +%N');
        console.log(stdout);
    });
    require('node:dns').lookup('localhost', (error, address) => console.log(address));
    process.stdin.on('data', (bytes) => console.log(String(bytes)));
";

/// A directory with programs, and recordings of its own.
pub struct Place {
    pub directory: PathBuf,
}

impl Place {
    pub fn new(name: &str, files: &[(&str, &str)]) -> Self {
        Self { directory: directory(name, files) }
    }

    pub fn runs(&self) -> PathBuf {
        self.directory.join("runs")
    }

    /// The command under test, which keeps recordings there.
    pub fn command(&self) -> Command {
        let mut command = hemiola(&self.directory);
        command.env_remove("HEMIOLA_RECORD").env("HEMIOLA_RUNS", self.runs());
        command
    }

    pub fn call(&self, words: &[&str]) -> Output {
        let mut command = self.command();
        command.env("SECRET", "s");
        let input = self.directory.join("input");
        if let Ok(file) = fs::File::open(input) {
            command.stdin(file);
        } else {
            command.stdin(std::process::Stdio::null());
        }
        command.args(words).output().expect("hemiola runs")
    }

    /// The directory of the only recording.
    pub fn only(&self) -> PathBuf {
        let mut entries = fs::read_dir(self.runs()).expect("there are recordings");
        entries.next().expect("there is one").expect("it can be listed").path()
    }

    pub fn refuses(&self, words: &[&str], code: i32, part: &str) {
        let output = self.call(words);
        let message = text(output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {message}");
        assert!(message.contains(part), "{words:?}: {message:?} does not say {part:?}");
        assert!(message.contains("help: "), "{words:?}: {message:?} does not say what to do");
    }
}

#[test]
fn a_replay_shows_what_the_run_showed() {
    let place = Place::new(
        "replays",
        &[("curious.js", CURIOUS), ("data.txt", "before"), ("input", "from standard input")],
    );
    let first = place.call(&["run", "--record", "curious.js", "with", "words"]);
    assert_eq!(first.status.code(), Some(0), "{}", text(first.stderr));
    let shown = text(first.stdout);
    assert!(shown.contains("you are") && shown.contains("from standard input"), "{shown}");
    // Neither the files nor the program are needed any more.
    for file in ["curious.js", "data.txt", "input"] {
        fs::remove_file(place.directory.join(file)).expect("it was there");
    }
    for _ in 0..2 {
        let again = place.call(&["replay"]);
        assert_eq!(text(again.stdout), shown, "{}", text(again.stderr));
        assert_eq!(again.status.code(), Some(0));
    }
    assert!(!place.directory.join("data.txt").exists(), "a replay writes nothing");
}

/// A recording that an earlier build made of a program is replayed, and shows what the program did.
fn is_replayed(name: &str) {
    let place = Place::new(name, &[]);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let recording = kept.join(format!("{name}.hemiola"));
    let output = place.call(&["replay", recording.to_str().expect("the path is text")]);
    let shown = fs::read_to_string(kept.join(format!("{name}.out"))).expect("it is there");
    assert_eq!(text(output.stdout), shown, "{}", text(output.stderr));
    assert_eq!(output.status.code(), Some(0));
}

/// The recording is of `version-1.js`, made before requests had types: what is asked is still written as it
/// was (rule GATE-2).
#[test]
fn a_recording_of_version_1_is_replayed() {
    is_replayed("version-1");
}

/// The recording is of `version-3.js`, made before interruptions were inputs.
#[test]
fn a_recording_of_version_3_is_replayed() {
    is_replayed("version-3");
}

/// The recording is of `version-4.js`, made when the clocks of a process that a fleet started late were those of the fleet.
#[test]
fn a_recording_of_version_4_is_replayed() {
    is_replayed("version-4");
}

#[test]
fn failures_are_kept_unless_somebody_ended_the_program() {
    let place = Place::new(
        "failures",
        &[("fails.js", "console.log(Math.random()); throw new Error('no')")],
    );
    assert_eq!(place.call(&["run", "-e", "1"]).status.code(), Some(0));
    assert!(!place.runs().exists(), "what went well is not kept");
    assert_eq!(place.call(&["run", "--record=off", "fails.js"]).status.code(), Some(1));
    assert!(!place.runs().exists(), "nothing is kept with `off`");
    let ended = place.call(&["run", "-e", "process.kill(process.pid)"]);
    assert_eq!(ended.status.code(), None, "it ends by the signal");
    assert!(!place.runs().exists(), "who is ended has not failed");
    assert_eq!(place.call(&["run", "fial.js"]).status.code(), Some(1));
    assert!(!place.runs().exists(), "what is not there has not failed");

    let failed = place.call(&["run", "fails.js"]);
    let (shown, message) = (text(failed.stdout), text(failed.stderr));
    let id = place.only().file_name().expect("it has a name").to_string_lossy().into_owned();
    let last = message.lines().last().expect("there is a message");
    assert_eq!(last, format!("note: recorded; run it again: hemiola replay {id}"));
    let again = place.call(&["replay", &id[..4]]);
    assert_eq!((text(again.stdout), again.status.code()), (shown, Some(1)));
}

#[test]
fn a_recording_can_be_listed_packed_and_removed() {
    let place = Place::new("kept", &[]);
    let shown = text(place.call(&["run", "--record", "-e", "console.log(Math.random())"]).stdout);
    assert_eq!(place.call(&["run", "--record", "-e", "2"]).status.code(), Some(0));
    let list = text(place.call(&["runs", "list"]).stdout);
    assert_eq!(list.lines().count(), 2, "{list}");
    assert_eq!(list.matches(" old  ").count(), 2, "{list}");
    let oldest = list.lines().last().expect("there are two");
    let id = oldest.split_whitespace().next().expect("a line begins with an id");
    let info = text(place.call(&["runs", "show", id, "--format", "json"]).stdout);
    assert!(info.contains("\"code\":0"), "{info}");
    assert_eq!(
        text(place.call(&["runs", "pack", id, "--out", "one.hemiola"]).stdout),
        "one.hemiola\n"
    );
    assert_eq!(
        text(place.call(&["runs", "prune", "--keep", "1"]).stdout),
        format!("removed {id}\n")
    );
    place.refuses(&["replay", id], 2, "there is no recording");
    assert_eq!(text(place.call(&["replay", "one.hemiola"]).stdout), shown);
}

#[test]
fn what_is_no_recording_is_refused() {
    let place = Place::new("damaged", &[]);
    place.refuses(&["replay"], 2, "nothing has been recorded yet");
    let program = "console.log(process.argv.length > 1 ? Math.random() : Date.now())";
    assert_eq!(place.call(&["run", "--record", "-e", program]).status.code(), Some(0));
    let run = place.only();
    let manifest = run.join("manifest.json");
    let inputs = run.join("inputs.jsonl.zst");
    let (whole, packed) = (read(&manifest), fs::read(&inputs).expect("there are inputs"));

    let edited = whole.replace("Date.now())\"", "Date.now())\", \"more\"");
    assert_ne!(edited, whole);
    fs::write(&manifest, &edited).expect("it can be written");
    place.refuses(&["replay"], 103, "it has been edited");
    // What the first version held, nobody would notice; but the program does something else.
    fs::write(&manifest, edited.replace("\"version\": 5", "\"version\": 1"))
        .expect("it can be written");
    place.refuses(&["replay"], 101, "recorded: a reading of the clock on the wall");

    let path = run.to_str().expect("paths are text");
    fs::write(&manifest, whole.replace("\"version\": 5", "\"version\": 9"))
        .expect("it can be written");
    place.refuses(&["replay", path], 103, "written by format 9, this build reads 1 to 5");
    place.refuses(&["replay"], 103, "written by format 9");
    fs::write(&manifest, whole.replace("\"runtime\": \"0.", "\"runtime\": \"7."))
        .expect("it can be written");
    place.refuses(&["replay", path], 103, "recorded by Hemiola 7.1.0, this is 0.1.0");
    let other = whole.replace("\"version\": 5", "\"version\": 1");
    fs::write(&manifest, other.replace("\"node-phases\"", "\"all\"")).expect("it can be written");
    place.refuses(&["replay", path], 103, "its words do not ask for the strategy `all`");
    fs::write(&manifest, "{").expect("it can be written");
    place.refuses(&["replay", run.to_str().expect("paths are text")], 103, "it is not JSON");
    fs::write(&manifest, &whole).expect("it can be written");

    fs::write(&inputs, &packed[..packed.len() / 2]).expect("it can be written");
    place.refuses(&["replay"], 103, "inputs.jsonl.zst");
    fs::write(&inputs, "not compressed").expect("it can be written");
    place.refuses(&["replay"], 103, "inputs.jsonl.zst");
    fs::remove_file(&inputs).expect("it is there");
    place.refuses(&["replay"], 103, "inputs.jsonl.zst");
    place.refuses(&["replay", "nothing/here"], 2, "there is no recording");
    place.refuses(&["replay", ""], 2, "there is no recording ``");
}

#[test]
fn inputs_of_another_run_are_refused() {
    let place = Place::new("swapped", &[("a.js", "console.log(1)"), ("b.js", "console.log(1)")]);
    let mut runs = Vec::new();
    for file in ["a.js", "a.js", "b.js"] {
        assert_eq!(place.call(&["run", "--record", file]).status.code(), Some(0));
        let shown = text(place.call(&["runs", "show"]).stdout);
        let path =
            shown.lines().find_map(|line| line.strip_prefix("path ")).expect("it says where");
        runs.push(PathBuf::from(path.trim()));
    }
    let inputs = |at: usize| runs[at].join("inputs.jsonl.zst");
    let first = runs[0].to_str().expect("paths are text");
    fs::copy(inputs(2), inputs(0)).expect("it can be copied");
    place.refuses(&["replay", first], 103, "its modules are not those of the manifest");
    place.refuses(&["runs", "pack", first, "--out", "packed"], 103, "its modules are not");
    fs::copy(inputs(1), inputs(0)).expect("it can be copied");
    // The same program, at another time; the numbers of inputs may differ, too.
    place.refuses(&["replay", first], 103, "inputs.jsonl.zst: it");
}

#[test]
fn a_run_that_was_killed_is_replayed_up_to_there() {
    let program =
        "console.log(Math.random()); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20)";
    let place = Place::new("killed", &[]);
    let first = place.call(&["run", "--record", "-e", program]);
    assert_eq!(first.status.code(), None);
    place.refuses(&["replay"], 101, "the run was killed");
}

/// A program of many files: its sources are more than is kept of what a run is told.
#[test]
fn a_large_application_that_fails_is_recorded() {
    let part = format!("exports.text = '{}';", "x".repeat(1024 * 1024));
    let main =
        "for (const name of ['a', 'b', 'c']) require(`./${name}.js`); throw new Error('no');";
    let files = [("a.js", &*part), ("b.js", &*part), ("c.js", &*part), ("main.js", main)];
    let place = Place::new("large-application", &files);
    let said = text(place.call(&["run", "main.js"]).stderr);
    assert!(said.contains("note: recorded; run it again: hemiola replay "), "{said}");
    let again = place.call(&["replay"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(again.stderr).contains("Error: no"));
    // What it is told counts.
    let told =
        "const fs = require('fs'); for (let i = 0; i < 3; i += 1) fs.readFileSync('a.js'); throw 1";
    let said = text(place.call(&["run", "-e", told]).stderr);
    assert!(said.contains("too long to be recorded in memory"), "{said}");
}

#[test]
fn replay_takes_the_last_that_failed_and_says_which() {
    let place = Place::new("last-failed", &[]);
    let always = |words: &[&str]| {
        let output = place.command().env("HEMIOLA_RECORD", "always").args(words).output();
        output.expect("hemiola can be run").status.code()
    };
    assert_eq!(always(&["run", "-e", "console.log('failed'); process.exit(3)"]), Some(3));
    assert_eq!(always(&["run", "-e", "console.log('fine')"]), Some(0));
    let again = place.call(&["replay"]);
    assert_eq!((text(again.stdout), again.status.code()), ("failed\n".into(), Some(3)));
    let said = text(again.stderr);
    assert!(said.starts_with("note: this is the last that failed, "), "{said}");
    assert!(said.contains(" old: hemiola run -e ") && said.ends_with("(exit 3)\n"), "{said}");
    // Who asks for a recording wants to see it.
    assert_eq!(always(&["run", "--record", "-e", "console.log('asked for')"]), Some(0));
    let again = place.call(&["replay"]);
    assert_eq!((text(again.stdout), text(again.stderr)), ("asked for\n".into(), String::new()));
}

#[test]
fn so_many_recordings_are_kept_for_so_long() {
    let place = Place::new("retention", &[]);
    let count = || fs::read_dir(place.runs()).map_or(0, Iterator::count);
    for _ in 0..4 {
        let output =
            place.command().env("HEMIOLA_KEEP", "2").args(["run", "-e", "throw 1"]).output();
        assert_eq!(output.expect("hemiola can be run").status.code(), Some(1));
    }
    assert_eq!(count(), 2);
    let pruned = |variables: &[(&str, &str)], words: &[&str]| {
        let mut command = place.command();
        command.envs(variables.iter().copied()).args(["runs", "prune"]).args(words);
        let output = command.output().expect("hemiola can be run");
        (text(output.stdout).lines().count(), text(output.stderr))
    };
    assert_eq!(pruned(&[], &[]), (0, String::new()));
    assert!(pruned(&[("HEMIOLA_KEEP", "some")], &[]).1.contains("HEMIOLA_KEEP is `some`"));
    assert_eq!(pruned(&[("HEMIOLA_KEEP_AGE", "all")], &["--keep", "1"]), (1, String::new()));
    assert_eq!(pruned(&[], &["--age", "0d"]), (1, String::new()));
    assert_eq!(count(), 0);
}

#[test]
fn a_run_that_goes_on_is_shown_as_running() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let place = Place::new("running", &[]);
    let mut command = place.command();
    command.args(["run", "--record", "-e", "console.log('up'); process.stdin.resume()"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("it has an output");
    BufReader::new(out).read_line(&mut line).expect("it prints");
    let list = || text(place.call(&["runs", "list"]).stdout);
    assert!(list().contains("  running   "), "{}", list());
    // It is not removed, and not what is run again.
    assert_eq!(text(place.call(&["runs", "prune", "--keep", "0"]).stdout), "");
    place.call(&["run", "-e", "process.exit(4)"]);
    assert_eq!(place.call(&["replay"]).status.code(), Some(4));
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
    assert!(!list().contains("running"), "{}", list());
}

#[test]
fn an_edited_program_is_replayed_as_it_was() {
    let place = Place::new("edited", &[("a.js", "console.log('then', Math.random())")]);
    let first = text(place.call(&["run", "--record", "a.js"]).stdout);
    fs::write(place.directory.join("a.js"), "console.log('now')").expect("it can be written");
    let again = place.call(&["replay"]);
    assert_eq!((text(again.stdout), again.status.code()), (first, Some(0)));
    let note = text(again.stderr);
    assert!(note.contains("a.js has changed since"), "{note:?}");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("it is there")
}

/// Nobody who started a program expects our notes in what it wrote. It is recorded all the same.
#[test]
fn nothing_is_said_of_recordings_where_a_program_reads_it() {
    let program = "
        const { spawnSync } = require('node:child_process'), fs = require('node:fs');
        const words = ['-e', 'process.exitCode = 3'], file = fs.openSync('errors', 'w');
        const show = ({ status, stderr }) => console.log(status, String(stderr));
        show(spawnSync(process.execPath, words, { stdio: ['ignore', 'ignore', file] }));
        show(spawnSync(process.execPath, words));
        show(spawnSync(`'${process.execPath}' -e 'process.exitCode = 4'; true`, { shell: true }));
        console.log(fs.readFileSync('errors', 'utf8') === '');
    ";
    let place = Place::new("kin", &[("program.js", program)]);
    let output = place.call(&["run", "program.js"]);
    assert_eq!(text(output.stdout), "3 null\n3 \n0 \ntrue\n");
    assert_eq!(text(output.stderr), "");
    let listed = text(place.call(&["runs", "list"]).stdout);
    assert_eq!(listed.matches("exit 3").count(), 2, "{listed}");
    assert_eq!(listed.matches("exit 4").count(), 1, "{listed}");
}

/// Who ends what is to be recorded is told where it is.
#[test]
fn a_recording_of_a_run_that_was_interrupted_is_told_of() {
    let press = "require('child_process').execSync('kill -INT ' + process.pid); setInterval(() => {}, 1000)";
    let place = Place::new("interrupted", &[("program.js", press)]);
    let said = text(place.call(&["run", "--record", "program.js"]).stderr);
    let listed = text(place.call(&["runs", "list"]).stdout);
    let id = listed.split_whitespace().next().expect("it is there");
    assert!(
        said.ends_with(&format!("note: recorded; run it again: hemiola replay {id}\n")),
        "{said}"
    );
    assert!(!text(place.call(&["run", "program.js"]).stderr).contains("recorded"));
}
