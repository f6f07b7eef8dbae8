// Everything that is known of the selected action.

import { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { choiceText, describe, when } from '../describe';
import { bytes, count, duration, exact, nanos } from '../format';
import { Layout } from '../layout';
import { KINDS } from '../model';
import { Shared, useStore } from '../use';
import { Failures } from './failure';
import { Source } from './source';

const MOST_LISTED = 30;
const EFFECTS: Record<string, string> = { o: 'stdout', e: 'stderr', v: 'observed', t: 'threw', s: 'task', l: 'late' };

export function Details() {
  const [store, state] = useStore('run', 'action');
  const { layout, run } = store;
  const action = state.action;
  if (action < 0) return <Overall />;
  const head = run.atomic[action];
  const end = run.atomicEnd(head);
  const members = Array.from({ length: end - head }, (_, i) => head + i);
  const site = run.site[action];
  const domain = run.domain[action];
  const effects = [...run.effects.of(action)];
  const requests = [...run.requests.of(action)];
  const released = [...run.released.of(action)];
  const choices = run.choices.get(action) ?? [];
  const operation = run.operation[action];
  const request = run.requestOf[action];
  const races = run.raw.races.filter((race) => race.sides.some(([n]) => n === run.number[action]));
  return (
    <aside class="details" aria-label="Selected action" aria-live="polite">
      <header>
        <h2>
          <span class="number">#{run.number[action]}</span> {layout.names.of(action)}
        </h2>
        <p class="sub">
          <span class="chip" style={{ '--tone': `var(--tone-${layout.tone(action)})` }}>
            {KINDS[run.kind[action]]}
          </span>{' '}
          {when(layout, action)}{run.programName(action) && ` on ${run.programName(action)}`}
        </p>
      </header>
      <Failures index={state.run} action={action} />
      <dl class="facts">
        <Fact name="physical">{exact(run.at[action])}{run.raw.hasTimes ? '' : ' or later'}</Fact>
        {domain >= 0 && (
          <Fact name="lag">{duration(run.lag(action))}{run.raw.hasTimes ? '' : ' or more'}</Fact>
        )}
        {run.spent && run.spent[action] >= 0 && (
          <>
            <Fact name="cost">{nanos(run.spent[action])} of its own</Fact>
            <Fact name="with all it caused">{nanos(run.inclusiveSpent![action])}</Fact>
          </>
        )}
        {run.raw.transfers.filter(([by]) => by === action).map(([, isNetwork, read, written]) => (
          <Fact name={isNetwork ? 'network' : 'disk'}>{bytes(read)} read, {bytes(written)} written</Fact>
        ))}
        {request >= 0 && (
          <Fact name="request">
            {run.raw.requests[request][1]}: {duration(run.raw.requests[request][5])}, of that{' '}
            {duration(run.raw.requests[request][6])} waiting{run.raw.requests[request][4] > 0 && ', failed'}
          </Fact>
        )}
        {operation >= 0 && (
          <Fact name="answer to">
            <code>{run.what(operation)}</code> after{' '}
            {duration(run.raw.operations.done[operation] - run.at[run.raw.operations.by[operation]])}
          </Fact>
        )}
      </dl>
      {site >= 0 && <Source layout={layout} site={site} />}
      {effects.length > 0 && (
        <Part title="Output and observations">
          <ol class="effects">
            {effects.slice(0, MOST_LISTED).map((effect) => {
              const kind = run.raw.effects.kind[effect];
              return (
                <li class={`effect-${kind}`}>
                  <span>{EFFECTS[kind]}</span>
                  <pre tabIndex={0}>{run.effectText(effect).replace(/\n$/, '')}</pre>
                </li>
              );
            })}
          </ol>
          <More list={effects} />
        </Part>
      )}
      {choices.length > 0 && (
        <Part title="Choice">
          {choices.map((choice) => {
            const [, taken, of, others] = choice;
            return (
              <>
                <p>Alternative {taken + 1} of {of} was taken: {choiceText(layout, choice)}.</p>
                <p>Not taken here, and run later:</p>
                <Actions layout={layout} list={others} empty="none that the trace tells of" />
              </>
            );
          })}
        </Part>
      )}
      {races.length > 0 && (
        <Part title="Races">
          {races.map((race) => (
            <>
              <p>{run.relative(race.what)}, in either order:</p>
              <ul class="plain">
                {race.sides.map(([n, access, place]) => (
                  <li>{n === null ? access : <a href={`#action=${n}`}>{`#${n} ${access}`}</a>} {place && run.relative(place)}</li>
                ))}
              </ul>
            </>
          ))}
        </Part>
      )}
      <Messages layout={layout} action={action} />
      <Chain title="Link chain" hint="who attached it" relation="link" layout={layout} action={action} />
      <Chain title="Cause chain" hint="who made it able to run" relation="cause" layout={layout} action={action} />
      {members.length > 1 && (
        <Part title={`Atomic action of ${members.length}`}>
          <Actions layout={layout} list={members} current={action} />
        </Part>
      )}
      {(requests.length > 0 || released.length > 0) && (
        <Part title="Asked for">
          <ul class="plain">
            {released.slice(0, MOST_LISTED).map((release) => {
              const { domain, delay, period, cleared } = run.raw.releases;
              const clock = domain[release] >= 0 ? `clock ${run.raw.domains[domain[release]][0]}` : 'no clock';
              const ran = run.ranOf.release.of(release);
              return (
                <li>
                  timer, {period[release] ? `every ${duration(period[release])}` : `in ${duration(delay[release])}`}, {clock}
                  {cleared[release] >= 0 ? ', cleared' : ''}
                  {ran.length > 0 && <>: <To layout={layout} action={ran[0]} />{ran.length > 1 && ` and ${ran.length - 1} more`}</>}
                </li>
              );
            })}
            {requests.slice(0, MOST_LISTED).map((request) => {
              const ran = run.ranOf.operation.of(request);
              return (
                <li>
                  <code>{run.what(request)}</code>
                  {ran.length > 0 ? <>: <To layout={layout} action={ran[0]} /></> : run.raw.operations.dropped[request] >= 0 ? ', given up' : run.raw.operations.done[request] < 0 && ', not answered'}
                </li>
              );
            })}
          </ul>
          <More list={released.length > requests.length ? released : requests} />
        </Part>
      )}
      <Children title="Attached" layout={layout} list={run.links.of(action)} />
      <Children title="Made able to run" layout={layout} list={run.causes.of(action)} />
    </aside>
  );
}

/** What an action got from other programs of a fleet, and what it sent to them. */
function Messages({ layout, action }: { layout: Layout; action: number }) {
  const { run } = layout;
  const got = [...run.got.of(action)];
  const sent = [...run.sent.of(action)];
  if (!got.length && !sent.length) return null;
  const { messages } = run.raw.fleet!;
  return (
    <Part title="Messages">
      <ul class="plain">
        {got.slice(0, MOST_LISTED).map((message) => {
          const [from, , what, , at, arrives] = messages[message];
          return (
            <li>
              got {what}{arrives >= 0 && `, ${duration(arrives - at)} under way`}
              {from >= 0 && <>, from {run.programName(from)}: <To layout={layout} action={from} /></>}
            </li>
          );
        })}
        {sent.slice(0, MOST_LISTED).map((message) => {
          const [, to, what, host, at, arrives] = messages[message];
          return (
            <li>
              sent {what} to {host}{arrives < 0 ? ', lost' : `, ${duration(arrives - at)} under way`}
              {to >= 0 && <>: <To layout={layout} action={to} /></>}
            </li>
          );
        })}
      </ul>
      <More list={got.length > sent.length ? got : sent} />
    </Part>
  );
}

/** What there is to say of the run while nothing is selected. */
function Overall() {
  const store = useContext(Shared);
  return (
    <aside class="details" aria-label="Selected action">
      {store.runs.map((run) => (
        <>
          <header>
            <h2>{run.raw.name}</h2>
            {run.raw.command && <p class="sub"><code title={run.raw.command}>{run.relative(run.raw.command)}</code></p>}
          </header>
          <Failures index={store.runs.indexOf(run)} />
          <dl class="facts">
            {run.raw.facts.map(([name, value]) => <Fact name={name}>{value}</Fact>)}
            {run.raw.started && <Fact name="began">{new Date(run.raw.started / 1000).toLocaleString()}</Fact>}
            <Fact name="actions">{run.count.toLocaleString('en')} in {count(run.heads.length, 'atomic action')}</Fact>
            <Fact name="clocks">{run.raw.domains.length ? [...new Set(run.raw.domains.map(([label]) => label))].slice(0, 8).join(', ') : 'none'}</Fact>
            <Fact name="operations">{run.raw.operations.by.length.toLocaleString('en')}</Fact>
            {run.raw.fleet && (
              <>
                <Fact name="programs">{run.programs.join(', ')}</Fact>
                <Fact name="messages">{run.raw.fleet.messages.length.toLocaleString('en')}</Fact>
                <Fact name="faults">{run.raw.fleet.faults.map(([what]) => what).join('; ') || 'none'}</Fact>
              </>
            )}
          </dl>
          <Output index={store.runs.indexOf(run)} />
        </>
      ))}
      <p class="hint">Select an action: click it, or press <kbd>→</kbd>. <kbd>?</kbd> lists all keys.</p>
    </aside>
  );
}

/** What the program showed, each line with the action that it came from. */
function Output({ index }: { index: number }) {
  const store = useContext(Shared);
  const run = store.runs[index];
  const { kind } = run.raw.effects;
  if (!kind.length) return null;
  return (
    <Part title="Output and observations">
      <ol class="effects">
        {[...kind].slice(0, 200).map((kind, effect) => (
          <li class={`effect-${kind}`}>
            <button class="link" onClick={() => store.select(index, run.effectAction[effect])}>
              #{run.number[run.effectAction[effect]]}
            </button>
            <pre tabIndex={0}>{run.effectText(effect).replace(/\n$/, '')}</pre>
          </li>
        ))}
      </ol>
      {kind.length > 200 && <p class="more">and {(kind.length - 200).toLocaleString('en')} more</p>}
    </Part>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Chain(props: { title: string; hint: string; relation: 'link' | 'cause'; layout: Layout; action: number }) {
  const { layout, relation, action } = props;
  const chain = layout.run.chain(action, layout.run[relation]);
  if (!chain.length) return null;
  return (
    <section class={`part chain chain-${relation}`} aria-label={props.title}>
      <h3>{props.title} <small>{props.hint}</small></h3>
      <Actions layout={layout} list={chain} />
    </section>
  );
}

function Children({ title, layout, list }: { title: string; layout: Layout; list: Uint32Array }) {
  if (!list.length) return null;
  return (
    <Part title={`${title} ${list.length.toLocaleString('en')}`}>
      <Actions layout={layout} list={[...list.subarray(0, MOST_LISTED + 1)]} total={list.length} />
    </Part>
  );
}

export function Actions(props: { layout: Layout; list: number[]; current?: number; total?: number; empty?: string }) {
  const { layout, list, current } = props;
  if (!list.length) return <p class="more">{props.empty}</p>;
  return (
    <>
      <ol class="actions">
        {list.slice(0, MOST_LISTED).map((action) => (
          <li aria-current={action === current}><To layout={layout} action={action} long /></li>
        ))}
      </ol>
      <More list={list} total={props.total} />
    </>
  );
}

function More({ list, total = list.length }: { list: ArrayLike<unknown>; total?: number }) {
  if (total <= MOST_LISTED) return null;
  return <p class="more">and {(total - MOST_LISTED).toLocaleString('en')} more</p>;
}

/** An action that can be gone to. */
export function To({ layout, action, long = false }: { layout: Layout; action: number; long?: boolean }) {
  const store = useContext(Shared);
  const { run, names } = layout;
  return (
    <button
      class="to"
      title={describe(layout, action)}
      onClick={() => store.select(store.layouts.indexOf(layout), action)}
    >
      <i style={{ background: `var(--tone-${layout.tone(action)})` }} />
      <span class="number">#{run.number[action]}</span> {names.of(action)}
      {long && <span class="when">{when(layout, action).replace(/^clock .* at /, (clock) => clock.replace(/^clock /, '').replace(/ at $/, ' '))}</span>}
    </button>
  );
}
