//! `hemiola trace export`: a trace in the forms of other tools.

use super::super::facts::Facts;
use super::super::traced::{self, Opened, Refusal};
use crate::args::{ExportForm, TraceExportArgs};
use crate::done::Done;
use crate::progress::Ticking;
use crate::report::{self, Failure};
use hemiola_export::timeline::{Builder, Timeline, What};
use hemiola_export::{About, chrome, metrics, otlp, perfetto};
use hemiola_live::post;
use hemiola_machine::Event;
use hemiola_scheduler::Meter;
use hemiola_trace::wire;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

pub(super) fn run(args: &TraceExportArgs) -> Result<Done, Refusal> {
    let endpoint = match (&args.endpoint, args.to) {
        (None, _) => None,
        (Some(url), ExportForm::Otlp) => Some(receiver(url, "/v1/traces")?),
        (Some(url), ExportForm::OtlpMetrics) => Some(receiver(url, "/v1/metrics")?),
        (Some(_), ExportForm::Perfetto | ExportForm::Chrome | ExportForm::Jsonl) => {
            return Err(Failure::new("only OTLP has an endpoint")
                .help("use --to otlp, or write a file: --out FILE")
                .into());
        }
    };
    if args.to == ExportForm::Perfetto && args.out.is_none() && io::stdout().is_terminal() {
        return Err(Failure::new("a Perfetto trace is binary and not for a terminal")
            .help("write a file: --out trace.pftrace")
            .into());
    }
    let opened = traced::open(&args.run)?;
    if args.to == ExportForm::Jsonl {
        // Its lines are printed while it is read.
        let is_printed = args.out.is_none() && io::stdout().is_terminal();
        return lines(args, if is_printed { opened } else { opened.with_status() });
    }
    let opened = opened.with_status();
    let about = about(&args.run, &opened)?;
    if args.to == ExportForm::OtlpMetrics {
        return measures(args, opened, &about, endpoint.as_ref());
    }
    let builder = Rc::new(RefCell::new(Builder::default()));
    let all = Rc::clone(&builder);
    // By what is written it is known when a request was answered.
    let facts = Facts { sites: true, accounts: args.costs, transfers: true, ..Facts::default() };
    let is_joined = Rc::new(Cell::new(false));
    let joined = Rc::clone(&is_joined);
    let notes = opened.each(facts, move |event| {
        if let Event::Fleet(_) = event {
            joined.set(true);
            return ControlFlow::Break(());
        }
        all.borrow_mut().event(&event);
        ControlFlow::Continue(())
    })?;
    if is_joined.get() {
        return Err(of_a_fleet(args).into());
    }
    let timeline = builder.take().finish();
    let notes = notes + &summary(&timeline, args.to);
    if let Some(url) = endpoint {
        send(&url, "spans", otlp::requests(&timeline, &about))?;
        let count = timeline.callbacks().count();
        let output = format!("sent {count} spans to {url}\n");
        return Ok(Done { output, notes, code: 0 });
    }
    let is_printed = args.out.is_none() && io::stdout().is_terminal();
    let _status = (!is_printed).then(|| Ticking::words("writing the trace"));
    let out = write(args.out.as_deref(), |out| match args.to {
        ExportForm::Perfetto => perfetto::write(&timeline, &about, out),
        ExportForm::Chrome => chrome::write(&timeline, &about, out),
        ExportForm::Otlp => {
            otlp::requests(&timeline, &about).try_for_each(|request| writeln!(out, "{request}"))
        }
        ExportForm::OtlpMetrics | ExportForm::Jsonl => unreachable!("they have no timeline"),
    })?;
    Ok(Done { output: out, notes, code: 0 })
}

/// What a run is called by other tools.
fn about(name: &str, opened: &Opened) -> Result<About, Failure> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let Some(manifest) = &opened.manifest else {
        return Ok(About { name: last(name), ..About::default() });
    };
    let (args, _) = crate::args::recorded_run(&manifest.words)?;
    let name = match args.program.words.first() {
        Some(file) if args.program.code().is_none() => last(&file.to_string_lossy()),
        _ => "[eval]".into(),
    };
    Ok(About { name, run: Some(manifest.id.clone()), started_us: Some(manifest.started_us) })
}

fn receiver(url: &str, path: &str) -> Result<post::Url, Failure> {
    post::Url::parse(url, path).map_err(|reason| {
        Failure::new(format!("`--endpoint` cannot be `{}`: {reason}", url.escape_debug()))
            .help("give the address of a receiver: --endpoint http://localhost:4318")
    })
}

