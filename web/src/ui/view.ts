// The description of a view: the top of its file, and a row of views/index.ts.
import type { FunctionComponent } from 'preact';

/** A key of the page, or of one view. */
export interface Key {
  keys: string[];
  what: string;
  act: () => void;
}

export interface View {
  route: string;
  name: string;
  section: string; // in the rail; empty: no entry
  icon: string; // an SVG path in a box of 16
  key?: string; // the key after g
  keys?: Key[]; // in this view only
  under?: string; // the route whose entry in the rail is marked
  shown?: () => boolean; // whether it has an entry now; always if absent
  body: FunctionComponent;
}
