// node:repl: code that is read line by line, evaluated, and its value printed. There is one global object, so all of it
// runs there.
'use strict';

const vm = require('vm');
const { Interface } = require('readline');
const { codes: { ERR_INVALID_REPL_EVAL_CONFIG } } = require('internal/errors');
const { inspect } = require('internal/util/inspect');
const { validateFunction } = require('internal/validators');
const process = require('internal/process');

const REPL_MODE_SLOPPY = Symbol('repl-sloppy');
const REPL_MODE_STRICT = Symbol('repl-strict');

const writer = (value) => inspect(value, writer.options);
writer.options = { ...inspect.defaultOptions, showProxy: true };

/// An error of code that may only lack its end.
class Recoverable extends SyntaxError {
  constructor(err) {
    super();
    this.err = err;
  }
}

/// Whether code is right as it stands, alone or as an expression.
function isValidSyntax(code) {
  return [code, `_=${code}`].some((text) => {
    try {
      new vm.Script(text);
      return true;
    } catch {
      return false;
    }
  });
}

// Whether code that is wrong could go on in the next line: something in it is open.
function isOpen(code) {
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
        return false;
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
  }
  return depth > 0 || quote === '`' || quote === '*/';
}

// The line of code that is wrong, with a mark, if it is known where.
function excerpt(error, code) {
  const [, line, column] = /at <anonymous>:(\d+):(\d+)/.exec(error.stack) ?? [];
  // The engine saw it as the body of a function.
  const text = code.split('\n')[line - 3];
  return text === undefined ? '' : `${text}\n${' '.repeat(column - 1)}^\n\n`;
}

