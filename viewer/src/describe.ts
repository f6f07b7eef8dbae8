// An action in one line.

import { duration, exact } from './format';
import { Layout } from './layout';
import { KINDS, RawRun } from './model';

/** When it ran: by its clock if it has one, else in physical time. */
export function when(layout: Layout, action: number): string {
  const { run } = layout;
  const time = run.time[action];
  if (Number.isNaN(time)) return `at ${exact(run.at[action])}`;
  const step = run.step.get(action);
  const clock = run.domain[action] >= 0 ? `clock ${run.raw.domains[run.domain[action]][0]} at ` : 'due at ';
  return `${clock}${exact(time)}${step ? ` + ${step}` : ''}`;
}

export function describe(layout: Layout, action: number): string {
  const { run, names } = layout;
  const name = names.of(action);
  const kind = KINDS[run.kind[action]];
  const lag = run.lag(action);
  const late = run.domain[action] >= 0 && lag > 0 ? `, lag ${duration(lag)}` : '';
  const program = run.programName(action);
  return `#${run.number[action]} ${program && `${program}: `}${name === kind ? kind : `${name} (${kind})`}, ${when(layout, action)}${late}`;
}

/** A choice: what was taken, and what was able to run, too. */
export function choiceText(layout: Layout, [before, taken, of, others, words]: RawRun['choices'][number]): string {
  const { run, names } = layout;
  const name = (action: number) => `#${run.number[action]} ${names.of(action)}`;
  if (words) return `${run.relative(words[0])}; not taken, the default: ${run.relative(words[1])}`;
  const took = before < run.count ? name(before) : 'the end';
  const rest = others.slice(0, 4).map(name).join(', ') + (others.length > 4 ? ` and ${others.length - 4} more` : '');
  return `took ${took}, ${taken + 1} of ${of}; not taken: ${rest || 'nothing that ran later'}`;
}
