// What a line of a prompt could become: names, properties, modules, commands. Nothing of the program runs for it.
// Uses binding.evaluate.
'use strict';

const words = ('async await break case catch class const continue debugger default delete do else export extends false finally for ' +
  'function if import in instanceof let new null return super switch this throw true try typeof var void while with yield').split(' ');

// The names of all properties, those of the object itself first.
function namesOf(value) {
  const names = new Set();
  for (let holder = Object(value); holder !== null; holder = Object.getPrototypeOf(holder)) {
    for (const name of Object.getOwnPropertyNames(holder)) names.add(name);
  }
  return [...names];
}

// The value of a property, if it takes no getter to know it.
function valueOf(object, name) {
  for (let holder = Object(object); holder !== null; holder = Object.getPrototypeOf(holder)) {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (found === undefined) continue;
    // What the library makes when it is first asked for is no secret.
    if (found.get !== undefined && holder !== globalThis) return undefined;
    return found.get === undefined ? found.value : object[name];
  }
  return undefined;
}

// The value that a path such as `a.b[0].c` means, with the names that lines have declared.
function follow(path, declared) {
  const [first, ...rest] = path.match(/[\w$]+/g) ?? [];
  if (first === undefined) return undefined;
  let value;
  try {
    value = declared.has(first) ? binding.evaluate(first, 'REPL') : first === 'globalThis' ? globalThis : valueOf(globalThis, first);
    for (const name of rest) {
      if (value === undefined || value === null) return undefined;
      value = valueOf(value, name);
    }
  } catch {
    return undefined;
  }
  return value;
}

/// `[names, what they complete]` for a line up to the cursor.
function complete(line, commands, declared) {
  const command = /^\s*\.([a-z]*)$/.exec(line);
  if (command !== null) {
    return [Object.keys(commands).filter((name) => name.startsWith(command[1])).sort(), command[1]];
  }
  const module = /\b(?:require|import)\s*\(\s*(['"])([^'"]*)$/.exec(line);
  if (module !== null) {
    const { names } = require('internal/modules/builtins');
    const all = [...require('repl').builtinModules, ...names.map((name) => `node:${name}`)];
    return [all.filter((name) => name.startsWith(module[2])).sort(), module[2]];
  }
  const [, path, start] = /((?:[\w$]+(?:\[\w+\])*\??\.)*)([\w$]*)$/.exec(line);
  if (path === '') {
    // Behind a call or a bracket it is not known what the dot belongs to.
    if (/[.\])'"`]\s*$/.test(line.slice(0, line.length - start.length))) return [[], start];
    const all = new Set([...declared, ...namesOf(globalThis), ...words]);
    return [[...all].filter((name) => name.startsWith(start)).sort(), start];
  }
  const value = follow(path, declared);
  if (value === undefined || value === null) return [[], `${path}${start}`];
  const names = namesOf(value).filter((name) => name.startsWith(start) && /^[A-Za-z_$][\w$]*$/.test(name));
  return [names.sort().map((name) => `${path}${name}`), `${path}${start}`];
}

module.exports = { complete };
