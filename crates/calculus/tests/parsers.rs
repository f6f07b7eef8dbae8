//! What the two parsers accept, what they refuse, and what they say then.

use hemiola_calculus::{Names, Symbol, l, lasync};
use hemiola_trace::source::{SourceError, Span};
use proptest::prelude::*;

// Trees, written back as text with every bracket that the tree implies.

fn names(names: &Names, symbols: &[Symbol]) -> String {
    symbols.iter().map(|symbol| &**names.text(*symbol)).collect::<Vec<_>>().join(" ")
}

fn show_expr(program: &l::syntax::Program, expr: &l::syntax::Expr) -> String {
    use l::syntax::Expr;
    match expr {
        Expr::Name(name) => program.names.text(*name).to_string(),
        Expr::Number(number) => number.to_string(),
        Expr::Any => "any".into(),
        Expr::Add(a, b) => format!("({}+{})", show_expr(program, a), show_expr(program, b)),
        Expr::Subtract(a, b) => format!("({}-{})", show_expr(program, a), show_expr(program, b)),
    }
}

fn show_block(program: &l::syntax::Program, id: l::syntax::BlockId) -> String {
    use l::syntax::Instruction;
    let text = |name: &Symbol| program.names.text(*name).to_string();
    let call = |word: &str, name: &Symbol, args: &[l::syntax::Expr]| {
        let args: String = args.iter().map(|arg| format!(" {}", show_expr(program, arg))).collect();
        format!("{word} {}{args}", text(name))
    };
    let block = &program.blocks[id.0 as usize];
    assert_eq!(block.instructions.len(), block.spans.len());
    let shown = block.instructions.iter().map(|instruction| match instruction {
        Instruction::LetValue { name, value } => {
            format!("let {} = {}", text(name), show_expr(program, value))
        }
        Instruction::LetFunctions(ids) => ids
            .iter()
            .map(|id| {
                let function = &program.functions[id.0 as usize];
                let params = names(&program.names, &function.params);
                let body = show_block(program, function.body);
                format!("fn {}({params}){body}", text(&function.name))
            })
            .collect::<Vec<_>>()
            .join(" and "),
        Instruction::Call { function, args } => call("do", function, args),
        Instruction::Observe(value) => format!("obs {}", show_expr(program, value)),
        Instruction::Store { name, value } => {
            format!("store {} {}", text(name), show_expr(program, value))
        }
        Instruction::Async { operation, callback } => {
            format!("call {} {}", text(operation), text(callback))
        }
        Instruction::NextTick { function, args } => call("tick", function, args),
        Instruction::SetImmediate { function, args } => call("immediate", function, args),
        Instruction::Trigger { event, args } => call("trigger", event, args),
        Instruction::Register { event, callbacks } => {
            format!("reg {} [{}]", text(event), names(&program.names, callbacks))
        }
        Instruction::Unregister { event, callbacks } => {
            format!("unreg {} {{{}}}", text(event), names(&program.names, callbacks))
        }
        Instruction::Group(id) => format!("group{}", show_block(program, *id)),
    });
    format!("[{}]", shown.collect::<Vec<_>>().join("; "))
}

fn l_tree(text: &str) -> String {
    let program = l::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    show_block(&program, program.main)
}

/// Bodies as `{…}`, a mention of a body already shown as its number.
fn show_body(
    program: &lasync::syntax::Program,
    id: lasync::syntax::BodyId,
    open: &mut Vec<u32>,
) -> String {
    use lasync::syntax::{Callback, Resolution, Statement, Term};
    if open.contains(&id.0) {
        return format!("^{}", id.0);
    }
    open.push(id.0);
    let text = |name: &Symbol| program.names.text(*name).to_string();
    let body = &program.bodies[id.0 as usize];
    assert_eq!(body.statements.len(), body.spans.len());
    let mut shown = Vec::new();
    let term = |term: &Term| match term {
        Term::Text(word) => text(word),
        Term::Param(at) => format!("${at}"),
    };
    let value =
        |value: &Option<Term>| value.as_ref().map_or(String::new(), |v| format!(" <{}>", term(v)));
    let level = |priority: u8| if priority == 0 { String::new() } else { format!(" {priority}") };
    for statement in &body.statements {
        let mut run = |callback: &Callback| {
            let param = program.bodies[callback.body.0 as usize].param;
            let param = param.map_or(String::new(), |param| format!("({})", text(&param)));
            let body = show_body(program, callback.body, open);
            format!("{}{param}{body}", text(&callback.name))
        };
        shown.push(match statement {
            Statement::Log(word) => format!("log <{}>", term(word)),
            Statement::NextTick(callback) => format!("tick {}", run(callback)),
            Statement::Immediate(callback) => format!("immediate {}", run(callback)),
            Statement::Timeout { ms, callback } => format!("timeout {ms} {}", run(callback)),
            Statement::Micro(callback) => format!("micro {}", run(callback)),
            Statement::Promise { name, priority } => {
                format!("promise {}{}", text(name), level(*priority))
            }
            Statement::Register { event, priority, promise } => {
                format!("register {}{} -> {}", text(event), level(*priority), text(promise))
            }
            Statement::Then { promise, callback, resolves } => {
                let resolves =
                    resolves.map_or(String::new(), |Resolution { promise, value: given }| {
                        format!(" -> {}{}", text(&promise), value(&given))
                    });
                format!("then {} {}{resolves}", text(promise), run(callback))
            }
            Statement::Resolve { promise, value: given } => {
                format!("resolve {}{}", text(promise), value(given))
            }
            Statement::Io { name, callback } => format!("io {} {}", text(name), run(callback)),
            Statement::ReadFile { name, callback } => {
                format!("readFile {} {}", text(name), run(callback))
            }
            Statement::Call { body, value: given } => {
                format!("call {}{}", show_body(program, *body, open), value(given))
            }
            Statement::Set(flag) => format!("set {}", text(flag)),
            Statement::IfLog { flag, yes, no } => {
                format!("iflog {} <{}> <{}>", text(flag), term(yes), term(no))
            }
        });
    }
    open.pop();
    format!("{{{}}}", shown.join("; "))
}

