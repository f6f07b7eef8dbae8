//! Texts of programs that an engine has compiled before, or will have.
//!
//! Whoever runs a program many times transforms each of its texts once, and compiles them before the
//! moment that its engine is put back to. A text is known by its content: one that a run has changed, or
//! made itself, is an unknown one.

use crate::bytecode;
use crate::part::LetGo;
use crate::state::state;
use crate::zeros;
use hemiola_transform::{
    Exchanged, Goal, Language, Positions, SyntaxError, Transformed, transform,
};
use rquickjs::context::EvalOptions;
use rquickjs::module::{Declared, Module};
use rquickjs::{Ctx, Function, Persistent, Result, Value};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// What runs of a nursery share of the texts that they meet.
#[derive(Default)]
pub struct Shared {
    transformed: RefCell<FxHashMap<Written, Rc<Text>>>,
    /// The functions that were compiled, in the order in which they first were: name and code.
    functions: RefCell<Vec<Rc<(String, String)>>>,
    /// The modules that were compiled, by name and code.
    modules: RefCell<FxHashMap<(String, String), Rc<bytecode::Compiled>>>,
    /// The functions of `binding` that were made, in the order in which they first were.
    natives: RefCell<Vec<String>>,
}

/// A text as it comes from the transform.
#[derive(Clone)]
pub struct Text {
    /// What the engine gets.
    pub code: String,
    /// Script or module.
    pub goal: Goal,
    /// The name by which it means the runtime's context object, if it does.
    pub context: Option<String>,
    /// Where everything is in the source.
    pub positions: Positions,
    /// What was put into functions, with what it stands for.
    pub undo: Vec<(String, &'static str)>,
}

impl Text {
    fn new(
        source: &str,
        language: Language,
        goal: Goal,
        exchanged: Exchanged,
    ) -> std::result::Result<Self, SyntaxError> {
        let Transformed { code, goal, context, positions, undo, .. } =
            transform(source, language, goal, exchanged)?;
        Ok(Self { code: code.into_owned(), goal, context, positions, undo })
    }
}

/// How much text is kept at most, in bytes.
const MOST: usize = 16 << 20;

impl Shared {
    /// How many functions runs have compiled, and how many of `binding` they have made.
    pub fn counts(&self) -> (usize, usize) {
        (self.functions.borrow().len(), self.natives.borrow().len())
    }

    /// The functions of `binding` that runs have made.
    pub fn natives(&self) -> Vec<String> {
        self.natives.borrow().clone()
    }

    /// The functions that runs have compiled.
    pub fn functions(&self) -> Vec<Rc<(String, String)>> {
        self.functions.borrow().clone()
    }
}

/// A text, and how it is to be understood.
type Written = (Language, Goal, Exchanged, Box<str>);

/// What a run has of texts that are known.
#[derive(Clone, Default)]
pub struct Compiled {
    shared: OnceCell<Rc<Shared>>,
    /// Functions that the engine has, by name.
    ready: RefCell<FxHashMap<String, Ready>>,
}

#[derive(Clone)]
struct Ready {
    text: Rc<(String, String)>,
    function: Persistent<Function<'static>>,
}

impl Compiled {
    /// Takes texts from there, and notes others.
    pub fn share(&self, shared: Rc<Shared>) {
        let _ = self.shared.set(shared);
    }

    /// Notes that a function of `binding` was made.
    pub fn note_native(&self, name: &str) {
        if let Some(shared) = self.shared.get()
            && !shared.natives.borrow().iter().any(|known| known == name)
        {
            shared.natives.borrow_mut().push(name.to_owned());
        }
    }

    /// What runs share, if they do.
    pub fn shared(&self) -> Option<&Rc<Shared>> {
        self.shared.get()
    }

