//! A plain front end: a line is a command, and what comes of it is text.

mod words;

use crate::breakpoints::Wanted;
use crate::model::{
    Answer, Attached, Exceptions, Frame, Hit, Place, Question, Reason, Variable, Watched,
};
use crate::replica::{End, Listener, Replica, Trouble, Way, Wish};
use crate::session::{Session, Verb};
use crate::sources::Sources;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use words::{Command, HELP, What};

/// How many lines are shown before and after the current one.
const AROUND: u32 = 5;
/// How many characters of a value are shown in a list.
const WIDEST: usize = 150;
/// How many properties are shown of a value.
const MOST: usize = 100;

/// Tells how far a run is on its way; nothing when it has arrived, or when something else is shown.
pub type Tell = Box<dyn FnMut(Option<&Way>)>;

/// Talks with a user until there is nothing more to read, or no more wish to.
pub fn converse<R: Replica>(
    session: &mut Session<R>,
    sources: &Sources,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    has_prompt: bool,
    interrupt: &AtomicBool,
    tell: Tell,
) -> io::Result<()> {
    let shown = Shown { tell, is_within: false };
    let mut talk = Talk { session, sources, out, interrupt, shown, frame: 0, listed: None };
    talk.show_stop()?;
    let mut line = String::new();
    let mut last: Option<Command> = None;
    loop {
        if has_prompt {
            write!(talk.out, "(hemiola) ")?;
        }
        talk.out.flush()?;
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        // Pressed at the prompt, it is not meant for what runs next.
        interrupt.store(false, Ordering::Relaxed);
        let text = line.trim();
        let command = match (text.is_empty(), &last) {
            // As debuggers do, for a user who goes on pressing the key.
            (true, Some(last)) if has_prompt => last.clone(),
            (true, _) => continue,
            (false, _) if text.starts_with('#') => continue,
            (false, _) => match words::read(text) {
                Ok(command) => command,
                Err(reason) => {
                    writeln!(talk.out, "error: {reason}")?;
                    continue;
                }
            },
        };
        if command == Command::Quit {
            return Ok(());
        }
        last = Some(command.clone());
        if let Err(trouble) = talk.perform(command) {
            match trouble {
                Problem::Io(error) => return Err(error),
                Problem::Said(text) => writeln!(talk.out, "error: {text}")?,
            }
        }
    }
}

/// Runs the whole program and prints what log points say between what the program prints.
pub fn log<R: Replica>(
    session: &mut Session<R>,
    sources: &Sources,
    points: &[String],
    interrupt: &AtomicBool,
    out: &mut dyn Write,
    tell: Tell,
) -> Result<End, String> {
    for point in points {
        let (what, message) = words::log_point(point)?;
        let place = place(sources, None, &what)?;
        session.breakpoints.add(place, Wanted { log: Some(message), ..Wanted::default() });
    }
    let points = session.breakpoints.iter().map(|(point, _)| point.clone()).collect();
    let mut shown = Shown { tell, is_within: false };
    let mut ear = Ear { out, interrupt, shown: &mut shown, logs: true, error: None };
    let surveyed = session.survey(points, true, &mut ear);
    shown.over();
    match surveyed {
        Ok(end) => Ok(end),
        // Whoever reads it wants no more.
        Err(Trouble::Left) => Ok(End::default()),
        Err(trouble) => Err(trouble.to_string()),
    }
}

/// Why a command was not done.
enum Problem {
    /// Nobody can be told.
    Io(io::Error),
    /// This is told.
    Said(String),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<String> for Problem {
    fn from(text: String) -> Self {
        Self::Said(text)
    }
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Self {
        Self::Said(trouble.to_string())
    }
}

struct Talk<'a, R> {
    session: &'a mut Session<R>,
    sources: &'a Sources,
    out: &'a mut dyn Write,
    /// Whether somebody wants the program to pause.
    interrupt: &'a AtomicBool,
    shown: Shown,
    /// The frame that is looked at.
    frame: u32,
    /// The last line that was listed.
    listed: Option<u32>,
}