fn lasync_tree(text: &str) -> String {
    let program = lasync::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    show_body(&program, program.main, &mut Vec::new())
}

fn slice(text: &str, span: Span) -> &str {
    &text[span.start as usize..span.end as usize]
}

/// Message, marked slice, label, help.
type Said<'a> = (&'a str, &'a str, &'a str, &'a str);

#[track_caller]
fn assert_says(text: &str, error: &SourceError, said: Said<'_>) {
    let error: Said<'_> = (&error.message, slice(text, error.span), &error.label, &error.help);
    assert_eq!(error, said, "in {text}");
}

#[track_caller]
fn l_says(text: &str, said: Said<'_>) {
    assert_says(text, &l::parse(text).expect_err(text), said);
}

#[track_caller]
fn lasync_says(text: &str, said: Said<'_>) {
    assert_says(text, &lasync::parse(text).expect_err(text), said);
}

// L: what is accepted.

#[test]
fn every_instruction_of_l() {
    let text = r"let f = \x, y. obs(x), g = \. in
        f(1, a); g(); obs(any); store(n, n + 1); call(read, f); nexttick(f); nexttick(f, 1, b);
        setimmediate(g); setimmediate(f, any); trigger(evt); trigger(evt, 1 - 2);
        reg(evt, [f, g]); reg(evt, []); unreg(evt, {g}); unreg(evt, {}); unreg(evt, {nobody})";
    let expected = [
        "[fn f(x y)[obs x] and fn g()[]",
        "do f 1 a",
        "do g",
        "obs any",
        "store n (n+1)",
        "call read f",
        "tick f",
        "tick f 1 b",
        "immediate g",
        "immediate f any",
        "trigger evt",
        "trigger evt (1-2)",
        "reg evt [f g]",
        "reg evt []",
        "unreg evt {g}",
        "unreg evt {}",
        "unreg evt {nobody}]",
    ];
    assert_eq!(l_tree(text), expected.join("; "));
}

#[test]
fn the_examples_of_the_paper() {
    assert_eq!(
        l_tree(r"let f = \. let cb = \x. obs(x) in call(read, cb); f() in f()"),
        "[fn f()[fn cb(x)[obs x]; call read cb; do f]; do f]"
    );
    assert_eq!(
        l_tree("let f = λ. let (cb = λx. obs(x)) in call(read, cb) · f() in f()"),
        "[fn f()[fn cb(x)[obs x]; call read cb; do f]; do f]"
    );
    assert_eq!(
        l_tree(r"let f1 = \d1. obs(a), f2 = \d2. obs(b) in nexttick(f1); call(b, f2)"),
        "[fn f1(d1)[obs a] and fn f2(d2)[obs b]; tick f1; call b f2]"
    );
}

#[test]
fn bodies_reach_as_far_as_possible() {
    assert_eq!(l_tree("obs(a); let x = 1 in obs(x); obs(b)"), "[obs a; let x = 1; obs x; obs b]");
    assert_eq!(l_tree("let x = 1 in let y = x in obs(y)"), "[let x = 1; let y = x; obs y]");
    // The comma belongs to the innermost `let` of functions that is still open.
    assert_eq!(
        l_tree(r"let f = \. let x = 1 in obs(x), g = \. obs(b) in g()"),
        "[fn f()[let x = 1; obs x] and fn g()[obs b]; do g]"
    );
    assert_eq!(
        l_tree(r"let f = \. let g = \. obs(a), h = \. obs(b) in h() in f()"),
        "[fn f()[fn g()[obs a] and fn h()[obs b]; do h]; do f]"
    );
    assert_eq!(l_tree(r"let f = \. (obs(a)); obs(b) in f()"), "[fn f()[obs a; obs b]; do f]");
}

#[test]
fn empty_bodies_and_trailing_semicolons() {
    for text in ["", "  # only a comment", "()", "();", "(())"] {
        assert_eq!(l_tree(text), "[]", "{text}");
    }
    assert_eq!(l_tree("obs(a);"), "[obs a]");
    assert_eq!(l_tree("(obs(a);); obs(b);"), "[obs a; obs b]");
    assert_eq!(
        l_tree(r"let f = \. , g = (\.), h = \x. obs(x); in"),
        "[fn f()[] and fn g()[] and fn h(x)[obs x]]"
    );
    assert_eq!(l_tree("let x = 1 in"), "[let x = 1]");
}

