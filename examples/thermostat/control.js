// The control loop. Its steps are actions of a labelled clock: every second of that clock has one, and a step
// sees the readings that came before it. A step that comes too late is not worth trusting: the deadline handler
// turns all heaters off first.
import { EventEmitter } from 'node:events';
import { clock } from 'hemiola:clock';

const PERIOD_MS = 1000;
const DEADLINE_MS = 250;
const SILENT_MS = 3000;
const WANTED = 20;
const TOLERANCE = 0.5;

/// Emits `step` after every step.
export class Control extends EventEmitter {
  #clock = clock('control');
  #rooms;
  #log;
  #lateMs = 0;
  #originMs = 0;

  constructor(client, names, log) {
    super();
    this.client = client;
    this.#log = log;
    this.#rooms = names.map((name) => ({ name, celsius: null, heardMs: 0, heating: false, problem: null }));
    client.on('message', (topic, payload) => {
      const room = this.#rooms.find(({ name }) => topic === `temperature/${name}`);
      if (room === undefined) return;
      room.celsius = Number(payload);
      room.heardMs = this.#clock.now() ?? 0;
    });
  }

  listen() {
    return this.client.subscribeAsync('temperature/+');
  }

  start() {
    // Steps that were missed altogether are not made up for: only the last of them counts.
    this.#clock.policy('latest');
    this.#clock.deadline(DEADLINE_MS, (lag) => this.#late(lag));
    this.#clock.setInterval(() => this.#step(), PERIOD_MS);
    this.#originMs = this.#clock.now();
  }

  stop() {
    this.#clock.close();
  }

  get state() {
    const rooms = this.#rooms.map(({ name, celsius, heating, problem }) => ({ name, celsius, heating, problem }));
    return { second: this.#second, wanted: WANTED, lateMs: this.#lateMs, missed: this.#clock.skipped(), rooms };
  }

  get #second() {
    return ((this.#clock.now() ?? this.#originMs) - this.#originMs) / 1000;
  }

  #tell(text) {
    this.#log(`${this.#second} s: ${text}`);
  }

  // Comes before a step that is later than its deadline.
  #late(lag) {
    this.#lateMs = lag;
    this.#tell(`the next step is late by ${lag} ms`);
    for (const room of this.#rooms) this.#heat(room, false);
  }

  #step() {
    if (this.#lateMs > 0) {
      this.#tell(`nothing is decided, ${this.#clock.skipped()} steps were missed so far`);
    } else {
      for (const room of this.#rooms) this.#decide(room);
    }
    this.emit('step', this.state);
    this.#lateMs = 0;
  }

  #decide(room) {
    const isSilent = this.#clock.now() - room.heardMs > SILENT_MS;
    const problem = isSilent ? 'the sensor is silent' : null;
    if (problem !== room.problem) this.#tell(`${room.name}: ${problem ?? 'the sensor is back'}`);
    room.problem = problem;
    if (isSilent || room.celsius === null) this.#heat(room, false);
    else if (room.celsius < WANTED - TOLERANCE) this.#heat(room, true);
    else if (room.celsius > WANTED + TOLERANCE) this.#heat(room, false);
  }

  #heat(room, heating) {
    if (room.heating === heating) return;
    room.heating = heating;
    this.client.publish(`heater/${room.name}`, heating ? 'on' : 'off');
    this.#tell(`${room.name}: ${room.celsius}°, heater ${heating ? 'on' : 'off'}`);
  }
}
