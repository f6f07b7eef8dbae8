//! Children in simulated worlds (FLEET-7): programs whose expected output is what Node prints, and what only we promise.

use crate::common::{compare, directory, hemiola, text};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn simulate(directory: &Path, words: &[&str]) -> Output {
    let mut command = hemiola(directory);
    command.arg("simulate").args(words).stdin(Stdio::null());
    command.output().expect("it can be run")
}

/// A program shows what Node shows, with any seed, and a seed repeats every event.
fn does_as_node(of: &str, name: &str) {
    let place = directory(&format!("simulated_{of}_{name}"), &[]);
    let program = folder(of).join(name);
    let expected = fs::read_to_string(program.with_extension("out")).expect("Node has printed it");
    let program = program.to_str().expect("the path is text");
    for seed in ["0", "1", "2"] {
        let [first, second] = ["first", "second"].map(|trace| {
            let output = simulate(&place, &["--seed", seed, "--trace", trace, program]);
            assert_eq!(text(output.stderr), "", "{name} with seed {seed}");
            assert_eq!(text(output.stdout), expected, "{name} with seed {seed}");
            fs::read(place.join(trace)).expect("a trace")
        });
        assert!(first == second, "{name}: seed {seed} is not repeated");
    }
}

#[test]
fn children_that_run_beside_the_program() {
    does_as_node("simulated_children", "beside.js");
}

#[test]
fn exit_codes_have_a_byte() {
    does_as_node("simulated_children", "codes.js");
}

#[test]
fn commands_and_children_that_are_waited_for() {
    does_as_node("simulated_children", "gathered.js");
}

#[test]
fn files_are_standard_streams_of_children() {
    does_as_node("simulated_children", "files.js");
}

#[test]
fn children_that_are_spoken_with() {
    does_as_node("children", "forked.js");
}

#[test]
fn children_that_serve_together() {
    does_as_node("children", "clustered.js");
    does_as_node("children", "full.js");
}

