// Prints random async programs that log what they do, end, and do the same in every engine:
//
//     generate.cjs SEED COUNT [labelled | throwing]
//
// The programs of the seeds SEED, SEED + 1, … run one after the other. Without timers the order of
// everything is settled by ECMA-262 and Node's phases; `labelled` adds timers, for virtual time only. Its
// clocks are kept in use from the start to the end, so that a context which ends early is not seen.
//
// Left out, because the engine deviates there (../async/deviations.txt): iterators of our own whose `next`
// fails, and errors that leave a `for await`. The loader makes up for the latter: they are in `throwing`.
'use strict';

const [seed, count, kind] = process.argv.slice(2);
const labelled = kind === 'labelled';

class Generator {
  constructor(number) {
    this.state = Math.imul(number, 0x9e3779b1) >>> 0 || 1;
    this.names = 0;
    this.budget = 45;
    // What may be called: functions that were declared before, so that nothing recurs.
    this.functions = [];
  }

  below(limit) {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    this.state >>>= 0;
    return this.state % limit;
  }

  pick(from) {
    return from[this.below(from.length)];
  }

  fresh(prefix) {
    return `${prefix}${++this.names}`;
  }

  program() {
    const functions = Array.from({ length: 2 + this.below(3) }, () => this.declaration(0)).join('\n');
    this.budget = 45;
    return `${functions}\n${this.statements({ async: true, depth: 0, labels: [] }, 6)}`;
  }

  declaration(depth) {
    const name = this.fresh('f');
    const async = this.below(5) > 0;
    const generator = this.below(3) === 0;
    const parameter = this.pick(['a', 'a = log("default", 1)', '...a', '{ a } = {}']);
    const place = { async, generator, depth: depth + 1, labels: [] };
    const body = this.statements(place, 4);
    this.functions.push({ name, async, generator });
    return `${async ? 'async ' : ''}function${generator ? '*' : ''} ${name}(${parameter}) {\n${body}\n}`;
  }

  statements(place, limit) {
    const known = this.functions.length;
    const lines = Array.from({ length: 1 + this.below(limit) }, () => this.statement({ ...place, depth: place.depth + 1 }));
    this.functions.length = known;
    return lines.join('\n');
  }

  block(place, limit = 3) {
    return `{\n${this.statements(place, limit)}\n}`;
  }

  log(place) {
    return `log('${this.fresh('l')}', ${this.value(place)})`;
  }

  statement(place) {
    if (this.budget-- <= 0 || place.depth > 6) return `log('${this.fresh('l')}');`;
    const awaiting = place.async ? 'await ' : '';
    const choices = [
      () => `${this.log(place)};`,
      () => `${this.log(place)};`,
      () => `${awaiting}${this.operand(place)};`,
      () => { const name = this.fresh('v'); return `${this.pick(['let', 'const', 'var'])} ${name} = ${this.value(place)}; log('${name}', ${name});`; },
      () => { const [a, b] = [this.fresh('v'), this.fresh('v')]; return `const { a: ${a} = ${this.value(place)}, ...${b} } = { b: ${this.value(place)} }; log('${a}', ${a});`; },
      () => `if (${this.value(place)}) ${this.block(place)} else ${this.block(place)}`,
      () => { const name = this.fresh('i'); return this.loop(place, (inner) => `for (let ${name} = 0; ${name} < 2; ${name}++) ${this.block(inner)}`); },
      () => { const name = this.fresh('w'); return `let ${name} = 0;\n${this.loop(place, (inner) => `while (${awaiting}${name}++ < 2) ${this.block(inner)}`)}`; },
      () => { const name = this.fresh('x'); return this.loop(place, (inner) => `for (const ${name} of ${this.iterable(place)}) ${this.block(inner)}`); },
      () => this.attempt(place),
      () => this.attempt(place),
      () => `switch (${this.value(place)}) { case ${this.value(place)}: ${this.block(place)} case 1: ${this.block(place)} break; default: ${this.block(place)} }`,
      () => { const label = this.fresh('b'); return `${label}: ${this.block({ ...place, labels: [...place.labels, { label }] })}`; },
      () => this.jump(place),
      () => this.declaration(place.depth),
      () => this.spawn(place),
      () => this.spawn(place),
      () => this.method(place),
    ];
    if (place.async) {
      const forAwait = () => { const name = this.fresh('x'); return this.loop(place, (inner) => this.forAwait(name, inner)); };
      choices.push(forAwait, forAwait);
    }
    if (labelled) choices.push(() => this.timer(place), () => this.timer(place));
    return this.pick(choices)();
  }

