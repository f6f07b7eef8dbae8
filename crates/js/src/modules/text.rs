//! A program's text on its way to the engine, and places in it on their way back.

use crate::compiled::Compiled;
use crate::debug::Session;
use crate::instrument::Accesses;
use hemiola_transform::{Access, Goal, Language, Positions, Steps, SyntaxError};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is known of the texts that the engine got, by the name that it knows them by.
pub(crate) struct Texts {
    /// Whether awaits are made known to the runtime.
    contexts: bool,
    /// Where texts are instrumented.
    accesses: Option<Rc<Accesses>>,
    /// Where texts get hooks for a debugger.
    debug: Option<Rc<Session>>,
    /// How texts with hooks are made the source's again: one for each mark.
    hooked: RefCell<BTreeMap<String, Steps>>,
    /// How instrumented texts are made the source's again: one for each name of the runtime's object.
    instrumented: RefCell<BTreeMap<String, Access>>,
    known: RefCell<BTreeMap<String, Rc<Text>>>,
    /// What was put into functions, with what it stands for: different lists only.
    undo: RefCell<Vec<Vec<(String, &'static str)>>>,
    /// Whether `undo` has grown since it was last asked.
    changed: Cell<bool>,
    /// The lines of the file that a stack was last about.
    pub(super) lines: RefCell<Option<(String, Vec<String>)>>,
    /// The lines of every text, where places in them are wanted all the time: to read a file again is
    /// something that a recording would have to know of.
    kept: Option<RefCell<BTreeMap<String, Vec<String>>>>,
    /// Whether places are found without asking anybody for a text.
    pub(super) quiet: Cell<bool>,
}

/// What ends a line of a program, beside a pair of the first two.
pub(super) const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

struct Text {
    positions: Positions,
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

/// A text as the engine gets it.
pub(crate) struct Prepared {
    pub(crate) code: String,
    pub(crate) is_module: bool,
    /// The parameter that must hold the runtime's context object.
    pub(crate) context: Option<String>,
    /// The parameter that must hold the object which accesses are told to.
    pub(crate) access: Option<String>,
    positions: Positions,
}

impl Texts {
    pub(crate) fn new(
        contexts: bool,
        accesses: Option<Rc<Accesses>>,
        debug: Option<Rc<Session>>,
    ) -> Self {
        Self {
            contexts,
            accesses,
            debug,
            hooked: RefCell::default(),
            instrumented: RefCell::default(),
            known: RefCell::default(),
            undo: RefCell::default(),
            changed: Cell::new(false),
            lines: RefCell::default(),
            kept: None,
            quiet: Cell::new(false),
        }
    }

    /// Keeps the lines of every text from now on.
    pub(crate) fn keep_sources(&mut self) {
        self.kept = Some(RefCell::default());
    }

    /// A line of a text that was kept, from 1.
    pub(super) fn kept_line(&self, name: &str, line: u32) -> Option<String> {
        let kept = self.kept.as_ref()?.borrow();
        kept.get(name)?.get(line.checked_sub(1)? as usize).cloned()
    }

    /// Takes over the texts that another has given to the engine.
    pub(crate) fn go_on_from(&mut self, other: &Self) {
        self.instrumented.clone_from(&other.instrumented);
        self.known.clone_from(&other.known);
        self.undo.clone_from(&other.undo);
        self.kept.clone_from(&other.kept);
        if let (Some(accesses), Some(before)) = (&self.accesses, &other.accesses) {
            accesses.go_on_from(before);
        }
    }

