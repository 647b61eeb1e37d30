// Who gains and who loses access against the text that was opened. Must not live here: how that is found.
import type { AccessChange } from 'tailnet-kit/slim';
import { card, h, problem } from './dom.js';
import { ask } from './kit.js';
import type { Card, Workbench } from './policy.js';

type Reached = AccessChange['gained'][number];

const chip = (sign: '+' | '−', { destination, ports }: Reached): HTMLElement =>
  h('li', { className: sign === '+' ? 'gained' : 'lost' }, h('span', { className: 'hidden' }, sign === '+' ? 'gains ' : 'loses '), `${sign} ${destination} `, h('b', {}, ports.join(', ')));

const changed = ({ source, gained, lost }: AccessChange): HTMLElement =>
  h('li', {}, h('code', {}, source), h('ul', {}, ...gained.map((reached) => chip('+', reached)), ...lost.map((reached) => chip('−', reached))));

export function changesCard({ draft }: Workbench): Card {
  const list = h('div', { ariaLive: 'polite' });
  const show = (changes: AccessChange[]): void => {
    const none = h('p', { className: 'quiet' }, 'Nobody gains or loses access against the stored text.');
    list.replaceChildren(changes.length ? h('ol', { className: 'changes' }, ...changes.map(changed)) : none);
  };
  return {
    element: card('What changes', list),
    // Between people, tags and names of the text: without devices, of which one person may have many.
    update: (text) => ask('diffAccess', draft.opened.text, text, {}).then(show, (error: unknown) => list.replaceChildren(problem(error))),
  };
}
