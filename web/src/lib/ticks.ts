// Round numbers along an axis.
export function tickStep(span: number, most: number): number {
  const raw = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const m of [1, 2, 5, 10]) if (raw <= m * power * (1 + 1e-9)) return m * power;
  return 10 * power;
}

export function ticks(from: number, to: number, most: number, whole = false): { step: number; at: number[] } {
  if (!(to > from)) return { step: 1, at: [from] };
  let step = tickStep(to - from, most);
  if (whole) step = Math.max(1, Math.round(step));
  const at: number[] = [];
  for (let i = Math.ceil(from / step - 1e-9) || 0; i * step <= to * (1 + 1e-12); i++) at.push(i * step);
  return { step, at };
}