impl<R: Replica> Talk<'_, R> {
    fn perform(&mut self, command: Command) -> Result<(), Problem> {
        match command {
            Command::Help => write!(self.out, "{HELP}")?,
            Command::Go(verb) => self.go(verb)?,
            Command::Start => self.go(Verb::Goto(self.session.entry()))?,
            Command::End => self.go(Verb::Goto(u64::MAX))?,
            Command::Break { what, in_chain, condition } => {
                let place = self.place(&what)?;
                let shown = self.short(&place);
                let chain = if in_chain { Some(self.session.links()?) } else { None };
                let wanted = Wanted { condition, chain, ..Wanted::default() };
                let id = self.session.breakpoints.add(place, wanted);
                writeln!(self.out, "breakpoint {id} at {shown}")?;
            }
            Command::Hits(id, rule) => {
                let known = self.session.breakpoints.set_hits(id, rule);
                self.found(known, id)?;
                let (session, mut ear) = self.listening(false);
                let counted = session.count_hits(&mut ear);
                self.shown.over();
                counted?;
            }
            Command::Condition(id, condition) => {
                let known = self.session.breakpoints.set_condition(id, condition);
                self.found(known, id)?;
            }
            Command::Delete(id) => {
                let before = self.session.watches.len();
                self.session.watches.retain(|watch| watch.id != id);
                let known =
                    self.session.breakpoints.remove(id) || self.session.watches.len() < before;
                self.found(known, id)?;
            }
            Command::Log(what, message) => self.log(&what, message)?,
            Command::Watch(expression) => self.watch(&expression)?,
            Command::Catch(exceptions) => self.session.exceptions = exceptions,
            Command::Where => self.stack()?,
            Command::Frame(frame) => {
                let (frames, _) = self.frames()?;
                let found = frames.get(frame as usize);
                let found = found.ok_or_else(|| format!("there is no frame {frame}"))?;
                self.frame = frame;
                let shown = self.frame_line(frame as usize, found);
                writeln!(self.out, "{shown}")?;
            }
            Command::List(line) => self.list(line)?,
            Command::Print(expression) => {
                let question = Question::Evaluate(self.frame, expression);
                let Answer::Value(value) = self.ask(&question)? else { return Ok(()) };
                writeln!(self.out, "{}", value.value)?;
                self.properties(&value)?;
            }
            Command::Locals => self.locals()?,
            Command::Sources => {
                for source in self.sources.iter() {
                    let note = if source.differs { "  (has changed since)" } else { "" };
                    writeln!(self.out, "{}{note}", source.path)?;
                }
            }
            Command::Info => self.info()?,
            Command::Quit => {}
        }
        Ok(())
    }

    fn go(&mut self, verb: Verb) -> Result<(), Problem> {
        if *self.session.reason() == Reason::End && verb == Verb::Continue {
            return Err("this is the end of the recording; go back, or quit".to_owned().into());
        }
        let (session, mut ear) = self.listening(false);
        let result = session.go(verb, &mut ear);
        let error = ear.error;
        self.shown.over();
        if let Some(error) = error {
            return Err(error.into());
        }
        result?;
        self.frame = 0;
        self.listed = None;
        self.show_stop()?;
        Ok(())
    }

    /// The session, and who hears it.
    fn listening(&mut self, logs: bool) -> (&mut Session<R>, Ear<'_>) {
        let Self { session, out, interrupt, shown, .. } = self;
        (session, Ear { out: &mut **out, interrupt, shown, logs, error: None })
    }

    fn show_stop(&mut self) -> io::Result<()> {
        let at = self.session.at().clone();
        let why = match self.session.reason() {
            Reason::Step | Reason::Slice => String::new(),
            Reason::Breakpoint(ids) if ids.is_empty() => "debugger statement: ".into(),
            Reason::Breakpoint(ids) => {
                let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
                format!("breakpoint {}: ", ids.join(", "))
            }
            Reason::Exception(thrown) => {
                let kind = if thrown.is_uncaught { "uncaught" } else { "thrown" };
                format!("{kind} {}: ", thrown.text.lines().next().unwrap_or_default())
            }
            Reason::Changed(id, before, after) => {
                format!("watch {id}, changed from {before} to {after}: ")
            }
            Reason::Entry => "the beginning: ".into(),
            Reason::Pause => "paused: ".into(),
            Reason::End => {
                let end = self.session.end();
                if let Some(trouble) = end.and_then(|end| end.trouble.as_ref()) {
                    write!(self.out, "{trouble}")?;
                }
                format!("the end, {}: ", end.map_or_else(String::new, End::words))
            }
        };
        let place = self.short(&at.place);
        writeln!(self.out, "{why}step {} in #{} at {place}", at.step, at.invocation)?;
        if let Some(text) = self.sources.line(&at.place.file, at.place.line) {
            writeln!(self.out, "{:>5} | {text}", at.place.line)?;
        }
        Ok(())
    }

    /// A place, with the name of its file alone if that is enough.
    fn short(&self, place: &Place) -> String {
        let name = place.file.rsplit('/').next().unwrap_or(&place.file);
        let file = if self.sources.meant(name).is_some() { name } else { &place.file };
        format!("{file}:{}:{}", place.line, place.column)
    }

    fn place(&self, what: &What) -> Result<Place, String> {
        place(self.sources, Some(&self.session.at().place.file), what)
    }

    fn found(&mut self, found: bool, id: u64) -> Result<(), Problem> {
        if found {
            return Ok(());
        }
        Err(format!("there is no breakpoint {id}; `info` lists them").into())
    }

    fn log(&mut self, what: &What, message: String) -> Result<(), Problem> {
        let place = self.place(what)?;
        let id =
            self.session.breakpoints.add(place, Wanted { log: Some(message), ..Wanted::default() });
        let point = self.session.breakpoints.iter().find(|(point, _)| point.id == id);
        let points = point.map(|(point, _)| point.clone()).into_iter().collect();
        let (session, mut ear) = self.listening(true);
        // What it says, it says at once, of the whole run.
        let result = session.survey(points, false, &mut ear);
        let error = ear.error;
        self.shown.over();
        self.session.breakpoints.remove(id);
        if let Some(error) = error {
            return Err(error.into());
        }
        result?;
        Ok(())
    }

    fn watch(&mut self, expression: &str) -> Result<(), Problem> {
        let question = Question::Watch(self.frame, expression.to_owned());
        let Answer::Watch(watch) = self.ask(&question)? else { return Ok(()) };
        let question = Question::Evaluate(self.frame, expression.to_owned());
        let now = match self.ask(&question) {
            Ok(Answer::Value(value)) => format!(", now {}", shortened(&value.value)),
            _ => String::new(),
        };
        let id = self.session.breakpoints.next_id();
        self.session.watches.push(Watched { id, ..watch });
        writeln!(self.out, "watch {id}: {expression}{now}")?;
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Answer, Problem> {
        match self.session.ask(question)? {
            Answer::Refused(reason) => Err(reason.into()),
            answer => Ok(answer),
        }
    }

    fn frames(&mut self) -> Result<(Vec<Frame>, Vec<Attached>), Problem> {
        match self.ask(&Question::Frames)? {
            Answer::Frames(frames, attached) => Ok((frames, attached)),
            _ => Ok((Vec::new(), Vec::new())),
        }
    }

    fn frame_line(&self, index: usize, frame: &Frame) -> String {
        let name = frame.name();
        format!("{index:>3}  {name} at {}", self.short(&frame.place))
    }

    fn stack(&mut self) -> Result<(), Problem> {
        let (frames, attached) = self.frames()?;
        for (index, frame) in frames.iter().enumerate() {
            let line = self.frame_line(index, frame);
            writeln!(self.out, "{line}")?;
        }
        for Attached { invocation, step, place, .. } in attached {
            let who =
                if invocation <= 1 { "the main program".into() } else { format!("#{invocation}") };
            let at = place.map_or_else(String::new, |place| format!(" at {}", self.short(&place)));
            let step = step.map_or_else(String::new, |step| format!(", step {step}"));
            writeln!(self.out, "     linked by {who}{at}{step}")?;
        }
        Ok(())
    }

    fn list(&mut self, line: Option<u32>) -> Result<(), Problem> {
        let place = self.session.at().place.clone();
        let (_, source) = self
            .sources
            .by_path(&place.file)
            .ok_or_else(|| format!("the source of {} is not known", place.file))?;
        let first = match (line, self.listed) {
            (Some(line), _) => line.saturating_sub(AROUND),
            (None, Some(listed)) => listed + 1,
            (None, None) => place.line.saturating_sub(AROUND),
        }
        .max(1);
        let last = first + 2 * AROUND;
        for (number, text) in (1..).zip(source.text.lines()) {
            if (first..=last).contains(&number) {
                let mark = if number == place.line { ">" } else { " " };
                writeln!(self.out, "{mark}{number:>4} | {text}")?;
                self.listed = Some(number);
            }
        }
        Ok(())
    }

    fn locals(&mut self) -> Result<(), Problem> {
        let Answer::Scopes(scopes) = self.ask(&Question::Scopes(self.frame))? else {
            return Ok(());
        };
        for scope in scopes.iter().filter(|scope| !scope.expensive) {
            let question =
                Question::Variables { reference: scope.reference, start: 0, count: MOST as u64 };
            let Answer::Variables(variables, total) = self.ask(&question)? else { continue };
            if variables.is_empty() {
                continue;
            }
            writeln!(self.out, "{}", scope.name)?;
            self.list_variables(&variables, total)?;
        }
        Ok(())
    }

    fn properties(&mut self, value: &Variable) -> Result<(), Problem> {
        if value.reference == 0 {
            return Ok(());
        }
        let question =
            Question::Variables { reference: value.reference, start: 0, count: MOST as u64 };
        if let Answer::Variables(variables, total) = self.ask(&question)? {
            self.list_variables(&variables, total)?;
        }
        Ok(())
    }

    fn list_variables(&mut self, variables: &[Variable], total: u64) -> Result<(), Problem> {
        for Variable { name, value, .. } in variables {
            writeln!(self.out, "  {name} = {}", shortened(value))?;
        }
        let left = total.saturating_sub(variables.len() as u64);
        if left > 0 {
            writeln!(self.out, "  and {left} more")?;
        }
        Ok(())
    }

    fn info(&mut self) -> Result<(), Problem> {
        let at = self.session.at();
        let (invocation, link, cause) = (at.invocation, at.link, at.cause);
        let step = at.step;
        let place = self.short(&at.place);
        writeln!(self.out, "step {step} at {place}")?;
        writeln!(self.out, "invocation #{invocation}, linked by #{link}, caused by #{cause}")?;
        if let Some(end) = self.session.end() {
            let steps = end.steps;
            match end.is_killed {
                true => writeln!(self.out, "the run has {steps} steps and was killed")?,
                false => {
                    let code = end.code;
                    writeln!(
                        self.out,
                        "the run has {steps} steps and ends with exit status {code}"
                    )?;
                }
            }
        }
        writeln!(self.out, "checkpoints: {}", self.session.checkpoints())?;
        let lines: Vec<String> = self
            .session
            .breakpoints
            .iter()
            .map(|(point, rule)| {
                let condition = point.condition.as_ref().map(|text| format!(" if {text}"));
                let rule = rule.map(|rule| format!(", {rule}"));
                let chain = point.chain.as_ref().and_then(|chain| chain.last());
                let chain = chain.map(|last| format!(", in the chain of #{last}"));
                format!(
                    "breakpoint {} at {}{}{}{}",
                    point.id,
                    self.short(&point.place),
                    condition.unwrap_or_default(),
                    rule.unwrap_or_default(),
                    chain.unwrap_or_default()
                )
            })
            .collect();
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        for watch in &self.session.watches {
            let path: String = watch.path.iter().map(|name| format!(".{name}")).collect();
            writeln!(self.out, "watch {}: {}{path}", watch.id, watch.name)?;
        }
        match self.session.exceptions {
            Exceptions::None => {}
            Exceptions::Uncaught => writeln!(self.out, "stops at uncaught exceptions")?,
            Exceptions::All => writeln!(self.out, "stops at all exceptions")?,
        }
        Ok(())
    }
}

