//! The flags of Node's command line: what each does here, or why it means nothing.
//!
//! [`TABLE`] has a row for each. The command line reads flags by it, so do `NODE_OPTIONS` and the `execArgv` of
//! workers; `process.allowedNodeEnvironmentFlags` lists from it, and `docs/flags.md` is written from it. The library
//! finds flags on `binding.flags`, always as `--name` or `--name=value`.

mod table;

pub use table::TABLE;

/// A flag.
#[derive(Debug)]
pub struct Flag {
    /// Its name, with dashes.
    pub name: &'static str,
    /// Other names for it.
    pub also: &'static [&'static str],
    /// What comes with it.
    pub value: Value,
    /// Whether it may stand in `NODE_OPTIONS`.
    pub in_environment: bool,
    /// What becomes of it here.
    pub effect: Effect,
    /// What it does, why it means nothing, or what to do instead.
    pub about: &'static str,
}

/// What comes with a flag. Flags that take something have an example of it, for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    No,
    /// A value, after `=` or as the next word.
    Needs(&'static str),
    /// A value after `=`, and nothing else: an option of V8.
    Joined(&'static str),
    /// A value after `=`, or none.
    May(&'static str),
    /// One of these, after `=` or as the next word.
    OneOf(&'static [&'static str]),
}

/// What becomes of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It does what it does in Node.
    Works,
    /// The same as these flags of ours.
    Means(&'static [&'static str]),
    /// It asks for what is so anyhow.
    Already,
    /// It means nothing here; who gives it is told so.
    Nothing,
    /// Without what it asks for, a program would do something else than was meant.
    Refused,
}

/// A flag that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// How it was called, without its value.
    pub given: String,
    /// The form that the library knows: `--name`, `--no-name` or `--name=value`.
    pub normal: String,
    /// How many words it takes.
    pub words: usize,
    /// Whether it may stand in `NODE_OPTIONS`.
    pub in_environment: bool,
    /// What becomes of it.
    pub effect: Effect,
    /// What there is to say about it.
    pub about: &'static str,
}

/// Why a flag of Node cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It lacks its value.
    NeedsValue(String),
    /// Its value is none of those that it knows.
    NotOneOf(String, &'static [&'static str]),
}

/// Names of V8's options, in order.
static V8: &str = include_str!("v8-options");
/// Why they mean nothing.
pub const ABOUT_V8: &str = "an option of V8; the engine here is QuickJS";

/// Variables that stand for a flag where they are 1, besides `NODE_OPTIONS`.
const SWITCHES: [(&str, &str); 3] = [
    ("NODE_PENDING_DEPRECATION", "--pending-deprecation"),
    ("NODE_PRESERVE_SYMLINKS", "--preserve-symlinks"),
    ("NODE_PRESERVE_SYMLINKS_MAIN", "--preserve-symlinks-main"),
];

/// The flags that variables stand for, of which `value` gives the values.
pub fn switched(value: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let on = SWITCHES.into_iter().filter(|(name, _)| value(name).as_deref() == Some("1"));
    on.map(|(_, flag)| flag.to_owned()).collect()
}

