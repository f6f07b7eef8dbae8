//! Random programs that await in every way, log what they do, and end.

use std::fmt::Write as _;

/// Numbers that look random and depend on the seed alone.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % limit as u64).expect("it is less than a usize")
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// What the text around a place allows.
#[derive(Clone, Default)]
struct Place {
    is_async: bool,
    is_generator: bool,
    /// Whether `return` is allowed.
    in_function: bool,
    in_loop: bool,
    in_switch: bool,
    labels: Vec<String>,
    loop_labels: Vec<String>,
    depth: usize,
}

pub struct Generator {
    dice: Dice,
    semicolon: &'static str,
    counter: usize,
    /// Functions that may be called: name, whether async, whether generator.
    functions: Vec<(String, bool, bool)>,
    budget: usize,
}

/// A program; a module awaits at its top level.
pub fn program(seed: u64, module: bool) -> String {
    let mut dice = Dice::new(seed);
    let semicolon = if dice.one_in(2) { "" } else { ";" };
    let mut generator =
        Generator { dice, semicolon, counter: 0, functions: Vec::new(), budget: 60 };
    generator.program(module)
}

const PRELUDE: &str = "\
let calls = 0;
function log(tag, value) { if (++calls < 300) write(tag + ' ' + show(value)); else if (calls > 3000) throw 'enough'; return value }
function show(value) { return typeof value === 'function' ? 'function ' + value.name + '/' + value.length : typeof value === 'object' && value !== null ? (Array.isArray(value) ? '[' + value.map(show) + ']' : value instanceof Error ? value.name + ': ' + value.message : 'object') : String(value) }
function iterable(tag, count, kind) { let n = 0; return { [kind ? Symbol.asyncIterator : Symbol.iterator]() { log(tag + ' open'); return { next() { log(tag + ' next', n); const r = { value: kind === 2 ? Promise.resolve(n) : n, done: n++ >= count }; return kind ? Promise.resolve(r) : r }, return(v) { log(tag + ' return', v); return kind === 2 ? Promise.resolve({}) : {} } } } } }
function resource(tag, kind) { return { [kind === 2 ? Symbol.asyncDispose : Symbol.dispose]() { log(tag + ' dispose'); if (kind === 3) throw tag } } }
function thenable(tag, value, bad) { return { then(yes, no) { log(tag + ' then'); bad ? no(value) : yes(value) } } }
";

impl Generator {
    fn program(&mut self, module: bool) -> String {
        let mut text = String::from(PRELUDE);
        for _ in 0..2 + self.dice.below(3) {
            self.budget = 25;
            text += &self.function_declaration(&Place::default());
        }
        self.budget = 50;
        let place = Place { is_async: true, in_function: !module, ..Place::default() };
        if module {
            for _ in 0..3 {
                text += &self.statement(&place);
            }
        } else {
            let body = self.body(&place, 4);
            let _ = writeln!(
                text,
                "async function main() {body}\nmain().then(v => log('done', v), e => log('failed', e));\nlog('main returned')"
            );
        }
        text
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.counter += 1;
        format!("{prefix}{}", self.counter)
    }

    fn end(&self) -> String {
        format!("{}\n", self.semicolon)
    }

    fn deeper(place: &Place) -> Place {
        Place { depth: place.depth + 1, ..place.clone() }
    }

    /// A block of statements in braces.
    fn body(&mut self, place: &Place, count: usize) -> String {
        let known = self.functions.len();
        let mut text = String::from("{");
        if self.dice.one_in(3) {
            text.push('\n');
        }
        for _ in 0..1 + self.dice.below(count) {
            text += &self.statement(&Self::deeper(place));
        }
        self.functions.truncate(known);
        if self.dice.one_in(4) {
            text += "// end\n";
        }
        text.push('}');
        text
    }

    fn function_body(&mut self, is_async: bool, is_generator: bool, depth: usize) -> String {
        let place = Place {
            is_async,
            is_generator,
            in_function: true,
            depth: depth + 1,
            ..Place::default()
        };
        let body = self.body(&place, 4);
        match self.dice.below(8) {
            0 => format!("{{ 'use strict'\n{}", &body[1..]),
            1 => format!("{{'first'; \"use strict\";{}", &body[1..]),
            2 => format!("{{ /* directive */ 'x' // no semicolon\n{}", &body[1..]),
            _ => body,
        }
    }

