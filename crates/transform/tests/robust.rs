//! Whatever the text: no panic, the same lines, and text that still parses.

use crate::support::generator::{Dice, program};
use hemiola_transform::{Goal, Language, common_js_exports, transform};
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;
use std::path::{Path, PathBuf};

const GOALS: [Goal; 3] = [Goal::CommonJs, Goal::Module, Goal::Detect];

/// Transforms a text in every way.
fn check(source: &str) {
    let _ = common_js_exports(source);
    for language in [Language::JavaScript, Language::TypeScript] {
        for goal in GOALS {
            let Ok(transformed) = transform(source, language, goal, &[]) else { continue };
            assert_ne!(transformed.goal, Goal::Detect);
            assert_eq!(
                breaks(&transformed.code).len(),
                breaks(source).len(),
                "{language:?} {goal:?}\n{source}\n{}",
                transformed.code
            );
            if language == Language::JavaScript {
                // An import stands before the text of a module; a hashbang became a comment.
                let undone = transformed.original(&transformed.code);
                // Line breaks may have become plain.
                let plain = |text: &str| text.replace(['\u{2028}', '\u{2029}'], "\n");
                let end = source.trim_start_matches(['\u{feff}', '#', '!']);
                assert!(plain(&undone).ends_with(&plain(end)), "{goal:?}\n{source}\n{undone}");
            }
            if transformed.code != source {
                assert_parses(&transformed.code, transformed.goal, source);
            }
        }
    }
}

fn breaks(text: &str) -> Vec<char> {
    text.chars().filter(|char| matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}')).collect()
}

fn assert_parses(code: &str, goal: Goal, source: &str) {
    let kind = match goal {
        Goal::Module => SourceType::mjs(),
        _ => SourceType::cjs(),
    };
    let allocator = Allocator::default();
    let returned = Parser::new(&allocator, code, kind).parse();
    let error = returned.diagnostics.first();
    // A hashbang that became a comment is a change too.
    if let Some(error) = error
        && !source.starts_with("#!")
    {
        panic!("{error}\n{source}\n{code}");
    }
}

#[test]
fn library_files() {
    let mut count = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../node/src")];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).expect("the library has files");
        let paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it is there").path()).collect();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "js") {
                #[expect(clippy::disallowed_methods, reason = "the test's own input")]
                let source = std::fs::read_to_string(&path).expect("it can be read");
                let transformed = transform(&source, Language::JavaScript, Goal::CommonJs, &[])
                    .expect("JavaScript is never refused");
                assert_eq!(
                    transformed.code != source,
                    transformed.context.is_some(),
                    "{}",
                    path.display()
                );
                check(&source);
                count += 1;
            }
        }
    }
    assert!(count > 20, "only {count} files");
}

#[test]
fn mutated_texts() {
    let mut texts: Vec<String> =
        include_str!("types.txt").split("\n----\n").map(str::to_owned).collect();
    texts.extend((1..20).map(|seed| program(seed, seed % 2 == 0)));
    let pieces = [
        "await ",
        "await",
        "async ",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "`",
        "${",
        "'",
        "\"",
        "/*",
        "//",
        "\n",
        "\r\n",
        "\u{2028}",
        "é",
        "𝒳",
        ";",
        ",",
        "<T>",
        ": any",
        " as any",
        "!",
        "?",
        "=>",
        "for await (const x of y) ",
        "try {",
        "} finally {",
        "export ",
        "import ",
        "enum E {",
        "namespace N {",
        "class ",
        "public ",
        "constructor(private x) {",
        "yield ",
        "return ",
        "function* ",
        "type A = 1\n",
        "declare ",
        "abstract ",
        "#!",
        "\u{feff}",
        "@dec ",
        "$h",
        "=",
    ];
    for seed in 1..600 {
        let mut dice = Dice::new(seed);
        let mut text = dice.pick(&texts).clone();
        for _ in 0..1 + dice.below(4) {
            let (from, to) = (boundary(&mut dice, &text), boundary(&mut dice, &text));
            let (from, to) = (from.min(to), from.max(to));
            match dice.below(4) {
                0 => text.replace_range(from..to.min(boundary_after(&text, from + 20)), ""),
                1 => {
                    let piece = text[from..to.min(boundary_after(&text, from + 40))].to_owned();
                    text.insert_str(to, &piece);
                }
                2 => text.truncate(to),
                _ => {
                    let piece = *dice.pick(&pieces);
                    text.insert_str(from, piece);
                }
            }
        }
        check(&text);
    }
}

fn boundary(dice: &mut Dice, text: &str) -> usize {
    boundary_after(text, dice.below(text.len() + 1))
}

fn boundary_after(text: &str, index: usize) -> usize {
    (index..text.len()).find(|&index| text.is_char_boundary(index)).unwrap_or(text.len())
}

#[test]
fn arbitrary_bytes() {
    for seed in 1..3000 {
        let mut dice = Dice::new(seed);
        let bytes: Vec<u8> = (0..dice.below(40))
            .map(|_| u8::try_from(dice.below(256)).expect("it is a byte"))
            .collect();
        check(&String::from_utf8_lossy(&bytes));
    }
}
