// Choices and races, as lists.

import { useStore } from '../use';
import { Actions, To } from './details';

const MOST = 500;

export function Choices() {
  const [store] = useStore('run');
  const { layout, run } = store;
  const { choices } = run.raw;
  if (!choices.length) {
    return <p class="sheet hint">The run never had a choice: at every moment one callback could run next.</p>;
  }
  return (
    <div class="sheet">
      <table aria-label="Choices">
        <thead><tr><th>taken</th><th>alternative</th><th>not taken, and run later</th></tr></thead>
        <tbody>
          {choices.slice(0, MOST).map(([before, taken, of, others, words]) => (
            <tr>
              <td>
                {before < run.count ? <To layout={layout} action={before} /> : 'the end'}
                {words && <p class="more">{run.relative(words[0])}</p>}
              </td>
              <td>{taken + 1} of {of}</td>
              <td>
                {words && <p>{run.relative(words[1])}, which is the default</p>}
                <Actions layout={layout} list={others} empty={words ? '' : 'none that the trace tells of'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {choices.length > MOST && <p class="more">and {choices.length - MOST} more</p>}
    </div>
  );
}

export function Races() {
  const [store] = useStore('run');
  const { layout, run } = store;
  const { races } = run.raw;
  if (!races.length) {
    return (
      <p class="sheet hint">
        The trace tells of no accesses that come in either order. To look for them in every order that
        the event loop allows: <code>hemiola races FILE</code>
      </p>
    );
  }
  return (
    <div class="sheet">
      <table aria-label="Races">
        <thead><tr><th>what</th><th>one access</th><th>the other</th></tr></thead>
        <tbody>
          {races.slice(0, MOST).map((race) => (
            <tr>
              <td>{run.relative(race.what)}</td>
              {race.sides.map(([number, access, place]) => {
                const action = number === null ? -1 : run.find(number);
                return (
                  <td>
                    {action >= 0 && <To layout={layout} action={action} />} {access}
                    {place && <> at <code>{run.relative(place)}</code></>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