/// What a scheduler of tasks did, in numbers.
fn measures(
    args: &TraceExportArgs,
    opened: Opened,
    about: &About,
    endpoint: Option<&post::Url>,
) -> Result<Done, Refusal> {
    let meter = Rc::new(RefCell::new(Meter::default()));
    let all = Rc::clone(&meter);
    let is_joined = Rc::new(Cell::new(false));
    let joined = Rc::clone(&is_joined);
    let notes = opened.each(Facts::default(), move |event| {
        match &event {
            Event::Fleet(_) => {
                joined.set(true);
                return ControlFlow::Break(());
            }
            Event::Task { at, what } => all.borrow_mut().tell(*at, what),
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    if is_joined.get() {
        return Err(of_a_fleet(args).into());
    }
    let measured = meter.take().finish();
    let points = metrics::points(&measured);
    let notes = notes + &report::note(&format!("{points} data points"));
    if let Some(url) = endpoint {
        send(url, "data points", metrics::requests(&measured, about))?;
        let output = format!("sent {points} data points to {url}\n");
        return Ok(Done { output, notes, code: 0 });
    }
    let output = write(args.out.as_deref(), |out| {
        metrics::requests(&measured, about).try_for_each(|request| writeln!(out, "{request}"))
    })?;
    Ok(Done { output, notes, code: 0 })
}

fn of_a_fleet(args: &TraceExportArgs) -> Failure {
    Failure::new("`trace export` cannot write the joined trace of a fleet for other tools")
        .help(format!("look at it: hemiola view {}; or write one trace: --to jsonl", args.run))
}

/// How much there is, and what it is for.
fn summary(timeline: &Timeline, form: ExportForm) -> String {
    let actions = timeline.slices.iter().filter(|slice| matches!(slice.what, What::Action { .. }));
    let (actions, callbacks) = (actions.count(), timeline.callbacks().count());
    let hint = match form {
        ExportForm::Perfetto => "; open it at https://ui.perfetto.dev",
        ExportForm::Chrome => "; open it at https://ui.perfetto.dev or chrome://tracing",
        ExportForm::Otlp | ExportForm::OtlpMetrics | ExportForm::Jsonl => "",
    };
    let operations = timeline.operations.len();
    report::note(&format!(
        "{actions} actions, {callbacks} callbacks, {operations} operations{hint}"
    ))
}

/// The trace as it is, written while it happens.
fn lines(args: &TraceExportArgs, opened: Opened) -> Result<Done, Refusal> {
    let path = args.out.as_deref();
    let begin = || -> io::Result<Box<dyn Write>> {
        let mut out: Box<dyn Write> = match path {
            Some(path) => Box::new(BufWriter::new(File::create(path)?)),
            None => Box::new(BufWriter::new(io::stdout().lock())),
        };
        wire::write(&mut out, [])?;
        Ok(out)
    };
    let out = Rc::new(RefCell::new(begin()));
    let each = Rc::clone(&out);
    let facts = Facts { sites: true, accounts: args.costs, ..Facts::default() };
    let notes = opened.each(facts, move |event| {
        let mut out = each.borrow_mut();
        let written = match &mut *out {
            Ok(out) => writeln!(out, "{}", wire::to_json(&event)),
            Err(_) => return ControlFlow::Break(()),
        };
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *out = Err(error);
                ControlFlow::Break(())
            }
        }
    });
    let result = out.replace(Ok(Box::new(io::sink())));
    let output = written(path, result.and_then(|mut out| out.flush()))?;
    Ok(Done { output, notes: notes?, code: 0 })
}

/// Writes to a file or to standard output; what comes back is to be printed.
fn write(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<String, Failure> {
    let all = || -> io::Result<()> {
        let mut out: Box<dyn Write> = match path {
            Some(path) => Box::new(BufWriter::new(File::create(path)?)),
            None => Box::new(BufWriter::new(io::stdout().lock())),
        };
        write(&mut out)?;
        out.flush()
    };
    written(path, all())
}

fn written(path: Option<&Path>, result: io::Result<()>) -> Result<String, Failure> {
    let name = path.map_or("the result".into(), |path| path.display().to_string());
    match result {
        Ok(()) => Ok(path.map(|path| format!("{}\n", path.display())).unwrap_or_default()),
        // Whoever reads it wants no more.
        Err(error) if path.is_none() && error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(String::new())
        }
        Err(error) => {
            Err(Failure::new(format!("cannot write {name}: {}", crate::input::reason(&error)))
                .help("choose another file: --out FILE"))
        }
    }
}

/// Sends requests to a receiver, with what they are called.
fn send(
    url: &post::Url,
    what: &str,
    requests: impl Iterator<Item = String>,
) -> Result<(), Failure> {
    let fail = |reason: String| {
        Failure::new(format!("cannot send the {what} to {url}: {reason}")).help(
            "see that a receiver of OTLP over HTTP listens there, or write a file: --out FILE",
        )
    };
    for request in requests {
        let response =
            post::json(url, request.as_bytes()).map_err(|error| fail(error.to_string()))?;
        if !(200..300).contains(&response.status) {
            let said = response.text.lines().next().unwrap_or_default().trim();
            let said: String = said.chars().take(200).collect();
            return Err(fail(format!("it answered {} {said}", response.status).trim().to_owned()));
        }
        if let Some(reason) = rejected(&response.text, what) {
            return Err(fail(reason));
        }
    }
    Ok(())
}

/// What a receiver says that took only a part.
fn rejected(answer: &str, what: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    let part = &answer["partialSuccess"];
    let rejected = &part[if what == "spans" { "rejectedSpans" } else { "rejectedDataPoints" }];
    let count = match rejected {
        Value::String(count) => count.parse().ok()?,
        count => count.as_u64()?,
    };
    let why = part["errorMessage"].as_str().unwrap_or_default();
    (count > 0).then(|| format!("it rejected {count} {what} {why}").trim_end().to_owned())
}
