//! Patterns of paths, as runners write them: `**`, `*`, `?`, `[a-z]`, `{a,b}`, `?(a|b)` and its kin.

/// Whether a path, with `/` between its parts, matches a pattern.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let path: Vec<char> = path.chars().collect();
    expand(pattern).iter().any(|pattern| fits(&pattern.chars().collect::<Vec<_>>(), &path))
}

/// Whether a text is a pattern at all.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// The patterns that one with braces stands for.
fn expand(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find('{') else { return vec![pattern.to_owned()] };
    let mut depth = 0;
    let mut cuts = vec![open];
    let mut close = None;
    for (at, char) in pattern[open..].char_indices() {
        match char {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    close = Some(open + at);
                    break;
                }
            }
            ',' if depth == 1 => cuts.push(open + at),
            _ => {}
        }
    }
    let Some(close) = close else { return vec![pattern.to_owned()] };
    cuts.push(close);
    let (before, after) = (&pattern[..open], &pattern[close + 1..]);
    let parts = cuts.windows(2).map(|cut| &pattern[cut[0] + 1..cut[1]]);
    parts.flat_map(|part| expand(&format!("{before}{part}{after}"))).collect()
}

fn fits(pattern: &[char], path: &[char]) -> bool {
    match pattern {
        [] => path.is_empty(),
        ['*', '*', '/', rest @ ..] => {
            fits(rest, path)
                || path
                    .iter()
                    .enumerate()
                    .any(|(at, char)| *char == '/' && fits(rest, &path[at + 1..]))
        }
        ['*', '*'] => true,
        [kind @ ('?' | '*' | '+' | '@' | '!'), '(', rest @ ..] if closing(rest).is_some() => {
            choice(*kind, rest, path)
        }
        ['*', rest @ ..] => {
            let end = path.iter().position(|char| *char == '/').unwrap_or(path.len());
            (0..=end).any(|at| fits(rest, &path[at..]))
        }
        ['?', rest @ ..] => matches!(path, [char, path @ ..] if *char != '/' && fits(rest, path)),
        ['[', rest @ ..] => match (class(rest), path) {
            (Some((set, rest)), [char, path @ ..]) => is_in(set, *char) && fits(rest, path),
            _ => false,
        },
        ['\\', char, rest @ ..] | [char, rest @ ..] => {
            matches!(path, [first, path @ ..] if first == char && fits(rest, path))
        }
    }
}

/// Where the parenthesis closes that was open before.
fn closing(pattern: &[char]) -> Option<usize> {
    let mut depth = 1;
    pattern.iter().position(|char| {
        match char {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// `?(a|b)`, `*(a|b)`, `+(a|b)`, `@(a|b)`, `!(a|b)`, without their first two characters.
fn choice(kind: char, pattern: &[char], path: &[char]) -> bool {
    let Some(end) = closing(pattern) else { return false };
    let rest = &pattern[end + 1..];
    let options: Vec<&[char]> = pattern[..end].split(|char| *char == '|').collect();
    let once = |after: &[char]| options.iter().any(|option| fits(&[option, after].concat(), path));
    match kind {
        '@' => once(rest),
        '?' => fits(rest, path) || once(rest),
        '!' => {
            let end = path.iter().position(|char| *char == '/').unwrap_or(path.len());
            (0..=end).any(|at| {
                !options.iter().any(|option| fits(option, &path[..at])) && fits(rest, &path[at..])
            })
        }
        // Each time takes something of the path, so that it ends.
        _ => {
            let again = (1..=path.len()).any(|at| {
                options.iter().any(|option| fits(option, &path[..at]))
                    && choice('*', pattern, &path[at..])
            });
            again || (kind == '*' && fits(rest, path))
        }
    }
}

/// The set of a pattern after its bracket, and what follows it.
fn class(pattern: &[char]) -> Option<(&[char], &[char])> {
    let end = pattern.iter().skip(1).position(|char| *char == ']')? + 1;
    Some((&pattern[..end], &pattern[end + 1..]))
}

fn is_in(set: &[char], char: char) -> bool {
    let (negated, mut set) = match set {
        ['!' | '^', rest @ ..] => (true, rest),
        _ => (false, set),
    };
    let mut found = false;
    while let [first, rest @ ..] = set {
        set = match rest {
            ['-', last, rest @ ..] => {
                found |= (*first..=*last).contains(&char);
                rest
            }
            _ => {
                found |= *first == char;
                rest
            }
        };
    }
    found != negated && char != '/'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_runners_match_as_their_runners_say() {
        let jest = ["**/__tests__/**/*.[jt]s?(x)", "**/?(*.)+(spec|test).[jt]s?(x)"];
        let vitest = "**/*.{test,spec}.?(c|m)[jt]s?(x)";
        for path in ["a.test.js", "src/a.spec.tsx", "test.js", "src/deep/b.test.ts"] {
            assert!(matches(jest[1], path), "{path}");
        }
        assert!(matches(jest[0], "src/__tests__/a/b.js"));
        assert!(!matches(jest[1], "src/testing.js"));
        for path in ["a.test.js", "x/a.spec.mts", "a.test.cjs", "a.test.jsx"] {
            assert!(matches(vitest, path), "{path}");
        }
        assert!(!matches(vitest, "test.js"));
        assert!(matches("./test/*.{js,cjs}".trim_start_matches("./"), "test/a.cjs"));
        assert!(!matches("test/*.js", "test/a/b.js"));
        assert!(matches("test/**", "test/a/b.js"));
        assert!(matches("**/!(skip).js", "a/b.js") && !matches("**/!(skip).js", "a/skip.js"));
    }
}
