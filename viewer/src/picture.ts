// The timeline as a picture: all lanes with their names, and the window as it is.

import { GAP, LAG, Layout, NAME, ROW, RULER, TITLE } from './layout';
import { FONT, Painter, Pens } from './paint';
import { Scale } from './scale';
import { Store } from './state';
import { SvgContext } from './svg';
import { theme } from './theme';

const LABELS = 240;
const WIDTH = 1400;
/** Browsers make no greater canvas. */
const MOST_HEIGHT = 8000;

export type Format = 'png' | 'svg';

/** Gives the picture to the browser, as a download. */
export async function save(store: Store, format: Format) {
  const blob = format === 'svg' ? new Blob([svg(store)], { type: 'image/svg+xml' }) : await png(store);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${store.runs.map(({ raw }) => raw.name).join('-').replace(/[^\w.-]+/g, '-')}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const heightOf = (store: Store) => Math.min(MOST_HEIGHT, store.layouts.reduce((sum, { height }) => sum + height, 0));

export function svg(store: Store): string {
  const context = new SvgContext();
  draw(store, context);
  return context.text(WIDTH, heightOf(store));
}

function png(store: Store): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const ratio = 2;
  canvas.width = WIDTH * ratio;
  canvas.height = heightOf(store) * ratio;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  draw(store, context);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png'));
}

function draw(store: Store, context: Pens) {
  const colors = theme();
  let top = 0;
  store.layouts.forEach((layout, index) => {
    context.save();
    context.translate(0, top);
    context.save();
    context.translate(LABELS, 0);
    const width = WIDTH - LABELS;
    new Painter(context, {
      layout,
      state: store.state,
      scale: new Scale(store.state.from, store.state.to, 0, width),
      theme: colors,
      width,
      height: layout.height,
      scroll: 0,
      selected: store.state.run === index ? store.state.action : -1,
      matches: null,
      differs: store.difference && store.runs.length > 1 ? store.difference.at : -1,
    }).paint();
    context.restore();
    // What is left of the window is below the names.
    context.fillStyle = colors.back;
    context.fillRect(0, 0, LABELS, layout.height);
    labels(layout, store, context);
    context.restore();
    top += layout.height;
  });
}

/** The names of lanes and rows; long ones are cut, so that they do not reach each other. */
function labels(layout: Layout, store: Store, context: Pens) {
  const colors = theme();
  const { lag, isNarrow } = store.state;
  const write = (text: string, x: number, y: number, room: number, color: string, font: string) => {
    context.font = font;
    context.fillStyle = color;
    let shown = text;
    while (shown.length > 1 && context.measureText(`${shown}\u2026`).width > room) shown = shown.slice(0, -1);
    context.fillText(shown === text ? text : `${shown}\u2026`, x, y);
  };
  context.textBaseline = 'middle';
  write(layout.run.raw.name, 10, RULER / 2, LABELS - 20, colors.ink, `650 ${FONT}`);
  for (const lane of layout.lanes) {
    context.fillStyle = colors.line;
    context.fillRect(0, lane.y + lane.height - 1, LABELS, 1);
    if (lane.isFirst) write(layout.run.programs[lane.program], 10, lane.y + NAME / 2 + 3, LABELS - 20, colors.ink, `700 ${FONT}`);
    const top = lane.y + (lane.isFirst ? NAME : 0) + (isNarrow ? TITLE / 2 : GAP + ROW / 2);
    write(lane.title, 10, top, isNarrow ? LABELS - 20 : 100, colors.tones[lane.tone], `650 ${FONT}`);
    for (const row of lane.rows) write(row.label, 120, row.y + ROW / 2, LABELS - 126, colors.muted, FONT);
    if (lag && lane.domain >= 0) write('lag', 120, lane.y + lane.height - GAP - LAG / 2, LABELS - 126, colors.muted, FONT);
  }
}
