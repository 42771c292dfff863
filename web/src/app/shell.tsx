// The frame around every view, and the view in it.
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { percent } from '../lib/format';
import { dialog } from '../state/dialog';
import { analysing, argument, coming, profiles, failure, info } from '../state/info';
import { place } from '../state/place';
import { recording } from '../state/recording';
import { tip } from '../state/tip';
import { viewOf } from '../views/index';
import { Empty } from '../ui/bits';
import { Help, Palette } from './dialogs';
import { Refused, useDrop } from './drop';
import { useKeys } from './keys';
import { Tip } from './tip';
import { Choose, Head } from './head';
import { Notices } from './notices';
import { Rail } from './rail';

function Body() {
  const [error, reset] = useErrorBoundary((e: unknown) => console.error(e));
  const where = place.value.view;
  useEffect(() => reset(), [where, place.value.id]);
  const v = viewOf(where);
  if (error)
    return (
      <Empty
        title="This view failed"
        text={error instanceof Error ? error.message : String(error)}
        command={`strobe report ${argument()}   # the same answers as text`}
      />
    );
  if (!v)
    return (
      <Empty
        title="There is no such view"
        text={`No view is called "${where}". The rail on the left lists the views.`}
      />
    );
  return <v.body key={`${v.route} ${place.value.id ?? ''}`} />;
}

/** A recording of which nothing is known yet. */
function Coming() {
  const now = recording.value;
  return (
    <main class="empty">
      <Choose />
      <h1>{now?.state === 'ended' ? 'Nothing was recorded' : 'Recording'}</h1>
      <p role="status">{now?.said || 'The page opens when the first events are known, after about two seconds.'}</p>
    </main>
  );
}

export function Shell() {
  const main = useRef<HTMLElement>(null);
  const where = place.value.view;
  useKeys();
  useDrop();
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    tip.value = null; // it described the previous view
  }, [where, place.value.id]);
  const profile = profiles.value?.rows ? profiles.value.str('path', place.value.profile) : null;
  useEffect(() => {
    document.title = [viewOf(where)?.name ?? where, profile, 'strobe'].filter(Boolean).join(' · ');
  }, [where, profile]);
  if (coming.value && !info.value) return <Coming />;
  if (analysing.value !== null && !info.value)
    return (
      <main class="empty">
        <Choose />
        <h1>Analysing the trace</h1>
        <div class="progress">
          <i style={{ width: `${100 * analysing.value}%` }} />
        </div>
        <p role="status">{percent(analysing.value)} read. The page opens when the profile is ready.</p>
      </main>
    );
  if (!info.value)
    return failure.value ? (
      <main>
        <Choose />
        <Empty title="strobe cannot show this profile" text={failure.value} />
      </main>
    ) : (
      <div class="busy" />
    );
  return (
    <div class="frame">
      <Rail />
      <Head />
      <main class="view" ref={main} tabIndex={-1}>
        {failure.value && (
          <div class="notice bad" role="alert">
            <b>The page failed.</b>
            <span style={{ whiteSpace: 'pre-wrap' }}>{failure.value}</span>
            <button type="button" class="button quiet" onClick={() => (failure.value = null)}>
              Dismiss
            </button>
          </div>
        )}
        <Refused />
        <Notices />
        <Body />
      </main>
      <Tip />
      {dialog.value === 'palette' && <Palette />}
      {dialog.value === 'help' && <Help />}
    </div>
  );
}
