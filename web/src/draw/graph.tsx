// A graph of boxes and arrows. Its body, with the layouts, is a script of its own: draw/graph/body.tsx.
import type { FunctionComponent } from 'preact';
import { useLater } from '../state/later';
import type { TipContent } from '../state/tip';
import type { GraphEdge, GraphNode } from './graph/arrange';

export interface GraphProps {
  nodes: GraphNode[];
  edges: GraphEdge[];
  tree?: boolean; // laid out as a forest
  layers?: number; // the most boxes for a layout in layers
  label: string;
  tip: (id: string) => TipContent;
  edgeTip?: (e: GraphEdge) => TipContent | null;
  click: (id: string) => void;
}
declare global {
  var strobeGraph: FunctionComponent<GraphProps> | undefined;
}

export function Graph(props: GraphProps) {
  const Body = useLater('graph.js', () => globalThis.strobeGraph);
  return Body ? <Body {...props} /> : null;
}
