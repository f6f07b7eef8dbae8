// Sends one number after the other, each until it is taken.
let number = 1;

setInterval(async () => {
  const mine = number;
  const answer = await fetch(`http://store/${mine}`, { signal: AbortSignal.timeout(400) }).catch(() => undefined);
  if (!answer?.ok) return;
  obs(`taken ${mine}`);
  number = mine + 1;
}, 500);
