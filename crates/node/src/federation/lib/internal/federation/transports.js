// Transports: how members reach each other. Each is a small adapter around a client of the program's own.
//
// A transport has a method `connect(federation, { receive, failed })`. It gives an object, or a promise of one, with
// `send(text)`, which gives a text to all members of that federation, and `close()`. `receive(text)` is called with what
// others sent, `failed(error)` when nothing can come any more. A member may also get its own texts. Texts may come twice,
// out of order, or not at all: members number them and ask again.
'use strict';

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');

/// Between members in one process, its workers included.
function memory() {
  return {
    connect(federation, { receive }) {
      const { BroadcastChannel } = require('internal/messaging/broadcast');
      const channel = new BroadcastChannel(`hemiola:federation/${federation}`);
      channel.onmessage = ({ data }) => receive(data);
      return {
        send(text) { channel.postMessage(text); },
        close() { channel.close(); },
      };
    },
  };
}

// Names may have any characters, and topics have some that mean something.
const escaped = (name) => encodeURIComponent(name).replaceAll('.', '%2E').replaceAll('*', '%2A');

function needs(client, name, methods) {
  for (const method of methods) {
    if (typeof client?.[method] !== 'function') throw new ERR_INVALID_ARG_TYPE('client', name, client);
  }
}

/// Over a client of the package mqtt, which stays connected to its broker by itself.
function mqtt(client) {
  needs(client, 'MqttClient', ['publish', 'subscribeAsync', 'unsubscribe', 'on', 'removeListener']);
  return {
    async connect(federation, { receive, failed }) {
      const topic = `hemiola/federation/${escaped(federation)}`;
      const onMessage = (from, payload) => {
        if (from === topic) receive(payload.toString());
      };
      const onEnd = () => failed();
      client.on('message', onMessage);
      client.on('end', onEnd);
      await client.subscribeAsync(topic, { qos: 1 });
      return {
        send(text) {
          // What does not arrive is asked for again, or comes with the next state.
          client.publish(topic, text, { qos: 1 }, () => {});
        },
        close() {
          client.removeListener('message', onMessage);
          client.removeListener('end', onEnd);
          if (client.connected) client.unsubscribe(topic, () => {});
        },
      };
    },
  };
}

/// Over a connection of the package nats, which connects again by itself.
function nats(connection) {
  needs(connection, 'NatsConnection', ['publish', 'subscribe', 'flush', 'closed', 'isClosed']);
  return {
    async connect(federation, { receive, failed }) {
      const subject = `hemiola.federation.${escaped(federation)}`;
      const decoder = new (require('internal/encoding').TextDecoder)();
      const encoder = new (require('internal/encoding').TextEncoder)();
      let isOpen = true;
      const subscription = connection.subscribe(subject, {
        callback(error, message) {
          if (error === null || error === undefined) receive(decoder.decode(message.data));
        },
      });
      connection.closed().then((error) => { if (isOpen) failed(error ?? undefined); });
      await connection.flush();
      return {
        send(text) {
          if (!connection.isClosed()) connection.publish(subject, encoder.encode(text));
        },
        close() {
          isOpen = false;
          if (!connection.isClosed()) subscription.unsubscribe();
        },
      };
    },
  };
}

module.exports = { memory, mqtt, nats };
