// An action in one line.

import { duration, exact } from './format';
import { Layout } from './layout';
import { KINDS } from './model';

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
