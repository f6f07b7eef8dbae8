// The program's text around a place, as the run read it.

import { Layout } from '../layout';

const AROUND = 4;

/** The place where a callback was registered. */
export function Source({ layout, site }: { layout: Layout; site: number }) {
  const { raw } = layout.run;
  const name = layout.names.sites[site];
  const text = raw.texts[raw.sites.file[site]];
  return (
    <section class="part" aria-label="Source">
      <h3>Registered at <code>{name.path}</code></h3>
      {text ? (
        <Lines text={text} line={name.line} column={name.column} around={AROUND} />
      ) : (
        <p class="more">{name.path}: its text is not in the recording</p>
      )}
    </section>
  );
}

/** A line of a text with those around it, and a caret below its column. */
export function Lines({ text, line, column, around }: { text: string; line: number; column: number; around: number }) {
  const first = Math.max(1, line - around);
  const shown = text.split('\n').slice(first - 1, line + around);
  // A file of one long line is shown around the place.
  const from = (shown[line - first]?.length ?? 0) > 300 ? Math.max(0, column - 100) : 0;
  const cut = (line: string, from: number) => (from ? '\u2026' : '') + line.slice(from, from + 300);
  return (
    <pre class="source" tabIndex={0}>
      {shown.map((content, index) => {
        const isHere = first + index === line;
        // Tabs stay, so that the caret is where the browser puts the column.
        const before = isHere ? cut(content, from).slice(0, column - 1 - from + (from ? 1 : 0)).replace(/[^\t]/g, ' ') : '';
        return (
          <div class={isHere ? 'here' : ''} aria-current={isHere}>
            <span class="line-number">{first + index}</span>
            <code>{cut(content, isHere ? from : 0) || ' '}{isHere && <span class="caret" aria-hidden="true">{`\n${before}^`}</span>}</code>
          </div>
        );
      })}
    </pre>
  );
}
