// Why a run failed: read off what the runtime wrote when it ended the program.

import { Run } from './model';

export interface Frame {
  /** The function, or nothing. */
  name: string;
  /** As seen from the project's directory. */
  path: string;
  line: number;
  column: number;
  /** The text of its file, if the run has it. */
  text: string | null;
}

export interface Failure {
  /** The action that it happened in. */
  action: number;
  /** The error in one line, or how the program ended. */
  headline: string;
  /** What else is said of it. */
  more: string;
  stack: Frame[];
}

/** The place and its line, the error with its stack, and the runtime's version. */
const REPORT = /^(?:.+:\d+\n.*\n\s*\^+\n\n|Uncaught:?\n)([^]*?)\n\n\S+ v\d[^\n]*\n?$/;
const FRAME = /^ {4}at (?:(.*) \()?((?:file:\/\/)?[^()\n]+):(\d+):(\d+)\)?/;

/** What failed, first things first: the errors that ended programs, else an exit status that is not 0. */
export function failuresOf(run: Run): Failure[] {
  const failures: Failure[] = [];
  const { kind } = run.raw.effects;
  let last = '';
  for (let effect = 0; effect < kind.length; effect++) {
    if (kind[effect] !== 'e') continue;
    const text = run.rawEffect(effect);
    const error = REPORT.exec(text)?.[1];
    if (error) failures.push(failureOf(run, rejecting(run, run.effectAction[effect]), error));
    else if (text.trim()) last = text.trim();
  }
  if (failures.length) return failures;
  const code = /^exit (\d+)$/.exec(run.raw.facts.find(([name]) => name === 'ended')?.[1] ?? '')?.[1];
  if (!code || code === '0' || !run.count) return [];
  // What it threw itself is the reason, if it did.
  const threw = kind.lastIndexOf('t');
  if (threw >= 0) return [failureOf(run, run.effectAction[threw], run.rawEffect(threw))];
  let action = run.count - 1;
  while (action > 0 && run.kind[action] === 'x') action--;
  return [{ action, headline: `The program ended with exit status ${code}`, more: run.relative(last), stack: [] }];
}

/** Of a rejection that nobody handles the runtime tells in a tick of its own: who rejected is its cause. */
function rejecting(run: Run, action: number): number {
  return run.kind[action] === 't' && run.site[action] < 0 ? run.cause[action] : action;
}

function failureOf(run: Run, action: number, error: string): Failure {
  const lines = error.split('\n');
  const stack: Frame[] = [];
  const more: string[] = [];
  let isAfter = false;
  for (const line of lines.slice(1)) {
    const frame = FRAME.exec(line);
    // What comes after the stack, such as a cause, may have a stack of its own.
    if (!frame || isAfter) {
      isAfter ||= stack.length > 0;
      if (!frame || !stack.length || isAfter) more.push(line);
      continue;
    }
    const [, name = '', given, row, column] = frame;
    const file = given.startsWith('file://') ? decodeURIComponent(given.slice(7)) : given;
    const text = run.raw.texts[run.raw.files.indexOf(file)] ?? null;
    stack.push({ name, path: run.relative(file), line: Number(row), column: Number(column), text });
    isAfter = / \{$/.test(line);
  }
  return { action, headline: run.relative(lines[0]), more: run.relative(more.join('\n').replace(/^\}$/m, '').trim()), stack };
}
