// What a watcher of a whole tree hears.
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

(async () => {
  fs.mkdirSync(at('sub'));
  fs.writeFileSync(at('sub', 'old'), '1');
  fs.writeFileSync(at('top'), '1');
  const watcher = fs.watch(root, { recursive: true }, (type, name) => log.push(`${type} ${name}`));
  watcher.on('close', () => console.log('closed'));
  await step('nothing', () => {});
  await step('write top', () => fs.writeFileSync(at('top'), '22'));
  await step('append below', () => fs.appendFileSync(at('sub', 'old'), '22'));
  await step('create below', () => fs.writeFileSync(at('sub', 'new'), 'x'));
  await step('write it', () => fs.writeFileSync(at('sub', 'new'), 'xy'));
  await step('mkdir', () => fs.mkdirSync(at('sub', 'deep')));
  await step('create there', () => fs.writeFileSync(at('sub', 'deep', 'f'), 'x'));
  await step('mkdirs', () => fs.mkdirSync(at('a', 'b', 'c'), { recursive: true }));
  await step('create there', () => fs.writeFileSync(at('a', 'b', 'c', 'f'), 'x'));
  await step('chmod', () => fs.chmodSync(at('top'), 0o600));
  await step('chmod of a directory', () => fs.chmodSync(at('sub'), 0o700));
  await step('rename', () => fs.renameSync(at('sub', 'new'), at('sub', 'other')));
  await step('write by the new name', () => fs.appendFileSync(at('sub', 'other'), 'x'));
  await step('unlink', () => fs.unlinkSync(at('top')));
  await step('remove a tree', () => fs.rmSync(at('a'), { recursive: true }));
  await step('symlink', () => fs.symlinkSync('sub', at('link')));
  await step('unlink it', () => fs.unlinkSync(at('link')));
  watcher.close();
  await step('close', () => fs.writeFileSync(at('sub', 'unseen'), ''));

  const one = fs.watch(at('sub', 'old'), { recursive: true }, (type, name) => log.push(`${type} ${name}`));
  await step('a file', () => fs.writeFileSync(at('sub', 'old'), '3'));
  await step('a file that goes', () => fs.unlinkSync(at('sub', 'old')));
  one.close();
  fs.rmSync(root, { recursive: true });
  fs.rmSync(beside, { recursive: true });
})();
