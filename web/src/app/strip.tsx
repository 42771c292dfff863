// The whole run as a strip above every view.
import { useMemo } from 'preact/hooks';
import { scaleX } from '../draw/axis';
import { drawActivity } from '../draw/area';
import { Stage, type Pen } from '../draw/stage';
import { Still } from '../draw/still';
import { useAnswer } from '../state/data';
import { narrowed, range, run } from '../state/place';
import { wholeTimeline } from '../state/timeline';
import { palette } from '../state/theme';

/** The whole run as a strip with the selected range; a drag selects another range. */
export function Strip() {
  const { value } = useAnswer(wholeTimeline());
  const [from, to] = range.value;
  const p = palette.value;
  const still = useMemo(() => new Still(), []);
  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => {
      const box = { x: 0, y: 3, w, h: h - 5 };
      const t = value?.tables.timeline;
      if (t)
        still.show(g, w, h, [t, p.run], (pen) =>
          drawActivity(pen, t, run.value, box, [{ columns: ['running_ns', 'gc_ns'], colour: p.run }], p),
        );
      g.fillStyle = p.line;
      g.fillRect(0, h - 2, w, 1);
      if (!narrowed.value) return;
      const x = scaleX(run.value, box);
      const [a, b] = [x(from), Math.max(x(to), x(from) + 2)];
      g.fillStyle = p.panel;
      g.globalAlpha = 0.72;
      g.fillRect(0, 0, a, h);
      g.fillRect(b, 0, w - b, h);
      g.globalAlpha = 1;
      g.fillStyle = p.accent;
      g.fillRect(a - 1, 0, 2, h);
      g.fillRect(b - 1, 0, 2, h);
    },
    [value, from, to, p],
  );
  return (
    <Stage
      height={38}
      label="The whole run; the time range is marked"
      draw={draw}
      time={{ left: 0, right: 0 }}
      window={() => run.value}
    />
  );
}
