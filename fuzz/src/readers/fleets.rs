//! Fleets.

use super::{Verdict, hold, text};
use hemiola_machine::{Delay, Instant};
use hemiola_world::fleet::{Description, Fault, Look, Troubles};
use std::collections::BTreeSet;
use std::path::Path;

/// More than that are not drawn here: it takes long.
const DRAWN: f64 = 1000.0;

/// A disk on which all is there, but for what is called missing.
struct Disk;

impl Look for Disk {
    fn is_file(&self, path: &Path) -> bool {
        self.is_folder(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        !path.to_string_lossy().contains("missing")
    }
}

/// A fleet in JSON, and as what `--faults` says. Its hosts have names of their own; what goes wrong in it can be written
/// down and read again; and of its hosts some can be taken alone.
pub fn fleet(bytes: &[u8]) -> Verdict {
    let Some(text) = text(bytes) else { return Ok(()) };
    let hosts = ["a", "b", "c"].map(str::to_owned);
    for line in text.lines() {
        if let Ok(troubles) = Troubles::read(line, &hosts, &[1, 2, 0]) {
            goes_wrong(&troubles, &hosts, &[1, 2, 0], Delay::from_millis(60_000))?;
        }
    }
    let Ok(value) = serde_json::from_str(text) else { return Ok(()) };
    let Ok(fleet) = Description::read(&value, Path::new("/fleet"), &Disk) else { return Ok(()) };
    let names = fleet.names();
    let unlike: BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    hold(!names.is_empty() && unlike.len() == names.len(), || format!("hosts {names:?}"))?;
    let faults = goes_wrong(&fleet.faults, &names, &fleet.programs(), fleet.end())?;
    let some: Vec<usize> = (0..names.len()).filter(|host| host % 2 == 0).collect();
    let their = some.iter().map(|&host| names[host].clone()).collect::<Vec<_>>();
    for fault in fleet.among(&faults, &some) {
        fault.written(&their);
    }
    for (a, b) in fleet.links_between(&some).into_keys() {
        let is_there = |host: u16| (1..=some.len()).contains(&usize::from(host));
        hold(is_there(a.0) && is_there(b.0), || "a link of hosts that are not there".into())?;
    }
    for host in &fleet.hosts {
        for at in [Instant::ZERO, Instant::ZERO + fleet.end(), Instant::MAX] {
            let shown = host.pace.inside(at);
            hold(host.pace.outside(shown) <= at, || format!("a clock shows {shown:?} at {at:?}"))?;
        }
    }
    let words = fleet.with_programs(|words| if words.is_empty() { Err(()) } else { Ok(()) });
    hold(words.is_ok(), || "a program without a file".into())
}

/// What goes wrong: it is in order, and is read as it was written.
fn goes_wrong(
    troubles: &Troubles,
    hosts: &[String],
    programs: &[usize],
    until: Delay,
) -> Result<Vec<Fault>, String> {
    let few = troubles.rates.expected(hosts.len(), until) < DRAWN;
    let faults = match troubles.bounded(hosts.len(), until) {
        Ok(()) if few => troubles.rates.beside(&troubles.given, 7, hosts.len(), until),
        Ok(()) | Err(_) => troubles.given.clone(),
    };
    for fault in &faults {
        let written = fault.written(hosts);
        let read = Fault::read(&written, hosts, programs);
        hold(read.as_ref() == Ok(fault), || format!("`{written}` is read as {read:?}"))?;
    }
    Ok(faults)
}
