// The tooltip of the page, beside the pointer and always inside the browser's window.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { tip } from '../state/tip';

export function Tip() {
  const box = useRef<HTMLDivElement>(null);
  const t = tip.value;
  useLayoutEffect(() => {
    const b = box.current;
    if (!b || !t) return;
    const { width, height } = b.getBoundingClientRect();
    const right = t.x + 16 + width < innerWidth;
    const below = t.y + 18 + height < innerHeight;
    b.style.left = `${Math.max(4, right ? t.x + 16 : t.x - 12 - width)}px`;
    b.style.top = `${Math.max(4, below ? t.y + 18 : t.y - 12 - height)}px`;
  });
  if (!t) return null;
  return (
    <div class="tip" ref={box} role="status">
      <b>{typeof t.title === 'string' ? t.title : t.title()}</b>
      {t.rows && (
        <div class="rows">
          {t.rows.flatMap(([k, v]) => [<span key={`${k}k`}>{k}</span>, <span key={`${k}v`}>{v}</span>])}
        </div>
      )}
      {t.note && <div class="faint">{t.note}</div>}
    </div>
  );
}
