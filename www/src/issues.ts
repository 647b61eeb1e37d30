// What the service would say to the text, and everything else worth saying. Must not live here: how that is judged.
import type { PolicyCheck } from 'tailnet-kit/slim';
import { h, problem } from './dom.js';
import type { Workbench } from './policy.js';

export function issuesList({ editor }: Workbench) {
  const verdict = h('p', { className: 'verdict', role: 'status' });
  const list = h('ol', { className: 'issues' });
  const element = h('section', { className: 'panel', ariaLabel: 'Issues' }, verdict, list);
  return {
    element,
    show({ accepted, message, issues }: PolicyCheck): void {
      const warnings = issues.filter((issue) => issue.severity === 'warning').length;
      verdict.className = accepted ? 'verdict good' : 'verdict bad';
      verdict.textContent = accepted ? `Would be accepted${warnings ? `, ${warnings} warnings` : ''}` : `Would be refused: ${message}`;
      const item = (issue: PolicyCheck['issues'][number]): HTMLElement =>
        h(
          'button',
          { type: 'button', className: `row ${issue.severity}`, onclick: () => editor.goTo(issue.line) },
          h('span', { className: 'line' }, `${issue.line}:${issue.column}`),
          h('span', {}, h('span', { className: 'hidden' }, `${issue.severity}: `), issue.message, issue.hint && h('small', {}, ` ${issue.hint}`)),
        );
      list.replaceChildren(...issues.map((issue) => h('li', {}, item(issue))));
    },
    /** The kit itself did not answer. */
    fail: (error: unknown): void => list.replaceChildren(h('li', {}, problem(error))),
  };
}
