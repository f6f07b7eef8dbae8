// node:repl: code that is read line by line, evaluated, and its value printed. There is one global object, so all of it
// runs there.
'use strict';

const { Interface } = require('readline');
const { codes: { ERR_INVALID_REPL_EVAL_CONFIG, ERR_SCRIPT_EXECUTION_INTERRUPTED } } = require('internal/errors');
const { inspect } = require('internal/util/inspect');
const { validateFunction } = require('internal/validators');
const process = require('internal/process');
const { declaredIn, evaluate, isValidSyntax, lacksEnd } = require('internal/repl/code');

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

// What a line has thrown that is no truth, as `null`: whoever is called back takes that for success.
class Thrown {
  constructor(value) {
    this.value = value;
  }
}

const asError = (value) => (value ? value : new Thrown(value));

// The line of code that is wrong, with a mark, and the rest of what there is to say.
function excerpt(stack) {
  const [all, lines] = /^REPL\d+:\d+\n([^]*?\n\n)(?=\w*Error)/.exec(stack) ?? ['', ''];
  return [lines, stack.slice(all.length)];
}

// The stack of an error, without what is the same for all lines: the line itself, and the library below it.
function stackOf(error) {
  const [message, ...frames] = String(error.stack).split(/\n(?= {4}at )/);
  const own = frames.filter((frame) => !/\(?(?:node:|internal\/)[^)]*\)?$/.test(frame));
  while (own.length > 0 && /at (?:<anonymous>|eval \(|evaluate)/.test(own.at(-1))) own.pop();
  if (/at REPL\d*:/.test(own.at(-1))) own.pop();
  return [message, ...own].join('\n');
}