/// The flag of Node at the beginning of some words, if there is one.
pub fn read(words: &[&str]) -> Result<Option<Found>, Wrong> {
    let Some(&word) = words.first() else { return Ok(None) };
    if !word.starts_with('-') || word == "-" || word == "--" {
        return Ok(None);
    }
    let (given, joined) = match word.split_once('=') {
        Some((given, value)) if word.starts_with("--") => (given, Some(value)),
        _ => (word, None),
    };
    // Node takes an underscore for a dash.
    let name = match given.strip_prefix("--") {
        Some(rest) => format!("--{}", rest.replace('_', "-")),
        None => given.to_owned(),
    };
    let Some((flag, negated)) = find(&name) else { return Ok(of_v8(given, &name)) };
    let found = |normal: String, words: usize| Found {
        given: given.to_owned(),
        normal,
        words,
        in_environment: flag.in_environment,
        effect: flag.effect,
        about: flag.about,
    };
    let next = || words.get(1).filter(|next| !next.starts_with('-') || next.len() == 1);
    let taken = match (flag.value, joined) {
        // To ask for what is so without the flag is never wrong.
        (Value::No, _) if negated => {
            return Ok(Some(Found { effect: Effect::Already, ..found(name.clone(), 1) }));
        }
        (Value::No, _) | (Value::May(_), None) => return Ok(Some(found(flag.name.to_owned(), 1))),
        (_, Some(value)) => (value, 1),
        (Value::Needs(_) | Value::OneOf(_), None) => match next() {
            Some(value) => (*value, 2),
            None => return Err(Wrong::NeedsValue(given.to_owned())),
        },
        (Value::Joined(_), None) => return Err(Wrong::NeedsValue(format!("{given}="))),
    };
    if let Value::OneOf(known) = flag.value
        && !known.contains(&taken.0)
    {
        return Err(Wrong::NotOneOf(given.to_owned(), known));
    }
    Ok(Some(found(format!("{}={}", flag.name, taken.0), taken.1)))
}

/// The row of a flag, and whether it is the opposite of it that was named.
fn find(name: &str) -> Option<(&'static Flag, bool)> {
    let row = |name: &str| TABLE.iter().find(|flag| flag.name == name || flag.also.contains(&name));
    if let Some(flag) = row(name) {
        return Some((flag, false));
    }
    let opposite = match name.strip_prefix("--no-") {
        Some(rest) => format!("--{rest}"),
        None => format!("--no-{}", name.strip_prefix("--")?),
    };
    row(&opposite).filter(|flag| flag.value == Value::No).map(|flag| (flag, true))
}

/// What there is to say of a name if it is an option of V8, or the denial of one.
fn of_v8(given: &str, name: &str) -> Option<Found> {
    let plain = name.strip_prefix("--")?;
    let is_one = |plain: &str| V8.lines().any(|line| line == plain);
    // V8 also takes `--noname`.
    let is_known =
        is_one(plain) || ["no-", "no"].iter().any(|no| plain.strip_prefix(no).is_some_and(is_one));
    is_known.then(|| Found {
        given: given.to_owned(),
        normal: name.to_owned(),
        words: 1,
        in_environment: false,
        effect: Effect::Nothing,
        about: ABOUT_V8,
    })
}

/// The words of `NODE_OPTIONS`: separated by spaces; double quotes hold words together, and in them a backslash
/// stands before what is meant as it is. None if a quote is open at the end.
pub fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quoted => word.get_or_insert_default().push(letters.next()?),
            ' ' if !quoted => words.extend(word.take()),
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    (!quoted).then_some(words)
}

/// All flags among some words, in the form that the library knows; what is none is left out.
pub fn normal(words: &[String]) -> Vec<String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut rest = &words[..];
    let mut all = Vec::new();
    while !rest.is_empty() {
        let taken = match read(rest) {
            Ok(Some(found)) => {
                all.push(found.normal);
                found.words
            }
            Ok(None) | Err(_) => {
                all.push(rest[0].to_owned());
                1
            }
        };
        rest = &rest[taken..];
    }
    all
}

/// The words that are no flags which may stand in `NODE_OPTIONS`, nor values of such.
pub(crate) fn unknown(words: &[String]) -> Vec<String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut rest = &words[..];
    let mut unknown = Vec::new();
    while let Some(word) = rest.first() {
        let taken = match read(rest) {
            Ok(Some(found)) if found.in_environment && found.effect != Effect::Refused => {
                found.words
            }
            Ok(_) | Err(_) => {
                unknown.push((*word).to_owned());
                1
            }
        };
        rest = &rest[taken..];
    }
    unknown
}

/// The names of all flags that may stand in `NODE_OPTIONS`, and their opposites.
pub(crate) fn allowed() -> Vec<String> {
    let rows = TABLE.iter().filter(|flag| flag.in_environment);
    let names = rows.flat_map(|flag| {
        let plain = flag.name.strip_prefix("--no-").unwrap_or(&flag.name[2..]);
        let both = match flag.value {
            Value::No => vec![format!("--{plain}"), format!("--no-{plain}")],
            Value::Needs(_) | Value::Joined(_) | Value::May(_) | Value::OneOf(_) => {
                vec![flag.name.to_owned()]
            }
        };
        both.into_iter().chain(flag.also.iter().map(|name| (*name).to_owned()))
    });
    names.collect()
}

