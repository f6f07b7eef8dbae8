//! What a project has decided about its language: the options that change what a text means.

use std::sync::{Mutex, PoisonError};

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// JavaScript.
    JavaScript,
    /// TypeScript, `.ts`, `.mts` or `.cts`, with the options that hold where nobody says otherwise.
    TypeScript,
    /// Either of them, with what a project has decided.
    Dialect(&'static Dialect),
}

/// Options of TypeScript's compiler that change what a program does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// Whether the text has types.
    pub types: bool,
    /// What becomes of elements, if the text may have them: `.jsx`, `.tsx`.
    pub jsx: Option<Jsx>,
    /// `experimentalDecorators`: decorators are those that TypeScript had before there was a standard.
    pub legacy_decorators: bool,
    /// `emitDecoratorMetadata`: what is decorated tells its types.
    pub decorator_metadata: bool,
    /// `useDefineForClassFields` is off: fields are assigned in the constructor.
    pub assigned_fields: bool,
    /// `verbatimModuleSyntax`: what is imported stays imported, unless it says `type`.
    pub verbatim_imports: bool,
}

/// What becomes of elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Jsx {
    /// What makes them.
    pub runtime: Runtime,
    /// Of the classic runtime: what is called for an element.
    pub factory: String,
    /// Of the classic runtime: what a fragment is.
    pub fragment: String,
    /// Of the others: the package that has the runtime.
    pub import_source: String,
}

/// What makes elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Runtime {
    /// A function that the program has.
    Classic,
    /// A function that is imported for it.
    Automatic,
    /// The same with places.
    Development,
}

impl Default for Dialect {
    /// TypeScript without elements.
    fn default() -> Self {
        PLAIN
    }
}

impl Default for Jsx {
    fn default() -> Self {
        Self {
            runtime: Runtime::Classic,
            factory: "React.createElement".to_owned(),
            fragment: "React.Fragment".to_owned(),
            import_source: "react".to_owned(),
        }
    }
}

const PLAIN: Dialect = Dialect {
    types: true,
    jsx: None,
    legacy_decorators: false,
    decorator_metadata: false,
    assigned_fields: false,
    verbatim_imports: false,
};

impl Dialect {
    /// The language with these options. There are as many different ones as projects decide on, so they
    /// are kept for ever, each once.
    #[must_use]
    pub fn language(self) -> Language {
        static KNOWN: Mutex<Vec<&'static Dialect>> = Mutex::new(Vec::new());
        if self == PLAIN {
            return Language::TypeScript;
        }
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().copied().find(|known| **known == self);
        let dialect = found.unwrap_or_else(|| {
            let dialect: &'static Dialect = Box::leak(Box::new(self));
            known.push(dialect);
            dialect
        });
        Language::Dialect(dialect)
    }
}

impl Language {
    /// The options; none for JavaScript.
    pub(crate) fn dialect(self) -> Option<&'static Dialect> {
        static TYPESCRIPT: Dialect = PLAIN;
        match self {
            Self::JavaScript => None,
            Self::TypeScript => Some(&TYPESCRIPT),
            Self::Dialect(dialect) => Some(dialect),
        }
    }

    /// The language that a file's name says it is in, where nobody says more. The name may be a URL.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        let end = name.find(['?', '#']).filter(|_| name.starts_with("file:")).unwrap_or(name.len());
        let name = &name[..end];
        let ends_with = |extension: &str| name.ends_with(extension);
        if [".ts", ".mts", ".cts"].into_iter().any(ends_with) {
            Self::TypeScript
        } else if ends_with(".tsx") || ends_with(".jsx") {
            let types = ends_with(".tsx");
            Dialect { types, jsx: Some(Jsx::default()), ..PLAIN }.language()
        } else {
            Self::JavaScript
        }
    }

    /// Whether a text may have types.
    #[must_use]
    pub fn has_types(self) -> bool {
        self.dialect().is_some_and(|dialect| dialect.types)
    }

    /// Whether a text is what the engine gets, if it parses at all.
    #[must_use]
    pub fn is_javascript(self) -> bool {
        self == Self::JavaScript
    }

    /// How the parser is to read a text.
    pub(crate) fn source_type(self) -> oxc_span::SourceType {
        use oxc_span::SourceType;
        match self.dialect() {
            None => SourceType::default(),
            Some(Dialect { types: true, jsx: None, .. }) => SourceType::ts(),
            Some(Dialect { types: true, .. }) => SourceType::tsx(),
            Some(Dialect { types: false, .. }) => SourceType::jsx(),
        }
    }
}
