// Small parts that every view uses.
import type { ComponentChildren } from 'preact';
import { precise, at as seconds } from '../lib/format';
import { fullTitle, functionName, title, type Named } from '../lib/names';
import { elixir } from '../state/info';
import { selecting } from '../state/moment';
import { here, href, place } from '../state/place';
import { report } from '../state/report';

export function Panel({
  title: head,
  sub,
  tools,
  children,
}: {
  title?: string;
  sub?: ComponentChildren;
  tools?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="panel">
      {head && (
        <header>
          <h2>{head}</h2>
          {sub && <span class="faint">{sub}</span>}
          {tools && <div class="tools">{tools}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

export function Title({
  children,
  sub,
  tools,
}: {
  children: ComponentChildren;
  sub?: ComponentChildren;
  tools?: ComponentChildren;
}) {
  return (
    <div class="title">
      <h1>{children}</h1>
      {sub && <span class="sub">{sub}</span>}
      {tools && <div class="tools">{tools}</div>}
    </div>
  );
}

/** Takes the place of an empty picture: says why it is empty, and what to do. */
export function Empty({ title: head, text, command }: { title: string; text: string; command?: string }) {
  return (
    <div class="empty">
      <h1>{head}</h1>
      <p>{text}</p>
      {command && <pre>{command}</pre>}
    </div>
  );
}

/** Takes the place of pictures over time if the trace has no time stamps. */
export const NoTimes = () => (
  <Empty
    title="There is nothing to show over time"
    text="The trace has no time stamps. OTP writes them with the trace flag timestamp or monotonic_timestamp."
  />
);

/** Buttons for a few values, of which one is chosen. */
export function Choice<const T extends string>({
  label,
  value,
  of,
  pick,
}: {
  label: string;
  value: T;
  of: readonly (readonly [T, string])[];
  pick: (v: T) => void;
}) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {of.map(([v, text]) => (
        <button key={v} type="button" aria-pressed={v === value} onClick={() => pick(v)}>
          {text}
        </button>
      ))}
    </div>
  );
}

/** Where calls come from, as the address has it. */
export const SOURCES = [
  ['', 'Recorded calls'],
  ['cpu', 'CPU samples'],
] as const;

export function Problem({ error }: { error: string | null }) {
  return error ? (
    <div class="notice bad" role="alert">
      <b>Error:</b> <span>{error}</span>
    </div>
  ) : null;
}
/** Takes the place of a picture that a saved report cannot show. `has`: what it holds instead. */
export const NotSaved = ({ has }: { has: string }) => (
  <p class="body soft">
    A saved report holds {has}. <code>strobe serve</code> on the profile shows all.
  </p>
);
export const Busy = ({ on }: { on: boolean }) => (on ? <div class="busy" aria-hidden="true" /> : null);

export function Who({ of, id }: { of: Named; id: number | null }) {
  const name = title(of, elixir.value);
  const body = (
    <>
      <span>{name}</span>
      {of.pid && name !== of.pid && <span class="pid">{of.pid}</span>}
    </>
  );
  return id === null || Number.isNaN(id) ? (
    <span class="who">{body}</span>
  ) : (
    <a class="who" href={href('process', String(id))} title={fullTitle(of, elixir.value)}>
      {body}
    </a>
  );
}

/** A moment; a click selects what the process did then, or, up to `to`, its longest slice. */
export function MomentLink({ process, at, to = null }: { process: number; at: number; to?: number | null }) {
  if (Number.isNaN(at)) return <span class="null">–</span>;
  const text = <span title={precise(at)}>{seconds(at)}</span>;
  return Number.isNaN(process) || report ? text : <a href={here(selecting({ process, from: at, to }))}>{text}</a>;
}

/** The meaning of a colour in a picture. */
export interface Key {
  text: ComponentChildren;
  colour: string;
  look?: 'hatched' | 'round' | 'line';
  title?: string;
}
export const Keys = ({ of }: { of: Key[] }) => (
  <>
    {of.map(({ text, colour, look, title: tip }, i) => (
      <span key={i} title={tip}>
        <i class={look} style={look === 'line' ? undefined : { backgroundColor: colour }} />
        {text}
      </span>
    ))}
  </>
);

/** A button that unfolds a row of a tree; without children it is invisible but keeps its room. */
export function Fold({ open, children, turn }: { open: boolean; children: number; turn: () => void }) {
  return (
    <button
      type="button"
      class="button quiet fold"
      style={{ visibility: children ? 'visible' : 'hidden' }}
      aria-expanded={open}
      aria-label={open ? 'Fold' : 'Unfold'}
      onClick={turn}
    >
      {open ? '▾' : '▸'}
    </button>
  );
}

/** The name of a function; a click selects it. */
export function FunctionLink({ mfa, children }: { mfa: string; children?: ComponentChildren }) {
  return (
    <a href={here({ fn: mfa })} aria-current={place.value.fn === mfa ? 'true' : undefined} title={mfa}>
      {functionName(mfa, elixir.value)}
      {children}
    </a>
  );
}

export const Share = ({ of: share, colour }: { of: number; colour?: string }) => (
  <span class="barbox" aria-hidden="true">
    <i style={{ width: `${Math.min(100, Math.max(0, share * 100))}%`, background: colour }} />
  </span>
);
