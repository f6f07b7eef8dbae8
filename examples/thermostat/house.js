// The rooms: a sensor in each tells how warm it is, and a heater does what it is told. Both speak MQTT and
// could be anywhere; here they are simulated, with the faults that real ones have.
import { clock, spend } from 'hemiola:clock';

const PERIOD_MS = 1000;
// Sensors measure between two steps of the control loop.
const PHASE_MS = 500;
const OUTSIDE = 5;
const LOSS = 0.02;
const HEAT = 0.5;

export class House {
  #clock = clock('house');
  #rooms;
  #busyMs = 0;

  constructor(client, rooms) {
    this.client = client;
    this.#rooms = Object.entries(rooms).map(([name, celsius]) => ({ name, celsius, heating: false, silent: false }));
    client.on('message', (topic, payload) => {
      const room = this.#rooms.find(({ name }) => topic === `heater/${name}`);
      if (room !== undefined) room.heating = `${payload}` === 'on';
    });
  }

  listen() {
    return this.client.subscribeAsync('heater/+');
  }

  start() {
    this.#clock.setTimeout(() => {
      this.#measure();
      this.#clock.setInterval(() => this.#measure(), PERIOD_MS);
    }, PHASE_MS);
  }

  stop() {
    this.#clock.close();
  }

  /// Makes the sensor of a room silent, or heals it.
  silence(name, silent) {
    const room = this.#rooms.find((one) => one.name === name);
    if (room !== undefined) room.silent = silent;
    return room !== undefined;
  }

  /// Keeps the computer busy for so long, from the next measurement on.
  overload(ms) {
    this.#busyMs = ms;
  }

  #measure() {
    for (const room of this.#rooms) {
      room.celsius += (room.heating ? HEAT : 0) - LOSS * (room.celsius - OUTSIDE);
      if (!room.silent) this.client.publish(`temperature/${room.name}`, room.celsius.toFixed(1));
    }
    const busyMs = this.#busyMs;
    this.#busyMs = 0;
    if (busyMs > 0) spend(busyMs);
  }
}
