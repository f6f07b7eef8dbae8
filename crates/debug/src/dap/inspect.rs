//! Requests about where the program stands.

use super::{Answered, Server, show};
use crate::launch::Launcher;
use crate::model::{Answer, Question, Reason, Thrown, Variable};
use crate::session::Verb;
use serde_json::{Value, json};

impl<L: Launcher> Server<L> {
    pub(super) fn ask(&mut self, question: &Question) -> Result<Answer, String> {
        match self.session()?.ask(question) {
            Ok(Answer::Refused(reason)) => Err(reason),
            Ok(answer) => Ok(answer),
            Err(trouble) => Err(trouble.to_string()),
        }
    }

    pub(super) fn stack_trace(&mut self, arguments: &Value) -> Answered {
        let Answer::Frames(frames, attached) = self.ask(&Question::Frames)? else {
            return Err("the stack is not known".into());
        };
        let all = show::frames(self.sources.as_ref(), &frames, &attached, &self.lines);
        let total = all.len();
        let start = arguments["startFrame"].as_u64().unwrap_or(0) as usize;
        let levels = match arguments["levels"].as_u64().unwrap_or(0) {
            0 => total,
            levels => levels as usize,
        };
        let shown: Vec<Value> = all.into_iter().skip(start).take(levels).collect();
        Ok(json!({ "stackFrames": shown, "totalFrames": total }))
    }

    /// The number of a frame that runs, the innermost being 0.
    fn frame(arguments: &Value) -> Result<u32, String> {
        match arguments["frameId"].as_u64() {
            None => Ok(0),
            Some(id) => {
                let index = id.checked_sub(1).and_then(|index| u32::try_from(index).ok());
                index.ok_or_else(|| "there is no such frame".into())
            }
        }
    }

    pub(super) fn scopes(&mut self, arguments: &Value) -> Answered {
        let frame = Self::frame(arguments)?;
        let Answer::Scopes(scopes) = self.ask(&Question::Scopes(frame))? else {
            return Err("the scopes are not known".into());
        };
        let shown = scopes.iter().map(|scope| {
            self.paths.insert(scope.reference, (frame, String::new()));
            let hint = if scope.name == "Local" { json!("locals") } else { Value::Null };
            let mut shown = json!({
                "name": scope.name,
                "variablesReference": scope.reference,
                "expensive": scope.expensive,
            });
            if !hint.is_null() {
                shown["presentationHint"] = hint;
            }
            shown
        });
        let shown: Vec<Value> = shown.collect();
        Ok(json!({ "scopes": shown }))
    }

    pub(super) fn variables(&mut self, arguments: &Value) -> Answered {
        let number = |name: &str| arguments[name].as_u64().unwrap_or(0);
        let reference = number("variablesReference");
        let question =
            Question::Variables { reference, start: number("start"), count: number("count") };
        let Answer::Variables(variables, _) = self.ask(&question)? else {
            return Err("the variables are not known".into());
        };
        let parent = self.paths.get(&reference).cloned();
        let shown = variables.iter().map(|variable| {
            let path = parent.as_ref().map(|(frame, path)| (*frame, member(path, &variable.name)));
            if let Some(watch) = &variable.watch {
                self.watchable.insert((reference, variable.name.clone()), watch.clone());
            }
            if let (Some(path), true) = (&path, variable.reference > 0) {
                self.paths.insert(variable.reference, path.clone());
            }
            let mut shown = value(variable, "value");
            shown["name"] = variable.name.clone().into();
            if let Some((_, path)) = path {
                shown["evaluateName"] = path.into();
            }
            shown
        });
        let shown: Vec<Value> = shown.collect();
        Ok(json!({ "variables": shown }))
    }