/// A value, as far as it fits into a line or two.
fn shortened(value: &str) -> String {
    match value.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

/// The statement that a user means.
fn place(sources: &Sources, current: Option<&str>, what: &What) -> Result<Place, String> {
    let source = match (&what.file, current) {
        (Some(file), _) => sources
            .meant(file)
            .ok_or_else(|| format!("the program did not load one file `{file}`; see `sources`"))?,
        (None, Some(current)) => {
            let found = sources.by_path(current).map(|(_, source)| source);
            found.ok_or_else(|| format!("the source of {current} is not known"))?
        }
        (None, None) => return Err(format!("name a file: FILE:{}", what.line)),
    };
    sources
        .statement(source, what.line)
        .ok_or_else(|| format!("there is no statement at line {} or after it", what.line))
}

/// Who is told how far a run is, between what it prints.
struct Shown {
    tell: Tell,
    /// Whether the last line that was printed has no end yet.
    is_within: bool,
}

impl Shown {
    fn passes(&mut self, way: &Way) {
        if !self.is_within {
            (self.tell)(Some(way));
        }
    }

    fn prints(&mut self, text: &str) {
        (self.tell)(None);
        self.is_within = !text.ends_with('\n');
    }

    fn over(&mut self) {
        (self.tell)(None);
    }
}

/// Prints what the program prints, and what log points say.
struct Ear<'a> {
    out: &'a mut dyn Write,
    interrupt: &'a AtomicBool,
    shown: &'a mut Shown,
    logs: bool,
    error: Option<io::Error>,
}

impl Ear<'_> {
    fn note(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }
}

impl Listener for Ear<'_> {
    fn printed(&mut self, _: bool, text: &str) {
        self.shown.prints(text);
        let result = self.out.write_all(text.as_bytes());
        self.note(result);
    }

    fn hit(&mut self, hit: Hit) {
        if self.logs {
            let name = hit.place.file.rsplit('/').next().unwrap_or_default();
            let text = hit.text.unwrap_or_default();
            self.shown.prints("\n");
            let result = writeln!(self.out, "[{} {name}:{}] {text}", hit.step, hit.place.line);
            self.note(result);
        }
    }

    fn wish(&mut self, way: &Way) -> Wish {
        self.shown.passes(way);
        match (&self.error, self.interrupt.swap(false, Ordering::Relaxed)) {
            (Some(_), _) => Wish::Leave,
            (None, true) => Wish::Pause,
            (None, false) => Wish::GoOn,
        }
    }

    fn is_leaving(&mut self) -> bool {
        self.error.is_some()
    }
}