#[test]
fn parentheses_group() {
    assert_eq!(l_tree("(obs(a); obs(b)); obs(c)"), "[obs a; obs b; obs c]");
    assert_eq!(l_tree("(let x = 1 in obs(x)); obs(x)"), "[group[let x = 1; obs x]; obs x]");
    assert_eq!(
        l_tree("obs(a); ((let x = 1 in obs(x))); obs(x)"),
        "[obs a; group[let x = 1; obs x]; obs x]"
    );
    assert_eq!(
        l_tree("((let x = 1 in obs(x)); obs(x)); obs(y)"),
        "[group[let x = 1; obs x]; obs x; obs y]"
    );
    // Nothing comes after the group that could see its names.
    assert_eq!(l_tree("obs(a); (let x = 1 in obs(x));"), "[obs a; let x = 1; obs x]");
    assert_eq!(l_tree("let x = 1 in (obs(x))"), "[let x = 1; obs x]");
    assert_eq!(l_tree("let (x = 1) in obs(x)"), "[let x = 1; obs x]");
    assert_eq!(
        l_tree(r"let f = (\x. obs(x)), (g = ((\. (obs(a); f(1))))) in g()"),
        "[fn f(x)[obs x] and fn g()[obs a; do f 1]; do g]"
    );
    assert_eq!(
        l_tree(r"let (f = \. obs(a), g = \. f()) in g()"),
        "[fn f()[obs a] and fn g()[do f]; do g]"
    );
    assert_eq!(
        l_tree(r"let f = \. (let x = 1 in obs(x)) in f()"),
        "[fn f()[let x = 1; obs x]; do f]"
    );
}

#[test]
fn operators_associate_to_the_left() {
    assert_eq!(l_tree("obs(a - b + 1 - any)"), "[obs (((a-b)+1)-any)]");
    assert_eq!(l_tree("obs(a - (b + 1))"), "[obs (a-(b+1))]");
    assert_eq!(l_tree("obs(9223372036854775807)"), "[obs 9223372036854775807]");
    let chain = format!("obs(a{})", " + a".repeat(1_000));
    assert_eq!(l::parse(&chain).map(drop), Ok(()));
}

#[test]
fn names_of_l() {
    assert_eq!(
        l_tree("obs(x'); obs(_1); obs(été); obs(letter); obs(Any)"),
        "[obs x'; obs _1; obs été; obs letter; obs Any]"
    );
    assert_eq!(l_tree("obs(a) # ; obs(b)\n; obs(c)"), "[obs a; obs c]");
}

#[test]
fn a_function_may_be_bound_anywhere() {
    // Whether it is one when it is called is seen at run time.
    for text in [
        r"let f = \g. g() in f(f)",
        "store(h, 1); h()",
        "let v = 1 in nexttick(v)",
        r"(let f = \. obs(a) in f()); f()",
    ] {
        assert_eq!(l::parse(text).map(drop), Ok(()), "{text}");
    }
}

#[test]
fn places_in_l() {
    let text = r"obs(é); let f = \x. obs(x); in (let y = 1 in f( y )); reg(e, [f])";
    let program = l::parse(text).unwrap();
    let places = |id: l::syntax::BlockId| -> Vec<&str> {
        program.blocks[id.0 as usize].spans.iter().map(|&span| slice(text, span)).collect()
    };
    assert_eq!(
        places(program.main),
        ["obs(é)", r"let f = \x. obs(x);", "(let y = 1 in f( y ))", "reg(e, [f])"]
    );
    assert_eq!(program.main, l::syntax::BlockId(0));
    assert_eq!(slice(text, program.functions[0].span), r"f = \x. obs(x);");
    assert_eq!(places(program.functions[0].body), ["obs(x)"]);
    assert_eq!(places(l::syntax::BlockId(2)), ["let y = 1", "f( y )"]);
}

// L: what is refused.

#[test]
fn errors_about_calls_in_l() {
    l_says(
        "obs(a); obs()",
        ("too few arguments for `obs`", "obs()", "one argument expected", "write obs(e)"),
    );
    l_says(
        "obs(a, b)",
        ("too many arguments for `obs`", ",", "one argument expected", "write obs(e)"),
    );
    let two = "two arguments expected";
    l_says("store(x)", ("too few arguments for `store`", "store(x)", two, "write store(x, e)"));
    l_says("store(x, 1, 2)", ("too many arguments for `store`", ",", two, "write store(x, e)"));
    l_says("call(op)", ("too few arguments for `call`", "call(op)", two, "write call(op, cb)"));
    l_says("call(op, a, b)", ("too many arguments for `call`", ",", two, "write call(op, cb)"));
    l_says("reg(e)", ("too few arguments for `reg`", "reg(e)", two, "write reg(evt, [f, …])"));
    l_says(
        "unreg(e)",
        ("too few arguments for `unreg`", "unreg(e)", two, "write unreg(evt, {f, …})"),
    );
    let some = "at least one argument expected";
    l_says(
        "nexttick()",
        ("too few arguments for `nexttick`", "nexttick()", some, "write nexttick(f, e, …)"),
    );
    l_says(
        "setimmediate( )",
        (
            "too few arguments for `setimmediate`",
            "setimmediate( )",
            some,
            "write setimmediate(f, e, …)",
        ),
    );
    l_says(
        "trigger()",
        ("too few arguments for `trigger`", "trigger()", some, "write trigger(evt, e, …)"),
    );
    let here = "this cannot stand here";
    l_says("reg(e, f)", ("expected `[`, found `f`", "f", here, "write reg(evt, [f, …])"));
    l_says("unreg(e, [f])", ("expected `{`, found `[`", "[", here, "write unreg(evt, {f, …})"));
    l_says("store(1, 2)", ("expected a name, found `1`", "1", here, "write store(x, e)"));
    l_says("call(op cb)", ("expected `,`, found `cb`", "cb", here, "write call(op, cb)"));
    l_says("obs a", ("expected `(` after `obs`, found `a`", "a", here, "write obs(e)"));
    l_says("go; obs(a)", ("expected `(` after `go`, found `;`", ";", here, "write go()"));
    l_says(
        "f(g(x))",
        (
            "expected `)`, found `(`",
            "(",
            here,
            "put `,` between arguments; a call is an instruction and no argument",
        ),
    );
}

