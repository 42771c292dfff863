// The predicted time on other numbers of cores, as it is and with a change to a process (strobe predict).
import { useEffect, useMemo, useState } from 'preact/hooks';
import { curveBox, drawCurves, placeOf } from '../draw/curve';
import { Stage, type Pen } from '../draw/stage';
import { duration, percent, three } from '../lib/format';
import type { Table } from '../lib/table';
import { changeOf, commandOf, MOST, paramsOf, type Change } from '../lib/whatif';
import { api, useAnswer } from '../state/data';
import { argument, elixir } from '../state/info';
import { go, place } from '../state/place';
import { report } from '../state/report';
import { palette } from '../state/theme';
import { Busy, Keys, Panel, Problem } from '../ui/bits';
import { Twin } from '../ui/grid';

/** What locks and messages between cores cost, by the column `exposure`. */
const CONTENTION: Record<string, string> = {
  low: 'Messages cost little beside the work. ',
  some: 'Locks and messages between cores may cost a part of the work. ',
  high: 'Locks and messages between cores may cost as much as the work: more cores may even be slower. ',
};
const HEIGHT = 240;
const MOST_CHOICES = 20;

/** Returns the processes with most time on the critical path, by pid. */
function useChoices(): [string, string][] {
  const { value } = useAnswer(api('answer/critical', elixir.value ? { elixir: 1 } : {}));
  const t = value?.tables.answer;
  return useMemo(() => {
    const found = new Map<string, string>();
    for (let i = 0; t && i < t.rows && found.size < MOST_CHOICES; i++) {
      const pid = t.str('pid', i);
      if (pid && !found.has(pid)) found.set(pid, t.str('process', i) ?? pid);
    }
    return [...found];
  }, [t]);
}

const change = (to: Partial<Record<keyof Change, string>>) => go({ own: { ...place.value.own, ...to } });

function Slider({ label, value, step, set }: { label: string; value: number; step: number; set: (v: string) => void }) {
  return (
    <label class="with slider">
      {label}
      <input
        type="range"
        min="1"
        max={MOST}
        step={step}
        value={value}
        aria-valuetext={`${value} times`}
        onChange={(e) => set(e.currentTarget.value === '1' ? '' : e.currentTarget.value)}
      />
      <output>{value === 1 ? 'as it is' : `× ${value}`}</output>
    </label>
  );
}

function Controls({ now }: { now: Change }) {
  const choices = useChoices();
  return (
    <div class="what-if" role="group" aria-label="What if">
      <label class="with">
        What if
        <select value={now.what} aria-label="Process" onChange={(e) => change({ what: e.currentTarget.value })}>
          <option value="">choose a process</option>
          {choices.map(([pid, name]) => (
            <option key={pid} value={pid}>
              {name === pid ? pid : `${name} ${pid}`}
            </option>
          ))}
        </select>
      </label>
      {now.what && (
        <>
          <Slider label="were faster" value={now.faster} step={0.5} set={(v) => change({ faster: v })} />
          <Slider label="were several copies" value={now.split} step={1} set={(v) => change({ split: v })} />
        </>
      )}
    </div>
  );
}

/** Returns the row of the cores of the recording, or the first one. */
const recordedRow = (t: Table) => Math.max(0, t.nums('cores').indexOf(t.num('schedulers', 0)));

/** Asks for a change at the cores of the recording first, which a slider shows at once, and then for the curve. */
function useChange(base: Table | undefined, params: Record<string, string> | null) {
  const [known, setKnown] = useState('');
  const cores = base?.rows ? base.num('cores', recordedRow(base)) : 0;
  const path = params && cores > 0 ? api('forecast', { ...params, cores }) : null;
  const soon = useAnswer(path);
  useEffect(() => setKnown(path ?? ''), [soon.value, soon.error]);
  const curve = useAnswer(path !== null && known === path ? api('forecast', params ?? {}) : null);
  const waits = path !== null && known !== path; // for the first answer
  return { soon, curve, loading: waits || soon.loading || curve.loading, error: soon.error ?? curve.error };
}

