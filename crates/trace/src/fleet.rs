//! What happens between the programs of a fleet.

use crate::fields::Fields;
use crate::numbers::{Invocation, Operation};
use crate::object::{Object, put};
use hemiola_time::{Delay, Instant};
use serde_json::Value;
use std::fmt::Write;
use std::sync::Arc;

/// Something about the processes of a fleet and what is between them. All times are those of the fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FleetFact {
    /// What follows is of that process.
    Turned {
        /// Its number among all of the fleet, from 0 on.
        process: u32,
        /// What it is called: its host, and which of the host's programs it is if there are several.
        name: Arc<str>,
    },
    /// The process begins.
    Started {
        /// Which of its host's programs it is, from 1 on.
        program: u32,
        /// The program, as the fleet names it.
        file: String,
        /// When.
        at: Instant,
    },
    /// The process is no more.
    Stopped {
        /// Its exit code; nothing if it was killed.
        code: Option<i32>,
        /// When.
        at: Instant,
    },
    /// The process sent something to another one, or to whoever is at a host.
    Sent {
        /// The number of what was sent.
        message: u64,
        /// Who sent it, if that is known.
        by: Option<Invocation>,
        /// By what operation, if by one.
        operation: Option<Operation>,
        /// Whether a worker of the process did, of which there are no events.
        by_worker: bool,
        /// The host that it goes to.
        to: String,
        /// What it is.
        cargo: Cargo,
        /// When.
        at: Instant,
        /// When it arrives, if it does.
        arrives: Option<Instant>,
    },
    /// An operation of the process is answered with what others sent.
    Received {
        /// Which, by the numbers of what was sent.
        messages: Vec<u64>,
        /// The operation.
        operation: Operation,
        /// When.
        at: Instant,
    },
    /// Something goes wrong from now on.
    Fault {
        /// What, as people write it.
        what: String,
        /// Which hosts it is about.
        hosts: Vec<String>,
        /// When it begins.
        at: Instant,
        /// How long it lasts.
        lasts: Delay,
    },
}

/// What goes from one program to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cargo {
    /// The request for a connection.
    Connect,
    /// So many bytes of one.
    Bytes(u64),
    /// The news that nothing more comes.
    End,
    /// The news that a connection is no more.
    Reset,
    /// A datagram of so many bytes.
    Datagram(u64),
}

impl Cargo {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Bytes(_) => "bytes",
            Self::End => "end",
            Self::Reset => "reset",
            Self::Datagram(_) => "datagram",
        }
    }

    /// How many bytes it has, if it has any.
    pub const fn size(self) -> Option<u64> {
        match self {
            Self::Bytes(size) | Self::Datagram(size) => Some(size),
            Self::Connect | Self::End | Self::Reset => None,
        }
    }

    /// It in words, as `120 bytes`.
    pub fn describe(self) -> String {
        match self {
            Self::Connect => "a request for a connection".into(),
            Self::Bytes(1) => "1 byte".into(),
            Self::Bytes(size) => format!("{size} bytes"),
            Self::End => "the end of a connection".into(),
            Self::Reset => "the reset of a connection".into(),
            Self::Datagram(1) => "a datagram of 1 byte".into(),
            Self::Datagram(size) => format!("a datagram of {size} bytes"),
        }
    }
}

impl FleetFact {
    /// When it is, if it says so.
    pub fn at(&self) -> Option<Instant> {
        match self {
            Self::Turned { .. } => None,
            Self::Started { at, .. }
            | Self::Stopped { at, .. }
            | Self::Sent { at, .. }
            | Self::Received { at, .. }
            | Self::Fault { at, .. } => Some(*at),
        }
    }

    /// The same without its times.
    #[must_use]
    pub fn timeless(mut self) -> Self {
        match &mut self {
            Self::Turned { .. } => {}
            Self::Sent { at, arrives, .. } => {
                *at = Instant::ZERO;
                *arrives = arrives.map(|_| Instant::ZERO);
            }
            Self::Started { at, .. }
            | Self::Stopped { at, .. }
            | Self::Received { at, .. }
            | Self::Fault { at, .. } => *at = Instant::ZERO,
        }
        self
    }

    /// It in a few words.
    pub fn describe(&self) -> String {
        match self {
            Self::Turned { process, name } => {
                format!("turn of {} (process {process})", name.escape_debug())
            }
            Self::Started { program, file, at } => {
                format!("started program {program}, {}, at {at}", file.escape_debug())
            }
            Self::Stopped { code: Some(code), at } => format!("stopped with {code} at {at}"),
            Self::Stopped { code: None, at } => format!("killed at {at}"),
            Self::Sent { message, by, to, cargo, arrives, .. } => {
                let to = to.escape_debug();
                let mut words = format!("sent m{message} to {to}: {}", cargo.describe());
                if let Some(by) = by {
                    let _ = write!(words, " by {by}");
                }
                match arrives {
                    Some(at) => drop(write!(words, ", arrives at {at}")),
                    None => words.push_str(", lost"),
                }
                words
            }
            Self::Received { messages, operation, at } => {
                let numbers: Vec<String> =
                    messages.iter().map(|number| format!("m{number}")).collect();
                format!("received {} by op {} at {at}", numbers.join(" "), operation.0)
            }
            Self::Fault { what, .. } => format!("fault {}", what.escape_debug()),
        }
    }
}

