//! What a project's `tsconfig.json` or `jsconfig.json` says: how its files are written, and where what they
//! import may be.

use super::failure::{Argument, Failure};
use super::paths::{node_modules, normalize, parent};
use hemiola_gate::{Disk, Kind};
use hemiola_transform::{Dialect, Jsx, Language, Runtime};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// What a project has decided.
#[derive(Debug)]
struct Project {
    /// For files with types; those with elements add `jsx`.
    dialect: Dialect,
    jsx: Jsx,
    /// `baseUrl`, as a path.
    base: Option<String>,
    /// `paths`: patterns, each with the paths that it stands for.
    paths: Vec<(String, Vec<String>)>,
}

/// The projects that were looked for, by the directory from which they were.
#[derive(Clone, Default)]
pub(super) struct Projects {
    known: RefCell<BTreeMap<String, Option<Rc<Project>>>>,
}

type Outcome<T> = Result<T, Failure>;

/// Options and the files that they stand in, the nearest first for each.
type Options = BTreeMap<String, (Value, String)>;

/// More than anybody means.
const LONGEST_CHAIN: usize = 32;

impl Project {
    /// The language of a file of the project.
    fn language(&self, plain: Language) -> Language {
        match plain {
            Language::JavaScript => plain,
            Language::TypeScript => self.dialect.clone().language(),
            Language::Dialect(dialect) => Dialect {
                types: dialect.types,
                jsx: dialect.jsx.as_ref().map(|_| self.jsx.clone()),
                ..self.dialect.clone()
            }
            .language(),
        }
    }

    /// The paths that a specifier may stand for, the most exact pattern's first.
    fn candidates(&self, specifier: &str) -> Vec<String> {
        let exact = self.paths.iter().find(|(pattern, _)| pattern == specifier);
        let best = exact.map(|(_, targets)| (targets, "")).or_else(|| {
            let fitting = self.paths.iter().filter_map(|(pattern, targets)| {
                let (before, after) = pattern.split_once('*')?;
                let rest = specifier.strip_prefix(before)?.strip_suffix(after)?;
                Some((before.len(), (targets, rest)))
            });
            fitting.max_by_key(|(length, _)| *length).map(|(_, found)| found)
        });
        let mapped = best.into_iter().flat_map(|(targets, rest)| {
            targets.iter().map(move |target| normalize(&target.replacen('*', rest, 1)))
        });
        let below_base = self.base.iter().map(|base| normalize(&format!("{base}/{specifier}")));
        mapped.chain(below_base).collect()
    }
}

impl Projects {
    /// The project that a file belongs to: the nearest configuration above it. Packages have none.
    fn project(&self, disk: &dyn Disk, file: &str) -> Outcome<Option<Rc<Project>>> {
        if file.contains("/node_modules/") {
            return Ok(None);
        }
        self.project_in(disk, parent(file))
    }

    fn project_in(&self, disk: &dyn Disk, directory: &str) -> Outcome<Option<Rc<Project>>> {
        if let Some(known) = self.known.borrow().get(directory) {
            return Ok(known.clone());
        }
        let files = ["tsconfig.json", "jsconfig.json"].map(|name| format!("{directory}/{name}"));
        let found = match files.iter().find(|file| is_file(disk, file)) {
            Some(file) => Some(Rc::new(read_project(disk, file)?)),
            None if directory.is_empty() => None,
            None => self.project_in(disk, parent(directory))?,
        };
        self.known.borrow_mut().insert(directory.to_owned(), found.clone());
        Ok(found)
    }

    /// The language of a file, by its name and by what its project says.
    pub(super) fn language(&self, disk: &dyn Disk, file: &str) -> Outcome<Language> {
        let plain = Language::of_name(file);
        if plain.is_javascript() {
            return Ok(plain);
        }
        Ok(self.project(disk, file)?.map_or(plain, |project| project.language(plain)))
    }

    /// The file that a specifier without a path means by what a project says.
    pub(super) fn mapped(
        &self,
        disk: &dyn Disk,
        specifier: &str,
        importer: &str,
    ) -> Outcome<Option<String>> {
        let Some(project) = self.project(disk, importer)? else { return Ok(None) };
        let candidates = project.candidates(specifier);
        Ok(candidates.iter().find_map(|path| written(disk, path)))
    }
}

