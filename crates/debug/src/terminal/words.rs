//! The commands of the terminal front end.

use crate::breakpoints::HitRule;
use crate::model::Exceptions;
use crate::session::Verb;

/// What can be typed.
pub(super) const HELP: &str = "\
break [FILE:]LINE [if EXPR]   stop before a line; bare `break` is no command
break [FILE:]LINE chain       only in this invocation and those that led to it
cond N [EXPR]                 stop at breakpoint N only if EXPR; without, always
hits N RULE                   stop at breakpoint N only some times: 3, > 3, % 10
delete N                      remove breakpoint or watch N
watch EXPR                    stop when a variable or property changes
catch all|uncaught|none       stop at exceptions
log [FILE:]LINE EXPR          print EXPR for each time the run is there, now
continue c                    to the next stop       rcontinue rc   to the one before
rcontinue chain               to the one before in those that led here
next n                        the next statement     back b rnext   the one before
step s                        into functions         rstep          back into them
out                           out of this function   rout           to where it was called
link                          to the statement that attached this invocation
cause                         to the statement that made it able to run
goto STEP, start, end         to a position
where bt                      the stack, and who attached what runs
frame N                       look at another frame
list l [LINE]                 the text
print p EXPR                  the value of an expression
locals                        all variables of the frame
sources, info, help, quit q
";

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Help,
    Quit,
    Go(Verb),
    Start,
    End,
    Break { what: What, in_chain: bool, condition: Option<String> },
    Condition(u64, Option<String>),
    Hits(u64, HitRule),
    Delete(u64),
    Log(What, String),
    Watch(String),
    Catch(Exceptions),
    Where,
    Frame(u32),
    List(Option<u32>),
    Print(String),
    Locals,
    Sources,
    Info,
}

/// A line of a file, or of the current one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct What {
    pub(super) file: Option<String>,
    pub(super) line: u32,
}

/// Reads a command; what is wrong with it, if it is none.
pub(super) fn read(text: &str) -> Result<Command, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let alone = |command: Command| match rest {
        "" => Ok(command),
        _ => Err(format!("`{word}` takes nothing after it")),
    };
    let go = |verb: Verb| alone(Command::Go(verb));
    match word {
        "help" | "h" | "?" => alone(Command::Help),
        "quit" | "q" | "exit" => alone(Command::Quit),
        "continue" | "c" => go(Verb::Continue),
        "next" | "n" => go(Verb::Next),
        "step" | "s" => go(Verb::StepIn),
        "out" | "finish" => go(Verb::StepOut),
        "back" | "b" | "rnext" => go(Verb::Back),
        "rstep" => go(Verb::BackInto),
        "rout" => go(Verb::BackOut),
        "rcontinue" | "rc" if rest == "chain" => Ok(Command::Go(Verb::ReverseContinueChain)),
        "rcontinue" | "rc" => go(Verb::ReverseContinue),
        "link" => go(Verb::Link),
        "cause" => go(Verb::Cause),
        "goto" => Ok(Command::Go(Verb::Goto(number(rest, "goto STEP")?))),
        "start" => alone(Command::Start),
        "end" => alone(Command::End),
        "break" => {
            let (what, condition) = match rest.split_once(" if ") {
                Some((what, condition)) => (what, Some(condition.trim().to_owned())),
                None => (rest, None),
            };
            let chained = what.trim().strip_suffix(" chain");
            Ok(Command::Break {
                what: what_of(chained.unwrap_or(what), "break FILE:LINE [chain] [if EXPR]")?,
                in_chain: chained.is_some(),
                condition,
            })
        }
        "cond" => {
            let (id, condition) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let condition = Some(condition.trim().to_owned()).filter(|text| !text.is_empty());
            Ok(Command::Condition(number(id, "cond N EXPR")?, condition))
        }
        "hits" => {
            let (id, rule) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let id = number(id, "hits N RULE")?;
            let rule = HitRule::read(rule).ok_or("a rule is 5, > 5, >= 5, < 5, <= 5 or % 5")?;
            Ok(Command::Hits(id, rule))
        }
        "delete" | "d" => Ok(Command::Delete(number(rest, "delete N")?)),
        "log" => {
            let (what, message) = log_point(rest)?;
            Ok(Command::Log(what, message))
        }
        "watch" => needed(rest, "watch EXPR").map(Command::Watch),
        "catch" => match rest {
            "all" => Ok(Command::Catch(Exceptions::All)),
            "uncaught" | "" => Ok(Command::Catch(Exceptions::Uncaught)),
            "none" => Ok(Command::Catch(Exceptions::None)),
            _ => Err("say catch all, catch uncaught or catch none".into()),
        },
        "where" | "bt" | "backtrace" => alone(Command::Where),
        "frame" | "f" => {
            let frame = number(rest, "frame N")?;
            u32::try_from(frame).map(Command::Frame).map_err(|_| "there are not so many".into())
        }
        "list" | "l" if rest.is_empty() => Ok(Command::List(None)),
        "list" | "l" => {
            let line = number(rest, "list [LINE]")?;
            Ok(Command::List(Some(u32::try_from(line).unwrap_or(u32::MAX / 2))))
        }
        "print" | "p" => needed(rest, "print EXPR").map(Command::Print),
        "locals" => alone(Command::Locals),
        "sources" => alone(Command::Sources),
        "info" | "i" => alone(Command::Info),
        _ => Err(format!("there is no command `{word}`; `help` lists them")),
    }
}

