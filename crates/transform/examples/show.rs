//! Prints what becomes of the text on standard input: `show [ts] [module|commonjs]`.

use hemiola_transform::{Goal, Language, transform};
use std::io::Read as _;

#[expect(clippy::disallowed_methods, reason = "this is a command")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut source = String::new();
    std::io::stdin().read_to_string(&mut source)?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let language = if has("ts") { Language::TypeScript } else { Language::JavaScript };
    let goal = match (has("module"), has("commonjs")) {
        (true, _) => Goal::Module,
        (_, true) => Goal::CommonJs,
        _ => Goal::Detect,
    };
    let transformed = transform(&source, language, goal, &[])?;
    eprintln!("goal {:?}, context {:?}", transformed.goal, transformed.context);
    print!("{}", transformed.code);
    Ok(())
}
