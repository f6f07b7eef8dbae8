// See compare-modules-with-node: what Node's modules have and ours do not, and where they differ in arity, properties
// and calls without arguments, as docs/node.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [mode, hemiola] = process.argv.slice(2);
const here = (name) => new URL(name, import.meta.url).pathname;
const PAGE = here('../docs/node.md');

if (!process.version.startsWith('v20.')) {
  console.log(`compare-modules-with-node: not compared, this is Node ${process.version}`);
  process.exit(0);
}

// What a runtime has.
function surfaceOf(command) {
  const folder = mkdtempSync(join(tmpdir(), 'surface-'));
  const modules = [...builtinModules.filter((name) => !name.startsWith('_')), 'test', 'test/reporters', 'sea', 'globalThis'];
  const file = join(folder, 'surface.json');
  const env = { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1', HEMIOLA_RECORD: 'off' };
  const { status, stderr } = spawnSync(command, [here('node-surface.js'), modules.join(), file], { cwd: folder, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  const surface = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  return surface;
}

// Reasons, by kind of difference and pattern of names; the first that fits counts.
const reasons = readFileSync(here('node-surface-reasons'), 'utf8').split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, kinds, pattern, reason] = /^(\S+) (\S+): (.*)$/.exec(line);
    const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
    return { kinds: kinds.split(','), pattern, test: new RegExp(`^${escaped}$`), reason, items: [] };
  });

const theirs = surfaceOf(process.execPath);
const ours = surfaceOf(hemiola);
const without = [];
let compared = 0;

function tell(kind, name, shown) {
  const found = reasons.find(({ kinds, test }) => kinds.includes(kind) && test.test(name));
  if (found === undefined) without.push(`${kind} ${name}: ${shown}`);
  else found.items.push({ kind, name, shown });
}

// Whether what a name belongs to is missing as a whole.
function isInside(name) {
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) {
    const outer = name.slice(0, at);
    if (theirs[outer] !== undefined && (ours[outer] === undefined || ours[outer].kind.startsWith('throws'))) return true;
  }
  return false;
}

for (const [name, has] of Object.entries(theirs)) {
  const own = ours[name];
  // Two names for one thing are looked through once.
  if (isInside(name) || has.same !== undefined && theirs[has.same] !== undefined && own !== undefined) continue;
  compared += 1;
  if (own === undefined) {
    if (!Object.keys(ours).some((other) => ours[other].same !== undefined && name.startsWith(`${other}.`))) tell('missing', name, has.kind);
    continue;
  }
  if (own.kind !== has.kind) tell('kind', name, `${has.kind}, here ${own.kind}`);
  else if (own.arity !== has.arity) tell('arity', name, `${has.arity}, here ${own.arity}`);
  if (own.flags !== has.flags && own.kind === has.kind) tell('properties', name, `${has.flags}, here ${own.flags}`);
  if (own.call !== has.call && has.call !== undefined) tell('call', name, `${has.call}, here ${own.call}`);
}

let page = `# What Node has and Hemiola does not

This page is written by \`scripts/compare-modules-with-node --surface\`, which looks through every public module of Node 20
and through the globals with Node and with Hemiola: names, how many arguments functions declare, how properties are
defined (**c**onfigurable, **e**numerable, **w**ritable, **g**et, **s**et), and what calls without arguments come to. Each
difference has a reason in \`scripts/node-surface-reasons\`; CI fails on one without. How functions behave otherwise is
compared elsewhere ([CONTRIBUTING.md](../CONTRIBUTING.md#test)).

The large parts that are yet to come: WebAssembly, HTTP/2, languages of \`Intl\` other than English, and \`Temporal\`,
which Node 20 does not have either. What a program can call of them throws an error that names it.
`;
const titles = { missing: 'Not there', kind: 'Another kind of value', call: 'Called without arguments', arity: 'Another number of arguments', properties: 'Properties that are defined otherwise' };
for (const kind of Object.keys(titles)) {
  const used = reasons.map((entry) => ({ ...entry, items: entry.items.filter((item) => item.kind === kind) })).filter(({ items }) => items.length > 0);
  if (used.length === 0) continue;
  page += `\n## ${titles[kind]}\n`;
  const byReason = new Map();
  for (const { reason, items } of used) byReason.set(reason, [...(byReason.get(reason) ?? []), ...items]);
  for (const [reason, items] of byReason) {
    const shown = items.map(({ name, shown }) => (kind === 'missing' ? `\`${name}\`` : `\`${name}\` (${shown})`));
    page += `\n**${reason[0].toUpperCase()}${reason.slice(1)}.** ${shown.join(', ')}\n`;
  }
}

const stale = reasons.filter(({ items }) => items.length === 0).map(({ pattern }) => pattern);
console.log(`${compared} names compared with Node ${process.versions.node}; ${reasons.flatMap(({ items }) => items).length} differ with a reason, ${without.length} without`);
for (const line of without) console.log(`  ${line}`);
for (const pattern of stale) console.log(`  a reason that is not needed any more: ${pattern}`);
if (mode === '--write') writeFileSync(PAGE, page);
const isOld = mode !== '--write' && readFileSync(PAGE, 'utf8') !== page;
if (isOld) console.log('docs/node.md is out of date\nhelp: scripts/compare-modules-with-node --surface-write HEMIOLA');
process.exitCode = without.length > 0 || stale.length > 0 || isOld ? 1 : 0;
