//! Programs: our transforms, and the engine's parser on what they make. Nothing is run.

use super::{Verdict, hold};
use hemiola_live::stack_room;
use hemiola_transform::{Goal, Language, Transformed};
use hemiola_transform::{common_js_exports, instrument, links, step, transform};
use rquickjs::context::EvalOptions;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Context, Ctx, Module, Runtime, Value};

/// How many texts an engine compiles before there is a new one: it keeps all of them.
const TEXTS: u32 = 200;

/// What our parser says of a text that is nested too deeply for it.
const TOO_DEEP: &str = "nested too deeply";

/// A program in both languages, with and without hooks. A text that the engine takes it takes with hooks, too,
/// unless they nest it more deeply than it can be read.
pub fn reader() -> impl FnMut(&[u8]) -> Verdict {
    let mut parser = Parser::new();
    move |bytes| {
        // As files are read: what is no text is replaced.
        let source = String::from_utf8_lossy(bytes);
        let source: &str = &source;
        let _ = common_js_exports(source);
        let _ = links(source, Language::JavaScript);
        let mut known: Option<(Transformed<'_>, Taken)> = None;
        for language in [Language::JavaScript, Language::TypeScript] {
            let Ok(plain) = transform(source, language, Goal::Detect, &["setTimeout"]) else {
                continue;
            };
            // Most texts are the same in both languages.
            let same = known
                .take()
                .filter(|(other, _)| (&other.code, other.goal) == (&plain.code, plain.goal));
            let plainly = same.map_or_else(|| parser.takes(&plain), |(_, taken)| taken);
            hold(plain.code.lines().count() >= source.lines().count().min(1), || {
                "lines are lost".into()
            })?;
            let stepped = step(source, language, Goal::Detect, &["setTimeout"], 0);
            let watched = instrument(source, language, Goal::Detect, &["setTimeout"], 0);
            for (name, hooked) in [("a debugger", stepped), ("races", watched)] {
                let hooked = match hooked {
                    Err(error) if error.message.contains(TOO_DEEP) => continue,
                    hooked => hooked.map_err(|error| format!("hooks for {name}: {error}"))?,
                };
                // The engine takes long for texts that are nested deeply; of one that it cannot read there is nothing to hold.
                hold(plainly != Taken::Yes || parser.takes(&hooked) != Taken::No, || {
                    format!("with hooks for {name} it cannot be read any more")
                })?;
            }
            known = Some((plain, plainly));
        }
        Ok(())
    }
}

/// Finds an empty module by any name: the engine looks for imports when it compiles, and hooks import.
struct Anything;

impl Resolver for Anything {
    fn resolve<'js>(
        &mut self,
        _: &Ctx<'js>,
        _: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        // The text itself is not to be met again.
        Ok(format!("imported {name}"))
    }
}

impl Loader for Anything {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        Module::declare(ctx.clone(), name, "")
    }
}

/// Whether the engine can read a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Yes,
    No,
    /// Its stack ended.
    TooDeep,
}

struct Parser {
    context: Context,
    texts: u32,
}

impl Parser {
    fn new() -> Self {
        let runtime = Runtime::new().expect("there is memory for an engine");
        runtime.set_max_stack_size(stack_room());
        runtime.set_loader(Anything, Anything);
        // A text that gets out of its function is run, and may never end.
        let mut looks = 0;
        runtime.set_interrupt_handler(Some(Box::new(move || {
            looks += 1;
            looks > 1000
        })));
        let context = Context::full(&runtime).expect("there is memory for a context");
        Self { context, texts: 0 }
    }

    /// Lets the engine read a text, as a module that nobody evaluates or a function that nobody calls.
    fn takes(&mut self, text: &Transformed<'_>) -> Taken {
        self.texts += 1;
        if self.texts >= TEXTS {
            *self = Self::new();
        }
        self.context.with(|ctx| {
            let is_taken = match text.goal {
                Goal::Module => Module::declare(ctx.clone(), "input", &*text.code).is_ok(),
                Goal::CommonJs | Goal::Detect | Goal::DetectText => {
                    let code =
                        format!("(function (exports, require, module) {{ {}\n}})", text.code);
                    let mut options = EvalOptions::default();
                    options.strict = false;
                    ctx.eval_with_options::<Value<'_>, _>(code, options).is_ok()
                }
            };
            let thrown = ctx.catch();
            match thrown.as_exception().and_then(|error| error.message()) {
                _ if is_taken => Taken::Yes,
                Some(message) if message.contains("stack") => Taken::TooDeep,
                Some(_) | None => Taken::No,
            }
        })
    }
}
