// The layout of a graph: as a forest, or with each box beside its strongest partner. Layers: layers.ts.

export interface GraphNode {
  id: string;
  lines: string[]; // the first is its name
  colour: string;
  weight: number; // 0..1: how much the box stands out
}
export interface GraphEdge {
  from: string;
  to: string;
  text: string;
  weight: number; // 0..1: how thick
}
export const [WIDTH, LINE] = [192, 15];
const GAP = 56;

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Arranged {
  width: number;
  height: number;
  node: (id: string) => Place;
  path: (e: GraphEdge) => { x: number; y: number }[];
  label: (e: GraphEdge) => { x: number; y: number };
  down?: boolean; // edges enter boxes from above or below, not from a side
  faint?: (e: GraphEdge) => boolean; // drawn below the others
}

/** Returns a forest from left to right. A parent is beside its first child, and small subtrees come first, so that
    lines to siblings are short. Leaves share rows if `across` is more than 1. */
export function forest(nodes: GraphNode[], edges: GraphEdge[], across = 1): Arranged {
  const below = new Map<string, string[]>();
  const inner = new Set(edges.map((e) => e.to));
  for (const e of edges) below.set(e.from, [...(below.get(e.from) ?? []), e.to]);
  const sizes = new Map<string, number>();
  const size = (id: string): number => {
    if (!sizes.has(id)) {
      sizes.set(id, 1); // ends a recursion in a cycle
      sizes.set(id, 1 + (below.get(id) ?? []).reduce((s, c) => s + size(c), 0));
    }
    return sizes.get(id)!;
  };
  const places = new Map<string, Place>();
  const tall = new Map(nodes.map((n) => [n.id, 8 + n.lines.length * LINE]));
  let [y, right] = [12, 0];
  const put = (id: string, depth: number, column = 0) => {
    const height = tall.get(id)!;
    const place = {
      x: 12 + WIDTH / 2 + depth * (WIDTH + GAP) + column * (WIDTH + 12),
      y: y + height / 2,
      width: WIDTH,
      height,
    };
    places.set(id, place);
    right = Math.max(right, place.x + WIDTH / 2);
    return height;
  };
  const grow = (id: string, depth: number) => {
    const height = put(id, depth);
    const bottom = y + height;
    const children = (below.get(id) ?? []).filter((c) => !places.has(c));
    const leaves = children.filter((c) => size(c) === 1);
    const columns = Math.max(1, Math.min(across, Math.ceil(leaves.length / 4)));
    for (let i = 0; i < leaves.length; i++) {
      const h = put(leaves[i]!, depth + 1, i % columns);
      if (i % columns === columns - 1 || i === leaves.length - 1) y += h + 7;
    }
    for (const child of children.filter((c) => size(c) > 1).sort((a, b) => size(a) - size(b)))
      if (!places.has(child)) grow(child, depth + 1);
    y = Math.max(y, bottom + 7);
  };
  for (const n of nodes.filter((n) => !inner.has(n.id))) grow(n.id, 0);
  for (const n of nodes) if (!places.has(n.id)) grow(n.id, 0); // nodes of a cycle
  const path = (e: GraphEdge) => {
    const [a, b] = [places.get(e.from)!, places.get(e.to)!];
    const middle = a.x + WIDTH / 2 + GAP / 2;
    if (b.x - a.x > WIDTH + GAP) {
      // a leaf after others in its row: the line passes above them, and enters from the top
      const lane = b.y - b.height / 2 - 3;
      return [
        { x: a.x + WIDTH / 2, y: a.y },
        { x: middle, y: a.y },
        { x: middle, y: lane },
        { x: b.x, y: lane },
        { x: b.x, y: b.y - b.height / 2 },
      ];
    }
    return [
      { x: a.x + WIDTH / 2, y: a.y },
      { x: middle, y: a.y },
      { x: middle, y: b.y },
      { x: b.x - WIDTH / 2, y: b.y },
    ];
  };
  return { width: right + 12, height: y + 5, node: (id) => places.get(id)!, path, label: (e) => path(e)[1]! };
}

/** Returns a maximum spanning forest: each node is beside its strongest partner, and the busiest node is the root. */
export function strongest(nodes: GraphNode[], edges: GraphEdge[]): GraphEdge[] {
  const group = new Map(nodes.map((n) => [n.id, n.id]));
  const top = (id: string): string => {
    let at = id;
    while (group.get(at) !== at) at = group.get(at)!;
    group.set(id, at);
    return at;
  };
  const beside = new Map<string, GraphEdge[]>(nodes.map((n) => [n.id, []]));
  for (const e of [...edges].sort((a, b) => b.weight - a.weight)) {
    const [a, b] = [top(e.from), top(e.to)];
    if (a === b) continue;
    group.set(a, b);
    beside.get(e.from)!.push(e);
    beside.get(e.to)!.push({ ...e, from: e.to, to: e.from });
  }
  const seen = new Set<string>();
  const tree: GraphEdge[] = [];
  for (const root of [...nodes].sort((a, b) => b.weight - a.weight)) {
    if (seen.has(root.id)) continue;
    seen.add(root.id);
    for (const next = [root.id]; next.length; ) {
      const id = next.shift()!;
      for (const e of beside.get(id)!)
        if (!seen.has(e.to)) {
          seen.add(e.to);
          tree.push(e);
          next.push(e.to);
        }
    }
  }
  return tree;
}

/** Returns the layout for more boxes than layers can show: each is beside its strongest partner, and other edges are
    faint. */
export function clustered(nodes: GraphNode[], edges: GraphEdge[]): Arranged {
  const tree = strongest(nodes, edges);
  const roots = new Set(tree.map((e) => e.to));
  const order = nodes.filter((n) => !roots.has(n.id)).concat(nodes.filter((n) => roots.has(n.id)));
  const g = forest(order, tree, 4);
  const down = new Set(tree.map((e) => `${e.from} ${e.to}`));
  const close = (e: GraphEdge) => down.has(`${e.from} ${e.to}`) || down.has(`${e.to} ${e.from}`);
  const path = (e: GraphEdge) =>
    down.has(`${e.from} ${e.to}`) ? g.path(e) : g.path({ ...e, from: e.to, to: e.from }).reverse();
  return { ...g, path, faint: (e) => !close(e) };
}
