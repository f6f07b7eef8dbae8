//! Which variables a function sees where it is, and where their values are.
#![expect(unsafe_code, reason = "it hands out addresses of the engine's values")]

use super::engine::{Activation, Atom, Slot};
use super::goal::Watch;
use super::look::ScopeKind;
use super::session::{Here, Session, Text};
use hemiola_transform::Declared;
use rquickjs::Ctx;
use rquickjs::qjs::JSValue;
use std::rc::Rc;

/// What a CommonJS module is given.
const WRAPPER: [&str; 5] = ["exports", "require", "module", "__filename", "__dirname"];

/// A variable that is seen, and where its value is.
pub(super) struct Seen<'t> {
    pub(super) declared: &'t Declared,
    pub(super) at: *mut JSValue,
}

/// What a function sees from a place in its text.
pub(super) struct Sight<'a> {
    pub(super) session: &'a Session,
    pub(super) text: &'a Text,
    pub(super) activation: Activation,
    /// Line and column in the source.
    pub(super) place: (u32, u32),
}

impl<'a> Sight<'a> {
    /// The variables, the innermost first, those that belong together together. What is hidden by
    /// another of the same name is left out.
    pub(super) fn scopes(&self, ctx: &Ctx<'_>) -> Vec<(ScopeKind, Vec<Seen<'a>>)> {
        let mut scopes: Vec<(ScopeKind, Vec<Seen<'a>>)> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        let mut is_own = true;
        for scope in self.text.steps.around(self.place) {
            let kind = match (scope.parent, is_own) {
                (None, _) => ScopeKind::Module,
                (_, false) => ScopeKind::Closure,
                (_, true) if scope.is_function => ScopeKind::Local,
                _ => ScopeKind::Block,
            };
            let mut seen = Vec::new();
            for declared in &scope.variables {
                if names.contains(&&*declared.name) {
                    continue;
                }
                names.push(&declared.name);
                let at = self.address(ctx, declared, kind);
                seen.extend(at.map(|at| Seen { declared, at }));
            }
            is_own &= !scope.is_function;
            match scopes.last_mut() {
                Some((last, list)) if *last == kind && kind == ScopeKind::Closure => {
                    list.extend(seen);
                }
                _ if seen.is_empty() && matches!(kind, ScopeKind::Block | ScopeKind::Closure) => {}
                _ => scopes.push((kind, seen)),
            }
        }
        scopes
    }

    /// Where the value of the variable is that a name means here, if it can be found; nothing if no function
    /// around declares it.
    pub(super) fn find(&self, ctx: &Ctx<'_>, name: &str) -> Option<Option<*mut JSValue>> {
        let mut is_own = true;
        for scope in self.text.steps.around(self.place) {
            let kind = match (scope.parent, is_own) {
                (None, _) => ScopeKind::Module,
                (_, false) => ScopeKind::Closure,
                (_, true) => ScopeKind::Local,
            };
            if let Some(declared) = scope.variables.iter().find(|one| *one.name == *name) {
                return Some(self.address(ctx, declared, kind));
            }
            is_own &= !scope.is_function;
        }
        let wrapped = WRAPPER.contains(&name);
        wrapped.then(|| module_variable(self.session, self.text, Atom::new(ctx, name).raw))
    }

    /// Where the value of a variable is.
    fn address(&self, ctx: &Ctx<'_>, declared: &Declared, kind: ScopeKind) -> Option<*mut JSValue> {
        let atom = Atom::new(ctx, &declared.name);
        let captured = || {
            let layout = self.session.layout.get()?;
            // SAFETY: the function is alive while it runs.
            unsafe { layout.captured(self.activation.function(), atom.raw) }
        };
        match kind {
            ScopeKind::Module => module_variable(self.session, self.text, atom.raw)
                .or_else(captured)
                .or_else(|| self.activation.variable(atom.raw, slot(declared))),
            ScopeKind::Closure | ScopeKind::Global => captured(),
            ScopeKind::Local | ScopeKind::Block => {
                self.activation.variable(atom.raw, slot(declared)).or_else(captured)
            }
        }
    }

    /// What a CommonJS module is given: `require` and the like.
    pub(super) fn wrapper(&self, ctx: &Ctx<'_>) -> Vec<(String, *mut JSValue)> {
        let found = WRAPPER.into_iter().filter_map(|name| {
            let at = module_variable(self.session, self.text, Atom::new(ctx, name).raw)?;
            Some((name.to_owned(), at))
        });
        found.collect()
    }

    /// Where a function has its `this`, if it asks for it anywhere.
    pub(super) fn this(&self, ctx: &Ctx<'_>) -> Option<*mut JSValue> {
        let atom = Atom::new(ctx, "this");
        let own = self.activation.variable(atom.raw, Slot::Function);
        // SAFETY: the function is alive while it runs.
        own.or_else(|| unsafe {
            self.session.layout.get()?.captured(self.activation.function(), atom.raw)
        })
    }
}

fn slot(declared: &Declared) -> Slot {
    declared.block.map_or(Slot::Function, Slot::Block)
}

/// Where the value of a variable of a module is, once it runs.
fn module_variable(session: &Session, text: &Text, name: u32) -> Option<*mut JSValue> {
    let module = text.module.borrow();
    // SAFETY: the text keeps the function, and that its variables.
    unsafe { session.layout.get()?.captured(module.as_ref()?.as_raw(), name) }
}

/// The text whose module declares what is watched.
pub(super) fn module_of(session: &Session, watch: &Watch) -> Option<Rc<Text>> {
    let texts = session.held.texts.borrow();
    let text = texts.iter().rfind(|text| *text.file == *watch.file)?;
    let module = text.steps.scopes.first()?;
    let is_it = |one: &Declared| is_watched(one, watch);
    module.variables.iter().any(is_it).then(|| Rc::clone(text))
}

fn is_watched(declared: &Declared, watch: &Watch) -> bool {
    *declared.name == *watch.name && declared.place == watch.declared
}

/// Where the value of a watched variable is, if it can be seen from here. Only what can see a variable can
/// change it.
pub(super) fn watched(
    ctx: &Ctx<'_>,
    session: &Session,
    here: Option<&Here>,
    watch: &Watch,
) -> Option<*mut JSValue> {
    if let Some(text) = module_of(session, watch) {
        return module_variable(session, &text, Atom::new(ctx, &watch.name).raw);
    }
    let here = here.filter(|here| *here.text.file == *watch.file)?;
    let place = (here.statement.line, here.statement.column);
    let sight = Sight { session, text: &here.text, activation: here.activation?, place };
    let scopes = sight.scopes(ctx);
    let mut seen = scopes.iter().flat_map(|(_, seen)| seen);
    seen.find(|seen| is_watched(seen.declared, watch)).map(|seen| seen.at)
}