    /// A text for the engine.
    pub fn transform(
        &self,
        source: &str,
        language: Language,
        goal: Goal,
        exchanged: Exchanged,
    ) -> std::result::Result<Rc<Text>, SyntaxError> {
        let Some(shared) = self.shared.get() else {
            return Text::new(source, language, goal, exchanged).map(Rc::new);
        };
        let key = (language, goal, exchanged, Box::from(source));
        if let Some(text) = shared.transformed.borrow().get(&key) {
            return Ok(Rc::clone(text));
        }
        let text = Rc::new(Text::new(source, language, goal, exchanged)?);
        let mut known = shared.transformed.borrow_mut();
        if known.keys().map(|key| key.3.len()).sum::<usize>() + source.len() < MOST {
            known.insert(key, Rc::clone(&text));
        }
        Ok(text)
    }

    /// Has a function ready for the time when it is asked for.
    pub fn prepare(&self, ctx: &Ctx<'_>, text: Rc<(String, String)>) -> Result<()> {
        let function = evaluate(ctx, text.1.clone(), &text.0)?;
        let function = Persistent::save(ctx, Function::from_value(function)?);
        self.ready.borrow_mut().insert(text.0.clone(), Ready { text, function });
        Ok(())
    }
}

impl LetGo for Compiled {
    fn let_go(&self) {
        self.ready.let_go();
    }
}

/// The function that a code is, which goes by a name in stacks.
pub fn function<'js>(ctx: &Ctx<'js>, code: String, name: &str) -> Result<Value<'js>> {
    let state = state(ctx);
    let Some(shared) = state.registered.compiled.shared.get() else {
        return evaluate(ctx, code, name);
    };
    // Each is given once: two functions of one text are two.
    let ready = state.registered.compiled.ready.borrow_mut().remove(name);
    if let Some(ready) = ready.filter(|ready| ready.text.1 == code) {
        return Ok(ready.function.restore(ctx)?.into_value());
    }
    let value = evaluate(ctx, code.clone(), name)?;
    let mut functions = shared.functions.borrow_mut();
    if functions.iter().all(|known| known.0 != name)
        && functions.iter().map(|known| known.1.len()).sum::<usize>() + code.len() < MOST
    {
        functions.push(Rc::new((name.to_owned(), code)));
    }
    Ok(value)
}

/// The module that a code is, which goes by a name, with everything that it imports.
pub fn module<'js>(ctx: &Ctx<'js>, code: String, name: &str) -> Result<Module<'js, Declared>> {
    let state = state(ctx);
    if code.contains('\0') {
        return zeros::declare(ctx, code, name);
    }
    // Bytecode does not have what imports are made with.
    let shared = state.registered.compiled.shared.get().filter(|_| !has_attributes(&code));
    let Some(shared) = shared else { return Module::declare(ctx.clone(), name, code) };
    let key = (name.to_owned(), code);
    let known = shared.modules.borrow().get(&key).cloned();
    if let Some(known) = known {
        return known.declare(ctx);
    }
    let module = Module::declare(ctx.clone(), name, key.1.as_str())?;
    let mut modules = shared.modules.borrow_mut();
    let size: usize = modules.values().map(|known| known.len()).sum();
    if let Some(compiled) = bytecode::Compiled::of(&module).filter(|one| size + one.len() < MOST) {
        modules.insert(key, Rc::new(compiled));
    }
    Ok(module)
}

/// Whether a code may import something `with { … }`.
fn has_attributes(code: &str) -> bool {
    let after = |(at, word): (usize, &str)| code[at + word.len()..].trim_start().starts_with('{');
    code.match_indices("with").any(after)
}

/// The value of a script that is not strict by itself.
pub fn evaluate<'js>(ctx: &Ctx<'js>, code: String, name: &str) -> Result<Value<'js>> {
    run(ctx, code, name, false)
}

/// The promise of the value of a script that may wait at its top level: of an object that has it as `value`.
pub fn evaluate_async<'js>(ctx: &Ctx<'js>, code: String, name: &str) -> Result<Value<'js>> {
    run(ctx, code, name, true)
}

fn run<'js>(ctx: &Ctx<'js>, code: String, name: &str, waits: bool) -> Result<Value<'js>> {
    if code.contains('\0') {
        return zeros::evaluate(ctx, code, name, waits);
    }
    let mut options = EvalOptions::default();
    options.strict = false;
    options.promise = waits;
    options.filename = Some(name.to_owned());
    ctx.eval_with_options(code, options)
}
