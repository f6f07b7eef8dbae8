//! What becomes of each construct, to the letter.
//!
//! `golden.txt` has the texts, each with its output; `UPDATE=1 cargo test` rewrites it. A case begins
//! with its language and goal, `package` if timers are exchanged in it, and what its project has decided. Token and variable handling are spelled out in `names.rs`; here the
//! longest pieces are abbreviated: `«take»`, `«take weakly»`, `«enter»`, `«value»` and `«await»`.

use hemiola_transform::{Dialect, Exchanged, Goal, Jsx, Language, Runtime, transform};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");

const SHORT: [(&str, &str); 5] = [
    (",$hk=$h.on&&$h.c($hv),$hv=await($hk?$h.v($hv,$hv=0):$hv),$hk&&$h.r($hk),$hv)", "«await»"),
    ("$hk=$h.on&&$h.c()", "«take»"),
    ("$hk=$h.on&&$h.w()", "«take weakly»"),
    ("$hk?$h.v($hv,$hv=0):$hv", "«value»"),
    ("$hk&&$h.r($hk)", "«enter»"),
];

fn output(head: &str, source: &str) -> String {
    let has = |word: &str| head.split(' ').any(|found| found == word);
    let jsx = Jsx {
        runtime: if has("automatic") { Runtime::Automatic } else { Runtime::Classic },
        ..Jsx::default()
    };
    let language = if has("js") {
        Language::JavaScript
    } else {
        Dialect {
            types: !has("jsx"),
            jsx: (has("tsx") || has("jsx")).then_some(jsx),
            legacy_decorators: has("legacy"),
            decorator_metadata: has("metadata"),
            assigned_fields: has("assigned"),
            verbatim_imports: has("verbatim"),
        }
        .language()
    };
    let goal = match head.split(' ').nth(1) {
        Some("module") => Goal::Module,
        Some("commonjs") => Goal::CommonJs,
        _ => Goal::Detect,
    };
    let exchanged: Exchanged =
        if head.contains("package") { &["setTimeout", "setInterval"] } else { &[] };
    match transform(source, language, goal, exchanged) {
        Err(error) => format!("SyntaxError {error}"),
        Ok(transformed) => {
            let code = SHORT.iter().fold(transformed.code.to_string(), |code, (long, short)| {
                code.replace(long, short)
            });
            let context = transformed.context.map(|name| format!(" {name}")).unwrap_or_default();
            format!("{:?}{context}\n{code}", transformed.goal)
        }
    }
}

#[test]
fn texts_become_what_they_became() {
    let cases = include_str!("golden.txt").trim_end_matches('\n').split("\n----\n");
    let mut found = Vec::new();
    for case in cases.clone() {
        let input = case.split_once("\n=>\n").map_or(case, |(input, _)| input);
        let (head, source) = input.split_once('\n').expect("a case begins with its language");
        found.push(format!("{input}\n=>\n{}", output(head, source)));
    }
    let found = found.join("\n----\n") + "\n";
    #[expect(clippy::disallowed_methods, reason = "a test may be told to write its file anew")]
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, found).expect("the file can be written");
        return;
    }
    assert_eq!(found, include_str!("golden.txt"));
}