  loop(place, make) {
    const label = this.fresh('o');
    return `${label}: ${make({ ...place, labels: [...place.labels, { label, loop: true }] })}`;
  }

  forAwait(name, place) {
    if (kind === 'throwing') return `for await (const ${name} of ${this.asyncIterable(place)}) {\nlog('${name}', ${name});\n${this.statements(place, 2)}\n}`;
    return `for await (const ${name} of ${this.asyncIterable(place)}) {
try { log('${name}', ${name});\n${this.statements(place, 2)} } catch (e) { log('swallowed', e); ${this.pick(['break', 'continue', ''])} }\n}`;
  }

  attempt(place) {
    const caught = this.below(3) > 0 ? ` catch (e) { log('caught', e);\n${this.statements(place, 2)} }` : '';
    return `try ${this.block(place)}${caught}${caught === '' || this.below(2) ? ` finally ${this.block(place, 2)}` : ''}`;
  }

  jump(place) {
    const loops = place.labels.filter(({ loop }) => loop);
    const choices = [() => `throw ${this.value(place)};`];
    if (place.labels.length) choices.push(() => `break ${this.pick(place.labels).label};`);
    if (loops.length) choices.push(() => `continue ${this.pick(loops).label};`);
    choices.push(() => `return ${this.value(place)};`);
    return `if (${this.value(place)}) ${this.pick(choices)()}`;
  }

  // Something that goes on by itself.
  spawn(place) {
    const work = `log('${this.fresh('s')}', ${this.below(9)})`;
    const tail = this.pick([`.then(() => ${work})`, `.catch((e) => log('c', e))`, `.finally(() => ${work})`, `.then((v) => log('v', v), (e) => log('e', e))`, '']);
    return this.pick([
      () => `queueMicrotask(() => ${work});`,
      () => `process.nextTick(() => ${work});`,
      () => `setImmediate(() => ${work});`,
      () => `setImmediate(async () => { ${work}; await null; ${work}; process.nextTick(() => ${work}); });`,
      () => `(async () => {\n${this.statements({ async: true, depth: place.depth + 1, labels: [] }, 3)}\n})()${tail};`,
      () => `${this.promise(place)}${tail}${tail};`,
    ])();
  }

  timer(place) {
    const label = this.pick(['', ", 'A'", ", 'A'", ", 'B'"]);
    const delay = this.pick([0, 1, 3, 5, 10]);
    return this.pick([
      () => `setTimeout(() => log('${this.fresh('t')}', currentTime('A') - start), ${delay}${label});`,
      () => `setTimeout(async () => {\n${this.statements({ async: true, depth: place.depth + 1, labels: [] }, 2)}\n}, ${delay}${label});`,
      () => { const name = this.fresh('n'); return `let ${name} = 0; const ${name}i = setInterval(() => { log('${name}', currentTime('B') - start); if (++${name} === 3) clearInterval(${name}i); }, ${delay + 1}${label});`; },
    ])();
  }

  method(place) {
    const name = this.fresh('C');
    const inner = { async: true, depth: place.depth + 1, labels: [] };
    return `class ${name} { #p = ${this.below(9)}; async m(a = this.#p) {\n${this.statements(inner, 3)}\nreturn [this.#p, a] } static async *g() { yield await ${this.operand(inner)}; } }
log('${name}', ${place.async ? 'await ' : ''}new ${name}().m().catch((e) => e));`;
  }

  // What a loop goes through.
  iterable(place) {
    const plain = this.functions.filter((f) => f.generator && !f.async);
    return this.pick([
      () => `[${this.value(place)}, ${this.value(place)}]`,
      () => (plain.length ? `${this.pick(plain).name}()` : '[1, 2]'),
      () => `counter('${this.fresh('k')}', 2)`,
    ])();
  }

  asyncIterable(place) {
    const generators = this.functions.filter((f) => f.generator && f.async);
    return this.pick([
      () => `[${this.value(place)}, ${this.promise(place)}]`,
      () => (generators.length ? `${this.pick(generators).name}()` : '[1, 2]'),
      () => (generators.length ? `${this.pick(generators).name}()` : `asyncCounter('${this.fresh('k')}', 1)`),
      () => `asyncCounter('${this.fresh('k')}', 2)`,
      () => `counter('${this.fresh('k')}', 2)`,
    ])();
  }

  // What may follow await.
  operand(place) {
    return this.pick([
      () => `${this.below(9)}`,
      () => `(${this.value(place)})`,
      () => `thenable('${this.fresh('t')}', ${this.below(9)}, ${this.below(4) === 0})`,
      () => this.promise(place),
      () => this.promise(place),
      () => this.call(place),
      () => this.call(place),
    ])();
  }

