// What is drawn on a canvas, as SVG. It has the calls that pictures use, and no others.
import { tileOf } from './hatch';

export type Pen = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'lineJoin'
  | 'globalAlpha'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'save'
  | 'restore'
  | 'clip'
  | 'translate'
  | 'scale'
  | 'rotate'
  | 'getTransform'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'rect'
  | 'roundRect'
  | 'arc'
  | 'fill'
  | 'stroke'
  | 'setLineDash'
  | 'fillRect'
  | 'strokeRect'
  | 'fillText'
  | 'measureText'
  | 'drawImage'
  | 'putImageData'
>;

const SHARP = 2; // pixels of an image in the picture for each of the picture's
const KEPT = ['fillStyle', 'strokeStyle', 'lineWidth', 'lineJoin', 'globalAlpha', 'font', 'textAlign', 'textBaseline'];
const ANCHOR: Record<string, string> = { center: 'middle', right: 'end', end: 'end' };
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => ESCAPED[c]!);
const round = (v: number) => Math.round(v * 100) / 100;
const canvasOf = (width: number, height: number) => Object.assign(document.createElement('canvas'), { width, height });

export class SvgPen implements Pen {
  fillStyle: Pen['fillStyle'] = '#000';
  strokeStyle: Pen['strokeStyle'] = '#000';
  lineWidth = 1;
  lineJoin: CanvasLineJoin = 'miter';
  globalAlpha = 1;
  font = '10px sans-serif';
  textAlign: CanvasTextAlign = 'left';
  textBaseline: CanvasTextBaseline = 'alphabetic';
  private readonly out: string[] = [];
  private readonly patterns = new Map<CanvasPattern, string>();
  private readonly ruler = canvasOf(1, 1).getContext('2d')!;
  private matrix = new DOMMatrix();
  private dash: number[] = [];
  private path: string[] = [];
  private clips = 0;
  private open = 0; // groups with a clip
  private readonly stack: { values: unknown[]; matrix: DOMMatrix; dash: number[]; open: number }[] = [];

  save() {
    const values = KEPT.map((k) => this[k as 'font']);
    this.stack.push({ values, matrix: this.matrix, dash: this.dash, open: this.open });
  }
  restore() {
    const old = this.stack.pop();
    if (!old) return;
    KEPT.forEach((k, i) => {
      this[k as 'font'] = old.values[i] as string;
    });
    ({ matrix: this.matrix, dash: this.dash } = old);
    for (; this.open > old.open; this.open--) this.out.push('</g>');
  }
  translate(x: number, y: number) {
    this.matrix = this.matrix.translate(x, y);
  }
  scale(x: number, y: number) {
    this.matrix = this.matrix.scale(x, y);
  }
  rotate(angle: number) {
    this.matrix = this.matrix.rotate((angle * 180) / Math.PI);
  }
  getTransform() {
    return new DOMMatrix().scale(SHARP).multiply(this.matrix);
  }

