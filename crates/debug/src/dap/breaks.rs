//! Requests about breakpoints.

use super::{Answered, Server, State};
use crate::breakpoints::{HitRule, Wanted};
use crate::launch::Launcher;
use crate::model::{Answer, Exceptions, Place, Question, Watched};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Watches have numbers that no breakpoint has.
const FIRST_WATCH: u64 = 1_000_000;

/// What a client asked for last. It may do so before there is a run.
#[derive(Default)]
pub(super) struct Asked {
    /// By the path of the file: what the client said, and the number of the breakpoint.
    files: BTreeMap<String, Vec<(Value, u64)>>,
    exceptions: Exceptions,
    /// Whether only the chain counts of the invocation in which the program stood when that was asked for.
    in_chain: bool,
}

impl<L: Launcher> Server<L> {
    pub(super) fn set_breakpoints(&mut self, arguments: &Value) -> Answered {
        let path = self.path_of(&arguments["source"])?;
        let asked = match arguments["breakpoints"].as_array() {
            Some(all) => all.clone(),
            // Before there were conditions there were only lines.
            None => {
                let lines = arguments["lines"].as_array().cloned().unwrap_or_default();
                lines.into_iter().map(|line| json!({ "line": line })).collect()
            }
        };
        let answers = self.place_breakpoints(&path, asked);
        Ok(json!({ "breakpoints": answers }))
    }

    /// The path that a client means with a source.
    pub(super) fn path_of(&self, source: &Value) -> Result<String, String> {
        let number = source["sourceReference"].as_u64().unwrap_or(0);
        let by_number =
            self.sources.as_ref().and_then(|sources| sources.by_number(number as usize));
        if let Some(source) = by_number {
            return Ok(source.path.clone());
        }
        let path = source["path"].as_str().or_else(|| source["name"].as_str());
        let path = path.ok_or("a source has a path")?;
        let known = self.sources.as_ref().and_then(|sources| sources.meant(path));
        Ok(known.map_or_else(|| path.to_owned(), |source| source.path.clone()))
    }

    fn place_breakpoints(&mut self, path: &str, asked: Vec<Value>) -> Vec<Value> {
        if let State::Standing(session) = &mut self.state {
            session.breakpoints.clear_file(path);
        }
        let mut kept = Vec::new();
        let mut answers = Vec::new();
        for breakpoint in asked {
            let (answer, id) = match self.place_breakpoint(path, &breakpoint) {
                Ok((place, id)) => {
                    let answer = json!({
                        "id": id,
                        "verified": true,
                        "line": self.lines.line_out(place.line),
                        "column": self.lines.column_out(place.column),
                        "source": super::show::source(self.sources.as_ref(), &place.file),
                    });
                    (answer, id)
                }
                Err(reason) => {
                    let answer = json!({
                        "verified": false,
                        "message": reason,
                        "line": breakpoint["line"],
                    });
                    (answer, 0)
                }
            };
            kept.push((breakpoint, id));
            answers.push(answer);
        }
        self.asked.files.insert(path.to_owned(), kept);
        answers
    }

    fn place_breakpoint(&mut self, path: &str, asked: &Value) -> Result<(Place, u64), String> {
        let line = asked["line"].as_u64().ok_or("a breakpoint has a line")?;
        let text = |name: &str| {
            asked[name].as_str().map(str::to_owned).filter(|text| !text.trim().is_empty())
        };
        let hits = match text("hitCondition") {
            None => None,
            Some(text) => Some(HitRule::read(&text).ok_or_else(|| {
                format!("`{text}` is not a number of hits: write 5, > 5, >= 5, < 5, <= 5 or % 5")
            })?),
        };
        let wanted = Wanted {
            line: self.lines.line_in(line),
            condition: text("condition"),
            hits,
            log: text("logMessage"),
            chain: None,
        };
        let sources = self.sources.as_ref().ok_or("there is no run yet")?;
        let (_, source) = sources.by_path(path).ok_or("the program did not load this file")?;
        let place = sources.statement(source, wanted.line);
        let place = place.ok_or("there is no statement at this line or after it")?;
        let session = self.session()?;
        let id = session.breakpoints.add(place.clone(), wanted);
        Ok((place, id))
    }

    /// Places what was asked for before there was a run, and tells the client.
    pub(super) fn resolve_breakpoints(&mut self) {
        let files: Vec<(String, Vec<Value>)> = std::mem::take(&mut self.asked.files)
            .into_iter()
            .map(|(path, all)| (path, all.into_iter().map(|(asked, _)| asked).collect()))
            .collect();
        for (path, all) in files {
            let path = self.path_of(&json!({ "path": path })).unwrap_or(path);
            for answer in self.place_breakpoints(&path, all) {
                self.out.event("breakpoint", json!({ "reason": "new", "breakpoint": answer }));
            }
        }
        let exceptions = self.asked.exceptions;
        if let State::Standing(session) = &mut self.state {
            session.exceptions = exceptions;
        }
    }

