//! What a program executes, written where its environment says: as V8 writes it, for tools that read that, and
//! as `hemiola test --coverage` reads it.

use super::test::normal;
use crate::console::complain;
use crate::input::reason;
use hemiola_js::{Counting, Instrument, Options, Script};
use hemiola_transform::{Attribution, Counted, Language, Range, Table, source_map_url};
use serde_json::{Map, Value, json};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Names the directory for tools.
const FOR_TOOLS: &str = "NODE_V8_COVERAGE";
/// Names the directory for `hemiola test`.
pub(super) const OWN: &str = "HEMIOLA_COVERAGE";

/// Counts what a program executes, if its environment asks for that.
pub(super) fn ask(options: &mut Options, may_write: bool) {
    let tools = directory(options, FOR_TOOLS);
    let own = directory(options, OWN);
    if tools.is_none() && own.is_none() || !matches!(options.instrument, Instrument::Off) {
        return;
    }
    if !may_write {
        complain("note: coverage is not written: who started this may not write files\n");
        return;
    }
    let tell = move |scripts: Vec<Script>| {
        if let Some(directory) = &own {
            write(directory, &raw(&scripts));
        }
        if let Some(directory) = &tools {
            write(directory, &as_v8(&scripts));
        }
    };
    options.instrument = Instrument::Coverage(Arc::new(Counting::new(tell)));
}

/// The directory that a variable names. What the program starts finds it wherever that is started.
fn directory(options: &mut Options, variable: &str) -> Option<PathBuf> {
    let env = Arc::make_mut(&mut options.env);
    let (_, value) = env.iter_mut().find(|(name, _)| name == variable)?;
    if value.is_empty() {
        return None;
    }
    let path = Path::new(&options.cwd).join(&*value);
    *value = path.display().to_string();
    Some(path)
}

fn write(directory: &Path, report: &Value) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("coverage-{}-{}-{number}.json", std::process::id(), millis());
    // Whoever reads it finds all of it or nothing.
    let (hidden, path) = (directory.join(format!(".{name}")), directory.join(name));
    let written = fs::create_dir_all(directory)
        .and_then(|()| fs::write(&hidden, report.to_string()))
        .and_then(|()| fs::rename(&hidden, path));
    if let Err(error) = written {
        let place = directory.display();
        complain(&format!("note: coverage cannot be written to {place}: {}\n", reason(&error)));
    }
}

#[expect(clippy::disallowed_methods, reason = "files of processes with one number must differ")]
fn millis() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()
}

/// What V8 would say.
fn as_v8(scripts: &[Script]) -> Value {
    let mut maps = Map::new();
    let mut result = Vec::new();
    for (at, script) in scripts.iter().enumerate() {
        let url = url_of(&script.name);
        let range = |&Range { start, end, count }: &Range| json!({ "startOffset": start, "endOffset": end, "count": count });
        let functions = script.table.ranges(&script.counts, Attribution::V8);
        let functions = functions.iter().map(|function| {
            json!({
                "functionName": function.name,
                "ranges": function.ranges.iter().map(range).collect::<Vec<_>>(),
                "isBlockCoverage": function.is_block,
            })
        });
        let functions: Vec<Value> = functions.collect();
        if let Some((data, lengths)) = source_map(script) {
            let entry = json!({ "lineLengths": lengths, "data": data, "url": null });
            maps.insert(url.clone(), entry);
        }
        result
            .push(json!({ "scriptId": (at + 1).to_string(), "url": url, "functions": functions }));
    }
    json!({ "result": result, "source-map-cache": maps })
}

/// What a source says of its source map, and how long its lines are.
fn source_map(script: &Script) -> Option<(Value, Vec<usize>)> {
    let path = path_of(&script.name)?;
    let data = read_map(&script.source, &path)?;
    let lines = script.source.split(['\n', '\u{2028}', '\u{2029}']);
    let length = |line: &str| line.trim_end_matches('\r').encode_utf16().count();
    Some((data.unwrap_or_default(), lines.map(length).collect()))
}

/// The source map that a text names, with sources as URLs; nothing at all if it names none, and nothing in its place if that cannot be read.
pub(super) fn read_map(source: &str, path: &Path) -> Option<Option<Value>> {
    let named = source_map_url(source, Language::of_name(&path.to_string_lossy()))?;
    let (text, base) = match named.strip_prefix("data:") {
        Some(data) => (inline(data), path.to_owned()),
        None => {
            let file = path.with_file_name(named.strip_prefix("file://").unwrap_or(&named));
            (fs::read_to_string(&file).ok(), file)
        }
    };
    let map = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    Some(map.map(|map| with_urls(map, &base)))
}

