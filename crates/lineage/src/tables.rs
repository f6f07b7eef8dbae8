//! Accounts in words: tables for people, JSON for programs.

use crate::accounts::Report;
use crate::books::Row;
use crate::cost::{Cost, Quantity, Tally};
use crate::served::{Requests, Served};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What requests took, as a table with a line for each name; at most so many of them.
pub fn requests(report: &Report, most: usize) -> String {
    table("request", "requests", report.told, most, &report.requests, |name| name.clone())
}

/// How long requests took from their arrival to their answer, and what went wrong in them, as a table with a
/// line for each route; at most so many of them.
pub fn routes(requests: &Requests, most: usize) -> String {
    let mut routes: BTreeMap<String, Vec<&Served>> = BTreeMap::new();
    for request in requests.all() {
        routes.entry(request.route()).or_default().push(request);
    }
    let head = ["requests", "wall", "longest", "waiting", "cpu", "log", "errors", "route"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    let total =
        |all: &[&Served], of: &dyn Fn(&Served) -> u64| all.iter().map(|one| of(one)).sum::<u64>();
    let mut rows: Vec<_> = routes.into_iter().collect();
    rows.sort_by_cached_key(|(route, all)| {
        (std::cmp::Reverse(total(all, &Served::wall)), route.clone())
    });
    for (route, all) in rows.iter().take(most) {
        let mean = |of: &dyn Fn(&Served) -> u64| time(total(all, of) as f64 / all.len() as f64);
        let longest = all.iter().map(|one| one.wall()).max().unwrap_or_default();
        lines.push(vec![
            all.len().to_string(),
            mean(&Served::wall),
            time(longest as f64),
            mean(&Served::waited),
            mean(&|one| one.took(Quantity::Time)),
            total(all, &|one| one.log.len() as u64).to_string(),
            total(all, &|one| one.errors.len() as u64).to_string(),
            route.escape_debug().to_string(),
        ]);
    }
    let mut out = aligned(&lines);
    if rows.len() > most {
        let _ = writeln!(out, "… and {} more", rows.len() - most);
    }
    out
}

/// One request, a fact on each line.
pub fn request(request: &Served, told: bool) -> String {
    let millis = |nanos: u64| format!("{}.{:03} ms", nanos / 1_000_000, nanos / 1000 % 1000);
    let Served { number, name, arrived, answered, invocations, log, errors, .. } = request;
    let mut out = format!("request {number}: {}\n", name.escape_debug());
    let wall = time(request.wall() as f64);
    let _ = writeln!(out, "  arrived {}, answered {}: {wall}", millis(*arrived), millis(*answered));
    if told {
        let (waited, busy) = (time(request.waited() as f64), time(request.busy as f64));
        let _ = writeln!(out, "  waiting {waited}, processor time {busy} until then");
        for (words, reading, writing) in MEDIA {
            let (read, written) = (request.took(reading), request.took(writing));
            if read + written > 0 {
                let _ = writeln!(out, "  {words} {read} bytes in, {written} out");
            }
        }
    }
    let first = invocations.first().map_or(0, |first| first.0);
    let _ = writeln!(out, "  {} from #{first} on", counted(invocations.len(), "invocation"));
    for (stream, text) in log {
        for line in text.lines() {
            let _ = writeln!(out, "  {}: {line}", stream.name());
        }
    }
    for error in errors {
        let _ = writeln!(out, "  error: {}", error.lines().next().unwrap_or_default());
    }
    out
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// What sites took, as a table with a line for each; at most so many of them.
pub fn sites(report: &Report, most: usize) -> String {
    table("site", "runs", report.told, most, &report.sites, ToString::to_string)
}

/// One line with everything.
pub fn total(report: &Report) -> String {
    let invocations = report.total.get(Quantity::Invocations);
    let mut out = match invocations {
        1 => "1 invocation".to_owned(),
        _ => format!("{invocations} invocations"),
    };
    if report.told {
        let _ = write!(out, ", {} of processor time", time(amount(&report.total, Quantity::Time)));
        for (words, reading, writing) in MEDIA {
            let (read, written) = (report.total.get(reading), report.total.get(writing));
            if read + written > 0 {
                let _ = write!(out, ", {words} {read} bytes in and {written} out");
            }
        }
    }
    out.push('\n');
    out
}

const MEDIA: [(&str, Quantity, Quantity); 2] = [
    ("network", Quantity::NetworkRead, Quantity::NetworkWritten),
    ("disk", Quantity::DiskRead, Quantity::DiskWritten),
];

fn table<K>(
    what: &str,
    count: &str,
    told: bool,
    most: usize,
    rows: &[(K, Row)],
    name: impl Fn(&K) -> String,
) -> String {
    let media: Vec<_> = MEDIA
        .into_iter()
        .filter(|&(_, reading, writing)| {
            let moves =
                |quantity| rows.iter().any(|(_, row)| row.inclusive.total().get(quantity) > 0);
            moves(reading) || moves(writing)
        })
        .collect();
    let mut head = vec![count.to_owned(), "invocations".to_owned()];
    if told {
        head.extend(
            ["all cpu", "mean ± deviation", "own cpu", "mean ± deviation"].map(str::to_owned),
        );
        for (words, ..) in &media {
            head.push(format!("{words} in"));
            head.push("out".to_owned());
        }
    }
    head.push(what.to_owned());
    let mut lines = vec![head];
    for (key, row) in rows.iter().take(most) {
        let all = row.inclusive.total();
        let mut line =
            vec![row.exclusive.count().to_string(), all.get(Quantity::Invocations).to_string()];
        if told {
            for tally in [&row.inclusive, &row.exclusive] {
                let (mean, deviation) =
                    (tally.mean(Quantity::Time), tally.deviation(Quantity::Time));
                line.push(time(amount(&tally.total(), Quantity::Time)));
                line.push(format!("{} ± {}", time(mean), time(deviation)));
            }
            for &(_, reading, writing) in &media {
                line.push(all.get(reading).to_string());
                line.push(all.get(writing).to_string());
            }
        }
        line.push(name(key).escape_debug().to_string());
        lines.push(line);
    }
    let mut out = aligned(&lines);
    if rows.len() > most {
        let _ = writeln!(out, "… and {} more", rows.len() - most);
    }
    out
}

/// Lines whose columns are as wide as they must be: numbers to the right, and what comes last as it is.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| {
        lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in lines {
        for (text, width) in line.iter().zip(&widths).take(columns.saturating_sub(1)) {
            let _ = write!(out, "{text:>width$}  ");
        }
        let _ = writeln!(out, "{}", line.last().map_or("", String::as_str));
    }
    out
}

fn amount(cost: &Cost, quantity: Quantity) -> f64 {
    cost.get(quantity) as f64
}

/// Nanoseconds with three digits.
fn time(nanos: f64) -> String {
    let (value, unit) = match nanos {
        ..1e3 => (nanos, "ns"),
        ..1e6 => (nanos / 1e3, "µs"),
        ..1e9 => (nanos / 1e6, "ms"),
        _ => (nanos / 1e9, "s"),
    };
    let digits = match value {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    if value == 0.0 { "0".to_owned() } else { format!("{value:.digits$} {unit}") }
}

/// Everything as one object.
pub fn json(report: &Report) -> Value {
    let sites = report.sites.iter().map(|(site, row)| {
        let mut object = with_row(json!({ "kind": site.kind() }), row);
        if let Some(place) = site.place() {
            object["file"] = (*place.file).into();
            object["line"] = place.line.into();
            object["column"] = place.column.into();
        }
        object
    });
    let requests = report.requests.iter();
    let requests = requests.map(|(name, row)| with_row(json!({ "name": name }), row));
    json!({
        "format": "hemiola-accounts",
        "version": 1,
        "costs": report.told,
        "total": amounts(|quantity| report.total.get(quantity).into()),
        "sites": sites.collect::<Value>(),
        "requests": requests.collect::<Value>(),
    })
}

/// Requests one by one.
pub fn served(requests: &Requests) -> Value {
    let all = requests.all().iter().map(|request| {
        let numbers = request.invocations.iter().map(|invocation| invocation.0);
        let log = request.log.iter().map(|(stream, text)| json!([stream.name(), text]));
        json!({
            "n": request.number,
            "name": request.name,
            "route": request.route(),
            "arrivedNanos": request.arrived,
            "answeredNanos": request.answered,
            "wallNanos": request.wall(),
            "waitingNanos": request.waited(),
            "cost": amounts(|quantity| request.took(quantity).into()),
            "invocations": numbers.collect::<Vec<_>>(),
            "log": log.collect::<Value>(),
            "errors": request.errors,
        })
    });
    all.collect()
}

fn with_row(mut object: Value, row: &Row) -> Value {
    object["exclusive"] = tally(&row.exclusive);
    object["inclusive"] = tally(&row.inclusive);
    object
}

fn tally(tally: &Tally) -> Value {
    json!({
        "count": tally.count(),
        "total": amounts(|quantity| tally.total().get(quantity).into()),
        "mean": amounts(|quantity| tally.mean(quantity).into()),
        "deviation": amounts(|quantity| tally.deviation(quantity).into()),
    })
}

fn amounts(amount: impl Fn(Quantity) -> Value) -> Value {
    let all = Quantity::ALL.into_iter();
    Value::Object(
        all.map(|quantity| (quantity.name().to_owned(), amount(quantity))).collect::<Map<_, _>>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let times = [0.0, 999.0, 1_234.0, 45_678.0, 1_500_000.0, 2.5e9, 1.2e11].map(time);
        assert_eq!(times, ["0", "999 ns", "1.23 µs", "45.7 µs", "1.50 ms", "2.50 s", "120 s"]);
    }
}