    fn function_declaration(&mut self, place: &Place) -> String {
        let name = self.fresh("f");
        let (is_async, is_generator) = (!self.dice.one_in(4), self.dice.one_in(3));
        let body = self.function_body(is_async, is_generator, place.depth);
        let text = format!(
            "{}function{} {name}({}) {body}\n",
            if is_async { "async " } else { "" },
            if is_generator { "*" } else { "" },
            // A directive needs plain parameters.
            if body.contains("use strict") {
                "a, b"
            } else {
                "a, { b = log('default', 1), ...c } = {}"
            },
        );
        self.functions.push((name, is_async, is_generator));
        text
    }

    fn statement(&mut self, place: &Place) -> String {
        if self.budget == 0 || place.depth > 5 {
            return format!("log('{}'){}", self.fresh("l"), self.end());
        }
        self.budget -= 1;
        let end = self.end();
        match self.dice.below(24) {
            0..=3 if place.is_async => format!("await {}{end}", self.unary(place)),
            0..=5 => format!("log('{}', {}){end}", self.fresh("l"), self.expression(place)),
            6 => {
                let name = self.fresh("v");
                let kind = *self.dice.pick(&["let", "const", "var"]);
                format!("{kind} {name} = {}\nlog('{name}', {name}){end}", self.expression(place))
            }
            7 => {
                let (x, y) = (self.fresh("v"), self.fresh("v"));
                let (first, second) = (self.expression(place), self.expression(place));
                format!(
                    "let {{ a: {x} = {first}, [log('key', 'b')]: [{y} = {second}] = [] }} = {{ b: [] }}\nlog('{x}', {x}){end}"
                )
            }
            8 => {
                let test = self.expression(place);
                let (yes, no) = (self.single(place), self.single(place));
                format!("if ({test}) {yes}else {no}")
            }
            9 => {
                let name = self.fresh("i");
                let (label, inner) = self.labelled_loop(place);
                let body = self.single(&inner);
                format!("{label}for (let {name} = 0; {name} < 2; {name}++) {body}")
            }
            10 => {
                let name = self.fresh("w");
                let (label, inner) = self.labelled_loop(place);
                let body = self.body(&inner, 3);
                let test =
                    if place.is_async { format!("await {name}++") } else { format!("{name}++") };
                if self.dice.one_in(2) {
                    format!("var {name} = 0\n{label}while (({test}) < 2) {body}\n")
                } else {
                    format!("var {name} = 0\n{label}do {body} while (({test}) < 2){end}")
                }
            }
            11 => {
                let name = self.fresh("x");
                let (label, inner) = self.labelled_loop(place);
                let over = self.iterable(place, false);
                let body = self.single(&inner);
                format!("{label}for (const {name} of {over}) {body}")
            }
            12..=14 if place.is_async => {
                let name = self.fresh("x");
                let (label, inner) = self.labelled_loop(place);
                let over = self.iterable(place, true);
                let body = self.single(&inner);
                // No error leaves the body: the engine alone does not wait for what it closes then.
                let error = self.fresh("e");
                let leave = if error.ends_with(['1', '3', '5', '7', '9']) { "; break" } else { "" };
                let body = format!(
                    "{{ try {{ {body} }} catch ({error}) {{ log('caught', {error}){leave} }} }}\n"
                );
                let left = match self.dice.below(3) {
                    0 => format!("const {name}"),
                    1 => format!("var {{ {name} = log('missing', 1) }}"),
                    _ => format!("let {name}"),
                };
                format!("{label}for await ({left} of {over}) {body}")
            }
            12..=17 => {
                let block = self.body(place, 3);
                let catch = match self.dice.below(3) {
                    0 => String::new(),
                    1 => format!(" catch {}", self.body(place, 2)),
                    _ => {
                        let name = self.fresh("e");
                        let body = self.body(place, 2);
                        format!(" catch ({name}) {{ log('caught', {name})\n{}", &body[1..])
                    }
                };
                let finally = if catch.is_empty() || self.dice.one_in(2) {
                    format!(" finally {}", self.body(place, 2))
                } else {
                    String::new()
                };
                format!("try {block}{catch}{finally}\n")
            }
            18 => {
                let value = self.expression(place);
                let inner = Place { in_switch: true, ..Self::deeper(place) };
                let (a, b, c) =
                    (self.statement(&inner), self.statement(&inner), self.statement(&inner));
                format!(
                    "switch ({value}) {{ case 1: {{{a}}} case log('case', 2): {{{b}}} default: {{{c}}} }}\n"
                )
            }
            19 => {
                let label = self.fresh("b");
                let mut inner = Self::deeper(place);
                inner.labels.push(label.clone());
                let block = self.body(&inner, 3);
                format!("{label}: {block}\n")
            }
            20 if place.is_async && self.dice.one_in(2) => self.disposing_block(place),
            20 => self.jump(place),
            21 => self.function_declaration(place),
            22 => self.class(place),
            _ => format!("{}\n", self.body(place, 3)),
        }
    }

