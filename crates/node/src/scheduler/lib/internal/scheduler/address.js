// The address of a database: `postgres://user:password@host:port/database?sslmode=…`.
'use strict';

const { StoreError } = require('internal/scheduler/declared');

const PORT = 5432;
const MODES = ['disable', 'prefer', 'require', 'verify-full'];
const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert'];

/// Whether a store is a database that several nodes share; else it is a file.
const isAddress = (store) => /^postgres(ql)?:\/\//.test(store);

const wrong = (message) => new StoreError('ERR_STORE_ADDRESS', `options.store: ${message}`);

/// What an address says. Its password stands alone: it is in no message and in no recording.
function readAddress(text) {
  let url;
  try {
    // Other clients of PostgreSQL take a user without a host, which stands among the parameters.
    url = new URL(text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost'));
  } catch {
    // The address itself may have a password in it.
    throw wrong('it is no address such as postgres://user@host:5432/database');
  }
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.includes(name)) throw wrong(`there is no parameter ${name}; there are ${PARAMETERS.join(', ')}`);
  }
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  const port = Number(url.searchParams.get('port') ?? (url.port || PORT));
  if (!(Number.isInteger(port) && port > 0 && port < 65_536)) throw wrong('the port is a number from 1 to 65535');
  const sslmode = url.searchParams.get('sslmode') ?? 'prefer';
  if (!MODES.includes(sslmode)) throw wrong(`sslmode is one of ${MODES.join(', ')}`);
  const user = decodeURIComponent(url.username) || process.env.PGUSER;
  if (!user) throw wrong('it names no user: write postgres://user@host/database');
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  const password = decodeURIComponent(url.password) || process.env.PGPASSWORD;
  const root = url.searchParams.get('sslrootcert');
  const isLocal = host.startsWith('/');
  const place = isLocal ? { path: `${host}/.s.PGSQL.${port}`, directory: host, port } : { host: host || 'localhost', port };
  const label = `postgres://${user}@${isLocal ? place.path : `${place.host}:${port}`}/${database}`;
  return {
    place, password, label,
    options: {
      user, database, sslmode, label,
      ...(root === null ? {} : { ca: require('fs').readFileSync(root, 'utf8') }),
    },
  };
}

module.exports = { isAddress, readAddress };
