// The bar at the top: what is looked at, how, and the search.

import { Axis, AXES } from '../layout';
import { save } from '../picture';
import { ARROWS, Arrows, Tab } from '../state';
import { useStore } from '../use';

const AXIS_TITLES: Record<Axis, string> = {
  logical: 'Logical time',
  physical: 'Physical time',
  order: 'Order',
};
const LIVE = { runs: 'running', ended: 'ended', lost: 'ended, and with it the page\u2019s source' };
const ARROW_TITLES: Record<Arrows, string> = { selected: 'of selected', all: 'all', none: 'none' };

export function Bar({ found, position, next }: { found: number; position: number; next: (step: number) => void }) {
  const [store, state] = useStore('tab', 'axis', 'lag', 'arrows', 'query', 'run', 'action', 'live');
  const { run } = store;
  const tabs: [Tab, string][] = [
    ['timeline', 'Timeline'],
    ['trees', 'Trees'],
    ['sites', 'Sites'],
    ['choices', `Choices${run.raw.choices.length ? ` ${run.raw.choices.length}` : ''}`],
    ['races', `Races${run.raw.races.length ? ` ${run.raw.races.length}` : ''}`],
  ];
  return (
    <header class="bar">
      <h1 title={store.runs.map(({ raw }) => raw.command || raw.name).join('\n')}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M3 7h18M3 17h18" /><circle cx="5" cy="7" r="2" /><circle cx="12" cy="7" r="2" /><circle cx="19" cy="7" r="2" />
          <circle cx="5" cy="17" r="2" /><circle cx="19" cy="17" r="2" />
        </svg>
        {store.runs.map(({ raw }) => raw.name).join(' ↔ ')}
      </h1>
      {state.live && <span class={`live live-${state.live}`} role="status">{LIVE[state.live]}</span>}
      <nav class="tabs" role="tablist">
        {tabs.map(([tab, title]) => (
          <button role="tab" aria-selected={state.tab === tab} onClick={() => store.set({ tab }, true)}>{title}</button>
        ))}
      </nav>
      {state.tab === 'timeline' && (
        <>
          <div class="choice" role="radiogroup" aria-label="Axis">
            {AXES.map((axis) => (
              <button role="radio" aria-checked={state.axis === axis} onClick={() => store.setAxis(axis)}>
                {AXIS_TITLES[axis]}
              </button>
            ))}
          </div>
          <button class="toggle" aria-pressed={state.lag} onClick={() => store.set({ lag: !state.lag })}>Lag</button>
          <label class="arrows">
            <span><b class="link">link</b> <b class="cause">cause</b>{run.raw.fleet && <> <b class="message">message</b></>}</span>
            <select
              aria-label="Arrows"
              value={state.arrows}
              onChange={(event) => store.set({ arrows: event.currentTarget.value as Arrows })}
            >
              {ARROWS.map((arrows) => <option value={arrows} selected={arrows === state.arrows}>{ARROW_TITLES[arrows]}</option>)}
            </select>
          </label>
        </>
      )}
      <div class="search">
        <input
          id="search"
          type="search"
          placeholder="Search  /"
          aria-label="Search"
          value={state.query}
          onInput={(event) => store.set({ query: event.currentTarget.value })}
        />
        {state.query && (
          <>
            <output>{found ? `${position + 1 || '–'} of ${found.toLocaleString('en')}` : 'nothing'}</output>
            <button aria-label="previous match" onClick={() => next(-1)} disabled={!found}>‹</button>
            <button aria-label="next match" onClick={() => next(1)} disabled={!found}>›</button>
          </>
        )}
      </div>
      {state.tab === 'timeline' && (
        <span class="save">
          {(['png', 'svg'] as const).map((format) => (
            <button aria-label={`Save as ${format.toUpperCase()}`} title="Save the timeline as a picture" onClick={() => save(store, format)}>
              {format.toUpperCase()}
            </button>
          ))}
        </span>
      )}
      <button class="help-button" aria-label="Keys" onClick={() => store.set({ help: true })}>?</button>
    </header>
  );
}
