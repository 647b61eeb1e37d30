// "Which rules concern this user, tag, host or address?" Must not live here: how that is decided.
import type { AccessMatrix } from 'tailnet-kit/slim';
import { card, field, h } from './dom.js';
import { ask } from './kit.js';
import type { Card, Workbench } from './policy.js';
import { write } from './url.js';

/** A rule as the list shows it. */
interface Concern {
  line: number | null;
  from: string[];
  to: string[];
}

const ADDRESS_AND_PORT = /^(\[[\da-f:]+\]|[\da-f.]+|[\da-f:]+:[\da-f]*):\d+$/i;

/** Users and addresses are previewed as the service does it; for any other name the rules that name it count, and those for `*`. */
async function concerns(text: string, subject: string): Promise<Concern[]> {
  const isAddress = ADDRESS_AND_PORT.test(subject);
  if (!isAddress && !subject.includes('@')) return naming(await ask('access', text), subject);
  const { matches } = await ask('preview', text, isAddress ? { ipPort: subject } : { user: subject });
  return matches.map(({ lineNumber, users, ports }) => ({ line: lineNumber, from: users, to: ports }));
}

function naming({ sources, destinations, cells }: AccessMatrix, subject: string): Concern[] {
  const rules = new Map<number, { from: Set<string>; to: Set<string> }>();
  for (const { source, destination, ports, because } of cells) {
    const [from = '', to = ''] = [sources[source], destinations[destination]];
    if (![subject, '*'].some((name) => name === from || name === to)) continue;
    for (const { line } of because) {
      const rule = rules.get(line) ?? { from: new Set(), to: new Set() };
      rules.set(line, { from: rule.from.add(from), to: rule.to.add(`${to}:${ports.join(',')}`) });
    }
  }
  return [...rules].sort(([a], [b]) => a - b).map(([line, { from, to }]) => ({ line, from: [...from], to: [...to] }));
}

export function subjectCard({ editor, refresh }: Workbench, chosen: string): Card {
  const names = h('datalist', { id: 'names' });
  const input = h('input', { id: 'subject', value: chosen, autocomplete: 'off', spellcheck: false, placeholder: 'user, tag, host or ip:port' });
  input.setAttribute('list', names.id);
  const answer = h('div', { ariaLive: 'polite' });
  input.addEventListener('input', () => {
    void write({ for: input.value.trim() });
    refresh();
  });

  const rule = ({ line, from, to }: Concern): HTMLElement =>
    h(
      'button',
      { type: 'button', className: 'row', onclick: () => line !== null && editor.goTo(line) },
      h('span', { className: 'line' }, line),
      h('span', {}, h('code', {}, from.join(', ')), ' → ', h('code', {}, to.join(', '))),
    );

  return {
    element: card('Who', field('Rules that concern', input), names, answer),
    async update(text) {
      const { sources, destinations } = await ask('access', text);
      if (!input.value && !chosen) input.value = chosen = sources.find((name) => name.includes('@')) ?? '';
      names.replaceChildren(...[...new Set([...sources, ...destinations])].map((value) => h('option', { value })));
      const subject = input.value.trim();
      const found = subject ? await concerns(text, subject) : [];
      editor.mark(found.flatMap(({ line }) => line ?? []));
      const none = h('p', { className: 'quiet' }, subject ? `No rule concerns ${subject}.` : 'Name somebody or something to see the rules.');
      answer.replaceChildren(found.length ? h('ol', {}, ...found.map((entry) => h('li', {}, rule(entry)))) : none);
    },
  };
}
