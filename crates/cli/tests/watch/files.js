// What watchers of a directory and of a file hear.
const fs = require('fs');
const path = require('path');

const root = fs.mkdtempSync(path.join(process.cwd(), 'watched-'));
const beside = fs.mkdtempSync(path.join(process.cwd(), 'beside-'));
const at = (...parts) => path.join(root, ...parts);
const log = [];

// Everything before this has been told when this has.
function settled() {
  return new Promise((resolve) => {
    const watcher = fs.watch(beside, () => {
      watcher.close();
      resolve();
    });
    fs.writeFileSync(path.join(beside, `mark-${Math.random()}`), '');
  });
}

async function step(title, run) {
  run();
  await settled();
  console.log(`${title}:`, log.splice(0).join(', '));
}

const told = (title) => (type, name) => log.push(`${title} ${type} ${name}`);

(async () => {
  fs.writeFileSync(at('f'), '1');
  fs.mkdirSync(at('d'));
  const watchers = [
    fs.watch(root, told('root')), fs.watch(at('f'), told('f')), fs.watch(root, told('root again')), fs.watch(at('d'), told('d')),
  ];
  await step('append', () => fs.appendFileSync(at('f'), '2'));
  await step('overwrite', () => fs.writeFileSync(at('f'), '222'));
  await step('chmod', () => fs.chmodSync(at('f'), 0o600));
  await step('chmod of a directory', () => fs.chmodSync(at('d'), 0o700));
  await step('utimes', () => fs.utimesSync(at('f'), 1, 1));
  await step('truncate', () => fs.truncateSync(at('f'), 1));
  await step('link', () => fs.linkSync(at('f'), at('g')));
  await step('write by the other name', () => fs.writeFileSync(at('g'), 'gg'));
  await step('create', () => fs.writeFileSync(at('h'), ''));
  await step('create with content', () => fs.writeFileSync(at('h2'), 'some'));
  await step('rename', () => fs.renameSync(at('h'), at('h3')));
  await step('move into a directory', () => fs.renameSync(at('h3'), at('d', 'h3')));
  await step('write there', () => fs.appendFileSync(at('d', 'h3'), 'x'));
  await step('rename over', () => fs.renameSync(at('h2'), at('f')));
  await step('write what is now there', () => fs.writeFileSync(at('f'), 'x'));
  await step('unlink the last name', () => fs.unlinkSync(at('g')));
  await step('symlink', () => fs.symlinkSync('f', at('l')));
  await step('unlink', () => fs.unlinkSync(at('f')));
  await step('rm', () => fs.rmSync(at('d', 'h3')));
  await step('rmdir', () => fs.rmdirSync(at('d')));
  await step('come and go', () => {
    fs.writeFileSync(at('x'), '1');
    fs.unlinkSync(at('x'));
  });
  await step('unlink while open', () => {
    const fd = fs.openSync(at('y'), 'w');
    fs.watch(at('y'), told('y')).unref();
    fs.unlinkSync(at('y'));
    fs.writeSync(fd, 'abc');
    fs.closeSync(fd);
  });
  await step('the same five times', () => {
    for (let time = 0; time < 5; time++) fs.writeFileSync(at('z'), 'abc');
  });
  await step('in bytes', () => {
    watchers.push(fs.watch(root, 'buffer', (type, name) => log.push(`${type} ${name instanceof Buffer} ${name}`)));
    fs.writeFileSync(at('z'), 'abc');
  });
  for (const watcher of watchers) watcher.on('close', () => log.push('closed'));
  await step('close', () => {
    for (const watcher of watchers) watcher.close();
    for (const watcher of watchers) watcher.close();
    fs.writeFileSync(at('unseen'), '');
  });

  // A watcher may be closed by what it hears.
  await step('closed while told', () => {
    const first = fs.watch(root, () => {
      log.push('first');
      second.close();
    });
    const second = fs.watch(root, () => {
      log.push('second');
      first.close();
    });
    watchers.push(first, second);
    fs.writeFileSync(at('a'), '');
    fs.writeFileSync(at('b'), '');
  });
  for (const watcher of watchers) watcher.close();

  for (const [name, options] of [['none'], ['none', { recursive: true }]]) {
    try {
      fs.watch(at(name), options);
    } catch (error) {
      const { message, code, errno, syscall } = error;
      console.log(message.replace(root, ''), code, errno, syscall, Object.keys(error).sort(), error.filename.replace(root, ''));
    }
  }
  for (const args of [[1], [''], ['.', { persistent: 1 }], ['.', { recursive: 'yes' }], ['.', 'klingon']]) {
    try {
      fs.watch(...args).close();
      console.log('watches');
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }

  // The iterator.
  const controller = new AbortController();
  const heard = [];
  const iterating = (async () => {
    for await (const { eventType, filename } of fs.promises.watch(root, { signal: controller.signal })) {
      heard.push(`${eventType} ${filename}`);
      if (filename === 'last') controller.abort();
    }
  })();
  await null;
  fs.writeFileSync(at('first'), '');
  fs.writeFileSync(at('last'), '');
  await iterating.catch((error) => console.log(error.name, error.code, heard.join(', ')));

  // One that is not persistent does not keep the program.
  fs.watch(root, { persistent: false }, () => console.log('not heard of'));
  const kept = fs.watch(root).unref().ref();
  setImmediate(() => kept.close());
  process.on('exit', () => {
    fs.rmSync(root, { recursive: true });
    fs.rmSync(beside, { recursive: true });
  });
})();
