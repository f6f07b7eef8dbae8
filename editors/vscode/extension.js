// The editor's side: starts hemiola, and shows what it says.
'use strict';
const vscode = require('vscode');
const { execFile } = require('node:child_process');
const { mkdtemp, readFile, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');
const { marks, summary } = require('./findings');

const settings = () => vscode.workspace.getConfiguration('hemiola');

/** Runs a command to its end. Exit status 1 and 100 are results: a test fails, a test is flaky. */
function hemiola(args, cwd, token) {
  return new Promise((done, failed) => {
    const path = settings().get('path');
    const options = { cwd, maxBuffer: 1 << 28, env: { ...process.env, NO_COLOR: '1' } };
    const child = execFile(path, args, options, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') failed(new Error(`There is no ${path}. Install Hemiola, or set hemiola.path.`));
      else if (error && ![1, 100, 102].includes(error.code)) failed(new Error(stderr.trim().split('\n')[0] || error.message));
      else done(stdout);
    });
    token?.onCancellationRequested(() => child.kill('SIGINT'));
  });
}

function folderOf(uri) {
  const folder = (uri && vscode.workspace.getWorkspaceFolder(uri)) ?? vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('Open a folder first.');
  return folder.uri.fsPath;
}

/** Flaky tests as warnings, and in the line of the test. */
class Marks {
  constructor() {
    this.diagnostics = vscode.languages.createDiagnosticCollection('hemiola');
    this.decoration = vscode.window.createTextEditorDecorationType({
      after: { margin: '0 0 0 2em', color: new vscode.ThemeColor('editorWarning.foreground') },
      isWholeLine: true,
    });
    this.files = new Map();
  }

  clear() {
    this.files.clear();
    this.diagnostics.clear();
    this.draw();
  }

  /** In place of what was known of these files, or of all. */
  show(found, folder, only) {
    if (only === undefined) this.clear();
    else this.files.delete(only);
    if (only !== undefined) this.diagnostics.delete(vscode.Uri.file(only));
    const line = (number) => new vscode.Range(number - 1, 0, number - 1, Number.MAX_SAFE_INTEGER);
    for (const mark of found) {
      const path = resolve(folder, mark.file);
      this.files.set(path, [...(this.files.get(path) ?? []), mark]);
    }
    for (const [path, here] of this.files) {
      this.diagnostics.set(vscode.Uri.file(path), here.map((mark) => {
        const diagnostic = new vscode.Diagnostic(line(mark.line), mark.message, vscode.DiagnosticSeverity.Warning);
        diagnostic.source = 'hemiola';
        diagnostic.code = mark.command;
        diagnostic.relatedInformation = mark.related.map((side) => new vscode.DiagnosticRelatedInformation(
          new vscode.Location(vscode.Uri.file(resolve(folder, side.file)), new vscode.Position(side.line - 1, side.column - 1)), side.message,
        ));
        return diagnostic;
      }));
    }
    this.draw();
  }

  draw() {
    for (const editor of vscode.window.visibleTextEditors) {
      const here = this.files.get(editor.document.uri.fsPath) ?? [];
      editor.setDecorations(this.decoration, here.map((mark) => ({
        range: new vscode.Range(mark.line - 1, 0, mark.line - 1, 0),
        renderOptions: { after: { contentText: mark.label } },
        hoverMessage: mark.message,
      })));
    }
  }

  /** For a warning: the command that repeats the failure. */
  provideCodeActions(document, range, context) {
    const ours = context.diagnostics.filter((diagnostic) => diagnostic.source === 'hemiola' && diagnostic.code);
    return ours.map((diagnostic) => {
      const action = new vscode.CodeAction('Run the failing schedule in a terminal', vscode.CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.command = { command: 'hemiola.debugSchedule', title: action.title, arguments: [diagnostic.code, document.uri] };
      return action;
    });
  }

  dispose() {
    this.diagnostics.dispose();
    this.decoration.dispose();
  }
}

async function explore(flaky, uri) {
  const folder = folderOf(uri);
  const progress = { location: vscode.ProgressLocation.Notification, title: 'Hemiola: looking for flaky tests', cancellable: true };
  const report = await vscode.window.withProgress(progress, async (_, token) => {
    const files = uri ? [uri.fsPath] : [];
    return JSON.parse(await hemiola(['test', '--explore', '--time', settings().get('explore.time'), '--format', 'json', ...files], folder, token));
  });
  flaky.show(marks(report), folder, uri?.fsPath);
  vscode.window.setStatusBarMessage(`Hemiola: ${summary(report)}`, 10_000);
}

/** The page of `hemiola view`, which needs nothing but itself. */
async function openTimeline(run = 'latest') {
  const folder = await mkdtemp(join(tmpdir(), 'hemiola-view-'));
  try {
    const file = join(folder, 'timeline.html');
    await hemiola(['view', run, '--out', file], vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
    const page = await readFile(file, 'utf8');
    const panel = vscode.window.createWebviewPanel('hemiola.timeline', 'Hemiola: timeline', vscode.ViewColumn.Beside, {
      enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [],
    });
    panel.webview.html = page;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function activate(context) {
  const flaky = new Marks();
  const command = (name, run) => vscode.commands.registerCommand(`hemiola.${name}`, async (...args) => {
    try {
      await run(...args);
    } catch (error) {
      vscode.window.showErrorMessage(`Hemiola: ${error.message}`);
    }
  });
  const request = (name) => async () => {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== 'hemiola') throw new Error('There is no debug session of Hemiola.');
    await session.customRequest(`hemiola/${name}`);
  };
  context.subscriptions.push(
    flaky,
    vscode.window.onDidChangeVisibleTextEditors(() => flaky.draw()),
    vscode.languages.registerCodeActionsProvider(['javascript', 'typescript', 'javascriptreact', 'typescriptreact'], flaky, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory('hemiola', {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(settings().get('path'), ['debug']),
    }),
    command('exploreFile', async (uri) => {
      const file = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (!file) throw new Error('Open a test file first.');
      await explore(flaky, file);
    }),
    command('exploreFolder', () => explore(flaky)),
    command('clearMarks', () => flaky.clear()),
    command('debugSchedule', (line, uri) => {
      const terminal = vscode.window.createTerminal({ name: 'Hemiola', cwd: folderOf(uri) });
      terminal.show();
      terminal.sendText(line.replace(/^hemiola(?= )/, settings().get('path')));
    }),
    command('openTimeline', (run) => openTimeline(run)),
    command('reverseToLink', request('reverseToLink')),
    command('reverseToCause', request('reverseToCause')),
    command('reverseContinueChain', request('reverseContinueChain')),
  );
}

module.exports = { activate, deactivate() {} };
