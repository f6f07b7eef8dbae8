// The extension against its manifest, against hemiola, and in an editor that is only a record of what it is
// told. HEMIOLA names the binary.
'use strict';
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { after, before, test } = require('node:test');

const binary = process.env.HEMIOLA ?? 'hemiola';
const manifest = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));
const work = realpathSync(mkdtempSync(join(tmpdir(), 'hemiola-vscode-')));
after(() => rmSync(work, { recursive: true }));
process.env.HEMIOLA_RUNS = join(work, 'runs');
// What fails here is to be opened.
delete process.env.HEMIOLA_RECORD;

class Value {
  constructor(...args) {
    this.args = args;
  }
}
const file = (fsPath) => ({ fsPath });
const told = { errors: [], diagnostics: new Map(), decorations: [], panels: [], sent: [], status: [], requests: [] };
const commands = new Map();
const factories = new Map();
const editor = { document: { uri: file(join(work, 'notes/store.test.js')) }, setDecorations: (_, marks) => told.decorations.push(marks) };
const defaults = Object.fromEntries(Object.entries(manifest.contributes.configuration.properties).map(([name, { default: value }]) => [name.slice('hemiola.'.length), value]));
const vscode = {
  Uri: { file },
  Range: class Range extends Value {},
  Position: class Position extends Value {},
  Location: class Location extends Value {},
  ThemeColor: class ThemeColor extends Value {},
  DiagnosticRelatedInformation: class DiagnosticRelatedInformation extends Value {},
  DebugAdapterExecutable: class DebugAdapterExecutable extends Value {},
  Diagnostic: class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  CodeAction: class CodeAction { constructor(title, kind) { Object.assign(this, { title, kind }); } },
  DiagnosticSeverity: { Warning: 1 },
  CodeActionKind: { QuickFix: 'quickfix' },
  ProgressLocation: { Notification: 15 },
  ViewColumn: { Beside: -2 },
  workspace: {
    workspaceFolders: [{ uri: file(work) }],
    getWorkspaceFolder: () => ({ uri: file(work) }),
    getConfiguration: () => ({ get: (name) => (name === 'path' ? binary : defaults[name]) }),
  },
  languages: {
    createDiagnosticCollection: () => ({
      set: (uri, list) => told.diagnostics.set(uri.fsPath, list), delete: (uri) => told.diagnostics.delete(uri.fsPath),
      clear: () => told.diagnostics.clear(), dispose() {},
    }),
    registerCodeActionsProvider: (_, provider) => { vscode.provider = provider; return { dispose() {} }; },
  },
  window: {
    visibleTextEditors: [editor],
    activeTextEditor: editor,
    createTextEditorDecorationType: () => ({ dispose() {} }),
    onDidChangeVisibleTextEditors: () => ({ dispose() {} }),
    withProgress: (_, run) => run({}, { onCancellationRequested() {} }),
    setStatusBarMessage: (text) => told.status.push(text),
    showErrorMessage: (text) => told.errors.push(text),
    createTerminal: (options) => ({ show() {}, sendText: (text) => told.sent.push([options.cwd, text]) }),
    createWebviewPanel: () => { const panel = { webview: {} }; told.panels.push(panel); return panel; },
  },
  commands: { registerCommand: (name, run) => { commands.set(name, run); return { dispose() {} }; } },
  debug: { registerDebugAdapterDescriptorFactory: (type, factory) => { factories.set(type, factory); return { dispose() {} }; } },
};

before(() => {
  const load = Module._load;
  Module._load = function (name, ...rest) {
    return name === 'vscode' ? vscode : load.call(this, name, ...rest);
  };
  cpSync(join(__dirname, '../../../examples/notes'), join(work, 'notes'), { recursive: true });
  require('..' + manifest.main.slice(1)).activate({ subscriptions: [] });
});

test('the manifest and the code have the same commands', () => {
  assert.deepEqual([...commands.keys()].sort(), manifest.contributes.commands.map(({ command }) => command).sort());
  const shown = Object.values(manifest.contributes.menus).flat().map(({ command }) => command);
  for (const command of shown) assert.ok(commands.has(command), command);
  const [{ type, configurationAttributes, initialConfigurations }] = manifest.contributes.debuggers;
  assert.ok(factories.has(type));
  for (const { request, name: _, type: of, ...rest } of initialConfigurations) {
    assert.equal(of, type);
    for (const key of Object.keys(rest)) assert.ok(key in configurationAttributes[request].properties, key);
  }
});

