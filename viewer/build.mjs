// Builds the page: dist/page.{html,js,css}, which crates/export embeds. With --check nothing is
// written, and the exit code says whether what is committed is what would be built.
import { build } from 'esbuild';
import { readFile, writeFile, mkdir } from 'node:fs/promises';

const here = new URL('.', import.meta.url);
const isCheck = process.argv.includes('--check');

const bundle = async (entry, more = {}) => {
  const result = await build({
    absWorkingDir: here.pathname,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
    ...more,
  });
  return result.outputFiles[0].text;
};

// The licence of what is bundled travels with every page that is made of the bundle.
const licence = (await readFile(new URL('node_modules/preact/LICENSE', here), 'utf8')).trim();
const banner = { js: `/*! Contains Preact (https://preactjs.com).\n\n${licence}\n*/` };
const script = await bundle('src/main.tsx', { format: 'iife', banner });
// It stands in an element of a page: nothing in it may end that.
for (const mark of ['</script', '<!--']) {
  if (script.includes(mark)) throw new Error(`the bundle contains ${mark}`);
}
const built = {
  'page.js': script,
  'page.css': await bundle('src/style.css'),
  'page.html': await readFile(new URL('src/page.html', here), 'utf8'),
};

await mkdir(new URL('dist/', here), { recursive: true });
let stale = false;
for (const [name, text] of Object.entries(built)) {
  const path = new URL(`dist/${name}`, here);
  const old = await readFile(path, 'utf8').catch(() => '');
  if (old === text) continue;
  if (isCheck) {
    stale = true;
    console.error(`viewer/dist/${name} is not what viewer/src makes; build it: npm --prefix viewer run build`);
  } else {
    await writeFile(path, text);
    console.log(`dist/${name} ${text.length} bytes`);
  }
}
process.exitCode = stale ? 1 : 0;
