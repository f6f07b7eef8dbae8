// Writes the programs in crates/js/tests/event_loop: every pair of asynchronous constructs, in one of
// four surroundings, each callback with a tick and a promise job of its own. `node FILE` eight times
// must print the same every time; that is what the .out file beside it holds.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync, rmSync } from 'node:fs';

const folder = new URL('../crates/js/tests/event_loop/', import.meta.url).pathname;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const constructs = {
  tick: (f) => `process.nextTick(${f});`,
  then: (f) => `Promise.resolve().then(${f});`,
  microtask: (f) => `queueMicrotask(${f});`,
  await: (f) => `(async () => { await null; (${f})(); })();`,
  immediate: (f) => `setImmediate(${f});`,
  timeout0: (f) => `setTimeout(${f}, 0);`,
  timeout5: (f) => `setTimeout(${f}, 5);`,
  interval: (f) => `{ const i = setInterval(() => { clearInterval(i); (${f})(); }, 2); }`,
  thenable: (f) => `Promise.resolve({ then(r) { log('thenable'); r(); } }).then(${f});`,
  rejected: (f) => `Promise.reject(new Error('no')).catch(${f});`,
  finally: (f) => `Promise.resolve(1).finally(${f}).then(() => log('after finally'));`,
  all: (f) => `Promise.all([1, Promise.resolve(2)]).then(${f});`,
  generator: (f) => `(async () => { for await (const x of (async function* () { yield 1; yield 2; })()) log('yielded', x); (${f})(); })();`,
};
const surroundings = {
  main: (body) => body,
  timer: (body) => `setTimeout(() => {\n${body}\n}, 1);`,
  immediate: (body) => `setImmediate(() => {\n${body}\n});`,
  job: (body) => `Promise.resolve().then(() => {\n${body}\n});`,
};

const callback = (name) =>
  `() => { log('${name}'); process.nextTick(() => log('${name}: tick')); Promise.resolve().then(() => log('${name}: job')); }`;

// Which of two different delays ends first depends on how long the program takes between them.
const timed = new Set(['timeout0', 'timeout5', 'interval']);

const names = Object.keys(constructs);
let count = 0;
for (let i = 0; i < names.length; i++) {
  for (let j = i; j < names.length; j++) {
    if (i !== j && timed.has(names[i]) && timed.has(names[j])) continue;
    const where = Object.keys(surroundings)[(i + j) % 4];
    const [first, second] = (i + j) % 3 === 0 ? [names[j], names[i]] : [names[i], names[j]];
    const source = `// Node ${process.version}
const log = (...what) => console.log(...what);
// Longer than any delay here, so that whatever is timed is due when the loop looks.
const busy = () => { const end = Date.now() + 12; while (Date.now() < end); };
${surroundings[where](`${constructs[first](callback(`1 ${first}`))}
${constructs[second](callback(`2 ${second}`))}
busy();
log('${where} done');`)}
`;
    const name = `${where}-${first}-${second}`;
    writeFileSync(`${folder}${name}.js`, source);
    const outputs = new Set();
    for (let run = 0; run < 8; run++) outputs.add(execFileSync('node', [`${folder}${name}.js`], { encoding: 'utf8' }));
    if (outputs.size !== 1) {
      console.error(`${name}: ${outputs.size} different outputs; left out`);
      rmSync(`${folder}${name}.js`);
      continue;
    }
    writeFileSync(`${folder}${name}.out`, [...outputs][0]);
    count++;
  }
}
console.log(`${count} programs`);