#[test]
fn errors_about_names_in_l() {
    let name = "a name is expected here";
    let choose = "choose another name";
    l_says("let let = 1 in", ("`let` is a keyword and cannot be a name", "let", name, choose));
    l_says(r"let f = \any. in", ("`any` is a keyword and cannot be a name", "any", name, choose));
    l_says("store(in, 1)", ("`in` is a keyword and cannot be a name", "in", name, choose));
    l_says("let obs = 1 in", ("`obs` is an instruction and cannot be a name", "obs", name, choose));
    l_says(
        "obs(1 + call)",
        ("`call` is an instruction and cannot be a name", "call", name, choose),
    );
    l_says("trigger(reg)", ("`reg` is an instruction and cannot be a name", "reg", name, choose));
    l_says(
        "obs(12ab)",
        (
            "`12ab` is neither a number nor a name",
            "12ab",
            "digits run on into letters",
            "start a name with a letter, or put an operator between the two",
        ),
    );
    l_says(
        "obs(a) @",
        (
            "unexpected character `@`",
            "@",
            "no part of the language",
            "remove it; a comment starts with `#`",
        ),
    );
    l_says(
        "obs(\0)",
        (
            r"unexpected character `\u{0}`",
            "\0",
            "no part of the language",
            "remove it; a comment starts with `#`",
        ),
    );
}

#[test]
fn unknown_functions_in_l() {
    let label = "not defined anywhere in this program";
    let define = r"define it around its use: let g = \x. obs(x) in …";
    for text in ["g()", "call(g', g)", "nexttick(g)", "setimmediate(g, 1)", "reg(e, [g])"] {
        l_says(text, ("unknown function `g`", "g", label, define));
    }
    l_says(
        r"let inc = \. obs(a), dec = \. obs(b) in call(read, ind)",
        ("unknown function `ind`", "ind", label, "did you mean `inc`?"),
    );
    let long = format!("{}()", "g".repeat(100));
    let error = l::parse(&long).unwrap_err();
    assert_eq!(error.message, format!("unknown function `{}…`", "g".repeat(40)));
}

#[test]
fn errors_about_bindings_in_l() {
    l_says(
        "let x = 1, y = 2 in obs(x)",
        (
            "a `let` binds only one value",
            "y",
            "a second one",
            "nest them: let x = 1 in let y = 2 in …",
        ),
    );
    let nest = r"nest them: let x = 1 in let f = \. obs(x) in …";
    l_says(
        r"let f = \. obs(a), y = 2 in",
        ("a `let` binds either functions or one value", "y", "a value after a function", nest),
    );
    l_says(
        r"let (x = 1), f = \. obs(a) in",
        ("a `let` binds either functions or one value", "f", "a function after a value", nest),
    );
    l_says(
        r"let f = \. obs(a), f = \. obs(b) in f()",
        ("`f` is defined twice in one `let`", "f", "defined again", "rename one of them"),
    );
    l_says(
        r"let f = \x, y, x. obs(x) in f()",
        ("two parameters are called `x`", "x", "the second one", "rename one of them"),
    );
    l_says(
        "obs(a); let x = 1",
        (
            "`let` without `in`",
            "let",
            "this `let` has no body",
            "end it with `in` and what may use the name: let x = 1 in obs(x)",
        ),
    );
    let here = "this cannot stand here";
    l_says(
        "let x 1 in",
        ("expected `=`, found `1`", "1", here, r"write let x = e in …, or let f = \x. … in …"),
    );
    l_says(
        r"let f = \x y. obs(x) in",
        (
            "expected `.`, found `y`",
            "y",
            here,
            r"put `,` between parameters and `.` before the body: \x, y. …",
        ),
    );
    l_says(r"let f = \x,. obs(x) in", ("expected a name, found `.`", ".", here, r"write \x, y. …"));
    l_says(
        "let x = 1; obs(x)",
        ("expected `in`, found `;`", ";", here, "end a `let` with `in`; put `,` between functions"),
    );
}

