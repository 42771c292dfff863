// A canvas that is as sharp as the screen, redraws when what it shows changes, and speaks in its own coordinates.
// With `time` it is a piece of the time axis: dragging narrows the window, Shift and drag moves it, Ctrl and the
// wheel zooms at the pointer, a double click shows the whole run.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { duration } from '../lib/format';
import { pan, zoom, type Range } from '../lib/window';
import { look, range, run } from '../state/place';
import { palette } from '../state/theme';
import { tip, type TipContent } from '../state/tip';

export type Pen = CanvasRenderingContext2D;
export interface Insets {
  left: number;
  right: number;
}
interface Props {
  height: number;
  label: string;
  draw: (g: Pen, width: number, height: number) => void;
  hover?: (x: number, y: number, width: number) => TipContent | null;
  click?: (x: number, y: number, width: number) => void;
  time?: Insets;
  grab?: { move: (dx: number, dy: number) => void; zoom: (factor: number, x: number, y: number) => void }; // what a drag and Ctrl with the wheel move
  window?: () => Range; // of the axis, when it is not the window looked at (the run's strip)
}

export function Stage({ height, label, draw, hover, click, time, grab, window: shown }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [seen, setSeen] = useState(true); // what is scrolled away is not drawn
  const [drag, setDrag] = useState<[number, number] | null>(null);
  const colours = palette.value;

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

  // what is newest when the frame comes is drawn: a change in between never puts the drawing off
  const newest = useRef(draw);
  newest.current = draw;
  const frame = useRef(0);
  const paint = () => {
    frame.current = 0;
    const c = canvas.current;
    if (!c) return;
    const scale = devicePixelRatio || 1;
    const [w, h] = [width, height];
    if (c.width !== Math.round(w * scale) || c.height !== Math.round(h * scale)) {
      c.width = Math.round(w * scale);
      c.height = Math.round(h * scale);
    }
    const g = c.getContext('2d')!;
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, w, h);
    newest.current(g, w, h);
  };
  const painter = useRef(paint);
  painter.current = paint;
  useLayoutEffect(() => {
    if (width && seen) frame.current ||= requestAnimationFrame(() => painter.current());
  }, [width, height, draw, colours, seen]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const axis = () => (shown ? shown() : range.value);
  const timeAt = (x: number) => {
    const [from, to] = axis();
    const { left, right } = time!;
    return from + (Math.min(Math.max(x - left, 0), width - left - right) / (width - left - right)) * (to - from);
  };

  // wheel must be able to keep the page from zooming, so it is not a passive listener
  useEffect(() => {
    const c = canvas.current!;
    if (!time && !grab) return undefined;
    const wheel = (e: WheelEvent) => {
      if (grab) {
        if (!e.ctrlKey && !e.metaKey) return;
        e.preventDefault();
        return grab.zoom(1.0025 ** -e.deltaY, e.offsetX, e.offsetY);
      }
      const sideways = e.shiftKey ? e.deltaY || e.deltaX : Math.abs(e.deltaX) > Math.abs(e.deltaY) ? e.deltaX : 0;
      if (!e.ctrlKey && !e.metaKey && !sideways) return;
      e.preventDefault();
      if (sideways && !e.ctrlKey) look(pan(range.value, run.value, sideways / 900), true);
      else look(zoom(range.value, run.value, 1.0025 ** e.deltaY, timeAt(e.offsetX)), true);
    };
    c.addEventListener('wheel', wheel, { passive: false });
    return () => c.removeEventListener('wheel', wheel);
  });

  const press = (e: PointerEvent) => {
    if (e.button !== 0) return;
    const c = canvas.current!;
    const from = e.offsetX;
    const started = range.value;
    const slide = e.shiftKey;
    let to = from;
    let [lastX, lastY, far] = [e.offsetX, e.offsetY, 0];
    c.setPointerCapture(e.pointerId);
    const move = (m: PointerEvent) => {
      to = m.offsetX;
      if (grab) {
        far += Math.hypot(m.offsetX - lastX, m.offsetY - lastY);
        if (far > 3) grab.move(m.offsetX - lastX, m.offsetY - lastY);
        [lastX, lastY] = [m.offsetX, m.offsetY];
      }
      if (!time) return;
      if (slide) look(pan(started, run.value, (from - to) / width), true);
      else setDrag(Math.abs(to - from) > 3 ? [Math.min(from, to), Math.max(from, to)] : null);
    };
    const release = (u: PointerEvent) => {
      c.removeEventListener('pointermove', move);
      c.removeEventListener('pointerup', release);
      c.removeEventListener('pointercancel', release);
      setDrag(null);
      if (u.type !== 'pointerup') return;
      if (grab ? far <= 3 : Math.abs(to - from) <= 3) click?.(u.offsetX, u.offsetY, width);
      else if (time && !slide) look([timeAt(Math.min(from, to)), timeAt(Math.max(from, to))]);
    };
    c.addEventListener('pointermove', move);
    c.addEventListener('pointerup', release);
    c.addEventListener('pointercancel', release);
  };

  const point = (e: PointerEvent) => {
    const said = drag ? null : hover?.(e.offsetX, e.offsetY, width);
    tip.value = said ? { ...said, x: e.clientX, y: e.clientY } : null;
  };

  return (
    <div class={`stage${time ? ' drag' : grab ? ' grab' : ''}`} style={{ height: `${height}px` }}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        onPointerDown={press}
        onPointerMove={point}
        onPointerLeave={() => (tip.value = null)}
        onDblClick={() => time && look(null)}
      />
      {drag && (
        <div class="brush" style={{ left: `${drag[0]}px`, width: `${drag[1] - drag[0]}px` }}>
          <span>{duration(timeAt(drag[1]) - timeAt(drag[0]))}</span>
        </div>
      )}
    </div>
  );
}
