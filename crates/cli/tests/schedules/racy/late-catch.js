// A promise is made early and awaited late, to do two things at once.
// Race: if it is rejected during the first await, nobody handles it yet.
'use strict';
const { stat } = require('fs/promises');

const connect = () => new Promise((_, reject) => {
  setTimeout(() => reject(new Error('refused')), 50);
});

async function start() {
  const connection = connect();
  await stat('.');
  try {
    await connection;
  } catch {
    // Goes on without it.
  }
}
start();
