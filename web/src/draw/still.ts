// A picture that is drawn once and shown in many frames, until its content or its size changes.
import type { Pen } from './stage';

export class Still {
  private readonly canvas = document.createElement('canvas');
  private of: unknown[] = [];

  /** Shows the picture on all of a canvas of this size; `draw` draws it if anything in `of` changed. */
  show(g: Pen, width: number, height: number, of: unknown[], draw: (g: Pen) => void) {
    const scale = g.getTransform().a;
    const now = [width, height, scale, ...of];
    if (now.some((v, i) => v !== this.of[i])) {
      this.of = now;
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      const pen = this.canvas.getContext('2d')!;
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      draw(pen);
    }
    g.drawImage(this.canvas, 0, 0, this.canvas.width / scale, this.canvas.height / scale);
  }
}
