// What is said of `import` where no module is: tools look for these words.
const { Script, compileFunction } = require('vm');
const texts = ['import', 'import x', 'import {', 'import a from "b"', 'export', 'export default 1', 'export {', '({ import: 1 })', 'x = { import() {} }', '{ import a from "b" }', '1; export const a = 1', '// x\nimport a from "b"'];
for (const text of texts) {
  for (const make of [(code) => new Function(code), (code) => (0, eval)(code), (code) => new Script(code), (code) => compileFunction(code)]) {
    try {
      make(text);
      console.log(text, 'is read');
    } catch ({ message }) {
      console.log(text, message);
    }
  }
}
