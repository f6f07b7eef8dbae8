// How a WebSocket is opened: a request to upgrade, and what the answer must be like.
'use strict';

const SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/// Asks a server to speak WebSocket. Calls back with a message that says what is wrong, or with the socket,
/// what it brought already, and what was agreed on. Gives a function that gives it up.
function open(url, protocols, extra, done) {
  const crypto = require('crypto');
  const key = crypto.randomBytes(16).toString('base64');
  const secure = url.protocol === 'wss:';
  const headers = [
    ['host', url.host],
    ['connection', 'upgrade'],
    ['upgrade', 'websocket'],
    ...extra,
    ['sec-websocket-key', key],
    ['sec-websocket-version', '13'],
  ];
  if (protocols.length > 0) headers.push(['sec-websocket-protocol', protocols.join(', ')]);
  headers.push(['sec-websocket-extensions', 'permessage-deflate; client_max_window_bits']);
  const given = extra.map(([name]) => name.toLowerCase());
  const rest = [
    ['accept', '*/*'], ['accept-language', '*'], ['sec-fetch-mode', 'websocket'], ['user-agent', 'node'], ['pragma', 'no-cache'],
    ['cache-control', 'no-cache'], ['accept-encoding', secure ? 'br, gzip, deflate' : 'gzip, deflate'],
  ];
  headers.push(...rest.filter(([name]) => !given.includes(name)));
  const request = require(secure ? 'https' : 'http').request({
    headers, agent: false, port: url.port === '' ? undefined : url.port, path: url.pathname + url.search,
    hostname: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname,
  });
  const refuse = (message = 'Received network error or non-101 status code.') => {
    done(message);
    request.destroy();
  };
  request.on('error', () => refuse());
  request.on('response', () => refuse());
  request.on('upgrade', (response, socket, head) => {
    const accept = crypto.createHash('sha1').update(key + SUFFIX).digest('base64');
    let agreed;
    try {
      agreed = agree(response.headers, accept, protocols);
    } catch (problem) {
      socket.destroy();
      done(problem.message);
      return;
    }
    done(undefined, socket, head, agreed);
  });
  request.end();
  return () => request.destroy();
}

/// What both sides agree on, or an error that says why they do not.
function agree(headers, accept, protocols) {
  if (headers.upgrade?.toLowerCase() !== 'websocket') throw new Error('Server did not set Upgrade header to "websocket".');
  if (headers.connection?.toLowerCase() !== 'upgrade') throw new Error('Server did not set Connection header to "upgrade".');
  if (headers['sec-websocket-accept']?.trim() !== accept) throw new Error('Incorrect hash received in Sec-WebSocket-Accept header.');
  const extensions = headers['sec-websocket-extensions'];
  const parameters = extensions === undefined ? undefined : parseExtensions(extensions);
  if (extensions !== undefined && parameters === undefined) throw new Error('Sec-WebSocket-Extensions header does not match.');
  const protocol = headers['sec-websocket-protocol'];
  if (protocol !== undefined && !protocols.includes(protocol)) throw new Error('Protocol was not set in the opening handshake.');
  if (protocol === undefined && protocols.length > 0) throw new Error('Server did not respond with sent protocols.');
  return { protocol: protocol ?? '', extensions: extensions ?? '', inflate: parameters && require('internal/websocket/inflate').makeInflate(parameters) };
}

/// The parameters of permessage-deflate, if that is all that the server wants.
function parseExtensions(header) {
  const [name, ...rest] = header.split(';').map((part) => part.trim());
  if (name.toLowerCase() !== 'permessage-deflate') return undefined;
  const parameters = new Map();
  for (const part of rest) {
    const [key, value = ''] = part.split('=').map((text) => text.trim());
    if (parameters.has(key)) return undefined;
    const isBits = key === 'server_max_window_bits' || key === 'client_max_window_bits';
    if (isBits ? !/^"?(?:[89]|1[0-5])"?$/.test(value) : !/^(?:server|client)_no_context_takeover$/.test(key)) return undefined;
    parameters.set(key, value);
  }
  return parameters;
}

module.exports = { open };
