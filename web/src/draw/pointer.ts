// Follows a pressed pointer until its release, also outside of the element.

/** Calls `moved` for each movement and `done` once: with the release, or with null if the browser cancels the
    pointer. */
export function followPointer(
  pressed: PointerEvent,
  moved: (e: PointerEvent) => void,
  done: (up: PointerEvent | null) => void,
) {
  const element = pressed.currentTarget as HTMLElement;
  const end = (e: PointerEvent) => {
    element.removeEventListener('pointermove', moved);
    element.removeEventListener('pointerup', end);
    element.removeEventListener('pointercancel', end);
    done(e.type === 'pointerup' ? e : null);
  };
  element.setPointerCapture(pressed.pointerId);
  element.addEventListener('pointermove', moved);
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
}
