// `package.json` of a package that is required and imported, and of the directory that asks for it.
'use strict';

const fs = require('fs');
const { createRequire } = require('module');
const { each, wrong } = require('./inputs.js');

let count = 0;

async function tried(what, load) {
  try {
    await load();
  } catch (error) {
    if (!(error instanceof Error)) wrong(`${what} fails with ${typeof error}`);
  }
}

each(async (input) => {
  const root = `/tmp/hemiola-fuzz-packages/${count++}`;
  const home = `${root}/node_modules/p`;
  fs.mkdirSync(`${home}/a`, { recursive: true });
  fs.writeFileSync(`${home}/package.json`, input);
  fs.writeFileSync(`${root}/package.json`, input);
  fs.writeFileSync(`${home}/index.js`, 'module.exports = 1');
  fs.writeFileSync(`${home}/index.mjs`, 'export default 1');
  fs.writeFileSync(`${home}/a/b.js`, '');
  fs.writeFileSync(`${root}/self.js`, '');
  fs.writeFileSync(`${root}/entry.mjs`, "import p from 'p'; export { p }");
  const require = createRequire(`${root}/entry.js`);
  for (const name of ['p', 'p/a/b', 'p/a/b.js', 'p/package.json', '#x', './self.js', 'p/../../x']) {
    await tried(name, () => require(name));
  }
  await tried('import', () => import(`file://${root}/entry.mjs`));
  fs.rmSync(root, { recursive: true });
}).catch((error) => { wrong(error.stack); process.exit(1); });