// What an error has besides its stack, such as a code or a cause, as it is shown behind it.
function detailsOf(error) {
  const [plain, stack] = [inspect(error, { ...writer.options, colors: false }), String(error.stack)];
  const whole = [stack, `[${stack}]`].find((text) => plain.startsWith(`${text} {`));
  if (whole === undefined) return '';
  const shown = inspect(error, writer.options);
  const letters = /(?:\x1b\[\d+m)*[^]/g;
  for (let count = 0; count < whole.length; count += 1) letters.exec(shown);
  return shown.slice(letters.lastIndex).replace(/^(?:\x1b\[\d+m)+/, '');
}

// Lines see what the function of a CommonJS module has, and the library's modules, as in `hemiola -e`.
function exposeModules() {
  if (Object.hasOwn(globalThis, 'require')) return;
  const { Module, makeRequire } = require('internal/modules');
  const module = new Module('<repl>');
  module.paths = Module._nodeModulePaths('.');
  for (const [name, value] of [['module', module], ['require', makeRequire(module)]]) {
    Object.defineProperty(globalThis, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value });
  }
  require('internal/modules/builtins').expose();
}

// The getters of `_` and `_error`: those of the latest prompt are there.
const late = new WeakSet();

// How many pieces of code there were, at all prompts together.
let count = 0;

class REPLServer extends Interface {
  #buffered = '';
  #isEditing = false;
  // What ends what the prompt waits for; undefined while it waits for a line.
  #interruption;
  // Lines that came while it was busy.
  #waiting = [];
  #declared = new Set();
  #wasInterrupted = false;
  #isShown = false;
  #takesErrors = false;

  constructor(prompt, stream, eval_, useGlobal, ignoreUndefined, replMode) {
    const options = typeof prompt === 'object' && prompt !== null ? { ...prompt } : { prompt, stream, eval: eval_, useGlobal, ignoreUndefined, replMode };
    const { stdin, stdout } = process;
    const input = options.input ?? (options.stream?.stdin ?? options.stream) ?? stdin;
    const output = options.output ?? (options.stream?.stdout ?? options.stream) ?? stdout;
    if (options.breakEvalOnSigint && options.eval) throw new ERR_INVALID_REPL_EVAL_CONFIG();
    const { terminal, completer, historySize, removeHistoryDuplicates } = options;
    super({
      input, output, terminal, historySize, removeHistoryDuplicates, prompt: String(options.prompt ?? '> '),
      completer: completer ?? ((line, callback) => this.complete(line, callback)),
    });
    this.input = input;
    this.output = output;
    this.inputStream = input;
    this.outputStream = output;
    this.useGlobal = Boolean(options.useGlobal);
    this.ignoreUndefined = Boolean(options.ignoreUndefined);
    this.replMode = options.replMode ?? REPL_MODE_SLOPPY;
    this.useColors = options.useColors ?? Boolean(output.isTTY);
    this.breakEvalOnSigint = Boolean(options.breakEvalOnSigint);
    this.writer = options.writer ?? writer;
    // All servers have this one.
    if (this.writer === writer) writer.options.colors = this.useColors;
    this.eval = options.eval ?? ((code, context, file, callback) => this.#evaluate(code, file, callback));
    this.lines = [];
    this.lines.level = [];
    this.sources = new Map();
    this.editorMode = false;
    this.last = undefined;
    this.lastError = undefined;
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.commands = { __proto__: null };
    // Whoever starts it may take errors by itself.
    this.#takesErrors = options.domain !== null;
    let { domain } = options;
    Object.defineProperty(this, '_domain', {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get: () => (domain ??= this.#listeningDomain()),
      set: (value) => { domain = value; },
    });
    this.resetContext();
    this.#defineCommands();
    this.on('line', (line) => this.#take(line));
    this.on('SIGINT', () => this.#interrupt());
    this.on('close', () => this.emit('exit'));
    this.displayPrompt();
  }

  // What a line begins may throw later: that is shown at the prompt.
  #listeningDomain() {
    const domain = require('domain').create();
    domain.on('error', (error) => {
      // That it came out of the prompt goes without saying.
      if (error?.domainThrown) {
        delete error.domainThrown;
        delete error.domain;
      }
      this.tellUncaught(error, '');
    });
    return domain;
  }

  #defineCommands() {
    const commands = {
      break: ['Sometimes you get stuck, this gets you out', () => this.clearBufferedCommand()],
      clear: this.useGlobal ? ['Alias for .break', () => this.clearBufferedCommand()] :
        ['Break, and also clear the local context', () => this.#clear()],
      exit: ['Exit the REPL', () => this.close()],
      help: ['Print this help message', () => this.#help()],
      load: ['Load JS from a file into the REPL session', (file) => this.#load(file)],
      save: ['Save all evaluated commands in this REPL session to a file', (file) => this.#save(file)],
    };
    if (this.terminal) commands.editor = ['Enter editor mode', () => this.#beginEditing()];
    for (const name of Object.keys(commands)) {
      const [help, action] = commands[name];
      this.defineCommand(name, { help, action: (text) => { action(text); if (!['exit', 'editor', 'load'].includes(name)) this.displayPrompt(); } });
    }
  }

  /// There is one global object, which the program may put in order when it hears of that; the last values go.
  #clear() {
    this.clearBufferedCommand();
    this.output.write('Clearing context...\n');
    this.resetContext();
  }

  #help() {
    const names = Object.keys(this.commands).sort();
    const width = Math.max(...names.map((name) => name.length));
    for (const name of names) {
      const { help } = this.commands[name];
      this.output.write(`.${name}${help ? `${' '.repeat(width - name.length + 3)}${help}` : ''}\n`);
    }
    this.output.write('\nPress Ctrl+C to abort current expression, Ctrl+D to exit the REPL\n');
  }

  #load(file) {
    let text;
    try {
      text = require('fs').readFileSync(file, 'utf8');
    } catch (error) {
      this.output.write(`Failed to load: ${file}${error.code === 'EISDIR' ? ' is not a valid file' : ''}\n`);
      this.displayPrompt();
      return;
    }
    // A terminal shows what is loaded as if it were typed.
    if (this.terminal) for (const line of text.split(/\r?\n/)) this.output.write(`${line}\r\n`);
    this.#run(`${text}\n`);
  }

  #save(file) {
    try {
      require('fs').writeFileSync(file, this.lines.join('\n'));
      this.output.write(`Session saved to: ${file}\n`);
    } catch (error) {
      this.output.write(`Failed to save: ${file}${error.code === undefined ? '' : ` (${error.code})`}\n`);
    }
  }

  #beginEditing() {
    this.#isEditing = this.editorMode = true;
    this.#buffered = '';
    this.output.write('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)\n');
  }

  /// In editor mode the end of input is the end of the code.
  _press(text, key) {
    if (!this.#isEditing || !key?.ctrl || key.name !== 'd') return false;
    const code = `${this.#buffered}${this.line}\n`;
    this.#isEditing = this.editorMode = false;
    this.#buffered = '';
    this.line = '';
    this.cursor = 0;
    this.output.write('\n');
    if (code.trim() === '') this.displayPrompt();
    else {
      this.lines.push(...code.trimEnd().split('\n'));
      this.#run(code);
    }
    return true;
  }

  #interrupt() {
    if (this.#interruption !== undefined) {
      this.#waiting = [];
      this.#interruption();
      return;
    }
    const wasEmpty = this.#buffered === '' && this.line === '';
    this.clearBufferedCommand();
    this.#isEditing = this.editorMode = false;
    if (wasEmpty && this.#wasInterrupted) {
      this.close();
      return;
    }
    this.#wasInterrupted = wasEmpty;
    this.output.write(wasEmpty ? '\r\n(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n' : '\r\n');
    this.line = '';
    this.displayPrompt();
  }

  #take(line) {
    this.#isShown = false;
    if (this.#interruption !== undefined) this.#waiting.push(line);
    else this.#read(line);
  }

  /// Lets `begin` do something that calls back; lines that come meanwhile wait. Ctrl-C calls `interrupt`.
  whileBusy(begin, interrupt) {
    this.#interruption = interrupt;
    begin(() => this.#goOn());
  }

  #goOn() {
    this.#interruption = undefined;
    this.displayPrompt();
    this.#readWaiting();
  }

  #readWaiting() {
    while (this.#waiting.length > 0 && this.#interruption === undefined && !this.closed) this.#read(this.#waiting.shift());
  }

  #read(line) {
    this.#wasInterrupted = false;
    if (this.#isEditing) {
      this.#buffered += `${line}\n`;
      return;
    }
    const command = /^\s*\.([a-z]\w*)\s*(.*)$/i.exec(line);
    if (command !== null && Number.isNaN(Number.parseFloat(line))) {
      const [, name, rest] = command;
      if (this.commands[name] !== undefined) {
        this.commands[name].action.call(this, rest.trim());
        return;
      }
      if (this.#buffered === '') {
        this.output.write('Invalid REPL keyword\n');
        this.displayPrompt();
        return;
      }
    }
    this.lines.push(line);
    this.#run(`${this.#buffered}${line}\n`);
  }

  #run(code) {
    count += 1;
    const name = `REPL${count}`;
    const run = () => this.eval(code, this.context, name, (...results) => this.#finish(code, results));
    if (this.#takesErrors) this._domain.run(run);
    else run();
  }

  #finish(code, results) {
    const { 0: error, 1: value } = results;
    if (error instanceof Recoverable) {
      this.#buffered = code;
      this.displayPrompt();
      return;
    }
    this.#buffered = '';
    if (error) {
      this.#tell(error);
    } else if (results.length > 1) {
      if (!this.underscoreAssigned) this.last = value;
      if (!this.ignoreUndefined || value !== undefined) this.output.write(`${this.writer(value)}\n`);
    }
    this.displayPrompt();
  }

  #tell(thrown) {
    const error = thrown instanceof Thrown ? thrown.value : thrown;
    if (!this.underscoreErrAssigned) this.lastError = error;
    let [above, text] = ['', ''];
    try {
      const isOurs = error instanceof Error && this.writer === writer;
      [above, text] = isOurs ? excerpt(stackOf(error) + detailsOf(error)) : ['', this.writer(error)];
    } catch {
      text = 'error that cannot be shown';
    }
    this.output.write(`${above}Uncaught ${text}\n`);
  }

  /// Shows an error that no line of the prompt has thrown, but something that it began.
  tellUncaught(error, between = '\n') {
    if (this.isEditing && this.terminal) this._writeAbove('');
    else if (this.#isShown) this.output.write(between);
    this.#tell(error);
    if (this.#interruption === undefined) this.displayPrompt(true);
  }

  /// Whether a line is being edited.
  get isEditing() {
    return this.#isShown && !this.closed && this.terminal;
  }

  #evaluate(code, name, callback) {
    if (code === '\n') {
      callback(null);
      return;
    }
    if (lacksEnd(code)) {
      callback(new Recoverable(new SyntaxError('Unexpected end of input')));
      return;
    }
    this.sources.set(name, code);
    let result;
    // While it computes, Ctrl-C is a signal.
    const isRaw = this.terminal && this._setRawMode(false);
    try {
      result = evaluate(code, name, this.replMode === REPL_MODE_STRICT);
    } catch (error) {
      callback(asError(error));
      return;
    } finally {
      if (isRaw) this._setRawMode(true);
    }
    for (const one of declaredIn(code)) this.#declared.add(one);
    if (result.promise === undefined) callback(null, result.value);
    else this.#await(result.promise, callback);
  }

  #await(promise, callback) {
    let isOver = false;
    const end = (error, value) => {
      if (isOver) return;
      isOver = true;
      this.#interruption = undefined;
      callback(error, value);
      this.#readWaiting();
    };
    this.#interruption = () => end(new ERR_SCRIPT_EXECUTION_INTERRUPTED());
    promise.then(({ value }) => end(null, value), (error) => end(asError(error)));
  }

  setupHistory(file, callback) {
    const { History } = require('internal/repl/history');
    const history = new History(file, (error) => this.output.write(`History is not kept: ${error.message}\n`));
    this.history = history.read(this.historySize);
    this.on('history', (lines) => history.write(lines));
    callback(null, this);
  }

  clearBufferedCommand() {
    this.#buffered = '';
  }

  /// A tick later: whoever closes it may listen for that afterwards.
  close() {
    process.nextTick(() => super.close());
  }

  createContext() {
    exposeModules();
    return globalThis;
  }

  resetContext() {
    this.context = this.createContext();
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.lines = [];
    this.lines.level = [];
    this.#defineLate('_', () => this.last, 'underscoreAssigned');
    this.#defineLate('_error', () => this.lastError, 'underscoreErrAssigned');
    this.emit('reset', this.context);
  }

  /// What the last line was worth, under a name that nobody else has given something to.
  #defineLate(name, read, assigned) {
    const known = Object.getOwnPropertyDescriptor(this.context, name);
    if (known !== undefined && !late.has(known.get)) return;
    let given;
    const get = () => (this[assigned] ? given : read());
    const set = (value) => {
      const wasAssigned = this[assigned];
      this[assigned] = true;
      given = value;
      if (!wasAssigned) this.output.write(`Expression assignment to ${name} now disabled.\n`);
    };
    late.add(get);
    Object.defineProperty(this.context, name, { __proto__: null, configurable: true, get, set });
  }

  displayPrompt(preserveCursor) {
    if (this.closed || this.#interruption !== undefined) return;
    const own = this.getPrompt();
    this.#isShown = true;
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
    callback(null, require('internal/repl/completion').complete(line, this.commands, this.#declared));
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
// Programs add to it what `require` and `import` are completed with.
let builtinModules;
Object.defineProperty(module.exports, 'builtinModules', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: () => (builtinModules ??= require('module').builtinModules.filter((name) => !name.startsWith('_'))),
});
