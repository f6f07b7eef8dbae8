// A line that is edited in a terminal: keys change it, and what the terminal shows follows (rules READLINE-14 and READLINE-15).
'use strict';

const { cursorTo, moveCursor, clearScreenDown } = require('internal/readline/cursor');
const { getStringWidth } = require('internal/util/inspect');

const MOST_UNDONE = 2048;

/// How far the character before, or behind, a place in a text is.
const before = (text, at) => (at > 1 && /[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 2, at)) ? 2 : at > 0 ? 1 : 0);
const behind = (text, at) => [...text.slice(at, at + 2)][0]?.length ?? 0;

/// Where the cursor of a terminal is after a text.
function placeOf(text, columns, tabSize) {
  let [rows, column] = [0, 0];
  for (const character of text.replace(/\u001b\[[\d;]*[A-Za-z]/g, '')) {
    if (character === '\n') {
      rows += Math.ceil(column / columns) || 1;
      column = 0;
    } else if (character === '\t') {
      column += tabSize - (column % tabSize);
    } else {
      const width = getStringWidth(character, false);
      // What is wide does not begin in the last column.
      if (width === 2 && (column + 1) % columns === 0) column += 1;
      column += width;
    }
  }
  return columns === Infinity ? { cols: column, rows } : { cols: column % columns, rows: rows + Math.floor(column / columns) };
}

class Editor {
  // The interface, which has the line and the cursor in it.
  #one;
  // How many rows the cursor is below the first one of the prompt.
  #rows = 0;
  // Which line of the history is shown; -1 is the one that is being written, which is kept meanwhile.
  #index = -1;
  #written = '';
  #undone = [];
  #redone = [];
  // What was cut out, the last first, and which of it was put in last.
  #cut = [];
  #pasted;
  // The key before was a tab.
  #isTabbed = false;
  #sawReturn = false;

  constructor(one) {
    this.#one = one;
  }

  /// Shows the prompt and the line anew.
  refresh() {
    const { output, line } = this.#one;
    const text = this.#one.getPrompt() + line;
    const end = this.#place(text);
    const cursor = this.cursorPlace();
    if (this.#rows > 0) moveCursor(output, 0, -this.#rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    this.#one._writeToOutput(text);
    // A terminal begins the next row only when something is in it.
    if (end.cols === 0) this.#one._writeToOutput(' ');
    cursorTo(output, cursor.cols);
    if (end.rows > cursor.rows) moveCursor(output, 0, cursor.rows - end.rows);
    this.#rows = cursor.rows;
  }

  cursorPlace() {
    const { line, cursor } = this.#one;
    return this.#place(this.#one.getPrompt() + line.slice(0, cursor));
  }

  #place(text) {
    return placeOf(text, this.#one.columns, this.#one.tabSize);
  }

  /// Forgets where the prompt was: the next one begins below.
  leave() {
    this.#rows = 0;
  }

  /// Takes a text that was typed in.
  insert(text) {
    this.#keep();
    const { line, cursor } = this.#one;
    this.#one.line = line.slice(0, cursor) + text + line.slice(cursor);
    this.#one.cursor = cursor + text.length;
    const isAtEnd = cursor === line.length;
    if (!isAtEnd || text.includes('\n')) {
      this.refresh();
      return;
    }
    const { rows, cols } = this.cursorPlace();
    if (rows > this.#rows && cols === 0) this.refresh();
    else this.#one._writeToOutput(text);
    this.#rows = rows;
  }

  /// Sets the whole line.
  replace(line, cursor = line.length) {
    this.#one.line = line;
    this.#one.cursor = cursor;
    this.refresh();
  }

  #keep() {
    const { line, cursor } = this.#one;
    this.#undone.push([line, cursor]);
    if (this.#undone.length > MOST_UNDONE) this.#undone.shift();
    this.#redone = [];
  }

  #turnBack(from, to) {
    if (from.length === 0) return;
    const { line, cursor } = this.#one;
    to.push([line, cursor]);
    this.replace(...from.pop());
  }

  /// Moves the cursor without changing anything.
  #move(to) {
    const { cols, rows } = this.cursorPlace();
    this.#one.cursor = Math.max(0, Math.min(this.#one.line.length, to));
    const now = this.cursorPlace();
    moveCursor(this.#one.output, now.cols - cols, now.rows - rows);
    this.#rows += now.rows - rows;
  }

  /// Takes a part out of the line; what is cut can be put in again.
  #remove(from, to, isCut = false) {
    if (from >= to) return;
    this.#keep();
    const { line } = this.#one;
    if (isCut) this.#cut.unshift(line.slice(from, to));
    this.replace(line.slice(0, from) + line.slice(to), from);
  }

  #wordBefore() {
    const text = this.#one.line.slice(0, this.#one.cursor);
    return this.#one.cursor - /(?:[^\w\s]+|\w+|)\s*$/.exec(text)[0].length;
  }

  #wordBehind() {
    const text = this.#one.line.slice(this.#one.cursor);
    return this.#one.cursor + /^(?:\s+|[^\w\s]+|\w+)\s*|/.exec(text)[0].length;
  }

  #paste() {
    if (this.#cut.length === 0) return;
    this.#pasted = 0;
    this.insert(this.#cut[0]);
  }

  #pasteOther() {
    if (this.#pasted === undefined || this.#cut.length < 2) return;
    const { line, cursor } = this.#one;
    const start = cursor - this.#cut[this.#pasted].length;
    const next = (this.#pasted + 1) % this.#cut.length;
    this.replace(line.slice(0, start) + this.#cut[next] + line.slice(cursor), start + this.#cut[next].length);
    return next;
  }

  /// Goes to the next line of the history that begins as the one that is written; `step` is 1 for older ones.
  #recall(step) {
    const { history, line, cursor } = this.#one;
    if (this.#index === -1) {
      if (step < 0) return;
      this.#written = line.slice(0, cursor);
    }
    let index = this.#index + step;
    while (index >= 0 && index < history.length && (!history[index].startsWith(this.#written) || history[index] === line)) index += step;
    if (index >= history.length) return;
    this.#index = Math.max(-1, index);
    this.replace(index < 0 ? this.#written : history[index]);
  }

  /// The line is done.
  #finish() {
    const { line } = this.#one;
    this.#move(line.length);
    this.#one._writeToOutput('\r\n');
    this.#remember(line);
    this.#rows = 0;
    this.#index = -1;
    this.#undone = [];
    this.#redone = [];
    this.#one.line = '';
    this.#one.cursor = 0;
    this.#one._give(line);
  }

  #remember(line) {
    const { history, historySize, removeHistoryDuplicates } = this.#one;
    if (line.trim() === '' || historySize === 0) return;
    if (history[0] !== line) {
      if (removeHistoryDuplicates) {
        const known = history.indexOf(line);
        if (known >= 0) history.splice(known, 1);
      }
      history.unshift(line);
      if (history.length > historySize) history.pop();
    }
    this.#one.emit('history', history);
  }

  #complete(wasTabbed) {
    const text = this.#one.line.slice(0, this.#one.cursor);
    this.#one.pause();
    this.#one._complete(text, (error, found) => {
      this.#one.resume();
      if (error) {
        this.#one._writeToOutput(`Tab completion error: ${require('internal/util/inspect').inspect(error)}`);
        this.refresh();
        return;
      }
      const [all, matched] = found ?? [];
      const names = (all ?? []).filter((name) => name !== '');
      if (names.length === 0) return;
      const shared = names.reduce((one, other) => {
        let length = 0;
        while (length < one.length && one[length] === other[length]) length += 1;
        return one.slice(0, length);
      });
      if (shared.startsWith(matched) && shared.length > matched.length) this.insert(shared.slice(matched.length));
      else if (wasTabbed) this.#list(all);
    });
  }

  /// Shows what a line could become, in columns; an empty name begins another group.
  #list(names) {
    const { columns } = this.#one;
    const width = Math.max(...names.map((name) => getStringWidth(name))) + 2;
    const each = columns === Infinity ? 1 : Math.max(1, Math.floor(columns / width));
    let [text, inRow] = ['\r\n', 0];
    const endRow = () => { if (inRow > 0) text = `${text.trimEnd()}\r\n`; inRow = 0; };
    for (const name of names) {
      if (name === '') {
        endRow();
        text += '\r\n';
        continue;
      }
      if (inRow === each) endRow();
      text += name + ' '.repeat(width - getStringWidth(name));
      inRow += 1;
    }
    endRow();
    this.#move(this.#one.line.length);
    this.#one._writeToOutput(`${text}\r\n`);
    this.#rows = 0;
    this.refresh();
  }

  /// Takes a key.
  press(text, key = {}) {
    const wasTabbed = this.#isTabbed;
    this.#isTabbed = false;
    const pasted = this.#pasted;
    this.#pasted = undefined;
    const name = `${key.ctrl ? 'ctrl-' : ''}${key.meta ? 'meta-' : ''}${key.name}`;
    if (name !== 'enter') this.#sawReturn = false;
    if (name === 'meta-y') {
      this.#pasted = pasted;
      this.#pasted = this.#pasteOther();
    } else if (name === 'tab' && !key.shift && this.#one.completer !== undefined) {
      this.#isTabbed = true;
      this.#complete(wasTabbed);
    } else if (!this.#edit(name, key) && !key.ctrl && !key.meta && typeof text === 'string' && text !== '') {
      for (const part of text.split(/(\r\n|\n|\r)/)) {
        if (/^[\r\n]/.test(part)) this.#finish();
        else if (part !== '') this.insert(part);
      }
    }
  }

  /// Lets the shell take the terminal until the process goes on.
  #suspend() {
    const process = require('internal/process');
    const one = this.#one;
    process.once('SIGCONT', () => {
      if (one.paused) return;
      one.pause();
      one.resume();
      one.emit('SIGCONT');
      one._setRawMode(true);
      this.refresh();
    });
    one._setRawMode(false);
    process.kill(process.pid, 'SIGTSTP');
  }

  /// What a key with a name does; false if it does nothing.
  #edit(name, key) {
    const { line, cursor } = this.#one;
    switch (name) {
      case 'return':
        this.#sawReturn = true;
        this.#finish();
        break;
      case 'enter':
        // One key of some terminals.
        if (!this.#sawReturn) this.#finish();
        this.#sawReturn = false;
        break;
      case 'ctrl-c':
        if (this.#one.listenerCount('SIGINT') > 0) this.#one.emit('SIGINT');
        else this.#one.close();
        break;
      case 'ctrl-d':
        if (line.length === 0) this.#one.close();
        else this.#remove(cursor, cursor + behind(line, cursor));
        break;
      case 'ctrl-z':
        if (this.#one.listenerCount('SIGTSTP') > 0) this.#one.emit('SIGTSTP');
        else this.#suspend();
        break;
      case 'ctrl-h':
      case 'backspace': this.#remove(cursor - before(line, cursor), cursor); break;
      case 'delete': this.#remove(cursor, cursor + behind(line, cursor)); break;
      case 'ctrl-u': this.#remove(0, cursor, true); break;
      case 'ctrl-k': this.#remove(cursor, line.length, true); break;
      case 'ctrl-w':
      case 'ctrl-backspace':
      case 'meta-backspace': this.#remove(this.#wordBefore(), cursor, true); break;
      case 'meta-d':
      case 'meta-delete':
      case 'ctrl-delete': this.#remove(cursor, this.#wordBehind(), true); break;
      case 'ctrl-a':
      case 'home': this.#move(0); break;
      case 'ctrl-e':
      case 'end': this.#move(line.length); break;
      case 'ctrl-b':
      case 'left': this.#move(cursor - before(line, cursor)); break;
      case 'ctrl-f':
      case 'right': this.#move(cursor + behind(line, cursor)); break;
      case 'ctrl-left':
      case 'meta-b': this.#move(this.#wordBefore()); break;
      case 'ctrl-right':
      case 'meta-f': this.#move(this.#wordBehind()); break;
      case 'ctrl-p':
      case 'up': this.#recall(1); break;
      case 'ctrl-n':
      case 'down': this.#recall(-1); break;
      case 'ctrl-y': this.#paste(); break;
      case 'ctrl-l':
        cursorTo(this.#one.output, 0, 0);
        clearScreenDown(this.#one.output);
        this.#rows = 0;
        this.refresh();
        break;
      default:
        return this.#editRarely(key);
    }
    return true;
  }

  // Keys that terminals send without a name.
  #editRarely(key) {
    if (key.sequence === '\u001f') this.#turnBack(this.#undone, this.#redone);
    else if (key.sequence === '\u001e') this.#turnBack(this.#redone, this.#undone);
    else return typeof key.sequence === 'string' && /^[\u0000-\u0008\u000b-\u001f\u007f]/.test(key.sequence);
    return true;
  }
}

module.exports = { Editor, placeOf };
