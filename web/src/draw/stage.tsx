// A canvas that is as sharp as the screen and redraws when what it shows changes; callbacks get its own coordinates.
// With `time` its width is the time range: a drag selects a part, Shift and a drag moves it, Ctrl and the wheel zooms
// at the pointer, a double click shows the whole run.
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { save, savePicture } from '../lib/clipboard';
import { duration } from '../lib/format';
import { slug } from '../lib/names';
import { pan, zoom, type Range } from '../lib/window';
import { look, range, run } from '../state/place';
import { palette } from '../state/theme';
import { tip, type TipContent } from '../state/tip';
import { followPointer } from './pointer';
import { SvgPen, type Pen } from './svg';

export type { Pen };
export interface Insets {
  left: number;
  right: number;
}
interface Grab {
  move: (dx: number, dy: number) => void;
  zoom: (factor: number, x: number, y: number) => void;
}
const FIXED: Grab = { move: () => {}, zoom: () => {} };
interface Props {
  height: number;
  label: string;
  draw: (g: Pen, width: number, height: number) => void;
  hover?: (x: number, y: number, width: number) => TipContent | null;
  click?: (x: number, y: number, width: number) => void;
  time?: Insets;
  grab?: Grab; // moved by a drag, zoomed by Ctrl with the wheel
  window?: () => Range; // of the axis, where it is not the time range (the strip of the run)
}
type Canvas = RefObject<HTMLCanvasElement | null>;

const CLICK = 3; // pixels: a pointer that moves further drags
const WHEEL = 1.0025; // zoom of one pixel of the wheel

/** Returns the width of the canvas's parent, and whether it is in sight: a canvas out of sight is not drawn. */
function useRoom(canvas: Canvas): { width: number; seen: boolean } {
  const [width, setWidth] = useState(0);
  const [seen, setSeen] = useState(true);
  useLayoutEffect(() => setWidth(canvas.current!.parentElement!.clientWidth), []); // the first frame has a picture
  useEffect(() => {
    const size = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    const sight = new IntersectionObserver((entries) => setSeen(entries[entries.length - 1]!.isIntersecting), {
      rootMargin: '200px',
    });
    size.observe(canvas.current!.parentElement!);
    sight.observe(canvas.current!.parentElement!);
    return () => {
      size.disconnect();
      sight.disconnect();
    };
  }, []);
  return { width, seen };
}

function paint(c: HTMLCanvasElement, width: number, height: number, draw: Props['draw']) {
  const scale = devicePixelRatio || 1;
  if (c.width !== Math.round(width * scale) || c.height !== Math.round(height * scale)) {
    c.width = Math.round(width * scale);
    c.height = Math.round(height * scale);
  }
  const g = c.getContext('2d')!;
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  draw(g, width, height);
}