    pub(super) fn set_exceptions(&mut self, arguments: &Value) -> Answered {
        let filters = arguments["filters"].as_array().cloned().unwrap_or_default();
        let options = arguments["filterOptions"].as_array().cloned().unwrap_or_default();
        let names: Vec<Value> = filters
            .into_iter()
            .chain(options.iter().map(|option| option["filterId"].clone()))
            .collect();
        let exceptions = if names.iter().any(|name| name == "all") {
            Exceptions::All
        } else if names.iter().any(|name| name == "uncaught") {
            Exceptions::Uncaught
        } else {
            Exceptions::None
        };
        self.asked.exceptions = exceptions;
        let was_in_chain = self.asked.in_chain;
        self.asked.in_chain = names.iter().any(|name| name == "chain");
        if let State::Standing(session) = &mut self.state {
            session.exceptions = exceptions;
        }
        if !self.asked.in_chain || !was_in_chain {
            self.keep_to_chain()?;
        }
        Ok(
            json!({ "breakpoints": names.iter().map(|_| json!({ "verified": true })).collect::<Vec<_>>() }),
        )
    }

    /// Lets only the chain of the present invocation count, or everything again. Before the program has
    /// stopped anywhere there is no such invocation: the first stop makes it.
    pub(super) fn keep_to_chain(&mut self) -> Result<(), String> {
        let wanted = self.asked.in_chain && self.has_stopped;
        let State::Standing(session) = &mut self.state else { return Ok(()) };
        session.chain = match wanted {
            true => Some(session.links().map_err(|trouble| trouble.to_string())?),
            false => None,
        };
        Ok(())
    }

    /// What identifies a variable or property: the place of a declaration, and a path from there.
    pub(super) fn data_breakpoint_info(&mut self, arguments: &Value) -> Answered {
        let name = arguments["name"].as_str().ok_or("a variable has a name")?;
        let reference = arguments["variablesReference"].as_u64().unwrap_or(0);
        let mut watch = self.watchable.get(&(reference, name.to_owned())).cloned();
        let mut refusal = "changes of this cannot be watched".to_owned();
        if watch.is_none() && reference == 0 {
            let frame = arguments["frameId"].as_u64().unwrap_or(1).saturating_sub(1);
            let frame = u32::try_from(frame).unwrap_or(0);
            match self.ask(&Question::Watch(frame, name.to_owned())) {
                Ok(Answer::Watch(found)) => watch = Some(found),
                Ok(_) => {}
                Err(reason) => refusal = reason,
            }
        }
        Ok(match watch {
            Some(watch) => json!({
                "dataId": serde_json::to_string(&watch).unwrap_or_default(),
                "description": format!("changes of {name}"),
                "accessTypes": ["write"],
                "canPersist": false,
            }),
            None => json!({ "dataId": null, "description": refusal }),
        })
    }

    pub(super) fn set_data_breakpoints(&mut self, arguments: &Value) -> Answered {
        let asked = arguments["breakpoints"].as_array().cloned().unwrap_or_default();
        let session = self.session()?;
        session.watches.clear();
        let mut answers = Vec::new();
        for (id, asked) in (FIRST_WATCH..).zip(asked) {
            let watch =
                asked["dataId"].as_str().and_then(|id| serde_json::from_str::<Watched>(id).ok());
            answers.push(match watch {
                Some(watch) => {
                    session.watches.push(Watched { id, ..watch });
                    json!({ "id": id, "verified": true })
                }
                None => json!({ "verified": false, "message": "this was no answer to dataBreakpointInfo" }),
            });
        }
        Ok(json!({ "breakpoints": answers }))
    }

    pub(super) fn breakpoint_locations(&mut self, arguments: &Value) -> Answered {
        let path = self.path_of(&arguments["source"])?;
        let first = self.lines.line_in(arguments["line"].as_u64().unwrap_or(0));
        let last = arguments["endLine"].as_u64().map_or(first, |line| self.lines.line_in(line));
        let sources = self.sources.as_ref().ok_or("there is no run yet")?;
        let Some((_, source)) = sources.by_path(&path) else {
            return Ok(json!({ "breakpoints": [] }));
        };
        let mut places = sources.statements(source);
        places.retain(|(line, _)| (first..=last).contains(line));
        places.dedup();
        let shown = places.iter().map(|&(line, column)| {
            json!({ "line": self.lines.line_out(line), "column": self.lines.column_out(column) })
        });
        Ok(json!({ "breakpoints": shown.collect::<Vec<_>>() }))
    }
}
