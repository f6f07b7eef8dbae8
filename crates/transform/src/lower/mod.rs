//! What a project's TypeScript has that neither the engine nor the rest of the transform knows: elements,
//! decorators, `accessor`, fields that are assigned, and the names of CommonJS modules.
//!
//! A text is edited before the rest of the transform sees it, and keeps its lines. What is left is
//! TypeScript, or JavaScript, as the rest knows it. What decorators mean is in the runtime's library;
//! `docs/design/transform.md` has the table of what becomes what.

mod classes;
mod common_js;
mod jsx;
mod legacy;
mod members;
mod metadata;
mod parts;
mod standard;

use crate::depth::with_room;
use crate::dialect::{Dialect, Jsx};
use crate::edits::Edits;
use crate::goal::{self, error_at};
use crate::names::Names;
use crate::positions::{Positions, is_break};
use crate::text::{blanks, breaks};
use crate::{Goal, Language, SyntaxError};
use metadata::Imports;
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use parts::Place;

/// A text without what the rest of the transform does not know.
pub(crate) struct Lowered {
    pub(crate) code: String,
    pub(crate) positions: Positions,
    pub(crate) goal: Goal,
    /// The name by which it means the runtime's context object, if it does.
    pub(crate) context: Option<String>,
}

/// Takes out of a text what only a project's compiler knows; nothing for one without.
pub(crate) fn lower(
    text: &str,
    language: Language,
    goal: Goal,
) -> Result<Option<Lowered>, SyntaxError> {
    let Some(dialect) = language.dialect() else { return Ok(None) };
    let may_have = |word: &str| text.contains(word);
    let concerns = dialect.types && (may_have("@") || may_have("accessor"))
        || dialect.jsx.is_some() && may_have("<")
        || dialect.assigned_fields && may_have("class")
        || dialect.types && common_js::may_need(text, goal);
    if !concerns || u32::try_from(text.len()).is_err() {
        return Ok(None);
    }
    let lowered = with_room(text, || lowered(text, language, goal, dialect));
    lowered.unwrap_or_else(|| Err(goal::too_deep(text)))
}

fn lowered(
    text: &str,
    language: Language,
    goal: Goal,
    dialect: &'static Dialect,
) -> Result<Option<Lowered>, SyntaxError> {
    let allocator = Allocator::default();
    let parsed = goal::parse(&allocator, text, language, goal)?;
    let context = Names::unused_in(text, &[]).context;
    let mut edits = Edits::default();
    let mut walk = Lower {
        text,
        dialect,
        edits: &mut edits,
        jsx: jsx::options(dialect.jsx.as_ref(), &parsed.program, text),
        helpers: jsx::Helpers::default(),
        comments: parsed.program.comments.iter().map(|comment| comment.span).collect(),
        imports: Imports::of(&parsed.program),
        goal: parsed.goal,
        is_used: false,
        made: 0,
        class_name: None,
        error: None,
        context,
    };
    walk.visit_program(&parsed.program);
    // Only where nobody says that it is an ES module.
    let is_detected = dialect.types && goal == Goal::Detect && parsed.goal == Goal::Module;
    let mut names = String::new();
    if is_detected {
        walk.tell_taken_names(&parsed.program);
        names = walk.names_of_common_js(&parsed.program);
    }
    walk.prelude(&parsed.program, &names);
    let Lower { error, is_used, context, .. } = walk;
    if let Some(error) = error {
        return Err(error);
    }
    if edits.is_empty() {
        return Ok(None);
    }
    let (code, positions) = edits.apply(text);
    let context = is_used.then_some(context);
    Ok(Some(Lowered { code, positions, goal: parsed.goal, context }))
}

/// The walk's state.
pub(crate) struct Lower<'s> {
    text: &'s str,
    dialect: &'static Dialect,
    edits: &'s mut Edits,
    jsx: Option<Jsx>,
    /// What of the runtime of elements is needed.
    helpers: jsx::Helpers,
    comments: Vec<Span>,
    imports: Imports,
    goal: Goal,
    /// The runtime's context object.
    context: String,
    is_used: bool,
    /// How many names were made.
    made: u32,
    /// The name that the next class without one gets from what it is the value of.
    class_name: Option<String>,
    error: Option<SyntaxError>,
}