fn read_project(disk: &dyn Disk, file: &str) -> Outcome<Project> {
    let mut options = Options::new();
    read_options(disk, file, &mut options, 0)?;
    Ok(project(&options, parent(file)))
}

/// Adds the options of a file, and of what it extends, to those that are known already.
fn read_options(disk: &dyn Disk, file: &str, known: &mut Options, depth: usize) -> Outcome<()> {
    let bad =
        |text: String| Failure::new("BAD_PROJECT", [Argument::text(file), Argument::Text(text)]);
    if depth > LONGEST_CHAIN {
        return Err(bad("it extends itself".to_owned()));
    }
    let bytes =
        disk.read(&Path::new(file).into()).map_err(|error| Failure::system(&error, file))?;
    let text = plain_json(&String::from_utf8_lossy(&bytes));
    let config: Map<String, Value> =
        serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
    if let Some(Value::Object(options)) = config.get("compilerOptions") {
        for (name, value) in options {
            let entry = known.entry(name.clone());
            entry.or_insert_with(|| (value.clone(), parent(file).to_owned()));
        }
    }
    let bases: Vec<&str> = match config.get("extends") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(all)) => all.iter().rev().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    for specifier in bases {
        let Some(found) = extended(disk, specifier, parent(file)) else {
            return Err(bad(format!("what it extends is not there: {specifier}")));
        };
        read_options(disk, &found, known, depth + 1)?;
    }
    Ok(())
}

/// The file that `extends` means.
fn extended(disk: &dyn Disk, specifier: &str, directory: &str) -> Option<String> {
    let starts: Vec<String> = if specifier.starts_with('/') {
        vec![String::new()]
    } else if specifier.starts_with('.') {
        vec![directory.to_owned()]
    } else {
        node_modules(directory).collect()
    };
    let ends = ["", ".json", "/tsconfig.json"];
    let mut paths = starts
        .iter()
        .flat_map(|start| ends.map(|end| normalize(&format!("{start}/{specifier}{end}"))));
    paths.find(|path| is_file(disk, path))
}

/// The file that TypeScript means by a path: itself, with an extension that was left out, with the
/// extension of the source of what it names, or the index of a directory.
pub(super) fn written(disk: &dyn Disk, path: &str) -> Option<String> {
    if is_file(disk, path) {
        return Some(path.to_owned());
    }
    let compiled = [
        (".js", &[".ts", ".tsx"][..]),
        (".jsx", &[".tsx"][..]),
        (".mjs", &[".mts"][..]),
        (".cjs", &[".cts"][..]),
    ];
    for (end, sources) in compiled {
        let Some(stem) = path.strip_suffix(end) else { continue };
        let mut sources = sources.iter().map(|source| format!("{stem}{source}"));
        return sources.find(|path| is_file(disk, path));
    }
    let extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];
    let with = |path: &str| {
        extensions.iter().map(|end| format!("{path}{end}")).find(|path| is_file(disk, path))
    };
    with(path).or_else(|| with(&format!("{}/index", path.trim_end_matches('/'))))
}

fn is_file(disk: &dyn Disk, path: &str) -> bool {
    matches!(disk.kind(&Path::new(path).into()), Ok(Kind::File))
}

/// Whether a file may leave out extensions: it is written for a compiler.
pub(crate) fn is_compiled(file: &str) -> bool {
    !Language::of_name(file).is_javascript()
}

