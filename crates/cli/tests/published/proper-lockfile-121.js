// Two find a stale lock. One removes it and locks; the other removes that lock and locks as well.
// published: https://github.com/moxystudio/node-proper-lockfile/issues/121
// buggy: proper-lockfile@4.1.2
// repaired: @bybrave/proper-lockfile2@5.0.0
// race: lib/lockfile.js:29 lib/lockfile.js:90
const fs = require('node:fs');
const { lock } = require(process.argv[2]);

fs.writeFileSync('app', '');
fs.mkdirSync('app.lock');
let holders = 0;
const take = () => lock('app', { stale: 2000, onCompromised() {} }).then(() => {
  if (++holders === 2) {
    console.error('two hold the lock');
    process.exit(1);
  }
}, () => {});
setTimeout(() => { take(); take(); }, 5000);
