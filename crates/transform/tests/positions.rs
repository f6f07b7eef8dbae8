//! Places that the engine names are found in the source again.

use crate::support::engine::{Engine, ON, script_prefix};
use crate::support::generator::program;
use hemiola_transform::{Goal, Language, Positions, Transformed, transform};

/// Makes every `log` write the place of its call instead of a value.
fn with_places(source: &str) -> String {
    source.replace(
        "write(tag + ' ' + show(value))",
        "write('at ' + new Error().stack.split('\\n')[1])",
    )
}

/// The places in the source, where the engine names any.
fn places(lines: &[String], positions: &Positions, prefix: u32) -> Vec<(u32, u32)> {
    let place = |line: &String| {
        let mut parts = line.trim_end_matches(')').rsplitn(3, ':');
        let column: u32 = parts.next()?.parse().ok()?;
        let line: u32 = parts.next()?.parse().ok()?;
        Some((line, positions.engine_column(line, column, prefix)))
    };
    lines.iter().filter_map(place).collect()
}

fn places_of(engine: &mut Engine, transformed: &Transformed<'_>) -> Vec<(u32, u32)> {
    let lines = engine
        .run_transformed(transformed, ON)
        .unwrap_or_else(|error| panic!("{error}\n{}", transformed.code));
    let prefix = match transformed.goal {
        Goal::Module => 0,
        _ => {
            u32::try_from(script_prefix(transformed.context.as_deref()).len()).expect("it is short")
        }
    };
    places(&lines, &transformed.positions, prefix)
}

fn untransformed(source: &str, goal: Goal) -> Transformed<'_> {
    Transformed {
        code: source.into(),
        goal,
        context: None,
        positions: Positions::of_unchanged(source),
        undo: Vec::new(),
        access: None,
        steps: None,
        coverage: None,
    }
}

#[test]
fn places_are_the_same_before_and_after() {
    let mut engine = Engine::new();
    let (mut count, mut others) = (0, 0);
    for seed in 1..150 {
        let goal = if seed % 3 == 0 { Goal::Module } else { Goal::CommonJs };
        // Longer characters, and calls on the first line.
        let source = with_places(&program(seed, goal == Goal::Module))
            .replace("log('", "/*é𝒳*/log('")
            .replace('\n', if seed % 5 == 0 { "\r\n" } else { "\n" });
        let source = source.replacen("\n", "/* 𝒳 */log('first');\n", 1);
        let before = places_of(&mut engine, &untransformed(&source, goal));
        let transformed = transform(&source, Language::JavaScript, goal, &[])
            .expect("JavaScript is never refused");
        let after = places_of(&mut engine, &transformed);
        assert_eq!(before.len(), after.len(), "seed {seed}\n{source}\n{}", transformed.code);
        for (before, after) in before.into_iter().zip(after) {
            // The engine gives a call the place of the last call among its arguments, and what is
            // inserted after the operand of `await` calls: such a place is that operand's end.
            count += usize::from(before == after);
            others += usize::from(before != after);
        }
    }
    assert!(count > 1000 && others < count / 10, "{count} places are right, {others} are not");
}

#[test]
fn places_are_those_of_the_source() {
    let at = |source: &str, goal: Goal, language: Language| {
        let source = with_places(source);
        let transformed = transform(&source, language, goal, &[]).expect("it parses");
        places_of(&mut Engine::new(), &transformed)
    };
    let log = "function log() { write('at ' + new Error().stack.split('\\n')[1]) }";
    let javascript = format!(
        "{log}\n(async () => {{ await 1; log()\n\tconst é = await 2, x = [await 3, log()]\n}})()"
    );
    assert_eq!(at(&javascript, Goal::CommonJs, Language::JavaScript), [(2, 25), (3, 35)]);
    let module = format!("await 1; /*é*/ log(); {log}\nawait 2; log()");
    assert_eq!(at(&module, Goal::Module, Language::JavaScript), [(1, 16), (2, 10)]);
    let typescript = format!(
        "{log}\nenum E {{ A = 1, B = f(log()) }} log(); function f(x: any): any {{ return <any>\nlog() as any }}"
    );
    assert_eq!(at(&typescript, Goal::Detect, Language::TypeScript), [(2, 23), (3, 1), (2, 32)]);
}