  beginPath() {
    this.path = [];
  }
  private step(letter: string, ...at: number[]) {
    this.path.push(letter + at.map(round).join(' '));
  }
  moveTo(x: number, y: number) {
    this.step('M', x, y);
  }
  lineTo(x: number, y: number) {
    this.step(this.path.length ? 'L' : 'M', x, y);
  }
  rect(x: number, y: number, w: number, h: number) {
    this.path.push(`M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}z`);
  }
  roundRect(x: number, y: number, w: number, h: number, r: number) {
    const corner = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${dx * r} ${dy * r}`;
    const [flat, tall] = [round(w - 2 * r), round(h - 2 * r)];
    this.path.push(
      `M${round(x + r)} ${round(y)}h${flat}${corner(1, 1)}v${tall}${corner(-1, 1)}h${-flat}${corner(-1, -1)}`,
      `v${-tall}${corner(1, -1)}z`,
    );
  }
  /** Draws a whole circle: no picture draws a part of one. */
  arc(x: number, y: number, r: number) {
    const half = (dx: number) => `a${round(r)} ${round(r)} 0 1 1 ${round(dx)} 0`;
    this.path.push(`M${round(x - r)} ${round(y)}${half(2 * r)}${half(-2 * r)}`);
  }
  clip() {
    const id = `clip${++this.clips}`;
    this.out.push(`<clipPath id="${id}"><path d="${this.path.join('')}"${this.where()}/></clipPath>`);
    this.out.push(`<g clip-path="url(#${id})">`);
    this.open++;
  }
  setLineDash(dash: number[]) {
    this.dash = dash;
  }
  fill() {
    this.put('path', `d="${this.path.join('')}"${this.filled()}`);
  }
  stroke() {
    this.put('path', `d="${this.path.join('')}"${this.stroked()}`);
  }
  fillRect(x: number, y: number, w: number, h: number) {
    this.put('rect', `${this.box(x, y, w, h)}${this.filled()}`);
  }
  strokeRect(x: number, y: number, w: number, h: number) {
    this.put('rect', `${this.box(x, y, w, h)}${this.stroked()}`);
  }
  fillText(text: string, x: number, y: number) {
    const size = Number.parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? '10');
    const down = this.textBaseline === 'middle' ? 0.35 * size : this.textBaseline === 'top' ? 0.8 * size : 0;
    const anchor = ANCHOR[this.textAlign];
    const wide = round(this.measureText(text).width); // also in another font
    this.put(
      'text',
      `x="${round(x)}" y="${round(y + down)}" style="font:${escaped(this.font)}" textLength="${wide}" ` +
        `lengthAdjust="spacingAndGlyphs"` +
        `${anchor ? ` text-anchor="${anchor}"` : ''}${this.filled()}`,
      escaped(text),
    );
  }
  measureText(text: string) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }
  drawImage(image: CanvasImageSource, x: number, y: number, w?: number, h?: number) {
    const picture = image as HTMLCanvasElement;
    this.put(
      'image',
      `${this.box(x, y, w ?? picture.width, h ?? picture.height)} preserveAspectRatio="none" ` +
        `style="image-rendering:pixelated" href="${picture.toDataURL()}"`,
    );
  }
  putImageData(image: ImageData, x: number, y: number) {
    const canvas = canvasOf(image.width, image.height);
    canvas.getContext('2d')!.putImageData(image, 0, 0);
    this.drawImage(canvas, x / SHARP, y / SHARP, image.width / SHARP, image.height / SHARP);
  }

  private put(name: string, attributes: string, content = '') {
    const alpha = this.globalAlpha < 1 ? ` opacity="${round(this.globalAlpha)}"` : '';
    this.out.push(`<${name} ${attributes}${alpha}${this.where()}>${content}</${name}>`);
  }
  private where() {
    const { a, b, c, d, e, f } = this.matrix;
    return this.matrix.isIdentity ? '' : ` transform="matrix(${[a, b, c, d, e, f].map(round).join(' ')})"`;
  }
  private box = (x: number, y: number, w: number, h: number) =>
    `x="${round(Math.min(x, x + w))}" y="${round(Math.min(y, y + h))}" ` +
    `width="${round(Math.abs(w))}" height="${round(Math.abs(h))}"`;
  private colour(style: Pen['fillStyle']) {
    return style instanceof CanvasPattern ? this.pattern(style) : escaped(String(style));
  }
  private pattern(style: CanvasPattern) {
    const known = this.patterns.get(style);
    const tile = tileOf(style);
    if (known || !tile) return known ?? 'none';
    const id = `tile${this.patterns.size}`;
    this.patterns.set(style, `url(#${id})`);
    this.out.push(
      `<pattern id="${id}" width="${tile.width}" height="${tile.height}" patternUnits="userSpaceOnUse">` +
        `<image width="${tile.width}" height="${tile.height}" href="${tile.toDataURL()}"/></pattern>`,
    );
    return `url(#${id})`;
  }
  private filled = () => ` fill="${this.colour(this.fillStyle)}"`;
  private stroked() {
    const colour = this.colour(this.strokeStyle);
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(' ')}"` : '';
    const join = this.lineJoin === 'miter' ? '' : ` stroke-linejoin="${this.lineJoin}"`;
    return ` fill="none" stroke="${colour}" stroke-width="${round(this.lineWidth)}"${dash}${join}`;
  }
  /** Returns the picture, on the ground that it stands on. */
  document(width: number, height: number, ground: string): string {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${ground}"/>` +
      `${this.out.join('\n')}${'</g>'.repeat(this.open)}</svg>\n`
    );
  }
}
