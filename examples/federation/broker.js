// A broker for the fleets: aedes, unmodified.
import net from 'node:net';
import { Aedes } from 'aedes';

const broker = await Aedes.createBroker({ id: 'broker' });
net.createServer(broker.handle).listen(1883);
