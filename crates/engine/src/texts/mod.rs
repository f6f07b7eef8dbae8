//! A program's text on its way to the engine, and places in it on their way back.

pub mod columns;
pub mod places;

use crate::compiled::Compiled;
use crate::coverage::Counts;
use crate::debug::Session;
use crate::instrument::Accesses;
use crate::state::Settings;
use hemiola_transform::{
    Access, Blamed, Coverage, Culprit, Exchanged, Goal, Language, Positions, Spot, Steps,
    SyntaxError, blame, evaluated,
};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What instructions stand for, by their texts; nothing where that cannot be told.
type Blames = FxHashMap<(String, Spot), Option<Rc<Culprit>>>;

/// The lines of texts, by name.
type Lines = BTreeMap<Rc<str>, Rc<[String]>>;

/// What is known of the texts that the engine got, by the name that it knows them by.
pub struct Texts {
    /// Whether awaits are made known to the runtime.
    contexts: bool,
    hooks: Hooks,
    /// How texts with hooks are made the source's again: one for each mark.
    hooked: RefCell<BTreeMap<String, Steps>>,
    /// The same for texts with counters.
    covered: RefCell<BTreeMap<String, Coverage>>,
    given: Given,
    /// Whether `undo` has grown since it was last asked.
    changed: Cell<bool>,
    /// The lines of the file that a stack was last about.
    pub lines: RefCell<Option<(String, Vec<String>)>>,
    /// The lines of every text, where places in them are wanted all the time: to read a file again is
    /// something that a recording would have to know of.
    kept: Option<RefCell<Lines>>,
    /// Whether places are found without asking anybody for a text.
    pub quiet: Cell<bool>,
    /// What instructions that failed stood for.
    blamed: RefCell<Blames>,
}

/// Who wants something to be in texts that nobody wrote.
#[derive(Default)]
pub struct Hooks {
    /// Where texts are instrumented.
    pub accesses: Option<Rc<Accesses>>,
    /// Where texts get hooks for a debugger.
    pub debug: Option<Rc<Session>>,
    /// Where texts get counters.
    pub coverage: Option<Rc<Counts>>,
}

/// What is known of texts that the engine has got, and so a later run of the same engine knows, too.
#[derive(Clone, Default)]
struct Given {
    /// How instrumented texts are made the source's again: one for each name of the runtime's object.
    instrumented: RefCell<BTreeMap<String, Access>>,
    known: RefCell<BTreeMap<String, Rc<Text>>>,
    /// What was put into functions, with what it stands for: different lists only.
    undo: RefCell<Vec<Vec<(String, &'static str)>>>,
}

/// What ends a line of a program, beside a pair of the first two.
pub const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

struct Text {
    positions: Positions,
    /// How what the engine got comes about again.
    made: Made,
    goal: Goal,
    language: Language,
    /// How many bytes of a wrapper come before the text.
    prefix: u32,
    /// The source, where no file has it.
    source: Option<String>,
    /// The first line of what the engine got, unless it is very long.
    first_line: String,
}

impl Text {
    /// Whether a name begins at a column of the first line, counted from 1.
    fn begins_name(&self, column: u32) -> bool {
        let is_part =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
        let bytes = self.first_line.as_bytes();
        let Some(at) = (column as usize).checked_sub(1) else { return false };
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        bytes.get(at).is_some_and(|&byte| is_part(byte) && !byte.is_ascii_digit())
            && before.is_none_or(|&byte| !is_part(byte) && byte != b'.')
    }
}

/// How a text is to be understood.
#[derive(Clone, Copy)]
pub struct Written {
    /// What it is written in.
    pub language: Language,
    /// Script or module.
    pub goal: Goal,
    /// The globals that are exchanged in it.
    pub exchanged: Exchanged,
}

/// How a text for the engine comes of the source.
#[derive(Clone)]
enum Made {
    /// It is the source.
    Unchanged,
    /// By the transform.
    Transformed(Exchanged),
    /// In another way: this is it.
    Kept(Rc<str>),
}

/// A text as the engine gets it.
pub struct Prepared {
    /// What the engine gets.
    pub code: String,
    /// Whether it is a module.
    pub is_module: bool,
    /// The parameter that must hold the runtime's context object.
    pub context: Option<String>,
    /// The parameter that must hold the object which accesses are told to.
    pub access: Option<String>,
    positions: Positions,
    made: Made,
    language: Language,
}

impl Prepared {
    /// The same for a text that was changed before it was made ready.
    #[must_use]
    pub fn after(self, positions: Positions) -> Self {
        let made = Made::Kept(self.code.as_str().into());
        Self { positions: self.positions.after(positions), made, ..self }
    }
}

impl Texts {
    /// Texts of a run, after those that an earlier run has given to the engine.
    pub fn new(settings: &Settings, hooks: Hooks, before: Option<&Self>) -> Self {
        if let (Some(accesses), Some(before)) =
            (&hooks.accesses, before.and_then(|before| before.hooks.accesses.as_ref()))
        {
            accesses.go_on_from(before);
        }
        Self {
            contexts: settings.contexts,
            hooks,
            hooked: RefCell::default(),
            covered: RefCell::default(),
            given: before.map(|before| before.given.clone()).unwrap_or_default(),
            changed: Cell::new(false),
            lines: RefCell::default(),
            kept: settings
                .keep_sources
                .then(|| before.and_then(|before| before.kept.clone()).unwrap_or_default()),
            quiet: Cell::new(false),
            blamed: RefCell::default(),
        }
    }

