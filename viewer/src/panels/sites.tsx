// Where callbacks come from, with what each place accounts for.

import { useMemo, useState } from 'preact/hooks';
import { bytes, duration, nanos } from '../format';
import { Layout } from '../layout';
import { KINDS } from '../model';
import { useStore } from '../use';

interface Account {
  site: number;
  name: string;
  place: string;
  kinds: string;
  count: number;
  spent: number;
  most: number;
  inclusive: number;
  lag: number;
  moved: number;
  threw: number;
  first: number;
}

type Column = { key: keyof Account; title: string; show: (account: Account) => string; isText?: boolean };

const COLUMNS: Column[] = [
  { key: 'name', title: 'callback', show: (a) => a.name, isText: true },
  { key: 'place', title: 'registered at', show: (a) => a.place, isText: true },
  { key: 'kinds', title: 'kind', show: (a) => a.kinds, isText: true },
  { key: 'count', title: 'ran', show: (a) => a.count.toLocaleString('en') },
  { key: 'spent', title: 'own time', show: (a) => nanos(a.spent) },
  { key: 'most', title: 'most', show: (a) => nanos(a.most) },
  { key: 'inclusive', title: 'with caused', show: (a) => nanos(a.inclusive) },
  { key: 'lag', title: 'most lag', show: (a) => (a.lag < 0 ? '' : duration(a.lag)) },
  { key: 'moved', title: 'bytes', show: (a) => (a.moved ? bytes(a.moved) : '') },
  { key: 'threw', title: 'threw', show: (a) => (a.threw ? String(a.threw) : '') },
];

export function Sites() {
  const [store] = useStore('run');
  const { layout } = store;
  const accounts = useMemo(() => accountsOf(layout), [layout]);
  const hasTimes = layout.run.spent !== null;
  const columns = COLUMNS.filter(({ key }) => hasTimes || !['spent', 'most', 'inclusive'].includes(key));
  const [by, setBy] = useState<keyof Account>(hasTimes ? 'spent' : 'count');
  const [isUp, setUp] = useState(false);
  const sorted = useMemo(() => {
    const sign = isUp ? 1 : -1;
    return [...accounts].sort((a, b) => (a[by] < b[by] ? -sign : a[by] > b[by] ? sign : a.first - b.first));
  }, [accounts, by, isUp]);
  const sort = (key: keyof Account, isText?: boolean) => {
    setUp(key === by ? !isUp : Boolean(isText));
    setBy(key);
  };
  return (
    <div class="sheet">
      {!hasTimes && <p class="hint">This trace has no processor times.</p>}
      <table class="sites" aria-label="Sites">
        <thead>
          <tr>
            {columns.map(({ key, title, isText }) => (
              <th aria-sort={key === by ? (isUp ? 'ascending' : 'descending') : 'none'} class={isText ? '' : 'figure'}>
                <button onClick={() => sort(key, isText)}>{title}{key === by ? (isUp ? ' ▴' : ' ▾') : ''}</button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, 1000).map((account) => (
            <tr
              tabIndex={0}
              data-site={account.place}
              onClick={() => store.select(store.state.run, account.first)}
              onKeyDown={(event) => event.key === 'Enter' && store.select(store.state.run, account.first)}
            >
              {columns.map((column) => (
                <td class={column.isText ? '' : 'figure'}>{column.show(account)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function accountsOf(layout: Layout): Account[] {
  const { run, names } = layout;
  const accounts = new Map<string, Account>();
  const inclusive = run.inclusiveSpent;
  const moved = new Map<number, number>();
  for (const [action, , read, written] of run.raw.transfers) {
    moved.set(action, (moved.get(action) ?? 0) + read + written);
  }
  for (let i = 0; i < run.count; i++) {
    const site = run.site[i];
    const kind = KINDS[run.kind[i]];
    const key = site >= 0 ? names.sites[site].path : kind;
    let account = accounts.get(key);
    if (!account) {
      const name = site >= 0 ? names.sites[site].name : kind;
      const place = site >= 0 ? names.sites[site].path.replace(/:\d+$/, '') : '';
      account = { site, name, place, kinds: kind, count: 0, spent: 0, most: 0, inclusive: 0, lag: -1, moved: 0, threw: 0, first: i };
      accounts.set(key, account);
    }
    account.count++;
    if (!account.kinds.includes(kind)) account.kinds += `, ${kind}`;
    const spent = run.spent ? Math.max(0, run.spent[i]) : 0;
    account.spent += spent;
    account.most = Math.max(account.most, spent);
    // What a callback of the same place caused is in the account already.
    if (inclusive && (run.cause[i] === i || run.site[run.cause[i]] !== site)) account.inclusive += inclusive[i];
    if (run.domain[i] >= 0) account.lag = Math.max(account.lag, run.lag(i));
    account.moved += moved.get(i) ?? 0;
    account.threw += run.threw[i];
  }
  return [...accounts.values()];
}