fn project(options: &Options, directory: &str) -> Project {
    let text = |name: &str| {
        let found = options.get(name).and_then(|(value, _)| value.as_str());
        found.map(str::to_owned)
    };
    let flag = |name: &str| options.get(name).and_then(|(value, _)| value.as_bool());
    let place = |path: &str, from: &str| match path.strip_prefix("${configDir}") {
        Some(rest) => normalize(&format!("{directory}/{rest}")),
        None if path.starts_with('/') => normalize(path),
        None => normalize(&format!("{from}/{path}")),
    };
    let base = options.get("baseUrl").and_then(|(value, from)| Some(place(value.as_str()?, from)));
    let paths = options.get("paths").map_or_else(Vec::new, |(value, from)| {
        let from = base.as_deref().unwrap_or(from);
        let entries = value.as_object().into_iter().flatten();
        entries
            .map(|(pattern, targets)| {
                let targets = targets.as_array().into_iter().flatten().filter_map(Value::as_str);
                (pattern.clone(), targets.map(|target| place(target, from)).collect())
            })
            .collect()
    });
    let default = Jsx::default();
    let namespace = text("reactNamespace");
    let in_namespace = |name: &str, default: String| {
        namespace.as_ref().map_or(default, |namespace| format!("{namespace}.{name}"))
    };
    let jsx = Jsx {
        runtime: match text("jsx").as_deref() {
            None | Some("react") => Runtime::Classic,
            Some("react-jsxdev") => Runtime::Development,
            Some(_) => Runtime::Automatic,
        },
        factory: text("jsxFactory")
            .unwrap_or_else(|| in_namespace("createElement", default.factory)),
        fragment: text("jsxFragmentFactory")
            .unwrap_or_else(|| in_namespace("Fragment", default.fragment)),
        import_source: text("jsxImportSource").unwrap_or(default.import_source),
    };
    let defined = flag("useDefineForClassFields")
        .unwrap_or_else(|| defines_fields(text("target").as_deref(), text("module").as_deref()));
    let dialect = Dialect {
        legacy_decorators: flag("experimentalDecorators").unwrap_or(false),
        decorator_metadata: flag("emitDecoratorMetadata").unwrap_or(false),
        assigned_fields: !defined,
        verbatim_imports: flag("verbatimModuleSyntax").unwrap_or(false),
        ..Dialect::default()
    };
    Project { dialect, jsx, base, paths }
}

/// Whether fields are defined where nobody says so: since the language that is aimed at has them. Of
/// Node's kinds of modules each says which that is.
fn defines_fields(target: Option<&str>, module: Option<&str>) -> bool {
    let year = |target: &str| {
        let target = target.to_ascii_lowercase();
        match target.as_str() {
            "esnext" | "latest" => u32::MAX,
            "es6" => 2015,
            other => other.strip_prefix("es").and_then(|year| year.parse().ok()).unwrap_or(0),
        }
    };
    match (target, module) {
        (Some(target), _) => year(target) >= 2022,
        (None, Some(module)) => {
            let module = module.to_ascii_lowercase();
            module.starts_with("node") && module != "none"
        }
        (None, None) => false,
    }
}

/// JSON without comments and without commas at the end of lists, which these files may have.
fn plain_json(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let length = match char {
            '"' => {
                let mut end = 1;
                let bytes = rest.as_bytes();
                while end < bytes.len() && bytes[end] != b'"' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                let end = (end + 1).min(rest.len());
                plain.push_str(rest.get(..end).unwrap_or(rest));
                if rest.is_char_boundary(end) { end } else { rest.len() }
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            ']' | '}' => {
                let kept = plain.trim_end().len();
                if plain[..kept].ends_with(',') {
                    plain.truncate(kept - 1);
                }
                plain.push(char);
                1
            }
            other => {
                plain.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{defines_fields, plain_json};

    #[test]
    fn comments_and_last_commas_are_taken_out() {
        let text = "\u{feff}{ // a\n \"a//\": \"/* \\\" */\", /* b */ \"c\": [1, 2, ], }";
        let plain = "{ \n \"a//\": \"/* \\\" */\",  \"c\": [1, 2]}";
        assert_eq!(plain_json(text), plain);
    }

    #[test]
    fn fields_are_defined_since_2022() {
        let cases = [
            (Some("ES2021"), Some("nodenext"), false),
            (Some("es2022"), None, true),
            (Some("ESNext"), Some("commonjs"), true),
            (None, Some("NodeNext"), true),
            (None, Some("commonjs"), false),
            (None, None, false),
        ];
        for (target, module, expected) in cases {
            assert_eq!(defines_fields(target, module), expected, "{target:?} {module:?}");
        }
    }
}