#[test]
fn errors_about_sequences_in_l() {
    let here = "this cannot stand here";
    l_says(
        "obs(a) obs(b)",
        ("expected `;`, found `obs`", "obs", here, "put `;` between two instructions"),
    );
    let write = "write an instruction, such as obs(e) or f(e), or a `let`";
    l_says("obs(a);; obs(b)", ("expected an instruction, found `;`", ";", here, write));
    l_says("1 + 2", ("expected an instruction, found `1`", "1", here, write));
    l_says("obs(a); (obs(b)", ("unclosed `(`", "(", "opened here", "close it with `)`"));
    l_says("reg(e, [f", ("unclosed `[`", "[", "opened here", "close it with `]`"));
    l_says("unreg(e, {f", ("unclosed `{`", "{", "opened here", "close it with `}`"));
    let lone = "nothing to match this";
    l_says("obs(a))", ("`)` without `(`", ")", lone, "remove it, or open a group before it"));
    l_says(
        "obs(a) in",
        ("`in` without `let`", "in", lone, "remove it, or put `;` between two instructions"),
    );
    l_says(
        "obs(a), obs(b)",
        ("`,` outside of a list", ",", lone, "put `;` between two instructions"),
    );
}

#[test]
fn errors_about_expressions_in_l() {
    l_says(
        "obs(9223372036854775808)",
        (
            "number too large",
            "9223372036854775808",
            "more than 9223372036854775807",
            "use a smaller number",
        ),
    );
    let here = "this cannot stand here";
    l_says(
        "obs(-1)",
        ("expected an expression, found `-`", "-", here, "subtract for a negative number: 0 - 1"),
    );
    l_says(
        "obs(a +)",
        ("expected an expression, found `)`", ")", here, "write a name, a number or `any`"),
    );
    l_says(
        r"nexttick(f, \x. obs(x))",
        (
            r"expected an expression, found `\`",
            r"\",
            here,
            r"name the function first: let f = \x. … in …",
        ),
    );
    l_says(
        "obs(a + # and so on",
        (
            "expected an expression, found the end of the program",
            "",
            "the program ends here",
            "write a name, a number or `any`",
        ),
    );
    let chain = format!("obs(a{})", " + (a + a)".repeat(501));
    l_says(
        &chain,
        (
            "an expression with more than 1000 operators",
            "+",
            "one too many",
            "name a part of it: let x = e in …",
        ),
    );
}

const DEEP: Said<'_> = (
    "nesting deeper than 200 levels",
    "",
    "level 201 starts here",
    "give an inner part a name of its own, and use the name here",
);

#[test]
fn nesting_is_limited_in_l() {
    let nested = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    for (open, inner, close, mark) in [
        ("(", "obs(a)", ")", "("),
        (r"let f = \. ", "obs(a)", " in f()", r"\"),
        ("let f = λ.", "", "in ", "λ"),
    ] {
        assert_eq!(l::parse(&nested(open, inner, close, 200)).map(drop), Ok(()), "{open}");
        l_says(&nested(open, inner, close, 201), (DEEP.0, mark, DEEP.2, DEEP.3));
    }
    let expression = |times| format!("obs({})", nested("(", "a", ")", times));
    assert_eq!(l::parse(&expression(200)).map(drop), Ok(()));
    l_says(&expression(201), (DEEP.0, "(", DEEP.2, DEEP.3));
    let binding = |times| format!("let {} in", nested("(", r"x = 1", ")", times));
    assert_eq!(l::parse(&binding(200)).map(drop), Ok(()));
    l_says(&binding(201), (DEEP.0, "(", DEEP.2, DEEP.3));
    // One after another is not one inside another.
    assert_eq!(l::parse(&"let x = (1) in (obs(x)); ".repeat(300)).map(drop), Ok(()));
}

#[test]
fn length_is_limited_and_long_programs_are_quick() {
    let full = |piece: &str| piece.repeat((1 << 20) / piece.len());
    for piece in ["obs(a);", "let x = 1 in ", r"let f = \. in ", "(let x = 1 in f());", "#"] {
        let bind = r"let f = \. in ";
        let text = format!("{bind}{}", &full(piece)[bind.len().next_multiple_of(piece.len())..]);
        assert_eq!(l::parse(&text).map(drop), Ok(()), "{piece}");
    }
    for piece in ["(", "let (", "let x = (", "x+", "f"] {
        assert!(l::parse(&full(piece)).is_err(), "{piece}");
    }
    for piece in
        ["log a;", "nextTick f {}\n", "def", "}", "{", "micro f {", "-", "/", "é", "\"", "log \"\\"]
    {
        let _ = lasync::parse(&full(piece));
    }
    let long: Said<'_> = (
        "program longer than 1 MiB",
        "",
        "the limit is here",
        "remove what the question does not need, or split the program",
    );
    let text = "é".repeat((1 << 19) + 1);
    l_says(&text, long);
    lasync_says(&text, long);
}

// λasync: what is accepted.

#[test]
fn every_statement_of_lasync() {
    let text = "
        log x
        nextTick f { log a; log b }
        immediate f { }
        timeout 5 f { log a
        }
        micro f {
            log a
        };
        promise p
        then p f { log a }
        then p f { log a } -> q
        resolve q; io w f {}
        readFile dir/data-1.txt f {}
        set done; iflog done yes no";
    let expected = [
        "{log <x>",
        "tick f{log <a>; log <b>}",
        "immediate f{}",
        "timeout 5 f{log <a>}",
        "micro f{log <a>}",
        "promise p",
        "then p f{log <a>}",
        "then p f{log <a>} -> q",
        "resolve q",
        "io w f{}",
        "readFile dir/data-1.txt f{}",
        "set done",
        "iflog done <yes> <no>}",
    ];
    assert_eq!(lasync_tree(text), expected.join("; "));
    assert_eq!(lasync_tree(" \r\n;;\n# nothing\n// at all"), "{}");
}

