// The standard streams when they are terminals: tty.WriteStream and tty.ReadStream.
// Uses binding.streamKind, setRaw, windowSize.
'use strict';

const process = require('internal/process');
const { StandardStream } = require('internal/process/stdio');
const { StandardInput } = require('internal/process/stdin');
const { errnoException } = require('internal/errors');

// Of what is no terminal only files are refused, as in Node.
function checkTerminal(fd) {
  const { codes: { ERR_INVALID_FD, ERR_TTY_INIT_FAILED } } = require('internal/errors');
  if (!Number.isInteger(fd) || fd < 0 || fd > 2147483647) throw new ERR_INVALID_FD(fd);
  if (binding.streamKind(fd) === 'fs') {
    throw new ERR_TTY_INIT_FAILED({ errno: -22, code: 'EINVAL', message: 'invalid argument', syscall: 'uv_tty_init' });
  }
}

class WriteStream extends StandardStream {
  constructor(fd) {
    checkTerminal(fd);
    super(fd, 'tty');
    this.isTTY = true;
    // The signal is asked for when somebody wants to hear of it; the size is always the present one.
    const onNewListener = (event) => {
      if (event !== 'resize') return;
      this.removeListener('newListener', onNewListener);
      this.#watchSize();
    };
    this.on('newListener', onNewListener);
  }

  #watchSize() {
    let before = `${this.getWindowSize()}`;
    process.on('SIGWINCH', () => {
      const now = `${this.getWindowSize()}`;
      if (now === before) return;
      before = now;
      this.emit('resize');
    });
  }

  getWindowSize() {
    return [this.columns, this.rows];
  }

  getColorDepth(env) {
    return require('internal/process/colors').getColorDepth(env);
  }

  hasColors(count, env) {
    return require('internal/process/colors').hasColors(count, env);
  }

  clearLine(direction, callback) {
    return require('internal/readline/cursor').clearLine(this, direction, callback);
  }

  clearScreenDown(callback) {
    return require('internal/readline/cursor').clearScreenDown(this, callback);
  }

  cursorTo(x, y, callback) {
    return require('internal/readline/cursor').cursorTo(this, x, y, callback);
  }

  moveCursor(dx, dy, callback) {
    return require('internal/readline/cursor').moveCursor(this, dx, dy, callback);
  }
}

// Tests of programs set a size of their own.
for (const [at, name] of ['columns', 'rows'].entries()) {
  Object.defineProperty(WriteStream.prototype, name, {
    __proto__: null,
    configurable: true,
    get() { return this.fd === undefined ? undefined : binding.windowSize(this.fd)?.[at] ?? [80, 24][at]; },
    set(value) { Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value }); },
  });
}

class ReadStream extends StandardInput {
  constructor(fd) {
    checkTerminal(fd);
    super(fd, 'tty');
    this.isTTY = true;
    this.isRaw = false;
  }

  setRawMode(flag) {
    flag = Boolean(flag);
    const errno = binding.setRaw(flag);
    if (errno !== 0) this.emit('error', errnoException(-errno, 'setRawMode'));
    else this.isRaw = flag;
    return this;
  }
}

module.exports = { ReadStream, WriteStream };