impl Lower<'_> {
    /// A name that the text does not have.
    fn name(&mut self) -> String {
        self.made += 1;
        format!("{}_{}", self.context, self.made)
    }

    /// The library of decorators, as inserted code means it.
    fn library(&mut self) -> String {
        self.is_used = true;
        format!("{}.d", self.context)
    }

    fn text_of(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn refuse(&mut self, span: Span, message: &str) {
        if self.error.is_none() {
            self.error = Some(error_at(self.text, span.start as usize, message));
        }
    }

    fn blank(&mut self, span: Span) {
        if !span.is_empty() {
            let text = blanks(self.text_of(span));
            self.edits.replace(span, text);
        }
    }

    /// Puts other code in the place of a piece, and keeps its line breaks.
    fn replace(&mut self, span: Span, text: impl Into<String>) {
        let text = text.into() + &breaks(self.text_of(span));
        self.edits.replace(span, text);
    }

    /// A piece of the text on one line, for another place.
    fn moved(&self, span: Span) -> String {
        let mut text = String::new();
        let mut at = span.start;
        let inner = |comment: &&Span| comment.start >= span.start && comment.end <= span.end;
        let mut piece = |piece: &str| {
            text.extend(piece.chars().map(|char| if is_break(char) { ' ' } else { char }));
        };
        for comment in self.comments.iter().filter(inner) {
            piece(self.text_of(Span::new(at, comment.start)));
            piece(" ");
            at = comment.end;
        }
        piece(self.text_of(Span::new(at, span.end)));
        text
    }

    /// Refuses to move what means something else on one line.
    fn check_moved(&mut self, expression: &Expression<'_>) {
        struct Broken<'s>(&'s str, bool);
        impl<'a> Visit<'a> for Broken<'_> {
            fn visit_template_literal(&mut self, template: &TemplateLiteral<'a>) {
                let Span { start, end, .. } = template.span;
                self.1 |= self.0[start as usize..end as usize].contains(is_break);
            }
        }
        let mut broken = Broken(self.text, false);
        broken.visit_expression(expression);
        if broken.1 {
            self.refuse(expression.span(), "A template of several lines is not supported here");
        }
    }

    /// What must come before all else.
    fn prelude(&mut self, program: &Program<'_>, names: &str) {
        let code = self.imports.prelude(&self.context) + &self.runtime_of_elements() + names;
        if code.is_empty() {
            return;
        }
        match (self.goal, program.directives.last()) {
            // A directive is one only at the very start.
            (Goal::CommonJs, Some(directive)) => {
                self.edits.insert(directive.span.end, format!(";{code}"));
            }
            _ => self.edits.insert(0, code),
        }
    }
}

impl<'a> Visit<'a> for Lower<'_> {
    fn visit_jsx_element(&mut self, element: &JSXElement<'a>) {
        self.element(element);
    }

    fn visit_jsx_fragment(&mut self, fragment: &JSXFragment<'a>) {
        self.fragment(fragment);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if let (BindingPattern::BindingIdentifier(id), Some(Expression::ClassExpression(_))) =
            (&declarator.id, &declarator.init)
        {
            self.class_name = Some(id.name.to_string());
        }
        walk::walk_variable_declarator(self, declarator);
        self.class_name = None;
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        self.class(class, Place::of(class));
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        match &export.declaration {
            Declaration::ClassDeclaration(class) => {
                self.class(class, Place::Exported(export.span));
            }
            _ => walk::walk_export_declaration(self, export),
        }
    }

    fn visit_export_default_declaration(&mut self, export: &ExportDefaultDeclaration<'a>) {
        match &export.declaration {
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                self.class(class, Place::Default(export.span));
            }
            _ => walk::walk_export_default_declaration(self, export),
        }
    }

    fn visit_ts_export_assignment(&mut self, export: &TSExportAssignment<'a>) {
        if self.goal == Goal::Module {
            self.export_whole(export);
        }
        walk::walk_ts_export_assignment(self, export);
    }

    /// Whoever decorates something visits it where it is evaluated.
    fn visit_decorator(&mut self, _: &Decorator<'a>) {}

    // Types have no values in them.
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
}
