// Lines that were typed in, kept in a file for the next time: the last one first, for nobody else to read.
'use strict';

const path = require('path');

class History {
  #file;
  #isOver = false;
  #told;

  constructor(file, told) {
    this.#file = file;
    this.#told = told;
  }

  /// The lines of the last time; none if there is no file yet.
  read(most) {
    try {
      const text = require('fs').readFileSync(this.#file, 'utf8');
      return text.split('\n').filter((line) => line !== '').slice(0, most);
    } catch (error) {
      if (error.code !== 'ENOENT') this.#give(error);
      return [];
    }
  }

  write(lines) {
    if (this.#isOver) return;
    const fs = require('fs');
    try {
      fs.mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      // What others write meanwhile is not mixed with it.
      const next = `${this.#file}.${require('internal/process').pid}`;
      fs.writeFileSync(next, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
      fs.renameSync(next, this.#file);
    } catch (error) {
      this.#give(error);
    }
  }

  // Nothing is kept from now on; that is said once.
  #give(error) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#told(error);
  }
}

module.exports = { History };
