// Exit codes of which a system hands on the last byte only.
const { fork, spawnSync } = require('child_process');

if (process.argv[2] !== undefined) process.exit(Number(process.argv[2]));
const codes = [0, 1, 255, 256, 257, -1, -256];
for (const code of codes) console.log('waited for', code, spawnSync(process.execPath, [__filename, code]).status);
(async () => {
  for (const code of codes) {
    await new Promise((resolve) => {
      fork(__filename, [`${code}`]).on('close', (...how) => {
        console.log('beside', code, ...how);
        resolve();
      });
    });
  }
})();
