// The tests that a policy carries, with their results. Must not live here: how they are judged.
import type { TestReport } from 'tailnet-kit/slim';
import { card, h } from './dom.js';
import type { Workbench } from './policy.js';

const outcome = (passed: boolean | null): string => (passed === null ? 'unknown' : passed ? 'passed' : 'failed');

export function testsCard({ editor }: Workbench) {
  const list = h('ol', { className: 'tests' });
  const result = ({ line, src, section, passed, errors }: TestReport['results'][number]): HTMLElement =>
    h(
      'button',
      { type: 'button', className: `row ${outcome(passed)}`, onclick: () => editor.goTo(line) },
      h('span', { className: 'line' }, line),
      h('span', {}, h('code', {}, src), section === 'sshTests' && ' over ssh', ...errors.map((error) => h('small', {}, error))),
      h('span', { className: 'outcome' }, outcome(passed)),
    );
  return {
    element: card('Tests', list),
    show({ results }: TestReport): void {
      const none = h('li', { className: 'quiet' }, 'The policy has no tests.');
      list.replaceChildren(...(results.length ? results.map((entry) => h('li', {}, result(entry))) : [none]));
    },
  };
}