/// A place and a message: `app.js:12 total`, or with braces for expressions in a text.
pub(super) fn log_point(text: &str) -> Result<(What, String), String> {
    let usage = "log FILE:LINE EXPR";
    let text = text.trim();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut gaps = text.match_indices(char::is_whitespace).map(|(at, _)| at);
    // The name of a file may have blanks in it: the place ends with the number of a line.
    let ends =
        gaps.clone().find(|&at| is_number(text[..at].rsplit(':').next().unwrap_or_default()));
    let end = ends.or_else(|| gaps.next()).ok_or_else(|| format!("say {usage}"))?;
    let (what, message) = text.split_at(end);
    let message = message.trim();
    let is_message = message.contains('{') && !message.starts_with(['{', '(', '[']);
    let message = if is_message { message.to_owned() } else { format!("{{{message}}}") };
    Ok((what_of(what, usage)?, message))
}

fn needed(text: &str, usage: &str) -> Result<String, String> {
    if text.is_empty() { Err(format!("say {usage}")) } else { Ok(text.to_owned()) }
}

fn number(text: &str, usage: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("say {usage}, with a number"))
}

fn what_of(text: &str, usage: &str) -> Result<What, String> {
    let text = text.trim();
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (Some(file.to_owned()), line),
        None => (None, text),
    };
    match line.parse() {
        Ok(line) if line > 0 && file.as_deref() != Some("") => Ok(What { file, line }),
        _ => Err(format!("say {usage}, with the number of a line")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let what = |file: Option<&str>, line| What { file: file.map(str::to_owned), line };
        assert_eq!(read("c"), Ok(Command::Go(Verb::Continue)));
        assert_eq!(read("goto 17"), Ok(Command::Go(Verb::Goto(17))));
        assert_eq!(
            read("break a/b.js:3 if x > 1"),
            Ok(Command::Break {
                what: what(Some("a/b.js"), 3),
                in_chain: false,
                condition: Some("x > 1".into())
            })
        );
        let at = |in_chain, condition: Option<&str>| {
            let condition = condition.map(str::to_owned);
            Ok(Command::Break { what: what(None, 3), in_chain, condition })
        };
        assert_eq!(read("break 3"), at(false, None));
        assert_eq!(read("break 3 chain"), at(true, None));
        assert_eq!(read("break 3 chain if chain"), at(true, Some("chain")));
        assert_eq!(read("rc chain"), Ok(Command::Go(Verb::ReverseContinueChain)));
        assert_eq!(read("cond 1"), Ok(Command::Condition(1, None)));
        assert_eq!(read("log 3 x + 1"), Ok(Command::Log(what(None, 3), "{x + 1}".into())));
        let spaced = Command::Log(what(Some("my app.js"), 12), "{total + 1}".into());
        assert_eq!(read("log my app.js:12  total + 1"), Ok(spaced));
        assert_eq!(read("log 3 x is {x}"), Ok(Command::Log(what(None, 3), "x is {x}".into())));
        assert_eq!(read("p  a b "), Ok(Command::Print("a b".into())));
        assert_eq!(read("l"), Ok(Command::List(None)));
    }

    #[test]
    fn what_is_no_command_is_told() {
        for text in [
            "fly",
            "goto",
            "goto x",
            "break",
            "break x.js",
            "break :3",
            "break x:0",
            "c 5",
            "hits 1 x",
            "cond x",
            "print",
            "frame",
            "catch x",
            "log 3",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