fn with_urls(mut map: Value, base: &Path) -> Value {
    let root = map["sourceRoot"].as_str().unwrap_or_default().to_owned();
    let absolute = |source: &Value| match source.as_str() {
        Some(url) if url.contains("://") => Value::from(url),
        Some(path) => {
            let joined = base.with_file_name(Path::new(&root).join(path));
            Value::from(url_of(&normal(&joined).display().to_string()))
        }
        None => Value::Null,
    };
    if let Some(sources) = map["sources"].as_array() {
        let sources: Value = sources.iter().map(absolute).collect();
        map["sources"] = sources;
        map["sourceRoot"] = Value::from("");
    }
    map
}

/// The text of a `data:` URL.
fn inline(data: &str) -> Option<String> {
    let (kind, data) = data.split_once(',')?;
    let data = unescaped(data);
    let bytes = if kind.ends_with(";base64") { decoded(&data)? } else { data };
    String::from_utf8(bytes).ok()
}

/// Bytes from base64.
fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for &letter in text.iter().filter(|&&letter| letter != b'=') {
        let value = base64_digit(letter)?;
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

/// What a letter of base64 stands for.
pub(super) fn base64_digit(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// The bytes of a text with `%` escapes.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.filter(|_| first == b'%');
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    bytes
}

/// The path of a file that goes by a path or by a URL.
pub(super) fn path_of(name: &str) -> Option<PathBuf> {
    match name.strip_prefix("file://") {
        // What comes after `?` tells modules of one file apart.
        Some(path) => {
            let path = path.split(['?', '#']).next().unwrap_or(path);
            String::from_utf8(unescaped(path)).ok().map(PathBuf::from)
        }
        None => name.starts_with('/').then(|| PathBuf::from(name)),
    }
}

/// The URL of a file that goes by either.
pub(super) fn url_of(name: &str) -> String {
    if name.contains("://") {
        return name.to_owned();
    }
    let mut url = String::from("file://");
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => url.push(byte.into()),
            b'/' | b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' | b':' | b'@'
            | b'&' | b'=' | b'+' | b'$' | b',' | b';' | b'[' | b']' => url.push(byte.into()),
            byte => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

/// What is counted and what it was counted to, so that runs can be added.
fn raw(scripts: &[Script]) -> Value {
    let function = |one: &Counted| {
        let Counted { name, whole, sets_fields, blocks, rests } = one;
        json!([name, whole, sets_fields, blocks, rests])
    };
    let script = |script: &Script| {
        let path = path_of(&script.name)?;
        let is_file = fs::read_to_string(&path)
            .is_ok_and(|text| without_mark(&text) == without_mark(&script.source));
        let functions: Vec<Value> = script.table.functions.iter().map(function).collect();
        Some(json!({
            "file": path.to_string_lossy(),
            "source": if is_file { Value::Null } else { Value::from(script.source.as_str()) },
            "functions": functions,
            "counts": script.counts,
        }))
    };
    scripts.iter().filter_map(script).collect()
}

/// A text without the mark of its order of bytes.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// One text of one run.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) file: PathBuf,
    /// Its text, where that is not what the file has.
    pub(super) source: Option<String>,
    pub(super) table: Table,
    pub(super) counts: Vec<u64>,
}

/// All that was written to a directory for `hemiola test`.
pub(super) fn read(directory: &Path) -> io::Result<Vec<Told>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    let is_report = |name: &str| name.starts_with("coverage-") && name.ends_with(".json");
    files.retain(|file| file.file_name().is_some_and(|name| is_report(&name.to_string_lossy())));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let report = serde_json::from_slice::<Value>(&fs::read(&file)?)?;
        all.extend(report.as_array().into_iter().flatten().filter_map(told));
    }
    Ok(all)
}

fn told(script: &Value) -> Option<Told> {
    let triple = |value: &Value| <[u32; 3]>::try_from(numbers(value)?).ok();
    let triples = |value: &Value| value.as_array()?.iter().map(triple).collect::<Option<Vec<_>>>();
    let function = |value: &Value| {
        let [name, whole, sets_fields, blocks, rests] = value.as_array()?.as_slice() else {
            return None;
        };
        Some(Counted {
            name: name.as_str()?.to_owned(),
            whole: triple(whole)?,
            sets_fields: sets_fields.as_bool()?,
            blocks: triples(blocks)?,
            rests: triples(rests)?,
        })
    };
    let functions = script["functions"].as_array()?.iter().map(function);
    Some(Told {
        file: script["file"].as_str()?.into(),
        source: script["source"].as_str().map(str::to_owned),
        table: Table { functions: functions.collect::<Option<_>>()? },
        counts: script["counts"].as_array()?.iter().filter_map(Value::as_u64).collect(),
    })
}

fn numbers(value: &Value) -> Option<Vec<u32>> {
    value.as_array()?.iter().map(|one| u32::try_from(one.as_u64()?).ok()).collect()
}
