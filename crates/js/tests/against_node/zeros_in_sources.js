// Sources with zeros in strings, templates, regular expressions and comments, by every way into the engine.
const { mkdtempSync, rmSync, writeFileSync } = require('fs');
const vm = require('vm');

const codes = ['"a\0b".length', '`a\0b`.length', '((s) => s.raw[0].length)`a\0b`', '/a\0b/.source.length', '1 // a\0b\n + 1', '1 /* \0 */ + 1', '1 \0 + 1'];
const ways = {
  eval: (code) => (0, eval)(code),
  Function: (code) => new Function(`return ${code}`)(),
  script: (code) => vm.runInThisContext(code),
  context: (code) => vm.runInNewContext(code),
  compiled: (code) => vm.compileFunction(`return ${code}`)(),
  waiting: (code) => (0, eval)(`(async () => { await 1; return ${code}; })`).toString().length,
};
for (const code of codes) {
  for (const [name, run] of Object.entries(ways)) {
    try { console.log(name, JSON.stringify(code), run(code)); } catch (error) { console.log(name, JSON.stringify(code), error.name, error.message); }
  }
}

async function files() {
  const folder = mkdtempSync('/tmp/zeros-');
  try {
    const body = codes.slice(0, -1).map((code) => `list.push(${code});`).join('\n');
    writeFileSync(`${folder}/common.js`, `const list = [];\n${body}\nmodule.exports = list; // \0`);
    writeFileSync(`${folder}/module.mjs`, `const list = [await 0];\n${body}\nexport default list; // \0`);
    writeFileSync(`${folder}/wrong.js`, '\n  1 \0');
    console.log(require(`${folder}/common.js`), (await import(`${folder}/module.mjs`)).default);
    try { require(`${folder}/wrong.js`); } catch (error) { console.log(error.name, error.message); }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
files();
