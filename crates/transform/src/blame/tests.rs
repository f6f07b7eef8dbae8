//! What an instruction stands for.

use super::*;

fn blamed(
    source: &str,
    noted: Option<(u32, u32)>,
    act: Act,
    before: u32,
) -> Option<(String, (u32, u32))> {
    let text = Blamed {
        code: source,
        source,
        language: Language::JavaScript,
        goal: Goal::CommonJs,
        positions: &Positions::of_unchanged(source),
        prefix: 0,
    };
    let spot = Spot { noted, function: (1, 1), act, before };
    blame(&text, &spot).map(|culprit| (culprit.text, culprit.place))
}

fn found(text: &str, place: (u32, u32)) -> Option<(String, (u32, u32))> {
    Some((text.to_owned(), place))
}

#[test]
fn of_two_calls_after_one_place_each_is_found() {
    let source = "\nq(id(1));";
    assert_eq!(blamed(source, Some((2, 3)), Act::Call, 0), found("id", (2, 3)));
    assert_eq!(blamed(source, Some((2, 3)), Act::Call, 1), found("q", (2, 1)));
    assert_eq!(blamed(source, Some((2, 3)), Act::Call, 2), None);
    assert_eq!(blamed(source, Some((3, 3)), Act::Call, 0), None);
}

#[test]
fn a_callee_is_named_as_v8_names_it() {
    for (callee, name) in [
        ("o.a.b", "o.a.b"),
        ("o?.['x']", "o?.x"),
        ("o[k]", "o[k]"),
        ("o.f(1).g", "o.f(...).g"),
        ("(await1, o)", "(await1 , o)"),
        ("new F().x", "(intermediate value).x"),
        ("this.#p", "this[#p]"),
        ("o[a + b]", "o[(a + b)]"),
        ("({ a: 1 }).x", "{(intermediate value)}.x"),
        ("o[-1.50]", "o[-1.5]"),
    ] {
        let source = format!("class A {{ #p; m() {{\n{callee}( 1) }} }}");
        let column = callee.len() as u32 + 3;
        let (text, _) =
            blamed(&source, Some((2, column)), Act::Call, 0).expect("the call is found");
        assert_eq!(text, name, "{callee}");
    }
}

#[test]
fn fields_of_the_one_class_that_has_such_are_found() {
    let field = |source: &str, act: Act, before: u32| {
        let positions = Positions::of_unchanged(source);
        let (language, goal) = (Language::JavaScript, Goal::CommonJs);
        let text =
            Blamed { code: source, source, language, goal, positions: &positions, prefix: 0 };
        let spot = Spot { noted: None, function: (0, 1), act, before };
        blame(&text, &spot).map(|culprit| culprit.place)
    };
    let source = "class A {\n a = this.b;\n m() { this.b }\n c = this.b.d;\n static s = this.b;\n}";
    assert_eq!(field(source, Act::Get("d".into()), 0), Some((4, 13)));
    assert_eq!(field(source, Act::Get("b".into()), 1), Some((4, 11)));
    assert_eq!(field(source, Act::Get("b".into()), 0), None);
    assert_eq!(field(source, Act::Get("e".into()), 0), None);
}

#[test]
fn a_pattern_comes_before_what_it_takes_apart() {
    let source = "let u;\nconst { a } = u, { b } = v;";
    assert_eq!(blamed(source, None, Act::TakeApart, 0), found("u", (2, 9)));
    assert_eq!(blamed(source, Some((2, 15)), Act::TakeApart, 0), found("v", (2, 20)));
}

#[test]
fn places_are_those_of_the_source() {
    let source = "async () => { await o.é(await x) };\nasync () => f(\n  await o.g(1))";
    let transformed = crate::transform(source, Language::JavaScript, Goal::CommonJs, &[])
        .expect("it is transformed");
    let text = Blamed {
        code: &transformed.code,
        source,
        language: Language::JavaScript,
        goal: Goal::CommonJs,
        positions: &transformed.positions,
        prefix: 0,
    };
    let line = transformed.code.lines().nth(2).expect("it has the lines of the source");
    let column = line.find("g(1)").expect("the call is there") as u32 + 1;
    let spot = Spot { noted: Some((3, column)), function: (2, 1), act: Act::Call, before: 0 };
    let culprit = blame(&text, &spot).expect("the call is found");
    assert_eq!((culprit.text.as_str(), culprit.place), ("o.g", (3, 11)));
}
