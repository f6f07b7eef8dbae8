//! `NODE_OPTIONS` in the files of `--env-file`: flags have to be known before a program is there that could read them.

use std::fs;

/// What the files that flags name say `NODE_OPTIONS` is. The last one wins; the library says what is wrong with a file.
pub(super) fn node_options(given: &[String]) -> Option<String> {
    let names = ["--env-file", "--env-file-if-exists"];
    let files = given.iter().filter_map(|flag| {
        names.iter().find_map(|name| flag.strip_prefix(name)?.strip_prefix('='))
    });
    let texts = files.filter_map(|file| fs::read_to_string(file).ok());
    texts.filter_map(|text| variable(&text, "NODE_OPTIONS")).next_back()
}

/// The value of a variable in the text of such a file, as `internal/util/dotenv` of the library reads it.
fn variable(text: &str, name: &str) -> Option<String> {
    let text = text.replace('\r', "");
    let mut rest = text.trim_matches(' ');
    let mut found = None;
    while !rest.is_empty() {
        if rest.starts_with(['\n', '#'])
            && let Some(end) = rest.find('\n')
        {
            rest = &rest[end + 1..];
            continue;
        }
        let Some((key, after)) = rest.split_once('=') else { break };
        let key = key.trim_matches(' ');
        if key.is_empty() {
            break;
        }
        let (value, after) = value(after.trim_start_matches(' '));
        if key.strip_prefix("export ").unwrap_or(key) == name {
            found = value.or(found);
        }
        rest = after;
    }
    found.filter(|value| !value.is_empty())
}

/// The value at the start of a text, and what follows it.
fn value(text: &str) -> (Option<String>, &str) {
    let line_end = |from: usize| text[from..].find('\n').map_or(text.len(), |end| from + end);
    let quote = text.chars().next().filter(|first| ['"', '\'', '`'].contains(first));
    let Some(quote) = quote else {
        let end = line_end(0);
        let line = text[..end].split('#').next().unwrap_or_default();
        return (Some(line.trim_matches(' ').to_owned()), &text[end..]);
    };
    let Some(close) = text[1..].find(quote).map(|at| at + 1) else {
        // Without its end the quote is part of the value; on the last line there is no value.
        let end = line_end(0);
        let is_last = end == text.len();
        return (
            (!is_last).then(|| text[..end].to_owned()),
            if is_last { "" } else { &text[end..] },
        );
    };
    let inside = &text[1..close];
    let inside = if quote == '"' { inside.replace("\\n", "\n") } else { inside.to_owned() };
    (Some(inside), &text[line_end(close + 1)..])
}

#[cfg(test)]
mod tests {
    use super::variable;

    #[test]
    fn values_are_read_as_the_library_reads_them() {
        let options = |text: &str| variable(text, "NODE_OPTIONS");
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(options("# NODE_OPTIONS=no\nA=1\nNODE_OPTIONS=\"-r x\" # y\n"), is("-r x"));
        assert_eq!(options("export NODE_OPTIONS=--a # b\nB='NODE_OPTIONS=c'"), is("--a"));
        assert_eq!(options("NODE_OPTIONS=--a\n NODE_OPTIONS = `--b` \n"), is("--b"));
        assert_eq!(options("NODE_OPTIONS=\nA=2"), None);
        assert_eq!(options("NODE_OPTIONS='--a\nB=2\n"), is("'--a"));
        assert_eq!(options("nothing"), None);
    }
}