#[test]
fn other_commands_are_refused_by_name_unless_a_program_stands_in() {
    let programs = folder("simulated_children");
    let stand_in = format!("convert={}", programs.join("convert.js").display());
    let place = directory("simulated_commands", &[]);
    let program = programs.join("commands.js");
    let program = program.to_str().expect("the path is text");
    let output = simulate(&place, &["--stand-in", &stand_in, program]);
    assert_eq!(text(output.stderr), "");
    compare(&programs.join("commands.txt"), &text(output.stdout));

    for (wrong, why) in [("convert", "names no file"), ("convert=gone.js", "there is no file")] {
        let output = simulate(&place, &["--stand-in", wrong, program]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        let said = text(output.stderr);
        assert!(said.contains(why) && said.contains("--stand-in ffmpeg="), "{said}");
    }
}

#[test]
fn a_world_ends_with_its_last_program_or_its_time() {
    let place = directory("simulated_ends", &[]);
    let shown = |words: &[&str]| {
        let output = simulate(&place, words);
        (text(output.stdout), text(output.stderr), output.status.code())
    };
    let child = "const spawn = (code, stdio = ['ignore', 'inherit', 'inherit']) => \
                 require('child_process').spawn(process.execPath, ['-e', code], { stdio });";
    // What the program has started goes on without it.
    let orphan =
        format!("{child} spawn('setTimeout(() => console.log(\"late\"), 1e6)'); process.exit(4)");
    assert_eq!(shown(&["-e", &orphan]), ("late\n".into(), String::new(), Some(4)));
    assert_eq!(shown(&["--until", "1s", "-e", &orphan]), (String::new(), String::new(), Some(4)));
    // One that never ends, alone or waited for.
    let endless =
        format!("{child} spawn('setInterval(() => console.log(Date.now() % 1e4), 1000)')");
    let ticks = ("1000\n2000\n3000\n".into(), String::new(), Some(0));
    let near = |(out, err, code): (String, String, Option<i32>)| {
        (out.lines().map(|line| format!("{}000\n", &line[..1])).collect::<String>(), err, code)
    };
    assert_eq!(near(shown(&["--until", "3900ms", "-e", &endless])), ticks);
    // One that computes for ever is stopped at the end, as its parent would be.
    let computes =
        format!("{child} spawn('while (true);').on('exit', (code) => console.log(code))");
    let (out, err, code) = shown(&["--until", "2s", "-e", &computes]);
    assert_eq!((out.as_str(), code), ("124\n", Some(0)), "{err}");
    assert!(err.starts_with("the virtual time is up (--until), and this still computes"), "{err}");
    // Who waits for something that cannot come any more is told.
    let stuck = "const cp = require('child_process'); \
                 try { cp.spawnSync(process.execPath, ['-e', 'process.stdin.resume(); require(\"net\").createServer().listen(1)'], \
                 { stdio: ['pipe', 'ignore', 'ignore'], input: '' }); } catch (error) { console.log(error.code, error.message); }";
    let told = "EDEADLK nothing is left that could end this child\n";
    assert_eq!(shown(&["-e", stuck]), (told.into(), String::new(), Some(0)));
}

fn fleet(name: &str, fleet: &Value) -> PathBuf {
    let place = directory(name, &[("test.fleet.json", &fleet.to_string())]);
    for program in ["parent.js", "port.js", "convert.js"] {
        fs::copy(folder("simulated_children").join(program), place.join(program)).expect("a copy");
    }
    place
}

fn simulate_fleet(place: &Path, flags: &[&str]) -> Output {
    let mut command = hemiola(place);
    command.args(["fleet", "simulate", "test.fleet.json"]).args(flags);
    command.output().expect("it can be run")
}

/// FLEET-5 and FLEET-7.
#[test]
fn a_host_that_crashes_takes_its_children_along() {
    let place = fleet(
        "simulated_fleet",
        &json!({ "hosts": { "a": { "program": "parent.js" }, "b": { "program": "parent.js" } }, "until": "6s" }),
    );
    let mut seen = String::new();
    for faults in [
        "none",
        "crash b at 2.5s for 1s",
        "crash b/1 at 2.5s for 1s",
        "power b at 2.5s for 1s",
        "pause b at 1.5s for 2s",
    ] {
        let [first, second] = ["first", "second"].map(|trace| {
            let output = simulate_fleet(&place, &["--faults", faults, "--trace", trace]);
            assert_eq!(output.status.code(), Some(0), "{faults}: {}", text(output.stderr));
            (text(output.stdout), fs::read(place.join(trace)).expect("a trace"))
        });
        assert!(first == second, "{faults}: it is not repeated");
        seen += &format!("$ {faults}\n{}\n", first.0);
    }
    compare(&folder("simulated_children").join("fleet.txt"), &seen);
}

#[test]
fn workers_of_a_cluster_share_a_port_of_their_host() {
    let place = fleet(
        "simulated_cluster",
        &json!({
            "hosts": { "server": { "program": "port.js" }, "client": { "program": "port.js" } },
            "eventually": [{ "host": "client", "obs": "worker 1,worker 2,worker 3,worker 4" }],
            "until": "1m",
        }),
    );
    let output = simulate_fleet(&place, &["--seeds", "1..5", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(output.stdout), text(output.stderr));
}

#[test]
fn a_fleet_names_what_stands_in_for_commands() {
    let program =
        "require('child_process').execFile('convert', ['a'], (error, said) => obs(said.trim()))";
    let hosts = json!({ "a": { "program": "program.js" }, "b": { "program": "program.js", "commands": { "convert": "other.js" } } });
    let said = "stands in for convert: [ 'a' ]";
    let eventually = json!([{ "host": "a", "obs": said }, { "host": "b", "obs": "another" }]);
    let description = |commands: Value| json!({ "hosts": hosts, "commands": commands, "eventually": eventually, "until": "1m" });
    let place = fleet("simulated_stand_ins", &description(json!({ "convert": "convert.js" })));
    fs::write(place.join("program.js"), program).expect("a program");
    fs::write(place.join("other.js"), "console.log('another')").expect("a program");
    let output = simulate_fleet(&place, &[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(output.stdout), text(output.stderr));
    for (wrong, why) in [
        (json!({ "convert": "gone.js" }), "gone.js, is missing"),
        (json!(["convert"]), "`commands` of the fleet must be an object of names and files"),
        (json!({ "convert": 1 }), "`commands` of the fleet must be an object of names and files"),
    ] {
        fs::write(place.join("test.fleet.json"), description(wrong).to_string()).expect("a fleet");
        let output = simulate_fleet(&place, &[]);
        assert_eq!(output.status.code(), Some(2), "{why}");
        let said = text(output.stderr);
        assert!(said.contains(why), "{said}");
    }
}
