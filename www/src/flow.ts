// One flow: allowed or denied, and why. Must not live here: the judgement.
import type { Explanation, RuleRef, Subject } from 'tailnet-kit/slim';
import { card, field, h, problem } from './dom.js';
import { ask } from './kit.js';
import type { Card, Workbench } from './policy.js';
import { kept } from './storage.js';

function subjectOf(name: string): Subject {
  if (name.startsWith('group:')) return { group: name };
  if (name.startsWith('tag:')) return { tag: name };
  if (name.includes('@')) return { user: name };
  return /^[\d.]+$|^[\da-f:]*:[\da-f:]*$/i.test(name) ? { ip: name } : { host: name };
}

export function flowCard({ editor, refresh }: Workbench): Card {
  const from = kept('flow.from', h('input', { spellcheck: false, autocomplete: 'off', placeholder: 'alice@example.com' }));
  const to = kept('flow.to', h('input', { spellcheck: false, autocomplete: 'off', placeholder: 'tag:db:5432' }));
  const proto = kept('flow.proto', h('select', {}, ...['tcp', 'udp', 'sctp', 'icmp'].map((name) => h('option', {}, name))));
  from.setAttribute('list', 'names');
  for (const input of [from, to, proto]) input.addEventListener('input', refresh);
  const answer = h('div', { ariaLive: 'polite' });

  const rule = ({ line, section, index }: RuleRef, why: string): HTMLElement =>
    h(
      'button',
      { type: 'button', className: 'row', onclick: () => editor.goTo(line) },
      h('span', { className: 'line' }, line),
      h('span', {}, why || h('code', {}, editor.rule(line) || `${section}[${index}]`)),
    );
  const explained = ({ verdict, because, nearMisses, unresolved }: Explanation): HTMLElement[] => [
    h('p', { className: `verdict ${verdict}` }, verdict === 'unknown' ? 'cannot be told' : verdict),
    ...because.map((ref) => rule(ref, '')),
    ...(nearMisses.length ? [h('h3', {}, 'Nearly')] : []),
    ...nearMisses.map(({ rule: ref, why }) => rule(ref, why)),
    ...unresolved.map((name) => h('p', { className: 'quiet' }, `${name} is not known`)),
  ];

  return {
    element: card('One flow', h('div', { className: 'fields' }, field('From', from), field('To', to), field('Protocol', proto)), answer),
    async update(text) {
      if (!from.value.trim() || !to.value.trim()) return answer.replaceChildren(h('p', { className: 'quiet' }, 'Who, and where to with a port: then it says whether it passes, and why.'));
      const flow = { from: subjectOf(from.value.trim()), to: to.value.trim(), proto: proto.value };
      const parts = await ask('explain', text, flow).then(explained, (error: unknown) => [problem(error)]);
      answer.replaceChildren(...parts);
    },
  };
}
