// Lines of a prompt as code: whether they are complete, what they declare, and what they are worth.
// Uses binding.evaluateAsync, evaluateLine, install, prepareScript, waitsAtTop.
'use strict';

const { codes: { ERR_SCRIPT_EXECUTION_INTERRUPTED } } = require('internal/errors');
const { placeOf } = require('internal/stack');

const AsyncFunction = (async () => {}).constructor;

const interrupted = () => new ERR_SCRIPT_EXECUTION_INTERRUPTED();

/// Why a text is no code, if it is none.
function wrongWith(code, isAsync) {
  try {
    if (isAsync) AsyncFunction(code);
    else Function(code);
    return undefined;
  } catch (error) {
    return error;
  }
}

/// Whether code is right as it stands, alone or as an expression.
function isValidSyntax(code) {
  return wrongWith(code, false) === undefined || wrongWith(`_=${code}`, false) === undefined;
}

// What is open at the end of code: how many brackets, and in which quotes it is.
function openAt(code) {
  let [depth, quote] = [0, ''];
  for (let at = 0; at < code.length; at += 1) {
    const [letter, pair] = [code[at], code.slice(at, at + 2)];
    if (quote !== '') {
      if (quote === '*/' ? pair === quote : letter === quote) {
        at += quote.length - 1;
        quote = '';
      } else if (letter === '\\' && quote !== '*/') {
        at += 1;
      } else if (letter === '\n' && (quote === '"' || quote === "'")) {
        return { depth: -1, quote: '' };
      }
    } else if (pair === '//') {
      const end = code.indexOf('\n', at);
      at = end < 0 ? code.length : end;
    } else if (pair === '/*') {
      quote = '*/';
      at += 1;
    } else if ('"\'`'.includes(letter)) {
      quote = letter;
    } else if ('([{'.includes(letter)) {
      depth += 1;
    } else if (')]}'.includes(letter)) {
      depth -= 1;
    }
    if (depth < 0) return { depth, quote };
  }
  return { depth, quote };
}

/// Whether code that is wrong only lacks its end: something in it is open, or it is wrong where it ends.
function lacksEnd(code) {
  const error = wrongWith(code, /\bawait\b/.test(code));
  if (error === undefined) return false;
  const { depth, quote } = openAt(code);
  if (depth < 0) return false;
  if (depth > 0 || quote !== '') return true;
  // The place is known once the stack is.
  const { stack } = error;
  const line = placeOf(error)?.line ?? Number(/at <anonymous>:(\d+)/.exec(stack)?.[1]);
  // Two lines are before the code, and the text of a function ends in the line behind it.
  return line >= code.split('\n').length + 3 - (code.endsWith('\n') ? 1 : 0) && !/initializer|redefinition|declared/.test(error.message);
}

/// The names that code declares for the lines after it, and that are no properties of the global object.
function declaredIn(code) {
  const names = [];
  for (const [, first, pattern] of code.matchAll(/(?:^|[;\n}])\s*(?:let|const|class)\s+(?:([\w$]+)|([{[][^=]*))/g)) {
    if (first !== undefined) names.push(first);
    else for (const [name] of pattern.matchAll(/[\w$]+(?=\s*(?:[,}\]]|$))/g)) names.push(name);
  }
  return names;
}

// An object literal is no block.
function asWritten(code) {
  const isObject = /^\s*\{/.test(code) && !/;\s*$/.test(code);
  return isObject && isValidSyntax(`(${code.trim()}\n)`) ? `(${code.trim()})` : code;
}

// What should be written in the place of an import, which only modules have.
function withoutImport(code) {
  const [, all, module] = /^\s*import\s+(?:([^'"]+?)\s+from\s+)?(['"][^'"]*['"])/.exec(code) ?? [];
  if (module === undefined) return undefined;
  if (all === undefined) return `await import(${module});`;
  const space = /^\*\s+as\s+([\w$]+)$/.exec(all);
  if (space !== null) return `const ${space[1]} = await import(${module});`;
  const names = all.replace(/^([\w$]+)\s*,?\s*/, 'default: $1, ').replace(/[{}]/g, ' ').replace(/\s+as\s+/g, ': ');
  return `const { ${names.split(',').map((name) => name.trim()).filter(Boolean).join(', ')} } = await import(${module});`;
}

/// The value of a line, or the promise of it if the line waits: `{ value }` or `{ promise }`.
function evaluate(code, name, isStrict) {
  binding.install('desk', binding);
  const instead = withoutImport(code);
  if (instead !== undefined) {
    throw new SyntaxError(`Cannot use import statement at a prompt, alternatively use dynamic import: ${instead}`);
  }
  const text = `${isStrict ? "'use strict'; void 0; " : ''}${asWritten(code)}`;
  if (binding.waitsAtTop(text)) return { promise: binding.evaluateAsync(text, name, interrupted).then(({ value }) => ({ value })) };
  const [made, context, access] = binding.prepareScript(text, name, 'commonjs');
  require('internal/modules/given').give(context, access);
  return { value: binding.evaluateLine(made, name, interrupted) };
}

module.exports = { declaredIn, evaluate, isValidSyntax, lacksEnd };
