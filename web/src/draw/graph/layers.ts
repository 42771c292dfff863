// The layout of a graph in layers, by dagre.
import { Graph, layout } from '@dagrejs/dagre';
import { LINE, WIDTH, type Arranged, type GraphEdge, type GraphNode, type Place } from './arrange';

/** Returns the one that fits a screen at the larger scale, of the layouts from left to right and from top to bottom. */
export function layered(nodes: GraphNode[], edges: GraphEdge[]): Arranged {
  const [across, down] = [arranged(nodes, edges, 'LR'), arranged(nodes, edges, 'TB')];
  const scale = (g: Arranged) => Math.min(1, innerWidth / g.width, innerHeight / g.height);
  return scale(down) > 1.1 * scale(across) ? down : across;
}

function arranged(nodes: GraphNode[], edges: GraphEdge[], rankdir: 'LR' | 'TB'): Arranged {
  const g = new Graph({ multigraph: false });
  g.setGraph({
    rankdir,
    nodesep: 14,
    ranksep: 46,
    marginx: 12,
    marginy: 12,
    ranker: nodes.length > 120 ? 'longest-path' : 'network-simplex',
  });
  g.setDefaultEdgeLabel(() => ({}));
  for (const n of nodes) g.setNode(n.id, { width: WIDTH, height: 12 + n.lines.length * LINE });
  for (const e of edges)
    if (e.from !== e.to)
      g.setEdge(e.from, e.to, e.text ? { width: 8 + 6.2 * e.text.length, height: 14, labelpos: 'c' } : {});
  layout(g);
  const size = g.graph() as { width?: number; height?: number };
  return {
    width: size.width ?? 1,
    height: size.height ?? 1,
    down: rankdir === 'TB',
    node: (id) => g.node(id) as Place,
    path: (e) => (g.edge(e.from, e.to) as { points: { x: number; y: number }[] }).points,
    label: (e) => g.edge(e.from, e.to) as unknown as { x: number; y: number },
  };
}
