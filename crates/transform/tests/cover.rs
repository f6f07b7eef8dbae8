//! Programs with counters do the same, and what is counted is where it is in the source.

use crate::support::engine::{Engine, OFF};
use crate::support::generator::program;
use hemiola_transform::{Attribution, Goal, Language, Transformed, cover};

/// What stands for the runtime.
const RUNTIME: &str = "globalThis.$cover_0 = new Float64Array(99999); \
    globalThis.$cover_0r = (i, v) => { $cover_0[i]++; return v; };";

fn covered(source: &str, language: Language, goal: Goal) -> Transformed<'_> {
    cover(source, language, goal, &[], 0).expect("it is a program")
}

#[test]
fn random_programs_do_the_same() {
    let mut engine = Engine::new();
    let mut count = 0;
    for seed in 1..=200 {
        let goal = if seed % 3 == 0 { Goal::Module } else { Goal::CommonJs };
        let source = program(seed, goal == Goal::Module);
        let before = engine
            .run(&source, goal, None, OFF)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let transformed = covered(&source, Language::JavaScript, goal);
        assert_eq!(transformed.code.lines().count(), source.lines().count());
        let undone = transformed.original(&transformed.code);
        let import = "import $h from \"hemiola:internal/context\";";
        assert_eq!(undone.strip_prefix(import).unwrap_or(&undone), source, "seed {seed}");
        count += transformed.coverage.as_ref().map_or(0, |coverage| coverage.counters);
        let code = format!("{RUNTIME}{}", transformed.code);
        let after = engine
            .run(&code, goal, transformed.context.as_deref(), OFF)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", transformed.code));
        // The engine alone shows functions as they are; what follows one in a line is lost.
        let same = |before: &String, after: &String| match after.contains("/*$c<*/") {
            true => before.starts_with(&transformed.original(after)),
            false => before == after,
        };
        assert!(
            before.len() == after.len()
                && before.iter().zip(&after).all(|(one, two)| same(one, two)),
            "seed {seed}\n{source}\n{}\n{before:#?}\n{after:#?}",
            transformed.code
        );
    }
    assert!(count > 5000, "only {count} counters");
}

/// The texts of all ranges, where every second counter has counted once.
fn ranges(source: &str, language: Language) -> Vec<String> {
    let transformed = covered(source, language, Goal::Detect);
    let coverage = transformed.coverage.expect("it has counters");
    let counts: Vec<u64> =
        (0..coverage.counters).map(|counter| u64::from(counter % 2 == 0)).collect();
    let units: Vec<u16> = source.encode_utf16().collect();
    let functions = coverage.table(source).ranges(&counts, Attribution::Exact);
    let ranges = functions.iter().flat_map(|function| &function.ranges);
    let text =
        |start: u32, end: u32| String::from_utf16_lossy(&units[start as usize..end as usize]);
    ranges.map(|range| text(range.start, range.end)).collect()
}

#[test]
fn offsets_are_units_of_the_source() {
    let source = "let s = '𝒳é'; if (s) f()\r\n";
    assert_eq!(ranges(source, Language::JavaScript), [source, "f()"]);
}

#[test]
fn types_are_not_counted() {
    let source = "interface I { x?: number }\ntype T = I extends string ? 1 : 2\nenum E { A = 1 || 2 }\nfunction f(a: string): void\nfunction f(a: any) {}\n";
    assert_eq!(ranges(source, Language::TypeScript), [source, "function f(a: any) {}"]);
}

#[test]
fn parts_of_elements_and_decorated_classes_are_where_they_are_in_the_source() {
    use hemiola_transform::{Dialect, Jsx};
    let source = "/* é */ const e = <b>é{h(() => 1)}</b>\n";
    let language = Dialect { jsx: Some(Jsx::default()), ..Dialect::default() }.language();
    assert_eq!(ranges(source, language), [source, "() => 1"]);
}

#[test]
fn a_text_with_the_names_of_counters_gets_none() {
    let transformed = covered("let $cover_0 = 1", Language::JavaScript, Goal::Detect);
    assert!(transformed.coverage.is_none());
}
