//! Patterns for files: `*` and `?` within a name, `**` across directories.

/// Whether a pattern means a path. One without a slash means a file of that name anywhere, and any
/// other may begin in the middle of the path, at a directory.
pub fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    if pattern.starts_with('/') {
        return whole(pattern.as_bytes(), path.as_bytes());
    }
    let starts = path.match_indices('/').map(|(at, _)| at + 1).chain([0]);
    starts.map(|at| &path[at..]).any(|rest| whole(pattern.as_bytes(), rest.as_bytes()))
}

fn whole(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => path.is_empty(),
        [b'*', b'*', rest @ ..] => {
            let rest = rest.strip_prefix(b"/").unwrap_or(rest);
            (0..=path.len()).any(|at| whole(rest, &path[at..]))
        }
        [b'*', rest @ ..] => {
            let name = path.iter().position(|&byte| byte == b'/').unwrap_or(path.len());
            (0..=name).any(|at| whole(rest, &path[at..]))
        }
        [b'?', rest @ ..] => {
            path.split_first().is_some_and(|(&byte, path)| byte != b'/' && whole(rest, path))
        }
        [byte, rest @ ..] => {
            path.split_first().is_some_and(|(first, path)| first == byte && whole(rest, path))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_mean_files() {
        for (pattern, path, expected) in [
            ("a.js", "/x/a.js", true),
            ("a.js", "/x/ba.js", false),
            ("*.js", "/x/y/a.js", true),
            ("*.js", "/x/a.ts", false),
            ("node_modules/**", "/x/node_modules/y/z.js", true),
            ("node_modules/*", "/x/node_modules/y/z.js", false),
            ("**/z.js", "/x/node_modules/y/z.js", true),
            ("/x/?.js", "/x/a.js", true),
            ("/x/?.js", "/y/x/a.js", false),
            ("./a.js", "/x/a.js", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }
}
