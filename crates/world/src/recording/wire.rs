//! The written form: one JSON object for each entry, a line each.
//!
//! The field names are the format. They are spelled out here, away from the types of the program, so
//! that renaming a field in Rust cannot change what a recording means.

use super::digest::Digest;
use super::entry::{Entry, Kept, Long, Look, Question, Variable};
use hemiola_gate::{Answer, Datum, Fault, Kind};
use hemiola_machine::{Instant, Operation, Stream};
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// How many readings of the clock stand in one line at most.
const READINGS: usize = 64;

/// What was written, in few words.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// How many entries.
    pub count: u64,
    /// Of all lines.
    pub lines: Digest,
    /// Of all modules with their paths.
    pub modules: Digest,
}

impl Sums {
    /// Takes in a line, without its end, and the entries that it is of.
    pub fn add(&mut self, line: &[u8], entries: &[Entry]) {
        self.lines.text(line);
        self.count += entries.len() as u64;
        for (path, text) in entries.iter().filter_map(Entry::module) {
            self.modules.text(path.as_os_str().as_bytes());
            self.modules.text(text);
        }
    }
}

/// Writes entries. Readings of the clock that follow each other share a line.
pub fn write(out: &mut impl Write, entries: &[Entry], sums: &mut Sums) -> io::Result<()> {
    let mut text = Vec::new();
    let mut rest = entries;
    while let Some(first) = rest.first() {
        let is_reading = |entry: &&Entry| matches!(entry, Entry::Now(_));
        let readings = rest.iter().take(READINGS).take_while(is_reading).count();
        let (together, later) = rest.split_at(readings.max(1));
        text.clear();
        if readings > 0 {
            write_readings(&mut text, together)?;
        } else {
            serde_json::to_writer(&mut text, &line(first))?;
        }
        sums.add(&text, together);
        text.push(b'\n');
        out.write_all(&text)?;
        rest = later;
    }
    Ok(())
}

/// Most of a recording is readings of the clock; so they are written without detours.
fn write_readings(text: &mut Vec<u8>, readings: &[Entry]) -> io::Result<()> {
    let mut separator = "{\"now\":[";
    for entry in readings {
        if let Entry::Now(later) = entry {
            write!(text, "{separator}{later}")?;
            separator = ",";
        }
    }
    text.extend_from_slice(b"]}");
    Ok(())
}

/// Reads the entries of a line; what is wrong with it if it is none.
pub fn read(line: &str) -> Result<Vec<Entry>, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let fields = value.as_object().ok_or("it is not an object")?;
    if let Some(readings) = fields.get("now") {
        let readings = readings.as_array().ok_or("`now` is not an array")?;
        let number =
            |value: &Value| value.as_u64().map(Entry::Now).ok_or("a reading is not a number");
        return readings.iter().map(|value| Ok(number(value)?)).collect();
    }
    entry(fields).map(|entry| vec![entry])
}

fn line(entry: &Entry) -> Value {
    match entry {
        Entry::Now(later) => json!({ "now": [later] }),
        Entry::Wall(time) => json!({ "wall": time }),
        Entry::Random(number) => json!({ "random": number }),
        Entry::Over => json!({ "over": true }),
        Entry::Long(long) => match &**long {
            Long::Asked(operation, question) => {
                let mut fields = Map::new();
                fields.insert("asked".into(), operation.0.into());
                put_question(&mut fields, question);
                fields.into()
            }
            Long::Performed(question, answer) => {
                let mut fields = Map::new();
                fields.insert("performed".into(), true.into());
                put_question(&mut fields, question);
                put_answer(&mut fields, answer);
                fields.into()
            }
            Long::Received { quiet, operation, stamp, answer, trips } => {
                let mut fields = Map::new();
                fields.insert("received".into(), operation.0.into());
                fields.insert("quiet".into(), (*quiet).into());
                fields.insert("stamp".into(), stamp.as_micros().into());
                // Recordings of version 2 and before know of one trip only.
                if *trips != 1 {
                    fields.insert("trips".into(), (*trips).into());
                }
                put_answer(&mut fields, answer);
                fields.into()
            }
            Long::Interrupted { question } => json!({ "interrupted": question }),
            Long::Refused(stream, errno) => json!({ "refused": stream.name(), "errno": errno }),
            Long::Shown(stream, shown) => json!({ "shown": stream.name(), "bytes": bytes(shown) }),
            Long::Unseen => json!({ "unseen": true }),
            Long::Variable(Variable { at, name, kept }) => match kept {
                Kept::Value(value) => json!({ "variable": name, "at": at, "value": value }),
                Kept::Digest { salt, digest } => {
                    json!({ "variable": name, "at": at, "salt": salt, "sha256": digest })
                }
            },
            Long::Module(path, look) => {
                let (word, found) = match look {
                    Look::Read(result) => ("read", result.as_ref().map(|text| bytes(text))),
                    Look::Kind(result) => {
                        ("kind", result.as_ref().map(|kind| kind_name(*kind).into()))
                    }
                    Look::Real(result) => ("real", result.as_ref().map(|path| path_value(path))),
                };
                let found = found.unwrap_or_else(|errno| json!({ "errno": errno }));
                json!({ "module": path_value(path), word: found })
            }
        },
    }
}

