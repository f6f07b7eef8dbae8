// As much of a canvas as the painter uses, which writes SVG.

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const round = (value: number) => String(Math.round(value * 100) / 100);

interface Pen {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  globalAlpha: number;
  dash: string;
  x: number;
  y: number;
}

export class SvgContext {
  fillStyle = '#000';
  strokeStyle = '#000';
  lineWidth = 1;
  globalAlpha = 1;
  font = '';
  textBaseline = 'alphabetic';
  private dash = '';
  private x = 0;
  private y = 0;
  private path = '';
  private readonly out: string[] = [];
  private readonly saved: Pen[] = [];
  /** Measures texts, as on the screen. */
  private readonly ruler = document.createElement('canvas').getContext('2d')!;

  text(width: number, height: number): string {
    const view = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${view}>\n${this.out.join('\n')}\n</svg>\n`;
  }

  private place = (x: number, y: number) => `${round(x + this.x)} ${round(y + this.y)}`;
  private alpha = () => (this.globalAlpha < 1 ? ` opacity="${round(this.globalAlpha)}"` : '');

  fillRect(x: number, y: number, width: number, height: number) {
    if (width <= 0 || height <= 0) return;
    const box = `x="${round(x + this.x)}" y="${round(y + this.y)}" width="${round(width)}" height="${round(height)}"`;
    this.out.push(`<rect ${box} fill="${this.fillStyle}"${this.alpha()}/>`);
  }

  clearRect() {}

  beginPath() {
    this.path = '';
  }

  moveTo(x: number, y: number) {
    this.path += `M${this.place(x, y)}`;
  }

  lineTo(x: number, y: number) {
    this.path += `L${this.place(x, y)}`;
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number) {
    this.path += `C${this.place(x1, y1)} ${this.place(x2, y2)} ${this.place(x, y)}`;
  }

  /** Whole circles only. */
  arc(x: number, y: number, radius: number) {
    const half = `a${radius} ${radius} 0 1 0 `;
    this.path += `M${this.place(x - radius, y)}${half}${2 * radius} 0${half}${-2 * radius} 0`;
  }

  roundRect(x: number, y: number, width: number, height: number, radius: number) {
    const r = Math.min(radius, width / 2, height / 2);
    const corner = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${round(dx)} ${round(dy)}`;
    const [across, down] = [round(width - 2 * r), round(height - 2 * r)];
    this.path += `M${this.place(x + r, y)}h${across}${corner(r, r)}v${down}${corner(-r, r)}h-${across}${corner(-r, -r)}v-${down}${corner(r, -r)}`;
  }

  fill() {
    this.out.push(`<path d="${this.path}" fill="${this.fillStyle}"${this.alpha()}/>`);
  }

  stroke() {
    const dash = this.dash && ` stroke-dasharray="${this.dash}"`;
    this.out.push(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${dash}${this.alpha()}/>`);
  }

  setLineDash(dash: number[]) {
    this.dash = dash.join(' ');
  }

  fillText(text: string, x: number, y: number) {
    const [, size, family] = /([\d.]+)px (.*)$/.exec(this.font) ?? ['', '12', 'sans-serif'];
    const weight = /^\d{3} /.test(this.font) ? ` font-weight="${this.font.slice(0, 3)}"` : '';
    const middle = this.textBaseline === 'middle' ? Number(size) * 0.35 : 0;
    this.out.push(
      `<text x="${round(x + this.x)}" y="${round(y + this.y + middle)}" font-size="${size}" font-family="${escape(family)}"${weight} fill="${this.fillStyle}"${this.alpha()}>${escape(text)}</text>`,
    );
  }

  measureText(text: string) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, dash, x, y } = this;
    this.saved.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, dash, x, y });
  }

  restore() {
    Object.assign(this, this.saved.pop());
  }

  translate(x: number, y: number) {
    this.x += x;
    this.y += y;
  }
}