#[test]
fn a_callback_may_be_the_name_of_a_def() {
    assert_eq!(
        lasync_tree("def cb {\n  nextTick cb\n}\nio w wr {\n  log done\n}\ncall cb\n"),
        "{io w wr{log <done>}; call {tick cb^1}}"
    );
    let text = "nextTick cb; immediate cb; timeout 5 cb; micro cb; promise p
        then p cb -> q; then q cb; io w cb; readFile w cb; call cb
        micro f { def cb { log a; call other } }
        def other { call cb }";
    let a = "{log <a>; call {call ^1}}";
    let expected = [
        format!("{{tick cb{a}"),
        format!("immediate cb{a}"),
        format!("timeout 5 cb{a}"),
        format!("micro cb{a}"),
        "promise p".to_owned(),
        format!("then p cb{a} -> q"),
        format!("then q cb{a}"),
        format!("io w cb{a}"),
        format!("readFile w cb{a}"),
        format!("call {a}"),
        "micro f{}}".to_owned(),
    ];
    assert_eq!(lasync_tree(text), expected.join("; "));
    // A body in braces is its own, whatever a `def` of that name says.
    assert_eq!(lasync_tree("def f { log a }; micro f { log b }"), "{micro f{log <b>}}");
}

#[test]
fn promises_may_be_declared_later() {
    assert_eq!(
        lasync_tree("micro f { resolve p }; then q g {}; promise p; then p h {} -> q"),
        "{micro f{resolve p}; then q g{}; promise p; then p h{} -> q}"
    );
}

