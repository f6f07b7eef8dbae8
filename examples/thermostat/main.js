// Starts all of it: the broker, the rooms, the control loop and the page. Ports may be given:
// hemiola run main.js [PAGE [BROKER]]
import { once } from 'node:events';
import net from 'node:net';
import { pathToFileURL } from 'node:url';
import { Aedes } from 'aedes';
import mqtt from 'mqtt';
import { Control } from './control.js';
import { House } from './house.js';
import { Page } from './page.js';

/// The rooms, and how warm they are when all begins.
const ROOMS = { kitchen: 18, bath: 20.5 };

/// Gives the address of the page, and a function that ends everything.
export async function start({ pagePort = 8080, brokerPort = 1883, log = console.log } = {}) {
  const broker = await Aedes.createBroker({ id: 'broker' });
  const listener = net.createServer(broker.handle).listen(brokerPort, '127.0.0.1');
  await once(listener, 'listening');
  const url = `mqtt://127.0.0.1:${listener.address().port}`;
  const connect = (clientId) => mqtt.connectAsync(url, { clientId, reconnectPeriod: 1000 });

  const house = new House(await connect('house'), ROOMS);
  const control = new Control(await connect('control'), Object.keys(ROOMS), log);
  const page = new Page(control, house);
  await Promise.all([house.listen(), control.listen(), page.listen(pagePort)]);
  // Both clocks begin at one instant, and nothing comes between.
  house.start();
  control.start();
  log(`the page is at ${page.url}`);

  return {
    url: page.url,
    async stop() {
      house.stop();
      control.stop();
      await page.close();
      await Promise.all([house.client.endAsync(), control.client.endAsync()]);
      await new Promise((done) => broker.close(done));
      listener.close();
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [pagePort, brokerPort] = process.argv.slice(2).map(Number);
  await start({ pagePort, brokerPort });
}
