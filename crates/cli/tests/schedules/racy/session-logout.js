// A request checks the session, reads something and uses the session.
// Race: the user may log out in between.
'use strict';
const fs = require('fs/promises');

const sessions = { s1: { user: 'ada' } };

async function handle(id) {
  if (!(id in sessions)) return 'log in first';
  await fs.stat('.');
  await fs.readdir('.');
  return sessions[id].user.toUpperCase();
}

handle('s1');
setTimeout(() => { delete sessions.s1; }, 120);
