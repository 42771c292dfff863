// The body of the view Difference: what `strobe diff` answers for the profile of the page, A, and another one, B. Its
// numbers are those of the answer.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { START } from '../../lib/route';
import type { Table } from '../../lib/table';
import { api, useAnswer } from '../../state/data';
import { profiles } from '../../state/info';
import { go, own, place } from '../../state/place';
import { report } from '../../state/report';
import { Busy, Problem, Title } from '../../ui/bits';
import { Account } from './account';
import { Calls } from './flame';
import { PARTS, Part } from './tables';

const nameOf = (i: number) => profiles.value!.str('path', i) ?? '';

/** The profiles to compare with: all but that of the page. */
const others = () => Array.from({ length: profiles.value!.rows }, (_, i) => i).filter((i) => i !== place.value.profile);

/** Returns the number of the other profile: that of the address, else the first one. */
const chosen = () => others().find((i) => String(i) === place.value.own.with) ?? others()[0]!;

/** Returns the differences. A trace is analysed first, so the question is asked again until that is done. */
function useDiff(other: number) {
  const [again, set] = useState(0);
  const answer = useAnswer(api('diff', { with: other, again: again || null }));
  const waits = answer.error !== null && /still being analysed/.test(answer.error);
  useEffect(() => {
    if (!waits || answer.loading) return undefined;
    const timer = setTimeout(() => set((n) => n + 1), 500);
    return () => clearTimeout(timer);
  }, [waits, answer]);
  return { ...answer, waits };
}

const Choose = ({ other }: { other: number }) => (
  <>
    <label class="with">
      with{' '}
      <select
        class="field"
        aria-label="Other profile"
        value={String(other)}
        onChange={(e) => own('with', e.currentTarget.value)}
      >
        {others().map((i) => (
          <option key={i} value={String(i)}>
            {nameOf(i)}
          </option>
        ))}
      </select>
    </label>
    <button
      type="button"
      class="button"
      onClick={() => go({ ...START, view: 'diff', profile: other, own: { with: String(place.value.profile) } })}
    >
      Swap A and B
    </button>
  </>
);

/** Whether the answer has figures of a kind. */
const has = (t: Table, kind: string) =>
  Array.from({ length: t.rows }, (_, i) => i).some((i) => t.str('kind', i) === kind);

function Difference() {
  const other = chosen();
  const { value, error, loading, waits } = useDiff(other);
  const t = value?.tables.diff;
  const text = String(value?.meta.text ?? '').replace(/\s+/g, ' ');
  const tools = useMemo(() => <Choose other={other} />, [other, profiles.value, place.value.profile]);
  return (
    <>
      <Busy on={loading || waits} />
      <Title
        sub={`A, before: ${nameOf(place.value.profile)} · B, after: ${nameOf(other)}`}
        tools={report ? null : tools}
      >
        Difference
      </Title>
      {waits ? <p role="status">{nameOf(other)} is being analysed.</p> : <Problem error={error} />}
      {t && (
        <>
          <p class="lede" role="note">
            {text} Of the whole runs.
          </p>
          <Account t={t} names={[nameOf(place.value.profile), nameOf(other)]} />
          {(has(t, 'function') || has(t, 'cpu')) && (
            <Calls other={other} sources={{ recorded: has(t, 'function'), cpu: has(t, 'cpu') }} />
          )}
          {PARTS.map((part) => (
            <Part key={part.title} t={t} {...part} />
          ))}
        </>
      )}
    </>
  );
}

globalThis.strobeDiff = Difference;
