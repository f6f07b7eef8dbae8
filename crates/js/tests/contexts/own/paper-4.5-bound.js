// Section 4.5 of the paper, with the three calls added: every callback has the context of its query.
const { AsyncLocalStorage } = require('async_hooks');
const { EventEmitter } = require('events');
const { bindLink, bindCausal, unpack, label, linkChain } = require('hemiola:context');
const request = new AsyncLocalStorage();
const BUFFER_SIZE = 2;

function openDB() {
  const connection = new EventEmitter();
  connection.sendQueries = (queries) => setTimeout(() => {
    label('response');
    connection.emit('response', queries.map(({ query, cb }) => ({ cb, data: `result of ${query}` })));
  }, 10);
  return connection;
}

let pending = [];
function query(q, cb) {
  pending.push({ query: q, cb: bindCausal(bindLink(cb)) });
  if (pending.length === BUFFER_SIZE) {
    dbConn.sendQueries(pending);
    pending = [];
  }
}
function process(results) {
  for (let i = 0; i < results.length; i++) {
    const res = results[i];
    unpack(res.cb)(res.data);
  }
}
const dbConn = openDB('database');
dbConn.on('response', process);

label('global');
for (const name of ['first', 'second']) {
  setTimeout(() => request.run(name, () => {
    label(name);
    query(name, (data) => {
      console.log(data, 'in request', request.getStore(), 'by', linkChain().map(({ label }) => label).join(' -> '));
    });
  }), 1);
}
