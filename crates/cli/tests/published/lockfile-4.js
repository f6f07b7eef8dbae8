// Two find a stale lock. One removes it and locks; the other removes that lock and locks as well.
// published: https://github.com/npm/lockfile/issues/4
// buggy: lockfile@0.4.2
// repaired: lockfile@1.0.4
// race, quickly: lockfile.js:61 lockfile.js:156
const fs = require('node:fs');
const lockfile = require(process.argv[2]);

fs.writeFileSync('app.lock', '');
let holders = 0;
const lock = () => lockfile.lock('app.lock', { stale: 1000 }, (error) => {
  if (error || ++holders === 1) return;
  console.error('two hold the lock');
  process.exit(1);
});
setTimeout(() => { lock(); lock(); }, 2000);
