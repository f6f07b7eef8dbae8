//! Tasks of a store, as tables and as lists of fields.

use hemiola_scheduler::utc;
use serde_json::Value as Json;

/// What is an instant, in milliseconds since 1970.
const INSTANTS: [&str; 10] =
    ["nextDue", "retryAt", "lastStart", "lastEnd", "due", "at", "start", "end", "until", "joined"];

/// The title of a column, and what stands in it.
type Cells<'a> = (&'a str, Vec<String>);

/// A column of a table.
pub(crate) struct Column {
    title: &'static str,
    value: Box<dyn Fn(&Json) -> Json>,
}

impl Column {
    pub(crate) fn new(title: &'static str, value: impl Fn(&Json) -> Json + 'static) -> Self {
        Self { title, value: Box::new(value) }
    }
}

/// The same with instants as text, in UTC.
pub(crate) fn instants(value: Json) -> Json {
    match value {
        Json::Array(values) => values.into_iter().map(instants).collect(),
        Json::Object(fields) => {
            let read = |(name, value): (String, Json)| {
                let is_instant = INSTANTS.contains(&name.as_str());
                let value = match value.as_i64() {
                    Some(at) if is_instant => instant(at).into(),
                    _ => instants(value),
                };
                (name, value)
            };
            Json::Object(fields.into_iter().map(read).collect())
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => value,
    }
}

fn instant(at: i64) -> String {
    let second = utc(at.div_euclid(1000));
    let whole = second.trim_end_matches('Z');
    match at.rem_euclid(1000) {
        0 => second,
        ms => format!("{whole}.{ms:03}Z"),
    }
}

fn shown(value: &Json) -> String {
    match value {
        Json::Null => "-".into(),
        Json::String(text) if text.is_empty() => "-".into(),
        Json::String(text) => text.lines().next().unwrap_or_default().to_owned(),
        Json::Bool(true) => "yes".into(),
        Json::Bool(false) => "no".into(),
        other => other.to_string(),
    }
}

/// Rows below titles; columns in which nothing stands are left out.
pub(crate) fn table(rows: &Json, columns: &[Column], nothing: &str) -> String {
    let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
    if rows.is_empty() {
        return format!("{nothing}\n");
    }
    let cells: Vec<Cells<'_>> = columns
        .iter()
        .map(|column| (column.title, rows.iter().map(|row| shown(&(column.value)(row))).collect()))
        .filter(|(_, cells): &Cells<'_>| cells.iter().any(|cell| cell != "-"))
        .collect();
    let width = |(title, cells): &Cells<'_>| {
        let longest = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or_default();
        longest.max(title.len())
    };
    let line = |cell: &dyn Fn(&Cells<'_>) -> String| {
        let words = cells.iter().map(|column| {
            let (text, width) = (cell(column), width(column));
            format!("{text:width$}")
        });
        let words: Vec<String> = words.collect();
        format!("{}\n", words.join("  ").trim_end())
    };
    let mut text = line(&|(title, _)| (*title).to_owned());
    for row in 0..rows.len() {
        text += &line(&|(_, cells)| cells[row].clone());
    }
    text
}

/// A line for each field that is known.
pub(crate) fn fields(value: &Json) -> String {
    let Json::Object(fields) = value else { return String::new() };
    let known: Vec<(&String, String)> = fields
        .iter()
        .map(|(name, value)| (name, shown(value)))
        .filter(|(_, text)| text != "-")
        .collect();
    let width = known.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    known.iter().map(|(name, text)| format!("{name:width$}  {text}\n")).collect()
}
