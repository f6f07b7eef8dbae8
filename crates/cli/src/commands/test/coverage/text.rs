//! A table of what is covered.

use super::lines::{Covered, Share};
use super::{Shares, shown};
use std::path::Path;

const TITLES: [&str; 5] = ["File", "% Lines", "% Branches", "% Functions", "Uncovered lines"];

pub(super) fn report(files: &[Covered], root: &Path) -> String {
    let row = |name: String, shares: Shares, uncovered: String| {
        let Shares { lines, branches, functions } = shares;
        let [lines, branches, functions] = [lines, branches, functions].map(Share::percent);
        [name, lines.to_string(), branches.to_string(), functions.to_string(), uncovered]
    };
    let mut rows = vec![row("All files".into(), Shares::of(files), String::new())];
    rows.extend(files.iter().map(|file| {
        let shares = Shares::of(std::slice::from_ref(file));
        row(format!(" {}", shown(root, &file.path)), shares, uncovered(&file.lines))
    }));
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or_default().max(TITLES[column].len())
    };
    let widths: Vec<usize> = (0..TITLES.len()).map(width).collect();
    let line = |cells: [&str; 5]| {
        let padded = cells.iter().zip(&widths).enumerate().map(|(at, (cell, &width))| match at {
            0 | 4 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("{}\n", padded.collect::<Vec<_>>().join(" | ").trim_end())
    };
    let rule = widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>().join("-|-");
    let mut text = format!("\n{}{rule}\n", line(TITLES));
    for row in &rows {
        text.push_str(&line(row.each_ref().map(String::as_str)));
    }
    text
}

/// The lines that were not executed: `3, 7-9`.
fn uncovered(lines: &[u64]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, count)| **count == 0) {
        match runs.last_mut() {
            Some((_, last)) if *last == at => *last = at + 1,
            _ => runs.push((at + 1, at + 1)),
        }
    }
    let run = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::uncovered;

    #[test]
    fn runs_of_lines_are_put_together() {
        assert_eq!(uncovered(&[0, 1, 0, 0, 0, 2, 0]), "1, 3-5, 7");
        assert_eq!(uncovered(&[1, 1]), "");
    }
}