/// How often the poll phase sees an answer.
fn trips(fields: &Map<String, Value>) -> Result<u32, String> {
    let Some(trips) = fields.get("trips") else { return Ok(1) };
    let trips = trips.as_u64().and_then(|trips| u32::try_from(trips).ok());
    trips.filter(|&trips| trips > 0).ok_or_else(|| "`trips` is not a number".to_owned())
}

fn entry(fields: &Map<String, Value>) -> Result<Entry, String> {
    let number = |name: &str| {
        fields.get(name).and_then(Value::as_u64).ok_or_else(|| format!("`{name}` is not a number"))
    };
    if fields.contains_key("wall") {
        return Ok(Entry::Wall(number("wall")?));
    }
    if fields.contains_key("random") {
        return Ok(Entry::Random(number("random")?));
    }
    if fields.contains_key("over") {
        return Ok(Entry::Over);
    }
    let long = if fields.contains_key("asked") {
        Long::Asked(Operation(number("asked")?), question(fields)?)
    } else if fields.contains_key("performed") {
        Long::Performed(question(fields)?, answer(fields)?)
    } else if fields.contains_key("received") {
        Long::Received {
            quiet: number("quiet")?,
            operation: Operation(number("received")?),
            stamp: Instant::from_micros(number("stamp")?),
            answer: answer(fields)?,
            trips: trips(fields)?,
        }
    } else if fields.contains_key("interrupted") {
        Long::Interrupted { question: number("interrupted")? }
    } else if let Some(name) = fields.get("refused") {
        let stream = stream(name).ok_or("`refused` names no stream")?;
        let errno = i32::try_from(number("errno")?).map_err(|_| "`errno` is out of range")?;
        Long::Refused(stream, errno)
    } else if let Some(name) = fields.get("shown") {
        let shown = bytes_of(fields.get("bytes").unwrap_or(&Value::Null))?;
        Long::Shown(stream(name).ok_or("`shown` names no stream")?, shown)
    } else if fields.contains_key("unseen") {
        Long::Unseen
    } else if fields.contains_key("variable") {
        let text = |name: &str| {
            let text = fields.get(name).and_then(Value::as_str);
            text.map(str::to_owned).ok_or_else(|| format!("`{name}` is not a string"))
        };
        let kept = match fields.get("value") {
            Some(_) => Kept::Value(text("value")?),
            None => Kept::Digest { salt: text("salt")?, digest: text("sha256")? },
        };
        Long::Variable(Variable { at: number("at")?, name: text("variable")?, kept })
    } else if let Some(path) = fields.get("module") {
        Long::Module(path_of(path)?, look(fields)?)
    } else {
        return Err("it is not an entry that this build knows".into());
    };
    Ok(Entry::long(long))
}

fn stream(name: &Value) -> Option<Stream> {
    match name.as_str()? {
        "out" => Some(Stream::Out),
        "err" => Some(Stream::Err),
        _ => None,
    }
}

fn look(fields: &Map<String, Value>) -> Result<Look, String> {
    let errno =
        |value: &Value| value.get("errno").and_then(Value::as_i64).map(|errno| errno as i32);
    if let Some(read) = fields.get("read") {
        return Ok(Look::Read(match errno(read) {
            Some(errno) => Err(errno),
            None => Ok(bytes_of(read)?),
        }));
    }
    if let Some(kind) = fields.get("kind") {
        return match (errno(kind), kind.as_str()) {
            (Some(errno), _) => Ok(Look::Kind(Err(errno))),
            (None, Some("file")) => Ok(Look::Kind(Ok(Kind::File))),
            (None, Some("directory")) => Ok(Look::Kind(Ok(Kind::Directory))),
            _ => Err("`kind` names no kind of file".into()),
        };
    }
    let real = fields.get("real").ok_or("it does not say what was found")?;
    Ok(Look::Real(match errno(real) {
        Some(errno) => Err(errno),
        None => Ok(path_of(real)?),
    }))
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "file",
        Kind::Directory => "directory",
    }
}

fn put_question(fields: &mut Map<String, Value>, question: &Question) {
    fields.insert("operation".into(), question.kind.as_str().into());
    fields.insert("about".into(), question.about.as_str().into());
    fields.insert("digest".into(), question.digest.into());
}

fn question(fields: &Map<String, Value>) -> Result<Question, String> {
    let text = |name: &str| {
        let text = fields.get(name).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| format!("`{name}` is not a string"))
    };
    let digest = fields.get("digest").and_then(Value::as_u64).ok_or("`digest` is not a number")?;
    Ok(Question { kind: text("operation")?, about: text("about")?, digest })
}

