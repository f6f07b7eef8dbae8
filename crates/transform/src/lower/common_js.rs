//! What a CommonJS module has and an ES module does not, for a text that TypeScript's compiler would have made a
//! CommonJS module of: `require` and its like, and `export =`.

use super::Lower;
use crate::Goal;
use crate::goal::WRAPPER;
use oxc_ast::ast::*;
use oxc_semantic::SemanticBuilder;
use oxc_span::GetSpan;

/// Whether a text may need any of it.
pub(super) fn may_need(text: &str, goal: Goal) -> bool {
    let exports_whole = || {
        let mut places = text.match_indices("export");
        places.any(|(at, word)| text[at + word.len()..].trim_start().starts_with('='))
    };
    goal == Goal::Detect && (WRAPPER.iter().any(|name| text.contains(name)) || exports_whole())
}

impl<'a> Lower<'_> {
    /// Declares the names that a module means but does not declare.
    pub(super) fn names_of_common_js(&mut self, program: &Program<'a>) -> String {
        let scoping = SemanticBuilder::new().build(program).semantic.into_scoping();
        let is_meant = |name: &str| {
            let declared = scoping.get_root_binding(name.into());
            // What is only said to be there is not declared by the text.
            if declared.is_some_and(|symbol| !scoping.symbol_flags(symbol).is_ambient()) {
                return false;
            }
            let mut references = match declared {
                Some(symbol) => scoping.get_resolved_reference_ids(symbol).iter(),
                None => {
                    scoping.root_unresolved_references().get(name).map_or(&[][..], |all| all).iter()
                }
            };
            references.any(|id| scoping.get_reference(*id).is_value())
                || name == "require" && program.body.iter().any(is_required)
        };
        let meant: Vec<&str> = WRAPPER.into_iter().filter(|name| is_meant(name)).collect();
        if meant.is_empty() {
            return String::new();
        }
        self.is_used = true;
        format!("var{{{}}}={}.m(import.meta.url);", meant.join(","), self.context)
    }

    /// `export = a` of a module: what `require` gives, and the default.
    pub(super) fn export_whole(&mut self, export: &TSExportAssignment<'a>) {
        let whole = self.name();
        let expression = export.expression.span();
        let start = Span::new(export.span.start, expression.start);
        self.replace(start, format!("const {whole}="));
        let end = format!(";export{{{whole} as default,{whole} as\"module.exports\"}};");
        self.edits.insert(expression.end, end);
    }
}

/// Whether a statement is `import a = require('b')`.
fn is_required(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::TSImportEqualsDeclaration(import)
        if matches!(import.module_reference, TSModuleReference::ExternalModuleReference(_)))
}
