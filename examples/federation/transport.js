// The transport to the broker that the environment names: mqtt://host:port or nats://host:port.
import { mqtt, nats } from 'hemiola:federation';

export async function connect(url = process.env.BROKER ?? 'mqtt://127.0.0.1:1883') {
  if (url.startsWith('nats:')) {
    const connection = await (await import('nats')).connect({ servers: url.slice('nats://'.length) });
    return { transport: nats(connection), end: () => connection.close() };
  }
  const client = (await import('mqtt')).default.connect(url, { reconnectPeriod: 100 });
  return { transport: mqtt(client), end: () => client.endAsync() };
}

/// Shows a line to whoever reads it, and to whoever checks the run.
export function show(line) {
  console.log(line);
  obs(line);
}
