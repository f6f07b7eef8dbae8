//! Random programs do the same before and after, job for job.

use crate::support::engine::{Engine, OFF, ON};
use crate::support::generator::program;
use hemiola_transform::{Goal, Language, transform};

/// How many programs; `HEMIOLA_PROGRAMS` says otherwise.
fn count() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a test may be told to run longer")]
    let asked = std::env::var("HEMIOLA_PROGRAMS").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(600)
}

#[test]
fn programs_do_the_same_before_and_after() {
    let mut long = 0;
    let mut engine = Engine::new();
    for seed in 1..=count() {
        let goal = if seed % 3 == 0 { Goal::Module } else { Goal::CommonJs };
        let source = program(seed, goal == Goal::Module);
        let before = engine
            .run(&source, goal, None, OFF)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let transformed = transform(&source, Language::JavaScript, goal, &[])
            .expect("JavaScript is never refused");
        let changed = transformed.code != source;
        let suspends = source.contains("await ") || source.contains("async function*");
        assert!(changed || !suspends, "seed {seed} does not parse\n{source}");
        assert_eq!(transformed.code.lines().count(), source.lines().count());
        let import = "import $h from \"hemiola:internal/context\";";
        let undone = transformed.original(&transformed.code);
        assert!(undone.strip_prefix(import).unwrap_or(&undone) == source, "seed {seed}\n{undone}");
        for stub in [OFF, ON] {
            let after = engine
                .run_transformed(&transformed, stub)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", transformed.code));
            assert!(
                before == after,
                "seed {seed}\n{source}\n{}\n{before:#?}\n{after:#?}",
                transformed.code
            );
        }
        long += usize::from(before.len() > 20);
    }
    assert!(long as u64 > count() / 8, "only {long} programs did much");
}