    /// The same in the middle of a run, for another that goes on from there. Nobody has put anything into the
    /// texts.
    pub fn go_on(settings: &Settings, before: &Self) -> Self {
        Self {
            changed: before.changed.clone(),
            lines: before.lines.clone(),
            quiet: before.quiet.clone(),
            blamed: before.blamed.clone(),
            ..Self::new(settings, Hooks::default(), Some(before))
        }
    }

    /// A line of a text that was kept, from 1.
    pub fn kept_line(&self, name: &str, line: u32) -> Option<String> {
        let kept = self.kept.as_ref()?.borrow();
        kept.get(name)?.get(line.checked_sub(1)? as usize).cloned()
    }

    /// A text that was kept.
    pub fn kept_source(&self, name: &str) -> Option<String> {
        self.kept.as_ref()?.borrow().get(name).map(|lines| lines.join("\n"))
    }

    /// Makes a text ready for the engine.
    pub fn prepare(
        &self,
        source: &str,
        name: &str,
        written: Written,
        compiled: &Compiled,
    ) -> Result<Prepared, SyntaxError> {
        let Written { language, goal, exchanged } = written;
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        if let Some(kept) = &self.kept {
            let lines = source.replace("\r\n", "\n");
            let lines = lines.split(LINE_ENDS).map(str::to_owned).collect();
            kept.borrow_mut().insert(name.into(), lines);
        }
        if let Some(accesses) = &self.hooks.accesses
            && let Some(text) = accesses.prepare(source, name, language, goal, exchanged)?
        {
            self.note_undo(&text.undo);
            let access = text.access.as_ref().map(|access| access.object.clone());
            if let (Some(object), Some(access)) = (&access, &text.access)
                && !self.given.instrumented.borrow().contains_key(object)
            {
                let access = Access { sites: Vec::new(), ..access.clone() };
                self.given.instrumented.borrow_mut().insert(object.clone(), access);
                self.changed.set(true);
            }
            return Ok(Prepared {
                code: text.code.clone(),
                is_module: text.is_module,
                context: text.context.clone(),
                access: access.filter(|_| !text.is_module),
                positions: text.positions.clone(),
                made: Made::Kept(text.code.as_str().into()),
                language,
            });
        }
        if let Some(debug) = &self.hooks.debug
            && let Some(text) = debug.prepare(source, name, language, goal, exchanged)?
        {
            self.note_undo(&text.undo);
            if let Some(steps) = text.steps
                && !self.hooked.borrow().contains_key(steps.mark())
            {
                self.hooked.borrow_mut().insert(steps.mark().to_owned(), steps);
                self.changed.set(true);
            }
            return Ok(Prepared {
                made: Made::Kept(text.code.as_ref().into()),
                language,
                code: text.code.into_owned(),
                is_module: text.goal == Goal::Module,
                context: text.context,
                access: None,
                positions: text.positions,
            });
        }
        if let Some(coverage) = &self.hooks.coverage
            && let Some(text) = coverage.prepare(source, name, language, goal, exchanged)?
        {
            self.note_undo(&text.undo);
            if let Some(coverage) = text.coverage
                && !self.covered.borrow().contains_key(coverage.mark())
            {
                self.covered.borrow_mut().insert(coverage.mark().to_owned(), coverage);
                self.changed.set(true);
            }
            return Ok(Prepared {
                made: Made::Kept(text.code.as_ref().into()),
                language,
                code: text.code.into_owned(),
                is_module: text.goal == Goal::Module,
                context: text.context,
                access: None,
                positions: text.positions,
            });
        }
        let text = compiled.transform(source, language, goal, exchanged)?;
        let is_module = text.goal == Goal::Module;
        if !self.contexts && language.is_javascript() && exchanged.is_empty() {
            let positions = Positions::of_unchanged(source);
            let code = source.to_owned();
            let made = Made::Unchanged;
            let (context, access) = (None, None);
            return Ok(Prepared { code, is_module, context, access, positions, made, language });
        }
        self.note_undo(&text.undo);
        let text = Rc::unwrap_or_clone(text);
        let (code, context, positions) = (text.code, text.context, text.positions);
        let made = if code == source { Made::Unchanged } else { Made::Transformed(exchanged) };
        Ok(Prepared { code, is_module, context, access: None, positions, made, language })
    }

