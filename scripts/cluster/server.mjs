// A PostgreSQL server of one's own, on a socket in a temporary folder, and a proxy before it that loses connections.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOCKET = '.s.PGSQL.5432';
const LIBRARY = '/usr/lib/postgresql';

/// The folder of the newest version's programs.
const programs = () => join(LIBRARY, readdirSync(LIBRARY).sort((a, b) => Number(b) - Number(a))[0], 'bin');

const isRoot = process.getuid() === 0;
// The server refuses to be root.
const unprivileged = (command, args) => (isRoot
  ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--', command, ...args]]
  : [command, args]);

export class Server {
  constructor(name, { settings = '' } = {}) {
    this.folder = mkdtempSync(join(tmpdir(), `hemiola-${name}-`));
    if (isRoot) chownSync(this.folder, ...this.#owner());
    this.#run('initdb', ['-A', 'trust', '-U', 'test', '--no-sync', '-E', 'UTF8', '--locale=C', '-D', this.#data]);
    writeFileSync(join(this.#data, 'postgresql.auto.conf'), `listen_addresses = ''\nmax_connections = 200\n${settings}\n`);
    this.begin();
    // It ends with whoever started it, however that ends.
    const end = `cat > /dev/null; "${programs()}/pg_ctl" stop -m immediate -D "${this.#data}"; cd /; rm -rf "${this.folder}"`;
    const [command, args] = unprivileged('sh', ['-c', end]);
    this.warden = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    this.warden.unref();
  }

  #owner() {
    const number = (flag) => Number(execFileSync('id', [flag, 'postgres']).toString());
    return [number('-u'), number('-g')];
  }

  get #data() {
    return join(this.folder, 'data');
  }

  #run(program, args) {
    const [command, words] = unprivileged(join(programs(), program), args);
    return execFileSync(command, words, { cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
  }

  begin() {
    const options = `-k ${this.folder}`;
    const [command, words] = unprivileged(join(programs(), 'pg_ctl'), ['start', '-w', '-s', '-D', this.#data, '-o', options, '-l', join(this.folder, 'log')]);
    // What stays behind must not keep anybody waiting who reads what is said.
    execFileSync(command, words, { cwd: this.folder, stdio: 'ignore' });
  }

  stop(mode = 'fast') {
    this.#run('pg_ctl', ['stop', '-w', '-s', '-m', mode, '-D', this.#data]);
  }

  sql(database, text) {
    return this.#run('psql', ['-h', this.folder, '-U', 'test', '-d', database, '-qAtc', text]).trim();
  }

  address(folder = this.folder, database = 'test') {
    return `postgres://test@/${database}?host=${folder}`;
  }

  end() {
    this.warden.stdin.end();
  }
}

/// Stands between one node and the server, and cuts.
export class Proxy {
  #connections = new Set();
  #isCut = false;

  constructor(server, name) {
    this.folder = join(server.folder, name);
    mkdirSync(this.folder, { recursive: true });
    this.listener = net.createServer((near) => {
      if (this.#isCut) return near.destroy();
      const far = net.connect(join(server.folder, SOCKET));
      this.#connections.add(near).add(far);
      for (const [one, other] of [[near, far], [far, near]]) {
        one.on('error', () => {});
        one.on('close', () => { this.#connections.delete(one); other.destroy(); });
        // What is not read while it is cut is lost with the connection.
        one.on('data', (bytes) => { if (!this.#isCut) other.write(bytes); });
      }
    }).listen(join(this.folder, SOCKET));
  }

  /// Loses all connections; `ms` later new ones are let in. With `silently` nobody is told before.
  cut(ms, silently) {
    this.#isCut = true;
    if (!silently) this.#destroy();
    setTimeout(() => {
      if (silently) this.#destroy();
      this.#isCut = false;
    }, ms);
  }

  #destroy() {
    for (const one of this.#connections) one.destroy();
  }

  end() {
    this.listener.close();
    this.#destroy();
  }
}

export function finish(folder) {
  rmSync(folder, { recursive: true, force: true });
}
