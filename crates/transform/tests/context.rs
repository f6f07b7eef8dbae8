//! Every continuation of an async function runs in the context that the function awaited in.
//!
//! Random programs run with a context object that does what the runtime's does, and with no context
//! at the start of every promise job; so whatever logs without it has lost it.

use crate::support::engine::Engine;
use crate::support::generator::program;
use hemiola_transform::{Goal, Language, transform};

const CONTEXT: &str = "({
    on: true,
    c: () => ({ context: globalThis.current, entered: false }),
    w: () => ({ context: globalThis.current, entered: false }),
    v: (value) => value,
    r(token) { if (!token.entered) { token.entered = true; globalThis.current = token.context } },
})";

/// What the engine calls in a job of its own, or before the next place at which a context can be
/// entered: `docs/design/transform.md` lists them.
const CALLED_BY_ENGINE: [&str; 5] = ["missing ", " return ", " then ", " dispose ", "c "];

/// A function in another context that is suspended all the time.
const NOISE: &str = "async function noise() { for (let i = 0; i < 40; i++) { await i; if (current !== 'B') write('noise lost B') } }";

#[test]
fn continuations_keep_their_context() {
    let mut engine = Engine::new();
    engine.before_job = Some("globalThis.current = undefined");
    let mut count = 0;
    for seed in 1..300 {
        let source = program(seed, false)
            .replace("write(tag + ' ' + show(value))", "write(current + ' ' + tag + ' ' + show(value))")
            .replace(
                "main().then(v => log('done', v), e => log('failed', e));\nlog('main returned')",
                &format!("{NOISE}\ncurrent = 'A'; main().catch(() => 1); current = 'B'; noise(); current = undefined"),
            );
        let transformed = transform(&source, Language::JavaScript, Goal::CommonJs, &[])
            .expect("JavaScript is never refused");
        let lines = engine
            .run_transformed(&transformed, CONTEXT)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", transformed.code));
        for line in &lines {
            let (_, text) = line.split_once(": ").expect("a job's number comes first");
            let lost = !text.starts_with("A ")
                && !CALLED_BY_ENGINE.iter().any(|called| text.contains(called));
            assert!(!lost, "seed {seed}: {line}\n{source}\n{lines:#?}");
            count += usize::from(text.starts_with("A "));
        }
    }
    assert!(count > 1000, "only {count} lines");
}
