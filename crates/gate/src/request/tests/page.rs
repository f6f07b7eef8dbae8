//! The page that says what every call needs, made of the table; a test keeps it fresh.

use crate::files::open;
use crate::need::{Access, Last, Need};
use crate::request::{
    Aside, Descriptor, Expected, FilePath, FileRef, Nullable, Pieces, Position, Program, Record,
    Request, Rest, Secret, Trailing,
};
use crate::value::Datum;
use std::fmt::Write;
use std::path::Path;

/// A family of calls.
pub(crate) struct Family {
    /// What it is about.
    pub(crate) about: &'static str,
    /// What each call does, and the call with the names of its fields as their values.
    pub(crate) calls: Vec<(&'static str, Request)>,
}

/// What calls need may depend on what they are given: by a path to read, to write, or to do both; or by
/// whatever stands for what was checked before.
const CASES: usize = 4;
const WITHOUT: usize = 3;

/// A value that shows the name of its field.
pub(crate) trait Named {
    fn named(name: &str, case: usize) -> Self;
}

impl Named for FilePath {
    fn named(name: &str, _: usize) -> Self {
        name.to_owned().into()
    }
}

impl Named for FileRef {
    fn named(name: &str, case: usize) -> Self {
        match case {
            WITHOUT => Self::Descriptor(1),
            _ => Self::Path(Named::named(name, case)),
        }
    }
}

impl Named for String {
    fn named(name: &str, _: usize) -> Self {
        name.into()
    }
}

impl Named for i32 {
    fn named(name: &str, case: usize) -> Self {
        match (name, case) {
            ("flags", 1) => open::WRITE | open::CREATE,
            ("flags", 2) => open::BOTH,
            ("flags", _) | (_, WITHOUT) => 0,
            _ => 1,
        }
    }
}

impl Named for Record {
    fn named(_: &str, case: usize) -> Self {
        Self::new(vec![("implicit".into(), Datum::Bool(case == WITHOUT))])
    }
}

impl Named for Program {
    fn named(name: &str, case: usize) -> Self {
        Datum::clone(&Record::named(name, case)).into()
    }
}

impl Named for Descriptor {
    fn named(_: &str, _: usize) -> Self {
        1.into()
    }
}

impl<T: Named> Named for Option<T> {
    fn named(name: &str, case: usize) -> Self {
        (case != WITHOUT).then(|| T::named(name, case))
    }
}

impl<T: Named> Named for Trailing<T> {
    fn named(name: &str, case: usize) -> Self {
        Self(Named::named(name, case))
    }
}

impl<T: Named> Named for Nullable<T> {
    fn named(name: &str, case: usize) -> Self {
        Self(Named::named(name, case))
    }
}

impl<A: Named, B: Named> Named for (A, B) {
    fn named(name: &str, case: usize) -> Self {
        (A::named(name, case), B::named(name, case))
    }
}

/// What makes no difference to what is needed.
macro_rules! plain {
    ($($type:ty = $value:expr;)*) => {
        $(impl Named for $type {
            fn named(_: &str, _: usize) -> Self {
                $value
            }
        })*
    };
}

plain! {
    Aside = Self(false);
    Secret = Self(None);
    Expected = Self::Narrow(0.0);
    Pieces = Self::One(Vec::new());
    Position = Self(None);
    Rest = Self(Vec::new());
    Vec<u8> = Vec::new();
    Vec<u64> = Vec::new();
    Vec<Datum> = Vec::new();
    bool = false;
    f64 = 0.0;
    i64 = 0;
    u16 = 1;
    u32 = 0;
    u64 = 1;
}

/// A need, in the words of the flags.
fn words(need: Need<'_>) -> String {
    let path = |path: &FilePath, last: Last| {
        let name = path.as_path().display();
        match last {
            Last::Followed => format!("`{name}`"),
            Last::Link | Last::Name => format!("`{name}` itself"),
        }
    };
    match need {
        Need::File(Access::Read, last, file) => format!("`--allow-read` for {}", path(file, last)),
        Need::File(Access::Write, last, file) => {
            format!("`--allow-write` for {}", path(file, last))
        }
        Need::OpenFile(_) => "`--allow-write`, and `fd` must be opened for writing".into(),
        Need::Place(_) => "`--allow-net` for the host and port, or for the path".into(),
        Need::Host(host, Some(_)) => format!("`--allow-net` for `{host}` and its port"),
        Need::Host(host, None) => format!("`--allow-net` for `{host}`"),
        Need::AnyHost(..) => "`--allow-net` for any host".into(),
        Need::Program(_) => "`--allow-run` for the file".into(),
        Need::Process(_) => "`--allow-run` without a list, unless `pid` is its own".into(),
        Need::Workers => "`--allow-worker`".into(),
        Need::Nothing(why) => format!("nothing: {why}"),
    }
}

/// All that a call needs, whatever it is given.
fn needs<'a>(cases: impl Iterator<Item = &'a Request>) -> String {
    let mut told: Vec<String> = Vec::new();
    for request in cases {
        let needs: Vec<String> = request.needs().into_iter().map(words).collect();
        let needs = needs.join(" and ");
        if !told.contains(&needs) {
            told.push(needs);
        }
    }
    told.join("; or ")
}

fn table() -> String {
    let cases: Vec<_> = (0..CASES).map(Request::described).collect();
    let mut text = String::new();
    for (of, family) in cases[0].iter().enumerate() {
        let _ = write!(text, "\n## {}\n\n", family.about.trim().trim_end_matches('.'));
        text.push_str("| call | what it does | what it needs |\n| --- | --- | --- |\n");
        for (at, (about, request)) in family.calls.iter().enumerate() {
            let needs = needs(cases.iter().map(|case| &case[of].calls[at].1));
            let _ = writeln!(text, "| `{}` | {} | {needs} |", request.name(), about.trim());
        }
    }
    text
}

/// What stands above the table, which begins with the first family.
const END_OF_INTRODUCTION: &str =
    "<!-- made of the table of calls: UPDATE=1 cargo test -p hemiola-gate -->\n";

#[test]
#[expect(clippy::disallowed_methods, reason = "the page is a file of this repository")]
fn the_page_of_permissions_is_made_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/permissions.md");
    let page = std::fs::read_to_string(&path).expect("there is a page");
    let (introduction, written) =
        page.split_once(END_OF_INTRODUCTION).expect("the page says where the table begins");
    let table = table();
    if std::env::var_os("UPDATE").is_some_and(|update| update == "1") {
        let page = format!("{introduction}{END_OF_INTRODUCTION}{table}");
        return std::fs::write(&path, page).expect("the page can be written");
    }
    assert!(written == table, "docs/permissions.md is stale: UPDATE=1 cargo test -p hemiola-gate");
}
