//! Traces of nodes that are one scheduler together: joined by what their database did (rule CLUS-7).

use crate::report::{Failure, note};
use crate::source::Source;
use hemiola_machine::{Event, TaskFact};
use hemiola_trace::cluster::Told;
use hemiola_trace::{joined, wire};
use serde_json::Value;
use std::collections::BTreeMap;

/// What the databases of a trace did, by the name of the scheduler.
pub(super) type Clusters = BTreeMap<String, Vec<Told>>;

/// Whether a line may have a fact of a database.
pub(super) fn is_of_cluster(line: &str) -> bool {
    line.contains("\"what\":\"Cluster\"")
}

/// Reads them from traces of one run each, in any order. The last line of a node that was killed may be cut.
pub(super) fn gather(sources: &[Source]) -> Result<Clusters, Failure> {
    let mut clusters = Clusters::new();
    for source in sources {
        let is_whole = source.text.ends_with('\n');
        let mut lines = source.text.lines().enumerate().peekable();
        while let Some((number, line)) = lines.next() {
            if !is_of_cluster(line) {
                continue;
            }
            let parsed: Result<Value, String> =
                serde_json::from_str(line).map_err(|error| error.to_string());
            match parsed.and_then(|value| event(&value)) {
                Ok(event) => keep(&mut clusters, event),
                Err(_) if !is_whole && lines.peek().is_none() => {}
                Err(why) => {
                    let text = format!("cannot read `{}`: line {}: {why}", source.name, number + 1);
                    return Err(Failure::new(text)
                        .help("give the traces that `run --trace` wrote, one for each node"));
                }
            }
        }
    }
    Ok(clusters)
}

/// An event of a trace, be it of one program or of a fleet.
fn event(value: &Value) -> Result<Event, String> {
    match value.get("process") {
        Some(_) => joined::line(value).map(|line| line.event),
        None => wire::from_json(value),
    }
}

fn keep(clusters: &mut Clusters, event: Event) {
    if let Event::Task { what: TaskFact::Cluster { name, told }, .. } = event {
        clusters.entry(name).or_default().push(*told);
    }
}

/// What is said of traces beside those of nodes.
pub(super) fn others(sources: &[Source]) -> String {
    // One that was killed before it joined has told nothing.
    let without = sources.iter().filter(|source| {
        let is_of_scheduler = |line: &str| line.contains("\"what\":\"InitStart\"");
        source.text.lines().any(is_of_scheduler) && !source.text.lines().any(is_of_cluster)
    });
    without
        .map(|source| note(&format!("`{}` is not of a node of a cluster", source.name)))
        .collect()
}
