// The command that `npm test` runs: which runner it starts, and what it tells it.
'use strict';

const RUNNERS = { __proto__: null, _mocha: 'mocha', borp: 'node', jest: 'jest', mocha: 'mocha', node: 'node', vitest: 'vitest' };
const SCRIPTS = ['npm-run-all', 'run-s', 'run-p'];

// The words of a command of a shell, without what only a shell can know.
function wordsOf(text) {
  const words = text.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
}

// The runner that a word starts, by its name or by its file among the packages.
function runnerOf(word) {
  if (word.includes('/') && !word.includes('node_modules/')) return undefined;
  return RUNNERS[word.slice(word.lastIndexOf('/') + 1).replace(/\.[cm]?js$/, '')];
}

/// The runners that a script of package.json starts, each with its arguments: `{ runner, args }`.
function runsOf(scripts, name = 'test', more = [], around = []) {
  const text = scripts?.[name];
  if (typeof text !== 'string' || around.includes(name)) return [];
  const inside = (script, words) => runsOf(scripts, script, words, [...around, name]);
  return text.split(/&&|\|\||[;|&]/).flatMap((part, at, { length }) => {
    // What is given after `--` goes to the last command.
    const words = [...wordsOf(part), ...at === length - 1 ? more : []];
    const called = words.findIndex((word) => SCRIPTS.includes(word));
    if (called >= 0) return words.slice(called + 1).filter((word) => !word.startsWith('-')).flatMap((script) => inside(script, []));
    const manager = words.findIndex((word) => /^(npm|pnpm|yarn)$/.test(word));
    if (manager >= 0) {
      const rest = words.slice(manager + 1).filter((word, index) => !(index === 0 && /^(run|run-script)$/.test(word)));
      const script = rest.find((word) => !word.startsWith('-'));
      const after = rest.slice(rest.indexOf(script) + 1).filter((word) => word !== '--');
      if (scripts[script] !== undefined) return inside(script, after);
    }
    return runOf(words);
  });
}

// Of the words of one command: the first runner among them, after what is wrapped around it.
function runOf(words) {
  const at = words.findIndex((word) => runnerOf(word) !== undefined);
  if (at < 0) return [];
  const args = words.slice(at + 1);
  if (words[at] !== 'node') return [{ args, runner: runnerOf(words[at]) }];
  // node runs another program, unless it is told to test.
  const program = args.findIndex((word) => runnerOf(word) !== undefined);
  if (program >= 0) return [{ args: args.slice(program + 1), runner: runnerOf(args[program]) }];
  return args.includes('--test') ? [{ args: args.filter((word) => word !== '--test'), runner: 'node' }] : [];
}

/// Arguments taken apart: options by their long names, each a list of values, and the other words.
/// `valued` has the options that take a value, with the letters for them.
function optionsOf(args, valued) {
  const options = {};
  const words = [];
  for (let at = 0; at < args.length; at++) {
    const [, dashes, given, , attached] = /^(--?)([^=]+)(=(.*))?$/s.exec(args[at]) ?? [];
    if (dashes === undefined) {
      words.push(args[at]);
      continue;
    }
    const name = dashes === '-' ? Object.keys(valued).find((long) => valued[long] === given) ?? given : given;
    const takes = name in valued;
    (options[name] ??= []).push(attached ?? (takes ? args[++at] : true));
  }
  return { options, words };
}

module.exports = { optionsOf, runsOf, wordsOf };