fn put_answer(fields: &mut Map<String, Value>, answer: &Answer) {
    match answer {
        Ok(value) => fields.insert("answer".into(), datum(value)),
        Err(fault) => fields.insert("fault".into(), fault_value(fault)),
    };
}

fn answer(fields: &Map<String, Value>) -> Result<Answer, String> {
    match (fields.get("answer"), fields.get("fault")) {
        (Some(value), None) => Ok(Ok(datum_of(value)?)),
        (None, Some(fault)) => Ok(Err(fault_of(fault)?)),
        _ => Err("it has no answer".into()),
    }
}

fn fault_value(fault: &Fault) -> Value {
    let mut fields = Map::new();
    for (name, text) in
        [("code", &fault.code), ("message", &fault.message), ("syscall", &fault.syscall)]
    {
        if !text.is_empty() {
            fields.insert(name.into(), (&**text).into());
        }
    }
    if fault.errno != 0 {
        fields.insert("errno".into(), fault.errno.into());
    }
    for (name, path) in [("path", &fault.path), ("dest", &fault.dest)] {
        if let Some(path) = path {
            fields.insert(name.into(), bytes(path));
        }
    }
    fields.into()
}

fn fault_of(value: &Value) -> Result<Fault, String> {
    let text = |name: &str| -> Box<str> {
        value.get(name).and_then(Value::as_str).unwrap_or_default().into()
    };
    let path = |name: &str| -> Result<Option<Box<[u8]>>, String> {
        value.get(name).map(|path| bytes_of(path).map(Into::into)).transpose()
    };
    let errno = value.get("errno").and_then(Value::as_i64).unwrap_or_default();
    Ok(Fault {
        errno: i32::try_from(errno).map_err(|_| "`errno` is out of range")?,
        syscall: text("syscall"),
        path: path("path")?,
        dest: path("dest")?,
        ..Fault::new(text("code"), text("message"))
    })
}

fn datum(datum: &Datum) -> Value {
    match datum {
        Datum::Undefined => json!({ "undefined": true }),
        Datum::Null => Value::Null,
        Datum::Bool(flag) => (*flag).into(),
        // Numbers that JSON has no word for, minus zero among them, by their bits.
        Datum::Number(number) => match serde_json::Number::from_f64(*number) {
            Some(written) if number.to_bits() != (-0.0_f64).to_bits() => Value::Number(written),
            _ => json!({ "bits": number.to_bits() }),
        },
        Datum::Text(text) => text.as_str().into(),
        Datum::Bytes(content) => bytes(content),
        Datum::Held(content) => bytes(content),
        Datum::List(items) => items.iter().map(self::datum).collect(),
        Datum::Record(fields) => {
            let fields = fields.iter().map(|(name, value)| json!([name, self::datum(value)]));
            json!({ "record": fields.collect::<Vec<_>>() })
        }
    }
}

fn datum_of(value: &Value) -> Result<Datum, String> {
    Ok(match value {
        Value::Null => Datum::Null,
        Value::Bool(flag) => Datum::Bool(*flag),
        Value::Number(number) => Datum::Number(number.as_f64().ok_or("a number is out of range")?),
        Value::String(text) => Datum::Text(text.clone()),
        Value::Array(items) => Datum::List(items.iter().map(datum_of).collect::<Result<_, _>>()?),
        Value::Object(fields) => {
            if fields.contains_key("undefined") {
                Datum::Undefined
            } else if let Some(bits) = fields.get("bits").and_then(Value::as_u64) {
                Datum::Number(f64::from_bits(bits))
            } else if let Some(fields) = fields.get("record").and_then(Value::as_array) {
                let field = |field: &Value| match field.as_array().map(Vec::as_slice) {
                    Some([Value::String(name), value]) => Ok((name.clone(), datum_of(value)?)),
                    _ => Err("a field is not a name with a value".to_owned()),
                };
                Datum::Record(fields.iter().map(field).collect::<Result<_, _>>()?)
            } else {
                Datum::Bytes(bytes_of(value)?)
            }
        }
    })
}

/// Bytes: as text if they are, so that people can read them.
fn bytes(content: &[u8]) -> Value {
    match std::str::from_utf8(content) {
        Ok(text) => json!({ "utf8": text }),
        Err(_) => json!({ "hex": hex(content) }),
    }
}

fn bytes_of(value: &Value) -> Result<Vec<u8>, String> {
    if let Some(text) = value.get("utf8").and_then(Value::as_str) {
        return Ok(text.as_bytes().to_vec());
    }
    let digits = value.get("hex").and_then(Value::as_str).ok_or("these are no bytes")?;
    unhex(digits).ok_or_else(|| "these are no bytes".into())
}

fn hex(content: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    content.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Some(value(*high)? << 4 | value(*low)?),
            _ => None,
        })
        .collect()
}

fn path_value(path: &Path) -> Value {
    bytes(path.as_os_str().as_bytes())
}

fn path_of(value: &Value) -> Result<PathBuf, String> {
    Ok(OsString::from_vec(bytes_of(value)?).into())
}
