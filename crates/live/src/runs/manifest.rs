//! What a recording is of, and what is needed to run it again.

use hemiola_world::recording::Digest;
use serde_json::{Value, json};

/// The version of the format that this build writes, and the newest that it reads.
pub const VERSION: u64 = 5;

/// The last version in which every file operation was one trip. A recording of that time is written as such again.
const BEFORE_TRIPS: u64 = 2;

const FORMAT: &str = "hemiola-recording";

/// More than any stack that a program gets, and than any time that one has run or begun at: years from 1970 on,
/// in microseconds, that a number of JavaScript holds exactly.
const LARGEST_STACK: u64 = 1 << 30;
const LONGEST_US: u64 = (1 << 53) - 1;

/// What a recording is of (rule GATE-5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Its name.
    pub id: String,
    /// The version of Hemiola that made it.
    pub runtime: String,
    /// The words of the command line, without the command's own name.
    pub words: Vec<String>,
    /// The program, if it came from standard input.
    pub text: Option<String>,
    /// What decides what may run next.
    pub strategy: String,
    /// Whether it is of a version in which every file operation was one trip, and the library asked for
    /// some of them otherwise.
    pub before_trips: bool,
    /// The current directory.
    pub cwd: String,
    /// The path of Hemiola, and the name by which it was called.
    pub executable: (String, String),
    /// Environment variables, before version 4; since then those that were read are among the inputs.
    pub env: Vec<(String, String)>,
    /// The time zone.
    pub zone: String,
    /// How much of the stack the engine could use.
    pub stack_limit: u64,
    /// When its process began by its own clock, in microseconds; 0 but in a fleet, and before version 5.
    pub born_us: u64,
    /// When it began, in microseconds since 1970.
    pub started_us: u64,
    /// How long it took.
    pub took_us: Option<u64>,
    /// How it ended.
    pub code: Option<i32>,
    /// How many inputs there are; nothing while it runs, or when it was killed.
    pub inputs: Option<u64>,
    /// The digest of their lines; since version 2.
    pub digest: Option<String>,
    /// The digest of the modules that were read; since version 2.
    pub program: Option<String>,
    /// Whether something was taken out of it since.
    pub redacted: bool,
}

/// Why a manifest is refused.
#[derive(Debug)]
pub(super) enum Problem {
    Newer(u64),
    NewerRuntime(String),
    Damaged(String),
}

impl Manifest {
    /// Its written form.
    pub fn to_json(&self) -> Value {
        let mut value = json!({
            "format": FORMAT,
            "version": if self.before_trips { BEFORE_TRIPS } else { VERSION },
            "id": self.id,
            "runtime": self.runtime,
            "words": self.words,
            "text": self.text,
            "strategy": self.strategy,
            "cwd": self.cwd,
            "executable": [self.executable.0, self.executable.1],
            "env": self.env.iter().map(|(name, value)| json!([name, value])).collect::<Vec<_>>(),
            "zone": self.zone,
            "stackLimit": self.stack_limit,
            "startedUs": self.started_us,
            "tookUs": self.took_us,
            "code": self.code,
            "inputs": self.inputs,
            "digest": self.digest,
            "program": self.program,
        });
        if self.born_us > 0 {
            value["bornUs"] = self.born_us.into();
        }
        if self.redacted {
            value["redacted"] = true.into();
        }
        value["check"] = check(&value).into();
        value
    }

    pub(super) fn read(text: &str) -> Result<Self, Problem> {
        let damaged = |reason: &str| Problem::Damaged(reason.to_owned());
        let mut value: Value = serde_json::from_str(text)
            .map_err(|error| Problem::Damaged(format!("it is not JSON: {error}")))?;
        if value["format"] != FORMAT {
            return Err(damaged("it is not the manifest of a recording"));
        }
        match value["version"].as_u64() {
            Some(1..=VERSION) => {}
            Some(version) if version > VERSION => return Err(Problem::Newer(version)),
            _ => return Err(damaged("it names no version")),
        }
        let runtime = value["runtime"].as_str().unwrap_or_default();
        if is_newer(runtime).ok_or_else(|| damaged("`runtime` is missing or wrong"))? {
            return Err(Problem::NewerRuntime(runtime.to_owned()));
        }
        // The first version had none.
        let written = value.as_object_mut().and_then(|fields| fields.remove("check"));
        if value["version"] != 1 && written != Some(check(&value).into()) {
            return Err(damaged("it has been edited"));
        }
        let missing = |name: &str| Problem::Damaged(format!("`{name}` is missing or wrong"));
        let string = |value: &Value| value.as_str().map(str::to_owned);
        let text = |name: &str| string(&value[name]).ok_or_else(|| missing(name));
        let number = |name: &str| value[name].as_u64().ok_or_else(|| missing(name));
        let strings = |value: &Value| -> Option<Vec<String>> {
            value.as_array()?.iter().map(string).collect()
        };
        let pair = |value: &Value| match strings(value)?.as_slice() {
            [first, second] => Some((first.clone(), second.clone())),
            _ => None,
        };
        let pairs = |value: &Value| -> Option<Vec<(String, String)>> {
            value.as_array()?.iter().map(pair).collect()
        };
        let at_most = |name: &str, most: u64| match value[name].as_u64() {
            Some(number) if number > most => {
                Err(Problem::Damaged(format!("`{name}` is too large")))
            }
            _ => Ok(()),
        };
        at_most("stackLimit", LARGEST_STACK)?;
        at_most("startedUs", LONGEST_US)?;
        at_most("tookUs", LONGEST_US)?;
        at_most("bornUs", LONGEST_US)?;
        let id = text("id")?;
        if !is_id(&id) {
            return Err(damaged("`id` is not the id of a recording"));
        }
        Ok(Self {
            id,
            runtime: text("runtime")?,
            words: strings(&value["words"]).ok_or_else(|| missing("words"))?,
            text: string(&value["text"]),
            strategy: text("strategy")?,
            before_trips: number("version")? <= BEFORE_TRIPS,
            cwd: text("cwd")?,
            executable: pair(&value["executable"]).ok_or_else(|| missing("executable"))?,
            env: pairs(&value["env"]).ok_or_else(|| missing("env"))?,
            zone: text("zone")?,
            stack_limit: number("stackLimit")?,
            born_us: value["bornUs"].as_u64().unwrap_or(0),
            started_us: number("startedUs")?,
            took_us: value["tookUs"].as_u64(),
            code: match &value["code"] {
                Value::Null => None,
                code => {
                    let code = code.as_i64().and_then(|code| i32::try_from(code).ok());
                    Some(code.ok_or_else(|| missing("code"))?)
                }
            },
            inputs: value["inputs"].as_u64(),
            digest: string(&value["digest"]),
            program: string(&value["program"]),
            redacted: value["redacted"] == true,
        })
    }
}

/// Whether a name may be that of a file: ids are made into names of files.
fn is_id(text: &str) -> bool {
    const LONGEST: usize = 64;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(is_plain)
}

/// The digest of a manifest without this field.
fn check(manifest: &Value) -> String {
    let mut digest = Digest::default();
    digest.text(manifest.to_string().as_bytes());
    digest.hex()
}

/// Whether that is a newer version of Hemiola than this one; nothing if it is none.
fn is_newer(version: &str) -> Option<bool> {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        let (numbers, _) = version.split_once(['-', '+']).unwrap_or((version, ""));
        numbers.split('.').map(|number| number.parse().ok()).collect()
    };
    Some(numbers(version)? > numbers(env!("CARGO_PKG_VERSION"))?)
}