/** Paints once in the next frame, with the `draw` of that moment: a change in between never delays the frame. */
function usePaint(canvas: Canvas, { draw, height }: Props, width: number, seen: boolean) {
  const frame = useRef(0);
  const newest = useRef(() => {});
  newest.current = () => {
    frame.current = 0;
    if (canvas.current) paint(canvas.current, width, height, draw);
  };
  const colours = palette.value;
  useLayoutEffect(() => {
    if (width && seen) frame.current ||= requestAnimationFrame(() => newest.current());
  }, [width, height, draw, colours, seen]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
}

/** Handles the wheel. The listener is not passive, because it must keep the browser from zooming the page. */
function useWheel(canvas: Canvas, { time, grab }: Props, timeAt: (x: number) => number) {
  useEffect(() => {
    const c = canvas.current!;
    if (!time && !grab) return undefined;
    const wheel = (e: WheelEvent) => {
      const ctrl = e.ctrlKey || e.metaKey;
      const flat = Math.abs(e.deltaX) > Math.abs(e.deltaY) ? e.deltaX : 0;
      const sideways = e.shiftKey ? e.deltaY || e.deltaX : flat;
      if (!ctrl && (grab || !sideways)) return;
      e.preventDefault();
      if (grab) grab.zoom(WHEEL ** -e.deltaY, e.offsetX, e.offsetY);
      else if (sideways && !e.ctrlKey) look(pan(range.value, run.value, sideways / 900), true);
      else look(zoom(range.value, run.value, WHEEL ** e.deltaY, timeAt(e.offsetX)), true);
    };
    c.addEventListener('wheel', wheel, { passive: false });
    return () => c.removeEventListener('wheel', wheel);
  });
}

/** Returns what a press does on a picture that is moved and zoomed: move it, or click. */
const onGrab = (grab: Grab, click: (e: PointerEvent) => void) => (e: PointerEvent) => {
  let [x, y, far] = [e.offsetX, e.offsetY, 0];
  const move = (m: PointerEvent) => {
    far += Math.hypot(m.offsetX - x, m.offsetY - y);
    if (far > CLICK) grab.move(m.offsetX - x, m.offsetY - y);
    [x, y] = [m.offsetX, m.offsetY];
  };
  followPointer(e, move, (up) => up && far <= CLICK && click(up));
};

type Brush = [number, number] | null; // from and to, in pixels

/** Returns what a press does on a time axis: select a part, move the time range (with Shift), or click. */
const onAxis =
  (width: number, brush: (b: Brush) => void, pick: (b: [number, number]) => void, click: (e: PointerEvent) => void) =>
  (e: PointerEvent) => {
    const [from, started, slide] = [e.offsetX, range.value, e.shiftKey];
    const piece = (to: number): Brush =>
      Math.abs(to - from) > CLICK ? [Math.min(from, to), Math.max(from, to)] : null;
    const move = (m: PointerEvent) => {
      if (slide) look(pan(started, run.value, (from - m.offsetX) / width), true);
      else brush(piece(m.offsetX));
    };
    followPointer(e, move, (up) => {
      brush(null);
      const chosen = up && piece(up.offsetX);
      if (chosen && !slide) pick(chosen);
      else if (up && !chosen) click(up);
    });
  };

export function Stage(props: Props) {
  const { height, label, hover, click, time, grab, window: shown } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, seen } = useRoom(canvas);
  const [brush, setBrush] = useState<Brush>(null);
  const timeAt = (x: number) => {
    const [from, to] = shown ? shown() : range.value;
    const room = width - time!.left - time!.right;
    return from + (Math.min(Math.max(x - time!.left, 0), room) / room) * (to - from);
  };
  usePaint(canvas, props, width, seen);
  useWheel(canvas, props, timeAt);
  const saveSvg = () => {
    const pen = new SvgPen();
    props.draw(pen, width, height);
    const text = pen.document(width, height, palette.value.panel);
    save(`${slug(label)}.svg`, new Blob([text], { type: 'image/svg+xml' }));
  };
  const clicked = (e: PointerEvent) => click?.(e.offsetX, e.offsetY, width);
  const pressed = (e: PointerEvent) => {
    if (e.button !== 0) return;
    if (time) onAxis(width, setBrush, ([a, b]) => look([timeAt(a), timeAt(b)]), clicked)(e);
    else onGrab(grab ?? FIXED, clicked)(e);
  };
  const pointed = (e: PointerEvent) => {
    const content = brush ? null : hover?.(e.offsetX, e.offsetY, width);
    tip.value = content ? { ...content, x: e.clientX, y: e.clientY } : null;
  };
  return (
    <div class={`stage${time ? ' drag' : grab ? ' grab' : ''}`} style={{ height: `${height}px` }}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        onPointerDown={pressed}
        onPointerMove={pointed}
        onPointerLeave={() => {
          tip.value = null;
        }}
        onDblClick={() => time && look(null)}
      />
      {!shown && (
        <div class="take">
          <button
            type="button"
            class="button quiet"
            aria-label={`Save as PNG: ${label}`}
            onClick={() => savePicture(slug(label), canvas.current!, palette.value.panel)}
          >
            PNG
          </button>
          <button type="button" class="button quiet" aria-label={`Save as SVG: ${label}`} onClick={saveSvg}>
            SVG
          </button>
        </div>
      )}
      {brush && (
        <div class="brush" style={{ left: `${brush[0]}px`, width: `${brush[1] - brush[0]}px` }}>
          <span>{duration(timeAt(brush[1]) - timeAt(brush[0]))}</span>
        </div>
      )}
    </div>
  );
}
