// What callbacks are called. A trace knows where each was registered, not its name; the name is read
// off the program's text at that place.

import { KINDS, Run } from './model';

const NAME = '[\\p{ID_Start}$_][\\p{ID_Continue}$]*';
/** A function that is written where it is registered, whatever comes before it. */
const WRITTEN = new RegExp(`^[^\\n;{}]*\\bfunction\\s*\\*?\\s*(${NAME})\\s*\\(`, 'u');
/** A name where these take their callback: first, or after the name of an event. */
const GIVEN = new RegExp(
  `^(?:setTimeout|setInterval|setImmediate|nextTick|queueMicrotask|then|catch|finally|on|once|addListener` +
    `|addEventListener|prependListener)\\s*\\(\\s*(?:(?:'[^']*'|"[^"]*")\\s*,\\s*)?((?:${NAME}\\.)*${NAME})\\s*[,)]`,
  'u',
);
const CALLEE = new RegExp(`(${NAME})\\s*$`, 'u');

export interface SiteName {
  /** The callback, or the call that registered it. */
  name: string;
  /** File and line, without the directories. */
  place: string;
  /** File, line and column, the file as seen from the project's directory. */
  path: string;
  line: number;
  column: number;
}

export class Names {
  readonly sites: SiteName[];

  constructor(private readonly run: Run) {
    const { files, sites } = run.raw;
    const lines: (string[] | null)[] = run.raw.texts.map((text) => text?.split('\n') ?? null);
    this.sites = sites.file.map((file, site) => {
      const line = sites.line[site];
      const column = sites.column[site];
      const base = files[file].split(/[\\/]/).pop() ?? files[file];
      const place = `${base}:${line}`;
      const text = lines[file];
      return {
        name: (text && nameAt(text, line, column)) || place,
        place,
        path: `${run.relative(files[file])}:${line}:${column}`,
        line,
        column,
      };
    });
  }

  of(action: number): string {
    const { run } = this;
    const label = run.labels.get(action);
    if (label) return label;
    const site = run.site[action];
    if (site >= 0) return this.sites[site].name;
    if (run.operation[action] >= 0) return run.what(run.operation[action]);
    return KINDS[run.kind[action]];
  }
}

/** The name of the callback that is registered by the call at a place. */
export function nameAt(lines: string[], line: number, column: number): string | null {
  const first = lines[line - 1];
  if (first === undefined) return null;
  const rest = [first.slice(column - 1), ...lines.slice(line, line + 2)].join('\n').slice(0, 400);
  // The place may be the callee's, that of its last part, or that of the bracket.
  const before = CALLEE.exec(first.slice(0, column - 1))?.[1] ?? '';
  const call = rest.startsWith('(') ? before + rest : rest;
  const found = WRITTEN.exec(call) ?? GIVEN.exec(call);
  if (found) return found[1];
  if (/^await\b/.test(call)) return 'after await';
  const callee = /^[^(\n;]{1,40}(?=\()/.exec(call)?.[0].trim();
  return callee ? `${callee}(\u2026)` : null;
}
