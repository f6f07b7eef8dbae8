// Two clients that read, add and write: explored over all orders.
const fs = require('fs').promises;
async function add() {
  const count = Number(await fs.readFile('/tmp/count', 'utf8'));
  await fs.writeFile('/tmp/count', String(count + 1));
}
(async () => {
  await fs.writeFile('/tmp/count', '0');
  await Promise.all([add(), add()]);
  console.log(await fs.readFile('/tmp/count', 'utf8'));
})();