/** The facts that are the same in all rows, and the gain of a change at the cores of the recording. */
function Facts({ base, changed }: { base: Table; changed: Table | null }) {
  const [work, span, least] = [base.num('work_ns', 0), base.num('span_ns', 0), base.num('least_ns', 0)];
  const at = recordedRow(base);
  const cores = base.num('cores', at);
  const same = changed ? changed.nums('cores').indexOf(cores) : -1;
  const [was, is] = [base.num('ns', at), changed && same >= 0 ? changed.num('ns', same) : NaN];
  return (
    <p class="body soft">
      {is > 0 && was > 0 && (
        <b>
          {duration(was)} become {duration(is)} on {cores} {cores === 1 ? 'core' : 'cores'} (
          {is <= was ? `${percent(1 - is / was)} less` : `${percent(is / was - 1)} more`}).{' '}
        </b>
      )}
      {work > 0 && `Work ${duration(work)}. `}
      {span > 0 && (
        <>
          {least < span
            ? `The longest chain of work and waits takes ${duration(span)}, and ${duration(least)} without the waits
               that the trace does not explain: no number of cores is faster than that. `
            : `No number of cores is faster than ${duration(span)}, the longest chain of work and waits. `}
          {work < span
            ? `Less than one core has work on average: parallelism ${three(work / span)}. `
            : `Parallelism ${three(work / span)}. `}
        </>
      )}
      {CONTENTION[base.str('exposure', 0) ?? ''] ?? 'What locks and messages between cores cost is unknown. '}
      {(base.str('note', 0) ?? '')
        .split(' | ')
        .filter(Boolean)
        .map((note) => `Note: ${note}. `)
        .join('')}
    </p>
  );
}

function Curve({ base, changed }: { base: Table; changed: Table | null }) {
  const p = palette.value;
  const draw = useMemo(
    () => (g: Pen, w: number, h: number) => drawCurves(g, base, changed, w, h, p),
    [base, changed, p],
  );
  const band = (t: Table, i: number) =>
    `${Number.isNaN(t.num('ns', i)) ? 'unknown' : duration(t.num('ns', i))} (${['low_ns', 'high_ns']
      .map((c) => (Number.isNaN(t.num(c, i)) ? '?' : duration(t.num(c, i))))
      .join(' to ')})`;
  return (
    <Stage
      height={HEIGHT}
      label="The predicted time by number of cores"
      draw={draw}
      hover={(x, _y, w) => {
        const at = placeOf(base, curveBox(w, HEIGHT));
        const i = Array.from({ length: base.rows }, (_, k) => k).reduce(
          (a, b) => (Math.abs(at(b) - x) < Math.abs(at(a) - x) ? b : a),
          0,
        );
        return {
          title: `${base.num('cores', i)} cores`,
          rows: [
            ['as it is', band(base, i)],
            ...(changed && i < changed.rows ? [['with the change', band(changed, i)] as [string, string]] : []),
          ],
        };
      }}
    />
  );
}

export function Forecast() {
  const now = changeOf(place.value.own);
  const params = report ? null : paramsOf(now);
  const base = useAnswer(api('forecast'));
  const t = base.value?.tables.forecast;
  const what = useChange(t, params);
  const soon = params ? (what.soon.value?.tables.forecast ?? null) : null;
  const changed = params ? (what.curve.value?.tables.forecast ?? null) : null;
  if (t && !t.rows) return null;
  const p = palette.value;
  return (
    <Panel title="On other numbers of cores" sub="predicted from this run; the band is where the time should be">
      <Busy on={base.loading || what.loading} />
      <Problem error={base.error} />
      {params && <Problem error={what.error} />}
      {!report && t && <Controls now={now} />}
      {t && (
        <>
          <div class="body curve">
            <div class="legend">
              <Keys
                of={
                  changed
                    ? [
                        { text: 'as it is', colour: p.faint },
                        { text: 'with the change', colour: p.accent },
                      ]
                    : [{ text: 'time and its band, by cores', colour: p.run }]
                }
              />
              {params && <code>{commandOf(now, argument())}</code>}
            </div>
            <Curve base={t} changed={changed} />
          </div>
          <Facts base={t} changed={soon} />
          <Twin table={t} label="The forecast" />
          {changed && <Twin table={changed} label="The forecast with the change" />}
        </>
      )}
    </Panel>
  );
}
