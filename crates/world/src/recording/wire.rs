//! The written form: one JSON object for each entry, a line each.
//!
//! The field names are the format. They are spelled out here, away from the types of the program, so
//! that renaming a field in Rust cannot change what a recording means.

use super::digest::Digest;
use super::entry::{Entry, Kept, Long, Look, Question, Variable};
use hemiola_gate::{Answer, Datum, Fault, Kind};
use hemiola_machine::{Instant, Operation, Stream};
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

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
            write_readings(&mut text, together);
        } else {
            put_entry(&mut text, first);
        }
        sums.add(&text, together);
        text.push(b'\n');
        out.write_all(&text)?;
        rest = later;
    }
    Ok(())
}

/// Most of a recording is readings of the clock; so they are written without detours.
fn write_readings(text: &mut Vec<u8>, readings: &[Entry]) {
    let mut separator: &[u8] = b"{\"now\":[";
    for entry in readings {
        if let Entry::Now(later) = entry {
            text.extend_from_slice(separator);
            put_number(text, *later);
            separator = b",";
        }
    }
    text.extend_from_slice(b"]}");
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

/// Writes an object, field by field.
struct Fields<'a> {
    text: &'a mut Vec<u8>,
    before: &'static [u8],
}

impl<'a> Fields<'a> {
    fn of(text: &'a mut Vec<u8>) -> Self {
        Self { text, before: b"{" }
    }

    /// Begins a field, whose value comes next. Its name has nothing that JSON writes in another way.
    fn name(&mut self, name: &str) -> &mut Vec<u8> {
        self.text.extend_from_slice(self.before);
        self.before = b",";
        self.text.push(b'"');
        self.text.extend_from_slice(name.as_bytes());
        self.text.extend_from_slice(b"\":");
        self.text
    }

    fn number(&mut self, name: &str, number: u64) {
        put_number(self.name(name), number);
    }

    fn string(&mut self, name: &str, string: &str) {
        put_string(self.name(name), string);
    }

    fn truth(&mut self, name: &str) {
        self.name(name).extend_from_slice(b"true");
    }

    fn bytes(&mut self, name: &str, content: &[u8]) {
        put_bytes(self.name(name), content);
    }

    fn question(&mut self, Question { kind, about, digest }: &Question) {
        self.string("operation", kind);
        self.string("about", about);
        self.number("digest", *digest);
    }

    fn answer(&mut self, answer: &Answer) {
        match answer {
            Ok(value) => put_datum(self.name("answer"), value),
            Err(fault) => put_fault(self.name("fault"), fault),
        }
    }

    /// Ends the object; one without fields begins only here.
    fn end(self) {
        if self.before == b"{" {
            self.text.push(b'{');
        }
        self.text.push(b'}');
    }
}

fn put_number(text: &mut Vec<u8>, number: impl Into<Value>) {
    serde_json::to_writer(text, &number.into()).expect(TAKES_ALL);
}

fn put_string(text: &mut Vec<u8>, string: &str) {
    // Few have anything to escape, and without a way out many bytes are looked at at once.
    let is_plain = |byte: u8| (byte >= b' ') & (byte != b'"') & (byte != b'\\');
    if string.bytes().fold(true, |plain, byte| plain & is_plain(byte)) {
        text.reserve(string.len() + 2);
        text.push(b'"');
        text.extend_from_slice(string.as_bytes());
        text.push(b'"');
    } else {
        serde_json::to_writer(text, string).expect(TAKES_ALL);
    }
}

/// Why writing does not fail.
const TAKES_ALL: &str = "memory takes what is written";

/// Most of a recording are questions and answers: so nothing is made of them that would be written only then.
fn put_entry(text: &mut Vec<u8>, entry: &Entry) {
    let mut fields = Fields::of(text);
    match entry {
        Entry::Now(later) => {
            let readings = fields.name("now");
            readings.push(b'[');
            put_number(readings, *later);
            readings.push(b']');
        }
        Entry::Wall(time) => fields.number("wall", *time),
        Entry::Random(number) => fields.number("random", *number),
        Entry::Over => fields.truth("over"),
        Entry::Long(long) => put_long(&mut fields, long),
    }
    fields.end();
}

