// Fuzzy search by letters in order: consecutive letters and beginnings of words score higher; -1 is no match.
export function score(query: string, text: string): number {
  const q = query.toLowerCase();
  const t = text.toLowerCase();
  if (q === '') return 0;
  const whole = t.indexOf(q);
  if (whole >= 0) return 1000 - whole - t.length / 100;
  let points = 0;
  let at = -1;
  for (const c of q) {
    const next = t.indexOf(c, at + 1);
    if (next < 0) return -1;
    points += next === at + 1 ? 8 : /[^a-z0-9]/.test(t[next - 1] ?? ' ') ? 5 : 1;
    at = next;
  }
  return points - t.length / 100;
}
