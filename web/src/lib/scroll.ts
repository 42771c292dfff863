// Scrolling over more rows than a browser can lay out: the height of an element is limited to 17 or 33 million pixels.
// A taller list gets a box of MOST pixels, and `shift` is the offset from pixels of the box to pixels of the list. Near
// both ends the two move together, a step of the wheel is the same step anywhere, and only a jump (the bar dragged,
// Home, End) is scaled.
export interface Scroll {
  top: number; // scrollTop of the box
  shift: number; // top + shift is the position in the list
}
export const MOST = 8e6;
const CALM = 1e5; // pixels at each end that are not scaled
const LEAP = 4; // heights of the visible part: a longer movement is a jump

/** Returns the state after the bar was dragged to `top`. */
export function leapt(top: number, tall: number): Scroll {
  if (tall <= MOST) return { top, shift: 0 };
  const share = (Math.min(Math.max(top, CALM), MOST - CALM) - CALM) / (MOST - 2 * CALM);
  return { top, shift: Math.round(share * (tall - MOST)) };
}
/** Returns the state in which the list is at `at`. */
export function placed(at: number, tall: number): Scroll {
  if (tall <= MOST || at < CALM) return { top: at, shift: 0 };
  if (at > tall - CALM) return { top: at - (tall - MOST), shift: tall - MOST };
  const top = CALM + ((at - CALM) / (tall - 2 * CALM)) * (MOST - 2 * CALM);
  return { top, shift: at - top };
}
/** Returns the state after the browser moved the box to `top`. The new `top` differs if the box came near its own end
    while the list goes further: the caller must move the box. */
export function scrolled(before: Scroll, top: number, tall: number, room: number): Scroll {
  if (tall <= MOST || Math.abs(top - before.top) > LEAP * room) return leapt(top, tall);
  const at = top + before.shift;
  const atAnEnd = top < CALM ? before.shift > 0 : top > MOST - CALM && before.shift < tall - MOST;
  return atAnEnd ? placed(Math.min(Math.max(at, 0), tall - room), tall) : { top, shift: before.shift };
}
