// The program's text around the place where a callback was registered, as the run read it.

import { Layout } from '../layout';

const AROUND = 4;

export function Source({ layout, site }: { layout: Layout; site: number }) {
  const { raw } = layout.run;
  const name = layout.names.sites[site];
  const text = raw.texts[raw.sites.file[site]];
  const lines = text?.split('\n') ?? [];
  const first = Math.max(1, name.line - AROUND);
  const shown = lines.slice(first - 1, name.line + AROUND);
  // A file of one long line is shown around the place.
  const cut = (line: string, isHere: boolean) => {
    const from = isHere && line.length > 300 ? Math.max(0, name.column - 100) : 0;
    return (from ? '\u2026' : '') + line.slice(from, from + 300);
  };
  return (
    <section class="part" aria-label="Source">
      <h3>Registered at <code>{name.path}</code></h3>
      {shown.length > 0 ? (
        <pre class="source">
          {shown.map((line, index) => {
            const isHere = first + index === name.line;
            return (
              <div class={isHere ? 'here' : ''} aria-current={isHere}>
                <span class="line-number">{first + index}</span>
                <code>{cut(line, isHere) || ' '}</code>
              </div>
            );
          })}
        </pre>
      ) : (
        <p class="more">{name.path}: its text is not in the recording</p>
      )}
    </section>
  );
}
