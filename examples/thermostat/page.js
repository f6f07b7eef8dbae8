// The page that shows the state, and the buttons that make faults.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';

const BUSY_MS = 2900;

export class Page {
  #control;
  #house;
  #server = http.createServer((request, response) => this.#answer(request, response));
  #watchers = new Set();
  #html;

  constructor(control, house) {
    this.#control = control;
    this.#house = house;
    control.on('step', (state) => {
      for (const response of this.#watchers) this.#send(response, state);
    });
  }

  async listen(port) {
    this.#html = await readFile(new URL('page.html', import.meta.url));
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/`;
  }

  async close() {
    for (const response of this.#watchers) response.end();
    this.#server.close();
    this.#server.closeIdleConnections();
    await once(this.#server, 'close');
  }

  #answer(request, response) {
    const { method } = request;
    const [first, ...rest] = request.url.split('/').slice(1);
    if (method === 'GET' && first === '') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(this.#html);
    } else if (method === 'GET' && first === 'state') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(this.#control.state));
    } else if (method === 'GET' && first === 'events') {
      this.#watch(response);
    } else if (method === 'POST' && this.#makeFault(first, ...rest)) {
      response.writeHead(204).end();
    } else {
      response.writeHead(404).end('there is nothing here; see /, /state and /events\n');
    }
  }

  // The browser is told of every step, for as long as it looks (server-sent events).
  #watch(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#send(response, this.#control.state);
    this.#watchers.add(response);
    response.on('close', () => this.#watchers.delete(response));
  }

  #send(response, state) {
    response.write(`data: ${JSON.stringify(state)}\n\n`);
  }

  #makeFault(name, room) {
    if (name === 'silence' || name === 'heal') return this.#house.silence(room, name === 'silence');
    if (name !== 'overload') return false;
    this.#house.overload(BUSY_MS);
    return true;
  }
}