/// The value of the last flag of that name among some that are in the form that the library knows.
pub fn value<'a>(flags: &'a [String], name: &str) -> Option<&'a str> {
    values(flags, name).last()
}

/// The values of all flags of that name.
pub fn values<'a>(flags: &'a [String], name: &str) -> impl Iterator<Item = &'a str> {
    flags.iter().filter_map(move |flag| flag.strip_prefix(name)?.strip_prefix('='))
}

/// Whether a flag without a value is given, and not taken back later.
pub fn is_on(flags: &[String], name: &str) -> bool {
    let opposite = match name.strip_prefix("--no-") {
        Some(plain) => format!("--{plain}"),
        None => format!("--no-{}", &name[2..]),
    };
    flags.iter().rfind(|flag| **flag == name || **flag == opposite).is_some_and(|flag| flag == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(words: &[&str]) -> Found {
        read(words).expect("it is right").expect("it is a flag")
    }

    #[test]
    fn the_last_of_a_flag_and_its_opposite_counts() {
        let on = |given: &[&str], name| {
            is_on(&given.iter().map(|&flag| flag.into()).collect::<Vec<_>>(), name)
        };
        assert!(on(&["--no-warnings"], "--no-warnings"));
        assert!(!on(&["--no-warnings", "--warnings"], "--no-warnings"));
        assert!(on(&["--no-trace-exit", "--trace-exit"], "--trace-exit"));
        assert!(!on(&["--trace-exit", "--no-trace-exit"], "--trace-exit"));
    }

    #[test]
    fn flags_are_read_in_all_their_spellings() {
        assert_eq!(one(&["-r", "./x.js"]).normal, "--require=./x.js");
        assert_eq!(one(&["-r", "./x.js"]).words, 2);
        assert_eq!(one(&["--require=./x.js", "y"]).words, 1);
        assert_eq!(one(&["--max_old_space_size=100"]).normal, "--max-old-space-size=100");
        assert_eq!(
            one(&["--no-network-family-autoselection"]).normal,
            "--no-network-family-autoselection"
        );
        assert_eq!(one(&["--network-family-autoselection"]).effect, Effect::Already);
        assert_eq!(one(&["--no-preserve-symlinks"]).effect, Effect::Already);
        assert_eq!(one(&["--inspect"]).effect, Effect::Nothing);
        assert_eq!(one(&["--inspect=9230"]).normal, "--inspect=9230");
        assert_eq!(one(&["--noharmony"]).about, ABOUT_V8);
        assert_eq!(read(&["--title"]), Err(Wrong::NeedsValue("--title".into())));
        assert!(matches!(read(&["--disable-proto=x"]), Err(Wrong::NotOneOf(..))));
        assert_eq!(read(&["--nope"]), Ok(None));
        assert_eq!(read(&["-"]), Ok(None));
    }

    #[test]
    fn node_options_are_separated_as_node_does_it() {
        let all = |text: &str| words(text).map(|words| words.join("|"));
        assert_eq!(all("  -r ./a.js  --title=x "), Some("-r|./a.js|--title=x".into()));
        assert_eq!(all(r#"--title="a b" c"#), Some("--title=a b|c".into()));
        assert_eq!(all(r#""a\"b\\""#), Some(r#"a"b\"#.into()));
        assert_eq!(all(r#"--title="a"#), None);
    }

    #[test]
    fn every_flag_has_one_row_and_says_what_it_is_for() {
        let mut names: Vec<&str> =
            TABLE.iter().flat_map(|flag| flag.also.iter().copied().chain([flag.name])).collect();
        assert!(TABLE.iter().all(|flag| !flag.about.is_empty() && flag.name.starts_with("--")));
        assert!(TABLE.windows(2).all(|pair| pair[0].name < pair[1].name), "in the order of names");
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