// Code as it is evaluated: an object literal is no block, and in strict mode it says so.
function prepared(code, mode) {
  const isObject = /^\s*\{/.test(code) && !/;\s*$/.test(code);
  const text = isObject && isValidSyntax(`(${code.trim()}\n)`) ? `(${code.trim()})` : code;
  return mode === REPL_MODE_STRICT ? `'use strict'; void 0; ${text}` : text;
}

class REPLServer extends Interface {
  #buffered = '';
  #isEditing = false;

  constructor(prompt, stream, eval_, useGlobal, ignoreUndefined, replMode) {
    const options = typeof prompt === 'object' && prompt !== null ? { ...prompt } : { prompt, stream, eval: eval_, useGlobal, ignoreUndefined, replMode };
    const { stdin, stdout } = process;
    const input = options.input ?? (options.stream?.stdin ?? options.stream) ?? stdin;
    const output = options.output ?? (options.stream?.stdout ?? options.stream) ?? stdout;
    if (options.breakEvalOnSigint && options.eval) throw new ERR_INVALID_REPL_EVAL_CONFIG();
    const { terminal, completer, historySize } = options;
    super({ input, output, terminal, historySize, prompt: String(options.prompt ?? '> '), completer: completer ?? ((line, callback) => this.complete(line, callback)) });
    this.input = input;
    this.output = output;
    this.inputStream = input;
    this.outputStream = output;
    this.useGlobal = Boolean(options.useGlobal);
    this.ignoreUndefined = Boolean(options.ignoreUndefined);
    this.replMode = options.replMode ?? REPL_MODE_SLOPPY;
    this.useColors = options.useColors ?? Boolean(output.isTTY);
    this.breakEvalOnSigint = Boolean(options.breakEvalOnSigint);
    this.writer = options.writer ?? ((value) => inspect(value, { ...writer.options, colors: this.useColors }));
    this.eval = options.eval ?? ((code, context, file, callback) => this.#evaluate(code, file, callback));
    this.lines = [];
    this.lines.level = [];
    this.editorMode = false;
    this.last = undefined;
    this.lastError = undefined;
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.commands = { __proto__: null };
    this.resetContext();
    this.#defineCommands();
    this.on('line', (line) => this.#read(line));
    this.on('SIGINT', () => this.#interrupt());
    this.on('close', () => this.emit('exit'));
    this.displayPrompt();
  }

  #defineCommands() {
    const commands = {
      break: ['Sometimes you get stuck, this gets you out', () => this.clearBufferedCommand()],
      clear: ['Alias for .break', () => this.clearBufferedCommand()],
      exit: ['Exit the REPL', () => this.close()],
      help: ['Print this help message', () => this.#help()],
      load: ['Load JS from a file into the REPL session', (file) => this.#load(file)],
      save: ['Save all evaluated commands in this REPL session to a file', (file) => this.#save(file)],
      editor: ['Enter editor mode', () => { this.#isEditing = this.editorMode = true; this.output.write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n'); }],
    };
    for (const name of Object.keys(commands)) {
      const [help, action] = commands[name];
      this.defineCommand(name, { help, action: (text) => { action(text); if (name !== 'exit' && name !== 'editor') this.displayPrompt(); } });
    }
  }

  #help() {
    const names = Object.keys(this.commands).sort();
    const width = Math.max(...names.map((name) => name.length));
    for (const name of names) this.output.write(`.${name}${' '.repeat(width - name.length + 3)}${this.commands[name].help ?? ''}\n`);
    this.output.write('\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL\n');
  }

  #load(file) {
    try {
      for (const line of require('fs').readFileSync(file, 'utf8').split('\n')) this.#read(line);
    } catch {
      this.output.write(`Failed to load: ${file}\n`);
    }
  }

  #save(file) {
    try {
      require('fs').writeFileSync(file, this.lines.join('\n'));
      this.output.write(`Session saved to: ${file}\n`);
    } catch {
      this.output.write(`Failed to save: ${file}\n`);
    }
  }

  #interrupt() {
    const wasEmpty = this.#buffered === '' && this.line === '';
    this.clearBufferedCommand();
    this.#isEditing = this.editorMode = false;
    if (wasEmpty && this.#wasInterrupted) {
      this.close();
      return;
    }
    this.#wasInterrupted = wasEmpty;
    if (wasEmpty) this.output.write('(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n');
    this.line = '';
    this.displayPrompt();
  }
  #wasInterrupted = false;

  #read(line) {
    this.#wasInterrupted = false;
    const command = /^\s*\.([a-z]\w*)\s*(.*)$/i.exec(line);
    if (command !== null && this.#buffered === '' && Number.isNaN(Number.parseFloat(line))) {
      const [, name, rest] = command;
      if (this.commands[name] !== undefined) {
        this.commands[name].action.call(this, rest.trim());
      } else {
        this.output.write('Invalid REPL keyword\n');
        this.displayPrompt();
      }
      return;
    }
    const code = `${this.#buffered}${line}\n`;
    if (this.#buffered === '' && line.trim() === '') {
      this.displayPrompt();
      return;
    }
    this.lines.push(line);
    this.eval(code, this.context, 'REPL', (error, value) => this.#finish(error, value, code));
  }

  #finish(error, value, code) {
    if (error instanceof Recoverable) {
      this.#buffered = code;
      this.displayPrompt();
      return;
    }
    this.#buffered = '';
    if (error) {
      this.#tell(error, code);
    } else {
      if (!this.underscoreAssigned) this.last = value;
      if (!this.ignoreUndefined || value !== undefined) this.output.write(`${this.writer(value)}\n`);
    }
    this.displayPrompt();
  }

  #tell(error, code) {
    if (!this.underscoreErrAssigned) this.lastError = error;
    // Frames of what was typed in say nothing.
    const text = error instanceof Error ? String(error.stack).replace(/\n {4}at (?:[^\n]*\()?(?:REPL|<anonymous>|node:)[^]*$/, '') : inspect(error);
    this.output.write(`${error instanceof SyntaxError ? excerpt(error, code) : ''}Uncaught ${text}\n`);
  }

  #evaluate(code, file, callback) {
    let value;
    try {
      value = vm.runInThisContext(prepared(code, this.replMode), { filename: file });
    } catch (error) {
      callback(error instanceof SyntaxError && isOpen(code) ? new Recoverable(error) : error);
      return;
    }
    callback(null, value);
  }

  setupHistory(file, callback) {
    callback(null, this);
  }

  clearBufferedCommand() {
    this.#buffered = '';
  }

  close() {
    super.close();
  }

  createContext() {
    return globalThis;
  }

  resetContext() {
    this.context = this.createContext();
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.lines = [];
    this.lines.level = [];
    const late = (name, read, assigned) => Object.defineProperty(this.context, name, {
      __proto__: null,
      configurable: true,
      get: read,
      set: (value) => {
        this[assigned] = true;
        Object.defineProperty(this.context, name, { __proto__: null, configurable: true, enumerable: true, writable: true, value });
      },
    });
    if (!Object.hasOwn(this.context, '_')) late('_', () => this.last, 'underscoreAssigned');
    if (!Object.hasOwn(this.context, '_error')) late('_error', () => this.lastError, 'underscoreErrAssigned');
    this.emit('reset', this.context);
  }

  displayPrompt(preserveCursor) {
    if (this.closed) return;
    const own = this.getPrompt();
    if (this.#isEditing) return;
    if (this.#buffered === '') {
      super.prompt(preserveCursor);
      return;
    }
    super.setPrompt('... ');
    super.prompt(preserveCursor);
    super.setPrompt(own);
  }

  setPrompt(prompt) {
    super.setPrompt(prompt);
  }

  complete(line, callback) {
    const [, path, start] = /((?:[\w$]+\.)*)([\w$]*)$/.exec(line);
    let object = globalThis;
    try {
      for (const name of path.split('.').slice(0, -1)) object = object[name];
    } catch {
      object = undefined;
    }
    const names = new Set();
    for (let holder = object; holder !== null && holder !== undefined; holder = Object.getPrototypeOf(holder)) {
      for (const name of Object.getOwnPropertyNames(Object(holder))) if (name.startsWith(start)) names.add(`${path}${name}`);
    }
    callback(null, [[...names].sort(), `${path}${start}`]);
  }

  completeOnEditorMode(callback) {
    return (error, results) => callback(error, results);
  }

  defineCommand(keyword, command) {
    const { action = command } = command;
    validateFunction(action, 'cmd.action');
    this.commands[keyword] = typeof command === 'function' ? { action: command } : command;
  }
}

function start(prompt, source, eval_, useGlobal, ignoreUndefined, replMode) {
  return new REPLServer(prompt, source, eval_, useGlobal, ignoreUndefined, replMode);
}

module.exports = { start, writer, REPLServer, REPL_MODE_SLOPPY, REPL_MODE_STRICT, Recoverable, isValidSyntax };
Object.defineProperty(module.exports, 'builtinModules', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: () => require('module').builtinModules.filter((name) => !name.startsWith('_')),
});
