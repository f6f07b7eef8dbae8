//! Values and environments.
//!
//! Environments are interned: equal ones are the same, so a frame is three numbers, and comparing,
//! copying and writing down a configuration need not follow what it binds.

use super::syntax::FunctionId;
use crate::names::Symbol;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What a name can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    Undefined,
    Number(i64),
    Name(Symbol),
    /// A function, and the environment it was defined in where the mode cares.
    Function(FunctionId, Env),
}

/// What an environment holds for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    /// A value that nothing in the program can change.
    Value(Value),
    /// A place in the heap, for a name that the program stores to somewhere.
    Cell(u32),
}

/// An interned environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Env(pub(crate) u32);

impl Env {
    pub(crate) const EMPTY: Self = Self(0);
}

/// All environments that a program's executions have made. Shared by all copies of a configuration.
#[derive(Clone, Debug)]
pub(crate) struct Envs(Rc<RefCell<Table>>);

#[derive(Debug)]
struct Table {
    envs: Vec<Bindings>,
    known: FxHashMap<Rc<[(Symbol, Slot)]>, Env>,
    /// What an environment becomes when a name is bound in it: the way most are found.
    extended: FxHashMap<(Env, Symbol, Slot), Env>,
}

#[derive(Debug)]
struct Bindings {
    /// Sorted by name; a name that hides another has replaced it.
    slots: Rc<[(Symbol, Slot)]>,
    /// Whether a cell can be reached from here.
    has_cells: bool,
}

impl Envs {
    pub(crate) fn new() -> Self {
        let slots: Rc<[(Symbol, Slot)]> = Rc::new([]);
        let known = FxHashMap::from_iter([(Rc::clone(&slots), Env::EMPTY)]);
        let envs = vec![Bindings { slots, has_cells: false }];
        Self(Rc::new(RefCell::new(Table { envs, known, extended: FxHashMap::default() })))
    }

    pub(crate) fn get(&self, env: Env, name: Symbol) -> Option<Slot> {
        let table = self.0.borrow();
        let slots = &table.envs[env.0 as usize].slots;
        let at = slots.binary_search_by_key(&name, |&(name, _)| name).ok()?;
        Some(slots[at].1)
    }

    pub(crate) fn bind(&self, env: Env, name: Symbol, slot: Slot) -> Env {
        let mut table = self.0.borrow_mut();
        if let Some(&known) = table.extended.get(&(env, name, slot)) {
            return known;
        }
        let mut slots = table.envs[env.0 as usize].slots.to_vec();
        match slots.binary_search_by_key(&name, |&(name, _)| name) {
            Ok(at) => slots[at].1 = slot,
            Err(at) => slots.insert(at, (name, slot)),
        }
        let slots: Rc<[(Symbol, Slot)]> = slots.into();
        let extended = match table.known.get(&slots) {
            Some(&known) => known,
            None => {
                let has_cells = slots.iter().any(|&(_, slot)| match slot {
                    Slot::Cell(_) => true,
                    Slot::Value(Value::Function(_, env)) => table.envs[env.0 as usize].has_cells,
                    Slot::Value(_) => false,
                });
                let made = Env(table.envs.len() as u32);
                table.envs.push(Bindings { slots: Rc::clone(&slots), has_cells });
                table.known.insert(slots, made);
                made
            }
        };
        table.extended.insert((env, name, slot), extended);
        extended
    }

    pub(crate) fn has_cells(&self, env: Env) -> bool {
        self.0.borrow().envs[env.0 as usize].has_cells
    }

    pub(crate) fn slots(&self, env: Env) -> Rc<[(Symbol, Slot)]> {
        Rc::clone(&self.0.borrow().envs[env.0 as usize].slots)
    }
}