    pub(super) fn evaluate(&mut self, arguments: &Value) -> Answered {
        let expression = arguments["expression"].as_str().ok_or("an expression is a text")?.trim();
        if arguments["context"] == "repl"
            && let Some(command) = expression.strip_prefix('.')
            && let Some(verb) = verb(command)
        {
            // The answer says nothing: the stop that follows does.
            self.go(verb);
            return Ok(json!({ "result": "", "variablesReference": 0 }));
        }
        let frame = Self::frame(arguments)?;
        match self.ask(&Question::Evaluate(frame, expression.to_owned()))? {
            Answer::Value(variable) => {
                if variable.reference > 0 {
                    self.paths.insert(variable.reference, (frame, format!("({expression})")));
                }
                Ok(value(&variable, "result"))
            }
            _ => Err("the value is not known".into()),
        }
    }

    pub(super) fn exception_info(&mut self) -> Answered {
        match self.session()?.reason() {
            Reason::Exception(Thrown { text, is_uncaught, .. }) => {
                let name = text.split([':', '\n']).next().unwrap_or("Error");
                Ok(json!({
                    "exceptionId": name,
                    "description": text,
                    "breakMode": if *is_uncaught { "unhandled" } else { "always" },
                }))
            }
            _ => Err("the program does not stand at an exception".into()),
        }
    }

    pub(super) fn loaded_sources(&self) -> Value {
        let sources = self.sources.as_ref();
        let paths =
            sources.into_iter().flat_map(|all| all.iter().map(|source| source.path.clone()));
        let shown: Vec<Value> = paths.map(|path| show::source(sources, &path)).collect();
        json!({ "sources": shown })
    }

    pub(super) fn source(&self, arguments: &Value) -> Answered {
        let sources = self.sources.as_ref().ok_or("there is no run yet")?;
        let reference = [&arguments["source"]["sourceReference"], &arguments["sourceReference"]];
        let number = reference.iter().find_map(|value| value.as_u64().filter(|&number| number > 0));
        let path = arguments["source"]["path"].as_str();
        let by_number = number.and_then(|number| sources.by_number(number as usize));
        let source = by_number.or_else(|| sources.by_path(path?).map(|(_, source)| source));
        let source = source.ok_or("the program did not load this file")?;
        Ok(json!({ "content": source.text, "mimeType": "text/javascript" }))
    }
}

/// How many characters of a value are shown.
const LONGEST: usize = 10_000;

/// A value, under the name that the answer has for it.
fn value(variable: &Variable, name: &str) -> Value {
    let shown = match variable.value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &variable.value[..end]),
        None => variable.value.clone(),
    };
    json!({
        name: shown,
        "type": variable.kind,
        "variablesReference": variable.reference,
    })
}

/// How a member of something is written; without something, a variable.
fn member(path: &str, name: &str) -> String {
    let is_name = name.starts_with(|first: char| first.is_alphabetic() || "_$#".contains(first))
        && name.chars().all(|char| char.is_alphanumeric() || "_$#".contains(char));
    match (path.is_empty(), is_name) {
        (true, _) => name.to_owned(),
        (false, true) => format!("{path}.{name}"),
        (false, false) if name.parse::<u32>().is_ok() => format!("{path}[{name}]"),
        (false, false) => format!("{path}[{}]", Value::from(name)),
    }
}

/// The way that a word in the console means: clients have no buttons for all of them.
fn verb(command: &str) -> Option<Verb> {
    Some(match command.split_whitespace().collect::<Vec<_>>()[..] {
        ["link"] => Verb::Link,
        ["cause"] => Verb::Cause,
        ["chain"] => Verb::ReverseContinueChain,
        ["back"] => Verb::Back,
        ["back-into"] => Verb::BackInto,
        ["back-out"] => Verb::BackOut,
        ["goto", step] => Verb::Goto(step.parse().ok()?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_as_expressions() {
        assert_eq!(member("", "x"), "x");
        assert_eq!(member("a.b", "c"), "a.b.c");
        assert_eq!(member("a", "3"), "a[3]");
        assert_eq!(member("a", "x-y"), "a[\"x-y\"]");
        assert_eq!(member("this", "#p"), "this.#p");
    }
}