/// Writes a fact as the object of an event.
pub(crate) fn write(object: &mut impl Object, fact: &FleetFact) {
    match fact {
        FleetFact::Turned { process, name } => {
            put!(object, event "turned", "process": process, "name": **name);
        }
        FleetFact::Started { program, file, at } => {
            put!(object, event "started", "program": program, "file": file, "at": at.as_micros());
        }
        FleetFact::Stopped { code, at } => {
            put!(object, event "stopped");
            if let Some(code) = code {
                put!(object, "code": code);
            }
            put!(object, "at": at.as_micros());
        }
        FleetFact::Sent { message, by, operation, by_worker, to, cargo, at, arrives } => {
            put!(object, event "sent", "message": message);
            if let Some(by) = by {
                put!(object, "by": by.0);
            }
            if let Some(operation) = operation {
                put!(object, "op": operation.0);
            }
            if *by_worker {
                put!(object, "worker": true);
            }
            put!(object, "to": to, "what": cargo.name());
            if let Some(size) = cargo.size() {
                put!(object, "size": size);
            }
            put!(object, "at": at.as_micros());
            if let Some(arrives) = arrives {
                put!(object, "arrives": arrives.as_micros());
            }
        }
        FleetFact::Received { messages, operation, at } => put!(object,
            event "received", "messages": messages, "op": operation.0, "at": at.as_micros(),
        ),
        FleetFact::Fault { what, hosts, at, lasts } => put!(object,
            event "fault", "what": what, "hosts": hosts, "at": at.as_micros(),
            "lasts": lasts.as_micros(),
        ),
    }
}

/// What [`write`] wrote, if an event of that name is one of these.
pub(crate) fn read(event: &str, fields: &Fields<'_>) -> Option<Result<FleetFact, String>> {
    let read: fn(&Fields<'_>) -> Result<FleetFact, String> = match event {
        "turned" => |fields| {
            let name = fields.text("name")?.into();
            Ok(FleetFact::Turned { process: fields.small("process")?, name })
        },
        "started" => |fields| {
            Ok(FleetFact::Started {
                program: fields.small("program")?,
                file: fields.text("file")?.to_owned(),
                at: fields.instant("at")?,
            })
        },
        "stopped" => |fields| {
            let code = match fields.0.get("code") {
                None => None,
                Some(code) => Some(
                    code.as_i64()
                        .and_then(|code| i32::try_from(code).ok())
                        .ok_or("`code` is no exit code")?,
                ),
            };
            Ok(FleetFact::Stopped { code, at: fields.instant("at")? })
        },
        "sent" => sent,
        "received" => |fields| {
            let messages = fields
                .list("messages")?
                .iter()
                .map(|number| number.as_u64().ok_or_else(|| "a message is no integer".to_owned()));
            Ok(FleetFact::Received {
                messages: messages.collect::<Result<_, _>>()?,
                operation: Operation(fields.number("op")?),
                at: fields.instant("at")?,
            })
        },
        "fault" => |fields| {
            let hosts = fields.list("hosts")?.iter().map(|host| {
                host.as_str().map(str::to_owned).ok_or_else(|| "a host is no text".to_owned())
            });
            Ok(FleetFact::Fault {
                what: fields.text("what")?.to_owned(),
                hosts: hosts.collect::<Result<_, _>>()?,
                at: fields.instant("at")?,
                lasts: Delay::from_micros(fields.number("lasts")?),
            })
        },
        _ => return None,
    };
    Some(read(fields))
}

fn sent(fields: &Fields<'_>) -> Result<FleetFact, String> {
    let cargo = match fields.text("what")? {
        "connect" => Cargo::Connect,
        "bytes" => Cargo::Bytes(fields.number("size")?),
        "end" => Cargo::End,
        "reset" => Cargo::Reset,
        "datagram" => Cargo::Datagram(fields.number("size")?),
        other => return Err(format!("unknown message `{other}`")),
    };
    Ok(FleetFact::Sent {
        message: fields.number("message")?,
        by: fields.optional("by")?.map(Invocation),
        operation: fields.optional("op")?.map(Operation),
        by_worker: fields.0.get("worker").and_then(Value::as_bool).unwrap_or_default(),
        to: fields.text("to")?.to_owned(),
        cargo,
        at: fields.instant("at")?,
        arrives: fields.optional("arrives")?.map(Instant::from_micros),
    })
}
