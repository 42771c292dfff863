// What describes a view: a row of views/index.ts, at the top of the view's own file.
import type { FunctionComponent } from 'preact';

export interface View {
  route: string;
  name: string;
  section: string; // of the rail; empty: the view has no entry there
  icon: string; // a path in a box of 16
  key?: string; // pressed after g
  under?: string; // the route whose entry of the rail is marked instead
  body: FunctionComponent;
}
