//! Mocks of modules come before the imports that they are for, and every line stays where it is.

use hemiola_transform::{Goal, Language, hoist_mocks};

fn hoisted(source: &str, goal: Goal) -> String {
    let (code, _) = hoist_mocks(source, Language::TypeScript, goal).expect("it mocks something");
    assert_eq!(code.lines().count(), source.lines().count(), "{code}");
    code
}

#[test]
fn imports_of_a_module_come_after_its_mocks() {
    let source = "import { vi } from 'vitest';
import def, { a as b, type T } from './x';
import * as all from './y'; import './z';
const {
  c,
} = vi.hoisted(() => ({ c: 1 }));
vi.mock('./x', () => ({
  a: c,
}));
export { b, def, all };
";
    let expected = "const {   c, } = $hemiolaMock1();$hemiolaMock2();await globalThis[Symbol.for(\"hemiola.mocks\")]?.();\
const { default: def, \"a\": b } = await import('./x');const all = await import('./y');await import('./z');\
import { vi } from 'vitest';
;
; ;


function $hemiolaMock1(){return vi.hoisted(() => ({ c: 1 }));}
function $hemiolaMock2(){vi.mock('./x', () => ({
  a: c,
}));}
export { b, def, all };
";
    assert_eq!(hoisted(source, Goal::Module), expected);
}

#[test]
fn mocks_of_a_script_come_before_what_it_requires() {
    let source = "'use strict'\nconst a = require('./a')\njest.mock('./a', () => 1).mock('./b')\nawaited.mock('x')\n";
    let expected = "'use strict'\n$hemiolaMock1();const a = require('./a')\n\
function $hemiolaMock1(){jest.mock('./a', () => 1).mock('./b')}\nawaited.mock('x')\n";
    assert_eq!(hoisted(source, Goal::CommonJs), expected);
}

#[test]
fn the_name_of_a_module_may_be_an_import_of_it() {
    let source = "vi.mock(import('./a'), () => ({}))\n";
    assert_eq!(
        hoisted(source, Goal::Module),
        "$hemiolaMock1();await globalThis[Symbol.for(\"hemiola.mocks\")]?.();function $hemiolaMock1(){vi.mock('./a', () => ({}))}\n"
    );
}

#[test]
fn a_text_without_mocks_of_modules_stays_as_it_is() {
    for source in [
        "import a from './a'; sinon.mock(a)",
        "test('x', () => { jest.mock('./a'); })",
        "jest.mock(",
    ] {
        assert!(hoist_mocks(source, Language::JavaScript, Goal::Detect).is_none(), "{source}");
    }
}
