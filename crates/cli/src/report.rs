//! What went wrong, as the user sees it: a headline, the place, the facts, the next step.

use crate::harmless;
use crate::source::Source;
use annotate_snippets::renderer::{DEFAULT_HELP_STYLE, DEFAULT_NOTE_STYLE};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::Style;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use hemiola_trace::source::SourceError;
use std::fmt;

/// Why a command could not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Arguments that clap refused, or a wish for help.
    Usage(clap::Error),
    /// Anything else.
    Message(Box<Message>),
}

/// A headline, and what belongs to it.
#[derive(Debug, Default)]
pub(crate) struct Message {
    headline: String,
    place: Option<(Source, SourceError)>,
    facts: Vec<String>,
    help: Option<String>,
}

/// A value that a flag does not take: what it must be instead, to be read after the flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadValue {
    pub(crate) message: String,
    pub(crate) help: String,
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BadValue {}

impl Failure {
    /// A failure without a place.
    pub(crate) fn new(headline: impl Into<String>) -> Self {
        Self::Message(Box::new(Message { headline: headline.into(), ..Message::default() }))
    }

    /// A failure at a place in a text.
    pub(crate) fn at(source: Source, error: SourceError) -> Self {
        Self::Message(Box::new(Message {
            headline: error.message.clone(),
            help: Some(error.help.clone()),
            place: Some((source, error)),
            facts: Vec::new(),
        }))
    }

    /// Whether this is no failure at all, but the help or the version that the user asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        matches!(self, Self::Usage(error) if !error.use_stderr())
    }

    /// Adds a fact.
    pub(crate) fn fact(mut self, fact: impl Into<String>) -> Self {
        if let Self::Message(message) = &mut self {
            message.facts.push(fact.into());
        }
        self
    }

    /// Says what to do next.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        if let Self::Message(message) = &mut self {
            message.help = Some(help.into());
        }
        self
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        bad_value(&error).unwrap_or(Self::Usage(error))
    }
}

/// What clap says about a value, in our words.
fn bad_value(error: &clap::Error) -> Option<Failure> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let flag = text(ContextKind::InvalidArg)?.split(' ').next()?;
    match error.kind() {
        ErrorKind::ValueValidation => {
            let source = std::error::Error::source(error)?;
            if source.is::<std::num::ParseIntError>() {
                let value = text(ContextKind::InvalidValue)?.escape_debug();
                let message = format!("`{flag}` must be a whole number, not `{value}`");
                return Some(Failure::new(message).help(format!("write digits alone: {flag} 7")));
            }
            let BadValue { message, help } = source.downcast_ref()?;
            Some(Failure::new(format!("`{flag}` {message}")).help(help))
        }
        ErrorKind::InvalidValue => {
            let value = text(ContextKind::InvalidValue).filter(|value| !value.is_empty())?;
            let Some(ContextValue::Strings(valid)) = error.get(ContextKind::ValidValue) else {
                return None;
            };
            let help = match text(ContextKind::SuggestedValue) {
                Some(near) => format!("did you mean `{flag} {near}`?"),
                None => "choose one of these".into(),
            };
            let value = value.escape_debug();
            // Tools look for Node's words where a flag is Node's.
            let headline = match hemiola_js::flags::read(&[flag, ""]) {
                Ok(None) => format!("`{flag}` does not know `{value}`"),
                Ok(Some(_)) | Err(_) => format!("invalid value for {flag}: `{value}`"),
            };
            Some(Failure::new(headline).fact(format!("it knows: {}", valid.join(", "))).help(help))
        }
        _ => None,
    }
}

impl fmt::Display for Failure {
    /// With colours; what prints it takes them out where they are not wanted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(error) => {
                let text = error.render().ansi().to_string();
                text.lines().try_for_each(|line| writeln!(f, "{}", line.trim_end()))
            }
            Self::Message(message) => message.fmt(f),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headline = harmless::shown(&self.headline);
        let title = Level::ERROR.primary_title(headline.as_str());
        let group = match &self.place {
            None => Group::with_title(title),
            Some((source, error)) => title.element(excerpt(source, error)),
        };
        writeln!(f, "{}", Renderer::styled().hyperlink(false).render(&[group]))?;
        for fact in &self.facts {
            writeln!(f, "  = {}", harmless::shown(fact))?;
        }
        match &self.help {
            Some(help) => f.write_str(&titled("help", DEFAULT_HELP_STYLE, help)),
            None => Ok(()),
        }
    }
}

/// The marked place with its line.
fn excerpt<'a>(source: &'a Source, error: &'a SourceError) -> Snippet<'a, Annotation<'a>> {
    let text = &source.text;
    let inside = |offset: u32| text.floor_char_boundary(offset as usize);
    let span = inside(error.span.start)..inside(error.span.end);
    let mark = AnnotationKind::Primary.span(span).label(error.label.as_str());
    Snippet::source(text.as_str()).path(source.name.as_str()).annotation(mark)
}

/// A line that is worth knowing and changes nothing.
pub(crate) fn note(text: &str) -> String {
    titled("note", DEFAULT_NOTE_STYLE, text)
}

/// A text without colours.
pub(crate) fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn titled(title: &str, style: Style, text: &str) -> String {
    format!("{style}{title}{style:#}: {}\n", harmless::shown(text))
}
