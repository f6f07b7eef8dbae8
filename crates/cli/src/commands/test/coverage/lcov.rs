//! What is covered, in the format of `lcov`.

use super::lines::{Called, Covered, Share};
use super::{Shares, shown};
use std::fmt::Write;
use std::path::Path;

pub(super) fn report(files: &[Covered], root: &Path) -> String {
    let mut text = String::new();
    files.iter().for_each(|file| write_file(&mut text, file, root).expect("a text grows"));
    text
}

fn write_file(text: &mut String, file: &Covered, root: &Path) -> std::fmt::Result {
    let Shares { lines, branches, functions } = Shares::of(std::slice::from_ref(file));
    let sums = |text: &mut String, kind: &str, share: Share| {
        writeln!(text, "{kind}F:{}\n{kind}H:{}", share.of, share.covered)
    };
    writeln!(text, "TN:\nSF:{}", shown(root, &file.path))?;
    for Called { name, line, .. } in &file.functions {
        writeln!(text, "FN:{line},{name}")?;
    }
    sums(text, "FN", functions)?;
    for Called { name, count, .. } in &file.functions {
        writeln!(text, "FNDA:{count},{name}")?;
    }
    for (at, count) in file.lines.iter().enumerate() {
        writeln!(text, "DA:{},{count}", at + 1)?;
    }
    sums(text, "L", lines)?;
    for (at, branch) in file.branches.iter().enumerate() {
        writeln!(text, "BRDA:{},{at},0,{}", branch.line, branch.count)?;
    }
    sums(text, "BR", branches)?;
    writeln!(text, "end_of_record")
}
