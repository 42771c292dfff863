// Scrolling over more rows than a browser can lay out: elements end at some 17 or 33 million pixels. A list that is taller
// gets a box of MOST pixels, and `shift` says how far the list's own pixels are ahead of the box's. Near both ends the two
// move together, a step of the wheel is the same step anywhere, and only a leap (the bar dragged, Home, End) is stretched.
export interface Scroll {
  top: number; // of the box, as the browser has it
  shift: number; // top + shift: of the list
}
export const MOST = 8e6;
const CALM = 1e5; // pixels at each end that are not stretched
const LEAP = 4; // rooms: who moves further at once drags the bar

/** Where the box stands when it has been dragged to `top`. */
export function leapt(top: number, tall: number): Scroll {
  if (tall <= MOST) return { top, shift: 0 };
  const share = (Math.min(Math.max(top, CALM), MOST - CALM) - CALM) / (MOST - 2 * CALM);
  return { top, shift: Math.round(share * (tall - MOST)) };
}
/** Where the box has to stand so that the list is at `at`. */
export function placed(at: number, tall: number): Scroll {
  if (tall <= MOST || at < CALM) return { top: at, shift: 0 };
  if (at > tall - CALM) return { top: at - (tall - MOST), shift: tall - MOST };
  const top = CALM + ((at - CALM) / (tall - 2 * CALM)) * (MOST - 2 * CALM);
  return { top, shift: at - top };
}
/** After the browser moved the box to `top`. `top` of the answer differs where the box has to be moved on: it came near an
    end of its own, and the list has more to show there. */
export function scrolled(before: Scroll, top: number, tall: number, room: number): Scroll {
  if (tall <= MOST || Math.abs(top - before.top) > LEAP * room) return leapt(top, tall);
  const at = top + before.shift;
  const atAnEnd = top < CALM ? before.shift > 0 : top > MOST - CALM && before.shift < tall - MOST;
  return atAnEnd ? placed(Math.min(Math.max(at, 0), tall - room), tall) : { top, shift: before.shift };
}
