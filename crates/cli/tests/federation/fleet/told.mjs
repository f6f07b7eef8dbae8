// FED-5: every message of the pipeline's sensors is read at its tag or reported as tardy, none is lost in silence; and who
// was told of nothing tardy has done what stands in expected.json.
import { readFileSync } from 'node:fs';

const expected = JSON.parse(readFileSync(new URL('./expected.json', import.meta.url), 'utf8'));
const seen = { filter: [], controller: [] };
// Twenty readings and six alarms of each sensor.
const sensors = { filter: ['left', 'right'], controller: ['left'] };

export default ({ host, value }) => {
  const all = seen[host];
  if (all === undefined) return;
  all.push(value);
  if (value !== 'done') return;
  const tardy = all.filter((one) => one.startsWith('tardy'));
  for (const sensor of sensors[host]) {
    const read = all.filter((one) => new RegExp(`^\\d+ (reading|alarm) ${sensor} `).test(one));
    const late = tardy.filter((one) => one.startsWith(`tardy ${sensor} `));
    if (read.length + late.length !== 26) throw new Error(`${host} was told of ${read.length} + ${late.length} messages of ${sensor}`);
  }
  if (host === 'filter' && tardy.length === 0 && JSON.stringify(all) !== JSON.stringify(expected.filter)) {
    throw new Error('the filter deviates in silence');
  }
};
