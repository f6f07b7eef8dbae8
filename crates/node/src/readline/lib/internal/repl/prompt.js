// The prompt of `hemiola repl`: a `repl` on the terminal with the library in its globals, a history and a clock.
// Uses binding.env, historyFile, install.
'use strict';

const process = require('internal/process');

// What programs write while a line is being edited goes above it.
function writeAbove(stream, server) {
  const write = stream.write.bind(stream);
  stream.write = (chunk, encoding, callback) => {
    if (!server().isEditing) return write(chunk, encoding, callback);
    server()._writeAbove('');
    const result = write(chunk, encoding, callback);
    const last = typeof chunk === 'string' ? chunk.at(-1) === '\n' : chunk.at?.(-1) === 10;
    if (!last) write('\n');
    server()._refreshLine();
    return result;
  };
  return write;
}

exports.run = function run(expose) {
  binding.install('desk', binding);
  expose('[repl]');
  const repl = require('repl');
  const { Clock, isHeld, timeline, usage } = require('internal/repl/time');
  const { stdin, stdout, stderr } = process;
  const { isTTY } = stdout;
  let server;
  const show = isTTY && stdin.isTTY ? writeAbove(stdout, () => server) : undefined;
  if (show !== undefined && stderr.isTTY) writeAbove(stderr, () => server);
  const output = show === undefined ? stdout : Object.create(stdout, { write: { __proto__: null, value: show } });
  const held = isHeld() ? '\nTime is virtual: `.time +5s` moves it.' : '';
  output.write(`Hemiola ${process.versions.hemiola}: JavaScript at a prompt. \`.help\` lists its commands.${held}\n`);
  server = repl.start({
    input: stdin, output, terminal: show !== undefined && binding.env.TERM !== 'dumb', useGlobal: true, historySize: 1000,
    removeHistoryDuplicates: true, useColors: Boolean(isTTY) && stdout.hasColors(), domain: null,
  });
  // One that came too late for a line is for the prompt.
  if (show !== undefined) process.on('SIGINT', () => server.emit('SIGINT'));
  const clock = new Clock();
  server.defineCommand('time', {
    help: 'See time, let it stand still, move it: .time virtual, .time +5s, .time next, .time live',
    action(text) {
      if (text === 'help') {
        output.write(usage);
        server.displayPrompt();
        return;
      }
      server.whileBusy((done) => clock.change(text, (shown) => {
        output.write(shown);
        done();
      }), () => clock.interrupt());
    },
  });
  server.defineCommand('timeline', {
    help: 'Show what ran and what is pending',
    action() {
      output.write(timeline(server.sources));
      server.displayPrompt();
    },
  });
  server.on('exit', () => process.exit());
  require('internal/uncaught').setUncaughtExceptionCaptureCallback((error) => server.tellUncaught(error));
  if (binding.historyFile !== undefined) server.setupHistory(binding.historyFile, () => {});
};
