// Inputs, one after the other, for a program that reads them: each as its length in four bytes, and the bytes.
'use strict';

const wrong = (what) => process.stdout.write(`!${String(what).replaceAll('\n', ' | ')}\n`);

process.on('uncaughtException', (error) => {
  wrong(`uncaught: ${error?.stack ?? error}`);
  process.exit(1);
});

/// Calls `take(input)` for each input and waits for what it returns.
async function each(take) {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  let at = 0;
  for (let number = 0; at < all.length; number++) {
    const length = all.readUInt32LE(at);
    const input = all.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    process.stdout.write(`@${number}\n`);
    await take(input);
  }
  process.stdout.write('.\n');
  process.exit(0);
}

/// Rejects when a promise takes longer than so many seconds, which cost nothing here.
function within(seconds, promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/// Sends bytes in up to three pieces: where they are cut follows from how many there are.
function send(socket, bytes) {
  const first = bytes.length % 7 === 0 ? bytes.length : Math.floor(bytes.length / 3);
  const second = Math.floor((bytes.length + first) / 2);
  for (const piece of [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]) {
    if (piece.length > 0) socket.write(piece);
  }
}

module.exports = { each, send, within, wrong };
