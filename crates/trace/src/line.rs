//! The lines of a trace: a header, then one JSON object for each event. `written.rs` has the objects.

use crate::event::{Access, Class, Event, Location, Medium, Origin, Outcome, Place, Stream};
use crate::fields::Fields;
use crate::numbers::{Invocation, Operation};
use crate::{Observation, fleet, tasks, written};
use hemiola_time::{Delay, Instant, Label, Microstep, Ordinal, Period, Tag, Unit};
use serde_json::{Value, json};
use std::fmt;
use std::io::Write;

/// The version of the trace of one program.
pub const VERSION: u64 = 1;

/// The version of the trace of a fleet.
pub(crate) const JOINED: u64 = 2;

pub(crate) const FORMAT: &str = "hemiola-trace";

/// Why a trace could not be read or written.
#[derive(Debug)]
pub enum WireError {
    /// The file failed.
    Io(std::io::Error),
    /// The first line is not the header of a trace.
    NotATrace,
    /// The trace was written by a newer build.
    Newer(u64),
    /// A line is not an event.
    Line {
        /// Which line, the header being line 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read or write the trace: {error}"),
            Self::NotATrace => write!(f, "not a trace: the first line is not a {FORMAT} header"),
            Self::Newer(version) => write!(
                f,
                "cannot read the trace: written by format {version}, this build reads 1 to {}",
                JOINED
            ),
            Self::Line { number, reason } => write!(f, "line {number} of the trace: {reason}"),
        }
    }
}

impl std::error::Error for WireError {}

impl From<std::io::Error> for WireError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// Writes a trace: the header and every event.
pub fn write<'a>(
    out: &mut impl Write,
    events: impl IntoIterator<Item = &'a Event>,
) -> std::io::Result<()> {
    writeln!(out, "{}", json!({ "format": FORMAT, "version": VERSION }))?;
    let mut text = Vec::new();
    for event in events {
        text.clear();
        push(&mut text, event);
        out.write_all(&text)?;
    }
    Ok(())
}

/// Appends an event as a line of a trace.
pub fn push(line: &mut Vec<u8>, event: &Event) {
    written::push(line, event);
}

/// One event as a JSON object.
pub fn to_json(event: &Event) -> Value {
    Value::Object(written::object(event))
}

