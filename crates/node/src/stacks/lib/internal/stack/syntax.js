// What keeps a text from being run, in V8's words and with its marks. The engine names the token at which it
// gave up; the tokens before say what was meant.
// Uses binding.argumentsOf, entry, evaluating, parsedColumn, sourceText.
'use strict';

const { setPlace } = require('internal/stack');
const { functionOf } = require('internal/stack/noting');
const { setMessage } = require('internal/stack/frames');
const { isEvaluated } = require('internal/stack/names');

const keywords = new Set(('await break case catch class const continue debugger default delete do else export extends finally for ' +
  'function if import in instanceof new return super switch this throw try typeof var void while with null true false').split(' '));
const strictWords = new Set('implements interface let package private protected public static yield'.split(' '));
// After these a slash begins a regular expression, and an operand is still to come.
const beforeOperand = new Set('await case delete do else extends in instanceof new return throw typeof void yield of'.split(' '));

const pattern = /(?<space>(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|^#![^\n]*|<!--[^\n]*)+)|(?<name>#?(?:[\p{ID_Start}$_]|\\u)(?:[\p{ID_Continue}$\u200c\u200d]|\\u(?:\{[\da-fA-F]+\})?)*)|(?<number>0[xX][\da-fA-F_]+n?|0[bB][01_]+n?|0[oO][0-7_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?n?)|(?<string>"(?:[^"\\\n\r]|\\[\s\S])*"|'(?:[^'\\\n\r]|\\[\s\S])*')|(?<regexp>\/(?![*/])(?:[^\\/[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/[\w$]*)|(?<punctuator>>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|\*\*|[{}()[\];,<>+\-*/%&|^!~?:=.@#])/uy;

// The token at an offset, after which comes what `before` allows: a slash divides after an operand.
function tokenAt(text, at, divides) {
  const char = text[at];
  if (char === undefined) return { kind: 'end', start: at, end: at, text: '' };
  if (char === '`' || char === '}') {
    // The parts of templates are told apart by whoever counts brackets.
    return { kind: char === '`' ? 'template' : 'punctuator', start: at, end: at + 1, text: char };
  }
  pattern.lastIndex = at;
  let found = pattern.exec(text);
  if (found?.groups.regexp !== undefined && divides) found = { 0: char, groups: { punctuator: char } };
  if (found === null) return { kind: 'invalid', start: at, end: at + 1, text: char };
  const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
  return { kind, start: at, end: at + found[0].length, text: found[0] };
}

// All tokens before an offset, each with the bracket that it is in.
function tokensBefore(text, end) {
  const tokens = [];
  const open = [];
  let at = 0;
  // Inside of a template's text.
  let quoted = false;
  while (at < end) {
    if (quoted) {
      if (text[at] === '\\') at += 2;
      else if (text[at] === '`' || (text[at] === '$' && text[at + 1] === '{')) {
        quoted = false;
        if (text[at] === '`') {
          const opened = open.pop();
          tokens.push({ kind: 'template', start: opened.start, end: at + 1, text: '`', within: open.at(-1) });
          at += 1;
        } else {
          open.push({ kind: 'substitution', start: at });
          at += 2;
        }
      } else at += 1;
      continue;
    }
    const before = tokens.at(-1);
    const token = tokenAt(text, at, before !== undefined && endsOperand(before));
    at = token.end;
    if (token.kind === 'space') continue;
    if (token.kind === 'template') {
      open.push({ kind: 'template', start: token.start });
      quoted = true;
      continue;
    }
    if (token.kind === 'punctuator' && /^[([{]$/.test(token.text)) {
      token.within = open.at(-1);
      open.push({ kind: token.text, start: token.start, isCall: token.text === '(' && before !== undefined && isCallee(before, tokens.at(-2)) });
    } else if (token.kind === 'punctuator' && /^[)\]}]$/.test(token.text)) {
      if (token.text === '}' && open.at(-1)?.kind === 'substitution') {
        open.pop();
        quoted = true;
        continue;
      }
      const opened = open.pop();
      token.within = open.at(-1);
      token.opened = opened;
    } else token.within = open.at(-1);
    tokens.push(token);
  }
  return { tokens, within: open.at(-1), quoted };
}

function endsOperand({ kind, text }) {
  if (kind === 'name') return !beforeOperand.has(text) && (!keywords.has(text) || /^(?:this|super|null|true|false)$/.test(text));
  return kind === 'number' || kind === 'string' || kind === 'regexp' || kind === 'template' || text === ')' || text === ']' || text === '}';
}

// Whether a parenthesis after it holds arguments.
function isCallee(token, before) {
  if (token.kind === 'name') return !keywords.has(token.text) || /^(?:this|super)$/.test(token.text) ? !/^(?:function|get|set|static|async)$|^\*$/.test(before?.text ?? '') : false;
  return token.text === ')' ? !/^(?:if|while|for|with)$/.test(token.head ?? '') : token.text === ']' || token.text === '?.' || token.kind === 'template';
}

// What V8 says of a token that it did not expect.
function unexpected({ kind, text }, isStrict) {
  switch (kind) {
    case 'end': return 'Unexpected end of input';
    case 'number': return 'Unexpected number';
    case 'string': return 'Unexpected string';
    case 'template': return 'Unexpected template string';
    case 'name':
      if (text === 'enum' || (text === 'await' && isStrict)) return 'Unexpected reserved word';
      if (keywords.has(text)) return `Unexpected token '${text}'`;
      if (isStrict && strictWords.has(text)) return 'Unexpected strict mode reserved word';
      return `Unexpected identifier '${text}'`;
    case 'invalid': return 'Invalid or unexpected token';
    default: return text === '@' ? 'Invalid or unexpected token' : `Unexpected token '${text}'`;
  }
}

// What is said instead of the engine's words, and which token is marked: the one it gave up at (0), or one
// before; more is done by name.
const said = {
  __proto__: null,
  'return not in a function': 'Illegal return statement',
  'missing initializer for variable': ['Missing initializer in const declaration', -1],
  'invalid assignment left-hand side': 'Invalid left-hand side in assignment',
  'unexpected end of comment': 'Invalid or unexpected token',
  'unexpected end of regexp': 'Invalid regular expression: missing /',
  'unexpected line terminator in regexp': 'Invalid regular expression: missing /',
  'invalid regular expression flags': 'Invalid regular expression flags',
  'break must be inside loop or switch': ['Illegal break statement', 'break'],
  'continue must be inside loop': ['Illegal continue statement: no surrounding iteration statement', 'continue'],
  'line terminator not allowed after throw': ['Illegal newline after throw', 'throw'],
  "lexical declarations can't appear in single-statement context": 'Lexical declaration cannot appear in a single-statement context',
  'super() is only valid in a derived class constructor': ["'super' keyword unexpected here", 'super'],
  "'super' is only valid in a method": ["'super' keyword unexpected here", 'super'],
  "invalid use of 'super'": ["'super' keyword unexpected here", 'super'],
  'import.meta only valid in module code': ["Cannot use 'import.meta' outside a module", 'meta'],
  'invalid keyword: with': 'Strict mode code may not include a with statement',
  'property constructor appears more than once': ['A class may only have one constructor', 'constructor'],
  'invalid field name': ["Classes may not have a field named 'constructor'", 'constructor'],
  'invalid method name': ['Class constructor may not be an accessor', 'constructor'],
  'invalid destructuring target': ['Invalid destructuring assignment target', -1],
  '"use strict" not allowed in function with default or destructuring parameter': "Illegal 'use strict' directive in function with non-simple parameter list",
  'duplicate default': ['More than one default clause in switch statement', 'default'],
  'expecting catch or finally': ['Missing catch or finally after try', -1],
  'function name expected': ['Function statements require a function name', 'function'],
  "'let' is not a valid lexical identifier": ['let is disallowed as a lexically bound name', 'let'],
  'Octal literals are not allowed in strict mode': 'Octal literals are not allowed in strict mode.',
  'Octal escape sequences are not allowed in strict mode': 'Octal escape sequences are not allowed in strict mode.',
  'cannot delete a direct reference in strict mode': ['Delete of an unqualified identifier in strict mode.', -1],
  'invalid lvalue in strict mode': ['Unexpected eval or arguments in strict mode', /^(?:eval|arguments)$/],
  'rest element must be the last one': ['Rest element must be last element', -1],
  'unsupported keyword: enum': 'Unexpected reserved word',
  'class declarations can\'t appear in single-statement context': "Unexpected token 'class'",
  'invalid variable name in strict mode': ['Unexpected eval or arguments in strict mode', /^(?:eval|arguments)$/],
  "a declaration in the head of a for-of loop can't have an initializer": 'for-of loop variable declaration may not have an initializer.',
  "a declaration in the head of a for-in loop can't have an initializer": 'for-in loop variable declaration may not have an initializer.',
  'unexpected end of group': 'Invalid regular expression: missing /',
};

const broken = /^(?:unexpected end of string|invalid number literal|invalid first character of private name)$/;
// Two exports of one name, or `default` twice.
const redefinition = /^(?:invalid redefinition of|duplicate import binding|private class field is already defined|duplicate exported name)/;
const lookedFor = /^(?:expecting |expected |variable name expected|identifier |string expected|missing formal|invalid property name|from clause|unexpected token|unexpected character|Unexpected |invalid switch|invalid export|class statement requires|cannot mix|invalid number of arg|'using' expected|missing binding|unexpected 'yield'|yield is a reserved)/;

// What `eval` was given, or what a function was to be made of: nobody else keeps that. A direct `eval` is no call.
function evaluatedText(file, site) {
  if (!site?.isNative()) return isEvaluated(file) ? binding.evaluating() : undefined;
  const name = site.getFunctionName();
  const given = binding.argumentsOf(functionOf(site));
  if (name === 'eval') return String(given[0]);
  const kind = /^(Async)?(Generator)?Function$/.exec(name);
  if (kind === null) return undefined;
  const texts = given.map((text) => `${text}`);
  const body = texts.pop() ?? '';
  return `(${kind[1] ? 'async ' : ''}function${kind[2] ? '*' : ''} anonymous(${texts.join(',')}\n) {\n${body}\n})`;
}

// Whether a text without a file is the program, and said to be a module.
const isEntryModule = (file) => binding.entry?.type === 'module' && binding.entry.name === file;

// Says what is wrong in a text, of which the engine has named the place. False where only its words are known.
exports.explain = function explain(error, first, next) {
  const file = first.getFileName();
  const line = first.getLineNumber();
  const evaluated = evaluatedText(file, next);
  const column = evaluated === undefined ? binding.parsedColumn(file, line, first.getColumnNumber()) : first.getColumnNumber();
  const isModule = evaluated === undefined && (/^(?:file|data):|\.m[jt]s$/.test(file) || isEntryModule(file));
  const source = evaluated ?? binding.sourceText(file)?.replace(/^\ufeff/, '');
  if (column === undefined || source === undefined) {
    rewordAlone(error);
    return false;
  }
  const starts = lineStarts(source);
  const given = starts[line - 1] === undefined ? source.length : Math.min(source.length, starts[line - 1] + column - 1);
  const { message, mark } = judge(error.message, source, given, isModule);
  if (message !== undefined) setMessage(error, message);
  // At the end nothing can be marked.
  const at = mark.kind === 'end' ? source.length : mark.start;
  const lineIndex = starts.findLastIndex((start) => start <= at);
  const lineEnd = starts[lineIndex + 1] ?? source.length + 1;
  const shown = mark.kind === 'end' ? 0 : Math.max(1, Math.min(mark.end, lineEnd - 1) - mark.start);
  const place = { file, line: lineIndex + 1, column: at - starts[lineIndex] + 1, length: shown, hidden: isModule };
  if (evaluated !== undefined) {
    place.file = '<anonymous_script>';
    place.text = source.slice(starts[lineIndex]).split(/[\n\r\u2028\u2029]/, 1)[0];
    place.hidden = true;
  }
  setPlace(error, place);
  return true;
};

// Of a text that nobody keeps, such as what `eval` gets, only the engine's words are known.
function rewordAlone(error) {
  const { message } = error;
  const token = /^unexpected token in expression: '(.*)'$/s.exec(message);
  const known = said[message];
  if (token !== null) setMessage(error, token[1] === '' ? 'Unexpected end of input' : `Unexpected token '${token[1]}'`);
  else if (known !== undefined) setMessage(error, typeof known === 'string' ? known : known[0]);
  else if (broken.test(message)) setMessage(error, 'Invalid or unexpected token');
}

function lineStarts(text) {
  const starts = [0];
  for (const { index, 0: ends } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(index + ends.length);
  return starts;
}

function judge(engines, source, given, isModule) {
  const { tokens, within } = tokensBefore(source, given);
  while (tokens.length > 0 && tokens.at(-1).end > given) tokens.pop();
  const before = tokens.at(-1);
  let token = tokenAt(source, given, before !== undefined && endsOperand(before));
  while (token.kind === 'space') token = tokenAt(source, token.end, before !== undefined && endsOperand(before));
  const isStrict = isModule || tokens[0]?.text.slice(1, -1) === 'use strict';
  const lastOf = (wanted) => [...tokens, token].findLast(({ text }) => (typeof wanted === 'string' ? text === wanted : wanted.test(text))) ?? token;
  if (!isModule) {
    const begins = (before, at) => before === undefined || /^[;{})]$/.test(before.text) || (before.text !== '.' && /[\n\r]/.test(source.slice(before.end, at)));
    const statement = [...tokens, token].find(({ text, start }, index, all) => (text === 'import' || text === 'export') &&
      !/^[.(:,]$/.test(all[index + 1]?.text ?? '') && begins(all[index - 1], start));
    const isThere = statement !== undefined && (tokens.at(-1) === statement || !/[\n\r]/.test(source.slice(statement.start, given)));
    if (isThere && !/^\s*[.(]/.test(source.slice(statement.end))) {
      return { message: statement.text === 'import' ? 'Cannot use import statement outside a module' : "Unexpected token 'export'", mark: statement };
    }
  }
  // One bracket too many may close what the text is wrapped into.
  const stray = tokens.find(({ kind, text, opened }) => kind === 'punctuator' && /^[)\]}]$/.test(text) && opened === undefined);
  if (stray !== undefined) return { message: unexpected(stray, isStrict), mark: stray };
  if (redefinition.test(engines)) {
    if (engines === 'duplicate exported name' || engines === "duplicate exported name 'default'") {
      const again = tokens.findLast(({ text }) => text === 'default');
      if (again !== undefined && tokens[tokens.indexOf(again) - 1]?.text === 'export') return { message: "Identifier '.default' has already been declared", mark: again };
    }
    const named = token.kind === 'name' && !keywords.has(token.text) && !/^[=,;)]$/.test(token.text) && /^(?:let|const|var|class|function|,|import)$/.test(before?.text ?? '') ? token : tokens.findLast(({ kind, text }) => kind === 'name' && !keywords.has(text)) ?? token;
    return { message: `Identifier '${named.text}' has already been declared`, mark: named };
  }
  if (engines === 'duplicate label name') return { message: `Label '${token.text}' has already been declared`, mark: token };
  const undefinedField = /^undefined private field '(.*)'$/s.exec(engines);
  if (undefinedField !== null) return { message: `Private field '${undefinedField[1]}' must be declared in an enclosing class`, mark: lastOf('.') };
  const missing = /^exported variable '(.*)' does not exist$/s.exec(engines);
  if (missing !== null) return { message: `Export '${missing[1]}' is not defined in module`, mark: token };
  if (engines === 'break/continue label not found') {
    const label = token.kind === 'name' && /^(?:break|continue)$/.test(before?.text ?? '') ? token : before ?? token;
    return { message: `Undefined label '${label.text}'`, mark: label };
  }
  if (engines === 'invalid increment/decrement operand') {
    const isPrefix = /^(?:\+\+|--)$/.test(tokens.at(-2)?.text ?? '');
    return { message: `Invalid left-hand side expression in ${isPrefix ? 'prefix' : 'postfix'} operation`, mark: before ?? token };
  }
  const numbers = separators(source, token);
  if (broken.test(engines) && numbers !== undefined) return numbers;
  if (/^unparenthesized unary expression/.test(engines)) return { message: 'Unary operator used immediately before exponentiation expression. Parenthesis must be used to disambiguate operator precedence', mark: token };
  // A template that is not closed.
  if (engines === 'unexpected end of string' && /[`}]/.test(source[given] ?? '')) return { message: 'Unexpected end of input', mark: { kind: 'end' } };
  if (broken.test(engines)) return { message: 'Invalid or unexpected token', mark: { ...token, end: Math.max(token.end, unclosed(source, given)) } };
  if (/^(?:name|number|string|template)$/.test(token.kind) && before?.text === 'await' && tokens.at(-2)?.text !== '.' && !isModule) return { message: 'await is only valid in async functions and the top level bodies of modules', mark: before };
  if (/^[{[]$/.test(token.text) && /^(?:let|const|var)$/.test(before?.text ?? '') && engines === 'variable name expected') {
    return { message: 'Missing initializer in destructuring declaration', mark: { ...token, end: closeOf(source, token.start) } };
  }
  if (engines === 'invalid number of arguments for getter or setter' && within?.kind === '(') {
    const isGetter = tokens.findLast(({ start, text }) => start < within.start && /^[gs]et$/.test(text))?.text === 'get';
    return { message: isGetter ? 'Getter must not have any formal parameters.' : 'Setter must have exactly one formal parameter.', mark: { ...token, start: within.start } };
  }
  if (token.text === ',' && tokens.at(-2)?.text === '...' && within?.kind === '(' && !within.isCall && lookedFor.test(engines)) {
    return { message: 'Rest parameter must be last formal parameter', mark: token };
  }
  if (engines === 'invalid assignment left-hand side') {
    const left = before?.kind === 'punctuator' && /=$/.test(before.text) ? tokens.at(-2) : undefined;
    const isAlone = left !== undefined && /^(?:number|string|regexp)$/.test(left.kind) && /^(?:|[;{}(])$/.test(tokens.at(-3)?.text ?? '');
    return { message: 'Invalid left-hand side in assignment', mark: isAlone ? left : token };
  }
  if (engines === 'Duplicate parameter name not allowed in this context') {
    const named = tokens.filter(({ kind, text }) => kind === 'name' && !keywords.has(text));
    const again = named.findLast(({ text, within: inside }, index) => named.slice(0, index).some((one) => one.text === text && one.within === inside));
    return { message: engines, mark: again ?? token };
  }
  const isObject = within?.kind === '{' && /^(?:[(=,:[?]|return)$/.test(tokens.findLast(({ end }) => end <= within.start)?.text ?? '');
  if (isObject && token.text === '=' && before?.kind === 'name' && /^[{,]$/.test(tokens.at(-2)?.text ?? '') && lookedFor.test(engines)) {
    const value = /^[^,}\n]*/.exec(source.slice(token.end))[0].trimEnd();
    return { message: 'Invalid shorthand property initializer', mark: { ...before, end: token.end + value.length } };
  }
  if (token.kind === 'regexp') {
    const [, written, flags] = /^\/(.*)\/([^/]*)$/s.exec(token.text);
    const message = ofPattern(engines, written, flags);
    if (message !== undefined) return { message, mark: token };
  }
  const known = said[engines];
  if (known !== undefined) {
    if (typeof known === 'string') return { message: known, mark: token };
    const [message, which] = known;
    return { message, mark: which === -1 ? before ?? token : lastOf(which) };
  }
  if (lookedFor.test(engines)) {
    const inArguments = within?.isCall === true && before !== undefined && endsOperand(before) && before.start > within.start;
    if (inArguments && token.text !== ',' && token.text !== ')') return { message: 'missing ) after argument list', mark: before };
    return { message: unexpected(token, isStrict), mark: token };
  }
  return { message: undefined, mark: token };
}

// A separator in a number that stands where none may.
function separators(source, token) {
  if (token.kind !== 'number') return undefined;
  const at = /^[\da-fA-FxXoO.]*(?:_[\da-fA-F]+)*_(?=_|(?![\da-fA-F]))/.exec(source.slice(token.start))?.[0];
  if (at === undefined) return undefined;
  const start = token.start + at.length;
  const mark = { ...token, start, end: start + 1 };
  return source[start] === '_' ? { message: 'Only one underscore is allowed as numeric separator', mark } : { message: 'Numeric separators are not allowed at the end of numeric literals', mark };
}

// Where the bracket ends that begins there.
function closeOf(source, start) {
  for (let end = start + 1; end <= source.length; end += 1) {
    if (/[}\]]/.test(source[end - 1]) && tokensBefore(source.slice(start, end), end - start).within === undefined) return end;
  }
  return start + 1;
}

// Where a string ends that is not closed.
function unclosed(source, at) {
  if (!/["']/.test(source[at] ?? '')) return at + 1;
  const end = source.slice(at).search(/[\n\r\u2028\u2029]/);
  return end === -1 ? source.length : at + end;
}

// What the engine's regular expressions are reproached with.
const patterns = [
  [/^expecting '\)'$|^unexpected end$/, 'Unterminated group'],
  [/^invalid group$|modifier/, 'Invalid group'],
  [/^nothing to repeat$/, 'Nothing to repeat'],
  [/^extraneous characters at the end$/, "Unmatched ')'"],
  [/^syntax error$/, 'Lone quantifier brackets'],
  [/^invalid class range$/, 'Range out of order in character class'],
  [/^invalid character in class/, 'Invalid character in character class'],
  [/^invalid (?:class set )?operation/, 'Invalid set operation in character class'],
  [/^negated character class with strings/, 'Negated character class may contain strings'],
  [/^invalid repetition count$/, 'numbers out of order in {} quantifier'],
  [/^expecting group name$/, 'Invalid named reference'],
  [/^invalid group name$/, 'Invalid capture group name'],
  [/^group name not defined$/, 'Invalid named capture referenced'],
  [/^duplicate group name$/, 'Duplicate capture group name'],
  [/^malformed unicode char$/, 'Invalid Unicode escape'],
  [/^invalid decimal escape/, 'Invalid decimal escape'],
  [/^invalid escape sequence|^back reference out of range/, 'Invalid escape'],
  [/^unknown unicode|^expecting '\{' after \\p/, 'Invalid property name'],
];
// More exactly, where the pattern shows it.
const exactly = [
  [/./, /(?:^|[^\\])(?:\\\\)*\\$/, '\\ at end of pattern'],
  [/^Unterminated group$/, /(?:^|[^\\])(?:\\\\)*\[(?:[^\]\\]|\\.)*$/s, 'Unterminated character class'],
  [/^Nothing to repeat$/, /\(\?<?[=!](?:[^()\\]|\\.)*\)[*+?{]/s, 'Invalid quantifier'],
  [/^numbers out of order/, /\{(?!\d+(?:,\d*)?\})/, 'Incomplete quantifier'],
  [/^Invalid escape$/, /\\u(?![\da-f]{4}|\{0*(?:10|[\da-f])?[\da-f]{1,4}\})|\\c(?![a-z])/i, 'Invalid Unicode escape'],
  [/^Range out of order/, /-\\[dswp]|\\[dsw]-|\\p\{[^}]*\}-/i, 'Invalid character class'],
];

// A pattern that is no regular expression.
function ofPattern(engines, source, flags) {
  const usual = patterns.find(([theirs]) => theirs.test(engines))?.[1];
  if (usual === undefined) return undefined;
  const why = exactly.find(([of, shows]) => of.test(usual) && shows.test(source))?.[2] ?? usual;
  return `Invalid regular expression: /${source}/${flags}: ${why}`;
}

// Errors of natives that read something.
exports.reword = function reword(error, sites) {
  // A script has a name that another one has declared.
  const declared = /^redeclaration of '(.*)'$/s.exec(error.message);
  if (declared !== null) {
    setMessage(error, `Identifier '${declared[1]}' has already been declared`);
    return;
  }
  const field = /^undefined private field '(.*)'$/s.exec(error.message);
  if (field !== null) {
    setMessage(error, `Private field '${field[1]}' must be declared in an enclosing class`);
    return;
  }
  const missing = /^exported variable '(.*)' does not exist$/s.exec(error.message);
  if (missing !== null) {
    setMessage(error, `Export '${missing[1]}' is not defined in module`);
    return;
  }
  // What a native reads has a frame of its own, without a function.
  const native = [sites[0], sites[1]].find((site, index) => site?.isNative() && (index === 0 || !functionOf(sites[0])));
  if (native === undefined) return;
  const name = native.getFunctionName();
  const [given, flags] = binding.argumentsOf(functionOf(native));
  if (name === 'parse') {
    const found = require('internal/stack/json').explain(given);
    if (found === undefined) return;
    setMessage(error, found.message);
    const { text, at } = found;
    const starts = lineStarts(text);
    const index = starts.findLastIndex((start) => start <= at);
    const line = text.slice(starts[index]).split(/[\n\r\u2028\u2029]/, 1)[0];
    const column = at - starts[index];
    setPlace(error, { file: '<anonymous_script>', line: index + 1, column: column + 1, length: column < line.length ? 1 : 0, text: line, hidden: true });
  } else if (name === 'RegExp' || name === 'compile') {
    const letters = flags === undefined ? '' : String(flags);
    const written = letters.includes('v') ? require('internal/patterns').written(String(given)) : String(given);
    const message = error.message === 'invalid regular expression flags' ? `Invalid flags supplied to RegExp constructor '${letters}'` : ofPattern(error.message, written, letters);
    if (message !== undefined) setMessage(error, message);
  } else if (name === 'BigInt') setMessage(error, `Cannot convert ${String(given)} to a BigInt`);
};