#[test]
fn words_and_names_of_lasync() {
    assert_eq!(
        lasync_tree(r#"log 42; log -> ; log a"b; log "a ; {b} # // c"; log "say \"\\n\""; log """#),
        r#"{log <42>; log <->>; log <a"b>; log <a ; {b} # // c>; log <say "\n">; log <>}"#
    );
    assert_eq!(lasync_tree("log a#b\nlog c//d\nlog e/f // g"), "{log <a>; log <c>; log <e/f>}");
    assert_eq!(lasync_tree("iflog f \"a b\" 1.5"), "{iflog f <a b> <1.5>}");
    assert_eq!(
        lasync_tree("promise p'\ndef é_1 {}\nthen p' é_1->q-1// r\nresolve q-1"),
        "{promise p'; then p' é_1{} -> q-1; resolve q-1}"
    );
    assert_eq!(lasync_tree("micro log{log log}"), "{micro log{log <log>}}");
    assert_eq!(
        lasync_tree("timeout 9007199254740992 f {}; timeout 007 f {}"),
        "{timeout 9007199254740992 f{}; timeout 7 f{}}"
    );
}

#[test]
fn places_in_lasync() {
    let text = "log é ; micro f { log b } # c\npromise p\ndef g {}\nthen p g  // d\nthen p g -> q";
    let program = lasync::parse(text).unwrap();
    let places = |id: usize| -> Vec<&str> {
        program.bodies[id].spans.iter().map(|&span| slice(text, span)).collect()
    };
    assert_eq!(program.main, lasync::syntax::BodyId(0));
    assert_eq!(places(0), ["log é", "micro f { log b }", "promise p", "then p g", "then p g -> q"]);
    assert_eq!(places(1), ["log b"]);
}

// λasync: what is refused.

#[test]
fn unknown_statements_in_lasync() {
    let label = "not a statement";
    lasync_says("log a; lgo b", ("unknown statement `lgo`", "lgo", label, "did you mean `log`?"));
    lasync_says(
        "nexttick f {}",
        ("unknown statement `nexttick`", "nexttick", label, "did you mean `nextTick`?"),
    );
    let all = "use one of log, nextTick, immediate, timeout, micro, promise, then, resolve, \
               register, io, readFile, def, call, set, iflog";
    lasync_says("@home\n", ("unknown statement `@home`", "@home", label, all));
}

#[test]
fn missing_parts_in_lasync() {
    let name = "expected a name after this";
    lasync_says("log", ("`log` needs a word", "log", "expected a word after this", "write log x"));
    lasync_says(
        "iflog f a\n",
        ("`iflog` needs a word", "iflog", "expected a word after this", "write iflog FLAG a b"),
    );
    lasync_says(
        "nextTick\nlog a",
        ("`nextTick` needs a name", "nextTick", name, "write nextTick f { … }"),
    );
    lasync_says(
        "immediate {}",
        ("`immediate` needs a name", "immediate", name, "write immediate f { … }"),
    );
    lasync_says("micro # f\n", ("`micro` needs a name", "micro", name, "write micro f { … }"));
    lasync_says(
        "timeout 5",
        ("`timeout` needs a name", "timeout", name, "write timeout MS f { … }"),
    );
    lasync_says("promise;", ("`promise` needs a name", "promise", name, "write promise p"));
    lasync_says(
        "promise p; then p",
        ("`then` needs a name", "then", name, "write then p f { … } -> q"),
    );
    lasync_says(
        "promise p; then p f {} ->",
        ("`then` needs a name", "then", name, "write then p f { … } -> q"),
    );
    lasync_says("resolve", ("`resolve` needs a name", "resolve", name, "write resolve p"));
    lasync_says("io w {}", ("`io` needs a name", "io", name, "write io NAME f { … }"));
    lasync_says(
        "readFile",
        ("`readFile` needs a name", "readFile", name, "write readFile NAME f { … }"),
    );
    lasync_says("def {}", ("`def` needs a name", "def", name, "write def f { … }"));
    lasync_says("call", ("`call` needs a name", "call", name, "write call f"));
    lasync_says("set }", ("`set` needs a name", "set", name, "write set FLAG"));
    lasync_says("set @x", ("`set` needs a name", "@x", "not a name", "write set FLAG"));
    lasync_says(
        "def f\n{}",
        ("`f` has no body", "f", "expected `{` after this", "write def f { … }"),
    );
    lasync_says(
        "log \"a\nb\"",
        ("unclosed string", "\"", "opened here", "close it with `\"` on the same line"),
    );
}

#[test]
fn delays_in_lasync() {
    let label = "a delay is expected here";
    let write = "write timeout MS f { … }, such as timeout 5 f { log late }";
    lasync_says("timeout f {}", ("`f` is not a whole number of milliseconds", "f", label, write));
    lasync_says(
        "timeout 1.5 f {}",
        ("`1.5` is not a whole number of milliseconds", "1.5", label, write),
    );
    lasync_says(
        "timeout -1 f {}",
        ("`-1` is not a whole number of milliseconds", "-1", label, write),
    );
    lasync_says(
        "timeout",
        (
            "`timeout` needs a delay",
            "timeout",
            "expected a delay after this",
            "write timeout MS f { … }",
        ),
    );
    for long in ["9007199254740993", "99999999999999999999999999"] {
        lasync_says(
            &format!("timeout {long} f {{}}"),
            (
                "delay too long",
                long,
                "more than 9007199254740992 milliseconds",
                "use a shorter delay",
            ),
        );
    }
}

#[test]
fn undefined_names_in_lasync() {
    let label = "neither a body nor a `def` of this name";
    let give = "give it a body in braces, or a `def`";
    for text in ["nextTick cb", "timeout 5 cb", "io w cb // {}", "micro cb {}; immediate cb"] {
        lasync_says(text, ("`cb` is not defined", "cb", label, give));
    }
    lasync_says(
        "def tick {}; micro tikc",
        ("`tikc` is not defined", "tikc", label, "did you mean `tick`?"),
    );
    let call = "no `def` of this name";
    lasync_says(
        "micro f {}; call f",
        ("`f` is not defined", "f", call, "define it anywhere in the program: def f { … }"),
    );
    lasync_says(
        "call tikc; def tick {}",
        ("`tikc` is not defined", "tikc", call, "did you mean `tick`?"),
    );
    let promise = "not declared anywhere in this program";
    lasync_says(
        "then p f {}",
        ("unknown promise `p`", "p", promise, "declare it before its first use: promise p"),
    );
    lasync_says(
        "promise done; resolve dome",
        ("unknown promise `dome`", "dome", promise, "did you mean `done`?"),
    );
    lasync_says(
        "def f {}; micro g { def f {} }",
        (
            "`f` is defined twice",
            "f",
            "defined again",
            "rename one of them: a `def` is known in the whole program",
        ),
    );
}

#[test]
fn values_priorities_and_events_of_lasync() {
    let text = "promise p 2; promise q; resolve p v; resolve q
        then p f(x) { log x; log \"x\"; micro g(y) { log x; log y; iflog flag x no }; log y } -> q x
        then p d -> q x; def d(x) { log x }; call d v; call d
        register ev 3 -> r; register ev 0 -> s; io ev h(z) { resolve q z } # a comment
        resolve q # another";
    let d = "{log <$0>}";
    let expected = [
        "{promise p 2".to_owned(),
        "promise q".to_owned(),
        "resolve p <v>".to_owned(),
        "resolve q".to_owned(),
        "then p f(x){log <$0>; log <x>; micro g(y){log <$0>; log <$1>; iflog flag <$0> <no>}; \
         log <y>} -> q <$0>"
            .to_owned(),
        format!("then p d(x){d} -> q <x>"),
        format!("call {d} <v>"),
        format!("call {d}"),
        "register ev 3 -> r".to_owned(),
        "register ev -> s".to_owned(),
        "io ev h(z){resolve q <$0>}".to_owned(),
        "resolve q}".to_owned(),
    ];
    assert_eq!(lasync_tree(text), expected.join("; "));
}

#[test]
fn mistakes_in_values_priorities_and_events_of_lasync() {
    let help = "use 0 (as promises), 1 (immediates), 2 (timers) or 3 (I/O)";
    let label = "a priority is expected here";
    lasync_says("promise p 4", ("`4` is not a priority", "4", label, help));
    lasync_says("register ev high -> p", ("`high` is not a priority", "high", label, help));
    let form = "write register EVENT N -> p";
    lasync_says(
        "register ev",
        ("`register` needs a priority", "register", "expected a priority after this", form),
    );
    lasync_says(
        "register ev 3 p",
        (
            "`register` needs `->` and the name of a promise",
            "p",
            "not `->` and the name of a promise",
            form,
        ),
    );
    lasync_says(
        "promise p; then p f(x); def f {}",
        (
            "a parameter without a body",
            "x",
            "named here",
            "give it a body: f(x) { … }; a `def` names its parameter itself: def f(x) { … }",
        ),
    );
    lasync_says(
        "promise p; then p f(x) { def d { log x } }",
        (
            "a `def` does not see the parameter `x`",
            "x",
            "a parameter of a body around the `def`",
            "give the `def` a parameter of its own; to mean the string, put it in double quotes",
        ),
    );
    lasync_says(
        "micro f(x, y) {}",
        (
            "`micro` needs `)` after one parameter",
            ",",
            "not `)` after one parameter",
            "write micro f { … }",
        ),
    );
    let text = "promise p\nthen p f {\n  resolve p 1\n  promise q 7\n}";
    let error = lasync::parse(text).unwrap_err();
    let place = hemiola_trace::source::Position::of(text, error.span.start);
    assert_eq!((place.line, place.column), (4, 13));
}

#[test]
fn braces_and_ends_in_lasync() {
    lasync_says("micro f { log a", ("unclosed `{`", "{", "opened here", "close it with `}`"));
    let text = "micro f {\n  micro g {\n}";
    assert_eq!(lasync::parse(text).unwrap_err().span, Span::new(8, 9), "the outer one stays open");
    lasync_says(
        "log a }",
        ("`}` without `{`", "}", "nothing to match this", "remove it, or open a body before it"),
    );
    lasync_says(
        "micro f\n{ }",
        (
            "a body that belongs to nothing",
            "{",
            "opened here",
            "start it on the line of its statement: nextTick f { … }",
        ),
    );
    let label = "the statement is already complete";
    let help = "end a statement with `;` or a new line; put a string with spaces in double quotes";
    lasync_says("log a b c", ("`b` is left over", "b", label, help));
    lasync_says("log a {", ("`{` is left over", "{", label, help));
    lasync_says("micro f {} log a", ("`log` is left over", "log", label, help));
    lasync_says("micro f {} -> q", ("`->` is left over", "->", label, help));
    lasync_says("def f {} g", ("`g` is left over", "g", label, help));
    let nested = |times| format!("{}{}", "micro f {".repeat(times), "}".repeat(times));
    assert_eq!(lasync::parse(&nested(200)).map(drop), Ok(()));
    lasync_says(&nested(201), (DEEP.0, "{", DEEP.2, DEEP.3));
}

// Any text at all.

fn check_span(text: &str, span: Span) {
    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} in {text:?}");
}

/// No panic, every place within the text, every error complete.
fn check_both(text: &str) {
    let mut errors = Vec::new();
    match l::parse(text) {
        Ok(program) => {
            show_block(&program, program.main);
            program.functions.iter().for_each(|function| check_span(text, function.span));
            let spans = program.blocks.iter().flat_map(|block| &block.spans);
            spans.for_each(|&span| check_span(text, span));
        }
        Err(error) => errors.push(error),
    }
    match lasync::parse(text) {
        Ok(program) => {
            for body in &program.bodies {
                assert_eq!(body.statements.len(), body.spans.len());
                body.spans.iter().for_each(|&span| check_span(text, span));
            }
        }
        Err(error) => errors.push(error),
    }
    for error in errors {
        check_span(text, error.span);
        let SourceError { message, label, help, .. } = error;
        for part in [&message, &label, &help] {
            assert!(!part.is_empty() && !part.ends_with('.') && !part.contains('\n'), "{part:?}");
        }
        assert!(!message.starts_with(char::is_uppercase), "{message}");
    }
}

const L_TOKENS: &[&str] = &[
    "let",
    "in",
    "any",
    "obs",
    "store",
    "call",
    "nexttick",
    "setimmediate",
    "trigger",
    "reg",
    "unreg",
    "f",
    "g",
    "x",
    "1",
    "99999999999999999999",
    "1a",
    r"\",
    "λ",
    ".",
    ",",
    ";",
    "·",
    "=",
    "+",
    "-",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "#",
    "\n",
    "@",
    "obs(x)",
    "f()",
    "let x = 1 in",
    r"let f = \x. ",
];

const LASYNC_TOKENS: &[&str] = &[
    "log",
    "nextTick",
    "immediate",
    "timeout",
    "micro",
    "promise",
    "then",
    "resolve",
    "io",
    "readFile",
    "def",
    "call",
    "set",
    "iflog",
    "f",
    "p",
    "5",
    "1.5",
    "->",
    "{",
    "}",
    ";",
    "\n",
    "#",
    "//",
    "\"",
    "\\",
    "é",
    "log a\n",
    "def f {",
    "promise p\n",
    "then p f",
    "micro f {",
];

fn soup(tokens: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = (proptest::sample::select(tokens), proptest::sample::select(vec!["", " ", " "]));
    proptest::collection::vec(piece, 0..40)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(token, gap)| [token, gap]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_string_is_answered(text in proptest::collection::vec(any::<char>(), 0..200)) {
        check_both(&text.into_iter().collect::<String>());
    }

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check_both(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_tokens_of_l_are_answered(text in soup(L_TOKENS)) {
        check_both(&text);
    }

    #[test]
    fn any_tokens_of_lasync_are_answered(text in soup(LASYNC_TOKENS)) {
        check_both(&text);
    }
}