/// The event that [`to_json`] wrote, or what is wrong with the object.
pub fn from_json(value: &Value) -> Result<Event, String> {
    let fields = Fields(value.as_object().ok_or("not an object")?);
    let name = fields.text("ev")?;
    if let Some(fact) = fleet::read(name, &fields) {
        return fact.map(Event::Fleet);
    }
    Ok(match name {
        "opened" => Event::Opened {
            domain: fields.domain()?,
            label: Label::new(fields.text("label")?),
            origin: fields.instant("origin")?,
        },
        "collected" => Event::Collected { domain: fields.domain()? },
        "released" => Event::Released {
            release: Ordinal(fields.number("release")?),
            domain: fields.optional_domain()?,
            tag: fields.tag()?,
            delay: Delay::from_micros(fields.number("delay")?),
            period: match fields.optional("period")? {
                None => None,
                Some(0) => return Err("`period` is zero".into()),
                Some(micros) => {
                    Some(Period::at_least_one(Delay::from_micros(micros), Unit::Microsecond))
                }
            },
            by: Invocation(fields.number("by")?),
        },
        "cleared" => Event::Cleared { release: Ordinal(fields.number("release")?) },
        "skipped" => Event::Skipped {
            domain: fields.domain()?,
            count: fields.number("count")?,
            until: fields.instant("until")?,
        },
        "queued" => Event::Queued {
            number: Ordinal(fields.optional("queued")?.unwrap_or_default()),
            class: fields.class()?,
            link: Invocation(fields.number("link")?),
        },
        "dropped" => {
            let what = fields.origin()?.ok_or("it does not say what was dropped")?;
            Event::Dropped { what }
        }
        "spent" => Event::Spent { nanos: fields.number("nanos")? },
        "transferred" => Event::Transferred {
            medium: match fields.text("medium")? {
                "network" => Medium::Network,
                "disk" => Medium::Disk,
                other => return Err(format!("unknown medium `{other}`")),
            },
            read: fields.number("read")?,
            written: fields.number("written")?,
        },
        "labelled" => Event::Labelled { name: fields.text("name")?.to_owned() },
        "requested" => Event::Requested {
            operation: Operation(fields.number("op")?),
            by: Invocation(fields.number("by")?),
            what: match fields.0.get("what") {
                None => String::new(),
                Some(_) => fields.text("what")?.to_owned(),
            },
        },
        "completed" => Event::Completed {
            operation: Operation(fields.number("op")?),
            at: fields.instant("at")?,
        },
        "began" => Event::Began {
            invocation: Invocation(fields.number("n")?),
            class: if fields.0.contains_key("class") { Some(fields.class()?) } else { None },
            domain: fields.optional_domain()?,
            tag: if fields.0.contains_key("time") { Some(fields.tag()?) } else { None },
            origin: fields.origin()?,
            link: Invocation(fields.number("link")?),
            cause: Invocation(fields.number("cause")?),
            at: Instant::from_micros(fields.optional("at")?.unwrap_or_default()),
        },
        "attached" => Event::Attached {
            reaction: fields.number("reaction")?,
            promise: fields.optional("promise")?,
        },
        "settled" => Event::Settled { promise: fields.number("promise")? },
        "reacted" => Event::Reacted { reaction: fields.number("reaction")? },
        "entered" => Event::Entered {
            invocation: Invocation(fields.number("n")?),
            link: Invocation(fields.number("link")?),
            cause: Invocation(fields.number("cause")?),
        },
        "left" => Event::Left { invocation: Invocation(fields.number("n")?) },
        "ended" => Event::Ended {
            invocation: Invocation(fields.number("n")?),
            outcome: match fields.0.get("threw") {
                None => Outcome::Returned,
                Some(_) => Outcome::Threw(fields.text("threw")?.to_owned()),
            },
        },
        "observed" => Event::Observed(match fields.0.get("value") {
            Some(Value::String(name)) => Observation::name(name.as_str()),
            Some(Value::Number(number)) => {
                Observation::Number(number.as_i64().ok_or("`value` is not an integer")?)
            }
            _ => return Err("`value` is neither a number nor a text".into()),
        }),
        "wrote" => {
            let stream = match fields.text("stream")? {
                "out" => Stream::Out,
                "err" => Stream::Err,
                other => return Err(format!("unknown stream `{other}`")),
            };
            match fields.0.get("hex") {
                None => Event::Wrote { stream, text: fields.text("text")?.to_owned() },
                Some(_) => Event::WroteBytes { stream, bytes: from_hex(fields.text("hex")?)? },
            }
        }
        "lagged" => Event::Lagged {
            domain: fields.domain()?,
            lag: Delay::from_micros(fields.number("lag")?),
        },
        "site" => Event::Site(fields.place()?),
        "accessed" => Event::Accessed {
            location: Location(fields.number("location")?),
            access: match fields.text("access")? {
                "read" => Access::Read,
                "write" => Access::Write,
                other => return Err(format!("unknown access `{other}`")),
            },
            site: fields.small("site")?,
        },
        "located" => Event::Located {
            location: Location(fields.number("location")?),
            what: fields.text("what")?.to_owned(),
        },
        "placed" => Event::Placed { site: fields.small("site")?, place: fields.place()? },
        "task" => {
            let (at, what) = tasks::from_json(fields.0)?;
            Event::Task { at, what }
        }
        "chose" => Event::Chose { taken: fields.small("taken")?, of: fields.small("of")? },
        other => return Err(format!("unknown event `{other}`")),
    })
}

fn from_hex(text: &str) -> Result<Vec<u8>, String> {
    let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8);
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(pair).collect();
    bytes.ok_or_else(|| "`hex` is not bytes in hexadecimal".into())
}

/// What only events have.
impl Fields<'_> {
    fn domain(&self) -> Result<Ordinal, String> {
        self.number("domain").map(Ordinal)
    }

    fn optional_domain(&self) -> Result<Option<Ordinal>, String> {
        Ok(self.optional("domain")?.map(Ordinal))
    }

    fn origin(&self) -> Result<Option<Origin>, String> {
        let release = self.optional("release")?.map(|number| Origin::Release(Ordinal(number)));
        let queued = self.optional("queued")?.map(|number| Origin::Queued(Ordinal(number)));
        let operation = self.optional("op")?.map(|number| Origin::Operation(Operation(number)));
        Ok(release.or(queued).or(operation))
    }

    fn place(&self) -> Result<Place, String> {
        Ok(Place {
            file: self.text("file")?.into(),
            line: self.small("line")?,
            column: self.small("column")?,
        })
    }

    fn tag(&self) -> Result<Tag, String> {
        let microstep = match self.optional("microstep")? {
            None => Microstep::default(),
            Some(_) => Microstep(self.small("microstep")?),
        };
        Ok(Tag { time: self.instant("time")?, microstep })
    }

    fn class(&self) -> Result<Class, String> {
        let name = self.text("class")?;
        Class::ALL
            .into_iter()
            .find(|class| class.name() == name)
            .ok_or_else(|| format!("unknown class `{name}`"))
    }
}
