//! What a scheduler of tasks did as metrics of OpenTelemetry, as OTLP in JSON.

use crate::About;
use crate::json::{List, Object};
use crate::otlp::{VERSION, describe, text};
use hemiola_scheduler::{Counts, LATENESS_BOUNDS, Measured, Millis, Origin};

/// So many data points are in one request, at most.
const MOST_POINTS: usize = 2000;

/// All that was counted since the beginning, and not since the point before.
const CUMULATIVE: u64 = 2;

/// What is measured of tasks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Metric {
    Starts,
    Failures,
    Lateness,
    Owed,
}

impl Metric {
    /// Its name, its unit, and what it means.
    const fn about(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Starts => ("hemiola.task.starts", "{start}", "Starts of tasks"),
            Self::Failures => ("hemiola.task.failures", "{run}", "Runs of tasks that failed"),
            Self::Lateness => {
                ("hemiola.task.lateness", "ms", "From a due to the start of its first run")
            }
            Self::Owed => ("hemiola.task.owed", "{task}", "Tasks that are owed a start"),
        }
    }
}

/// A point of a metric: of whom, when, and what.
type Point<'a> = (Metric, &'a Origin, Millis, Value<'a>);

/// What a point tells.
enum Value<'a> {
    Counts(&'a Counts),
    Owed(u64),
}

/// How many data points there are.
pub fn points(measured: &Measured) -> usize {
    let counts: usize = measured.counts.values().map(Vec::len).sum();
    let owed: usize = measured.owed.values().map(Vec::len).sum();
    3 * counts + owed
}

/// The requests that tell what was measured, each an `ExportMetricsServiceRequest` in one line.
pub fn requests(measured: &Measured, about: &About) -> impl Iterator<Item = String> {
    let counted = [Metric::Starts, Metric::Failures, Metric::Lateness];
    let counts = counted.into_iter().flat_map(|metric| {
        measured.counts.iter().flat_map(move |(origin, points)| {
            let points = points.iter();
            points.map(move |(at, counts)| (metric, origin, *at, Value::Counts(counts)))
        })
    });
    let owed = measured.owed.iter().flat_map(|(origin, points)| {
        points.iter().map(move |(at, owed)| (Metric::Owed, origin, *at, Value::Owed(*owed)))
    });
    let mut all = counts.chain(owed).peekable();
    std::iter::from_fn(move || {
        all.peek()?;
        let part: Vec<Point<'_>> = all.by_ref().take(MOST_POINTS).collect();
        Some(request(measured, about, &part))
    })
}

fn request(measured: &Measured, about: &About, points: &[Point<'_>]) -> String {
    let mut out = String::new();
    let mut request = Object::open(&mut out);
    request.list("resourceMetrics", |list| {
        list.object(|one| {
            one.object("resource", |resource| describe(about, resource));
            one.list("scopeMetrics", |list| {
                list.object(|one| {
                    one.object("scope", |scope| {
                        scope.text("name", "hemiola").text("version", VERSION);
                    });
                    one.list("metrics", |list| {
                        for same in points.chunk_by(|one, next| one.0 == next.0) {
                            list.object(|one| write(measured, same[0].0, same, one));
                        }
                    });
                });
            });
        });
    });
    request.close();
    out
}

fn write(measured: &Measured, metric: Metric, points: &[Point<'_>], one: &mut Object<'_>) {
    let (name, unit, description) = metric.about();
    one.text("name", name).text("unit", unit).text("description", description);
    let kind = match metric {
        Metric::Starts | Metric::Failures => "sum",
        Metric::Lateness => "histogram",
        Metric::Owed => "gauge",
    };
    one.object(kind, |data| {
        match metric {
            Metric::Starts | Metric::Failures => {
                data.number("aggregationTemporality", CUMULATIVE).truth("isMonotonic", true);
            }
            Metric::Lateness => {
                data.number("aggregationTemporality", CUMULATIVE);
            }
            Metric::Owed => {}
        }
        data.list("dataPoints", |list| {
            for (_, origin, at, value) in points {
                list.object(|point| {
                    point.list("attributes", |list| attributes(origin, list));
                    if let Value::Counts(_) = value {
                        point.long("startTimeUnixNano", nanos(measured.since));
                    }
                    point.long("timeUnixNano", nanos(*at));
                    number(metric, value, point);
                });
            }
        });
    });
}

fn number(metric: Metric, value: &Value<'_>, point: &mut Object<'_>) {
    match (metric, value) {
        (_, Value::Owed(owed)) => {
            point.long("asInt", *owed);
        }
        (Metric::Failures, Value::Counts(counts)) => {
            point.long("asInt", counts.failures);
        }
        (Metric::Lateness, Value::Counts(Counts { lateness, .. })) => {
            point.long("count", lateness.count).number("sum", lateness.sum);
            point.longs("bucketCounts", &lateness.classes);
            point.numbers("explicitBounds", &LATENESS_BOUNDS);
        }
        (Metric::Starts | Metric::Owed, Value::Counts(counts)) => {
            point.long("asInt", counts.starts);
        }
    }
}

fn attributes(origin: &Origin, list: &mut List<'_>) {
    let Origin { store, cluster, node, task } = origin;
    let all = [
        ("hemiola.task", task),
        ("hemiola.store", store),
        ("hemiola.cluster", cluster),
        ("hemiola.node", node),
    ];
    for (key, value) in all {
        if let Some(value) = value {
            text(list, key, value);
        }
    }
}

fn nanos(at: Millis) -> u64 {
    at.max(0).unsigned_abs().saturating_mul(1_000_000)
}