    /// Makes a text ready for the engine.
    pub(crate) fn prepare(
        &self,
        source: &str,
        name: &str,
        goal: Goal,
        compiled: &Compiled,
    ) -> Result<Prepared, SyntaxError> {
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        if let Some(at) = source.find('\0') {
            // The engine takes texts that end at a zero.
            let before = &source[..at];
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX - 1) + 1;
            return Err(SyntaxError {
                message: "Invalid or unexpected token".to_owned(),
                line: count(before.matches('\n').count()),
                column: count(before[start..].encode_utf16().count()),
            });
        }
        if let Some(kept) = &self.kept {
            let lines = source.replace("\r\n", "\n");
            let lines = lines.split(LINE_ENDS).map(str::to_owned).collect();
            kept.borrow_mut().insert(name.to_owned(), lines);
        }
        let language = language(name);
        if let Some(accesses) = &self.accesses
            && let Some(text) = accesses.prepare(source, name, language, goal)?
        {
            self.note_undo(&text.undo);
            let access = text.access.as_ref().map(|access| access.object.clone());
            if let (Some(object), Some(access)) = (&access, &text.access)
                && !self.instrumented.borrow().contains_key(object)
            {
                let access = Access { sites: Vec::new(), ..access.clone() };
                self.instrumented.borrow_mut().insert(object.clone(), access);
                self.changed.set(true);
            }
            return Ok(Prepared {
                code: text.code.clone(),
                is_module: text.is_module,
                context: text.context.clone(),
                access: access.filter(|_| !text.is_module),
                positions: text.positions.clone(),
            });
        }
        if let Some(debug) = &self.debug
            && let Some(text) = debug.prepare(source, name, language, goal)?
        {
            self.note_undo(&text.undo);
            if let Some(steps) = text.steps
                && !self.hooked.borrow().contains_key(steps.mark())
            {
                self.hooked.borrow_mut().insert(steps.mark().to_owned(), steps);
                self.changed.set(true);
            }
            return Ok(Prepared {
                code: text.code.into_owned(),
                is_module: text.goal == Goal::Module,
                context: text.context,
                access: None,
                positions: text.positions,
            });
        }
        let text = compiled.transform(source, language, goal)?;
        let is_module = text.goal == Goal::Module;
        if !self.contexts && language == Language::JavaScript {
            let positions = Positions::of_unchanged(source);
            let code = source.to_owned();
            return Ok(Prepared { code, is_module, context: None, access: None, positions });
        }
        self.note_undo(&text.undo);
        let text = Rc::unwrap_or_clone(text);
        let (code, context, positions) = (text.code, text.context, text.positions);
        Ok(Prepared { code, is_module, context, access: None, positions })
    }

    fn note_undo(&self, undo: &Vec<(String, &'static str)>) {
        if !undo.is_empty() && !self.undo.borrow().contains(undo) {
            self.undo.borrow_mut().push(undo.clone());
            self.changed.set(true);
        }
    }

    /// Keeps what is needed to find places in a text again. `source` is given where no file has it.
    pub(crate) fn keep(&self, name: &str, prepared: &Prepared, prefix: &str, source: Option<&str>) {
        const LONG: usize = 2 << 20;
        let first_line = prepared.code.split('\n').next().unwrap_or_default();
        let first_line =
            if first_line.len() < LONG { [prefix, first_line].concat() } else { String::new() };
        let text = Text {
            positions: prepared.positions.clone(),
            prefix: u32::try_from(prefix.len()).unwrap_or(u32::MAX),
            source: source.map(str::to_owned),
            first_line,
        };
        self.known.borrow_mut().insert(name.to_owned(), Rc::new(text));
    }

    /// The column in the source that a frame means; none for texts that the engine did not get from
    /// here.
    pub(crate) fn column(&self, name: &str, line: u32, column: u32) -> Option<u32> {
        let known = self.known.borrow();
        let text = known.get(name)?;
        // In a first line the engine's columns count from 0, except where a name begins.
        if line == 1 && text.begins_name(column) {
            return Some(text.positions.source_column(1, column.saturating_sub(text.prefix)));
        }
        Some(text.positions.engine_column(line, column, text.prefix))
    }

    /// The column in the source that the engine's parser means: it counts otherwise.
    pub(crate) fn parsed_column(&self, name: &str, line: u32, column: u32) -> Option<u32> {
        let known = self.known.borrow();
        let text = known.get(name)?;
        let prefix = if line == 1 { text.prefix } else { 0 };
        Some(text.positions.source_column(line, column.saturating_sub(prefix).max(1)))
    }

    /// The source of a text that no file has.
    pub(crate) fn source(&self, name: &str) -> Option<String> {
        self.known.borrow().get(name)?.source.clone()
    }

    /// Whether functions have come to hold inserted text that they did not before.
    pub(crate) fn take_changed(&self) -> bool {
        self.changed.replace(false)
    }

    /// A function's text as it was written.
    pub(crate) fn original(&self, mut text: String) -> String {
        for (object, access) in &*self.instrumented.borrow() {
            if text.contains(object.as_str()) {
                text = access.original(&text);
            }
        }
        for (mark, steps) in &*self.hooked.borrow() {
            if text.contains(mark.as_str()) {
                text = steps.original(&text);
            }
        }
        for (inserted, original) in self.undo.borrow().iter().flatten() {
            if text.contains(inserted.as_str()) {
                text = text.replace(inserted, original);
            }
        }
        text
    }
}

/// The language that a file's name says it is in.
pub(crate) fn language(name: &str) -> Language {
    let end = name.find(['?', '#']).filter(|_| name.starts_with("file:")).unwrap_or(name.len());
    let is_typed = [".ts", ".mts", ".cts"].iter().any(|extension| name[..end].ends_with(extension));
    if is_typed { Language::TypeScript } else { Language::JavaScript }
}