test('a flaky test is marked in its line, with its race and the command that repeats it', async () => {
  await commands.get('hemiola.exploreFile')();
  assert.deepEqual(told.errors, []);
  assert.deepEqual([...told.diagnostics.keys()], [join(work, 'notes/store.test.js')]);
  const [warning, ...more] = [...told.diagnostics.values()][0];
  assert.equal(more.length, 0);
  const declared = readFileSync(join(work, 'notes/store.test.js'), 'utf8').split('\n').findIndex((line) => line.includes('a note is kept'));
  assert.equal(warning.range.args[0], declared);
  assert.match(warning.message, /^“a note is kept” fails in \d+ of \d+ schedules\.\nENOENT.*\nThe race behind it: file /);
  assert.deepEqual(warning.relatedInformation.map(({ args: [{ args: [uri] }] }) => uri.fsPath), [join(work, 'notes/store.js'), join(work, 'notes/store.js')]);
  assert.match(told.decorations.at(-1)[0].renderOptions.after.contentText, /^≈ flaky: fails in /);
  assert.match(told.status.at(-1), /^Hemiola: 2 tests, 1 flaky$/);

  const [action] = vscode.provider.provideCodeActions({ uri: file(join(work, 'notes/store.test.js')) }, null, { diagnostics: [warning] });
  await commands.get(action.command.command)(...action.command.arguments);
  assert.deepEqual(told.sent, [[work, warning.code.replace('hemiola', binary)]]);

  await commands.get('hemiola.clearMarks')();
  assert.equal(told.diagnostics.size, 0);
  assert.deepEqual(told.decorations.at(-1), []);
});

test('a test that is mended loses its mark', async () => {
  const store = join(work, 'notes/store.js');
  writeFileSync(store, readFileSync(store, 'utf8').replace('  mkdir(', '  await mkdir('));
  await commands.get('hemiola.exploreFolder')();
  assert.deepEqual([told.errors, told.diagnostics.size, told.status.at(-1)], [[], 0, 'Hemiola: 2 tests, 0 flaky']);
});

/** What the adapter answers to these requests, one after the other. */
function adapter({ args: [command, words] }, requests) {
  return new Promise((done, failed) => {
    const child = spawn(command, words, { cwd: work, stdio: ['pipe', 'pipe', 'inherit'] });
    const answers = [];
    let left = Buffer.alloc(0);
    const send = (seq) => {
      const text = JSON.stringify({ seq, type: 'request', ...requests[seq - 1] });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    };
    child.stdout.on('data', (chunk) => {
      left = Buffer.concat([left, chunk]);
      for (;;) {
        const head = /^Content-Length: (\d+)\r\n\r\n/.exec(left.toString('latin1'));
        if (!head || left.length < head[0].length + Number(head[1])) return;
        const message = JSON.parse(left.subarray(head[0].length, head[0].length + Number(head[1])));
        left = left.subarray(head[0].length + Number(head[1]));
        if (message.type !== 'response') continue;
        answers.push(message);
        if (answers.length < requests.length) send(answers.length + 1);
      }
    });
    child.on('error', failed);
    child.on('close', () => done(answers));
    send(1);
  });
}

test('a run that failed is opened in a panel and by the adapter, which can step back', async () => {
  writeFileSync(join(work, 'fails.js'), 'setTimeout(() => { throw new Error("a failure"); }, 5);\n');
  await new Promise((done) => spawn(binary, ['run', 'fails.js'], { cwd: work, stdio: 'ignore' }).on('close', done));
  await commands.get('hemiola.openTimeline')();
  assert.deepEqual(told.errors, []);
  assert.match(told.panels[0].webview.html, /^<!doctype html>/i);
  assert.match(told.panels[0].webview.html, /fails\.js/);

  const executable = factories.get('hemiola').createDebugAdapterDescriptor();
  const [initialized, launched, , left] = await adapter(executable, [
    { command: 'initialize', arguments: { adapterID: 'hemiola' } },
    { command: 'launch', arguments: { run: 'latest', stopOnEntry: true } },
    { command: 'configurationDone' },
    { command: 'disconnect', arguments: {} },
  ]);
  assert.equal(initialized.body.supportsStepBack, true);
  assert.deepEqual([launched.success, left.success], [true, true]);
});

test('what goes wrong is said', async () => {
  await commands.get('hemiola.reverseToLink')();
  assert.equal(told.errors.pop(), 'Hemiola: There is no debug session of Hemiola.');
  await commands.get('hemiola.openTimeline')('nothing');
  assert.match(told.errors.pop(), /^Hemiola: error: /);
});

test('a report of another version is refused', () => {
  const { marks } = require('../findings');
  assert.throws(() => marks({ version: 2, tests: [] }), /version 2/);
});
