//! A source map is named by a comment, and by nothing that looks like one.

use hemiola_transform::{Language, source_map_url};

fn url(text: &str) -> Option<String> {
    source_map_url(text, Language::JavaScript)
}

#[test]
fn the_last_comment_names_the_source_map() {
    for (text, expected) in [
        ("a();\n//# sourceMappingURL=a.map\n", "a.map"),
        ("a(); //@ sourceMappingURL=a.map", "a.map"),
        ("//#\tsourceMappingURL= a.map  \nb()", "a.map"),
        ("//# sourceMappingURL=a.map\n//# sourceMappingURL=b.map\n//# sourceURL=c", "b.map"),
        ("import a from 'a'; await a;\n//# sourceMappingURL=a.map", "a.map"),
        ("return 1;\n//# sourceMappingURL=a.map", "a.map"),
    ] {
        assert_eq!(url(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn what_is_no_such_comment_names_none() {
    for text in [
        "a()",
        "`\n//# sourceMappingURL=a.map\n`",
        "'//# sourceMappingURL=a.map'",
        "/*\n//# sourceMappingURL=a.map\n*/",
        "/*# sourceMappingURL=a.map */",
        "//#  sourceMappingURL=a.map",
        "// # sourceMappingURL=a.map",
        "//# sourceMappingURL=a.map\n//# sourceMappingURL=b c",
        "//# sourceMappingURL=a.map\n//# sourceMappingURL=",
        "(\n//# sourceMappingURL=a.map",
    ] {
        assert_eq!(url(text), None, "{text}");
    }
}
