// Asks for a token once in a second and looks at once whether it holds: by its own clock, or, if careful, by how long
// it has had it.
const isCareful = process.argv.includes('--careful');

setInterval(async () => {
  const got = performance.now();
  const answer = await fetch('http://issuer/').catch(() => undefined);
  if (!answer) return;
  const until = Number(await answer.text());
  const holds = isCareful ? performance.now() - got < 5000 : Date.now() < until;
  obs(holds ? 'good' : 'expired');
}, 1000);
