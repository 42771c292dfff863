import '../style/index.css';
import { render } from 'preact';
import { takeFont } from '../lib/document';
import { failure, followPlace } from '../state/info';
import { place } from '../state/place';
import { reportSettled } from '../state/settled';
import './shared';
import { Shell } from './shell';

const messageOf = (e: unknown) =>
  e instanceof Error ? `${e.message}${e.stack ? `\n${e.stack.split('\n').slice(0, 4).join('\n')}` : ''}` : String(e);
// errors are shown, instead of an empty page
addEventListener('error', (e) => (failure.value = messageOf(e.error ?? e.message)));
addEventListener('unhandledrejection', (e) => (failure.value = messageOf(e.reason)));

takeFont();
followPlace();
render(<Shell />, document.getElementById('page')!);
reportSettled(place);
