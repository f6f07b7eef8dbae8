// Adds one to the number, three times. Who reads and then sets it loses what others set between, unless the server
// is told what was read.
const isCareful = process.argv.includes('--careful');

async function add() {
  const value = await (await fetch('http://counter/')).text();
  const headers = isCareful ? { 'if-match': value } : {};
  const answer = await fetch('http://counter/', { method: 'PUT', body: String(Number(value) + 1), headers });
  if (answer.status === 412) await add();
}

(async () => {
  for (let count = 0; count < 3; count += 1) {
    await add();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  obs('done');
})();