    /// A text that the program evaluates, as the engine gets it; nothing if that is as it is.
    pub fn evaluated(&self, source: &str) -> Option<String> {
        let text = if self.contexts { evaluated(source) } else { None }?;
        self.note_undo(&text.undo);
        Some(text.code.into_owned())
    }

    /// Functions may hold what was put into them from now on, each with the text that it stands for.
    pub fn note_undo(&self, undo: &Vec<(String, &'static str)>) {
        if !undo.is_empty() && !self.given.undo.borrow().contains(undo) {
            self.given.undo.borrow_mut().push(undo.clone());
            self.changed.set(true);
        }
    }

    /// Keeps what is needed to find places in a text again. `source` is given where no file has it.
    pub fn keep(&self, name: &str, prepared: &Prepared, prefix: &str, source: Option<&str>) {
        const LONG: usize = 2 << 20;
        let first_line = prepared.code.split('\n').next().unwrap_or_default();
        let first_line =
            if first_line.len() < LONG { [prefix, first_line].concat() } else { String::new() };
        let text = Text {
            positions: prepared.positions.clone(),
            made: prepared.made.clone(),
            language: prepared.language,
            goal: if prepared.is_module { Goal::Module } else { Goal::CommonJs },
            prefix: u32::try_from(prefix.len()).unwrap_or(u32::MAX),
            source: source.map(str::to_owned),
            first_line,
        };
        let before = self.given.known.borrow_mut().insert(name.to_owned(), Rc::new(text));
        if before.is_some() {
            self.blamed.borrow_mut().retain(|(text, _), _| text != name);
        }
    }

    /// The column in the source that a frame means; none for texts that the engine did not get from
    /// here.
    pub fn column(&self, name: &str, line: u32, column: u32) -> Option<u32> {
        let known = self.given.known.borrow();
        let text = known.get(name)?;
        // In a first line the engine's columns count from 0, except where a name begins.
        if line == 1 && text.begins_name(column) {
            return Some(text.positions.source_column(1, column.saturating_sub(text.prefix)));
        }
        Some(text.positions.engine_column(line, column, text.prefix))
    }

    /// The column in the source that the engine's parser means: it counts otherwise.
    pub fn parsed_column(&self, name: &str, line: u32, column: u32) -> Option<u32> {
        let known = self.given.known.borrow();
        let text = known.get(name)?;
        let prefix = if line == 1 { text.prefix } else { 0 };
        Some(text.positions.source_column(line, column.saturating_sub(prefix).max(1)))
    }

    /// What an instruction stands for in a text, of which `source` is asked for if need be; nothing if that
    /// cannot be told.
    pub fn blame(
        &self,
        name: &str,
        spot: &Spot,
        compiled: &Compiled,
        source: impl FnOnce() -> Option<String>,
    ) -> Option<Rc<Culprit>> {
        // A program that fails in so many places fails in all of them once.
        const MOST: usize = 1000;
        let key = (name.to_owned(), spot.clone());
        if let Some(known) = self.blamed.borrow().get(&key) {
            return known.clone();
        }
        let found = source().and_then(|source| self.find_culprit(name, &source, spot, compiled));
        let found = found.map(Rc::new);
        let mut blamed = self.blamed.borrow_mut();
        if blamed.len() >= MOST {
            blamed.clear();
        }
        blamed.insert(key, found.clone());
        found
    }

    fn find_culprit(
        &self,
        name: &str,
        source: &str,
        spot: &Spot,
        compiled: &Compiled,
    ) -> Option<Culprit> {
        let text = Rc::clone(self.given.known.borrow().get(name)?);
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        let language = text.language;
        let transformed;
        let code = match &text.made {
            Made::Unchanged => source,
            Made::Kept(code) => code,
            Made::Transformed(exchanged) => {
                transformed = compiled.transform(source, language, text.goal, exchanged).ok()?;
                &transformed.code
            }
        };
        let (positions, prefix) = (&text.positions, text.prefix);
        blame(&Blamed { code, source, language, goal: text.goal, positions, prefix }, spot)
    }

    /// The source of a text that no file has.
    pub fn source(&self, name: &str) -> Option<String> {
        self.given.known.borrow().get(name)?.source.clone()
    }

    /// Whether functions have come to hold inserted text that they did not before.
    pub fn take_changed(&self) -> bool {
        self.changed.replace(false)
    }

    /// A function's text as it was written.
    pub fn original(&self, mut text: String) -> String {
        for (object, access) in &*self.given.instrumented.borrow() {
            if text.contains(object.as_str()) {
                text = access.original(&text);
            }
        }
        for (mark, steps) in &*self.hooked.borrow() {
            if text.contains(mark.as_str()) {
                text = steps.original(&text);
            }
        }
        for (mark, coverage) in &*self.covered.borrow() {
            if text.contains(mark.as_str()) {
                text = coverage.original(&text);
            }
        }
        for (inserted, original) in self.given.undo.borrow().iter().flatten() {
            if text.contains(inserted.as_str()) {
                text = text.replace(inserted, original);
            }
        }
        text
    }
}