fn put_long(fields: &mut Fields<'_>, long: &Long) {
    match long {
        Long::Asked(operation, question) => {
            fields.number("asked", operation.0);
            fields.question(question);
        }
        Long::Performed(question, answer) => {
            fields.truth("performed");
            fields.question(question);
            fields.answer(answer);
        }
        Long::Received { quiet, operation, stamp, answer, trips } => {
            fields.number("received", operation.0);
            fields.number("quiet", *quiet);
            fields.number("stamp", stamp.as_micros());
            // Recordings of version 2 and before know of one trip only.
            if *trips != 1 {
                fields.number("trips", (*trips).into());
            }
            fields.answer(answer);
        }
        Long::Interrupted { question } => fields.number("interrupted", *question),
        Long::Refused(stream, errno) => {
            fields.string("refused", stream.name());
            put_number(fields.name("errno"), *errno);
        }
        Long::Shown(stream, shown) => {
            fields.string("shown", stream.name());
            fields.bytes("bytes", shown);
        }
        Long::Unseen => fields.truth("unseen"),
        Long::Variable(Variable { at, name, kept }) => {
            fields.string("variable", name);
            fields.number("at", *at);
            match kept {
                Kept::Value(value) => fields.string("value", value),
                Kept::Digest { salt, digest } => {
                    fields.string("salt", salt);
                    fields.string("sha256", digest);
                }
            }
        }
        Long::Module(path, look) => {
            fields.bytes("module", path.as_os_str().as_bytes());
            let failed = |text: &mut Vec<u8>, errno: &i32| {
                let mut fields = Fields::of(text);
                put_number(fields.name("errno"), *errno);
                fields.end();
            };
            match look {
                Look::Read(Ok(text)) => fields.bytes("read", text),
                Look::Kind(Ok(kind)) => fields.string("kind", kind_name(*kind)),
                Look::Real(Ok(path)) => fields.bytes("real", path.as_os_str().as_bytes()),
                Look::Read(Err(errno)) => failed(fields.name("read"), errno),
                Look::Kind(Err(errno)) => failed(fields.name("kind"), errno),
                Look::Real(Err(errno)) => failed(fields.name("real"), errno),
            }
        }
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

fn question(fields: &Map<String, Value>) -> Result<Question, String> {
    let text = |name: &str| {
        let text = fields.get(name).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| format!("`{name}` is not a string"))
    };
    let digest = fields.get("digest").and_then(Value::as_u64).ok_or("`digest` is not a number")?;
    Ok(Question { kind: text("operation")?.into(), about: text("about")?, digest })
}

fn answer(fields: &Map<String, Value>) -> Result<Answer, String> {
    match (fields.get("answer"), fields.get("fault")) {
        (Some(value), None) => Ok(Ok(datum_of(value)?)),
        (None, Some(fault)) => Ok(Err(fault_of(fault)?)),
        _ => Err("it has no answer".into()),
    }
}

fn put_fault(text: &mut Vec<u8>, fault: &Fault) {
    let mut fields = Fields::of(text);
    for (name, string) in
        [("code", &fault.code), ("message", &fault.message), ("syscall", &fault.syscall)]
    {
        if !string.is_empty() {
            fields.string(name, string);
        }
    }
    if fault.errno != 0 {
        put_number(fields.name("errno"), fault.errno);
    }
    for (name, path) in [("path", &fault.path), ("dest", &fault.dest)] {
        if let Some(path) = path {
            fields.bytes(name, path);
        }
    }
    fields.end();
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

fn put_datum(text: &mut Vec<u8>, datum: &Datum) {
    match datum {
        Datum::Undefined => text.extend_from_slice(b"{\"undefined\":true}"),
        Datum::Null => text.extend_from_slice(b"null"),
        Datum::Bool(flag) => put_number(text, *flag),
        // Numbers that JSON has no word for, minus zero among them, by their bits.
        Datum::Number(number) if number.is_finite() && number.to_bits() != (-0.0_f64).to_bits() => {
            serde_json::to_writer(text, number).expect(TAKES_ALL);
        }
        Datum::Number(number) => {
            let mut fields = Fields::of(text);
            fields.number("bits", number.to_bits());
            fields.end();
        }
        Datum::Text(string) => put_string(text, string),
        Datum::Bytes(content) => put_bytes(text, content),
        Datum::Held(content) => put_bytes(text, content),
        Datum::List(items) => put_list(text, items, put_datum),
        Datum::Record(record) => {
            let mut fields = Fields::of(text);
            put_list(fields.name("record"), record, |text, (name, value)| {
                text.push(b'[');
                put_string(text, name);
                text.push(b',');
                put_datum(text, value);
                text.push(b']');
            });
            fields.end();
        }
    }
}

fn put_list<T>(text: &mut Vec<u8>, items: &[T], put: impl Fn(&mut Vec<u8>, &T)) {
    text.push(b'[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        put(text, item);
    }
    text.push(b']');
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
fn put_bytes(text: &mut Vec<u8>, content: &[u8]) {
    let mut fields = Fields::of(text);
    match std::str::from_utf8(content) {
        Ok(string) => fields.string("utf8", string),
        Err(_) => fields.string("hex", &hex(content)),
    }
    fields.end();
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

fn path_of(value: &Value) -> Result<PathBuf, String> {
    Ok(OsString::from_vec(bytes_of(value)?).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(entry: Entry) -> String {
        let mut text = Vec::new();
        write(&mut text, &[entry], &mut Sums::default()).expect("memory takes what is written");
        String::from_utf8(text).expect("JSON is text").trim_end().to_owned()
    }

    fn question() -> Question {
        let (kind, about) = ("fs.readFile".into(), "\"quoted\" \u{1} grün".to_owned());
        Question { kind, about, digest: u64::MAX }
    }

    fn answers() -> Vec<Answer> {
        let text = |text: &str| Datum::Text(text.to_owned());
        let numbers = [0.0, -0.0, 1.0, -1.5, 1e21, 1e-7, 5e-324, f64::MAX, f64::NAN, f64::INFINITY];
        let path = Some(b"/a\xff".to_vec().into_boxed_slice());
        vec![
            Ok(Datum::Undefined),
            Ok(Datum::Null),
            Ok(Datum::List(vec![Datum::Bool(true), Datum::Bool(false), Datum::List(Vec::new())])),
            Ok(Datum::List(numbers.into_iter().map(Datum::Number).collect())),
            Ok(Datum::Bytes(b"some \n text".to_vec())),
            Ok(Datum::Bytes(vec![0, 0x9f, 0xff])),
            Ok(Datum::Record(vec![
                ("a\"b".to_owned(), text("\u{7f}\u{2028}\\")),
                ("c".to_owned(), Datum::Null),
            ])),
            Ok(Datum::Record(Vec::new())),
            Err(Fault::new("", "")),
            Err(Fault { errno: 2, syscall: "open".into(), path, ..Fault::new("ENOENT", "gone") }),
        ]
    }

    fn entries() -> Vec<Entry> {
        let variable = |kept| Long::Variable(Variable { at: 3, name: "HOME".into(), kept });
        let module = |look| Long::Module("/a/b.js".into(), look);
        let received = |answer, trips| Long::Received {
            quiet: 7,
            operation: Operation(9),
            stamp: Instant::from_micros(12),
            answer,
            trips,
        };
        let mut long = vec![
            Long::Asked(Operation(1), question()),
            Long::Interrupted { question: 5 },
            Long::Refused(Stream::Err, 32),
            Long::Shown(Stream::Out, b"hello\n".to_vec()),
            Long::Unseen,
            variable(Kept::Value("/root".into())),
            variable(Kept::Digest { salt: "s".into(), digest: "d".into() }),
            module(Look::Read(Ok(b"1".to_vec()))),
            module(Look::Read(Err(2))),
            module(Look::Kind(Ok(Kind::Directory))),
            module(Look::Real(Ok("/b".into()))),
        ];
        long.extend(answers().into_iter().map(|answer| received(answer, 1)));
        long.extend(answers().into_iter().map(|answer| Long::Performed(question(), answer)));
        long.push(received(Ok(Datum::Undefined), 4));
        let mut entries = vec![Entry::Now(1), Entry::Wall(2), Entry::Random(u64::MAX), Entry::Over];
        entries.extend(long.into_iter().map(Entry::long));
        entries
    }

    #[test]
    fn a_line_is_what_a_writer_of_json_makes_of_it() {
        for entry in entries() {
            let line = written(entry);
            let value: Value = serde_json::from_str(&line).expect("it is JSON");
            assert_eq!(value.to_string(), line);
        }
    }

    #[test]
    fn a_line_that_is_read_is_written_as_it_was() {
        for entry in entries() {
            let line = written(entry);
            let mut read = read(&line).expect("it is an entry");
            assert_eq!(read.len(), 1, "{line}");
            assert_eq!(written(read.remove(0)), line);
        }
    }

    #[test]
    fn fields_have_their_order() {
        let received = entries().pop().expect("there are some");
        let line = r#"{"received":9,"quiet":7,"stamp":12,"trips":4,"answer":{"undefined":true}}"#;
        assert_eq!(written(received), line);
    }
}