    fn labelled_loop(&mut self, place: &Place) -> (String, Place) {
        let mut inner = Place { in_loop: true, in_switch: false, ..Self::deeper(place) };
        if self.dice.one_in(2) {
            return (String::new(), inner);
        }
        let label = self.fresh("l");
        inner.labels.push(label.clone());
        inner.loop_labels.push(label.clone());
        (format!("{label}: "), inner)
    }

    /// The body of an `if` or loop: a block, or one statement that is no declaration.
    fn single(&mut self, place: &Place) -> String {
        if self.dice.one_in(2) {
            return format!("{}\n", self.body(place, 3));
        }
        let place = Self::deeper(place);
        for _ in 0..4 {
            let text = self.statement(&place);
            let declares = ["let ", "const ", "var ", "function", "async function", "class "]
                .iter()
                .any(|word| text.starts_with(word));
            if !declares {
                return text;
            }
        }
        format!("log('{}'){}", self.fresh("l"), self.end())
    }

    fn jump(&mut self, place: &Place) -> String {
        let end = self.end();
        match self.dice.below(5) {
            0 if place.in_loop => format!("continue{end}"),
            1 if place.in_loop || place.in_switch => format!("break{end}"),
            2 if !place.loop_labels.is_empty() => {
                format!("continue {}{end}", self.dice.pick(&place.loop_labels))
            }
            3 if !place.labels.is_empty() => {
                format!("break {}{end}", self.dice.pick(&place.labels))
            }
            4 if place.in_function && self.dice.one_in(3) => format!("return{end}"),
            4 if place.in_function => format!("return {}{end}", self.expression(place)),
            _ => format!("throw {}{end}", self.expression(place)),
        }
    }

    fn class(&mut self, place: &Place) -> String {
        let name = self.fresh("C");
        let key = self.expression(place);
        let method = self.function_body(true, false, place.depth + 1);
        let method = method.replace("use strict", "plain");
        let init = self.fresh("l");
        let instance = self.fresh("o");
        let end = self.end();
        let call = if place.is_async { "await " } else { "" };
        format!(
            "class {name} {{ static {{ log('static') }} field = log('{init}', 1); async m(a = log('default')) {method} async *[log('key', ({key}, 'g'))]() {{ yield await 1; return await 2 }} }}\nconst {instance} = new {name}{end}log('method', {call}{instance}.m().catch(e => e)){end}"
        )
    }

    /// A block that is left by way of what it declared.
    fn disposing_block(&mut self, place: &Place) -> String {
        let inner = Self::deeper(place);
        let mut text = String::from("{{ ");
        for _ in 0..1 + self.dice.below(2) {
            text += &self.statement(&inner);
            let (name, tag) = (self.fresh("u"), self.fresh("d"));
            let kind = *self.dice.pick(&["await using", "await using", "using"]);
            let resource = match self.dice.below(4) {
                0 => "null".into(),
                kind => format!("resource('{tag}', {kind})"),
            };
            let _ = write!(text, "{kind} {name} = {resource}{}", self.end());
        }
        text += &self.statement(&inner);
        if self.dice.one_in(2) {
            text += &self.jump(&inner);
        }
        text += "}\n";
        if self.dice.one_in(3) {
            let name = self.fresh("u");
            let _ = writeln!(
                text,
                "for (await using {name} of [resource('{name}', 1), null]) {}",
                self.body(&inner, 2)
            );
        }
        text += "}\n";
        text
    }

    /// Something to loop over.
    fn iterable(&mut self, place: &Place, asynchronous: bool) -> String {
        let tag = self.fresh("it");
        match self.dice.below(6) {
            0 => format!("[{}, {}]", self.expression(place), self.expression(place)),
            1 => format!(
                "iterable('{tag}', 2, {})",
                if asynchronous { self.dice.below(3) } else { 0 }
            ),
            2 if asynchronous => format!("[Promise.resolve(1), Promise.reject('{tag}'), 3]"),
            3 if place.is_async => format!("await iterable('{tag}', 2, 0)"),
            4 => match self.functions.iter().rfind(|f| f.2 && (asynchronous || !f.1)).cloned() {
                Some((name, _, _)) => format!("{name}({})", self.expression(place)),
                None => "[1]".into(),
            },
            _ => format!("(log('{tag}'), [{}])", self.expression(place)),
        }
    }

