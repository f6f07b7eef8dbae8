//! TypeScript runs as the JavaScript that TypeScript 5.9.3 makes of it for ES2022.
//!
//! `types.txt` has the programs, each with what it logs.

use crate::support::engine::{Engine, OFF, ON};
use hemiola_transform::{Goal, Language, Transformed, transform};

fn cases() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    include_str!("types.txt").trim_end().split("\n----\n").map(|case| {
        let (source, expected) = case.split_once("\n=>\n").expect("a case says what it logs");
        (source, expected.lines().collect())
    })
}

/// Runs a program with `log`, as a module if its syntax wants that.
fn run(engine: &mut Engine, transformed: &Transformed<'_>, stub: &str) -> Vec<String> {
    let show = include_str!("support/show.js").replace('\n', " ");
    let code = format!("{show}{}", transformed.code);
    let context = transformed.context.as_deref();
    match engine.run(&code, transformed.goal, context, stub) {
        Ok(lines) => lines
            .iter()
            .map(|line| line.split_once(": ").expect("a job's number comes first").1.to_owned())
            .map(|line| line.replacen("rejected ", "threw ", 1))
            .collect(),
        Err(error) => vec![format!("threw {}", error.trim())],
    }
}

#[test]
fn programs_do_what_typescript_makes_them_do() {
    let mut engine = Engine::new();
    for (source, expected) in cases() {
        let transformed = transform(source, Language::TypeScript, Goal::Detect, &[])
            .unwrap_or_else(|error| panic!("{error}\n{source}"));
        assert_eq!(transformed.code.lines().count(), source.lines().count(), "{source}");
        for stub in [OFF, ON] {
            let found = run(&mut engine, &transformed, stub);
            assert_eq!(found, expected, "{source}\n{}", transformed.code);
        }
    }
}
