// Pays once in a second, and tries again as long as it hears nothing.
let number = 0;

async function pay(mine) {
  try {
    const body = JSON.stringify({ number: mine });
    const answer = await fetch('http://bank/', { method: 'POST', body, signal: AbortSignal.timeout(500) });
    await answer.text();
  } catch {
    setTimeout(pay, 200, mine);
  }
}
setInterval(() => pay((number += 1)), 1000);
