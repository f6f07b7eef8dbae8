// No user and no group has a negative number: a child that should be started as one of them is not started, and above
// all not as root.
'use strict';
const { execFileSync, spawn, spawnSync } = require('node:child_process');

for (const ids of [{ uid: -1 }, { gid: -1 }, { uid: -1, gid: -1 }]) {
  const { error, pid, status, stdout } = spawnSync('id', ['-u'], ids);
  console.log(ids, error?.code, error?.syscall, error?.message, pid, status, stdout);
  for (const start of [spawn, execFileSync]) {
    try {
      console.log(start('id', ['-u'], ids));
    } catch ({ code, syscall, message }) {
      console.log(start.name, code, syscall, message);
    }
  }
}
for (const uid of [2 ** 31, -(2 ** 31) - 1, 1.5, '0']) {
  try {
    spawnSync('id', ['-u'], { uid });
  } catch (error) {
    console.log(error.message);
  }
}
const [uid, gid] = [process.getuid(), process.getgid()];
console.log(String(spawnSync('id', ['-u'], { uid, gid }).stdout) === `${uid}\n`);
