// The panel that answers "which rules concern this user?". Must not live here: how that is decided.
import { type AclPreview, type Issue, hujson, isTailnetError, policy, type HuJSONSyntaxError } from 'tailnet-kit';
import { h } from './dom.js';

export interface Shown {
  lines: number[];
  issues: Issue[];
}

/** What the panel shows of a text for a user: matching rules, or the issue that stands in the way. */
export function renderPreview(list: HTMLElement, text: string, user: string, goTo: (line: number) => void): Shown {
  try {
    const { matches } = policy.preview(text, { user });
    list.replaceChildren(...describe(user, matches, goTo));
    return { lines: matches.flatMap((match) => match.lineNumber ?? []), issues: [] };
  } catch (error) {
    if (!isTailnetError(error)) throw error;
    const issue = 'issue' in error ? (error as HuJSONSyntaxError).issue : null;
    list.replaceChildren(complaint(error.message, issue, goTo));
    return { lines: [], issues: issue ? [issue] : [] };
  }
}

function describe(user: string, matches: AclPreview['matches'], goTo: (line: number) => void): HTMLElement[] {
  if (!user) return [h('p', { className: 'quiet' }, 'Choose a user to see the rules that concern them.')];
  if (matches.length === 0) return [h('p', { className: 'quiet' }, `No rule concerns ${user}.`)];
  return [h('ol', {}, ...matches.map((match) => h('li', {}, ruleButton(match, goTo))))];
}

function ruleButton({ users, ports, lineNumber }: AclPreview['matches'][number], goTo: (line: number) => void): HTMLElement {
  return h(
    'button',
    { type: 'button', className: 'rule', onclick: () => lineNumber !== null && goTo(lineNumber) },
    h('span', { className: 'line' }, lineNumber === null ? '' : `line ${lineNumber}`),
    h('span', { className: 'from' }, users.join(', ')),
    h('span', { className: 'to' }, `→ ${ports.join(', ')}`),
  );
}

function complaint(message: string, issue: Issue | null, goTo: (line: number) => void): HTMLElement {
  return h(
    'p',
    { className: 'problem', role: 'alert' },
    message,
    issue?.hint ? ` (${issue.hint})` : '',
    issue && h('button', { type: 'button', onclick: () => goTo(issue.line) }, `go to line ${issue.line}`),
  );
}

/** The logins that a policy names, for the list of suggestions. A text that cannot be read names none. */
export function loginsOf(text: string): string[] {
  const result = hujson.tryParse(text);
  const logins = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && /^[^\s:*@]+@[^\s:@]+$/.test(value)) logins.add(value);
    else if (value && typeof value === 'object') Object.values(value).forEach(visit);
  };
  if (result.ok) visit(result.value);
  return [...logins].sort();
}
