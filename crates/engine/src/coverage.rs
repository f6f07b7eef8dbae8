//! Which parts of a program's texts are executed, and how often.
//!
//! [`Counting`] belongs to a whole command and is told when a program is over, or asks for it. [`Counts`] belongs
//! to one run: each text that is covered has an array of counters, which the inserted code reaches by the
//! name of a variable that all texts share.

use crate::part::LetGo;
use hemiola_transform::{
    COVER_PREFIX, Coverage, Exchanged, Goal, Language, SyntaxError, Table, Transformed, cover,
};
use rquickjs::context::EvalOptions;
use rquickjs::{Ctx, Function, Object, Persistent, Result, TypedArray};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

/// Who wants to know what a program executes.
pub struct Counting {
    tell: Box<dyn Fn(Vec<Script>) + Send + Sync>,
}

impl fmt::Debug for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counting").finish_non_exhaustive()
    }
}

impl Counting {
    /// Tells there.
    pub fn new(tell: impl Fn(Vec<Script>) + Send + Sync + 'static) -> Self {
        Self { tell: Box::new(tell) }
    }
}

/// A text, and how often what of it was executed.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its path or URL.
    pub name: String,
    /// Its source, as it was given to the engine.
    pub source: String,
    /// What its counters count.
    pub table: Table,
    /// What they were counted to.
    pub counts: Vec<u64>,
}

/// A text with counters.
struct Text {
    name: String,
    source: String,
    coverage: Coverage,
    /// The counters, once they are there.
    array: Option<Persistent<Object<'static>>>,
}

/// What is counted in one run.
pub struct Counts {
    counting: Arc<Counting>,
    texts: RefCell<Vec<Text>>,
    /// Whether texts wait for their counters.
    is_behind: Cell<bool>,
    is_stopped: Cell<bool>,
}

impl Counts {
    /// Nothing is counted yet.
    pub fn new(counting: Arc<Counting>) -> Self {
        let (texts, is_behind) = (RefCell::default(), Cell::default());
        Self { counting, texts, is_behind, is_stopped: Cell::default() }
    }

    /// Makes a text ready; nothing for one that is to be left alone.
    pub(crate) fn prepare(
        &self,
        source: &str,
        name: &str,
        language: Language,
        goal: Goal,
        exchanged: Exchanged,
    ) -> std::result::Result<Option<Transformed<'static>>, SyntaxError> {
        let is_file = name.starts_with('/') || name.starts_with("file://");
        if !is_file || name.contains("/node_modules/") {
            return Ok(None);
        }
        let number = u32::try_from(self.texts.borrow().len()).unwrap_or(u32::MAX);
        let transformed = cover(source, language, goal, exchanged, number)?;
        let Some(coverage) = transformed.coverage.clone() else { return Ok(None) };
        let (name, source) = (name.to_owned(), source.to_owned());
        self.texts.borrow_mut().push(Text { name, source, coverage, array: None });
        self.is_behind.set(true);
        let code = Cow::Owned(transformed.code.into_owned());
        Ok(Some(Transformed { code, ..transformed }))
    }

    /// Makes the counters of texts that have none yet.
    ///
    /// # Errors
    ///
    /// When there is no memory for them.
    pub fn catch_up(&self, ctx: &Ctx<'_>) -> Result<()> {
        if !self.is_behind.replace(false) {
            return Ok(());
        }
        let mut texts = self.texts.borrow_mut();
        let ready = texts.iter().rposition(|text| text.array.is_some()).map_or(0, |at| at + 1);
        for (number, text) in texts.iter_mut().enumerate().skip(ready) {
            let array = format!("{COVER_PREFIX}{number}");
            // The second counts what it is given the value of.
            let code = format!(
                "let {array}, {array}r; (a) => {{ {array} = a; {array}r = (i, v) => {{ a[i]++; return v; }}; }}"
            );
            let mut options = EvalOptions::default();
            options.filename = Some("hemiola:internal/cover".to_owned());
            let set: Function<'_> = ctx.eval_with_options(code, options)?;
            let counters = vec![0.0; text.coverage.counters as usize];
            let counters = TypedArray::<f64>::new(ctx.clone(), counters)?.into_object();
            set.call::<_, ()>((counters.clone(),))?;
            text.array = Some(Persistent::save(ctx, counters));
        }
        Ok(())
    }

    /// Tells what was executed so far, unless that is not wanted any more.
    pub fn tell(&self, ctx: &Ctx<'_>) {
        if self.is_stopped.get() {
            return;
        }
        let script = |text: &Text| Script {
            name: text.name.clone(),
            source: text.source.clone(),
            table: text.coverage.table(&text.source),
            counts: text.counts(ctx),
        };
        let scripts = self.texts.borrow().iter().map(script).collect();
        (self.counting.tell)(scripts);
    }

    /// Begins to count anew.
    ///
    /// # Errors
    ///
    /// When the engine has no memory left.
    pub fn reset(&self, ctx: &Ctx<'_>) -> Result<()> {
        for text in &*self.texts.borrow() {
            let Some(array) = text.array.clone() else { continue };
            let array = array.restore(ctx)?;
            (0..text.coverage.counters).try_for_each(|counter| array.set(counter, 0))?;
        }
        Ok(())
    }

    /// Nothing is told from now on.
    pub fn stop(&self) {
        self.is_stopped.set(true);
    }
}

impl Text {
    fn counts(&self, ctx: &Ctx<'_>) -> Vec<u64> {
        let Some(Ok(array)) = self.array.clone().map(|array| array.restore(ctx)) else {
            return Vec::new();
        };
        // Counts are whole, and far from where an f64 is not.
        let count = |counter| array.get::<_, f64>(counter).map_or(0, |count| count as u64);
        (0..self.coverage.counters).map(count).collect()
    }
}

impl LetGo for Counts {
    fn let_go(&self) {
        self.texts.let_go();
    }
}
