// A transport of datagrams: they may be lost, doubled and reordered.
import dgram from 'node:dgram';

const PORT = 7000;

export function udp(hosts) {
  return {
    connect(federation, { receive }) {
      const socket = dgram.createSocket('udp4');
      socket.on('message', (data) => {
        const { name, text } = JSON.parse(data);
        if (name === federation) receive(text);
      });
      return new Promise((resolve) => {
        socket.bind(PORT, () => resolve({
          send(text) {
            const data = JSON.stringify({ name: federation, text });
            for (const host of hosts) socket.send(data, PORT, host, () => {});
          },
          close() { socket.close(); },
        }));
      });
    },
  };
}
