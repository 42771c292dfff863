// How many processes ran over time, for the range and some time around it: shared by the strip and the overview.
import { api } from './data';
import { run } from './place';
import { useWindowed } from './windowed';

/** Of the whole run: a question whose answer comes with the page (PAGE in src/serve/routes/route.def). */
export const wholeTimeline = () => api('timeline', { track: 'all' });

export const useTimeline = () =>
  useWindowed(
    ({ from, to, pixels }) =>
      from <= run.value[0] && to >= run.value[1]
        ? wholeTimeline()
        : api('timeline', { track: 'all', t0: from, t1: to, n: pixels }),
    [],
  );