  promise(place) {
    const list = () => `[${this.value(place)}, ${this.operand(place)}]`;
    return this.pick([
      () => `Promise.resolve(${this.value(place)})`,
      () => `Promise.reject('${this.fresh('r')}')`,
      () => `new Promise((yes, no) => ${this.pick(['yes', 'no'])}(${this.below(9)}))`,
      () => `new Promise((yes) => setImmediate(yes, ${this.below(9)}))`,
      () => `Promise.${this.pick(['all', 'race', 'any', 'allSettled'])}(${list()})`,
      () => `Promise.resolve(${this.below(9)}).then((v) => ${this.pick(['v', 'log("then", v)', 'Promise.resolve(v)', '{ throw v; }'])})`,
      () => `Promise.resolve(${this.below(9)}).finally(() => log('${this.fresh('y')}'))`,
      () => `Sub.resolve(${this.below(9)})`,
    ])();
  }

  call(place) {
    if (this.functions.length === 0) return `log('${this.fresh('l')}')`;
    const { name, async, generator } = this.pick(this.functions);
    const call = `${name}(${this.below(9)})`;
    if (!generator) return call;
    return async ? `${call}.${this.pick(['next', 'next', 'return', 'throw'])}(${this.below(9)})` : `${call}.next().value`;
  }

  value(place) {
    if (this.budget-- <= 0 || place.depth > 6) return `${this.below(9)}`;
    const inner = { ...place, depth: place.depth + 1 };
    const choices = [
      () => `${this.below(3)}`,
      () => `${this.below(9)}`,
      () => `[${this.value(inner)}, ...[${this.value(inner)}]]`,
      () => `((${this.value(inner)}) ${this.pick(['+', '&&', '||', '??', '<', ','])} (${this.value(inner)}))`,
      () => `(${this.value(inner)} ? ${this.value(inner)} : ${this.value(inner)})`,
      () => `\`a\${${this.value(inner)}}b\``,
      () => this.log(inner),
    ];
    if (place.async) choices.push(...Array(6).fill(() => `(await ${this.operand(inner)})`));
    if (place.generator) choices.push(() => `(yield ${this.value(inner)})`, () => `(yield ${this.value(inner)})`, () => `(yield* ${this.iterable(inner)})`);
    return this.pick(choices)();
  }
}

const prelude = `'use strict';
const show = (v) => v instanceof Error ? v.name : typeof v === 'function' ? 'function' : v instanceof Promise ? 'promise'
  : Array.isArray(v) ? '[' + v.map(show).join() + ']' : typeof v === 'object' && v !== null ? '{' + Object.keys(v).map((k) => k + ':' + show(v[k])).join() + '}' : String(v);
let lines = [];
const print = (tag, value) => { if (lines.length < 200) lines.push(tag + ' ' + show(value)); return value; };
let log;
process.on('unhandledRejection', (reason) => print('unhandled', reason));
process.on('uncaughtException', (error) => print('uncaught', error));
class Sub extends Promise {}
const thenable = (tag, value, bad) => ({ then(yes, no) { log(tag); bad ? no(value) : yes(value); } });
const steps = (tag, count, give) => { let n = 0; return { next(v) { log(tag, v); return give({ value: n, done: n++ >= count }); }, return(v) { log(tag + ' closed', v); return give({ value: v, done: true }); } }; };
const counter = (tag, count) => ({ [Symbol.iterator]: () => steps(tag, count, (r) => r) });
const asyncCounter = (tag, count) => ({ [Symbol.asyncIterator]: () => steps(tag, count, (r) => Promise.resolve(r)) });
const programs = [];
`;

// A program is over when nothing of it can be left; what it still logs then is lost.
const over = labelled
  ? `await new Promise((yes) => setTimeout(yes, 500));`
  : `for (let i = 0; i < 12; i++) await new Promise((yes) => setImmediate(yes));`;
const postlude = `
${labelled ? "const kept = ['A', 'B'].map((label) => setTimeout(() => {}, 1e9, label));\nconst start = currentTime('A');" : ''}
(async () => {
  for (const [seed, program] of programs) {
    const mine = lines = [];
    log = (tag, value) => (lines === mine ? print(tag, value) : value);
    try { print('returned', await program(log)); } catch (error) { print('threw', error); }
    ${over}
    console.log('== ' + seed + '\\n' + mine.join('\\n'));
  }
  ${labelled ? 'kept.forEach(clearTimeout);' : ''}
})();
`;

const texts = Array.from({ length: Number(count) }, (_, at) => {
  const number = Number(seed) + at;
  return `programs.push([${number}, async (log) => {\n${new Generator(number).program()}\n}]);\n`;
});
console.log(prelude + texts.join('') + postlude);