    /// What may follow `await`.
    fn unary(&mut self, place: &Place) -> String {
        match self.dice.below(14) {
            0 => "(() => 1)".into(),
            1 => "function () {}".into(),
            2 => "(class {})".into(),
            3 => format!(
                "thenable('{}', {}, {})",
                self.fresh("t"),
                self.dice.below(9),
                self.dice.one_in(4)
            ),
            4 => format!("Promise.resolve({})", self.expression(place)),
            5 if self.dice.one_in(2) => format!("Promise.reject('{}')", self.fresh("r")),
            6 if place.is_async => format!("await {}", self.dice.below(9)),
            7 => format!("(/* group */ {})", self.expression(place)),
            8 => "// comment\n 5".into(),
            9 => format!("log?.('{}', {})", self.fresh("l"), self.expression(place)),
            10 => format!("new Promise(yes => yes({}))", self.dice.below(9)),
            _ => self.call(place),
        }
    }

    fn call(&mut self, place: &Place) -> String {
        if self.functions.is_empty() {
            return format!("log('{}')", self.fresh("l"));
        }
        let index = self.dice.below(self.functions.len());
        let (name, is_async, is_generator) = self.functions[index].clone();
        let argument = self.expression(place);
        match (is_async, is_generator) {
            (true, true) => {
                format!("{name}({argument}).{}(1)", self.dice.pick(&["next", "return"]))
            }
            (false, true) => format!("{name}({argument}).next().value"),
            _ => format!("{name}({argument})"),
        }
    }

    fn expression(&mut self, place: &Place) -> String {
        if self.budget == 0 || place.depth > 6 {
            return self.dice.below(9).to_string();
        }
        self.budget -= 1;
        let inner = Self::deeper(place);
        let place = &inner;
        match self.dice.below(24) {
            0..=4 if place.is_async => format!("await {}", self.unary(place)),
            5 if place.is_generator => format!("(yield {})", self.expression(place)),
            6 if place.is_generator => {
                let over = self.iterable(place, place.is_async);
                format!("(yield* {over})")
            }
            7 => format!("`a${{{}}}b${{{}}}`", self.expression(place), self.expression(place)),
            8 => format!("[{}, ...[{}]]", self.expression(place), self.expression(place)),
            9 => format!("({{ a: {}, [{}]: 1 }})", self.expression(place), self.expression(place)),
            10 => format!(
                "({} ? {} : {})",
                self.expression(place),
                self.expression(place),
                self.expression(place)
            ),
            11 => {
                let operator = *self.dice.pick(&["&&", "||", "+", ",", "<", "==="]);
                format!("({} {operator} {})", self.expression(place), self.expression(place))
            }
            12 => format!("typeof ({})", self.unary(place)),
            13 => {
                let arrow = Place { is_async: true, is_generator: false, ..Place::default() };
                let arrow = Place { depth: place.depth + 1, ..arrow };
                let parameter = *self.dice.pick(&["()", "x", "(x = log('p'))"]);
                if self.dice.one_in(2) {
                    format!("(async {parameter} => {})()", self.arrow_value(&arrow))
                } else {
                    let body = self
                        .function_body(true, false, place.depth + 1)
                        .replace("use strict", "plain");
                    format!("(async {parameter} => {body})()")
                }
            }
            14 => format!("log('{}', {})", self.fresh("l"), self.expression(place)),
            15 if place.is_async => format!(
                "({}).name",
                format_args!(
                    "await {}",
                    self.dice.pick(&[
                        "(() => 1)",
                        "function () {}",
                        "class {}",
                        "(class { static x = 1 })"
                    ])
                )
            ),
            16 => format!("log?.(...[{}, {}])", self.expression(place), self.expression(place)),
            17 if place.is_async => format!("(await {{ m: () => {} }}).m?.()", self.dice.below(9)),
            18 if place.is_async => {
                let (a, b) = (self.unary(place), self.expression(place));
                format!("((([log.q = await {a}] = [{b}]), log.q))")
            }
            19 => format!("Promise.reject({}).catch(e => log('c', e))", self.dice.below(9)),
            20 => self.call(place),
            _ => self.dice.below(9).to_string(),
        }
    }

    /// The body of an arrow function without braces.
    fn arrow_value(&mut self, place: &Place) -> String {
        let value = self.expression(place);
        if value.starts_with('{') { format!("({value})") } else { value }
    }
}
