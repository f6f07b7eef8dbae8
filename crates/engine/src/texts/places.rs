//! Places in a program's text that frames of a stack mean.

use super::{Texts, columns};

/// Line and column in the source where a frame calls a function of that name, without asking anybody for
/// the text; nothing for texts that are not kept. Where it is called by another name, `executed` is asked for the place
/// of the instruction.
pub fn place_of_call(
    texts: &Texts,
    file: &str,
    line: u32,
    column: u32,
    name: &str,
    executed: impl FnOnce() -> Option<(u32, u32)>,
) -> Option<(u32, u32)> {
    let column = texts.column(file, line, column)?;
    let line_of = |line: u32| texts.kept_line(file, line);
    // What the loader has put in has no name, and stands behind what is awaited.
    let is_await = name.is_empty() || name == "<anonymous>";
    let found = found_around(line_of, line, column, |text, at| match is_await {
        true => columns::awaiting(text, at),
        false => columns::named_call(text, at, name),
    });
    Some(found.or_else(executed).unwrap_or_else(|| {
        let text: Vec<u16> = line_of(line).unwrap_or_default().encode_utf16().collect();
        (line, if is_await { column } else { columns::call(&text, column) })
    }))
}

/// Line and column of what is found from a place on, backwards over its line and those before; both from 1.
pub fn found_around(
    line_of: impl Fn(u32) -> Option<String>,
    line: u32,
    column: u32,
    find: impl Fn(&[u16], usize) -> Option<usize>,
) -> Option<(u32, u32)> {
    // Most are on the line; a call that goes on for more than the last of these is not looked for.
    const BEFORE: [u32; 3] = [0, 9, 100];
    BEFORE.iter().find_map(|&before| found_within(&line_of, before, (line, column), &find))
}

/// The same, over so many lines before.
fn found_within(
    line_of: impl Fn(u32) -> Option<String>,
    before: u32,
    (line, column): (u32, u32),
    find: impl Fn(&[u16], usize) -> Option<usize>,
) -> Option<(u32, u32)> {
    let first = line.saturating_sub(before).max(1);
    let mut text: Vec<u16> = Vec::new();
    let mut starts = Vec::new();
    for line in first..=line {
        starts.push(text.len());
        text.extend(line_of(line)?.encode_utf16());
        text.push(u16::from(b'\n'));
    }
    let at = starts.last()? + (column as usize).checked_sub(1)?;
    let found = find(&text, at)?;
    let index = starts.partition_point(|&start| start <= found) - 1;
    Some((first + index as u32, (found - starts[index]) as u32 + 1))
}
