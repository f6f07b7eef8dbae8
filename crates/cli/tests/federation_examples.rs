//! The systems of examples/federation: as fleets with aedes, and the thermostat live with mosquitto and with nats-server.

use crate::common::{self, hemiola, text};
use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/federation")
}

/// A copy of the example with its packages; nothing, if they cannot be had.
fn installed() -> Option<&'static Path> {
    static PLACE: OnceLock<Option<PathBuf>> = OnceLock::new();
    PLACE.get_or_init(|| common::install(&example(), "federation")).as_deref()
}

fn simulate(place: &Path, fleet: &str, flags: &[&str]) -> String {
    let words = [&["fleet", "simulate", fleet][..], flags].concat();
    let output = hemiola(place).args(words).output().expect("hemiola can be run");
    let said = text(output.stdout);
    assert_eq!(output.status.code(), Some(0), "{fleet}: {said}{}", text(output.stderr));
    said
}

/// FED-7: the order does not depend on the network.
#[test]
fn fleets_of_the_examples_do_not_fail() {
    let Some(place) = installed() else { return };
    for fleet in ["quick.fleet.json", "door.fleet.json", "braking.fleet.json"] {
        simulate(place, fleet, &["--seed", "1"]);
    }
}

/// Rooms that measure every ten seconds, for ten minutes.
#[test]
fn a_thermostat_may_take_its_time() {
    let Some(place) = installed() else { return };
    let said = simulate(place, "thermostat.fleet.json", &["--seed", "1"]);
    assert!(!said.contains("missing") && said.contains("kitchen | 600000 over at 20."), "{said}");
}

/// FED-8: a member that crashes comes back, and the others go on. The invariant says nothing of a room that crashes while
/// its heater is on.
#[test]
fn a_room_that_crashes_comes_back() -> Result<(), Box<dyn std::error::Error>> {
    let Some(place) = installed() else { return Ok(()) };
    let fleet = fs::read_to_string(place.join("quick.fleet.json"))?;
    let mut fleet: serde_json::Value = serde_json::from_str(&fleet)?;
    fleet.as_object_mut().and_then(|fleet| fleet.remove("invariant")).ok_or("an invariant")?;
    fs::write(place.join("crashing.fleet.json"), fleet.to_string())?;
    let faults = [
        "--faults",
        "crash kitchen at 2s for 500ms; clock bath at 1s by -1h; cut bath at 3s for 4s",
    ];
    let said = simulate(place, "crashing.fleet.json", &faults);
    assert!(said.contains("control | 3050 over"), "{said}");
    Ok(())
}

/// What each host of the thermostat shows that measures ten times a second, apart from who is missing for a while.
fn thermostat(place: &Path, flags: &[&str]) -> BTreeMap<String, Vec<String>> {
    let mut shown: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in simulate(place, "quick.fleet.json", flags).lines() {
        if let Some((host, said)) = line.split_once(" | ")
            && !said.ends_with("missing")
        {
            shown.entry(host.to_owned()).or_default().push(said.to_owned());
        }
    }
    assert_eq!(shown.len(), 3, "{shown:?}");
    shown
}

/// What they show when nothing goes wrong.
fn usual(place: &Path) -> &'static BTreeMap<String, Vec<String>> {
    static SHOWN: OnceLock<BTreeMap<String, Vec<String>>> = OnceLock::new();
    SHOWN.get_or_init(|| thermostat(place, &[]))
}

/// A transport that is gone for a minute costs a minute.
#[test]
fn a_broker_that_is_gone_for_a_minute_changes_nothing() {
    let Some(place) = installed() else { return };
    for fault in ["cut broker at 1s for 1m", "crash broker at 1s for 1m"] {
        let shown = thermostat(place, &["--until", "3m", "--faults", fault]);
        assert_eq!(&shown, usual(place), "{fault}");
    }
}

/// A process that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a broker on a free port; nothing, if it is not installed.
fn broker(program: &str, arguments: impl Fn(u16) -> Vec<String>) -> Option<(Server, u16)> {
    let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
    let mut command = Command::new(program);
    command.args(arguments(port)).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(child) = command.spawn() else {
        common::skip("federation", &format!("{program} is not installed"));
        return None;
    };
    let server = Server(child);
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(began.elapsed() < Duration::from_secs(30), "{program} does not listen");
        thread::yield_now();
    }
    Some((server, port))
}

/// What each program of the thermostat prints, live, with that broker.
fn live(place: &Path, broker: &str) -> BTreeMap<String, Vec<String>> {
    let programs: [(&str, &[&str]); 3] = [
        ("kitchen", &["room.js", "kitchen", "18"]),
        ("bath", &["room.js", "bath", "20.5"]),
        ("control", &["control.js"]),
    ];
    let start = |(name, words): (&str, &[&str])| {
        let mut command = hemiola(place);
        command.args(["run", "--timeout", "120s"]).args(words).env("BROKER", broker);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        (name.to_owned(), command.spawn().expect("hemiola can be run"))
    };
    let children: Vec<(String, Child)> = programs.into_iter().map(start).collect();
    let ended = children.into_iter().map(|(name, child)| {
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(text(output.stderr), "", "{name}");
        (name, text(output.stdout).lines().map(str::to_owned).collect())
    });
    ended.collect()
}

/// FED-7: real brokers, real time and virtual time: one sequence.
#[test]
fn the_thermostat_does_the_same_with_every_broker() {
    let Some(place) = installed() else { return };
    let simulated = usual(place);
    let mosquitto = broker("mosquitto", |port| vec!["-p".to_owned(), port.to_string()]);
    let nats = broker("nats-server", |port| {
        ["-a", "127.0.0.1", "-p", &port.to_string()].map(str::to_owned).to_vec()
    });
    thread::scope(|scope| {
        let brokers = [("mqtt", &mosquitto), ("nats", &nats)];
        for (kind, server) in brokers {
            let Some((_, port)) = server else { continue };
            scope.spawn(move || {
                let seen = live(place, &format!("{kind}://127.0.0.1:{port}"));
                assert_eq!(&seen, simulated, "{kind}");
            });
        }
    });
}
