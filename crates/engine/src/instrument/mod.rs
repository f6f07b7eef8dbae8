//! What a program reads and writes, told to whoever listens (rules EXPL-4, RACE-2).
//!
//! [`Instrumentation`] belongs to a whole command: it makes texts ready, once for each, and numbers the
//! places in them. [`Accesses`] belongs to one run: `table` numbers objects and locations and tells of
//! accesses, `properties` knows what an access to an object means, and `natives` are the functions
//! that the inserted code calls, by way of `internal/access`.

mod natives;
mod properties;
mod skip;
mod table;

pub use natives::native;
pub use skip::matches;
pub use table::Table;

use crate::coverage::Counting;
use crate::part::LetGo;
use crate::state::State;
use hemiola_machine::Place;
pub use hemiola_transform::Unseen;
use hemiola_transform::{
    Access, BLOCK, Exchanged, Goal, Language, Positions, Site, SyntaxError, Transformed, instrument,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};

/// What a program tells of itself while it runs.
#[derive(Clone, Debug, Default)]
pub enum Instrument {
    /// Nothing.
    #[default]
    Off,
    /// What it reads and writes, as events of the trace. Runs that share this share the work on their texts.
    Accesses(Arc<Instrumentation>),
    /// How often what of it is executed.
    Coverage(Arc<Counting>),
}

impl Instrument {
    /// Whether what a program tells is put in words, with places.
    pub fn describes(&self) -> bool {
        match self {
            Self::Off | Self::Coverage(_) => false,
            Self::Accesses(instrumentation) => instrumentation.describe,
        }
    }
}

/// How programs are instrumented, and the texts that were.
#[derive(Default)]
pub struct Instrumentation {
    /// Files that tell nothing: patterns with `*`, `**` and `?`.
    pub skip: Vec<String>,
    /// Whether locations and sites are put in words.
    pub describe: bool,
    texts: Mutex<Texts>,
}

#[derive(Default)]
struct Texts {
    made: BTreeMap<(String, u8, String), Arc<Text>>,
    /// The number of the next text's first site.
    next: u32,
}

impl fmt::Debug for Instrumentation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { skip, describe, .. } = self;
        f.debug_struct("Instrumentation").field("skip", skip).field("describe", describe).finish()
    }
}

impl Instrumentation {
    /// Instruments all but the files that one of the patterns means.
    pub fn new(skip: Vec<String>, describe: bool) -> Self {
        Self { skip, describe, texts: Mutex::default() }
    }

    /// The places of accesses that the texts do not tell of, in order.
    pub fn unseen(&self) -> Vec<(Place, Unseen)> {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let all = || {
            texts
                .made
                .values()
                .flat_map(|text| text.access.iter().map(move |access| (text, access)))
        };
        // A name is enough: which module is meant by what it is imported from is not known here.
        let changed: BTreeSet<&str> =
            all().flat_map(|(_, access)| &access.changed).map(|name| &**name).collect();
        let mut found: Vec<(Place, Unseen)> = Vec::new();
        for (text, access) in all() {
            let place = |line, column| Place { file: text.file(), line, column };
            found.extend(
                access.unseen.iter().map(|&(line, column, why)| (place(line, column), why)),
            );
            let imported = access.imported.iter().filter(|(.., name)| changed.contains(&**name));
            found
                .extend(imported.map(|&(line, column, _)| (place(line, column), Unseen::Imported)));
        }
        found.sort();
        found.dedup();
        found
    }

    /// Whether a file tells of its accesses.
    pub fn applies_to(&self, name: &str) -> bool {
        let path = name.strip_prefix("file://").unwrap_or(name);
        !self.skip.iter().any(|pattern| skip::matches(pattern, path))
    }

    /// A text as the engine gets it.
    fn text(
        &self,
        source: &str,
        name: &str,
        language: Language,
        goal: Goal,
        exchanged: Exchanged,
    ) -> Result<Arc<Text>, SyntaxError> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (name.to_owned(), goal as u8, source.to_owned());
        if let Some(text) = texts.made.get(&key) {
            return Ok(Arc::clone(text));
        }
        let first = texts.next;
        let transformed = instrument(source, language, goal, exchanged, first)?;
        let Transformed { code, goal, context, positions, access, undo, .. } = transformed;
        let sites = access.as_ref().map_or(0, |access| access.sites.len());
        let blocks = u32::try_from(sites).unwrap_or(u32::MAX / 2).div_ceil(BLOCK);
        texts.next = first.saturating_add(blocks.saturating_mul(BLOCK));
        let code = code.into_owned();
        let is_module = goal == Goal::Module;
        let text =
            Text { name: name.into(), code, is_module, context, positions, access, undo, first };
        let text = Arc::new(text);
        texts.made.insert(key, Arc::clone(&text));
        Ok(text)
    }
}

/// A text that was made ready.
pub struct Text {
    name: Arc<str>,
    /// What the engine gets.
    pub code: String,
    /// Whether it is a module.
    pub is_module: bool,
    /// The name by which it means the runtime's context object, if it does.
    pub context: Option<String>,
    /// Where everything is in the source.
    pub positions: Positions,
    /// The sites in it, and how the text is made the source's again.
    pub access: Option<Access>,
    /// What was put into functions, with what it stands for.
    pub undo: Vec<(String, &'static str)>,
    /// The number of its first site.
    first: u32,
}

impl Text {
    fn sites(&self) -> &[Site] {
        self.access.as_ref().map_or(&[], |access| &access.sites)
    }

    /// The file, by its path.
    fn file(&self) -> Arc<str> {
        match self.name.strip_prefix("file://") {
            Some(path) => path.into(),
            None => Arc::clone(&self.name),
        }
    }
}

/// What is known of accesses in one run.
pub struct Accesses {
    instrumentation: Arc<Instrumentation>,
    table: RefCell<Table>,
}

impl Accesses {
    /// Nothing is known yet.
    pub fn new(instrumentation: Arc<Instrumentation>) -> Self {
        let table = RefCell::new(Table::new(instrumentation.describe));
        Self { instrumentation, table }
    }

    /// Knows the texts that another does, which have been compiled before this run, and the objects by which the
    /// engine keeps its numbers: the library makes them once, and may have done so before this run.
    pub fn go_on_from(&self, other: &Self) {
        let (mut table, other) = (self.table.borrow_mut(), other.table.borrow());
        other.texts().iter().for_each(|text| table.load(text));
        table.number_as(&other);
    }

    /// An invocation is over.
    pub fn leave(&self) {
        self.table.borrow_mut().leave();
    }

    /// Makes a text ready; nothing for one that is to be left alone.
    pub fn prepare(
        &self,
        source: &str,
        name: &str,
        language: Language,
        goal: Goal,
        exchanged: Exchanged,
    ) -> Result<Option<Arc<Text>>, SyntaxError> {
        if !self.instrumentation.applies_to(name) {
            return Ok(None);
        }
        let text = self.instrumentation.text(source, name, language, goal, exchanged)?;
        self.table.borrow_mut().load(&text);
        Ok(Some(text))
    }
}

impl LetGo for Accesses {
    fn let_go(&self) {
        self.table.borrow_mut().clear();
    }
}

thread_local! {
    static CURRENT: Cell<Option<NonNull<State>>> = const { Cell::new(None) };
}

/// Lets the natives find the state of the engine that runs until it is dropped.
pub struct Running(Option<NonNull<State>>);

impl Running {
    /// Nothing in a run that tells nothing.
    #[inline]
    pub fn begin(state: &State) -> Option<Self> {
        state.accesses.as_ref()?;
        Some(Self(CURRENT.replace(Some(NonNull::from(state)))))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}
