//! Which variables can be seen where.

use super::{Declared, Scope};
use crate::elide::has_value;
use crate::positions::places;
use oxc_ast::AstKind;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_semantic::Scoping;
use oxc_span::GetSpan;
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use oxc_syntax::symbol::SymbolFlags;
use std::cell::Cell;
use std::collections::BTreeMap;

/// The scopes of a text, with offsets for places.
pub(super) struct Drafts {
    scopes: Vec<Draft>,
}

struct Draft {
    span: Span,
    parent: Option<usize>,
    is_function: bool,
    variables: Vec<(Box<str>, u32, Option<u32>)>,
}

/// Where a block variable is defined, and its scope and its number there, unless it is not ours to show.
type Definition = (u32, Option<(usize, usize)>);

impl Drafts {
    pub(super) fn find(program: &Program<'_>, scoping: &Scoping) -> Self {
        let is_typed = program.source_type.is_typescript();
        let mut survey = Survey::default();
        survey.visit_program(program);
        let Survey { spans, order, classes, .. } = survey;
        let index_of: BTreeMap<ScopeId, usize> =
            order.iter().enumerate().map(|(index, &scope)| (scope, index)).collect();
        let is_function = |scope: ScopeId| {
            let flags = scoping.scope_flags(scope);
            flags.is_function() || flags.contains(ScopeFlags::ClassStaticBlock)
        };
        let function_of = |scope: ScopeId| {
            let mut around = scoping.scope_ancestors(scope);
            around.find(|&scope| is_function(scope)).unwrap_or(scoping.root_scope_id())
        };
        let mut scopes: Vec<Draft> = order
            .iter()
            .map(|&scope| Draft {
                span: spans[&scope],
                parent: scoping.scope_parent_id(scope).and_then(|id| index_of.get(&id).copied()),
                is_function: is_function(scope),
                variables: Vec::new(),
            })
            .collect();
        // By function and name: where each block variable is defined, with who it is. The engine defines
        // the name of a class twice: for its inside when it begins, for its outside when it ends.
        let mut defined: BTreeMap<(ScopeId, &str), Vec<Definition>> = BTreeMap::new();
        for symbol in scoping.symbol_ids() {
            let flags = scoping.symbol_flags(symbol);
            let value = SymbolFlags::Value | SymbolFlags::Import | SymbolFlags::CatchVariable;
            if !flags.intersects(value)
                || flags.intersects(SymbolFlags::Ambient | SymbolFlags::EnumMember)
            {
                continue;
            }
            // What is imported for its type is dropped, and would not be if somebody looked at it.
            if is_typed && flags.intersects(SymbolFlags::Import) && !has_value(scoping, symbol) {
                continue;
            }
            let scope = scoping.symbol_scope_id(symbol);
            let Some(&index) = index_of.get(&scope) else { continue };
            let name = scoping.symbol_name(symbol);
            let offset = scoping.symbol_span(symbol).start;
            let function = function_of(scope);
            let is_block = (!flags.contains(SymbolFlags::FunctionScopedVariable)
                || flags.contains(SymbolFlags::CatchVariable))
                && !(flags.contains(SymbolFlags::Function) && scope == function);
            let place = (index, scopes[index].variables.len());
            scopes[index].variables.push((name.into(), offset, is_block.then_some(0)));
            if is_block {
                let list = defined.entry((function, name)).or_default();
                match classes.get(&offset) {
                    Some(&end) => list.extend([(offset, None), (end, Some(place))]),
                    None => list.push((offset, Some(place))),
                }
            }
        }
        for list in defined.values_mut() {
            list.sort_unstable();
            for (number, (_, place)) in list.iter().enumerate() {
                if let &Some((scope, variable)) = place {
                    scopes[scope].variables[variable].2 = u32::try_from(number).ok();
                }
            }
        }
        for scope in &mut scopes {
            scope.variables.sort_by_key(|variable| variable.1);
        }
        Self { scopes }
    }

    /// The names that a module declares.
    pub(super) fn names(&self) -> Vec<&str> {
        let module = self.scopes.first();
        module.into_iter().flat_map(|scope| &scope.variables).map(|variable| &*variable.0).collect()
    }

    pub(super) fn placed(self, text: &str) -> Vec<Scope> {
        let mut offsets = Vec::new();
        for scope in &self.scopes {
            offsets.extend([scope.span.start, scope.span.end]);
            offsets.extend(scope.variables.iter().map(|variable| variable.1));
        }
        let mut places = places(text, &offsets).into_iter();
        let mut next = || places.next().expect("every offset has a place");
        let scopes = self.scopes.into_iter().map(|scope| {
            let (start, end) = (next(), next());
            let variables = scope.variables.into_iter();
            let variables =
                variables.map(|(name, _, block)| Declared { name, place: next(), block }).collect();
            Scope { start, end, parent: scope.parent, is_function: scope.is_function, variables }
        });
        scopes.collect()
    }
}

/// Finds where scopes are; those around others come first.
#[derive(Default)]
struct Survey {
    spans: BTreeMap<ScopeId, Span>,
    order: Vec<ScopeId>,
    /// Where the node is that was entered last.
    last: Span,
    /// From where the name of a declared class is to where the class ends.
    classes: BTreeMap<u32, u32>,
}

impl<'a> Visit<'a> for Survey {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        self.last = kind.span();
        if let AstKind::Class(class) = kind
            && class.r#type == ClassType::ClassDeclaration
            && let Some(id) = &class.id
        {
            self.classes.insert(id.span.start, class.span.end);
        }
    }

    fn enter_scope(&mut self, _: ScopeFlags, scope: &Cell<Option<ScopeId>>) {
        let Some(scope) = scope.get() else { return };
        // The first is the program, which is all of the text and not only what is written.
        let whole = Span::new(0, u32::MAX);
        let span = if self.order.is_empty() { whole } else { self.last };
        self.spans.insert(scope, span);
        self.order.push(scope);
    }
}
